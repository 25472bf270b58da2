//! Checks a linter's entry before it is ever run.

use regex_lite::Regex;

use crate::builtin;
use crate::linter::{Check, Entry, Filter, Find, Output};

/// Placeholders that every command knows.
const PLACEHOLDERS: &[&str] =
    &["file", "files", "folder", "root", "scratch", "project_folders", "config", "options"];

/// Those that are replaced by any number of words.
const LISTS: &[&str] = &["{files}", "{project_folders}", "{config}", "{options}"];

/// Something wrong with an entry.
pub(super) struct EntryError {
    /// What is wrong, in words that follow the linter's name.
    pub(super) what: String,
    /// What to do about it.
    pub(super) help: Option<String>,
}

impl EntryError {
    fn new(what: impl Into<String>) -> EntryError {
        EntryError { what: what.into(), help: None }
    }

    fn with_help(mut self, help: impl Into<String>) -> EntryError {
        self.help = Some(help.into());
        self
    }
}

/// All that is wrong with an entry that has the user's changes.
pub(super) fn entry(entry: &Entry) -> Vec<EntryError> {
    let filters = entry.format.as_deref().unwrap_or_default();
    let mut wrong: Vec<EntryError> = whole(entry, filters).into_iter().collect();
    wrong.extend(names(entry));
    wrong.extend(filters.iter().flat_map(filter));
    wrong.extend(entry.check.iter().flat_map(check));
    wrong.extend(commands(entry, filters));
    wrong.extend(entry.finds.iter().flatten().filter_map(|(name, find)| found(name, find)));
    wrong.extend(entry.unresolved.as_ref().and_then(|it| pattern("unresolved.finding", &it.finding, None)));
    wrong.extend(entry.version.as_ref().and_then(|floor| version(&floor.at_least)));
    wrong
}

/// A glob that does not work, and why.
pub(super) fn glob(glob: &str) -> Option<String> {
    if glob.starts_with('/') {
        return Some(format!("the glob `{glob}` begins with `/`, but is compared with paths below the root"));
    }
    let error = fast_glob::validate(glob).err()?;
    Some(format!("invalid glob `{glob}`: {error}"))
}

/// What belongs to a linter as a whole.
fn whole(entry: &Entry, filters: &[Filter]) -> Option<EntryError> {
    if entry.files.as_ref().is_none_or(Vec::is_empty) {
        return Some(EntryError::new("it has no files").with_help("name some: `files = [\"*.elm\"]`"));
    }
    if filters.is_empty() && entry.check.is_none() {
        let help = "give it a `check` or a `format` command";
        return Some(EntryError::new("it neither checks nor formats").with_help(help));
    }
    None
}

fn names(entry: &Entry) -> Vec<EntryError> {
    let inner = entry.ignore_in.iter().flatten().map(|(glob, _)| glob);
    let globs = entry.files.iter().flatten().chain(entry.exclude.iter().flatten()).chain(inner);
    let globs = globs.filter_map(|text| glob(text).map(EntryError::new));
    let lists = [("needs", &entry.needs), ("unless", &entry.unless), ("configs", &entry.configs)];
    let files = lists.into_iter().flat_map(|(key, list)| {
        list.iter().flatten().filter(|name| !is_name(name)).map(move |name| {
            let what = format!("`{name}` in `{key}` is not a file name");
            EntryError::new(what).with_help("it is looked for in the file's folder and those above it")
        })
    });
    let codes = entry.ignore.iter().flatten().chain(entry.levels.iter().flatten().map(|(code, _)| code));
    let codes =
        codes.filter(|code| code.is_empty() || code.trim_end_matches('*').contains('*')).map(|code| {
            EntryError::new(format!("invalid code `{code}`")).with_help("`*` is only allowed at the end")
        });
    globs.chain(files).chain(codes).collect()
}

fn is_name(name: &str) -> bool {
    let is_wild = name.contains(['*', '?']);
    // Names are looked up in folder after folder, not matched, and `..` would leave the project.
    !name.is_empty() && !is_wild && !name.starts_with('/') && !name.split('/').any(|part| part == "..")
}

fn filter(filter: &Filter) -> Vec<EntryError> {
    let mut wrong = Vec::new();
    let patterns = filter.parse_error.lines().filter(|line| !line.is_empty());
    wrong.extend(patterns.filter_map(|line| pattern("parse_error", line, Some("line"))));
    wrong.extend(filter.exclude.iter().filter_map(|text| glob(text).map(EntryError::new)));
    if filter.command.is_empty() {
        wrong.push(EntryError::new("its `format` has an empty `command`"));
    }
    if filter.command.iter().any(|word| word.ends_with("{files}")) {
        let what = "its `format` command has `{files}`, but formats one file";
        wrong.push(EntryError::new(what).with_help("write `{file}`; `many` is for many files"));
    }
    for (key, command) in [("many", &filter.many), ("list", &filter.list)] {
        if !command.is_empty() && !command.iter().any(|word| word.ends_with("{files}")) {
            wrong.push(EntryError::new(format!("its `{key}` command has no word `{{files}}`")));
        }
    }
    if filter.list.is_empty() == filter.listed.is_empty() {
        let listed = Some(&filter.listed).filter(|listed| !listed.is_empty());
        wrong.extend(listed.and_then(|listed| pattern("listed", listed, Some("file"))));
    } else {
        wrong.push(EntryError::new("`list` and `listed` only make sense together"));
    }
    wrong
}

