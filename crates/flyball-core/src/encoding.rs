//! Bytes as text that is safe elsewhere: hexadecimal digits, and the percent encoding of URLs.

/// The bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect()
}

/// A text that can be one part of a URL: `a b` as `a%20b`.
#[must_use]
pub fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Decodes `%20` and the like. What is not an escape stays.
#[must_use]
pub fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escape = after.split_first_chunk::<2>().filter(|_| *first == b'%');
        let escape = escape.and_then(|(digits, behind)| Some((byte_of(*digits)?, behind)));
        let (byte, behind) = escape.unwrap_or((*first, after));
        bytes.push(byte);
        rest = behind;
    }
    bytes
}

/// The byte that two hexadecimal digits stand for.
fn byte_of(digits: [u8; 2]) -> Option<u8> {
    let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
    u8::try_from(high? * 16 + low?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_digits_are_an_escape() {
        let cases =
            [("a%20b", "a b"), ("%C3%bc", "ü"), ("%", "%"), ("%2", "%2"), ("%+5", "%+5"), ("%zz%41", "%zzA")];
        for (text, expected) in cases {
            assert_eq!(String::from_utf8(percent_decoded(text)).unwrap(), expected, "{text}");
        }
        assert_eq!(percent_encoded("a/b ü"), "a%2Fb%20%C3%BC");
        assert_eq!(hex(&[0, 0x0f, 0xa5]), "000fa5");
    }
}
