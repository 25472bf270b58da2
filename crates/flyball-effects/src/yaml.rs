//! The part of YAML that files of tasks, hooks and pipelines use: maps and lists by indentation or in brackets, plain and
//! quoted texts, blocks. What it does not understand is left out.

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

static NOTHING: Node = Node::List(Vec::new());

impl Node {
    /// The value of a key.
    #[must_use]
    pub fn get(&self, name: &str) -> &Node {
        self.entries().iter().find(|(known, _)| known == name).map_or(&NOTHING, |(_, value)| value)
    }

    /// The keys and values of a map.
    #[must_use]
    pub fn entries(&self) -> &[(String, Node)] {
        match self {
            Node::Map(entries) => entries,
            Node::Text(_) | Node::List(_) => &[],
        }
    }

    #[must_use]
    pub fn items(&self) -> &[Node] {
        match self {
            Node::List(items) => items,
            Node::Text(_) | Node::Map(_) => &[],
        }
    }

    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Node::Text(text) => Some(text),
            Node::List(_) | Node::Map(_) => None,
        }
    }
}

/// More levels are not read.
const MOST_LEVELS: usize = 24;

/// Reads a document; what it does not understand is left out.
#[must_use]
pub fn read(text: &str) -> Node {
    let is_content = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#') && line != "---"
    };
    let lines: Vec<Line<'_>> = text.lines().filter(is_content).map(Line::new).collect();
    Parser { lines, at: 0 }.node(0, 0)
}

#[derive(Clone, Copy)]
struct Line<'a> {
    indent: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn new(line: &'a str) -> Line<'a> {
        let text = line.trim_start();
        Line { indent: line.len() - text.len(), text: text.trim_end() }
    }
}

struct Parser<'a> {
    lines: Vec<Line<'a>>,
    at: usize,
}

impl<'a> Parser<'a> {
    /// The value whose lines are indented at least this far.
    fn node(&mut self, least: usize, depth: usize) -> Node {
        let Some(first) = self.lines.get(self.at).copied().filter(|line| line.indent >= least) else {
            return Node::Text(String::new());
        };
        if depth > MOST_LEVELS {
            self.at = self.lines.len();
            return Node::Text(String::new());
        }
        if is_item(first.text) {
            return self.list(first.indent, depth);
        }
        if first.text.starts_with(['[', '{']) {
            self.at += 1;
            return self.value(first.text, least.saturating_sub(1));
        }
        if key(first.text).is_some() { self.map(first.indent, depth) } else { self.block(least, "\n") }
    }

    fn list(&mut self, indent: usize, depth: usize) -> Node {
        let mut items = Vec::new();
        while let Some(line) = self.lines.get(self.at).copied()
            && line.indent == indent
            && is_item(line.text)
        {
            let rest = line.text.strip_prefix('-').unwrap_or_default();
            let inner = rest.trim_start();
            if inner.is_empty() {
                self.at += 1;
                items.push(self.node(indent + 1, depth + 1));
                continue;
            }
            // The rest of the line is the first line of the item, further to the right.
            let place = indent + 1 + (rest.len() - inner.len());
            if let Some(slot) = self.lines.get_mut(self.at) {
                *slot = Line { indent: place, text: inner };
            }
            items.push(self.value_here(inner, place, indent, depth));
        }
        Node::List(items)
    }

    fn value_here(&mut self, inner: &'a str, place: usize, indent: usize, depth: usize) -> Node {
        if key(inner).is_some() || is_item(inner) {
            return self.node(place, depth + 1);
        }
        self.at += 1;
        self.value(inner, indent)
    }

