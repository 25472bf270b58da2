//! The many ways in which Perl and Ruby quote: `q()`, `%w[]`, `s///e`, here-documents.

use super::cursor::{Lexer, MOST_HOLES, is_name_letter, is_name_start};
use super::strings::{Escapes, Holes, Style};
use super::token::{Kind, Part};

/// After this many here-documents without an end, no more are looked for.
const MOST_ENDLESS: usize = 8;

/// A quoting operator with delimiters of one's choice.
struct Delimited<'s> {
    escapes: Escapes,
    holes: Holes,
    close: &'s str,
    nests: Option<char>,
}

impl<'a> Lexer<'a> {
    pub(super) fn perl_string(&mut self) -> bool {
        let style = |close| Style::new(close, Escapes::Full, Holes::Perl);
        if self.eat("`") {
            let parts = self.quoted(&style("`"));
            self.push(Kind::Shell(parts));
            return true;
        }
        // Behind a value `<<` shifts.
        if self.rest().starts_with("<<") && !self.is_behind_operand() && self.document("<<", Holes::Perl) {
            return true;
        }
        if self.simple_quotes(&Style::new("'", Escapes::Quote, Holes::Never), &style("\"")) {
            return true;
        }
        if self.peek() == Some('/') && !self.is_behind_operand() {
            return self.pattern();
        }
        if self.peek() == Some('<') && !self.is_behind_operand() {
            return self.perl_input();
        }
        self.perl_operator()
    }

    /// `<STDIN>`, `<$f>`, `<*.c>`
    fn perl_input(&mut self) -> bool {
        let inner = |letter: char| is_name_letter(letter) || "$*./:~-".contains(letter);
        let rest = self.rest();
        let length = rest.get(1..).and_then(|rest| rest.find(|letter| !inner(letter))).unwrap_or(0) + 1;
        if !rest.get(length..).is_some_and(|rest| rest.starts_with('>')) {
            return false;
        }
        self.at += length + 1;
        self.push(Kind::Value);
        true
    }

    /// `q`, `qq`, `qw`, `qx`, `qr`, `m`, `s`, `tr`, `y`
    fn perl_operator(&mut self) -> bool {
        let rest = self.rest();
        let length = rest.find(|letter| !is_name_letter(letter)).unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        if !matches!(word, "q" | "qq" | "qw" | "qx" | "qr" | "m" | "s" | "tr" | "y") {
            return false;
        }
        let behind = rest.get(length..).unwrap_or_default();
        let spaces = behind.len() - behind.trim_start_matches([' ', '\t']).len();
        let Some(open) = behind.get(spaces..).and_then(|behind| behind.chars().next()) else { return false };
        let is_key = behind.trim_start().starts_with("=>") || self.is_index_key(behind);
        let is_arrow = self.tokens.last().is_some_and(|token| token.is("->"));
        // Then the letters are a name: `y = 1`, `s, t`, `m;`.
        let is_other = open.is_whitespace()
            || is_name_letter(open)
            || matches!(open, ',' | ';' | ')')
            || (spaces > 0 && matches!(open, '=' | '#'));
        if is_key || is_arrow || is_other {
            return false;
        }
        self.at += length + spaces + open.len_utf8();
        self.perl_quoted(word, open);
        true
    }

    /// `{s}` and `{y}` are keys.
    fn is_index_key(&self, behind: &str) -> bool {
        behind.starts_with('}') && self.tokens.last().is_some_and(|token| token.is("{"))
    }

    fn perl_quoted(&mut self, word: &str, open: char) {
        let (close, nests) = closing(open);
        let holes =
            if open == '\'' || matches!(word, "q" | "qw" | "tr" | "y") { Holes::Never } else { Holes::Perl };
        // A `$` before the end of a pattern is not a variable; a pattern rarely has code in it.
        let holes = if matches!(word, "m" | "qr" | "s") { Holes::Never } else { holes };
        let escapes = if matches!(word, "qq" | "qx") { Escapes::Full } else { Escapes::Quote };
        let first = self.delimited(&Delimited { escapes, holes, close: &close, nests });
        match word {
            "q" | "qq" => self.push(Kind::Text(first)),
            "qx" => self.push(Kind::Shell(first)),
            "qw" => self.push(Kind::Words(words(&first))),
            "s" => self.perl_substitution(open, &close, nests),
            "tr" | "y" => {
                self.second_part(open);
                self.delimited(&Delimited { escapes, holes, close: &close, nests });
                self.flags();
                self.push(Kind::Value);
            }
            _ => {
                self.flags();
                self.push(Kind::Value);
            }
        }
    }

