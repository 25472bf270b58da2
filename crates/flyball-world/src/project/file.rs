//! Files of the project: created once, replaced whole, appended line by line.

use std::fs::{self, File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use flyball_core::policy::PolicyError;
use flyball_core::workshop::{Created, FileUpdate};
use flyball_files::{TempFile, sync_folder};
use flyball_system::is_writable;

use super::error::failed;
use crate::regular_file::{self, RegularFile};

/// How often a file is read again if it was changed in the meantime.
const TRIES: usize = 20;
/// Files of knowledge are small; what is larger is something else.
const MOST_BYTES: u64 = 64 * 1024 * 1024;
const NEW_FILE: u32 = 0o644;
/// How often a file that was replaced is checked, a moment apart, for what is still written to it.
const MOST_LOOKS: usize = 20;
/// After this many moments without a change, no process writes to it any more.
const QUIET_LOOKS: usize = 2;
const MOMENT: Duration = Duration::from_millis(1);
const NOT_REGULAR: &str = "it is not a regular file";

/// Makes a file that is not there.
pub(super) fn create(place: &Path, content: &[u8]) -> Result<Created> {
    make_folder(place.parent())?;
    let folder = place.parent().unwrap_or(Path::new("/"));
    let beside = TempFile::create(folder, NEW_FILE)?;
    beside.file().write_all(content)?;
    beside.file().sync_all()?;
    // A link fails if something is there, atomically; a rename would replace it.
    match fs::hard_link(beside.path(), place) {
        Ok(()) => {
            sync_folder(folder);
            Ok(Created::Yes)
        }
        Err(cause) if cause.kind() == ErrorKind::AlreadyExists => Ok(Created::AlreadyExists),
        // Some file systems know no links.
        Err(_) => create_plainly(place, content),
    }
}

fn make_folder(folder: Option<&Path>) -> Result<()> {
    folder.map_or(Ok(()), fs::create_dir_all)
}

fn create_plainly(place: &Path, content: &[u8]) -> Result<Created> {
    match OpenOptions::new().write(true).create_new(true).open(place) {
        Ok(mut file) => file.write_all(content).map(|()| Created::Yes),
        Err(cause) if cause.kind() == ErrorKind::AlreadyExists => Ok(Created::AlreadyExists),
        Err(cause) => Err(cause),
    }
}

pub(super) fn alter(place: &Path, change: &mut FileUpdate<'_>) -> std::result::Result<bool, PolicyError> {
    let shown = place.to_string_lossy();
    let failed = |cause: Error| failed(&shown, &cause);
    for _ in 0..TRIES {
        let Some(before) = OriginalFile::read(place).map_err(failed)? else {
            let Some(text) = change(None)? else { return Ok(false) };
            match create(place, &text).map_err(failed)? {
                Created::Yes => return Ok(true),
                Created::AlreadyExists => continue,
            }
        };
        let Some(text) = change(Some(&before.content))? else { return Ok(false) };
        if text == before.content {
            return Ok(false);
        }
        match before.replace_with(place, &text).map_err(failed)? {
            Replacement::LostRace => {}
            Replacement::Done => return Ok(true),
            // Theirs is the newer one: it is in place again, and our change is made to it.
            Replacement::Overtaken(theirs) => replace(place, &theirs).map_err(failed)?,
        }
    }
    Err(PolicyError::World {
        what: format!("`{shown}` keeps changing; it was left as it is"),
        fix: "try again when no other process writes it".to_owned(),
    })
}

/// The result of replacing the content of a file.
enum Replacement {
    Done,
    /// Another process was faster: nothing was done.
    LostRace,
    /// It is there, and meanwhile a process that had opened the old file wrote other content into it.
    Overtaken(Vec<u8>),
}

/// A file as it was found, still open: what is written to it after it was replaced is seen.
struct OriginalFile {
    file: File,
    content: Vec<u8>,
}

impl OriginalFile {
    fn read(place: &Path) -> Result<Option<OriginalFile>> {
        let RegularFile { mut file, length } = match open(place, OpenOptions::new().read(true)) {
            Ok(opened) => opened,
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(cause),
        };
        if length > MOST_BYTES {
            return Err(Error::other("it is too large"));
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content)?;
        Ok(Some(OriginalFile { file, content }))
    }

    /// Puts the new content in its place.
    fn replace_with(mut self, place: &Path, text: &[u8]) -> Result<Replacement> {
        // Renaming would get around a file that is read-only.
        is_writable(place)?;
        let beside = TempFile::create(place.parent().unwrap_or(Path::new("/")), 0o600)?;
        beside.file().write_all(text)?;
        beside.file().set_permissions(self.file.metadata()?.permissions())?;
        // As late as possible: what was written since then would be lost.
        if fs::read(place)? != self.content {
            return Ok(Replacement::LostRace);
        }
        beside.replace(place)?;
        self.carry_over(place)
    }

    /// Carries over what another process appended between the last check and the rename. A process that had opened
    /// the file before may write a moment later: it is checked until nothing comes for a moment.
    fn carry_over(&mut self, place: &Path) -> Result<Replacement> {
        let (mut quiet, mut other) = (0, Vec::new());
        for _ in 0..MOST_LOOKS {
            self.file.seek(SeekFrom::Start(0))?;
            let mut now = Vec::new();
            self.file.read_to_end(&mut now)?;
            // If the old file still begins with what was read, whatever follows was appended to it.
            match now.strip_prefix(self.content.as_slice()) {
                Some([]) if quiet >= QUIET_LOOKS => break,
                Some([]) => quiet += 1,
                Some(late) => {
                    OpenOptions::new().append(true).open(place)?.write_all(late)?;
                    self.content = now;
                    quiet = 0;
                }
                // It was rewritten in place, and counts once two looks in a row find the same content:
                // what was emptied is not written yet, and what grows is not whole.
                None if now != other => other = now,
                None if other.is_empty() => {}
                None => break,
            }
            std::thread::sleep(MOMENT);
        }
        Ok(if other.is_empty() { Replacement::Done } else { Replacement::Overtaken(other) })
    }
}

/// Replaces the content of a file, whatever it is.
fn replace(place: &Path, content: &[u8]) -> Result<()> {
    let beside = TempFile::create(place.parent().unwrap_or(Path::new("/")), 0o600)?;
    beside.file().write_all(content)?;
    beside.file().set_permissions(fs::metadata(place)?.permissions())?;
    beside.replace(place)
}

/// The result of moving a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// It is at its new place.
    Yes,
    /// It was not there.
    Gone,
    /// Something is at the new place; both were left alone.
    Taken,
}

