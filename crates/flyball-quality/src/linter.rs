//! What a linter is: one declarative entry, the same for the built-in ones and the user's own.

mod output;

use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use regex_lite::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::output::{JsonList, JsonMap, Output};
use crate::finding::Level;
use crate::pipeline::absolute;

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
/// those of `quality.project.folders` that exist (one word each; `.` if none does). `{config}`, `{options}` and names
/// of `finds` are explained there. A program called `builtin:NAME` is a part of flyball: `builtin:json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Entry {
    /// Whether it is used: `false` never, `true` also where the project did not choose it (then it only advises, and not where
    /// another linter of the project does the same).
    pub enabled: Option<bool>,
    /// What in a project says that it chose this linter: a file (`.eslintrc*`), a part of a file (`pyproject.toml [tool.ruff]`),
    /// a command, a hook or a package (`$ ruff format`; with `$ ruff !format` the word behind the name must be another one).
    /// Looked for from the file's folder upwards. Where the project runs it, it acts on the files that it is run on. A linter
    /// of your own needs no signs.
    pub chosen_by: Option<Vec<String>>,
    /// Weaker signs, which count where none of `yields_to` is chosen.
    pub hints: Option<Vec<String>>,
    /// Commands and hooks that show that a project does not want it, unless it runs it or has a section for it: one that runs
    /// `ruff` and never `ruff format` does not want that.
    pub not_if_run: Option<Vec<String>>,
    /// A key of its config, `linter.enabled`: where that is false in the nearest one, the project has switched it off.
    pub off_if: Option<String>,
    /// What it does, for linters of which only one should act on a file: the nearest one that the project chose. Those that check
    /// act together where the project runs both.
    pub job: Option<String>,
    /// Linters that do the same: where the project chose one of them as clearly, this one is silent.
    pub yields_to: Option<Vec<String>>,
    /// Which files its config leaves out, where it does not do that itself for files that are named.
    pub config_files: Option<Vec<ConfigFiles>>,
    /// Which options of the project's own command are used too.
    pub options: Option<TakenOptions>,
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
    /// For a linter that checks the whole project: its errors say what does not compile, so that they count like those of an
    /// edited file [default: false].
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

/// The options of the command by which a project runs a linter: names without dashes, with blanks between them, `=` behind one
/// that takes a value (`=80` for one that counts from this value on), `@` behind one whose value is a path. A formatter whose
/// command has other options does not write.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TakenOptions {
    /// Those that are put in the place of `{options}` in its commands.
    pub passed: String,
    /// Those that change neither what it finds nor what it writes.
    pub idle: String,
    /// Those that leave files out, by patterns as in its config.
    pub excluding: String,
}

/// Which files a config of a linter includes and excludes. The first of those in the nearest folder that has settings of the linter
/// counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ConfigFiles {
    /// The file: TOML, JSON or INI, or a list of patterns if `exclude` is empty.
    pub file: String,
    /// The names of its lists of included files, with blanks between them; those of sections and keys joined by dots:
    /// `tool.mypy.files`.
    pub include: String,
    /// The names of its lists of excluded files.
    pub exclude: String,
    /// How excluded files are written.
    pub patterns: Patterns,
}

/// How a config writes which files it is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Patterns {
    /// Files, folders and globs, below the folder of the config.
    #[default]
    Paths,
    /// The same, or globs of names anywhere.
    Names,
    /// Regular expressions that are searched for in the path.
    Regex,
    /// The same with a `/` in front of the path, as Black does.
    RootedRegex,
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
    /// The same for the whole project, for a linter of files whose findings depend on other files too: what an edit breaks in
    /// other files counts when the agent wants to stop. It runs where the linter's config is. Of several commands, the first
    /// that works counts.
    pub project_commands: Vec<Vec<String>>,
    /// The same for content that comes from standard input; `{file}` only names it, and what it calls
    /// the file does not count. Empty if it cannot: what a file was before is then checked in a copy of the whole project.
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
    /// Whether it is also looked for in the folders above.
    pub upwards: bool,
}

/// How many folders above are searched for a config.
const MOST_ABOVE: usize = 12;

