//! What an agent reports about its work in a machine-readable form: front matter, or a block of JSON. A mention in a
//! sentence does not count.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::globs::without_plugin;

/// Longer blocks are not metadata.
const MOST_BYTES: usize = 64 * 1024;
/// Metadata is not deep.
const MOST_DEPTH: usize = 8;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Metadata {
    /// The skills that were used.
    pub(super) skills: BTreeSet<String>,
    /// The folders of the feature.
    pub(super) folders: BTreeSet<String>,
}

impl Metadata {
    pub(super) fn parse(text: &str) -> Metadata {
        let mut found = Metadata::default();
        // Most texts have none, and then nothing is parsed.
        if text.contains("skills_invoked") || text.contains("feature_directory") {
            for value in front_matter(text).into_iter().chain(blocks(text)) {
                found.take(&value, 0);
            }
        }
        found
    }

    /// Whether this skill was used.
    pub(super) fn names(&self, skill: &str) -> bool {
        is_among(&self.skills, skill)
    }

    pub(super) fn join(&mut self, other: Metadata) {
        self.skills.extend(other.skills);
        self.folders.extend(other.folders);
    }

    fn take(&mut self, value: &Value, depth: usize) {
        let Value::Object(fields) = value else { return };
        for (name, value) in fields {
            match (name.as_str(), value) {
                ("skills_invoked", Value::Array(names)) => {
                    self.skills.extend(names.iter().filter_map(Value::as_str).map(str::to_owned));
                }
                ("feature_directory", Value::String(folder)) if !folder.trim().is_empty() => {
                    self.folders.insert(folder.trim().to_owned());
                }
                (_, inner) if depth < MOST_DEPTH => self.take(inner, depth + 1),
                _ => {}
            }
        }
    }
}

/// Whether a skill is among these, with or without the plugin it is from.
pub(super) fn is_among(skills: &BTreeSet<String>, skill: &str) -> bool {
    skills.iter().any(|used| used == skill || without_plugin(used) == skill)
}

/// The YAML between the `---` that a text begins with and the next.
fn front_matter(text: &str) -> Option<Value> {
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let end = rest.find("\n---")?;
    let yaml = rest.get(..end).filter(|yaml| yaml.len() <= MOST_BYTES)?;
    serde_saphyr::from_str(yaml).ok()
}

/// The JSON in fenced blocks, or the text itself if it is nothing else.
fn blocks(text: &str) -> Vec<Value> {
    let whole = Some(text.trim()).filter(|text| text.starts_with('{'));
    whole.into_iter().chain(fenced(text)).filter_map(json).collect()
}

fn json(text: &str) -> Option<Value> {
    if text.len() > MOST_BYTES {
        return None;
    }
    serde_json::from_str(text).ok()
}

/// The code blocks whose language is JSON or not given.
fn fenced(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begun: Option<(usize, bool)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let behind = at + line.len();
        if let Some(language) = line.trim().strip_prefix("```") {
            begun = match begun {
                Some((from, is_json)) => {
                    found.extend(text.get(from..at).filter(|_| is_json));
                    None
                }
                None => Some((behind, matches!(language.trim(), "" | "json" | "JSON" | "jsonc"))),
            };
        }
        at = behind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_counts_and_a_mention_in_prose_does_not() {
        let cases: [(&str, &[&str], &[&str]); 11] = [
            ("I used persisting-agent-outputs.", &[], &[]),
            ("skills_invoked: persisting-agent-outputs, as it should be", &[], &[]),
            ("I skipped it.\n```\nskills_invoked: [a]\n```\n", &[], &[]),
            ("# R\n```json\n{\"skills_invoked\": [\"a\", \"p:b\"]}\n```\n", &["a", "p:b"], &[]),
            ("```json\n{\"metadata\": {\"skills_invoked\": [\"a\"]}}\n```", &["a"], &[]),
            ("```\n{\"skills_invoked\": [\"a\"], \"feature_directory\": \"/x\"}\n```\n", &["a"], &["/x"]),
            ("```rust\n{\"skills_invoked\": [\"a\"]}\n```\n", &[], &[]),
            ("{\"skills_invoked\": [\"a\"]}\n", &["a"], &[]),
            ("---\nskills_invoked:\n  - a\nfeature_directory: .\n---\n# R\n", &["a"], &["."]),
            ("text\n---\nskills_invoked: [a]\n---\n", &[], &[]),
            ("{\"skills_invoked\": \"a\"}", &[], &[]),
        ];
        for (text, skills, folders) in cases {
            let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            let expected = Metadata { skills: set(skills), folders: set(folders) };
            assert_eq!(Metadata::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn a_skill_is_known_with_and_without_its_plugin() {
        let used = BTreeSet::from(["kit:persisting".to_owned()]);
        let cases =
            [("persisting", true), ("kit:persisting", true), ("other:persisting", false), ("per", false)];
        for (skill, expected) in cases {
            assert_eq!(is_among(&used, skill), expected, "{skill}");
        }
    }
}
