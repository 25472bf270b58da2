//! What every writer below the state directory needs: files that only their owner can read, and files
//! that are replaced as a whole.

#![forbid(unsafe_code)]

mod left_over;
mod private;
mod temp_file;

pub use left_over::remove_left_over;
pub use private::{is_gone, make_dirs as make_private_dirs, open_private, read_at};
pub use temp_file::{TempFile, sync_folder};

/// Whether an error says that there is certainly no such file, also because its folder cannot be there.
#[must_use]
pub fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}
