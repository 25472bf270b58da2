//! The arguments of `flyball lint`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

pub(super) const AFTER_HELP: &str = "\
Exit codes: 0 nothing was found (advisories do not count), 1 something was found, or `--staged --fix` \
rewrote a file, 2 wrong arguments or a broken config, 4 nothing was found, but a linter failed or was \
late, so not everything was checked, or no linter is chosen for the files that were named (those of \
`--staged` and `--changed` may have none); with `--strict` also if one is missing or too old.

A linter acts where the project chose it: by its config, or by naming it in hooks, builds, scripts or \
development dependencies. `--why` shows for each file what acts on it and what chose it.

Findings that were there at the last commit are left out and counted; `--scope file` shows them. A file \
that was not formatted then is not formatted now.

Without `--fix` nothing is written: a file that formatters would change is a finding `format`.

`--staged` looks at what is staged. Where a working copy differs from that, the staged files are \
written to a temporary folder and checked there; `--fix` is refused then. A staged change of a protected file that \
nobody approved (`flyball approve`) is a finding `guard.protected`.

JSON has the fields `version` (1), `summary` (numbers), `findings` (`file`, `line`, `column`, \
`end_line`, `code`, `message`, `linter`, `level`, `fixable`; line 0 is the whole file), `files` (`file`, \
`format`, `old`, `linters`, `cached`, `fix`), `troubles` (`linter`, `kind`, `what`, `way_out`, `files`), \
`skipped` (`file`, `why`) and `phases` (`phase`, `millis`).";

/// Arguments of `flyball lint`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files and folders; the current folder unless named. In a folder, files that git ignores are left out
    pub(super) paths: Vec<PathBuf>,
    /// Only files staged for the next commit, with the content that is staged
    #[arg(long, conflicts_with = "changed")]
    pub(super) staged: bool,
    /// Only files that differ from a commit, and new ones: from the last commit, or from where this branch left REF
    #[arg(long, value_name = "REF", num_args = 0..=1, require_equals = true, default_missing_value = "HEAD")]
    pub(super) changed: Option<String>,
    /// Let formatters and linters fix what they can
    #[arg(long)]
    pub(super) fix: bool,
    /// Let a model fix the rest, if `quality.fixer` is enabled
    #[arg(long, requires = "fix")]
    pub(super) model: bool,
    /// Also run the linters of the whole project: type checks, duplicates, dead code
    #[arg(long)]
    pub(super) project: bool,
    /// Which findings count, instead of `quality.scope`
    #[arg(long, value_name = "SCOPE")]
    pub(super) scope: Option<Scope>,
    /// How the findings are printed
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: Format,
    /// Do not check: say for each file which linters act on it, and what chose them
    #[arg(long, conflicts_with_all = ["fix", "model", "project"])]
    pub(super) why: bool,
    /// Only this linter; may be given more than once
    #[arg(long, value_name = "NAME")]
    pub(super) linter: Vec<String>,
    /// Run every linter, also on files that did not change since it last ran
    #[arg(long)]
    pub(super) no_cache: bool,
    /// A linter that is missing or too old is a reason to fail: exit code 4
    #[arg(long)]
    pub(super) strict: bool,
    /// For people: only the findings, and nothing if there are none
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Human,
    /// For scripts
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of a workflow on GitHub
    Github,
}

/// Which findings count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Scope {
    /// All in the files
    File,
    /// Those on changed lines
    ChangedLines,
    /// Those that were not there before
    New,
}

impl From<Scope> for flyball_quality::settings::Scope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::File => Self::File,
            Scope::ChangedLines => Self::ChangedLines,
            Scope::New => Self::New,
        }
    }
}
