//! The terminal: without its settings, pauses cannot be ended by a key, and lines are as wide as is usual.

use std::path::PathBuf;
use std::time::Duration;

#[must_use]
pub fn columns_of_stdout() -> Option<usize> {
    None
}

#[must_use]
pub fn columns_of_stderr() -> Option<usize> {
    None
}

#[must_use]
pub fn terminal_name() -> Option<PathBuf> {
    None
}

#[derive(Debug)]
pub struct Keys;

impl Keys {
    #[must_use]
    pub fn listen() -> Option<Keys> {
        None
    }

    pub fn wait(limit: Duration) {
        std::thread::sleep(limit);
    }

    pub fn restore(self) {}
}
