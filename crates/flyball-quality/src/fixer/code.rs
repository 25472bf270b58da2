//! Which lines of a file do something: a line that became a comment or a text does nothing any more.
//!
//! It knows no grammar, only where comments and long texts begin and end. That is enough to compare
//! two versions of one file.

/// How comments and long texts are written.
#[derive(Clone, Copy)]
struct CommentSyntax {
    line: &'static [&'static str],
    /// What opens and closes; the first that fits counts.
    blocks: &'static [(&'static str, &'static str)],
    /// What stands around short texts, in which no mark counts.
    quotes: &'static [char],
}

const PYTHON: CommentSyntax =
    CommentSyntax { line: &["#"], blocks: &[("\"\"\"", "\"\"\""), ("'''", "'''")], quotes: &['"', '\''] };
const SCRIPT: CommentSyntax = CommentSyntax {
    line: &["//"],
    blocks: &[("/*", "*/"), ("`", "`"), ("<!--", "-->")],
    quotes: &['"', '\''],
};
const GO: CommentSyntax =
    CommentSyntax { line: &["//"], blocks: &[("/*", "*/"), ("`", "`")], quotes: &['"'] };
const RUST: CommentSyntax = CommentSyntax { line: &["//"], blocks: &[("/*", "*/")], quotes: &['"'] };
const STYLE: CommentSyntax = CommentSyntax { line: &[], blocks: &[("/*", "*/")], quotes: &['"', '\''] };
const HASH: CommentSyntax = CommentSyntax { line: &["#"], blocks: &[], quotes: &['"', '\''] };
const NONE: CommentSyntax = CommentSyntax { line: &[], blocks: &[], quotes: &[] };

fn comment_syntax(path: &str) -> CommentSyntax {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.').map_or(name, |(_, extension)| extension) {
        "py" | "pyi" => PYTHON,
        "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" | "vue" | "svelte" | "astro" => SCRIPT,
        "go" => GO,
        "rs" => RUST,
        "css" => STYLE,
        "sh" | "bash" | "zsh" | "ksh" | "yml" | "yaml" | "toml" => HASH,
        _ if name.contains("Dockerfile") || name.contains("Containerfile") => HASH,
        _ => NONE,
    }
}

/// The lines of a text, by what they are.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Split<'a> {
    /// Those that do something.
    pub(super) code: Vec<&'a str>,
    /// Comments, and lines of long texts.
    pub(super) comments: Vec<&'a str>,
}

/// Tells the lines of the file at a path apart. Empty ones are neither.
pub(super) fn split<'a>(path: &str, text: &'a str) -> Split<'a> {
    let marks = comment_syntax(path);
    let mut split = Split::default();
    let mut open: Option<&'static str> = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (does_something, next) = scan_line(line, marks, open);
        open = next;
        if does_something { split.code.push(line) } else { split.comments.push(line) }
    }
    split
}

/// Whether something of a line is neither comment nor long text, and what is open behind it.
fn scan_line(
    line: &str,
    marks: CommentSyntax,
    mut open: Option<&'static str>,
) -> (bool, Option<&'static str>) {
    let mut rest = line.trim();
    let mut does_something = false;
    while let Some(letter) = rest.chars().next() {
        if let Some(end) = open {
            let Some((_, behind)) = rest.split_once(end) else { return (does_something, open) };
            (open, rest) = (None, behind.trim_start());
            continue;
        }
        if marks.line.iter().any(|mark| rest.starts_with(mark)) {
            break;
        }
        if let Some((mark, end)) = marks.blocks.iter().copied().find(|(mark, _)| rest.starts_with(mark)) {
            (open, rest) = (Some(end), rest.get(mark.len()..).unwrap_or_default());
            continue;
        }
        does_something = true;
        let length = if marks.quotes.contains(&letter) { quoted(rest, letter) } else { letter.len_utf8() };
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    (does_something, open)
}

/// How long the short text is that a text begins with.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    // No end: an apostrophe of something else.
    quote.len_utf8()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn comments_and_long_texts_do_nothing() {
        let cases: &[(&str, &str, &[&str])] = &[
            ("a.py", "x = 1  # one\n# two\n", &["x = 1  # one"]),
            (
                "a.py",
                "def f():\n    \"\"\"Say it.\n\n    More.\n    \"\"\"\n    return '#'\n",
                &["def f():", "    return '#'"],
            ),
            ("a.py", "x = '''\ny = 1\n''' + z\n", &["x = '''", "''' + z"]),
            ("a.ts", "/* a\nb */ c();\nd('/*'); // e\n`f\ng`\n", &["b */ c();", "d('/*'); // e"]),
            ("a.rs", "fn f<'a>() {}\n// g\n/// h\n", &["fn f<'a>() {}"]),
            ("a.sh", "echo \"#\" it's\n# no\n", &["echo \"#\" it's"]),
            ("Dockerfile", "# no\nFROM x\n", &["FROM x"]),
            ("a.md", "# yes\n", &["# yes"]),
        ];
        for (path, text, expected) in cases {
            assert_eq!(split(path, text).code, *expected, "{path}: {text:?}");
        }
    }

    proptest! {
        #[test]
        fn each_line_is_one_or_the_other(text: String) {
            for path in ["a.py", "a.ts", "a.rs", "a.sh", "a"] {
                let split = split(path, &text);
                let written = text.lines().filter(|line| !line.trim().is_empty()).count();
                prop_assert_eq!(split.code.len() + split.comments.len(), written);
            }
        }
    }
}
