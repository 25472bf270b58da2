//! Names of things that outlive a process: sessions, answers, calls.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The client's id of a session. Never empty, at most 200 characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(String);

impl SessionId {
    /// The session of events whose client names none: they are recorded together.
    pub const UNNAMED: &'static str = "unnamed";

    /// The client's id, within bounds: an empty one becomes [`Self::UNNAMED`], a
    /// long one is cut, because it ends up in a file name.
    #[must_use]
    pub fn new(id: &str) -> SessionId {
        let id = id.trim();
        if id.is_empty() {
            return SessionId(Self::UNNAMED.to_owned());
        }
        SessionId(id.chars().take(200).collect())
    }

    /// The id as the client wrote it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The id of one answer, short enough to be typed: `flyball explain 4k7q2m8x`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AnswerId(String);

impl AnswerId {
    // Without the letters that read as digits, so that an id survives being read out.
    const ALPHABET: &'static [u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

    /// An id out of a number that is new for each answer (a mix of clock and process).
    #[must_use]
    pub fn from_seed(seed: u64) -> AnswerId {
        // Neighbouring seeds must not give neighbouring ids: finalizer of splitmix64.
        let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let letter = |place: u32| {
            let index = (mixed >> (place * 5)) & 31;
            let index = usize::try_from(index).unwrap_or_default();
            char::from(Self::ALPHABET.get(index).copied().unwrap_or(b'0'))
        };
        AnswerId((0..8).map(letter).collect())
    }

    /// An id that was read from the store or typed by a person.
    #[must_use]
    pub fn parse(text: &str) -> AnswerId {
        AnswerId(text.trim().to_ascii_lowercase())
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AnswerId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// What makes two arrivals the same call: two registrations of flyball, or a second client that
/// executes the first one's settings, send the very same event twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallKey(u64);

impl CallKey {
    /// The key of a payload: a 64-bit FNV-1a of its bytes.
    #[must_use]
    pub fn from_payload(payload: &[u8]) -> CallKey {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        // Eight bytes at a time: a 1 MB payload would otherwise cost a millisecond.
        let (words, rest) = payload.as_chunks::<8>();
        for word in words {
            hash = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(0x0100_0000_01b3);
            // A multiplication carries only upwards; this lets the high bytes of a word reach the low bits.
            hash ^= hash >> 29;
        }
        for byte in rest {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        CallKey(hash ^ payload.len() as u64)
    }

    /// The number, for the store.
    #[must_use]
    pub fn as_u64(self) -> u64 {
        self.0
    }
}
