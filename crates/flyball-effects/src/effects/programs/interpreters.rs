//! Shells and interpreters: scripts they run, files that one-liners change in place.

use super::super::call::{Call, input_file};
use super::super::code;
use super::super::collector::{Collector, names_file};
use super::super::site::Site;
use super::tools::looks_like_path;
use crate::model::{FileAct, OpaqueReason, Target, Word, input_redirect};

/// Where an interpreter finds what it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Source<'a> {
    /// This file, and where its arguments begin.
    File(&'a Word, usize),
    Text(&'a Word),
    /// This module, and where its arguments begin.
    Module(&'a Word, usize),
    Input,
    /// Nothing: it only prints its version or help.
    Nothing,
}

/// Whether a program is a shell.
pub(in super::super) fn is_shell(name: &str) -> bool {
    matches!(
        name,
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "ash" | "rbash" | "fish" | "csh" | "tcsh"
    )
}

/// Where a shell or interpreter finds what it runs; `None` for other programs.
pub(in super::super) fn source<'a>(name: &str, arguments: &'a [Word]) -> Option<Source<'a>> {
    if crate::windows::is_powershell(name) {
        return Some(powershell(arguments));
    }
    let language = Language::from_name(name)?;
    Some(language.source(arguments))
}

/// PowerShell spells its options with one dash, in any case, and takes the beginning of their names.
fn powershell(arguments: &[Word]) -> Source<'_> {
    const VALUED: &[&str] =
        &["executionpolicy", "version", "workingdirectory", "windowstyle", "outputformat"];
    let mut at = 0;
    while let Some(word) = arguments.get(at) {
        at += 1;
        let lower = word.text.as_deref().unwrap_or_default().to_ascii_lowercase();
        let Some(option) = lower.strip_prefix(['-', '/']).filter(|_| lower != "-") else {
            return if lower == "-" { Source::Input } else { operand(Some(word), at) };
        };
        let next = arguments.get(at);
        match option {
            "c" | "command" | "encodedcommand" | "ec" | "enc" | "e" => {
                let is_input = next.is_some_and(|word| word.is("-"));
                return if is_input { Source::Input } else { next.map_or(Source::Nothing, Source::Text) };
            }
            "f" | "file" => return operand(next, at + 1),
            "h" | "help" | "?" => return Source::Nothing,
            _ if option.len() > 1 && VALUED.iter().any(|known| known.starts_with(option)) => at += 1,
            "ep" | "ex" | "wd" | "w" => at += 1,
            _ => {}
        }
    }
    Source::Input
}

/// How the options of an interpreter are written.
#[derive(Clone, Copy)]
struct Language {
    kind: Kind,
    /// Letters of options that take code.
    code: &'static str,
    /// Long names of options that take code.
    code_names: &'static str,
    /// Letters that take another value.
    valued: &'static str,
    /// Letters that may take the rest of their word.
    ends: &'static str,
    /// Long names that take another value.
    valued_names: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Shell,
    Python,
    Other,
}

const OTHER: Language =
    Language { kind: Kind::Other, code: "e", code_names: "", valued: "", ends: "", valued_names: "" };

/// What the letters behind one dash mean.
enum Letters<'a> {
    Source(Source<'a>),
    /// The number of words behind them that are values.
    Values(usize),
    /// The script is on standard input, whatever follows.
    TakesInput,
}

impl Language {
    fn from_name(name: &str) -> Option<Language> {
        Some(match name {
            _ if is_shell(name) => Language {
                kind: Kind::Shell,
                code: "c",
                valued: "oO",
                valued_names: "rcfile init-file",
                ..OTHER
            },
            _ if is_python(name) => Language { kind: Kind::Python, code: "c", valued: "WX", ..OTHER },
            "node" | "nodejs" | "tsx" | "ts-node" => Language {
                code: "ep",
                code_names: "eval print",
                valued: "rC",
                valued_names: "require import loader env-file conditions",
                ..OTHER
            },
            "perl" => Language { code: "eE", valued: "I", ends: "iFxMmD", ..OTHER },
            "ruby" => Language { valued: "ICr", ends: "iFxK", valued_names: "require", ..OTHER },
            "php" => Language { code: "rBRE", code_names: "run", valued: "dcz", ..OTHER },
            "lua" | "luajit" => Language { valued: "l", ..OTHER },
            "Rscript" | "osascript" | "julia" | "elixir" => {
                Language { code: "eE", code_names: "eval", valued: "lpr", ..OTHER }
            }
            _ => return None,
        })
    }

