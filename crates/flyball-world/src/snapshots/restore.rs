//! Brings files back as a snapshot has them.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use flyball_core::path::is_or_is_below;
use flyball_files::TempFile;
use flyball_system::symlink;

use super::Snapshots;
use super::manifest::{Content, Entry, FileStat, Manifest};
use super::tree::Tree;
use crate::machine::Machine;

/// What has to be done so that files are as in a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub steps: Vec<Step>,
}

/// What has to be done with one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// As snapshots have it.
    pub path: String,
    pub change: Change,
    /// As it is now; `None` if it is not there.
    pub now: Option<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It becomes this.
    Restore(Entry),
    /// It was not there.
    Remove,
    /// It stays as it is, for this reason.
    Leave(String),
}

/// A file that could not be brought back, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRestored {
    pub path: String,
    pub why: String,
}

impl Snapshots {
    /// What has to be done so that all files are as in `wanted`, or those at and below `only`; `now` has them as they are.
    #[must_use]
    pub fn plan(&self, machine: &Machine, wanted: &Manifest, now: &Manifest, only: Option<&str>) -> Plan {
        let is_meant = |path: &str| only.is_none_or(|only| only.is_empty() || is_or_is_below(path, only));
        let mut steps = Vec::new();
        for (path, entry) in wanted.entries.iter().filter(|(path, _)| is_meant(path)) {
            let there = now.entries.get(path).filter(|it| it.content != Content::Absent);
            let change = match (&entry.content, there) {
                (Content::Absent, None) => continue,
                (Content::Absent, Some(there)) => removal(there),
                (Content::Missing(_), Some(there)) if there.stat == entry.stat => continue,
                (Content::Missing(why), _) => Change::Leave(format!("it was not copied: {}", why.why())),
                (_, Some(there)) if self.is_same(machine, path, entry, there) => continue,
                // What is there now would be lost.
                (_, Some(there)) if !is_copied(there) => left_for(there),
                _ => Change::Restore(entry.clone()),
            };
            steps.push(Step { path: path.clone(), change, now: there.cloned() });
        }
        // What is not in a tree was not there, unless not everything was looked at.
        let new = now.entries.iter().filter(|(path, _)| !wanted.entries.contains_key(*path));
        let new = new.filter(|_| wanted.is_tree && !wanted.is_cut);
        for (path, there) in new.filter(|(path, _)| is_meant(path)) {
            // If its repository is gone, nobody knows whether it was ignored before.
            let has_same_rules = wanted.repository_of(path) == now.repository_of(path);
            if there.content != Content::Absent && has_same_rules {
                steps.push(Step { path: path.clone(), change: removal(there), now: Some(there.clone()) });
            }
        }
        Plan { steps }
    }

    /// The content of a file of a snapshot, as it is in the file; the target of a link. `None` if it is nowhere.
    #[must_use]
    pub fn bytes(&self, machine: &Machine, path: &str, entry: &Entry) -> Option<Vec<u8>> {
        match &entry.content {
            Content::Stored(hash) => self.content(hash),
            Content::Link(target) => Some(target.clone().into_bytes()),
            Content::Committed(object) => {
                let place = self.root.join(path);
                let top = place.ancestors().skip(1).find(|above| above.join(".git").exists())?;
                let name = place.strip_prefix(top).ok()?.to_string_lossy().into_owned();
                machine.found_git().file_from_object(top, object, &name).ok()
            }
            Content::Absent | Content::Missing(_) => None,
        }
    }

    /// Does what a plan says, as far as it can be done.
    #[must_use]
    pub fn carry_out(&self, machine: &Machine, plan: &Plan) -> Vec<NotRestored> {
        let (removals, restorations): (Vec<&Step>, Vec<&Step>) =
            plan.steps.iter().partition(|step| step.change == Change::Remove);
        let mut failed = Vec::new();
        let mut again = Vec::new();
        for step in &restorations {
            let Change::Restore(entry) = &step.change else { continue };
            match self.bytes(machine, &step.path, entry) {
                Some(bytes) if self.write_file(step, entry, &bytes).is_err() => {
                    again.push((*step, entry, bytes))
                }
                Some(_) => {}
                None => failed.push(not_restored(step, "its content is no longer stored")),
            }
        }
        // Rules of what is ignored are back now: what they ignore stays.
        let ignored = self.ignored(machine, &removals);
        for step in removals.iter().filter(|step| !ignored.contains(&step.path)) {
            match self.remove(step) {
                Ok(()) => {}
                Err(cause) => failed.push(not_restored(step, &cause.to_string())),
            }
        }
        // Something new was in their way.
        for (step, entry, bytes) in again {
            if let Err(cause) = self.write_file(step, entry, &bytes) {
                failed.push(not_restored(step, &cause.to_string()));
            }
        }
        failed
    }

