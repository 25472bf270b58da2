//! `flyball completions`: what a shell needs to complete our commands.

use clap::Args;
use clap_complete::Shell;

use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

/// Arguments of `flyball completions`.
#[derive(Args)]
#[command(
    after_help = "For bash: flyball completions bash > ~/.local/share/bash-completion/completions/flyball
For zsh:  flyball completions zsh > ~/.zfunc/_flyball   (with ~/.zfunc in fpath)
For fish: flyball completions fish > ~/.config/fish/completions/flyball.fish"
)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

/// Prints the completions of a command line.
pub(crate) fn run(
    arguments: &Arguments,
    mut command_line: clap::Command,
    terminal: &Terminal,
) -> Result<Done, Failed> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command_line, "flyball", &mut script);
    terminal.lines(String::from_utf8_lossy(&script).lines());
    Ok(Done::Success)
}
