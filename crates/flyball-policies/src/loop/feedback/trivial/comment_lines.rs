//! Comments of languages that no lexer of ours reads: lines that are nothing but a comment, and empty ones. A file in which
//! such a line may be something else, inside a text of several lines, is compared as it is.

use super::super::settings::Trivial;
use super::directives::is_directive;

/// How the comments of some languages are written.
struct Comments {
    /// The endings of their files, or how the files are called.
    files: &'static [&'static str],
    /// What a comment begins with that goes to the end of its line.
    line: &'static [&'static str],
    /// What a comment is between.
    block: Option<(&'static str, &'static str)>,
    /// What a text of several lines may begin with.
    texts: &'static [&'static str],
    /// Whether a quotation mark that is not closed on its line begins such a text.
    quotes: bool,
    /// Whether a line that begins with a tab is a command of its own.
    recipes: bool,
    /// What comments contain, or begin with behind their mark, that tools obey.
    obeyed: &'static [&'static str],
}

const C_BLOCK: Option<(&str, &str)> = Some(("/*", "*/"));

const COMMENTS: [Comments; 12] = [
    Comments {
        files: &["sql", "psql", "plsql"],
        line: &["--"],
        block: C_BLOCK,
        texts: &["$"],
        quotes: true,
        recipes: false,
        obeyed: &[
            "+",
            "!",
            "name:",
            "liquibase",
            "changeset",
            "rollback",
            "goose",
            "migrate",
            "atlas",
            "sqlfluff",
        ],
    },
    Comments {
        files: &["css", "pcss"],
        line: &[],
        block: C_BLOCK,
        texts: &[],
        quotes: true,
        recipes: false,
        obeyed: &["!", "stylelint", "@", "purgecss"],
    },
    Comments {
        files: &["scss", "less"],
        line: &["//"],
        block: C_BLOCK,
        texts: &[],
        quotes: true,
        recipes: false,
        obeyed: &["!", "stylelint", "@", "purgecss"],
    },
    Comments {
        files: &["html", "htm", "vue", "svelte"],
        line: &[],
        block: Some(("<!--", "-->")),
        texts: &["<pre", "<textarea", "`"],
        quotes: false,
        recipes: false,
        obeyed: &["[", "#", "!", "/", "svelte-ignore", "htmlhint", "build", "inject", "include", "ko "],
    },
    Comments {
        files: &["tf", "hcl", "tfvars"],
        line: &["#", "//"],
        block: C_BLOCK,
        texts: &["<<"],
        quotes: true,
        recipes: false,
        obeyed: &["tflint", "trivy", "terrascan", "infracost", "ignore"],
    },
    Comments {
        files: &["rb", "rake", "gemspec", "ru", "Rakefile", "Gemfile"],
        line: &["#"],
        block: None,
        texts: &["<<", "=begin", "__END__", "%"],
        quotes: true,
        recipes: false,
        obeyed: &[":", "rubocop", "standard:", "steep", "encoding", "warn_indent", "shareable", "@"],
    },
    Comments {
        files: &["ex", "exs"],
        line: &["#"],
        block: None,
        texts: &["\"\"\"", "'''", "~"],
        quotes: true,
        recipes: false,
        obeyed: &["credo", "sobelow"],
    },
    Comments {
        files: &["lua", "luau"],
        line: &["--"],
        block: None,
        texts: &["[[", "[="],
        quotes: true,
        recipes: false,
        obeyed: &["@", "!", "luacheck", "stylua", "selene", "-@"],
    },
    Comments {
        files: &["ps1", "psm1"],
        line: &["#"],
        block: None,
        texts: &["@\"", "@'", "<#"],
        quotes: true,
        recipes: false,
        obeyed: &["requires"],
    },
    Comments {
        files: &["mk", "mak", "Makefile", "makefile", "GNUmakefile"],
        line: &["#"],
        block: None,
        texts: &["define"],
        quotes: false,
        recipes: true,
        obeyed: &["#"],
    },
    Comments {
        files: &["dockerfile", "Dockerfile", "Containerfile"],
        line: &["#"],
        block: None,
        texts: &["<<"],
        quotes: false,
        recipes: false,
        obeyed: &["syntax", "escape", "check", "hadolint"],
    },
    Comments {
        files: &["graphql", "gql", "proto"],
        line: &["#", "//"],
        block: C_BLOCK,
        texts: &["\"\"\""],
        quotes: true,
        recipes: false,
        obeyed: &["import", "buf:", "api-linter"],
    },
];

