//! What every command comes to: done, or failed with a message and a fix.

use flyball_core::policy::Trouble;
use flyball_store::StoreError;

/// What a command came to; its exit code.
pub(crate) enum Done {
    /// All is well.
    Well,
    /// The command did its work and found something wrong: 1.
    Findings,
    /// Nothing was found, but not everything could be looked at: 4.
    Unchecked,
    /// The user interrupted it: 130.
    Interrupted,
}

/// Why a command did not do its work, message and way out on standard error. Its exit code is 2, or
/// 3 if it would not do it for the one who asked.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub(crate) struct Failed {
    /// What went wrong, in one line.
    pub(crate) what: String,
    /// What a person can do about it; may be empty.
    pub(crate) way_out: String,
    pub(crate) code: u8,
}

impl Failed {
    /// A failure with its way out.
    pub(crate) fn new(what: impl Into<String>, way_out: impl Into<String>) -> Failed {
        Failed { what: what.into(), way_out: way_out.into(), code: 2 }
    }

    /// A refusal: the command could do its work, but not for the one who asked.
    pub(crate) fn refused(what: impl Into<String>, way_out: impl Into<String>) -> Failed {
        Failed { code: 3, ..Failed::new(what, way_out) }
    }
}

impl From<Trouble> for Failed {
    fn from(error: Trouble) -> Failed {
        Failed::new(error.to_string(), error.way_out())
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Failed {
        Failed::new(error.to_string(), error.way_out())
    }
}