    fn map(&mut self, indent: usize, depth: usize) -> Node {
        let mut entries = Vec::new();
        while let Some(line) = self.lines.get(self.at).copied()
            && line.indent == indent
            && let Some((name, rest)) = key(line.text)
        {
            self.at += 1;
            let value = if rest.is_empty() {
                // A list may be as far to the left as its key.
                let next = self.lines.get(self.at);
                let is_list = next.is_some_and(|next| next.indent == indent && is_item(next.text));
                self.node(if is_list { indent } else { indent + 1 }, depth + 1)
            } else {
                self.value(rest, indent)
            };
            entries.push((name.to_owned(), value));
        }
        // A line that is neither would be read for ever.
        if entries.is_empty() {
            self.at += 1;
        }
        Node::Map(entries)
    }

    /// A value on the line of its key, with the lines behind it that belong to it.
    fn value(&mut self, text: &'a str, indent: usize) -> Node {
        // A name for the value, which is used elsewhere.
        let named = text.strip_prefix('&').and_then(|rest| rest.split_once(' '));
        let text = named.map_or(text, |(_, value)| value.trim_start());
        if text.starts_with('|') {
            return self.block(indent + 1, "\n");
        }
        if text.starts_with('>') {
            return self.block(indent + 1, " ");
        }
        let mut whole = without_comment(text).to_owned();
        let in_brackets = text.starts_with(['[', '{']);
        while let Some(line) = self.lines.get(self.at)
            && (line.indent > indent || (in_brackets && !is_closed(&whole)))
        {
            whole.push(' ');
            whole.push_str(without_comment(line.text));
            self.at += 1;
        }
        if in_brackets {
            return Flow { rest: &whole }.node(0);
        }
        Node::Text(plain(&whole))
    }

    /// The lines that are indented at least this far, as one text.
    fn block(&mut self, least: usize, between: &str) -> Node {
        let mut text = String::new();
        while let Some(line) = self.lines.get(self.at).filter(|line| line.indent >= least) {
            text.push_str(line.text);
            text.push_str(between);
            self.at += 1;
        }
        Node::Text(text)
    }
}

fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ")
}

/// The key of a line, and what follows it.
fn key(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = match text.chars().next().filter(|first| "\"'[{|>".contains(*first)) {
        Some(quote @ ('"' | '\'')) => {
            let (name, rest) = text.get(1..)?.split_once(quote)?;
            (name, rest.trim_start().strip_prefix(':')?)
        }
        Some(_) => return None,
        None => match text.split_once(": ") {
            Some((name, rest)) => (name, rest),
            None => (text.strip_suffix(':')?, ""),
        },
    };
    let is_quoted = text.starts_with(['"', '\'']);
    let is_name = !name.contains(['"', '\'', '$', '(']) && (!name.contains(' ') || rest.trim().is_empty());
    let rest = rest.trim();
    // A comment, or only a name for the value below.
    let is_nothing = rest.starts_with('#') || (rest.starts_with('&') && !rest.contains(' '));
    let rest = if is_nothing { "" } else { rest };
    ((is_quoted || is_name) && !name.is_empty()).then_some((name.trim(), rest))
}

/// Whether all brackets of a text are closed.
fn is_closed(text: &str) -> bool {
    let (mut open, mut quote) = (0_usize, None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(mark), _) if mark == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[' | '{') => open += 1,
            (None, ']' | '}') => open = open.saturating_sub(1),
            (None, _) => {}
        }
    }
    open == 0
}

/// A value in brackets.
struct Flow<'a> {
    rest: &'a str,
}

