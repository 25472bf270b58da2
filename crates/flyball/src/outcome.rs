//! How every command ends: done, or failed with a message and a fix.

use std::process::ExitCode;

use flyball_core::policy::PolicyError;
use flyball_store::StoreError;

use crate::terminal::Terminal;

/// How a command ended, which decides its exit code.
pub enum Done {
    Success,
    /// The command did its work and found something wrong: 1.
    Findings,
    /// Nothing was found, but not everything could be looked at: 4.
    Unchecked,
    /// The user interrupted it: 130.
    Interrupted,
}

/// Why a command did not do its work, message and fix on standard error. Its exit code is 2, or
/// 3 if the caller may not use it.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct Failed {
    /// What went wrong, in one line.
    pub what: String,
    /// What a person can do about it; may be empty.
    pub fix: String,
    /// The exit code of the process.
    pub code: u8,
}

impl Failed {
    /// A failure with its fix.
    pub fn new(what: impl Into<String>, fix: impl Into<String>) -> Failed {
        Failed { what: what.into(), fix: fix.into(), code: 2 }
    }

    /// A refusal: the caller may not use this command.
    pub fn refused(what: impl Into<String>, fix: impl Into<String>) -> Failed {
        Failed { code: 3, ..Failed::new(what, fix) }
    }
}

impl From<PolicyError> for Failed {
    fn from(error: PolicyError) -> Failed {
        Failed::new(error.to_string(), error.fix())
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Failed {
        Failed::new(error.to_string(), error.fix())
    }
}

/// Reports a failure to the user, and returns the exit code of the process.
pub fn exit_code(result: Result<Done, Failed>, terminal: &Terminal) -> ExitCode {
    match result {
        Ok(Done::Success) => ExitCode::SUCCESS,
        Ok(Done::Findings) => ExitCode::from(1),
        Ok(Done::Unchecked) => ExitCode::from(4),
        Ok(Done::Interrupted) => ExitCode::from(130),
        Err(failed) => {
            terminal.print_failure(&failed.what, &failed.fix);
            ExitCode::from(failed.code)
        }
    }
}
