//! What is wrong with single lines: marks of unfinished work, paths of one machine, words that say nothing.

use flyball_knowledge::markdown;

use super::found::Found;
use super::severity::Severity;

/// A line that is longer than this is long.
const LONG: usize = 120;

/// So many long lines are let pass.
const MOST_LONG: usize = 5;

/// Marks of unfinished work.
const MARKS: &[&str] = &["TODO", "FIXME", "XXX", "TBD"];

/// How paths begin that are true on one machine only.
const ABSOLUTE: &[&str] = &["/home/", "/Users/", "C:\\", "D:\\"];

/// What stands where somebody should have written something.
const PLACEHOLDERS: &[&str] = &[
    "awaiting analysis",
    "lorem ipsum",
    "your text here",
    "description here",
    "to be filled",
    "fill this in",
    "[insert",
    "[describe",
    "<describe",
    "<insert",
];

/// What is true everywhere and so tells nothing about this code.
const PLATITUDES: &[&str] = &[
    "follow best practices",
    "write clean code",
    "handle errors properly",
    "self-explanatory",
    "industry standard",
];

/// One line of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) number: usize,
    pub(super) text: &'a str,
    /// Whether it stands in a fence.
    pub(super) is_code: bool,
}

/// Lines, for those who look at them one by one.
pub(super) type Lines<'a> = [Line<'a>];

/// The lines of a text.
pub(super) fn read(text: &str) -> Vec<Line<'_>> {
    let numbered = markdown::lines(text).zip(1..);
    numbered.map(|(line, number)| Line { number, text: line.text, is_code: line.is_code }).collect()
}

/// What is wrong with them.
pub(super) fn inspect(lines: &Lines<'_>) -> Vec<Found> {
    let mut found: Vec<Found> = lines.iter().filter(|line| !line.is_code).flat_map(inspect_line).collect();
    let is_long = |line: &&Line<'_>| {
        !line.is_code
            && line.text.chars().count() > LONG
            // Links and tables cannot be wrapped.
            && !line.text.contains("://")
            && !line.text.starts_with('|')
    };
    let long: Vec<usize> = lines.iter().filter(is_long).map(|line| line.number).collect();
    if let (Some(first), true) = (long.first(), long.len() > MOST_LONG) {
        let what = format!("{} lines are longer than {LONG} characters; this is the first", long.len());
        found.push((*first, Severity::Warning, what));
    }
    found
}

/// What is wrong with the lines of an ordinary file: long ones do no harm, and a rule may be about `TODO`.
pub(super) fn inspect_ordinary(lines: &Lines<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for line in lines.iter().filter(|line| !line.is_code) {
        let first = words(line.text).find(|word| !word.is_empty()).unwrap_or_default();
        if MARKS.contains(&first) {
            found.push((line.number, Severity::Warning, unfinished(first)));
        }
        found.extend(inspect_words(line));
    }
    found
}

fn unfinished(mark: &str) -> String {
    format!("`{mark}`: finish it or take it out; a model takes it for a rule")
}

fn inspect_line(line: &Line<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    if let Some(mark) = MARKS.iter().find(|mark| words(line.text).any(|word| word == **mark)) {
        found.push((line.number, Severity::Warning, unfinished(mark)));
    }
    found.extend(inspect_words(line));
    found
}

/// Words that are wrong in any file.
fn inspect_words(line: &Line<'_>) -> Vec<Found> {
    let lower = line.text.to_lowercase();
    let mut found = Vec::new();
    let mut tell = |what: String| found.push((line.number, Severity::Warning, what));
    if let Some(start) = ABSOLUTE.iter().find(|start| has_path(line.text, start)) {
        tell(format!(
            "a path that begins with `{start}` is that of one machine; write it from the project's root"
        ));
    }
    if let Some(text) = PLACEHOLDERS.iter().find(|text| lower.contains(*text)) {
        tell(format!("`{text}` stands where a rule should"));
    }
    if let Some(text) = PLATITUDES.iter().find(|text| lower.contains(*text)) {
        tell(format!("`{text}` is true everywhere: say what is special here, or take it out"));
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
}

/// Whether a path begins so somewhere in a line, and is not the middle of another.
fn has_path(text: &str, start: &str) -> bool {
    text.match_indices(start).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        before
            .is_none_or(|letter| !letter.is_alphanumeric() && !matches!(letter, '.' | '_' | '-' | '/' | '~'))
    })
}

