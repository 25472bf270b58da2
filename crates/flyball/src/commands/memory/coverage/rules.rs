//! What a claim of a rule means in calls.

use flyball_core::text::Words;
use flyball_knowledge::claim::{Claim, Demand, Verb};
use flyball_programs::program;
use flyball_quality::linter::Linter;
use flyball_quality::settings::Settings;

use super::command_line::CommandLine;
use super::phrases::{PHRASES, Phrase};
use super::probe::Probe;
use crate::commands::memory::statements::Statement;

/// Where a rule is.
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) line: usize,
    /// The folder that it covers.
    pub(super) folder: &'a str,
}

/// What a rule wants, in a form that can be tried.
pub(super) struct Demanded {
    pub(super) way: Way,
    pub(super) subject: Subject,
    /// Whether a call may be denied for it, or only asked about.
    pub(super) is_strict: bool,
    /// What is to be used instead.
    pub(super) instead: Option<String>,
    /// Whether programs write the file that it is about: only a hand is to leave it alone.
    pub(super) is_made: bool,
}

/// How it is tried.
pub(super) enum Way {
    /// These calls are stopped.
    Stops(Vec<Probe>),
    /// An agent is held until this command has passed.
    Passes(String),
    /// Edits are checked or formatted by a tool.
    Checks(Check),
}

/// A tool that checks or formats files, as a rule names it: `ruff`, `ruff format`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Check(String);

impl Check {
    pub(super) fn new(line: &str) -> Check {
        Check(line.to_owned())
    }

    pub(super) fn line(&self) -> &str {
        &self.0
    }

    /// What this is in the table of linters: those of its program, and of them those that run the same words, if any does.
    pub(super) fn linters<'l>(&self, settings: &'l Settings) -> Vec<&'l Linter> {
        let mut words = self.0.split_whitespace();
        let (tool, verb) = (words.next().unwrap_or_default(), words.next());
        let of_tool = |linter: &&Linter| linter.name == tool || linter.entry.program() == Some(tool);
        let all: Vec<&Linter> = settings.linters.iter().filter(of_tool).collect();
        let runs = |linter: &&&Linter| {
            let entry = &linter.entry;
            let checks = entry.check.iter().map(|check| &check.command);
            let mut commands = checks.chain(entry.format.iter().flatten().map(|filter| &filter.command));
            commands.any(|command| command.iter().any(|word| Some(word.as_str()) == verb))
        };
        let same: Vec<&Linter> = all.iter().filter(runs).copied().collect();
        if same.is_empty() { all } else { same }
    }
}

/// What it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Command(CommandLine),
    /// A package manager.
    Packages(String),
    /// A file, folder or glob, by its path from the root.
    File(String),
    Tests(String),
    Linter(Check),
}

/// What says that programs write a file.
const MADE: &[&str] = &[
    "by hand",
    "manually",
    "hand-edit",
    "directly",
    "generated",
    "codegen",
    "lock file",
    "lockfile",
    "vendored",
];

/// What a claim of a rule with these words wants, if that can be tried. `is_linter` tells tools that can check edits.
pub(super) fn demanded(
    place: &Place<'_>,
    claim: &Claim,
    words: &str,
    is_linter: &dyn Fn(&str) -> bool,
) -> Option<Demanded> {
    let code = claim.code.trim().trim_start_matches("$ ");
    let (way, subject) = match claim.demand {
        Demand::Forbidden | Demand::AskFirst => stopped(place, claim, code)?,
        Demand::BeforeDone => {
            let command = is_check(code).then(|| code.to_owned())?;
            (Way::Passes(command.clone()), Subject::Tests(command))
        }
        Demand::Used => {
            let tool = code.split_whitespace().next().unwrap_or_default().to_owned();
            if claim.verb == Verb::Format && is_linter(&tool) {
                (Way::Checks(Check::new(code)), Subject::Linter(Check::new(code)))
            } else {
                used_manager(place, code)?
            }
        }
    };
    let is_made = MADE.iter().any(|mark| words.contains(mark));
    Some(Demanded { way, subject, is_strict: claim.is_strict, instead: claim.instead.clone(), is_made })
}

