//! Reads `orchestration-limits.yaml`, which projects may have from an older tool.

use std::collections::BTreeMap;

use flyball_core::policy::{PolicyError, Situation, World};
use serde::Deserialize;
use serde_json::Value;

use super::events::call_start;

/// Where such a file usually is, relative to the project.
pub const USUAL_FILE: &str = crate::client_defaults::LIMITS;
const MOST_BYTES: u64 = 256 * 1024;

/// The limits in a file; `None` where it does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The loop of review and test.
    pub inter_phase: InterPhase,
    pub intra_task: IntraTask,
    /// How often a whole pattern is tried again.
    pub orchestrator: Orchestrator,
    /// What happens when a limit is reached.
    pub escalation: Escalation,
    /// Everything in the file, also the keys that nothing here knows.
    pub values: Value,
}

/// `inter_phase`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct InterPhase {
    /// Rounds of implementation, review and test.
    pub max_feedback_iterations: Option<u32>,
    /// Reviews in a row that fail.
    pub max_consecutive_review_failures: Option<u32>,
    /// Tests in a row that fail.
    pub max_consecutive_test_failures: Option<u32>,
}

/// `intra_task`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct IntraTask {
    /// Rounds of one task.
    pub max_iterations: Option<u32>,
    /// How long a task may take.
    pub max_runtime_minutes: Option<u32>,
    /// Tool calls in a row that fail.
    pub consecutive_error_limit: Option<u32>,
    /// The same call in a row.
    pub loop_detection_threshold: Option<u32>,
}

/// `orchestrator`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Orchestrator {
    /// How often compliance with the requirements is tried again.
    pub requirement_compliance_retries: Option<u32>,
    /// How often fixing quality is tried again.
    pub quality_fix_retries: Option<u32>,
    /// How often fixing tests is tried again.
    pub test_fix_retries: Option<u32>,
}

/// `escalation`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Escalation {
    /// What to do: `ask_user`.
    pub default_action: Option<String>,
    /// Whether the history of the iterations is shown.
    pub include_iteration_history: Option<bool>,
    /// How many more iterations a person grants.
    pub max_user_continue_iterations: Option<u32>,
    /// What a person may choose from.
    pub options: Option<Vec<String>>,
}

/// The file, section by section. A section may be there and empty.
#[derive(Default, Deserialize)]
#[serde(default)]
struct File {
    inter_phase: Option<InterPhase>,
    intra_task: Option<IntraTask>,
    orchestrator: Option<Orchestrator>,
    escalation: Option<Escalation>,
}

/// The limit that applies: what is written in the settings, or the file's number instead of a default.
pub(super) fn limit_of<T>(set: T, is_written: bool, file: Option<T>) -> T {
    if is_written { set } else { file.unwrap_or(set) }
}

/// What the files of limits said when the session began, by their names.
type Pinned = BTreeMap<String, Option<String>>;

/// Where that is remembered; all policies share it.
pub const PINNED: &str = "loop.limits";

/// Notes what the project's file says, unless that is known or the session begins `anew`: that stays in force, whoever
/// changes the file. An agent must not grant itself another limit.
pub(super) fn note(situation: &Situation<'_>, file: &str, anew: bool) -> Result<(), PolicyError> {
    if file.is_empty() {
        return Ok(());
    }
    let mut pinned = pinned(situation)?;
    if !anew && pinned.contains_key(file) {
        return Ok(());
    }
    let world = situation.world;
    let path = world.real_path(world.project_root(), file);
    // The call that is the first to be seen may have written it.
    let is_new = situation.event.call().is_some()
        && world.stat(&path).is_some_and(|stat| stat.changed >= call_start(situation));
    // A file that cannot be used now is not used later either.
    let text = read_text(world, file).ok().flatten().filter(|_| !is_new);
    pinned.insert(file.to_owned(), text);
    situation.memory.write(PINNED, serde_json::to_string(&pinned).unwrap_or_default())
}

