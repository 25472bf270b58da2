//! How bad a finding is.

use serde::Serialize;

use crate::terminal::Style;

/// How bad it is. Only errors count for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::commands::memory) enum Severity {
    Error,
    Warning,
    Hint,
}

impl Severity {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }

    pub(super) const fn style(self) -> Style {
        match self {
            Severity::Error => Style::Bad,
            Severity::Warning => Style::Warning,
            Severity::Hint => Style::Faint,
        }
    }
}
