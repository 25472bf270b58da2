//! The files that a call writes, by a command or by a tool of the client, with the text where it is known.

use flyball_core::event::{Change, FileEdit};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::Situation;
use flyball_effects::{Content, FileAct, Target};

use super::context::Context;

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

/// What the commands of a line write.
pub(super) fn by_line(context: &Context<'_>) -> Vec<Written> {
    let mut found = Vec::new();
    for effect in &context.effects().files {
        let (target, content, how): (&Target, Option<&Content>, How) = match &effect.act {
            FileAct::Write(content) => (&effect.target, Some(content), How::Whole),
            FileAct::Append(content) => (&effect.target, Some(content), How::Added),
            FileAct::Change => (&effect.target, None, How::Part),
            FileAct::Move { to } | FileAct::Link { name: to } => (to, None, How::Whole),
            FileAct::Read
            | FileAct::Delete { .. }
            | FileAct::Attributes { .. }
            | FileAct::ApplyPatch
            | FileAct::Run
            | FileAct::Anything => continue,
        };
        let inserted = || {
            let here = context.effects().insertions.iter().filter(|it| it.target == *target);
            here.map(|it| it.new.as_str()).collect::<Vec<_>>().join("\n")
        };
        let text = match (how, content) {
            (How::Part, _) => Some(inserted()).filter(|text| !text.is_empty()),
            (_, content) => content.and_then(Content::text).map(str::to_owned),
        };
        let paths = context.locate_target(target).paths().to_vec();
        found.extend(paths.into_iter().map(|path| Written { path, text: text.clone(), how, by: effect.by }));
    }
    found
}
