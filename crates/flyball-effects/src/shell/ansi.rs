//! Decodes `$'…'`, in which a backslash can spell any letter.

use std::iter::Peekable;
use std::str::Chars;

/// The text between `$'` and `'`; `None` if it has an invalid character.
pub(super) fn decoded(raw: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.chars().peekable();
    while let Some(letter) = rest.next() {
        if letter == '\\' {
            escape(&mut rest, &mut bytes)?;
        } else {
            push(letter, &mut bytes);
        }
    }
    // The shell passes bytes on; ours are text.
    String::from_utf8(bytes).ok()
}

fn push(letter: char, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
}

fn escape(rest: &mut Peekable<Chars>, bytes: &mut Vec<u8>) -> Option<()> {
    let Some(letter) = rest.next() else {
        bytes.push(b'\\');
        return Some(());
    };
    match letter {
        'a' => bytes.push(0x07),
        'b' => bytes.push(0x08),
        'e' | 'E' => bytes.push(0x1b),
        'f' => bytes.push(0x0c),
        'n' => bytes.push(b'\n'),
        'r' => bytes.push(b'\r'),
        't' => bytes.push(b'\t'),
        'v' => bytes.push(0x0b),
        '\\' | '\'' | '"' | '?' => push(letter, bytes),
        // `\cX` is the control character of X.
        'c' => bytes.push(u8::try_from(rest.next()?).ok()? & 0x1f),
        'x' => bytes.push(u8::try_from(number(rest, 16, 2)?).ok()?),
        'u' => push(char::from_u32(number(rest, 16, 4)?)?, bytes),
        'U' => push(char::from_u32(number(rest, 16, 8)?)?, bytes),
        '0'..='7' => {
            let first = letter.to_digit(8)?;
            let more =
                (0..2).map_while(|_| rest.next_if(|next| next.is_digit(8)).and_then(|next| next.to_digit(8)));
            // Three octal digits reach 0777; the shell uses the low eight bits.
            bytes.push((more.fold(first, |value, digit| value * 8 + digit) & 0xff) as u8);
        }
        // The shell passes an escape that it does not know on with its backslash.
        other => {
            bytes.push(b'\\');
            push(other, bytes);
        }
    }
    Some(())
}

/// Up to `most` digits; `None` without any.
fn number(rest: &mut Peekable<Chars>, base: u32, most: usize) -> Option<u32> {
    let first = rest.next_if(|next| next.is_digit(base))?.to_digit(base)?;
    let more = (1..most)
        .map_while(|_| rest.next_if(|next| next.is_digit(base)).and_then(|next| next.to_digit(base)));
    Some(more.fold(first, |value, digit| value.wrapping_mul(base).wrapping_add(digit)))
}
