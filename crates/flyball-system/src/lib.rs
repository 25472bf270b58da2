//! What differs between operating systems: who may read a file, which file is which, processes, streams that are not waited
//! for without end, the terminal.
//!
//! On Unix the names lead straight to the standard library and the kernel's calls. Everywhere else a portable form takes
//! their place that needs nothing but the standard library; it is compiled and tested on Unix as well. No other crate but
//! the seatbelt and the workshop's children names what only one system has (`scripts/check_tree.py`).

#[cfg(any(not(unix), test))]
pub mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use portable::*;
#[cfg(unix)]
pub use unix::*;

/// What git and its like are told to read or write where there is nothing; git knows the name on every system.
pub const NOTHING: &str = "/dev/null";

/// The character between the folders of `PATH`.
pub const PATH_SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// What is printed by a child: the beginning of its output and of its complaint.
pub type Printed = (Vec<u8>, Vec<u8>);

/// Why the output of a child is not known.
#[derive(Debug)]
pub enum Unread {
    /// It did not close it in time.
    TooLate,
    Failed(std::io::Error),
}

/// What a name in an open folder leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameStat {
    pub mode: u32,
    pub bytes: u64,
    /// When anything of it changed: seconds and nanoseconds.
    pub changed: (u64, u64),
    pub inode: u64,
}

#[cfg(test)]
mod tests;
