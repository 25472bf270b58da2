//! Which files a patch changes: unified diffs and the `*** Begin Patch` format.

use super::collector::Collector;
use crate::model::{Content, Directory, FileAct, Target, Word};

/// A file that a patch changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchedFile {
    /// Its path, as the patch names it, without the `a/` and `b/` of git.
    pub path: String,
    /// What happens to it.
    pub how: Patched,
}

/// What a patch does to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Patched {
    /// It is new; its text, if the patch has all of it.
    Added(Content),
    Changed,
    Deleted,
    /// It gets another name, and perhaps another text.
    Moved {
        to: String,
    },
}

/// How many leading parts are removed from the paths of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strip {
    /// `a/` and `b/`, where there are any.
    Git,
    Parts(usize),
}

/// Every file that the text of a patch changes, in its order.
#[must_use]
pub fn patched_files(text: &str) -> Vec<PatchedFile> {
    stripped(text, Strip::Git)
}

fn stripped(text: &str, strip: Strip) -> Vec<PatchedFile> {
    if text.lines().any(|line| line.starts_with("*** Begin Patch") || line.starts_with("*** Update File: ")) {
        envelope(text)
    } else {
        Unified { strip, files: Vec::new(), old: None, renamed: None, lines_left: (0, 0) }.read(text)
    }
}

/// Where and by what a patch is applied.
pub(super) struct Application<'a> {
    pub(super) directory: &'a Directory,
    pub(super) by: &'static str,
    pub(super) strip: Strip,
}

/// Adds what applying a patch does.
pub(super) fn apply(text: &str, application: &Application<'_>, found: &mut Collector) {
    let Application { directory, by, strip } = *application;
    let place = |path: &str| Target::new(&Word::literal(path), directory);
    for PatchedFile { path, how } in stripped(text, strip) {
        let act = match how {
            Patched::Added(content) => FileAct::Write(content),
            Patched::Changed => FileAct::Change,
            Patched::Deleted => FileAct::Delete { recursive: false },
            Patched::Moved { to } => FileAct::Move { to: place(&to) },
        };
        found.file(act, place(&path), by);
    }
}

/// The `*** Begin Patch` format.
fn envelope(text: &str) -> Vec<PatchedFile> {
    let mut files: Vec<PatchedFile> = Vec::new();
    for line in text.lines() {
        let Some(mark) = line.strip_prefix("*** ") else {
            if let (Some(PatchedFile { how: Patched::Added(Content::Text(text)), .. }), Some(added)) =
                (files.last_mut(), line.strip_prefix('+'))
            {
                text.push_str(added);
                text.push('\n');
            }
            continue;
        };
        let Some((kind, path)) = mark.split_once(": ") else { continue };
        let path = path.trim().to_owned();
        let how = match kind {
            "Update File" => Patched::Changed,
            "Add File" => Patched::Added(Content::Text(String::new())),
            "Delete File" => Patched::Deleted,
            "Move to" => {
                if let Some(last) = files.last_mut() {
                    // The line follows the header of the file that it renames.
                    last.how = Patched::Moved { to: path };
                }
                continue;
            }
            _ => continue,
        };
        files.push(PatchedFile { path, how });
    }
    files
}

/// Reads a unified diff line by line.
struct Unified<'t> {
    strip: Strip,
    files: Vec<PatchedFile>,
    /// The path behind `---`, until `+++` is read.
    old: Option<&'t str>,
    /// The path behind `rename from`.
    renamed: Option<&'t str>,
    /// How many lines of the old and of the new text the hunk still has: inside it, no line is
    /// a header.
    lines_left: (usize, usize),
}

impl<'t> Unified<'t> {
    fn read(mut self, text: &'t str) -> Vec<PatchedFile> {
        for line in text.lines() {
            if self.lines_left != (0, 0) {
                self.hunk_line(line);
            } else {
                self.header(line);
            }
        }
        self.files
    }

    fn hunk_line(&mut self, line: &'t str) {
        let (old, new) = self.lines_left;
        self.lines_left = match line.as_bytes().first() {
            Some(b'-') => (old.saturating_sub(1), new),
            Some(b'+') => {
                self.add(line.get(1..).unwrap_or_default());
                (old, new.saturating_sub(1))
            }
            // `\ No newline at end of file` belongs to neither side.
            Some(b'\\') => (old, new),
            // Some editors strip the blank of an empty context line.
            Some(b' ') | None => (old.saturating_sub(1), new.saturating_sub(1)),
            // The hunk is shorter than it says.
            Some(_) => {
                self.header(line);
                (0, 0)
            }
        };
    }

