//! What this session wrote into files.

use serde::{Deserialize, Serialize};

use crate::time::{self, Time};

/// Of longer files only the name is kept: they are programs, not fixes.
const MOST_TEXT_BYTES: usize = 4 * 1024;
/// All texts together: each change is written to the journal.
const MOST_BYTES: usize = 8 * 1024;
const MOST_FILES: usize = 64;
/// Files that nothing runs.
const DATA: &[&str] =
    &["md", "rst", "json", "lock", "css", "scss", "html", "svg", "csv", "tsv", "xml", "ipynb", "snap", "log"];

/// A file that this session wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SessionText {
    pub(crate) path: String,
    /// Its whole text, if it is known and short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// When the call began that wrote it.
    #[serde(rename = "at_millis", with = "time::millis")]
    pub(crate) at: Time,
}

/// The files that this session wrote, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct SessionTexts(pub(crate) Vec<SessionText>);

impl SessionTexts {
    pub(crate) fn get(&self, path: &str) -> Option<&SessionText> {
        self.0.iter().find(|file| file.path == path)
    }

    pub(crate) fn has_texts(&self) -> bool {
        self.0.iter().any(|file| file.text.is_some())
    }

    pub(crate) fn forget(&mut self, path: &str) -> Option<SessionText> {
        let at = self.0.iter().position(|file| file.path == path)?;
        Some(self.0.remove(at))
    }

    pub(crate) fn set(&mut self, path: &str, text: Option<String>, at: Time) {
        self.forget(path);
        let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, end)| end);
        if extension.is_some_and(|extension| DATA.contains(&extension)) {
            return;
        }
        let text = text.filter(|text| text.len() <= MOST_TEXT_BYTES);
        self.0.push(SessionText { path: path.to_owned(), text, at });
        self.shorten();
    }

    /// Keeps the names alone.
    pub(crate) fn drop_texts(&mut self) {
        self.0.iter_mut().for_each(|file| file.text = None);
    }

    /// The oldest texts go first, then the oldest names.
    fn shorten(&mut self) {
        let size = |file: &SessionText| file.text.as_ref().map_or(0, String::len);
        let mut bytes: usize = self.0.iter().map(size).sum();
        for file in &mut self.0 {
            if bytes <= MOST_BYTES {
                break;
            }
            bytes -= size(file);
            file.text = None;
        }
        let excess = self.0.len().saturating_sub(MOST_FILES);
        self.0.drain(..excess);
    }
}
