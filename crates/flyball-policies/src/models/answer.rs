//! Makes a model's text fit to be shown: without what it thought aloud, without what is not meant for eyes, and short.

use flyball_core::text;

/// What is told of a model's text.
pub(crate) fn clean(text: &str, most_chars: usize) -> String {
    let text: String = without_thinking(text).chars().filter(|&it| is_shown(it)).collect();
    let text = text.trim();
    text::cut_trimmed(text, most_chars).into_owned()
}

/// What follows the thinking. Some servers leave its opening mark out, and some models never come to its end.
fn without_thinking(text: &str) -> &str {
    match text.rsplit_once("</think>") {
        Some((_, spoken)) => spoken,
        None if text.trim_start().starts_with("<think>") => "",
        None => text,
    }
}

/// Whether a reader sees this character: what they do not see may be meant for the agent alone.
fn is_shown(it: char) -> bool {
    let is_hidden = matches!(it,
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}');
    it == '\n' || it == '\t' || !(it.is_control() || is_hidden)
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn only_what_was_said_is_left() {
        let cases = [
            ("a plain text", " Root cause: a.\n\nBlind spot: b.\n", "Root cause: a.\n\nBlind spot: b."),
            ("thinking", "<think>\nhm\n</think>\n\nDo it.", "Do it."),
            ("thinking twice", "<think>a</think>b<think>c</think>Do it.", "Do it."),
            ("thinking without a beginning", "hm\n</think>\nDo it.", "Do it."),
            ("thinking without an end", "\n<think>hm, perhaps", ""),
            ("thinking without a result", "<think>hm</think>\n", ""),
            ("control characters", "a\u{1b}[31mb\r\n\u{7}c\td\0", "a[31mb\nc\td"),
            ("hidden characters", "a\u{200b}\u{202e}b\u{feff}\u{e0041}\u{2066}c", "abc"),
            ("other scripts", "Größe 大小 \u{1f600}", "Größe 大小 \u{1f600}"),
            ("too long", &"äöü ".repeat(20), "äöü äöü äöü äöü äöü äöü äöü äöü…"),
        ];
        for (case, text, expected) in cases {
            assert_eq!(clean(text, 31), expected, "{case}");
        }
    }
}
