//! Reads a bash, sh or zsh command line into a flat list of the commands it would run.
//!
//! The list is ours: no type of the parser underneath leaves this folder. What cannot be read is
//! reported in [`Script::unknown`]; nothing is ever left out silently, because a guard that relies
//! on this would let it pass.
//!
//! [`parse`] checks the limits (`limits`), lets the parser build its tree (`reader`), walks it
//! (`statements`, `control`, `words`, `expansions`, `redirects`), and takes wrappers such as
//! `sudo` and `bash -c` off every command (`commands`, `unwrap`, `scripts`). The parser is young:
//! `mask` hides from it what it stumbles over, `coverage` checks that it left nothing out.

mod ansi;
mod assignments;
mod braces;
mod changes;
mod commands;
mod containers;
mod control;
mod coverage;
mod declarations;
mod directories;
mod directory;
mod endless;
mod expansions;
mod file_budget;
mod files;
mod filters;
mod git;
mod guesses;
mod implicit;
mod launch;
mod limits;
mod mask;
mod names;
mod operations;
mod option_files;
mod pipes;
mod plain;
mod quoting;
mod reader;
mod redirects;
mod runs;
mod scope;
mod scripts;
mod span;
mod starters;
mod statements;
mod stored;
mod tasks;
mod unwrap;
mod variables;
mod words;

#[cfg(test)]
mod tests;

use crate::model::{Command, Disk, Script, Word, WrittenText};
use launch::Input;
use reader::{Budget, Text, read};

/// What `source` would run.
///
/// Never fails and never panics: a line that cannot be read, in whole or in part, has something
/// in [`Script::unknown`], and must then not be taken for harmless.
pub fn parse(source: &str) -> Script {
    parse_with(source, &[])
}

/// What `source` would run, where these programs too only start another one.
pub fn parse_with(source: &str, wrappers: &[String]) -> Script {
    // The shortcut does not look for wrappers that a user declared.
    let plain = if wrappers.is_empty() { plain::read(source) } else { None };
    plain.unwrap_or_else(|| parse_fully(source, wrappers))
}

pub use containers::mounted_folders;
pub(crate) use implicit::runs_project_code;

/// Whether a text that is not read has a word in it such as `rm`.
pub fn may_harm(text: &str) -> bool {
    limits::harmful_part(text).is_some()
}

/// Whether reading the files around a command may show that it starts more than its words say. Asked for every line,
/// so that a line without such a command costs nothing more.
pub(crate) fn starts_more(command: &Command) -> bool {
    let Some(name) = command.program_name() else { return true };
    let arguments = &command.arguments;
    let is_set = |(name, _): &(String, Word)| {
        runs::VARIABLES.contains(&name.as_str())
            || option_files::leads_to_options(name)
            || name.starts_with("GIT_")
            || matches!(name.as_str(), "EDITOR" | "VISUAL")
    };
    let has = |part: &str| arguments.iter().any(|word| word.raw.to_ascii_lowercase().contains(part));
    let is_filled =
        |wrapper: &String| matches!(wrapper.split(' ').next(), Some("xargs" | "find" | "fd" | "parallel"));
    command.assignments.iter().any(is_set)
        || command.program.glob
        || command.wrappers.iter().any(is_filled)
        || match name {
            // Only a variable that another program goes by.
            "export" | "declare" | "typeset" => {
                let names = arguments.iter().map(|word| word.raw.split('=').next().unwrap_or_default());
                names
                    .into_iter()
                    .any(|name| runs::VARIABLES.contains(&name) || option_files::leads_to_options(name))
            }
            "bash" | "sh" | "zsh" => has("--rcfile") || has("--init-file"),
            // Only with settings of its own does it start more than its verbs say.
            "git" => has("core.") || has("alias.") || has("sequence."),
            _ if launch::feeds_elsewhere(name) => {
                !command.redirects.is_empty()
                    || command.place.pipe_in
                    || (matches!(name, "docker" | "podman" | "nerdctl") && (has("-v") || has("--mount")))
            }
            "python" | "python3" => arguments.iter().any(|word| word.is("-m")) && !has("pytest"),
            "at" | "batch" => true,
            "curl" | "wget" => option_files::has_option_file(name, arguments),
            "go" => arguments.first().is_some_and(|verb| verb.is("run")),
            "awk" | "gawk" | "mawk" | "sed" | "gsed" => has("-f") || has("--file"),
            _ if command.place.pipe_in
                && command.input.is_none()
                && crate::code::language(name).is_some() =>
            {
                true
            }
            "uv" | "poetry" | "hatch" | "pdm" | "pipx" | "pipenv" | "bundle" | "npx" | "bunx" | "pnpx"
            | "uvx" => !runs::starts_checker(name, arguments),
            _ => tasks::runs_tasks(name),
        }
        || !runs::text_launches(name, arguments, &Input::Unread).is_empty()
        || (!command.redirects.is_empty() && runs::reads_input(name))
        || guesses::may_guess(name, command)
}

/// The same, without the shortcut for plain lines.
fn parse_fully(source: &str, wrappers: &[String]) -> Script {
    read(Text::line(source), 0, None, &mut Budget::new(wrappers))
}

/// What `source` would run, with what the files say that it runs.
pub(crate) fn parse_deeply(source: &str, wrappers: &[String], disk: &dyn Disk) -> Deep {
    let mut budget = Budget::new(wrappers);
    let script = read(Text::line(source), 0, Some(disk), &mut budget);
    let mut guessed = Script::default();
    for text in budget.guesses.take() {
        let inner = read(text, 1, Some(disk), &mut budget);
        guessed.commands.extend(inner.commands);
    }
    Deep { script, guessed, written: std::mem::take(&mut budget.written), files: budget.files.into_names() }
}

/// What a deep reading found.
#[derive(Debug)]
pub(crate) struct Deep {
    pub(crate) script: Script,
    /// What programs would start of which nothing is known, if they start what they are given.
    pub(crate) guessed: Script,
    pub(crate) files: Vec<String>,
    /// The files that the line writes, where their whole text is known.
    pub(crate) written: Vec<WrittenText>,
}
