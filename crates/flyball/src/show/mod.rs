//! How things look on a terminal: tables, times, recorded events, pages.
//!
//! Everything here makes text out of values; only [`Terminal`](crate::terminal::Terminal) prints.

mod columns;
pub(crate) mod markdown;
pub(crate) mod payload;
pub(crate) mod record;
pub(crate) mod text;
pub(crate) mod time;
pub(crate) mod toml;

pub(crate) use columns::{Cell, Columns, Row, table};

use crate::terminal::{Style, Terminal};

/// What is wrong with the config, above everything that is shown under it.
pub(crate) fn config_problems<'a>(
    problems: impl IntoIterator<Item = &'a String>,
    terminal: &Terminal,
) -> Vec<String> {
    let mut lines = Vec::new();
    for problem in problems {
        let wrapped = text::wrap(&format!("config: {}", text::one_line(problem)), terminal.columns());
        lines.extend(wrapped.iter().map(|line| terminal.paint(Style::Warning, line)));
        lines.push(String::new());
    }
    lines
}
