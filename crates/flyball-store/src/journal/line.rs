//! One line of a journal: `<checksum> <json>`, and the header above them all.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use flyball_core::event::EventKind;
use flyball_core::record::Record;
use flyball_core::time;
use flyball_core::uptime::worked_between;
use flyball_core::verdict::Stance;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::chain::Link;
use crate::error::StoreError;

/// The format that this program writes.
const VERSION: u32 = 2;

/// The first line of a journal.
pub(crate) const HEADER: &[u8] = b"flyball-journal 2\n";

/// The first line of a journal from before there were chains. It is as long, so that it can become
/// the other in place.
pub(crate) const HEADER_1: &[u8] = b"flyball-journal 1\n";

const FORMAT: &str = "flyball-journal ";

/// The place of a line in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place(
    pub(crate) u64,
    /// Its length, without the line feed.
    pub(crate) usize,
);

/// What the first bytes of a journal are.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Header {
    Known,
    /// From before there were chains. It is read like any other; the next writer brings the
    /// header up to date, since a program that knows no links would break the chain.
    Older,
    /// A newer format.
    Newer(u32),
    /// The beginning of our header, and nothing after it.
    CutShort,
    Damaged,
}

impl Header {
    /// The error for a journal in a newer format.
    pub(crate) fn newer(path: &Path, found: u32) -> StoreError {
        StoreError::NewerJournal { path: path.to_owned(), found, known: VERSION }
    }

    pub(crate) fn read(start: &[u8]) -> Header {
        if start.starts_with(HEADER) {
            return Header::Known;
        }
        if start.starts_with(HEADER_1) {
            return Header::Older;
        }
        // After the known headers: a writer was killed while it wrote this one, and nothing is lost.
        if HEADER.starts_with(start) {
            return Header::CutShort;
        }
        let first = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let version = std::str::from_utf8(first).ok().and_then(|line| line.strip_prefix(FORMAT));
        match version.and_then(|version| version.parse().ok()) {
            Some(version) if version > VERSION => Header::Newer(version),
            _ => Header::Damaged,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct Draft<'a> {
    /// The number of the record, or of the last one before a line without.
    pub(crate) seq: u64,
    /// Where the state that this line does not set was last set.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) state: &'a BTreeMap<String, Place>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) set: &'a BTreeMap<String, String>,
    #[serde(skip_serializing_if = "<[Call]>::is_empty")]
    pub(crate) recent: &'a [Call],
    pub(crate) work: WorkTime,
    /// Written by hand, behind the rest: the line must have the very text that was hashed.
    #[serde(skip)]
    pub(crate) record: Option<Chained<'a>>,
    /// The link of this record, or of the last one before a line without.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) link: Option<Link>,
}

/// A record as it was hashed.
pub(crate) struct Chained<'a> {
    /// Its JSON, without the payload.
    pub(crate) text: &'a str,
    pub(crate) payload: Option<&'a str>,
}

impl Draft<'_> {
    /// Appends the line, with its line feed, to `out`.
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        let start = out.len();
        // Room for the checksum, which is known only when the rest is written.
        out.extend_from_slice(b"00000000 ");
        serde_json::to_writer(&mut *out, self)?;
        if let Some(record) = &self.record {
            // Opened again for the record, whose text must not go through the serialiser a second time.
            out.pop_if(|byte| *byte == b'}');
            record.write(out)?;
            out.push(b'}');
        }
        let (frame, json) = out.split_at_mut_checked(start + 9).unwrap_or_default();
        let sum = format!("{:08x}", short_checksum(json));
        if let Some(place) = frame.get_mut(start..start + 8) {
            place.copy_from_slice(sum.as_bytes());
        }
        out.push(b'\n');
        Ok(())
    }
}

impl Chained<'_> {
    fn write(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        out.extend_from_slice(b",\"record\":");
        out.extend_from_slice(self.text.as_bytes());
        if let Some(payload) = self.payload {
            out.extend_from_slice(b",\"payload\":");
            serde_json::to_writer(&mut *out, payload)?;
        }
        Ok(())
    }
}

/// What is read of a line on the hot path: all but the record.
#[derive(Deserialize)]
pub(crate) struct Line<'a> {
    pub(crate) seq: u64,
    #[serde(default)]
    pub(crate) state: BTreeMap<String, Place>,
    // Borrowed and unparsed: an event reads one or two of the keys, and the values can be long.
    #[serde(default, borrow)]
    pub(crate) set: BTreeMap<String, &'a RawValue>,
    #[serde(default)]
    pub(crate) recent: Vec<Call>,
    /// None in a line from before it was counted.
    #[serde(default)]
    pub(crate) work: WorkTime,
    #[serde(default)]
    pub(crate) link: Option<Link>,
}

/// A call, and when it was recorded. Each line names those of the last moments, so that the last
/// line is enough to know a call that comes twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Call(
    /// How long the machine was awake then: the clock may be set between two arrivals of a call. Older versions wrote
    /// the time of the record, which is near no uptime.
    #[serde(with = "time::micros")]
    pub(crate) Duration,
    /// The call and the kind of event, in one number.
    pub(crate) u64,
);

impl Call {
    pub(crate) fn from_record(record: &Record, awake: Duration) -> Call {
        // With the kind: a payload need not name its event.
        Call(awake, record.call.as_u64() ^ checksum(record.kind.name().as_bytes()))
    }
}

