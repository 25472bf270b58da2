//! Proof instead of claims: a command is run here, or was seen to run, on exactly the content that there is.

mod content;
pub(super) mod definition;
mod seen;
#[cfg(test)]
mod tests;

use flyball_core::config::Mode;
use flyball_core::event::{Happening, Tool};
use flyball_core::policy::{Situation, Trouble, World};
use flyball_core::workshop::Workshop;

use self::content::{Contents, Covered};
use super::super::run::{IN_LOOP, NO_VERDICT, Order, Run, Verdict, run};
use super::machine::Proof;
use super::settings::{Domain, Settings};
use super::state::{Print, State};

/// What a passed command that the agent ran left behind.
const SEEN: &str = "exit code 0, as it was seen in this session";

/// A phase of a domain that only a command passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Due {
    pub domain: String,
    pub phase: String,
    /// The command line that proves it.
    pub command: String,
    /// The content of the domain's edited files.
    pub on: Print,
}

/// Finds out what the commands come to on the content that there is: from what is known of this content, or by
/// running them. A policy that only observes runs nothing.
pub(super) fn prove(
    situation: &Situation<'_>,
    shop: &dyn Workshop,
    settings: &Settings,
    due: &[Due],
) -> Result<Vec<Proof>, Trouble> {
    if due.is_empty() || shop.variable(IN_LOOP).is_some() {
        return Ok(Vec::new());
    }
    let bench = Bench { situation, shop, settings };
    let contents = Contents::of(situation, shop);
    let asked = |due| {
        let key = bench.key(&contents, due);
        Asked { due, run: bench.kept(key.as_deref()), key }
    };
    let mut asked: Vec<Asked<'_>> = due.iter().map(asked).collect();
    while let Some(open) = asked.iter().find(|it| it.run.is_none() && situation.mode == Mode::Enforce) {
        let command = open.due.command.clone();
        let run = bench.run(&command);
        // One run answers all that ask the same. What was known of other content before stays known.
        let mut same: Vec<&mut Asked<'_>> = asked.iter_mut().filter(|it| it.is_open_for(&command)).collect();
        bench.keep(&same, &run);
        same.iter_mut().for_each(|it| it.run = Some(run.clone()));
    }
    Ok(asked.into_iter().filter_map(|it| Some(proof(it.due, it.run?))).collect())
}

/// Something to be proved.
struct Asked<'a> {
    due: &'a Due,
    /// The key of its result, if there can be one.
    key: Option<String>,
    /// What it came to, if that is known.
    run: Option<Run>,
}

impl Asked<'_> {
    fn is_open_for(&self, command: &str) -> bool {
        self.run.is_none() && self.due.command == command
    }
}

/// Whether a proof that did not pass says something about the code: one that says nothing is no failure of a phase.
pub(super) fn is_verdict(proof: &Proof) -> bool {
    proof.passed || !proof.tail.starts_with(NO_VERDICT)
}

/// Notes that the agent just ran a command of a phase, and that it passed.
pub(super) fn note_seen(
    situation: &Situation<'_>,
    shop: &dyn Workshop,
    settings: &Settings,
    state: &State,
) -> Result<(), Trouble> {
    let Happening::AfterTool { call, outcome } = &situation.event.happening else { return Ok(()) };
    let Tool::Shell { command: line, background: false } = &call.tool else { return Ok(()) };
    let passed = due_by(settings, state, |command| seen::proves(situation, line, command));
    if passed.is_empty() || shop.variable(IN_LOOP).is_some() {
        return Ok(());
    }
    // There are clients that call every command that came to its end a success, whatever its exit code; of them
    // nothing is taken for proof.
    let Some(millis) = outcome.millis.filter(|_| outcome.exited_well) else { return Ok(()) };
    let began = situation.world.unix_millis().saturating_sub(millis);
    let bench = Bench { situation, shop, settings };
    let contents = Contents::of(situation, shop);
    let run = Run { verdict: Verdict::Passed, tail: SEEN.to_owned() };
    for due in &passed {
        let Some(domain) = settings.domain(&due.domain) else { continue };
        // What was written meanwhile is not what it ran on, or not all of the time.
        let changed = contents.has_changed_since(began, &bench.covered(domain));
        if let (false, Some(key)) = (changed, bench.key(&contents, due)) {
            shop.keep_result(&key, &stored(&run));
        }
    }
    Ok(())
}

