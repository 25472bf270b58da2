//! The seatbelt: what the kernel refuses to a command and to all that it starts, whatever program tries it.
//!
//! This process is put into namespaces of its own ([`fasten`]), or where there are none lays Landlock upon itself ([`restrict`]), and then
//! becomes the command; on macOS it becomes a program that does so ([`starter`]). There is no daemon, no second process and no file that would
//! have to be cleaned up: what was mounted ends with the last process inside.

#![forbid(unsafe_code)]

mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
mod plan;
mod profile;
mod trouble;

pub use elsewhere::*;
pub use plan::{Net, Plan, Restricted};
pub use profile::profile;
pub use trouble::Trouble;

#[cfg(target_os = "linux")]
pub use linux::{can_deny_network, fasten, has_landlock, is_fastened, left_open, restrict};
#[cfg(target_os = "macos")]
pub use macos::{is_fastened, starter};

/// Has the program that this process becomes get nothing but its standard streams: a descriptor of a file or a folder outside would
/// lead past the seatbelt.
#[cfg(unix)]
pub fn pass_on_only_streams() {
    const FIRST_OTHER: i32 = 3;
    close_fds::set_fds_cloexec(FIRST_OTHER, &[]);
}

/// Where there is no seatbelt, nothing is passed on that could lead past it.
#[cfg(not(unix))]
pub fn pass_on_only_streams() {}
