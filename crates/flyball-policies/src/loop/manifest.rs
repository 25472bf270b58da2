//! Reads the manifest of an orchestration workflow: `MANIFEST.yaml`, which agents write.
//!
//! What it lacks is empty and what nobody knows is passed over, because agents write it by hand. Only what is no
//! YAML is an error, and text that is made to hurt (aliases of aliases, endless nesting) is no more than that.

mod node;
#[cfg(test)]
mod tests;

use serde::Serialize;
use serde_saphyr::options::DuplicateKeyPolicy;

use self::node::Node;

/// The longest manifest that is read.
pub const MOST_BYTES: u64 = 1024 * 1024;
/// How many things may be in one, those that aliases repeat included.
const MOST_NODES: usize = 50_000;
/// How deep they may be nested.
const MOST_DEPTH: usize = 32;

/// What a manifest says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Manifest {
    /// `feature_name`.
    pub feature_name: String,
    /// `feature_slug`.
    pub feature_slug: String,
    /// `description`.
    pub description: String,
    /// `status`: of the whole.
    pub status: String,
    /// `current_phase`: a name or a number.
    pub current_phase: String,
    /// `phases`, in their order.
    pub phases: Vec<Phase>,
    /// `agents_contributed`.
    pub agents_contributed: Vec<Contribution>,
    /// `artifacts`.
    pub artifacts: Vec<Artifact>,
    /// `verification`: what was verified and how it went, in their order.
    pub verification: Vec<Verification>,
}

/// A phase of the workflow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Phase {
    pub name: String,
    pub status: String,
}

/// What an agent contributed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Contribution {
    pub agent: String,
    /// What it left behind.
    pub artifact: String,
    pub timestamp: String,
    pub status: String,
}

/// A file that the workflow left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Artifact {
    /// Where it is, as written.
    pub path: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub agent: String,
}

/// Something that was verified.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// `build`, `tests`, `review`.
    pub what: String,
    pub result: String,
}

/// Why a manifest cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// It is no YAML.
    #[error("line {line}, column {column}: {why}")]
    InvalidYaml {
        /// In which line, from 1.
        line: u64,
        /// In which column of it, from 1.
        column: u64,
        why: String,
    },
    /// It is YAML, but no list of keys and values.
    #[error("it holds no `key: value` lines")]
    NotAMap,
    /// It is longer than any manifest.
    #[error("it is longer than {} KiB", MOST_BYTES / 1024)]
    TooLong,
}

/// Reads a manifest.
///
/// # Errors
/// When it is no YAML, or too much of it.
pub fn read(text: &str) -> Result<Manifest, ManifestError> {
    if text.len() as u64 > MOST_BYTES {
        return Err(ManifestError::TooLong);
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root: Node =
        serde_saphyr::from_str_with_options(text, options()).map_err(|error| yaml_error(&error))?;
    match &root {
        Node::Map(_) | Node::Nothing => Ok(Manifest::from_node(&root)),
        Node::Text(_) | Node::List(_) => Err(ManifestError::NotAMap),
    }
}

fn options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MOST_DEPTH,
            flow_nesting_limit: MOST_DEPTH,
            max_nodes: MOST_NODES,
            max_events: 4 * MOST_NODES,
            max_recorded_anchor_events: MOST_NODES,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: MOST_NODES,
            max_replay_stack_depth: MOST_DEPTH,
        },
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        strict_booleans: true,
        with_snippet: false,
    }
}

fn yaml_error(error: &serde_saphyr::Error) -> ManifestError {
    let (line, column) = error.location().map_or((1, 1), |place| (place.line(), place.column()));
    let words = error.without_snippet().to_string();
    // The place is said once, by us; and nobody here calls another function of the reader.
    let why = words.lines().next().unwrap_or_default();
    let why = [" at line ", "; use "].iter().fold(why, |why, end| why.split(end).next().unwrap_or_default());
    let why = why.trim().to_owned();
    ManifestError::InvalidYaml { line, column, why }
}