/// Moves a file to where nothing is.
pub(super) fn move_to(from: &Path, to: &Path) -> Result<Moved> {
    make_folder(to.parent())?;
    // A link fails if something is there; a rename would replace it.
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from).map(|()| Moved::Yes),
        // A process that was killed here before had made the link, and nothing more.
        Err(cause) if cause.kind() == ErrorKind::AlreadyExists && is_same_file(from, to) => {
            fs::remove_file(from).map(|()| Moved::Yes)
        }
        Err(cause) if cause.kind() == ErrorKind::AlreadyExists => Ok(Moved::Taken),
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(Moved::Gone),
        // Some file systems know no links.
        Err(_) if fs::symlink_metadata(to).is_ok() => Ok(Moved::Taken),
        Err(_) => fs::rename(from, to).map(|()| Moved::Yes),
    }
}

/// Whether two names are of one file.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    flyball_system::is_same_file(one, other)
}

/// Removes a file.
pub(super) fn remove(place: &Path) -> Result<bool> {
    match fs::symlink_metadata(place) {
        Ok(data) if data.is_file() => fs::remove_file(place).map(|()| true),
        Ok(_) => Err(Error::other(NOT_REGULAR)),
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(false),
        Err(cause) => Err(cause),
    }
}

fn open(place: &Path, options: &mut OpenOptions) -> Result<RegularFile> {
    regular_file::open(place, options)?.ok_or_else(|| Error::other(NOT_REGULAR))
}

