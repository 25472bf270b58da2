//! Packs rules into the room there is, whole and best first, and writes them in the order of their nodes and topics.

use std::collections::BTreeSet;

use flyball_knowledge::node::{Rule, Topic};

use super::file_path;
use super::ranking::Candidate;

/// The estimated bytes of a token.
const TOKEN: usize = 4;

/// The rules that fit, and those that do not.
pub(super) struct Selection {
    /// In the order of their nodes, topics and places.
    pub(super) included: Vec<Candidate>,
    /// Those that did not fit, best first.
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
    let mut opened: BTreeSet<(usize, Option<Topic>)> = BTreeSet::new();
    let (mut included, mut left_out) = (Vec::new(), Vec::new());
    for candidate in ranked {
        let (node, topic) = ((candidate.place.0, None), (candidate.place.0, Some(candidate.rule.topic)));
        // The 2 is for the empty line between two parts.
        let node_head =
            if opened.contains(&node) { 0 } else { node_heading(&name(&candidate.rule.node)).len() + 2 };
        let topic_head = if opened.contains(&topic) { 0 } else { heading(candidate.rule.topic).len() + 2 };
        let needed = written(&candidate.rule).len() + 2 + node_head + topic_head;
        if needed > room {
            left_out.push(candidate);
            continue;
        }
        room -= needed;
        opened.extend([node, topic]);
        included.push(candidate);
    }
    included.sort_by_key(|it| (it.place.0, it.rule.topic, it.place.1));
    Selection { included, left_out }
}

/// The rules as text, in their order.
pub(super) fn render(included: &[Candidate], name: &NodeName<'_>) -> String {
    let mut text = String::new();
    let mut last: Option<&Candidate> = None;
    for candidate in included {
        let rule = &candidate.rule;
        let is_same_node = last.is_some_and(|last| last.place.0 == candidate.place.0);
        let is_same_topic = is_same_node && last.is_some_and(|last| last.rule.topic == rule.topic);
        if !is_same_node {
            add(&mut text, &node_heading(&name(&rule.node)), "\n\n");
        }
        if !is_same_topic {
            add(&mut text, &heading(rule.topic), "\n\n");
        }
        let is_tight = is_same_topic && is_item(rule) && last.is_some_and(|last| is_item(&last.rule));
        add(&mut text, &written(rule), if is_tight { "\n" } else { "\n\n" });
        last = Some(candidate);
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

fn heading(topic: Topic) -> String {
    format!("## {}", topic.heading())
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
