//! Leaving the namespaces of the system, and giving up the powers that were needed for it.

use std::fs;
use std::io;

use rustix::process::{getegid, geteuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, UnshareFlags, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
};

use crate::{Net, Trouble};

/// With what powers the namespaces were left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Powers {
    /// Those of the system's administrator.
    Root,
    /// Those of an ordinary user in a namespace of his own.
    User,
}

/// What would lead the administrator out of the seatbelt: to mount, to look into processes outside or lead them, to open a file by its
/// number, to reach the kernel or the memory of the machine.
const GIVEN_UP: CapabilitySet = CapabilitySet::SYS_ADMIN
    .union(CapabilitySet::SYS_PTRACE)
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::SYS_MODULE)
    .union(CapabilitySet::SYS_RAWIO)
    .union(CapabilitySet::SYS_BOOT)
    .union(CapabilitySet::BPF)
    .union(CapabilitySet::PERFMON)
    .union(CapabilitySet::CHECKPOINT_RESTORE);

/// Gives this process mounts of its own, and a network of its own if it gets none.
pub(super) fn leave_namespaces(net: Net) -> Result<Powers, Trouble> {
    let mut wanted = UnshareFlags::NEWNS;
    if net == Net::Off {
        wanted |= UnshareFlags::NEWNET;
    }
    if geteuid().is_root() {
        unshare(wanted).map_err(|cause| refused(&cause).before_anything())?;
        return Ok(Powers::Root);
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(wanted | UnshareFlags::NEWUSER).map_err(|cause| refused(&cause).before_anything())?;
    // Inside, everybody is who he is; the kernel allows more only to the administrator.
    let write = |file: &str, text: String| fs::write(file, text).map_err(|cause| refused(&cause));
    write("/proc/self/setgroups", "deny".to_owned())?;
    write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    Ok(Powers::User)
}

fn unshare(wanted: UnshareFlags) -> io::Result<()> {
    #[expect(
        deprecated,
        reason = "the other form is unsafe only for descriptors, which are not unshared here"
    )]
    rustix::thread::unshare(wanted).map_err(io::Error::from)
}

impl Powers {
    /// From here on nothing can be mounted or unmounted.
    pub(super) fn give_up(self) -> Result<(), Trouble> {
        let given_up = match self {
            Powers::Root => give_up_root(),
            Powers::User => give_up_user(),
        };
        given_up.map_err(|cause| {
            Trouble::new(
                format!("cannot give up the powers to mount: {cause}"),
                "report this: it should not happen",
            )
        })
    }
}

/// The administrator stays one, except for what leads out.
fn give_up_root() -> rustix::io::Result<()> {
    for power in GIVEN_UP {
        remove_capability_from_bounding_set(power)?;
    }
    clear_ambient_capability_set()?;
    let now = capabilities(None)?;
    set_capabilities(
        None,
        CapabilitySets {
            effective: now.effective - GIVEN_UP,
            permitted: now.permitted - GIVEN_UP,
            inheritable: now.inheritable - GIVEN_UP,
        },
    )
}

/// The powers of a user in his namespace end when the command is started; `no_new_privs` keeps any program from giving them back.
fn give_up_user() -> rustix::io::Result<()> {
    clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    set_no_new_privs(true)
}

/// Why the kernel refuses, as far as can be said.
pub(super) fn refused(cause: &io::Error) -> Trouble {
    let what = format!("the kernel allows no namespaces to this user ({cause})");
    let is_on = |file: &str| fs::read_to_string(file).is_ok_and(|text| text.trim() == "1");
    let is_zero = |file: &str| fs::read_to_string(file).is_ok_and(|text| text.trim() == "0");
    let fix = if is_on("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") {
        "AppArmor forbids them: an administrator sets `kernel.apparmor_restrict_unprivileged_userns` to 0, or adds a profile for flyball that has `userns,`"
    } else if is_zero("/proc/sys/kernel/unprivileged_userns_clone") {
        "an administrator sets `kernel.unprivileged_userns_clone` to 1"
    } else if is_zero("/proc/sys/user/max_user_namespaces") {
        "an administrator sets `user.max_user_namespaces` above 0"
    } else if geteuid().is_root() {
        "in a container: start it with CAP_SYS_ADMIN, or as a user who is not root with `--security-opt seccomp=unconfined`"
    } else {
        "in a container: start it with `--security-opt seccomp=unconfined`"
    };
    Trouble::new(what, fix)
}
