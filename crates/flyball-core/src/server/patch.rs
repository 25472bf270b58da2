//! The edits of a patch: of the `*** Begin Patch` format, and of unified diffs.

use crate::event::{Change, FileEdit};

/// Whether a text is a patch.
pub(super) fn is_patch(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end);
    lines.any(|line| line.trim() == "*** Begin Patch" || line.starts_with("diff --git "))
        || text.lines().zip(text.lines().skip(1)).any(|(first, second)| is_header(first, second))
}

fn is_header(first: &str, second: &str) -> bool {
    first.starts_with("--- ") && second.starts_with("+++ ")
}

/// The edits of a patch, in its order; paths as the patch names them. None if it is not a patch.
#[must_use]
pub fn patch_edits(text: &str) -> Vec<FileEdit> {
    let mut reader = Reader::default();
    // The clients' own readers tolerate space around the markers, so a stricter one would miss edits.
    if text.lines().any(|line| line.trim() == "*** Begin Patch") {
        let lines = text.lines().skip_while(|line| line.trim() != "*** Begin Patch").skip(1);
        for line in lines.take_while(|line| line.trim() != "*** End Patch") {
            reader.read(line);
        }
    } else {
        unified(text, &mut reader);
    }
    reader.close_file();
    reader.edits
}

/// Reads a unified diff.
fn unified(text: &str, reader: &mut Reader) {
    let lines: Vec<&str> = text.lines().collect();
    let (mut old, mut renamed) = (None, None);
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        if is_header(line, next) {
            reader.close_file();
            old = line.strip_prefix("--- ").and_then(diff_path);
        } else if let Some(path) = line.strip_prefix("+++ ").filter(|_| reader.file.is_none()) {
            reader.open(old.take(), diff_path(path));
        } else if line.starts_with("diff --git ") {
            reader.close_file();
        } else if let Some(path) = line.strip_prefix("rename from ").filter(|_| reader.file.is_none()) {
            renamed = Some(path);
        } else if let Some(to) = line.strip_prefix("rename to ").filter(|_| reader.file.is_none()) {
            if let Some(path) = renamed.take() {
                reader
                    .edits
                    .push(FileEdit { path: path.to_owned(), change: Change::Move { to: to.to_owned() } });
            }
        } else if reader.file.is_some() {
            reader.read_body(line);
        }
    }
}

/// The path of a header, without `a/`, `b/` and a date; `None` for `/dev/null`.
fn diff_path(written: &str) -> Option<String> {
    let path = written.split('\t').next().unwrap_or(written).trim_end().trim_matches('"');
    let path = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path);
    (path != "/dev/null" && !path.is_empty()).then(|| path.to_owned())
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

    /// A file of a unified diff, by its old and its new path.
    fn open(&mut self, old: Option<String>, new: Option<String>) {
        match (old, new) {
            (Some(path), None) => self.edits.push(FileEdit { path, change: Change::Delete }),
            (None, Some(path)) => self.file = Some(Open::Added { path, content: String::new() }),
            (Some(_), Some(path)) => {
                self.file = Some(Open::Updated { path, moved_to: None, hunk: Hunk::default() });
            }
            (None, None) => {}
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
