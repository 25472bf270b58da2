//! Which lines of a file do something: a line that became a comment or a long text does not any more.

use flyball_effects::lex::{Language, lex};

/// The lines of a text that are not blank.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Split<'a> {
    /// Those that do something.
    pub(super) code: Vec<&'a str>,
    /// Comments, and lines of long texts.
    pub(super) comments: Vec<&'a str>,
}

/// Splits the text of the file at a path. All lines count as code where the language is unknown.
pub(super) fn split<'a>(path: &str, text: &'a str) -> Split<'a> {
    let Some(language) = Language::from_path(path) else {
        let code = text.lines().filter(|line| !line.trim().is_empty()).collect();
        return Split { code, comments: Vec::new() };
    };
    let mut split = Split::default();
    for (line, does_something) in lex(text, language).lines() {
        if does_something { split.code.push(line) } else { split.comments.push(line) }
    }
    split
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
            ("a.sh", "echo \"#\" 'a\n# b'\n# no\n", &["echo \"#\" 'a", "# b'"]),
            ("a.yaml", "a: it's # b\n# no\n", &["a: it's # b"]),
            ("a.rb", "a # b\n# no\n", &["a # b"]),
            ("a.Dockerfile", "# no\nFROM x\n", &["FROM x"]),
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
