//! What a person allows for a while although a rule forbids it: a file that an agent may edit, or a rule that does not
//! count. It ends by itself.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::path::AbsolutePath;
use crate::time::{self, Time};

/// The longest time that something is allowed.
pub const LONGEST: Duration = Duration::from_hours(24);

/// The policy that nobody can set aside: it keeps agents from switching flyball off.
pub const NEVER_GRANTED: &str = "guard.self";

/// The name of the evidence that a verdict was lifted.
pub const EVIDENCE: &str = "allowed";

/// What is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Granted {
    /// Agents may edit this file, without symlinks.
    File(AbsolutePath),
    /// This policy, or this rule of one, neither denies nor asks.
    Rule(String),
}

/// What a person allowed, from when until when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    #[serde(flatten)]
    pub granted: Granted,
    /// Its name, as the person gave it.
    pub name: String,
    #[serde(with = "time::millis")]
    pub from: Time,
    #[serde(with = "time::millis")]
    pub until: Time,
    /// What showed that a person allowed it: `terminal`, `sudo`.
    pub confirmed_by: String,
}

impl Grant {
    /// Whether it holds at this time. Not before it was given, either: a clock that is set back extends nothing.
    #[must_use]
    pub fn is_active(&self, now: Time) -> bool {
        self.from <= now && now < self.until && self.until.since(self.from) <= LONGEST
    }

    /// Whether it is about this file.
    #[must_use]
    pub fn is_for_file(&self, path: &AbsolutePath) -> bool {
        matches!(&self.granted, Granted::File(file) if file == path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_is_for_its_time_only() {
        const MINUTE: Duration = Duration::from_mins(1);
        let from = Time::from_millis(1_000_000);
        let granted = Granted::Rule("guard.packages".to_owned());
        let grant = Grant {
            granted,
            name: "guard.packages".to_owned(),
            from,
            until: from + 30 * MINUTE,
            confirmed_by: "terminal".to_owned(),
        };
        let cases = [
            (grant.from - MINUTE, false),
            (grant.from, true),
            (grant.until - MINUTE, true),
            (grant.until, false),
            (grant.until + MINUTE, false),
        ];
        for (now, expected) in cases {
            assert_eq!(grant.is_active(now), expected, "{now:?}");
        }
        // One that somebody wrote by hand.
        let endless = Grant { until: grant.from + 25 * 60 * MINUTE, ..grant.clone() };
        assert!(!endless.is_active(grant.from + MINUTE));
    }
}
