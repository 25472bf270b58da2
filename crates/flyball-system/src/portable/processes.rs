//! Processes and users.

use std::io::{Error, ErrorKind};
use std::process::{Command, Stdio};

pub trait CommandExt {
    /// Has a signal to our group not reach it.
    fn process_group(&mut self, group: i32) -> &mut Command;
}

impl CommandExt for Command {
    #[cfg(windows)]
    fn process_group(&mut self, _: i32) -> &mut Command {
        const NEW_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(self, NEW_GROUP)
    }

    #[cfg(not(windows))]
    fn process_group(&mut self, _: i32) -> &mut Command {
        self
    }
}

/// Whether a process with this number runs. Where that cannot be asked it counts as running: what is its own stays.
#[must_use]
pub fn is_alive(process: u32) -> bool {
    if process == 0 {
        return false;
    }
    let filter = format!("PID eq {process}");
    let mut list = Command::new("tasklist");
    list.args(["/NH", "/FO", "CSV", "/FI", &filter]).stdin(Stdio::null()).stderr(Stdio::null());
    let Ok(output) = list.output() else { return true };
    String::from_utf8_lossy(&output.stdout).contains(&format!("\"{process}\""))
}

/// No process becomes another program here.
pub fn exec(_: &mut Command) -> Error {
    Error::new(ErrorKind::Unsupported, "on this system no process can become another program")
}

/// Ends this process with the code of Ctrl-C.
#[expect(clippy::exit, reason = "there is no signal to send")]
pub fn interrupt_self() {
    std::process::exit(130);
}

/// The process that started this one is not known.
#[must_use]
pub fn parent_id() -> u32 {
    0
}

/// Users have no numbers.
#[must_use]
pub fn real_user() -> Option<u32> {
    None
}

#[must_use]
pub fn effective_user() -> Option<u32> {
    None
}

#[must_use]
pub fn page_size() -> u64 {
    4096
}

#[must_use]
pub fn has_limit_of_file_size() -> bool {
    false
}

#[must_use]
pub fn has_limit_of_time() -> bool {
    false
}
