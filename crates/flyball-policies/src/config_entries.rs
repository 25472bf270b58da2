//! Reads config files of any format well enough to compare two versions of one: keys with
//! their path, their value and their line. Never fails: what it cannot parse is skipped.

use std::collections::BTreeMap;

use flyball_programs::Format;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) value: String,
    /// Its line, from 1.
    pub(crate) line: usize,
}

/// All values by the path of their key, dots between. The items of a list share one path.
pub(crate) type Entries = BTreeMap<String, Vec<Entry>>;

/// Nothing is nested deeper than this in a config that a person wrote.
const DEEPEST: usize = 32;

pub(crate) fn read(text: &str, format: Format) -> Entries {
    let mut entries = Entries::new();
    match format {
        Format::Braces | Format::Toml => Walker::new(text, format).walk(&mut entries),
        Format::Ini => read_ini(text, &mut entries),
        Format::Yaml => read_yaml(text, &mut entries),
        Format::Lines => {
            for (index, line) in text.lines().enumerate() {
                let line = line.trim();
                if !line.is_empty() && !line.starts_with('#') {
                    add(&mut entries, "ignore", line, index + 1);
                }
            }
        }
    }
    entries
}

fn add(entries: &mut Entries, path: &str, value: &str, line: usize) {
    let entry = Entry { value: value.to_owned(), line };
    entries.entry(path.to_owned()).or_default().push(entry);
}

/// One piece of JSON, TOML or an object literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// A string without its quotes, or a bare word.
    Word(&'a str),
    Sign(u8),
    Newline,
}

struct Walker<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    format: Format,
}

impl<'a> Walker<'a> {
    fn new(text: &'a str, format: Format) -> Walker<'a> {
        Walker { text, at: 0, line: 1, format }
    }

    fn walk(mut self, entries: &mut Entries) {
        let mut path: Vec<String> = Vec::new();
        // The path to go back to at the end of each bracket.
        let mut outer: Vec<(usize, bool)> = Vec::new();
        let mut section = 0;
        let (mut word, mut key): (Option<&str>, Option<&str>) = (None, None);
        let mut begins_line = true;
        while let Some(token) = self.next_token() {
            // Elsewhere in TOML, `[` begins an array.
            let is_header = self.format == Format::Toml && begins_line && outer.is_empty();
            begins_line = token == Token::Newline;
            match token {
                Token::Word(text) => {
                    // Without a sign between two words, the first was a value.
                    if let Some(previous) = word.replace(text) {
                        self.finish(entries, &path, key, previous);
                    }
                }
                Token::Sign(b'[') if is_header => {
                    path = self.header();
                    section = path.len();
                }
                Token::Sign(b':' | b'=') => key = word.take().or(key),
                Token::Sign(open @ (b'{' | b'[')) => {
                    if path.len() < DEEPEST {
                        outer.push((path.len(), open == b'['));
                        path.extend(key.take().or(word.take()).map(str::to_owned));
                    }
                }
                Token::Sign(_) | Token::Newline => {
                    if let Some(text) = word.take() {
                        self.finish(entries, &path, key, text);
                    }
                    let in_list = outer.last().is_some_and(|(_, is_list)| *is_list);
                    // In JSON a line may break between a key and its value, in TOML only within a list.
                    if token != Token::Newline || (self.format == Format::Toml && !in_list) {
                        key = None;
                    }
                    if matches!(token, Token::Sign(b'}' | b']')) {
                        // A closing bracket too many stays within the section.
                        path.truncate(outer.pop().map_or(section, |(length, _)| length));
                    }
                }
            }
        }
        if let Some(text) = word {
            self.finish(entries, &path, key, text);
        }
    }

    fn finish(&self, entries: &mut Entries, path: &[String], key: Option<&str>, value: &str) {
        let keys = path.iter().map(String::as_str).chain(key);
        add(entries, &keys.collect::<Vec<_>>().join("."), value, self.line);
    }

    /// The rest of `[tool.ruff.lint]` or `[[tool.mypy.overrides]]`.
    fn header(&mut self) -> Vec<String> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        self.at += line.len();
        let name = line.split(']').next().unwrap_or_default().trim_start_matches('[');
        name.split('.').map(|part| part.trim().trim_matches(['"', '\'']).to_owned()).collect()
    }

