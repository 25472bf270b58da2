//! The memory of a session: signs that it taught something, and which of them were judged.

use flyball_core::time::{self, Time};

use serde::{Deserialize, Serialize};

/// How many signs are remembered.
const MOST_SIGNS: usize = 40;
/// How many failures are remembered that happened once.
const MOST_FAILURES: usize = 40;

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct State {
    /// The signs, oldest first.
    pub(super) signs: Vec<Sign>,
    /// When the first sign was seen.
    #[serde(with = "time::millis")]
    pub(super) since: Time,
    /// How often a model was asked.
    pub(super) asked: u32,
    /// Failures that happened, the last one at the end: the second of a kind is a sign.
    failures: Vec<String>,
}

/// A sign that a session taught something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sign {
    pub(super) kind: Kind,
    /// What it is about, in a few words and without secrets.
    pub(super) what: String,
    /// Whether it was judged already.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_judged: bool,
}

/// The kinds of signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// A person corrected the agent.
    Correction,
    /// Something failed although the rules of its folder were shown.
    FailureDespiteRules,
    /// Something failed in a way that says something about the project.
    Failure,
    /// A policy denied it.
    Denial,
    /// A file of rules was edited.
    RulesEdited,
}

impl Kind {
    /// Every kind, the most telling first.
    const ALL: [Kind; 5] =
        [Kind::Correction, Kind::FailureDespiteRules, Kind::Failure, Kind::Denial, Kind::RulesEdited];

    /// Its name in front of a sign.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Correction => "a correction by a person",
            Kind::FailureDespiteRules => "a failure although rules were shown",
            Kind::Failure => "a failure",
            Kind::Denial => "a denial",
            Kind::RulesEdited => "an edit of a file of rules",
        }
    }

    const fn plural(self) -> &'static str {
        match self {
            Kind::Correction => "corrections by a person",
            Kind::FailureDespiteRules => "failures although rules were shown",
            Kind::Failure => "failures",
            Kind::Denial => "denials",
            Kind::RulesEdited => "edits of files of rules",
        }
    }
}

impl State {
    /// Whether a failure happens for the first time; remembers it then.
    pub(super) fn is_first(&mut self, failure: String) -> bool {
        if self.failures.contains(&failure) {
            return false;
        }
        self.failures.push(failure);
        let over = self.failures.len().saturating_sub(MOST_FAILURES);
        self.failures.drain(..over);
        true
    }

    /// Adds a sign. Returns whether it is new.
    pub(super) fn record(&mut self, kind: Kind, what: String, now: Time) -> bool {
        if self.signs.iter().any(|sign| sign.kind == kind && sign.what == what) {
            return false;
        }
        if self.since == Time::default() {
            self.since = now;
        }
        self.signs.push(Sign { kind, what, is_judged: false });
        // Judged signs go first: they only prevent repetition.
        if self.signs.len() > MOST_SIGNS {
            let at = self.signs.iter().position(|sign| sign.is_judged).unwrap_or_default();
            self.signs.remove(at);
        }
        true
    }

    /// The signs that were not judged yet.
    pub(super) fn new_signs(&self) -> impl Iterator<Item = &Sign> {
        self.signs.iter().filter(|sign| !sign.is_judged)
    }

    /// Marks all signs as judged.
    pub(super) fn mark_judged(&mut self) {
        self.signs.iter_mut().for_each(|sign| sign.is_judged = true);
    }

    /// The new signs in a few words: `2 failures, a denial`.
    pub(super) fn describe_new(&self) -> String {
        let count = |kind: Kind| match self.new_signs().filter(|sign| sign.kind == kind).count() {
            0 => None,
            1 => Some(kind.name().to_owned()),
            many => Some(format!("{many} {}", kind.plural())),
        };
        Kind::ALL.into_iter().filter_map(count).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_sign_is_news_once() {
        let mut state = State::default();
        assert!(state.record(Kind::Failure, "make".to_owned(), Time::from_millis(7)));
        assert!(!state.record(Kind::Failure, "make".to_owned(), Time::from_millis(8)));
        assert!(state.record(Kind::Denial, "make".to_owned(), Time::from_millis(9)));
        assert!(state.record(Kind::Failure, "uv".to_owned(), Time::from_millis(9)));
        assert_eq!(
            (state.describe_new().as_str(), state.since),
            ("2 failures, a denial", Time::from_millis(7))
        );
        state.mark_judged();
        assert_eq!(state.describe_new(), "");
        assert!(!state.record(Kind::Failure, "make".to_owned(), Time::from_millis(10)));
        assert_eq!(state.new_signs().count(), 0);
    }

    #[test]
    fn memory_is_bounded_and_new_signs_stay() {
        let mut state = State::default();
        state.record(Kind::Correction, "first".to_owned(), Time::from_millis(1));
        state.mark_judged();
        for at in 0..100 {
            state.record(Kind::Failure, format!("command {at}"), Time::from_millis(2));
        }
        assert_eq!(state.signs.len(), MOST_SIGNS);
        assert_eq!(state.new_signs().count(), MOST_SIGNS);
    }
}
