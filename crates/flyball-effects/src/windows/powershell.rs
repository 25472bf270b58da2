//! Statements of PowerShell, as statements of sh.

use flyball_programs::cmdlet;

use super::argument::Argument;
use super::calls;
use super::cmdlets::{Call, call};
use super::names::plain;
use super::reader::{MOST_LEVELS, Reader, UNKNOWN_LINE};

/// A line of sh that does the same.
pub(super) fn translate(text: &str) -> String {
    Reader { source: text, at: 0, level: 0 }.statements(None)
}

/// One part of a pipeline.
struct Segment {
    sh: String,
    /// The blocks that it runs.
    blocks: Vec<String>,
}

impl Reader<'_> {
    /// Spaces, comments, and ends of lines that a backtick takes away.
    fn skip_blanks(&mut self, over_lines: bool) {
        loop {
            let rest = self.rest();
            if rest.starts_with("`\n") || rest.starts_with("`\r\n") {
                self.next();
                while self.next().is_some_and(|letter| letter != '\n') {}
            } else if rest.starts_with("<#") {
                self.skip_bytes(rest.find("#>").map_or(rest.len(), |end| end + 2));
            } else if rest.starts_with('#') {
                self.skip_bytes(rest.find('\n').unwrap_or(rest.len()));
            } else if self
                .peek()
                .is_some_and(|letter| letter.is_whitespace() && (over_lines || letter != '\n'))
            {
                self.next();
            } else {
                return;
            }
        }
    }

    /// Statements to this letter, which is taken, or to the end.
    fn statements(&mut self, end: Option<char>) -> String {
        let mut out: Vec<String> = Vec::new();
        loop {
            self.skip_blanks(true);
            match self.peek() {
                None => break,
                Some(letter) if Some(letter) == end => {
                    self.next();
                    break;
                }
                // What ends nothing that was begun here.
                Some(';' | ')' | '}' | ',' | '|') => {
                    self.next();
                }
                Some(_) => {
                    let before = self.at;
                    let one = self.statement();
                    if !one.is_empty() {
                        out.push(one);
                    }
                    // Whatever it is, the reading goes on.
                    if self.at == before {
                        self.next();
                    }
                }
            }
        }
        if out.is_empty() { "true".to_owned() } else { out.join("\n") }
    }

    /// The statements of `{ … }`.
    fn block(&mut self) -> String {
        self.next();
        if self.level >= MOST_LEVELS {
            self.skip_bytes(self.rest().len());
            return UNKNOWN_LINE.to_owned();
        }
        self.level += 1;
        let inner = self.statements(Some('}'));
        self.level -= 1;
        inner
    }

    /// The statements of `( … )`.
    pub(super) fn in_brackets(&mut self) -> String {
        self.next();
        if self.level >= MOST_LEVELS {
            self.skip_bytes(self.rest().len());
            return UNKNOWN_LINE.to_owned();
        }
        self.level += 1;
        let inner = self.statements(Some(')'));
        self.level -= 1;
        inner
    }

    /// `{ … }` that is no code.
    pub(super) fn skip_block(&mut self) {
        self.block();
    }

    /// The arguments of a method, in brackets.
    pub(super) fn call_arguments(&mut self) -> Vec<Argument> {
        self.next();
        let mut arguments = Vec::new();
        loop {
            self.skip_blanks(true);
            match self.peek() {
                None => return arguments,
                Some(')') => {
                    self.next();
                    return arguments;
                }
                Some(',') => {
                    self.next();
                }
                Some('{') => {
                    let block = self.block();
                    arguments.push(Argument::unknown(format!("\"$({block})\"")));
                }
                Some(_) => {
                    let before = self.at;
                    arguments.extend(self.argument(true));
                    if self.at == before {
                        self.next();
                    }
                }
            }
        }
    }

    /// A word, unless there are more open brackets than are followed.
    fn argument(&mut self, splits_at_comma: bool) -> Option<Argument> {
        if self.level >= MOST_LEVELS {
            self.skip_bytes(self.rest().len());
            return Some(Argument::unknown("\"$ps_deep\""));
        }
        self.level += 1;
        let word = self.word(splits_at_comma);
        self.level -= 1;
        word
    }

    /// Whether `[` begins the name of a type.
    pub(super) fn is_type(&self) -> bool {
        let rest = self.rest();
        let inner = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(inner, _)| inner);
        inner.is_some_and(|name| {
            name.starts_with(|letter: char| letter.is_alphabetic())
                && name
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || matches!(letter, '.' | '[' | '_' | ','))
        })
    }

    /// `[Type]::Method(…)`, `[Type]value`.
    pub(super) fn type_expression(&mut self) -> Argument {
        let rest = self.rest();
        let end = rest.find(']').unwrap_or(rest.len());
        let class = rest.get(1..end).unwrap_or_default().to_owned();
        self.skip_bytes(end + 1);
        if !self.rest().starts_with("::") {
            self.skip_blanks(false);
            // A cast, or a type alone.
            return self.argument(true).unwrap_or_else(|| Argument::literal(&class, false));
        }
        self.skip_bytes(2);
        let name = self.identifier();
        if self.peek() != Some('(') {
            return Argument::unknown("\"$ps_value\"");
        }
        let arguments = self.call_arguments();
        let mut value = calls::of_type(&class, &name, &arguments);
        while self.peek() == Some('.') {
            self.next();
            let name = self.identifier();
            let arguments = if self.peek() == Some('(') { self.call_arguments() } else { Vec::new() };
            value = Argument::unknown(calls::method(&value.sh, &name, &arguments));
            if name.is_empty() {
                break;
            }
        }
        value
    }

    fn statement(&mut self) -> String {
        if let Some(keyword) = self.keyword() {
            return self.structure(&keyword);
        }
        if let Some(assigned) = self.assignment() {
            return assigned;
        }
        self.pipeline()
    }

    /// A word of the language at the beginning of a statement; it is taken.
    fn keyword(&mut self) -> Option<String> {
        const KEYWORDS: &[&str] = &[
            "if", "elseif", "else", "foreach", "for", "while", "until", "do", "switch", "try", "catch",
            "finally", "function", "filter", "return", "throw", "param", "begin", "process", "end", "trap",
        ];
        let rest = self.rest();
        let word: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
        let lower = word.to_ascii_lowercase();
        let behind = rest.get(word.len()..).unwrap_or_default();
        let is_word = behind.is_empty()
            || behind.starts_with(|next: char| next.is_whitespace() || "({[;".contains(next));
        // `foreach` and `process` are commands too, with a block at once.
        let is_command = matches!(lower.as_str(), "foreach") && !behind.trim_start().starts_with('(');
        if !is_word || is_command || !KEYWORDS.contains(&lower.as_str()) {
            return None;
        }
        self.skip_bytes(word.len());
        Some(lower)
    }

    fn structure(&mut self, keyword: &str) -> String {
        self.skip_blanks(true);
        match keyword {
            "return" | "throw" => self.pipeline(),
            "function" | "filter" => {
                let name = self.bare_name();
                self.skip_to_block();
                let body = self.block_if_any();
                // It is only known to be called where its name is.
                format!("{name}() {{\n{body}\n}}")
            }
            "param" => {
                if self.peek() == Some('(') {
                    drop(self.in_brackets());
                }
                String::new()
            }
            "foreach" if self.peek() == Some('(') => self.each(),
            "if" | "elseif" | "while" | "until" | "for" | "switch" => {
                let condition = if self.peek() == Some('(') { self.in_brackets() } else { "true".to_owned() };
                self.skip_blanks(true);
                let body = self.block_if_any();
                format!("if {{ {condition}\n}}; then\n{body}\nfi")
            }
            _ => {
                // `catch [Type] { … }`, `else { … }`
                self.skip_to_block();
                let body = self.block_if_any();
                format!("if true; then\n{body}\nfi")
            }
        }
    }

    fn block_if_any(&mut self) -> String {
        if self.peek() == Some('{') { self.block() } else { "true".to_owned() }
    }

    /// What may be between a keyword and its block: types, parameters.
    fn skip_to_block(&mut self) {
        self.skip_blanks(true);
        loop {
            match self.peek() {
                Some('[') => self.skip_index(),
                Some('(') => drop(self.in_brackets()),
                _ => break,
            }
            self.skip_blanks(true);
        }
    }

    fn bare_name(&mut self) -> String {
        let mut name = String::new();
        while let Some(letter) =
            self.peek().filter(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ':'))
        {
            self.next();
            name.push(if letter == ':' { '_' } else { letter });
        }
        if name.is_empty() { "ps_function".to_owned() } else { name }
    }

    /// `foreach ($x in …) { … }`
    fn each(&mut self) -> String {
        self.next();
        self.skip_blanks(true);
        let name = if self.peek() == Some('$') {
            self.next();
            self.identifier()
        } else {
            String::new()
        };
        self.skip_blanks(true);
        if self.rest().get(..2).is_some_and(|word| word.eq_ignore_ascii_case("in")) {
            self.skip_bytes(2);
        }
        self.skip_blanks(true);
        let begin = self.at;
        let words = self.words_of_list();
        let is_whole = self.peek() == Some(')');
        let items = if is_whole {
            self.next();
            words.iter().map(|word| word.sh.as_str()).collect::<Vec<_>>().join(" ")
        } else {
            self.at = begin;
            self.level += 1;
            let inner =
                if self.level > MOST_LEVELS { UNKNOWN_LINE.to_owned() } else { self.statements(Some(')')) };
            self.level -= 1;
            format!("$({inner})")
        };
        self.skip_blanks(true);
        let body = self.block_if_any();
        format!("for ps_{} in {items}; do\n{body}\ndone", plain(&name.to_ascii_lowercase()))
    }

    fn words_of_list(&mut self) -> Vec<Argument> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks(true);
            if !matches!(self.peek(), Some('\'' | '"' | '$' | '0'..='9' | '@')) {
                return words;
            }
            words.extend(self.argument(true));
            self.skip_blanks(true);
            if self.peek() != Some(',') {
                return words;
            }
            self.next();
        }
    }

    /// `$x = …`, `$env:X = …`
    fn assignment(&mut self) -> Option<String> {
        let before = self.at;
        while self.peek() == Some('[') && self.is_type() {
            self.skip_index();
            self.skip_blanks(false);
        }
        let name = self.assigned_name();
        let Some(name) = name else {
            self.at = before;
            return None;
        };
        self.skip_blanks(true);
        let begin = self.at;
        // A word alone is known; anything else is what its commands print.
        if matches!(self.peek(), Some('\'' | '"' | '@' | '$' | '(' | '[' | '0'..='9'))
            && let Some(word) = self.argument(true)
        {
            self.skip_blanks(false);
            if self.peek().is_none_or(|letter| matches!(letter, ';' | '\n' | ')' | '}')) {
                return Some(format!("{name}={}", word.sh));
            }
        }
        self.at = begin;
        if self.peek() == Some('{') {
            let body = self.block();
            return Some(format!("if true; then\n{body}\nfi"));
        }
        let value = self.pipeline();
        Some(format!("{name}=\"$({value})\""))
    }

    fn assigned_name(&mut self) -> Option<String> {
        if self.peek() != Some('$') {
            return None;
        }
        self.next();
        let mut name = String::new();
        while let Some(letter) =
            self.peek().filter(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ':'))
        {
            self.next();
            name.push(letter);
        }
        self.skip_blanks(false);
        let rest = self.rest();
        let operator = ["+=", "-=", "?="].iter().find(|operator| rest.starts_with(**operator));
        let is_plain = rest.starts_with('=') && !rest.starts_with("==");
        if name.is_empty() || (operator.is_none() && !is_plain) {
            return None;
        }
        self.skip_bytes(operator.map_or(1, |operator| operator.len()));
        let lower = name.to_ascii_lowercase();
        let is_environment = lower.starts_with("env:");
        // A value that grows is not known.
        let known = match name.split_once(':') {
            Some((_, own)) if is_environment => plain(own),
            Some((_, own)) => format!("ps_{}", plain(&own.to_ascii_lowercase())),
            None => format!("ps_{}", plain(&lower)),
        };
        Some(if operator.is_some() { format!("{known}=\"$ps_grown\"; {known}_more") } else { known })
    }

    /// Commands with `|`, `&&` and `||` between them.
    fn pipeline(&mut self) -> String {
        let mut out = String::new();
        let mut is_piped = false;
        loop {
            self.skip_blanks(false);
            let Segment { sh, blocks } = self.segment(is_piped);
            let blocks: String = blocks.iter().map(|block| format!("{block}\n")).collect();
            match (sh.is_empty(), blocks.is_empty()) {
                (_, true) => out.push_str(if sh.is_empty() { "true" } else { &sh }),
                (true, false) => out.push_str(&format!("{{ {blocks}}}")),
                (false, false) => out.push_str(&format!("{{ {sh}\n{blocks}}}")),
            }
            self.skip_blanks(false);
            let rest = self.rest();
            let (operator, written) = if rest.starts_with("||") {
                ("||", " || ")
            } else if rest.starts_with("&&") {
                ("&&", " && ")
            } else if rest.starts_with('|') {
                ("|", " | ")
            } else if rest.starts_with('&') {
                self.next();
                out.push_str(" &");
                return out;
            } else {
                return out;
            };
            self.skip_bytes(operator.len());
            self.skip_blanks(true);
            is_piped = operator == "|";
            out.push_str(written);
        }
    }

    /// One command or expression.
    fn segment(&mut self, is_piped: bool) -> Segment {
        let mut blocks = Vec::new();
        let mut is_called = false;
        // The call operator, and `.`, which runs a file in this shell.
        if self.peek() == Some('&')
            || (self.peek() == Some('.') && self.peek_at(1).is_some_and(char::is_whitespace))
        {
            self.next();
            self.skip_blanks(false);
            is_called = true;
        }
        let is_expression = !is_called
            && matches!(self.peek(), Some('\'' | '"' | '@' | '$' | '(' | '[' | '0'..='9' | '!' | '-'));
        let mut words = Vec::new();
        let mut redirects = String::new();
        loop {
            self.skip_blanks(false);
            let Some(letter) = self.peek() else { break };
            if self.redirect(&mut redirects) {
                continue;
            }
            match letter {
                '{' => blocks.push(self.block()),
                '\n' | ';' | '|' | '&' | ')' | '}' => break,
                // Between the words of a list.
                ',' | '<' | '>' => {
                    self.next();
                }
                _ => {
                    let before = self.at;
                    let is_native = words
                        .first()
                        .and_then(|word: &Argument| word.text.as_deref())
                        .is_some_and(|name| cmdlet(name).is_none() && !name.contains('-'));
                    words.extend(self.argument(is_expression || !is_native));
                    if self.at == before {
                        self.next();
                    }
                }
            }
        }
        let call = Call { words, redirects, is_piped, is_expression };
        Segment { sh: call_of(call, !blocks.is_empty()), blocks }
    }

    /// `> file`, `2>&1`, `*>> file`.
    fn redirect(&mut self, redirects: &mut String) -> bool {
        let rest = self.rest();
        let descriptor = rest.chars().next().filter(|letter| letter.is_ascii_digit() || *letter == '*');
        let behind = rest.get(descriptor.map_or(0, char::len_utf8)..).unwrap_or_default();
        if !behind.starts_with('>') {
            return false;
        }
        let operator = if behind.starts_with(">>") { ">>" } else { ">" };
        self.skip_bytes(descriptor.map_or(0, char::len_utf8) + operator.len());
        if self.rest().starts_with("&1") || self.rest().starts_with("&2") {
            self.skip_bytes(2);
            return true;
        }
        self.skip_blanks(false);
        let Some(target) = self.argument(true) else { return true };
        let descriptor = match descriptor {
            Some('*') => "&".to_owned(),
            // sh has the first two; what the others show is shown.
            Some(number @ ('1' | '2')) => number.to_string(),
            Some(_) => return true,
            None => String::new(),
        };
        redirects.push_str(&format!(" {descriptor}{operator} {}", target.as_place()));
        true
    }
}

fn call_of(mut parts: Call, has_blocks: bool) -> String {
    if parts.words.is_empty() && parts.redirects.is_empty() {
        return String::new();
    }
    // The text that `Invoke-Expression` is given is a line of PowerShell again.
    if let [name, Argument { text: Some(text), .. }] = parts.words.as_mut_slice()
        && name.text.as_deref().and_then(cmdlet).is_some_and(|known| known.runs == "eval")
    {
        let line = translate(text);
        parts.words.truncate(1);
        parts.words.push(Argument::literal(&line, false));
    }
    call(parts, has_blocks)
}
