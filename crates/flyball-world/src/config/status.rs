//! How much of the configuration in force is what the files say.

use serde::{Deserialize, Serialize};

/// Whether the configuration is what the files say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Status {
    AsWritten,
    /// A file is broken, and its last good text stands in for it.
    LastGood,
    /// A file is broken and never was good, and the defaults stand in for it.
    Defaults,
}
