//! Children on systems that are no Unix. Compiled and tested on Unix as well.

pub(super) mod run;
#[cfg(not(unix))]
pub(crate) mod signals;
