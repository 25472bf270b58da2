//! Finds the text that a command hands to a shell, and the commands it starts itself: `bash -c`,
//! `eval`, `find -exec`, a here-document read by `sh` …

use std::rc::Rc;

use super::model::{Word, base_name};
use super::quoting::{Quotes, letters};

/// What stands on a command's standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Input {
    /// What the line was started with, or a file.
    #[default]
    Unread,
    /// This text.
    Text(Rc<str>),
    /// Something that only the run will tell: a pipe, or text with expansions.
    Unknown,
}

impl Input {
    /// The input that holds `text`, if that is known.
    pub(super) fn of(text: Option<String>) -> Self {
        text.map_or(Self::Unknown, |text| Self::Text(text.into()))
    }
}

/// Something that a command runs.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Handed {
    /// A shell reads this text.
    Text {
        /// The text.
        text: String,
        /// How it was handed over.
        by: String,
        /// Whether it runs in the shell that runs the line.
        shell: Shell,
    },
    /// These words are started as a command.
    Words {
        /// The program and its arguments.
        words: Vec<Word>,
        /// How they were handed over.
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

/// What `words` run besides the program itself.
pub(super) fn handed(words: &[Word], input: &Input) -> Vec<Handed> {
    let Some((program, arguments)) = words.split_first() else { return Vec::new() };
    let Some(name) = program.text.as_deref().map(base_name) else { return Vec::new() };
    match name {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "ash" | "rbash" => shell(name, arguments, input),
        "eval" => joined("eval", arguments, Shell::Same),
        "trap" => trap(arguments),
        "alias" => arguments.iter().flat_map(alias).collect(),
        "." | "source" => sourced(arguments),
        "watch" => watch(arguments),
        "parallel" => parallel(arguments),
        "su" | "runuser" | "script" | "sg" | "flock" => option_c(name, arguments),
        "find" | "gfind" => find(name, arguments, &["-exec", "-execdir", "-ok", "-okdir"]),
        "fd" | "fdfind" => find(name, arguments, &["-x", "--exec", "-X", "--exec-batch"]),
        _ => Vec::new(),
    }
}

fn shell(name: &str, arguments: &[Word], input: &Input) -> Vec<Handed> {
    let by = |how: &str| format!("{name} {how}");
    let handed = match ShellSource::read(arguments) {
        ShellSource::Text(script) => return text(script, &by("-c")),
        ShellSource::Unknown => Some(Handed::Unknown { shell: Shell::Other }),
        ShellSource::File => None,
        ShellSource::Input => match input {
            Input::Unread => None,
            Input::Unknown => Some(Handed::Unknown { shell: Shell::Other }),
            Input::Text(text) => {
                Some(Handed::Text { text: text.to_string(), by: by("<<"), shell: Shell::Other })
            }
        },
    };
    handed.into_iter().collect()
}

/// Where a shell finds what it runs.
enum ShellSource<'a> {
    Text(&'a Word),
    File,
    Input,
    Unknown,
}

impl<'a> ShellSource<'a> {
    fn read(arguments: &'a [Word]) -> Self {
        let (mut takes_text, mut takes_input) = (false, false);
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let Some(text) = word.text.as_deref() else { return Self::operand(word, takes_text) };
            match text {
                "--" | "-" if takes_input && !takes_text => return Self::Input,
                "--" | "-" => {
                    return words.next().map_or(Self::Input, |word| Self::operand(word, takes_text));
                }
                "--rcfile" | "--init-file" => skip(&mut words, 1),
                _ if text.starts_with("--") => {}
                _ if text.starts_with(['-', '+']) => {
                    takes_text |= text.starts_with('-') && text.contains('c');
                    takes_input |= text.contains('s');
                    // `-o name` and `-O name`, also as in `-euo pipefail`.
                    skip(&mut words, text.matches(['o', 'O']).count());
                }
                _ if takes_input && !takes_text => return Self::Input,
                _ => return Self::operand(word, takes_text),
            }
        }
        if takes_text { Self::Unknown } else { Self::Input }
    }

    fn operand(word: &'a Word, takes_text: bool) -> Self {
        match word.text.as_deref() {
            _ if takes_text => Self::Text(word),
            Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => Self::Input,
            // An unquoted variable may hold options: `bash $X`.
            None if !word.raw.starts_with('"') => Self::Unknown,
            Some(_) | None => Self::File,
        }
    }
}

