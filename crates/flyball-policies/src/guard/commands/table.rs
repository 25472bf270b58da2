//! All rules, theme by theme.

use super::rule::Rule;
use super::{
    bypass, checks, databases, files, git, hidden, installs, machine, network, opaque, oversight,
    persistence, printed, privilege, remote, security, services, tokens, vital, work,
};

static THEMES: &[&[Rule]] = &[
    files::RULES,
    work::RULES,
    vital::RULES,
    machine::RULES,
    security::RULES,
    privilege::RULES,
    persistence::RULES,
    git::push::RULES,
    git::history::RULES,
    git::discard::RULES,
    bypass::RULES,
    checks::RULES,
    oversight::RULES,
    network::RULES,
    printed::RULES,
    tokens::RULES,
    installs::RULES,
    services::RULES,
    remote::RULES,
    databases::RULES,
    hidden::RULES,
    opaque::RULES,
];

pub(super) fn rules() -> impl Iterator<Item = &'static Rule> {
    THEMES.iter().flat_map(|theme| theme.iter())
}

/// The id of every rule.
pub fn ids() -> impl Iterator<Item = &'static str> {
    rules().map(|rule| rule.id)
}
