//! Proof instead of claims: a command is run here, or was seen to run, on exactly the content that there is.

mod agent_command;
mod content;
pub(super) mod definition;
#[cfg(test)]
mod tests;

use flyball_core::config::Mode;
use flyball_core::event::{EventData, Tool};
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::workshop::Workshop;

use self::content::{Contents, Covered};
use super::super::run::{IN_LOOP, NO_VERDICT, RunRequest, RunResult, Verdict, run};
use super::machine::Proof;
use super::settings::{Domain, Settings};
use super::state::{Fingerprint, State};

/// What a passed command that the agent ran left behind.
const SEEN_PASSING: &str = "exit code 0, as it was seen in this session";

/// A phase of a domain that only a command passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DueProof {
    pub domain: String,
    pub phase: String,
    /// The command line that proves it.
    pub command: String,
    /// The content of the domain's edited files.
    pub content: Fingerprint,
}

/// Finds out what the commands come to on the content that there is: from what is known of this content, or by
/// running them. A policy that only observes runs nothing.
pub(super) fn prove(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
    settings: &Settings,
    due: &[DueProof],
) -> Result<Vec<Proof>, PolicyError> {
    if due.is_empty() || workshop.variable(IN_LOOP).is_some() {
        return Ok(Vec::new());
    }
    let bench = Prover { situation, workshop, settings };
    let contents = Contents::read(situation, workshop);
    let asked = |due| {
        let key = bench.key(&contents, due);
        PendingProof { due, run: bench.stored_run(key.as_deref()), key }
    };
    let mut asked: Vec<PendingProof<'_>> = due.iter().map(asked).collect();
    while let Some(open) = asked.iter().find(|it| it.run.is_none() && situation.mode == Mode::Enforce) {
        let command = open.due.command.clone();
        let run = bench.run(&command);
        // One run answers all that ask the same. What was known of other content before stays known.
        let mut same: Vec<&mut PendingProof<'_>> =
            asked.iter_mut().filter(|it| it.is_open_for(&command)).collect();
        bench.store_run(&same, &run);
        same.iter_mut().for_each(|it| it.run = Some(run.clone()));
    }
    Ok(asked.into_iter().filter_map(|it| Some(proof(it.due, it.run?))).collect())
}

/// Something to be proved.
struct PendingProof<'a> {
    due: &'a DueProof,
    /// The key of its result, if there can be one.
    key: Option<String>,
    /// What it came to, if that is known.
    run: Option<RunResult>,
}

impl PendingProof<'_> {
    fn is_open_for(&self, command: &str) -> bool {
        self.run.is_none() && self.due.command == command
    }
}

/// Whether a proof that did not pass says something about the code: one that says nothing is no failure of a phase.
pub(super) fn has_verdict(proof: &Proof) -> bool {
    proof.passed || !proof.tail.starts_with(NO_VERDICT)
}

/// Notes that the agent just ran a command of a phase, and that it passed.
pub(super) fn note_passed_command(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
    settings: &Settings,
    state: &State,
) -> Result<(), PolicyError> {
    let EventData::AfterTool { call, outcome } = &situation.event.happening else { return Ok(()) };
    let Tool::Shell { command: line, background: false } = &call.tool else { return Ok(()) };
    let passed = due_by(settings, state, |command| agent_command::proves(situation, line, command));
    if passed.is_empty() || workshop.variable(IN_LOOP).is_some() {
        return Ok(());
    }
    // There are clients that call every command that came to its end a success, whatever its exit code; of them
    // nothing is taken for proof.
    let Some(millis) = outcome.millis.filter(|_| outcome.exited_well) else { return Ok(()) };
    let began = situation.world.unix_millis().saturating_sub(millis);
    let bench = Prover { situation, workshop, settings };
    let contents = Contents::read(situation, workshop);
    let run = RunResult { verdict: Verdict::Passed, tail: SEEN_PASSING.to_owned() };
    for due in &passed {
        let Some(domain) = settings.domain(&due.domain) else { continue };
        // What was written meanwhile is not what it ran on, or not all of the time.
        let changed = contents.has_changed_since(began, &bench.covered(domain));
        if let (false, Some(key)) = (changed, bench.key(&contents, due)) {
            workshop.cache_result(&key, &encode_run(&run));
        }
    }
    Ok(())
}

