//! Which rules a subagent gets, in which order, and how many of them fit.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::path::{AbsolutePath, is_or_is_below, strip_folder};
use flyball_core::policy::{PolicyError, World};
use flyball_core::text;
use flyball_knowledge::node::{self, Node, Rule, Topic};
use flyball_knowledge::report::ledger;
use flyball_knowledge::role::Role;
use flyball_knowledge::similar;
use flyball_knowledge::tokens::estimate;

use super::mentions::folder_of;
use super::settings::Settings;
use super::state::rule_digest;
use crate::memory::relevance;

/// The tokens reserved for the line about rules that were left out.
const LEFT_OUT_TOKENS: usize = 60;

/// Shorter names of files are too common: that a rule mentions one means nothing.
const LEAST_NAME: usize = 4;

/// What a subagent is to do.
pub(super) struct Task<'a> {
    /// By its name, if that is known.
    pub(super) role: Option<Role>,
    /// The paths in its prompt, and the folders that its words mean, relative to the project's root; a folder ends with
    /// `/`.
    pub(super) paths: &'a [String],
    /// The rules that its prompt is about, by digest, the best first.
    pub(super) about: &'a [u64],
    /// The rules that it has seen, by digest.
    pub(super) known: &'a BTreeSet<u64>,
    /// The nodes that its client has put into its context.
    pub(super) in_context: &'a dyn Fn(&[Node]) -> BTreeSet<AbsolutePath>,
    /// Whether it has a rule in its context, of a node that its client loads or of another; also of a file of the user's.
    pub(super) has_read: &'a dyn Fn(&Rule, bool) -> bool,
}

/// The context of a subagent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Injection {
    pub(super) text: String,
    /// The rules in it, by digest.
    pub(super) rules: Vec<u64>,
    /// Their nodes, relative to the project's root.
    pub(super) nodes: Vec<String>,
    /// How many rules were left out.
    pub(super) left_out: usize,
}

/// What the project knows about a task.
struct Knowledge {
    /// The most important first.
    rules: Vec<Rule>,
    /// One line each.
    learnings: Vec<String>,
}

/// The context of a subagent for its task; `None` if there is none.
pub(super) fn build_injection(
    world: &dyn World,
    task: &Task<'_>,
    settings: &Settings,
) -> Result<Option<Injection>, PolicyError> {
    let rules = ranked(world, task)?;
    let learnings = learnings(world, task, &rules, settings.learnings)?;
    Ok(pack(world, task, &Knowledge { rules, learnings }, settings.tokens))
}

/// The topics in the order in which they matter to a role.
fn topics(task: &Task<'_>) -> &'static [Topic] {
    match task.role {
        // Without a named file, only what applies everywhere.
        _ if task.paths.is_empty() => &[Topic::Contracts, Topic::Checks, Topic::Pitfalls, Topic::Rules],
        Some(Role::Develop) => {
            &[Topic::Contracts, Topic::Pitfalls, Topic::Rules, Topic::Patterns, Topic::Checks, Topic::Context]
        }
        Some(Role::Review | Role::Test) | None => &Topic::ALL,
    }
}

/// Why a subagent gets a rule, in the order in which they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// Its prompt is about the rule, which is at this place among those.
    Prompt(usize),
    /// The rule is about the folder that it is sent to.
    Folder,
    /// The rule is for the whole project.
    General,
}

/// The rules for a task, the most important first. What it is not about stays in reserve.
fn ranked(world: &dyn World, task: &Task<'_>) -> Result<Vec<Rule>, PolicyError> {
    let topics = topics(task);
    let names: Vec<&str> = task.paths.iter().filter_map(|path| name_of(path)).collect();
    let nodes = covering(world, task.paths)?;
    let loaded = (task.in_context)(&nodes);
    let top = nodes.iter().map(|node| node.folder.len()).min().unwrap_or_default();
    let mut rules: Vec<((Cause, usize, bool, usize), Rule)> = Vec::new();
    for node in &nodes {
        let is_loaded = loaded.contains(&node.path);
        for rule in node::rules(node).into_iter().filter(|rule| !(task.has_read)(rule, is_loaded)) {
            let digest = rule_digest(&rule);
            let topic = topics.iter().position(|topic| *topic == rule.topic).unwrap_or(topics.len());
            let cause = match task.about.iter().position(|about| *about == digest) {
                Some(place) => Cause::Prompt(place),
                None if node.folder.len() > top && topic < topics.len() => Cause::Folder,
                None if relevance::is_for_all(&rule) => Cause::General,
                None => continue,
            };
            if task.known.contains(&digest) {
                continue;
            }
            let is_named = names.iter().any(|name| rule.words().contains(name));
            // The longer its folder, the nearer a node is to the files.
            rules.push(((cause, topic, !is_named, usize::MAX - node.folder.len()), rule));
        }
    }
    rules.sort_by_key(|(rank, _)| *rank);
    let mut chosen: Vec<Rule> = Vec::new();
    for (_, rule) in rules {
        // A parent and a child may say the same.
        let is_same = |other: &Rule| other.node != rule.node && relevance::is_same(other, &rule);
        if !chosen.iter().any(is_same) {
            chosen.push(rule);
        }
    }
    Ok(chosen)
}

