//! What the tests of all forms share.

use super::*;

type Reader = fn(RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable>;

/// Reads a text whose files are not there.
pub(super) fn reads(reader: Reader, text: &str) -> Result<Vec<RawFinding>, Unreadable> {
    reads_with(reader, text, &|_| None)
}

/// Reads a text, with the files that it names.
pub(super) fn reads_with(
    reader: Reader,
    text: &str,
    source: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<RawFinding>, Unreadable> {
    reader(RawOutput { text, source })
}

/// A finding without a level.
pub(super) fn raw_finding(file: &str, (line, column): (u32, u32), code: &str, message: &str) -> RawFinding {
    let (code, message) = (code.to_owned(), message.to_owned());
    RawFinding { file: Some(file.to_owned()), line, column, code, message, ..RawFinding::default() }
}
