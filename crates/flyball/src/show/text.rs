//! Text from elsewhere, made fit for a line of a terminal.

/// The text without what would move the cursor, change colours or start a new line: it comes from
/// agents, and must not be able to draw over what flyball says.
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

/// Control characters, and those that turn the direction of writing around.
fn is_hidden(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// How many columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(columns).sum() }
}

/// The text, or as much of it as fits with a mark that some is missing.
pub(crate) fn cut(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 1;
    for character in text.chars() {
        used += columns(character);
        if used > room {
            break;
        }
        kept.push(character);
    }
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

/// Wraps a text into lines of at most `room` columns; a word that is longer has a line of its own.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && width(&line) + 1 + width(word) > room {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// Wraps the lines of a text; what a line becomes is indented as the line is.
pub(crate) fn wrap_lines(text: &str, room: usize) -> Vec<String> {
    let wrapped = lines(text).flat_map(|line| {
        let indent = " ".repeat(line.len() - line.trim_start_matches(' ').len());
        let parts = wrap(&line, room.saturating_sub(indent.len()));
        parts.into_iter().map(move |part| format!("{indent}{part}"))
    });
    wrapped.collect()
}

/// East Asian wide characters and emoji take two columns, combining marks none. Only what is
/// common in paths, prompts and commands: a line that ends up a column too long does no harm.
const fn columns(character: char) -> usize {
    match character {
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
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
    fn nothing_an_agent_writes_can_steer_the_terminal() {
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
}
