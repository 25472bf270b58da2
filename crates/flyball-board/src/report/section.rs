//! A table of a report, before anyone has decided how it looks.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub title: &'static str,
    /// What it shows, in a sentence.
    pub lead: &'static str,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    /// What is said if there are none.
    pub empty: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub title: &'static str,
    /// Whether its cells are amounts, which stand at the right.
    pub is_amount: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// One for each column.
    pub cells: Vec<Cell>,
    /// What to know and to do about it: a label, and what it is.
    pub details: Vec<(&'static str, Cell)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    Words(String),
    /// Words with an answer's colour.
    Stance(&'static str, String),
    /// Text from a record: it may be anything.
    Code(String),
    /// A number of things; nought is shown as nothing.
    Count(u64),
    /// A length of time.
    Micros(Option<u64>),
    At(i64),
    /// Commands to be typed.
    Commands(Vec<String>),
}
