//! The names of tools of tool servers.

use flyball_core::event::Tool;

/// The server and the tool in a name like `mcp__server__tool`.
pub(crate) fn mcp(name: &str) -> Option<Tool> {
    // At the first `__`: the name of a tool may contain more of them.
    let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
    Some(Tool::Mcp { server: server.to_owned(), tool: tool.to_owned() })
}
