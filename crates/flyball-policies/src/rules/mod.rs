//! The user's own rules: data, not code.

mod action;
mod case;
pub mod cases;
mod evaluate;
pub mod fields;
mod matching;
mod stored;
#[cfg(test)]
mod tests;
mod written;

use flyball_core::config::{Collection, Mode, SectionSpec};
use flyball_core::event::EventKind;
use flyball_core::policy::{OnError, Policy, PolicyId};

pub use self::action::{Action, Once};
pub use self::written::Rules;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("rules"),
    summary: "the rules that you write yourself",
    page: include_str!("policy.md"),
    listens: EventKind::ALL,
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::compiled::<Rules>().with_collection(Collection {
        name: "rule",
        // A rule that rewrites a command decides what runs.
        loosens: |rule| rule.get("action").is_some_and(|it| it == "allow" || it == "rewrite"),
    }),
    run: evaluate::run,
    gather: None,
    review: None,
};
