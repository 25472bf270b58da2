//! YAML of any shape, with every scalar as text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A piece of YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Nothing,
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    /// The value of a key; of a duplicate key the last.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        let Node::Map(entries) = self else { return None };
        entries.iter().rev().find(|(name, _)| name == key).map(|(_, node)| node)
    }

    /// The text below a key; empty if there is none.
    pub(super) fn text(&self, key: &str) -> String {
        self.get(key).map(Node::as_text).unwrap_or_default()
    }

    /// The text itself, or the one below a key.
    pub(super) fn text_or(&self, key: &str) -> String {
        if let Node::Text(text) = self { text.clone() } else { self.text(key) }
    }

    /// The entries of the list below a key.
    pub(super) fn entries(&self, key: &str) -> impl Iterator<Item = &Node> {
        let list = match self.get(key) {
            Some(Node::List(nodes)) => nodes.as_slice(),
            Some(Node::Nothing | Node::Text(_) | Node::Map(_)) | None => &[],
        };
        list.iter()
    }

    fn as_text(&self) -> String {
        match self {
            Node::Text(text) => text.clone(),
            Node::Nothing | Node::List(_) | Node::Map(_) => String::new(),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl NodeVisitor {
    fn text(value: impl fmt::Display) -> Node {
        Node::Text(value.to_string())
    }
}

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("YAML")
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.trim().to_owned()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(NodeVisitor::text(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(NodeVisitor::text(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(NodeVisitor::text(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(NodeVisitor::text(value))
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Nothing)
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Nothing)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        Node::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = access.next_element()? {
            nodes.push(node);
        }
        Ok(Node::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        // A key may be a number: `1: done`.
        while let Some((key, node)) = access.next_entry::<Node, Node>()? {
            entries.push((key.as_text(), node));
        }
        Ok(Node::Map(entries))
    }
}
