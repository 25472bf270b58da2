//! Finds the text that a command gives to a shell, and the commands it starts itself: `bash -c`,
//! `eval`, `find -exec`, a here-document read by `sh` …

use super::launch::{Input, Launch, Shell, launch_eval, launch_joined, launch_text, split_options};
use super::quoting::quote;
use super::starters::starter_launches;
use crate::argv::Grammar;
use crate::code::{self, Piped};
use crate::model::{CodeAct, Redirect, Word, base_name};
use crate::windows::inner_line;

/// What `words` run besides the program itself.
pub(super) fn find_launches(words: &[Word], input: &Input) -> Vec<Launch> {
    let Some((program, arguments)) = words.split_first() else { return Vec::new() };
    let Some(name) = program.text.as_deref().map(base_name) else { return Vec::new() };
    match name {
        "fish" if has_command_option(arguments) => option_c(name, arguments),
        _ if is_shell(name) => shell(name, arguments, input),
        "eval" => launch_eval(arguments),
        "trap" => trap(arguments),
        "alias" => arguments.iter().flat_map(alias).collect(),
        "." | "source" => sourced(arguments, input),
        "watch" => watch(arguments),
        "parallel" => parallel(arguments, input),
        "su" | "runuser" | "script" | "sg" | "flock" => {
            let found = option_c(name, arguments);
            // Without a command, it is a shell that reads its input.
            if found.is_empty() && name == "su" { shell(name, &[], input) } else { found }
        }
        "sudo" | "doas" if starts_shell(arguments) => shell(name, &[], input),
        "find" | "gfind" => find(name, arguments, &["-exec", "-execdir", "-ok", "-okdir"]),
        "fd" | "fdfind" => find(name, arguments, &["-x", "--exec", "-X", "--exec-batch"]),
        _ => starter_launches(name, arguments, input),
    }
}

/// Whether a program is a shell whose language is read here; plain commands are the same in the others too.
pub(super) fn is_shell(name: &str) -> bool {
    matches!(
        name,
        "sh" | "bash"
            | "zsh"
            | "dash"
            | "ksh"
            | "mksh"
            | "oksh"
            | "ash"
            | "rbash"
            | "hush"
            | "yash"
            | "posh"
            | "csh"
            | "tcsh"
            | "fish"
    )
}

/// `fish --command=text`
fn has_command_option(arguments: &[Word]) -> bool {
    arguments.iter().any(|word| word.text.as_deref().is_some_and(|text| text.starts_with("--command")))
}

/// `sudo -s`, `sudo -i`: a shell, which reads its input.
fn starts_shell(arguments: &[Word]) -> bool {
    let letters = |word: &Word| {
        let text = word.text.as_deref()?;
        text.strip_prefix('-').filter(|rest| !rest.starts_with('-')).map(str::to_owned)
    };
    arguments.iter().any(|word| {
        word.is("--shell")
            || word.is("--login")
            || letters(word).is_some_and(|letters| letters.contains(['s', 'i']))
    })
}

/// The file that `words` run as a script, and the words from it on.
pub(super) fn script_file<'a>(name: &str, words: &'a [Word]) -> Option<(&'a Word, &'a [Word])> {
    let (program, arguments) = words.split_first()?;
    let from = match name {
        _ if is_shell(name) => match ShellSource::read(arguments) {
            ShellSource::File(from) => from,
            ShellSource::Text(..) | ShellSource::Input | ShellSource::Unknown | ShellSource::Nothing => {
                return None;
            }
        },
        "." | "source" => arguments,
        _ if code::language(name).is_some() => interpreted(name, arguments)?,
        // Started by its path: `./f.sh`.
        _ if program.text.as_deref().is_some_and(|text| text.contains('/')) => words,
        _ => return None,
    };
    from.first().map(|script| (script, from))
}

/// What the code that `words` give to an interpreter runs.
pub(super) fn code_launches(words: &[Word], redirects: &[Redirect], piped: Piped<'_>) -> Vec<Launch> {
    let Some((program, arguments)) = words.split_first() else { return Vec::new() };
    let Some(name) = program.text.as_deref().map(base_name) else { return Vec::new() };
    if let Some(line) = inner_line(name, arguments) {
        return launch_text(&Word::literal(line), name);
    }
    let Some(inline) = code::find_inline_code(name, arguments, redirects, piped) else { return Vec::new() };
    let Some(text) = inline.code else { return Vec::new() };
    let started = code::read(inline.language, &text).acts.into_iter().filter_map(|act| match act {
        CodeAct::Shell { line: Some(text) } => {
            Some(Launch::Text { text, by: inline.by.clone(), shell: Shell::Other, arguments: Vec::new() })
        }
        CodeAct::Shell { line: None } => Some(Launch::Unknown { shell: Shell::Other }),
        CodeAct::Command { words } => {
            Some(Launch::Words { words: words.into_iter().map(code_word).collect(), by: inline.by.clone() })
        }
        CodeAct::File { .. } | CodeAct::Network { .. } | CodeAct::Decoded => None,
    });
    started.collect()
}

