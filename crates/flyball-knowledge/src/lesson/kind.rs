//! The kinds of lessons and their signs.

use serde::{Deserialize, Serialize};

/// The kind of a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `❌`: to be avoided.
    Avoid,
    /// `✅`: it works.
    Works,
    /// `ℹ️`: a fact.
    Fact,
    /// `🔁`: a note left by a compaction. Not a lesson.
    Handoff,
}

impl Kind {
    /// Every kind of lesson, the most important first.
    pub const LESSONS: [Kind; 3] = [Kind::Avoid, Kind::Works, Kind::Fact];

    /// Its sign in a file.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Kind::Avoid => "❌",
            Kind::Works => "✅",
            Kind::Fact => "ℹ️",
            Kind::Handoff => "🔁",
        }
    }

    /// Its name in commands and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Avoid => "avoid",
            Kind::Works => "works",
            Kind::Fact => "fact",
            Kind::Handoff => "handoff",
        }
    }

    /// The kind of a sign or name. An unknown one is a fact, so that no lesson is lost.
    #[must_use]
    pub fn from_sign(sign: &str) -> Kind {
        // With or without the variation selector for coloured emoji.
        let plain: String =
            sign.trim().chars().filter(|letter| !matches!(letter, '\u{fe0e}' | '\u{fe0f}')).collect();
        match plain.to_lowercase().as_str() {
            "❌" | "✗" | "✘" | "avoid" => Kind::Avoid,
            "✅" | "✓" | "✔" | "works" => Kind::Works,
            "🔁" | "handoff" => Kind::Handoff,
            _ => Kind::Fact,
        }
    }
}
