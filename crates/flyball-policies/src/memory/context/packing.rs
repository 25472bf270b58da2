//! Packs rules into the room there is, whole and best first.

use flyball_knowledge::node::Rule;

use super::candidates::Candidate;
use super::file_path;

/// The estimated bytes of a token.
const TOKEN: usize = 4;
/// The line breaks between two parts.
const BETWEEN: usize = 2;

/// The rules that fit, and those that do not, each best first.
pub(super) struct Selection {
    pub(super) included: Vec<Candidate>,
    pub(super) left_out: Vec<Candidate>,
}

/// The name of a node for people, by its path.
pub(super) type NodeName<'a> = dyn Fn(&str) -> String + 'a;

/// The bytes of a number of tokens.
pub(super) fn bytes(tokens: u32) -> usize {
    usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(TOKEN)
}

/// Takes as many rules as fit into `room` bytes.
pub(super) fn pack(ranked: Vec<Candidate>, mut room: usize, name: &NodeName<'_>) -> Selection {
    let mut selection = Selection { included: Vec::new(), left_out: Vec::new() };
    for candidate in ranked {
        let last = selection.included.last().map(|last: &Candidate| &last.rule);
        let is_same_node = last.is_some_and(|last| last.node == candidate.rule.node);
        let head = if is_same_node { 0 } else { node_heading(&name(&candidate.rule.node)).len() + BETWEEN };
        let needed = written(&candidate.rule).len() + BETWEEN + head;
        if needed > room {
            selection.left_out.push(candidate);
            continue;
        }
        room -= needed;
        selection.included.push(candidate);
    }
    selection
}

/// The rules as text, in their order.
pub(super) fn render(included: &[Candidate], name: &NodeName<'_>) -> String {
    let mut text = String::new();
    let mut last: Option<&Rule> = None;
    for candidate in included {
        let rule = &candidate.rule;
        let is_same_node = last.is_some_and(|last| last.node == rule.node);
        if !is_same_node {
            add(&mut text, &node_heading(&name(&rule.node)), "\n\n");
        }
        // What announces several items, or the header of a table, is there once.
        let is_next = last.is_some_and(|last| rule.continues(last));
        let is_tight = is_next || (is_same_node && is_item(rule) && last.is_some_and(is_item));
        let shown = if is_next { rule.text.replace('\r', "") } else { written(rule) };
        add(&mut text, &shown, if is_tight { "\n" } else { "\n\n" });
        last = Some(rule);
    }
    text
}

fn add(text: &mut String, part: &str, between: &str) {
    if !text.is_empty() {
        text.push_str(between);
    }
    text.push_str(part);
}

fn node_heading(node: &str) -> String {
    format!("From {}:", file_path::quoted(node))
}

fn written(rule: &Rule) -> String {
    let text = rule.markdown().replace('\r', "");
    match (rule.title.as_str(), text.is_empty()) {
        ("", _) => text,
        (title, true) => format!("### {title}"),
        (title, false) => format!("### {title}\n\n{text}"),
    }
}

fn is_item(rule: &Rule) -> bool {
    rule.title.is_empty() && rule.lead.is_empty() && rule.text.trim_start().starts_with(['-', '*', '+'])
}
