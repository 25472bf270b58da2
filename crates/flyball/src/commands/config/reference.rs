//! `flyball config reference`: every setting with its default, in the form of a config.

use flyball_core::config::{EngineSettings, Mode, StoreSettings};
use flyball_policies::REGISTRY;
use serde_json::Value;

use super::rules::{EXAMPLES, commented};

const REFERENCE: &str = "\
# Every setting of flyball.toml with its default. What you do not set need not be in your file.
# `flyball config check` finds mistakes, `flyball config show --origin` shows what is in force,
# and `flyball test` runs the cases of the rules.
";

/// After a longer value, the comment would be out of sight.
const MOST_VALUE_CHARS: usize = 40;

const RULES: &str = "\
# Your own rules. `mode = \"observe\"` records what one would do and lets everything pass.
# `flyball policies rules` is the manual.
";

/// Every setting with its default, and rules to try.
pub(super) fn reference() -> String {
    let mut text = REFERENCE.to_owned();
    text.push_str(&engine());
    text.push_str(&store());
    text.push_str(&policies());
    text.push('\n');
    text.push_str(RULES);
    for rule in EXAMPLES {
        text.push_str("#\n");
        text.extend(commented(rule));
    }
    text
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

fn policies() -> String {
    let modes: Vec<String> = Mode::ALL.iter().map(|mode| format!("\"{}\"", mode.name())).collect();
    let mut text = String::new();
    for policy in REGISTRY {
        text.push_str(&format!("\n# {}\n[{}]\n", policy.summary, policy.id));
        set(&mut text, "mode", &format!("\"{}\"", policy.mode.name()), &modes.join(" | "));
        for setting in policy.section.settings() {
            // One whose default does not fit on a line is in docs/reference only.
            if let Some(value) = short(&setting.default) {
                set(&mut text, &setting.key, &value, first_sentence(&setting.about));
            }
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
mod tests {
    use flyball_core::config::{Diagnostic, Layer, LayerText, Standing, compile};

    use super::*;

    #[track_caller]
    fn is_accepted(text: &str) {
        let layer =
            LayerText { layer: Layer::Project, standing: Standing::Accepted, path: "flyball.toml", text };
        if let Err(problems) = compile(&[layer], REGISTRY) {
            let lines: Vec<String> = problems.iter().map(Diagnostic::one_line).collect();
            panic!("{}\n\n{text}", lines.join("\n"));
        }
    }

    #[test]
    fn it_is_accepted_with_every_setting_in_force() {
        let is_setting = |line: &str| line.contains(" = ") || line.starts_with("# [[");
        let bare = |line: &str| match line.strip_prefix("# ") {
            Some(setting) if is_setting(line) && !line.starts_with("# Your own rules") => setting.to_owned(),
            Some(_) => String::new(),
            None => line.to_owned(),
        };
        is_accepted(&reference());
        is_accepted(&reference().lines().map(|line| bare(line) + "\n").collect::<String>());
    }
}
