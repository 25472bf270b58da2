//! A new rule: whether a node already has it, and writing it.

use flyball_core::diff::unified_diff;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_core::redact::redact;
use flyball_core::workshop::FileChanges;
use flyball_knowledge::entry::{Entry, insert};
use flyball_knowledge::node::{Node, Rule, rules};
use flyball_knowledge::report::Kind;
use flyball_knowledge::similar::is_same_rule;

use super::kind::topic;
use super::report_store::ReportStore;
use super::target::Target;

/// What a new node begins with.
const NEW_NODE: &str = "# Notes for agents\n";

/// A rule that is to be written.
pub(super) struct NewRule {
    pub(super) entry: Entry,
    pub(super) target: Target,
    pub(super) on_duplicate: OnDuplicate,
}

/// What happens if a node already has the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnDuplicate {
    Leave,
    WriteAnyway,
}

impl OnDuplicate {
    pub(super) const fn from_force(force: bool) -> OnDuplicate {
        if force { OnDuplicate::WriteAnyway } else { OnDuplicate::Leave }
    }
}

/// The result of writing.
pub(super) enum Written {
    Yes,
    /// This rule says the same.
    Known(Rule),
}

/// The entry of a rule. Secrets are removed: nodes are committed.
pub(super) fn entry(kind: Kind, (title, detail): (&str, &str), source: String) -> Entry {
    Entry {
        topic: topic(kind),
        title: redact(title.trim()).into_owned(),
        body: redact(detail.trim()).into_owned(),
        source,
    }
}

impl NewRule {
    /// The rules that say the same.
    pub(super) fn find_duplicates(&self) -> Vec<Rule> {
        self.target.nodes.iter().flat_map(|node| find_duplicates_in(node, &self.entry)).collect()
    }

    /// The rule in its file, if it is there by now.
    pub(super) fn find_written(&self, report_store: &ReportStore) -> Result<Option<Rule>, PolicyError> {
        let mut found = None;
        report_store.machine.update(&self.target.path, &mut |content| {
            let text = read(content, &self.target.path)?;
            found = find_duplicates_in(&node(&self.target.path, text), &self.entry).into_iter().next();
            Ok(None)
        })?;
        Ok(found)
    }

    /// Writes the rule, unless it is there.
    pub(super) fn write(&self, report_store: &ReportStore) -> Result<Written, PolicyError> {
        // Someone may have written since the nodes were read: the target is checked as it is now.
        let leaves_known = self.on_duplicate == OnDuplicate::Leave;
        let others = self.target.nodes.iter().filter(|node| node.path != self.target.path);
        let known = others.flat_map(|node| find_duplicates_in(node, &self.entry)).next();
        if let Some(known) = known.filter(|_| leaves_known) {
            return Ok(Written::Known(known));
        }
        let mut known = None;
        report_store.machine.update(&self.target.path, &mut |content| {
            let text = read(content, &self.target.path)?;
            // Under the lock of the file, as it is now.
            known =
                find_duplicates_in(&node(&self.target.path, text.clone()), &self.entry).into_iter().next();
            let is_known = known.is_some() && leaves_known;
            Ok((!is_known).then(|| insert(&text, &self.entry).into_bytes()))
        })?;
        Ok(known.filter(|_| leaves_known).map_or(Written::Yes, Written::Known))
    }

    /// How the node would change.
    pub(super) fn diff(&self, report_store: &ReportStore) -> Result<String, PolicyError> {
        let mut change = String::new();
        report_store.machine.update(&self.target.path, &mut |content| {
            let text = read(content, &self.target.path)?;
            let before = content.map(|_| text.clone()).unwrap_or_default();
            change = unified_diff(
                &before,
                &insert(&text, &self.entry),
                &report_store.display_path(&self.target.path),
            );
            Ok(None)
        })?;
        Ok(change)
    }
}

/// The text of a node. A file that is not UTF-8 is not changed: rewriting would damage it.
fn read(content: Option<&[u8]>, path: &str) -> Result<String, PolicyError> {
    let Some(content) = content else { return Ok(NEW_NODE.to_owned()) };
    String::from_utf8(content.to_vec()).map_err(|_| PolicyError::World {
        what: format!("`{path}` is not UTF-8; nothing was written"),
        fix: "save it as UTF-8, then run the command again".to_owned(),
    })
}

fn node(path: &AbsolutePath, text: String) -> Node {
    Node::new(path.clone(), text)
}

fn find_duplicates_in(node: &Node, entry: &Entry) -> Vec<Rule> {
    let is_same = |rule: &Rule| is_same_rule((&entry.title, &entry.body), (&rule.title, &rule.text));
    rules(node).into_iter().filter(is_same).collect()
}
