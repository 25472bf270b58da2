//! How a rule looks.

use flyball_core::text;

use super::escape;
use super::place::Spot;
use crate::node::Topic;

/// A rule to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub topic: Topic,
    /// Its heading, with all punctuation.
    pub title: String,
    pub body: String,
    /// Where it comes from: shown in italics below it.
    pub source: String,
}

/// The lines of a rule, with the heading of its section if that has to be added; `None` if it cannot be an item of the
/// list that the section is.
pub(super) fn lines(entry: &Entry, spot: &Spot) -> Option<Vec<String>> {
    if let Some(mark) = spot.list {
        return list_item(entry, mark);
    }
    let mut lines = Vec::new();
    if let Some(section) = spot.new_section {
        lines.push(format!("{} {section}", marks(spot.level)));
        lines.push(String::new());
    }
    lines.push(heading(entry, spot));
    let text = text(entry);
    if !text.is_empty() {
        lines.push(String::new());
        lines.extend(text);
    }
    if !entry.source.trim().is_empty() {
        lines.push(String::new());
        lines.push(format!("_{}_", one_line(&entry.source)));
    }
    Some(lines)
}

/// The rule as an item: its title in bold, unless the text begins with it.
fn list_item(entry: &Entry, mark: char) -> Option<Vec<String>> {
    let mut lines = escape::body(&entry.body);
    let first = lines.first_mut().filter(|first| !first.trim().is_empty())?;
    let title = one_line(&entry.title);
    if !begins_with(first, &title) {
        *first = format!("**{}:** {first}", title.trim_end_matches([':', '.']));
    }
    if entry.topic == Topic::Checks {
        *first = format!("[ ] {first}");
    }
    if !escape::begins_with_prose(&escape::body(&entry.body)) {
        return None;
    }
    if !entry.source.trim().is_empty() {
        lines.push(format!("_{}_", one_line(&entry.source)));
    }
    let indented = |(at, line): (usize, String)| match (at, line.is_empty()) {
        (0, _) => format!("{mark} {line}"),
        (_, true) => line,
        (_, false) => format!("  {line}"),
    };
    Some(lines.into_iter().enumerate().map(indented).collect())
}

/// Whether a text begins with a title, whatever their case and last mark.
fn begins_with(text: &str, title: &str) -> bool {
    let (text, title) = (one_line(text).to_lowercase(), title.to_lowercase());
    text.starts_with(title.trim_end_matches([':', '.', '!']).trim_end_matches(['…', ' ']))
}

/// Whether a title says all of a text.
fn says_all(title: &str, text: &str) -> bool {
    let plain = |text: &str| one_line(text).to_lowercase().trim_end_matches(['.', '!', ':']).to_owned();
    plain(title) == plain(text)
}

fn heading(entry: &Entry, spot: &Spot) -> String {
    format!("{} {}", marks(spot.rule_level()), title(entry))
}

fn marks(level: u8) -> String {
    "#".repeat(usize::from(level))
}

fn title(entry: &Entry) -> String {
    let title = one_line(&entry.title);
    let title = if title.is_empty() { "Untitled".to_owned() } else { title };
    // The title may have the `Before` of a check already.
    let has_before = title.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("before "));
    let title = match entry.topic {
        Topic::Checks if !has_before => format!("Before {title}"),
        Topic::Contracts
        | Topic::Checks
        | Topic::Pitfalls
        | Topic::Rules
        | Topic::Patterns
        | Topic::Context => title,
    };
    // A rule that is called like a section would be one.
    let title = if Topic::from_heading(&title).is_some() { format!("{title}:") } else { title };
    escape_trailing_hashes(&title)
}

/// `#` behind a space at the end would be taken for the end of the heading.
fn escape_trailing_hashes(title: &str) -> String {
    let rest = title.trim_end_matches('#');
    if rest.len() < title.len() && (rest.is_empty() || rest.ends_with(char::is_whitespace)) {
        return format!("{rest}\\{}", title.get(rest.len()..).unwrap_or_default());
    }
    title.to_owned()
}

fn text(entry: &Entry) -> Vec<String> {
    // A check is a box to tick; what another heading says is not said again below it.
    if entry.topic != Topic::Checks && says_all(&entry.title, &entry.body) {
        return Vec::new();
    }
    let body = escape::body(&entry.body);
    let is_prose = escape::begins_with_prose(&body);
    match entry.topic {
        Topic::Contracts | Topic::Pitfalls | Topic::Rules | Topic::Context => body,
        Topic::Checks if is_prose => item(body),
        Topic::Checks => item([vec![one_line(&entry.title), String::new()], body].concat()),
        Topic::Patterns => labelled(body, is_prose),
    }
}

/// `- [ ] first`, and the rest below it.
fn item(lines: Vec<String>) -> Vec<String> {
    let indented = |(at, line): (usize, String)| match (at, line.is_empty()) {
        (0, _) => format!("- [ ] {line}"),
        (_, true) => line,
        // Two spaces are the width of `- `: with less, the line ends the item.
        (_, false) => format!("  {line}"),
    };
    lines.into_iter().enumerate().map(indented).collect()
}

fn labelled(mut lines: Vec<String>, is_prose: bool) -> Vec<String> {
    const LABEL: &str = "**Preferred**:";
    match lines.first_mut() {
        Some(first) if is_prose => *first = format!("{LABEL} {first}"),
        Some(_) | None => {
            lines.insert(0, String::new());
            lines.insert(0, LABEL.to_owned());
        }
    }
    lines
}

/// The text with single spaces and without invisible characters.
fn one_line(text: &str) -> String {
    let visible: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    text::one_line(&visible)
}
