//! A lock that is released with the process that holds it.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::time::{Duration, Instant};

use flyball_core::policy::PolicyError;

use flyball_files::make_private_dirs;

/// How long to wait for others. Each holds it for as long as a small file takes.
const WAIT: Duration = Duration::from_secs(10);
const NAP: Duration = Duration::from_millis(2);

/// Held until it is dropped.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the lock of this name.
    pub(super) fn take(folder: &Path, name: &str) -> Result<Lock, PolicyError> {
        let place = folder.join(name);
        let unusable = |cause: &dyn std::fmt::Display| PolicyError::World {
            what: format!("the lock `{}` cannot be used: {cause}", place.display()),
            fix: "make room or check the permissions there".to_owned(),
        };
        make_private_dirs(folder).map_err(|cause| unusable(&cause))?;
        let mut options = OpenOptions::new();
        // Never deleted: else two processes could lock two files of the same name.
        let file = options.create(true).truncate(false).write(true).open(&place);
        let file = file.map_err(|cause| unusable(&cause))?;
        let started = Instant::now();
        loop {
            // Polled: a blocking lock has no timeout, and clients kill a hook that takes too long.
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(std::fs::TryLockError::WouldBlock) if started.elapsed() < WAIT => std::thread::sleep(NAP),
                Err(std::fs::TryLockError::WouldBlock) => {
                    return Err(PolicyError::World {
                        what: format!("another flyball holds `{}` for too long", place.display()),
                        fix: "see which process has it open, and end it".to_owned(),
                    });
                }
                Err(std::fs::TryLockError::Error(cause)) => return Err(unusable(&cause)),
            }
        }
    }
}
