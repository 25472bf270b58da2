//! The arguments of `flyball demo`, and the config of its project.

use clap::Args;

/// The config of the temporary project.
pub(super) const CONFIG: &str = include_str!("flyball.toml");

/// Play a recorded agent session in a throwaway project
#[derive(Args)]
pub(crate) struct Arguments {
    /// Keep the project and its record, and print the path
    #[arg(long)]
    pub(super) keep: bool,
    /// Show all steps at once; without a terminal there are no pauses either
    #[arg(long)]
    pub(super) no_pause: bool,
    /// Fill a board with these sessions and a week of made-up history, and open it in the browser
    #[arg(long)]
    pub(super) dash: bool,
    /// Do not open a browser
    #[arg(long, requires = "dash")]
    pub(super) no_open: bool,
    /// Serve the board on this port
    #[arg(long, requires = "dash", value_name = "N")]
    pub(super) port: Option<u16>,
    /// Print the address of the board as one line of JSON, and nothing else
    #[arg(long, requires = "dash")]
    pub(super) json: bool,
}
