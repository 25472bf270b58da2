//! The seatbelt: what the kernel refuses to a command and to all that it starts, whatever program tries it.
//!
//! This process is put into namespaces of its own ([`fasten`]) and then becomes the command. There is no daemon, no
//! second process and no file that would have to be cleaned up: what was mounted ends with the last process inside.

#[cfg(target_os = "linux")]
mod linux;
mod plan;
mod trouble;

pub use plan::{Net, Plan};
pub use trouble::Trouble;

#[cfg(target_os = "linux")]
pub use linux::{fasten, is_fastened};

/// Has the program that this process becomes get nothing but its standard streams: a descriptor of a file or a folder outside would
/// lead past the seatbelt.
pub fn pass_on_only_streams() {
    const FIRST_OTHER: i32 = 3;
    close_fds::set_fds_cloexec(FIRST_OTHER, &[]);
}

/// Puts this process into the seatbelt.
///
/// # Errors
/// Always: there are no namespaces here.
#[cfg(not(target_os = "linux"))]
pub fn fasten(_: &Plan) -> Result<(), Trouble> {
    Err(Trouble::unsupported())
}

/// Whether this process runs in a seatbelt that was made with this cover.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn is_fastened(_: &std::path::Path) -> bool {
    false
}
