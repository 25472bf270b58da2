//! The patches of `apply_patch`: read into file edits, and written for a file that is new.

use std::fmt::Write as _;

use flyball_core::event::{Change, FileEdit};

/// The edits of a patch, in its order; paths as the patch names them. None if it is not a patch.
pub(super) fn parse(patch: &str) -> Vec<FileEdit> {
    let mut reader = Reader::default();
    // The client's own reader tolerates space around the markers, so a stricter one would miss edits.
    let lines = patch.lines().skip_while(|line| line.trim() != "*** Begin Patch").skip(1);
    for line in lines.take_while(|line| line.trim() != "*** End Patch") {
        reader.read(line);
    }
    reader.close_file();
    reader.edits
}

/// A patch that creates one file.
pub(super) fn render_addition(path: &str, content: &str) -> String {
    let mut patch = format!("*** Begin Patch\n*** Add File: {path}\n");
    for line in content.lines() {
        // Writing to a String cannot fail.
        let _ = writeln!(patch, "+{line}");
    }
    patch.push_str("*** End Patch\n");
    patch
}

#[derive(Default)]
struct Reader {
    edits: Vec<FileEdit>,
    file: Option<Open>,
}

/// The file whose lines are being read.
enum Open {
    Added { path: String, content: String },
    Updated { path: String, moved_to: Option<String>, hunk: Hunk },
}

/// A passage from its first to its last changed line.
#[derive(Default)]
struct Hunk {
    old: Vec<String>,
    new: Vec<String>,
    /// Unchanged lines that belong to the passage if another changed line follows.
    unchanged: Vec<String>,
}

impl Hunk {
    fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }

    fn pass(&mut self, text: &str) {
        if !self.is_empty() {
            self.unchanged.push(text.to_owned());
        }
    }

    fn remove(&mut self, text: &str) {
        self.include_unchanged();
        self.old.push(text.to_owned());
    }

    fn add(&mut self, text: &str) {
        self.include_unchanged();
        self.new.push(text.to_owned());
    }

    fn include_unchanged(&mut self) {
        self.old.extend_from_slice(&self.unchanged);
        self.new.append(&mut self.unchanged);
    }
}

impl Reader {
    fn read(&mut self, line: &str) {
        if !self.read_body(line) {
            self.read_header(line.trim());
        }
    }

    /// Takes a line that belongs to the open file; the first letter says so, as in the client.
    fn read_body(&mut self, line: &str) -> bool {
        match (&mut self.file, line.split_at_checked(1)) {
            (Some(Open::Added { content, .. }), Some(("+", text))) => {
                content.push_str(text);
                content.push('\n');
            }
            (Some(Open::Updated { hunk, .. }), Some(("-", text))) => hunk.remove(text),
            (Some(Open::Updated { hunk, .. }), Some(("+", text))) => hunk.add(text),
            (Some(Open::Updated { hunk, .. }), Some((" ", text))) => hunk.pass(text),
            (Some(Open::Updated { hunk, .. }), None) => hunk.pass(""),
            (Some(Open::Updated { .. }), Some(("@", _))) => self.close_hunk(),
            _ => return false,
        }
        true
    }

    fn read_header(&mut self, line: &str) {
        if let Some(path) = line.strip_prefix("*** Move to: ") {
            if let Some(Open::Updated { moved_to, .. }) = &mut self.file {
                *moved_to = Some(path.to_owned());
            }
        } else if let Some(path) = line.strip_prefix("*** Add File: ") {
            self.close_file();
            self.file = Some(Open::Added { path: path.to_owned(), content: String::new() });
        } else if let Some(path) = line.strip_prefix("*** Update File: ") {
            self.close_file();
            self.file = Some(Open::Updated { path: path.to_owned(), moved_to: None, hunk: Hunk::default() });
        } else if let Some(path) = line.strip_prefix("*** Delete File: ") {
            self.close_file();
            self.edits.push(FileEdit { path: path.to_owned(), change: Change::Delete });
        }
    }

    /// Every hunk is a replacement of its own.
    fn close_hunk(&mut self) {
        let Some(Open::Updated { path, hunk, .. }) = &mut self.file else { return };
        let hunk = std::mem::take(hunk);
        if !hunk.is_empty() {
            let change = Change::Replace { old: hunk.old.join("\n"), new: hunk.new.join("\n"), all: false };
            self.edits.push(FileEdit { path: path.clone(), change });
        }
    }

    fn close_file(&mut self) {
        self.close_hunk();
        let edit = match self.file.take() {
            Some(Open::Added { path, content }) => FileEdit { path, change: Change::Write { content } },
            // After its hunks: they name the file by its old path.
            Some(Open::Updated { path, moved_to: Some(to), .. }) => {
                FileEdit { path, change: Change::Move { to } }
            }
            Some(Open::Updated { .. }) | None => return,
        };
        self.edits.push(edit);
    }
}
