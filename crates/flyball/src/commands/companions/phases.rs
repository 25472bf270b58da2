//! The phases of the loop, as text for agents and as values for a config.

use flyball_policies::r#loop::feedback::settings::Phase;
use serde_json::{Value as Json, json};
use toml_edit::Value;

/// The keys of a phase in the order in which people read them.
const KEYS: &[&str] =
    &["name", "heading", "pass", "fail", "issues", "agents", "run", "on_fail", "max_failures"];

/// How an agent reports that a phase passed.
pub(super) fn pass_text(phase: &Phase) -> String {
    format!("## {}\n\n{}", bare(&phase.heading), phase.pass)
}

/// How an agent reports that a phase failed, up to the list of issues.
pub(super) fn fail_text(phase: &Phase) -> String {
    let issues = phase.issues.first().map_or("Issues", |heading| bare(heading));
    format!("## {}\n\n{}\n\n### {issues}", bare(&phase.heading), phase.fail)
}

/// A heading without its `#`.
fn bare(heading: &str) -> &str {
    heading.trim_start_matches('#').trim()
}

/// The phases as a config writes them, without the values that are the default.
pub(in crate::commands) fn to_config_value(phases: &[Phase]) -> Value {
    phases.iter().map(table).collect()
}

fn table(phase: &Phase) -> Value {
    let all = serde_json::to_value(phase).unwrap_or_default();
    let defaults = default_phase();
    let others = all.as_object().into_iter().flatten().map(|(key, _)| key.as_str());
    // A key that a newer version adds is written too, after those with a place.
    let others = others.filter(|key| !KEYS.contains(key));
    let set = KEYS.iter().copied().chain(others).filter_map(|key| {
        let value = all.get(key).filter(|value| defaults.get(key) != Some(value))?;
        Some((key.to_owned(), convert_value(value)?))
    });
    set.collect()
}

/// A phase of which only the name is written.
fn default_phase() -> Json {
    let bare: Option<Phase> = serde_json::from_value(json!({ "name": "" })).ok();
    serde_json::to_value(bare).unwrap_or_default()
}

fn convert_value(value: &Json) -> Option<Value> {
    match value {
        Json::String(text) => Some(text.into()),
        Json::Number(number) => Some(number.as_i64()?.into()),
        Json::Array(list) => list.iter().map(convert_value).collect(),
        Json::Bool(flag) => Some((*flag).into()),
        Json::Null | Json::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use flyball_policies::r#loop::feedback::Settings;

    use super::*;

    #[test]
    fn what_is_written_is_read_as_the_same_phases() {
        let mut phases = Settings::default().phase;
        phases[2].run = Some("cargo test \"a\"".to_owned());
        phases[0].max_failures = 7;
        let text = format!("phase = {}\n", to_config_value(&phases));
        let read: toml::Table = text.parse().unwrap();
        let read: Vec<Phase> = serde_json::from_value(serde_json::to_value(&read["phase"]).unwrap()).unwrap();
        assert_eq!(read, phases);
    }

    #[test]
    fn a_heading_is_a_heading_however_it_is_configured() {
        let mut phase = Settings::default().phase.remove(0);
        phase.heading = "## Review Result".to_owned();
        phase.issues = vec!["### Issues".to_owned()];
        assert_eq!(pass_text(&phase), "## Review Result\n\nREVIEW_APPROVED");
        assert_eq!(fail_text(&phase), "## Review Result\n\nREVIEW_REJECTED\n\n### Issues");
    }
}
