//! What a linter is: one declarative entry, the same for the built-in ones and the user's own.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding::Level;

/// A linter as it is run: a catalogue entry with the user's changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linter {
    pub name: String,
    /// Who brought it in.
    #[serde(default)]
    pub origin: Origin,
    /// The entry; every field that a run needs is set or has its meaning when it is not.
    pub entry: Entry,
}

/// Who brought a linter in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The catalogue: it acts where a project chose it.
    #[default]
    Catalogue,
    /// The catalogue, and flyball.toml asks for it by name (`enabled = true`).
    Asked,
    /// It is written in flyball.toml.
    Own,
}

/// One linter: `[quality.linters.NAME]`. For a built-in linter each field that is set replaces the
/// built-in one; a new name is a new linter.
///
/// Commands are lists of words, run without a shell. The first word is the program: it is looked for in
/// `.venv/bin` and `node_modules/.bin` of the file's folder and those above it, then on the
/// search path. `{file}` is the file relative to the folder the command runs in, `{files}` all files
/// at once (one word each, with the text before it in the word: `:{files}`), `{folder}` the file's folder,
/// `{root}` the project's root, `{scratch}` an empty folder that is removed afterwards, `{project_folders}`
/// those of `quality.project.folders` that exist (one word each; `.` if none does). `{config}` and names of
/// `finds` are explained there. A program called `builtin:NAME` is a part of flyball: `builtin:json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Entry {
    /// Whether it is used: `false` never, `true` also where the project did not choose it (then it only advises, and not where
    /// another linter of the project does the same).
    pub enabled: Option<bool>,
    /// What in a project says that it chose this linter: a file (`.eslintrc*`), a part of a file (`pyproject.toml [tool.ruff]`),
    /// words of a command, a hook or a list of packages (`$ ruff format`). Looked for from the file's folder upwards. A linter
    /// of your own needs none.
    pub chosen_by: Option<Vec<String>>,
    /// Weaker signs, which count where none of `yields_to` is chosen.
    pub hints: Option<Vec<String>>,
    /// Linters that do the same: where the project chose one of them, and not clearly this one too, this one is silent.
    pub yields_to: Option<Vec<String>>,
    /// The language it belongs to, which `quality.languages` switches.
    pub language: Option<String>,
    /// The files it is for: globs over the path below the project's root; without a `/` over the name.
    pub files: Option<Vec<String>>,
    /// Files it is not for.
    pub exclude: Option<Vec<String>>,
    /// Whether it is a security or dead-code linter, to which `quality.security_exclude` applies.
    pub security: Option<bool>,
    /// It only runs where one of these files is in the file's folder or one above it, up to the project's root.
    pub needs: Option<Vec<String>>,
    /// It does not run where one of these files is, looked for in the same way: another linter is used there.
    pub unless: Option<Vec<String>>,
    /// It only checks files that contain one of these texts: for a slow linter of something rare.
    pub mentions: Option<Vec<String>>,
    /// Do not report it when it is not installed [default: false].
    pub optional: Option<bool>,
    /// Words put in front of its commands, e.g. `["uv", "run"]`. The first one is the program then.
    pub via: Option<Vec<String>>,
    /// Formatters and automatic fixes, run one after the other.
    pub format: Option<Vec<Filter>>,
    /// The check.
    pub check: Option<Check>,
    /// One file at a time, or the whole project when the session has changed several.
    pub reach: Option<Reach>,
    /// For a linter of the whole project: its errors say what does not compile, so that they count like those of an edited file
    /// [default: false].
    pub compiles: Option<bool>,
    /// For a linter of the whole project: report only files that this session changed [default: true].
    pub only_edited: Option<bool>,
    /// Whether what it finds in a file depends on that file alone, or on others too [default: file].
    pub reads: Option<Reads>,
    /// The level of all it finds; without it the linter's own level counts, or `warning`.
    pub level: Option<Level>,
    /// The level of what it finds, by code; `*` at the end of a code matches any rest, and the longest
    /// one that fits counts. Stronger than `level`.
    pub levels: Option<BTreeMap<String, Level>>,
    /// Findings with these codes are left out; `*` at the end matches any rest.
    pub ignore: Option<Vec<String>>,
    /// The same for some files only, by glob: what a template uses is not unused.
    pub ignore_in: Option<BTreeMap<String, Vec<String>>>,
    /// Findings that say that an import cannot be resolved. Where the packages of the project are not installed, they
    /// become one line of advice for each file.
    pub unresolved: Option<Unresolved>,
    /// Its config files: names looked for from the file's folder upwards. Changing one invalidates cached results.
    pub configs: Option<Vec<String>>,
    /// Files of a project with which it runs code of that project: names looked for like `configs`, `*` if it always does.
    /// In a project that nobody trusts, it is left out where one of them is [default: its `configs` that are code].
    pub project_code: Option<Vec<String>>,
    /// Words of its commands that are read from a file of the project: with `[quality.linters.NAME.finds.edition]`
    /// the placeholder `{edition}` is what was found.
    pub finds: Option<BTreeMap<String, Find>>,
    /// Variables set for its commands.
    pub env: Option<BTreeMap<String, String>>,
    /// The oldest version that works.
    pub version: Option<Floor>,
    /// How long one of its commands may take, instead of `quality.timeout_seconds`; 0 is as long as all may take together.
    pub timeout_seconds: Option<u32>,
    /// How much memory one of its commands may use, in megabytes, instead of `quality.memory_mb`; 0 is any amount.
    pub memory_mb: Option<u32>,
    /// How to install it, in one line.
    pub install: Option<String>,
}

