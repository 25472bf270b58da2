//! The subagents that are defined for a session: a block names one that exists, and where none does, the worker that the
//! client has everywhere may report.
//!
//! They are noted when the session begins. An agent that deletes its reviewer gains nothing by it.

use std::collections::BTreeSet;

use flyball_core::policy::{PolicyError, Situation};

use super::settings::{Domain, Phase, Settings};
use crate::client_files::defined_roles;
use crate::globs::Glob;

/// The roles, one a line.
const KEY: &str = "loop.feedback.agents";
/// How many agents a block names for one phase.
const NAMED: usize = 2;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Roster {
    /// `None` if the session began before they were noted.
    roles: Option<BTreeSet<String>>,
    /// The role of the client's own worker.
    worker: Option<&'static str>,
}

/// Notes the agents, unless they are known or the session begins `anew`.
pub(super) fn note(situation: &Situation<'_>, anew: bool) -> Result<(), PolicyError> {
    if anew || !situation.memory.has(KEY)? {
        let roles: Vec<String> = defined_roles(situation.world).into_iter().collect();
        situation.memory.write(KEY, roles.join("\n"))?;
    }
    Ok(())
}

/// Lets the client's worker report for each phase for which no agent is defined here.
pub(super) fn admit_worker(situation: &Situation<'_>, settings: &mut Settings) -> Result<(), PolicyError> {
    Roster::read(situation)?.admit(settings);
    Ok(())
}

impl Roster {
    pub(super) fn read(situation: &Situation<'_>) -> Result<Roster, PolicyError> {
        let client = situation.world.clients().iter().find(|client| client.id == situation.event.client);
        let noted = situation.memory.read(KEY)?;
        let roles = noted.map(|text| text.lines().map(str::to_owned).collect());
        Ok(Roster { roles, worker: client.and_then(|client| client.worker) })
    }

    /// The defined agents that report for a phase of a domain, in the order of the config.
    pub(super) fn serving(&self, domain: &Domain, phase: &Phase) -> Vec<&str> {
        let mut serving: Vec<&str> = Vec::new();
        for glob in domain.roles(phase) {
            let matching = self.roles.iter().flatten().filter(|role| glob.matches_name(role));
            let new: Vec<&str> =
                matching.map(String::as_str).filter(|role| !serving.contains(role)).collect();
            serving.extend(new);
        }
        serving.truncate(NAMED);
        serving
    }

    /// The client's worker, if it may report for a phase of a domain because nobody else is there.
    pub(super) fn stand_in(&self, domain: &Domain, phase: &Phase) -> Option<&'static str> {
        let is_needed = self.roles.is_some() && phase.has_marker() && domain.command_for(phase).is_none();
        self.worker.filter(|_| is_needed && self.serving(domain, phase).is_empty())
    }

    fn admit(&self, settings: &mut Settings) {
        let phases = settings.phase.clone();
        for domain in &mut settings.domain {
            for phase in &phases {
                if let Some(worker) = self.stand_in(domain, phase) {
                    let roles = domain.agents.entry(phase.name.clone()).or_default();
                    roles.push(Glob::builtin(worker));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roster(roles: Option<&[&str]>) -> Roster {
        let roles = roles.map(|roles| roles.iter().map(|role| (*role).to_owned()).collect());
        Roster { roles, worker: Some("worker") }
    }

    #[test]
    fn the_worker_reports_only_where_no_agent_is_defined() {
        type Case = (&'static str, Option<&'static [&'static str]>, [bool; 3]);
        let cases: [Case; 5] = [
            ("no agent", Some(&[]), [true, true, true]),
            ("an agent of no phase", Some(&["developer"]), [true, true, true]),
            ("a reviewer of all", Some(&["reviewer"]), [false, true, true]),
            ("all", Some(&["backend-reviewer", "test-lead", "tester"]), [false, false, false]),
            ("not noted", None, [false, false, false]),
        ];
        for (name, roles, expected) in cases {
            let mut settings = Settings::default();
            roster(roles).admit(&mut settings);
            let backend = settings.domain("backend").unwrap();
            let served: Vec<bool> =
                settings.phases_of(backend).map(|phase| backend.is_served_by(phase, "worker")).collect();
            assert_eq!(served, expected, "{name}");
        }
    }

    #[test]
    fn a_phase_that_a_command_proves_needs_no_worker() {
        let mut settings = Settings::default();
        for phase in &mut settings.phase {
            phase.run = Some("make".to_owned());
        }
        roster(Some(&[])).admit(&mut settings);
        assert!(!settings.is_served_by("worker"));
    }

    #[test]
    fn defined_agents_are_named_in_the_order_of_the_config() {
        let settings = Settings::default();
        let backend = settings.domain("backend").unwrap();
        let review = settings.phase("review").unwrap();
        let cases: [(&[&str], &[&str]); 3] = [
            (&["code-reviewer", "reviewer", "backend-reviewer"], &["backend-reviewer", "reviewer"]),
            (&["code-reviewer"], &["code-reviewer"]),
            (&["frontend-reviewer"], &[]),
        ];
        for (roles, expected) in cases {
            assert_eq!(roster(Some(roles)).serving(backend, review), expected, "{roles:?}");
        }
    }
}
