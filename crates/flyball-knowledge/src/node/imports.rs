//! What a node imports: `@path` outside of code, from the file that says so.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;

use super::{MOST_BYTES, Node};
use crate::markdown;

/// So many imports of one file count.
const MOST_IMPORTS: usize = 64;
/// Files of these kinds have rules for readers; a name without an ending may be one.
const KINDS: &[&str] = &["md", "mdx", "mdc", "markdown", "txt"];

/// One import of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// As it is written, without the `@`.
    pub written: String,
    /// The line of the node, from 1.
    pub line: usize,
    pub state: ImportState,
}

/// What comes of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportState {
    /// It is read.
    Read(AbsolutePath),
    /// Nothing is there.
    Missing,
    /// It is outside of the repository.
    Outside,
    /// It is too long to be read.
    TooLong,
    /// It is of another kind: data, code.
    NoText,
}

/// From where imports may be read.
pub(super) struct Place {
    root: AbsolutePath,
    /// The folders of clients in the user's own home.
    homes: Vec<AbsolutePath>,
}

impl Place {
    pub(super) fn new(world: &dyn World, root: AbsolutePath) -> Place {
        let folders = world.clients().iter().filter_map(|client| client.instructions.user_folder);
        let homes = folders.map(|folder| world.real_path(&root, &format!("~/{folder}"))).collect();
        // Links above the root are not the repository's.
        let root = world.real_path(&root, ".");
        Place { root, homes }
    }

    pub(super) fn is_in_repository(&self, real: &AbsolutePath) -> bool {
        real.strip_folder(&self.root).is_some()
    }

    fn may_read(&self, real: &AbsolutePath) -> bool {
        self.is_in_repository(real) || self.homes.iter().any(|home| real.strip_folder(home).is_some())
    }
}

/// All imports of a node, for people.
#[must_use]
pub fn imports(world: &dyn World, node: &Node) -> Vec<Import> {
    let root = super::root_above(world, &node.folder).unwrap_or_else(|| node.folder.clone());
    let place = Place::new(world, root);
    let found = written(&node.text).into_iter();
    found
        .map(|(line, written)| Import { state: state(world, &place, (node, &written)), line, written })
        .collect()
}

/// The files that a node imports and that may be read.
pub(super) fn imports_at(world: &dyn World, place: &Place, node: &Node) -> Vec<AbsolutePath> {
    let states = written(&node.text).into_iter().map(|(_, written)| state(world, place, (node, &written)));
    let read = states.filter_map(|state| match state {
        ImportState::Read(path) => Some(path),
        ImportState::Missing | ImportState::Outside | ImportState::TooLong | ImportState::NoText => None,
    });
    read.collect()
}

fn state(world: &dyn World, place: &Place, (node, written): (&Node, &str)) -> ImportState {
    let mut last = ImportState::Missing;
    // The full stop of a sentence is not part of the name.
    let bare = written.trim_end_matches(['.', ',', ';', ':', ')', ']', '!', '?']);
    let names = if bare == written { vec![written] } else { vec![written, bare] };
    for name in names.into_iter().filter(|name| !name.is_empty()) {
        let real = world.real_path(&node.path.folder(), name);
        // What is outside is not even looked for.
        if !place.may_read(&real) {
            last = ImportState::Outside;
            continue;
        }
        match world.stat(&real) {
            Some(stat) if stat.is_folder => {}
            Some(_) if !is_text(&real) => return ImportState::NoText,
            Some(stat) if stat.bytes > MOST_BYTES => return ImportState::TooLong,
            Some(_) => return ImportState::Read(real),
            None => {}
        }
    }
    last
}

fn is_text(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, kind)) if !stem.is_empty() => KINDS.iter().any(|known| known.eq_ignore_ascii_case(kind)),
        // `.env` is not for readers.
        Some(_) => false,
        None => true,
    }
}

/// The imports of a text with their lines.
fn written(text: &str) -> Vec<(usize, String)> {
    // Most nodes import nothing.
    if !text.contains('@') {
        return Vec::new();
    }
    let start = markdown::content_start(text);
    let mut is_comment = false;
    let mut span = None;
    let mut found = Vec::new();
    for (line, number) in markdown::lines(text).zip(1..) {
        if line.is_code || line.span.start < start {
            continue;
        }
        if line.text.trim().is_empty() {
            // A code span ends with its paragraph.
            span = None;
        }
        let plain = without_comments(line.text, &mut is_comment);
        let plain = without_code(&plain, &mut span);
        found.extend(in_line(&plain).into_iter().map(|written| (number, written)));
        if found.len() >= MOST_IMPORTS {
            break;
        }
    }
    found.truncate(MOST_IMPORTS);
    found
}

fn without_comments(line: &str, is_comment: &mut bool) -> String {
    let mut plain = String::new();
    let mut rest = line;
    loop {
        let mark = if *is_comment { "-->" } else { "<!--" };
        let Some((before, behind)) = rest.split_once(mark) else {
            if !*is_comment {
                plain.push_str(rest);
            }
            return plain;
        };
        if !*is_comment {
            plain.push_str(before);
        }
        *is_comment = !*is_comment;
        rest = behind;
    }
}

/// The line without what is between backticks. `open` is the number of backticks that opened a span.
fn without_code(line: &str, open: &mut Option<usize>) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let (before, ticks) = rest.split_at(at);
        let count = ticks.len() - ticks.trim_start_matches('`').len();
        if open.is_none() {
            plain.push_str(before);
        }
        match *open {
            Some(length) if length == count => *open = None,
            Some(_) => {}
            None => *open = Some(count),
        }
        // What follows a span is not the start of a word.
        plain.push('`');
        rest = ticks.get(count..).unwrap_or_default();
    }
    if open.is_none() {
        plain.push_str(rest);
    }
    plain
}

fn in_line(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut before = ' ';
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '@' && before.is_whitespace() {
            let mut path = String::new();
            while let Some(next) = letters.next_if(|next| !next.is_whitespace()) {
                match (next, letters.peek()) {
                    ('\\', Some(' ')) => {
                        letters.next();
                        path.push(' ');
                    }
                    _ => path.push(next),
                }
            }
            let path = path.split('#').next().unwrap_or_default();
            if path.starts_with(|first: char| first.is_alphanumeric() || "./~_-".contains(first)) {
                found.push(path.to_owned());
            }
            before = ' ';
            continue;
        }
        before = letter;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_read_outside_of_code_and_comments() {
        let text = "---\na: @no.md\n---\nSee @README.md and @docs/a\\ b.md.\n- git @~/.x/c.md\n```\n@no.md\n```\n`@no.md` me@no.md \
                    <!-- @no.md\n@no.md --> @d.md#part\n``a ` @no.md`` @/e.md @\n`open\n@no.md\n\n@f.md\n";
        let expected = [
            (4, "README.md"),
            (4, "docs/a b.md."),
            (5, "~/.x/c.md"),
            (10, "d.md"),
            (11, "/e.md"),
            (15, "f.md"),
        ];
        let expected: Vec<_> = expected.map(|(line, path)| (line, path.to_owned())).into();
        assert_eq!(written(text), expected);
        assert_eq!(written("no at sign"), []);
    }
}
