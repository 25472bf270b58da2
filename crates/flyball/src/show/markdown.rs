//! A page in simple Markdown, for the terminal: headings, paragraphs, lists, code. Everything else
//! is shown as it is written.

use super::text::wrap;
use crate::terminal::{Style, Terminal};

/// The widest line of prose that is comfortable to read.
const WIDEST: usize = 100;

/// The lines of a page.
pub(crate) fn render(page: &str, terminal: &Terminal) -> Vec<String> {
    let mut layout = Layout { terminal, lines: Vec::new(), paragraph: String::new() };
    let mut in_code = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            layout.flush();
            in_code = !in_code;
        } else if in_code {
            layout.push(Style::Faint, &format!("    {line}"));
        } else {
            layout.prose(line);
        }
    }
    layout.flush();
    layout.lines
}

struct Layout<'a> {
    terminal: &'a Terminal,
    lines: Vec<String>,
    /// The paragraph or list item that is being read; its lines are wrapped anew.
    paragraph: String,
}

impl Layout<'_> {
    fn prose(&mut self, line: &str) {
        let trimmed = line.trim();
        if let Some(title) = heading(trimmed) {
            self.flush();
            self.push(Style::Strong, title);
        } else if trimmed.is_empty() {
            self.flush();
            self.lines.push(String::new());
        } else if let Some(row) = trimmed.strip_prefix('|') {
            self.flush();
            self.table_row(row);
        } else {
            if trimmed.starts_with("- ") {
                self.flush();
            }
            if !self.paragraph.is_empty() {
                self.paragraph.push(' ');
            }
            self.paragraph.push_str(trimmed);
        }
    }

    fn flush(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        if paragraph.is_empty() {
            return;
        }
        let hanging = if paragraph.starts_with("- ") { "  " } else { "" };
        let room = self.terminal.columns().min(WIDEST).saturating_sub(hanging.len());
        let mut in_code = false;
        for (number, line) in wrap(&paragraph, room).iter().enumerate() {
            let indent = if number == 0 { "" } else { hanging };
            let painted = self.painted(line, &mut in_code);
            self.lines.push(format!("{indent}{painted}"));
        }
    }

    /// A row of a table: there is seldom room for columns, so the last cell goes below the others.
    fn table_row(&mut self, row: &str) {
        let cells: Vec<&str> = row.trim_end_matches('|').split('|').map(str::trim).collect();
        let is_rule = cells.iter().all(|cell| cell.chars().all(|letter| matches!(letter, '-' | ':')));
        let Some((last, first)) = cells.split_last().filter(|_| !is_rule) else { return };
        let painted = self.painted(&first.join("  "), &mut false);
        self.lines.push(painted);
        let mut in_code = false;
        for line in wrap(last, self.terminal.columns().min(WIDEST).saturating_sub(4)) {
            let painted = self.painted(&line, &mut in_code);
            self.lines.push(format!("    {painted}"));
        }
    }

    /// The line with its `code` set off. The backticks stay: without colours they are all there is.
    fn painted(&self, line: &str, in_code: &mut bool) -> String {
        let mut painted = String::new();
        for (number, part) in line.split('`').enumerate() {
            if number > 0 {
                painted.push('`');
                *in_code = !*in_code;
            }
            let style = if *in_code { Style::Accent } else { Style::Plain };
            if !part.is_empty() {
                painted.push_str(&self.terminal.paint(style, part));
            }
        }
        painted
    }

    fn push(&mut self, style: Style, text: &str) {
        self.lines.push(if text.trim().is_empty() {
            String::new()
        } else {
            self.terminal.paint(style, text)
        });
    }
}

fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    (title.len() < line.len()).then(|| title.strip_prefix(' ')).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_cell_of_a_row_goes_below_the_others() {
        let page = "| key | meaning |\n|---|:-:|\n| `a` | what it means to be here |\n";
        let lines = render(page, &Terminal::plain(20));
        assert_eq!(lines, ["key", "    meaning", "`a`", "    what it means to", "    be here"]);
    }

    #[test]
    fn prose_is_wrapped_anew_and_code_is_not() {
        let page = "# guard.x\n\nSome text that\nwas wrapped `by hand` before.\n\n- one item that is\n  long enough\n- two\n\n```toml\n[guard.x]   # a comment that is longer than the line\n```\n";
        let lines = render(page, &Terminal::plain(30));
        let expected = [
            "guard.x",
            "",
            "Some text that was wrapped `by",
            "hand` before.",
            "",
            "- one item that is long",
            "  enough",
            "- two",
            "",
            "    [guard.x]   # a comment that is longer than the line",
        ];
        assert_eq!(lines, expected);
    }
}