/// Appends a line.
pub(super) fn append(place: &Path, line: &str) -> Result<()> {
    make_folder(place.parent())?;
    let options = &mut OpenOptions::new();
    let RegularFile { mut file, length } = open(place, options.read(true).append(true).create(true))?;
    let mut text = String::with_capacity(line.len() + 2);
    if length > 0 {
        // A person may have left the last line without an end; the new one must not be glued to it.
        let mut last = [0];
        file.seek(SeekFrom::Start(length - 1))?;
        file.read_exact(&mut last)?;
        if last != [b'\n'] {
            text.push('\n');
        }
    }
    text.push_str(line);
    text.push('\n');
    // One call: lines appended at the same time come before or after it, not into it.
    file.write_all(text.as_bytes())
}

/// Makes a link, or redirects one that leads into the same folder.
pub(super) fn link(place: &Path, to: &Path) -> Result<bool> {
    make_folder(place.parent())?;
    match fs::symlink_metadata(place) {
        Ok(data) if data.is_symlink() => {
            let target = fs::read_link(place)?;
            if target == to {
                return Ok(true);
            }
            // A link to another folder is someone else's.
            if target.parent() != to.parent() {
                return Ok(false);
            }
            fs::remove_file(place)?;
        }
        Ok(_) => return Ok(false),
        Err(cause) if cause.kind() == ErrorKind::NotFound => {}
        Err(cause) => return Err(cause),
    }
    flyball_system::symlink(to, place)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that was replaced while another process had it open for writing.
    fn replaced(folder: &Path, options: &OpenOptions) -> (File, OriginalFile) {
        let place = folder.join("k");
        fs::write(&place, "one\n").unwrap();
        let before = OriginalFile::read(&place).unwrap().unwrap();
        let theirs = options.open(&place).unwrap();
        replace(&place, b"ONE\n").unwrap();
        (theirs, before)
    }

    #[test]
    fn a_pipe_is_neither_changed_nor_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("AGENTS.md");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        assert_eq!(append(&pipe, "a line").unwrap_err().to_string(), NOT_REGULAR);
        let error = alter(&pipe, &mut |_| Ok(Some(Vec::new()))).unwrap_err().to_string();
        assert!(error.ends_with(NOT_REGULAR), "{error}");
    }

    #[test]
    fn a_line_that_comes_after_the_file_was_replaced_is_carried_over() {
        let folder = tempfile::tempdir().unwrap();
        let (mut theirs, mut before) = replaced(folder.path(), OpenOptions::new().append(true));
        theirs.write_all(b"two\n").unwrap();
        assert!(matches!(before.carry_over(&folder.path().join("k")).unwrap(), Replacement::Done));
        assert_eq!(fs::read(folder.path().join("k")).unwrap(), b"ONE\ntwo\n");
    }

    #[test]
    fn another_content_that_comes_after_the_file_was_replaced_is_not_appended_to_ours() {
        let folder = tempfile::tempdir().unwrap();
        let (mut theirs, mut before) = replaced(folder.path(), OpenOptions::new().write(true).truncate(true));
        theirs.write_all(b"all of it is new\n").unwrap();
        let way = before.carry_over(&folder.path().join("k")).unwrap();
        assert!(matches!(way, Replacement::Overtaken(theirs) if theirs == b"all of it is new\n"));
        assert_eq!(fs::read(folder.path().join("k")).unwrap(), b"ONE\n");
    }

    #[test]
    fn a_change_is_made_to_what_another_process_wrote_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("k");
        fs::write(&place, "one\n").unwrap();
        let mut seen = Vec::new();
        let changed = alter(&place, &mut |content| {
            let content = String::from_utf8(content.unwrap().to_vec()).unwrap();
            if seen.is_empty() {
                fs::write(&place, "two\n").unwrap();
            }
            seen.push(content.clone());
            Ok(Some(format!("{content}changed\n").into_bytes()))
        });
        assert!(changed.unwrap());
        assert_eq!(
            (seen, fs::read(&place).unwrap()),
            (vec!["one\n".to_owned(), "two\n".to_owned()], b"two\nchanged\n".to_vec())
        );
    }
}
