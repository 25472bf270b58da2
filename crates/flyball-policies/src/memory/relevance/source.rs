//! The code in changed lines: without comments, and of prose only what it quotes.

use super::language::{Comments, Language};

/// The parts of changed lines.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// What runs, or says what does.
    pub(super) code: String,
    /// What only people read: comments, and prose between blocks of code.
    pub(super) remarks: String,
}

/// Splits changed lines of a file.
pub(super) fn split(language: Language, text: &str) -> Source {
    if language == Language::Prose { fences(text) } else { without_comments(language.comments(), text) }
}

/// Blocks of code in prose.
fn fences(text: &str) -> Source {
    let mut found = Source::default();
    let mut is_code = false;
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        push(if is_code && !is_fence { &mut found.code } else { &mut found.remarks }, line);
    }
    found
}

fn without_comments(comments: Comments, text: &str) -> Source {
    let mut found = Source::default();
    let mut is_inside = false;
    for line in text.lines() {
        let bare = line.trim_start();
        let (open, close) = comments.block;
        let begins_block = !open.is_empty() && bare.starts_with(open);
        if is_inside || begins_block || (open == "/*" && (bare.starts_with("* ") || bare == "*")) {
            let behind = if is_inside { bare } else { bare.strip_prefix(open).unwrap_or(bare) };
            is_inside = (is_inside || begins_block) && !behind.contains(close);
            push(&mut found.remarks, line);
            continue;
        }
        match comment_at(line, comments.line) {
            Some(at) => {
                push(&mut found.code, line.get(..at).unwrap_or_default());
                push(&mut found.remarks, line.get(at..).unwrap_or_default());
            }
            None => push(&mut found.code, line),
        }
    }
    found
}

/// Where a comment begins, outside of quotes.
fn comment_at(line: &str, marks: &[&str]) -> Option<usize> {
    let mut quote = None;
    let mut before = ' ';
    for (at, letter) in line.char_indices() {
        match quote {
            Some(open) if letter == open && before != '\\' => quote = None,
            Some(_) => {}
            None if matches!(letter, '"' | '\'' | '`') => quote = Some(letter),
            None => {
                let rest = line.get(at..).unwrap_or_default();
                let is_mark = marks.iter().any(|mark| rest.starts_with(mark));
                // `a#b` and `https://` begin none.
                if is_mark && (before.is_whitespace() || matches!(before, ';' | ',' | '{' | '}' | ')')) {
                    return Some(at);
                }
            }
        }
        before = letter;
    }
    None
}

fn push(into: &mut String, line: &str) {
    into.push_str(line);
    into.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_told_from_code() {
        let cases = [
            ("a.ts", "let a = 1 // any", "let a = 1 \n", "// any\n"),
            ("a.ts", "fetch('https://a') ", "fetch('https://a') \n", ""),
            ("a.ts", "/**\n * any\n */\nlet b", "let b\n", "/**\n * any\n */\n"),
            ("a.py", "x = 1  # noqa\ny = '#'", "x = 1  \ny = '#'\n", "# noqa\n"),
            ("a.py", "\"\"\"Any.\n\nMore.\n\"\"\"\nz", "z\n", "\"\"\"Any.\n\nMore.\n\"\"\"\n"),
            ("a.sql", "select 1 -- float", "select 1 \n", "-- float\n"),
            ("a.md", "Text\n```\nlet x\n```", "let x\n", "Text\n```\n```\n"),
            ("a.rs", "#[async_trait]", "#[async_trait]\n", ""),
        ];
        for (file, text, code, remarks) in cases {
            let found = split(Language::of_file(file), text);
            assert_eq!((found.code.as_str(), found.remarks.as_str()), (code, remarks), "{file}: {text}");
        }
    }
}
