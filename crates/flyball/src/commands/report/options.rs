//! What `flyball report` is asked.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `flyball report`.
#[derive(Args)]
#[command(
    after_help = "The default period is the last seven days including today, compared with the seven days before. `flyball report --week --html -o week.html` writes the page of last week, Monday to Sunday."
)]
pub(crate) struct Arguments {
    /// The last whole week, Monday to Sunday
    #[arg(long, conflicts_with_all = ["since", "until", "days"])]
    pub(super) week: bool,
    /// The last N days, including today
    #[arg(long, value_name = "N", conflicts_with_all = ["since", "until"], value_parser = clap::value_parser!(u16).range(1..=3660))]
    pub(super) days: Option<u16>,
    /// The beginning: `2h`, `3d`, `2026-11-14`, `14:30`
    #[arg(long, value_name = "WHEN")]
    pub(super) since: Option<String>,
    /// The end; a day counts to its end
    #[arg(long, value_name = "WHEN")]
    pub(super) until: Option<String>,
    /// Only this project
    #[arg(long, value_name = "PATH")]
    pub(super) project: Option<PathBuf>,
    /// Only the project you are in
    #[arg(long, conflicts_with = "project")]
    pub(super) here: bool,
    /// Print Markdown, for a ticket or a wiki
    #[arg(long, group = "form")]
    pub(super) markdown: bool,
    /// Print a self-contained HTML page with charts
    #[arg(long, group = "form")]
    pub(super) html: bool,
    /// Print JSON: `glance` and `before` (numbers), `stretches`, `fired`, `never_fired`, `overridden`, `candidates`,
    /// `repeated`, `slow_policies`, `slow_events`, `troubles`, `limits`; times in microseconds, moments since 1970
    #[arg(long, group = "form")]
    pub(super) json: bool,
    /// Write it to this file
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}
