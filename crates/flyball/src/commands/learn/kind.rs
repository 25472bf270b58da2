//! The kinds of reports, as they are typed, and where each is written.

use clap::ValueEnum;
use flyball_knowledge::node::Topic;
use flyball_knowledge::report::Kind;

/// What kind of rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Type {
    /// Something to avoid: `## Pitfalls`
    Pitfall,
    /// Something to do before a change: `## Checks`
    Check,
    /// How it is done here: `## Patterns`
    Pattern,
    /// Something to know: `## Context`
    Insight,
}

impl Type {
    /// As it is typed.
    pub(super) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    pub(super) fn from_name(name: &str) -> Option<Type> {
        Type::from_str(name, true).ok()
    }

    pub(super) const fn kind(self) -> Kind {
        match self {
            Type::Pitfall => Kind::Pitfall,
            Type::Check => Kind::Check,
            Type::Pattern => Kind::Pattern,
            Type::Insight => Kind::Insight,
        }
    }
}

/// The section for rules of a kind.
pub(super) const fn topic(kind: Kind) -> Topic {
    match kind {
        Kind::Pitfall => Topic::Pitfalls,
        Kind::Check => Topic::Checks,
        Kind::Pattern => Topic::Patterns,
        Kind::Insight => Topic::Context,
    }
}
