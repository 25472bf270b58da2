//! What is known of a call of a tool server.

use crate::event::FileEdit;

/// What a call of a tool server amounts to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerCall {
    /// The command line that does the same; empty if there is none.
    pub line: String,
    pub edits: Vec<FileEdit>,
    /// Texts of its input that may name files which it changes. None if it only reads.
    pub names: Vec<String>,
    /// Whether the name of the tool says that it reads, and nothing in its input could write.
    pub reads: bool,
    /// What is deleted at a service that no command line is known for: `project shop`.
    pub deletes: Option<String>,
    /// Texts under names that say nothing which would be command lines if the server runs them.
    pub maybe: Vec<String>,
}

impl ServerCall {
    /// Whether nothing that it amounts to changes a file.
    #[must_use]
    pub const fn only_reads(&self) -> bool {
        self.reads && self.edits.is_empty()
    }
}
