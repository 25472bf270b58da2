//! A workflow of a person ended properly: what agents would report has passed in it. A command still proves its own phase.

use flyball_core::time::Time;

use crate::r#loop::feedback::settings::Settings;
use crate::r#loop::feedback::state::State;

pub(super) struct PassedInWorkflow {
    pub name: String,
    pub domains: Vec<String>,
}

impl State {
    pub(super) fn apply_workflow(&mut self, settings: &Settings, passed: &PassedInWorkflow, now: Time) {
        let open = self.open_phases(settings);
        for domain in settings.domain.iter().filter(|domain| passed.domains.contains(&domain.name)) {
            let Some(here) = self.domains.get_mut(&domain.name) else { continue };
            let print = here.fingerprint();
            let by_agents = settings.phases_of(domain).filter(|phase| domain.command_for(phase).is_none());
            let mut phases = Vec::new();
            for phase in by_agents.filter(|phase| {
                open.iter().any(|open| open.domain == domain.name && open.phase == phase.name)
            }) {
                let state = here.phases.entry(phase.name.clone()).or_default();
                state.pass(print, &format!("workflow {}", passed.name), now);
                phases.push(phase.name.as_str());
            }
            if !phases.is_empty() {
                let what = format!(
                    "{} of {} passed in the workflow `{}`, which ended",
                    phases.join(", "),
                    domain.name,
                    passed.name
                );
                self.note(now, &what);
            }
        }
    }
}
