//! The state of the telemetry sender: whether one runs, and how far it got in the record.

mod cursor;
mod turn;

pub use cursor::{Cursor, Pending};
pub use turn::{LONGEST_PAUSE, Turn, is_due};

use std::path::{Path, PathBuf};

/// The sender's files below one state directory. Touches nothing by itself.
#[derive(Clone, Debug)]
pub struct Outbox {
    state: PathBuf,
}

impl Outbox {
    /// The outbox below a state directory.
    #[must_use]
    pub fn below(state: &Path) -> Outbox {
        Outbox { state: state.to_owned() }
    }

    #[must_use]
    pub fn state(&self) -> &Path {
        &self.state
    }

    fn lock_path(&self) -> PathBuf {
        self.state.join("otlp.lock")
    }

    fn claim_path(&self) -> PathBuf {
        self.state.join("otlp.claim")
    }

    fn cursor_path(&self, name: &str) -> PathBuf {
        self.state.join("otlp").join(format!("{name}.json"))
    }
}
