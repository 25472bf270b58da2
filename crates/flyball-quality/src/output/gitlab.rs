//! Reads GitLab's Code Quality JSON.

use serde::Deserialize;

use super::{RawFinding, RawOutput, Unreadable, level, text};
use crate::finding::Level;

const FORM: &str = "GitLab's Code Quality JSON";

#[derive(Deserialize)]
struct Issue {
    #[serde(default)]
    check_name: String,
    description: String,
    #[serde(default)]
    severity: String,
    location: Location,
}

#[derive(Deserialize)]
struct Location {
    path: String,
    lines: Option<Lines>,
    positions: Option<Positions>,
}

#[derive(Deserialize)]
struct Lines {
    begin: Begin,
    end: Option<u32>,
}

/// Older tools write a place where others write a line.
#[derive(Deserialize)]
#[serde(untagged)]
enum Begin {
    Line(u32),
    Place(Place),
}

#[derive(Deserialize)]
struct Positions {
    begin: Place,
    end: Option<Place>,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Place {
    line: u32,
    #[serde(default)]
    column: u32,
}

pub(super) fn read(output: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let value = text::parse_json(FORM, output.text)?;
    let issues: Vec<Issue> = serde_json::from_value(value).map_err(|error| Unreadable {
        form: FORM,
        why: format!("{error}: {}", text::excerpt(output.text)),
    })?;
    Ok(issues.into_iter().map(raw_finding).collect())
}

fn raw_finding(issue: Issue) -> RawFinding {
    let (begin, end) = span(&issue.location);
    // Some write the rule in front of the description again.
    let repeated = issue.description.strip_prefix(&issue.check_name);
    let message = repeated.and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&issue.description);
    RawFinding {
        file: Some(issue.location.path.clone()),
        line: begin.line,
        column: begin.column,
        end_line: end.filter(|end| *end > begin.line),
        message: text::paragraph(message),
        level: severity(&issue.severity),
        code: issue.check_name,
        fixable: false,
        fix: None,
    }
}

/// An error of a type checker is `major`, and a warning `minor`.
fn severity(word: &str) -> Option<Level> {
    match word {
        "major" => Some(Level::Error),
        "minor" => Some(Level::Warning),
        other => level::parse(other),
    }
}

fn span(location: &Location) -> (Place, Option<u32>) {
    match (&location.positions, &location.lines) {
        (Some(positions), _) => (positions.begin, positions.end.map(|end| end.line)),
        (None, Some(Lines { begin: Begin::Line(line), end })) => (Place { line: *line, column: 0 }, *end),
        (None, Some(Lines { begin: Begin::Place(place), end })) => (*place, *end),
        (None, None) => (Place::default(), None),
    }
}
