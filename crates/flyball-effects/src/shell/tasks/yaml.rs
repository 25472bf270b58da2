//! The part of YAML that task files use: maps and lists by indentation, plain and quoted texts, blocks.

/// A value.
pub(super) enum Node {
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

static NOTHING: Node = Node::List(Vec::new());

impl Node {
    /// The value of a key.
    pub(super) fn get(&self, name: &str) -> &Node {
        match self {
            Node::Map(entries) => {
                entries.iter().find(|(known, _)| known == name).map_or(&NOTHING, |(_, value)| value)
            }
            Node::Text(_) | Node::List(_) => &NOTHING,
        }
    }

    pub(super) fn items(&self) -> &[Node] {
        match self {
            Node::List(items) => items,
            Node::Text(_) | Node::Map(_) => &[],
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Node::Text(text) => Some(text),
            Node::List(_) | Node::Map(_) => None,
        }
    }
}

/// More levels are not read.
const MOST_LEVELS: usize = 24;

/// Reads a document; what it does not understand is left out.
pub(super) fn read(text: &str) -> Node {
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
        if key(first.text).is_some() { self.map(first.indent, depth) } else { self.scalar(least) }
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

    /// A value on the line of its key, or the block that it begins.
    fn value(&mut self, text: &'a str, indent: usize) -> Node {
        if text.starts_with(['|', '>']) {
            return self.scalar(indent + 1);
        }
        if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return Node::List(inner.split(',').map(|item| Node::Text(plain(item))).collect());
        }
        Node::Text(plain(text))
    }

    /// The lines that are indented at least this far, as one text.
    fn scalar(&mut self, least: usize) -> Node {
        let mut text = String::new();
        while let Some(line) = self.lines.get(self.at).filter(|line| line.indent >= least) {
            text.push_str(line.text);
            text.push('\n');
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
    if text.starts_with(['"', '\'', '[', '{', '|', '>']) {
        let (name, rest) = text.split_once("\": ").or_else(|| text.split_once("': "))?;
        return Some((name.trim_start_matches(['"', '\'']), rest.trim()));
    }
    let (name, rest) = match text.split_once(": ") {
        Some((name, rest)) => (name, rest.trim()),
        None => (text.strip_suffix(':')?, ""),
    };
    let is_name = !name.contains([' ', '"', '\'', '$', '(']) && !name.is_empty();
    is_name.then_some((name, rest))
}

/// A text without its quotes or its comment.
fn plain(text: &str) -> String {
    let text = text.trim();
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner.replace("\\\"", "\"").replace("''", "'");
        }
    }
    text.split(" #").next().unwrap_or(text).trim().to_owned()
}
