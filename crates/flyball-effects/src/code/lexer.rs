//! Cuts code into tokens, in one pass, tolerating everything.

use super::cursor::{Lexed, Lexer, is_name_letter, is_name_start};
use super::strings::{Escapes, Holes, Style};
use super::token::{HOLE, Kind};
use crate::model::Language;

const SIGNS: [&str; 44] = [
    "===", "!==", "**=", "...", "<=>", "<<=", ">>=", "&&=", "||=", "??=", "?->", "//=", "=>", "->", "==",
    "!=", "<=", ">=", "&&", "||", "??", "?.", "::", "**", "++", "--", "+=", "-=", "*=", "/=", "%=", "|=",
    "&=", "^=", ".=", "..", "=~", "!~", "<<", ">>", ":=", "//", "&.", "~=",
];

/// Cuts `source` into tokens.
pub(super) fn lex(language: Language, source: &str) -> Lexed<'_> {
    lex_at(language, source, 0)
}

/// Cuts code that is nested in `depth` strings.
fn lex_at(language: Language, source: &str, depth: usize) -> Lexed<'_> {
    let mut lexer = Lexer::new(language, source, depth, lex_at);
    while lexer.at < source.len() {
        let before = lexer.at;
        lexer.step();
        // Every step advances, whatever the input.
        if lexer.at <= before {
            lexer.at = before;
            lexer.bump();
        }
    }
    Lexed { tokens: lexer.tokens, is_broken: lexer.is_broken }
}

