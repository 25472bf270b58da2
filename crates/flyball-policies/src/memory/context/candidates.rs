//! The rules that a call is about, best first, out of all that cover its files.

use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_knowledge::node::{Node, Rule, Topic, repository_root, rules};

use super::history::Chance;
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
    score: f64,
    /// Its place among the rules of its files.
    place: usize,
}

impl Candidate {
    /// A rule that a command is about to break, at a place among those.
    pub(super) fn for_command(rule: Rule, place: usize) -> Candidate {
        let chance = Chance { rule: rule_digest(&rule), is_broken: true, is_exact: true, loaded_since: None };
        Candidate { rule, chance, score: EXACT, place }
    }
}

/// A file with the nodes that cover it.
pub(super) struct Covered {
    pub(super) file: AbsolutePath,
    pub(super) nodes: Vec<Node>,
}

/// The rules that a call is about, each once, the best first.
pub(super) fn candidates(
    situation: &Situation<'_>,
    files: &[Covered],
    in_context: &InContext<'_>,
) -> Result<Vec<Candidate>, PolicyError> {
    let mut found: Vec<Candidate> = Vec::new();
    for covered in files.iter().take(MOST_FILES) {
        for candidate in Edited::new(situation, covered)?.candidates(in_context) {
            match found.iter_mut().find(|known| known.chance.rule == candidate.chance.rule) {
                Some(known) if known.score >= candidate.score => {}
                Some(known) => *known = candidate,
                None => found.push(candidate),
            }
        }
    }
    found.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.place.cmp(&other.place)));
    Ok(found)
}

/// What a call does in one file, and what covers it.
struct Edited<'a> {
    subject: Subject,
    nodes: &'a [Node],
    /// The length of the path of the repository's root.
    root: usize,
}

impl<'a> Edited<'a> {
    fn new(situation: &Situation<'_>, covered: &'a Covered) -> Result<Edited<'a>, PolicyError> {
        let Covered { file, nodes } = covered;
        // Without a repository, the topmost node is the root's.
        let top = || nodes.first().map_or(0, |node| node.folder.len());
        let root = repository_root(situation.world, file).map_or_else(top, |root| root.len());
        Ok(Edited { subject: subject::of_file(situation, file)?, nodes, root })
    }

    /// How many folders a node is below the root.
    fn depth(&self, node: &Node) -> usize {
        node.folder.get(self.root..).map_or(0, |below| below.matches('/').count())
    }

    /// The rules that the edit is about.
    fn candidates(&self, in_context: &InContext<'_>) -> Vec<Candidate> {
        let loaded: BTreeMap<AbsolutePath, u32> = in_context.of(self.nodes).into_iter().collect();
        let all: Vec<(Rule, usize)> = self
            .nodes
            .iter()
            .flat_map(|node| rules(node).into_iter().map(move |rule| (rule, self.depth(node))))
            .take(MOST_RULES)
            .collect();
        let set = RuleSet::new(all.iter().map(|(rule, depth)| (rule, *depth)));
        let mut chosen = set.about(&self.subject);
        let notes = self.notes(&set, &chosen);
        chosen.extend(notes);
        // What was added to a file after the client loaded it is not in context.
        let own = |rule: &Rule| loaded.get(&rule.node).copied().filter(|_| in_context.has_read(rule));
        let in_loaded = |rated: &Rated<'_>| {
            // The same words in a node that is loaded are in context too.
            own(rated.rule)
                .or_else(|| set.same_as(rated).find_map(own))
                .or_else(|| in_context.elsewhere(rated.rule))
        };
        let candidate = |rated: Rated<'_>| Candidate {
            chance: Chance {
                rule: rule_digest(rated.rule),
                is_broken: rated.relevance.is_broken,
                is_exact: rated.relevance.score >= EXACT,
                loaded_since: in_loaded(&rated),
            },
            score: rated.relevance.score,
            place: rated.place,
            rule: rated.rule.clone(),
        };
        chosen.into_iter().map(candidate).collect()
    }

    /// The rules that are about the folder of a node below the root as a whole: those of a short node, and to an agent that
    /// looks around there those that name nothing.
    fn notes<'r>(&self, set: &RuleSet<'r>, chosen: &[Rated<'r>]) -> Vec<Rated<'r>> {
        let below: Vec<&Node> = self.nodes.iter().filter(|node| self.depth(node) > 0).collect();
        let is_meant = |rated: &Rated<'r>| {
            let Some(node) = below.iter().find(|node| node.path == rated.rule.node) else { return false };
            let is_short = set.rules_of(&node.path) <= NOTE && rated.rule.topic != Topic::Context;
            (is_short || (self.subject.is_reading() && set.is_about_nothing(rated)))
                && !chosen.iter().any(|other| is_same(other.rule, rated.rule))
        };
        set.unrated().filter(is_meant).collect()
    }
}
