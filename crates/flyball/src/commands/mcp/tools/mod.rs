//! The table of tools. Models read the descriptions and the schemas: they say what a tool returns and when to call it.

mod context;
mod nothing;
mod relevance;
mod report;
mod search;
mod status;

use std::sync::Arc;

use rmcp::handler::server::tool::schema_for_type;
use rmcp::model::{JsonObject, Tool as Listed, ToolAnnotations};
use rmcp::schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::nothing::Nothing;
use super::projects::{Projects, Refusal};

pub(super) struct Tool {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    schema: fn() -> Arc<JsonObject>,
    changes: Changes,
    pub(super) run: fn(&Projects, Value) -> Result<String, Refusal>,
}

/// What a tool changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Changes {
    Nothing,
    Reports,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "read_context",
        title: "Rules for a path",
        about: "The rules for a file or folder of the project, merged from all AGENTS.md and CLAUDE.md files \
                that cover it, those of the root first: contracts, pitfalls, checks to be done, patterns, entry points \
                and more. Call it before you edit or plan in a part of the project you have no rules for yet. The path \
                need not exist.",
        schema: schema::<context::ContextQuery>,
        changes: Changes::Nothing,
        run: |projects, arguments| context::read(projects, &parsed(arguments)?),
    },
    Tool {
        name: "report_learning",
        title: "Report something learned",
        about: "Reports something you found out to a person, who decides whether it becomes a rule of the project: a \
                pitfall (what went wrong and how to avoid it), a check (what to verify before or after a change), a \
                pattern (the way it is done here) or an insight (a fact one has to know). Report what is specific to \
                this project and would have saved you time, one thing per call. A repeated report is counted, not \
                stored twice.",
        schema: schema::<report::Learning>,
        changes: Changes::Reports,
        run: |projects, arguments| report::record(projects, parsed(arguments)?),
    },
    Tool {
        name: "search_knowledge",
        title: "Search what is known",
        about: "Searches everything the project has learned: the rules of all AGENTS.md and CLAUDE.md files, reports \
                that wait or were accepted, and the lessons of tasks. Returns the best matches for the words of the \
                query, each with its source. Use it when you know a subject (a component, an error, a tool) rather \
                than a path.",
        schema: schema::<search::Query>,
        changes: Changes::Nothing,
        run: |projects, arguments| search::find(projects, &parsed(arguments)?),
    },
    Tool {
        name: "loop_status",
        title: "Review and test loops",
        about: "The loops of review and tests of the project's sessions, as JSON: what has passed, what failed with \
                which findings, what is open, and whether a person has to decide. Shows what is missing before the \
                work may end.",
        schema: schema::<Nothing>,
        changes: Changes::Nothing,
        run: |projects, arguments| status::loops(projects, &parsed(arguments)?),
    },
    Tool {
        name: "task_status",
        title: "The active task",
        about: "The active task of the project, as JSON: its plan, how far it is, the phase that is due with its open \
                items, decisions that were made, and which session works on it.",
        schema: schema::<Nothing>,
        changes: Changes::Nothing,
        run: |projects, arguments| status::tasks(projects, &parsed(arguments)?),
    },
];

/// The schema of a tool's arguments. Some models reject one without `properties`; our type names are of no use to them.
fn schema<T: JsonSchema + 'static>() -> Arc<JsonObject> {
    let mut schema = JsonObject::clone(&schema_for_type::<T>());
    for ours in ["$schema", "title", "description"] {
        schema.remove(ours);
    }
    schema.entry("properties").or_insert_with(|| Value::Object(JsonObject::new()));
    Arc::new(schema)
}

/// The tool of a name.
pub(super) fn find_tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// All tools, as clients list them.
pub(super) fn list_tools() -> Vec<Listed> {
    TOOLS.iter().map(Tool::describe).collect()
}

impl Tool {
    fn describe(&self) -> Listed {
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(self.changes == Changes::Nothing)
            .destructive(false)
            .open_world(false);
        Listed::new(self.name, self.about, (self.schema)()).with_annotations(hints)
    }
}

fn parsed<T: DeserializeOwned>(arguments: Value) -> Result<T, Refusal> {
    serde_json::from_value(arguments).map_err(|problem| {
        Refusal(format!(
            "the arguments do not match the tool's schema: {}",
            super::projects::quote(&problem.to_string())
        ))
    })
}
