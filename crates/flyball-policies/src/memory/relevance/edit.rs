//! What an edit, or a task, is about.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::text::head_bytes;
use flyball_knowledge::similar;

use super::language::Language;
use super::lines::Lines;
use super::source;
use super::text::{is_keyword, weight, words};
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
    pub(super) added: Lines,
    pub(super) removed: Lines,
    pub(super) context: Lines,
    pub(super) language: Language,
    /// The added lines without comments and prose; all of a task.
    pub(super) code: Lines,
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
        let before: BTreeSet<&str> = old.lines().map(str::trim).collect();
        let after: BTreeSet<&str> = new.lines().map(str::trim).collect();
        let select = |text: &str, is_meant: &dyn Fn(&str) -> bool| -> String {
            text.lines().filter(|line| is_meant(line.trim())).collect::<Vec<_>>().join("\n")
        };
        let added = Lines::new(select(new, &|line| !before.contains(line)));
        let removed = Lines::new(select(old, &|line| !after.contains(line)));
        let context = Lines::new(select(new, &|line| before.contains(line)));
        let is_new = old.trim().is_empty();
        Subject { added, removed, context, is_new, file: file.to_owned(), ..Subject::default() }.read()
    }

    /// A file that a command changes in a way that is not known.
    #[must_use]
    pub(crate) fn command(file: &str, command: &str) -> Subject {
        let added = Lines::new(head_bytes(command, MOST_BYTES).to_owned());
        Subject { added, file: file.to_owned(), ..Subject::default() }.read()
    }

    /// A file that is read: what is in it is only what an edit would be about.
    #[must_use]
    pub(crate) fn reading(file: &str, text: &str) -> Subject {
        let context = Lines::new(head_bytes(text, MOST_BYTES).to_owned());
        Subject { context, file: file.to_owned(), ..Subject::default() }.read()
    }

    /// A task in words, and a file or folder that it names.
    #[must_use]
    pub(crate) fn task(file: &str, prompt: &str) -> Subject {
        let added = Lines::new(head_bytes(prompt, MOST_BYTES).to_owned());
        Subject { added, file: file.to_owned(), is_task: true, ..Subject::default() }.read()
    }

    /// Whether nothing changes.
    pub(crate) fn is_reading(&self) -> bool {
        self.added.text.is_empty() && self.removed.text.is_empty()
    }

    fn read(mut self) -> Subject {
        let mut words_by_stem = BTreeMap::new();
        let (folders, name) = self.file.rsplit_once('/').unwrap_or(("", &self.file));
        let texts = [
            (self.added.text.as_str(), 1.0),
            (self.removed.text.as_str(), REMOVED),
            (self.context.text.as_str(), CONTEXT),
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
        self.code = match self.is_task {
            true => self.added.clone(),
            false => Lines::new(source::split(self.language, &self.added.text).code),
        };
        self.topics = [&self.added, &self.removed, &self.context].map(|lines| self.topics_of(&lines.text));
        if self.is_new {
            let [added, ..] = &mut self.topics;
            *added = *added | topic::of_new_file(&self.added.text);
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
