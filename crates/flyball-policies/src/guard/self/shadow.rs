//! Programs that take the place of flyball, or of the git that it asks.

use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::Stance;

use super::access::Access;
use crate::guard::touch::{Location, Touch, TouchKind};

/// Programs that must stay what they are: the guard, and what it asks.
const PROGRAMS: &[&str] = &["flyball", "git"];

/// Folders that are usually searched for programs.
const PROGRAM_FOLDERS: &[&str] = &["bin", "sbin", ".bin", "shims", "scripts", "git-core"];

const OUR_PROGRAM: &str = "a program named like flyball's";
const GIT: &str = "a program named `git`, which flyball asks about the project";

/// A program that a call would create, replace or remove under one of these names.
pub(super) fn find(situation: &Situation<'_>, touches: &[Touch]) -> Result<Option<Access>, PolicyError> {
    for touch in touches {
        let Location::Path(path) = &touch.location else { continue };
        let Some(program) = program_named(path) else { continue };
        if !touch.kind.is_sure() || situation.world.stat(path).is_some_and(|stat| stat.is_folder) {
            continue;
        }
        let is_searched = || {
            let folder = path.rsplit('/').nth(1).unwrap_or_default();
            PROGRAM_FOLDERS.contains(&folder.to_lowercase().as_str())
        };
        let applies = match touch.kind {
            TouchKind::Change => is_searched() || touch.route == "ln" || is_script(situation, touch)?,
            TouchKind::Delete | TouchKind::Move | TouchKind::PassedTo(_) => {
                program == "flyball" && is_searched()
            }
            // Whoever makes a file executable, or no longer executable, means a program.
            TouchKind::Attributes => true,
            TouchKind::Link | TouchKind::Mentioned => false,
        };
        if applies && !touch.kind.is_passed_to_flyball() {
            let what = if program == "flyball" { OUR_PROGRAM } else { GIT };
            let (named, path) = (touch.named.clone(), Some(path.clone()));
            let (stance, route, verb) = (Stance::Deny, touch.route, "create or change it");
            return Ok(Some(Access { is_below: false, stance, named, what, route, path, verb }));
        }
    }
    Ok(None)
}

fn program_named(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.strip_suffix(".exe").or_else(|| name.strip_suffix(".cmd")).unwrap_or(name);
    PROGRAMS.iter().copied().find(|program| *program == name)
}

/// Whether what is written there is a script.
fn is_script(situation: &Situation<'_>, touch: &Touch) -> Result<bool, PolicyError> {
    let Location::Path(path) = &touch.location else { return Ok(false) };
    let mut edits = situation.edits()?.iter().filter(|edit| edit.path == *path);
    Ok(edits.any(|edit| edit.change.as_ref().is_some_and(|change| change.added().starts_with("#!"))))
}
