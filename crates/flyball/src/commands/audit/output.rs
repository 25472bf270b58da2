//! Where an export goes: standard output, or a file that appears when it is complete.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Result, Stdout, Write};
use std::path::{Path, PathBuf};

use flyball_core::encoding::hex;
use flyball_core::workshop::Scratch;
use flyball_system::OpenOptionsExt;
use flyball_world::scratch;
use ring::digest::{Context, SHA256};

use crate::outcome::Failed;

/// The output, and the hash of all that was written to it.
pub(super) struct Output {
    hash: Context,
    destination: Destination,
}

enum Destination {
    Stdout(BufWriter<Stdout>),
    File(Box<Pending>),
}

/// A file in a temporary folder beside its goal. The folder is removed when the process ends, however it ends.
struct Pending {
    file: BufWriter<File>,
    path: PathBuf,
    goal: PathBuf,
    _folder: Box<dyn Scratch>,
}

impl Output {
    pub(super) fn stdout() -> Output {
        Output {
            hash: Context::new(&SHA256),
            destination: Destination::Stdout(BufWriter::new(std::io::stdout())),
        }
    }

    /// A file that only its owner can read: it may contain prompts and replies.
    pub(super) fn file(goal: &Path) -> std::result::Result<Output, Failed> {
        let failed = |cause: &dyn std::fmt::Display| write_failure(goal, cause);
        let beside = match goal.parent() {
            // The parent of a bare file name is empty, which is not a folder to the system.
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) if !parent.is_dir() => return Err(failed(&"no such folder")),
            Some(parent) => parent,
            None => return Err(failed(&"it is a folder")),
        };
        let folder = scratch::make(beside, &[]).map_err(|error| failed(&error))?;
        let path = Path::new(folder.path()).join("new");
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let file = BufWriter::new(file.map_err(|cause| failed(&cause))?);
        let pending = Pending { file, path, goal: goal.to_owned(), _folder: folder };
        Ok(Output { hash: Context::new(&SHA256), destination: Destination::File(Box::new(pending)) })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.hash.update(bytes);
        match &mut self.destination {
            Destination::Stdout(out) => out.write_all(bytes),
            Destination::File(pending) => pending.file.write_all(bytes),
        }
    }

    /// Moves the file to its goal, and returns the SHA-256 of what was written.
    pub(super) fn finish(self) -> Result<String> {
        match self.destination {
            Destination::Stdout(mut out) => out.flush()?,
            Destination::File(mut pending) => {
                pending.file.flush()?;
                // On the disk before it has its name: a power loss must not leave an empty file beside its
                // digest.
                pending.file.get_ref().sync_all()?;
                std::fs::rename(&pending.path, &pending.goal)?;
            }
        }
        Ok(hex(self.hash.finish().as_ref()))
    }
}

/// The failure of a command that cannot write a file.
pub(super) fn write_failure(path: &Path, cause: &dyn std::fmt::Display) -> Failed {
    let what = format!("`{}` cannot be written: {cause}", path.display());
    Failed::new(what, "choose a writable place with free space")
}
