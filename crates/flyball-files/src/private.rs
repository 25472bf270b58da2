//! Files and directories that only their owner can read.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// Opens a file for reading and appending, and creates it if it is missing. Directories are made only
/// if that fails, since nearly always they are there.
///
/// # Errors
/// Those of the system.
pub fn open_private(path: &Path) -> io::Result<File> {
    match private().open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make_dirs(path.parent().unwrap_or(path))?;
            private().open(path)
        }
        other => other,
    }
}

/// Makes a directory, and those above it, for the owner only.
///
/// # Errors
/// Those of the system.
pub fn make_dirs(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    flyball_system::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    // Set when the file is made: if it were set afterwards, others could open the file before.
    flyball_system::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Whether the file has been deleted or replaced since it was opened. Where there are no links, a file that is open is
/// not replaced.
#[must_use]
pub fn is_gone(metadata: &Metadata) -> bool {
    flyball_system::MetadataExt::nlink(metadata) == 0
}

/// `len` bytes from `offset`; fewer where the file ends.
///
/// # Errors
/// Those of the system.
pub fn read_at(mut file: &File, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = vec![0; len];
    let mut filled = 0;
    // One read may return less than was asked for, and `read_exact` fails where the file ends early.
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}