impl Lexer<'_> {
    fn step(&mut self) {
        let Some(letter) = self.peek() else { return };
        if letter == '\n' {
            self.line_end();
        } else if letter.is_whitespace() {
            self.bump();
            self.spaced = true;
        } else if letter == HOLE {
            self.bump();
            self.push(Kind::Hole);
        } else if letter == '\\' && self.rest().starts_with("\\\n") {
            self.at += 2;
            self.spaced = true;
        } else if self.comment() {
            self.spaced = true;
        } else if self.string() {
        } else if letter.is_ascii_digit() {
            self.number();
        } else if self.starts_name() {
            self.name();
        } else {
            self.sign();
        }
    }

    fn line_end(&mut self) {
        match self.body.take() {
            // The body of a here-document was read where it was announced; its lines are skipped now.
            Some((line, body)) if line <= self.at => self.at = body.max(self.at + 1),
            other => {
                self.body = other;
                self.at += 1;
            }
        }
        if self.ends_lines() {
            self.push(Kind::Newline);
        }
        self.spaced = true;
    }

    /// Whether the end of a line can end a statement.
    fn ends_lines(&self) -> bool {
        matches!(self.language, Language::Python | Language::Ruby | Language::Awk | Language::AppleScript)
    }

    fn comment(&mut self) -> bool {
        use Language::{AppleScript, Awk, JavaScript, Lua, Perl, Php, Python, Ruby, Sed};
        let rest = self.rest();
        let starts_line = self.at == 0 || self.source.get(..self.at).is_some_and(|text| text.ends_with('\n'));
        match self.language {
            JavaScript | Php if rest.starts_with("/*") => self.skip_past("*/"),
            JavaScript if rest.starts_with("//") || (self.at == 0 && rest.starts_with("#!")) => {
                self.skip_line()
            }
            Php if rest.starts_with("//") || (rest.starts_with('#') && !rest.starts_with("#[")) => {
                self.skip_line();
            }
            Lua if rest.starts_with("--[[") => self.skip_past("]]"),
            Lua if rest.starts_with("--") || (self.at == 0 && rest.starts_with('#')) => self.skip_line(),
            AppleScript if rest.starts_with("(*") => self.skip_past("*)"),
            AppleScript if rest.starts_with("--") || rest.starts_with('#') => self.skip_line(),
            Ruby if starts_line && rest.starts_with("=begin") => self.skip_past("\n=end"),
            Perl if starts_line && is_pod(rest) => self.skip_past("\n=cut"),
            // Nothing behind this mark is code.
            Perl | Ruby if starts_line && is_end(rest) => self.at = self.source.len(),
            Python | Perl | Ruby | Awk if rest.starts_with('#') => self.skip_line(),
            Python | JavaScript | Perl | Ruby | Php | Lua | Awk | Sed | AppleScript => return false,
        }
        true
    }

    fn skip_line(&mut self) {
        self.take_while(|letter| letter != '\n');
    }

    fn skip_past(&mut self, end: &str) {
        match self.rest().find(end) {
            Some(length) => self.at += length + end.len(),
            // An open comment goes on to the end, as the interpreter would have it.
            None => self.at = self.source.len(),
        }
    }

    fn number(&mut self) {
        loop {
            self.take_while(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            let is_fraction =
                self.peek() == Some('.') && self.peek_at(1).is_some_and(|it| it.is_ascii_digit());
            if !is_fraction {
                break;
            }
            self.bump();
        }
        self.push(Kind::Value);
    }

    fn starts_name(&self) -> bool {
        let Some(letter) = self.peek() else { return false };
        let next = self.peek_at(1);
        match letter {
            '$' => match self.language {
                Language::JavaScript => true,
                Language::Php | Language::Ruby => next.is_some_and(is_name_start),
                Language::Perl => {
                    next.is_some_and(|next| is_name_start(next) || "0123456789!@&,;./\\".contains(next))
                }
                _ => false,
            },
            '@' => {
                matches!(self.language, Language::Perl | Language::Ruby)
                    && next.is_some_and(|next| is_name_start(next) || next == '@')
            }
            '%' | '&' => {
                self.language == Language::Perl
                    // Behind a value these are the modulo and the bitwise and.
                    && !self.is_behind_operand()
                    && next.is_some_and(is_name_start)
            }
            '\\' => self.language == Language::Php,
            // A private member.
            '#' => self.language == Language::JavaScript,
            _ => is_name_start(letter),
        }
    }

    fn name(&mut self) {
        let start = self.at;
        let first = self.bump();
        let is_special = first == Some('$')
            && self.language == Language::Perl
            // `$!`, `$@`, `$,` … are one letter long.
            && self.peek().is_some_and(|letter| !is_name_start(letter) && !letter.is_ascii_digit());
        if is_special || (first == Some('@') && self.peek() == Some('@')) {
            self.bump();
        }
        if !is_special {
            self.name_letters();
        }
        // `&f` is `f`, called.
        let start = if first == Some('&') { start + 1 } else { start };
        let name = self.source.get(start..self.at).unwrap_or_default();
        self.push(Kind::Name(name));
    }

    fn name_letters(&mut self) {
        let language = self.language;
        self.take_while(|letter| {
            is_name_letter(letter)
                || (letter == '$' && language == Language::JavaScript)
                || (letter == '\\' && language == Language::Php)
        });
        let next = self.peek_at(1);
        match language {
            Language::Ruby if matches!(self.peek(), Some('?' | '!')) && next != Some('=') => {
                // `x ?a : b` has a space; a method's own mark has not.
                self.bump();
            }
            Language::Perl if self.rest().starts_with("::") && self.peek_at(2).is_some_and(is_name_start) => {
                self.at += 2;
                self.name_letters_again();
            }
            _ => {}
        }
    }

    /// The further parts of `A::B::C`.
    fn name_letters_again(&mut self) {
        loop {
            self.take_while(is_name_letter);
            if !(self.rest().starts_with("::") && self.peek_at(2).is_some_and(is_name_start)) {
                return;
            }
            self.at += 2;
        }
    }

    fn sign(&mut self) {
        let rest = self.rest();
        // A test of a file: `-e $path`.
        if self.language == Language::Perl && !self.is_behind_operand() && is_file_test(rest) {
            self.at += 2;
            return self.push(Kind::Sign("-"));
        }
        // Most signs are one letter; the check saves a pass over the list.
        let is_long = rest.as_bytes().get(1).is_some_and(|byte| b"=.>&|?:*+-<~/".contains(byte));
        let length = match SIGNS.iter().find(|sign| is_long && rest.starts_with(**sign)) {
            Some(sign) => sign.len(),
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
        self.at += length;
        self.push(Kind::Sign(rest.get(..length).unwrap_or_default()));
    }

    /// A string of any kind, if one is next.
    fn string(&mut self) -> bool {
        match self.language {
            Language::Python => self.python_string(),
            Language::JavaScript => self.javascript_string(),
            Language::Perl => self.perl_string(),
            Language::Ruby => self.ruby_string(),
            Language::Php => self.php_string(),
            Language::Lua => self.lua_string(),
            Language::Awk | Language::AppleScript | Language::Sed => self.plain_string(),
        }
    }

    fn plain_string(&mut self) -> bool {
        if self.language == Language::Awk && self.peek() == Some('/') && !self.is_behind_operand() {
            return self.pattern();
        }
        if !self.eat("\"") {
            return false;
        }
        let parts = self.quoted(&Style::new("\"", Escapes::Full, Holes::Never));
        self.push(Kind::Text(parts));
        true
    }
}

fn is_pod(rest: &str) -> bool {
    rest.strip_prefix('=').is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_lowercase()))
}

fn is_end(rest: &str) -> bool {
    rest.starts_with("__END__") || rest.starts_with("__DATA__")
}

fn is_file_test(rest: &str) -> bool {
    let mut letters = rest.chars().skip(1);
    let is_test = letters.next().is_some_and(|letter| "edfrwxszlpSbcugktTBAMCoRWXO".contains(letter));
    rest.starts_with('-') && is_test && letters.next().is_some_and(|letter| letter == ' ' || letter == '$')
}
