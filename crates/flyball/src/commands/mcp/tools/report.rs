//! `report_learning`: something an agent found out, put before a person.

use std::path::Path;

use flyball_knowledge::report::ledger::{self, Recorded};
use flyball_knowledge::report::{Draft, Kind, Origin};
use rmcp::schemars::JsonSchema;
use serde::Deserialize;

use super::context::covering;
use crate::commands::mcp::projects::{Place, Projects, Refusal};
use crate::commands::memory::place::machine;
use crate::commands::memory::resolve::nearest;

/// The longest title and the longest text, in characters.
const TITLE: usize = 120;
const DETAIL: usize = 4_000;
const AGENT: usize = 80;

/// What was found out.
#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct Learning {
    /// What kind of rule it would be.
    #[serde(rename = "type")]
    kind: Type,
    /// One line that names it, at most 120 characters: "Never edit a migration that was released".
    title: String,
    /// One to three sentences that a reader without this session understands: what, why, and what to do instead.
    detail: String,
    /// The file or folder it is about: from the project's root, or absolute. `.` for the whole project.
    path: String,
    /// Who reports it: the name of the agent. May be left out.
    #[serde(default)]
    agent: Option<String>,
}

/// The kinds of rules.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "snake_case")]
enum Type {
    Pitfall,
    Check,
    Pattern,
    Insight,
}

impl Type {
    const fn kind(self) -> Kind {
        match self {
            Type::Pitfall => Kind::Pitfall,
            Type::Check => Kind::Check,
            Type::Pattern => Kind::Pattern,
            Type::Insight => Kind::Insight,
        }
    }
}

/// Writes it down, if the project wants that.
pub(super) fn record(projects: &Projects, learning: Learning) -> Result<String, Refusal> {
    check("title", &learning.title, TITLE)?;
    check("detail", &learning.detail, DETAIL)?;
    if let Some(agent) = &learning.agent {
        check("agent", agent, AGENT)?;
    }
    let place = projects.place(&learning.path)?;
    let machine = machine(&place.root);
    if !ledger::is_enabled(&machine) {
        return Err(Refusal(format!(
            "nothing was written: {} keeps no reports. A person can switch that on with `flyball init --packs memory` \
             in its root. Tell the user what you learned instead",
            place.root.display()
        )));
    }
    let nodes = covering(&machine, &place, "")?;
    let node = nearest(&nodes, &place.root.to_string_lossy());
    let recorded = ledger::record(&machine, &draft(learning, &place, node))?;
    Ok(match recorded {
        Recorded::New(id) => {
            format!("Reported as {id}. It becomes a rule when a person accepts it: `flyball learn`.")
        }
        Recorded::Again(id) => {
            format!(
                "This was reported before, as {id}; that it came up again was counted. A person has yet to decide."
            )
        }
        Recorded::Rejected(id) => {
            format!("This was reported before, as {id}, and a person rejected it. Nothing was written.")
        }
    })
}

fn check(name: &str, text: &str, most: usize) -> Result<(), Refusal> {
    let length = text.trim().chars().count();
    if length == 0 {
        return Err(Refusal(format!("`{name}` is empty")));
    }
    if length > most {
        return Err(Refusal(format!("`{name}` has {length} characters; {most} are the most")));
    }
    Ok(())
}

fn draft(learning: Learning, place: &Place, node: String) -> Draft {
    let shown = place.display_path();
    let is_folder = place.path.is_dir() || learning.path.ends_with('/');
    let above = || Path::new(&shown).parent().map(|folder| folder.to_string_lossy().into_owned());
    let folder = if is_folder { Some(shown.clone()) } else { above() };
    let folder = folder.filter(|folder| !folder.is_empty()).unwrap_or_else(|| ".".to_owned());
    // Case and spacing do not make another report: the same one is counted, not stored twice.
    let words: Vec<String> = learning.title.split_whitespace().map(str::to_lowercase).collect();
    Draft {
        kind: learning.kind.kind(),
        origin: Origin::Agent,
        sameness: format!("agent {:?} {folder} {}", learning.kind.kind(), words.join(" ")),
        title: learning.title.trim().to_owned(),
        operation: format!("Report on {shown}"),
        detail: learning.detail.trim().to_owned(),
        said: String::new(),
        command: String::new(),
        file: if is_folder { String::new() } else { shown },
        folder,
        node,
        told_before: Vec::new(),
        agent: learning.agent.map(|agent| agent.trim().to_owned()).unwrap_or_default(),
    }
}
