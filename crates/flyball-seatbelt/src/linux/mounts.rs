//! Mounts in this process's own namespace.

use std::ffi::CStr;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::mount::{
    MountFlags, MountPropagationFlags, mount, mount_bind, mount_bind_recursive, mount_change, mount_remount,
};

use super::mount_table::{self, Mounted};
use crate::Trouble;

/// Enough for some empty folders.
const COVER_OPTIONS: &CStr = c"size=256k,mode=0755";

const COVER_FLAGS: MountFlags = MountFlags::NOSUID.union(MountFlags::NODEV);

/// What is mounted from here on is seen by nobody outside.
pub(super) fn detach_from_outside() -> Result<(), Trouble> {
    mount_change("/", MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC)
        .map_err(|cause| Trouble::at("detach from", Path::new("/"), &cause.into()))
}

/// Makes a file or a folder read-only. What is mounted below a folder stays there, and as it is.
pub(super) fn make_read_only(mounted: &[Mounted], path: &Path) -> Result<(), Trouble> {
    let kept = mount_table::around(mounted, path).map_or(MountFlags::empty(), |place| place.flags);
    let flags = kept | MountFlags::BIND | MountFlags::RDONLY;
    let bound = mount_bind_recursive(path, path).and_then(|()| mount_remount(path, flags, c""));
    match bound {
        Ok(()) => Ok(()),
        // It was deleted since it was looked for.
        Err(rustix::io::Errno::NOENT) => Ok(()),
        Err(cause) => Err(Trouble::at("protect", path, &cause.into())),
    }
}

/// By what the administrator has the kernel start a program, which is then outside, or stop the machine.
const OF_KERNEL: [&str; 8] = [
    "/proc/sys/fs/binfmt_misc",
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/hotplug",
    "/proc/sys/kernel/modprobe",
    "/proc/sys/kernel/poweroff_cmd",
    "/proc/sys/kernel/usermodehelper",
    "/proc/sysrq-trigger",
    "/sys/kernel/uevent_helper",
];

/// Keeps the kernel from being told which programs it starts.
pub(super) fn protect_kernel(mounted: &[Mounted]) -> Result<(), Trouble> {
    OF_KERNEL.iter().try_for_each(|path| make_read_only(mounted, Path::new(path)))
}

/// Lets a folder be written that is below a read-only one.
pub(super) fn make_writable(folder: &Path) -> Result<(), Trouble> {
    mount_bind(folder, folder)
        .and_then(|()| remount(folder, false))
        .map_err(|cause| Trouble::at("open", folder, &cause.into()))
}

/// Makes everything read-only but these folders, what is in memory, and what the kernel offers.
pub(super) fn make_rest_read_only(mounted: &[Mounted], writable: &[PathBuf]) -> Result<(), Trouble> {
    let protect = |path: &Path, cause: rustix::io::Errno| Trouble::at("protect", path, &cause.into());
    for folder in writable {
        mount_bind_recursive(folder, folder).map_err(|cause| protect(folder, cause))?;
    }
    for place in mounted {
        let is_exempt =
            place.is_of_kernel() || writable.iter().any(|folder| place.folder.starts_with(folder));
        if is_exempt || place.flags.contains(MountFlags::RDONLY) {
            continue;
        }
        // The file system itself is not asked: one that is not reached would not answer.
        match mount_remount(&place.folder, place.flags | MountFlags::BIND | MountFlags::RDONLY, c"") {
            // Another mount is over it, so nobody gets there.
            Ok(()) | Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOENT | rustix::io::Errno::ACCESS) => {
            }
            Err(cause) => return Err(protect(&place.folder, cause)),
        }
    }
    Ok(())
}

/// Builds over the cover: a folder in memory, which nobody outside sees.
pub(super) fn cover(folder: &Path) -> Result<(), Trouble> {
    mount(c"flyball", folder, c"tmpfs", COVER_FLAGS, COVER_OPTIONS)
        .map_err(|cause| Trouble::at("mount over", folder, &cause.into()))
}

/// Puts an empty folder of it over it, so that nobody reaches what was built.
pub(super) fn close_cover(folder: &Path) -> Result<(), Trouble> {
    let empty = folder.join("empty");
    fs::create_dir(&empty).map_err(|cause| Trouble::at("write in", folder, &cause))?;
    mount_bind(&empty, folder)
        .and_then(|()| mount_remount(folder, COVER_FLAGS | MountFlags::BIND | MountFlags::RDONLY, c""))
        .map_err(|cause| Trouble::at("mount over", folder, &cause.into()))
}

/// Puts something empty over files and folders.
pub(super) fn hide(paths: &[PathBuf], cover: &Path) -> Result<(), Trouble> {
    if paths.is_empty() {
        return Ok(());
    }
    let (file, folder) = (cover.join("no-file"), cover.join("no-folder"));
    let made = fs::write(&file, "").and_then(|()| fs::create_dir(&folder));
    made.map_err(|cause| Trouble::at("write in", cover, &cause))?;
    for path in paths {
        let empty = if path.is_dir() { &folder } else { &file };
        let hidden = mount_bind(empty, path).and_then(|()| remount(path, true));
        if let Err(cause) = hidden
            && cause != rustix::io::Errno::NOENT
        {
            return Err(Trouble::at("hide", path, &cause.into()));
        }
    }
    Ok(())
}

/// Whether what is mounted at a place cannot be written.
pub(super) fn is_read_only(path: &Path) -> bool {
    statvfs(path).is_ok_and(|found| found.f_flag.contains(StatVfsMountFlags::RDONLY))
}

/// Changes the flags of a mount; those that it has from outside must stay.
pub(super) fn remount(path: &Path, read_only: bool) -> rustix::io::Result<()> {
    const SAME: [(StatVfsMountFlags, MountFlags); 6] = [
        (StatVfsMountFlags::NOSUID, MountFlags::NOSUID),
        (StatVfsMountFlags::NODEV, MountFlags::NODEV),
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ];
    let has = statvfs(path)?.f_flag;
    let kept = SAME.iter().filter(|(found, _)| has.contains(*found)).map(|(_, flag)| *flag);
    let mut flags: MountFlags = kept.collect::<MountFlags>() | MountFlags::BIND;
    flags.set(MountFlags::RDONLY, read_only);
    mount_remount(path, flags, c"")
}
