//! Files that a line runs: written by the line itself, or on the disk.

use crate::code::language;
use crate::model::{Directory, Language, Redirect, RedirectKind, Word, base_name, input_redirect};

use super::launch::{Launch, Shell, feeds_elsewhere};
use super::reader::Reader;
use super::scripts::{is_shell, script_file};
use super::unwrap::Invocation;

impl Reader<'_> {
    /// Whether files on the disk are read too.
    pub(super) fn is_deep(&self) -> bool {
        self.disk.is_some()
    }

    /// The text of a file: as the line wrote it, or as it is on the disk.
    pub(super) fn file_text(&mut self, path: &str, directory: &Directory) -> Option<String> {
        if let Some(text) = self.scope.stored(path, directory) {
            return Some(text.to_string());
        }
        let disk = self.disk?;
        self.budget.files.files = self.budget.files.files.checked_sub(1)?;
        let text = disk.text(directory, path)?;
        self.budget.files.bytes = self.budget.files.bytes.checked_sub(text.len())?;
        self.budget.files.names.push(path.to_owned());
        Some(text)
    }

    /// What a command runs that is in a file.
    pub(super) fn script_launch(&mut self, invocation: &Invocation) -> Option<Launch> {
        if !self.scope.has_files() && !self.is_deep() {
            return None;
        }
        let name = invocation.name()?.to_owned();
        let (script, from) = script_file(&name, &invocation.words)?;
        // A process substitution was stored under its spelling.
        let path = script.text.as_deref().or_else(|| script.raw.starts_with("<(").then_some(&*script.raw))?;
        let text = self.file_text(path, &invocation.directory)?;
        if !self.budget.files.is_new_start(from, &invocation.directory) {
            return None;
        }
        let by = if self.is_deep() { format!("{name} {path}") } else { name.clone() };
        match Interpreter::of(&name, path, &text) {
            Interpreter::Shell => {
                let shell = if matches!(name.as_str(), "." | "source") { Shell::Same } else { Shell::Other };
                Some(Launch::Text { text, by, shell, arguments: from.to_vec() })
            }
            Interpreter::Code(flags) => {
                let rest = from.get(1..).unwrap_or_default();
                // Given as if it were inline code, which the code reader understands.
                let words = flags.iter().copied().map(Word::literal).chain([Word::literal(code_text(text))]);
                Some(Launch::Words { words: words.chain(rest.iter().cloned()).collect(), by })
            }
            Interpreter::Other => None,
        }
    }

    /// The redirections, where a file that a shell or an interpreter reads is replaced with its text.
    pub(super) fn with_read_files(&mut self, words: &[Word], redirects: Vec<Redirect>) -> Vec<Redirect> {
        if !self.is_deep() || !words.iter().any(reads_commands) {
            return redirects;
        }
        let mut redirects = redirects;
        redirects.extend(argument_file(words));
        if input_redirect(&redirects).is_none_or(|it| it.kind != RedirectKind::Read) {
            return redirects;
        }
        let directory = self.scope.directory.clone();
        let mut read = |redirect: Redirect| {
            let is_input = redirect.kind == RedirectKind::Read && redirect.descriptor.unwrap_or(0) == 0;
            let path = redirect.target.text.clone().filter(|_| is_input);
            match path.and_then(|path| self.file_text(&path, &directory)) {
                Some(text) => {
                    Redirect { kind: RedirectKind::HereDoc, target: Word::literal(text), ..redirect }
                }
                None => redirect,
            }
        };
        redirects.into_iter().map(&mut read).collect()
    }
}

/// A shell reads this file before anything else.
pub(super) fn file_word(file: &Word, by: &str) -> Launch {
    Launch::Words { words: vec![Word::literal("sh"), file.clone()], by: by.to_owned() }
}

/// `xargs -a FILE`: as if the file were its input.
fn argument_file(words: &[Word]) -> Option<Redirect> {
    let is_xargs = |word: &Word| word.text.as_deref().map(base_name) == Some("xargs");
    let start = words.iter().position(is_xargs)?;
    let mut options = words.get(start + 1..)?.iter();
    while let Some(text) = options.next().and_then(|word| word.text.as_deref()) {
        let target = match text {
            "-a" | "--arg-file" => options.next()?.clone(),
            // With a value of their own.
            "-n" | "-L" | "-P" | "-I" | "-d" | "-s" | "-E" => {
                options.next();
                continue;
            }
            _ => match text.strip_prefix("--arg-file=") {
                Some(file) => Word::literal(file),
                None if text.starts_with('-') => continue,
                // The command that it starts.
                None => return None,
            },
        };
        return Some(Redirect { kind: RedirectKind::Read, descriptor: Some(0), target });
    }
    None
}

/// Whether a word names a program that runs what it reads.
fn reads_commands(word: &Word) -> bool {
    let Some(name) = word.text.as_deref().map(base_name) else { return false };
    is_shell(name)
        || language(name).is_some()
        || feeds_elsewhere(name)
        || matches!(name, "at" | "batch" | "xargs" | "parallel" | "crontab" | "make" | "gmake")
        || matches!(name, "read" | "mapfile" | "readarray")
}

/// What runs the text of a script.
enum Interpreter {
    Shell,
    /// A program that takes code behind these words.
    Code(&'static [&'static str]),
    Other,
}

impl Interpreter {
    fn of(name: &str, path: &str, text: &str) -> Self {
        if let Some(language) = language(name) {
            return Self::of_language(language);
        }
        if is_shell(name) || matches!(name, "." | "source") {
            return Self::Shell;
        }
        match marked_program(text) {
            None => Self::Shell,
            Some(marked) if is_shell(marked) => Self::Shell,
            Some(marked) => match language(marked) {
                Some(language) => Self::of_language(language),
                // `#!/usr/bin/env -S uv run --script`
                None if path.ends_with(".py")
                    || text.lines().next().is_some_and(|it| it.contains("uv run")) =>
                {
                    Self::of_language(Language::Python)
                }
                None => Self::Other,
            },
        }
    }

    fn of_language(language: Language) -> Self {
        Self::Code(match language {
            Language::Python => &["python3", "-c"],
            Language::JavaScript => &["node", "-e"],
            Language::Perl => &["perl", "-e"],
            Language::Ruby => &["ruby", "-e"],
            Language::Php => &["php", "-r"],
            Language::Lua => &["lua", "-e"],
            Language::Awk => &["awk"],
            Language::Sed => &["sed", "-n"],
            Language::AppleScript => &["osascript", "-e"],
        })
    }
}

/// The program that the first line of a script names: `#!/usr/bin/env -S python3 -u`.
fn marked_program(text: &str) -> Option<&str> {
    let line = text.lines().next()?.strip_prefix("#!")?;
    let is_program = |word: &&str| !word.starts_with('-') && !word.contains('=');
    let mut programs = line.split_ascii_whitespace().filter(is_program).map(base_name);
    programs.next().and_then(|first| if first == "env" { programs.next() } else { Some(first) })
}

/// The code of a script without the line that names its interpreter and without the tags of PHP.
fn code_text(text: String) -> String {
    let text = match text.strip_prefix("#!") {
        Some(rest) => rest.split_once('\n').map_or_else(String::new, |(_, code)| code.to_owned()),
        None => text,
    };
    match text.strip_prefix("<?php") {
        Some(code) => code.to_owned(),
        None => text,
    }
}
