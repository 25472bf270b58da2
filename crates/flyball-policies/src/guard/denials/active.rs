//! The denials that a session remembers.

use flyball_core::time::{self, Time};
use flyball_core::verdict::Subject;
use serde::{Deserialize, Serialize};

/// More are not remembered; the one without an attempt for the longest time is dropped.
const MOST: usize = 64;

/// All denials that a session remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ActiveDenials {
    pub(super) denials: Vec<Denial>,
}

/// One thing that was denied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Denial {
    pub subject: Subject,
    /// The policy that denied it first.
    pub policy: String,
    /// How often it was tried.
    pub attempts: u32,
    /// When it was first denied.
    #[serde(with = "time::millis")]
    pub since: Time,
    /// When the denial ends.
    #[serde(with = "time::millis")]
    pub until: Time,
    /// The tool by which it was tried first, as the client calls it.
    pub route: String,
    /// The call that was counted last, so that one that is reported twice counts once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

#[derive(Clone, Copy)]
pub(super) struct Attempt<'a> {
    pub(super) subject: &'a Subject,
    pub(super) policy: &'a str,
    pub(super) route: &'a str,
    pub(super) call: Option<&'a str>,
}

impl ActiveDenials {
    /// Only the denials that last at this time.
    pub(super) fn active_at(mut self, now: Time) -> ActiveDenials {
        self.denials.retain(|denial| denial.until > now);
        self
    }

    /// Counts an attempt and denies its subject until the given time.
    pub(super) fn count(&mut self, attempt: Attempt<'_>, now: Time, until: Time) -> Denial {
        let at = self.denials.iter().position(|denial| denial.subject == *attempt.subject);
        let mut denial = match at {
            Some(at) => self.denials.remove(at),
            None => Denial::first(attempt, now, until),
        };
        if at.is_some() && !denial.is_counted(attempt.call) {
            denial.attempts = denial.attempts.saturating_add(1);
            denial.until = until;
            denial.call = attempt.call.map(str::to_owned);
        }
        // In the order of the last attempt, so that the oldest are first.
        let surplus = (self.denials.len() + 1).saturating_sub(MOST);
        self.denials.drain(..surplus);
        self.denials.push(denial.clone());
        denial
    }
}

impl Denial {
    fn first(attempt: Attempt<'_>, now: Time, until: Time) -> Denial {
        Denial {
            subject: attempt.subject.clone(),
            policy: attempt.policy.to_owned(),
            attempts: 1,
            since: now,
            until,
            route: attempt.route.to_owned(),
            call: attempt.call.map(str::to_owned),
        }
    }

    /// Whether this call was counted already: two registrations report every call twice.
    fn is_counted(&self, call: Option<&str>) -> bool {
        call.is_some() && self.call.as_deref() == call
    }

    /// Whether it was denied before this call.
    pub(super) fn is_older_than(&self, call: Option<&str>) -> bool {
        self.attempts > 1 || !self.is_counted(call)
    }
}
