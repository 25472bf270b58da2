//! What the tests of all forms share.

use super::*;

type Reader = fn(Said<'_>) -> Result<Vec<Spotted>, Unreadable>;

/// Reads a text whose files are not there.
pub(super) fn reads(reader: Reader, text: &str) -> Result<Vec<Spotted>, Unreadable> {
    reads_with(reader, text, &|_| None)
}

/// Reads a text, with the files that it names.
pub(super) fn reads_with(
    reader: Reader,
    text: &str,
    source: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Spotted>, Unreadable> {
    reader(Said { text, source })
}

/// A finding without a level.
pub(super) fn spotted(file: &str, (line, column): (u32, u32), code: &str, message: &str) -> Spotted {
    let (code, message) = (code.to_owned(), message.to_owned());
    Spotted { file: Some(file.to_owned()), line, column, code, message, ..Spotted::default() }
}
