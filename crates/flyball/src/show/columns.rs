//! Rows of cells, aligned; the last column takes the room that is left.

use flyball_board::table::{Cell, Row, Style, Text};
use flyball_core::text;
use jiff::Zoned;

use super::text::{cut_text, one_line, text_width, wrap_painted, wrap_text};
use super::time;
use crate::terminal::Terminal;

const GAP: &str = "  ";

/// A narrower last column is of no use: the last cell goes below the others instead.
const MIN_WIDTH: usize = 20;

/// How far a last cell below the others is indented.
const BELOW: usize = 4;

/// How wide each column is, and how wide a line may be.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    widths: Vec<usize>,
    limit: usize,
}

impl Columns {
    /// Columns as wide as the cells of these rows, in lines of at most `limit`.
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
                *widest = (*widest).max(text_width(&shown(cell)));
            }
        }
    }

    /// One row as a line; the last cell is cut if there is no room.
    pub(crate) fn line(&self, row: &Row, terminal: &Terminal) -> String {
        if self.is_narrow() {
            return self.stacked(row, terminal, |last, room| vec![cut_text(last, room)]).join("\n");
        }
        let Start { mut line, width } = self.start(row, terminal);
        if let Some(last) = row.last() {
            line.push_str(&terminal.text(&cut_text(&shown(last), self.room(width))));
        }
        line.truncate(line.trim_end().len());
        line
    }

    /// One row, its last cell wrapped into as many lines as it needs.
    pub(crate) fn lines(&self, row: &Row, terminal: &Terminal) -> Vec<String> {
        if self.is_narrow() {
            return self.stacked(row, terminal, wrap_text);
        }
        let Start { mut line, width } = self.start(row, terminal);
        let last = row.last().map(shown).unwrap_or_default();
        let mut lines = Vec::new();
        for text in wrap_text(&last, self.room(width)) {
            let before = std::mem::replace(&mut line, " ".repeat(width));
            lines.push(format!("{before}{}", terminal.text(&text)).trim_end().to_owned());
        }
        lines
    }

    /// Whether the columns before the last leave no room for it.
    fn is_narrow(&self) -> bool {
        let Some((last, before)) = self.widths.split_last() else { return false };
        let used: usize = before.iter().map(|width| width + GAP.len()).sum();
        !before.is_empty() && self.limit.saturating_sub(used) < (*last).min(MIN_WIDTH)
    }

    /// The cells without columns, the last one below the others.
    fn stacked(
        &self,
        row: &Row,
        terminal: &Terminal,
        fit: impl Fn(&Text, usize) -> Vec<Text>,
    ) -> Vec<String> {
        let before = row.iter().take(row.len().saturating_sub(1)).map(shown).filter(|text| !text.is_empty());
        let before: Vec<String> = before.map(|text| terminal.text(&text)).collect();
        let last = row.last().map(shown).filter(|last| !last.is_empty()).unwrap_or_default();
        let whole =
            wrap_painted(&[before.clone(), vec![terminal.text(&last)]].concat().join(GAP), self.limit);
        if whole.len() == 1 {
            return whole.into_iter().map(|line| line.trim_end().to_owned()).collect();
        }
        let mut lines = wrap_painted(&before.join(GAP), self.limit);
        let below = fit(&last, self.limit.saturating_sub(BELOW));
        let below = below.iter().filter(|text| !text.is_empty());
        lines.extend(below.map(|text| format!("{}{}", " ".repeat(BELOW), terminal.text(text))));
        lines
    }

    fn room(&self, used: usize) -> usize {
        self.limit.saturating_sub(used).max(MIN_WIDTH)
    }

    fn start(&self, row: &Row, terminal: &Terminal) -> Start {
        let mut start = Start { line: String::new(), width: 0 };
        let before = row.len().saturating_sub(1);
        for (cell, widest) in row.iter().take(before).zip(&self.widths) {
            let text = shown(cell);
            let padding = " ".repeat(widest.saturating_sub(text_width(&text)));
            let painted = terminal.text(&text);
            match cell.is_amount() {
                false => start.line.extend([painted.as_str(), &padding, GAP]),
                true => start.line.extend([&padding, painted.as_str(), GAP]),
            }
            start.width += widest + GAP.len();
        }
        start
    }
}

/// The columns of a line before the last.
struct Start {
    line: String,
    width: usize,
}

/// A cell as a terminal shows it.
pub(crate) fn shown(cell: &Cell) -> Text {
    match cell {
        Cell::Words(text) | Cell::Amount(text) => text.clone(),
        Cell::Code(text) => one_line(text).into(),
        Cell::Count(0) | Cell::Took(None) => Style::Faint.text("–"),
        Cell::Count(count) => text::grouped(&count.to_string(), ' ').into(),
        Cell::Took(Some(took)) => time::took(*took).into(),
        Cell::At(at) => Style::Faint.text(format!("{} ago", time::ago(*at, &Zoned::now()))),
        Cell::Commands(commands) => Style::Accent.text(commands.join(", ")),
    }
}

/// The titles of columns, aligned like the cells below them.
pub(crate) fn column_titles(titles: &[&str], rows: &[Row]) -> Row {
    let is_amount = |place: usize| rows.iter().any(|row| row.get(place).is_some_and(Cell::is_amount));
    let title = |(place, title): (usize, &&str)| {
        let text = Style::Faint.text(*title);
        if is_amount(place) { Cell::Amount(text) } else { Cell::Words(text) }
    };
    titles.iter().enumerate().map(title).collect()
}

/// The lines of a table with column titles.
pub(crate) fn table(titles: &[&str], rows: Vec<Row>, terminal: &Terminal) -> Vec<String> {
    let rows: Vec<Row> = std::iter::once(column_titles(titles, &rows)).chain(rows).collect();
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
    fn without_room_the_last_cell_goes_below_the_others() {
        let columns = Columns::fit(&rows(), 24);
        let terminal = Terminal::plain(24);
        let wrapped: Vec<String> = rows().iter().flat_map(|row| columns.lines(row, &terminal)).collect();
        assert_eq!(
            wrapped,
            ["a  long one  x", "bbb", "    a text that is", "    longer than there is", "    room"]
        );
        let cut: Vec<String> = rows().iter().map(|row| columns.line(row, &terminal)).collect();
        assert_eq!(cut, ["a  long one  x", "bbb\n    a text that is long…"]);
    }

    #[test]
    fn an_empty_last_cell_leaves_no_blanks_behind() {
        let row = vec![Cell::plain("a"), Cell::plain("")];
        assert_eq!(Columns::fit([&row], 40).line(&row, &Terminal::plain(40)), "a");
    }
}
