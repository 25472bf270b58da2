//! Who started whom.

use flyball_core::event::Agent;

use super::*;

fn event(kind: EventKind, agent: &str, second: i64) -> StoredEvent {
    let record = Record {
        at: Time::from_micros(second * 1_000_000),
        agent: (!agent.is_empty()).then(|| Agent { id: agent.to_owned(), role: agent.to_owned() }),
        kind,
        tool: None,
        ..flyball_testkit::record(0)
    };
    StoredEvent { row: second, seq: 1, record }
}

fn starts(all: &[(&str, i64)]) -> Vec<StoredEvent> {
    all.iter().rev().map(|(agent, second)| event(EventKind::AgentStart, agent, *second)).collect()
}

fn calls(all: &[(&str, i64)]) -> Vec<StoredEvent> {
    all.iter().rev().map(|(agent, second)| event(EventKind::BeforeTool, agent, *second)).collect()
}

fn agent(id: &str, first: i64) -> AgentSummary {
    AgentSummary {
        id: id.to_owned(),
        role: id.to_owned(),
        first_at: Time::from_micros(first * 1_000_000),
        last_at: Time::from_micros(first * 1_000_000),
        events: 1,
        denials: 0,
        denied: flyball_core::outcome::DenialCounts::default(),
        asks: 0,
        context_chars: 0,
        has_stopped: false,
    }
}

fn pairs(parents: &BTreeMap<String, String>) -> Vec<(&str, &str)> {
    parents.iter().map(|(child, parent)| (child.as_str(), parent.as_str())).collect()
}

#[test]
fn an_agent_belongs_to_the_one_that_called_right_before() {
    let agents = [agent("", 0), agent("a", 10), agent("b", 100)];
    let parents = started_by(&starts(&[("a", 10), ("b", 100)]), &calls(&[("", 9), ("a", 99)]), &agents);
    assert_eq!(pairs(&parents), [("a", ""), ("b", "a")]);
}

#[test]
fn its_parent_is_unknown_if_two_had_called_or_none_lately() {
    let agents = [agent("", 0), agent("a", 10), agent("b", 100), agent("c", 300)];
    let starts = starts(&[("a", 10), ("b", 100), ("c", 300)]);
    let parents = started_by(&starts, &calls(&[("", 9), ("", 98), ("a", 99), ("a", 200)]), &agents);
    assert_eq!(pairs(&parents), [("a", "")]);
}

#[test]
fn there_are_no_circles() {
    let agents = [agent("", 0), agent("a", 10), agent("b", 10)];
    let parents = started_by(&starts(&[("a", 10), ("b", 10)]), &calls(&[("b", 9), ("a", 10)]), &agents);
    assert_eq!(pairs(&parents), []);
}

#[test]
fn the_tree_is_a_list_within_a_list() {
    let parents = BTreeMap::from([("b".to_owned(), "a".to_owned())]);
    let tree = Tree {
        nodes: nested(vec![agent("", 0), agent("a", 10), agent("b", 20), agent("c", 30)], &parents),
        more: 0,
        state: State::Active,
    };
    let order: Vec<(&str, usize)> =
        tree.walk().iter().map(|node| (node.agent.id.as_str(), node.depth)).collect();
    assert_eq!(order, [("", 0), ("a", 1), ("b", 2), ("c", 1)]);
    let html = tree.list(&|_| crate::route::Route::Events.bare()).into_string();
    let shape: String = html
        .replace("<ul class=\"tree\">", "<ul>")
        .split('<')
        .filter_map(|tag| match tag.split('>').next() {
            Some("ul") => Some('('),
            Some("/ul") => Some(')'),
            Some("li") => Some('.'),
            _ => None,
        })
        .collect();
    assert_eq!(shape, "(.(.(.).))");
}

#[test]
fn of_very_many_agents_those_that_were_refused_something_are_listed() {
    let mut agents: Vec<AgentSummary> = (0..300).map(|number| agent(&format!("{number}"), number)).collect();
    agents[3].denials = 1;
    let listed = listed(&agents);
    assert_eq!(listed.len(), MOST_LISTED);
    assert!(listed.iter().any(|agent| agent.id == "3"));
}
