//! Makes reports out of what happened.

use flyball_core::event::{Tool, ToolCall};
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::redact::redact;
use flyball_core::text;
use flyball_core::verdict::{Subject, Verdict};
use flyball_knowledge::node;
use flyball_knowledge::report::{Draft, Kind, Origin};

use super::correction::Correction;
use super::failure::{Failure, What};
use super::place::{below_root, relative};
use super::sameness::{gist, key_line};
use super::state::State;
use crate::memory::context::injected_rules_for;

/// How long a title is, in letters.
const TITLE: usize = 100;

/// The report of a failure.
pub(super) fn from_failure(
    situation: &Situation<'_>,
    call: &ToolCall,
    failure: &Failure,
) -> Result<Draft, PolicyError> {
    let output = failure.output.as_str();
    let draft = match &failure.what {
        What::Command(found) => {
            let folder = below_root(situation, ".").unwrap_or_else(|| ".".to_owned());
            let (line, program) = (&found.line, &found.program);
            Draft {
                title: cut(line, TITLE),
                operation: format!("{program} in {folder}"),
                detail: format!("A command line failed: {}.", found.what.name()),
                said: output.to_owned(),
                command: call.tool.main_text().unwrap_or_default().to_owned(),
                sameness: format!("{program} {folder} {}", gist(line)),
                folder,
                ..empty(situation, Origin::Failure)
            }
        }
        What::Edit(file) => tool_failed(situation, call, Place { output, file }),
        What::Tool => tool_failed(situation, call, Place { output, file: "" }),
    };
    with_node(situation, draft)
}

/// What a tool said, and of which file.
struct Place<'a> {
    output: &'a str,
    file: &'a str,
}

fn tool_failed(situation: &Situation<'_>, call: &ToolCall, Place { output, file }: Place<'_>) -> Draft {
    let key = key_line(output);
    let (name, folder) = (&call.name, parent(file));
    let is_edit = !file.is_empty();
    let subject = if is_edit { file.rsplit('/').next().unwrap_or(file) } else { folder };
    Draft {
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
    }
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
