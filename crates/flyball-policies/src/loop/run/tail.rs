//! The end of what a program printed, ready to be shown: plain text, short lines, no secrets.

use std::collections::VecDeque;

use flyball_core::redact::redact;
use flyball_core::text;

/// A line is cut here when it is shown.
const LINE_CHARS: usize = 300;
/// A line is cut here before secrets are searched in it: half a secret is not recognised.
const READ_CHARS: usize = 4_000;
/// The most characters that are shown.
const ALL_CHARS: usize = 6_000;

/// The last lines of both outputs, standard error last. Where both do not fit, each gets half: one is often progress
/// output, and the error is in the other.
pub(super) fn tail(stdout: &[u8], stderr: &[u8], most_lines: usize) -> String {
    let (printed, errors) = (last_lines(stdout, most_lines), last_lines(stderr, most_lines));
    let (first, second) = shares(printed.len(), errors.len(), most_lines);
    let (printed, errors) = (shown(&printed, first), shown(&errors, second));
    let chars = |lines: &[String]| lines.iter().map(|line| line.chars().count() + 1).sum();
    let (first, second) = shares(chars(&printed), chars(&errors), ALL_CHARS);
    let all: Vec<&str> = within(&printed, first).chain(within(&errors, second)).collect();
    all.join("\n")
}

/// How much of the room each of two gets.
fn shares(first: usize, second: usize, room: usize) -> (usize, usize) {
    // Each gets half, and what the other does not need.
    let second = second.min((room / 2).max(room.saturating_sub(first)));
    (first.min(room.saturating_sub(second)), second)
}

/// The last of these lines without secrets, none too long.
fn shown(lines: &[String], most: usize) -> Vec<String> {
    let from = lines.len().saturating_sub(most);
    let text = lines.get(from..).unwrap_or_default().join("\n");
    redact(&text).lines().map(|line| text::cut(line, LINE_CHARS).into_owned()).collect()
}

/// The last of these lines that fit together.
fn within(lines: &[String], room: usize) -> impl Iterator<Item = &str> {
    let mut left = room;
    let fits = |line: &&String| {
        let chars = line.chars().count() + 1;
        let fits = chars <= left;
        left = left.saturating_sub(chars);
        fits
    };
    let mut last: Vec<&str> = lines.iter().rev().take_while(fits).map(String::as_str).collect();
    last.reverse();
    last.into_iter()
}

/// The last lines that are not empty, as plain text.
fn last_lines(output: &[u8], most: usize) -> Vec<String> {
    let mut lines: VecDeque<String> = VecDeque::new();
    for line in output.rsplit(|byte| *byte == b'\n') {
        if lines.len() >= most {
            break;
        }
        let line = plain(line);
        // Empty lines are kept between others.
        if !line.is_empty() || !lines.is_empty() {
            lines.push_front(line);
        }
    }
    lines.into_iter().skip_while(String::is_empty).collect()
}

/// A line as a terminal would show it in the end, without colours.
fn plain(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end_matches('\r');
    // A progress bar writes over itself.
    let text = text.rsplit('\r').next().unwrap_or_default();
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\u{1b}' => skip_escape(&mut chars),
            '\t' => out.push('\t'),
            char if char.is_control() => {}
            char => out.push(char),
        }
        if out.len() >= READ_CHARS {
            break;
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Skips what belongs to an escape sequence of a terminal.
fn skip_escape(chars: &mut std::str::Chars<'_>) {
    match chars.next() {
        // Ends with a letter, or what counts as one.
        Some('[') => drop(chars.find(|char| ('\u{40}'..='\u{7e}').contains(char))),
        // A title or a link: ends with a bell, or with an escape and a backslash.
        Some(']' | 'P' | '_' | '^') => {
            let end = chars.find(|char| matches!(char, '\u{7}' | '\u{1b}'));
            if end == Some('\u{1b}') {
                chars.next();
            }
        }
        // A character set has one letter more.
        Some('(' | ')') => drop(chars.next()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::tail;

    #[test]
    fn the_end_of_an_output_is_plain_and_short() {
        let long = "x".repeat(400);
        let cut = format!("{}…", "x".repeat(300));
        let cases: Vec<(&str, &str, &str, usize, &str)> = vec![
            ("nothing", "", "", 3, ""),
            ("only empty lines", "\n\n", " \n", 3, ""),
            ("the last lines", "a\nb\nc\nd\n", "", 2, "c\nd"),
            ("errors behind the rest", "a\n", "b\n", 3, "a\nb"),
            ("errors do not push the rest out", "a\nb\nc\n", "1\n2\n3\n", 4, "b\nc\n2\n3"),
            ("room that one does not need is the other's", "a\nb\nc\n", "1\n", 3, "b\nc\n1"),
            ("colours", "\u{1b}[1;31mred\u{1b}[0m \u{1b}(Bplain", "", 3, "red plain"),
            ("links", "\u{1b}]8;;http://x\u{1b}\\text\u{1b}]8;;\u{7}!", "", 3, "text!"),
            ("an escape at the end", "a\u{1b}", "b\u{1b}[", 3, "a\nb"),
            ("progress that writes over itself", "10%\r50%\r100%\r\nok\r\n", "", 3, "100%\nok"),
            ("control characters", "a\u{7}\u{8}b\0\tc", "", 3, "ab\tc"),
            ("a line that is too long", &long, "", 3, &cut),
            ("empty lines between others", "a\n\nb\n\n", "", 3, "a\n\nb"),
            ("no lines requested", "a\nb\n", "c\n", 0, ""),
            (
                "a secret",
                "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
                "",
                3,
                "AWS_SECRET_ACCESS_KEY=[redacted]",
            ),
        ];
        for (name, stdout, stderr, lines, expected) in cases {
            assert_eq!(tail(stdout.as_bytes(), stderr.as_bytes(), lines), expected, "{name}");
        }
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(tail(b"a\xff\xfeb\n", b"", 3), "a\u{fffd}\u{fffd}b");
    }

    #[test]
    fn all_of_it_has_a_limit() {
        let wall = "y ".repeat(145) + "\n";
        let text = tail(wall.repeat(100).as_bytes(), wall.repeat(100).as_bytes(), 100);
        assert_eq!(text.chars().count(), 20 * 290 - 1);
    }
}
