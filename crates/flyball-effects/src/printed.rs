//! What `echo` and `printf` print, where their words say it. A leading `~` stays as it is written.

use crate::model::Word;

/// What `echo` prints. Shells disagree on escapes, so text with escapes is known only behind `-e`.
pub(crate) fn echoed(arguments: &[Word]) -> Option<String> {
    let mut arguments = arguments.iter().peekable();
    let (mut newline, mut escapes) = (true, false);
    while let Some(flags) = arguments.next_if(|word| is_echo_flag(word)) {
        let flags = flags.text.as_deref().unwrap_or_default();
        newline &= !flags.contains('n');
        escapes |= flags.contains('e');
    }
    let mut text = String::new();
    for (at, word) in arguments.enumerate() {
        if at > 0 {
            text.push(' ');
        }
        text.push_str(literal(word)?);
    }
    if newline {
        text.push('\n');
    }
    match text.contains('\\') {
        true if escapes => unescaped(&text),
        true => None,
        false => Some(text),
    }
}

fn is_echo_flag(word: &Word) -> bool {
    let flags = word.text.as_deref().and_then(|text| text.strip_prefix('-')).unwrap_or_default();
    !flags.is_empty() && flags.bytes().all(|flag| matches!(flag, b'n' | b'e' | b'E'))
}

/// What `printf` prints, as far as its format is plain.
pub(crate) fn printed(arguments: &[Word]) -> Option<String> {
    let (format, values) = match arguments {
        [option, ..] if option.is("-v") => return Some(String::new()),
        [dashes, format, values @ ..] if dashes.is("--") => (format, values),
        [format, values @ ..] => (format, values),
        [] => return None,
    };
    let format = literal(format)?;
    let mut values = values.iter();
    let mut text = String::new();
    loop {
        let before = values.len();
        format_once(format, &mut values, &mut text)?;
        if values.len() == 0 {
            return Some(text);
        }
        if values.len() == before {
            // A format without fields is printed once, whatever follows it.
            return Some(text);
        }
    }
}

/// Puts values into the fields of a format, as far as they are plain.
fn format_once(format: &str, values: &mut std::slice::Iter<'_, Word>, text: &mut String) -> Option<()> {
    let mut rest = format;
    while let Some(at) = rest.find(['%', '\\']) {
        text.push_str(rest.get(..at)?);
        let mark = rest.get(at..)?;
        if mark.starts_with('\\') {
            let (letter, length) = escape(mark)?;
            text.push(letter);
            rest = mark.get(length..)?;
            continue;
        }
        match mark.as_bytes().get(1)? {
            b'%' => text.push('%'),
            b's' => text.push_str(values.next().map_or(Some(""), literal)?),
            b'b' => text.push_str(&unescaped(values.next().map_or(Some(""), literal)?)?),
            b'd' => text.push_str(number(values.next())?),
            _ => return None,
        }
        rest = mark.get(2..)?;
    }
    text.push_str(rest);
    Some(())
}

/// A number as it is printed. One with a zero in front is octal.
fn number(word: Option<&Word>) -> Option<&str> {
    let Some(word) = word else { return Some("0") };
    let is_octal = |text: &str| text.len() > 1 && text.starts_with('0');
    let is_decimal = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    literal(word).filter(|text| is_decimal(text) && !is_octal(text))
}

fn unescaped(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(rest.get(..at)?);
        let mark = rest.get(at..)?;
        let (letter, length) = escape(mark)?;
        out.push(letter);
        rest = mark.get(length..)?;
    }
    out.push_str(rest);
    Some(out)
}

/// The letter that an escape means, and how long its spelling is.
fn escape(text: &str) -> Option<(char, usize)> {
    if let Some(found) = numbered(text) {
        return Some(found);
    }
    let letter = match text.as_bytes().get(1)? {
        b'a' => '\u{7}',
        b'b' => '\u{8}',
        b'e' => '\u{1b}',
        b'f' => '\u{c}',
        b'v' => '\u{b}',
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'\\' => '\\',
        b'"' => '"',
        b'\'' => '\'',
        _ => return None,
    };
    Some((letter, 2))
}

/// `\xHH`, `\uHHHH` and `\NNN`: the letter of this number.
fn numbered(text: &str) -> Option<(char, usize)> {
    let (start, radix, most) = match text.as_bytes().get(1)? {
        b'x' => (2, 16, 2),
        b'u' => (2, 16, 4),
        b'U' => (2, 16, 8),
        b'0' => (1, 8, 4),
        b'1'..=b'7' => (1, 8, 3),
        _ => return None,
    };
    let digits: String =
        text.get(start..)?.chars().take(most).take_while(|letter| letter.is_digit(radix)).collect();
    let number = u32::from_str_radix(&digits, radix).ok()?;
    // An octal number is one byte, whatever is above it.
    let letter = char::from_u32(if radix == 8 { number & 0xff } else { number })?;
    // A byte of a longer letter is not a letter.
    (u32::from(letter) < 0x80 || !matches!(text.as_bytes().get(1), Some(b'x' | b'0'..=b'7')))
        .then_some((letter, start + digits.len()))
}

/// What a word prints as: not a pattern.
fn literal(word: &Word) -> Option<&str> {
    word.text.as_deref().filter(|_| !word.glob)
}
