//! The agents of a loop: what each saw when it started, and what it has reported.

use super::AgentReport;
use crate::digest::digest;
use crate::r#loop::feedback::state::{AgentState, DomainState, Fingerprint, State};

/// How many agents are remembered; those with a result are dropped first.
pub(super) const MOST_AGENTS: usize = 64;
/// How many without a result are remembered. The report of a forgotten agent counts for any content.
pub(super) const MOST_UNFINISHED: usize = 256;

impl State {
    pub(super) fn apply_start(&mut self, id: String, role: String) {
        let on = self.domains.iter().map(|(name, domain)| (name.clone(), domain.fingerprint())).collect();
        let since = self.tick();
        // Before the first edit it belongs to the loop that will start.
        let iteration = self.iteration.max(1);
        let agent = AgentState { role, iteration, on, since, about: self.in_loop(), ..AgentState::default() };
        self.agents.insert(id, agent);
        self.forget_agents();
    }

    /// The domains in the loop; all, if none is under way.
    fn in_loop(&self) -> Vec<String> {
        let in_loop = self.domains.iter().filter(|(_, domain)| domain.active || self.iteration == 0);
        in_loop.map(|(name, _)| name.clone()).collect()
    }

    pub(super) fn tick(&mut self) -> u64 {
        self.ticks = self.ticks.saturating_add(1);
        self.ticks
    }

    /// Remembers a report. Returns whether the agent had reported the same before.
    pub(super) fn remember_result(&mut self, report: &AgentReport) -> bool {
        let Some(agent) = report.agent.as_ref().and_then(|id| self.agents.get_mut(id)) else { return false };
        let print = fingerprint(report);
        agent.result = Some(print);
        // An agent may report on several phases; only the same phase and domains can repeat.
        let about = format!("{} {}", report.phase, report.domains.join(" "));
        agent.reports.insert(about, print) == Some(print)
    }

    fn forget_agents(&mut self) {
        while self.agents.len() > MOST_AGENTS {
            let is_full = self.agents.len() > MOST_UNFINISHED;
            let finished = self.agents.iter().filter(|(_, agent)| is_full || agent.result.is_some());
            let oldest = finished.min_by_key(|(_, agent)| (agent.result.is_none(), agent.since));
            let Some(id) = oldest.map(|(id, _)| id.clone()) else { return };
            self.agents.remove(&id);
        }
    }
}

impl AgentState {
    /// The content of a domain when it started: none, if the domain was not edited by then.
    pub(super) fn content_seen(&self, domain: &str) -> Fingerprint {
        self.on.get(domain).copied().unwrap_or_else(|| DomainState::default().fingerprint())
    }
}

fn fingerprint(report: &AgentReport) -> Fingerprint {
    let head = [report.phase.as_str(), if report.passed { "passed" } else { "failed" }];
    let domains = report.domains.iter().map(String::as_str);
    // The empty text separates the domains from the issues.
    digest(head.into_iter().chain(domains).chain([""]).chain(report.issues.iter().map(String::as_str)))
}
