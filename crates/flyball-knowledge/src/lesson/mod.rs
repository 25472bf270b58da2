//! Lessons: one line of JSON each, as existing projects have them.
//!
//! The file belongs to everyone: agents edit it, `echo` appends to it, old tools wrote it. So a line is never rewritten
//! because it was read, lines that are no lesson stay where they are, and what leaves the file goes to the archive
//! beside it.

mod add;
mod chatter;
mod choose;
mod compact;
mod line;
mod promote;
mod sentence;
#[cfg(test)]
mod tests;

use flyball_core::policy::{PolicyError, World};
use serde::{Deserialize, Serialize};

pub use self::add::{Addition, Draft, append, append_handoff};
pub use self::chatter::objection;
pub use self::choose::{Request, Selection, choose};
pub use self::compact::{Compaction, Limits, compact, preview_compaction};
pub use self::line::{Line, lines};
pub use self::promote::mark_promoted;

/// So much of the end of a file of lessons is read in a hook, however long it is.
const RECENT_BYTES: u64 = 96 * 1024;

/// What a lesson says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `❌`: to be avoided.
    Avoid,
    /// `✅`: it works.
    Works,
    /// `ℹ️`: a fact.
    Fact,
    /// `🔁`: what a compaction left behind. Not a lesson.
    Handoff,
}

impl Kind {
    /// Every kind of lesson, the one that weighs most first.
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

    /// Its word in commands and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Avoid => "avoid",
            Kind::Works => "works",
            Kind::Fact => "fact",
            Kind::Handoff => "handoff",
        }
    }

    /// The kind of a sign or word. What is not known is a fact: nobody shall lose a lesson by a sign.
    #[must_use]
    pub fn from_sign(sign: &str) -> Kind {
        // With or without the letter that asks for a coloured picture.
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// When, in milliseconds since 1970; 0 if it does not say.
    pub at: u64,
    pub kind: Kind,
    pub text: String,
    /// Who learned it; may be empty.
    pub source: String,
}

/// The lessons in a text, in order; lines that are none are passed over.
#[must_use]
pub fn parse(text: &str) -> Vec<Lesson> {
    lines(text.as_bytes()).filter_map(|line| line.lesson).collect()
}

/// The lessons at the end of a file (absolute path). The cost does not grow with the file.
///
/// # Errors
/// When it is there and cannot be read.
pub fn read_recent(world: &dyn World, path: &str) -> Result<Vec<Lesson>, PolicyError> {
    let Some(tail) = world.tail(path, RECENT_BYTES)? else { return Ok(Vec::new()) };
    // The first line may have begun before.
    let cut = usize::from(!tail.is_whole);
    Ok(lines(&tail.bytes).skip(cut).filter_map(|line| line.lesson).collect())
}

/// The newest handoff note, if there is one.
#[must_use]
pub fn last_handoff(lessons: &[Lesson]) -> Option<&Lesson> {
    lessons.iter().rev().find(|lesson| lesson.kind == Kind::Handoff)
}

/// The path of the lessons of the task whose plan is at this path.
#[must_use]
pub fn path_for(plan: &str) -> String {
    crate::plan::lessons_path(plan)
}
