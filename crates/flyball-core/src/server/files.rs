//! What an object of an input does to files: edits that it spells out, and lines for moving, deleting and reading.

use serde_json::Value;

use super::fields::{CONTENT, FROM, Fields, NAME, NEW, OLD, PATH, REGEX, TO, texts};
use super::name::Verbs;
use super::words::{below, path_of, quoted};
use crate::event::{Change, FileEdit};
use crate::text::Words;

/// Where an object is in the input: what the objects around it say.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) folder: Option<String>,
    /// The file that nested edits are about.
    pub(super) path: Option<String>,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) edits: Vec<FileEdit>,
    pub(super) lines: Vec<String>,
}

/// Tools that replace a part of a file which the input does not show.
const PARTS: Words = Words(
    "symbol|insert|lines|line|range|section|block|append|prepend|cell|function|method|class|node|region|heading|after|before",
);
const WHOLE_LINE: Words = Words(
    "startline|endline|line|linenumber|insertline|position|range|offset|cellid|cellindex|cellnumber|namepath|symbol|heading",
);

const LINKED: Words = Words("target|targetpath|source|from|src|existingpath|existing|to|original");
const LINK: Words = Words("link|linkpath|linkname|path|name|destination|newpath|dest");

/// One object of an input.
pub(super) struct FileFields<'f, 'v> {
    pub(super) fields: &'f Fields<'v>,
    pub(super) verbs: &'f Verbs,
    pub(super) scope: &'f Scope,
}

impl FileFields<'_, '_> {
    /// What it does to files. The paths that it names are in `scope` for what is nested in it.
    pub(super) fn read(&self, paths: &[String]) -> Found {
        let mut found = Found::default();
        if self.two_places(&mut found) {
            return found;
        }
        let all = self.fields.is_true(Words("replaceall|all|global|everywhere|allowmultipleoccurrences"));
        let old = self.fields.text(OLD);
        let new = self.fields.text(NEW);
        let regex = self.fields.text(REGEX);
        if let (Some((_, regex)), Some((_, new)), true) = (regex, new, old.is_none()) {
            found.lines.extend(paths.iter().map(|path| substitution(regex, new, path)));
        } else if let (Some((_, old)), Some((_, new))) = (old, new) {
            let is_regex = self.fields.is_true(Words("isregex|regex|useregex|regexp"));
            found.lines.extend(paths.iter().filter(|_| is_regex).map(|path| substitution(old, new, path)));
            let change = || Change::Replace { old: old.to_owned(), new: new.to_owned(), all };
            found.edits.extend(
                paths
                    .iter()
                    .filter(|_| !is_regex)
                    .map(|path| FileEdit { path: path.clone(), change: change() }),
            );
        } else if let Some(content) = self.content() {
            found.edits.extend(
                paths
                    .iter()
                    .map(|path| FileEdit { path: path.clone(), change: self.written(content.clone()) }),
            );
        } else {
            found.lines.extend(paths.iter().filter_map(|path| self.named_act(path)));
        }
        found
    }

    /// The files that it names.
    pub(super) fn paths(&self) -> Vec<String> {
        let folder = self.scope.folder.as_deref();
        for (key, value) in self.fields.all(PATH) {
            // Not `true` or a list of objects, which are read by themselves.
            let named: Vec<String> = match value {
                Value::Object(map) => {
                    map.get("uri").or_else(|| map.get("path")).map(texts).unwrap_or_default()
                }
                other => texts(other),
            }
            .into_iter()
            .filter(|text| is_path(text))
            .map(|text| below(folder, &path_of(text)))
            .collect();
            if !named.is_empty() {
                self.fields.mark(key);
                return named;
            }
        }
        // A name without an ending is one of a file if something is written there.
        let is_file = |text: &str| {
            text.contains('.') || (folder.is_some() && !text.contains(' ') && self.content().is_some())
        };
        let name = self.fields.text(NAME).map(|(_, text)| text).filter(|text| is_path(text) && is_file(text));
        // Only what is written or sent there makes a place of it.
        let place = || {
            let (_, text) = self.fields.text(TO).or_else(|| self.fields.text(NAME))?;
            let is_place = is_path(text) && text.contains(['/', '.']) && !text.contains(char::is_whitespace);
            (is_place && self.content().is_some()).then(|| below(folder, &path_of(text)))
        };
        match (folder, name, &self.scope.path) {
            (Some(folder), Some(name), _) => vec![below(Some(folder), &path_of(name))],
            (_, _, Some(path)) => vec![path.clone()],
            (None, _, None) if let Some(place) = place() => vec![place],
            // `delete_directory` names nothing but the folder.
            (Some(folder), None, None)
                if self.verbs.deletes() && self.verbs.has(Words("directory|folder|dir|tree|recursive")) =>
            {
                vec![folder.to_owned()]
            }
            _ => Vec::new(),
        }
    }

