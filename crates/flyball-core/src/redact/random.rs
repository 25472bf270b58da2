//! Whether a text was drawn by lot or written by somebody.

/// The shortest text that can be told apart.
const LEAST: usize = 20;

/// The shortest part of a token that mixes letters and digits.
const LEAST_MIXED: usize = 16;

/// Whether some part of it, between `_`, `-` and dots, is long and has both letters and digits: names in code are
/// made of short words.
pub(super) fn is_mixed(text: &[u8]) -> bool {
    let mixes = |part: &[u8]| {
        part.len() >= LEAST_MIXED
            && part.iter().any(u8::is_ascii_digit)
            && part.iter().any(u8::is_ascii_alphabetic)
    };
    text.split(|byte| !byte.is_ascii_alphanumeric()).any(mixes)
}

/// Whether its letters and digits look drawn by lot. Hashes do too, and are everywhere: what has only hexadecimal
/// digits does not count, nor does a UUID.
pub(super) fn is_random(text: &[u8]) -> bool {
    if text.len() < LEAST || text.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-') {
        return false;
    }
    let (mut changes, mut digits, mut letters, mut seen) = (0, 0, 0, 0_u128);
    let mut last = Class::Other;
    for byte in text {
        let class = Class::of(*byte);
        match class {
            Class::Digit => digits += 1,
            Class::Lower | Class::Upper => letters += 1,
            // Says nothing: base64 has it, and so have paths.
            Class::Other => continue,
        }
        changes += usize::from(class != last);
        last = class;
        seen |= 1 << (byte & 0x7f);
    }
    // Of 62 characters drawn by lot, three in five neighbours are of another kind; in names and words one in six.
    digits >= 2 && letters >= 4 && changes * 4 >= text.len() && seen.count_ones() as usize >= LEAST / 2
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Other,
}

impl Class {
    const fn of(byte: u8) -> Class {
        match byte {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            _ => Class::Other,
        }
    }
}
