//! The patterns of `sed`, as those of the regex library.

/// A basic regular expression in the syntax of extended ones.
pub(super) fn from_basic(pattern: &str) -> String {
    let mut written = String::with_capacity(pattern.len() + 8);
    let mut letters = pattern.chars().peekable();
    let mut is_start = true;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some(special @ ('(' | ')' | '{' | '}' | '+' | '?' | '|')) => written.push(special),
                Some(other) => push_escape(other, &mut written),
                None => written.push_str("\\\\"),
            },
            '(' | ')' | '{' | '}' | '+' | '?' | '|' => {
                written.push('\\');
                written.push(letter);
            }
            '*' if is_start => written.push_str("\\*"),
            '[' => push_bracket(&mut letters, &mut written),
            // Not at the beginning, it is a letter like others.
            '^' if !is_start => written.push_str("\\^"),
            '$' if letters.peek().is_some_and(|next| *next != '\\') => written.push_str("\\$"),
            other => written.push(other),
        }
        is_start = letter == '^' && is_start || written.ends_with('(') || written.ends_with('|');
    }
    written
}

/// An extended regular expression, with the escapes that only sed knows.
pub(super) fn from_extended(pattern: &str) -> String {
    let mut written = String::with_capacity(pattern.len() + 8);
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some(other) => push_escape(other, &mut written),
                None => written.push_str("\\\\"),
            },
            '[' => push_bracket(&mut letters, &mut written),
            other => written.push(other),
        }
    }
    written
}

fn push_escape(letter: char, written: &mut String) {
    match letter {
        '<' | '>' => written.push_str("\\b"),
        'n' | 't' | 's' | 'S' | 'w' | 'W' | 'b' | 'B' | 'd' | 'D' | 'r' => {
            written.push('\\');
            written.push(letter);
        }
        other if other.is_alphanumeric() => written.push(other),
        other => {
            // A delimiter or a special letter, meant as itself.
            if "\\.+*?()|[]{}^$#&-~/".contains(other) && other != '/' {
                written.push('\\');
            }
            written.push(other);
        }
    }
}

/// A bracket expression: a backslash in it is a letter.
fn push_bracket(letters: &mut std::iter::Peekable<std::str::Chars<'_>>, written: &mut String) {
    written.push('[');
    if letters.next_if_eq(&'^').is_some() {
        written.push('^');
    }
    if letters.next_if_eq(&']').is_some() {
        written.push_str("\\]");
    }
    while let Some(letter) = letters.next() {
        match letter {
            ']' => {
                written.push(']');
                return;
            }
            '[' if letters.peek() == Some(&':') => {
                written.push('[');
                for inner in letters.by_ref() {
                    written.push(inner);
                    if inner == ']' {
                        break;
                    }
                }
            }
            '\\' => match letters.peek() {
                Some('n' | 't' | 's' | 'w' | 'd' | ']' | '\\') => {
                    written.push('\\');
                    written.extend(letters.next());
                }
                _ => written.push_str("\\\\"),
            },
            '[' | '&' | '~' => {
                written.push('\\');
                written.push(letter);
            }
            other => written.push(other),
        }
    }
}
