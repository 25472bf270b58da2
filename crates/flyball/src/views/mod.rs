//! What people are shown of sessions, loops, tasks and decisions, made once for the commands, the board and the MCP server.

pub(crate) mod board;
pub(crate) mod explain;
pub(crate) mod r#loop;
pub(crate) mod project;
pub(crate) mod task;
pub(crate) mod waiting;
