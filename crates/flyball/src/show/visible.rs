//! Text of files, for a person who decides about it: what would control the terminal or not be seen is shown as an escape.

use std::borrow::Cow;

/// The text with every control character, every invisible one and every one that changes the direction of text as an
/// escape: `\u{202e}`. Tabs stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_hidden(letter) {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// Whether a letter is not seen as what it is: those that Unicode calls control, format, separators of lines or
/// default-ignorable.
fn is_hidden(letter: char) -> bool {
    (letter.is_control() && letter != '\t')
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}'
            | '\u{8e2}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_shown_as_an_escape() {
        let cases = [
            ("mode = \"off\"\tx äöü 日本 ✓", "mode = \"off\"\tx äöü 日本 ✓"),
            ("a\u{202e}b\u{2066}c\u{2069}", "a\\u{202e}b\\u{2066}c\\u{2069}"),
            ("of\u{200b}f\u{feff}\u{ad}", "of\\u{200b}f\\u{feff}\\u{ad}"),
            ("\u{1b}[2Jx\r\u{9b}31m", "\\u{1b}[2Jx\\u{d}\\u{9b}31m"),
            ("\u{e0041}\u{3164}\u{2028}", "\\u{e0041}\\u{3164}\\u{2028}"),
        ];
        for (text, expected) in cases {
            assert_eq!(visible(text), expected, "{text:?}");
        }
    }
}
