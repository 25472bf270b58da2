//! Opens the person's browser, if there is one to be seen.

use std::process::{Command, Stdio};

use crate::environment::variable;

/// Opens an address. It is no error if it cannot be opened: the address was printed.
pub(super) fn open(url: &str) {
    let Some(program) = opener() else { return };
    let mut command = Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // Some openers stay for as long as the browser does, so a thread waits for them. If it cannot be
        // started, the opener is left to the system.
        drop(std::thread::Builder::new().spawn(move || drop(child.wait())));
    }
}

/// The program that opens addresses, if the user of the terminal would see its window.
fn opener() -> Option<&'static str> {
    // The browser would open on the machine that nobody sits at.
    if variable("SSH_CONNECTION").is_some() || variable("SSH_TTY").is_some() {
        return None;
    }
    if cfg!(target_os = "macos") {
        return Some("open");
    }
    let has_screen = variable("DISPLAY").is_some() || variable("WAYLAND_DISPLAY").is_some();
    has_screen.then_some("xdg-open")
}
