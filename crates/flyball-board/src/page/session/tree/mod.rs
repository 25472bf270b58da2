//! The agents of a session as a tree: who was started by whom.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use flyball_core::event::{EventKind, ToolKind};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_store::{AgentSummary, Filter, SessionSummary, StoredEvent};
use maud::{Markup, html};

use super::super::events::row;
use super::super::sessions::State;
use super::super::{PageContext, PageError, parts};
use super::calls::agent_of;
use super::plan::LaneName;
use crate::route::Request;

/// An agent starts at most this long after the call that starts it.
const SOON: Duration = Duration::from_secs(30);
/// Starts and calls that are looked at.
const MOST_STARTS: usize = 500;
/// Agents that are listed.
const MOST_LISTED: usize = 60;

/// The agents of a session, parents before their children.
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Agents that are not listed.
    more: usize,
    state: State,
}

struct Node {
    agent: AgentSummary,
    depth: usize,
    children: Vec<usize>,
}

impl Tree {
    /// The agents of a session.
    pub(super) fn build(
        context: &PageContext<'_>,
        (session, state): (&SessionSummary, State),
        agents: &[AgentSummary],
    ) -> Result<Tree, PageError> {
        // With one subagent its parent is the main one, and two queries are saved.
        let parents = if agents.len() > 2 { parents(context, session, agents)? } else { BTreeMap::new() };
        let listed = listed(agents);
        let more = agents.len() - listed.len();
        Ok(Tree { nodes: nested(listed, &parents), more, state })
    }

    /// The names of the lanes: in the order of the tree, alike ones with the beginning of their id.
    pub(super) fn lanes(&self, agents: &[AgentSummary]) -> Vec<LaneName> {
        let mut alike: BTreeMap<&str, usize> = BTreeMap::new();
        for agent in agents {
            *alike.entry(agent.role.as_str()).or_default() += 1;
        }
        let name = |agent: &AgentSummary| match alike.get(agent.role.as_str()) {
            _ if agent.id.is_empty() => "main".to_owned(),
            Some(many) if *many > 1 => format!("{} {}", row::role(&agent.role), parts::cut(&agent.id, 7)),
            _ => row::role(&agent.role).to_owned(),
        };
        let listed: BTreeSet<&str> = self.nodes.iter().map(|node| node.agent.id.as_str()).collect();
        let rest = agents.iter().filter(|agent| !listed.contains(agent.id.as_str()));
        let all = self.walk().into_iter().map(|node| &node.agent).chain(rest);
        all.map(|agent| LaneName { agent: agent.id.clone(), name: name(agent) }).collect()
    }

    /// All nodes, each before its children.
    fn walk(&self) -> Vec<&Node> {
        let mut ahead: Vec<usize> = self.roots().collect();
        ahead.reverse();
        let mut walked = Vec::new();
        while let Some(node) = ahead.pop().and_then(|place| self.nodes.get(place)) {
            ahead.extend(node.children.iter().rev());
            walked.push(node);
        }
        walked
    }

    fn roots(&self) -> impl Iterator<Item = usize> {
        self.nodes.iter().enumerate().filter(|(_, node)| node.depth == 0).map(|(place, _)| place)
    }

    /// The tree as a nested list.
    pub(super) fn list(&self, of_agent: &dyn Fn(&str) -> Request) -> Markup {
        html! {
            ul.tree { @for root in self.roots() { (self.item(root, of_agent)) } }
            @if self.more > 0 {
                p.muted { "and " (parts::counted(self.more as u64, "further agent")) ", none of them refused anything" }
            }
        }
    }

    fn item(&self, place: usize, of_agent: &dyn Fn(&str) -> Request) -> Markup {
        let Some(node) = self.nodes.get(place) else { return html! {} };
        html! {
            li {
                (self.line(&node.agent, of_agent))
                @if !node.children.is_empty() {
                    ul { @for child in &node.children { (self.item(*child, of_agent)) } }
                }
            }
        }
    }

    /// Whether it still works: as far as its session does.
    fn state_pill(&self, agent: &AgentSummary) -> Markup {
        match self.state {
            _ if agent.has_stopped && !agent.id.is_empty() => parts::pill("silent", "stopped"),
            State::Active | State::Waits => parts::pill("allow", "running"),
            State::Idle => parts::pill("silent", "idle"),
            State::Ended => parts::pill("silent", "ended"),
        }
    }

