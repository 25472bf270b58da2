//! The table: a name, a line, and its commands, as `render` writes them.

mod documents;
mod everyday;
mod expansions;
mod refused;
mod scripts;
mod started;
mod state;
mod structure;
mod words;
mod wrappers;
mod zsh;

/// A name, a line, and one entry for every command and everything unknown.
pub(super) type Row = (&'static str, &'static str, &'static [&'static str]);

const TABLES: [&[Row]; 11] = [
    structure::ROWS,
    zsh::ROWS,
    words::ROWS,
    expansions::ROWS,
    documents::ROWS,
    wrappers::ROWS,
    scripts::ROWS,
    started::ROWS,
    state::ROWS,
    refused::ROWS,
    everyday::ROWS,
];

pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    TABLES.into_iter().flatten()
}
