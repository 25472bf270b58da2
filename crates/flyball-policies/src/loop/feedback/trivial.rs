//! What of a file counts for a reviewer: two versions that differ only in comments, white space or documentation are the
//! same.
//!
//! Every doubt is a difference: a language that is not read well, a comment that a tool obeys, an example in a
//! documentation that is run as a test.

mod comment_lines;
mod directives;

use std::borrow::Cow;

use flyball_effects::lex::{Language, Lexed, Token, TokenKind, lex};

use self::directives::is_directive;
use super::settings::Trivial;

/// Longer files are compared as they are: reading them would cost more than a review saves.
const MOST_BYTES: usize = 512 * 1024;

/// What counts of a file, if differences of these kinds do not: two versions with the same are the same to a reviewer.
pub(super) fn significant<'b>(path: &str, bytes: &'b [u8], kinds: &[Trivial]) -> Cow<'b, [u8]> {
    let whole = Cow::Borrowed(bytes);
    if bytes.len() > MOST_BYTES {
        return whole;
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return whole };
    if kinds.is_empty() {
        return whole;
    }
    let Some(source) = Source::of(path, kinds) else {
        let text = comment_lines::without_comments(path, text, kinds);
        return text.map_or(whole, |text| Cow::Owned(text.into_bytes()));
    };
    if source.is_misread(text) {
        return whole;
    }
    // What is in a comment of several lines that a tool obeys (`# /// script`) has no word of its own.
    if source.extension == "py" && text.lines().any(|line| line.starts_with("# /// ")) {
        return whole;
    }
    let keeps = Keeps { comments: source.obeys_comments(text), docs: source.obeys_docs(text) };
    // A version whose comments count is never the same as one whose do not.
    let mut parts = vec![format!("{keeps:?}")];
    parts.extend(source.pieces(text, keeps).into_iter().flat_map(|(gap, token)| [gap, token]));
    Cow::Owned(parts.join("\0").into_bytes())
}

/// What is compared although it looks like a comment.
#[derive(Clone, Copy, Debug)]
struct Keeps {
    comments: bool,
    docs: bool,
}

/// How a file is read.
struct Source<'a> {
    language: Language,
    /// In small letters.
    extension: String,
    kinds: &'a [Trivial],
}

/// What is compared: a token, and what is between it and the one before.
type Piece = (String, String);

impl<'a> Source<'a> {
    /// `None` for languages whose comments cannot be told apart well enough.
    fn of(path: &str, kinds: &'a [Trivial]) -> Option<Source<'a>> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (_, extension) = name.rsplit_once('.')?;
        let extension = extension.to_ascii_lowercase();
        let language = Language::from_path(path)?;
        let is_read_well = match language {
            Language::Python => extension != "ipynb",
            Language::Script => !matches!(extension.as_str(), "jsx" | "tsx"),
            Language::Jvm => extension != "groovy",
            Language::Rust
            | Language::Go
            | Language::C
            | Language::CSharp
            | Language::Swift
            | Language::Shell => true,
            Language::Component
            | Language::Style
            | Language::Docker
            | Language::Yaml
            | Language::Toml
            | Language::Markdown
            | Language::Ruby
            | Language::Php => false,
        };
        is_read_well.then_some(Source { language, extension, kinds })
    }

    fn ignores(&self, kind: Trivial) -> bool {
        self.kinds.contains(&kind)
    }

    /// Whether a text has something that the lexer does not know.
    fn is_misread(&self, text: &str) -> bool {
        let has = |parts: &[&str]| parts.iter().any(|part| text.contains(part));
        match self.language {
            // Markup, in which `//` is text; templates in templates.
            Language::Script => has(&["</", "/>", "${`"]),
            Language::C => has(&["R\"", "\\\r", "??/"]),
            Language::CSharp => has(&["@\"", "@$\"", "\\\"\"\""]),
            Language::Swift => has(&["#\"", "\\\"\"\""]),
            Language::Jvm => has(&["\\\"\"\"", "\\u"]),
            Language::Shell => has(&["\r"]),
            _ => false,
        }
    }

