//! What code given to an interpreter is seen to do.

mod harmful;
mod harmless;
mod laws;
mod lines;
mod render;

use super::read;
use crate::model::FileAct;
use render::render;

#[test]
fn harmless_code_does_nothing_but_read() {
    let wrong: Vec<String> = harmless::ROWS
        .iter()
        .filter_map(|(language, code)| {
            let reading = read(*language, code);
            let only_reads = reading
                .acts
                .iter()
                .all(|act| matches!(act, crate::model::CodeAct::File { act: FileAct::Read, .. }));
            let is_right = only_reads && !reading.is_opaque;
            (!is_right).then(|| format!("{language:?}: {code}\n  {}", render(&reading).join("\n  ")))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_of_the_table_holds() {
    let wrong: Vec<String> = harmful::ROWS
        .iter()
        .filter_map(|(language, code, expected)| {
            let actual = render(&read(*language, code));
            (actual != *expected).then(|| format!("{language:?}: {code}\n  {}", actual.join("\n  ")))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_tables_are_long_and_mostly_harmless() {
    let harmless = harmless::ROWS.len() + lines::HARMLESS.len();
    let harmful = harmful::ROWS.len();
    assert!(harmless >= 120 && harmless > harmful && harmful >= 100, "{harmless} {harmful}");
}