    /// Those of the files to be removed that git ignores.
    fn ignored(&self, machine: &Machine, removals: &[&Step]) -> Vec<String> {
        let tree = Tree::list(machine.found_git(), &self.root, usize::MAX);
        let is_of_tree = |step: &&&Step| !step.path.starts_with('/');
        let is_unlisted = |step: &&&Step| !tree.files.contains_key(&step.path);
        removals.iter().filter(is_of_tree).filter(is_unlisted).map(|step| step.path.clone()).collect()
    }

    fn is_same(&self, machine: &Machine, path: &str, wanted: &Entry, there: &Entry) -> bool {
        let is_other_kind =
            matches!(wanted.content, Content::Committed(_)) != matches!(there.content, Content::Committed(_));
        if !is_other_kind {
            return wanted.is_same_file(there);
        }
        let as_there = Entry { content: there.content.clone(), ..wanted.clone() };
        as_there.is_same_file(there) && self.bytes(machine, path, wanted) == self.bytes(machine, path, there)
    }

    fn write_file(&self, step: &Step, entry: &Entry, bytes: &[u8]) -> std::io::Result<()> {
        let place = self.root.join(&step.path);
        let folder = real_folder(&place)?;
        // An empty folder in its place has nothing that could be lost; any other stays.
        if fs::symlink_metadata(&place).is_ok_and(|data| data.is_dir()) {
            fs::remove_dir(&place)?;
        }
        if matches!(entry.content, Content::Link(_)) {
            let target = std::str::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData)?;
            // A file of a name that nobody else has; the link takes it over.
            let beside = TempFile::create(&folder, 0o600)?;
            fs::remove_file(beside.path())?;
            symlink(target, beside.path())?;
            return beside.replace_soon(&place);
        }
        let beside = TempFile::create(&folder, 0o600)?;
        beside.file().write_all(bytes)?;
        flyball_system::set_mode(beside.path(), entry.stat.mode & 0o7777)?;
        beside.replace_soon(&place)
    }

    fn remove(&self, step: &Step) -> std::io::Result<()> {
        let place = self.root.join(&step.path);
        // Changed since it was copied: it would be lost.
        if FileStat::at(&place) != step.now.as_ref().map(|now| now.stat) {
            return Err(std::io::Error::other("it changed in this moment"));
        }
        real_folder(&place)?;
        fs::remove_file(&place)?;
        // Folders that are empty now came with it: git knows none either.
        for folder in place.ancestors().skip(1).take_while(|folder| *folder != self.root) {
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
        Ok(())
    }
}

fn not_restored(step: &Step, why: &str) -> NotRestored {
    NotRestored { path: step.path.clone(), why: why.to_owned() }
}

/// Whether the content of a file is stored, so that it can be replaced.
fn is_copied(there: &Entry) -> bool {
    !matches!(there.content, Content::Missing(_))
}

fn removal(there: &Entry) -> Change {
    if is_copied(there) { Change::Remove } else { left_for(there) }
}

fn left_for(there: &Entry) -> Change {
    let why = match there.content {
        Content::Missing(why) => why.why(),
        _ => "it is not stored",
    };
    Change::Leave(format!("what is there now could not be copied first: {why}"))
}

/// The folder of a file, made if it is missing. Through a link it would be another one than was meant.
fn real_folder(place: &Path) -> std::io::Result<PathBuf> {
    let folder = place.parent().unwrap_or(place);
    fs::create_dir_all(folder)?;
    if folder.canonicalize()? != folder {
        return Err(std::io::Error::other("its folder has become a link to elsewhere"));
    }
    Ok(folder.to_path_buf())
}