    fn source<'a>(&self, arguments: &'a [Word]) -> Source<'a> {
        let mut at = 0;
        let mut takes_input = false;
        while let Some(word) = arguments.get(at) {
            at += 1;
            // An unknown word is taken for the script, as the empty text is no option.
            let text = word.text.as_deref().unwrap_or_default();
            match text {
                "-" => return Source::Input,
                "--" if takes_input => return Source::Input,
                "--" => return operand(arguments.get(at), at + 1),
                "--version" | "--help" | "-V" | "-h" => return Source::Nothing,
                _ => {}
            }
            if let Some(long) = text.strip_prefix("--") {
                if lists(self.code_names, long) {
                    return arguments.get(at).map_or(Source::Nothing, Source::Text);
                }
                at += usize::from(lists(self.valued_names, long));
            } else if text.len() > 1 && text.starts_with(['-', '+']) {
                match self.letters(word, arguments.get(at..).unwrap_or_default(), at) {
                    Letters::Source(source) => return source,
                    Letters::Values(count) => at += count,
                    Letters::TakesInput => takes_input = true,
                }
            } else if takes_input {
                return Source::Input;
            } else {
                return operand(Some(word), at);
            }
        }
        Source::Input
    }

    fn letters<'a>(&self, word: &'a Word, next: &'a [Word], at: usize) -> Letters<'a> {
        let letters = word.text.as_deref().and_then(|text| text.get(1..)).unwrap_or_default();
        // `sh -c -- 'text'`
        let next_text = || next.iter().find(|word| !word.is("--")).map_or(Source::Nothing, Source::Text);
        let (mut values, mut takes_input) = (0, false);
        for (start, letter) in letters.char_indices() {
            let is_last = start + letter.len_utf8() == letters.len();
            if self.code.contains(letter) {
                // Letters behind a shell's `c` are options; elsewhere they are the code.
                let is_next = is_last || self.kind == Kind::Shell;
                return Letters::Source(if is_next { next_text() } else { Source::Text(word) });
            }
            match (self.kind, letter) {
                (Kind::Python, 'm') if is_last => {
                    let module = next.first().map(|module| Source::Module(module, at + 1));
                    return Letters::Source(module.unwrap_or(Source::Nothing));
                }
                (Kind::Python, 'm') => return Letters::Source(Source::Nothing),
                (Kind::Shell, 's') => takes_input = true,
                (Kind::Shell, _) if self.valued.contains(letter) => values += 1,
                _ if self.valued.contains(letter) => return Letters::Values(usize::from(is_last)),
                _ if self.ends.contains(letter) => return Letters::Values(0),
                _ => {}
            }
        }
        if takes_input { Letters::TakesInput } else { Letters::Values(values) }
    }
}

fn operand(word: Option<&Word>, rest: usize) -> Source<'_> {
    match word {
        None => Source::Input,
        Some(word) if word.is("-") || word.is("/dev/stdin") || word.is("/dev/fd/0") => Source::Input,
        Some(word) => Source::File(word, rest),
    }
}

fn lists(list: &str, name: &str) -> bool {
    !name.is_empty() && list.split(' ').any(|listed| listed == name)
}

/// `python`, `python3`, `python3.12`, `pypy3`
fn is_python(name: &str) -> bool {
    let rest = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
}

/// Adds what a shell or interpreter does; `false` if `name` is neither.
pub(super) fn interpret(name: &str, site: Site<'_>, found: &mut Collector) -> bool {
    let Some(source) = source(name, site.arguments) else { return false };
    match source {
        Source::File(script, rest) => {
            let arguments = site.arguments.get(rest..).unwrap_or_default();
            run_file(name, script, Site { arguments, ..site }, found);
        }
        Source::Module(module, rest) => {
            let arguments = site.arguments.get(rest..).unwrap_or_default();
            run_module(module, Site { arguments, ..site }, found);
        }
        Source::Input => run_input(name, site, found),
        // What a shell reads is in the script already.
        Source::Text(_) if is_shell(name) => {}
        Source::Text(_) => run_code(name, site, found),
        Source::Nothing => {}
    }
    true
}

fn run_code(name: &str, site: Site<'_>, found: &mut Collector) {
    if !code::run(site, found) {
        found.opaque(OpaqueReason::Code, name);
    }
}

fn run_file(name: &str, script: &Word, site: Site<'_>, found: &mut Collector) {
    let place = |word: &Word| Target::new(word, &site.command.directory);
    found.file(FileAct::Run, place(script), "a script");
    if names_file(script) {
        found.opaque(OpaqueReason::Program, name);
    }
    for word in site.arguments {
        // A script may do anything with the files that it is given.
        if looks_like_path(word) {
            found.file(FileAct::Anything, place(word), "a script");
        }
    }
}

/// `python -m pytest …`: a program by another name.
fn run_module(module: &Word, site: Site<'_>, found: &mut Collector) {
    match module.text.as_deref() {
        Some("http.server" | "this" | "site" | "sysconfig" | "platform" | "timeit" | "dis" | "ast") => {}
        Some("json.tool") => {
            // `json.tool` takes its input and output file like `uniq`.
            found.start("uniq", site);
        }
        // Most modules have the name of the program: `pytest`, `black`, `pip`.
        Some(module) => found.start(module, site),
        None => found.opaque(OpaqueReason::Program, "python -m"),
    }
}

fn run_input(name: &str, site: Site<'_>, found: &mut Collector) {
    if let Some(file) = input_file(site.command) {
        let target = Target::new(file, &site.command.directory);
        found.file(FileAct::Run, target, "a script");
        found.opaque(OpaqueReason::Program, name);
    } else if !is_shell(name)
        && (site.command.place.pipe_in || input_redirect(&site.command.redirects).is_some())
    {
        // Not for a shell: what it reads from the line is in the script already.
        run_code(name, site, found);
    }
}

/// A shell or interpreter.
pub(super) fn run_interpreter(call: &Call, found: &mut Collector) {
    interpret(call.name, call.site(), found);
}

/// `source f`, `. f`
pub(super) fn sourced(call: &Call, found: &mut Collector) {
    call.each(call.operands.iter().copied().take(1), &FileAct::Run, found);
    if call.operands.first().is_some_and(|word| names_file(word)) {
        found.opaque(OpaqueReason::Program, call.name);
    }
}

/// `perl -i`, `ruby -i`: the files after the code are changed.
pub(super) fn in_place(call: &Call, found: &mut Collector) {
    let has_code = call.has("e E");
    if !call.has("i") || !has_code {
        interpret(call.name, call.site(), found);
        if has_code && call.has("n p") {
            call.each_operand(&FileAct::Read, found);
        }
        return;
    }
    call.each_operand(&FileAct::Change, found);
    let codes: Vec<&str> = call.values("e E").filter_map(|word| word.text.as_deref()).collect();
    for word in &call.operands {
        // A substitution is written as in sed.
        super::reading::inserted(call, word, &codes, found);
    }
    run_code(call.name, call.site(), found);
}
