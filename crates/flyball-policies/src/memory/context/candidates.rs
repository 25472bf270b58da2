//! The rules that a call is about and that are due, best first, out of all that cover its files.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_knowledge::node::{Node, Rule, Topic, repository_root, rules};

use super::history::{AgentHistory, Chance};
use super::subject;
use crate::memory::agents::rule_digest;
use crate::memory::loaded::InContext;
use crate::memory::relevance::{Rated, RuleSet, Subject, is_same};

/// The changes of so many files of one call are looked at.
const MOST_FILES: usize = 12;
/// No file is covered by more rules in practice; the rest is dropped.
const MOST_RULES: usize = 1_000;
/// A node with at most so many rules is a note about its folder: all of them are about whatever is edited there.
const NOTE: usize = 2;
/// A rule with this score is about exactly what is edited.
const EXACT: f64 = 3.0;

/// A rule that could be shown.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) rule: Rule,
    pub(super) chance: Chance,
}

impl Candidate {
    /// A rule that a command is about to break.
    pub(super) fn for_command(rule: Rule) -> Candidate {
        let chance = Chance { rule: rule_digest(&rule), is_broken: true, is_exact: true, loaded_since: None };
        Candidate { rule, chance }
    }
}

/// A file with the nodes that cover it.
pub(super) struct Covered {
    pub(super) file: AbsolutePath,
    pub(super) nodes: Vec<Node>,
}

/// The rules of the nodes that cover the files of a call: each node is read once.
pub(super) struct NodeRules(BTreeMap<AbsolutePath, Vec<Rule>>);

impl NodeRules {
    pub(super) fn read(files: &[Covered]) -> NodeRules {
        let mut found = NodeRules(BTreeMap::new());
        for node in files.iter().take(MOST_FILES).flat_map(|covered| &covered.nodes) {
            if !found.0.contains_key(&node.path) {
                found.0.insert(node.path.clone(), rules(node));
            }
        }
        found
    }

    pub(super) fn of(&self, path: &AbsolutePath) -> &[Rule] {
        self.0.get(path).map(Vec::as_slice).unwrap_or_default()
    }
}

/// What is asked of the rules that cover the files of a call.
pub(super) struct Question<'a> {
    pub(super) files: &'a [Covered],
    pub(super) rules: &'a NodeRules,
    pub(super) in_context: &'a InContext<'a>,
    pub(super) seen: &'a AgentHistory,
}

impl Question<'_> {
    /// The rules that a call is about and that its agent is to be shown, each once, the best first.
    pub(super) fn due(&self, situation: &Situation<'_>) -> Result<Vec<Candidate>, PolicyError> {
        let mut places: Vec<Place<'_>> = Vec::new();
        let mut found: Vec<Found<'_>> = Vec::new();
        for covered in self.files.iter().take(MOST_FILES) {
            let root = Place::root(situation, covered);
            let known = places.iter().position(|place| place.is_of(covered, root));
            let at = known.unwrap_or_else(|| {
                places.push(Place::new(covered, root, self.rules));
                places.len() - 1
            });
            let Some(place) = places.get(at) else { continue };
            for rated in place.about(&subject::of_file(situation, &covered.file)?) {
                let new = Found { rule: rule_digest(rated.rule), rated, place: at };
                match found.iter_mut().find(|known| known.rule == new.rule) {
                    Some(known) if known.score() >= new.score() => {}
                    Some(known) => *known = new,
                    None => found.push(new),
                }
            }
        }
        found.sort_by(|one, other| {
            other.score().total_cmp(&one.score()).then(one.rated.place.cmp(&other.rated.place))
        });
        let candidate = |found: &Found<'_>| {
            let chance = self.chance(found, places.get(found.place)?);
            self.seen.is_due(&chance).then(|| Candidate { rule: found.rated.rule.clone(), chance })
        };
        Ok(found.iter().filter_map(candidate).collect())
    }

    fn chance(&self, found: &Found<'_>, place: &Place<'_>) -> Chance {
        let is_broken = found.rated.relevance.is_broken;
        // Where this changes nothing, the files that the client loads are not looked at.
        let matters = self.seen.asks_for_context(found.rule, is_broken);
        Chance {
            rule: found.rule,
            is_broken,
            is_exact: found.score() >= EXACT,
            loaded_since: if matters { place.loaded_since(&found.rated, self.in_context) } else { None },
        }
    }
}