/// The phases of edited domains whose commands are meant.
fn due_by(settings: &Settings, state: &State, is_meant: impl Fn(&str) -> bool) -> Vec<DueProof> {
    let edited = settings.domain.iter().filter_map(|domain| Some((domain, state.domains.get(&domain.name)?)));
    let due = edited.flat_map(|(domain, edited)| {
        let commands =
            settings.phases_of(domain).filter_map(|phase| Some((phase, domain.command_for(phase)?)));
        let due = commands.filter(|(_, command)| is_meant(command)).map(|(phase, command)| DueProof {
            domain: domain.name.clone(),
            phase: phase.name.clone(),
            command: command.to_owned(),
            content: edited.fingerprint(),
        });
        due.collect::<Vec<DueProof>>()
    });
    due.collect()
}

fn proof(due: &DueProof, run: RunResult) -> Proof {
    let DueProof { domain, phase, command, content: on } = due.clone();
    Proof { domain, phase, command, content: on, passed: run.verdict == Verdict::Passed, tail: run.tail }
}

fn encode_run(run: &RunResult) -> Vec<u8> {
    serde_json::to_vec(run).unwrap_or_default()
}

/// What it takes to prove something.
struct Prover<'a> {
    situation: &'a Situation<'a>,
    workshop: &'a dyn Workshop,
    settings: &'a Settings,
}

impl<'a> Prover<'a> {
    fn root(&self) -> &'a str {
        self.situation.world.project_root()
    }

    fn run(&self, command: &str) -> RunResult {
        let (folder, millis) = (self.root(), self.settings.run_time.millis());
        run(self.workshop, &RunRequest { command, folder, millis, tail_lines: self.settings.tail_lines })
    }

    /// Which files are covered by a domain.
    fn covered(&self, domain: &'a Domain) -> Covered<'a> {
        let settings = self.settings;
        Box::new(move |path| settings.domain_of(path).is_some_and(|it| it.name == domain.name))
    }

    /// The key of a result: it is worth nothing for another session, command, place or content. `None` if the
    /// content is not known.
    fn key(&self, contents: &Contents<'_>, due: &DueProof) -> Option<String> {
        let domain = self.settings.domain(&due.domain)?;
        let print = contents.fingerprint(&self.covered(domain))?;
        let session = self.situation.event.session.as_str();
        // The edited files are part of it even where git does not look: they may be ignored, or no git be there.
        let on = due.content.to_string();
        let script = definition::fingerprint(self.situation.world, &due.command);
        let parts = ["evidence 1", session, &due.command, self.root(), &due.domain, &on, &print, &script];
        Some(key(self.workshop, &parts))
    }

    fn stored_run(&self, key: Option<&str>) -> Option<RunResult> {
        serde_json::from_slice(&self.workshop.cached_result(key?)?).ok()
    }

    /// Keeps what a run came to, if that is about the code and the content is what it was before.
    fn store_run(&self, asked: &[&mut PendingProof<'_>], run: &RunResult) {
        if run.verdict == Verdict::None {
            return;
        }
        let now = Contents::read(self.situation, self.workshop);
        for PendingProof { due, key, .. } in asked.iter().map(|it| &**it) {
            if let Some(kept) = key.as_ref().filter(|_| *key == self.key(&now, due)) {
                self.workshop.cache_result(kept, &encode_run(run));
            }
        }
    }
}

/// One key for all that something depends on.
fn key<W: World + ?Sized>(world: &W, parts: &[&str]) -> String {
    world.hash(parts.join("\0").as_bytes()).as_str().to_owned()
}
