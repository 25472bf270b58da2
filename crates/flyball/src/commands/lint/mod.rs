//! `flyball lint`: what the hook does after an edit, for people, commits and builds.

mod choose;
mod git;
mod human;
mod settings;
mod snapshot;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use flyball_policies::guard::gaming::GUARDS;
use flyball_quality::formats::{self, Rewriting, Tally, github, json, sarif};
use flyball_quality::linter::Linter;
use flyball_quality::pipeline::{self, Model, Order, Write};
use flyball_quality::report::{Report, TroubleKind};
use flyball_quality::settings::Settings;
use flyball_world::machine::{Machine, real_path};

pub(super) use self::settings::defaults;

use self::choose::{Chosen, choose};
use self::git::Git;
use self::human::Human;
use crate::environment::{self, Environment};
use crate::here::Here;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::temporary::Temporary;
use crate::terminal::Terminal;

const MORE: &str = "\
Exit codes: 0 nothing was found (advisories do not count), 1 something was found, or `--staged --fix` \
rewrote a file, 2 wrong arguments or a broken config, 4 nothing was found, but a linter failed or was \
late, so not everything was checked; with `--strict` also if one is missing or too old.

Without `--fix` nothing is written: a file that formatters would change is a finding `format`.

`--staged` looks at what is staged. Where a working copy differs from that, the staged files are \
written to a temporary folder and checked there; `--fix` is refused then.

JSON has the fields `version` (1), `summary` (numbers), `findings` (`file`, `line`, `column`, \
`end_line`, `code`, `message`, `linter`, `level`, `fixable`; line 0 is the whole file), `files` (`file`, \
`format`, `old`, `linters`, `cached`, `fix`) and `troubles` (`linter`, `kind`, `what`, `way_out`, `files`).";

/// Arguments of `flyball lint`.
#[derive(Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    /// Files and folders; the current folder unless named. In a folder, files that git ignores are left out
    paths: Vec<PathBuf>,
    /// Only files staged for the next commit, with the content that is staged
    #[arg(long, conflicts_with = "changed")]
    staged: bool,
    /// Only files that differ from a commit, and new ones: from the last commit, or from where this branch left REF
    #[arg(long, value_name = "REF", num_args = 0..=1, require_equals = true, default_missing_value = "HEAD")]
    changed: Option<String>,
    /// Let formatters and linters mend what they can
    #[arg(long)]
    fix: bool,
    /// Let a model mend the rest, if `quality.fixer` is enabled
    #[arg(long, requires = "fix")]
    model: bool,
    /// Also run the linters of the whole project: type checks, duplicates, dead code
    #[arg(long)]
    project: bool,
    /// Which findings count, instead of `quality.scope`
    #[arg(long, value_name = "SCOPE")]
    scope: Option<Scope>,
    /// How the findings are printed
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
    /// Only this linter; may be given more than once
    #[arg(long, value_name = "NAME")]
    linter: Vec<String>,
    /// Run every linter, also on files that did not change since it last ran
    #[arg(long)]
    no_cache: bool,
    /// A linter that is missing or too old is a reason to fail: exit code 4
    #[arg(long)]
    strict: bool,
    /// For people: only the findings, and nothing if there are none
    #[arg(long, short)]
    quiet: bool,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
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
enum Scope {
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

/// Checks, and shows what was found.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let started = Instant::now();
    let here = Here::find()?;
    let settings = settings::changed(settings::in_force(&here, terminal)?, arguments)?;
    let root = real_path(&here.root);
    let folder = environment::working_directory().unwrap_or_else(|| root.clone());
    let chosen = choose(arguments, &root, &folder)?;
    let settings = settings::with_time_for(chosen.files.len(), settings);
    let report = check(arguments, &settings, &chosen)?;
    let rewriting = if arguments.staged { Rewriting::NeedsStaging } else { Rewriting::Wanted };
    let report = formats::with_formatting(report, rewriting);
    match arguments.format {
        Format::Human => {
            let mending = mending(&settings);
            let human = Human { report: &report, took: started.elapsed(), mending, terminal };
            terminal.lines(human.lines(arguments))
        }
        Format::Json => terminal.tell(&json::render(&report)),
        Format::Sarif => terminal.tell(&sarif::render(&report, &prefix(&root))),
        Format::Github => terminal.lines(github::render(&report, &prefix(&root))),
    };
    Ok(done(&report, arguments))
}

fn check(arguments: &Arguments, settings: &Settings, chosen: &Chosen) -> Result<Report, Failed> {
    let environment = Environment::read();
    let machine = Machine::new(Instant::now(), environment.home.clone(), &chosen.root, Vec::new());
    // Results are kept in the state directory: with one that is new, nothing is known.
    let fresh = arguments.no_cache.then(Temporary::new).transpose()?;
    let state = fresh.as_ref().map(Temporary::path).or(environment.state_dir());
    let machine = machine.with_state(state).with_environment(environment::variable);
    let progress = Progress::after_a_while();
    progress.bar("looking around", (0, chosen.files.len()));
    let order = Order {
        settings,
        files: &chosen.files,
        write: if arguments.fix { Write::Yes } else { Write::No },
        model: if arguments.model { Model::Allowed } else { Model::Never },
        guards: GUARDS,
        base: &chosen.base,
        project: arguments.project,
        progress: &|step| progress.bar(step.doing, (step.done, step.all)),
    };
    Ok(pipeline::run(&order, &machine))
}

/// The linters that change files if they may.
fn mending(settings: &Settings) -> Vec<&str> {
    let mends = |linter: &&Linter| linter.entry.format.as_ref().is_some_and(|filters| !filters.is_empty());
    settings.linters.iter().filter(mends).map(|linter| linter.name.as_str()).collect()
}

/// Services that show findings know files by their place in the repository.
fn prefix(root: &Path) -> String {
    Git::around(root).map(|git| git.prefix_of(root)).unwrap_or_default()
}

fn done(report: &Report, arguments: &Arguments) -> Done {
    let tally = Tally::of(report);
    let is_behind = |kind: TroubleKind| match kind {
        TroubleKind::Failed | TroubleKind::Late => true,
        TroubleKind::Missing | TroubleKind::TooOld => arguments.strict,
    };
    if tally.findings > 0 {
        Done::Findings
    } else if report.troubles.iter().any(|trouble| is_behind(trouble.kind)) {
        Done::Unchecked
    } else {
        Done::Well
    }
}
