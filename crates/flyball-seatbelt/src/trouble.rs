//! Why a command cannot be put into a seatbelt.

use std::error::Error;
use std::fmt;
#[cfg(unix)]
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
    pub(crate) fn before_anything(self) -> Trouble {
        Trouble { is_half_way: false, ..self }
    }

    /// A step that failed at a place.
    #[cfg(unix)]
    pub(crate) fn at(what: &str, path: &Path, cause: &io::Error) -> Trouble {
        Trouble::new(
            format!("cannot {what} {}: {cause}", path.display()),
            "`flyball doctor` shows what this system allows",
        )
    }

    pub(crate) fn unsupported(what: &str) -> Trouble {
        Trouble::new(format!("this system has no {what}"), "the seatbelt needs Linux or macOS")
            .before_anything()
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.what)
    }
}

impl Error for Trouble {}
