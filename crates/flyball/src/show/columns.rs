//! Rows of cells, aligned; the last column takes the room that is left.

use super::text::{cut, width, wrap};
use crate::terminal::{Style, Terminal};

/// What stands between two columns.
const GAP: &str = "  ";

/// Narrower than this the last column is of no use, so the line is let run over instead.
const MIN_WIDTH: usize = 20;

/// One cell of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    text: String,
    style: Style,
    side: Side,
}

/// The side of its column that a cell stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Cell {
    /// A cell that looks like what it is.
    pub(crate) fn new(style: Style, text: impl Into<String>) -> Cell {
        Cell { text: text.into(), style, side: Side::Left }
    }

    /// A cell whose texts are compared by their ends: amounts, times.
    pub(crate) fn amount(style: Style, text: impl Into<String>) -> Cell {
        Cell { side: Side::Right, ..Cell::new(style, text) }
    }

    /// A cell without any decoration.
    pub(crate) fn plain(text: impl Into<String>) -> Cell {
        Cell::new(Style::Plain, text)
    }
}

/// The cells of one line.
pub(crate) type Row = Vec<Cell>;

/// How wide each column is, and how wide a line may be.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    widths: Vec<usize>,
    limit: usize,
}

impl Columns {
    /// Columns that hold these rows, in lines of at most `limit`.
    pub(crate) fn fit<'a>(rows: impl IntoIterator<Item = &'a Row>, limit: usize) -> Columns {
        let mut columns = Columns { widths: Vec::new(), limit };
        columns.widen(rows);
        columns
    }

    /// Makes room for more rows.
    pub(crate) fn widen<'a>(&mut self, rows: impl IntoIterator<Item = &'a Row>) {
        for row in rows {
            self.widths.resize(self.widths.len().max(row.len()), 0);
            for (widest, cell) in self.widths.iter_mut().zip(row) {
                *widest = (*widest).max(width(&cell.text));
            }
        }
    }

    /// One row as a line; what has no room in it is cut.
    pub(crate) fn line(&self, row: &Row, terminal: &Terminal) -> String {
        let (mut line, indent) = self.all_but_last(row, terminal);
        if let Some(last) = row.last() {
            let room = self.limit.saturating_sub(indent).max(MIN_WIDTH);
            line.push_str(&terminal.paint(last.style, &cut(&last.text, room)));
        }
        line.truncate(line.trim_end().len());
        line
    }

    /// One row, its last cell wrapped into as many lines as it needs.
    pub(crate) fn lines(&self, row: &Row, terminal: &Terminal) -> Vec<String> {
        let (line, indent) = self.all_but_last(row, terminal);
        let Some(last) = row.last() else { return vec![line] };
        let room = self.limit.saturating_sub(indent).max(MIN_WIDTH);
        let mut start = line;
        let mut lines = Vec::new();
        for text in wrap(&last.text, room) {
            let before = std::mem::replace(&mut start, " ".repeat(indent));
            lines.push(format!("{before}{}", terminal.paint(last.style, &text)));
        }
        lines
    }

    /// The columns before the last, and how wide they are.
    fn all_but_last(&self, row: &Row, terminal: &Terminal) -> (String, usize) {
        let mut line = String::new();
        let mut used = 0;
        let before = row.len().saturating_sub(1);
        for (cell, widest) in row.iter().take(before).zip(&self.widths) {
            let padding = " ".repeat(widest.saturating_sub(width(&cell.text)));
            let painted = terminal.paint(cell.style, &cell.text);
            match cell.side {
                Side::Left => line.extend([painted.as_str(), &padding, GAP]),
                Side::Right => line.extend([&padding, painted.as_str(), GAP]),
            }
            used += widest + GAP.len();
        }
        (line, used)
    }
}

/// A table with a head: its lines.
pub(crate) fn table(head: &[&str], rows: Vec<Row>, terminal: &Terminal) -> Vec<String> {
    let head: Row = head.iter().map(|title| Cell::new(Style::Faint, *title)).collect();
    let rows: Vec<Row> = std::iter::once(head).chain(rows).collect();
    let columns = Columns::fit(&rows, terminal.line_limit());
    rows.iter().flat_map(|row| columns.lines(row, terminal)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let row = |cells: [&str; 3]| cells.iter().map(|text| Cell::plain(*text)).collect();
        vec![row(["a", "long one", "x"]), row(["bbb", "", "a text that is longer than there is room"])]
    }

    #[test]
    fn columns_are_aligned_and_the_last_is_cut_to_the_line() {
        let columns = Columns::fit(&rows(), 40);
        let lines: Vec<String> = rows().iter().map(|row| columns.line(row, &Terminal::plain(40))).collect();
        assert_eq!(lines, ["a    long one  x", "bbb            a text that is longer th…"]);
        let wrapped: Vec<String> =
            rows().iter().flat_map(|row| columns.lines(row, &Terminal::plain(40))).collect();
        let rest = "               than there is room";
        assert_eq!(wrapped, ["a    long one  x", "bbb            a text that is longer", rest]);
    }

    #[test]
    fn amounts_end_where_their_column_ends() {
        let row = |text: &str| vec![Cell::amount(Style::Plain, text), Cell::plain("x")];
        let rows = [row("9 µs"), row("12 µs")];
        let columns = Columns::fit(&rows, 40);
        let lines: Vec<String> = rows.iter().map(|row| columns.line(row, &Terminal::plain(40))).collect();
        assert_eq!(lines, [" 9 µs  x", "12 µs  x"]);
    }

    #[test]
    fn an_empty_last_cell_leaves_no_blanks_behind() {
        let row = vec![Cell::plain("a"), Cell::plain("")];
        assert_eq!(Columns::fit([&row], 40).line(&row, &Terminal::plain(40)), "a");
    }
}
