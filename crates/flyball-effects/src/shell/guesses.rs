//! Programs of which nothing is known may start what they are given: `corp-wrap -- rm -rf x`.
//!
//! These commands are listed apart from those of the line: a guard may ask about them, but not deny them.

use flyball_programs::{Behaviour, Kind, program};

use super::launch::Input;
use super::quoting::quote;
use super::reader::{Form, Reader, Text};
use super::unwrap::Invocation;
use crate::model::{Command, Place, Word, base_name};

/// More texts are not guessed for one line.
const MOST_GUESSES: usize = 16;
/// Longer texts are documents.
const MOST_BYTES: usize = 4096;
/// Verbs and options behind which a text is for people.
const FOR_PEOPLE: &[&str] = &[
    "message",
    "msg",
    "title",
    "body",
    "description",
    "desc",
    "text",
    "note",
    "notes",
    "comment",
    "query",
    "prompt",
    "name",
    "subject",
    "label",
    "summary",
    "reason",
    "m",
    "t",
    "b",
    "d",
    "q",
    "create",
    "add",
    "log",
    "say",
    "echo",
    "print",
    "search",
    "find",
    "notify",
    "send",
    "ask",
    "reply",
    "remember",
    "update",
    "close",
    "grep",
    "explain",
];

impl Reader<'_> {
    /// Notes what a program of which nothing is known may start.
    pub(super) fn guess(&mut self, name: &str, invocation: &Invocation, input: &Input) {
        if self.budget.guesses.0.len() >= MOST_GUESSES || !is_unknown(name) {
            return;
        }
        let arguments = invocation.words.get(1..).unwrap_or_default();
        let mut texts = given_texts(arguments);
        texts.extend(behind(arguments));
        if let Input::Text(text) = input {
            texts.extend(Some(text.to_string()).filter(|text| starts_program(text)));
        }
        for source in texts.into_iter().filter(|text| text.len() <= MOST_BYTES).take(MOST_GUESSES) {
            self.budget.guesses.0.push(Text {
                source,
                form: Form::Commands,
                place: Place::default(),
                wrappers: invocation.wrappers.iter().cloned().chain([name.to_owned()]).collect(),
                scope: self.scope.inherited(invocation.directory.clone()),
                input: Input::default(),
            });
        }
    }
}

/// Whether a command has something that may be guessed.
pub(super) fn may_guess(name: &str, command: &Command) -> bool {
    is_unknown(name)
        && (!command.redirects.is_empty()
            || !given_texts(&command.arguments).is_empty()
            || !behind(&command.arguments).is_empty())
}

/// Whether nothing is known of a program but perhaps its name.
fn is_unknown(name: &str) -> bool {
    let Some(known) = program(name) else { return !name.is_empty() && crate::code::language(name).is_none() };
    matches!(known.does, None | Some(Behaviour::Unsure))
        && !matches!(known.kind, Kind::Builtin | Kind::Shell | Kind::TestRunner | Kind::Linter)
}

/// Words of several words that begin with a program.
fn given_texts(arguments: &[Word]) -> Vec<String> {
    let mut found = Vec::new();
    let mut before = "";
    for word in arguments {
        let Some(text) = word.text.as_deref() else {
            before = "";
            continue;
        };
        let (name, value) = match text.split_once('=') {
            Some((name, value)) if name.starts_with('-') => (name, value),
            _ => (before, text),
        };
        let is_for_people = FOR_PEOPLE.contains(&name.trim_start_matches('-'));
        let value = value.trim_start_matches(['!', ':', '@', ' ']);
        if !is_for_people && value.contains(' ') && starts_program(value) {
            found.push(value.to_owned());
        }
        before = text;
    }
    found
}

/// The words from each of the first programs among the arguments on.
fn behind(arguments: &[Word]) -> Vec<String> {
    const MOST_STARTS: usize = 3;
    let starts = arguments.iter().enumerate().filter(|(at, word)| {
        let before = at.checked_sub(1).and_then(|at| arguments.get(at)).and_then(|word| word.text.as_deref());
        let is_for_people = before.is_some_and(|text| FOR_PEOPLE.contains(&text.trim_start_matches('-')));
        !is_for_people && arguments.len() > at + 1 && word.text.as_deref().is_some_and(is_program)
    });
    let spelled = |word: &Word| match word.text.as_deref() {
        Some(text) if text.starts_with('~') || word.glob => text.to_owned(),
        Some(text) => quote(text),
        None => word.raw.clone(),
    };
    starts
        .take(MOST_STARTS)
        .map(|(at, _)| arguments.iter().skip(at).map(spelled).collect::<Vec<_>>().join(" "))
        .collect()
}

fn starts_program(text: &str) -> bool {
    text.split_ascii_whitespace().next().is_some_and(is_program)
}

/// Whether a word names a program that we know: not a flag, and not a word of a sentence.
fn is_program(text: &str) -> bool {
    let name = base_name(text);
    name == "sudo" || program(name).is_some_and(|known| known.kind != Kind::Builtin && name.len() > 1)
}
