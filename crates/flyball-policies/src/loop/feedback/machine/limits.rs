//! Which limit is reached, in words.

use std::time::Duration;

use super::OpenPhase;
use crate::r#loop::feedback::settings::Settings;
use crate::r#loop::feedback::state::State;

impl State {
    /// The first limit that is reached.
    pub(super) fn limit(&self, settings: &Settings, open: &[OpenPhase], active: Duration) -> Option<String> {
        let iterations = || self.too_many_iterations(settings);
        let failures = || open.iter().find_map(|open| self.too_many_failures(settings, open));
        let time = || self.too_long(settings, active);
        iterations().or_else(failures).or_else(time)
    }

    /// How many iterations are allowed, with those that people granted.
    pub(in super::super) fn max_iterations(&self, settings: &Settings) -> u32 {
        settings.max_iterations.saturating_add(self.granted)
    }

    fn too_many_iterations(&self, settings: &Settings) -> Option<String> {
        let most = self.max_iterations(settings);
        let reason = || format!("iteration {} started, and {most} are allowed", self.iteration);
        (self.iteration > most).then(reason)
    }

    fn too_many_failures(&self, settings: &Settings, open: &OpenPhase) -> Option<String> {
        let phase = settings.phase(&open.phase)?;
        let state = self.domains.get(&open.domain)?.phases.get(&open.phase)?;
        let failed = |count: u32| format!("{} of {} failed {}", open.phase, open.domain, in_a_row(count));
        if is_reached(state.identical, settings.max_identical) {
            return Some(format!("{} with the same findings", failed(state.identical)));
        }
        is_reached(state.failures, phase.max_failures).then(|| failed(state.failures))
    }

    /// Only the time in which the agent worked counts.
    pub(super) fn too_long(&self, settings: &Settings, active: Duration) -> Option<String> {
        let worked = active.saturating_sub(self.began_after.unwrap_or(active));
        let is_over = worked > settings.max_time.duration();
        is_over.then(|| format!("the loop has taken longer than {}", String::from(settings.max_time)))
    }
}

fn is_reached(count: u32, most: u32) -> bool {
    // A phase that never failed has not reached a limit, not even one of 0.
    count > 0 && count >= most
}

fn in_a_row(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times in a row") }
}

/// `once`, `3 times`.
pub(super) fn times(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
