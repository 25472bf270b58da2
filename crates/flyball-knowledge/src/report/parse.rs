//! Reads reports: ours, and those that other programs and people wrote.

use super::document::{Document, blocks, is_entry};
use super::draft::{Draft, Kind, Origin, Report, Status};
use super::render::BOXES;
use crate::timestamp;

/// The sections that say what happened, by any name they had.
const INCIDENT_SECTIONS: [&str; 5] =
    ["What Went Wrong", "Check Needed", "Better Approach", "Key Insight", "What Happened"];
/// The sections that say why.
const WHY: [&str; 2] = ["Why This Matters", "Root Cause"];

/// Reads a report. No text makes this fail: what is missing is empty. What somebody wrote into the suggested entry
/// replaces the title and the text.
#[must_use]
pub fn parse(id: &str, status: Status, text: &str) -> Report {
    let document = Document::read(text);
    let kind = kind(id, &document);
    // Only our reports have this label, and only their values are escaped.
    let is_ours = document.label("Sameness").is_some();
    let happened = Incident::read(document.section(&INCIDENT_SECTIONS));
    let why = section_text(document.section(&WHY));
    let entry = entry(kind, &document, is_ours);
    let is_empty = entry.is_none() && why.is_empty();
    let is_marked = id.starts_with("SKELETON-") || document.title.contains("Skeleton");
    let label = |name: &str| document.value(name, is_ours);
    let titles = [
        entry.as_ref().map(|(title, _)| title.clone()).unwrap_or_default(),
        label("Title"),
        label("Operation"),
        id.to_owned(),
    ];
    // The entry of our own report counts even if somebody emptied it; others often have none.
    let detail = match entry {
        Some((_, body)) if is_ours || !body.is_empty() => body,
        _ if !why.is_empty() => why,
        _ => happened.detail,
    };
    let draft = Draft {
        kind,
        origin: origin(id, &document),
        title: titles.into_iter().find(|title| !title.is_empty()).unwrap_or_default(),
        folder: folder(&label("Directory")),
        operation: label("Operation"),
        detail,
        said: happened.said,
        command: happened.command,
        file: label("File"),
        node: label("Node"),
        told_before: happened.told_before.lines().map(str::to_owned).collect(),
        agent: label("Agent"),
        sameness: label("Sameness"),
    };
    let at = timestamp::parse(&label("Timestamp")).unwrap_or_default();
    let times = label("Times").parse().unwrap_or(1);
    Report { id: id.to_owned(), status, at, times, draft, is_skeleton: is_marked && is_empty }
}

fn kind(id: &str, document: &Document<'_>) -> Kind {
    let of = |name: &str| Kind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name));
    let prefix = id.split('-').next().unwrap_or_default();
    // The id begins with the kind (`PITFALL-2026-…`), except for a skeleton.
    of(prefix).or_else(|| of(document.label("Type").unwrap_or_default())).unwrap_or(Kind::Pitfall)
}

fn origin(id: &str, document: &Document<'_>) -> Origin {
    let written = document.label("Origin").unwrap_or_default();
    if let Some(origin) = Origin::ALL.into_iter().find(|origin| origin.name() == written) {
        return origin;
    }
    let boxes = document.section(&["How Discovered"]);
    let ticked: Vec<&str> = boxes
        .iter()
        .filter_map(|line| line.trim().strip_prefix("- [x] ").or_else(|| line.trim().strip_prefix("- [X] ")))
        .collect();
    let by_box = BOXES.iter().find(|(name, _)| ticked.iter().any(|tick| tick.starts_with(name)));
    let automatic = if id.starts_with("SKELETON-") { Origin::Failure } else { Origin::Agent };
    by_box.and_then(|(_, origin)| *origin).unwrap_or(automatic)
}

fn folder(written: &str) -> String {
    match written {
        "" | "unknown" | "./" => ".".to_owned(),
        "/" => "/".to_owned(),
        path => path.trim_start_matches("./").trim_end_matches('/').to_owned(),
    }
}

/// All text of a section.
fn section_text(lines: &[&str]) -> String {
    let texts: Vec<String> = blocks(lines).into_iter().map(|block| block.text).collect();
    texts.join("\n\n")
}

/// The title and the text of the suggested rule, if there is one.
fn entry(kind: Kind, document: &Document<'_>, is_ours: bool) -> Option<(String, String)> {
    let lines = &document.sections.iter().find(|(title, _)| is_entry(title))?.1;
    let mut parts = blocks(lines);
    let fenced = parts.iter().position(|part| part.is_fenced);
    let whole = parts.swap_remove(fenced.or_else(|| (!parts.is_empty()).then_some(0))?).text;
    let (title, body) = match whole.strip_prefix("### ") {
        Some(rest) => rest.split_once('\n').unwrap_or((rest, "")),
        None => ("", whole.as_str()),
    };
    let body = stripped(body, "\n");
    let (title, body) = match kind {
        Kind::Pitfall | Kind::Insight => (title, body),
        Kind::Check => (stripped(title, "Before "), stripped(body, "- [ ] ")),
        Kind::Pattern => (title, stripped(body, "**Preferred**: ")),
    };
    // Other programs end the rule with the place it came from.
    let last = body.trim_end().lines().last().unwrap_or_default();
    let is_source = !is_ours && last.len() > 1 && last.starts_with('_') && last.ends_with('_');
    let body = if is_source { body.trim_end().strip_suffix(last).unwrap_or(body).trim_end() } else { body };
    Some((title.trim().to_owned(), body.to_owned()))
}

fn stripped<'a>(text: &'a str, prefix: &str) -> &'a str {
    text.strip_prefix(prefix).unwrap_or(text)
}

/// The section on what happened.
#[derive(Default)]
struct Incident {
    detail: String,
    command: String,
    said: String,
    told_before: String,
}

impl Incident {
    fn read(lines: &[&str]) -> Incident {
        let mut happened = Incident::default();
        for block in blocks(lines) {
            let place = match block.label.as_str() {
                "Command" => &mut happened.command,
                "Said" => &mut happened.said,
                "Told before" => &mut happened.told_before,
                _ => &mut happened.detail,
            };
            if !place.is_empty() {
                place.push_str("\n\n");
            }
            place.push_str(&block.text);
        }
        happened
    }
}
