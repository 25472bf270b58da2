//! The chain of a session: each record is bound to all that came before it.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

/// One link: a hash of the link before it and of what was recorded. Changing, removing or
/// reordering a record breaks every link from there on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link([u8; 32]);

impl Link {
    /// The link of a record, given the one before it; a session's first has none.
    #[must_use]
    pub fn compute(before: Option<Link>, seq: u64, record: &[u8], payload: Option<&[u8]>) -> Link {
        let mut hash = Sha256::new();
        hash.update(before.map_or([0; 32], |link| link.0));
        // The format is public (docs/audit.md): exports are verified by other programs.
        hash.update(seq.to_le_bytes());
        for part in [Some(record), payload] {
            // The length distinguishes a missing payload from an empty one, and where one part ends.
            let length = part.map_or(u64::MAX, |part| part.len() as u64);
            hash.update(length.to_le_bytes());
            hash.update(part.unwrap_or_default());
        }
        Link(hash.finalize().into())
    }

    /// The plain SHA-256 of a text: it identifies files and lines of files.
    #[must_use]
    pub fn hash_text(text: &[u8]) -> Link {
        Link(Sha256::digest(text).into())
    }

    /// The link with these bytes, as they are stored.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Link> {
        bytes.try_into().ok().map(Link)
    }

    /// The bytes, as they are stored.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digits, as journals have them. Written into each line by a hook, so not by way of a formatter.
    fn hex(&self) -> [u8; 64] {
        let mut digits = [0; 64];
        let (pairs, _) = digits.as_chunks_mut::<2>();
        for (pair, byte) in pairs.iter_mut().zip(self.0) {
            *pair = [letter(byte >> 4), letter(byte & 15)];
        }
        digits
    }

    /// The link with these 64 hexadecimal digits, as journals and exports have it.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Link> {
        let mut bytes = [0; 32];
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return None;
        }
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Some(Link(bytes))
    }
}

/// The digit with a value below sixteen.
const fn letter(value: u8) -> u8 {
    if value < 10 { b'0' + value } else { b'a' + value - 10 }
}

/// The value of a digit. Capitals are none: a link has one spelling.
const fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Link {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(std::str::from_utf8(&self.hex()).unwrap_or_default())
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Serialize for Link {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(std::str::from_utf8(&self.hex()).unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for Link {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Link, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Link::from_hex(&text).ok_or_else(|| serde::de::Error::custom("a link is 64 hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_never_change() {
        let first = Link::compute(None, 1, b"{}", None);
        let second = Link::compute(Some(first), 2, b"{}", Some(b""));
        assert_eq!(first.to_string(), "1043c836ae0e6441b7f975655630f0f5704d2e712066a446341afdd015a3be79");
        assert_eq!(second.to_string(), "9804c00f0f86b85bd341c83cb1ea952a8caad833fdf4557daeca70fe0cc3160f");
        assert_eq!(Link::from_hex(&second.to_string()), Some(second));
    }

    #[test]
    fn every_part_counts() {
        let before = Link::compute(None, 1, b"{}", None);
        let all = [
            Link::compute(None, 2, b"ab", Some(b"c")),
            Link::compute(Some(before), 2, b"ab", Some(b"c")),
            Link::compute(Some(before), 3, b"ab", Some(b"c")),
            Link::compute(Some(before), 2, b"a", Some(b"bc")),
            Link::compute(Some(before), 2, b"abc", Some(b"")),
            Link::compute(Some(before), 2, b"abc", None),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(all.iter().skip(at + 1).all(|other| other != one), "{at}");
        }
    }

    #[test]
    fn a_link_has_one_spelling() {
        let link = Link::compute(None, 1, b"{}", None).to_string();
        let cases =
            [link.to_uppercase(), link[1..].to_owned(), format!("{link}0"), format!(" {}", &link[1..])];
        for text in cases {
            assert_eq!(Link::from_hex(&text), None, "{text}");
        }
    }
}
