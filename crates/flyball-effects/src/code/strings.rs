//! Strings: where they end, their escapes, and the code in them.

use super::cursor::{Lexer, MOST_HOLES, is_name_letter, is_name_start};
use super::token::{HOLE, Kind, Part};

/// How a string is written.
pub(super) struct Style<'s> {
    pub(super) close: &'s str,
    /// The bracket that may nest in it.
    pub(super) nests: Option<char>,
    pub(super) escapes: Escapes,
    pub(super) holes: Holes,
    /// Whether it may go over several lines.
    pub(super) is_long: bool,
}

impl<'s> Style<'s> {
    pub(super) fn new(close: &'s str, escapes: Escapes, holes: Holes) -> Self {
        Self { close, nests: None, escapes, holes, is_long: true }
    }
}

/// What a backslash does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escapes {
    /// It means itself, and stops a quote from ending the string.
    Raw,
    /// It means itself.
    Never,
    /// It escapes itself and the end of the string.
    Quote,
    /// It writes all kinds of letters.
    Full,
}

/// How code is embedded in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holes {
    Never,
    /// `{x}`
    Braces,
    /// `${x}`
    Dollar,
    /// `#{x}`
    Hash,
    /// `$x`, `@x`, `@{[ x ]}`
    Perl,
    /// `$x`, `{$x}`
    Php,
}

/// The text being put together.
#[derive(Default)]
struct Parts<'a> {
    parts: Vec<Part<'a>>,
}

impl<'a> Parts<'a> {
    fn letter(&mut self, letter: char) {
        match self.parts.last_mut() {
            Some(Part::Text(text)) => text.push(letter),
            _ => self.parts.push(Part::Text(letter.to_string())),
        }
    }
}

impl<'a> Lexer<'a> {
    /// The rest of a string whose opening quote is behind us.
    pub(super) fn quoted(&mut self, style: &Style<'_>) -> Vec<Part<'a>> {
        let mut parts = Parts::default();
        let mut nested = 0usize;
        loop {
            if nested == 0 && self.eat(style.close) {
                break;
            }
            let Some(letter) = self.peek() else {
                self.is_broken = true;
                break;
            };
            if letter == '\n' && !style.is_long {
                self.is_broken = true;
                break;
            }
            if letter == '\\' && style.escapes != Escapes::Never {
                self.escape(style, &mut parts);
                continue;
            }
            if self.hole(style.holes, &mut parts) {
                continue;
            }
            self.bump();
            if Some(letter) == style.nests {
                nested += 1;
            } else if nested > 0 && style.close.starts_with(letter) {
                nested -= 1;
            }
            if letter == HOLE {
                parts.parts.push(Part::Unknown);
            } else {
                parts.letter(letter);
            }
        }
        parts.parts
    }

    fn escape(&mut self, style: &Style<'_>, parts: &mut Parts<'a>) {
        self.bump();
        let Some(letter) = self.bump() else { return };
        match style.escapes {
            Escapes::Raw | Escapes::Never => {
                parts.letter('\\');
                parts.letter(letter);
            }
            Escapes::Quote => {
                if letter != '\\' && !style.close.starts_with(letter) && Some(letter) != style.nests {
                    parts.letter('\\');
                }
                parts.letter(letter);
            }
            Escapes::Full => self.full_escape(letter, parts),
        }
    }

    fn full_escape(&mut self, letter: char, parts: &mut Parts<'a>) {
        let written = match letter {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            'e' => Some('\u{1b}'),
            '\n' => return,
            'x' => self.number_letter(16, 2),
            'u' if self.eat("{") => {
                let letter = self.number_letter(16, 6);
                self.eat("}");
                letter
            }
            'u' => self.number_letter(16, 4),
            '0'..='7' => {
                // Back to the first digit, which belongs to the number.
                self.at -= 1;
                self.number_letter(8, 3)
            }
            // Named letters and the like are not decoded.
            'N' | 'U' | 'c' => None,
            other => Some(other),
        };
        match written {
            Some(letter) => parts.letter(letter),
            None => parts.parts.push(Part::Unknown),
        }
    }

    fn number_letter(&mut self, radix: u32, most: usize) -> Option<char> {
        let digits: String = self.rest().chars().take(most).take_while(|it| it.is_digit(radix)).collect();
        self.at += digits.len();
        u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32)
    }

    /// Code in the string, if some is next.
    fn hole(&mut self, holes: Holes, parts: &mut Parts<'a>) -> bool {
        let rest = self.rest();
        match holes {
            Holes::Never => false,
            Holes::Braces if rest.starts_with("{{") || rest.starts_with("}}") => {
                self.at += 2;
                parts.letter(if rest.starts_with('{') { '{' } else { '}' });
                true
            }
            Holes::Braces => rest.starts_with('{') && self.code_hole(1, parts),
            Holes::Dollar => rest.starts_with("${") && self.code_hole(2, parts),
            Holes::Hash => rest.starts_with("#{") && self.code_hole(2, parts),
            Holes::Perl if rest.starts_with("@{") || rest.starts_with("${") => self.code_hole(2, parts),
            Holes::Perl => rest.starts_with(['$', '@']) && self.variable_hole(parts),
            Holes::Php if rest.starts_with("{$") => self.code_hole(1, parts),
            Holes::Php => rest.starts_with('$') && self.variable_hole(parts),
        }
    }

    /// `{ … }`, behind `prefix` letters.
    fn code_hole(&mut self, prefix: usize, parts: &mut Parts<'a>) -> bool {
        self.at += prefix;
        let rest = self.rest();
        let (mut open, mut end) = (1usize, rest.len());
        // Braces in strings inside are counted too, so the end may be misplaced.
        for (at, byte) in rest.bytes().enumerate() {
            match byte {
                b'{' => open += 1,
                b'}' => open -= 1,
                _ => {}
            }
            if open == 0 {
                end = at;
                break;
            }
        }
        self.at += (end + 1).min(rest.len());
        self.is_broken |= open > 0;
        self.code_part(rest.get(..end).unwrap_or_default(), parts);
        true
    }

