//! Makes reports out of what happened.

use flyball_core::event::{Outcome, Tool, ToolCall};
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::redact::redact;
use flyball_core::text;
use flyball_core::verdict::{Subject, Verdict};
use flyball_knowledge::node;
use flyball_knowledge::report::{Draft, Kind, Origin};

use super::classify::{self, Diagnosis};
use super::correction::Correction;
use super::sameness::{gist, key_line};
use super::settings::Settings;
use super::state::State;
use crate::memory::context::injected_rules_for;

/// Tool errors that are not about the project: a person refused, the file changed meanwhile, a timeout.
const HARMLESS: &[&str] = &[
    "user doesn't want to",
    "doesn't want to proceed",
    "was rejected",
    "interrupted",
    "aborted",
    "modified since read",
    "timed out",
    "hook error",
    "permission to use",
    "has been denied",
];

/// How long a title is, in letters.
const TITLE: usize = 100;

/// The report of a failed call, if it is a mistake.
pub(super) fn from_failure(
    situation: &Situation<'_>,
    settings: &Settings,
    (call, outcome): (&ToolCall, &Outcome),
) -> Result<Option<Draft>, PolicyError> {
    // Before anything is cut: half of a secret is not seen as one.
    let output = &*redact(&outcome.text);
    match &call.tool {
        Tool::Shell { command, .. } if settings.commands && !settings.ignores(command) => {
            let Some(line) = situation.line() else { return Ok(None) };
            let found = classify::find_mistake(&line.script, output);
            found.map(|found| command_failed(situation, (command, output), &found)).transpose()
        }
        Tool::Edit(edits) if settings.tools && !is_harmless(output) => {
            let paths = edits.iter().map(|edit| &edit.path);
            let Some(file) = paths.filter_map(|path| below_root(situation, path)).next() else {
                return Ok(None);
            };
            tool_failed(situation, (call, output), &file).map(Some)
        }
        Tool::Mcp { .. } if settings.tools && !is_harmless(output) => {
            tool_failed(situation, (call, output), "").map(Some)
        }
        _ => Ok(None),
    }
}

pub(super) fn is_harmless(output: &str) -> bool {
    let small = output.to_lowercase();
    HARMLESS.iter().any(|words| small.contains(words))
}

fn command_failed(
    situation: &Situation<'_>,
    (command, output): (&str, &str),
    found: &Diagnosis,
) -> Result<Draft, PolicyError> {
    let folder = below_root(situation, ".").unwrap_or_else(|| ".".to_owned());
    let (what, line, program) = (found.what.name(), &found.line, &found.program);
    let draft = Draft {
        title: cut(line, TITLE),
        operation: format!("{program} in {folder}"),
        detail: format!("A command line failed: {what}."),
        said: output.to_owned(),
        command: command.to_owned(),
        sameness: format!("{program} {folder} {}", gist(line)),
        folder,
        ..empty(situation, Origin::Failure)
    };
    with_node(situation, draft)
}

fn tool_failed(
    situation: &Situation<'_>,
    (call, output): (&ToolCall, &str),
    file: &str,
) -> Result<Draft, PolicyError> {
    let key = key_line(output);
    let (name, folder) = (&call.name, parent(file));
    let is_edit = !file.is_empty();
    let subject = if is_edit { file.rsplit('/').next().unwrap_or(file) } else { folder };
    let draft = Draft {
        title: cut(&format!("{name}: {key}"), TITLE),
        operation: if is_edit { format!("{name} on {subject}") } else { name.clone() },
        detail: format!("{name} failed."),
        said: output.to_owned(),
        // Only for MCP tools: the input of an edit is the file's text.
        command: if is_edit { String::new() } else { call.input.clone() },
        sameness: format!("{name} {folder} {}", gist(key)),
        folder: folder.to_owned(),
        file: file.to_owned(),
        ..empty(situation, Origin::Failure)
    };
    with_node(situation, draft)
}

