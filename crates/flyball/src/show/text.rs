//! Text from elsewhere, cleaned, cut and wrapped for a terminal.

use flyball_board::table::Text;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text without what would move the cursor, change colours or start a new line: it comes from
/// agents, and must not be able to draw over what flyball prints.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.trim().chars() {
        match character {
            '\n' | '\r' | '\t' => {
                if !line.ends_with(' ') {
                    line.push(' ');
                }
            }
            hidden if is_hidden(hidden) => line.push('\u{fffd}'),
            shown => line.push(shown),
        }
    }
    line
}

/// The same for a text of several lines, which keeps its line breaks.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = String> {
    let clean = |character| match character {
        '\t' => ' ',
        hidden if is_hidden(hidden) => '\u{fffd}',
        shown => shown,
    };
    text.lines().map(move |line| line.trim_end().chars().map(clean).collect())
}

/// Control characters, and those that change the direction of writing.
fn is_hidden(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// How many columns of a terminal a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The text, or as much of it as fits with a mark that some is missing.
pub(crate) fn cut(text: &str, room: usize) -> String {
    cut_text(&text.into(), room).plain()
}

/// Wraps a text into lines of at most `room` columns; a word that is longer has a line of its own.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    wrap_text(&text.into(), room).iter().map(Text::plain).collect()
}

/// [`cut`] for a text with styles.
pub(crate) fn cut_text(text: &Text, room: usize) -> Text {
    if text_width(text) <= room {
        return text.clone();
    }
    let mut cut = Text::default();
    // The mark takes a column.
    let mut used = 1;
    for span in &text.spans {
        for (start, character) in span.text.char_indices() {
            // In columns and not in characters: those of East Asia take two.
            used += character.width().unwrap_or_default();
            if used > room {
                cut.push(span.style, span.text.get(..start).unwrap_or_default().trim_end());
                cut.push(span.style, "…");
                return cut;
            }
        }
        cut.push(span.style, &span.text);
    }
    cut
}

/// [`wrap`] for a text with styles.
pub(crate) fn wrap_text(text: &Text, room: usize) -> Vec<Text> {
    let mut lines = vec![Text::default()];
    let mut used = 0;
    for word in words(text) {
        let width = text_width(&word);
        if used > 0 && used + 1 + width > room {
            lines.push(Text::default());
            used = 0;
        }
        let Some(line) = lines.last_mut() else { continue };
        if used > 0 {
            // A blank between two words of one style has that style too.
            let before = line.spans.last().map(|span| span.style);
            let style = word.spans.first().map(|span| span.style).filter(|style| Some(*style) == before);
            line.push(style.unwrap_or_default(), " ");
            used += 1;
        }
        used += width;
        word.spans.iter().for_each(|span| line.push(span.style, &span.text));
    }
    lines
}

