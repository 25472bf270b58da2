//! What an edit, or a task, is about.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::text::head_bytes;
use flyball_knowledge::similar;

use super::language::Language;
use super::source;
use super::text::{has, is_keyword, names, weight, words};
use super::topic::{self, Topics, named_in_code, named_in_rule};

/// How much of a change is read for what it is about.
const MOST_BYTES: usize = 16 * 1024;

/// How much words count by where they are.
const REMOVED: f64 = 0.7;
const CONTEXT: f64 = 0.4;
const FOLDERS: f64 = 0.6;

/// What changes in one file, or what a prompt asks for.
#[derive(Debug, Default)]
pub(crate) struct Subject {
    /// From the project's root; empty for a prompt that names no file.
    pub(super) file: String,
    pub(super) added: String,
    pub(super) removed: String,
    pub(super) context: String,
    pub(super) language: Language,
    /// The added lines without comments and prose; all of a task.
    pub(super) code: String,
    /// The names in the added lines, and in their code.
    pub(super) names: BTreeSet<String>,
    pub(super) code_names: BTreeSet<String>,
    /// The words of the change and of its path by their stems, and what each counts.
    pub(super) words: BTreeMap<String, f64>,
    /// The topics of the added, the removed and the other lines.
    pub(super) topics: [Topics; 3],
    /// The topics of the file.
    pub(super) file_topics: Topics,
    pub(super) is_test: bool,
    /// Whether the file is written as a whole, and was empty or not there before.
    pub(super) is_new: bool,
    /// Whether it is a task in words and not yet an edit.
    pub(super) is_task: bool,
}

impl Subject {
    /// A file, and the texts before and after. Lines that are in both are its context.
    #[must_use]
    pub(crate) fn edit(file: &str, old: &str, new: &str) -> Subject {
        let (old, new) = (head_bytes(old, MOST_BYTES), head_bytes(new, MOST_BYTES));
        let lines =
            |text: &str| -> BTreeSet<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
        let (before, after) = (lines(old), lines(new));
        let select = |text: &str, is_meant: &dyn Fn(&str) -> bool| -> String {
            text.lines().filter(|line| is_meant(line.trim())).collect::<Vec<_>>().join("\n")
        };
        let added = select(new, &|line| !before.contains(line));
        let removed = select(old, &|line| !after.contains(line));
        let context = select(new, &|line| before.contains(line));
        let is_new = old.trim().is_empty();
        Subject { added, removed, context, is_new, file: file.to_owned(), ..Subject::default() }.read()
    }

    /// A file that a command changes in a way that is not known.
    #[must_use]
    pub(crate) fn command(file: &str, command: &str) -> Subject {
        let added = head_bytes(command, MOST_BYTES).to_owned();
        Subject { added, file: file.to_owned(), ..Subject::default() }.read()
    }

    /// A file that is read: what is in it is only what an edit would be about.
    #[must_use]
    pub(crate) fn reading(file: &str, text: &str) -> Subject {
        let context = head_bytes(text, MOST_BYTES).to_owned();
        Subject { context, file: file.to_owned(), ..Subject::default() }.read()
    }

    /// A task in words, and a file or folder that it names.
    #[must_use]
    pub(crate) fn task(file: &str, prompt: &str) -> Subject {
        let added = head_bytes(prompt, MOST_BYTES).to_owned();
        Subject { added, file: file.to_owned(), is_task: true, ..Subject::default() }.read()
    }

    /// Whether a text of it has a code. Most code is nowhere in it, which its first name shows.
    pub(super) fn has_in(&self, text: &str, code: &str) -> bool {
        let first = names(code).next();
        first.is_none_or(|name| self.names.contains(name.text)) && has(text, code)
    }

    /// Whether nothing changes.
    pub(crate) fn is_reading(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }

    fn read(mut self) -> Subject {
        let mut words_by_stem = BTreeMap::new();
        let (folders, name) = self.file.rsplit_once('/').unwrap_or(("", &self.file));
        let texts = [
            (self.added.as_str(), 1.0),
            (self.removed.as_str(), REMOVED),
            (self.context.as_str(), CONTEXT),
            (name, 1.0),
            (folders, FOLDERS),
        ];
        for (text, value) in texts {
            let unique: BTreeSet<String> = words(text).filter(|word| !is_keyword(word)).collect();
            for word in unique {
                let stem = similar::stem(&word);
                let value = value * weight(&stem);
                let known: &mut f64 = words_by_stem.entry(stem).or_default();
                *known = known.max(value);
            }
        }
        self.language = Language::of_file(&self.file);
        self.code =
            if self.is_task { self.added.clone() } else { source::split(self.language, &self.added).code };
        let unique = |text: &str| names(text).map(|name| name.text.to_owned()).collect();
        (self.names, self.code_names) = (unique(&self.added), unique(&self.code));
        self.topics = [&self.added, &self.removed, &self.context].map(|text| self.topics_of(text));
        if self.is_new {
            let [added, ..] = &mut self.topics;
            *added = *added | topic::of_new_file(&self.added);
        }
        self.file_topics = topic::of_file(&self.file);
        self.is_test = topic::is_test(&self.file);
        self.words = words_by_stem;
        self
    }

    fn topics_of(&self, text: &str) -> Topics {
        let mut topics = named_in_code(text);
        if self.is_task {
            named_in_rule(text, |_, more| topics = topics | more);
        }
        topics
    }
}
