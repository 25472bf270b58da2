//! The seatbelt on macOS: the command is started by `sandbox-exec`, which has the kernel keep a profile. Nobody has run it yet.

use std::fs;
use std::path::Path;

use crate::{Plan, Trouble, profile};

const PROGRAM: &str = "/usr/bin/sandbox-exec";

/// The file below the cover by which a process sees that it is inside.
const MARK: &str = "sandbox";

/// What the kernel answers where a profile denies; modes of files are `EACCES`.
const EPERM: i32 = 1;

/// The words before a program that start it in the seatbelt.
///
/// # Errors
/// When there can be none.
pub fn starter(plan: &Plan) -> Result<Vec<String>, Trouble> {
    let mark = plan.cover.join(MARK);
    let made = fs::OpenOptions::new().append(true).create(true).open(&mark);
    made.map_err(|cause| Trouble::at("write", &mark, &cause).before_anything())?;
    Ok(vec![PROGRAM.to_owned(), "-p".to_owned(), profile(plan)?])
}

/// Whether this process runs in a seatbelt that was made with this cover.
#[must_use]
pub fn is_fastened(cover: &Path) -> bool {
    let opened = fs::OpenOptions::new().append(true).open(cover.join(MARK));
    opened.is_err_and(|cause| cause.raw_os_error() == Some(EPERM))
}
