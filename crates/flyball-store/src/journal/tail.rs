//! The end of a journal: where its last whole line is found.

use std::fs::File;
use std::io;

use super::line::{Line, Place};
use flyball_files::read_at;

/// Enough for the last line, as a rule.
const FIRST_LOOK: u64 = 8 * 1024;

/// The last bytes of a journal.
pub(crate) struct Tail {
    start: u64,
    bytes: Vec<u8>,
}

impl Tail {
    /// Reads the end of a file of that length.
    pub(crate) fn read(file: &File, len: u64) -> io::Result<Tail> {
        Tail::last(file, len, FIRST_LOOK)
    }

    fn last(file: &File, len: u64, wanted: u64) -> io::Result<Tail> {
        let start = len.saturating_sub(wanted);
        let bytes = read_at(file, start, usize::try_from(len - start).unwrap_or(usize::MAX))?;
        Ok(Tail { start, bytes })
    }

    /// Reads four times as much, unless it is all there.
    pub(crate) fn grow(&mut self, file: &File) -> io::Result<bool> {
        if self.start == 0 {
            return Ok(false);
        }
        let length = self.bytes.len() as u64;
        // Four times as much each time: a long last line costs a few reads, not one for every block.
        *self = Tail::last(file, self.start + length, length * 4)?;
        Ok(true)
    }

    /// The journal as a whole, if it is that short.
    pub(crate) fn whole(&self) -> Option<&[u8]> {
        (self.start == 0).then_some(self.bytes.as_slice())
    }

    /// Whether the journal ends in the middle of a line.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.bytes.last().is_some_and(|byte| *byte != b'\n')
    }

    /// The bytes of a line, if they are among these.
    pub(crate) fn get(&self, place: Place) -> Option<&[u8]> {
        let from = usize::try_from(place.0.checked_sub(self.start)?).ok()?;
        self.bytes.get(from..from.checked_add(place.1)?)
    }

    /// The whole lines, last first. What is not whole has a wrong checksum and is left out: a
    /// damaged line, one that was cut short, and the first of the tail if it is the rest of one.
    /// A line that lacks nothing but its line feed counts, since the next writer adds that.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (Place, Line<'_>)> {
        let mut end = self.bytes.len() - usize::from(self.bytes.ends_with(b"\n"));
        std::iter::from_fn(move || {
            let rest = self.bytes.get(..end).filter(|rest| !rest.is_empty())?;
            let start = rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            end = start.saturating_sub(1);
            let bytes = rest.get(start..).unwrap_or_default();
            Some((Place(self.start + start as u64, bytes.len()), Line::read(bytes)))
        })
        .filter_map(|(place, line)| Some((place, line?)))
    }
}