/// How long was worked in a session, up to a line of its journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkTime(
    /// How long the machine was awake then.
    #[serde(with = "time::millis")]
    Duration,
    /// How long was worked.
    #[serde(with = "time::millis")]
    Duration,
    /// Whether nobody works until the next line: the turn or the session ended.
    bool,
);

impl WorkTime {
    /// Up to now.
    pub(crate) fn until(self, awake: Duration) -> Duration {
        let WorkTime(before, worked, is_idle) = self;
        // The first line of a session begins to count.
        let counts = !is_idle && self != WorkTime::default();
        worked + if counts { worked_between(before, awake) } else { Duration::ZERO }
    }

    /// With the line that is written now.
    pub(crate) fn next(self, awake: Duration, record: Option<&Record>) -> WorkTime {
        let ends_turn = |record: &Record| {
            matches!(record.kind, EventKind::Stop | EventKind::SessionEnd) && record.stance != Stance::Deny
        };
        WorkTime(awake, self.until(awake), record.is_some_and(ends_turn))
    }

    /// With a line for what happened earlier and had to wait: what came after it is counted already.
    pub(crate) fn next_late(self, awake: Duration, record: &Record) -> WorkTime {
        if awake < self.0 { self } else { self.next(awake, Some(record)) }
    }
}

impl<'a> Line<'a> {
    /// Reads a line, given without its line feed. `None` if it is not what was written.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Line<'a>> {
        serde_json::from_slice(strip_frame(bytes)?).ok()
    }

    /// The text that this line sets for a key.
    pub(crate) fn value(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.set.get(key)?.get()).ok()
    }

    /// The values that a line sets, by their keys; `None` if it is damaged.
    pub(crate) fn values(bytes: &[u8]) -> Option<BTreeMap<String, Box<RawValue>>> {
        let line = Line::read(bytes)?;
        Some(line.set.into_iter().map(|(key, value)| (key, value.to_owned())).collect())
    }
}

/// A line with that JSON, and its line feed.
pub(crate) fn frame(json: &[u8]) -> Vec<u8> {
    let mut line = format!("{:08x} ", short_checksum(json)).into_bytes();
    line.extend_from_slice(json);
    line.push(b'\n');
    line
}

/// The JSON in a line, if its checksum is right.
pub(crate) fn strip_frame(line: &[u8]) -> Option<&[u8]> {
    let (sum, json) = line.split_at_checked(9)?;
    let sum = std::str::from_utf8(sum).ok()?.strip_suffix(' ')?;
    (u32::from_str_radix(sum, 16) == Ok(short_checksum(json))).then_some(json)
}

fn short_checksum(bytes: &[u8]) -> u32 {
    let sum = checksum(bytes);
    u32::try_from((sum ^ (sum >> 32)) & 0xffff_ffff).unwrap_or_default()
}

/// A checksum against torn lines and flipped bits, not against tampering. Part of the format.
///
/// Not a CRC: its tables or the detection of its instruction would cost more than the line.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut sum = (bytes.len() as u64).wrapping_mul(PRIME);
    let mut mix = |word: u64| {
        sum = (sum ^ word).wrapping_mul(PRIME);
        sum ^= sum >> 29;
    };
    let (words, rest) = bytes.as_chunks::<8>();
    words.iter().for_each(|word| mix(u64::from_le_bytes(*word)));
    rest.iter().for_each(|byte| mix(u64::from(*byte)));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_never_changes() {
        assert_eq!(format!("{:016x}", checksum(b"")), "0000000000000000");
        assert_eq!(format!("{:016x}", checksum(b"flyball governor")), "2c62d0055eaaaf9c");
    }

    #[test]
    fn headers_are_recognised() {
        let cases: [(&[u8], Header); 8] = [
            (b"flyball-journal 2\n0123", Header::Known),
            (b"flyball-journal 1\n0123", Header::Older),
            (b"flyball-journal 3\n", Header::Newer(3)),
            (b"flyball-journal 12\n", Header::Newer(12)),
            (b"flyball-j", Header::CutShort),
            (b"", Header::CutShort),
            (b"flyball-journal x\n", Header::Damaged),
            (b"\0\0\0\0", Header::Damaged),
        ];
        for (start, expected) in cases {
            assert_eq!(Header::read(start), expected, "{start:?}");
        }
    }

    #[test]
    fn any_flipped_bit_is_noticed() {
        let set = BTreeMap::from([("loop.state".to_owned(), "{\"phase\":\"review\"}".to_owned())]);
        let mut out = Vec::new();
        Draft {
            seq: 7,
            state: &BTreeMap::new(),
            set: &set,
            recent: &[],
            work: WorkTime::default(),
            record: None,
            link: None,
        }
        .write(&mut out)
        .unwrap();
        assert_eq!(out.pop(), Some(b'\n'));
        assert_eq!(Line::read(&out).unwrap().value("loop.state").unwrap(), set["loop.state"]);
        for at in 0..out.len() * 8 {
            // A flip of the case of a hexadecimal digit changes nothing.
            let mut bad = out.clone();
            bad[at / 8] ^= 1 << (at % 8);
            assert!(strip_frame(&bad).is_none() || bad[..8].eq_ignore_ascii_case(&out[..8]), "bit {at}");
        }
    }
}
