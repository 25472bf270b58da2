//! Who may read and write a file: what differs between systems is here.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

use flyball_system::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};

/// Makes a file that must not exist, readable for its owner only.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Makes a file that must not exist, as any program would.
pub(super) fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Makes folders that only their owner can read.
pub(super) fn create_private_folders(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Sets a bit that git does not know and that means nothing in a private folder: no repository can bring such a folder.
pub(super) fn mark_as_no_clone(folder: &Path) -> io::Result<()> {
    flyball_system::set_mode(folder, 0o1700)
}

/// Gives a new file the owner and the rights of the one whose place it takes.
pub(super) fn copy_access(new: &File, old: &Metadata) -> io::Result<()> {
    let own = new.metadata()?;
    if (own.uid(), own.gid()) != (old.uid(), old.gid()) {
        // Only an administrator can give files away. For everyone else the file is then their
        // own, as it is after an edit with most editors.
        drop(fchown(new, Some(old.uid()), Some(old.gid())));
    }
    new.set_permissions(old.permissions())
}

/// Whether someone may execute the file.
pub(crate) fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}
