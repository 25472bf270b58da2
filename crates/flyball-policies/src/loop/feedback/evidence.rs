//! Proof instead of claims: a command runs here, or was seen to run, on exactly the current content.

mod agent_command;
mod content;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::config::Mode;
use flyball_core::event::{EventData, Tool};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Situation, World};
use flyball_core::workshop::Workshop;

use self::content::{Contents, MayRead, key};
use super::super::definition::{self, Reach};
use super::super::run::{IN_LOOP, NO_VERDICT, RunRequest, RunResult, Verdict, run};
use super::machine::Proof;
use super::settings::{Domain, Phase, Settings};
use super::state::{Fingerprint, State};

/// What no command reads.
const DOCUMENTS: [&str; 4] = [".md", ".mdx", ".rst", ".adoc"];

/// The result of a command that the agent ran and that passed.
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

impl DueProof {
    /// The proof of a phase, if a command proves it.
    pub(super) fn new(domain: &Domain, phase: &Phase, content: Fingerprint) -> Option<DueProof> {
        let command = domain.command_for(phase)?.to_owned();
        Some(DueProof { domain: domain.name.clone(), phase: phase.name.clone(), command, content })
    }
}

impl Proof {
    /// Whether it says something about the code: a run that could not be made is not a failure of the phase.
    pub(super) fn has_verdict(&self) -> bool {
        self.passed || !self.tail.starts_with(NO_VERDICT)
    }

    fn new(due: &DueProof, run: RunResult) -> Proof {
        let DueProof { domain, phase, command, content } = due.clone();
        Proof { domain, phase, command, content, passed: run.verdict == Verdict::Passed, tail: run.tail }
    }
}

/// A proof that is due, and its result if it is known.
struct PendingProof<'a> {
    due: &'a DueProof,
    /// The key of its result, if there can be one.
    key: Option<String>,
    /// The result, if it is known.
    run: Option<RunResult>,
}

/// Runs the commands that prove phases.
#[derive(Clone, Copy)]
pub(super) struct Prover<'a> {
    pub(super) situation: &'a Situation<'a>,
    pub(super) workshop: &'a dyn Workshop,
    pub(super) settings: &'a Settings,
}

