//! What a command runs besides itself: text for a shell, or the words of another command.

use std::rc::Rc;

use super::quoting::{Quotes, letters};
use crate::argv::{Grammar, parse};
use crate::model::Word;

/// What a command reads from standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Input {
    /// What the line was started with, or a file.
    #[default]
    Unread,
    Text(Rc<str>),
    /// Something that is known only at run time: a pipe, or text with expansions.
    Unknown,
}

impl Input {
    /// `text` as the input, if it is known.
    pub(super) fn from_text(text: Option<String>) -> Self {
        text.map_or(Self::Unknown, |text| Self::Text(text.into()))
    }
}

/// Something that a command runs.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Launch {
    /// A shell reads this text.
    Text {
        text: String,
        /// How it was passed to the shell.
        by: String,
        /// Whether it runs in the shell that runs the line.
        shell: Shell,
        /// What it is called with: its name first.
        arguments: Vec<Word>,
    },
    /// These words are started as a command.
    Words {
        /// The program and its arguments.
        words: Vec<Word>,
        /// How they were passed to the program that starts them.
        by: String,
    },
    /// A shell reads what cannot be known.
    Unknown {
        /// Which shell it runs in.
        shell: Shell,
    },
}

/// Which shell runs a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shell {
    /// The one that runs the line: what the text changes stays changed.
    Same,
    /// One of its own.
    Other,
}

/// The words, joined by spaces, are the text.
pub(super) fn launch_joined(by: &str, words: &[Word], shell: Shell) -> Vec<Launch> {
    if words.is_empty() {
        return Vec::new();
    }
    // One unknown word may be any text, also one that changes how the others are read.
    let texts: Option<Vec<&str>> = words.iter().map(|word| word.text.as_deref()).collect();
    vec![match texts {
        Some(texts) => {
            Launch::Text { text: texts.join(" "), by: by.to_owned(), shell, arguments: Vec::new() }
        }
        None => Launch::Unknown { shell },
    }]
}

/// `eval`: what is written is shown even if a part of it is only known when it runs.
pub(super) fn launch_eval(words: &[Word]) -> Vec<Launch> {
    let mut found = launch_joined("eval", words, Shell::Same);
    let written = |word: &Word| word.text.clone().or_else(|| template(&word.raw));
    if let [Launch::Unknown { .. }] = found.as_slice()
        && let Some(texts) = words.iter().map(written).collect::<Option<Vec<String>>>()
    {
        let (text, by) = (texts.join(" "), "eval".to_owned());
        found.insert(0, Launch::Text { text, by, shell: Shell::Same, arguments: Vec::new() });
    }
    found
}

/// A shell reads this word.
pub(super) fn launch_text(script: &Word, by: &str) -> Vec<Launch> {
    let shell = Shell::Other;
    match &script.text {
        Some(text) => {
            vec![Launch::Text { text: text.clone(), by: by.to_owned(), shell, arguments: Vec::new() }]
        }
        None => {
            let seen = template(&script.raw).map(|text| Launch::Text {
                text,
                by: by.to_owned(),
                shell,
                arguments: Vec::new(),
            });
            // What is written is shown in addition, so that a guard can name it; the line stays unknown.
            seen.into_iter().chain([Launch::Unknown { shell }]).collect()
        }
    }
}

/// `"… $x …"` as the inner shell would see it if `x` were a plain word: a variable can add
/// commands, but not remove those that are written.
fn template(raw: &str) -> Option<String> {
    if let Some(inner) = raw.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return (!inner.contains('\'')).then(|| inner.to_owned());
    }
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    // `"$x"` alone shows nothing.
    if !inner.contains(char::is_whitespace) {
        return None;
    }
    let inner = &without_arithmetic(inner);
    let has_commands = inner.contains('`') || inner.contains("$(") || inner.contains("${");
    (!has_commands).then(|| letters(inner, Quotes::Double).map(|(letter, _)| letter).collect())
}

/// The text with a number in the place of `$((1 + 1))`.
fn without_arithmetic(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("$((") {
        let Some((inner, after)) = behind.split_once("))") else { break };
        if inner.contains(['$', '`', '(']) {
            break;
        }
        out.push_str(before);
        out.push('0');
        rest = after;
    }
    out + rest
}

/// Whether a program hands on what it reads to a shell on another machine or in a container.
pub(super) fn feeds_elsewhere(name: &str) -> bool {
    matches!(
        name,
        "ssh"
            | "autossh"
            | "mosh"
            | "kubectl"
            | "oc"
            | "docker"
            | "podman"
            | "nerdctl"
            | "docker-compose"
            | "podman-compose"
            | "lxc"
            | "incus"
    )
}

/// The options in front, and what follows them.
pub(super) fn split_options<'a>(words: &'a [Word], grammar: &Grammar) -> (&'a [Word], &'a [Word]) {
    words.split_at_checked(parse(grammar, words).first_operand).unwrap_or((words, &[]))
}

/// The text behind every one of these options, also as in `--exec=text`.
pub(super) fn launch_option_text(by: &str, words: &[Word], names: &[&str]) -> Vec<Launch> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(option) = word.text.as_deref() else { continue };
        let attached = names.iter().find_map(|name| option.strip_prefix(name)?.strip_prefix('='));
        match attached {
            Some(script) => found.extend(launch_text(&Word::literal(script), by)),
            None if names.contains(&option) => {
                found.extend(words.get(at + 1).into_iter().flat_map(|script| launch_text(script, by)));
            }
            None => {}
        }
    }
    found
}