    /// Whether comments of a text are more than comments: expected output, code of another language.
    fn obeys_comments(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        self.language == Language::Go && (lower.contains("output:") || text.contains("import \"C\""))
    }

    /// Whether the documentation in a text is run or read by the program.
    fn obeys_docs(&self, text: &str) -> bool {
        match self.language {
            Language::Rust => text.contains("```") || text.contains("///     ") || text.contains("//!     "),
            Language::Python => text.contains("__doc__") || text.contains("docopt") || text.contains(">>>"),
            _ => false,
        }
    }

    fn pieces(&self, text: &str, keeps: Keeps) -> Vec<Piece> {
        let lexed = lex(text, self.language);
        let tokens = lexed.tokens();
        let mut pieces = Vec::new();
        let mut end = 0;
        // What was left out since the last token that counts.
        let mut gap = "\n".to_owned();
        for (at, token) in tokens.iter().enumerate() {
            gap.push_str(text.get(end..token.start).unwrap_or_default());
            end = token.start + token.text.len();
            let place = Place { tokens: &tokens, at, lexed: &lexed };
            if self.is_left_out(token, &place, keeps) {
                // A comment separates words, and one of several lines ends its line.
                gap.push(if token.text.contains('\n') { '\n' } else { ' ' });
                continue;
            }
            pieces.push((self.gap(&gap, token), token.text.to_owned()));
            gap.clear();
        }
        pieces
    }

    fn is_left_out(&self, token: &Token<'_>, place: &Place<'_, '_>, keeps: Keeps) -> bool {
        if token.kind == TokenKind::Comment {
            let is_doc = self.is_doc(token.text);
            let is_kept = keeps.comments || (is_doc && keeps.docs) || self.is_obeyed(token, place);
            return !is_kept && self.ignores(if is_doc { Trivial::Docs } else { Trivial::Comments });
        }
        self.language == Language::Python
            && !keeps.docs
            && self.ignores(Trivial::Docs)
            && place.is_docstring()
    }

    fn is_doc(&self, comment: &str) -> bool {
        let has_docs = !matches!(self.language, Language::Python | Language::Shell | Language::Go);
        let begins = |mark: &str, not: &str| comment.starts_with(mark) && !comment.starts_with(not);
        has_docs
            && (begins("///", "////")
                || begins("//!", "//!!")
                || begins("/**", "/**/")
                || begins("/*!", "/*!*/"))
    }

    /// Whether some tool may obey a comment.
    fn is_obeyed(&self, token: &Token<'_>, place: &Place<'_, '_>) -> bool {
        let lower = token.text.to_lowercase();
        // `//go:build` and `//export` have no space behind the marks.
        let body = lower.trim_start_matches(['/', '#', '*', '!']);
        let is_glued =
            self.language == Language::Go && body.starts_with(|letter: char| letter.is_alphanumeric());
        // Types of plain scripts are in their comments.
        let is_type = self.extension.ends_with("js") && lower.contains('@');
        let continues = token.text.trim_end().ends_with('\\');
        is_directive(&lower) || is_glued || is_type || continues || !place.begins_comment(self.language)
    }

    /// What separates a token from the one before, as far as it makes a difference.
    fn gap(&self, gap: &str, token: &Token<'_>) -> String {
        if token.is_quoted {
            return gap.to_owned();
        }
        let line = gap.rsplit_once('\n').map(|(_, indent)| indent);
        if !self.ignores(Trivial::Whitespace) {
            return line.map_or_else(|| gap.to_owned(), |indent| format!("\n{indent}"));
        }
        let is_free = self.language == Language::Rust || self.extension == "java";
        match (self.language, line) {
            _ if is_free => String::new(),
            (Language::Python, Some(indent)) => format!("\n{indent}"),
            (_, Some(_)) => "\n".to_owned(),
            // `a -b` and `a - b`, `F(x)` and `F (x)` are not the same here.
            (Language::Shell | Language::Swift | Language::C, None) if !gap.is_empty() => " ".to_owned(),
            (_, None) => String::new(),
        }
    }
}

