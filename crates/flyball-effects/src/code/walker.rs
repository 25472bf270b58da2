//! Walks the tokens of code once, from left to right, and records what it would do.
//!
//! This is not a parser: statements, blocks and expressions are distinguished only as far as needed to
//! see which functions are called with what. `expressions` reads values, `imports` names from
//! modules, `calls` says what a call does.

use std::collections::{BTreeMap, BTreeSet};

use super::bindings::Bindings;
use super::dialect::Dialect;
use super::lexer::lex;
use super::token::{Kind, Part, Token};
use super::value::Value;
use crate::model::{CodeAct, CodeReading, FileAct, Language};

/// How deep expressions may be nested.
const MOST_LEVELS: usize = 60;
/// How many bytes the values of variables may take in total: code can double a text with every
/// line.
const MOST_VALUE_BYTES: usize = 128 * 1024;

/// How many texts in lists are kept.
const MOST_LITERALS: usize = 64;

/// What `code` would do.
pub(super) fn walk(dialect: &'static Dialect, code: &str) -> CodeReading {
    let lexed = lex(dialect.language, code);
    let mut walker = Walker::new(dialect, &lexed.tokens);
    walker.is_opaque |= lexed.is_broken;
    walker.statements(None);
    walker.delete_listed();
    walker.change_listed();
    CodeReading { acts: walker.acts, is_opaque: walker.is_opaque, language: dialect.language }
}

/// The directory that relative paths start from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Base {
    Start,
    Known(String),
    Unknown,
}

/// Where the walk is, and what is known there.
pub(super) struct Walker<'t> {
    pub(super) dialect: &'static Dialect,
    pub(super) tokens: &'t [Token<'t>],
    pub(super) at: usize,
    pub(super) acts: Vec<CodeAct>,
    pub(super) is_opaque: bool,
    pub(super) bindings: Bindings<'t>,
    pub(super) variables: BTreeMap<&'t str, Value>,
    /// Modules whose names are all imported.
    pub(super) open_modules: Vec<String>,
    pub(super) base: Base,
    /// Handles to which something unknown is written.
    pub(super) spoiled: BTreeSet<usize>,
    /// Folders and patterns whose names the code lists.
    pub(super) listed: Vec<String>,
    /// The texts in lists that the code spells out.
    literals: Vec<String>,
    /// What the next block is given as its first parameter.
    pub(super) block_value: Option<Value>,
    /// How many brackets are open here.
    pub(super) brackets: usize,
    /// Whether the arguments of a call without brackets are read.
    pub(super) is_command: bool,
    value_bytes: usize,
    depth: usize,
}

