//! A result counts only from an agent that somebody asked for.

use flyball_core::event::{Agent, Event, EventData, Outcome, SpawnedAgent, Tool, ToolCall};
use flyball_core::verdict::Stance;

use super::{APPROVED, REJECTED, SHORT, Session, call, silence};
use crate::testing::event;

const UNASKED: &str = "no call in this session spawned this `reviewer`, so its pass does not count: spawn it with your tool for agents";

fn edited() -> Session {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    session
}

fn passes(session: &mut Session) -> bool {
    session.stop() == silence()
}

#[test]
fn an_agent_that_nobody_spawned_passes_nothing_and_the_hold_says_why() {
    let mut session = edited();
    let reviewer = session.starts_unasked("reviewer");
    assert_eq!(session.finishes(&reviewer, APPROVED), silence());
    let (stance, reasons, ..) = session.stop();
    assert_eq!(stance, Stance::Deny);
    let shown = format!("  1. review: not done yet; spawn `reviewer`\n     - {UNASKED}\n");
    assert!(reasons[0].contains(&shown), "{}", reasons[0]);
    let what = format!("review of code passed by reviewer does not count: {UNASKED}");
    assert_eq!(session.state().history.last().map(|entry| entry.what.clone()), Some(what));
    // It is no failure of the review, so no limit comes nearer.
    assert_eq!(session.state().domains["code"].phases["review"].failures, 0);
    // The same agent does not count later either.
    session.spawn("reviewer", "late");
    session.finishes(&reviewer, APPROVED);
    assert!(!passes(&mut session));
    session.starts_unasked("reviewer");
    session.finishes(&Agent { id: "a2".to_owned(), role: "reviewer".to_owned() }, APPROVED);
    assert!(passes(&mut session), "the one that was asked for");
}

#[test]
fn the_failure_of_an_agent_that_nobody_spawned_counts() {
    let mut session = edited();
    let reviewer = session.starts_unasked("reviewer");
    session.finishes(&reviewer, REJECTED);
    assert_eq!(session.state().domains["code"].phases["review"].failures, 1);
}

#[test]
fn each_spawn_is_good_for_one_agent() {
    let mut session = edited();
    let first = session.starts("reviewer");
    let second = session.starts_unasked("reviewer");
    session.finishes(&second, APPROVED);
    assert!(!passes(&mut session));
    session.finishes(&first, APPROVED);
    assert!(passes(&mut session));
}

#[test]
fn an_answer_without_its_call_passes_nothing() {
    let mut session = edited();
    session.answered("reviewer", APPROVED, SpawnedAgent { id: "x".to_owned(), is_running: false });
    assert!(!passes(&mut session));
}

#[test]
fn a_stop_without_a_start_uses_the_spawn_up_as_well() {
    let mut session = edited();
    session.spawn("reviewer", "call1");
    let agent = Agent { id: "x".to_owned(), role: "reviewer".to_owned() };
    session.finishes(&agent, APPROVED);
    assert!(passes(&mut session));
    session.edit("src/a.go", "two");
    session.finishes(&Agent { id: "y".to_owned(), ..agent }, APPROVED);
    assert!(!passes(&mut session));
}

#[test]
fn a_spawn_that_failed_or_was_denied_brings_no_agent() {
    let mut session = edited();
    session.spawn("reviewer", "call1");
    let tool = Tool::SpawnAgent { role: "reviewer".to_owned(), prompt: "look".to_owned(), background: None };
    let call = ToolCall { id: Some("call1".to_owned()), ..call("Agent", tool) };
    let failed = EventData::ToolFailed { call, outcome: Outcome::default(), interrupted: false };
    assert_eq!(session.output(event(failed)), silence());
    let reviewer = session.starts_unasked("reviewer");
    session.finishes(&reviewer, APPROVED);
    assert!(!passes(&mut session));
}

/// Every way in which clients start agents honestly: none is refused.
#[test]
fn no_honest_way_to_start_an_agent_is_refused() {
    let agent = |id: &str, role: &str| Agent { id: id.to_owned(), role: role.to_owned() };
    let skill = Tool::Skill { name: "review-all".to_owned(), arguments: String::new() };
    let spawn =
        |role: &str| Tool::SpawnAgent { role: role.to_owned(), prompt: String::new(), background: None };
    let before = |name: &str, tool: Tool| event(EventData::BeforeTool(call(name, tool)));
    let by_subagent = Event { agent: Some(agent("lead", "developer")), ..before("Agent", spawn("reviewer")) };
    let typed = EventData::PromptExpanded { command: "review-all".to_owned(), arguments: String::new() };
    let text = EventData::PromptSubmit { text: "/review-all".to_owned(), by_machine: false };
    let ways = [
        ("its tool", before("Agent", spawn("reviewer"))),
        ("the older name of the tool", before("Task", spawn("reviewer"))),
        ("without a role: the client chooses", before("Agent", spawn(""))),
        ("with the plugin of the role", before("Agent", spawn("team:Reviewer"))),
        ("a subagent spawns it", by_subagent),
        ("a skill that runs as an agent", before("Skill", skill)),
        ("a typed command", event(typed)),
        ("the text of a typed command", event(text)),
        ("a tool that nobody described yet", before("RunWorkflow", Tool::Other)),
    ];
    for (name, way) in ways {
        let mut session = edited();
        session.output(way);
        let reviewer = session.starts_unasked("reviewer");
        session.finishes(&reviewer, APPROVED);
        assert!(passes(&mut session), "{name}");
    }
}

#[test]
fn agents_of_one_role_at_the_same_time_all_count() {
    let mut session = edited();
    session.spawn("reviewer", "call1");
    session.spawn("reviewer", "call2");
    let (one, two) = (session.starts_unasked("reviewer"), session.starts_unasked("reviewer"));
    session.finishes(&two, REJECTED);
    session.edit("src/a.go", "two");
    // Sent back to look again, perhaps after a restart of the client: it starts anew under its old id.
    session.start("resume");
    let again = Event { agent: Some(one.clone()), ..event(EventData::AgentStart) };
    session.output(again);
    session.finishes(&one, APPROVED);
    assert!(passes(&mut session));
}

#[test]
fn an_agent_that_was_spawned_before_the_first_edit_counts() {
    let mut session = Session::new(SHORT);
    let reviewer = session.starts("reviewer");
    session.edit("src/a.go", "one");
    session.finishes(&reviewer, REJECTED);
    let reviewer = session.starts("reviewer");
    session.finishes(&reviewer, APPROVED);
    assert!(passes(&mut session));
}
