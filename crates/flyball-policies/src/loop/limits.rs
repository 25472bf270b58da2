//! Reads `orchestration-limits.yaml`, which projects may have from an older tool.

use flyball_core::policy::World;
use serde::Deserialize;
use serde_json::Value;

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

/// The limit that applies: a setting, or the file's number instead of a default. A setting that is written out but equals
/// its default counts as a default.
pub(super) fn limit_of<T: Copy + PartialEq>(set: T, default: T, file: Option<T>) -> T {
    if set == default { file.unwrap_or(set) } else { set }
}

/// The limits in a project's file, if there is one, and a notice about a file that cannot be used. The notice is given
/// once: `reported` remembers it.
pub(super) fn read_or_report(
    world: &dyn World,
    file: &str,
    reported: &mut Option<String>,
) -> (Option<Limits>, Option<String>) {
    let why = match read(world, file) {
        Ok(limits) => return (limits, None),
        Err(why) => why,
    };
    not_used(file, &why, reported)
}

/// The same for a file that the session itself has edited: an agent must not grant itself another limit.
pub(super) fn report_edited(file: &str, reported: &mut Option<String>) -> (Option<Limits>, Option<String>) {
    not_used(file, "this session has edited it", reported)
}

fn not_used(file: &str, why: &str, reported: &mut Option<String>) -> (Option<Limits>, Option<String>) {
    let notice = format!("`{file}` is not used: {why}; the limits in flyball.toml apply");
    let is_new = reported.as_ref() != Some(&notice);
    (None, is_new.then(|| reported.insert(notice).clone()))
}

fn read(world: &dyn World, file: &str) -> Result<Option<Limits>, String> {
    let path = world.real_path(world.project_root(), file);
    if file.is_empty() || world.stat(&path).is_none_or(|stat| stat.is_folder) {
        return Ok(None);
    }
    let text = world.read(&path, MOST_BYTES).map_err(|error| error.to_string())?;
    let text = text.ok_or_else(|| "it is too long".to_owned())?;
    let text = String::from_utf8(text).map_err(|_| "it is not text".to_owned())?;
    limits_from_yaml(&text).map(Some)
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
