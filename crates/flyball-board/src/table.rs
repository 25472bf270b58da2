//! Text in rows and columns, before it is known where it is shown: a terminal, Markdown or HTML.

use std::time::Duration;

use flyball_core::time::Time;

/// What a piece of text is, which decides how it looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    #[default]
    Plain,
    /// Read first: bold.
    Strong,
    /// May be skipped: dim.
    Faint,
    Good,
    /// Worth a look: yellow.
    Warning,
    /// An error or a denial: red.
    Bad,
    /// Names and commands: cyan.
    Accent,
}

impl Style {
    pub fn text(self, text: impl Into<String>) -> Text {
        Text { spans: vec![Span { style: self, text: text.into() }] }
    }
}

/// A piece of text in one style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub style: Style,
    pub text: String,
}

/// Text whose pieces have styles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    pub spans: Vec<Span>,
}

impl Text {
    /// Adds plain text at the end.
    #[must_use]
    pub fn and(self, text: impl Into<String>) -> Text {
        self.then(Style::Plain.text(text))
    }

    /// Adds another text at the end.
    #[must_use]
    pub fn then(mut self, text: Text) -> Text {
        text.spans.into_iter().for_each(|span| self.push(span.style, &span.text));
        self
    }

    /// Adds to the last piece if it has the same style.
    pub fn push(&mut self, style: Style, text: &str) {
        match self.spans.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ if text.is_empty() => {}
            _ => self.spans.push(Span { style, text: text.to_owned() }),
        }
    }

    /// The text without its styles.
    #[must_use]
    pub fn plain(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.iter().all(|span| span.text.is_empty())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Style::Plain.text(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Style::Plain.text(text)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    Words(Text),
    /// Words that end where their column ends: numbers, durations.
    Amount(Text),
    /// Text from a record: it may be anything.
    Code(String),
    /// A number of things; zero is shown as nothing.
    Count(u64),
    Took(Option<Duration>),
    At(Time),
    /// Commands to type.
    Commands(Vec<String>),
}

impl Cell {
    pub fn new(style: Style, text: impl Into<String>) -> Cell {
        Cell::Words(style.text(text))
    }

    pub fn plain(text: impl Into<String>) -> Cell {
        Cell::new(Style::Plain, text)
    }

    pub fn amount(style: Style, text: impl Into<String>) -> Cell {
        Cell::Amount(style.text(text))
    }

    /// Whether its column is aligned to the right.
    #[must_use]
    pub const fn is_amount(&self) -> bool {
        match self {
            Cell::Amount(_) | Cell::Count(_) | Cell::Took(_) => true,
            Cell::Words(_) | Cell::Code(_) | Cell::At(_) | Cell::Commands(_) => false,
        }
    }
}

/// The cells of one row, one for each column.
pub type Row = Vec<Cell>;

/// A table with a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub title: &'static str,
    /// What it shows, in a sentence.
    pub lead: &'static str,
    pub columns: Vec<&'static str>,
    pub entries: Vec<Entry>,
    /// Shown instead of an empty table.
    pub empty: &'static str,
}

impl Section {
    /// Whether the column at this place is aligned to the right.
    #[must_use]
    pub fn is_amount(&self, place: usize) -> bool {
        self.entries.iter().any(|entry| entry.row.get(place).is_some_and(Cell::is_amount))
    }
}

/// A row of a section, and what else to know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub row: Row,
    pub details: Vec<Detail>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    pub label: &'static str,
    pub cell: Cell,
}

impl From<Row> for Entry {
    fn from(row: Row) -> Entry {
        Entry { row, details: Vec::new() }
    }
}
