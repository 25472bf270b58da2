//! The arguments of `flyball uninstall`.

use clap::Args;

use crate::install::ScopeArguments;

/// Arguments of `flyball uninstall`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Change without asking
    #[arg(long, short)]
    pub(super) yes: bool,
    /// Show how every file would change, and change nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) scope: ScopeArguments,
    /// Every settings file in which flyball is registered
    #[arg(long, conflicts_with_all = ["local", "user", "managed"])]
    pub(super) all: bool,
    /// Also delete all that flyball has recorded
    #[arg(long)]
    pub(super) purge: bool,
}
