//! One thing that a linter found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Between what is wrong and what to do about it.
pub const FIX_MARK: &str = " → ";

/// One thing that a linter found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// The file, relative to the project's root; absolute if it is not below it.
    pub file: String,
    /// From 1; 0 if it is about the whole file.
    pub line: u32,
    /// In characters, from 1; 0 if the linter does not say.
    pub column: u32,
    /// The last line it is about, if that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// The linter's name for the rule: `F841`, `SC2086`, `lint/suspicious/noDoubleEquals`.
    pub code: String,
    /// What is wrong, in one paragraph.
    pub message: String,
    pub linter: String,
    /// How much it matters.
    pub level: Level,
    /// Whether the linter says that it can fix it.
    pub fixable: bool,
    /// What to do about it, if the linter knows: ``Remove unused import: `json` ``.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl Finding {
    /// What is wrong, and what to do about it if that is known.
    #[must_use]
    pub fn message_with_fix(&self) -> String {
        match &self.fix {
            Some(fix) => format!("{}{FIX_MARK}{fix}", self.message),
            None => self.message.clone(),
        }
    }
}

/// How much a finding matters. The greatest matters most.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Reported, but it blocks nothing.
    Advisory,
    /// To be fixed.
    #[default]
    Warning,
    /// To be fixed first.
    Error,
}

impl Level {
    /// The name used in messages and configs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Advisory => "advisory",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}
