//! The terminal.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr, ttyname};

/// How wide the terminal on standard output is.
#[must_use]
pub fn columns_of_stdout() -> Option<usize> {
    tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// How wide the terminal on standard error is.
#[must_use]
pub fn columns_of_stderr() -> Option<usize> {
    tcgetwinsize(std::io::stderr()).ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// The path of the terminal on standard input.
#[must_use]
pub fn terminal_name() -> Option<PathBuf> {
    let name = ttyname(std::io::stdin(), Vec::new()).ok()?;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(name.as_bytes())))
}

/// The terminal as it was before keys were read one by one; the shell would be left without an echo.
#[derive(Debug)]
pub struct Keys(Termios);

impl Keys {
    /// From now on keys come one by one and are not shown. `None` without a terminal.
    #[must_use]
    pub fn listen() -> Option<Keys> {
        let before = tcgetattr(std::io::stdin()).ok()?;
        let mut changed = before.clone();
        changed.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        tcsetattr(std::io::stdin(), OptionalActions::Now, &changed).ok()?;
        Some(Keys(before))
    }

    /// Waits for a key, but no longer than this.
    pub fn wait(limit: Duration) {
        let stdin = std::io::stdin();
        let limit = Timespec::try_from(limit).ok();
        let is_pressed =
            poll(&mut [PollFd::new(&stdin, PollFlags::IN)], limit.as_ref()).is_ok_and(|ready| ready > 0);
        if is_pressed {
            // What it was does not matter. The standard library would read all keys at once.
            rustix::io::read(&stdin, &mut [0_u8; 1]).ok();
        }
    }

    /// Leaves the terminal as it was.
    pub fn restore(self) {
        // A terminal that is gone needs nothing.
        tcsetattr(std::io::stdin(), OptionalActions::Now, &self.0).ok();
    }
}
