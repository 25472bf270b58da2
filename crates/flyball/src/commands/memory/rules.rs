//! The rules of files, as commands list them: by file and heading, with the lines they are at.

use flyball_knowledge::node::{self, Node, Rule};
use serde::Serialize;

use super::place::display_path;

/// One rule, as scripts see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in crate::commands) struct ListedRule {
    /// Its file, from the root of the project.
    pub(in crate::commands) node: String,
    pub(in crate::commands) line: usize,
    pub(in crate::commands) topic: &'static str,
    /// The headings above it, the outermost first.
    pub(in crate::commands) headings: Vec<String>,
    pub(in crate::commands) title: String,
    /// The words that it belongs to, if it does not stand for itself.
    pub(in crate::commands) lead: String,
    pub(in crate::commands) text: String,
    /// Whether it is about the whole project.
    pub(in crate::commands) general: bool,
}

/// Rules below the same headings and with the same lead.
pub(in crate::commands) struct Group<'a> {
    pub(in crate::commands) first: &'a ListedRule,
    pub(in crate::commands) rules: &'a [ListedRule],
}

/// The rules of nodes, in their order.
pub(in crate::commands) fn listed(nodes: &[Node], root: &str) -> Vec<ListedRule> {
    let all = nodes.iter().flat_map(node::rules);
    all.map(|rule| from_rule(rule, root)).collect()
}

fn from_rule(rule: Rule, root: &str) -> ListedRule {
    ListedRule {
        general: rule.is_general(),
        node: display_path(&rule.node, root),
        line: rule.line,
        topic: rule.topic.heading(),
        headings: rule.headings,
        title: rule.title,
        lead: rule.lead,
        text: rule.text.replace('\r', ""),
    }
}

/// Rules that follow each other and belong to the same words.
pub(in crate::commands) fn groups(rules: &[ListedRule]) -> impl Iterator<Item = Group<'_>> {
    let is_one =
        |a: &ListedRule, b: &ListedRule| (&a.node, &a.headings, &a.lead) == (&b.node, &b.headings, &b.lead);
    rules.chunk_by(is_one).filter_map(|rules| Some(Group { first: rules.first()?, rules }))
}

impl Group<'_> {
    /// The headings in one line.
    pub(in crate::commands) fn path(&self) -> String {
        self.first.headings.join(" > ")
    }
}

/// The rules as Markdown, for a model.
pub(in crate::commands) fn markdown(rules: &[ListedRule]) -> String {
    let mut text = String::new();
    let (mut node, mut path) = (String::new(), None);
    for group in groups(rules) {
        if group.first.node != node {
            node.clone_from(&group.first.node);
            path = None;
            text.push_str(&format!("\nFrom `{node}`:\n"));
        }
        if path.as_ref() != Some(&group.path()) {
            path = Some(group.path());
            if !group.first.headings.is_empty() {
                text.push_str(&format!("\n## {}\n", group.path()));
            }
        }
        if !group.first.lead.is_empty() {
            text.push_str(&format!("\n{}\n", group.first.lead));
        }
        let mut is_item = group.first.lead.lines().next_back().is_some_and(|last| last.starts_with('|'));
        for rule in group.rules {
            let is_next = rule.title.is_empty() && rule.text.starts_with(['-', '*', '+', '|']);
            // Items and rows are not apart.
            text.push_str(if is_item && is_next { "" } else { "\n" });
            is_item = is_next;
            match (rule.title.as_str(), rule.text.as_str()) {
                ("", body) => text.push_str(&format!("{body}\n")),
                (title, "") => text.push_str(&format!("### {title}\n")),
                (title, body) => text.push_str(&format!("### {title}\n\n{body}\n")),
            }
        }
    }
    text
}
