//! Makes a model's text fit to be shown: without its thinking and invisible characters, and short.

use flyball_core::text;
use flyball_quality::chat::visible;

/// The shown part of a model's text.
pub(crate) fn clean(text: &str, most_chars: usize) -> String {
    text::cut_trimmed(visible(without_thinking(text)).trim(), most_chars).into_owned()
}

/// The text after the thinking. Some servers omit its opening tag, and some models never end it.
fn without_thinking(text: &str) -> &str {
    match text.rsplit_once("</think>") {
        Some((_, reply)) => reply,
        None if text.trim_start().starts_with("<think>") => "",
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn only_the_visible_reply_is_left() {
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
