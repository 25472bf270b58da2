//! Which events are signs that a session taught something, by the same measure as what becomes a report.

use flyball_core::engine::Ruling;
use flyball_core::event::{EventData, Outcome, Tool, ToolCall};
use flyball_core::path::strip_folder;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::redact::redact;
use flyball_core::text;
use flyball_core::time::Time;
use flyball_knowledge::layout;

use super::state::{Kind, State};
use crate::memory::context::injected_rules_for;
use crate::memory::failures;

/// How many characters of a text are stored in a sign.
const MOST_CHARS: usize = 120;

/// The sign in an event, except for denials, which are seen in the review.
pub(super) fn detect(situation: &Situation<'_>) -> Result<Option<(Kind, String)>, PolicyError> {
    Ok(match &situation.event.happening {
        EventData::ToolFailed { call, outcome, interrupted: false } => {
            failure(situation, call, outcome).map(|what| (Kind::Failure, what))
        }
        EventData::AfterTool { call, .. } => {
            rules_edited(situation, call)?.map(|what| (Kind::RulesEdited, what))
        }
        EventData::PromptSubmit { text, by_machine: false } => {
            failures::is_correction(text).then(|| (Kind::Correction, short(text)))
        }
        _ => None,
    })
}

/// What failed, if that says something about the project.
fn failure(situation: &Situation<'_>, call: &ToolCall, outcome: &Outcome) -> Option<String> {
    if !failures::is_mistake(situation, call, outcome) {
        return None;
    }
    match &call.tool {
        Tool::Edit(edits) => {
            let file = edits.first().map(|edit| relative(situation, &edit.path)).unwrap_or_default();
            Some(short(&format!("{} of {file}", call.name)))
        }
        Tool::Shell { command, .. } => Some(short(command)),
        _ => Some(short(&call.name)),
    }
}

/// A file of rules that a call changed.
fn rules_edited(situation: &Situation<'_>, call: &ToolCall) -> Result<Option<String>, PolicyError> {
    let clients = situation.world.clients();
    let is_rules = |path: &str| layout::is_node_name(clients, path.rsplit('/').next().unwrap_or(path));
    match &call.tool {
        Tool::Edit(edits) => {
            let edit = edits.iter().find(|edit| is_rules(&edit.path));
            Ok(edit.map(|edit| relative(situation, &edit.path)))
        }
        // Whether a command changed one has to be looked up, so only if it names one.
        Tool::Shell { command, .. } if layout::node_names(clients).any(|name| command.contains(name)) => {
            let edit = situation.edits()?.iter().find(|edit| is_rules(&edit.path));
            Ok(edit.map(|edit| relative(situation, &edit.path)))
        }
        _ => Ok(None),
    }
}

/// Records that other policies denied a call. Returns whether one of the denials is new.
pub(super) fn record_denials(state: &mut State, rulings: &[Ruling], now: Time) -> bool {
    let mut is_news = false;
    for ruling in rulings.iter().filter(|ruling| failures::is_denial(ruling)) {
        let what = ruling.verdict.reasons.first().map(|reason| reason.what.as_str()).unwrap_or_default();
        is_news |= state.record(Kind::Denial, short(&format!("{}: {what}", ruling.policy)), now);
    }
    is_news
}

/// The kind of a sign, with a look at whether rules were shown for what failed.
pub(super) fn refine_kind(situation: &Situation<'_>, kind: Kind) -> Result<Kind, PolicyError> {
    let edits = situation.event.call().map(|call| call.tool.edits()).unwrap_or_default();
    if let (Kind::Failure, Some(edit)) = (kind, edits.first()) {
        let file = situation.world.real_path(&situation.event.cwd, &edit.path);
        if !injected_rules_for(situation, &file)?.is_empty() {
            return Ok(Kind::FailureDespiteRules);
        }
    }
    Ok(kind)
}

fn relative(situation: &Situation<'_>, path: &str) -> String {
    let path = situation.world.real_path(&situation.event.cwd, path);
    strip_folder(&path, situation.world.project_root()).unwrap_or(&path).to_owned()
}

/// The beginning of a text in one line, without secrets.
fn short(text: &str) -> String {
    text::head(&text::one_line(&redact(text)), MOST_CHARS).to_owned()
}
