//! Whether the folder is one to set flyball up in.

use flyball_world::machine::{holds_home, real_path};

use super::dialogue::Dialogue;
use crate::install::Site;
use crate::outcome::Failed;
use crate::terminal::Terminal;

/// Whether the project's folder is meant: the home directory, and what is above it, is not a project.
pub(super) fn is_wanted(site: &Site, is_guided: bool, terminal: &Terminal) -> Result<bool, Failed> {
    if !holds_home(&site.root, Some(&site.home)) {
        return Ok(true);
    }
    let what = match site.root.parent() {
        None => "this is the whole machine, not a project".to_owned(),
        Some(_) if real_path(&site.root) == real_path(&site.home) => {
            "this is your home directory, not a project".to_owned()
        }
        Some(_) => format!("{} holds your home directory, and is not a project", site.root.display()),
    };
    if is_guided {
        return Ok(
            Dialogue::new(terminal).confirm(&format!("{}. Set flyball up in it?", capital(&what)), false)
        );
    }
    Err(Failed::new(
        format!("{what}; nothing was changed"),
        "change to a project, or run `flyball init --user` for all your projects; without `--yes`, `flyball init` asks",
    ))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