/// A word of a command that code starts: never split, never expanded.
fn code_word(text: Option<String>) -> Word {
    // A quoted variable stands for a word that is unknown but exactly one.
    text.map_or_else(|| Word::unknown("\"$_\""), Word::literal)
}

fn shell(name: &str, arguments: &[Word], input: &Input) -> Vec<Launch> {
    let by = |how: &str| format!("{name} {how}");
    let launch = match ShellSource::read(arguments) {
        ShellSource::Text(script, rest) => {
            let mut launches = launch_text(script, &by("-c"));
            // The words behind the text are `$0`, `$1` … in it.
            if let Some(Launch::Text { arguments, .. }) = launches.first_mut() {
                *arguments = rest.to_vec();
            }
            return launches;
        }
        ShellSource::Unknown => Some(Launch::Unknown { shell: Shell::Other }),
        ShellSource::Nothing => None,
        // What another command writes is known only where `script_launch` finds it.
        ShellSource::File([script, ..]) if script.text.is_none() && script.raw.starts_with("<(") => {
            Some(Launch::Unknown { shell: Shell::Other })
        }
        // A file that the line itself wrote is found by `stored_script`; any other is reported as run.
        ShellSource::File(_) => None,
        ShellSource::Input => match input {
            Input::Unread => None,
            Input::Unknown => Some(Launch::Unknown { shell: Shell::Other }),
            Input::Text(text) => {
                let (text, by) = (text.to_string(), by("<<"));
                Some(Launch::Text { text, by, shell: Shell::Other, arguments: Vec::new() })
            }
        },
    };
    launch.into_iter().collect()
}

/// The file that an interactive shell reads first: `bash --rcfile f -i`.
pub(super) fn startup_file(name: &str, arguments: &[Word]) -> Option<Launch> {
    if !is_shell(name) {
        return None;
    }
    let at = arguments.iter().position(|word| word.is("--rcfile") || word.is("--init-file"))?;
    let words = vec![Word::literal("sh"), arguments.get(at + 1)?.clone()];
    Some(Launch::Words { words, by: name.to_owned() })
}

/// Where a shell finds what it runs.
enum ShellSource<'a> {
    /// This text, called with these words.
    Text(&'a Word, &'a [Word]),
    /// This file, called with these words.
    File(&'a [Word]),
    Input,
    Unknown,
    /// It only checks the syntax: `bash -n`.
    Nothing,
}

impl<'a> ShellSource<'a> {
    fn read(arguments: &'a [Word]) -> Self {
        let (mut takes_text, mut takes_input) = (false, false);
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let Some(text) = word.text.as_deref() else {
                return Self::operand(word, rest(arguments, &words), takes_text);
            };
            match text {
                "--" | "-" if takes_input && !takes_text => return Self::Input,
                "--" | "-" => {
                    let word = words.next();
                    return word.map_or(Self::Input, |word| {
                        Self::operand(word, rest(arguments, &words), takes_text)
                    });
                }
                "--rcfile" | "--init-file" => skip(&mut words, 1),
                _ if text.starts_with("--") => {}
                _ if text.starts_with('-') && text.contains('n') => return Self::Nothing,
                _ if text.starts_with(['-', '+']) => {
                    // Options are often in one word (`-lc`), and the text may come behind further options.
                    takes_text |= text.starts_with('-') && text.contains('c');
                    takes_input |= text.contains('s');
                    // `-o name` and `-O name`, also as in `-euo pipefail`.
                    skip(&mut words, text.matches(['o', 'O']).count());
                }
                _ if takes_input && !takes_text => return Self::Input,
                _ => return Self::operand(word, rest(arguments, &words), takes_text),
            }
        }
        if takes_text { Self::Unknown } else { Self::Input }
    }

    /// `from` begins with the word itself.
    fn operand(word: &'a Word, from: &'a [Word], takes_text: bool) -> Self {
        match word.text.as_deref() {
            _ if takes_text => Self::Text(word, from.get(1..).unwrap_or_default()),
            Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => Self::Input,
            None if word.raw.starts_with("<(") => Self::File(from),
            // An unquoted variable may contain options: `bash $X`.
            None if !word.raw.starts_with('"') => Self::Unknown,
            Some(_) | None => Self::File(from),
        }
    }
}