    /// The replacement of `s///`, which is code with `e`.
    fn perl_substitution(&mut self, open: char, close: &str, nests: Option<char>) {
        let (mut close, mut nests) = (close.to_owned(), nests);
        if let Some(other) = self.second_part(open) {
            (close, nests) = closing(other);
        }
        let start = self.at;
        self.delimited(&Delimited { escapes: Escapes::Quote, holes: Holes::Never, close: &close, nests });
        let inner = self.source.get(start..self.at).unwrap_or_default();
        let inner = inner.strip_suffix(close.as_str()).unwrap_or(inner);
        let flags = self.flags();
        // With `ee`, the result of the code is run as code once more.
        self.is_broken |= flags.matches('e').count() > 1;
        if flags.contains('e') && self.depth < MOST_HOLES {
            let lexed = (self.nested)(self.language, inner, self.depth + 1);
            self.is_broken |= lexed.is_broken;
            self.push(Kind::Text(vec![Part::Code(lexed.tokens), Part::Unknown]));
        } else {
            self.is_broken |= flags.contains('e');
            self.push(Kind::Value);
        }
    }

    /// Goes to the second part of `s{}{}`; with `s///` it begins at once.
    fn second_part(&mut self, open: char) -> Option<char> {
        if !matches!(open, '{' | '[' | '(' | '<') {
            return None;
        }
        self.take_while(char::is_whitespace);
        self.bump()
    }

    fn flags(&mut self) -> &'a str {
        self.take_while(|letter| letter.is_ascii_alphabetic())
    }

    fn delimited(&mut self, how: &Delimited<'_>) -> Vec<Part<'a>> {
        self.quoted(&Style { nests: how.nests, ..Style::new(how.close, how.escapes, how.holes) })
    }

    pub(super) fn ruby_string(&mut self) -> bool {
        let style = |close| Style::new(close, Escapes::Full, Holes::Hash);
        if self.eat("`") {
            let parts = self.quoted(&style("`"));
            self.push(Kind::Shell(parts));
            return true;
        }
        let rest = self.rest();
        let is_document = rest.starts_with("<<~") || rest.starts_with("<<-") || !self.is_behind_operand();
        if rest.starts_with("<<") && is_document && self.document("<<", Holes::Hash) {
            return true;
        }
        if self.ruby_symbol() {
            return true;
        }
        if self.simple_quotes(&Style::new("'", Escapes::Quote, Holes::Never), &style("\"")) {
            return true;
        }
        if rest.starts_with('/') && !self.is_behind_operand() {
            return self.pattern();
        }
        rest.starts_with('%') && !self.is_behind_operand() && self.ruby_percent()
    }

    /// `:name` and `:"name"`, but not the colons of `a ? b : c`, `A::B` and `key: value`.
    fn ruby_symbol(&mut self) -> bool {
        let next = self.peek_at(1);
        if self.peek() != Some(':') || !next.is_some_and(|next| is_name_start(next) || next == '"') {
            return false;
        }
        self.bump();
        if self.eat("\"") {
            let parts = self.quoted(&Style::new("\"", Escapes::Full, Holes::Hash));
            self.push(Kind::Text(parts));
        } else {
            let name = self.take_while(is_name_letter);
            self.push(Kind::Text(vec![Part::Text(name.to_owned())]));
        }
        true
    }

    /// `%q()`, `%w[]`, `%x{}` …
    fn ruby_percent(&mut self) -> bool {
        let mut letters = self.rest().chars().skip(1);
        let first = letters.next().unwrap_or(' ');
        let (kind, open) =
            if "qQwWiIxrs".contains(first) { (first, letters.next().unwrap_or(' ')) } else { ('Q', first) };
        if !"([{<|!/".contains(open) {
            return false;
        }
        self.at += if kind == first { 3 } else { 2 };
        let (close, nests) = closing(open);
        let is_plain = matches!(kind, 'q' | 'w' | 'i' | 's');
        let (escapes, holes) =
            if is_plain { (Escapes::Quote, Holes::Never) } else { (Escapes::Full, Holes::Hash) };
        let parts = self.delimited(&Delimited { escapes, holes, close: &close, nests });
        match kind {
            'w' | 'i' => self.push(Kind::Words(words(&parts))),
            'x' => self.push(Kind::Shell(parts)),
            'r' => {
                self.flags();
                self.push(Kind::Value);
            }
            'W' | 'I' => self.push(Kind::Value),
            _ => self.push(Kind::Text(parts)),
        }
        true
    }

    /// A here-document: its body is taken from the following lines.
    pub(super) fn document(&mut self, opener: &str, holes: Holes) -> bool {
        let Some(tag) = Tag::read(self.rest().get(opener.len()..).unwrap_or_default()) else { return false };
        if self.endless >= MOST_ENDLESS {
            return false;
        }
        // A second here-document of the same line begins where the first one ends.
        let (line, start) = match self.body {
            Some((line, body)) if line >= self.at => (line, body),
            _ => {
                let line = self.at + self.rest().find('\n').unwrap_or(self.rest().len());
                (line, line + 1)
            }
        };
        let Some((inner, end)) = tag.body(self.source, start) else {
            self.endless += 1;
            return false;
        };
        self.at += opener.len() + tag.length;
        self.body = Some((line, end));
        let parts = self.document_parts(inner, &tag, holes);
        self.push(if tag.quote == Some('`') { Kind::Shell(parts) } else { Kind::Text(parts) });
        true
    }

    fn document_parts(&mut self, inner: &'a str, tag: &Tag<'_>, holes: Holes) -> Vec<Part<'a>> {
        if tag.quote == Some('\'') {
            return vec![Part::Text(inner.to_owned())];
        }
        // Indented bodies lose their margin, so their text differs from the source.
        if tag.is_indented && inner.starts_with([' ', '\t']) {
            return vec![Part::Unknown];
        }
        let (at, source) = (self.at, self.source);
        self.source = inner;
        self.at = 0;
        let mut parts = Vec::new();
        while self.at < inner.len() {
            // No letter ends it: the body is already cut out.
            let was_broken = self.is_broken;
            parts.extend(self.quoted(&Style::new("\u{0}", Escapes::Full, holes)));
            self.is_broken = was_broken;
        }
        (self.at, self.source) = (at, source);
        parts
    }
}

