//! Awk programs: `print > file`, pipes to commands, `system`.

use std::collections::BTreeMap;

use crate::model::{CodeAct, CodeReading, Content, FileAct, Language};

use super::lexer::lex;
use super::token::{Kind, Token};

/// What an awk program would do.
pub(super) fn read(code: &str) -> CodeReading {
    let lexed = lex(Language::Awk, code);
    let mut reader = Reader { tokens: &lexed.tokens, variables: variables(&lexed.tokens), acts: Vec::new() };
    // Holes are numbers and words most of the time; outside of strings they may be anything.
    let is_filled = lexed.tokens.iter().any(|token| token.kind == Kind::Hole);
    // `@include`, `@load`, and calls of functions by name.
    let is_indirect = lexed.tokens.iter().any(|token| token.is("@"));
    reader.walk();
    let acts = reader.acts;
    CodeReading { acts, is_opaque: lexed.is_broken || is_filled || is_indirect, language: Language::Awk }
}

/// Whether a program gives the lines that it reads to a shell as they are: `system($0)`, `print | "sh"`.
pub(super) fn runs_lines(code: &str) -> bool {
    let plain: String = code.chars().filter(|letter| !letter.is_whitespace() || *letter == '\n').collect();
    let is_shell = |rest: &str| {
        let command = rest.split('"').next().unwrap_or_default();
        let name = command.rsplit('/').next().unwrap_or_default();
        matches!(name, "sh" | "bash" | "zsh" | "dash" | "ksh" | "bash-s" | "sh-s" | "sudosh" | "sudobash")
    };
    plain.contains("system($0)")
        || plain.contains("$0|getline")
        || ["print|\"", "print$0|\""].iter().any(|mark| plain.split(mark).skip(1).any(is_shell))
}

struct Reader<'t> {
    tokens: &'t [Token<'t>],
    variables: BTreeMap<&'t str, Option<String>>,
    acts: Vec<CodeAct>,
}

/// Variables that are set once, to a text.
fn variables<'t>(tokens: &'t [Token<'t>]) -> BTreeMap<&'t str, Option<String>> {
    let mut found: BTreeMap<&str, Option<String>> = BTreeMap::new();
    for window in tokens.windows(2) {
        let [Token { kind: Kind::Name(name), .. }, sign] = window else { continue };
        if matches!(sign.kind, Kind::Sign("=" | "+=" | "++" | "--" | "-=")) {
            // A variable that is set twice has a value that depends on the order, so it is unknown.
            let is_new = !found.contains_key(name);
            found.insert(name, is_new.then(String::new));
        }
    }
    for (at, window) in tokens.windows(3).enumerate() {
        let [Token { kind: Kind::Name(name), .. }, sign, value] = window else { continue };
        if !sign.is("=") {
            continue;
        }
        // A string may go on: strings beside each other are joined.
        let ends = matches!(
            tokens.get(at + 3).map(|token| &token.kind),
            None | Some(Kind::Newline | Kind::Sign(";" | "}"))
        );
        if let Some(slot @ Some(_)) = found.get_mut(name) {
            *slot = value.text().filter(|_| ends);
        }
    }
    found
}

impl Reader<'_> {
    fn walk(&mut self) {
        let mut at = 0;
        // Where the expression in front of a `|` begins, and whether `print` comes before it.
        let (mut start, mut prints, mut depth) = (0, false, 0usize);
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                // Only behind `print` is `>` a redirection; elsewhere it compares.
                Kind::Name("print" | "printf") => (prints, start, depth) = (true, at + 1, 0),
                Kind::Name("system") if self.is_sign(at + 1, "(") => {
                    let line = self.value(at + 2, true);
                    self.acts.push(CodeAct::Shell { line });
                }
                Kind::Name("getline") => self.getline(at),
                Kind::Sign("(") => {
                    depth += 1;
                    start = if prints { start } else { at + 1 };
                }
                Kind::Sign(")") => depth = depth.saturating_sub(1),
                // In brackets it compares: `print (a > b)`.
                Kind::Sign(sign @ (">" | ">>")) if prints && depth == 0 => self.printed(at, sign, start),
                Kind::Sign("|") if self.is_getline(at + 1) => {
                    let line = self.value_between(start, at);
                    self.acts.push(CodeAct::Shell { line });
                }
                // `|&` starts one that is read and written.
                Kind::Sign("|") if prints || self.is_sign(at + 1, "&") => {
                    let from = if self.is_sign(at + 1, "&") { at + 2 } else { at + 1 };
                    let line = if self.is_getline(from) {
                        self.value_between(start, at)
                    } else {
                        self.value(from, false)
                    };
                    self.acts.push(CodeAct::Shell { line });
                    prints = false;
                }
                Kind::Newline | Kind::Sign(";" | "{" | "}") => (prints, start, depth) = (false, at + 1, 0),
                Kind::Name("while" | "if") | Kind::Sign("&&" | "||" | "!" | "=") => start = at + 1,
                _ => {}
            }
            at += 1;
        }
    }

    fn is_sign(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(sign))
    }

    fn is_getline(&self, at: usize) -> bool {
        matches!(self.tokens.get(at).map(|token| &token.kind), Some(Kind::Name("getline")))
    }

    fn printed(&mut self, at: usize, sign: &str, start: usize) {
        let path = self.value(at + 1, false);
        if path
            .as_deref()
            .is_some_and(|path| matches!(path, "/dev/stderr" | "/dev/stdout" | "/dev/fd/2" | "-"))
        {
            return;
        }
        // Awk opens a file once, and every `print` of the run adds to it.
        let is_once = start == at;
        let content = if is_once { Content::Text(String::new()) } else { Content::Unknown };
        let act = if sign == ">" { FileAct::Write(content) } else { FileAct::Append(content) };
        self.acts.push(CodeAct::File { act, path });
    }

    /// `getline < file`
    fn getline(&mut self, at: usize) {
        let sign = (at + 1..at + 3).find(|at| self.is_sign(*at, "<"));
        if let Some(sign) = sign {
            let path = self.value(sign + 1, false);
            self.acts.push(CodeAct::File { act: FileAct::Read, path });
        }
    }

    /// The text that begins at `start` and goes on to the end of the statement.
    fn value(&self, start: usize, is_bracketed: bool) -> Option<String> {
        let rest = self.tokens.get(start..).unwrap_or_default();
        let ends = |token: &Token<'_>| {
            matches!(token.kind, Kind::Newline | Kind::Sign(";" | "}" | "|" | "&&" | "||" | ")"))
        };
        // Bounded, because every `system` and `>` looks ahead, and a hostile program has many.
        let length = rest.iter().take(64).position(ends).unwrap_or(rest.len().min(64));
        // A bracket inside makes it more than a string.
        let end = start + length;
        let is_whole = !is_bracketed || self.is_sign(end, ")");
        self.value_between(start, end).filter(|_| is_whole)
    }

    /// Strings beside each other are one.
    fn value_between(&self, start: usize, end: usize) -> Option<String> {
        let tokens = self.tokens.get(start..end).filter(|tokens| !tokens.is_empty() && tokens.len() < 64)?;
        let mut whole = String::new();
        for token in tokens {
            match token.kind {
                Kind::Name(name) => whole.push_str(self.variables.get(name)?.as_deref()?),
                Kind::Sign("(" | ")") => {}
                _ => whole.push_str(&token.text()?),
            }
        }
        Some(whole)
    }
}
