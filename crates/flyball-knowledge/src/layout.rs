//! Where projects keep their knowledge: the names of existing projects, so that nothing has to move.

use flyball_core::client::Clients;

/// The name of a node that all clients agree on.
const SHARED_NODE: &str = "AGENTS.md";

/// The names of a node, of which the first that exists counts: the shared one, then those of single clients.
pub fn node_names(clients: Clients) -> impl Iterator<Item = &'static str> + Clone {
    let own = clients.iter().filter_map(|client| client.instructions.shared);
    std::iter::once(SHARED_NODE).chain(own.filter(|name| *name != SHARED_NODE))
}

/// The file that is read instead of a node of this name where both exist.
#[must_use]
pub fn replacement_of(clients: Clients, name: &str) -> Option<&'static str> {
    let mut own = clients.iter().map(|client| client.instructions);
    own.find(|files| files.shared == Some(name)).and_then(|files| files.replacement)
}

/// How many imports lead from a node to a file that is read with it.
pub const MOST_IMPORT_LEVELS: usize = 4;

/// Whether a file of this name is a node.
#[must_use]
pub fn is_node_name(clients: Clients, name: &str) -> bool {
    node_names(clients).any(|node| node == name)
}

/// The names of a node for a person: `AGENTS.md or …`.
#[must_use]
pub fn describe_node_names(clients: Clients) -> String {
    node_names(clients).collect::<Vec<_>>().join(" or ")
}

/// The folder of reports. Nothing is captured in a project without it: creating it opts in.
pub const MEMORY: &str = ".intent-layer";

/// Reports that wait for a person.
pub const PENDING: &str = ".intent-layer/mistakes/pending";

/// Reports that a person accepted.
pub const ACCEPTED: &str = ".intent-layer/mistakes/accepted";

/// Reports that a person rejected.
pub const REJECTED: &str = ".intent-layer/mistakes/rejected";

/// Reports that were written into a node.
pub const INTEGRATED: &str = ".intent-layer/mistakes/integrated";

/// A file that switches the record of outcomes off if it exists.
pub const NO_TELEMETRY: &str = ".intent-layer/disable-telemetry";

/// The file whose first line is the path of the active plan.
pub const ACTIVE_TASK: &str = ".claude/TASK.md";

/// The folder with a folder for each task.
pub const TASKS: &str = ".claude/tasks";

/// How the folder of a task ends.
pub const TASK_SUFFIX: &str = "_task";

/// The plan in the folder of a task.
pub const PLAN: &str = "PLAN.md";

/// The files of phases, in the folder of a task.
pub const PHASES: &str = "phases";

/// The lessons in the folder of a task.
pub const LESSONS: &str = "KNOWLEDGE.jsonl";

/// The results of agents, in the folder of a task.
pub const ARTIFACTS: &str = "artifacts";

/// The lock in the folder of a task: a mirror for people and other tools. The store decides.
pub const LOCK: &str = ".lock";

/// The link to the newest plan of the client's plan mode.
pub const LATEST_PLAN: &str = ".claude/plans/LATEST.md";
