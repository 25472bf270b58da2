//! Names whose value is a secret, and values that are none whatever their name.

/// The ends of names whose value is a secret, in lower case and with `_` for `-`.
const NAMES: &[&[u8]] = &[
    b"password",
    b"passwd",
    b"passphrase",
    b"secret",
    b"token",
    b"api_key",
    b"apikey",
    b"access_key",
    b"accesskey",
    b"private_key",
    b"privatekey",
    b"secret_key",
    b"secretkey",
    b"secret_key_base",
    b"account_key",
    b"accountkey",
    b"encryption_key",
    b"signing_key",
    b"authorization",
];

pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Words that are found in place of secrets and are none.
pub(super) fn is_filler(value: &[u8]) -> bool {
    const WORDS: &[&[u8]] = &[
        b"true",
        b"false",
        b"null",
        b"none",
        b"nil",
        b"undefined",
        b"string",
        b"str",
        b"number",
        b"int",
        b"bool",
        b"boolean",
        b"any",
        b"bytes",
    ];
    value.iter().all(|byte| *byte == b'*') || WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether a name, or what ends in one, means that its value is a secret. A number behind it does
/// not matter; a word does: `token_count`.
pub(super) fn is_secret(name: &[u8]) -> bool {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let mut name = name.get(..name.len() - digits).unwrap_or_default();
    if digits > 0 {
        name = name.strip_suffix(b"_").unwrap_or(name);
    }
    // Most names are sorted out by their last letter.
    let last = name.last().copied().unwrap_or_default().to_ascii_lowercase();
    // INVARIANT: the last letters of `NAMES`.
    matches!(last, b'd' | b'e' | b'n' | b't' | b'y') && NAMES.iter().any(|end| ends_with(name, end))
}

/// Whether it ends so, in either case and with `-` for `_`.
pub(super) fn ends_with(name: &[u8], end: &[u8]) -> bool {
    let start = name.len().checked_sub(end.len());
    let same = |(byte, expected): (&u8, &u8)| {
        byte.to_ascii_lowercase() == *expected || (*byte == b'-' && *expected == b'_')
    };
    start.and_then(|start| name.get(start..)).is_some_and(|tail| tail.iter().zip(end).all(same))
}