/// The words from the one that was read last.
fn rest<'a>(arguments: &'a [Word], read: &std::slice::Iter<'a, Word>) -> &'a [Word] {
    let at = arguments.len().saturating_sub(read.len() + 1);
    arguments.get(at..).unwrap_or_default()
}

fn skip<'a>(words: &mut impl Iterator<Item = &'a Word>, count: usize) {
    words.take(count).for_each(|_| {});
}

fn trap(arguments: &[Word]) -> Vec<Launch> {
    let action = arguments.iter().find(|word| !word.is("--"));
    // `''` ignores the signal, `-` resets it.
    let runs =
        |word: &&Word| !word.text.as_deref().is_some_and(|text| text.is_empty() || text.starts_with('-'));
    action
        .filter(runs)
        // A lone argument is a signal whose action is reset.
        .filter(|_| arguments.len() > 1)
        .map(|word| launch_text(word, "trap"))
        .unwrap_or_default()
}

/// What an alias runs, as if it were called: whether it is, is decided elsewhere.
fn alias(argument: &Word) -> Vec<Launch> {
    let value = argument.text.as_deref().and_then(|text| text.split_once('=')).map(|(_, value)| value);
    match value {
        Some(value) => launch_text(&Word::literal(value), "alias"),
        None if argument.text.is_none() => vec![Launch::Unknown { shell: Shell::Other }],
        None => Vec::new(),
    }
}

/// A file runs like any script; what a command writes is not known.
fn sourced(arguments: &[Word], input: &Input) -> Vec<Launch> {
    if let (Some(file), Input::Text(text)) = (arguments.first(), input)
        && (file.is("/dev/stdin") || file.is("/dev/fd/0"))
    {
        return launch_joined("source", &[Word::literal(text.to_string())], Shell::Same);
    }
    // `source <(…)`: a program writes what this shell runs.
    let is_command = |word: &&Word| word.text.is_none() && word.raw.contains('(');
    arguments.first().filter(is_command).map(|_| Launch::Unknown { shell: Shell::Same }).into_iter().collect()
}

/// `watch` joins its words and gives them to a shell, unless `-x` starts them directly.
fn watch(arguments: &[Word]) -> Vec<Launch> {
    let (options, rest) = split_options(arguments, &Grammar::wrapping("nqs", "interval equexit shotsdir"));
    if options.iter().any(|word| word.is("-x") || word.is("--exec")) && !rest.is_empty() {
        return vec![Launch::Words { words: rest.to_vec(), by: "watch".to_owned() }];
    }
    launch_joined("watch", rest, Shell::Other)
}

/// GNU parallel: the words before `:::` are text for a shell, filled in for each input.
fn parallel(arguments: &[Word], input: &Input) -> Vec<Launch> {
    const OPTIONS: Grammar = Grammar::wrapping(
        "janNPSId",
        "jobs arg-file max-args max-procs sshlogin colsep delimiter joblog timeout delay",
    );
    const INPUTS: [&str; 4] = [":::", ":::+", "::::", "::::+"];
    let (options, rest) = split_options(arguments, &OPTIONS);
    if options.iter().any(|word| word.is("--dry-run") || word.is("--dryrun")) {
        return Vec::new();
    }
    let end = rest.iter().position(|word| INPUTS.iter().any(|mark| word.is(mark))).unwrap_or(rest.len());
    let inputs = rest.get(end..).unwrap_or_default();
    if let Some(jobs) = jobs(rest.get(..end).unwrap_or_default(), inputs) {
        return jobs;
    }
    match rest.get(..end).unwrap_or_default() {
        // Without a command, the inputs themselves are the commands.
        [] => match input {
            Input::Text(text) => {
                let lines = text.lines().take(MOST_JOBS).map(Word::literal);
                lines.flat_map(|line| launch_joined("parallel", &[line], Shell::Other)).collect()
            }
            Input::Unread | Input::Unknown => vec![Launch::Unknown { shell: Shell::Other }],
        },
        words => launch_joined("parallel", &filled(words), Shell::Other),
    }
}

/// More jobs are not read one by one.
const MOST_JOBS: usize = 16;

