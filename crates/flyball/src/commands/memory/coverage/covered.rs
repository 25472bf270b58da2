//! What was found about the rules.

use serde::Serialize;

use super::ask::Answer;
use super::draft::Draft;

/// What is known about one rule.
#[derive(Debug, Serialize)]
pub(super) struct Covered {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) rule: String,
    pub(super) state: State,
    /// What was tried, and what was decided.
    pub(super) answers: Vec<Answer>,
    pub(super) drafts: Vec<Draft>,
}

/// Who can hold an agent to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// A policy or rule does.
    Enforced,
    /// One could.
    Possible,
    /// Only who reads it.
    Reader,
}

/// All of it.
#[derive(Debug, Serialize)]
pub(super) struct Coverage {
    pub(super) rules: Vec<Covered>,
    pub(super) enforced: usize,
    pub(super) possible: usize,
    pub(super) readers: usize,
}
