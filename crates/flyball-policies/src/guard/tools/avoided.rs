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
    Way(SearchKind),
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
pub(super) enum SearchKind {
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

impl SearchKind {
    const ALL: [SearchKind; 9] = [
        SearchKind::Content,
        SearchKind::Names,
        SearchKind::Grep,
        SearchKind::GitGrep,
        SearchKind::Ripgrep,
        SearchKind::Ag,
        SearchKind::Ack,
        SearchKind::Find,
        SearchKind::Fd,
    ];

    /// Its name in the config; for a program, its own.
    pub(super) const fn name(self) -> &'static str {
        match self {
            SearchKind::Content => "search",
            SearchKind::Names => "glob",
            SearchKind::Grep => "grep",
            SearchKind::GitGrep => "git-grep",
            SearchKind::Ripgrep => "rg",
            SearchKind::Ag => "ag",
            SearchKind::Ack => "ack",
            SearchKind::Find => "find",
            SearchKind::Fd => "fd",
        }
    }

    /// The kind of a program, by its name on the line.
    pub(super) fn from_program(name: &str) -> Option<SearchKind> {
        match name {
            "grep" | "egrep" | "fgrep" | "zgrep" | "ggrep" => Some(SearchKind::Grep),
            "rg" | "ripgrep" => Some(SearchKind::Ripgrep),
            "ag" => Some(SearchKind::Ag),
            "ack" | "ack-grep" => Some(SearchKind::Ack),
            "find" | "gfind" => Some(SearchKind::Find),
            "fd" | "fdfind" => Some(SearchKind::Fd),
            _ => None,
        }
    }

    /// Whether it searches file names, not contents.
    pub(super) const fn finds_names(self) -> bool {
        matches!(self, SearchKind::Names | SearchKind::Find | SearchKind::Fd)
    }
}

impl<'de> Deserialize<'de> for Avoided {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Avoided, D::Error> {
        literal::read(deserializer)
    }
}

impl Avoided {
    /// Whether it matches a tool of a tool server.
    pub(super) fn is_tool_of(&self, server: &str, tool: &str) -> bool {
        match self {
            Avoided::Server { server: servers, tool: tools } => {
                servers.matches(server) && tools.matches(tool)
            }
            Avoided::Way(_) => false,
        }
    }
}

/// The text does not name a way of searching.
#[derive(Debug, thiserror::Error)]
#[error("`{written}` is not a way of searching; {help}")]
pub(super) struct UnknownSearch {
    written: String,
    help: String,
}

impl UnknownSearch {
    fn new(written: String) -> UnknownSearch {
        let ways = SearchKind::ALL.map(SearchKind::name);
        let help = match nearest(&written, ways) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write `{}` or `mcp:server/tool`", ways.join("`, `")),
        };
        UnknownSearch { written, help }
    }
}

impl TryFrom<String> for Avoided {
    type Error = UnknownSearch;

    fn try_from(written: String) -> Result<Avoided, UnknownSearch> {
        let known = SearchKind::ALL.into_iter().find(|way| way.name() == written).map(Avoided::Way);
        known.or_else(|| parse_server(&written)).ok_or_else(|| UnknownSearch::new(written))
    }
}

fn parse_server(written: &str) -> Option<Avoided> {
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
