//! Whether a file can be run.

use std::path::Path;

use flyball_system::MetadataExt;

pub(crate) use flyball_system::is_program;

use crate::real_path::real_path;

/// Whether only the system's administrator can replace a program, so that no agent of a user did.
#[must_use]
pub fn is_of_system(program: &Path) -> bool {
    const OTHERS_WRITE: u32 = 0o022;
    let is_roots = |path: &Path| {
        path.symlink_metadata()
            .is_ok_and(|found| found.uid() == 0 && (found.is_symlink() || found.mode() & OTHERS_WRITE == 0))
    };
    // By its name, and where it really is.
    is_program(program)
        && [program, &real_path(program)].into_iter().all(|path| path.ancestors().all(is_roots))
}