fn skip<'a>(words: &mut impl Iterator<Item = &'a Word>, count: usize) {
    words.take(count).for_each(|_| {});
}

fn text(script: &Word, by: &str) -> Vec<Handed> {
    let shell = Shell::Other;
    match &script.text {
        Some(text) => vec![Handed::Text { text: text.clone(), by: by.to_owned(), shell }],
        None => {
            let seen = template(&script.raw).map(|text| Handed::Text { text, by: by.to_owned(), shell });
            seen.into_iter().chain([Handed::Unknown { shell }]).collect()
        }
    }
}

/// `"… $x …"` as the inner shell would see it if `x` were a plain word: a variable can bring more
/// commands, but not take away those that are written.
fn template(raw: &str) -> Option<String> {
    if let Some(inner) = raw.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return (!inner.contains('\'')).then(|| inner.to_owned());
    }
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    if !inner.contains(char::is_whitespace) {
        return None;
    }
    let has_commands = inner.contains('`') || inner.contains("$(") || inner.contains("${");
    (!has_commands).then(|| letters(inner, Quotes::Double).map(|(letter, _)| letter).collect())
}

/// The words, joined by spaces, are the text.
fn joined(by: &str, words: &[Word], shell: Shell) -> Vec<Handed> {
    if words.is_empty() {
        return Vec::new();
    }
    let texts: Option<Vec<&str>> = words.iter().map(|word| word.text.as_deref()).collect();
    vec![match texts {
        Some(texts) => Handed::Text { text: texts.join(" "), by: by.to_owned(), shell },
        None => Handed::Unknown { shell },
    }]
}

fn trap(arguments: &[Word]) -> Vec<Handed> {
    let action = arguments.iter().find(|word| !word.is("--"));
    let runs =
        |word: &&Word| !word.text.as_deref().is_some_and(|text| text.is_empty() || text.starts_with('-'));
    action.filter(runs).filter(|_| arguments.len() > 1).map(|word| text(word, "trap")).unwrap_or_default()
}

/// What an alias stands for, as if it ran: whether it does is decided elsewhere.
fn alias(argument: &Word) -> Vec<Handed> {
    let value = argument.text.as_deref().and_then(|text| text.split_once('=')).map(|(_, value)| value);
    match value {
        Some(value) => text(&Word::literal(value), "alias"),
        None if argument.text.is_none() => vec![Handed::Unknown { shell: Shell::Other }],
        None => Vec::new(),
    }
}

/// A file runs like any script; what a command writes is not known.
fn sourced(arguments: &[Word]) -> Vec<Handed> {
    let is_command = |word: &&Word| word.text.is_none() && word.raw.contains('(');
    arguments.first().filter(is_command).map(|_| Handed::Unknown { shell: Shell::Same }).into_iter().collect()
}

/// `watch` joins its words and gives them to a shell, unless told to start them.
fn watch(arguments: &[Word]) -> Vec<Handed> {
    let (options, rest) =
        split_options(arguments, &["-n", "--interval", "-q", "--equexit", "-s", "--shotsdir"]);
    if options.iter().any(|word| word.is("-x") || word.is("--exec")) && !rest.is_empty() {
        return vec![Handed::Words { words: rest.to_vec(), by: "watch".to_owned() }];
    }
    joined("watch", rest, Shell::Other)
}

