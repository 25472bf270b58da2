//! The settings of a file as a tree, whatever its form.

use flyball_effects::yaml::{self, Node};

/// A JSON, TOML or YAML file.
pub(super) fn tree(end: &str, text: &str) -> Node {
    match end {
        "json" => serde_json::from_str(text).map_or_else(|_| Node::List(Vec::new()), of_json),
        "toml" => {
            text.parse::<toml::Table>().map_or_else(|_| Node::List(Vec::new()), |table| of_toml(table.into()))
        }
        _ => yaml::read(text),
    }
}

/// The settings of a config: TOML, JSON with comments, or sections of an INI file.
pub(in crate::pipeline::chosen) fn settings(name: &str, text: &str) -> Node {
    match name.rsplit('.').next() {
        Some("toml") => tree("toml", text),
        Some("json") => tree("json", &plain_json(text)),
        _ => sections(text),
    }
}

/// JSON without comments, and without the comma behind the last item.
fn plain_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/', ']', '}']) {
        let (before, behind) = rest.split_at(at);
        plain.push_str(before);
        rest = if let Some(comment) = behind.strip_prefix("//") {
            comment.find('\n').and_then(|end| comment.get(end..)).unwrap_or_default()
        } else if let Some(comment) = behind.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, rest)| rest)
        } else {
            let length = if behind.starts_with('"') { quoted_length(behind) } else { 1 };
            if behind.starts_with([']', '}']) && plain.trim_end().ends_with(',') {
                plain.truncate(plain.trim_end().len() - 1);
            }
            let (token, rest) = behind.split_at_checked(length).unwrap_or((behind, ""));
            plain.push_str(token);
            rest
        };
    }
    plain + rest
}

/// How long the quoted text is that this one begins with.
fn quoted_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = letter == '\\' && !is_escaped,
        }
    }
    text.len()
}

fn of_json(value: serde_json::Value) -> Node {
    match value {
        serde_json::Value::String(text) => Node::Text(text),
        serde_json::Value::Array(items) => Node::List(items.into_iter().map(of_json).collect()),
        serde_json::Value::Object(fields) => {
            Node::Map(fields.into_iter().map(|(name, value)| (name, of_json(value))).collect())
        }
        other => Node::Text(other.to_string()),
    }
}

fn of_toml(value: toml::Value) -> Node {
    match value {
        toml::Value::String(text) => Node::Text(text),
        toml::Value::Array(items) => Node::List(items.into_iter().map(of_toml).collect()),
        toml::Value::Table(fields) => {
            Node::Map(fields.into_iter().map(|(name, value)| (name, of_toml(value))).collect())
        }
        other => Node::Text(other.to_string()),
    }
}

/// The texts of a value: itself, or those of a list.
pub(super) fn texts(value: &Node) -> Vec<String> {
    match value {
        Node::Text(text) if text.is_empty() => Vec::new(),
        Node::Text(text) => vec![text.clone()],
        Node::List(items) => items.iter().filter_map(Node::text).map(str::to_owned).collect(),
        Node::Map(_) => Vec::new(),
    }
}

/// The sections of an INI file, with the lines of each value.
fn sections(text: &str) -> Node {
    let mut sections: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for (section, key, value) in ini_lines(text) {
        if sections.last().is_none_or(|(name, _)| *name != section) {
            sections.push((section, Vec::new()));
        }
        let Some((_, values)) = sections.last_mut() else { continue };
        match values.last_mut().filter(|(name, _)| *name == key) {
            Some((_, before)) => before.push_str(&format!("\n{value}")),
            None => values.push((key, value)),
        }
    }
    let value = |(name, text)| (name, Node::Text(text));
    let section = |(name, values): (String, Vec<(String, String)>)| {
        (name, Node::Map(values.into_iter().map(value).collect()))
    };
    Node::Map(sections.into_iter().map(section).collect())
}

/// The lines of an INI file that have a value: section, key, and value.
pub(super) fn ini_lines(text: &str) -> Vec<(String, String, String)> {
    let (mut section, mut key) = (String::new(), String::new());
    let mut lines = Vec::new();
    for line in joined(text) {
        let is_below = line.starts_with([' ', '\t']);
        let plain = line.split(" #").next().unwrap_or_default().trim();
        if plain.is_empty() || plain.starts_with(['#', ';']) {
            continue;
        }
        let heading = plain.strip_prefix('[').and_then(|rest| rest.split(']').next());
        if let Some(name) = heading.filter(|_| !is_below) {
            name.clone_into(&mut section);
            key.clear();
            continue;
        }
        let value = match plain.split_once(['=', ':']).filter(|_| !is_below) {
            Some((name, value)) => {
                name.trim().clone_into(&mut key);
                value.trim()
            }
            None => plain,
        };
        lines.push((section.clone(), key.clone(), value.to_owned()));
    }
    lines
}

/// The lines of a text, with those that a backslash continues.
pub(super) fn joined(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let (part, continues) = match line.strip_suffix('\\') {
            Some(part) => (part, true),
            None => (line, false),
        };
        match lines.last_mut().filter(|_| is_open) {
            Some(last) => last.push_str(&format!(" {}", part.trim_start())),
            None => lines.push(part.to_owned()),
        }
        is_open = continues;
    }
    lines
}
