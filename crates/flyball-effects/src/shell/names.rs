//! Names that are only known when the line runs, looked up on the disk before it does: patterns, `ls`, `find`.

use super::launch::{Input, Launch};
use super::limits::HARMFUL;
use super::reader::Reader;
use super::scripts::{find_launches, is_shell, script_file};
use super::unwrap::Invocation;
use crate::argv::{Grammar, OptionStyle, parse};
use crate::model::{Command, Directory, Language, Word, base_name};

/// More names are not looked at one by one.
const MOST_NAMES: usize = 16;

impl Reader<'_> {
    /// The words, with patterns replaced by what they match. A pattern that matches nothing stays: then it names what
    /// may be there later.
    pub(super) fn expanded(&self, words: Vec<Word>) -> Vec<Word> {
        let Some(disk) = self.disk.filter(|_| words.iter().any(|word| word.glob)) else { return words };
        let mut out = Vec::new();
        for word in words {
            let pattern = word.text.as_deref().filter(|_| word.glob);
            let names =
                pattern.map(|pattern| disk.matching(&self.scope.directory, pattern)).unwrap_or_default();
            match (pattern, names.len()) {
                (Some(pattern), 0 | MOST_NAMES..) => out.push(Word::literal(pattern)),
                (Some(_), _) => out.extend(names.into_iter().map(Word::literal)),
                (None, _) => out.push(word),
            }
        }
        out
    }

    /// The files that a pattern matches, if the disk is read.
    pub(super) fn matching(&self, pattern: &str, directory: &Directory) -> Vec<String> {
        let names = self.disk.map(|disk| disk.matching(directory, pattern)).unwrap_or_default();
        names.into_iter().take(MOST_NAMES).collect()
    }

    /// What `ls` and `find` print, as far as a few levels of folders show it.
    pub(super) fn listed_names(&mut self, command: &Command) -> Option<String> {
        self.disk?;
        let names = match command.program_name()? {
            "ls" => self.ls(command),
            _ => self.found_names(&command.arguments, &command.directory)?,
        };
        (!names.is_empty()).then(|| names.join("\n"))
    }

    fn ls(&self, command: &Command) -> Vec<String> {
        let parsed = parse(&Grammar::PLAIN, &command.arguments);
        let is_itself = parsed.options.iter().any(|option| option.name == "d");
        let mut names = Vec::new();
        for word in &parsed.operands {
            let Some(text) = word.text.as_deref() else { continue };
            if word.glob {
                let found = self.matching(text, &command.directory);
                // Nothing matches yet; the pattern itself says where it would.
                names.extend(if found.is_empty() { vec![text.to_owned()] } else { found });
            } else if is_itself {
                names.push(text.to_owned());
            } else {
                let below = self.matching(&format!("{}/*", text.trim_end_matches('/')), &command.directory);
                names.extend(below.iter().filter_map(|path| path.rsplit('/').next()).map(str::to_owned));
            }
        }
        if parsed.operands.is_empty() {
            names.extend(self.matching("*", &command.directory));
        }
        names
    }

    /// The names that `find` finds in the first levels of its folders.
    pub(super) fn found_names(&self, arguments: &[Word], directory: &Directory) -> Option<Vec<String>> {
        let is_option = |word: &&Word| word.raw.starts_with(['-', '(', '!']);
        let folders: Vec<&str> = arguments
            .iter()
            .take_while(|word| !is_option(word))
            .filter_map(|word| word.text.as_deref())
            .collect();
        let value = |name: &str| {
            let at = arguments.iter().position(|word| word.is(name))?;
            arguments.get(at + 1)?.text.as_deref()
        };
        let name = value("-name")
            .or_else(|| value("-iname"))
            .or_else(|| value("-path").and_then(|path| path.rsplit('/').next()))?;
        let folders = if folders.is_empty() { vec!["."] } else { folders };
        let mut names = Vec::new();
        for folder in folders {
            let folder = folder.trim_end_matches('/');
            for level in ["", "*/", "*/*/"] {
                names.extend(self.matching(&format!("{folder}/{level}{name}"), directory));
            }
        }
        names.truncate(MOST_NAMES);
        Some(names)
    }

    /// The words once for each name that `find` finds, in place of `{}`.
    pub(super) fn filled_find(
        &self,
        words: &[Word],
        arguments: &[Word],
        directory: &Directory,
    ) -> Vec<Vec<Word>> {
        let names = self.found_names(arguments, directory).unwrap_or_default();
        let fill = |name: &String| {
            let word = |word: &Word| match word.text.as_deref() {
                None if word.raw.trim_matches(['\'', '"']) == "{}" => Word::literal(name.clone()),
                _ => word.clone(),
            };
            words.iter().map(word).collect()
        };
        names.iter().map(fill).collect()
    }
}