/// What a rule means that names no code.
pub(super) fn from_phrases(place: &Place<'_>, statement: &Statement) -> Option<Demanded> {
    let small = format!("{} {}", statement.lead, statement.text).to_lowercase().replace('\u{2019}', "'");
    let forbids = [
        "never",
        "don't",
        "do not",
        "must not",
        "avoid",
        "no ",
        "not allowed",
        "forbidden",
        "without",
        "ask ",
    ];
    // The words that forbid are in the same sentence, or announce it.
    let mut sentences = small.split(['\n', ';']).flat_map(|line| line.split(". "));
    let is_forbidden = |sentence: &str| forbids.iter().any(|word| sentence.contains(word));
    let fits = |phrase: &str, sentence: &str| phrase.split('&').all(|part| sentence.contains(part));
    let is_announced = is_forbidden(&statement.lead.to_lowercase());
    let (phrase, sentence) = sentences.find_map(|sentence| {
        let found = |phrase: &&Phrase| phrase.words.iter().any(|words| fits(words, sentence));
        let phrase = PHRASES.iter().find(found).filter(|_| is_announced || is_forbidden(sentence));
        phrase.map(|phrase| (phrase, sentence))
    })?;
    let exceptions = ["unless", "without", "except", "ask "];
    let line = if phrase.line == "git push" { push_line(sentence)? } else { phrase.line.to_owned() };
    Some(Demanded {
        way: Way::Stops(vec![shell(&line, place.folder)]),
        subject: Subject::Command(CommandLine::read(&line)),
        is_strict: !exceptions.iter().any(|word| small.contains(word)),
        instead: None,
        is_made: false,
    })
}

/// The push that a sentence forbids: any, or only one to somewhere. `None` if it does not say where plainly.
fn push_line(sentence: &str) -> Option<String> {
    let behind = sentence.split_once("push").map_or("", |(_, behind)| behind);
    let Some((_, target)) = behind.split_once(" to ") else { return Some("git push".to_owned()) };
    let word = target.split_whitespace().next().unwrap_or_default();
    let name = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    let is_name = word.starts_with('`')
        && name.chars().all(|letter| letter.is_alphanumeric() || "-_/.".contains(letter));
    (is_name && !name.is_empty()).then(|| format!("git push {name}"))
}

/// The calls that a claim forbids.
fn stopped(place: &Place<'_>, claim: &Claim, code: &str) -> Option<(Way, Subject)> {
    if let Some(line) = manager_call(code) {
        let probes = vec![shell(line, place.folder)];
        return Some((Way::Stops(probes), Subject::Packages(code.to_owned())));
    }
    let is_file = is_file(code);
    match claim.verb {
        Verb::Edit if is_file => {
            let path = below(place.folder, code);
            let file = concrete(&path);
            let write = Probe::Shell { line: format!("echo x > {file}"), folder: String::new() };
            Some((Way::Stops(vec![Probe::Edit(file), write]), Subject::File(path)))
        }
        Verb::Commit if is_file => {
            let line = format!("git add {code}");
            let probes = vec![shell(&line, place.folder)];
            Some((Way::Stops(probes), Subject::Command(CommandLine::read(&line))))
        }
        Verb::Run | Verb::Format | Verb::Commit | Verb::Edit if !is_file => {
            let line = command(code)?;
            let probes = vec![shell(&line.example(), place.folder)];
            Some((Way::Stops(probes), Subject::Command(line)))
        }
        _ => None,
    }
}

/// `only pnpm`: the other managers of its ecosystem are stopped.
fn used_manager(place: &Place<'_>, code: &str) -> Option<(Way, Subject)> {
    let others: &[&str] = match code {
        "pnpm" => &["npm install left-pad", "yarn add left-pad"],
        "npm" => &["pnpm add left-pad", "yarn add left-pad"],
        "yarn" => &["npm install left-pad", "pnpm add left-pad"],
        "bun" => &["npm install left-pad", "pnpm add left-pad"],
        "uv" => &["pip install requests", "poetry add requests"],
        "poetry" => &["pip install requests", "uv add requests"],
        "pipenv" => &["pip install requests", "poetry add requests"],
        _ => return None,
    };
    let probes = others.iter().map(|line| shell(line, place.folder)).collect();
    Some((Way::Stops(probes), Subject::Packages(code.to_owned())))
}

