//! Decides which handlers stay, change, go and are missing, and edits the text accordingly.

use std::collections::BTreeSet;

use serde_json::Value;

use super::container::{Addition, Target, append, root_space_before_filling, space_before_filling};
use super::entry::{Edited, Entry};
use super::error::Error;
use super::hooks::{Event, Group, Handler, Hooks, read};
use super::layout::{Layout, Piece};
use super::scan::{Node, scan};
use super::splice::{Splice, apply, cut_members};

/// Makes the file's handlers that are ours exactly those of `entries`.
pub(super) fn change(
    text: &str,
    entries: &[Entry],
    is_ours: &dyn Fn(&Value) -> bool,
) -> Result<Edited, Error> {
    let root = scan(text)?;
    let mut missing: Vec<&Entry> = entries.iter().collect();
    let mut edited = text.to_owned();
    let mut plan = Plan::default();
    if let Some(hooks) = read(text, &root)? {
        plan = Plan::new(&hooks, &mut missing, is_ours);
        edited = plan.carry_out(text, &root, &hooks);
    }
    // One at a time, each on a fresh scan: what an entry needs may have come with the one before.
    for entry in &missing {
        edited = add(&edited, entry)?;
    }
    Ok(Edited {
        changed: edited != text,
        text: edited,
        added: missing.len(),
        updated: plan.rewrites.len(),
        removed: plan.gone.len(),
    })
}

/// What happens to the handlers that are ours. Nodes are known by where they start.
#[derive(Default)]
struct Plan<'n, 'e> {
    rewrites: Vec<(&'n Node, Piece<'e>)>,
    gone: BTreeSet<usize>,
}

impl<'n, 'e> Plan<'n, 'e> {
    /// Pairs our handlers with entries; entries that find no handler stay in `missing`.
    fn new(hooks: &Hooks<'n>, missing: &mut Vec<&'e Entry>, is_ours: &dyn Fn(&Value) -> bool) -> Self {
        let mut plan = Self::default();
        for event in &hooks.events {
            let mut ours = find_own_handlers(event, is_ours);
            // All handlers by the best fit first: a poor fit must not take the entry of a perfect one.
            for fit in [Fit::Same, Fit::SameMatcher, Fit::OwnGroup] {
                ours.retain(|found| {
                    let fitting =
                        missing.iter().position(|entry| entry.event == event.name && fit.holds(found, entry));
                    let Some(at) = fitting else { return true };
                    let entry = missing.remove(at);
                    match fit {
                        Fit::Same => {}
                        Fit::SameMatcher => {
                            plan.rewrites.push((found.handler.node, handler_piece(entry)));
                        }
                        Fit::OwnGroup => {
                            plan.rewrites.push((found.group.node, group_piece(entry)));
                        }
                    }
                    false
                });
            }
            // What is ours and found no entry: duplicates, and events that are not registered any more.
            plan.gone.extend(ours.iter().map(|found| found.handler.node.span.start));
        }
        plan
    }

    fn carry_out(&self, text: &str, root: &Node, hooks: &Hooks) -> String {
        let layout = Layout::detect(text, root);
        let mut splices = removals(text, root, hooks, &self.gone);
        splices.extend(
            self.rewrites.iter().map(|(node, piece)| Splice {
                span: node.span.clone(),
                text: layout.replacement(node, piece),
            }),
        );
        apply(text, splices)
    }
}

/// A handler of ours and its group.
struct OwnHandler<'h, 'n> {
    group: &'h Group<'n>,
    handler: &'h Handler<'n>,
}

fn find_own_handlers<'h, 'n>(
    event: &'h Event<'n>,
    is_ours: &dyn Fn(&Value) -> bool,
) -> Vec<OwnHandler<'h, 'n>> {
    let handlers = event
        .groups
        .iter()
        .flat_map(|group| group.handlers.iter().map(move |handler| OwnHandler { group, handler }));
    handlers.filter(|found| is_ours(&found.handler.value)).collect()
}

/// How a handler can become an entry without moving, from the best to the worst. Staying in
/// place matters: a client may remember the trust in a handler by its position.
#[derive(Clone, Copy)]
enum Fit {
    /// It is the entry already, however it is written.
    Same,
    /// Only the handler differs.
    SameMatcher,
    /// The matcher differs, and no other handler shares the group.
    OwnGroup,
}

