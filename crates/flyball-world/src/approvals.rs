//! What people approved of a project's protected files, and what the files were before.
//!
//! One small file per project below the state directory. It is written by the hook and by
//! commands at the same time, so each change is read, made and written under a lock.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Approval, ContentHash, FileNote, PolicyError};
use flyball_core::time::{self, Time};
use serde::{Deserialize, Serialize};

use crate::content_store::{hash, lock_beside, write_atomic};
use crate::real_path::real_path;

/// The form of the file. A program that finds a higher number leaves the file alone.
pub(crate) const VERSION: u32 = 1;

/// The approvals of one project.
#[derive(Clone, Debug)]
pub struct Approvals {
    place: PathBuf,
    root: AbsolutePath,
}

/// What is known of a project's protected files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    version: u32,
    /// The project, for a person who looks at the file.
    root: AbsolutePath,
    files: BTreeMap<AbsolutePath, Entry>,
}

/// What is known of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// What a person accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved: Option<Approved>,
    /// What it was when a session began; `None` if it was not there.
    pub before: Option<ContentHash>,
    /// Whether a session saw it change from `before` and nobody has approved or undone that.
    pub changed: bool,
    /// What showed that a person approved it: `terminal`, `sudo`. Not known of approvals by older versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed_by: Option<String>,
}

/// When a person confirmed something, and what showed that it was a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmed<'a> {
    pub at: Time,
    pub by: &'a str,
}

/// What a person accepted, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approved(pub Approval, #[serde(with = "time::millis")] pub Time);

impl Ledger {
    /// The accepted content of a file, if it was accepted at or after this time.
    #[must_use]
    pub fn approved(&self, path: &str, since: Time) -> Option<&Approval> {
        let Approved(approval, at) = self.files.get(path)?.approved.as_ref()?;
        (*at >= since).then_some(approval)
    }

    /// All that is known of a file.
    #[must_use]
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        self.files.get(path)
    }

    /// The files something is known of, sorted.
    pub fn files(&self) -> impl Iterator<Item = (&AbsolutePath, &Entry)> {
        self.files.iter()
    }

    fn apply_note(&mut self, path: &AbsolutePath, note: &FileNote) {
        let entry = self.files.entry(path.to_owned()).or_default();
        match note {
            // The result of a change that was not approved is not what to restore.
            FileNote::Found(content) if entry.changed && entry.before.as_ref() != Some(content) => {}
            FileNote::Found(content) => {
                entry.before = Some(content.clone());
                entry.changed = false;
            }
            // Only the first change counts: a second one starts from what nobody approved.
            FileNote::Changed(before) if !entry.changed => {
                // What was approved during the session is what to restore, not what the session began with.
                let is_approved = |Approved(approval, _): &Approved| approval.content == entry.before;
                if !entry.approved.as_ref().is_some_and(is_approved) {
                    entry.before.clone_from(before);
                }
                entry.changed = true;
            }
            FileNote::Changed(_) => {}
            FileNote::Allowed(content) => {
                entry.before.clone_from(content);
                entry.changed = false;
                let approval = Approval { content: content.clone() };
                entry.approved = Some(Approved(approval, Time::from_millis(Time::now().as_millis())));
                entry.confirmed_by = Some("allow".to_owned());
            }
        }
    }
}

impl Approvals {
    /// The approvals of the project at `root`, below a state directory.
    #[must_use]
    pub fn for_project(state: &Path, root: &Path) -> Approvals {
        // A client may name the project through a link; a person in a terminal does not.
        let root = AbsolutePath::from_root(real_path(root).to_string_lossy());
        let key: String = hash(root.as_bytes()).as_str().chars().take(32).collect();
        Approvals { place: state.join("approvals").join(format!("{key}.json")), root }
    }

    /// What is known; nothing at first.
    ///
    /// # Errors
    /// When the file cannot be read or is not ours to read.
    pub fn read(&self) -> Result<Ledger, PolicyError> {
        let text = match fs::read(&self.place) {
            Ok(text) => text,
            Err(cause) if flyball_files::is_absent(&cause) => return Ok(self.empty()),
            Err(cause) => return Err(self.error(&cause.to_string())),
        };
        let ledger: Ledger = serde_json::from_slice(&text).map_err(|cause| self.error(&cause.to_string()))?;
        // An error and not an empty ledger: the next write would replace what the newer version knows.
        if ledger.version > VERSION {
            return Err(self.error("a newer flyball wrote it"));
        }
        Ok(ledger)
    }