/// The report of a call that a policy or the client denied.
pub(super) fn from_denial(situation: &Situation<'_>, who: &str, verdict: &Verdict) -> Option<Draft> {
    let call = situation.event.call()?;
    let edited = call.tool.edits().iter().filter_map(|edit| below_root(situation, &edit.path)).next();
    let file = edited.unwrap_or_default();
    let command = match &call.tool {
        Tool::Shell { command, .. } => command.clone(),
        _ => String::new(),
    };
    let reasons: Vec<String> = verdict.reasons.iter().map(flyball_core::verdict::Reason::text).collect();
    let what = &*redact(verdict.reasons.first().map(|reason| reason.what.as_str()).unwrap_or_default());
    let subjects = verdict.subjects.iter().map(|subject| match subject {
        Subject::File(path) => below_root(situation, path).unwrap_or_else(|| path.to_string()),
        Subject::Intent(intent) => intent.clone(),
    });
    let about = subjects.min().unwrap_or_else(|| gist(what));
    Some(Draft {
        title: cut(what, TITLE),
        folder: parent(&file).to_owned(),
        operation: call.name.clone(),
        detail: format!("{who} denied the call."),
        said: reasons.join("\n"),
        command,
        file,
        sameness: format!("denied {who} {about}"),
        ..empty(situation, Origin::Denial)
    })
}

/// The report of a person's correction.
pub(super) fn from_correction(
    situation: &Situation<'_>,
    (words, correction): (&str, Correction),
    state: &State,
) -> Result<Draft, PolicyError> {
    let words = &*redact(words);
    let file = state.files.last().cloned().unwrap_or_default();
    let first = words.trim().lines().next().unwrap_or_default();
    let is_rule = correction == Correction::Rule;
    let small = words.to_lowercase();
    // A negation makes it something to avoid, whatever else it says.
    let prefers = is_rule && ["always", "use ", "instead"].iter().any(|word| small.contains(word));
    let draft = Draft {
        kind: if prefers && !small.contains("n't") && !small.contains("never") {
            Kind::Pattern
        } else {
            Kind::Pitfall
        },
        title: cut(first, TITLE),
        folder: common_folder(&state.files),
        operation: if state.files.is_empty() {
            "work".to_owned()
        } else {
            format!("edits of {}", state.files.join(", "))
        },
        // Only a rule can go into a node as it is; a complaint has to be understood first.
        detail: if is_rule { words.to_owned() } else { String::new() },
        said: words.to_owned(),
        file,
        sameness: format!("corrected {}", gist(words)),
        ..empty(situation, Origin::Correction)
    };
    with_node(situation, draft)
}

fn empty(situation: &Situation<'_>, origin: Origin) -> Draft {
    let role = situation.event.agent.as_ref().map(|agent| agent.role.clone()).unwrap_or_default();
    Draft {
        kind: Kind::Pitfall,
        origin,
        title: String::new(),
        folder: ".".to_owned(),
        operation: String::new(),
        detail: String::new(),
        said: String::new(),
        command: String::new(),
        file: String::new(),
        node: String::new(),
        told_before: Vec::new(),
        agent: role,
        sameness: String::new(),
    }
}

/// The draft with the node that covers its file or folder, and the rules of it that were shown before.
pub(super) fn with_node(situation: &Situation<'_>, mut draft: Draft) -> Result<Draft, PolicyError> {
    let world = situation.world;
    let root = world.project_root();
    let place = if draft.file.is_empty() {
        format!("{root}/{}/", draft.folder)
    } else {
        format!("{root}/{}", draft.file)
    };
    let nodes = node::covering(world, &place)?;
    draft.node = node::nearest(&nodes).and_then(|node| relative(world, &node.path)).unwrap_or_default();
    draft.told_before = injected_rules_for(situation, &place)?;
    Ok(draft)
}

/// The path of something in the project, relative to its root; `None` if it is elsewhere.
pub(super) fn below_root(situation: &Situation<'_>, path: &str) -> Option<String> {
    relative(situation.world, &situation.world.real_path(&situation.event.cwd, path))
}

fn relative(world: &dyn World, path: &str) -> Option<String> {
    let root = world.real_path(world.project_root(), ".");
    match path.strip_prefix(root.trim_end_matches('/'))? {
        "" | "/" => Some(".".to_owned()),
        below => below.strip_prefix('/').map(str::to_owned),
    }
}

fn parent(file: &str) -> &str {
    file.rsplit_once('/').map_or(".", |(folder, _)| folder)
}

/// The deepest folder that contains all files.
fn common_folder(files: &[String]) -> String {
    let mut folders = files.iter().map(|file| parent(file).split('/').collect::<Vec<&str>>());
    let first = folders.next().unwrap_or_default();
    let shared = folders.fold(first, |shared, other| {
        shared.into_iter().zip(other).take_while(|(one, two)| one == two).map(|(one, _)| one).collect()
    });
    if shared.is_empty() { ".".to_owned() } else { shared.join("/") }
}

fn cut(text: &str, letters: usize) -> String {
    text::fit_trimmed(text.trim(), letters).into_owned()
}