impl Fit {
    fn holds(self, found: &OwnHandler, entry: &Entry) -> bool {
        let group = found.group;
        let same_matcher =
            normalize_matcher(group.matcher.as_deref()) == normalize_matcher(entry.matcher.as_deref());
        match self {
            Self::Same => same_matcher && is_same(&found.handler.value, &entry.handler),
            Self::SameMatcher => same_matcher,
            Self::OwnGroup => group.handlers.len() == 1 && !group.has_other_keys,
        }
    }
}

/// Clients read no matcher, an empty one and `*` alike.
fn normalize_matcher(matcher: Option<&str>) -> Option<&str> {
    matcher.filter(|matcher| !matches!(*matcher, "" | "*"))
}

fn is_same(value: &Value, fields: &[(String, Value)]) -> bool {
    value.as_object().is_some_and(|object| {
        object.len() == fields.len() && fields.iter().all(|(key, field)| object.get(key) == Some(field))
    })
}

/// Takes handlers out, and with them each container that this leaves empty and that was ours.
///
/// INVARIANT: inside of a node that is gone nothing is cut, so no two splices overlap.
fn removals(text: &str, root: &Node, hooks: &Hooks, gone: &BTreeSet<usize>) -> Vec<Splice> {
    // From the inside out: each container is judged by what is gone inside of it.
    let mut gone = gone.clone();
    let mut splices = Vec::new();
    for event in &hooks.events {
        for group in &event.groups {
            match without(group.list, &gone) {
                Rest::Some(cuts) => splices.extend(cuts),
                // Someone added keys to this group, so it is not ours alone.
                Rest::Nothing if group.has_other_keys => {
                    splices.push(Splice::cut(group.list.inside()));
                }
                Rest::Nothing => {
                    gone.insert(group.node.span.start);
                }
            }
        }
        splices.extend(shrink(text, event.list, &mut gone));
    }
    splices.extend(shrink(text, hooks.node, &mut gone));
    match without(root, &gone) {
        Rest::Some(cuts) => splices.extend(cuts),
        Rest::Nothing => splices
            .push(Splice { span: root.inside(), text: root_space_before_filling(text, root).to_owned() }),
    }
    splices
}

/// Cuts what is gone out of a container; if nothing is left, the container is gone as well,
/// unless it was there before us.
fn shrink(text: &str, container: &Node, gone: &mut BTreeSet<usize>) -> Vec<Splice> {
    if let Rest::Some(cuts) = without(container, gone) {
        return cuts;
    }
    let Some(space) = space_before_filling(text, container) else {
        gone.insert(container.span.start);
        return Vec::new();
    };
    vec![Splice { span: container.inside(), text: space.to_owned() }]
}

/// What a container still holds without what is gone.
enum Rest {
    /// Something, or it was empty to begin with; and what to cut.
    Some(Vec<Splice>),
    /// Nothing, because all of it is gone.
    Nothing,
}

fn without(container: &Node, gone: &BTreeSet<usize>) -> Rest {
    let is_gone = |node: &Node| gone.contains(&node.span.start);
    let mut members = container.members.iter();
    if !container.members.is_empty() && members.all(|member| is_gone(&member.value)) {
        return Rest::Nothing;
    }
    Rest::Some(cut_members(container, is_gone))
}

/// Adds one entry in a group of its own, behind everything that is there.
fn add(text: &str, entry: &Entry) -> Result<String, Error> {
    let root = scan(text)?;
    let hooks = read(text, &root)?;
    let group = group_piece(entry);
    let (container, parent, key, value) = match &hooks {
        None => {
            let event = (entry.event.as_str(), Piece::List(vec![group]));
            (&root, None, Some("hooks"), Piece::Object(vec![event]))
        }
        Some(hooks) => match hooks.events.iter().find(|event| event.name == entry.event) {
            None => {
                let key = Some(entry.event.as_str());
                (hooks.node, Some(&root), key, Piece::List(vec![group]))
            }
            Some(event) => (event.list, Some(hooks.node), None, group),
        },
    };
    let target = Target { container, parent };
    let layout = Layout::detect(text, &root);
    let splice = append(text, &layout, target, &Addition { key, value });
    Ok(apply(text, vec![splice]))
}

fn group_piece(entry: &Entry) -> Piece<'_> {
    let matcher = entry.matcher.as_deref();
    let matcher = matcher.map(|matcher| ("matcher", Piece::Text(matcher)));
    let handlers = ("hooks", Piece::List(vec![handler_piece(entry)]));
    Piece::Object(matcher.into_iter().chain([handlers]).collect())
}

fn handler_piece(entry: &Entry) -> Piece<'_> {
    let fields = entry.handler.iter();
    Piece::Object(fields.map(|(key, value)| (key.as_str(), Piece::Value(value))).collect())
}
