//! An edit changes the content, so that phases that passed on other content are open. Tests that an agent of a phase
//! writes do not reopen the phases before it.

use std::collections::BTreeMap;

use flyball_core::time::Time;

use crate::r#loop::feedback::settings::{Domain, Phase, Settings};
use crate::r#loop::feedback::state::{DomainState, FileState, Fingerprint, State};

/// Files of one domain with new content.
pub(super) struct Edit {
    pub domain: String,
    pub files: BTreeMap<String, FileState>,
    /// The role of the subagent that did it.
    pub by: Option<String>,
}

/// From which content to which.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) from: Fingerprint,
    pub(super) to: Fingerprint,
}

impl State {
    pub(super) fn apply_edit(&mut self, settings: &Settings, edit: Edit, now: Time) {
        let Some(domain) = settings.domain(&edit.domain).filter(|_| !edit.files.is_empty()) else { return };
        let here = self.domains.entry(domain.name.clone()).or_default();
        let from = here.fingerprint();
        let changed = here.merge(edit.files);
        if changed.is_empty() {
            return;
        }
        let step = Step { from, to: here.fingerprint() };
        let joined = !std::mem::replace(&mut here.active, true);
        self.begin(now);
        if joined {
            self.note(now, &format!("{} was edited", domain.name));
        }
        // One other file among them makes it an edit of the code.
        let are_tests = changed.iter().all(|path| settings.is_test(path));
        if let Some(role) = edit.by.filter(|_| are_tests) {
            self.carry(settings, domain, &role, step);
        }
        self.note_reopened(settings, domain, step.from, now);
    }

    /// Keeps the results of the phases before those that this role serves, and the reports that its agents will make.
    fn carry(&mut self, settings: &Settings, domain: &Domain, role: &str, step: Step) {
        let phases: Vec<&Phase> = settings.phases_of(domain).collect();
        // An agent that serves several phases counts for the last of them.
        let Some(served) = phases.iter().rposition(|phase| domain.is_served_by(phase, role)) else { return };
        let here = self.domains.entry(domain.name.clone()).or_default();
        // A command proves exactly the content that it ran on.
        for phase in phases.iter().take(served).filter(|phase| domain.command_for(phase).is_none()) {
            if let Some(state) = here.phases.get_mut(&phase.name) {
                step.carry(&mut state.passed_on);
            }
        }
        // Agents of later phases judge these tests, so they have to see them.
        let is_meant =
            |role: &str| phases.iter().take(served + 1).any(|phase| domain.is_served_by(phase, role));
        for agent in self.agents.values_mut().filter(|agent| is_meant(&agent.role)) {
            if agent.content_seen(&domain.name) == step.from {
                agent.on.insert(domain.name.clone(), step.to);
            }
        }
    }

    fn note_reopened(&mut self, settings: &Settings, domain: &Domain, before: Fingerprint, now: Time) {
        let here = self.domains.get(&domain.name);
        let passed_on = |phase: &Phase| here?.phases.get(&phase.name)?.passed_on;
        let reopened = settings.phases_of(domain).filter(|phase| passed_on(phase) == Some(before));
        let reopened: Vec<&str> = reopened.map(|phase| phase.name.as_str()).collect();
        if !reopened.is_empty() {
            self.note(now, &format!("{} changed after it had passed: {}", domain.name, reopened.join(", ")));
        }
    }
}

impl Step {
    pub(super) fn carry(self, print: &mut Option<Fingerprint>) {
        if *print == Some(self.from) {
            *print = Some(self.to);
        }
    }
}

impl DomainState {
    /// Adds files, and returns those with new content.
    pub(super) fn merge(&mut self, files: BTreeMap<String, FileState>) -> Vec<String> {
        let mut changed = Vec::new();
        for (path, file) in files {
            if self.files.get(&path).is_none_or(|known| known.content != file.content) {
                changed.push(path.clone());
            }
            // Stored also with the same content: with the new stamp, the file is not read again.
            let original = self.files.get(&path).and_then(|known| known.original).or(file.original);
            self.files.insert(path, FileState { original, ..file });
        }
        changed
    }
}