    fn code_part(&mut self, code: &'a str, parts: &mut Parts<'a>) {
        // Strings in code in strings cost stack.
        if self.depth >= MOST_HOLES {
            self.is_broken = true;
            return parts.parts.push(Part::Unknown);
        }
        let lexed = (self.nested)(self.language, code, self.depth + 1);
        self.is_broken |= lexed.is_broken;
        parts.parts.push(Part::Code(lexed.tokens));
    }

    /// `$name`; with an index behind it, its value is not known.
    fn variable_hole(&mut self, parts: &mut Parts<'a>) -> bool {
        let is_name = self.peek_at(1).is_some_and(|next| is_name_start(next) || next.is_ascii_digit());
        if !is_name {
            return false;
        }
        let start = self.at;
        self.bump();
        self.take_while(is_name_letter);
        let name = self.source.get(start..self.at).unwrap_or_default();
        let rest = self.rest();
        // The home folder: `"$ENV{HOME}/x"`.
        let home = ["{HOME}", "{'HOME'}"].into_iter().find(|key| name == "$ENV" && rest.starts_with(key));
        if let Some(key) = home {
            self.at += key.len();
            self.code_part(self.source.get(start..self.at).unwrap_or_default(), parts);
        } else if name.starts_with('@') || rest.starts_with(['[', '{']) || rest.starts_with("->") {
            parts.parts.push(Part::Unknown);
        } else {
            self.code_part(name, parts);
        }
        true
    }

    /// `/…/flags`; without an end, the rest of the line is taken.
    pub(super) fn pattern(&mut self) -> bool {
        self.bump();
        let mut is_class = false;
        loop {
            match self.peek() {
                None | Some('\n') => {
                    self.is_broken = true;
                    break;
                }
                Some('\\') => {
                    self.bump();
                }
                Some('[') => is_class = true,
                Some(']') => is_class = false,
                Some('/') if !is_class => {
                    self.bump();
                    break;
                }
                Some(_) => {}
            }
            self.bump();
        }
        self.take_while(|letter| letter.is_ascii_alphabetic());
        self.push(Kind::Value);
        true
    }

    /// `'…'` and `"…"` of languages that know no other kinds.
    pub(super) fn simple_quotes(&mut self, single: &Style<'_>, double: &Style<'_>) -> bool {
        let style = match self.peek() {
            Some('\'') => single,
            Some('"') => double,
            _ => return false,
        };
        self.bump();
        let parts = self.quoted(style);
        self.push(Kind::Text(parts));
        true
    }

    pub(super) fn python_string(&mut self) -> bool {
        let rest = self.rest();
        let prefix = rest.find(|letter: char| !"rRbBfFuUtT".contains(letter)).unwrap_or(rest.len());
        let marks = rest.get(..prefix).unwrap_or_default();
        let behind = rest.get(prefix..).unwrap_or_default();
        let Some(quote) = behind.chars().next().filter(|quote| matches!(quote, '\'' | '"')) else {
            return false;
        };
        // At most two letters may mark a string; more of them are a name.
        if prefix > 2 {
            return false;
        }
        let triple = if quote == '"' { "\"\"\"" } else { "'''" };
        let is_long = behind.starts_with(triple);
        let close = if is_long { triple } else { triple.get(..1).unwrap_or_default() };
        self.at += prefix + close.len();
        let is_formatted = marks.contains(['f', 'F', 't', 'T']);
        let escapes = if marks.contains(['r', 'R']) { Escapes::Raw } else { Escapes::Full };
        let holes = if is_formatted { Holes::Braces } else { Holes::Never };
        let parts = self.quoted(&Style { is_long, ..Style::new(close, escapes, holes) });
        self.push(Kind::Text(parts));
        true
    }

    pub(super) fn javascript_string(&mut self) -> bool {
        if self.peek() == Some('/') && !self.is_behind_operand() {
            return self.pattern();
        }
        if self.eat("`") {
            let parts = self.quoted(&Style::new("`", Escapes::Full, Holes::Dollar));
            self.push(Kind::Text(parts));
            return true;
        }
        let style = |close| Style { is_long: false, ..Style::new(close, Escapes::Full, Holes::Never) };
        self.simple_quotes(&style("'"), &style("\""))
    }

    pub(super) fn lua_string(&mut self) -> bool {
        let rest = self.rest();
        let level = rest.bytes().skip(1).take_while(|byte| *byte == b'=').count();
        if rest.starts_with('[') && rest.as_bytes().get(level + 1) == Some(&b'[') {
            let close = format!("]{}]", "=".repeat(level));
            self.at += level + 2;
            let parts = self.quoted(&Style::new(&close, Escapes::Never, Holes::Never));
            self.push(Kind::Text(parts));
            return true;
        }
        let style = |close| Style { is_long: false, ..Style::new(close, Escapes::Full, Holes::Never) };
        self.simple_quotes(&style("'"), &style("\""))
    }

    pub(super) fn php_string(&mut self) -> bool {
        if self.rest().starts_with("<<<") {
            return self.document("<<<", Holes::Php);
        }
        if self.eat("`") {
            let parts = self.quoted(&Style::new("`", Escapes::Full, Holes::Php));
            self.push(Kind::Shell(parts));
            return true;
        }
        let single = Style::new("'", Escapes::Quote, Holes::Never);
        self.simple_quotes(&single, &Style::new("\"", Escapes::Full, Holes::Php))
    }
}