/// A command that formats or fixes: it reads the file's content from standard input and prints the
/// new content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// The command.
    pub command: Vec<String>,
    /// The exit codes that mean that it worked [default: 0].
    pub ok: Vec<i32>,
    /// The folder it runs in.
    pub folder: Folder,
    /// It cannot read standard input: it changes the file in place, and `{file}` is the file itself.
    pub in_place: bool,
    /// The same for many files at once and in place, for `flyball lint --fix`. Empty if there is none.
    pub many: Vec<String>,
    /// What `{config}` in its commands becomes.
    pub with_config: Vec<WithConfig>,
    /// Lists which of many files it would change, without changing any. Empty if it cannot: then each
    /// is formatted and compared, as when this ends with another code than 0 or 1.
    pub list: Vec<String>,
    /// How `list` prints them: a pattern with the group `file`, for each line that it prints on either stream.
    /// Files that it was not asked about are ignored.
    pub listed: String,
    /// The linter's check reports all that this would change, so that it is not run where nothing is written.
    pub checked: bool,
    /// Files that it is not for.
    pub exclude: Vec<String>,
    /// Where in the JSON that it prints the new content is: names joined by dots, `[]` for the first of a list. Nothing there
    /// means that nothing changes. Empty if it prints the content itself.
    pub content: String,
    /// How it reports a file that it cannot parse: a pattern with the groups `line`, `column` and `message` for what it prints
    /// on both streams when it fails, or several, one a line. That is a finding then, not a failure.
    pub parse_error: String,
    /// It does more than change the layout (it removes an import, rewrites an expression), so that it does not run between two
    /// edits, but at the end of a turn and for `flyball lint --fix`.
    pub fixes: bool,
}

/// A command that reports findings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Check {
    /// The command. With `{files}` it is run once for many files. Empty if it only reads standard input.
    pub command: Vec<String>,
    /// The same for content that comes from standard input; `{file}` only names it, and what it calls
    /// the file does not count. Empty if it cannot: only a linter that can is able to look at what a
    /// file was before.
    pub stdin_command: Vec<String>,
    /// A pattern for its config files: where one of them matches, it would change the files that it checks, so that they are
    /// given to it on standard input.
    pub writes_if: String,
    /// What `{config}` in its commands becomes.
    pub with_config: Vec<WithConfig>,
    /// The code of findings for which its output names none.
    pub code: String,
    /// The exit codes of a successful run, whatever it found [default: 0 and 1]. Any other
    /// is a failure of the linter, which is reported and never counts as clean; and so is one of these but 0 if
    /// nothing was found.
    pub ran: Vec<i32>,
    /// It failed, whatever its exit code, if this pattern is found in what it prints on either stream; empty
    /// for linters whose exit codes can be trusted.
    pub failed: String,
    /// Findings that only say that it cannot read a file: not a finding, and the file is not clean.
    pub unreadable: Vec<NotRead>,
    /// What it prints.
    pub output: Output,
    /// The file that it writes its report to, below `{scratch}`; empty if it prints it.
    pub output_file: String,
    /// What its columns count.
    pub columns: Columns,
    /// Where it prints it.
    pub stream: Stream,
    /// The folder it runs in.
    pub folder: Folder,
}

/// A finding that says that a linter cannot read a file: it is older than the syntax, or the file is of another kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NotRead {
    /// A pattern for the code and the message with a blank between them: `^SC1071 `.
    pub finding: String,
    /// A pattern that the file's text must match; empty for any text.
    pub text: String,
    /// Globs of the files that this is about; empty for all.
    pub files: Vec<String>,
}

