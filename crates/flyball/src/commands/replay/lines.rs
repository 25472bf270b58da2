//! Lines of a file that may be long, torn or no text at all: read one by one, none of them without bounds.

use std::io::{BufRead, Result};

/// The longest line that is read; a client writes none that is longer.
const LONGEST: usize = 64 * 1024 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// It is in the buffer, without its line feed.
    Line,
    /// It was too long and is passed over.
    TooLong,
    End,
}

/// Reads the next line into the buffer.
pub(super) fn next_line(from: &mut dyn BufRead, buffer: &mut Vec<u8>) -> Result<Next> {
    next_within(from, buffer, LONGEST)
}

fn next_within(from: &mut dyn BufRead, buffer: &mut Vec<u8>, longest: usize) -> Result<Next> {
    buffer.clear();
    let (mut is_any, mut is_long) = (false, false);
    loop {
        let available = from.fill_buf()?;
        if available.is_empty() {
            break;
        }
        is_any = true;
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
        // The rest of the line is still consumed, or its tail would be read as a line.
        is_long |= buffer.len() + part.len() > longest;
        if is_long {
            // Nothing of it is kept, also not the room it took.
            *buffer = Vec::new();
        } else {
            buffer.extend_from_slice(part);
        }
        let used = end.map_or(available.len(), |end| end + 1);
        from.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(match (is_any, is_long) {
        (false, _) => Next::End,
        (true, true) => Next::TooLong,
        (true, false) => Next::Line,
    })
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn a_line_without_bounds_is_passed_over() {
        let text = b"one\n\nmuch too long\ntwo\ntorn";
        let mut from = BufReader::with_capacity(3, &text[..]);
        let mut buffer = Vec::new();
        let mut seen = Vec::new();
        loop {
            let next = next_within(&mut from, &mut buffer, 5).unwrap();
            seen.push((next, String::from_utf8(buffer.clone()).unwrap()));
            if next == Next::End {
                break;
            }
        }
        let expected = [
            (Next::Line, "one"),
            (Next::Line, ""),
            (Next::TooLong, ""),
            (Next::Line, "two"),
            (Next::Line, "torn"),
            (Next::End, ""),
        ];
        assert_eq!(seen, expected.map(|(next, text)| (next, text.to_owned())));
    }
}
