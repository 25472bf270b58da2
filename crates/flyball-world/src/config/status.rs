//! Whether the configuration in force is the content of the files.

use serde::{Deserialize, Serialize};

/// Whether the configuration is the content of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Status {
    AsWritten,
    /// A file is broken, and its last good text is used.
    LastGood,
    /// A file is broken and has no last good text: the defaults are used.
    Defaults,
}