/// The jobs one by one, where the inputs are few and on the line.
fn jobs(words: &[Word], inputs: &[Word]) -> Option<Vec<Launch>> {
    let (mark, inputs) = inputs.split_first()?;
    if !mark.is(":::") || inputs.len() > MOST_JOBS {
        return None;
    }
    let texts = |words: &[Word]| -> Option<Vec<String>> {
        words.iter().map(|word| word.text.clone().filter(|text| !word.glob && text != ":::")).collect()
    };
    let (words, inputs) = (texts(words)?.join(" "), texts(inputs)?);
    let job = |input: String| match words.as_str() {
        "" => input,
        _ if words.contains("{}") => words.replace("{}", &argument(&input)),
        // `{.}`, `{1}`, `{/}` …: the input changed in ways that are not followed.
        _ if words.contains('{') => format!("{words} \"$PARALLEL\""),
        _ => format!("{words} {}", argument(&input)),
    };
    let jobs = inputs.into_iter().map(|input| Word::literal(job(input)));
    Some(jobs.flat_map(|job| launch_joined("parallel", &[job], Shell::Other)).collect())
}

/// `text` as one word; a leading `~` stays unquoted, because it is the home directory.
fn argument(text: &str) -> String {
    if text.starts_with('~') { text.to_owned() } else { quote(text) }
}

/// The words of a parallel job with a variable where its input goes.
fn filled(words: &[Word]) -> Vec<Word> {
    const INPUT: &str = "\"$PARALLEL\"";
    let has_mark = words.iter().any(|word| word.text.as_deref().is_some_and(|text| text.contains('{')));
    let fill =
        |word: &Word| Word { text: word.text.as_ref().map(|text| text.replace("{}", INPUT)), ..word.clone() };
    words.iter().map(fill).chain((!has_mark).then(|| Word::literal(INPUT))).collect()
}

/// `su -c 'text'` and the like.
fn option_c(name: &str, arguments: &[Word]) -> Vec<Launch> {
    let by = format!("{name} -c");
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(option) = word.text.as_deref() else { continue };
        let is_short = option.starts_with('-') && !option.starts_with("--");
        let attached =
            option.strip_prefix("--command=").or_else(|| option.strip_prefix("--session-command="));
        if let Some(script) = attached {
            return launch_text(&Word::literal(script), &by);
        }
        if option == "--command" || option == "--session-command" || (is_short && option.ends_with('c')) {
            return words.next().map(|script| launch_text(script, &by)).unwrap_or_default();
        }
    }
    if name == "runuser" { as_user(arguments) } else { Vec::new() }
}

/// `runuser -u USER [--] CMD`.
fn as_user(arguments: &[Word]) -> Vec<Launch> {
    let (options, words) = split_options(arguments, &Grammar::wrapping("ugG", "user group supp-group"));
    let starts = options.iter().any(|word| word.is("-u") || word.is("--user")) && !words.is_empty();
    starts.then(|| Launch::Words { words: words.to_vec(), by: "runuser".to_owned() }).into_iter().collect()
}

/// `find -exec CMD ;`: the words up to `;` or `+`, with `{}` for the names found.
fn find(name: &str, arguments: &[Word], actions: &[&str]) -> Vec<Launch> {
    let mut found = Vec::new();
    let mut rest = arguments;
    while let Some(at) = rest.iter().position(|word| actions.iter().any(|action| word.is(action))) {
        let action = rest.get(at).and_then(|word| word.text.as_deref()).unwrap_or_default();
        let command = rest.get(at + 1..).unwrap_or_default();
        // A `+` elsewhere is an ordinary argument of the command.
        let ends = |(at, word): (usize, &Word)| word.is(";") || (word.is("+") && ends_names(command, at));
        let length = command.iter().enumerate().position(ends).unwrap_or(command.len());
        let mut words = command.get(..length).unwrap_or_default().to_vec();
        // The names are known only when it runs; GNU find replaces `{}` inside a word as well.
        words.iter_mut().for_each(|word| word.forget_mark("{}"));
        if !words.is_empty() {
            found.push(Launch::Words { words, by: format!("{name} {action}") });
        }
        rest = command.get(length..).unwrap_or_default();
    }
    found
}

/// Only a `+` right behind `{}` ends the command.
fn ends_names(command: &[Word], plus: usize) -> bool {
    plus.checked_sub(1).and_then(|before| command.get(before)).is_some_and(|word| word.is("{}"))
}

/// The words from the script on, of the words behind an interpreter.
fn interpreted<'a>(name: &str, arguments: &'a [Word]) -> Option<&'a [Word]> {
    arguments.get(code::script_operand(name, arguments)?..)
}