/// The word that ends a here-document.
struct Tag<'a> {
    word: &'a str,
    quote: Option<char>,
    is_indented: bool,
    /// How much of the source it takes.
    length: usize,
}

impl<'a> Tag<'a> {
    fn read(rest: &'a str) -> Option<Self> {
        let behind = rest.strip_prefix(['~', '-']).unwrap_or(rest);
        let is_indented = behind.len() < rest.len();
        let spaces = behind.len() - behind.trim_start_matches(' ').len();
        let behind = behind.trim_start_matches(' ');
        let quote = behind.chars().next().filter(|letter| matches!(letter, '"' | '\'' | '`'));
        // A bare word must touch: `<< X` shifts.
        if quote.is_none() && spaces > 0 {
            return None;
        }
        let inner = if quote.is_some() { behind.get(1..)? } else { behind };
        let end = inner.find(|letter| !is_name_letter(letter)).unwrap_or(inner.len());
        let word = inner.get(..end).filter(|word| word.starts_with(is_name_start))?;
        if let Some(quote) = quote
            && !inner.get(end..)?.starts_with(quote)
        {
            return None;
        }
        let length = usize::from(is_indented) + spaces + end + if quote.is_some() { 2 } else { 0 };
        Some(Self { word, quote, is_indented, length })
    }

    /// The body that begins at `start`, and where the line after it begins.
    fn body<'s>(&self, source: &'s str, start: usize) -> Option<(&'s str, usize)> {
        let mut at = start;
        for line in source.get(start..)?.split_inclusive('\n') {
            // PHP allows signs of the statement behind the end mark.
            let word = line.trim_end_matches(['\n', '\r', ';', ')', ',']).trim_start_matches([' ', '\t']);
            if word == self.word {
                return Some((source.get(start..at)?, at + line.len()));
            }
            at += line.len();
        }
        None
    }
}

fn closing(open: char) -> (String, Option<char>) {
    let close = match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => return (other.to_string(), None),
    };
    (close.to_string(), Some(open))
}

fn words(parts: &[Part<'_>]) -> Vec<String> {
    let text = parts.iter().map(|part| match part {
        Part::Text(text) => text.as_str(),
        Part::Code(_) | Part::Unknown => "?",
    });
    text.collect::<String>().split_whitespace().map(str::to_owned).collect()
}
