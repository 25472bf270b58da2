//! What `init` wrote into a file and what the file was before, so that `uninstall` can restore it.

use std::path::{Path, PathBuf};

use flyball_core::event::CallKey;
use serde::{Deserialize, Serialize};

use super::change::{Access, Change};
use super::error::FileError;
use super::snapshot::Snapshot;

/// The version of the format. A receipt of a newer one is ignored: our entries are then removed
/// from the file one by one instead of restoring the original.
const FORMAT: u32 = 1;

/// The receipt for one file that `init` has written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    format: u32,
    pub(crate) file: PathBuf,
    /// When, in the form of RFC 3339.
    pub(crate) at: String,
    /// The content of the file afterwards.
    pub(crate) written: String,
    /// The content before, without anything of ours; `None` if there was no file.
    pub(crate) original: Option<String>,
    /// The folders that had to be made for it, outermost first.
    pub(crate) created_folders: Vec<PathBuf>,
}

impl Receipt {
    /// The receipt for what is about to be written.
    pub(crate) fn new(before: &Snapshot, written: &str, original: Option<String>) -> Receipt {
        Receipt {
            format: FORMAT,
            file: before.path.clone(),
            at: jiff::Timestamp::now().to_string(),
            written: written.to_owned(),
            original,
            created_folders: before.missing_folders(),
        }
    }

    /// The receipt for a file, if there is one that we understand.
    pub(crate) fn find(file: &Path, state: Option<&Path>) -> Option<Receipt> {
        let snapshot = Snapshot::read(&path(file, state?)).ok()?;
        let receipt: Receipt = serde_json::from_str(snapshot.content()?).ok()?;
        // Two paths can share a name.
        (receipt.format == FORMAT && receipt.file == file).then_some(receipt)
    }

    /// The files that `init` has written and that are there, wherever they are.
    pub(crate) fn files(state: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(state.join("install")).into_iter().flatten().flatten();
        let texts = entries.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
        let receipts = texts.filter_map(|text| serde_json::from_str::<Receipt>(&text).ok());
        let mut files: Vec<PathBuf> = receipts.map(|it| it.file).filter(|file| file.is_file()).collect();
        files.sort();
        files
    }

    /// Whether the file still has the content that we wrote.
    pub(crate) fn matches(&self, now: &Snapshot) -> bool {
        now.content() == Some(&self.written)
    }

    /// Whether `init` made the file, and nothing else is in the rest of it.
    pub(crate) fn leaves_nothing(&self, rest: &str) -> bool {
        self.original.is_none() && rest.split_whitespace().collect::<String>() == "{}"
    }

    /// Stores the receipt. It is written before its file, so that a crash in between loses nothing.
    pub(crate) fn save_change(&self, state: &Path) -> Result<Change, FileError> {
        // Fails only for a path that is not UTF-8. An empty receipt is ignored, as if there were none.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        Ok(Change::write(read(&self.file, state)?, text, Access::Private))
    }

    /// Deletes the receipt for a file.
    pub(crate) fn discard_change(file: &Path, state: Option<&Path>) -> Result<Option<Change>, FileError> {
        let Some(state) = state else { return Ok(None) };
        let before = read(file, state)?;
        Ok(before.content().is_some().then(|| Change {
            before: before.clone(),
            after: None,
            access: Access::Private,
        }))
    }
}

fn read(file: &Path, state: &Path) -> Result<Snapshot, FileError> {
    Snapshot::read(&path(file, state)).map_err(|error| FileError::in_state(state, &error))
}

/// Where the receipt for a file is.
pub(super) fn path(file: &Path, state: &Path) -> PathBuf {
    // A hash, since a path may be longer than a file name can be and has slashes.
    let name = CallKey::from_payload(file.as_os_str().as_encoded_bytes()).as_u64();
    state.join("install").join(format!("{name:016x}.json"))
}
