//! `flyball completions`: what a shell needs to complete our commands.

mod place;

use std::path::Path;

use clap::Args;
use clap_complete::Shell;
use flyball_files::TempFile;

use self::place::Place;
use crate::environment;
use crate::outcome::{Done, Failed};
use crate::project_context::tilde;
use crate::terminal::Terminal;

/// Everybody may read it.
const MODE: u32 = 0o644;

/// Arguments of `flyball completions`.
#[derive(Args)]
#[command(
    after_help = "`--install` writes one file, never a file that the shell runs at its start, and says how to undo it."
)]
pub(crate) struct Arguments {
    /// The shell [default: that of $SHELL]
    shell: Option<Shell>,
    /// Write the completions to where the shell finds them (bash, zsh, fish)
    #[arg(long)]
    install: bool,
}

/// Prints or installs the completions of a command line.
pub(crate) fn run(
    arguments: &Arguments,
    mut command_line: clap::Command,
    terminal: &Terminal,
) -> Result<Done, Failed> {
    let shell = arguments.shell.or_else(own_shell).ok_or_else(|| {
        Failed::new("the shell is unknown: $SHELL names none", "name it: `flyball completions bash`")
    })?;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command_line, "flyball", &mut script);
    if arguments.install {
        return install(shell, &script, terminal);
    }
    terminal.raw_lines(String::from_utf8_lossy(&script).lines());
    Ok(Done::Success)
}

/// The shell that the user logs in with.
fn own_shell() -> Option<Shell> {
    environment::variable("SHELL").and_then(Shell::from_shell_path)
}

fn install(shell: Shell, script: &[u8], terminal: &Terminal) -> Result<Done, Failed> {
    let place = Place::of(shell)?;
    let shown = tilde(&place.file.to_string_lossy());
    let before = std::fs::read(&place.file).ok();
    if before.as_deref() == Some(script) {
        terminal.done(&format!("the completions for {shell} are up to date: {shown}"));
    } else {
        if before.is_some_and(|before| !is_ours(&before, script)) {
            return Err(Failed::new(
                format!("{shown} exists, and flyball did not write it"),
                "move it away, then run this again",
            ));
        }
        write(&place.file, script)?;
        terminal.done(&format!("wrote the completions for {shell} to {shown}"));
    }
    terminal.lines(place.steps);
    terminal.line(&format!("To undo this: rm {shown}"));
    Ok(Done::Success)
}

/// Whether a file has completions that flyball wrote, of this version or another.
fn is_ours(before: &[u8], script: &[u8]) -> bool {
    let first = |text: &[u8]| text.split(|byte| *byte == b'\n').next().map(<[u8]>::to_vec);
    first(before) == first(script)
}

fn write(file: &Path, script: &[u8]) -> Result<(), Failed> {
    // A link into somebody's dotfiles stays a link.
    let file = &file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().unwrap_or(Path::new("/"));
    let written = std::fs::create_dir_all(folder).and_then(|()| {
        let new = TempFile::create(folder, MODE)?;
        std::io::Write::write_all(&mut new.file(), script)?;
        new.replace(file)
    });
    written.map_err(|cause| {
        Failed::new(
            format!("{} cannot be written: {cause}", file.display()),
            "print them with `flyball completions SHELL` and put them where your shell finds them",
        )
    })
}