/// GNU parallel: the words before `:::` are text for a shell, filled in for each input.
fn parallel(arguments: &[Word]) -> Vec<Handed> {
    const VALUED: &[&str] = &[
        "-j",
        "--jobs",
        "-a",
        "--arg-file",
        "-n",
        "--max-args",
        "-N",
        "-P",
        "--max-procs",
        "-S",
        "--sshlogin",
        "-I",
        "--colsep",
        "-d",
        "--delimiter",
        "--joblog",
        "--timeout",
        "--delay",
    ];
    const INPUTS: [&str; 4] = [":::", ":::+", "::::", "::::+"];
    let (_, rest) = split_options(arguments, VALUED);
    let end = rest.iter().position(|word| INPUTS.iter().any(|mark| word.is(mark))).unwrap_or(rest.len());
    match rest.get(..end).unwrap_or_default() {
        // Without a command, the inputs themselves are the commands.
        [] => vec![Handed::Unknown { shell: Shell::Other }],
        words => joined("parallel", &filled(words), Shell::Other),
    }
}

/// The words of a parallel job with a variable where its input goes.
fn filled(words: &[Word]) -> Vec<Word> {
    const INPUT: &str = "\"$PARALLEL\"";
    let has_mark = words.iter().any(|word| word.text.as_deref().is_some_and(|text| text.contains('{')));
    let fill =
        |word: &Word| Word { text: word.text.as_ref().map(|text| text.replace("{}", INPUT)), ..word.clone() };
    words.iter().map(fill).chain((!has_mark).then(|| Word::literal(INPUT))).collect()
}

/// The options in front, and what follows them.
fn split_options<'a>(words: &'a [Word], valued: &[&str]) -> (&'a [Word], &'a [Word]) {
    let mut length = 0;
    while let Some(text) = words.get(length).and_then(|word| word.text.as_deref()) {
        if !text.starts_with('-') {
            break;
        }
        length += if valued.contains(&text) { 2 } else { 1 };
        if text == "--" {
            break;
        }
    }
    words.split_at_checked(length).unwrap_or((words, &[]))
}

/// `su -c 'text'` and its kin.
fn option_c(name: &str, arguments: &[Word]) -> Vec<Handed> {
    let by = format!("{name} -c");
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(option) = word.text.as_deref() else { continue };
        let is_short = option.starts_with('-') && !option.starts_with("--");
        let attached =
            option.strip_prefix("--command=").or_else(|| option.strip_prefix("--session-command="));
        if let Some(script) = attached {
            return text(&Word::literal(script), &by);
        }
        if option == "--command" || option == "--session-command" || (is_short && option.ends_with('c')) {
            return words.next().map(|script| text(script, &by)).unwrap_or_default();
        }
    }
    if name == "runuser" { as_user(arguments) } else { Vec::new() }
}

/// `runuser -u USER [--] CMD`.
fn as_user(arguments: &[Word]) -> Vec<Handed> {
    let valued = ["-u", "--user", "-g", "--group", "-G", "--supp-group"];
    let (options, words) = split_options(arguments, &valued);
    let starts = options.iter().any(|word| word.is("-u") || word.is("--user")) && !words.is_empty();
    starts.then(|| Handed::Words { words: words.to_vec(), by: "runuser".to_owned() }).into_iter().collect()
}

/// `find -exec CMD ;`: the words up to `;` or `+`, with `{}` for the names found.
fn find(name: &str, arguments: &[Word], actions: &[&str]) -> Vec<Handed> {
    let mut found = Vec::new();
    let mut rest = arguments;
    while let Some(at) = rest.iter().position(|word| actions.iter().any(|action| word.is(action))) {
        let action = rest.get(at).and_then(|word| word.text.as_deref()).unwrap_or_default();
        let command = rest.get(at + 1..).unwrap_or_default();
        let ends = |(at, word): (usize, &Word)| word.is(";") || (word.is("+") && ends_names(command, at));
        let length = command.iter().enumerate().position(ends).unwrap_or(command.len());
        let mut words = command.get(..length).unwrap_or_default().to_vec();
        words.iter_mut().for_each(|word| word.forget_mark("{}"));
        if !words.is_empty() {
            found.push(Handed::Words { words, by: format!("{name} {action}") });
        }
        rest = command.get(length..).unwrap_or_default();
    }
    found
}

/// Only a `+` right behind `{}` ends the command.
fn ends_names(command: &[Word], plus: usize) -> bool {
    plus.checked_sub(1).and_then(|before| command.get(before)).is_some_and(|word| word.is("{}"))
}
