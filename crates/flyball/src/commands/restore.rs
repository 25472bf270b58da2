//! `flyball restore`: restores protected files. Agents may run it: it only restores what a person
//! approved, a session found, or the last commit has, and saves the replaced content.

use std::path::PathBuf;

use clap::Args;
use flyball_policies::guard::protected::Coverage;

use crate::outcome::{Done, Failed};
use crate::protected::{ProtectedFile, ProtectedFiles, Source};
use crate::terminal::{Style, Terminal};

/// Arguments of `flyball restore`.
#[derive(Args)]
#[command(
    after_help = "A file goes back to what was last approved, else to what a session found, else to the last \
                  commit. The replaced content is saved, and its path is shown. Exit code 1 if a file cannot be restored."
)]
pub(crate) struct Arguments {
    /// The files; without any, all protected files that differ from what was approved or found
    path: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let protected = ProtectedFiles::find()?;
    let files = if arguments.path.is_empty() {
        find_changed(&protected, terminal)?
    } else {
        protected.named(&arguments.path)?
    };
    let mut done = Done::Success;
    for file in &files {
        if restore(file, &protected, terminal)? == Restored::NotRestored {
            done = Done::Findings;
        }
    }
    Ok(done)
}

/// Without names, only what is known to have changed: a person's own uncommitted work is left
/// alone, and listed if nothing else changed.
fn find_changed(protected: &ProtectedFiles, terminal: &Terminal) -> Result<Vec<ProtectedFile>, Failed> {
    let mut files = protected.all()?;
    files.retain(|file| !file.matches_reference() && file.reference.source != Source::Nowhere);
    let (uncommitted, changed): (Vec<ProtectedFile>, Vec<ProtectedFile>) =
        // Since the last commit, a change may be a person's own; only names make it clear.
        files.into_iter().partition(|file| file.reference.source == Source::Commit);
    if changed.is_empty() {
        terminal.line("nothing to restore: every protected file is as last approved or found");
        for file in uncommitted.iter().filter(|file| file.extension == Coverage::Whole) {
            terminal.line(&format!("{} differs from the last commit; name it to restore it", file.name));
        }
    }
    Ok(changed)
}

#[derive(PartialEq)]
enum Restored {
    Fully,
    NotRestored,
}

fn restore(
    file: &ProtectedFile,
    protected: &ProtectedFiles,
    terminal: &Terminal,
) -> Result<Restored, Failed> {
    let name = &file.name;
    if file.matches_reference() {
        terminal.line(&format!("{name} is {} already", file.reference.source.describe_state()));
        return Ok(Restored::Fully);
    }
    if file.reference.source == Source::Nowhere {
        let what = "no earlier content was approved, found or committed";
        terminal.line(&format!("{} {name}: {what}", terminal.paint(Style::Warning, "✗")));
        return Ok(Restored::NotRestored);
    }
    if file.extension == Coverage::Part {
        let what = "only a part of it is protected, which cannot be restored on its own; see `git diff`";
        terminal.line(&format!("{} {name}: {what}", terminal.paint(Style::Warning, "✗")));
        return Ok(Restored::NotRestored);
    }
    let replaced = protected.restore(file)?;
    let note = replaced.map(|copy| format!("; the replaced content is saved in `{}`", copy.display()));
    let mark = terminal.paint(Style::Good, "✓");
    let state = file.reference.source.describe_state();
    terminal.line(&format!("{mark} {name} is {state} again{}", note.unwrap_or_default()));
    Ok(Restored::Fully)
}