impl Reader<'_> {
    /// A program that is named by a pattern: `/bin/r? -rf x`.
    pub(super) fn resolve_program(&self, invocation: &mut Invocation) {
        let Some(program) = invocation.words.first_mut().filter(|word| word.glob) else { return };
        let names = self.matching(program.text.as_deref().unwrap_or_default(), &invocation.directory);
        // The first name is the program, the others are its arguments; those that do harm are known by name.
        let is_known = |name: &&String| flyball_programs::program(base_name(name)).is_some();
        let pattern = program.text.as_deref().and_then(|text| text.rsplit('/').next()).unwrap_or_default();
        // Not installed here, or not where the pattern says: a known program of such a name is the best guess.
        let by_name = || HARMFUL.iter().find(|name| is_match(pattern.as_bytes(), name.as_bytes()));
        let found = names.iter().find(is_known).cloned().or_else(|| by_name().map(|name| (*name).to_owned()));
        if let Some(name) = found.filter(|_| self.is_deep()) {
            *program = Word { text: Some(name), raw: program.raw.clone(), glob: false };
        }
    }

    /// What a command starts whose name is found on the disk.
    pub(super) fn named_launches(&self, name: &str, invocation: &Invocation) -> Vec<Launch> {
        let (directory, arguments) = (&invocation.directory, invocation.words.get(1..).unwrap_or_default());
        let words = |program: &str, file: &str| Launch::Words {
            words: vec![Word::literal(program), Word::literal(file)],
            by: name.to_owned(),
        };
        match name {
            "find" | "gfind" => find_launches(&invocation.words, &Input::Unread)
                .into_iter()
                .filter_map(|launch| match launch {
                    Launch::Words { words, by } => Some((words, by)),
                    Launch::Text { .. } | Launch::Unknown { .. } => None,
                })
                .flat_map(|(words, by)| {
                    let filled = self.filled_find(&words, arguments, directory);
                    filled.into_iter().map(move |words| Launch::Words { words, by: by.clone() })
                })
                .collect(),
            "at" | "batch" => {
                let parsed = parse(&AT, arguments);
                let file = parsed.value("f", OptionStyle::Gnu).and_then(|word| word.text.clone());
                file.map(|file| words("sh", &file)).into_iter().collect()
            }
            _ if crate::code::language(name) == Some(Language::Python) => {
                let at = arguments.iter().position(|word| word.is("-m"));
                let module = at.and_then(|at| arguments.get(at + 1)).and_then(|word| word.text.as_deref());
                let path = module.map(|module| module.replace('.', "/")).unwrap_or_default();
                let files = [format!("{path}.py"), format!("{path}/__main__.py")];
                let is_there = |file: &&String| !self.matching(file, directory).is_empty();
                files
                    .iter()
                    .filter(is_there)
                    .filter(|_| !path.is_empty())
                    .map(|file| words("python3", file))
                    .collect()
            }
            _ if is_shell(name) || crate::code::language(name).is_some() => {
                let Some((script, _)) = script_file(name, &invocation.words).filter(|(word, _)| word.glob)
                else {
                    return Vec::new();
                };
                let names = self.matching(script.text.as_deref().unwrap_or_default(), directory);
                names.iter().map(|file| words(name, file)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Whether a pattern of file names matches a name.
fn is_match(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => {
            (0..=name.len()).any(|at| name.get(at..).is_some_and(|end| is_match(rest, end)))
        }
        (Some((b'?', rest)), Some((_, end))) => is_match(rest, end),
        (Some((b'[', rest)), Some((letter, end))) => match rest.iter().position(|byte| *byte == b']') {
            Some(close) => {
                let set = rest.get(..close).unwrap_or_default();
                let is_in = set.contains(letter) || set.contains(&b'-') || set.starts_with(b"!");
                is_in && rest.get(close + 1..).is_some_and(|rest| is_match(rest, end))
            }
            None => false,
        },
        (Some((wanted, rest)), Some((letter, end))) => wanted == letter && is_match(rest, end),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// The grammar of `at`, whose `-f` names a script.
pub(super) const AT: Grammar =
    Grammar { letters: "fqt", optional: "", names: "", option_style: OptionStyle::Gnu };