impl<'t> Walker<'t> {
    fn new(dialect: &'static Dialect, tokens: &'t [Token<'t>]) -> Self {
        Self {
            dialect,
            tokens,
            at: 0,
            acts: Vec::new(),
            is_opaque: false,
            bindings: Bindings::from_tokens(tokens, dialect),
            variables: BTreeMap::new(),
            open_modules: Vec::new(),
            base: Base::Start,
            spoiled: BTreeSet::new(),
            listed: Vec::new(),
            literals: Vec::new(),
            block_value: None,
            brackets: 0,
            is_command: false,
            value_bytes: MOST_VALUE_BYTES,
            depth: 0,
        }
    }

    /// Code that deletes names which it computes: they are most likely from a list that it spells out, or from a place
    /// that it lists. A folder of the project is left out, because code that tidies one deletes only some of its files.
    fn delete_listed(&mut self) {
        let recursion = self.acts.iter().find_map(|act| match act {
            CodeAct::File { act: FileAct::Delete { recursive }, path: None } => Some(*recursive),
            _ => None,
        });
        let Some(recursive) = recursion else { return };
        let delete = |path: &String, recursive| CodeAct::File {
            act: FileAct::Delete { recursive },
            path: Some(path.clone()),
        };
        self.acts.extend(self.literals.iter().map(|path| delete(path, recursive)));
        let is_pattern = |place: &String| place.contains('*');
        let places = self.listed.iter().filter(|place| is_pattern(place) || place.starts_with(['~', '/']));
        self.acts.extend(places.map(|place| delete(place, !is_pattern(place))));
    }

    /// Remembers the texts of a list.
    pub(super) fn note_list(&mut self, items: &[Value]) {
        let room = MOST_LITERALS.saturating_sub(self.literals.len());
        let names = items.iter().filter_map(Value::text).filter(|text| !text.trim().is_empty());
        self.literals.extend(names.take(room).map(str::to_owned));
    }

    /// Code that changes the rights of names which it computes, and lists a place outside the project.
    fn change_listed(&mut self) {
        let changes = |act: &CodeAct| {
            matches!(act, CodeAct::File { act: FileAct::Attributes { recursive: false }, path: None })
        };
        if !self.acts.iter().any(changes) {
            return;
        }
        for place in self.listed.iter().filter(|place| place.starts_with(['~', '/'])) {
            let words = ["chmod", "-R", "a+rw", place].map(|word| Some(word.to_owned()));
            self.acts.push(CodeAct::Command { words: words.to_vec() });
        }
    }

    pub(super) fn language(&self) -> Language {
        self.dialect.language
    }

    /// The token `step` tokens further on.
    pub(super) fn ahead(&self, step: usize) -> Option<&'t Kind<'t>> {
        self.tokens.get(self.at + step).map(|token| &token.kind)
    }

    pub(super) fn token(&self) -> Option<&'t Token<'t>> {
        self.tokens.get(self.at)
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        self.token().is_some_and(|token| token.is(sign))
    }

    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let is_next = self.is_sign(sign);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn name_ahead(&self, step: usize) -> Option<&'t str> {
        match self.ahead(step) {
            Some(Kind::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// Statements until `close` or the end.
    pub(super) fn statements(&mut self, close: Option<&str>) {
        while let Some(token) = self.token() {
            if close.is_some_and(|close| token.is(close)) {
                self.at += 1;
                return;
            }
            let before = self.at;
            self.deeper(Self::statement);
            // Every step advances, whatever is here.
            if self.at == before {
                self.at += 1;
            }
        }
    }

    /// Reads something one level deeper.
    pub(super) fn deeper<T: Default>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MOST_LEVELS {
            // What is deeper is not read, so the code may do more.
            self.is_opaque = true;
            self.at += 1;
            return T::default();
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn statement(&mut self) {
        if self.separator() || self.import() || self.destructuring() {
            return;
        }
        let start = self.at;
        let mut values = vec![self.expression()];
        while self.is_sign(",") {
            self.at += 1;
            values.push(self.expression());
        }
        let mut ends = vec![(start, self.at)];
        let mut is_plain = values.len() == 1;
        while let Some(is_set) = self.assignment() {
            let here = self.at;
            values = vec![self.expression()];
            is_plain &= is_set;
            ends.push((here, self.at));
        }
        // `a, b = f()`: which value goes where is not followed.
        let value = values.pop().filter(|_| values.is_empty()).unwrap_or(Value::Unknown);
        ends.pop();
        let value = if self.is_sign(",") { Value::Unknown } else { value };
        for (start, end) in ends {
            self.assign(start, end, if is_plain { value.clone() } else { Value::Unknown });
        }
        self.name_result(value);
    }

    /// `with open(x) as f`
    fn name_result(&mut self, value: Value) {
        if self.name_ahead(0) != Some("as") {
            return;
        }
        if let Some(name) = self.name_ahead(1) {
            self.variables.insert(name, value);
            self.at += 2;
        }
    }

    fn separator(&mut self) -> bool {
        let ends = match self.ahead(0) {
            Some(Kind::Newline) => true,
            Some(Kind::Sign(sign)) => {
                matches!(*sign, ";" | ":" | "," | ")" | "]" | "}" | "|" | "&&" | "||" | "=>" | "?")
            }
            _ => false,
        };
        self.at += usize::from(ends);
        ends
    }

    /// Goes over `=`; `Some(false)` if the variable is only changed.
    fn assignment(&mut self) -> Option<bool> {
        let Some(Kind::Sign(sign)) = self.ahead(0) else { return None };
        let is_set = match *sign {
            "=" | ":=" => true,
            "+=" | "-=" | "*=" | "/=" | ".=" | "||=" | "&&=" | "??=" | "|=" | "&=" | "%=" | "**=" | "//="
            | "<<=" | ">>=" | "^=" => false,
            _ => return None,
        };
        self.at += 1;
        Some(is_set)
    }

    /// Assigns the value to the target between the tokens `start` and `end`.
    fn assign(&mut self, start: usize, end: usize, value: Value) {
        let target = self.tokens.get(start..end).unwrap_or_default();
        let Some((last, before)) = target.split_last() else { return };
        let is_single = before.iter().all(|token| match token.kind {
            Kind::Name(name) => self.dialect.prefixes.contains(&name),
            _ => false,
        });
        if is_single && let Kind::Name(name) = last.kind {
            self.variables.insert(name, value);
            return;
        }
        // Setting a member leaves the variable itself as it was.
        let is_member =
            target.iter().any(|token| matches!(token.kind, Kind::Sign("." | "->" | "[" | "::" | ":")));
        for token in target.iter().filter(|_| !is_member) {
            if let Kind::Name(name) = token.kind {
                self.variables.insert(name, Value::Unknown);
            }
        }
    }

    /// What a name means here.
    pub(super) fn look_up(&mut self, name: &'t str) -> Value {
        if let Some(value) = self.variables.get(name)
            && self.bindings.is_constant(name)
        {
            if self.value_bytes == 0 {
                return Value::Unknown;
            }
            let value = value.clone();
            return self.charge(value);
        }
        // Before the others: a parameter hides a function or module of the same name.
        if self.bindings.is_parameter(name) {
            Value::Local
        } else if self.bindings.is_set(name) || self.variables.contains_key(name) {
            Value::Unknown
        } else if self.bindings.is_defined(name) {
            Value::Local
        } else if name.starts_with(['@', '%']) || (name.starts_with('$') && name.len() > 1) {
            Value::Unknown
        } else {
            Value::Named(name.to_owned())
        }
    }

    /// The value, if there is still room for it.
    pub(super) fn charge(&mut self, value: Value) -> Value {
        let rest = self.value_bytes.checked_sub(value.weight());
        self.value_bytes = rest.unwrap_or(0);
        if rest.is_some() { value } else { Value::Unknown }
    }

    /// The value of a string.
    pub(super) fn text(&mut self, parts: &'t [Part<'t>]) -> Value {
        let mut text = Some(String::new());
        let mut is_home = false;
        let mut is_decoded = false;
        for part in parts {
            let value = match part {
                Part::Text(more) => {
                    if let Some(text) = &mut text {
                        text.push_str(more);
                    }
                    continue;
                }
                Part::Code(tokens) => self.embedded_code(tokens),
                Part::Unknown => Value::Unknown,
            };
            is_decoded |= value.is_encoded();
            // `f"{Path.home()}/x"`: the tilde at the beginning means the home directory.
            is_home |= matches!(value, Value::Path(_)) && text.as_deref() == Some("");
            match (value.text(), &mut text) {
                (Some(more), Some(text)) => text.push_str(more),
                _ => text = None,
            }
        }
        match text {
            Some(text) if is_home => Value::Path(Some(text)),
            Some(text) => Value::Text(text),
            None if is_decoded => Value::Encoded,
            None => Value::Unknown,
        }
    }

    /// The value of code in a string.
    fn embedded_code(&mut self, tokens: &'t [Token<'t>]) -> Value {
        let outer = std::mem::replace(&mut self.tokens, tokens);
        let at = std::mem::take(&mut self.at);
        let value = self.expression();
        let is_single = self.at >= tokens.len();
        // A format such as `:>10` has no value, but may contain code.
        self.statements(None);
        self.tokens = outer;
        self.at = at;
        if is_single { value } else { Value::Unknown }
    }

    /// Text handed to a shell by backticks.
    pub(super) fn shell_text(&mut self, parts: &'t [Part<'t>]) -> Value {
        let value = self.text(parts);
        self.shell(&value);
        Value::Unknown
    }
}
