//! A report as Markdown. What agents wrote is in code spans that it cannot get out of, nor out of its cell.

use flyball_board::report::Report;
use flyball_board::table::{Cell, Entry, Section};
use jiff::Zoned;

use super::lines::{heading, number, numbers};
use crate::show::text::{cut, one_line};
use crate::show::time;

/// The most characters of a text in a cell.
const TEXT: usize = 160;

pub(super) fn render(report: &Report, now: &Zoned) -> String {
    let title = heading(report, now);
    let mut text = format!("# {}\n", plain(&title));
    if report.glance.events == 0 {
        text.push_str("\nNo events were recorded in this period.\n");
        return text;
    }
    text.push_str("\n## At a glance\n\n|  | Now |  | Before |\n|---|--:|---|--:|\n");
    for row in numbers(report) {
        let cells: Vec<String> = row.iter().map(|cell| plain(cell)).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    for section in report.sections() {
        text.push_str(&table(&section, now));
    }
    if !report.limits.is_empty() {
        text.push_str("\n## What this report does not cover\n\n");
        report.limits.iter().for_each(|limit| text.push_str(&format!("- {}\n", plain(limit))));
    }
    text
}

fn table(section: &Section, now: &Zoned) -> String {
    if section.entries.is_empty() {
        return format!("\n## {}\n\n{}\n", section.title, section.empty);
    }
    // All entries of a table have the same details.
    let labels: Vec<String> = section
        .entries
        .iter()
        .take(1)
        .flat_map(|entry| &entry.details)
        .map(|detail| upper(detail.label))
        .collect();
    let titles = section.columns.iter().copied().chain(labels.iter().map(String::as_str));
    let places = 0..section.columns.len() + labels.len();
    let rules = places.map(|place| if section.is_amount(place) { "--:" } else { "---" });
    let mut text = format!(
        "\n## {}\n\n{}\n\n| {} |\n|{}|\n",
        section.title,
        section.lead,
        titles.collect::<Vec<_>>().join(" | "),
        rules.collect::<Vec<_>>().join("|")
    );
    section.entries.iter().for_each(|entry| text.push_str(&line(entry, now)));
    text
}

fn line(entry: &Entry, now: &Zoned) -> String {
    let details = entry.details.iter().map(|detail| &detail.cell);
    let cells: Vec<String> = entry.row.iter().chain(details).map(|cell| render_cell(cell, now)).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn upper(label: &str) -> String {
    let mut letters = label.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn render_cell(cell: &Cell, now: &Zoned) -> String {
    match cell {
        Cell::Words(text) | Cell::Amount(text) => plain(&text.plain()),
        Cell::Code(text) => code(text),
        Cell::Count(0) | Cell::Took(None) => String::new(),
        Cell::Count(count) => number(*count),
        Cell::Took(Some(took)) => time::took(*took),
        Cell::At(at) => {
            // A file is read later than it is written, so "ago" would be wrong by then.
            let at = time::local(*at, now);
            at.strftime("%Y-%m-%d %H:%M").to_string()
        }
        Cell::Commands(commands) => {
            commands.iter().map(|command| code(command)).collect::<Vec<_>>().join(" ")
        }
    }
}

/// Any text as one code span within one cell.
fn code(text: &str) -> String {
    let line = cut(&one_line(text), TEXT);
    if line.is_empty() {
        return String::new();
    }
    // A pipe ends the cell even in code, unless it is escaped; some renderers read two backslashes as one.
    let mut inside = String::new();
    for letter in line.chars() {
        match letter {
            '|' if inside.ends_with('\\') => inside.push_str(" \\|"),
            '|' => inside.push_str("\\|"),
            other => inside.push(other),
        }
    }
    // More backticks than the text has in a row, and a blank between.
    let longest = inside.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let room = if inside.starts_with('`') || inside.ends_with('`') { " " } else { "" };
    format!("{fence}{room}{inside}{room}{fence}")
}

/// Our own words, which may contain a name.
fn plain(text: &str) -> String {
    let mut escaped = String::new();
    for letter in one_line(text).chars() {
        if matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '#' | '~' | '@' | '!'
        ) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_gets_out_of_its_code_span_or_cell() {
        let cases = [
            ("pip install x", "`pip install x`"),
            ("a | b", "`a \\| b`"),
            ("a \\| b", "`a \\ \\| b`"),
            ("say `x`", "`` say `x` ``"),
            ("```\n<script>alert(1)</script>", "```` ``` <script>alert(1)</script> ````"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(code(text), expected, "{text}");
        }
        assert_eq!(plain("<b> a|b *c* @d"), "\\<b\\> a\\|b \\*c\\* \\@d");
    }
}
