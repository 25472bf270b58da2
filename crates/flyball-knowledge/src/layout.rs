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

/// The names of all files of rules that clients look for, also those that replace others or belong to one person.
pub fn all_node_names(clients: Clients) -> impl Iterator<Item = &'static str> + Clone {
    let others =
        clients.iter().flat_map(|client| [client.instructions.replacement, client.instructions.personal]);
    node_names(clients).chain(others.flatten())
}

/// The folders of rules in a folder.
pub fn rules_folders(clients: Clients) -> impl Iterator<Item = &'static str> + Clone {
    clients.iter().filter_map(|client| client.instructions.rules_folder)
}

/// The shared nodes of a folder that are in a folder of a client's own.
pub fn hidden_nodes(clients: Clients) -> impl Iterator<Item = &'static str> + Clone {
    clients.iter().filter_map(|client| client.instructions.hidden)
}

/// Whether a path is one of a file of rules.
#[must_use]
pub fn is_node_path(clients: Clients, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_in =
        |folder: &str| path.starts_with(&format!("{folder}/")) || path.contains(&format!("/{folder}/"));
    all_node_names(clients).any(|node| node == name)
        || (name.ends_with(".md") && rules_folders(clients).any(is_in))
}

/// How many imports lead from a node to a file that is read with it.
pub const MOST_IMPORT_LEVELS: usize = 4;

/// Whether a file of this name is a node.
#[must_use]
pub fn is_node_name(clients: Clients, name: &str) -> bool {
    node_names(clients).any(|node| node == name)
}

/// The names of all files and folders with rules for agents, as the clients' tables have them; folders end with `/`.
pub fn rule_file_names(clients: Clients) -> impl Iterator<Item = &'static str> + Clone {
    let own =
        clients.iter().flat_map(|client| [client.instructions.replacement, client.instructions.rules_folder]);
    let other = clients.iter().flat_map(|client| client.rule_files).copied();
    node_names(clients).chain(own.flatten()).chain(other)
}

/// Whether a file of a project, by its path from the root, has rules for agents that are shared: a node, or a file that a
/// client reads as such.
#[must_use]
pub fn is_rule_file(clients: Clients, below: &str) -> bool {
    let name = below.rsplit('/').next().unwrap_or(below);
    let is_in = |folder: &str| {
        let folder = folder.trim_end_matches('/');
        below.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
            || below.contains(&format!("/{folder}/"))
    };
    rule_file_names(clients).any(|file| match (file.contains('/'), file.rsplit('/').next()) {
        (false, _) => name == file,
        (true, Some(end)) if end.contains('.') => below == file,
        (true, _) => is_in(file),
    })
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
