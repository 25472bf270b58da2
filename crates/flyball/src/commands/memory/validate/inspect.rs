//! What is wrong with one rule file: its size, its sections, what stands in them.

use flyball_knowledge::markdown::{self, Section};
use flyball_knowledge::tokens;

use super::found::Found;
use super::lines;
use super::severity::Severity;

/// Beyond this a file takes too much of a model's context, in tokens.
const TOO_LONG: usize = 4_000;
/// Beyond this it should be made shorter.
const LONG: usize = 3_000;

/// So many list items a section may have.
const MOST_ITEMS: usize = 5;

/// Sections that are lists by nature.
const LISTS: &[&str] = &["Downlinks", "Code Map", "Public API", "Entry Points", "Subsystems", "Checks"];

/// Sections whose rules must be traceable.
const EVIDENCED: &[&str] = &["Pitfalls", "Contracts"];

/// Where a rule file lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the root of the project.
    Root {
        /// Whether there are others below it.
        has_children: bool,
    },
    Child,
}

impl Place {
    /// The sections it must have; of those in one group any will do.
    fn required(self) -> &'static [&'static [&'static str]] {
        match self {
            Place::Root { has_children: true } => {
                &[&["Entry Points", "Subsystems"], &["Contracts"], &["Pitfalls"], &["Downlinks"]]
            }
            Place::Root { has_children: false } => {
                &[&["Entry Points", "Subsystems"], &["Contracts"], &["Pitfalls"]]
            }
            Place::Child => &[&["Purpose"], &["Entry Points"], &["Contracts"], &["Pitfalls"]],
        }
    }

    /// The sections it should have.
    const fn recommended(self) -> &'static [&'static str] {
        match self {
            Place::Root { .. } => &["Purpose", "Boundaries", "Design Rationale"],
            Place::Child => &["Code Map", "Patterns", "Boundaries", "Design Rationale"],
        }
    }
}

/// Sections that only files in this format have.
const MARKS: &[&str] = &[
    "Entry Points",
    "Contracts",
    "Code Map",
    "Public API",
    "Downlinks",
    "Design Rationale",
    "Boundaries",
    "Purpose",
    "Subsystems",
];

/// Whether a file is in the format that these checks are about: most of its sections are known, and one is a mark.
pub(super) fn is_in_layers(text: &str) -> bool {
    let sections = markdown::sections(text);
    let second: Vec<&Section> = sections.iter().filter(|section| section.level == 2).collect();
    let is_known = |section: &&&Section| {
        super::super::sections::known(&section.title).is_some() || is_named(section, "Subsystems")
    };
    let known = second.iter().filter(is_known).count();
    let has_mark = second.iter().any(|section| MARKS.iter().any(|mark| is_named(section, mark)));
    known >= 2 && known * 2 >= second.len() && has_mark
}

/// What is wrong with a file of this text, in the order of its lines.
pub(super) fn inspect(text: &str, place: Place) -> Vec<Found> {
    let sections = markdown::sections(text);
    let lines = lines::read(text);
    let mut found = size(text);
    found.extend(missing(&sections, place));
    for section in sections.iter().filter(|section| section.level >= 2) {
        found.extend(inside(text, section, &sections));
    }
    found.extend(lines::inspect(&lines));
    found.sort_by_key(|(line, ..)| *line);
    found
}

fn size(text: &str) -> Vec<Found> {
    let tokens = tokens::estimate(text);
    match tokens {
        0 => vec![(1, Severity::Error, "there is nothing in it".to_owned())],
        _ if tokens > TOO_LONG => {
            let what = format!(
                "about {tokens} tokens, more than {TOO_LONG}: split it, and put each part beside the code it is about"
            );
            vec![(1, Severity::Error, what)]
        }
        _ if tokens > LONG => {
            let what = format!("about {tokens} tokens; it must stay below {TOO_LONG}, so shorten it in time");
            vec![(1, Severity::Warning, what)]
        }
        _ => Vec::new(),
    }
}

fn missing(sections: &[Section], place: Place) -> Vec<Found> {
    let has = |name: &str| sections.iter().any(|section| is_named(section, name));
    let lacks = |group: &&&[&str]| !group.iter().any(|name| has(name));
    let mut found: Vec<Found> = place
        .required()
        .iter()
        .filter(lacks)
        .map(|group| {
            let names: Vec<String> = group.iter().map(|name| format!("`## {name}`")).collect();
            (1, Severity::Error, format!("the section {} is missing", names.join(" or ")))
        })
        .collect();
    let names: Vec<String> =
        place.recommended().iter().filter(|name| !has(name)).map(|name| format!("`## {name}`")).collect();
    if !names.is_empty() {
        found.push((1, Severity::Hint, format!("it could also say something of {}", names.join(", "))));
    }
    found
}

