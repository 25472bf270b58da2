//! The files that a call writes, by a command or by a tool of the client, with the text where it is known.

use flyball_core::event::{Change, FileEdit};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::Situation;

/// A file that a call writes.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) path: AbsolutePath,
    /// The text that comes into it, if it is known.
    pub(super) text: Option<String>,
    pub(super) how: How,
    /// The program that writes it; none for a tool of the client.
    pub(super) by: &'static str,
}

/// How much of a file is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// All of it: what was there is gone.
    Whole,
    /// Something is added at its end.
    Added,
    /// A part of it.
    Part,
}

/// What the edits of a tool write.
pub(super) fn by_edits(situation: &Situation<'_>, edits: &[FileEdit]) -> Vec<Written> {
    let place = |path: &str| situation.world.real_path(&situation.event.cwd, path);
    let written = edits.iter().filter_map(|edit| {
        let (path, how) = match &edit.change {
            Change::Write { .. } => (&edit.path, How::Whole),
            Change::Replace { .. } | Change::Cell { .. } => (&edit.path, How::Part),
            Change::Move { to } => (to, How::Whole),
            Change::Delete => return None,
        };
        let text =
            Some(edit.change.added().to_owned()).filter(|_| !matches!(edit.change, Change::Move { .. }));
        Some(Written { path: place(path), text, how, by: "" })
    });
    written.collect()
}
