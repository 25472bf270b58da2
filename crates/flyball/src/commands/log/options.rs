//! The arguments of `flyball log`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use flyball_core::event::{EventKind, ToolKind};
use flyball_core::outcome::Outcome;
use flyball_core::verdict::Stance;

/// Arguments of `flyball log`.
#[derive(Args)]
#[command(after_help = "A line of the log: time, session, kind of event, outcome, its id (for `flyball
explain`), duration; then [deciding policies], @subagent, (other effects), tool: subject")]
pub(crate) struct Arguments {
    /// Only this session; the beginning of its id is enough
    #[arg(long, value_name = "ID")]
    pub(super) session: Option<String>,
    /// Only the project that this path is in
    #[arg(long, value_name = "PATH", conflicts_with = "here")]
    pub(super) project: Option<std::path::PathBuf>,
    /// Only the project that the current directory is in
    #[arg(long)]
    pub(super) here: bool,
    /// Only events that this policy took part in
    #[arg(long, value_name = "ID")]
    pub(super) policy: Option<String>,
    /// Only events of this kind (may be repeated)
    #[arg(long, value_parser = kinds(), hide_possible_values = true)]
    pub(super) kind: Vec<String>,
    /// Only events with this decision (may be repeated); with --policy, with this verdict of it
    #[arg(long, value_parser = stances())]
    pub(super) stance: Vec<String>,
    /// Only events with this outcome (may be repeated): a denied call is `blocked`, a denied stop `held`, and what was
    /// found after the fact a `finding`
    #[arg(long, value_parser = outcomes(), conflicts_with = "stance")]
    pub(super) outcome: Vec<String>,
    /// Only events about this kind of tool
    #[arg(long, value_parser = tools(), hide_possible_values = true)]
    pub(super) tool: Option<String>,
    /// Only events since then: `2h`, `14:30`, `2026-11-14`, `2026-11-14T14:30`
    #[arg(long, value_name = "WHEN")]
    pub(super) since: Option<String>,
    /// Only events until then; a day counts to its end
    #[arg(long, value_name = "WHEN")]
    pub(super) until: Option<String>,
    /// Only events with this text in their subject, in upper or lower case
    #[arg(long, value_name = "TEXT")]
    pub(super) grep: Option<String>,
    /// Show at most N events, the newest
    #[arg(short = 'n', long = "number", value_name = "N", default_value_t = 50)]
    pub(super) number: usize,
    /// Also show calls that arrived twice, from two registrations or two clients
    #[arg(long)]
    pub(super) all: bool,
    /// Print each event as one line of JSON: the whole record, payload included, and its `outcome`
    #[arg(long)]
    pub(super) json: bool,
    /// Then print new events as they arrive, until interrupted
    #[arg(short, long)]
    pub(super) follow: bool,
}

pub(super) fn kinds() -> PossibleValuesParser {
    PossibleValuesParser::new(EventKind::ALL.iter().map(|kind| kind.name()))
}

pub(super) fn stances() -> PossibleValuesParser {
    PossibleValuesParser::new(Stance::ALL.iter().map(|stance| stance.name()))
}

pub(super) fn outcomes() -> PossibleValuesParser {
    PossibleValuesParser::new(Outcome::ALL.iter().map(|outcome| outcome.name()))
}

pub(super) fn tools() -> PossibleValuesParser {
    PossibleValuesParser::new(ToolKind::ALL.iter().map(|kind| kind.name()))
}
