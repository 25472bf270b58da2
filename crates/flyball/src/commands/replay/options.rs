//! What `flyball replay` is asked.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args};
use flyball_core::event::ToolKind;

/// Arguments of `flyball replay`.
#[derive(Args)]
#[command(
    override_usage = "flyball replay [OPTIONS] TRANSCRIPT…\n       flyball replay [OPTIONS] --session ID\n       flyball replay [OPTIONS] --all",
    group(ArgGroup::new("what").required(true).multiple(true).args(["transcripts", "session", "all"])),
    after_help = "Nothing is changed: no linter, no test and no model runs, nothing is written. Policies that would run
programs are not asked; the summary lists them. Files are read as they are today.

Exit codes: 0 nothing would differ, 1 something would, 2 failed, 4 nothing would differ, but not every
event could be judged, 130 interrupted.

  flyball replay --all --mode guard.gaming=enforce      would this rule block too much?
  flyball replay --session 4f2a --config new.toml       what would this config have done?
  flyball replay ~/.claude/projects/-home-me-app        what about sessions from before flyball?"
)]
pub(crate) struct Arguments {
    /// Transcripts of Claude Code: files, folders of them, or `-` for standard input
    #[arg(value_name = "TRANSCRIPT")]
    pub(super) transcripts: Vec<PathBuf>,
    /// A recorded session; the beginning of its id is enough (may be repeated)
    #[arg(long, value_name = "ID")]
    pub(super) session: Vec<String>,
    /// All recorded sessions, and the transcripts of those that flyball did not see
    #[arg(long)]
    pub(super) all: bool,
    /// Judge with this file instead of each project's flyball.toml
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Without the user's config
    #[arg(long)]
    pub(super) only: bool,
    /// Try another mode: `guard.gaming=enforce` (may be repeated)
    #[arg(long, value_name = "POLICY=MODE")]
    pub(super) mode: Vec<String>,
    /// Only sessions of the project that this path is in; transcripts whose folder no longer exists are judged there
    #[arg(long, value_name = "PATH")]
    pub(super) project: Option<PathBuf>,
    /// Only differences that this policy makes
    #[arg(long, value_name = "ID")]
    pub(super) policy: Option<String>,
    /// Only events about this kind of tool
    #[arg(long, value_parser = tools(), hide_possible_values = true)]
    pub(super) tool: Option<String>,
    /// Only events since then: `2h`, `14:30`, `2026-11-14`, `2026-11-14T14:30`
    #[arg(long, value_name = "WHEN")]
    pub(super) since: Option<String>,
    /// Only events until then; a day counts to its end
    #[arg(long, value_name = "WHEN")]
    pub(super) until: Option<String>,
    /// Show at most N events
    #[arg(short = 'n', long = "number", value_name = "N", default_value_t = 30)]
    pub(super) number: usize,
    /// Show all events, uncut
    #[arg(long, conflicts_with = "number")]
    pub(super) full: bool,
    /// Also show events that would not differ
    #[arg(long)]
    pub(super) all_events: bool,
    /// Print each event as one line of JSON, and the summary as the last
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn tools() -> PossibleValuesParser {
    PossibleValuesParser::new(ToolKind::ALL.iter().map(|kind| kind.name()))
}
