//! Whether a file can be run.

use std::path::Path;

use rustix::fs::{Access, access};

pub(crate) fn is_program(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}