/// What counts of a file in one of these languages; `None` for other files, and where that is in doubt.
pub(super) fn without_comments(path: &str, text: &str, kinds: &[Trivial]) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let is_meant = |file: &str| name == file || ending.as_deref() == Some(file);
    let language = COMMENTS.iter().find(|language| language.files.iter().any(|file| is_meant(file)))?;
    let comments: Vec<bool> = text.lines().map(|line| language.is_comment(line)).collect();
    let mut kept = Vec::new();
    let mut is_continued = false;
    for (line, is_comment) in text.lines().zip(comments) {
        let is_doubtful =
            if is_comment { is_continued || line.ends_with('\\') } else { language.may_go_on(line) };
        if is_doubtful {
            return None;
        }
        is_continued = line.ends_with('\\');
        let is_left_out = (is_comment && kinds.contains(&Trivial::Comments))
            || (line.trim().is_empty() && kinds.contains(&Trivial::Whitespace));
        if !is_left_out {
            kept.push(line);
        }
    }
    Some(kept.join("\n"))
}

impl Comments {
    /// Whether a line is nothing but a comment that no tool obeys.
    fn is_comment(&self, line: &str) -> bool {
        if self.recipes && line.starts_with('\t') {
            return false;
        }
        let line = line.trim();
        let inner = self.line.iter().find_map(|mark| line.strip_prefix(mark)).or_else(|| {
            let (open, close) = self.block?;
            // Two on one line have something between them.
            line.strip_prefix(open)?.strip_suffix(close).filter(|inner| !inner.contains(close))
        });
        inner.is_some_and(|inner| !self.is_obeyed(inner.trim()))
    }

    fn is_obeyed(&self, comment: &str) -> bool {
        let lower = comment.to_lowercase();
        let is_it = |part: &&str| {
            if part.starts_with(char::is_alphabetic) {
                lower.contains(*part)
            } else {
                lower.starts_with(*part)
            }
        };
        self.obeyed.iter().any(is_it) || is_directive(&lower)
    }

    /// Whether a line that is no comment may begin a text, or a comment, that goes on behind it.
    fn may_go_on(&self, line: &str) -> bool {
        let is_odd = |mark: char| line.matches(mark).count() % 2 == 1;
        let has_open_block =
            self.block.is_some_and(|(open, close)| line.contains(open) || line.contains(close));
        has_open_block
            || self.texts.iter().any(|text| line.contains(text))
            || (self.quotes && ['\'', '"', '`'].into_iter().any(is_odd))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Trivial; 3] = [Trivial::Comments, Trivial::Whitespace, Trivial::Docs];

    fn is_same(path: &str, before: &str, after: &str) -> bool {
        let read = |text| without_comments(path, text, &ALL).unwrap_or_else(|| format!("whole {text}"));
        read(before) == read(after)
    }