    fn add(&mut self, line: &str) {
        // Only a new file has all of its text in the patch.
        if let Some(PatchedFile { how: Patched::Added(Content::Text(text)), .. }) = self.files.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }

    fn header(&mut self, line: &'t str) {
        if let Some(path) = line.strip_prefix("--- ") {
            self.old = Some(path);
        } else if let Some(path) = line.strip_prefix("+++ ") {
            self.new_path(path);
        } else if let Some(counts) = line.strip_prefix("@@ -") {
            self.lines_left = hunk_counts(counts).unwrap_or((0, 0));
        } else if let Some(path) = line.strip_prefix("rename from ") {
            self.renamed = Some(path);
        } else if let (Some(to), Some(path)) = (line.strip_prefix("rename to "), self.renamed.take()) {
            self.push(path.to_owned(), Patched::Moved { to: to.to_owned() });
        } else if let Some(to) = line.strip_prefix("copy to ") {
            self.push(to.to_owned(), Patched::Added(Content::Unknown));
        } else if let Some(paths) = line.strip_prefix("diff --git ") {
            self.old = None;
            self.git_header(paths);
        } else if line.starts_with("deleted file mode") {
            self.set_last(Patched::Deleted);
        } else if line.starts_with("new file mode") {
            self.set_last(Patched::Added(Content::Text(String::new())));
        }
    }

    /// `diff --git a/x b/x` names a file even if only its mode or a binary text changes.
    fn git_header(&mut self, paths: &str) {
        // Blanks in a path hide where the second one begins; equal paths have that place in the middle.
        let middle = paths.len() / 2;
        if let (Some(old), Some(new)) = (paths.get(..middle), paths.get(middle + 1..))
            && let (Some(path), Some(other)) = (self.path(old), self.path(new))
            && path == other
        {
            self.push(path, Patched::Changed);
        }
    }

    fn new_path(&mut self, new: &'t str) {
        // A `+++` without its `---` is text.
        let Some(old) = self.old.take() else { return };
        let (old, new) = (self.path(old), self.path(new));
        match (old, new) {
            (Some(path), None) => self.push(path, Patched::Deleted),
            (None, Some(path)) => self.push(path, Patched::Added(Content::Text(String::new()))),
            (Some(old), Some(path)) => {
                if self.files.last().is_some_and(|last| is_move(last, &old, &path)) {
                    return;
                }
                // `patch` takes whichever of the two exists.
                if matches!(self.strip, Strip::Parts(_)) && old != path {
                    self.push(old, Patched::Changed);
                }
                self.push(path, Patched::Changed);
            }
            (None, None) => {}
        }
    }

    /// Adds a file, or says more about the one that the header before it named.
    fn push(&mut self, path: String, how: Patched) {
        match self.files.last_mut() {
            Some(last) if last.path == path => {
                // The git header comes first and says least, so later lines replace what it says.
                if last.how == Patched::Changed {
                    last.how = how;
                }
            }
            _ => self.files.push(PatchedFile { path, how }),
        }
    }

    fn set_last(&mut self, how: Patched) {
        if let Some(last) = self.files.last_mut() {
            last.how = how;
        }
    }

    /// The path of a header line, without its date and its front; `None` for `/dev/null`.
    fn path(&self, written: &str) -> Option<String> {
        // `diff -u` puts a date behind a tab.
        let path = written.split('\t').next().unwrap_or(written).trim_end();
        let path = path.strip_prefix('"').and_then(|path| path.strip_suffix('"')).unwrap_or(path);
        if path == "/dev/null" || path.is_empty() {
            return None;
        }
        let path = match self.strip {
            Strip::Git => path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path),
            Strip::Parts(count) => {
                (0..count).fold(path, |path, _| path.split_once('/').map_or(path, |(_, rest)| rest))
            }
        };
        Some(path.to_owned())
    }
}

fn is_move(file: &PatchedFile, old: &str, new: &str) -> bool {
    match &file.how {
        Patched::Moved { to } => file.path == old && to == new,
        Patched::Added(_) | Patched::Changed | Patched::Deleted => false,
    }
}

/// The counts of `1,2 +3,4 @@`.
fn hunk_counts(text: &str) -> Option<(usize, usize)> {
    let (old, rest) = text.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |range: &str| match range.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    Some((count(old)?, count(new)?))
}
