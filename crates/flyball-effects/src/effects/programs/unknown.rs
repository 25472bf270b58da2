//! Programs of which nothing is known.

use std::borrow::Cow;

use super::super::collector::Collector;
use super::super::site::Site;
use crate::argv::part;
use crate::model::{FileAct, OpaqueReason, Target, Word};

/// The longest word that is taken for a path.
const MOST_PATH: usize = 4096;

/// A program of which nothing is known may do anything with every path it is given.
pub(super) fn unknown(name: &str, site: Site<'_>, found: &mut Collector) {
    found.opaque(OpaqueReason::Program, name);
    let program = &site.command.program;
    // Only a program started by its own path is a script; one that another program starts is not.
    if program.text.as_deref().is_some_and(|path| path.contains('/') && path.ends_with(name)) {
        found.file(FileAct::Run, Target::new(program, &site.command.directory), "a script");
    }
    for word in site.arguments {
        if let Some(word) = perhaps_path(word) {
            let target = Target::new(&word, &site.command.directory);
            found.file(FileAct::Anything, target, "an unknown program");
        }
    }
}

/// The part of an argument that may be a path: not an option, but the value of one.
pub(super) fn perhaps_path(word: &Word) -> Option<Cow<'_, Word>> {
    let text = word.text.as_deref().unwrap_or(&word.raw);
    // Addresses and texts of several lines are no paths.
    if text.contains("://") || text.contains('\n') || text.len() > MOST_PATH {
        return None;
    }
    match text.split_once('=') {
        // `--out=f` and `of=f`.
        Some((name, value)) if is_name(name) => Some(part(value, word.text.is_some())),
        _ if text.starts_with('-') => None,
        _ => Some(Cow::Borrowed(word)),
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}
