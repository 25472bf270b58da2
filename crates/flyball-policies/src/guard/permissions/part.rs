//! One command of a line, in the form in which patterns are compared with it.

use std::borrow::Cow;

use flyball_effects::{Command, Directory, Word};

use super::arguments;
use super::grant::Grant;
use super::options::unsafe_word;
use super::places::{Places, ReadMode};

/// The folders of programs that are called by their bare name.
const PROGRAM_FOLDERS: &[&str] = &["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"];

/// Programs that print or compare texts and names, and open none of the files they name.
const OPENS_NOTHING: &[&str] = &[
    "echo", "printf", "true", "false", ":", "test", "[", "basename", "dirname", "which", "type", "command",
    "exit", "sleep", "seq", "date", "pwd", "tr", "cd", "pushd", "popd", "set",
];

/// Programs that show the names of files, not what is in them.
const SHOWS_NAMES: &[&str] = &["ls", "stat", "du", "df", "tree", "find", "realpath", "readlink"];

/// Programs whose first operand is a pattern or a script.
const FIRST_IS_TEXT: &[&str] = &["grep", "egrep", "fgrep", "rg", "jq", "sed", "awk"];

/// Options of git before its verb that do not change what it does.
const GIT_HARMLESS: &[&str] = &["--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs"];

/// One command without wrappers.
pub(super) struct Part<'a> {
    /// The program and its arguments.
    words: Vec<Cow<'a, str>>,
    /// Its arguments as they were written; one less than `words`.
    arguments: Vec<&'a Word>,
    directory: Directory,
}

