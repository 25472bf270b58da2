//! A table of a report, before anyone has decided how it looks.

/// One table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its heading.
    pub title: &'static str,
    /// What it shows, in a sentence.
    pub lead: &'static str,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What is said if there are none.
    pub empty: &'static str,
}

/// One column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub title: &'static str,
    /// Whether its cells are amounts, which stand at the right.
    pub is_amount: bool,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// One for each column.
    pub cells: Vec<Cell>,
    /// What to know and to do about it: a label, and what it is.
    pub details: Vec<(&'static str, Cell)>,
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Our own words.
    Words(String),
    /// Words with an answer's colour.
    Stance(&'static str, String),
    /// Text from a record: it may be anything.
    Code(String),
    /// A number of things; nought is shown as nothing.
    Count(u64),
    /// A length of time.
    Micros(Option<u64>),
    /// A moment.
    At(i64),
    /// Commands to be typed.
    Commands(Vec<String>),
}