/// Findings about imports that only say that packages are not installed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Unresolved {
    /// A pattern for the code and the message with a blank between them: `^import-not-found `.
    pub finding: String,
    /// The folders that packages are installed in: `.venv`. One of them in the file's folder or one above it, up to the
    /// project's root, means that they are installed.
    pub without: Vec<String>,
}

/// Words for a config file that a linter does not find by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WithConfig {
    /// The file, relative to the folder the command runs in.
    pub file: String,
    /// A text that it must contain; empty if the file only has to exist.
    pub contains: String,
    /// The words if it does.
    pub words: Vec<String>,
    /// The words if it does not.
    pub otherwise: Vec<String>,
}

/// Whether a command is for many files at once.
#[must_use]
pub(crate) fn takes_many(command: &[String]) -> bool {
    // At the end, because a linter may need a mark in front of each name: `:{files}`.
    command.iter().any(|word| word.ends_with("{files}"))
}

/// A command in which `{config}` is replaced, given the content of files by name.
#[must_use]
pub fn add_config_words(
    command: &[String],
    with: &[WithConfig],
    read: &dyn Fn(&str) -> Option<String>,
) -> Vec<String> {
    let words = |with: &WithConfig| {
        // An empty text is in every file, so the file only has to exist.
        let applies = read(&with.file).is_some_and(|text| text.contains(&with.contains));
        if applies { with.words.clone() } else { with.otherwise.clone() }
    };
    let expanded = |word: &String| match word.as_str() {
        "{config}" => with.iter().flat_map(words).collect(),
        _ => vec![word.clone()],
    };
    command.iter().flat_map(expanded).collect()
}

/// Where a command prints its report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// On standard output.
    #[default]
    Stdout,
    /// On standard error.
    Stderr,
    /// On both, one after the other.
    Both,
}

/// Where a command runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Folder {
    /// In the project's root.
    #[default]
    Root,
    /// In the file's folder.
    File,
    /// In the nearest folder, from the file's upwards to the project's root, that contains one of the files that
    /// the linter `needs` (of its `configs` if it needs none); in the project's root if there is none.
    Config,
}

/// What a linter's columns count, from the start of the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Columns {
    /// Characters.
    #[default]
    Characters,
    /// Bytes of UTF-8.
    Bytes,
    /// Units of UTF-16, as JavaScript counts.
    Utf16,
}

/// A word to find in a file of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Find {
    /// The name of the file, looked for from the linted file's folder upwards to the project's root.
    pub file: String,
    /// A pattern with the group `word`. The nearest file in which it is found counts.
    pub pattern: String,
    /// The word if it is found nowhere.
    pub default: String,
}

impl Find {
    /// The word, given the contents of such files from the nearest to the farthest.
    #[must_use]
    pub fn find_value(&self, mut texts: impl Iterator<Item = String>) -> String {
        let found = regex_lite::Regex::new(&self.pattern).ok().and_then(|pattern| {
            texts.find_map(|text| Some(pattern.captures(&text)?.name("word")?.as_str().to_owned()))
        });
        found.unwrap_or_else(|| self.default.clone())
    }
}

impl Entry {
    /// The program that is started first: the first word of the first command.
    #[must_use]
    pub fn program(&self) -> Option<&str> {
        let check = self.check.iter().flat_map(|check| [&check.command, &check.stdin_command]);
        let formats = self.format.iter().flatten().map(|filter| &filter.command);
        let mut commands = self.via.iter().chain(check).chain(formats);
        commands.find_map(|command| command.first()).map(String::as_str)
    }

    /// Whether it is a part of flyball.
    #[must_use]
    pub fn is_builtin(&self) -> bool {
        self.program().is_some_and(|program| program.starts_with(crate::builtin::PREFIX))
    }

    /// The level that `levels` gives to findings with this code.
    #[must_use]
    pub fn level_of(&self, code: &str) -> Option<Level> {
        let matches = |pattern: &str| match pattern.strip_suffix('*') {
            Some(start) => code.starts_with(start),
            None => code == pattern,
        };
        let matching = self.levels.iter().flatten().filter(|(pattern, _)| matches(pattern));
        // The longest pattern is the most specific one.
        matching.max_by_key(|(pattern, _)| pattern.len()).map(|(_, level)| *level)
    }
}

