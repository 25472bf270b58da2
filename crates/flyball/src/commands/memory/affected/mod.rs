//! `flyball memory affected`: which rules a diff touches, and which no longer hold.

mod check;
mod diff;
mod github;
mod manifests;
mod names;
mod report;
mod scopes;
mod versions;

use clap::{Args, ValueEnum};
use flyball_world::machine::real_path;

use self::check::{Checker, Found};
use self::diff::Diff;
use super::statements;
use crate::commands::lint::git::Git;
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::terminal::Terminal;

/// Arguments of `flyball memory affected`.
#[derive(Args)]
#[command(
    after_help = "The exit code is 0 if nothing has to be updated, 1 if rules no longer hold, 2 if the diff cannot be made, and 4 if it is not \
known where the branch began, so that nothing was compared. What is not committed counts too.

  flyball memory affected                     this branch, against the default branch
  flyball memory affected HEAD~3              since that commit
  flyball memory affected --format github     a comment for a pull request; annotations go to standard error"
)]
pub(super) struct Arguments {
    /// What to compare with: a branch, tag or commit, from where it and HEAD parted [default: the default branch]
    #[arg(value_name = "REF")]
    reference: Option<String>,
    /// How it is printed
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
    /// Print JSON: `base`, `files` (changed files), `nodes` (rule files, each with `file`, `changed`, `rules`), `stale` (each with
    /// `file`, `line`, `rule`, `word`, `what`, `suggestion`), `uncovered` (new folders) and `unchecked` (`what` was not compared and the `fix`, or null)
    #[arg(long)]
    json: bool,
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a terminal
    Text,
    /// A Markdown comment for a pull request, and annotations on standard error
    Github,
    /// Workflow commands, which GitHub shows beside the lines that they are about
    Annotations,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let root = real_path(&here.root);
    let git = Git::around(&root).ok_or_else(|| {
        Failed::new(
            "`flyball memory affected` compares commits, and this is no git repository",
            "run it in one",
        )
    })?;
    let diff = Diff::read(&git, &root, arguments.reference.as_deref())?;
    let files = statements::read_all(&here.machine(), &root);
    let found = Checker::new(&git, &diff, &files).check(&files);
    if arguments.json {
        terminal.json(&found);
    } else {
        print(&found, arguments.format, terminal);
    }
    Ok(match (found.stale.is_empty(), &found.unchecked) {
        (false, _) => Done::Findings,
        (true, Some(_)) => Done::Unchecked,
        (true, None) => Done::Success,
    })
}

fn print(found: &Found, format: Format, terminal: &Terminal) {
    match format {
        Format::Text => {
            report::page(found).print(terminal);
        }
        Format::Github => {
            terminal.raw_lines(github::comment(found).lines().map(str::to_owned));
            github::annotations(found).iter().for_each(|line| eprint_line(line));
        }
        Format::Annotations => {
            terminal.raw_lines(github::annotations(found));
        }
    }
}

/// A line on standard error: standard output is the comment.
fn eprint_line(line: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{line}");
}