/// The number of the line that a byte is in.
pub(super) fn number(text: &str, at: usize) -> usize {
    text.get(..at).map_or(1, |before| before.matches('\n').count() + 1)
}

/// Whether nothing is in a text but blanks, comments and headings.
pub(super) fn is_blank(text: &str) -> bool {
    let mut rest = text.to_owned();
    while let Some(start) = rest.find("<!--") {
        let end =
            rest.get(start..).and_then(|from| from.find("-->")).map_or(rest.len(), |end| start + end + 3);
        rest.replace_range(start..end, "");
    }
    rest.lines().all(|line| line.trim().is_empty())
}

/// How many items the lists of a text have, not counting those inside of others.
pub(super) fn items(text: &str) -> usize {
    let is_item = |line: &&Line<'_>| {
        let number = line.text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let is_numbered = number.len() < line.text.len() && number.starts_with(". ");
        let is_bullet = ["- ", "* ", "+ "].iter().any(|mark| line.text.starts_with(mark));
        !line.is_code && (is_bullet || is_numbered)
    };
    read(text).iter().filter(is_item).count()
}

/// Whether a text says where its rules come from.
pub(super) fn has_evidence(text: &str) -> bool {
    let has_issue = text.match_indices('#').any(|(at, _)| {
        text.get(at + 1..).and_then(|rest| rest.chars().next()).is_some_and(|letter| letter.is_ascii_digit())
    });
    let is_path = |code: &str| {
        let has_dot = code.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && !end.is_empty());
        !code.contains(char::is_whitespace) && (code.contains('/') || has_dot)
    };
    // Every second part is between backticks.
    let has_path = text.split('`').skip(1).step_by(2).any(is_path);
    let has_source = text.to_lowercase().contains("source:");
    has_issue || has_path || has_source || text.contains("://")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        inspect(&read(text)).iter().map(|(line, _, what)| format!("{line} {what}")).collect()
    }

    #[test]
    fn single_lines_are_told_by_their_number_and_code_is_left_alone() {
        let text = "Fine.\nTODO: later\n```\nTODO /home/x\n```\nsee `/home/me/x`, not a/home/b or ~/home/c\n\
                    _Awaiting analysis_\nPlease follow best practices.\nTODOs are words\n";
        let expected = [
            "2 `TODO`: finish it or take it out; a model takes it for a rule",
            "6 a path that begins with `/home/` is that of one machine; write it from the project's root",
            "7 `awaiting analysis` stands where a rule should",
            "8 `follow best practices` is true everywhere: say what is special here, or take it out",
        ];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn a_few_long_lines_pass() {
        let long = "x".repeat(121);
        let lines = |number: usize| std::iter::repeat_n(long.as_str(), number).collect::<Vec<_>>().join("\n");
        assert_eq!(found(&lines(5)), [""; 0]);
        let expected = ["1 6 lines are longer than 120 characters; this is the first"];
        assert_eq!(found(&lines(6)), expected);
        assert_eq!(found(&format!("{}\nhttps://x {long}", lines(5))), [""; 0]);
    }

    #[test]
    fn evidence_is_a_path_a_source_a_link_or_an_issue() {
        for text in ["see `src/a.rs`", "`a.rs` does", "_Source: PITFALL-1_", "https://x.y", "fixed in #12"] {
            assert!(has_evidence(text), "{text}");
        }
        for text in ["", "just words", "`word`", "# heading", "`not a/path` really"] {
            assert!(!has_evidence(text), "{text}");
        }
    }

    #[test]
    fn items_are_counted_outside_of_fences_and_other_items() {
        assert_eq!(items("- a\n  - b\n* c\n1. d\n10. e\n```\n- f\n```\n-g\n"), 4);
        assert_eq!(items("- a\n  - b\n      ```\n- c\n      ```\n- d\n"), 2);
        assert_eq!(items("```a``` is code in a line\n- b\n"), 1);
        assert!(is_blank("\n<!-- a\nb -->\n \n"));
        assert!(!is_blank("\n<!-- a -->\nx"));
    }
}
