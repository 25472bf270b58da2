//! Edits the JSON files in which a client's hooks are registered, and nothing else in them.
//!
//! Text comes in and text goes out; opening, backing up and writing files is for others. What
//! is not ours keeps its bytes: other people's handlers, the order of keys, indentation, line
//! endings, a byte order mark, escapes and odd spaces. New text follows the file's own habits.
//!
//! For every file without a handler of ours, [`register`] and then [`unregister`] give back the
//! same bytes, also where we filled a container that was there and empty. The exceptions:
//!
//! - from a blank text `{}` remains: nothing shows that there was no file before;
//! - a carriage return without a line feed, last in an empty container that we filled, is lost;
//! - if the file was reformatted in between, empty containers that were there go away.
//!
//! Taking a group or handler out moves those behind it, and a client that keeps trust by
//! position (Codex) asks about these again. New groups therefore go last, and old ones of ours
//! are changed in place.

mod change;
mod container;
mod entry;
mod error;
mod hooks;
mod layout;
mod members;
mod scan;
mod splice;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use entry::{Edited, Entry};
pub use error::{Error, Place, Problem};
pub use flyball_core::diff::unified_diff;
pub use members::Object;

/// A handler in a file, ours or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The event it is registered for.
    pub event: String,
    /// The matcher of its group.
    pub matcher: Option<String>,
    pub handler: Value,
    pub place: Place,
}

/// Makes the handlers of ours in the file exactly those of `entries`.
///
/// What is there already stays, what is outdated is changed in place, what is missing is added
/// last, and what is ours beyond that goes. A blank text becomes a new file. `is_ours` must
/// recognise the handlers of `entries` too, or a second call adds them a second time.
///
/// # Errors
///
/// If the text is not valid JSON, or its `hooks` have another shape than the client reads.
pub fn register(text: &str, entries: &[Entry], is_ours: &dyn Fn(&Value) -> bool) -> Result<Edited, Error> {
    if !is_blank(text) || entries.is_empty() {
        return edit(text, entries, is_ours);
    }
    // A file that began with a byte order mark still does.
    let mark = if text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    edit(&format!("{mark}{{}}\n"), entries, is_ours)
}

/// Removes every handler of ours, and the containers that it leaves empty unless they were
/// there and empty before us.
///
/// # Errors
///
/// If the text is not valid JSON, or its `hooks` have another shape than the client reads.
pub fn unregister(text: &str, is_ours: &dyn Fn(&Value) -> bool) -> Result<Edited, Error> {
    edit(text, &[], is_ours)
}

/// All handlers in the file, in its order.
///
/// # Errors
///
/// If the text is not valid JSON, or its `hooks` have another shape than the client reads.
pub fn list(text: &str) -> Result<Vec<Found>, Error> {
    if is_blank(text) {
        return Ok(Vec::new());
    }
    let root = scan::scan(text)?;
    let mut found = Vec::new();
    for event in hooks::read(text, &root)?.map_or_else(Vec::new, |hooks| hooks.events) {
        for group in event.groups {
            found.extend(group.handlers.into_iter().map(|handler| Found {
                event: event.name.clone(),
                matcher: group.matcher.clone(),
                handler: handler.value,
                place: Place::new(text, handler.node.span.clone()),
            }));
        }
    }
    Ok(found)
}

fn edit(text: &str, entries: &[Entry], is_ours: &dyn Fn(&Value) -> bool) -> Result<Edited, Error> {
    if !is_blank(text) {
        return change::change(text, entries, is_ours);
    }
    Ok(Edited { text: text.to_owned(), changed: false, added: 0, updated: 0, removed: 0 })
}

fn is_blank(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.trim_matches([' ', '\t', '\r', '\n']).is_empty()
}
