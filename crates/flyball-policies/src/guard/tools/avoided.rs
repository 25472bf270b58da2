//! The ways of searching that a project may want to replace, as a config names them.

use flyball_core::nearest::nearest;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::globs::Glob;
use crate::literal;

/// One way of searching.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(into = "String")]
#[schemars(with = "String")]
pub(super) enum Avoided {
    /// A program, or the client's own tool.
    Way(Way),
    /// Tools of a tool server.
    Server {
        /// A glob of its name.
        server: Glob,
        /// A glob of theirs.
        tool: Glob,
    },
}

/// A way of searching that we know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The client's tool that searches in files.
    Content,
    /// The client's tool that searches file names.
    Names,
    Grep,
    GitGrep,
    Ripgrep,
    Ag,
    Ack,
    Find,
    Fd,
}

impl Way {
    const ALL: [Way; 9] = [
        Way::Content,
        Way::Names,
        Way::Grep,
        Way::GitGrep,
        Way::Ripgrep,
        Way::Ag,
        Way::Ack,
        Way::Find,
        Way::Fd,
    ];

    /// Its name in the config; for a program, its own.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Way::Content => "search",
            Way::Names => "glob",
            Way::Grep => "grep",
            Way::GitGrep => "git-grep",
            Way::Ripgrep => "rg",
            Way::Ag => "ag",
            Way::Ack => "ack",
            Way::Find => "find",
            Way::Fd => "fd",
        }
    }

    /// The way of a program, by what it is called on the line.
    pub(super) fn of_program(name: &str) -> Option<Way> {
        match name {
            "grep" | "egrep" | "fgrep" | "zgrep" | "ggrep" => Some(Way::Grep),
            "rg" | "ripgrep" => Some(Way::Ripgrep),
            "ag" => Some(Way::Ag),
            "ack" | "ack-grep" => Some(Way::Ack),
            "find" | "gfind" => Some(Way::Find),
            "fd" | "fdfind" => Some(Way::Fd),
            _ => None,
        }
    }

    /// Whether it looks for names, not for what is in files.
    pub(super) const fn finds_names(self) -> bool {
        matches!(self, Way::Names | Way::Find | Way::Fd)
    }
}

impl<'de> Deserialize<'de> for Avoided {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Avoided, D::Error> {
        literal::read(deserializer)
    }
}

impl Avoided {
    /// Whether a tool of a tool server is meant.
    pub(super) fn is_tool_of(&self, server: &str, tool: &str) -> bool {
        match self {
            Avoided::Server { server: servers, tool: tools } => {
                servers.matches(server) && tools.matches(tool)
            }
            Avoided::Way(_) => false,
        }
    }
}

/// What was written is no way of searching.
#[derive(Debug, thiserror::Error)]
#[error("`{written}` is nothing that can be replaced; {help}")]
pub(super) struct NoWay {
    written: String,
    help: String,
}

impl NoWay {
    fn new(written: String) -> NoWay {
        let ways = Way::ALL.map(Way::name);
        let help = match nearest(&written, ways) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write `{}` or `mcp:server/tool`", ways.join("`, `")),
        };
        NoWay { written, help }
    }
}

impl TryFrom<String> for Avoided {
    type Error = NoWay;

    fn try_from(written: String) -> Result<Avoided, NoWay> {
        let known = Way::ALL.into_iter().find(|way| way.name() == written).map(Avoided::Way);
        known.or_else(|| server(&written)).ok_or_else(|| NoWay::new(written))
    }
}

fn server(written: &str) -> Option<Avoided> {
    let (server, tool) = written.strip_prefix("mcp:")?.split_once('/')?;
    let glob = |text: &str| Glob::try_from(text.to_owned()).ok().filter(|_| !text.is_empty());
    Some(Avoided::Server { server: glob(server)?, tool: glob(tool)? })
}

impl From<Avoided> for String {
    fn from(avoided: Avoided) -> String {
        match avoided {
            Avoided::Way(way) => way.name().to_owned(),
            Avoided::Server { server, tool } => format!("mcp:{}/{}", server.as_str(), tool.as_str()),
        }
    }
}
