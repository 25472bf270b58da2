//! Why a command cannot be put into a seatbelt.

use std::error::Error;
use std::fmt;
#[cfg(target_os = "linux")]
use std::{io, path::Path};

/// A seatbelt that could not be made: what failed, why, and what can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    pub what: String,
    pub fix: String,
    /// Whether the process has left its namespaces, so that it is no longer what it was.
    pub is_half_way: bool,
}

impl Trouble {
    pub(crate) fn new(what: impl Into<String>, fix: impl Into<String>) -> Trouble {
        Trouble { what: what.into(), fix: fix.into(), is_half_way: true }
    }

    /// The same, where nothing has changed yet.
    #[cfg(target_os = "linux")]
    pub(crate) fn before_anything(self) -> Trouble {
        Trouble { is_half_way: false, ..self }
    }

    /// A step that failed at a place.
    #[cfg(target_os = "linux")]
    pub(crate) fn at(what: &str, path: &Path, cause: &io::Error) -> Trouble {
        Trouble::new(
            format!("cannot {what} {}: {cause}", path.display()),
            "`flyball doctor` shows what this system allows",
        )
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn unsupported() -> Trouble {
        Trouble::new("this system has no namespaces", "the seatbelt needs Linux")
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.what)
    }
}

impl Error for Trouble {}