/// The nodes that cover the paths, each once.
pub(super) fn covering(world: &dyn World, paths: &[String]) -> Result<Vec<Node>, PolicyError> {
    let root = world.project_root();
    let files: Vec<String> = match paths {
        [] => vec![format!("{root}/")],
        paths => paths.iter().map(|path| format!("{root}/{path}")).collect(),
    };
    let mut nodes: Vec<Node> = Vec::new();
    let mut folders: Vec<&str> = Vec::new();
    for file in &files {
        // Files of one folder are covered by the same nodes.
        if folders.contains(&folder_of(file)) {
            continue;
        }
        folders.push(folder_of(file));
        for node in node::covering(world, file)? {
            if !nodes.iter().any(|other| other.path == node.path) {
                nodes.push(node);
            }
        }
    }
    Ok(nodes)
}

fn name_of(path: &str) -> Option<&str> {
    let name = path.trim_end_matches('/').rsplit('/').next()?;
    (name.len() >= LEAST_NAME).then_some(name)
}

/// What was accepted recently about the folders of a task and is not in a node yet, one line each.
fn learnings(
    world: &dyn World,
    task: &Task<'_>,
    rules: &[Rule],
    most: usize,
) -> Result<Vec<String>, PolicyError> {
    if most == 0 || !ledger::is_enabled(world) {
        return Ok(Vec::new());
    }
    let touches = |folder: &str| {
        let folder = folder.trim_matches('/');
        let is_near = |path: &String| {
            let touched = folder_of(path);
            is_or_is_below(touched, folder) || is_or_is_below(folder, touched)
        };
        matches!(folder, "" | ".") || task.paths.iter().any(is_near)
    };
    let is_rule = |title: &str| rules.iter().any(|rule| similar::is_same(&rule.title, title));
    let accepted = ledger::summary(world)?.newest_accepted;
    let near = accepted.into_iter().filter(|line| touches(&line.folder) && !is_rule(&line.title));
    Ok(near.take(most).map(|line| format!("- {} (`{}`)", line.title, line.folder)).collect())
}

/// As much as fits, rules whole, and a line about the rest.
fn pack(world: &dyn World, task: &Task<'_>, knowledge: &Knowledge, tokens: usize) -> Option<Injection> {
    let Knowledge { rules, learnings } = knowledge;
    let root = world.project_root();
    let shown = |rule: &Rule| strip_folder(&rule.node, root).unwrap_or(&rule.node).to_owned();
    let learned = match learnings.as_slice() {
        [] => String::new(),
        lines => format!("\n\n## Recently accepted, not yet in a file\n{}", lines.join("\n")),
    };
    let mut text = opening(task);
    let used = estimate(&text) + estimate(&learned);
    // An upper bound: each rule is counted with a heading of its own.
    let all: usize = rules.iter().map(|rule| estimate(&block(rule, Some(&shown(rule)), true))).sum();
    let reserve = if used + all > tokens { LEFT_OUT_TOKENS } else { 0 };
    let mut room = tokens.saturating_sub(used + reserve);
    let mut injection = Injection { text: String::new(), rules: Vec::new(), nodes: Vec::new(), left_out: 0 };
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let mut heading = None;
    let mut last: Option<&Rule> = None;
    for rule in rules {
        let node = shown(rule);
        let is_new = heading.as_ref() != Some(&(rule.topic, node.clone()));
        let is_next = !is_new && last.is_some_and(|last| rule.continues(last));
        let block = block(rule, is_new.then_some(node.as_str()), !is_next);
        // A shorter rule further down may still fit.
        let Some(rest) = room.checked_sub(estimate(&block)) else {
            *left_out.entry(node).or_default() += 1;
            continue;
        };
        room = rest;
        text.push_str(&block);
        injection.rules.push(rule_digest(rule));
        if !injection.nodes.contains(&node) {
            injection.nodes.push(node.clone());
        }
        heading = Some((rule.topic, node));
        last = Some(rule);
    }
    injection.left_out = left_out.values().sum();
    if injection.rules.is_empty() && learnings.is_empty() && injection.left_out == 0 {
        return None;
    }
    injection.text = text + &learned + &left_out_line(&left_out);
    Some(injection)
}

fn opening(task: &Task<'_>) -> String {
    /// How many paths are named.
    const NAMED: usize = 3;
    if task.paths.is_empty() {
        return "This project's rules for all of its files:".to_owned();
    }
    let named: Vec<String> = task.paths.iter().map(|path| format!("`{path}`")).collect();
    format!("This project's rules for the files of your task ({}):", text::first(&named, NAMED))
}

/// A rule as it is shown, with the heading of its topic and node if that is new. What announces a
/// row or an item is not repeated.
fn block(rule: &Rule, node: Option<&str>, has_lead: bool) -> String {
    let heading =
        node.map(|node| format!("\n\n## {}, from `{node}`", rule.topic.heading())).unwrap_or_default();
    let title = if rule.title.is_empty() { String::new() } else { format!("\n### {}", rule.title) };
    let text = if has_lead { rule.unwrapped() } else { rule.unwrapped_text() };
    format!("{heading}{title}\n{}", text.trim())
}

fn left_out_line(left_out: &BTreeMap<String, usize>) -> String {
    /// How many nodes are named.
    const NAMED: usize = 3;
    if left_out.is_empty() {
        return String::new();
    }
    let count: usize = left_out.values().sum();
    let nodes = text::quoted(left_out.keys().take(NAMED));
    let more = if left_out.len() > NAMED { " and others" } else { "" };
    let rules = text::counted(count, "rule");
    format!("\n\nLeft out to save space: {rules} in {nodes}{more}.")
}
