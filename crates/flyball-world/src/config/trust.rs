//! Which config texts a person has accepted.
//!
//! One file for all projects, below the state directory; the accepted texts are stored beside it by their hash, so that
//! they stay in force when a file is changed by somebody else.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use flyball_core::policy::{ContentHash, PolicyError};
use flyball_core::time::{self, Time};
use serde::{Deserialize, Serialize};

use crate::content_store::{ContentStore, hash, lock_beside, write_atomic};
use crate::git::main_worktree;
use crate::real_path::real_path;

/// The form of the file. A program that finds a higher number leaves the file alone.
pub(crate) const VERSION: u32 = 1;

/// Texts of one file that are remembered: one for each branch that a person works on, not all there ever were.
const MOST_TEXTS: usize = 32;

/// What people accepted, below a state directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    state: PathBuf,
}

/// All that was accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustLedger {
    version: u32,
    /// By the path of the config file, the oldest first.
    files: BTreeMap<String, Vec<Acceptance>>,
    /// When a person withdrew all that was accepted of a file, for the sessions that began before.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    withdrawn: BTreeMap<String, Withdrawal>,
}

/// When something was withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Withdrawal {
    #[serde(with = "time::millis")]
    at: Time,
}

/// One text that a person accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// Nothing if it was accepted that there is no file.
    pub content: Option<ContentHash>,
    #[serde(with = "time::millis")]
    pub at: Time,
    /// How the person was recognised.
    pub how: String,
}

/// When a person accepted something, and how the person was recognised.
#[derive(Clone, Copy, Debug)]
pub struct Consent<'a> {
    pub at: Time,
    pub how: &'a str,
}

impl Trust {
    #[must_use]
    pub fn below(state: &Path) -> Trust {
        Trust { state: state.to_path_buf() }
    }

    /// Where it is stored.
    pub(super) fn path(&self) -> PathBuf {
        self.state.join("trust.json")
    }

    /// All that was accepted; nothing at first.
    ///
    /// # Errors
    /// When the file cannot be read, or a newer flyball wrote it.
    pub fn read(&self) -> Result<TrustLedger, PolicyError> {
        let text = match fs::read(self.path()) {
            Ok(text) => text,
            Err(cause) if flyball_files::is_absent(&cause) => return Ok(TrustLedger::default()),
            Err(cause) => return Err(self.error(&cause.to_string())),
        };
        let ledger: TrustLedger =
            serde_json::from_slice(&text).map_err(|cause| self.error(&cause.to_string()))?;
        if ledger.version > VERSION {
            return Err(self.error("a newer flyball wrote it"));
        }
        Ok(ledger)
    }

    /// Accepts a text of a config file, or that there is none.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn accept(&self, file: &Path, text: Option<&str>, by: &Consent<'_>) -> Result<(), PolicyError> {
        // First the text, then the acceptance: without the text it could not stay in force.
        let content = text.map(|text| self.store(text)).transpose()?;
        self.change(|ledger| {
            let known = ledger.files.entry(key(file)).or_default();
            known.retain(|acceptance| acceptance.content != content);
            known.push(Acceptance { content, at: by.at, how: by.how.to_owned() });
            let too_many = known.len().saturating_sub(MOST_TEXTS);
            known.drain(..too_many);
        })
    }

    /// Forgets all that was accepted of a config file, also for the sessions that began with it. Returns whether there
    /// was anything.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn withdraw(&self, file: &Path, at: Time) -> Result<bool, PolicyError> {
        let mut known = false;
        self.change(|ledger| {
            known = ledger.files.remove(&key(file)).is_some();
            ledger.withdrawn.insert(key(file), Withdrawal { at });
        })?;
        Ok(known)
    }

    /// Stores a text, so that it can stay in force.
    pub(super) fn store(&self, text: &str) -> Result<ContentHash, PolicyError> {
        ContentStore::below(&self.state).store(text.as_bytes())
    }

    /// A stored text.
    #[must_use]
    pub fn text(&self, content: &ContentHash) -> Option<String> {
        String::from_utf8(ContentStore::below(&self.state).read(content)?).ok()
    }

    fn change(&self, work: impl FnOnce(&mut TrustLedger)) -> Result<(), PolicyError> {
        let failed = |cause: std::io::Error| self.error(&cause.to_string());
        let _lock = lock_beside(&self.path()).map_err(failed)?;
        let mut ledger = self.read()?;
        work(&mut ledger);
        ledger.version = VERSION;
        let text = serde_json::to_vec_pretty(&ledger)
            .map_err(|cause| PolicyError::Bug { what: format!("trust: {cause}") })?;
        write_atomic(&self.path(), &text).map_err(failed)
    }

    fn error(&self, cause: &str) -> PolicyError {
        PolicyError::World {
            what: format!("what was trusted cannot be read from `{}`: {cause}", self.path().display()),
            fix: "check its permissions; if it is damaged, delete it and run `flyball trust` again"
                .to_owned(),
        }
    }
}

impl TrustLedger {
    /// When a person accepted this text of a file, and how.
    #[must_use]
    pub fn find(&self, file: &Path, content: Option<&ContentHash>) -> Option<&Acceptance> {
        self.of(file).iter().find(|acceptance| acceptance.content.as_ref() == content)
    }

    /// The text of a file that was accepted last.
    #[must_use]
    pub fn newest(&self, file: &Path) -> Option<&Acceptance> {
        self.of(file).last()
    }

    /// Whether a person withdrew what was accepted of a file at or after this time.
    pub(super) fn is_withdrawn_since(&self, file: &Path, since: Time) -> bool {
        self.withdrawn.get(&key(file)).is_some_and(|withdrawal| withdrawal.at >= since)
    }

    fn of(&self, file: &Path) -> &[Acceptance] {
        self.files.get(&key(file)).map(Vec::as_slice).unwrap_or_default()
    }
}

/// What a config file is known by. The worktrees of a repository share what was accepted in one of them.
fn key(file: &Path) -> String {
    // Not where a link leads: the same text means other programs in another project.
    let folder = file.parent().map(real_path).unwrap_or_default();
    let folder = main_worktree(&folder).unwrap_or(folder);
    folder.join(file.file_name().unwrap_or_default()).to_string_lossy().into_owned()
}

/// The hash by which a text is known.
#[must_use]
pub fn content_of(text: &str) -> ContentHash {
    hash(text.as_bytes())
}