/// A token among the others.
struct Place<'t, 'a> {
    tokens: &'t [Token<'a>],
    at: usize,
    lexed: &'t Lexed<'a>,
}

impl Place<'_, '_> {
    fn token(&self, at: usize) -> Option<&Token<'_>> {
        self.tokens.get(at)
    }

    /// The last token before this one that is not a comment.
    fn before(&self) -> Option<&Token<'_>> {
        let before = self.tokens.get(..self.at)?;
        before.iter().rev().find(|token| token.kind != TokenKind::Comment)
    }

    fn column(&self, token: &Token<'_>) -> usize {
        let before = self.lexed.text.get(..token.start).unwrap_or_default();
        before.len() - before.rfind('\n').map_or(0, |at| at + 1)
    }

    /// A string on lines of its own at the beginning of a module, class or function, with more behind it in its block:
    /// without it, the block would be empty.
    fn is_docstring(&self) -> bool {
        let Some(token) = self.token(self.at) else { return false };
        let is_plain = token.kind == TokenKind::Text && token.text.starts_with(['"', '\'']);
        let begins = self.before().is_none_or(|before| before.text == ":" && before.line < token.line);
        let mut behind =
            self.tokens.iter().skip(self.at + 1).filter(|token| token.kind != TokenKind::Comment);
        let last_line = token.line + token.text.matches('\n').count();
        let goes_on = behind
            .next()
            .is_some_and(|next| next.line > last_line && self.column(next) == self.column(token));
        is_plain && begins && goes_on
    }

    /// Whether a comment begins where one may: not inside of what the lexer took for something else.
    fn begins_comment(&self, language: Language) -> bool {
        let Some(token) = self.token(self.at) else { return false };
        let before = self.lexed.text.get(..token.start).unwrap_or_default();
        let is_apart =
            before.chars().next_back().is_none_or(|last| last.is_whitespace() || ";,(){}[".contains(last));
        // Quotes in the replacement fields of an f-string end it too early.
        let is_f_string = |token: &&Token<'_>| {
            token.kind == TokenKind::Text
                && token.text.starts_with(['f', 'F', 'r', 'R'])
                && token.text.contains('{')
        };
        let in_line = self.tokens.iter().take(self.at).rev().take_while(|other| other.line == token.line);
        let is_doubtful = language == Language::Python && in_line.clone().any(|token| is_f_string(&token));
        is_apart && !is_doubtful
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether both versions of a file are the same.
    fn is_trivial(path: &str, before: &[u8], after: &[u8], kinds: &[Trivial]) -> bool {
        significant(path, before, kinds) == significant(path, after, kinds)
    }

    const ALL: [Trivial; 3] = [Trivial::Comments, Trivial::Whitespace, Trivial::Docs];

    fn trivial(path: &str, before: &str, after: &str) -> bool {
        let one = is_trivial(path, before.as_bytes(), after.as_bytes(), &ALL);
        assert_eq!(is_trivial(path, after.as_bytes(), before.as_bytes(), &ALL), one, "{path}: both ways");
        one
    }

    #[test]
    fn comments_space_and_documentation_are_trivial() {
        let cases = [
            ("a.py", "x = 1\n", "x = 1  # one\n"),
            ("a.py", "x = 1\n", "\n\n# what it is\nx = 1\n\n"),
            ("a.py", "def f(a):\n    return a+1\n", "def f(a):\n    return a + 1\n"),
            (
                "a.py",
                "def f():\n    \"\"\"Old.\"\"\"\n    return 1\n",
                "def f():\n    \"\"\"New\n    text.\"\"\"\n    return 1\n",
            ),
            ("a.py", "def f():\n    return 1\n", "def f():\n    \"\"\"New.\"\"\"\n    return 1\n"),
            ("a.py", "import os\n", "\"\"\"The module.\"\"\"\n\nimport os\n"),
            ("a.py", "class A:\n    'old'\n    x = 1\n", "class A:\n    x = 1\n"),
            ("a.go", "// F does.\nfunc F() {}\n", "// F does it well.\nfunc F() {}\n"),
            ("a.go", "a := b+c\n", "\ta := b + c // sum\n"),
            ("a.rs", "fn f() { g(1) }\n", "/// Calls g.\nfn f() {\n    g(1)\n}\n"),
            ("a.rs", "/* a */ fn f() {}\n", "fn f() {}\n"),
            ("a.ts", "const a = 1;\n", "/**\n * The a.\n * @param b it\n */\nconst a = 1; // one\n"),
            ("a.js", "let a = \"http://x\"; // one\n", "let a = \"http://x\"; // two\n"),
            ("A.java", "class A { int a; }\n", "/** An A. */\nclass A {\n  int a;\n}\n"),
            ("a.kt", "val a = 1 // x\n", "val a = 1\n"),
            ("a.c", "int a; /* x */\n", "int a;\n"),
            ("a.cs", "/// <summary>old</summary>\nint a;\n", "/// <summary>new</summary>\nint a;\n"),
            ("a.swift", "let a = 1 // x\n", "let a = 1\n"),
            ("a.sh", "#!/bin/sh\necho a\n", "#!/bin/sh\n# says a\necho  a\n"),
        ];
        for (path, before, after) in cases {
            assert!(trivial(path, before, after), "{path}: {before:?} → {after:?}");
        }
    }

    #[test]
    fn whatever_may_mean_something_is_not_trivial() {
        let cases = [
            ("code", "a.py", "x = 1\n", "x = 2\n"),
            ("a string", "a.py", "x = 'a'\n", "x = 'a '\n"),
            ("indentation", "a.py", "if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n"),
            ("lines of a script", "a.js", "return a\n", "return\na\n"),
            ("words that become one", "a.go", "var a b\n", "var ab\n"),
            ("a block that becomes empty", "a.py", "def f():\n    \"\"\"Doc.\"\"\"\n", "def f():\n"),
            ("a string that is a value", "a.py", "x = (\n    \"a\"\n)\n", "x = (\n    \"b\"\n)\n"),
            (
                "a doctest",
                "a.py",
                "def f():\n    \"\"\"\n    >>> 1\n    1\n    \"\"\"\n    x\n",
                "def f():\n    \"\"\"\n    >>> 2\n    1\n    \"\"\"\n    x\n",
            ),
            (
                "a documentation that is read",
                "a.py",
                "\"\"\"Usage: a\"\"\"\nprint(__doc__)\n",
                "\"\"\"Usage: b\"\"\"\nprint(__doc__)\n",
            ),
            ("noqa", "a.py", "import a\n", "import a  # noqa: F401\n"),
            ("a type", "a.py", "x = []\n", "x = []  # type: list[int]\n"),
            ("an encoding", "a.py", "x = 1\n", "# -*- coding: latin-1 -*-\nx = 1\n"),
            ("pragma", "a.py", "x()\n", "x()  # pragma: no cover\n"),
            ("an f-string with quotes in it", "a.py", "x = f\"{d[\"#\"]} a\"\n", "x = f\"{d[\"#\"]} b\"\n"),
            ("eslint", "a.js", "a()\n", "// eslint-disable-next-line\na()\n"),
            ("ts-ignore", "a.ts", "a()\n", "// @ts-ignore\na()\n"),
            ("types in a comment", "a.js", "let a\n", "/** @type {number} */\nlet a\n"),
            ("markup", "a.js", "a = <p>http://x</p>\n", "a = <p>http://y</p>\n"),
            ("markup by its name", "a.tsx", "a() // x\n", "a()\n"),
            (
                "metadata of a script",
                "a.py",
                "# /// script\n# dependencies = []\n# ///\nx = 1\n",
                "# /// script\n# dependencies = [\"a\"]\n# ///\nx = 1\n",
            ),
            ("directives of Cython", "a.py", "x = 1\n", "# cython: boundscheck=False\nx = 1\n"),
            (
                "markers",
                "a.go",
                "package a\n\n// +kubebuilder:validation:Minimum=1\ntype A int\n",
                "package a\n\n// +kubebuilder:validation:Minimum=2\ntype A int\n",
            ),
            ("build tags", "a.go", "package a\n", "//go:build linux\n\npackage a\n"),
            ("an exported name", "a.go", "func F() {}\n", "//export F\nfunc F() {}\n"),
            ("expected output", "a_test.go", "// Output:\n// a\n", "// Output:\n// b\n"),
            ("code in a comment", "a.go", "// int a;\nimport \"C\"\n", "// int b;\nimport \"C\"\n"),
            ("nolint", "a.go", "f()\n", "f() // nolint\n"),
            (
                "a doctest",
                "a.rs",
                "/// ```\n/// a();\n/// ```\nfn f() {}\n",
                "/// ```\n/// b();\n/// ```\nfn f() {}\n",
            ),
            ("clippy", "a.rs", "fn f() {}\n", "// clippy::all\nfn f() {}\n"),
            ("a shebang", "a.sh", "#!/bin/sh\na\n", "#!/bin/bash\na\n"),
            ("shellcheck", "a.sh", "a\n", "# shellcheck disable=SC2086\na\n"),
            ("an operator", "a.sh", "a=b\n", "a = b\n"),
            ("a quoted word", "a.sh", "echo \"a b\"\n", "echo \"a  b\"\n"),
            ("lines in quotes", "a.sh", "echo \"a\n\nb\"\n", "echo \"a\nb\"\n"),
            ("a here-document", "a.sh", "cat <<E\n# a\nE\n", "cat <<E\n# b\nE\n"),
            ("a macro", "a.c", "#define F(x) x\n", "#define F (x) x\n"),
            ("a comment that goes on", "a.c", "// a\nb();\n", "// a \\\nb();\n"),
            ("a raw string", "a.cpp", "a = R\"(\" // x)\";\n", "a = R\"(\" // y)\";\n"),
            ("deprecated", "A.java", "void f() {}\n", "/** @deprecated */\nvoid f() {}\n"),
            ("an attribute of a comment", "a.php", "<?php // a\n", "<?php // b\n"),
            ("a notebook", "a.ipynb", "{\"a\": 1}\n", "{\"a\":1}\n"),
            ("an address in a style", "a.css", "a{b:url(http://x)}\n", "a{b:url(http://y)}\n"),
            ("a text with a hash", "a.yaml", "a: |\n  # x\n", "a: |\n  # y\n"),
            ("no known language", "a.unknown", "a b\n", "a  b\n"),
            ("no name", "Makefile", "a:\n\tb\n", "a:\n\t# c\n\tb\n"),
        ];
        for (name, path, before, after) in cases {
            assert!(!trivial(path, before, after), "{name}: {path}: {before:?} → {after:?}");
        }
        assert!(!is_trivial("a.py", b"x = '\xff'", b"x = '\xfe'", &ALL), "not text");
        assert!(is_trivial("a.bin", b"\xff", b"\xff", &ALL), "the same bytes");
    }

    #[test]
    fn only_the_configured_kinds_are_trivial() {
        let comment = ("x = 1\n", "x = 1  # one\n");
        let space = ("x = a+b\n", "x = a + b\n");
        let docs = ("import os\n", "\"\"\"Doc.\"\"\"\nimport os\n");
        let cases: [(&[Trivial], [bool; 3]); 5] = [
            (&[], [false, false, false]),
            (&[Trivial::Comments], [true, false, false]),
            (&[Trivial::Whitespace], [false, true, false]),
            (&[Trivial::Docs], [false, false, true]),
            (&ALL, [true, true, true]),
        ];
        for (kinds, expected) in cases {
            let seen = [comment, space, docs]
                .map(|(before, after)| is_trivial("a.py", before.as_bytes(), after.as_bytes(), kinds));
            assert_eq!(seen, expected, "{kinds:?}");
        }
    }
}