/// The phases of edited domains whose commands are meant.
fn due_by(settings: &Settings, state: &State, is_meant: impl Fn(&str) -> bool) -> Vec<Due> {
    let edited = settings.domain.iter().filter_map(|domain| Some((domain, state.domains.get(&domain.name)?)));
    let due = edited.flat_map(|(domain, edited)| {
        let commands =
            settings.phases_of(domain).filter_map(|phase| Some((phase, domain.command_for(phase)?)));
        let due = commands.filter(|(_, command)| is_meant(command)).map(|(phase, command)| Due {
            domain: domain.name.clone(),
            phase: phase.name.clone(),
            command: command.to_owned(),
            on: edited.print(),
        });
        due.collect::<Vec<Due>>()
    });
    due.collect()
}

fn proof(due: &Due, run: Run) -> Proof {
    let Due { domain, phase, command, on } = due.clone();
    Proof { domain, phase, command, on, passed: run.verdict == Verdict::Passed, tail: run.tail }
}

fn stored(run: &Run) -> Vec<u8> {
    serde_json::to_vec(run).unwrap_or_default()
}

/// What it takes to prove something.
struct Bench<'a> {
    situation: &'a Situation<'a>,
    shop: &'a dyn Workshop,
    settings: &'a Settings,
}

impl<'a> Bench<'a> {
    fn root(&self) -> &'a str {
        self.situation.world.project_root()
    }

    fn run(&self, command: &str) -> Run {
        let (folder, millis) = (self.root(), self.settings.run_time.millis());
        run(self.shop, &Order { command, folder, millis, tail_lines: self.settings.tail_lines })
    }

    /// Which files are covered by a domain.
    fn covered(&self, domain: &'a Domain) -> Covered<'a> {
        let settings = self.settings;
        Box::new(move |path| settings.domain_of(path).is_some_and(|it| it.name == domain.name))
    }

    /// The key of a result: it is worth nothing for another session, command, place or content. `None` if the
    /// content is not known.
    fn key(&self, contents: &Contents<'_>, due: &Due) -> Option<String> {
        let domain = self.settings.domain(&due.domain)?;
        let print = contents.print(&self.covered(domain))?;
        let session = self.situation.event.session.as_str();
        // The edited files are part of it even where git does not look: they may be ignored, or no git be there.
        let on = due.on.to_string();
        let script = definition::print(self.situation.world, &due.command);
        let parts = ["evidence 1", session, &due.command, self.root(), &due.domain, &on, &print, &script];
        Some(key(self.shop, &parts))
    }

    fn kept(&self, key: Option<&str>) -> Option<Run> {
        serde_json::from_slice(&self.shop.kept_result(key?)?).ok()
    }

    /// Keeps what a run came to, if that is about the code and the content is what it was before.
    fn keep(&self, asked: &[&mut Asked<'_>], run: &Run) {
        if run.verdict == Verdict::None {
            return;
        }
        let now = Contents::of(self.situation, self.shop);
        for Asked { due, key, .. } in asked.iter().map(|it| &**it) {
            if let Some(kept) = key.as_ref().filter(|_| *key == self.key(&now, due)) {
                self.shop.keep_result(kept, &stored(run));
            }
        }
    }
}

/// One key for all that something depends on.
fn key<W: World + ?Sized>(world: &W, parts: &[&str]) -> String {
    world.hash(parts.join("\0").as_bytes()).as_str().to_owned()
}
