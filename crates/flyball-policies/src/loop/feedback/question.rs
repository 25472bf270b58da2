//! Whether an agent ends its message with a question to its user.

use flyball_core::text;

/// Requests that need no question mark.
const REQUESTS: [&str; 8] = [
    "please choose",
    "please confirm",
    "please decide",
    "please tell me",
    "please pick",
    "tell me which",
    "let me know which",
    "which one do you",
];

const QUESTION_MARKS: [char; 3] = ['?', '？', '؟'];

/// Whether the last paragraph asks the user something: it ends with a question mark, or asks for a choice. What is listed
/// below a question are its options.
pub(super) fn asks_user(message: &str) -> bool {
    let lines: Vec<&str> = prose(message);
    let mut paragraphs = lines.rsplit(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    let Some(last) = paragraphs.next() else { return false };
    let is_list = |lines: &[&str]| lines.iter().all(|line| is_item(line));
    if is_list(last) {
        return paragraphs.next().is_some_and(|before| ends_with_question(before) || requests(before));
    }
    let above: Vec<&str> = last.iter().copied().take_while(|line| !is_item(line)).collect();
    ends_with_question(last) || requests(last) || (above.len() < last.len() && ends_with_question(&above))
}

/// The lines of a message outside of code blocks and quotes.
fn prose(message: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in message.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
            // What is behind a block is not the paragraph before it.
            lines.push("");
        } else if !is_code && !line.starts_with('>') {
            lines.push(line);
        }
    }
    lines
}

fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = number.len() < line.len() && number.starts_with(['.', ')']);
    line.starts_with(['-', '*', '+', '•']) && !line.starts_with("**") || is_numbered
}

fn ends_with_question(lines: &[&str]) -> bool {
    let last = lines.last().copied().unwrap_or_default();
    let bare = last.trim_end_matches(|letter: char| {
        letter.is_whitespace()
            || "*_`\"')]”’".contains(letter)
            || !(letter.is_alphanumeric()
                || letter.is_ascii_punctuation()
                || QUESTION_MARKS.contains(&letter))
    });
    bare.ends_with(QUESTION_MARKS)
}

fn requests(lines: &[&str]) -> bool {
    let text = text::one_line(&lines.join(" ")).to_lowercase();
    REQUESTS.iter().any(|request| text.contains(request))
}

#[cfg(test)]
mod tests {
    use super::asks_user;

    #[test]
    fn a_message_that_ends_with_a_question_asks() {
        let cases = [
            "Shall I drop the old table?",
            "I found two ways.\n\nWhich one do you prefer?",
            "**Should I continue?**",
            "Is `a.rs` right? 🤔",
            "どちらにしますか？",
            "هل أحذف الجدول؟",
            "Which database?\n\n- Postgres\n- SQLite",
            "Which database?\n1. Postgres\n2. SQLite",
            "There are two ways. Please choose one.",
            "Please confirm that the data may be deleted.",
        ];
        for text in cases {
            assert!(asks_user(text), "{text}");
        }
    }

    #[test]
    fn a_message_that_does_not_end_with_one_does_not() {
        let cases = [
            "",
            "Done.",
            "Why did it fail? The index was wrong. It is fixed.",
            "Shall I?\n\nI did it: everything is done.",
            "```\nwhat?\n```",
            "> Shall I?",
            "All done. Let me know if you need anything else.",
            "- fixed\n- tested",
        ];
        for text in cases {
            assert!(!asks_user(text), "{text}");
        }
    }
}