fn check(check: &Check) -> Vec<EntryError> {
    let mut wrong = Vec::new();
    if check.command.is_empty() && check.stdin_command.is_empty() {
        wrong.push(EntryError::new("its `check` has an empty `command`"));
    }
    // Elsewhere the report would stay in the project.
    if !check.output_file.is_empty() && !check.output_file.starts_with("{scratch}/") {
        let what = format!("its `output_file` is `{}`", check.output_file);
        wrong.push(EntryError::new(what).with_help("it must be below `{scratch}`: `{scratch}/report.json`"));
    }
    match &check.output {
        Output::Lines(patterns) if patterns.trim().is_empty() => {
            wrong.push(EntryError::new("`output.lines` has no pattern"));
        }
        Output::Lines(patterns) => {
            let lines = patterns.lines().map(str::trim).filter(|line| !line.is_empty());
            wrong.extend(lines.filter_map(|line| pattern("output.lines", line, Some("message"))));
        }
        Output::Json(map) if map.message.is_empty() => {
            wrong.push(EntryError::new("`output.json` does not say where the `message` is"));
        }
        Output::Whole(code) if code.is_empty() => {
            wrong.push(EntryError::new("`output.whole` does not say the code of its findings"));
        }
        _ => {}
    }
    wrong.extend(pattern("failed", &check.failed, None));
    wrong.extend(pattern("writes_if", &check.writes_if, None));
    for rule in &check.unreadable {
        wrong.extend(pattern("unreadable.finding", &rule.finding, None));
        wrong.extend(pattern("unreadable.text", &rule.text, None));
        wrong.extend(rule.files.iter().filter_map(|text| glob(text).map(EntryError::new)));
    }
    wrong
}

/// What is wrong with a pattern, or with the group that it should have.
fn pattern(key: &str, text: &str, group: Option<&str>) -> Option<EntryError> {
    match Regex::new(text) {
        Err(error) => Some(EntryError::new(format!("invalid pattern `{text}` in `{key}`: {error}"))),
        Ok(pattern) => {
            let group =
                group.filter(|group| !pattern.capture_names().flatten().any(|name| name == *group))?;
            let what = format!("`{text}` in `{key}` has no group `{group}`");
            Some(
                EntryError::new(what).with_help(format!("put `(?<{group}>…)` around the part that is meant")),
            )
        }
    }
}

/// What is wrong with the words of commands.
fn commands(entry: &Entry, filters: &[Filter]) -> Vec<EntryError> {
    let of_filters = filters.iter().flat_map(|filter| [&filter.command, &filter.many, &filter.list]);
    let of_check = entry.check.iter().flat_map(|check| [&check.command, &check.stdin_command]);
    let all: Vec<&Vec<String>> = of_filters.chain(of_check).collect();
    let programs = all.iter().filter_map(|command| command.first());
    let mut wrong: Vec<EntryError> = programs.filter_map(|program| unknown_builtin(program)).collect();
    let finds: Vec<&str> = entry.finds.iter().flatten().map(|(name, _)| name.as_str()).collect();
    wrong.extend(all.into_iter().flatten().filter_map(|word| placeholder(word, &finds)));
    wrong
}

fn unknown_builtin(program: &str) -> Option<EntryError> {
    let is_unknown = program.starts_with(builtin::PREFIX)
        && builtin::check(program, "", "").is_none()
        && builtin::format(program, "", "").is_none();
    is_unknown.then(|| EntryError::new(format!("flyball has no linter `{program}`")))
}

/// A placeholder that is unknown, or that is not a word of its own.
fn placeholder(word: &str, finds: &[&str]) -> Option<EntryError> {
    // `{}` and `{"json": …}` are ordinary text of a command.
    let is_name =
        |name: &&str| !name.is_empty() && name.chars().all(|one| one.is_ascii_lowercase() || one == '_');
    let mut names = word.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).filter(is_name);
    names.find_map(|name| {
        let known = || PLACEHOLDERS.iter().chain(finds).copied();
        if !known().any(|other| other == name) {
            let near = flyball_core::nearest::nearest(name, known());
            let all = || known().map(|name| format!("`{{{name}}}`")).collect::<Vec<_>>().join(", ");
            let help = near
                .map_or_else(|| format!("there are {}", all()), |near| format!("did you mean `{{{near}}}`?"));
            return Some(EntryError::new(format!("unknown placeholder `{{{name}}}`")).with_help(help));
        }
        // The text before `{files}` is put before each of them.
        let list = LISTS.iter().find(|list| list.trim_matches(['{', '}']) == name)?;
        let is_whole = word == *list || (name == "files" && word.ends_with(list));
        (!is_whole)
            .then(|| EntryError::new(format!("`{list}` must be a separate word, not a part of `{word}`")))
    })
}

fn found(name: &str, find: &Find) -> Option<EntryError> {
    if PLACEHOLDERS.contains(&name) {
        return Some(EntryError::new(format!("`finds.{name}` would hide the placeholder `{{{name}}}`")));
    }
    if !is_name(&find.file) {
        return Some(EntryError::new(format!("`finds.{name}` does not say in which `file`")));
    }
    let mut patterns = find.pattern.trim().lines();
    patterns.find_map(|line| pattern(&format!("finds.{name}"), line, Some("word")))
}

fn version(text: &str) -> Option<EntryError> {
    let is_number = |part: &str| part.parse::<u64>().is_ok();
    let is_version = text.split('.').all(is_number);
    (!is_version)
        .then(|| EntryError::new(format!("invalid version `{text}`")).with_help("write it like `2.12.0`"))
}
