//! How things look on a terminal: tables, times, recorded events, pages.
//!
//! Everything here makes text out of values; only [`Terminal`](crate::terminal::Terminal) prints.

mod columns;
pub(crate) mod diff;
pub(crate) mod markdown;
mod page;
pub(crate) mod payload;
pub(crate) mod record;
pub(crate) mod text;
pub(crate) mod time;
pub(crate) mod toml;
pub(crate) mod visible;

pub(crate) use flyball_board::table::{Cell, Row, Text};

pub(crate) use columns::{Columns, column_titles, shown, table};
pub(crate) use page::{Fit, Page};
