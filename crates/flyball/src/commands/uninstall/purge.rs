//! Deletes what flyball has recorded.

use std::fs;
use std::path::Path;

use flyball_store::Store;

use super::arguments::Arguments;
use crate::install::Site;
use crate::outcome::Failed;
use crate::progress::Progress;
use crate::terminal::{Style, Terminal};

/// Whether to ask before deleting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    /// A person is asked.
    Ask,
    /// The command line says yes.
    Given,
    /// Nothing is deleted, only shown.
    DryRun,
}

impl From<&Arguments> for Consent {
    fn from(arguments: &Arguments) -> Consent {
        match (arguments.dry_run, arguments.yes) {
            (true, _) => Consent::DryRun,
            (false, true) => Consent::Given,
            (false, false) => Consent::Ask,
        }
    }
}

/// Names that a state directory has beside those of the store.
const OWN_NAMES: &[&str] = &["install", "install.lock"];

/// Deletes the state directory.
pub(super) fn purge(site: &Site, terminal: &Terminal, consent: Consent) -> Result<(), Failed> {
    let Some(state) = site.state().filter(|state| state.exists()) else {
        terminal.line("nothing is recorded: nothing to delete");
        return Ok(());
    };
    check(site, state)?;
    let shown = site.show(state);
    match consent {
        Consent::DryRun => {
            terminal.line(&format!(
                "{} {shown}  all that was recorded, and the copies for `flyball undo`",
                terminal.paint(Style::Bad, "-")
            ));
            return Ok(());
        }
        Consent::Given => {}
        Consent::Ask => {
            let answer = terminal.ask(&format!(
                "Delete the whole record in {shown}, and the copies for `flyball undo`? [y/N]"
            ));
            if !matches!(answer.unwrap_or_default().to_lowercase().as_str(), "y" | "yes") {
                terminal.line("the record was not deleted");
                return Ok(());
            }
        }
    }
    let progress = Progress::with_text("deleting all that was recorded");
    fs::remove_dir_all(state)
        .map_err(|error| Failed::new(format!("{shown} cannot be deleted: {error}"), "delete it by hand"))?;
    drop(progress);
    terminal.line(&terminal.paint(Style::Good, &format!("✓ {shown} is deleted")));
    Ok(())
}

/// A wrong FLYBALL_STATE_DIR must not delete the user's files.
fn check(site: &Site, state: &Path) -> Result<(), Failed> {
    // A link would hide that the directory is, or contains, the home directory or the project.
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let state_itself = real(state);
    let has_other_files = [&site.home, &site.root].iter().any(|other| real(other).starts_with(&state_itself));
    let is_ours = Store::FILES.iter().chain(OWN_NAMES).any(|name| state.join(name).exists());
    if has_other_files || !is_ours {
        let what = format!(
            "`{}` does not look like a state directory of flyball; it was not deleted",
            state.display()
        );
        return Err(Failed::new(what, "check FLYBALL_STATE_DIR, or delete it by hand"));
    }
    Ok(())
}
