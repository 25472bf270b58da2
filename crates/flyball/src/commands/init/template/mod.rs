//! The `flyball.toml` of a new project: every setting with its default, and rules that fit.

use flyball_core::config::{EngineSettings, Mode, StoreSettings};
use flyball_policies::REGISTRY;
use flyball_policies::r#loop::feedback;

use serde_json::Value;

use super::findings::{Finding, Findings};
use super::{packs, rules};
use crate::config_edit::addition::{Additions, Entry};

const HEAD: &str = "\
# flyball: what coding agents may do in this project, and what is recorded.
#
# Everything has a default, shown after `#`: this file can be empty. After a change,
# `flyball config check` finds mistakes, `flyball config show --origin` shows what is
# in force, and `flyball test` runs the cases of the rules.
";

/// After a longer value, the comment would be out of sight.
const MOST_VALUE_CHARS: usize = 40;

const RULES: &str = "\
# Your own rules. Remove the `# ` to put one in force; `mode = \"observe\"` records what it
# would do and lets everything pass. `flyball policies rules` is the manual.
";

/// The whole file. Known settings are set where the template lists them.
pub(super) fn config_file(findings: &Findings, known: &Additions) -> String {
    let mut text = HEAD.to_owned();
    text.push_str(&summary(findings));
    text.push_str(&engine());
    text.push_str(&store());
    text.push_str(&policies(findings, known));
    text.push('\n');
    text.push_str(RULES);
    for rule in rules::starter_rules(findings) {
        text.push_str("#\n");
        text.extend(rule.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n"));
    }
    text
}

fn summary(findings: &Findings) -> String {
    let rows = [
        ("languages", &findings.languages),
        ("packages", &findings.locks),
        ("linters", &findings.linters),
        ("tests", &findings.tests),
    ];
    let rows = rows.iter().filter(|(_, list)| !list.is_empty());
    let rows: String = rows.map(|(title, list)| format!("#   {title:<10} {}\n", with_files(list))).collect();
    if rows.is_empty() { String::new() } else { format!("#\n# Found by `flyball init`:\n{rows}") }
}

fn with_files(list: &[Finding]) -> String {
    let each = list.iter().map(|found| format!("{} ({})", found.name, found.file));
    each.collect::<Vec<_>>().join(", ")
}

fn engine() -> String {
    // Taken apart without `..`: a new setting does not compile until the template has it.
    let EngineSettings { deadline_ms, context_chars, wrappers: _ } = EngineSettings::default();
    let mut text = "\n[engine]\n".to_owned();
    set(&mut text, "deadline_ms", &deadline_ms.to_string(), "how long one policy may take");
    set(
        &mut text,
        "context_chars",
        &context_chars.to_string(),
        "how much context one event may add for the model",
    );
    text
}

fn store() -> String {
    // As above: nothing is left out by accident.
    let StoreSettings { payloads, keep_days, max_mb } = StoreSettings::default();
    let payloads = serde_json::to_string(&payloads).unwrap_or_default();
    let mut text = "\n[store]\n".to_owned();
    set(&mut text, "payloads", &payloads, "\"redacted\" | \"none\" | \"full\"");
    set(&mut text, "keep_days", &keep_days.to_string(), "0 keeps events forever");
    set(&mut text, "max_mb", &max_mb.to_string(), "0 is no limit");
    text
}

fn policies(findings: &Findings, known: &Additions) -> String {
    let modes: Vec<String> = Mode::ALL.iter().map(|mode| format!("\"{}\"", mode.name())).collect();
    let mut text = String::new();
    for policy in REGISTRY {
        text.push_str(&format!("\n# {}\n[{}]\n", policy.summary, policy.id));
        let chosen = known.0.iter().find(|it| it.section == policy.id.as_str() && it.key == "mode");
        match chosen {
            Some(entry) => {
                let line = format!("mode = {}", entry.value);
                text.push_str(&format!("{line:<25} # {}\n", modes.join(" | ")));
            }
            None => set(&mut text, "mode", &format!("\"{}\"", policy.mode.name()), &modes.join(" | ")),
        }
        for setting in policy.section.settings() {
            let is_it = |entry: &&Entry| entry.section == policy.id.as_str() && entry.key == setting.key;
            let about = first_sentence(&setting.about);
            match (known.0.iter().find(is_it), short(&setting.default)) {
                (Some(entry), Some(_)) => {
                    let line = format!("{} = {}", entry.key, entry.value);
                    text.push_str(&format!("{line:<25} # {about}\n"));
                }
                (None, Some(value)) => set(&mut text, &setting.key, &value, about),
                // Not listed, since its default does not fit on a line; if it was chosen, `merge` adds it.
                (_, None) => {}
            }
        }
        // If phases are set, no hint is needed.
        let is_set = |entry: &Entry| entry.section == feedback::POLICY.id.as_str() && entry.key == "phase";
        if chosen.is_some() && policy.id == feedback::POLICY.id && !known.0.iter().any(is_set) {
            text.push_str(&packs::hint(findings));
        }
    }
    text
}

/// A value that fits on the line of its key. Others, such as lists of tables, are in the reference.
fn short(value: &Value) -> Option<String> {
    let is_plain = |item: &Value| !item.is_object() && !item.is_array() && !item.is_null();
    let fits = match value {
        Value::Array(items) => items.iter().all(is_plain) && !items.is_empty(),
        other => is_plain(other),
    };
    Some(value.to_string()).filter(|text| fits && text.len() <= MOST_VALUE_CHARS)
}

fn first_sentence(about: &str) -> &str {
    about.split_once(". ").map_or(about, |(first, _)| first).trim_end_matches('.')
}

fn set(text: &mut String, key: &str, value: &str, about: &str) {
    let setting = format!("# {key} = {value}");
    text.push_str(&format!("{setting:<25} # {about}\n"));
}

#[cfg(test)]
mod tests;