    /// The text that is written.
    fn content(&self) -> Option<String> {
        if self.verbs.only_read() {
            return None;
        }
        let (_, value) = self.fields.all(CONTENT).find(|(key, _)| !self.fields.is_used(key))?;
        match value {
            Value::String(text) => Some(text.clone()),
            Value::Array(_) => Some(texts(value).join("\n")).filter(|text| !text.is_empty()),
            // A JSON file, given as what it is.
            Value::Object(_) => Some(value.to_string()),
            Value::Null | Value::Bool(_) | Value::Number(_) => None,
        }
    }

    fn written(&self, content: String) -> Change {
        let is_part = self.verbs.has(PARTS) || self.fields.find(WHOLE_LINE).is_some();
        let mode =
            self.fields.text(Words("mode|writemode|flag")).is_some_and(|(_, mode)| mode.starts_with('a'));
        if is_part || mode {
            return Change::Replace { old: String::new(), new: content, all: false };
        }
        Change::Write { content }
    }

    /// Moves, copies and links, which name two places.
    fn two_places(&self, found: &mut Found) -> bool {
        let folder = self.scope.folder.as_deref();
        let links = self.verbs.has(Words("symlink|link|hardlink|ln"));
        // `target` is what a link leads to, and where a file is moved.
        let from = if links {
            self.fields.text(LINKED)
        } else {
            self.fields.text(FROM).or_else(|| self.fields.text(PATH))
        };
        let to = if links { self.fields.text(LINK) } else { self.fields.text(TO) };
        let (Some((first, from)), Some((second, to))) = (from, to) else { return false };
        let verb = match () {
            // A symbol gets another name, not the file that it is in.
            () if self.fields.find(WHOLE_LINE).is_some() || self.verbs.has(Words("symbol|variable")) => {
                return false;
            }
            () if links => "ln -sf",
            () if self.verbs.has(Words("copy|cp|duplicate|clone")) => "cp -r",
            () if self.verbs.has(Words("move|rename|mv|relocate")) => "mv",
            () => return false,
        };
        if !is_path(from) || !is_path(to) {
            return false;
        }
        self.fields.mark(first);
        self.fields.mark(second);
        let (from, to) = (below(folder, &path_of(from)), below(folder, &path_of(to)));
        found.lines.push(format!("{verb} -- {} {}", quoted(&from), quoted(&to)));
        true
    }

    /// What is done to a file by the name of the tool alone.
    fn named_act(&self, path: &str) -> Option<String> {
        let path = quoted(path);
        if self.verbs.deletes() {
            let is_folder = self.verbs.has(Words("directory|folder|dir|tree|rmdir"))
                || self.fields.is_true(Words("recursive|force|r"));
            return Some(if is_folder { format!("rm -rf -- {path}") } else { format!("rm -f -- {path}") });
        }
        if self.verbs.has(Words("truncate|empty|clear")) {
            return Some(format!("truncate -s 0 -- {path}"));
        }
        if self.verbs.has(Words("chmod|permissions|mode")) && !self.verbs.only_read() {
            let mode = self.fields.text(Words("mode|permissions|perm|octal")).map_or("000", |(_, mode)| mode);
            return Some(format!("chmod {} -- {path}", quoted(mode)));
        }
        if self.verbs.has(Words("upload|attach|share|send|publish")) {
            return Some(format!("curl --upload-file {path} https://upload.example.com/"));
        }
        self.verbs.only_read().then(|| format!("cat -- {path}"))
    }
}

/// A replacement by a pattern, as `sed` does it.
fn substitution(regex: &str, new: &str, path: &str) -> String {
    // Nobody writes this letter into a pattern, so it needs no escape.
    let mark = '\u{1}';
    let one_line = |text: &str| text.replace('\n', "\\n");
    let script = format!("s{mark}{}{mark}{}{mark}g", one_line(regex), one_line(new));
    format!("sed -i -E {} -- {}", quoted(&script), quoted(path))
}

/// Whether a text may be a path: one line, and not the address of something else.
pub(super) fn is_path(text: &str) -> bool {
    const MOST: usize = 1024;
    let is_address = text.contains("://") && !text.starts_with("file://");
    !text.is_empty() && text.len() <= MOST && !text.contains('\n') && !is_address
}

/// Whether a key of an object is the path of what is below it: `{"src/a.ts": …}`.
pub(super) fn is_path_key(key: &str) -> bool {
    let has_ending = key.rsplit_once('.').is_some_and(|(_, ending)| {
        !ending.is_empty() && ending.len() <= 8 && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    !key.contains(char::is_whitespace) && (key.contains('/') || has_ending)
}
