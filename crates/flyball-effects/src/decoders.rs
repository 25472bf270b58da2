//! What decoders make of a text: `base64 -d`, `xxd -r -p`, `bytes.fromhex`.

/// Decodes base64, if the result is text.
pub(super) fn base64(encoded: &str) -> Option<String> {
    String::from_utf8(base64_bytes(encoded)?).ok()
}

/// The same with two bytes for each letter, as PowerShell has it.
pub(super) fn base64_utf16(encoded: &str) -> Option<String> {
    let bytes = base64_bytes(encoded)?;
    let (pairs, _) = bytes.as_chunks::<2>();
    let letters: Vec<u16> = pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
    String::from_utf16(&letters).ok()
}

fn base64_bytes(encoded: &str) -> Option<Vec<u8>> {
    let (mut bits, mut bit_count, mut bytes) = (0u32, 0u32, Vec::new());
    for byte in encoded.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            // The alphabet for URLs too: what the tool would refuse is shown in addition, nothing is hidden.
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        bit_count += 6;
        if bit_count >= 8 {
            bit_count -= 8;
            bytes.push(u8::try_from((bits >> bit_count) & 0xff).ok()?);
        }
    }
    Some(bytes)
}

/// Decodes hexadecimal digits, if the result is text.
pub(super) fn hexadecimal(encoded: &str) -> Option<String> {
    let digits: Vec<u32> = encoded
        .chars()
        .filter(|letter| !letter.is_ascii_whitespace())
        .map(|letter| letter.to_digit(16))
        .collect::<Option<_>>()?;
    let byte = |pair: &[u32]| match pair {
        [high, low] => u8::try_from(high * 16 + low).ok(),
        _ => None,
    };
    String::from_utf8(digits.chunks(2).map(byte).collect::<Option<_>>()?).ok()
}

/// Every letter moved by half the alphabet.
pub(super) fn rotated(text: &str) -> String {
    let turn = |letter: char| match letter {
        'a'..='m' | 'A'..='M' => char::from_u32(u32::from(letter) + 13).unwrap_or(letter),
        'n'..='z' | 'N'..='Z' => char::from_u32(u32::from(letter) - 13).unwrap_or(letter),
        other => other,
    };
    text.chars().map(turn).collect()
}