    #[test]
    fn lines_that_are_comments_do_not_count() {
        let cases = [
            ("a.sql", "select 1;\n", "-- one\nselect 1;\n"),
            ("a.sql", "/* old */\nselect 'a';\n", "select 'a';\n"),
            ("a.css", "a { color: red }\n", "/* red */\na { color: red }\n\n"),
            ("a.scss", "a { b: c }\n", "// c\na { b: c }\n"),
            ("a.html", "<p>don't</p>\n", "<!-- a -->\n<p>don't</p>\n"),
            ("a.vue", "<template/>\n", "<!-- a -->\n<template/>\n"),
            ("main.tf", "a = \"b\"\n", "# b\n// b\na = \"b\"\n"),
            ("a.rb", "x = 'a'\n", "# a\nx = 'a'\n"),
            ("Gemfile", "gem 'a'\n", "# a\ngem 'a'\n"),
            ("a.ex", "x = 1\n", "# one\nx = 1\n"),
            ("a.lua", "x = 1\n", "-- one\nx = 1\n"),
            ("a.ps1", "$x = 1\n", "# one\n$x = 1\n"),
            ("Makefile", "a:\n\tb\n", "# a\na:\n\tb\n"),
            ("x/Dockerfile", "FROM a\n", "# a\nFROM a\n"),
            ("app.dockerfile", "FROM a\n", "# a\nFROM a\n"),
            ("a.proto", "message A {}\n", "// A\nmessage A {}\n"),
        ];
        for (path, before, after) in cases {
            assert!(is_same(path, before, after), "{path}: {after}");
            assert!(is_same(path, after, before), "{path}: {before}");
        }
    }

    #[test]
    fn what_may_be_more_than_a_comment_counts() {
        let cases = [
            ("code", "a.sql", "select 1;\n", "select 2;\n"),
            ("behind code", "a.sql", "select 1;\n", "select 1; -- one\n"),
            ("a hint", "a.sql", "select 1;\n", "--+ full\nselect 1;\n"),
            ("sqlc", "a.sql", "-- name: A :one\nselect 1;\n", "-- name: A :many\nselect 1;\n"),
            ("in a text", "a.sql", "select '\n-- a\n';\n", "select '\n-- b\n';\n"),
            ("in a function", "a.sql", "as $$\n-- a\n$$\n", "as $$\n-- b\n$$\n"),
            ("two comments", "a.css", "a{}\n", "/* a */ b{} /* c */\na{}\n"),
            ("a long comment", "a.css", "/*\na{}\n*/\n", "/*\nb{}\n*/\n"),
            ("a licence that stays", "a.css", "a{}\n", "/*! a */\na{}\n"),
            ("a condition", "a.html", "<p>\n", "<!--[if IE]> a <![endif]-->\n<p>\n"),
            ("in a heredoc", "a.tf", "a = <<E\n# a\nE\n", "a = <<E\n# b\nE\n"),
            ("rubocop", "a.rb", "x\n", "# rubocop:disable all\nx\n"),
            ("magic", "a.rb", "x\n", "# frozen_string_literal: true\nx\n"),
            ("a heredoc", "a.rb", "x = <<~A\n# a\nA\n", "x = <<~A\n# b\nA\n"),
            ("a text", "a.lua", "x = [[\n-- a\n]]\n", "x = [[\n-- b\n]]\n"),
            ("a type", "a.lua", "x = 1\n", "---@type number\nx = 1\n"),
            ("what it needs", "a.ps1", "x\n", "#Requires -Version 7\nx\n"),
            ("in a recipe", "Makefile", "a:\n\tb\n", "a:\n\t# c\n\tb\n"),
            ("goes on", "Makefile", "# a\\\nb:\n", "# c\\\nb:\n"),
            ("in a command", "Dockerfile", "RUN a \\\n# b\n c\n", "RUN a \\\n c\n"),
            ("the syntax", "Dockerfile", "FROM a\n", "# syntax=docker/dockerfile:1\nFROM a\n"),
            ("another file", "a.txt", "x\n", "# x\nx\n"),
        ];
        for (why, path, before, after) in cases {
            assert!(!is_same(path, before, after), "{why}");
        }
    }

    #[test]
    fn only_the_configured_kinds_are_left_out() {
        let read = |kinds: &[Trivial]| without_comments("a.sql", "-- a\n\nx\n", kinds);
        assert_eq!(read(&[Trivial::Comments]).as_deref(), Some("\nx"));
        assert_eq!(read(&[Trivial::Whitespace]).as_deref(), Some("-- a\nx"));
    }
}
