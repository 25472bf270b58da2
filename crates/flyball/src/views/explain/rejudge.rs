//! Judges a recorded event once more, by the config of today, as the first event of a new session.
//!
//! It has no effects: no program runs, not even git, nothing is written, and the policies' memory is discarded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use flyball_core::config::Mode;
use flyball_core::engine::{Case, Faults, Watch, judge};
use flyball_core::event::{Event, EventKind, Tool};
use flyball_core::grant::Grant;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{
    Approval, ContentHash, Contents, FileApprovals, FileNote, Git, GitAnswer, InMemory, PolicyError, World,
};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_core::world::ChangedFiles;
use flyball_policies::REGISTRY;
use flyball_world::machine::{Machine, real_path};

use crate::environment::{Environment, local_minutes};
use crate::own_files::own_files;
use crate::replay::{Exactness, parse_event};
use crate::views::project::Project;

/// A larger payload was cut before it was stored, so that it is another event.
const WHOLE_BYTES: usize = 16 * 1024;

/// An event that can be judged again.
pub(super) struct RejudgeableEvent<'a> {
    event: Event,
    record: &'a Record,
    project: &'a Project,
}

/// The result.
pub(super) struct Judged {
    pub(super) stance: Stance,
    /// The policies that decided it.
    pub(super) by: Vec<String>,
    /// The stance of each policy that counts.
    pub(super) stances: BTreeMap<String, Stance>,
    /// Policies that queried git and got no answer. For the same event, their recorded stance counts.
    pub(super) asked_git: BTreeSet<String>,
}

impl<'a> RejudgeableEvent<'a> {
    /// The event of a record, if it is one that a new session can begin with and its payload was stored unchanged.
    pub(super) fn from_record(record: &'a Record, project: &'a Project) -> Option<RejudgeableEvent<'a>> {
        if !matches!(
            record.kind,
            EventKind::BeforeTool | EventKind::PermissionAsked | EventKind::PromptSubmit
        ) {
            return None;
        }
        let is_small = record.payload.as_ref().is_some_and(|payload| payload.len() <= WHOLE_BYTES);
        if !is_small || !Path::new(&record.project).is_dir() {
            return None;
        }
        let (mut event, exactness) = parse_event(record).ok()?;
        event.project = AbsolutePath::new(&*record.project);
        let is_same = exactness == Exactness::Exact && event.kind() == record.kind;
        is_same.then_some(RejudgeableEvent { event, record, project })
    }

    /// Whether it is a command line.
    pub(super) fn is_command(&self) -> bool {
        self.event.call().is_some_and(|call| matches!(call.tool, Tool::Shell { .. }))
    }

    /// Judges it. For policies that would have to query git or run programs, the recorded stance counts.
    pub(super) fn rejudge(&self) -> Judged {
        let mut judged = self.judge(self.event.clone());
        for (policy, stance) in &mut judged.stances {
            let then = self.record.rulings.iter().find(|then| then.policy == *policy);
            // Git may answer otherwise today, and linters are not run here: what they led to then is the best
            // guess.
            if let Some(then) = then.filter(|_| judged.asked_git.contains(policy) || runs_programs(policy)) {
                *stance = then.stance;
            }
        }
        judged.with_merged_stance()
    }

    /// Judges it as if another command had been run.
    pub(super) fn rejudge_with(&self, command: &str) -> Option<Judged> {
        self.event.with_main_text(command.to_owned()).map(|event| self.judge(event).with_merged_stance())
    }

    fn judge(&self, event: Event) -> Judged {
        let world = Arc::new(ReadOnlyWorld::for_project(self.project));
        let case = Case {
            event: Arc::new(event),
            config: Arc::clone(&self.project.loaded.config),
            world: Arc::clone(&world) as Arc<dyn World>,
            // Empty: an earlier denial of the session would count again, or count twice.
            memory: Arc::new(InMemory::default()),
            skipped: Arc::default(),
            // Each policy then has a thread of its own, whose name shows which policy queries git.
            watch: Watch::Deadline,
            faults: Faults::default(),
            facts: Arc::default(),
            workshop: None,
        };
        let judgement = judge(REGISTRY, &case);
        let counted = judgement.rulings.iter().filter(|ruling| ruling.mode == Mode::Enforce);
        let stances =
            counted.map(|ruling| (ruling.policy.as_str().to_owned(), ruling.verdict.stance)).collect();
        let asked_git = world.asked_git.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Judged { stance: Stance::Silent, by: Vec::new(), stances, asked_git }
    }
}

