//! How long the phases of a run took.

use std::time::Duration;

use flyball_core::time;
use serde::{Deserialize, Serialize};

/// A phase of a run, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Finding the linters of each file, and reading the files.
    Find,
    /// Asking git what files were before.
    Base,
    Format,
    Check,
    /// What linters fix by themselves.
    Fix,
    /// What a model fixes.
    Model,
    /// Linters of the whole project.
    Project,
}

impl Phase {
    /// Its name, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Find => "find linters",
            Phase::Base => "ask git",
            Phase::Format => "format",
            Phase::Check => "check",
            Phase::Fix => "fix",
            Phase::Model => "model",
            Phase::Project => "project linters",
        }
    }
}

/// How long a phase took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseTime {
    pub phase: Phase,
    #[serde(rename = "millis", with = "time::millis")]
    pub took: Duration,
}

/// The phases that took a measurable time, each once and in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Phases {
    times: Vec<PhaseTime>,
}

impl Phases {
    /// Adds to the time of a phase.
    pub fn add(&mut self, phase: Phase, took: Duration) {
        match self.times.iter_mut().find(|time| time.phase == phase) {
            Some(time) => time.took += took,
            None => {
                self.times.push(PhaseTime { phase, took });
                self.times.sort_unstable_by_key(|time| time.phase);
            }
        }
    }

    /// Adds those of another run.
    pub fn join(&mut self, other: &Phases) {
        for time in &other.times {
            self.add(time.phase, time.took);
        }
    }

    /// `find linters 2 ms, check 130 ms`: those that took at least a millisecond. Empty if none did.
    #[must_use]
    pub fn describe(&self) -> String {
        let long = self.times.iter().filter(|time| time.took.as_millis() > 0);
        let texts = long.map(|time| format!("{} {} ms", time.phase.name(), time.took.as_millis()));
        texts.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_added_up_and_shown_in_their_order() {
        let millis = Duration::from_millis;
        let mut phases = Phases::default();
        phases.add(Phase::Check, millis(100));
        phases.add(Phase::Find, millis(2));
        phases.add(Phase::Base, Duration::from_micros(900));
        let mut other = Phases::default();
        other.add(Phase::Check, millis(30));
        other.add(Phase::Project, millis(7));
        phases.join(&other);
        assert_eq!(phases.describe(), "find linters 2 ms, check 130 ms, project linters 7 ms");
        assert_eq!(Phases::default().describe(), "");
        let json = r#"[{"phase":"find","millis":2},{"phase":"base","millis":0},{"phase":"check","millis":130},{"phase":"project","millis":7}]"#;
        assert_eq!(serde_json::to_string(&phases).unwrap(), json);
    }
}
