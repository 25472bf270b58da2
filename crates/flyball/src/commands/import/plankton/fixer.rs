//! The model that mends: `subprocess`.

use serde_json::Value;

use super::quality::{SourceValue, TargetKey};
use super::{Import, texts};
use crate::commands::import::source::preview;
use crate::config_edit::addition;

/// The tiers, which have the same names.
const TIERS: &[&str] = &["haiku", "sonnet", "opus"];

/// Variables that said something about it, and what says it now.
const VARIABLES: &[(&str, &str)] = &[
    ("HOOK_SKIP_SUBPROCESS=1", "FLYBALL_FIXER=off"),
    ("HOOK_SUBPROCESS_TIMEOUT=SECONDS", "FLYBALL_FIXER_TIMEOUT=SECONDS"),
];

impl Import {
    pub(super) fn subprocess(&mut self, value: &Value) {
        let Value::Object(options) = value else {
            return self.skip("subprocess", format!("{} is no object", preview(value)));
        };
        for (name, value) in options {
            let key = format!("subprocess.{name}");
            let old = SourceValue { key: &key, value };
            let new = |key| TargetKey { section: "quality.fixer", key };
            match name.as_str() {
                "tiers" => self.tiers(value),
                "global_model_override" => self.text(old, new("model")),
                "max_turns_override" => self.number(old, new("max_turns"), (1, None)),
                "timeout_override" => self.number(old, new("timeout_seconds"), (1, None)),
                "volume_threshold" => self.number(old, new("volume"), (0, Some(5))),
                "settings_file" => self.text(old, new("settings_file")),
                "_comment" => {}
                _ => self.skip_unsupported(&key, value),
            }
        }
        for (variable, now) in VARIABLES {
            self.report.add_carried("environment", variable, *now);
        }
    }

    fn tiers(&mut self, value: &Value) {
        let Value::Object(tiers) = value else {
            return self.skip("subprocess.tiers", format!("{} is no object", preview(value)));
        };
        for (tier, value) in tiers {
            let key = format!("subprocess.tiers.{tier}");
            match value {
                Value::Object(options) if TIERS.contains(&tier.as_str()) => {
                    for (name, value) in options {
                        let key = format!("{key}.{name}");
                        self.tier(tier, name, SourceValue { key: &key, value });
                    }
                }
                _ if tier == "_comment" => {}
                _ if TIERS.contains(&tier.as_str()) => {
                    self.skip(&format!("{key} = {}", preview(value)), "it is no object");
                }
                _ => self.skip_unsupported(&key, value),
            }
        }
    }

    fn tier(&mut self, tier: &str, option: &str, old: SourceValue<'_>) {
        let section = format!("quality.fixer.tiers.{tier}");
        let new = |key| TargetKey { section: &section, key };
        match option {
            "patterns" => self.list(old, new("patterns"), alternatives),
            "tools" => self.list(old, new("tools"), |text| text.split(',').map(str::to_owned).collect()),
            "max_turns" => self.number(old, new("max_turns"), (1, None)),
            "timeout" => self.number(old, new("timeout_seconds"), (1, None)),
            "_comment" => {}
            _ => self.skip_unsupported(old.key, old.value),
        }
    }

    /// A text that holds several, or a list already.
    fn list(&mut self, old: SourceValue<'_>, new: TargetKey<'_>, split: fn(&str) -> Vec<String>) {
        let list = old.value.as_str().map(split).or_else(|| texts(old.value));
        let list: Option<Vec<String>> = list.map(|list| {
            list.iter().map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
        });
        match list {
            _ if old.value.is_null() => self.skip(&old.describe(), "it is not set"),
            _ if is_null_text(old.value) => self.skip(&old.describe(), NULL_TEXT),
            Some(list) => self.set(old, new, addition::Value::List(list)),
            None => self.skip(&old.describe(), "it is no text"),
        }
    }

    fn text(&mut self, old: SourceValue<'_>, new: TargetKey<'_>) {
        match old.value {
            Value::Null => self.skip(&old.describe(), "it is not set"),
            Value::String(text) if text.is_empty() => self.skip(&old.describe(), "it is not set"),
            value if is_null_text(value) => self.skip(&old.describe(), NULL_TEXT),
            Value::String(text) => self.set(old, new, addition::Value::Text(text.clone())),
            _ => self.skip(&old.describe(), "it is no text"),
        }
    }
}

const NULL_TEXT: &str = "it is a text; write `null` without quotes if nothing is meant";

/// What a wizard made of `null`.
fn is_null_text(value: &Value) -> bool {
    matches!(value.as_str(), Some("None" | "null"))
}

/// The alternatives of a pattern: split at each `|` that is in no brackets.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut depth, mut in_class, mut escaped) = (0_u32, false, false);
    for letter in pattern.chars() {
        let is_split = letter == '|' && depth == 0 && !in_class && !escaped;
        if is_split {
            parts.push(String::new());
            continue;
        }
        match letter {
            _ if escaped => {}
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = letter == '\\' && !escaped;
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_split_where_it_may_be() {
        let cases: [(&str, &[&str]); 5] = [
            ("E[0-9]+|W[0-9]+", &["E[0-9]+", "W[0-9]+"]),
            ("C901", &["C901"]),
            ("(a|b)c|[|]|d", &["(a|b)c", "[|]", "d"]),
            (r"a\|b|c", &[r"a\|b", "c"]),
            (r"\(a|b\)", &[r"\(a", r"b\)"]),
        ];
        for (pattern, expected) in cases {
            assert_eq!(alternatives(pattern), expected, "{pattern}");
        }
    }
}