impl Manifest {
    fn from_node(root: &Node) -> Manifest {
        Manifest {
            feature_name: root.text("feature_name"),
            feature_slug: root.text("feature_slug"),
            description: root.text("description"),
            status: root.text("status"),
            current_phase: root.text("current_phase"),
            phases: root.get("phases").map(phases).unwrap_or_default(),
            agents_contributed: root.entries("agents_contributed").map(Contribution::from_node).collect(),
            artifacts: root.entries("artifacts").map(Artifact::from_node).collect(),
            verification: root.get("verification").map(verification).unwrap_or_default(),
        }
    }

    /// The name of the feature: as written, else its slug.
    #[must_use]
    pub fn feature(&self) -> &str {
        if self.feature_name.is_empty() { &self.feature_slug } else { &self.feature_name }
    }

    /// The status of the current phase, else of the whole; empty if neither is said.
    #[must_use]
    pub fn phase_status(&self) -> &str {
        let status = self.phase().map_or("", |phase| phase.status.as_str());
        if status.is_empty() { &self.status } else { status }
    }

    /// Whether the workflow goes on: it is in a phase, and neither done nor given up.
    #[must_use]
    pub fn is_running(&self) -> bool {
        !self.current_phase.is_empty() && !self.is_over()
    }

    /// Whether the workflow is done, blocked or given up. Where nothing is said of the whole, the phases tell.
    #[must_use]
    pub fn is_over(&self) -> bool {
        if !self.status.is_empty() {
            return Status::parse(&self.status) != Status::Open;
        }
        match self.phase().map(|phase| Status::parse(&phase.status)) {
            Some(Status::GivenUp) => true,
            Some(Status::Done) => {
                self.phases.iter().all(|phase| Status::parse(&phase.status) != Status::Open)
            }
            Some(Status::Open) | None => Status::parse(&self.current_phase) != Status::Open,
        }
    }

    fn phase(&self) -> Option<&Phase> {
        self.phases.iter().find(|phase| phase.name.eq_ignore_ascii_case(&self.current_phase))
    }
}

/// What a status comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Open,
    Done,
    /// Some is, and nobody goes on with it.
    GivenUp,
}

impl Status {
    fn parse(status: &str) -> Status {
        match status.trim().to_ascii_lowercase().as_str() {
            "complete" | "completed" | "done" | "finished" => Status::Done,
            "blocked" | "cancelled" | "canceled" | "aborted" | "abandoned" => Status::GivenUp,
            _ => Status::Open,
        }
    }
}

/// The phases: keys with a status below, or a list.
fn phases(node: &Node) -> Vec<Phase> {
    let phase = |name: &str, node: &Node| Phase { name: name.to_owned(), status: node.text_or("status") };
    match node {
        Node::Map(entries) => entries.iter().map(|(name, node)| phase(name, node)).collect(),
        Node::List(nodes) => nodes.iter().flat_map(listed_phase).collect(),
        Node::Text(_) | Node::Nothing => Vec::new(),
    }
}

/// One phase of a list: its name, an entry with a name, or `name: status`.
fn listed_phase(node: &Node) -> Vec<Phase> {
    match node {
        Node::Text(name) => vec![Phase { name: name.clone(), status: String::new() }],
        Node::Map(_) => {
            let names = ["name", "phase", "id"].map(|key| node.text(key));
            match names.into_iter().find(|name| !name.is_empty()) {
                Some(name) => vec![Phase { name, status: node.text("status") }],
                None => phases(node),
            }
        }
        Node::List(_) | Node::Nothing => Vec::new(),
    }
}

fn verification(node: &Node) -> Vec<Verification> {
    let Node::Map(entries) = node else { return Vec::new() };
    let one =
        |(what, node): &(String, Node)| Verification { what: what.clone(), result: node.text_or("status") };
    entries.iter().map(one).collect()
}

impl Contribution {
    fn from_node(node: &Node) -> Contribution {
        match node {
            Node::Text(agent) => Contribution { agent: agent.clone(), ..Contribution::default() },
            _ => Contribution {
                agent: node.text("agent"),
                artifact: node.text("artifact"),
                timestamp: node.text("timestamp"),
                status: node.text("status"),
            },
        }
    }
}

impl Artifact {
    fn from_node(node: &Node) -> Artifact {
        match node {
            Node::Text(path) => Artifact { path: path.clone(), ..Artifact::default() },
            _ => Artifact { path: node.text("path"), kind: node.text("type"), agent: node.text("agent") },
        }
    }
}
