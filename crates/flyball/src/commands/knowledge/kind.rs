//! The kinds of lessons, as they are typed and counted.

use clap::ValueEnum;
use flyball_core::text;
use flyball_knowledge::lesson::Kind;

/// The kind of a lesson, as it is typed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LessonKind {
    /// Something to avoid
    Avoid,
    /// Something that works
    Works,
    /// A fact
    Fact,
}

impl LessonKind {
    pub(super) const fn kind(self) -> Kind {
        match self {
            LessonKind::Avoid => Kind::Avoid,
            LessonKind::Works => Kind::Works,
            LessonKind::Fact => Kind::Fact,
        }
    }
}

/// `1 lesson`, `2 lessons`.
pub(super) fn lessons(count: usize) -> String {
    text::counted(count, "lesson")
}