/// A rule that a call is about.
struct Found<'a> {
    rule: u64,
    rated: Rated<'a>,
    /// The place among those of the call.
    place: usize,
}

impl Found<'_> {
    fn score(&self) -> f64 {
        self.rated.relevance.score
    }
}

/// Where files are that the same nodes cover.
struct Place<'a> {
    nodes: &'a [Node],
    /// The length of the path of the repository's root.
    root: usize,
    set: RuleSet<'a>,
    /// The nodes that the client has in context, and since when.
    loaded: OnceCell<BTreeMap<AbsolutePath, u32>>,
}

impl<'a> Place<'a> {
    fn new(covered: &'a Covered, root: usize, all: &'a NodeRules) -> Place<'a> {
        let nodes = covered.nodes.as_slice();
        let rules = nodes
            .iter()
            .flat_map(|node| all.of(&node.path).iter().map(move |rule| (rule, depth(node, root))))
            .take(MOST_RULES);
        Place { nodes, root, set: RuleSet::new(rules), loaded: OnceCell::new() }
    }

    /// The length of the path of the root of a file's repository.
    fn root(situation: &Situation<'_>, Covered { file, nodes }: &Covered) -> usize {
        // Without a repository, the topmost node is the root's.
        let top = || nodes.first().map_or(0, |node| node.folder.len());
        repository_root(situation.world, file).map_or_else(top, |root| root.len())
    }

    fn is_of(&self, covered: &Covered, root: usize) -> bool {
        let others = covered.nodes.as_slice();
        let is_one = |(one, other): (&Node, &Node)| one.path == other.path && one.folder == other.folder;
        self.root == root && self.nodes.len() == others.len() && self.nodes.iter().zip(others).all(is_one)
    }

    /// The rules that an edit is about.
    fn about(&self, subject: &Subject) -> Vec<Rated<'a>> {
        let mut chosen = self.set.about(subject);
        let notes = self.notes(subject, &chosen);
        chosen.extend(notes);
        chosen
    }

    /// Since how many edits of the agent the client itself has had a rule in context.
    fn loaded_since(&self, rated: &Rated<'_>, in_context: &InContext<'_>) -> Option<u32> {
        let loaded = self.loaded.get_or_init(|| in_context.of(self.nodes).into_iter().collect());
        // What was added to a file after the client loaded it is not in context.
        let own = |rule: &Rule| loaded.get(&rule.node).copied().filter(|_| in_context.has_read(rule));
        // The same words in a node that is loaded are in context too.
        let same = || {
            let mut others = self.set.like(rated).filter(|_| !loaded.is_empty());
            others.find_map(|other| own(other).filter(|_| is_same(other, rated.rule)))
        };
        own(rated.rule).or_else(same).or_else(|| in_context.elsewhere(rated.rule))
    }

    /// The rules that are about the folder of a node below the root as a whole: those of a short node, and to an agent that
    /// looks around there those that name nothing.
    fn notes(&self, subject: &Subject, chosen: &[Rated<'a>]) -> Vec<Rated<'a>> {
        let below: Vec<&Node> = self.nodes.iter().filter(|node| depth(node, self.root) > 0).collect();
        let is_meant = |rated: &Rated<'a>| {
            let Some(node) = below.iter().find(|node| node.path == rated.rule.node) else { return false };
            let is_short = self.set.rules_of(&node.path) <= NOTE && rated.rule.topic != Topic::Context;
            (is_short || (subject.is_reading() && self.set.is_about_nothing(rated)))
                && !chosen.iter().any(|other| is_same(other.rule, rated.rule))
        };
        self.set.unrated().filter(is_meant).collect()
    }
}

/// How many folders a node is below the root, whose path has this length.
fn depth(node: &Node, root: usize) -> usize {
    node.folder.get(root..).map_or(0, |below| below.matches('/').count())
}
