//! Finds out how a file is written, and writes new values the same way.

use serde_json::Value;

use super::scan::{Member, Node, Span, slice};

/// A value to write. Unlike `Value` it keeps its keys in order, whatever the features of
/// `serde_json` in the build are.
pub(super) enum Piece<'v> {
    Object(Vec<(&'v str, Piece<'v>)>),
    List(Vec<Piece<'v>>),
    Value(&'v Value),
    Text(&'v str),
}

/// How a file is formatted.
pub(super) struct Layout<'t> {
    text: &'t str,
    pub(super) newline: &'static str,
    /// One level of indentation.
    pub(super) unit: &'t str,
    /// The text between a key and its value.
    colon: &'t str,
    /// The text between two values on one line.
    pub(super) comma: &'t str,
}

impl<'t> Layout<'t> {
    /// Takes each part of the format from the first place in the file that shows it.
    pub(super) fn detect(text: &'t str, root: &Node) -> Self {
        let nodes = root.walk();
        let colon = nodes.iter().find_map(|node| sample_colon(text, node)).unwrap_or(": ");
        // A compact file has no space after either.
        let default_comma = if colon == ":" { "," } else { ", " };
        Self {
            text,
            newline: newline_of(text),
            unit: nodes.iter().find_map(|node| sample_unit(text, node)).unwrap_or("  "),
            colon,
            comma: nodes.iter().find_map(|node| sample_comma(text, node)).unwrap_or(default_comma),
        }
    }

    /// Writes a member; on one line if there is no indentation to start from.
    pub(super) fn member(&self, key: Option<&str>, piece: &Piece, indent: Option<&str>) -> String {
        let value = self.render(piece, indent);
        key.map(|key| format!("{}{}{value}", quote(key), self.colon)).unwrap_or(value)
    }

    /// Writes a value that replaces another, on as many lines as that one.
    pub(super) fn replacement(&self, old: &Node, piece: &Piece) -> String {
        let is_spread = slice(self.text, old.span.clone()).contains('\n');
        self.render(piece, is_spread.then(|| self.line_indent(old.span.start)))
    }

    /// The space at the start of the line that `at` is in.
    pub(super) fn line_indent(&self, at: usize) -> &'t str {
        line_indent(self.text, at)
    }

    fn render(&self, piece: &Piece, indent: Option<&str>) -> String {
        match piece {
            Piece::Object(members) => self.render_object(members, indent),
            Piece::List(items) => self.render_list(items, indent),
            Piece::Text(text) => quote(text),
            Piece::Value(Value::Object(map)) => {
                let members: Vec<_> =
                    map.iter().map(|(key, value)| (key.as_str(), Piece::Value(value))).collect();
                self.render_object(&members, indent)
            }
            Piece::Value(Value::Array(items)) => {
                // Words of a command line read as one: on a line each they would be most of the file.
                let is_plain = items.iter().all(|item| !item.is_object() && !item.is_array());
                let items: Vec<_> = items.iter().map(Piece::Value).collect();
                self.render_list(&items, indent.filter(|_| !is_plain))
            }
            Piece::Value(scalar) => scalar.to_string(),
        }
    }

    fn render_object(&self, members: &[(&str, Piece)], indent: Option<&str>) -> String {
        let inner = self.deeper(indent);
        let items =
            members.iter().map(|(key, piece)| self.member(Some(key), piece, inner.as_deref())).collect();
        self.enclose(('{', '}'), items, indent)
    }

    fn render_list(&self, items: &[Piece], indent: Option<&str>) -> String {
        let inner = self.deeper(indent);
        let items = items.iter().map(|piece| self.render(piece, inner.as_deref())).collect();
        self.enclose(('[', ']'), items, indent)
    }

    fn enclose(&self, (open, close): (char, char), items: Vec<String>, indent: Option<&str>) -> String {
        let newline = self.newline;
        match (indent, self.deeper(indent)) {
            (Some(outer), Some(inner)) if !items.is_empty() => {
                let items = items.join(&format!(",{newline}{inner}"));
                format!("{open}{newline}{inner}{items}{newline}{outer}{close}")
            }
            _ => format!("{open}{}{close}", items.join(self.comma)),
        }
    }

    fn deeper(&self, indent: Option<&str>) -> Option<String> {
        indent.map(|indent| format!("{indent}{}", self.unit))
    }
}

/// Spaces and tabs at the start of a text.
pub(super) fn leading_space(text: &str) -> &str {
    let rest = text.trim_start_matches([' ', '\t']);
    text.get(..text.len() - rest.len()).unwrap_or_default()
}

/// The text before a container's last member: its opening bracket's or the comma's space.
pub(super) fn gap_before_last(container: &Node) -> Option<Span> {
    let members = &container.members;
    let last = members.last()?;
    let before_last = members.len().checked_sub(2).and_then(|at| members.get(at));
    let start = before_last.map_or(container.span.start + 1, Member::end);
    Some(start..last.start())
}

fn line_indent(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    leading_space(line.strip_prefix('\u{feff}').unwrap_or(line))
}

fn quote(text: &str) -> String {
    Value::from(text).to_string()
}

fn newline_of(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((line, _)) if line.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

fn sample_unit<'t>(text: &'t str, node: &Node) -> Option<&'t str> {
    let first = node.members.first()?;
    let (_, indent) = slice(text, node.span.start + 1..first.start()).rsplit_once('\n')?;
    indent.strip_prefix(line_indent(text, node.span.start))
}

fn sample_colon<'t>(text: &'t str, node: &Node) -> Option<&'t str> {
    let first = node.members.first()?;
    let colon = slice(text, first.key.as_ref()?.end..first.value.span.start);
    (!colon.contains(['\n', '\r'])).then_some(colon)
}

fn sample_comma<'t>(text: &'t str, node: &Node) -> Option<&'t str> {
    let (first, second) = (node.members.first()?, node.members.get(1)?);
    let comma = slice(text, first.end()..second.start());
    (!comma.contains(['\n', '\r'])).then_some(comma)
}
