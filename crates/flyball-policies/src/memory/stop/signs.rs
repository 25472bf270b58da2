//! Which events are signs that a session taught something, by the same measure as what becomes a report.

use flyball_core::client::Clients;
use flyball_core::engine::Ruling;
use flyball_core::event::{EventData, Outcome, Tool, ToolCall};
use flyball_core::path::strip_folder;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::redact::redact;
use flyball_core::text;
use flyball_core::time::Time;
use flyball_knowledge::layout;
use flyball_knowledge::report::ledger;

use super::state::{Kind, State};
use crate::memory::failures;

/// How many characters of a text are stored in a sign.
const MOST_CHARS: usize = 120;

/// A sign that a session taught something.
pub(super) struct Sign {
    pub(super) kind: Kind,
    pub(super) what: String,
    /// For a failure that only counts if it repeats: equal for the same failure.
    pub(super) repeats: Option<String>,
}

impl Sign {
    const fn new(kind: Kind, what: String) -> Sign {
        Sign { kind, what, repeats: None }
    }
}

/// The sign in an event, except for denials, which are seen in the review.
pub(super) fn detect(situation: &Situation<'_>) -> Result<Option<Sign>, PolicyError> {
    Ok(match &situation.event.happening {
        EventData::ToolFailed { call, outcome, interrupted: false } => failure(situation, call, outcome)?,
        EventData::AfterTool { call, .. } => {
            rules_edited(situation, call)?.map(|what| Sign::new(Kind::RulesEdited, what))
        }
        EventData::PromptSubmit { text, by_machine: false } => {
            failures::is_correction(text).then(|| Sign::new(Kind::Correction, short(text)))
        }
        _ => None,
    })
}

/// What failed, if that says something about the project.
fn failure(
    situation: &Situation<'_>,
    call: &ToolCall,
    outcome: &Outcome,
) -> Result<Option<Sign>, PolicyError> {
    let Some(failure) = failures::read_failure(situation, call, outcome) else { return Ok(None) };
    let what = match &call.tool {
        Tool::Edit(edits) => {
            let file = edits.first().map(|edit| relative(situation, &edit.path)).unwrap_or_default();
            short(&format!("{} of {file}", call.name))
        }
        Tool::Shell { command, .. } => short(command),
        _ => short(&call.name),
    };
    if failure.is_despite_rule(situation)? {
        return Ok(Some(Sign::new(Kind::FailureDespiteRules, what)));
    }
    // One that other sessions had before repeats already.
    let is_known = ledger::failure_count(situation.world, &failure.key)? > 1;
    Ok(Some(Sign { repeats: (!is_known).then_some(failure.key), ..Sign::new(Kind::Failure, what) }))
}

/// A file of rules that a call changed.
fn rules_edited(situation: &Situation<'_>, call: &ToolCall) -> Result<Option<String>, PolicyError> {
    let clients = situation.world.clients();
    let is_rules = |path: &str| layout::is_node_path(clients, path);
    match &call.tool {
        Tool::Edit(edits) => {
            let edit = edits.iter().find(|edit| is_rules(&edit.path));
            Ok(edit.map(|edit| relative(situation, &edit.path)))
        }
        // Whether a command changed one has to be looked up, so only if it names one.
        Tool::Shell { command, .. } if names_rules(clients, command) => {
            let edit = situation.edits()?.iter().find(|edit| is_rules(&edit.path));
            Ok(edit.map(|edit| relative(situation, &edit.path)))
        }
        _ => Ok(None),
    }
}

/// Whether a command names a file of rules or a folder of them.
fn names_rules(clients: Clients, command: &str) -> bool {
    layout::all_node_names(clients).chain(layout::rules_folders(clients)).any(|name| command.contains(name))
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

fn relative(situation: &Situation<'_>, path: &str) -> String {
    let path = situation.world.real_path(&situation.event.cwd, path);
    strip_folder(&path, situation.world.project_root()).unwrap_or(&path).to_owned()
}

/// The beginning of a text in one line, without secrets.
fn short(text: &str) -> String {
    text::head(&text::one_line(&redact(text)), MOST_CHARS).to_owned()
}