/// The words of a text; the pieces of one may have different styles.
fn words(text: &Text) -> Vec<Text> {
    let mut words = vec![Text::default()];
    for span in &text.spans {
        for (number, part) in span.text.split(char::is_whitespace).enumerate() {
            if number > 0 {
                words.push(Text::default());
            }
            if let Some(word) = words.last_mut() {
                word.push(span.style, part);
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

pub(crate) fn text_width(text: &Text) -> usize {
    text.spans.iter().map(|span| width(&span.text)).sum()
}

/// Wraps the lines of a text; the parts of a line are indented like the line.
pub(crate) fn wrap_lines(text: &str, room: usize) -> Vec<String> {
    let wrapped = lines(text).flat_map(|line| {
        let indent = " ".repeat(line.len() - line.trim_start_matches(' ').len());
        let parts = wrap(&line, room.saturating_sub(indent.len()));
        parts.into_iter().map(move |part| format!("{indent}{part}"))
    });
    wrapped.collect()
}

/// Wraps a line that may contain colours; what follows the first line is indented a little more than the line. A word
/// that is longer than a line has one of its own.
pub(crate) fn wrap_painted(line: &str, room: usize) -> Vec<String> {
    if painted_width(line) <= room {
        return vec![line.to_owned()];
    }
    let indent = line.len() - line.trim_start_matches(' ').len();
    let margin = " ".repeat((indent + HANGING).min(room / 2));
    let mut lines = vec![" ".repeat(indent)];
    let mut used = indent;
    let mut gap = 0;
    for word in line.trim_start_matches(' ').split(' ') {
        let width = painted_width(word);
        let is_first = used == indent && lines.len() == 1;
        if !is_first && width > 0 && used + gap + width > room {
            lines.push(margin.clone());
            (used, gap) = (margin.len(), 0);
        }
        if let Some(last) = lines.last_mut() {
            // Blanks in a row are the gaps of a table.
            last.push_str(&" ".repeat(if width > 0 { gap } else { 0 }));
            last.push_str(word);
        }
        (used, gap) = if width > 0 { (used + gap + width, 1) } else { (used, gap + 1) };
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// How much further the other lines of a wrapped line are indented.
const HANGING: usize = 2;

/// [`width`] of a text that may contain colours.
fn painted_width(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().map(width).unwrap_or_default();
    first + parts.map(|part| part.split_once('m').map_or(0, |(_, shown)| width(shown))).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use flyball_board::table::Style;

    use super::*;

    #[test]
    fn a_text_is_cut_by_columns_not_by_bytes() {
        let cases = [
            ("short", 10, "short"),
            ("exactly ten", 11, "exactly ten"),
            ("one word too many", 9, "one word…"),
            ("größer als", 7, "größer…"),
            ("日本語のテキスト", 7, "日本語…"),
            ("", 3, ""),
        ];
        for (text, room, expected) in cases {
            assert_eq!(cut(text, room), expected, "{text}");
        }
    }

    #[test]
    fn nothing_an_agent_writes_can_control_the_terminal() {
        assert_eq!(one_line("a\u{1b}[2Jb\n\n  c\u{202e}d\r"), "a\u{fffd}[2Jb   c\u{fffd}d");
        let shown: Vec<String> = lines("x\u{7}\ty\nz").collect();
        assert_eq!(shown, ["x\u{fffd} y", "z"]);
    }

    #[test]
    fn words_are_never_broken() {
        assert_eq!(wrap("a bb ccc dddddddd e", 6), ["a bb", "ccc", "dddddddd", "e"]);
        assert_eq!(wrap("", 6), [""]);
        assert_eq!(wrap_lines("a:\n  1. bb ccc\n\nd", 8), ["a:", "  1. bb", "  ccc", "", "d"]);
    }

    #[test]
    fn a_line_with_colours_is_wrapped_between_words() {
        let cases = [
            ("short", 10, vec!["short"]),
            ("  one two three four", 12, vec!["  one two", "    three", "    four"]),
            ("\u{1b}[31mone\u{1b}[0m two three", 8, vec!["\u{1b}[31mone\u{1b}[0m two", "  three"]),
            ("name  a  text", 11, vec!["name  a", "  text"]),
            ("/a/path/that/is/long x", 10, vec!["/a/path/that/is/long", "  x"]),
            ("", 10, vec![""]),
        ];
        for (line, room, expected) in cases {
            assert_eq!(wrap_painted(line, room), expected, "{line}");
        }
    }

    #[test]
    fn styles_survive_wrapping_and_cutting() {
        let text = Style::Bad.text("one two").and(" three").then(Style::Bad.text("four"));
        let plain = |text: &Text| {
            text.spans.iter().map(|span| format!("{:?}:{}", span.style, span.text)).collect::<Vec<_>>()
        };
        let wrapped: Vec<Vec<String>> = wrap_text(&text, 8).iter().map(plain).collect();
        assert_eq!(wrapped, [vec!["Bad:one two"], vec!["Plain:three", "Bad:four"]]);
        assert_eq!(plain(&cut_text(&text, 10)), ["Bad:one two", "Plain: t…"]);
    }
}
