//! Scripts that a line writes and then runs: `echo 'rm x' > f.sh && sh f.sh`.

use crate::code::language;
use crate::model::{Command, Language, RedirectKind, Word};

use super::launch::{Launch, Shell};
use super::pipes::written_text;
use super::reader::Reader;
use super::scripts::script_file;
use super::unwrap::Invocation;

impl Reader<'_> {
    /// Remembers what the last command wrote into files.
    pub(super) fn remember_written(&mut self) {
        let Some(command) = self.script.commands.last() else { return };
        let is_tee = command.program_name() == Some("tee");
        // Asked for every command, so the common case ends here.
        if command.redirects.is_empty() && !is_tee {
            return;
        }
        let text = written_text(command, &self.input);
        let files: Vec<(String, RedirectKind)> = written_files(command, is_tee).collect();
        let directory = command.directory.clone();
        for (path, kind) in files {
            let before = match kind {
                RedirectKind::Append => self.scope.stored(&path, &directory),
                _ => None,
            };
            let text = text.as_ref().map(|text| match &before {
                // `written_text` leaves the newline of `echo` off, without which two commands become one.
                Some(before) => format!("{before}\n{text}"),
                None => text.clone(),
            });
            self.scope.store(&path, &directory, text);
        }
    }

    /// What a command runs that this line wrote into a file before.
    pub(super) fn stored_script(&self, invocation: &Invocation) -> Option<Launch> {
        if !self.scope.has_files() {
            return None;
        }
        let (name, words) = (invocation.name()?, invocation.words.as_slice());
        let (script, from) = script_file(name, words)?;
        let text = self.scope.stored(script.text.as_deref()?, &invocation.directory)?.to_string();
        let interpreter = match script_language(name, &text) {
            None => {
                let shell = if matches!(name, "." | "source") { Shell::Same } else { Shell::Other };
                return Some(Launch::Text { text, by: name.to_owned(), shell, arguments: from.to_vec() });
            }
            Some(interpreter) => interpreter,
        };
        let rest = from.get(1..).unwrap_or_default();
        // Given as if it were inline code, which the code reader understands.
        let words = interpreter.iter().copied().map(Word::literal).chain([Word::literal(text)]);
        Some(Launch::Words { words: words.chain(rest.iter().cloned()).collect(), by: name.to_owned() })
    }
}

/// The files that the output of a command goes to.
fn written_files(command: &Command, is_tee: bool) -> impl Iterator<Item = (String, RedirectKind)> {
    let takes_output = |descriptor: Option<i32>| descriptor.is_none_or(|descriptor| descriptor == 1);
    let redirected = command.redirects.iter().filter_map(move |redirect| match redirect.kind {
        RedirectKind::Write | RedirectKind::Append if takes_output(redirect.descriptor) => {
            Some((redirect.target.text.clone()?, redirect.kind))
        }
        _ => None,
    });
    let operands = command.arguments.iter().filter(move |_| is_tee);
    let named = operands.filter_map(|word| word.text.clone()).filter(|text| !text.starts_with('-'));
    redirected.chain(named.map(|path| (path, RedirectKind::Write)))
}

/// How the interpreter of a script takes code; `None` for a shell.
fn script_language(name: &str, text: &str) -> Option<&'static [&'static str]> {
    let first = text.lines().next().filter(|line| line.starts_with("#!")).unwrap_or_default();
    let by_mark = ["python", "node", "perl", "ruby", "php"].into_iter().find(|mark| first.contains(mark));
    match language(name).or_else(|| by_mark.and_then(language))? {
        Language::Python => Some(&["python3", "-c"]),
        Language::JavaScript => Some(&["node", "-e"]),
        Language::Perl => Some(&["perl", "-e"]),
        Language::Ruby => Some(&["ruby", "-e"]),
        Language::Php => Some(&["php", "-r"]),
        Language::Lua => Some(&["lua", "-e"]),
        Language::Awk | Language::Sed | Language::AppleScript => None,
    }
}
