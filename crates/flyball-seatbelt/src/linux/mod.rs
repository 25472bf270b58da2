//! The seatbelt on Linux: a mount namespace in which some places are read-only, made by this process for itself.

mod apparmor;
mod identity;
mod landlock;
mod loopback;
mod mount_table;
mod mounts;
mod pins;
mod ssh;

use std::env;
use std::path::{Path, PathBuf};

use rustix::fs::{FsWord, statfs};

use self::identity::Powers;
pub use self::landlock::{can_deny_network, has_landlock, left_open, restrict};
use crate::{Net, Plan, Trouble};

/// What `statfs` says of a tmpfs.
const TMPFS: FsWord = 0x0102_1994;

/// Puts this process, and with it all that it starts from now on, into the seatbelt. Nothing leads out of it. It must be the
/// only thread.
///
/// # Errors
/// When the kernel does not allow it. The process may then be half inside, and must not become the command.
pub fn fasten(plan: &Plan) -> Result<(), Trouble> {
    apparmor::allows_namespaces()?;
    let folder = env::current_dir().ok();
    let mounted = mount_table::read().map_err(Trouble::before_anything)?;
    let plan = &Plan {
        read_only: mount_table::with_other_ways(&mounted, &plan.read_only),
        hidden: mount_table::with_other_ways(&mounted, &plan.hidden),
        ..plan.clone()
    };
    let powers = identity::leave_namespaces(plan.net)?;
    mounts::detach_from_outside()?;
    if let Some(writable) = &plan.writable {
        mounts::make_rest_read_only(&mounted, writable)?;
    }
    for path in &plan.read_only {
        mounts::make_read_only(&mounted, path)?;
    }
    for folder in &plan.free {
        mounts::make_writable(folder)?;
    }
    mounts::cover(&plan.cover)?;
    mounts::hide(&plan.hidden, &plan.cover)?;
    if powers == Powers::Root {
        mounts::protect_kernel(&mounted)?;
    }
    if powers == Powers::User {
        ssh::own_settings(&plan.cover)?;
    }
    pins::set(&plan.pinned(), &mounted, &plan.cover)?;
    mounts::close_cover(&plan.cover)?;
    if plan.net == Net::Off {
        loopback::bring_up()?;
    }
    return_to(folder)?;
    if powers == Powers::Root {
        // A user has it by the namespace of his own.
        landlock::keep_to_processes_inside();
    }
    powers.give_up()
}

/// Whether this process runs in a seatbelt that was made with this cover.
#[must_use]
pub fn is_fastened(cover: &Path) -> bool {
    // Outside it is an ordinary folder; nobody mounts anything on a folder below another one's state.
    let is_tmpfs = |path: &Path| statfs(path).is_ok_and(|found| found.f_type == TMPFS);
    is_tmpfs(cover) && cover.parent().is_some_and(mounts::is_read_only) || landlock::is_restricted(cover)
}

/// The folder in which the process is leads past the mounts until it is entered again.
fn return_to(folder: Option<PathBuf>) -> Result<(), Trouble> {
    let Some(folder) = folder else { return Ok(()) };
    // A folder that was hidden is no place to be.
    env::set_current_dir(&folder).or_else(|_| env::set_current_dir("/")).map_err(|cause| {
        Trouble::new(
            format!("cannot return to {}: {cause}", folder.display()),
            "start the command in a folder that is there",
        )
    })
}