/// Whether anything was noted. What was is known without the settings.
pub(super) fn is_noted(situation: &Situation<'_>) -> Result<bool, PolicyError> {
    situation.memory.has(PINNED)
}

fn pinned(situation: &Situation<'_>) -> Result<Pinned, PolicyError> {
    let stored = situation.memory.read(PINNED)?;
    Ok(stored.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// The limits in force, if there are any, and a notice about a file that cannot be used or has changed. The notice is given
/// once: `reported` remembers it.
pub(super) fn in_force(
    situation: &Situation<'_>,
    file: &str,
    reported: &mut Option<String>,
) -> Result<(Option<Limits>, Option<String>), PolicyError> {
    let now = read_text(situation.world, file);
    let before = pinned(situation)?.remove(file);
    let has_changed = matches!((&before, &now), (Some(before), Ok(now)) if before != now);
    let text = match before {
        Some(Some(text)) => Ok(Some(text)),
        Some(None) => now.map(|_| None),
        None => now,
    };
    let (limits, notice) = match text.and_then(|text| text.as_deref().map(limits_from_yaml).transpose()) {
        Ok(limits) if has_changed => {
            let instead =
                if limits.is_some() { "what it said when the session began" } else { "flyball.toml" };
            (
                limits,
                Some(format!("`{file}` changed during this session: until the next one, {instead} applies")),
            )
        }
        Ok(limits) => (limits, None),
        Err(why) => (None, Some(format!("`{file}` is not used: {why}; the limits in flyball.toml apply"))),
    };
    let is_new = notice.is_some() && *reported != notice;
    Ok((limits, is_new.then(|| reported.insert(notice.unwrap_or_default()).clone())))
}

/// The limits that are in force in a session: what it remembers of the file at its beginning under [`PINNED`], or else what
/// the file says now.
#[must_use]
pub fn limits_in_session(remembered: Option<&str>, file: &str, now: Option<String>) -> Option<Limits> {
    let pinned: Option<Pinned> = remembered.and_then(|text| serde_json::from_str(text).ok());
    let text = pinned.and_then(|mut pinned| pinned.remove(file)).unwrap_or(now)?;
    // The session reports errors in this file to the user.
    limits_from_yaml(&text).ok()
}

/// The text of a file; `None` if there is none.
fn read_text(world: &dyn World, file: &str) -> Result<Option<String>, String> {
    let path = world.real_path(world.project_root(), file);
    if file.is_empty() || world.stat(&path).is_none_or(|stat| stat.is_folder) {
        return Ok(None);
    }
    let text = world.read(&path, MOST_BYTES).map_err(|error| error.to_string())?;
    let text = text.ok_or_else(|| "it is too long".to_owned())?;
    String::from_utf8(text).map(Some).map_err(|_| "it is not text".to_owned())
}

/// Reads the text of a file of limits. Unknown keys are ignored.
///
/// # Errors
/// When it is not valid YAML, or a value has the wrong type: what is wrong, with its line.
pub fn limits_from_yaml(text: &str) -> Result<Limits, String> {
    // An empty YAML file is a null.
    let file: Option<File> = serde_saphyr::from_str(text).map_err(|error| one_line(&error))?;
    let values: Option<Value> = serde_saphyr::from_str(text).map_err(|error| one_line(&error))?;
    let file = file.unwrap_or_default();
    let values = values.unwrap_or_default();
    Ok(Limits {
        inter_phase: file.inter_phase.unwrap_or_default(),
        intra_task: file.intra_task.unwrap_or_default(),
        orchestrator: file.orchestrator.unwrap_or_default(),
        escalation: file.escalation.unwrap_or_default(),
        values,
    })
}

/// The error without the snippet of the file, which does not fit in a sentence.
fn one_line(error: &serde_saphyr::Error) -> String {
    let plain = error.without_snippet();
    let first = plain.to_string();
    let first = first.lines().next().unwrap_or_default().trim().to_owned();
    match plain.location() {
        Some(place) if !first.contains("line ") => format!("line {}: {first}", place.line()),
        _ => first,
    }
}

#[cfg(test)]
mod tests;