impl<'a> Prover<'a> {
    /// The results of the commands on the current content: stored ones, or those of a run. In observe mode nothing runs.
    pub(super) fn prove<'b>(&self, due: &'b [DueProof]) -> Vec<Proof> {
        // Within a command of a phase nothing is proved: it would start itself again.
        if due.is_empty() || self.workshop.variable(IN_LOOP).is_some() {
            return Vec::new();
        }
        let contents = self.contents_of(due.iter());
        let pending = |due: &'b DueProof| {
            let key = self.key(&contents, due);
            PendingProof { due, run: self.stored_run(key.as_deref()), key }
        };
        let mut pending: Vec<PendingProof<'_>> = due.iter().map(pending).collect();
        let may_run = self.situation.mode == Mode::Enforce;
        while let Some(open) = pending.iter().find(|it| it.run.is_none() && may_run) {
            let (command, folder) = (open.due.command.clone(), self.folder(&open.due.domain));
            let run = self.run(&command, &folder);
            // One run answers all that need the same command in the same checkout. Results for other content stay stored.
            let is_same = |due: &DueProof| due.command == command && self.folder(&due.domain) == folder;
            let mut same: Vec<&mut PendingProof<'_>> =
                pending.iter_mut().filter(|it| it.run.is_none() && is_same(it.due)).collect();
            self.store_run(&same, &run);
            same.iter_mut().for_each(|it| it.run = Some(run.clone()));
        }
        pending.into_iter().filter_map(|it| Some(Proof::new(it.due, it.run?))).collect()
    }

    /// Stores that the agent just ran a command of a phase, and that it passed.
    pub(super) fn note_passed_command(&self, state: &State) {
        let EventData::AfterTool { call, outcome } = &self.situation.event.happening else { return };
        // A command in the background has not ended yet.
        let Tool::Shell { command: line, background: false } = &call.tool else { return };
        let mut passed = self.commands_of_edited(state);
        passed.retain(|due| {
            let run = agent_command::SeenRun { line, folder: &self.folder(&due.domain) };
            agent_command::proves(self.situation, &run, &due.command)
        });
        if passed.is_empty() || self.workshop.variable(IN_LOOP).is_some() {
            return;
        }
        // Some clients report every command that ended as a success, whatever its exit code: that proves nothing.
        let Some(took) = outcome.took.filter(|_| outcome.exited_well) else { return };
        let began = self.situation.world.now() - took;
        let contents = self.contents_of(passed.iter());
        let run = RunResult { verdict: Verdict::Passed, tail: SEEN_PASSING.to_owned() };
        for due in &passed {
            // A file that changed during the run was not tested as it is now.
            let changed = contents
                .get(&self.folder(&due.domain))
                .is_none_or(|it| it.has_changed_since(began, &self.may_read(due)));
            if let (false, Some(key)) = (changed, self.key(&contents, due)) {
                self.workshop.cache_result(&key, &encode_run(&run));
            }
        }
    }

    /// The commands of all edited domains.
    fn commands_of_edited(&self, state: &State) -> Vec<DueProof> {
        let domains = self.settings.domain.iter();
        let edited = domains.filter_map(|domain| Some((domain, state.domains.get(&domain.name)?)));
        let due = edited.flat_map(|(domain, edited)| {
            let phases = self.settings.phases_of(domain);
            phases.filter_map(|phase| DueProof::new(domain, phase, edited.fingerprint()))
        });
        due.collect()
    }

    /// Where a domain's commands run: in the checkout that was edited.
    fn folder(&self, domain: &str) -> AbsolutePath {
        let tree = self.settings.domain(domain).and_then(|domain| domain.tree.clone());
        tree.unwrap_or_else(|| self.situation.world.project_root().clone())
    }

    /// The content of the checkouts that these proofs are about.
    fn contents_of<'d>(
        &self,
        due: impl Iterator<Item = &'d DueProof>,
    ) -> BTreeMap<AbsolutePath, Contents<'a>> {
        let folders: BTreeSet<AbsolutePath> = due.map(|due| self.folder(&due.domain)).collect();
        let read = |folder: AbsolutePath| {
            let contents = Contents::read(self.situation, self.workshop, &folder);
            (folder, contents)
        };
        folders.into_iter().map(read).collect()
    }

    /// What a command may read is not known, so files of no domain count, too: `data.json`. Documents do not, nor what
    /// another command proves.
    fn may_read<'d>(&'d self, due: &'d DueProof) -> MayRead<'d> {
        let settings = self.settings;
        let own = settings.domain(&due.domain);
        let phase = settings.phase(&due.phase);
        Box::new(move |path| match settings.domain_in(own.and_then(|own| own.tree.as_ref()), path) {
            Some(other) if other.name != due.domain => {
                phase.and_then(|phase| other.command_for(phase)).is_none_or(|command| command == due.command)
            }
            Some(_) => true,
            None => !DOCUMENTS.iter().any(|ending| path.ends_with(ending)),
        })
    }

    fn run(&self, command: &str, folder: &AbsolutePath) -> RunResult {
        let timeout = self.settings.run_time.duration();
        run(self.workshop, &RunRequest { command, folder, timeout, tail_lines: self.settings.tail_lines })
    }

    /// The key of a result: it is valid for this session, command, place and content only. `None` if the content is not
    /// known.
    fn key(&self, contents: &BTreeMap<AbsolutePath, Contents<'_>>, due: &DueProof) -> Option<String> {
        let folder = self.folder(&due.domain);
        let print = contents.get(&folder)?.fingerprint(&self.may_read(due))?;
        let session = self.situation.event.session.as_str();
        // The edited files are part of it even where git does not look: they may be ignored, or there is no git.
        let on = due.content.to_string();
        let script = definition_print(self.situation.world, &due.command);
        let parts = ["evidence 2", session, &due.command, &folder, &due.domain, &on, &print, &script];
        Some(key(self.workshop, &parts))
    }

    fn stored_run(&self, key: Option<&str>) -> Option<RunResult> {
        serde_json::from_slice(&self.workshop.cached_result(key?)?).ok()
    }

    /// Stores the result of a run if it is about the code and the content is what it was before.
    fn store_run(&self, pending: &[&mut PendingProof<'_>], run: &RunResult) {
        if run.verdict == Verdict::None {
            return;
        }
        let now = self.contents_of(pending.iter().map(|it| it.due));
        for PendingProof { due, key, .. } in pending.iter().map(|it| &**it) {
            if let Some(key) = key.as_ref().filter(|_| *key == self.key(&now, due)) {
                self.workshop.cache_result(key, &encode_run(run));
            }
        }
    }
}

fn encode_run(run: &RunResult) -> Vec<u8> {
    serde_json::to_vec(run).unwrap_or_default()
}

/// A fingerprint of all that defines what a command does.
fn definition_print(world: &dyn World, command: &str) -> String {
    let mut parts = Vec::new();
    for path in definition::files(world, command, Reach::Scripts) {
        if let Some(bytes) = definition::read(world, &path) {
            parts.extend([path.to_string(), world.hash(&bytes).as_str().to_owned()]);
        }
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    key(world, &parts)
}
