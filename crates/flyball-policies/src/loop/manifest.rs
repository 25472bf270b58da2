//! Reads the manifest of an orchestration workflow: `MANIFEST.yaml`, which agents write.
//!
//! Missing keys are empty and unknown ones are skipped, because agents write it by hand. Only invalid YAML is an error,
//! and so is YAML that is made to exhaust the reader (aliases of aliases, endless nesting).

mod node;
#[cfg(test)]
mod tests;

use serde::Serialize;
use serde_saphyr::options::DuplicateKeyPolicy;

use self::node::Node;

/// The longest manifest that is read.
pub const MOST_BYTES: u64 = 1024 * 1024;
/// How many nodes it may have, with those that aliases repeat.
const MOST_NODES: usize = 50_000;
/// How deep they may be nested.
const MOST_DEPTH: usize = 32;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Manifest {
    pub feature_name: String,
    pub feature_slug: String,
    pub description: String,
    /// Of the whole workflow.
    pub status: String,
    /// A name or a number.
    pub current_phase: String,
    pub phases: Vec<Phase>,
    pub agents_contributed: Vec<Contribution>,
    pub artifacts: Vec<Artifact>,
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
    #[error("line {line}, column {column}: {why}")]
    InvalidYaml {
        line: u64,
        /// From 1, as the line.
        column: u64,
        why: String,
    },
    #[error("it has no `key: value` lines")]
    NotAMap,
    #[error("it is longer than {} KiB", MOST_BYTES / 1024)]
    TooLong,
}

/// Reads a manifest.
///
/// # Errors
/// When it is not valid YAML, or too long.
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
        // Only `true` and `false` are booleans: a phase may be called `on` or `no`.
        strict_booleans: true,
        with_snippet: false,
    }
}

fn yaml_error(error: &serde_saphyr::Error) -> ManifestError {
    let (line, column) = error.location().map_or((1, 1), |place| (place.line(), place.column()));
    let words = error.without_snippet().to_string();
    // The place is in the error already, and advice about other functions of the reader helps nobody.
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

    /// The status of the current phase, else of the whole; empty if there is neither.
    #[must_use]
    pub fn phase_status(&self) -> &str {
        let status = self.phase().map_or("", |phase| phase.status.as_str());
        if status.is_empty() { &self.status } else { status }
    }

    /// Whether the workflow is running: it is in a phase, and neither done nor given up.
    #[must_use]
    pub fn is_running(&self) -> bool {
        !self.current_phase.is_empty() && !self.is_over()
    }

    /// Whether the workflow is done, blocked or given up. Without a status of the whole, the phases decide.
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
            // Some write the end as a phase: `current_phase: complete`.
            Some(Status::Open) | None => Status::parse(&self.current_phase) != Status::Open,
        }
    }

    /// Whether the workflow is done: over, and neither blocked nor given up.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let given_up = |status: &str| Status::parse(status) == Status::GivenUp;
        let any_given_up = given_up(&self.status)
            || given_up(&self.current_phase)
            || self.phases.iter().any(|phase| given_up(&phase.status));
        self.is_over() && !any_given_up
    }

    fn phase(&self) -> Option<&Phase> {
        self.phases.iter().find(|phase| phase.name.eq_ignore_ascii_case(&self.current_phase))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Open,
    Done,
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
