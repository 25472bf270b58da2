//! Which names the code gives a meaning of its own, found in one pass before it is walked.

use std::collections::{BTreeMap, BTreeSet};

use super::dialect::Dialect;
use super::token::{Kind, Part, Token};
use crate::model::Language;

/// Longer lists of parameters are not looked at.
const MOST_PARAMETERS: usize = 40;

/// The names that code binds.
#[derive(Debug, Default)]
pub(super) struct Bindings<'t> {
    /// How often each variable is set.
    set: BTreeMap<&'t str, usize>,
    parameters: BTreeSet<&'t str>,
    defined: BTreeSet<&'t str>,
    /// Whether every statement runs exactly once, in order.
    pub(super) is_straight: bool,
    /// Whether any variable may have been set where we did not look.
    is_wild: bool,
}

impl<'t> Bindings<'t> {
    /// The bindings of some code.
    pub(super) fn from_tokens(tokens: &'t [Token<'t>], dialect: &Dialect) -> Self {
        let mut bindings = Self { is_straight: true, ..Self::default() };
        bindings.scan(tokens, dialect);
        bindings
    }

    /// Whether a variable has the value it was last seen to be given.
    pub(super) fn is_constant(&self, name: &str) -> bool {
        let times = self.set.get(name).copied().unwrap_or(0);
        // In straight code the last value is the current one; otherwise only one that is set once is certain.
        self.is_straight || (!self.is_wild && times <= 1 && !self.parameters.contains(name))
    }

    pub(super) fn is_set(&self, name: &str) -> bool {
        self.set.contains_key(name)
    }

    pub(super) fn is_parameter(&self, name: &str) -> bool {
        self.parameters.contains(name)
    }

    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.defined.contains(name)
    }

    fn scan(&mut self, tokens: &'t [Token<'t>], dialect: &Dialect) {
        let mut run: Vec<&'t str> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match &token.kind {
                Kind::Name(name) => {
                    self.name(name, tokens, at, dialect);
                    run.push(name);
                }
                Kind::Sign(sign) => {
                    self.sign(sign, &mut run, &open, dialect);
                    self.block_names(sign, tokens, at);
                    match *sign {
                        "(" | "[" => open.push(at),
                        ")" | "]" => {
                            let start = open.pop();
                            self.group(tokens, start, at, dialect);
                        }
                        _ => {}
                    }
                }
                Kind::Text(parts) | Kind::Shell(parts) => {
                    run.clear();
                    self.inner(parts, dialect);
                }
                Kind::Words(_) | Kind::Value | Kind::Newline | Kind::Hole => run.clear(),
            }
        }
    }

    fn inner(&mut self, parts: &'t [Part<'t>], dialect: &Dialect) {
        for part in parts {
            if let Part::Code(tokens) = part {
                self.scan(tokens, dialect);
            }
        }
    }

    fn name(&mut self, name: &'t str, tokens: &'t [Token<'t>], at: usize, dialect: &Dialect) {
        self.is_straight &= !dialect.branches.contains(&name);
        let next = |step: usize| tokens.get(at + step).map(|token| &token.kind);
        match name {
            "def" | "class" | "function" | "sub" | "module" | "fn" => {
                self.is_straight = false;
                if let Some(Kind::Name(name)) = next(1) {
                    self.defined.insert(name);
                    // `def self.run`, `function M.run`
                    if let (Some(Kind::Sign("." | ":")), Some(Kind::Name(name))) = (next(2), next(3)) {
                        self.defined.insert(name);
                    }
                }
                self.parameters_behind(tokens, at);
            }
            "lambda" => {
                self.is_straight = false;
                self.names_until(tokens, at + 1, ":");
            }
            // PHP names its variable behind `as`.
            "for" | "foreach" if dialect.language == Language::Php => {}
            "for" | "foreach" => self.loop_names(tokens, at + 1),
            "as" => {
                if let Some(Kind::Name(name)) = next(1) {
                    self.count(name);
                }
            }
            _ => {}
        }
    }

    fn sign(&mut self, sign: &str, run: &mut Vec<&'t str>, open: &[usize], dialect: &Dialect) {
        // `f(x=1)` names an argument and sets nothing.
        let is_argument = dialect.language == Language::Python && !open.is_empty();
        match sign {
            "=" if is_argument => run.clear(),
            "=" | ":=" | "+=" | "-=" | "*=" | "/=" | ".=" | "||=" | "&&=" | "??=" | "++" | "--" | "|=" => {
                for name in run.drain(..) {
                    self.count(name);
                }
            }
            "," => {}
            // `my ($a, $b) = …` sets all names of the run, so brackets do not end it.
            "(" | ")" if dialect.language != Language::Python => {}
            "=>" | "&&" | "||" | "?" | "??" => {
                // `=>` is a function in JavaScript and a pair in Perl, Ruby and PHP.
                let is_pair = sign == "=>" && dialect.language != Language::JavaScript;
                self.is_straight &= is_pair;
                if !is_pair && sign == "=>" {
                    run.last().map(|name| self.parameters.insert(name));
                }
                run.clear();
            }
            _ => run.clear(),
        }
    }

    /// Brackets that turn out to be parameters: `(a, b) =>`, `name(a) {`.
    fn group(&mut self, tokens: &'t [Token<'t>], start: Option<usize>, end: usize, dialect: &Dialect) {
        let Some(start) = start.filter(|_| dialect.language == Language::JavaScript) else { return };
        let next = tokens.get(end + 1);
        let before = start.checked_sub(1).and_then(|at| tokens.get(at)).map(|token| &token.kind);
        let is_arrow = next.is_some_and(|token| token.is("=>"));
        let is_body = next.is_some_and(|token| token.is("{"));
        if is_body
            && let Some(Kind::Name(name)) = before
            // `name(a) {` is a method, unless the name is a keyword.
            && !matches!(*name, "if" | "for" | "while" | "switch" | "catch" | "with")
        {
            self.defined.insert(name);
            self.take_names(tokens, start + 1, end);
        }
        if is_arrow {
            self.take_names(tokens, start + 1, end);
        }
    }

    fn take_names(&mut self, tokens: &'t [Token<'t>], start: usize, end: usize) {
        if end - start > MOST_PARAMETERS {
            // Not knowing all parameters, no variable may be taken for constant.
            self.is_wild = true;
            return;
        }
        for token in tokens.get(start..end).unwrap_or_default() {
            if let Kind::Name(name) = token.kind {
                self.parameters.insert(name);
            }
        }
    }

    /// The names in the brackets that follow.
    fn parameters_behind(&mut self, tokens: &'t [Token<'t>], at: usize) {
        let near = tokens.get(at + 1..).unwrap_or_default().iter().take(5);
        let Some(open) = near.clone().position(|token| token.is("(")) else { return };
        self.names_until(tokens, at + 2 + open, ")");
    }

    fn names_until(&mut self, tokens: &'t [Token<'t>], start: usize, end: &str) {
        let mut seen = 0;
        for token in tokens.get(start..).unwrap_or_default() {
            match token.kind {
                Kind::Name(name) if name == end => return,
                Kind::Name(name) => {
                    self.parameters.insert(name);
                }
                Kind::Sign(sign) if sign == end => return,
                Kind::Newline => return,
                Kind::Sign(_)
                | Kind::Text(_)
                | Kind::Shell(_)
                | Kind::Words(_)
                | Kind::Value
                | Kind::Hole => {}
            }
            seen += 1;
            if seen > MOST_PARAMETERS {
                self.is_wild = true;
                return;
            }
        }
    }

    /// `for a, b in`, `for (const a of`, `foreach my $a (`: set again and again.
    fn loop_names(&mut self, tokens: &'t [Token<'t>], start: usize) {
        let near = tokens.get(start..).unwrap_or_default().iter().take(8);
        for (at, token) in near.enumerate() {
            match token.kind {
                Kind::Name("in" | "of" | "as") => return,
                Kind::Sign("(") if at > 0 => return,
                Kind::Name(name) => {
                    // Twice, so that it never counts as set once.
                    self.count(name);
                    self.count(name);
                }
                Kind::Sign("=" | ";" | ":" | "{" | ")") | Kind::Newline => return,
                _ => {}
            }
        }
    }

    /// `{ |a, b|` and `do |a, b|`.
    fn block_names(&mut self, sign: &str, tokens: &'t [Token<'t>], at: usize) {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map(|token| &token.kind);
        if sign != "|" || !matches!(before, Some(Kind::Sign("{") | Kind::Name("do"))) {
            return;
        }
        for token in tokens.get(at + 1..).unwrap_or_default().iter().take(8) {
            match token.kind {
                Kind::Name(name) => self.count(name),
                Kind::Sign("|") => return,
                _ => {}
            }
        }
    }

    fn count(&mut self, name: &'t str) {
        let count = self.set.entry(name).or_default();
        *count += 1;
    }
}
