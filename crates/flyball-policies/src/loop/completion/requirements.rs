//! What is missing in an answer.

use super::settings::Role;

/// Placeholders of clients for an agent that answered nothing.
const NOTHING: [&str; 4] =
    ["(no content)", "no response requested.", "[request interrupted by user]", "[tool use]"];

/// Whether there is an answer at all.
pub(super) fn is_answer(answer: &str) -> bool {
    let answer = answer.trim().to_lowercase();
    answer.chars().any(char::is_alphanumeric) && !NOTHING.contains(&answer.as_str())
}

/// What the answer lacks of what this role requires, in words.
pub(super) fn missing_parts(answer: &str, role: &Role) -> Vec<String> {
    let mut lacks = Vec::new();
    let missing =
        role.headings.iter().filter(|heading| !answer.lines().any(|line| is_heading(line, heading)));
    lacks.extend(missing.map(|heading| format!("it has no heading `{}`", heading.trim())));
    let has_marker =
        || answer.lines().any(|line| role.markers.iter().any(|marker| bare(line) == marker.trim()));
    if !role.markers.is_empty() && !has_marker() {
        let markers: Vec<String> = role.markers.iter().map(|marker| format!("`{}`", marker.trim())).collect();
        lacks.push(match markers.as_slice() {
            [one] => format!("it has no line {one}"),
            several => format!("it has no line with one of {}", several.join(", ")),
        });
    }
    lacks
}

/// Whether a line is this heading, at any level and however it is marked.
fn is_heading(line: &str, heading: &str) -> bool {
    let is_marked = line.trim_start().starts_with('#') || line.trim().starts_with("**");
    let wants_mark = heading.trim_start().starts_with('#');
    (is_marked || !wants_mark) && words(line) == words(heading)
}

fn words(line: &str) -> String {
    line.trim().trim_matches(|letter: char| "#*_: ".contains(letter)).to_lowercase()
}

/// A line without the marks of Markdown around it.
fn bare(line: &str) -> &str {
    line.trim().trim_matches(|letter: char| "*`_ ".contains(letter))
}