impl Flow<'_> {
    fn node(&mut self, depth: usize) -> Node {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next().filter(|_| depth < MOST_LEVELS) {
            Some('[') => {
                self.skip(1);
                let mut items = Vec::new();
                while !self.ends(']') {
                    items.push(self.node(depth + 1));
                }
                Node::List(items)
            }
            Some('{') => {
                self.skip(1);
                let mut entries = Vec::new();
                while !self.ends('}') {
                    let name = self.text(&[':', ',', '}']);
                    let has_value = self.rest.starts_with(':');
                    self.skip(usize::from(has_value));
                    let value = if has_value { self.node(depth + 1) } else { Node::Text(String::new()) };
                    entries.push((name, value));
                }
                Node::Map(entries)
            }
            _ => Node::Text(self.text(&[',', ']', '}'])),
        }
    }

    /// Whether the brackets are closed here; a comma is passed over.
    fn ends(&mut self, closing: char) -> bool {
        let rest = self.rest.trim_start_matches([' ', ',']);
        self.rest = rest.strip_prefix(closing).unwrap_or(rest);
        // A bracket of another kind would be read for ever.
        rest.is_empty() || rest.len() != self.rest.len() || rest.starts_with([']', '}'])
    }

    /// A text up to one of these letters.
    fn text(&mut self, ends: &[char]) -> String {
        self.rest = self.rest.trim_start();
        let quote = self.rest.chars().next().filter(|first| matches!(first, '"' | '\''));
        let quoted = quote.and_then(|quote| Some(self.rest.get(1..)?.find(quote)? + 2));
        let from = quoted.unwrap_or_default();
        let behind = self.rest.get(from..).unwrap_or_default();
        let end = from + behind.find(ends).unwrap_or(behind.len());
        let text = plain(self.rest.get(..end).unwrap_or_default());
        self.skip(end);
        text
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }
}

/// A line without the comment at its end.
fn without_comment(text: &str) -> &str {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(mark), _) if mark == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '#') if text.get(..at).is_some_and(|before| before.ends_with(' ')) => {
                return text.get(..at).unwrap_or(text).trim_end();
            }
            (Some(_) | None, _) => {}
        }
    }
    // An apostrophe is no quote: the usual rule for what is left.
    match quote {
        Some(_) => text.split(" #").next().unwrap_or(text).trim_end(),
        None => text,
    }
}

/// A text without its quotes.
fn plain(text: &str) -> String {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return inner.replace("\\\"", "\"").replace("\\\\", "\\");
    }
    if let Some(inner) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return inner.replace("''", "'");
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(node: &Node) -> String {
        match node {
            Node::Text(text) => format!("{text:?}"),
            Node::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
            Node::Map(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(name, value)| format!("{name}: {}", shown(value))).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    #[test]
    fn documents_are_read() {
        let cases = [
            ("a: 1\nb:\n  - x\n  - y: 2\n", r#"{a: "1", b: ["x", {y: "2"}]}"#),
            ("a: [x, 'y, z', {b: \"c\"}]\n", r#"{a: ["x", "y, z", {b: "c"}]}"#),
            ("hooks: [{id: black}]\nz: 1\n", r#"{hooks: [{id: "black"}], z: "1"}"#),
            ("args: [\n  --a=1,  # why\n  \"--b\",\n]\nz: 1\n", r#"{args: ["--a=1", "--b"], z: "1"}"#),
            ("args:\n  [\n    a,\n    b,\n  ]\nz: 1\n", r#"{args: ["a", "b"], z: "1"}"#),
            ("run: |\n  a\n  b\nz: 1\n", r#"{run: "a\nb\n", z: "1"}"#),
            ("run: >-\n  a\n  --b\nz: 1\n", r#"{run: "a --b ", z: "1"}"#),
            ("run: a\n  --b\nz: 1\n", r#"{run: "a --b", z: "1"}"#),
            ("\"*.js\": x # why\n'*.md':\n  - y\n", r#"{*.js: "x", *.md: ["y"]}"#),
            ("lint code:\n  script: ruff check # all\n", r#"{lint code: {script: "ruff check"}}"#),
            ("a: # why\n  b: 1\n", r#"{a: {b: "1"}}"#),
            ("a: &name\n  b: 1\nc: *name\n", r#"{a: {b: "1"}, c: "*name"}"#),
            ("a: it's # why\n", r#"{a: "it's"}"#),
            ("a: {b: [}, c\n", r#"{a: {b: []}}"#),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(&read(text)), expected, "{text}");
        }
    }
}
