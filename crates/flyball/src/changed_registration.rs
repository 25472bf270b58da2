//! Tells people that the registration of flyball was changed in a session and nobody has decided about it: without it no
//! hook runs that could tell them.

use std::io::{IsTerminal, Write as _};
use std::path::Path;

use flyball_world::approvals::{Approvals, Entry};
use flyball_world::content_store::hash;

use crate::environment::Environment;
use crate::own_files::{REGISTRATION, own_files};
use crate::project_context::{ProjectContext, tilde};

/// One line for a person at a terminal, if there is something to tell.
pub(crate) fn warn() {
    let mut stderr = std::io::stderr();
    if !stderr.is_terminal() {
        return;
    }
    for path in undecided() {
        let shown = tilde(&path);
        let line = format!(
            "! {shown}, where flyball's hooks are registered, was changed in a session: decide with `flyball approve {shown}` or \
             `flyball restore {shown}`\n"
        );
        // Nobody is there to be told that a terminal is gone.
        drop(stderr.write_all(line.as_bytes()));
    }
}

/// The files with our registration that changed in a session, if nobody has approved or undone that.
fn undecided() -> Vec<String> {
    let environment = Environment::read();
    let (Ok(here), Some(state)) = (ProjectContext::find(), environment.state_dir()) else {
        return Vec::new();
    };
    // A ledger that cannot be read is reported by the commands that need it.
    let Ok(ledger) = Approvals::for_project(state, &here.root).read() else { return Vec::new() };
    let is_open = |path: &str, entry: &Entry| {
        let now = std::fs::read(Path::new(path)).ok();
        // A file that is not there is compared as an empty one.
        let is_as_before = now.is_none() && entry.before.is_none()
            || Some(hash(now.as_deref().unwrap_or_default())) == entry.before;
        entry.changed && !is_as_before
    };
    let own = own_files(&environment, &here.root);
    let is_registration =
        |path: &str| own.iter().any(|own| own.what == REGISTRATION && own.path.as_str() == path);
    let files = ledger.files().filter(|(path, entry)| is_registration(path) && is_open(path, entry));
    files.map(|(path, _)| path.to_string()).collect()
}
