//! Where projects keep what they know: names that existing projects have, so nobody has to move anything.

/// The names of a node, the first that is there counts.
pub const NODES: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];

/// Where reports lie. Nothing is captured in a project without it: whoever makes this folder opts in.
pub const MEMORY: &str = ".intent-layer";

/// Reports that wait for a person.
pub const PENDING: &str = ".intent-layer/mistakes/pending";

/// Reports a person took for true.
pub const ACCEPTED: &str = ".intent-layer/mistakes/accepted";

/// Reports a person did not.
pub const REJECTED: &str = ".intent-layer/mistakes/rejected";

/// Reports that were written into a node.
pub const INTEGRATED: &str = ".intent-layer/mistakes/integrated";

/// A file that switches the record of outcomes off by being there.
pub const NO_TELEMETRY: &str = ".intent-layer/disable-telemetry";

/// The file whose first line is the path of the active plan.
pub const ACTIVE_TASK: &str = ".claude/TASK.md";

/// The folder that holds a folder for each task.
pub const TASKS: &str = ".claude/tasks";

/// How the folder of a task ends.
pub const TASK_SUFFIX: &str = "_task";

/// The plan in the folder of a task.
pub const PLAN: &str = "PLAN.md";

/// The files of phases, in the folder of a task.
pub const PHASES: &str = "phases";

/// The lessons in the folder of a task.
pub const LESSONS: &str = "KNOWLEDGE.jsonl";

/// What agents brought, in the folder of a task.
pub const ARTIFACTS: &str = "artifacts";

/// The lock in the folder of a task: a mirror for people and other tools. The store decides.
pub const LOCK: &str = ".lock";

/// The link to the newest plan of the client's plan mode.
pub const LATEST_PLAN: &str = ".claude/plans/LATEST.md";
