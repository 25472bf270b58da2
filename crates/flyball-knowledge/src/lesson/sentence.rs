//! Texts in one line, and where their sentences end.

use flyball_core::text;

/// Words that end with a dot and end no sentence.
const ABBREVIATIONS: [&str; 9] = ["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no.", "incl.", "resp."];

/// The text in one line: all white space between words is one space.
pub(super) fn in_one_line(text: &str) -> String {
    let visible = |letter: char| if letter.is_control() { ' ' } else { letter };
    text::one_line(&text.chars().map(visible).collect::<String>())
}

/// The beginning of a text in one line that has at most `most` bytes and ends with a sentence; `None` if its first
/// sentence is longer.
pub(super) fn beginning(text: &str, most: usize) -> Option<&str> {
    if text.len() <= most {
        return Some(text);
    }
    ends(text).take_while(|end| *end <= most).last().and_then(|end| text.get(..end))
}

/// The offsets after the sentences of a text.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let mut in_code = false;
    text.char_indices().filter_map(move |(at, letter)| {
        // A dot in code ends nothing.
        in_code ^= letter == '`';
        let end = at + letter.len_utf8();
        let is_end = match letter {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => is_sentence_end(text.get(..end)?, text.get(end..)?),
            _ => false,
        };
        (is_end && !in_code).then_some(end)
    })
}

fn is_sentence_end(before: &str, behind: &str) -> bool {
    let next = behind.strip_prefix(' ').and_then(|rest| rest.chars().next());
    let word = before.rsplit(' ').next().unwrap_or_default().trim_start_matches('(').to_lowercase();
    // A sentence does not begin with a small letter.
    next.is_some_and(|letter| !letter.is_lowercase()) && !ABBREVIATIONS.contains(&word.as_str())
}