impl Judged {
    /// With the decision that the stances make.
    fn with_merged_stance(mut self) -> Judged {
        self.stance = self.stances.values().copied().max().unwrap_or_default();
        let by = self.stances.iter().filter(|(_, own)| **own == self.stance && self.stance != Stance::Silent);
        self.by = by.map(|(policy, _)| policy.clone()).collect();
        self
    }
}

/// Whether a policy has to run programs before it can judge.
fn runs_programs(id: &str) -> bool {
    REGISTRY.iter().any(|policy| policy.id.as_str() == id && policy.gather.is_some())
}

/// The machine, without effects.
struct ReadOnlyWorld {
    machine: Machine,
    asked_git: Mutex<BTreeSet<String>>,
}

impl ReadOnlyWorld {
    fn for_project(project: &Project) -> ReadOnlyWorld {
        let environment = Environment::read();
        let (root, own) = (&project.here.root, own_files(&environment, &project.here.root));
        let machine = Machine::new(
            Instant::now(),
            environment.home.clone(),
            &real_path(root),
            own,
            flyball_clients::FACTS,
        )
        .with_state(environment.state_dir())
        .with_transcripts(flyball_clients::context_size)
        .with_talk(flyball_clients::recent_conversation)
        .with_clock(local_minutes);
        ReadOnlyWorld { machine, asked_git: Mutex::default() }
    }
}

impl ReadOnlyWorld {
    fn note_caller(&self) {
        let who = std::thread::current().name().unwrap_or_default().to_owned();
        self.asked_git.lock().unwrap_or_else(PoisonError::into_inner).insert(who);
    }
}

flyball_core::delegate!(ReadOnlyWorld, machine: Clock, Place, Processes, Files, Notes, Transcripts, KnowsClients);

impl Git for ReadOnlyWorld {
    fn git(&self, _: &AbsolutePath, _: &[&str]) -> Result<GitAnswer, PolicyError> {
        self.note_caller();
        // As if there were no repository: starting git in somebody's project is an effect.
        Ok(GitAnswer::NoRepository)
    }

    fn changed_files(&self, _: &AbsolutePath, _: Time) -> Result<ChangedFiles, PolicyError> {
        self.note_caller();
        Ok(ChangedFiles::default())
    }
}

impl Contents for ReadOnlyWorld {
    fn store(&self, content: &[u8]) -> Result<ContentHash, PolicyError> {
        Ok(self.machine.hash(content))
    }

    fn hash(&self, content: &[u8]) -> ContentHash {
        self.machine.hash(content)
    }
}

impl FileApprovals for ReadOnlyWorld {
    fn approval(&self, path: &AbsolutePath, since: Time) -> Result<Option<Approval>, PolicyError> {
        self.machine.approval(path, since)
    }

    fn add_notes(&self, _: &[(AbsolutePath, FileNote)]) -> Result<(), PolicyError> {
        Ok(())
    }

    fn grants(&self) -> Result<Vec<Grant>, PolicyError> {
        self.machine.grants()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn is_rejudgeable(input: &Value) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_str().unwrap();
        let payload = json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": root,
            "tool_name": "Bash", "tool_input": input,
        });
        let fields = json!({
            "id": "4k7q2m8x", "at": 1, "client": "claude-code", "session": "s", "project": root,
            "kind": "before_tool", "native": "PreToolUse", "call": 1, "stance": "silent", "micros": 1,
            "payload": payload.to_string(),
        });
        let record: Record = serde_json::from_value(fields).unwrap();
        let project = Project::read(folder.path());
        RejudgeableEvent::from_record(&record, &project).is_some()
    }

    #[test]
    fn an_event_that_was_not_stored_whole_is_not_judged_again() {
        assert!(is_rejudgeable(&json!({ "command": "ls" })));
        for input in [
            json!({ "command": "curl -H [redacted]" }),
            json!({ "command": "echo … [+9 chars]" }),
            json!({ "command": "ls", "…": "[+9 bytes]" }),
        ] {
            assert!(!is_rejudgeable(&input), "{input}");
        }
    }
}
