//! AppArmor lets an ordinary user leave the namespaces of the system, and then refuses all that he could do in his own. That has to be known
//! before, because nothing leads back.

use std::fs;
use std::io;

use rustix::process::geteuid;

use super::identity;
use crate::Trouble;

/// Whether this process could use namespaces of its own.
pub(super) fn allows_namespaces() -> Result<(), Trouble> {
    let is_restricted = fs::read_to_string("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
        .is_ok_and(|text| text.trim() == "1");
    if !is_restricted || geteuid().is_root() {
        return Ok(());
    }
    // A program with a profile of its own may be allowed to.
    let profile = fs::read_to_string("/proc/self/attr/current").unwrap_or_default();
    match profile.trim() {
        "unconfined" => Err(identity::refused(&io::ErrorKind::PermissionDenied.into()).before_anything()),
        _ => Ok(()),
    }
}
