//! Turns bytes and units of UTF-16 into characters, which is what people and editors count.

use std::collections::BTreeMap;

use super::{RawFinding, RawOutput};
use crate::linter::Columns;

/// Changes the columns of findings from the linter's unit to characters.
pub(super) fn count_characters(unit: Columns, found: &mut [RawFinding], output: RawOutput<'_>) {
    if unit == Columns::Characters {
        return;
    }
    let mut sources: BTreeMap<String, Option<String>> = BTreeMap::new();
    // The first column is the same in every unit.
    for raw in found.iter_mut().filter(|raw| raw.column > 1) {
        let Some(file) = &raw.file else { continue };
        let source = sources.entry(file.clone()).or_insert_with(|| (output.source)(file));
        let row = (raw.line as usize).checked_sub(1);
        let line = row.zip(source.as_ref()).and_then(|(row, text)| text.split('\n').nth(row));
        raw.column = line.map_or(raw.column, |line| characters(line, raw.column, unit));
    }
}

/// The column in characters, from 1. One behind the end of the line stays behind it.
fn characters(line: &str, column: u32, unit: Columns) -> u32 {
    let width = |one: char| match unit {
        Columns::Characters => 1,
        Columns::Bytes => one.len_utf8(),
        Columns::Utf16 => one.len_utf16(),
    };
    let (mut left, mut before) = (column.saturating_sub(1) as usize, 0u32);
    for one in line.chars() {
        if left < width(one) {
            break;
        }
        left -= width(one);
        before += 1;
    }
    before + 1
}

/// The line and the column in characters of a byte, both from 1. One behind the end is at the end.
pub(super) fn place(text: &str, offset: usize) -> (u32, u32) {
    let (mut line, mut column) = (1, 1);
    // An offset inside a letter is at that letter.
    for (_, one) in text.char_indices().take_while(|(at, one)| at + one.len_utf8() <= offset) {
        (line, column) = if one == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defect_23_columns_are_counted_in_characters_whatever_the_linter_counts() {
        for (unit, column, expected) in [
            (Columns::Characters, 5, 5),
            (Columns::Bytes, 10, 5),
            (Columns::Utf16, 6, 5),
            (Columns::Bytes, 1, 1),
            (Columns::Bytes, 4, 2),
            (Columns::Utf16, 99, 6),
        ] {
            assert_eq!(characters("ä😀é|e", column, unit), expected, "{unit:?} {column}");
        }
    }

    #[test]
    fn a_byte_has_a_line_and_a_column() {
        for (offset, expected) in [(0, (1, 1)), (2, (1, 2)), (3, (2, 1)), (4, (2, 2)), (99, (2, 2))] {
            assert_eq!(place("ä\nx", offset), expected, "{offset}");
        }
    }
}
