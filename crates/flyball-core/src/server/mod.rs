//! A call of a tool server as what it amounts to: a command line, edits of files, or only a look.
//!
//! Tool servers are shells, editors and databases under other names. What they are asked to do is in the fields of
//! their input; from these a line is written that does the same, and the engine of the shell tool judges it. No guard
//! has to know a server, and what it learns about programs holds for servers too.

mod call;
mod code;
mod fields;
mod files;
mod git;
mod kinds;
mod name;
mod patch;
mod reader;
mod remote;
mod request;
mod words;

#[cfg(test)]
mod tests;

pub use call::ServerCall;
pub use patch::patch_edits;

use serde_json::Value;

use reader::Reader;

impl ServerCall {
    /// Reads a call: the names of the server and of its tool, and its input as JSON text.
    #[must_use]
    pub fn read(server: &str, tool: &str, input: &str) -> ServerCall {
        match serde_json::from_str::<Value>(input) {
            Ok(value) => Reader::new(server, tool, &value).read(&value),
            Err(_) => ServerCall::default(),
        }
    }
}
