//! Lessons: one line of JSON each, as existing projects have them.
//!
//! The file belongs to everyone: agents edit it, `echo` appends to it, old tools wrote it. So reading never rewrites a
//! line, lines that are not lessons stay in place, and what leaves the file goes to the archive beside it.

mod add;
mod chatter;
mod choose;
mod compact;
mod kind;
mod line;
mod promote;
mod sentence;
#[cfg(test)]
mod tests;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, World};

pub use self::add::{Addition, Draft, append, append_handoff};
pub use self::chatter::objection;
pub use self::choose::{Request, Selection, choose};
pub use self::compact::{Compaction, Limits, compact, preview_compaction};
pub use self::kind::Kind;
pub use self::line::{Lesson, Line, lines};
pub use self::promote::mark_promoted;

/// A hook reads only this much of the end of a lesson file.
const RECENT_BYTES: u64 = 96 * 1024;

/// The lessons in a text, in order; other lines are skipped.
#[must_use]
pub fn parse(text: &str) -> Vec<Lesson> {
    lines(text.as_bytes()).filter_map(|line| line.lesson).collect()
}

/// The lessons at the end of a file. The cost does not grow with the file.
///
/// # Errors
/// When it exists and cannot be read.
pub fn read_recent(world: &dyn World, path: &AbsolutePath) -> Result<Vec<Lesson>, PolicyError> {
    let Some(tail) = world.tail(path, RECENT_BYTES)? else { return Ok(Vec::new()) };
    // The first line may be cut.
    let cut = usize::from(!tail.is_whole);
    Ok(lines(&tail.bytes).skip(cut).filter_map(|line| line.lesson).collect())
}

/// The newest handoff note, if there is one.
#[must_use]
pub fn last_handoff(lessons: &[Lesson]) -> Option<&Lesson> {
    lessons.iter().rev().find(|lesson| lesson.kind == Kind::Handoff)
}