/// The command by which a bare package manager is tried.
fn manager_call(code: &str) -> Option<&'static str> {
    Some(match code {
        "npm" => "npm install left-pad",
        "yarn" => "yarn add left-pad",
        "pnpm" => "pnpm add left-pad",
        "bun" => "bun add left-pad",
        "npx" => "npx cowsay",
        "pip" | "pip install" | "pip3" => "pip install requests",
        "poetry" => "poetry add requests",
        "pipenv" => "pipenv install requests",
        "uv" => "uv add requests",
        "npm install" | "npm i" => "npm install left-pad",
        "yarn add" => "yarn add left-pad",
        "conda" => "conda install requests",
        _ => return None,
    })
}

/// First words of code, some of which are programs too.
const CODE: Words = Words(
    "as|import|const|let|var|async|await|new|type|return|if|for|while|class|def|fn|pub|use|from|export|try|print|function|\
     test|true|false|in|is|not|select|insert|update|delete|drop",
);

/// A command line that can be judged.
fn command(code: &str) -> Option<CommandLine> {
    let first = code.split_whitespace().next().filter(|first| !CODE.contains(first))?;
    let is_program = program(first).is_some() || first.starts_with("./") && first.len() > 2;
    let is_word = first
        .chars()
        .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_./".contains(letter));
    // Code of a language has words and blanks, too.
    let is_line = code.contains(' ') && is_word && first.contains(['-', '/']);
    // One word may be anything: a name in code, a column, a program.
    if !(is_program && code.contains(' ') || is_line) || code.contains(['{', '}', ';', '|', '&', '>', '(']) {
        return None;
    }
    Some(CommandLine::read(code))
}

/// Whether a piece of code is a file, folder or glob.
fn is_file(code: &str) -> bool {
    let is_plain = !code.contains(char::is_whitespace)
        && !code.starts_with(['-', '$', '~', '@', '<'])
        && !code.contains("://");
    let name = code.trim_end_matches('/').rsplit('/').next().unwrap_or(code);
    let has_ending = name.rsplit_once('.').is_some_and(|(_, ending)| {
        !ending.is_empty()
            && ending.len() <= 8
            && ending.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
    });
    let is_code = code.contains(['(', ')', ':', '=', '{', '"', '\'', ',', '!']);
    is_plain
        && !is_code
        && !code.starts_with("./") | code.contains('.')
        && (code.ends_with('/') || has_ending || code.contains("/*"))
        && code.chars().any(char::is_alphabetic)
}

/// Whether a command line tests, checks or builds.
fn is_check(code: &str) -> bool {
    let Some(line) = command(code) else { return false };
    let marks = [
        "test",
        "check",
        "lint",
        "verify",
        "ci",
        "clippy",
        "pytest",
        "vet",
        "typecheck",
        "tsc",
        "spec",
        "build",
        "mypy",
        "ruff",
        "jest",
        "vitest",
        "tox",
        "nox",
        "qa",
        "validate",
        "fmt",
        "format",
    ];
    let mut parts = line.given().flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric()));
    parts.any(|part| marks.contains(&part))
}

pub(super) fn shell(line: &str, folder: &str) -> Probe {
    Probe::Shell { line: line.to_owned(), folder: folder.to_owned() }
}

/// A path as the root sees it. A name alone counts in the whole folder.
pub(super) fn below(folder: &str, path: &str) -> String {
    let path = path.trim_start_matches("./").trim_start_matches('/');
    if folder.is_empty() || path.starts_with(&format!("{folder}/")) {
        path.to_owned()
    } else {
        format!("{folder}/{path}")
    }
}

/// A file that a path or glob may mean.
fn concrete(path: &str) -> String {
    if let Some(folder) = path.strip_suffix('/') {
        return format!("{folder}/example.txt");
    }
    path.replace("**/", "").replace("**", "example.txt").replace('*', "example")
}
