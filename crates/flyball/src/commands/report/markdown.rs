//! A report as Markdown. What agents wrote stands in code spans that it cannot get out of, nor out of its cell.

use flyball_board::report::{Cell, Report, Row, Section};
use jiff::{Timestamp, Zoned};

use super::lines::{grouped, heading, numbers};
use crate::show::text::{cut, one_line};
use crate::show::time;

/// How much of a text a cell shows.
const TEXT: usize = 160;

pub(super) fn render(report: &Report, now: &Zoned) -> String {
    let title = heading(report, now);
    let mut text = format!("# {}\n", plain(&title));
    if report.glance.events == 0 {
        text.push_str("\nNo event was recorded in this time.\n");
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
    if section.rows.is_empty() {
        return format!("\n## {}\n\n{}\n", section.title, section.empty);
    }
    let mut text = format!("\n## {}\n\n{}\n\n", section.title, section.lead);
    let labels: Vec<&str> =
        section.rows.iter().flat_map(|row| &row.details).map(|(label, _)| *label).collect();
    let labels =
        labels.iter().enumerate().filter(|(place, label)| !labels.iter().take(*place).any(|it| it == *label));
    let labels: Vec<String> = labels.map(|(_, label)| upper(label)).collect();
    let titles = section.columns.iter().map(|column| column.title.to_owned()).chain(labels.iter().cloned());
    text.push_str(&format!("| {} |\n", titles.collect::<Vec<_>>().join(" | ")));
    let rules = section.columns.iter().map(|column| if column.is_amount { "--:" } else { "---" });
    let rules: Vec<&str> = rules.chain(labels.iter().map(|_| "---")).collect();
    text.push_str(&format!("|{}|\n", rules.join("|")));
    section.rows.iter().for_each(|row| text.push_str(&line(row, now)));
    text
}

fn line(row: &Row, now: &Zoned) -> String {
    let details = row.details.iter().map(|(_, cell)| cell);
    let cells: Vec<String> = row.cells.iter().chain(details).map(|cell| render_cell(cell, now)).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn upper(label: &str) -> String {
    let mut letters = label.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn render_cell(cell: &Cell, now: &Zoned) -> String {
    match cell {
        Cell::Words(words) | Cell::Stance(_, words) => plain(words),
        Cell::Code(text) => code(text),
        Cell::Count(0) | Cell::Micros(None) => String::new(),
        Cell::Count(count) => grouped(*count),
        Cell::Micros(Some(micros)) => time::took(*micros),
        Cell::At(at) => {
            // A file is read later than it is written: how long ago it was says nothing then.
            let at = Timestamp::from_microsecond(*at).unwrap_or_default().to_zoned(now.time_zone().clone());
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
    // A pipe ends the cell even here, unless a backslash stands before it; and two backslashes are one for some.
    let mut inside = String::new();
    for letter in line.chars() {
        match letter {
            '|' if inside.ends_with('\\') => inside.push_str(" \\|"),
            '|' => inside.push_str("\\|"),
            other => inside.push(other),
        }
    }
    // More backticks than the text has in a row, and room between.
    let longest = inside.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let room = if inside.starts_with('`') || inside.ends_with('`') { " " } else { "" };
    format!("{fence}{room}{inside}{room}{fence}")
}

/// Words of our own, among which may be a name.
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
