//! Lessons as rows of the tables in rule files.

use flyball_core::text;
use flyball_core::time::Time;
use flyball_knowledge::lesson::{Kind, Lesson};
use flyball_knowledge::markdown;
use flyball_knowledge::timestamp;

/// The rule file for a kind of lesson, with the text of a new one; facts are not rules.
pub(super) const fn file(kind: Kind) -> Option<(&'static str, &'static str)> {
    match kind {
        Kind::Avoid => Some(("avoid.md", "# Avoid\n\n| Avoid | Learned |\n|---|---|\n")),
        Kind::Works => Some(("best-practice.md", "# Best practice\n\n| Do | Learned |\n|---|---|\n")),
        Kind::Fact | Kind::Handoff => None,
    }
}

/// The text with a row for a lesson after the last row of its last table; without a table, one is added.
pub(super) fn with_row(text: Option<&str>, lesson: &Lesson) -> String {
    let fresh = file(lesson.kind).map_or("", |(_, fresh)| fresh);
    let mut text = text.map_or_else(|| fresh.to_owned(), str::to_owned);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let row = row(lesson);
    let end = last_table_end(&text).unwrap_or_else(|| {
        let table = fresh.split_once("\n\n").map_or(fresh, |(_, table)| table);
        text = format!("{text}\n{table}");
        text.len()
    });
    let (before, behind) = text.split_at_checked(end).unwrap_or((&text, ""));
    format!("{before}{row}\n{behind}")
}

/// The end of the last row of the last table outside of code fences.
fn last_table_end(text: &str) -> Option<usize> {
    let (mut end, mut is_table) = (None, false);
    for line in markdown::lines(text) {
        let plain = line.text.trim();
        // A table begins with its line of dashes; other lines with a bar may be prose.
        let is_rule = plain.starts_with('|') && plain.contains("---");
        is_table = !line.is_code && plain.starts_with('|') && (is_table || is_rule);
        if is_table {
            end = Some(line.span.end);
        }
    }
    end
}

fn row(lesson: &Lesson) -> String {
    let cell = |text: &str| text::one_line(text).replace('\\', "\\\\").replace('|', "\\|");
    let day = if lesson.at > Time::default() { timestamp::date(lesson.at) } else { String::new() };
    let learned = [cell(&lesson.source), day]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(", ");
    format!("| {} | {learned} |", cell(&lesson.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(text: &str) -> Lesson {
        Lesson {
            at: Time::from_millis(1_770_638_400_000),
            kind: Kind::Avoid,
            text: text.to_owned(),
            source: "tester".to_owned(),
        }
    }

    #[test]
    fn a_row_joins_the_last_table() {
        let fresh = "# Avoid\n\n| Avoid | Learned |\n|---|---|\n";
        let row = "| a \\| b | tester, 2026-02-09 |\n";
        let cases = [
            ("a new file", None, format!("{fresh}{row}")),
            ("a table", Some(format!("{fresh}| x | |\n\nmore\n")), format!("{fresh}| x | |\n{row}\nmore\n")),
            (
                "no table",
                Some("# Mine\n\ntext".to_owned()),
                format!("# Mine\n\ntext\n\n| Avoid | Learned |\n|---|---|\n{row}"),
            ),
            (
                "a table in a fence",
                Some(format!("{fresh}```\n| a |\n|---|\n```\n")),
                format!("{fresh}{row}```\n| a |\n|---|\n```\n"),
            ),
            (
                "a table in a fence, after a line that opens another kind of fence",
                Some(format!("{fresh}```\n~~~\n| a |\n|---|\n```\n")),
                format!("{fresh}{row}```\n~~~\n| a |\n|---|\n```\n"),
            ),
        ];
        for (name, before, expected) in cases {
            assert_eq!(with_row(before.as_deref(), &lesson("a |\nb")), expected, "{name}");
        }
    }
}
