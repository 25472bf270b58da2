//! Values in force, written as TOML.

use flyball_core::config::Origin;
use serde_json::Value;

/// A heading and the lines below it.
#[derive(Debug, PartialEq)]
pub(crate) struct Block<'a> {
    pub(crate) heading: String,
    /// `key = value`, or a comment; and where it was written.
    pub(crate) lines: Vec<(String, &'a Origin)>,
}

/// The blocks of a file with these values. `sections` are the names of all sections there may be.
pub(crate) fn blocks<'a>(origins: &'a [Origin], sections: &[&str]) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    for origin in origins {
        let (heading, lines) = placed(origin, sections);
        let lines = lines.into_iter().map(|line| (line, origin));
        // Each `[[…]]` is an entry of its own, even after another of the same name.
        match blocks.last_mut().filter(|last| last.heading == heading && !heading.starts_with("[[")) {
            Some(last) => last.lines.extend(lines),
            None => blocks.push(Block { heading, lines: lines.collect() }),
        }
    }
    blocks
}

fn placed(origin: &Origin, sections: &[&str]) -> (String, Vec<String>) {
    if let (Some((array, _)), Value::Object(entry)) = (origin.key.split_once('['), &origin.value) {
        let lines = entry.iter().map(|(key, value)| format!("{} = {}", key_of(key), value_of(value)));
        return (format!("[[{array}]]"), lines.collect());
    }
    let inside =
        |section: &&&str| origin.key.strip_prefix(**section).is_some_and(|rest| rest.starts_with('.'));
    let section =
        // The longest: one section may be below another.
        sections.iter().filter(inside).max_by_key(|section| section.len()).copied().unwrap_or_default();
    let key = origin.key.strip_prefix(section).unwrap_or(&origin.key).trim_start_matches('.');
    let line = match &origin.value {
        Value::Null => format!("# {key} is not set"),
        value => format!("{key} = {}", value_of(value)),
    };
    (format!("[{section}]"), vec![line])
}

/// A value as it is written in TOML.
pub(crate) fn value_of(value: &Value) -> String {
    match value {
        // TOML has no null. Only nested values come here: a key without a value is written as a comment.
        Value::Null => "\"\"".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        // JSON escapes are TOML escapes; only TOML wants DEL escaped as well.
        Value::String(_) => value.to_string().replace('\u{7f}', "\\u007f"),
        Value::Array(items) => format!("[{}]", items.iter().map(value_of).collect::<Vec<_>>().join(", ")),
        Value::Object(entries) if entries.is_empty() => "{}".to_owned(),
        Value::Object(entries) => {
            let pairs = entries.iter().filter(|(_, value)| !value.is_null());
            let pairs = pairs.map(|(key, value)| format!("{} = {}", key_of(key), value_of(value)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

fn key_of(key: &str) -> String {
    let is_bare =
        !key.is_empty() && key.chars().all(|it| it.is_ascii_alphanumeric() || it == '_' || it == '-');
    if is_bare { key.to_owned() } else { Value::from(key).to_string() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_below_their_section_and_entries_in_their_own() {
        let origin = |key: &str, value: Value| Origin { key: key.to_owned(), value, place: None };
        let origins = [
            origin("engine.deadline_ms", json!(2000)),
            origin("guard.self.mode", json!("enforce")),
            origin("guard.self.paths.\"a b\"", json!(["x\"y", "z"])),
            origin("guard.self.limit", Value::Null),
            origin("rule[0]", json!({ "id": "a", "case": [{ "command": "ls", "expect": "silent" }] })),
            origin("rule[1]", json!({ "id": "b" })),
        ];
        let blocks = blocks(&origins, &["engine", "guard", "guard.self"]);
        let text: Vec<String> = blocks
            .iter()
            .flat_map(|block| {
                std::iter::once(block.heading.clone()).chain(block.lines.iter().map(|(line, _)| line.clone()))
            })
            .collect();
        let expected = [
            "[engine]",
            "deadline_ms = 2000",
            "[guard.self]",
            "mode = \"enforce\"",
            "paths.\"a b\" = [\"x\\\"y\", \"z\"]",
            "# limit is not set",
            "[[rule]]",
            "case = [{ command = \"ls\", expect = \"silent\" }]",
            "id = \"a\"",
            "[[rule]]",
            "id = \"b\"",
        ];
        assert_eq!(text, expected);
    }
}
