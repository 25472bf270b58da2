//! What a command prints: lines, titles, paragraphs and tables, laid out when the terminal is known.

use flyball_board::table::{Cell, Row, Style, Text};

use super::columns::{Columns, column_titles};
use super::text::{cut_text, lines, one_line, text_width, width, wrap_text};
use crate::terminal::{Reader, Terminal};

/// The widest line of prose that is comfortable to read.
const WIDEST: usize = 100;

#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    blocks: Vec<Block>,
    /// Whether all rows of the page are in the same columns.
    is_aligned: bool,
}

#[derive(Clone, Debug)]
enum Block {
    /// Printed as it is.
    Line(Text),
    /// Printed on one line; the text before the end is cut.
    Cut {
        text: Text,
        end: Text,
    },
    Paragraph(Paragraph),
    /// Rows in common columns, each with a page below it.
    Rows {
        rows: Vec<(Row, Page)>,
        fit: Fit,
    },
    Indented(usize, Page),
}

/// A text that is wrapped.
#[derive(Clone, Debug)]
struct Paragraph {
    /// Before the first line.
    label: Text,
    /// Before the other lines.
    margin: String,
    text: Text,
}

/// What happens to a last cell that is longer than the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    Cut,
    Wrap,
    /// The line is as long as it has to be.
    Whole,
}

impl Page {
    /// A page whose rows are all in the same columns.
    pub(crate) fn aligned() -> Page {
        Page { is_aligned: true, ..Page::default() }
    }

    pub(crate) fn line(&mut self, text: impl Into<Text>) {
        self.blocks.push(Block::Line(text.into()));
    }

    pub(crate) fn blank(&mut self) {
        self.line("");
    }

    /// The title of what follows, below an empty line.
    pub(crate) fn title(&mut self, title: impl Into<String>) {
        if !self.blocks.is_empty() {
            self.blank();
        }
        self.line(Style::Strong.text(title));
    }

    /// A line whose end stays; the text before it is cut if there is no room.
    pub(crate) fn cut(&mut self, text: impl Into<Text>, end: impl Into<Text>) {
        self.blocks.push(Block::Cut { text: text.into(), end: end.into() });
    }

    /// A text that is wrapped after its label.
    pub(crate) fn paragraph(&mut self, label: impl Into<Text>, text: impl Into<Text>) {
        let label = label.into();
        let margin = " ".repeat(text_width(&label));
        self.blocks.push(Block::Paragraph(Paragraph { label, margin, text: text.into() }));
    }

    /// The lines of a text, each wrapped and indented as it was, after a label.
    pub(crate) fn paragraphs(&mut self, label: &str, text: &str) {
        for (number, line) in lines(text).enumerate() {
            let label = if number == 0 { label.to_owned() } else { " ".repeat(width(label)) };
            let indent = line.len() - line.trim_start_matches(' ').len();
            self.paragraph(format!("{label}{}", " ".repeat(indent)), line);
        }
    }

    /// The lines of a text, with a bar before each.
    pub(crate) fn quote(&mut self, text: &str) {
        for line in lines(text) {
            let indent = " ".repeat(line.len() - line.trim_start_matches(' ').len());
            let margin = format!("│ {indent}");
            let label = margin.as_str().into();
            self.blocks.push(Block::Paragraph(Paragraph { label, margin, text: line.into() }));
        }
    }

