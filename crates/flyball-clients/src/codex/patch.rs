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
    Updated { path: String, moved_to: Option<String>, old: Vec<String>, new: Vec<String> },
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
            (Some(Open::Updated { old, .. }), Some(("-", text))) => old.push(text.to_owned()),
            (Some(Open::Updated { new, .. }), Some(("+", text))) => new.push(text.to_owned()),
            (Some(Open::Updated { .. }), Some((" ", _)) | None) => {}
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
            let (path, old, new) = (path.to_owned(), Vec::new(), Vec::new());
            self.file = Some(Open::Updated { path, moved_to: None, old, new });
        } else if let Some(path) = line.strip_prefix("*** Delete File: ") {
            self.close_file();
            self.edits.push(FileEdit { path: path.to_owned(), change: Change::Delete });
        }
    }

    /// Every hunk is a replacement of its own.
    fn close_hunk(&mut self) {
        let Some(Open::Updated { path, old, new, .. }) = &mut self.file else { return };
        let (old, new) = (std::mem::take(old), std::mem::take(new));
        if !old.is_empty() || !new.is_empty() {
            let change = Change::Replace { old: old.join("\n"), new: new.join("\n"), all: false };
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