/// How far a linter looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// At one file, after each edit of it.
    #[default]
    File,
    /// At the project, after several edited files and at the end.
    Project,
}

/// What a linter's findings in a file depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reads {
    /// On that file.
    #[default]
    File,
    /// On all files that the linter is for.
    Project,
}

/// The oldest version that works.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Floor {
    /// The words that make the program print its version [default: --version].
    pub ask: Vec<String>,
    /// Older ones are used with a warning: `2.12.0`.
    pub at_least: String,
}

/// The form of what a linter prints.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// SARIF 2.1.
    #[default]
    Sarif,
    /// GitLab's Code Quality JSON.
    Gitlab,
    /// ESLint's JSON, which others print too.
    Eslint,
    /// Messages of cargo, one JSON object a line.
    Cargo,
    /// `go vet -json`.
    GoVet,
    /// Biome's JSON.
    Biome,
    /// jscpd's JSON report.
    Jscpd,
    /// Knip's JSON.
    Knip,
    /// JSON of another shape.
    Json(Box<JsonMap>),
    /// A line for each finding: a pattern with the groups `file`, `line`, `column`, `end_line`, `level`,
    /// `code` and `message`, of which only `message` is needed; or several patterns, one a line, of
    /// which the first that matches counts. Lines that do not match are skipped, but if none
    /// matches, it cannot be read.
    Lines(String),
    /// Diagnostics drawn for people: `error: what is wrong`, and below it `--> file:3:1` or `┌─ file:3:1`.
    Drawn,
    /// Anything printed is one finding about the whole file, with this code.
    Whole(String),
}

/// Where in a linter's JSON the parts of a finding are: names joined by dots.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JsonMap {
    /// One JSON value a line, not one in all.
    pub lines: bool,
    /// The list of findings; empty if the whole is the list. `results[].issues` looks into each of a list;
    /// what is not found in a finding is then looked for in the objects around it.
    pub items: String,
    /// The file.
    pub file: String,
    /// The line.
    pub line: String,
    /// The column.
    pub column: String,
    /// The last line.
    pub end_line: String,
    /// The code.
    pub code: String,
    /// Put in front of the code: `SC`.
    pub code_prefix: String,
    /// The message.
    pub message: String,
    /// The level. `error`, `fatal`, `critical`, `blocker`, `high` are errors; `warning`, `warn`, `medium`,
    /// `moderate`, `major` warnings; `info`, `note`, `style`, `hint`, `low`, `minor`, `convention`,
    /// `refactor`, `notice`, `help`, `none` advisories, unless `levels` says otherwise.
    pub level: String,
    /// The levels that the linter's own words mean.
    pub levels: BTreeMap<String, Level>,
    /// The linter can fix the finding if there is something here.
    pub fixable: String,
    /// Lines and columns count from 0.
    pub from_zero: bool,
    /// Only columns count from 0.
    pub columns_from_zero: bool,
    /// Other lists of findings in the same JSON, e.g. of files that could not be checked.
    pub also: Vec<JsonList>,
}

/// Another list of findings. Their code is that of the check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JsonList {
    /// The list.
    pub items: String,
    /// The file.
    pub file: String,
    /// The line.
    pub line: String,
    /// The message.
    pub message: String,
}

impl JsonList {
    /// The same as a map.
    #[must_use]
    pub fn map(&self) -> JsonMap {
        let JsonList { items, file, line, message } = self.clone();
        JsonMap { items, file, line, message, ..JsonMap::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_config_adds_its_words_where_it_is_and_others_where_it_is_not() {
        let with = WithConfig {
            file: "a.toml".to_owned(),
            contains: "[x]".to_owned(),
            words: words("-c a.toml"),
            otherwise: words("-i 2"),
        };
        let command = words("run {config} -- {files}");
        let cases = [
            (Some("[x]\n"), "run -c a.toml -- {files}"),
            (Some("[y]\n"), "run -i 2 -- {files}"),
            (None, "run -i 2 -- {files}"),
        ];
        for (content, expected) in cases {
            let read = |name: &str| content.filter(|_| name == "a.toml").map(str::to_owned);
            assert_eq!(add_config_words(&command, std::slice::from_ref(&with), &read), words(expected));
        }
        assert_eq!(add_config_words(&command, &[], &|_| None), words("run -- {files}"));
    }

    #[test]
    fn a_command_for_many_files_names_them_in_a_word_of_its_own() {
        assert!(takes_many(&words("run -- {files}")));
        assert!(takes_many(&words("run -- :{files}")));
        assert!(!takes_many(&words("run {file}")));
    }
}
