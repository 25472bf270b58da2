//! What can be set.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// Less has no room for a rule.
const LEAST_TOKENS: u32 = 100;
/// Clients move longer context out of the model's sight.
const MOST_TOKENS: u32 = 2_000;

/// `[memory.context]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The most context for the rules at one edit, in tokens of four letters: 100 to 2000.
    pub(super) tokens: Tokens,
    /// How many reports about a folder the user is told about; 0 is never.
    pub(super) high_risk: u32,
    /// Whether the agent is reminded after an edit to fix wrong rules, and of new folders.
    pub(super) remind: bool,
    /// Whether the agent gets a hint that no rules cover a source file, once for each folder.
    pub(super) uncovered: bool,
    /// More extensions of source files: `["bpmn", "tex"]`.
    pub(super) sources: Vec<String>,
    /// Whether the rules for a source file are added when it is read.
    pub(super) on_read: bool,
    /// When an edit is denied once because the agent has not seen its `Checks` and `Pitfalls`.
    pub(super) insist: Insist,
}

/// When an edit is denied once to show its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Insist {
    /// Never: the rules come with its result.
    #[default]
    Never,
    /// If `high_risk` or more reports are about the file's folder.
    HighRisk,
    /// Whenever the agent has not seen the rules.
    Always,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            tokens: Tokens(400),
            high_risk: 2,
            remind: true,
            uncovered: true,
            sources: Vec::new(),
            on_read: true,
            insist: Insist::Never,
        }
    }
}

/// Room in a model's context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Tokens(#[schemars(range(min = 100, max = 2_000))] u32);

impl Tokens {
    pub(super) const fn get(self) -> u32 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Tokens {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tokens, D::Error> {
        deserializer.deserialize_u32(TokensVisitor)
    }
}

/// Checks the value while it is parsed, so that an error points at it.
struct TokensVisitor;

impl Visitor<'_> for TokensVisitor {
    type Value = Tokens;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a number from {LEAST_TOKENS} to {MOST_TOKENS}")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Tokens, E> {
        let room = u32::try_from(value).ok().filter(|room| (LEAST_TOKENS..=MOST_TOKENS).contains(room));
        room.map(Tokens).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Tokens, E> {
        match u64::try_from(value) {
            Ok(value) => self.visit_u64(value),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(value), &self)),
        }
    }
}
