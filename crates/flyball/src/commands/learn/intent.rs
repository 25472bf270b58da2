//! What `flyball learn accept` is about to do, noted before it begins: a call that was killed in the middle is finished by
//! the next call of any command of `learn`.

use std::collections::BTreeMap;

use flyball_core::policy::PolicyError;
use flyball_system::is_alive;
use serde::{Deserialize, Serialize};

use super::report_store::ReportStore;

/// The key of the note.
const KEY: &str = "learn.accept";

/// A decision to accept a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Intent {
    pub(super) title: Option<String>,
    pub(super) detail: Option<String>,
    pub(super) kind: Option<String>,
    /// The file that the rule goes to.
    pub(super) node: String,
    pub(super) force: bool,
    /// Who carries it out.
    pub(super) process: u32,
}

type Intents = BTreeMap<String, Intent>;

/// Notes what is about to be done to a report.
pub(super) fn note(store: &ReportStore, id: &str, intent: &Intent) -> Result<(), PolicyError> {
    change(store, |all| drop(all.insert(id.to_owned(), intent.clone())))
}

/// It is done, or nothing of it is.
pub(super) fn clear(store: &ReportStore, id: &str) -> Result<(), PolicyError> {
    change(store, |all| drop(all.remove(id)))
}

/// What processes that are gone have left undone.
pub(super) fn left_over(store: &ReportStore) -> Result<Intents, PolicyError> {
    let mut found = Intents::new();
    store.project.change_note(KEY, &mut |text| {
        found = read(text);
        Ok(None)
    })?;
    found.retain(|_, intent| !is_alive(intent.process));
    Ok(found)
}

fn change(store: &ReportStore, change: impl Fn(&mut Intents)) -> Result<(), PolicyError> {
    store.project.change_note_durably(KEY, &mut |text| {
        let mut all = read(text);
        change(&mut all);
        // An empty text removes the note.
        let text =
            if all.is_empty() { String::new() } else { serde_json::to_string(&all).unwrap_or_default() };
        Ok(Some(text))
    })
}

fn read(text: Option<&str>) -> Intents {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}
