//! One line that says what is going on, for whoever waits at a terminal.

use std::io::{IsTerminal, Write};

/// The line on standard error; nothing where nobody looks.
pub(super) struct Progress {
    is_shown: bool,
}

impl Progress {
    /// Shown if standard error is a terminal.
    pub(super) fn on_terminal() -> Progress {
        Progress { is_shown: std::io::stderr().is_terminal() }
    }

    /// Puts a text in the place of the one before.
    pub(super) fn say(&self, text: &str) {
        if self.is_shown {
            let mut err = std::io::stderr().lock();
            // Nothing depends on it being seen.
            drop(write!(err, "\r\u{1b}[K{text}").and_then(|()| err.flush()));
        }
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        self.say("");
    }
}