    fn line(&self, agent: &AgentSummary, of_agent: &dyn Fn(&str) -> Request) -> Markup {
        let is_main = agent.id.is_empty();
        let name = if is_main { "main" } else { row::role(&agent.role) };
        html! {
            div.agent {
                a href=(of_agent(&agent.id)) { bdi { (parts::cut(name, 60)) } }
                @if !is_main { span.mono.muted title=(parts::cut(&agent.id, 200)) { (parts::cut(&agent.id, 9)) } }
                (self.state_pill(agent))
                span.muted { (parts::counted(agent.events, "event")) }
                @if agent.denied.blocked > 0 { span.text-deny { (parts::number(agent.denied.blocked)) " blocked" } }
                @if agent.denied.held > 0 { span.text-held { (parts::number(agent.denied.held)) " held" } }
                @if agent.denied.findings > 0 { span.text-finding { (parts::counted(agent.denied.findings, "finding")) } }
                @if agent.asks > 0 { span.text-ask { (parts::number(agent.asks)) " asked" } }
                @if agent.context_chars > 0 { span.muted { (parts::number(agent.context_chars)) " characters of context" } }
                span.muted { (parts::duration(agent.last_at.since(agent.first_at))) }
            }
        }
    }
}

/// Those that are listed: the main one, those that were refused something, those that run, the latest.
fn listed(agents: &[AgentSummary]) -> Vec<AgentSummary> {
    let mut ranked: Vec<&AgentSummary> = agents.iter().collect();
    ranked.sort_by_key(|agent| {
        let is_quiet = agent.denials + agent.asks == 0;
        (!agent.id.is_empty(), is_quiet, agent.has_stopped, std::cmp::Reverse(agent.last_at))
    });
    let listed: BTreeSet<&str> =
        ranked.into_iter().take(MOST_LISTED).map(|agent| agent.id.as_str()).collect();
    agents.iter().filter(|agent| listed.contains(agent.id.as_str())).cloned().collect()
}

/// The agents below their parents; those without a known one below the main agent.
fn nested(agents: Vec<AgentSummary>, parents: &BTreeMap<String, String>) -> Vec<Node> {
    let places: BTreeMap<String, usize> =
        agents.iter().enumerate().map(|(place, agent)| (agent.id.clone(), place)).collect();
    let mut nodes: Vec<Node> =
        agents.into_iter().map(|agent| Node { agent, depth: 0, children: Vec::new() }).collect();
    for place in 0..nodes.len() {
        let Some(id) = nodes.get(place).map(|node| node.agent.id.clone()).filter(|id| !id.is_empty()) else {
            continue;
        };
        let parent = parents.get(&id).and_then(|parent| places.get(parent)).or_else(|| places.get(""));
        // Parents are older, so their depth is known by now.
        let Some(parent) = parent.and_then(|parent| nodes.get_mut(*parent)) else { continue };
        parent.children.push(place);
        let depth = parent.depth + 1;
        if let Some(node) = nodes.get_mut(place) {
            node.depth = depth;
        }
    }
    nodes
}

/// Who started whom, where that is certain.
fn parents(
    context: &PageContext<'_>,
    session: &SessionSummary,
    agents: &[AgentSummary],
) -> Result<BTreeMap<String, String>, PageError> {
    let of_kind = |kind, tool| Filter {
        session: Some(session.session.clone()),
        kinds: vec![kind],
        tool,
        limit: Some(MOST_STARTS),
        ..Filter::default()
    };
    let starts = context.index.events(&of_kind(EventKind::AgentStart, None))?;
    let calls = context.index.events(&of_kind(EventKind::BeforeTool, Some(ToolKind::SpawnAgent)))?;
    Ok(started_by(&starts, &calls, agents))
}

/// A start belongs to the call right before it, if only one agent had called by then. Events come newest first.
fn started_by(
    starts: &[StoredEvent],
    calls: &[StoredEvent],
    agents: &[AgentSummary],
) -> BTreeMap<String, String> {
    let first: BTreeMap<&str, Time> =
        agents.iter().map(|agent| (agent.id.as_str(), agent.first_at)).collect();
    let mut calls: Vec<&Record> =
        calls.iter().rev().map(|event| &event.record).filter(|call| call.stance != Stance::Deny).collect();
    let mut parents = BTreeMap::new();
    for start in starts.iter().rev().map(|event| &event.record) {
        let child = agent_of(start);
        calls.retain(|call| call.at + SOON >= start.at);
        let mut open =
            calls.iter().enumerate().filter(|(_, call)| call.at <= start.at && agent_of(call) != child);
        let Some((place, call)) = open.next() else { continue };
        let parent = agent_of(call);
        let is_sure = open.all(|(_, other)| agent_of(other) == parent);
        // A parent is older than its child: there are no circles, whatever clients do with ids.
        let is_older = first.get(parent) < first.get(child) && first.contains_key(parent);
        if is_sure && is_older && !parents.contains_key(child) {
            parents.insert(child.to_owned(), parent.to_owned());
        }
        // A call starts one agent: the next start belongs to another call.
        calls.remove(place);
    }
    parents
}

#[cfg(test)]
mod tests;
