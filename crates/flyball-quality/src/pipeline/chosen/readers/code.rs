//! Tasks that are written as code: the texts that it gives to a shell.

use super::Collector;
use crate::pipeline::chosen::uses::UsedOn;

/// A quoted text of code.
pub(super) struct Literal {
    pub text: String,
    /// It is in front of a colon.
    pub is_key: bool,
    /// Where it starts and ends, with its quotes.
    start: usize,
    end: usize,
}

impl Collector<'_> {
    /// `session.run("black", ".")`, `context.run("black .")`
    pub(super) fn python_tasks(&mut self, text: &str) {
        let text = without_comments(text, "#");
        for (at, mark) in text.match_indices(".run(") {
            let texts = in_brackets(text.get(at + mark.len()..).unwrap_or_default());
            match texts.as_slice() {
                [line] if line.contains(' ') => self.shell(line, &UsedOn::default()),
                words => self.words(&words.iter().map(String::as_str).collect::<Vec<_>>()),
            }
        }
    }

    /// `"actions": ["black ."]`
    pub(super) fn doit_tasks(&mut self, text: &str) {
        let text = without_comments(text, "#");
        for (at, mark) in text.match_indices("actions") {
            let behind = text.get(at + mark.len()..).unwrap_or_default();
            if let Some((_, list)) = behind.split_once('[').filter(|(between, _)| between.len() < 8) {
                in_brackets(list).iter().for_each(|line| self.shell(line, &UsedOn::default()));
            }
        }
    }

    /// The extras of a `setup.py`, if they are written out there.
    pub(super) fn setup_py(&mut self, text: &str) {
        let text = without_comments(text, "#");
        for mark in ["extras_require", "tests_require"] {
            for (at, _) in text.match_indices(mark) {
                let behind = text.get(at + mark.len()..).unwrap_or_default().trim_start_matches([' ', '=']);
                if let Some(list) = behind.strip_prefix(['{', '[', '(']) {
                    in_brackets(list).iter().for_each(|name| self.package(name));
                }
            }
        }
    }

    pub(super) fn gems(&mut self, text: &str) {
        for line in text.lines().filter(|line| line.trim_start().starts_with("gem ")) {
            literals(line).take(1).for_each(|name| self.package(&name.text));
        }
    }

    pub(super) fn rake(&mut self, text: &str) {
        for line in text.lines().map(str::trim_start) {
            if line.starts_with("sh ") || line.starts_with("sh(") || line.starts_with("system") {
                literals(line).for_each(|line| self.shell(&line.text, &UsedOn::default()));
            } else if line.starts_with("require ") && line.contains("rubocop/rake_task") {
                self.words(&["rubocop"]);
            }
        }
    }

    pub(super) fn jenkins(&mut self, text: &str) {
        let text = without_comments(text, "//");
        for (at, _) in text.match_indices("sh") {
            let before = text.get(..at).unwrap_or_default();
            let behind = text.get(at + 2..).unwrap_or_default().trim_start();
            let behind = behind.strip_prefix('(').map_or(behind, str::trim_start);
            let behind = behind.strip_prefix("script:").map_or(behind, str::trim_start);
            let is_step =
                !before.ends_with(|letter: char| letter.is_alphanumeric() || "_.-/".contains(letter));
            if is_step && behind.starts_with(['"', '\'']) {
                literals(behind).take(1).for_each(|line| self.shell(&line.text, &UsedOn::default()));
            }
        }
    }

    /// `id("org.jlleitschuh.gradle.ktlint")`
    pub(super) fn gradle(&mut self, text: &str) {
        for line in text.lines().filter(|line| line.trim_start().starts_with("id")) {
            literals(line).take(1).for_each(|name| self.package(&name.text));
        }
    }

    /// The tools of `go.mod`.
    pub(super) fn go_tools(&mut self, text: &str) {
        let mut is_list = false;
        for line in text.lines().map(str::trim) {
            is_list = (is_list && line != ")") || line == "tool (";
            if let Some(tool) = line.strip_prefix("tool ").or(is_list.then_some(line)) {
                self.package(tool);
            }
        }
    }

    /// The imports of `tools.go`, which are there to be installed.
    pub(super) fn go_imports(&mut self, text: &str) {
        for line in text.lines().filter(|line| line.trim_start().starts_with("_ ")) {
            literals(line).take(1).for_each(|path| self.package(&path.text));
        }
    }
}

/// The quoted texts of code, up to the bracket that closes what is open.
fn in_brackets(code: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let (mut from, mut open) = (0, 1_usize);
    for literal in literals(code) {
        for letter in code.get(from..literal.start).unwrap_or_default().chars() {
            match letter {
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' => open = open.saturating_sub(1),
                _ => {}
            }
            if open == 0 {
                return texts;
            }
        }
        from = literal.end;
        if !literal.is_key {
            texts.push(literal.text);
        }
    }
    texts
}

/// Code without the comments that take a line or its end.
pub(super) fn without_comments(code: &str, mark: &str) -> String {
    let plain = |line: &str| {
        let is_comment = line.trim_start().starts_with(mark);
        let end = line.find(&format!(" {mark}")).unwrap_or(line.len());
        if is_comment { String::new() } else { line.get(..end).unwrap_or(line).to_owned() }
    };
    code.lines().map(plain).collect::<Vec<_>>().join("\n")
}

/// The quoted texts of code, one after the other.
pub(super) fn literals(code: &str) -> impl Iterator<Item = Literal> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = code.get(from..)?;
        let start = rest.find(['"', '\'', '`'])?;
        let quote = rest.get(start..start + 1)?;
        let long = quote.repeat(3);
        let mark = if rest.get(start..)?.starts_with(&long) { long.as_str() } else { quote };
        let inner = rest.get(start + mark.len()..)?;
        let length = inner.find(mark)?;
        let (start, end) = (from + start, from + start + length + 2 * mark.len());
        from = end;
        let is_key = code.get(end..)?.trim_start_matches([']', ' ']).starts_with(':');
        Some(Literal { text: inner.get(..length)?.to_owned(), is_key, start, end })
    })
}
