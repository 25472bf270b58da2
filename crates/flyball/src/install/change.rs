//! Changes to several files that happen together or not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use flyball_core::policy::PolicyError;
use flyball_core::time::Time;
use flyball_world::config::{Consent, Trust, content_of};

use crate::person::require_no_agent;

use super::error::FileError;
use super::mode;
use super::snapshot::Snapshot;

/// The name of a project's config file.
const CONFIG: &str = "flyball.toml";

/// Who may read a file that is new.
#[derive(Clone, Debug)]
pub(crate) enum Access {
    /// Readable like any new file of this user.
    Default,
    Private,
    /// Readable like that other file.
    Like(PathBuf),
}

/// One file before and after.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The file as it was when the change was planned.
    pub(crate) before: Snapshot,
    /// The new content; `None` deletes the file.
    pub(crate) after: Option<String>,
    /// Who may read it if it is new.
    pub(crate) access: Access,
}

impl Change {
    /// A file with new content.
    pub(crate) fn write(before: Snapshot, text: impl Into<String>, access: Access) -> Change {
        Change { before, after: Some(text.into()), access }
    }

    /// A file to delete.
    pub(crate) fn delete(before: Snapshot) -> Change {
        Change { before, after: None, access: Access::Default }
    }

    fn apply(&self) -> Result<(), FileError> {
        let target = &self.before.target;
        let refused = |error| FileError::io(&self.before.path, error);
        match &self.after {
            Some(text) => self.replace(text),
            None => fs::remove_file(target).or_else(ignore_missing).map_err(refused),
        }
    }

    /// Writes beside the file and renames: a reader sees the old content or the new, and a crash
    /// leaves one of them.
    fn replace(&self, text: &str) -> Result<(), FileError> {
        let target = &self.before.target;
        let refused = |error| FileError::io(&self.before.path, error);
        // A rename would replace a read-only file all the same, because only its folder has to be writable.
        if target.metadata().is_ok_and(|file| file.permissions().readonly()) {
            return Err(FileError::ReadOnly { path: self.before.path.clone() });
        }
        self.make_folder(target.parent().unwrap_or(target)).map_err(refused)?;
        // Beside the target, not in a temporary folder: a rename works only within one file system.
        let draft = draft_of(target);
        // Left over from a process of the same number that died here.
        drop(fs::remove_file(&draft));
        let written = self.write_draft(&draft, text).map_err(refused);
        // As late as possible: a client may write its settings while we write the draft.
        let written = written.and_then(|()| self.before.check_unchanged());
        let renamed = written.and_then(|()| fs::rename(&draft, target).map_err(refused));
        if let (Ok(()), Some(folder)) = (&renamed, target.parent()) {
            flyball_files::sync_folder(folder);
            flyball_files::remove_left_over(folder, std::time::SystemTime::now());
        }
        // A draft that cannot be removed now is removed by the next write.
        renamed.inspect_err(|_| drop(fs::remove_file(&draft)))
    }

    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        match self.access {
            Access::Private => mode::create_private_folders(folder),
            Access::Default | Access::Like(_) => fs::create_dir_all(folder),
        }
    }

    fn write_draft(&self, draft: &Path, text: &str) -> io::Result<()> {
        let model = match (&self.access, self.before.target.metadata()) {
            // A file that is there keeps its owner and mode, whatever was asked for a new one.
            (_, Ok(old)) => Some(old),
            (Access::Like(other), Err(_)) => Some(other.metadata()?),
            (Access::Default | Access::Private, Err(_)) => None,
        };
        let mut file = match self.access {
            // Private until its mode is copied: the content must not be readable for others in between.
            Access::Default if model.is_none() => mode::create(draft)?,
            Access::Default | Access::Private | Access::Like(_) => mode::create_private(draft)?,
        };
        file.write_all(text.as_bytes())?;
        if let Some(model) = model {
            mode::copy_access(&file, &model)?;
        }
        // Before the rename, or a power loss could leave the new name with no content.
        file.sync_all()
    }

    /// Undoes what was carried out, unless someone has changed the file again.
    fn revert(&self) {
        let Ok(now) = Snapshot::read(&self.before.path) else { return };
        // Somebody else's later edit is worth more than our undo.
        if now.content() == self.after.as_deref() {
            let back = Change {
                before: now,
                after: self.before.content().map(str::to_owned),
                access: self.access.clone(),
            };
            // The first failure is the one that is reported.
            drop(back.apply());
        }
    }
}

fn draft_of(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.flyball-{}", std::process::id()))
}