/// What is wrong inside of one section.
fn inside(text: &str, section: &Section, all: &[Section]) -> Vec<Found> {
    let line = lines::number(text, section.span.start);
    let title = section.title.trim();
    let body = text.get(section.body.clone()).unwrap_or_default();
    let mut found = Vec::new();
    let is_known = super::super::sections::known(title).is_some();
    if is_known && lines::is_blank(body) {
        found.push((line, Severity::Warning, format!("`{title}` has nothing in it")));
        return found;
    }
    // Sections below are looked at themselves.
    // Sections come in the order of the text, so the first start behind the heading is the next section.
    let own_end = all.iter().map(|other| other.span.start).find(|start| *start >= section.body.start);
    let own = section.body.start..own_end.unwrap_or(section.body.end).min(section.body.end);
    let items = lines::items(text.get(own).unwrap_or_default());
    if items > MOST_ITEMS && is_known && !LISTS.iter().any(|name| is_named(section, name)) {
        let what = format!(
            "`{title}` lists {items} items; beyond {MOST_ITEMS} they are read over: keep what matters"
        );
        found.push((line, Severity::Warning, what));
    }
    if EVIDENCED.iter().any(|name| is_named(section, name)) && !lines::has_evidence(body) {
        let what = format!(
            "`{title}` names no evidence: a path in backticks, `Source:`, a link or `#123` lets others check it"
        );
        found.push((line, Severity::Warning, what));
    }
    found
}

fn is_named(section: &Section, name: &str) -> bool {
    section.level >= 2 && section.title.trim().eq_ignore_ascii_case(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, place: Place) -> Vec<String> {
        inspect(text, place)
            .iter()
            .map(|(line, severity, what)| format!("{line} {} {what}", severity.name()))
            .collect()
    }

    const GOOD: &str = "# API\n\n## Purpose\n\nServes.\n\n## Entry Points\n\n- `a.rs`\n\n## contracts\n\n`b.rs` \
                        holds it.\n\n## Pitfalls\n\n### No\n\nx, see #12\n\n## Code Map\n\n`x`\n\n## Patterns\n\ny\n\n\
                        ## Boundaries\n\nz\n\n## Design Rationale\n\nw\n";

    #[test]
    fn a_whole_child_has_nothing_wrong() {
        assert_eq!(found(GOOD, Place::Child), [""; 0]);
    }

    #[test]
    fn missing_sections_are_told_and_a_code_map_is_never_required() {
        let expected = [
            "1 error the section `## Purpose` is missing",
            "1 error the section `## Entry Points` is missing",
            "1 error the section `## Contracts` is missing",
            "1 hint it could also say something of `## Code Map`, `## Patterns`, `## Boundaries`, `## Design Rationale`",
            "3 warning `Pitfalls` has nothing in it",
        ];
        assert_eq!(found("# X\n\n## Pitfalls\n<!-- fill -->\n", Place::Child), expected);
        let root = "# X\n## Subsystems\nx\n## Contracts\n`a.rs`\n## Pitfalls\n`a.rs`\n## Purpose\nx\n## Boundaries\nx\n## Design Rationale\nx\n";
        assert_eq!(found(root, Place::Root { has_children: false }), [""; 0]);
        let downlinks = ["1 error the section `## Downlinks` is missing"];
        assert_eq!(found(root, Place::Root { has_children: true }), downlinks);
    }

    #[test]
    fn size_items_and_evidence_are_looked_at_where_they_stand() {
        let many: String = (0..6).map(|number| format!("- rule {number}\n")).collect();
        let text = GOOD.replace("y\n", &many).replace(", see #12", "");
        let expected = [
            "15 warning `Pitfalls` names no evidence: a path in backticks, `Source:`, a link or `#123` lets others check it",
            "25 warning `Patterns` lists 6 items; beyond 5 they are read over: keep what matters",
        ];
        assert_eq!(found(&text, Place::Child), expected);
        let long = |bytes: usize| format!("{GOOD}\n{}", "word word\n".repeat(bytes / 10));
        let warning = "1 warning about 3299 tokens; it must stay below 4000, so shorten it in time";
        assert_eq!(found(&long(13_000), Place::Child), [warning]);
        let error = "1 error about 5049 tokens, more than 4000: split it, and put each part beside the code it is about";
        assert_eq!(found(&long(20_000), Place::Child), [error]);
    }
}