    /// A label and its value, if there is one: both in columns with the facts around it.
    pub(crate) fn facts<'a>(&mut self, facts: impl IntoIterator<Item = (&'a str, Text)>) {
        let facts = facts.into_iter().filter(|(_, value)| !value.is_empty());
        let row = |(label, value): (&str, Text)| vec![Cell::new(Style::Faint, label), Cell::Words(value)];
        self.rows(facts.map(row));
    }

    /// Rows in columns; the last cell is cut if there is no room.
    pub(crate) fn rows(&mut self, rows: impl IntoIterator<Item = Row>) {
        self.rows_with(Fit::Cut, rows.into_iter().map(|row| (row, Page::default())));
    }

    /// Rows in columns, each with a page below it.
    pub(crate) fn rows_with(&mut self, fit: Fit, rows: impl IntoIterator<Item = (Row, Page)>) {
        self.blocks.push(Block::Rows { rows: rows.into_iter().collect(), fit });
    }

    /// Rows below the titles of their columns.
    pub(crate) fn table(&mut self, titles: &[&str], rows: Vec<Row>, fit: Fit) {
        let all = std::iter::once(column_titles(titles, &rows)).chain(rows);
        self.rows_with(fit, all.map(|row| (row, Page::default())));
    }

    pub(crate) fn indented(&mut self, blanks: usize, page: Page) {
        self.blocks.push(Block::Indented(blanks, page));
    }

    /// Adds another page at the end.
    pub(crate) fn append(&mut self, page: Page) {
        self.blocks.extend(page.blocks);
    }

    /// The problems of the config, above everything that depends on it.
    pub(crate) fn config_problems<'a>(&mut self, problems: impl IntoIterator<Item = &'a String>) {
        for problem in problems {
            let row = vec![Cell::new(Style::Warning, format!("config: {}", one_line(problem)))];
            self.rows_with(Fit::Wrap, [(row, Page::default())]);
            self.blank();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub(crate) fn print(&self, terminal: &Terminal) -> Reader {
        terminal.lines(self.lines(terminal))
    }

    pub(crate) fn lines(&self, terminal: &Terminal) -> Vec<String> {
        self.lines_below(0, terminal)
    }

    /// The lines of a page that is indented when they are printed.
    fn lines_below(&self, indent: usize, terminal: &Terminal) -> Vec<String> {
        // All rows of the page, so that tables below each other have the same columns.
        let rows = self.blocks.iter().flat_map(Block::rows).filter(|_| self.is_aligned);
        let all: Vec<&Row> = rows.collect();
        self.blocks.iter().flat_map(|block| block.lines(&all, indent, terminal)).collect()
    }
}

impl Block {
    fn rows(&self) -> impl Iterator<Item = &Row> {
        let rows = if let Block::Rows { rows, .. } = self { rows.as_slice() } else { &[] };
        rows.iter().map(|(row, _)| row)
    }

    /// The lines of the block; its columns are as wide as `others` need.
    fn lines(&self, others: &[&Row], indent: usize, terminal: &Terminal) -> Vec<String> {
        match self {
            Block::Line(text) => vec![terminal.text(text).trim_end().to_owned()],
            Block::Cut { text, end } => {
                let room = terminal.line_limit().saturating_sub(indent + text_width(end));
                vec![terminal.text(&cut_text(text, room).then(end.clone()))]
            }
            Block::Paragraph(paragraph) => paragraph.lines(indent, terminal),
            Block::Rows { rows, fit } => {
                let limit = if *fit == Fit::Whole { usize::MAX } else { terminal.line_limit() };
                let all = self.rows().chain(others.iter().copied());
                let columns = Columns::fit(all, limit.saturating_sub(indent));
                let line = |(row, below): &(Row, Page)| {
                    let mut lines = match fit {
                        Fit::Cut | Fit::Whole => vec![columns.line(row, terminal)],
                        Fit::Wrap => columns.lines(row, terminal),
                    };
                    lines.extend(below.lines_below(indent, terminal));
                    lines
                };
                rows.iter().flat_map(line).collect()
            }
            Block::Indented(blanks, page) => {
                let margin = " ".repeat(*blanks);
                let lines = page.lines_below(indent + blanks, terminal).into_iter();
                lines.map(|line| if line.is_empty() { line } else { format!("{margin}{line}") }).collect()
            }
        }
    }
}

impl Paragraph {
    fn lines(&self, indent: usize, terminal: &Terminal) -> Vec<String> {
        // Prose is wrapped even if the output is a file, where tables are not cut: nothing is lost by it.
        let room = terminal.columns().min(WIDEST).saturating_sub(indent + text_width(&self.label));
        let mut before = terminal.text(&self.label);
        let line = |text: &Text| {
            let before = std::mem::replace(&mut before, self.margin.clone());
            format!("{before}{}", terminal.text(text)).trim_end().to_owned()
        };
        wrap_text(&self.text, room).iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_laid_out_for_its_terminal() {
        let mut below = Page::default();
        below.paragraph("- ", "a text that is too long");
        let mut page = Page::default();
        page.title("First");
        page.rows_with(Fit::Cut, [(vec![Cell::plain("a"), Cell::plain("x")], below)]);
        page.title("Second");
        let row = |number: &str| vec![Cell::amount(Style::Plain, number), Cell::plain("thing")];
        page.table(&["number", "what"], vec![row("7"), row("12")], Fit::Wrap);
        page.facts([("one", "1".into()), ("none", "".into()), ("three", "3".into())]);
        let mut outer = Page::default();
        outer.indented(2, page);
        let expected = "  First\n  a  x\n  - a text that\n    is too long\n\n  Second\n  number  what\n       7  thing\n      \
                        12  thing\n  one    1\n  three  3";
        assert_eq!(outer.lines(&Terminal::plain(17)).join("\n"), expected);
    }
}