fn ignore_missing(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Carries out all changes, in order, or none. `state` is where processes that do the same wait
/// for each other.
pub(crate) fn apply(changes: &[Change], state: Option<&Path>) -> Result<(), FileError> {
    let _lock = state.map(lock).transpose()?;
    // All are checked before the first is written: a plan that is outdated in one file is outdated as a
    // whole.
    for change in changes {
        change.before.check_unchanged()?;
    }
    // Listed before anything is made: afterwards nobody knows which folders are ours.
    let folders: Vec<PathBuf> = changes.iter().flat_map(|change| change.before.missing_folders()).collect();
    for (at, change) in changes.iter().enumerate() {
        if let Err(error) = change.apply() {
            let done = changes.get(..at).unwrap_or_default();
            done.iter().rev().for_each(Change::revert);
            remove_empty(&folders);
            return Err(error);
        }
    }
    state.map_or(Ok(()), |state| accept_configs(changes, state))
}

/// What flyball itself wrote into a config file is accepted, if what was there before was.
fn accept_configs(changes: &[Change], state: &Path) -> Result<(), FileError> {
    let trust = Trust::below(state);
    let refused = |error: PolicyError| {
        FileError::in_state(state, &FileError::io(state, io::Error::other(error.to_string())))
    };
    let configs =
        changes.iter().filter(|change| change.before.path.file_name().is_some_and(|name| name == CONFIG));
    for change in configs {
        let path = change.before.path.as_path();
        let ledger = trust.read().map_err(refused)?;
        let was_accepted = match change.before.content() {
            // If a person accepted a text of a file that is gone, what replaces it needs a person, too.
            None => ledger.newest(path).is_none_or(|newest| newest.content.is_none()),
            Some(text) => ledger.find(path, Some(&content_of(text))).is_some(),
        };
        if was_accepted && change.after.is_some() && require_no_agent("flyball init").is_ok() {
            let consent = Consent { at: Time::now(), how: "written by flyball" };
            trust.accept(path, change.after.as_deref(), &consent).map_err(refused)?;
        }
    }
    Ok(())
}

/// Removes folders that were made for our files, given outermost first, unless others have put
/// something there.
pub(crate) fn remove_empty(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // Fails for a folder that is not empty, which stays.
        drop(fs::remove_dir(folder));
    }
}

/// Locks the installation until the returned file is closed.
fn lock(state: &Path) -> Result<File, FileError> {
    let path = state.join("install.lock");
    let refused = |error| FileError::in_state(state, &FileError::io(state, error));
    mode::create_private_folders(state).map_err(refused)?;
    // The file stays: deleting it would let a waiting process lock a file that nobody else sees.
    let file = File::options().create(true).append(true).open(&path).map_err(refused)?;
    file.lock().map_err(refused)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn plan(path: &Path, text: &str) -> Change {
        Change::write(Snapshot::read(path).unwrap(), text, Access::Default)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_link_stays_a_link_and_the_rights_stay() {
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real.json"), dir.path().join("link.json"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        apply(&[plan(&link, "new")], None).unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(link.is_symlink());
        assert_eq!(names(dir.path()), ["link.json", "real.json"]);
    }

    #[test]
    fn what_changed_since_it_was_read_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let (first, second) = (dir.path().join("a"), dir.path().join("b"));
        fs::write(&second, "old").unwrap();
        let changes = [plan(&first, "new"), plan(&second, "new")];
        fs::write(&second, "theirs").unwrap();
        let error = apply(&changes, None).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("`{}` was changed by another process just now", second.display())
        );
        assert_eq!(fs::read_to_string(&second).unwrap(), "theirs");
        assert_eq!(names(dir.path()), ["b"]);
    }

    #[test]
    fn a_failure_undoes_the_changes_before_it() {
        let dir = tempfile::tempdir().unwrap();
        let (fresh, old, frozen) =
            (dir.path().join("fresh"), dir.path().join("old"), dir.path().join("frozen"));
        fs::write(&old, "old").unwrap();
        fs::write(&frozen, "old").unwrap();
        fs::set_permissions(&frozen, fs::Permissions::from_mode(0o444)).unwrap();
        let nested = dir.path().join("new/folder/file");
        let changes = [plan(&fresh, "new"), plan(&nested, "new"), plan(&old, "new"), plan(&frozen, "new")];
        let error = apply(&changes, None).unwrap_err();
        assert_eq!(error.to_string(), format!("`{}` is read-only", frozen.display()));
        assert_eq!(fs::read_to_string(&old).unwrap(), "old");
        assert_eq!(names(dir.path()), ["frozen", "old"]);
    }

    #[test]
    fn private_files_and_copies_are_no_more_readable_than_they_should_be() {
        let dir = tempfile::tempdir().unwrap();
        let secret = dir.path().join("secret");
        fs::write(&secret, "key").unwrap();
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
        let copy = Snapshot::read(&dir.path().join("copy")).unwrap();
        let own = Snapshot::read(&dir.path().join("state/own")).unwrap();
        apply(
            &[Change::write(copy, "key", Access::Like(secret)), Change::write(own, "key", Access::Private)],
            Some(&dir.path().join("state")),
        )
        .unwrap();
        let mode = |name: &str| fs::metadata(dir.path().join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("copy"), mode("state"), mode("state/own")), (0o600, 0o700, 0o600));
    }
}
