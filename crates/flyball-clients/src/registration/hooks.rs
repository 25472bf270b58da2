//! Reads the registered hooks out of a scanned file: events, their groups, their handlers.

use std::collections::BTreeSet;

use serde_json::Value;

use super::error::{Error, Problem};
use super::scan::{Kind, Member, Node, Span, slice};

/// The `hooks` object of a file.
pub(super) struct Hooks<'n> {
    pub(super) node: &'n Node,
    pub(super) events: Vec<Event<'n>>,
}

/// One event's list of groups.
pub(super) struct Event<'n> {
    pub(super) name: String,
    pub(super) list: &'n Node,
    pub(super) groups: Vec<Group<'n>>,
}

/// Handlers that share a matcher.
pub(super) struct Group<'n> {
    pub(super) node: &'n Node,
    pub(super) matcher: Option<String>,
    pub(super) list: &'n Node,
    pub(super) handlers: Vec<Handler<'n>>,
    /// Whether there are keys that are neither the matcher nor the handlers.
    pub(super) has_other_keys: bool,
}

pub(super) struct Handler<'n> {
    pub(super) node: &'n Node,
    pub(super) value: Value,
}

/// Reads the hooks; `None` if the file has no `hooks` key.
pub(super) fn read<'n>(text: &str, root: &'n Node) -> Result<Option<Hooks<'n>>, Error> {
    let reader = Reader { text };
    reader.expect_kind(root, Kind::Object, || "the file".to_owned())?;
    // Other keys of the root are not ours to judge, not even when they occur twice.
    let mut found = root.members.iter().filter(|member| reader.key(member).as_deref() == Some("hooks"));
    let Some(first) = found.next() else {
        return Ok(None);
    };
    if let Some(second) = found.next() {
        return Err(reader.duplicate("hooks".to_owned(), second));
    }
    let node = &first.value;
    reader.expect_kind(node, Kind::Object, || "`hooks`".to_owned())?;
    let events = reader
        .members(node)?
        .into_iter()
        .map(|(name, list)| reader.event(name, list))
        .collect::<Result<_, _>>()?;
    Ok(Some(Hooks { node, events }))
}

struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn event<'n>(&self, name: String, list: &'n Node) -> Result<Event<'n>, Error> {
        self.expect_kind(list, Kind::List, || format!("`hooks.{name}`"))?;
        let groups =
            list.members.iter().map(|member| self.group(&name, &member.value)).collect::<Result<_, _>>()?;
        Ok(Event { name, list, groups })
    }

    fn group<'n>(&self, event: &str, node: &'n Node) -> Result<Group<'n>, Error> {
        self.expect_kind(node, Kind::Object, || format!("a group in `hooks.{event}`"))?;
        let mut matcher = None;
        let mut list = None;
        let mut has_other_keys = false;
        for (key, value) in self.members(node)? {
            match key.as_str() {
                "matcher" => matcher = Some(self.matcher(event, value)?),
                "hooks" => list = Some(value),
                _ => has_other_keys = true,
            }
        }
        let Some(list) = list else {
            let event = event.to_owned();
            return Err(self.error(node.span.clone(), Problem::NoHandlers { event }));
        };
        let what = || format!("`hooks` of a group in `hooks.{event}`");
        self.expect_kind(list, Kind::List, what)?;
        let handlers =
            list.members.iter().map(|member| self.handler(event, &member.value)).collect::<Result<_, _>>()?;
        Ok(Group { node, matcher, list, handlers, has_other_keys })
    }

    fn matcher(&self, event: &str, node: &Node) -> Result<String, Error> {
        let what = || format!("`matcher` of a group in `hooks.{event}`");
        self.expect_kind(node, Kind::Text, what)?;
        serde_json::from_str(slice(self.text, node.span.clone()))
            .map_err(|_| self.error(node.span.clone(), Problem::Unreadable))
    }

    fn handler<'n>(&self, event: &str, node: &'n Node) -> Result<Handler<'n>, Error> {
        let what = || format!("a handler in `hooks.{event}`");
        self.expect_kind(node, Kind::Object, what)?;
        // Only for its check: of a key that occurs twice, the client and we might read different ones.
        self.members(node)?;
        let value = serde_json::from_str(slice(self.text, node.span.clone()))
            .map_err(|_| self.error(node.span.clone(), Problem::Unreadable))?;
        Ok(Handler { node, value })
    }

    /// The keys and values of an object in which no key may occur twice.
    fn members<'n>(&self, node: &'n Node) -> Result<Vec<(String, &'n Node)>, Error> {
        let mut seen = BTreeSet::new();
        let mut members = Vec::new();
        for member in &node.members {
            let Some(key) = self.key(member) else {
                let span = member.key.clone().unwrap_or_default();
                return Err(self.error(span, Problem::Unreadable));
            };
            if !seen.insert(key.clone()) {
                return Err(self.duplicate(key, member));
            }
            members.push((key, &member.value));
        }
        Ok(members)
    }

    /// The key without quotes and escapes; `None` if it is not valid text.
    fn key(&self, member: &Member) -> Option<String> {
        let span = member.key.clone()?;
        serde_json::from_str(slice(self.text, span)).ok()
    }

    fn expect_kind(&self, node: &Node, kind: Kind, what: impl Fn() -> String) -> Result<(), Error> {
        if node.kind == kind {
            return Ok(());
        }
        let problem =
            Problem::WrongKind { what: what(), expected: kind.describe(), found: node.kind.describe() };
        Err(self.error(node.span.clone(), problem))
    }

    fn duplicate(&self, key: String, second: &Member) -> Error {
        let span = second.key.clone().unwrap_or_default();
        self.error(span, Problem::DuplicateKey { key })
    }

    fn error(&self, span: Span, problem: Problem) -> Error {
        Error::new(self.text, span, problem)
    }
}
