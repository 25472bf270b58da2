//! Prints events, one line each.

use flyball_core::outcome::Outcome;
use flyball_core::record::Record;
use jiff::Zoned;
use serde::Serialize;

use super::options::Arguments;
use crate::show::record::{Shape, row};
use crate::show::{Columns, Row};
use crate::terminal::{Reader, Terminal};

/// Below this width the line has no room for the time flyball took.
pub(super) const ROOM_FOR_TOOK: usize = 100;

/// A record as scripts read it.
#[derive(Serialize)]
struct WithOutcome<'a> {
    #[serde(flatten)]
    record: &'a Record,
    outcome: Outcome,
}

impl<'a> WithOutcome<'a> {
    const fn new(record: &'a Record) -> WithOutcome<'a> {
        WithOutcome { record, outcome: record.outcome() }
    }

    fn json(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }
}

/// Prints records the way that was asked for.
pub(super) struct Printer<'a> {
    pub(super) terminal: &'a Terminal,
    pub(super) json: bool,
    pub(super) shape: Shape,
    /// As wide as all rows so far: lines that come later keep the columns of those before.
    pub(super) columns: Columns,
}

impl<'a> Printer<'a> {
    pub(super) fn new(arguments: &Arguments, terminal: &'a Terminal) -> Printer<'a> {
        let shape =
            Shape { session: arguments.session.is_none(), took: terminal.line_limit() >= ROOM_FOR_TOOK };
        Printer { terminal, json: arguments.json, shape, columns: Columns::fit([], terminal.line_limit()) }
    }

    pub(super) fn print(&mut self, records: &[Record], now: &Zoned) -> Reader {
        if self.json {
            return self
                .terminal
                .raw_lines(records.iter().filter_map(|record| WithOutcome::new(record).json()));
        }
        let rows: Vec<Row> = records.iter().map(|record| row(record, self.shape, now)).collect();
        self.columns.widen(&rows);
        self.terminal.lines(rows.iter().map(|row| self.columns.line(row, self.terminal)))
    }
}
