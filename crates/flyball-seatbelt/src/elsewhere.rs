//! What a system does not have.

#[cfg(not(target_os = "linux"))]
pub use not_linux::*;

#[cfg(not(target_os = "linux"))]
mod not_linux {
    use std::path::PathBuf;

    use crate::{Plan, Restricted, Trouble};

    /// Puts this process into namespaces.
    ///
    /// # Errors
    /// Always: there are none here.
    pub fn fasten(_: &Plan) -> Result<(), Trouble> {
        Err(Trouble::unsupported("namespaces"))
    }

    /// Lays Landlock upon this process.
    ///
    /// # Errors
    /// Always: there is none here.
    pub fn restrict(_: &Plan) -> Result<Restricted, Trouble> {
        Err(Trouble::unsupported("Landlock"))
    }

    /// What Landlock cannot keep.
    #[must_use]
    pub fn left_open(_: &Plan) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Whether Landlock can deny TCP.
    #[must_use]
    pub fn can_deny_network() -> bool {
        false
    }

    /// Whether the kernel has what is needed of Landlock.
    #[must_use]
    pub fn has_landlock() -> bool {
        false
    }
}

/// The words before a program that start it in the seatbelt.
///
/// # Errors
/// Always: this process puts itself into it.
#[cfg(not(target_os = "macos"))]
pub fn starter(_: &crate::Plan) -> Result<Vec<String>, crate::Trouble> {
    Err(crate::Trouble::unsupported("`sandbox-exec`"))
}

/// Whether this process runs in a seatbelt.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
#[must_use]
pub fn is_fastened(_: &std::path::Path) -> bool {
    false
}