impl<'a> Part<'a> {
    /// Reads it; why it cannot be allowed, if that is clear at once.
    pub(super) fn read(command: &'a Command, places: &Places<'_>) -> Result<Part<'a>, String> {
        let Some(program) = command.program.text.as_deref() else {
            return Err("its program is only known at run time".to_owned());
        };
        let program = bare(program);
        let mut part = Part {
            words: vec![Cow::Borrowed(program)],
            arguments: command.arguments.iter().collect(),
            directory: command.directory.clone(),
        };
        if program == "git" {
            part.take_git_options(places)?;
        }
        for word in &part.arguments {
            match (&word.text, program) {
                // Some shells run code between braces, or in parentheses after a pattern.
                (Some(text), _)
                    if matches!(text.as_str(), "{" | "}") || (word.glob && text.contains('(')) =>
                {
                    return Err(format!("`{}` is code to some shells", word.raw));
                }
                (Some(text), _) => part.words.push(Cow::Borrowed(text)),
                (None, "echo" | "printf" | "exit") if is_exit_status(&word.raw) => {
                    part.words.push(Cow::Borrowed(&word.raw));
                }
                (None, _) => return Err(format!("`{}` is only known at run time", word.raw)),
            }
        }
        Ok(part)
    }

    pub(super) fn texts(&self) -> Vec<&str> {
        self.words.iter().map(AsRef::as_ref).collect()
    }

    fn take_git_options(&mut self, places: &Places<'_>) -> Result<(), String> {
        while let Some(option) = self.arguments.first().and_then(|word| word.text.as_deref()) {
            if GIT_HARMLESS.contains(&option) {
                self.arguments.remove(0);
                continue;
            }
            let folder = self.arguments.get(1).and_then(|word| word.text.clone());
            // After a `cd` or another `-C`, this one would be relative to that folder.
            let Some(folder) = folder.filter(|_| option == "-C" && self.directory == Directory::Start) else {
                break;
            };
            self.directory = Directory::OneOf(vec![folder]);
            if !places.runs_inside(&self.directory) {
                return Err("does not run in the project".to_owned());
            }
            self.arguments.drain(..2);
        }
        Ok(())
    }

    /// Checks that the words after those of the pattern do not go beyond it.
    pub(super) fn check(&self, grant: &Grant, places: &Places<'_>) -> Result<(), String> {
        let words = self.texts();
        let (pattern, rest) = words.split_at_checked(grant.matched).unwrap_or((&words, &[]));
        if let Some(word) = unsafe_word(pattern, rest, grant.options) {
            return Err(format!("`{word}` changes what it does"));
        }
        if let Some(why) = arguments::objection(&words, grant.matched) {
            return Err(why.to_owned());
        }
        self.check_paths(grant, places)
    }

    fn check_paths(&self, grant: &Grant, places: &Places<'_>) -> Result<(), String> {
        let program = self.words.first().map(AsRef::as_ref).unwrap_or_default();
        if grant.is_reader && OPENS_NOTHING.contains(&program) {
            return Ok(());
        }
        let mode = ReadMode {
            reads_content: !(grant.is_reader && SHOWS_NAMES.contains(&program)),
            is_git: program == "git",
        };
        if grant.is_reader && self.looks_everywhere(program) && self.holds_secret(places) {
            return Err("it reads files that may hold secrets".to_owned());
        }
        let text_at = (grant.is_reader && FIRST_IS_TEXT.contains(&program)).then(|| self.text_operand());
        let given = self.arguments.iter().enumerate().skip(grant.matched.saturating_sub(1));
        for (_, word) in given.filter(|(at, _)| text_at.flatten() != Some(*at)) {
            // A file called `--output=x` would become an option.
            if word.glob && !grant.is_reader && word.raw.starts_with(['*', '?', '[']) {
                return Err(format!("`{}` may expand to an option", word.raw));
            }
            if let Some(why) = places.objection(word, &self.directory, mode) {
                return Err(format!("`{}`: {why}", word.raw));
            }
        }
        Ok(())
    }

    /// Whether it searches folders with all hidden files in them.
    fn looks_everywhere(&self, program: &str) -> bool {
        let has = |letters: &[char], long: &str| {
            self.words.iter().any(|word| {
                let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
                short.is_some_and(|short| short.contains(letters)) || word.starts_with(long)
            })
        };
        match program {
            "grep" | "egrep" | "fgrep" => has(&['r', 'R', 'd'], "--recurs") && !has(&[], "--include"),
            "rg" => has(&['.', 'u'], "--hidden") || has(&[], "--no-ignore"),
            "diff" => has(&['r'], "--recurs"),
            _ => false,
        }
    }

    /// Whether a folder that it is given, or else the one it runs in, has a secret in it.
    fn holds_secret(&self, places: &Places<'_>) -> bool {
        let text_at = self.text_operand();
        let given = self.arguments.iter().enumerate().filter(|(at, _)| Some(*at) != text_at);
        let mut folders: Vec<&str> = given.filter_map(|(_, word)| word.text.as_deref()).collect();
        folders.retain(|text| !text.starts_with('-'));
        if folders.is_empty() {
            folders.push(".");
        }
        folders.iter().any(|folder| places.holds_secret(folder, &self.directory))
    }

    /// The index of the operand that is a pattern or a script, not a file; none if an option gives it.
    fn text_operand(&self) -> Option<usize> {
        let texts = || self.arguments.iter().filter_map(|word| word.text.as_deref());
        let gives_text = |word: &str| {
            let is_long = word.starts_with("--");
            let letters = word.strip_prefix('-').filter(|_| !is_long).unwrap_or_default();
            letters.contains(['e', 'f'])
                || word.starts_with("--reg")
                || word.starts_with("--fi")
                || word.starts_with("--exp")
        };
        // In doubt an option gives the text; then every operand is checked as a path.
        if texts().any(gives_text) {
            return None;
        }
        self.arguments.iter().position(|word| word.text.as_deref().is_some_and(|text| !text.starts_with('-')))
    }
}

/// The arguments of git from its verb on; those of other programs unchanged.
pub(super) fn without_git_options<'a>(program: &str, arguments: &'a [Word]) -> &'a [Word] {
    if program != "git" {
        return arguments;
    }
    let mut at = 0;
    while let Some(text) = arguments.get(at).and_then(|word| word.text.as_deref()) {
        if !text.starts_with('-') {
            break;
        }
        let is_valued =
            matches!(text, "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path");
        at += if is_valued { 2 } else { 1 };
    }
    arguments.get(at..).unwrap_or_default()
}

/// A command as it was written, without wrappers and redirections.
pub(super) fn command_text(command: &Command) -> String {
    let assignments = command.assignments.iter().map(|(name, value)| format!("{name}={}", value.raw));
    let words = std::iter::once(&command.program).chain(&command.arguments).map(|word| word.raw.clone());
    assignments.chain(words.filter(|word| !word.is_empty())).collect::<Vec<_>>().join(" ")
}

/// The bare name of a program in one of the program folders. `./ls` is another program.
fn bare(program: &str) -> &str {
    let name = PROGRAM_FOLDERS.iter().find_map(|folder| program.strip_prefix(folder));
    name.filter(|name| !name.contains('/')).unwrap_or(program)
}

/// `$?` is a number.
fn is_exit_status(raw: &str) -> bool {
    let rest = raw.replace("$?", "");
    raw.contains("$?") && !rest.contains(['$', '`', '(', '*', '{'])
}
