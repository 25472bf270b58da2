//! How a file of the project fails.

use std::io;

use flyball_core::policy::PolicyError;

pub(super) fn failed(path: &str, cause: &io::Error) -> PolicyError {
    let fix = match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room on the disk",
        _ => "check its folder and its permissions",
    };
    PolicyError::World { what: format!("`{path}` cannot be used: {cause}"), fix: fix.to_owned() }
}
