//! A folder that is open, so that the kernel need not find it for each name in it.

use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{Mode, OFlags, open, openat};

use crate::NameStat;

const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

pub struct OpenFolder(OwnedFd);

impl OpenFolder {
    #[must_use]
    pub fn open(path: &Path) -> Option<OpenFolder> {
        open(path, FOLDER, Mode::empty()).ok().map(OpenFolder)
    }

    /// The folder at a path below this one.
    #[must_use]
    pub fn below(&self, path: &str) -> Option<OpenFolder> {
        openat(&self.0, path, FOLDER, Mode::empty()).ok().map(OpenFolder)
    }

    /// What a name in it leads to, but not what a link leads to; without a name, the folder itself.
    #[cfg(target_os = "linux")]
    #[must_use]
    pub fn stat(&self, name: &str) -> Option<NameStat> {
        use rustix::fs::{AtFlags, StatxFlags, statx};

        let flags = AtFlags::SYMLINK_NOFOLLOW.union(AtFlags::EMPTY_PATH);
        let data = statx(&self.0, name, flags, StatxFlags::BASIC_STATS).ok()?;
        let seconds = u64::try_from(data.stx_ctime.tv_sec).unwrap_or_default();
        Some(NameStat {
            mode: data.stx_mode.into(),
            bytes: data.stx_size,
            changed: (seconds, data.stx_ctime.tv_nsec.into()),
            inode: data.stx_ino,
        })
    }

    /// Elsewhere a tree is listed by git each time.
    #[cfg(not(target_os = "linux"))]
    #[must_use]
    pub fn stat(&self, _: &str) -> Option<NameStat> {
        None
    }
}
