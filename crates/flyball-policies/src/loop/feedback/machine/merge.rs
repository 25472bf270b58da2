//! Content that was not edited here: others changed it, or it was edited and judged in another checkout.

use std::collections::BTreeMap;

use flyball_core::time::Time;

use super::edit::Step;
use crate::r#loop::feedback::settings::Settings;
use crate::r#loop::feedback::state::{DomainState, FileState, Fingerprint, Original, State};

/// How many earlier contents that passed are remembered.
const MOST_EARLIER: usize = 8;

/// Files that came from the same domain in another checkout.
pub(super) struct Merge {
    pub from: String,
    pub into: String,
    pub files: BTreeMap<String, FileState>,
}

impl State {
    pub(super) fn apply_update(&mut self, domain: &str, mut files: BTreeMap<String, FileState>) {
        let Some(here) = self.domains.get_mut(domain) else { return };
        let from = here.fingerprint();
        files.retain(|path, _| here.files.contains_key(path));
        here.merge(files);
        let step = Step { from, to: here.fingerprint() };
        for phase in here.phases.values_mut() {
            // What passed comes back with `git stash pop`, or another branch.
            if phase.passed_on == Some(step.from) && step.from != step.to {
                phase.also_passed_on.push(step.from);
                phase.also_passed_on.dedup();
                let surplus = phase.also_passed_on.len().saturating_sub(MOST_EARLIER);
                phase.also_passed_on.drain(..surplus);
            }
            step.carry(&mut phase.passed_on);
            step.carry(&mut phase.failed_on);
        }
        step.carry(&mut here.origin);
        self.carry_seen(domain, step);
    }

    /// Files are again what they were before the session: they are no work of it. What passed with them passed without.
    pub(super) fn apply_restored(&mut self, domain: &str, files: &BTreeMap<String, FileState>) {
        let Some(here) = self.domains.get_mut(domain) else { return };
        let from = here.fingerprint();
        for (path, known) in &mut here.files {
            if files.get(path).is_some_and(|restored| restored.content == known.content) {
                known.original = Some(Original(known.content));
            }
        }
        let step = Step { from, to: here.fingerprint() };
        // That of no work at all.
        here.origin = Some(DomainState::default().fingerprint());
        for phase in here.phases.values_mut() {
            step.carry(&mut phase.passed_on);
            step.carry(&mut phase.failed_on);
        }
        self.carry_seen(domain, step);
    }

    pub(super) fn apply_merge(&mut self, settings: &Settings, merge: Merge, now: Time) {
        let Merge { from, into, files } = merge;
        let (Some(domain), Some(source)) = (settings.domain(&into), self.domains.get(&from).cloned()) else {
            return;
        };
        let before = self.domains.get(&into).cloned().unwrap_or_default();
        let here = self.domains.entry(into.clone()).or_default();
        let step_from = here.fingerprint();
        here.merge(files);
        here.active = true;
        let is_whole = source
            .files
            .iter()
            .all(|(path, file)| here.files.get(path).is_some_and(|merged| merged.content == file.content));
        let print = here.fingerprint();
        let is_fine =
            |state: &DomainState, phase: &str| state.files.is_empty() || state.why_open(phase).is_none();
        for phase in settings.phases_of(domain) {
            let passes = is_whole && is_fine(&source, &phase.name) && is_fine(&before, &phase.name);
            if let Some(known) = source.phases.get(&phase.name).filter(|_| passes) {
                here.phases.entry(phase.name.clone()).or_default().pass(print, &known.by, now);
            }
        }
        // Agents that have seen all of it there have seen it here.
        let was = source.fingerprint();
        for agent in self.agents.values_mut().filter(|_| is_whole) {
            if agent.content_seen(&from) == was && agent.content_seen(&into) == step_from {
                agent.on.insert(into.clone(), print);
            }
        }
        self.begin(now);
        self.note(now, &format!("{from} came into {into}"));
        if is_whole {
            self.domains.remove(&from);
        }
    }

    pub(super) fn apply_discarded(&mut self, domain: &str, now: Time) {
        if self.domains.remove(domain).is_some() {
            self.note(now, &format!("{domain} was thrown away with its checkout"));
        }
    }

    pub(super) fn apply_put_away(&mut self, domain: &str, files: BTreeMap<String, Option<Fingerprint>>) {
        if let Some(here) = self.domains.get_mut(domain) {
            here.elsewhere = files;
        }
    }

    /// Agents that saw the content before have seen what it is now.
    fn carry_seen(&mut self, domain: &str, step: Step) {
        for agent in self.agents.values_mut() {
            if agent.content_seen(domain) == step.from {
                agent.on.insert(domain.to_owned(), step.to);
            }
        }
    }
}
