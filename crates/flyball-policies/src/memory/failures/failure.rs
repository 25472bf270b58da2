//! What a failed call says: nothing, something about the project, or that a rule did not help.

use flyball_core::event::{Outcome, Tool, ToolCall};
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::redact::redact;
use flyball_core::text::Words;

use super::classify::{self, Diagnosis};
use super::place::below_root;
use super::relevance::Subject;
use super::sameness::{exact, key_line};
use super::table::{REFUSALS, SLIPS, UNWRITABLE};
use crate::memory::context::shown_rules_for;

/// A failure that says something about the project.
pub(crate) struct Failure {
    pub(super) what: What,
    /// What was printed, without secrets.
    pub(super) output: String,
    /// Equal for the same failure on another day.
    pub(crate) key: String,
}

/// What failed.
pub(super) enum What {
    Command(Diagnosis),
    /// An edit of this file, relative to the project's root.
    Edit(String),
    /// A call of a tool server.
    Tool,
}

/// What a failed call says about the project. Slips of the model, refusals and results say nothing.
pub(crate) fn read(situation: &Situation<'_>, call: &ToolCall, outcome: &Outcome) -> Option<Failure> {
    // Before anything is cut: half of a secret is not seen as one.
    let output = redact(&outcome.text).into_owned();
    let what = match &call.tool {
        Tool::Shell { .. } => {
            if is_refused(&output) {
                return None;
            }
            What::Command(classify::find_mistake(&situation.line()?.script, &output)?)
        }
        Tool::Edit(edits) => {
            let is_unwritable = has_one(UNWRITABLE, &output) && !has_one(REFUSALS, &output);
            let file = edits.iter().find_map(|edit| below_root(situation, &edit.path));
            What::Edit(file.filter(|_| is_unwritable)?)
        }
        Tool::Mcp { .. } if !has_one(REFUSALS, &output) && !is_slip(&output) => What::Tool,
        _ => return None,
    };
    let key = match &what {
        What::Command(found) => format!("{} {}", found.program, exact(&found.line)),
        What::Edit(file) => format!("{} {file} {}", call.name, exact(key_line(&output))),
        What::Tool => format!("{} {}", call.name, exact(key_line(&output))),
    };
    Some(Failure { what, output, key })
}

impl Failure {
    /// Whether the agent was shown a rule about this file or command before.
    pub(crate) fn is_despite_rule(&self, situation: &Situation<'_>) -> Result<bool, PolicyError> {
        let root = situation.world.project_root();
        let (place, subject) = match &self.what {
            What::Command(found) => {
                let folder = situation.world.real_path(&situation.event.cwd, ".");
                let Some(line) = situation.line() else { return Ok(false) };
                (format!("{folder}/"), Subject::command(&line.script, found))
            }
            What::Edit(file) => (format!("{root}/{file}"), Subject::file(file)),
            What::Tool => return Ok(false),
        };
        Ok(shown_rules_for(situation, &place)?.iter().any(|rule| subject.is_in(rule)))
    }
}

/// Whether a client says that it did not run a command. What a command prints comes after its exit code.
fn is_refused(output: &str) -> bool {
    let is_of_client = !output.starts_with("Exit code ") && output.lines().take(3).count() < 3;
    let first = key_line(output);
    is_of_client && (has_one(REFUSALS, first) || first.starts_with("InputValidationError"))
}

/// Whether a tool server says that the call was wrong. A table or a branch that does not exist says something about the
/// project, a file that the model guessed does not.
fn is_slip(output: &str) -> bool {
    let first = key_line(output).to_lowercase();
    let of_file = ["file ", "path ", "directory ", "folder "].iter().any(|word| first.contains(word));
    has_one(SLIPS, output) || (of_file && first.contains("does not exist"))
}

fn has_one(phrases: Words, text: &str) -> bool {
    let small = text.to_lowercase();
    phrases.iter().any(|phrase| small.contains(phrase))
}
