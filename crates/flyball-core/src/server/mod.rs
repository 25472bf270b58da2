//! A call of a tool server as what it amounts to: a command line, edits of files, or only a look.
//!
//! Tool servers are shells, editors and databases under other names. What they are asked to do is in the fields of
//! their input; from these a line is written that does the same, and the engine of the shell tool judges it. No guard
//! has to know a server, and what it learns about programs holds for servers too.

mod code;
mod fields;
mod files;
mod git;
mod kinds;
mod name;
mod patch;
mod reader;
mod remote;
mod words;

#[cfg(test)]
mod tests;

pub use patch::patch_edits;

use serde_json::Value;

use crate::event::FileEdit;
use reader::Reader;

/// Longer inputs are not read: they are data, and reading them would hold up the call.
const MOST_BYTES: usize = 1024 * 1024;

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
}

impl ServerCall {
    /// Whether nothing that it amounts to changes a file.
    #[must_use]
    pub const fn only_reads(&self) -> bool {
        self.reads && self.edits.is_empty()
    }

    /// Reads a call: the names of the server and of its tool, and its input as JSON text.
    #[must_use]
    pub fn read(server: &str, tool: &str, input: &str) -> ServerCall {
        if input.len() > MOST_BYTES {
            return ServerCall::default();
        }
        match serde_json::from_str::<Value>(input) {
            Ok(value) => Reader::new(server, tool, &value).read(&value),
            Err(_) => ServerCall::default(),
        }
    }
}