    /// Accepts the present content of a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn approve(
        &self,
        path: &AbsolutePath,
        approval: Approval,
        confirmed: Confirmed<'_>,
    ) -> Result<(), PolicyError> {
        self.change(|ledger| {
            let entry = ledger.files.entry(path.to_owned()).or_default();
            // What was accepted is what a later undo restores.
            entry.before.clone_from(&approval.content);
            entry.changed = false;
            entry.approved = Some(Approved(approval, confirmed.at));
            entry.confirmed_by = Some(confirmed.by.to_owned());
        })
    }

    /// Records that a file was restored.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn mark_restored(&self, path: &str) -> Result<(), PolicyError> {
        self.change(|ledger| {
            if let Some(entry) = ledger.files.get_mut(path) {
                entry.changed = false;
            }
        })
    }

    /// Notes what a session saw.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&self, notes: &[(AbsolutePath, FileNote)]) -> Result<(), PolicyError> {
        self.change(|ledger| notes.iter().for_each(|(path, note)| ledger.apply_note(path, note)))
    }

    fn change(&self, work: impl FnOnce(&mut Ledger)) -> Result<(), PolicyError> {
        let failed = |cause: std::io::Error| self.error(&cause.to_string());
        let _lock = lock_beside(&self.place).map_err(failed)?;
        let before = self.read()?;
        let mut after = before.clone();
        work(&mut after);
        // Most events learn nothing new, and then nothing is written.
        if after == before {
            return Ok(());
        }
        let text = serde_json::to_vec_pretty(&after)
            .map_err(|cause| PolicyError::Bug { what: format!("approvals: {cause}") })?;
        write_atomic(&self.place, &text).map_err(failed)
    }

    fn empty(&self) -> Ledger {
        Ledger { version: VERSION, root: self.root.clone(), files: BTreeMap::new() }
    }

    fn error(&self, cause: &str) -> PolicyError {
        PolicyError::World {
            what: format!("the approvals in `{}` cannot be used: {cause}", self.place.display()),
            fix: "check its permissions; if it is damaged, delete it and approve again".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> ContentHash {
        hash(text.as_bytes())
    }

    fn project() -> (tempfile::TempDir, Approvals) {
        let folder = tempfile::tempdir().unwrap();
        let approvals = Approvals::for_project(folder.path(), Path::new("/project"));
        (folder, approvals)
    }

    fn found(text: &str) -> (AbsolutePath, FileNote) {
        (AbsolutePath::from_root("/project/a"), FileNote::Found(content(text)))
    }

    fn before(approvals: &Approvals) -> (Option<ContentHash>, bool) {
        let ledger = approvals.read().unwrap();
        let entry = ledger.entry("/project/a").unwrap();
        (entry.before.clone(), entry.changed)
    }

    #[test]
    fn another_session_does_not_make_an_unapproved_change_the_base() {
        let (_folder, approvals) = project();
        approvals.note(&[found("good")]).unwrap();
        approvals
            .note(&[(AbsolutePath::from_root("/project/a"), FileNote::Changed(Some(content("good"))))])
            .unwrap();
        approvals.note(&[found("bad")]).unwrap();
        assert_eq!(before(&approvals), (Some(content("good")), true));
        approvals.note(&[found("good")]).unwrap();
        assert_eq!(before(&approvals), (Some(content("good")), false));
    }

    #[test]
    fn what_is_approved_is_the_base_from_then_on() {
        let (_folder, approvals) = project();
        approvals.note(&[found("good")]).unwrap();
        approvals
            .note(&[(AbsolutePath::from_root("/project/a"), FileNote::Changed(Some(content("good"))))])
            .unwrap();
        let approval = Approval { content: Some(content("better")) };
        approvals
            .approve(
                &AbsolutePath::from_root("/project/a"),
                approval.clone(),
                Confirmed { at: Time::from_millis(7), by: "terminal" },
            )
            .unwrap();
        assert_eq!(before(&approvals), (Some(content("better")), false));
        let ledger = approvals.read().unwrap();
        assert_eq!(ledger.approved("/project/a", Time::from_millis(7)), Some(&approval));
        assert_eq!(ledger.approved("/project/a", Time::from_millis(8)), None, "a session that began later");
    }

    #[test]
    fn what_was_approved_during_a_session_is_what_to_restore() {
        let (_folder, approvals) = project();
        let path = AbsolutePath::from_root("/project/a");
        approvals.note(&[found("good")]).unwrap();
        approvals.note(&[(path.clone(), FileNote::Allowed(Some(content("better"))))]).unwrap();
        assert_eq!(before(&approvals), (Some(content("better")), false));
        approvals.note(&[(path, FileNote::Changed(Some(content("good"))))]).unwrap();
        assert_eq!(before(&approvals), (Some(content("better")), true));
    }

    #[test]
    fn two_projects_do_not_share_a_file() {
        let (folder, approvals) = project();
        approvals.note(&[found("x")]).unwrap();
        let other = Approvals::for_project(folder.path(), Path::new("/project2"));
        assert_eq!(other.read().unwrap().files().count(), 0);
    }

    #[test]
    fn many_at_once_lose_nothing() {
        let (_folder, approvals) = project();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let approvals = &approvals;
                scope.spawn(move || {
                    let path = AbsolutePath::from_root(format!("/project/{number}"));
                    approvals.note(&[(path, FileNote::Found(content("x")))]).unwrap();
                });
            }
        });
        assert_eq!(approvals.read().unwrap().files().count(), 8);
    }

    #[test]
    fn a_newer_or_damaged_file_is_left_alone() {
        let (_folder, approvals) = project();
        approvals.note(&[found("x")]).unwrap();
        let cases = [
            (r#"{"version":2,"root":"/project","files":{}}"#, "a newer flyball wrote it"),
            ("{", "EOF while parsing an object at line 1 column 1"),
        ];
        for (text, why) in cases {
            fs::write(&approvals.place, text).unwrap();
            let place = approvals.place.display();
            assert_eq!(
                approvals.note(&[found("y")]).unwrap_err().to_string(),
                format!("the approvals in `{place}` cannot be used: {why}")
            );
            assert_eq!(fs::read_to_string(&approvals.place).unwrap(), text);
        }
    }
}