/// Whether a command is for many files at once.
#[must_use]
pub(crate) fn takes_many(command: &[String]) -> bool {
    // At the end, because a linter may need a mark in front of each name: `:{files}`.
    command.iter().any(|word| word.ends_with("{files}"))
}

/// A command in which `{config}` is replaced, given the content of files by name, and `{options}` by those of the project.
#[must_use]
pub fn add_words(
    command: &[String],
    with: &[WithConfig],
    options: &[String],
    read: &dyn Fn(&str) -> Option<String>,
) -> Vec<String> {
    let words = |with: &WithConfig| {
        let above = if with.upwards { MOST_ABOVE } else { 0 };
        let mut places = (0..=above).map(|up| format!("{}{}", "../".repeat(up), with.file));
        // An empty text is in every file, so the file only has to exist.
        let applies = places.find_map(|place| read(&place)).is_some_and(|text| text.contains(&with.contains));
        if applies { with.words.clone() } else { with.otherwise.clone() }
    };
    let expanded = |word: &String| match word.as_str() {
        "{config}" => with.iter().flat_map(words).collect(),
        "{options}" => options.to_vec(),
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
    /// A pattern with the group `word`, or several, one a line, the better one first. The nearest file in which one is found
    /// counts.
    pub pattern: String,
    /// The word is a path relative to that file. Of a file in another folder than the one that the command runs in, it counts
    /// only if it leads there.
    pub is_path: bool,
    /// The word if it is found nowhere.
    pub default: String,
}

impl Find {
    /// The word for a command that runs in a folder, given the folders and contents of such files from the nearest to the farthest.
    #[must_use]
    pub fn find_value(
        &self,
        folder: &AbsolutePath,
        mut files: impl Iterator<Item = (AbsolutePath, String)>,
    ) -> String {
        let patterns: Vec<Regex> =
            self.pattern.trim().lines().filter_map(|pattern| Regex::new(pattern).ok()).collect();
        let found = files.find_map(|(place, text)| {
            let mut all = patterns.iter().flat_map(|pattern| pattern.captures_iter(&text));
            all.find_map(|found| self.value(found.name("word")?.as_str(), &place, folder))
        });
        found.unwrap_or_else(|| self.default.clone())
    }

    /// What a word in a file of this place means in a folder.
    fn value(&self, word: &str, place: &AbsolutePath, folder: &AbsolutePath) -> Option<String> {
        if !self.is_path || place == folder {
            return Some(word.to_owned());
        }
        let path = absolute(place, word);
        if path == *folder {
            return Some(".".to_owned());
        }
        let name = path.strip_folder(folder)?;
        (!name.contains('/')).then(|| name.to_owned())
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

    /// Whether it checks the whole project.
    #[must_use]
    pub fn checks_project(&self) -> bool {
        let has_command = |check: &Check| !check.project_commands.is_empty();
        self.reach == Some(Reach::Project) || self.check.as_ref().is_some_and(has_command)
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
            upwards: false,
        };
        let command = words("run {config} -- {files}");
        let cases = [
            (Some("[x]\n"), "run -c a.toml -- {files}"),
            (Some("[y]\n"), "run -i 2 -- {files}"),
            (None, "run -i 2 -- {files}"),
        ];
        for (content, expected) in cases {
            let read = |name: &str| content.filter(|_| name == "a.toml").map(str::to_owned);
            assert_eq!(add_words(&command, std::slice::from_ref(&with), &[], &read), words(expected));
        }
        assert_eq!(add_words(&command, &[], &[], &|_| None), words("run -- {files}"));
        let above = |name: &str| (name == "../../a.toml").then(|| "[x]\n".to_owned());
        let upwards = WithConfig { upwards: true, ..with.clone() };
        assert_eq!(add_words(&command, &[with], &[], &above), words("run -i 2 -- {files}"));
        assert_eq!(add_words(&command, &[upwards], &[], &above), words("run -c a.toml -- {files}"));
    }

    #[test]
    fn a_command_for_many_files_names_them_in_a_word_of_its_own() {
        assert!(takes_many(&words("run -- {files}")));
        assert!(takes_many(&words("run -- :{files}")));
        assert!(!takes_many(&words("run {file}")));
    }
}
