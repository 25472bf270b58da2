//! Text from agents, made fit for a page. The template escapes it; here it loses what would mislead a reader.

/// The text in one line, without control characters and without those that turn the direction of writing around.
#[must_use]
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.trim().chars() {
        match character {
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => {
                if !line.ends_with(' ') {
                    line.push(' ');
                }
            }
            // Replaced and not dropped: a person must see that something was hidden in a command.
            hidden if is_hidden(hidden) => line.push('\u{fffd}'),
            shown => line.push(shown),
        }
    }
    line
}

/// The same for a text of several lines, which keeps its line breaks and tabs.
#[must_use]
pub(crate) fn block(text: &str) -> String {
    let clean = |character| match character {
        '\n' | '\t' => character,
        hidden if is_hidden(hidden) => '\u{fffd}',
        shown => shown,
    };
    text.replace("\r\n", "\n").chars().map(clean).collect()
}

/// The text in one line of at most `most` characters, with a mark where some is missing.
#[must_use]
pub(crate) fn cut(text: &str, most: usize) -> String {
    // Cleaning keeps or joins characters, so what is far behind the end need not be looked at.
    let head: String = text.trim_start().chars().take(most.saturating_mul(4).saturating_add(64)).collect();
    let line = one_line(&head);
    match line.char_indices().nth(most) {
        None if head.len() == text.trim_start().len() => line,
        None => format!("{}…", line.trim_end()),
        Some(_) => {
            let head: String = line.chars().take(most.saturating_sub(1)).collect();
            format!("{}…", head.trim_end())
        }
    }
}

/// The first line that says something, cut.
#[must_use]
pub(crate) fn first_line(text: &str, most: usize) -> String {
    cut(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default(), most)
}

/// The last folder of a path, for where the whole would take too much room.
#[must_use]
pub(crate) fn last_folder(path: &str) -> &str {
    let name = path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default();
    if name.is_empty() { path } else { name }
}

/// Control characters, marks of direction, and what has no width at all.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{061c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
                | '\u{feff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_mislead_a_reader_is_marked() {
        assert_eq!(
            one_line(" rm \x1b[2J -rf\n\n\t/\u{202e}gpj.exe\u{0} "),
            "rm \u{fffd}[2J -rf /\u{fffd}gpj.exe\u{fffd}"
        );
        assert_eq!(block("a\r\n\tb\u{200f}\x07"), "a\n\tb\u{fffd}\u{fffd}");
        assert_eq!(one_line("grüße, שלום"), "grüße, שלום");
    }

    #[test]
    fn what_is_too_long_is_cut_at_a_character() {
        assert_eq!(cut("äöüß", 4), "äöüß");
        assert_eq!(cut("äöüß!", 4), "äöü…");
        assert_eq!(cut(&"x".repeat(10_240), 5), "xxxx…");
        assert_eq!(cut(&format!("a{}", "\n".repeat(10_240)), 5), "a…");
        assert_eq!(first_line("\n \n two  \nthree", 40), "two");
        assert_eq!(first_line("", 40), "");
    }

    #[test]
    fn a_path_is_known_by_its_last_folder() {
        assert_eq!(
            ["/home/ada/engine", "/home/ada/engine/", "C:\\src\\engine", "/", ""].map(last_folder),
            ["engine", "engine", "engine", "/", ""]
        );
    }
}
