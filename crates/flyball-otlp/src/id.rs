//! Ids of traces and spans. They are computed from what they name, so that sending twice creates no duplicates.

/// The id of the trace of a session.
pub(crate) fn trace(client: &str, session: &str) -> Vec<u8> {
    let sum = fnv1a(&["trace", client, session]);
    // The constant makes the halves differ, should the two words of the sum ever be the same.
    let halves = [finished((sum >> 64) as u64), finished(sum as u64 ^ 0x5bd1_e995)];
    halves.iter().flat_map(|half| half.to_be_bytes()).collect()
}

/// The id of a span in a session: what it is (`hook`, `turn` …) and which one.
pub(crate) fn span(session: (&str, &str), what: &str, which: &str) -> Vec<u8> {
    let sum = fnv1a(&["span", session.0, session.1, what, which]);
    finished((sum >> 64) as u64 ^ sum as u64).to_be_bytes().to_vec()
}

/// A number that identifies a text without showing it.
pub(crate) fn hash(text: &str) -> u64 {
    let sum = fnv1a(&[text]);
    finished((sum >> 64) as u64 ^ sum as u64)
}

/// FNV-1a of 128 bits over the parts, each with its end.
fn fnv1a(parts: &[&str]) -> u128 {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    // 0x100 is no byte: `ab`, `c` and `a`, `bc` differ.
    let bytes = parts.iter().flat_map(|part| part.bytes().map(u128::from).chain([0x100]));
    bytes.fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |sum, byte| (sum ^ byte).wrapping_mul(PRIME))
}

/// The finalizer of splitmix64. Never 0, which OpenTelemetry takes for no id.
fn finished(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (word ^ (word >> 31)).max(1)
}