    fn next_token(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = self.text.get(self.at..)?;
            let first = *rest.as_bytes().first()?;
            let is_comment = match self.format {
                Format::Toml => first == b'#',
                _ => rest.starts_with("//") || rest.starts_with("/*"),
            };
            if is_comment {
                self.skip_comment(rest);
                continue;
            }
            match first {
                b'\n' => {
                    self.at += 1;
                    self.line += 1;
                    return Some(Token::Newline);
                }
                b'"' | b'\'' | b'`' => return Some(Token::Word(self.quoted(rest, first))),
                b'{' | b'}' | b'[' | b']' | b':' | b'=' | b',' | b';' | b'(' | b')' => {
                    self.at += 1;
                    return Some(Token::Sign(first));
                }
                _ if first.is_ascii_whitespace() => self.at += 1,
                _ => {
                    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{}[]:=,;()\"'`".contains(byte);
                    let length = rest.bytes().take_while(|byte| !ends(byte)).count().max(1);
                    self.at += length;
                    return Some(Token::Word(rest.get(..length).unwrap_or_default()));
                }
            }
        }
    }

    fn skip_comment(&mut self, rest: &str) {
        if rest.starts_with("/*") {
            let length = rest.find("*/").map_or(rest.len(), |end| end + 2);
            self.line += rest.get(..length).unwrap_or_default().matches('\n').count();
            self.at += length;
        } else {
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn quoted(&mut self, rest: &'a str, quote: u8) -> &'a str {
        let triple = [quote; 3];
        let open = if rest.as_bytes().starts_with(&triple) { 3 } else { 1 };
        let mut length = open;
        let bytes = rest.as_bytes();
        while let Some(byte) = bytes.get(length) {
            match byte {
                // TOML has no escapes between `'`.
                b'\\' if quote == b'"' => length += 1,
                // An apostrophe in bare text must not take the rest of the file for a string.
                b'\n' if open == 1 && quote != b'`' => break,
                _ if *byte == quote
                    && (open == 1 || bytes.get(length..).is_some_and(|it| it.starts_with(&triple))) =>
                {
                    break;
                }
                _ => {}
            }
            length += 1;
        }
        let inside = rest.get(open..length.min(rest.len())).unwrap_or_default();
        self.line += inside.matches('\n').count();
        let is_closed = bytes.get(length) == Some(&quote);
        self.at += (length + if is_closed { open } else { 0 }).min(rest.len());
        inside
    }
}

/// `key = value`, with items below it that are indented, in sections.
fn read_ini(text: &str, entries: &mut Entries) {
    let (mut section, mut key) = (String::new(), String::new());
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = format!("{name}.");
            continue;
        }
        let is_below = line.starts_with([' ', '\t']) && !key.is_empty();
        let values = match trimmed.split_once(['=', ':']).filter(|_| !is_below) {
            Some((name, values)) => {
                key = format!("{section}{}", name.trim());
                values
            }
            None => trimmed,
        };
        let values = values.split(',').map(str::trim).filter(|value| !value.is_empty());
        for value in values {
            add(entries, &key, value, index + 1);
        }
    }
}

/// Mappings and lists by their indentation; `[a, b]` in one line.
fn read_yaml(text: &str, entries: &mut Entries) {
    // The keys above the current line, each with its indentation.
    let mut above: Vec<(usize, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let content = without_comment(line);
        let mut trimmed = content.trim_start();
        let mut indent = content.len() - trimmed.len();
        if trimmed.trim().is_empty() {
            continue;
        }
        while let Some(item) = trimmed.strip_prefix("- ") {
            // The items of a list may be indented as little as the key of the list.
            above.retain(|(of_key, _)| *of_key <= indent);
            let inner = item.trim_start();
            indent += trimmed.len() - inner.len();
            trimmed = inner;
        }
        let is_item = indent > content.len() - content.trim_start().len();
        let line_number = index + 1;
        let pair =
            trimmed.split_once(": ").or_else(|| trimmed.trim_end().strip_suffix(':').map(|key| (key, "")));
        // `{a: b}` on one line is a value.
        if let Some((key, value)) = pair.filter(|(key, _)| !key.contains(['{', '['])) {
            above.retain(|(of_key, _)| *of_key < indent);
            let key = key.trim().trim_matches(['"', '\'']);
            if above.len() < DEEPEST {
                above.push((indent, key.to_owned()));
            }
            add_yaml(entries, &above, value, line_number);
        } else {
            if !is_item {
                above.retain(|(of_key, _)| *of_key < indent);
            }
            add_yaml(entries, &above, trimmed, line_number);
        }
    }
}

fn add_yaml(entries: &mut Entries, above: &[(usize, String)], value: &str, line: usize) {
    let path: Vec<&str> = above.iter().map(|(_, key)| key.as_str()).collect();
    let path = path.join(".");
    let value = value.trim();
    let items = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let values: Vec<&str> = items.map_or_else(|| vec![value], |items| items.split(',').collect());
    for value in values {
        let value = value.trim().trim_matches(['"', '\'']);
        if !value.is_empty() {
            add(entries, &path, value, line);
        }
    }
}

fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with('#') {
        return "";
    }
    line.split(" #").next().unwrap_or_default()
}
