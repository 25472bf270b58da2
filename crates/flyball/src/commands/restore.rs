//! `flyball restore`: puts protected files back. Agents may run it: it only brings back what a
//! person approved, a session found, or the last commit holds, and loses nothing.

use std::path::PathBuf;

use clap::Args;
use flyball_policies::guard::protected::Extension;

use crate::outcome::{Done, Failed};
use crate::protected::{Shelter, Sheltered, Source};
use crate::terminal::{Style, Terminal};

/// What `restore` can be told.
#[derive(Args)]
#[command(
    after_help = "A file goes back to what was last approved, else to what a session found, else to the last \
                  commit. What was there is kept, and it is said where. Exit code 1 if a file cannot be put back."
)]
pub(crate) struct Arguments {
    /// The files; without any, all protected files that are not what was approved or found
    path: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let shelter = Shelter::find()?;
    let files = if arguments.path.is_empty() {
        unasked(&shelter, terminal)?
    } else {
        shelter.named(&arguments.path)?
    };
    let mut done = Done::Well;
    for file in &files {
        if restore(file, &shelter, terminal)? == Came::Short {
            done = Done::Findings;
        }
    }
    Ok(done)
}

/// Without names, only what is known to have changed: a person's own uncommitted work is left
/// alone, and told of where there is nothing else.
fn unasked(shelter: &Shelter, terminal: &Terminal) -> Result<Vec<Sheltered>, Failed> {
    let mut files = shelter.all()?;
    files.retain(|file| !file.is_as_it_should_be() && file.reference.source != Source::Nowhere);
    let (uncommitted, changed): (Vec<Sheltered>, Vec<Sheltered>) =
        files.into_iter().partition(|file| file.reference.source == Source::Commit);
    if changed.is_empty() {
        terminal.line("nothing to restore: every protected file is as last approved or found");
        for file in uncommitted.iter().filter(|file| file.extension == Extension::Whole) {
            terminal.line(&format!("{} differs from the last commit; name it to put it back", file.name));
        }
    }
    Ok(changed)
}

#[derive(PartialEq)]
enum Came {
    Back,
    Short,
}

fn restore(file: &Sheltered, shelter: &Shelter, terminal: &Terminal) -> Result<Came, Failed> {
    let name = &file.name;
    if file.is_as_it_should_be() {
        terminal.line(&format!("{name} is {} already", file.reference.source.likeness()));
        return Ok(Came::Back);
    }
    if file.reference.source == Source::Nowhere {
        let what = "nobody approved, found or committed an earlier content";
        terminal.line(&format!("{} {name}: {what}", terminal.paint(Style::Warning, "✗")));
        return Ok(Came::Short);
    }
    if file.extension == Extension::Part {
        let what = "only a part of it is protected, which cannot be put back by itself; `git diff` shows it";
        terminal.line(&format!("{} {name}: {what}", terminal.paint(Style::Warning, "✗")));
        return Ok(Came::Short);
    }
    let replaced = shelter.put_back(file)?;
    let aside = replaced.map(|copy| format!("; what was there is kept in `{}`", copy.display()));
    let mark = terminal.paint(Style::Good, "✓");
    let likeness = file.reference.source.likeness();
    terminal.line(&format!("{mark} {name} is {likeness} again{}", aside.unwrap_or_default()));
    Ok(Came::Back)
}
