//! `flyball try`: shows what would be decided about command lines, edits and events, without running or recording them.

mod input;
mod judge;
mod page;
mod preset;
mod stop;

use std::path::PathBuf;

use clap::Args;
use flyball_core::path::AbsolutePath;

use self::input::Found;
use self::judge::Judge;
use self::stop::{Counts, Tried};
use crate::environment;
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::terminal::Terminal;

/// Arguments of `flyball try`.
#[derive(Args)]
#[command(
    after_help = "Nothing is run and nothing is recorded. Everything is judged by itself, with this project's config and files; \
linters, tests and models are not asked. The exit code is 0 whatever is found.

  flyball try 'git push --force'                        one line: who decides, why, and where that is set
  flyball try --edit ruff.toml                          may an agent edit this file?
  flyball try --edit app.py --content-file new.py       would this new content be allowed?
  flyball try --file payload.json                       an event, as a client sends it to a hook
  flyball try --file ~/.zsh_history --preset strict     would it be in my way?
  flyball try --file lines.txt --json                   for other programs"
)]
pub(crate) struct Arguments {
    /// A command line
    #[arg(value_name = "LINE", conflicts_with_all = ["file", "edit"])]
    line: Option<String>,
    /// A file, or `-` for standard input: an event in JSON as a client sends it; or command lines, one on each line, the
    /// history of bash or zsh, or JSON with a `command` on each line
    #[arg(long, value_name = "FILE", conflicts_with = "edit")]
    file: Option<PathBuf>,
    /// A file that an agent would edit; without a content, an empty line is added
    #[arg(long, value_name = "FILE")]
    edit: Option<String>,
    /// What the edit makes of the file
    #[arg(long, value_name = "TEXT", requires = "edit")]
    content: Option<String>,
    /// The same, from a file, or `-` for standard input
    #[arg(long, value_name = "FILE", requires = "edit", conflicts_with = "content")]
    content_file: Option<PathBuf>,
    /// Judge with this preset of `guard.commands`
    #[arg(long, value_parser = ["standard", "strict", "paranoid"])]
    preset: Option<String>,
    /// Print each line that would be stopped as one line of JSON, and the counts as the last
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let (config, notices) = preset::config(&here, options.preset.as_deref())?;
    let Found { candidates, skipped } = find(options, &here)?;
    // A policy that panics is handled; its message would end up among the lines.
    std::panic::set_hook(Box::new(|_| {}));
    let judge = Judge::new(&here, config);
    let mut counts = Counts { lines: candidates.len(), ..Counts::default() };
    let mut tried: Vec<Tried> = candidates.into_iter().map(|candidate| judge.judge(candidate)).collect();
    // Of one thing, the answer is shown also if it passes.
    if tried.len() > 1 || options.json {
        tried.retain(Tried::is_stopped);
    }
    tried.iter().for_each(|it| counts.add(it));
    if options.json {
        let json = |value: serde_json::Result<String>| value.unwrap_or_default();
        terminal.raw_lines(tried.iter().map(|it| json(serde_json::to_string(it))));
        terminal.raw(&json(serde_json::to_string(&counts)));
    } else {
        page::build(&tried, &counts, &notices).print(terminal);
        if let Some(first) = skipped.first() {
            let lines = if skipped.len() == 1 { "line names" } else { "lines name" };
            terminal.line(&format!(
                "{} {lines} nothing that an agent would do; the first is line {first}",
                skipped.len()
            ));
        }
    }
    Ok(Done::Success)
}

fn find(options: &Arguments, here: &ProjectContext) -> Result<Found, Failed> {
    let cwd = environment::working_directory().and_then(|path| AbsolutePath::new(path.display().to_string()));
    let cwd = cwd.unwrap_or_else(|| AbsolutePath::from_path(&here.root));
    if let Some(line) = &options.line {
        return Ok(Found::one(input::command_line(1, line, &cwd)));
    }
    if let Some(file) = &options.edit {
        let content = match (&options.content, &options.content_file) {
            (Some(content), _) => Some(content.clone()),
            (None, Some(from)) => Some(input::read(from)?),
            (None, None) => None,
        };
        return Ok(Found::one(input::edit(file, content, &cwd)?));
    }
    let Some(file) = &options.file else {
        return Err(Failed::new(
            "nothing to try",
            "name a command line (`flyball try 'git push --force'`), `--edit FILE` or `--file FILE`",
        ));
    };
    input::find(&input::read(file)?, &cwd)
}
