//! `flyball man`: the manual pages, one for each command.

use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;

use crate::commands::update;
use crate::outcome::{Done, Failed};
use crate::project_context::tilde;
use crate::terminal::Terminal;

/// Arguments of `flyball man`.
#[derive(Args)]
#[command(after_help = "To read it:    flyball man | man -l -
To install it: flyball man --dir ~/.local/share/man/man1
To undo that:  rm ~/.local/share/man/man1/flyball*.1")]
pub(crate) struct Arguments {
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Prints the page of the program, or writes all pages.
pub(crate) fn run(arguments: &Arguments, mut root: Command, terminal: &Terminal) -> Result<Done, Failed> {
    root.build();
    let Some(folder) = &arguments.dir else {
        terminal.raw_lines(String::from_utf8_lossy(&page(&root)?).lines());
        return Ok(Done::Success);
    };
    std::fs::create_dir_all(folder).map_err(|cause| unwritable(folder, &cause))?;
    let written = write_all(&root, folder)?;
    terminal.done(&format!("wrote {written} manual pages to {}", tilde(&folder.to_string_lossy())));
    Ok(Done::Success)
}

/// Writes the page of a command and of those below it. Returns how many.
fn write_all(command: &Command, folder: &Path) -> Result<usize, Failed> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let path = folder.join(format!("{name}.1"));
    std::fs::write(&path, page(command)?).map_err(|cause| unwritable(&path, &cause))?;
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    below.map(|below| write_all(below, folder)).try_fold(1, |sum, written| Ok(sum + written?))
}

fn page(command: &Command) -> Result<Vec<u8>, Failed> {
    let mut page = Vec::new();
    let source = format!("flyball {}", update::version());
    let man = Man::new(command.clone()).source(source).manual("flyball");
    man.render(&mut page)
        .map_err(|cause| Failed::new(format!("no manual page: {cause}"), "this is a bug"))?;
    Ok(page)
}

fn unwritable(path: &Path, cause: &std::io::Error) -> Failed {
    Failed::new(
        format!("`{}` cannot be written: {cause}", path.display()),
        "name a folder that can be written",
    )
}
