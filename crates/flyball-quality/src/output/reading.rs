//! Helpers for the tests of all forms.

use super::*;

type Reader = fn(RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable>;

/// Reads a text whose files do not exist.
pub(super) fn reads(reader: Reader, text: &str) -> Result<Vec<RawFinding>, Unreadable> {
    reads_with(reader, text, &|_| None)
}

/// Reads a text, with the files that it names.
pub(super) fn reads_with(
    reader: Reader,
    text: &str,
    source: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<RawFinding>, Unreadable> {
    reader(RawOutput { text, source, root: "/p" })
}

/// A place in a file.
pub(super) fn at(file: &str, line: u32, column: u32) -> RawFinding {
    RawFinding { file: Some(file.to_owned()), line, column, ..RawFinding::default() }
}

/// A finding without a level.
pub(super) fn raw_finding(at: RawFinding, code: &str, message: &str) -> RawFinding {
    RawFinding { code: code.to_owned(), message: message.to_owned(), ..at }
}
