//! The board's queries to the index: agents, projects, filters, searches.

use flyball_core::config::Mode;
use flyball_core::event::{Agent, EventKind, SessionId};
use flyball_core::outcome::DenialCounts;
use flyball_core::record::Record;
use flyball_core::verdict::Stance;
use flyball_store::{AgentSummary, Filter, Page, ReadStore};
use proptest::prelude::*;

use super::sample::{Home, NOW, SECOND, Time, record, ruling, session};

fn of_agent(number: u64, kind: EventKind, agent: Option<(&str, &str)>) -> Record {
    let agent = agent.map(|(id, role)| Agent { id: id.to_owned(), role: role.to_owned() });
    Record { kind, agent, ..record(number) }
}

fn at(number: u32) -> Time {
    NOW + number * SECOND
}

#[test]
fn agents_come_with_what_they_did() {
    let home = Home::new();
    let reviewer = Some(("a1", "backend-reviewer"));
    let agent = Some(("a2", "test-runner"));
    for record in [
        of_agent(1, EventKind::SessionStart, None),
        of_agent(2, EventKind::AgentStart, reviewer),
        of_agent(3, EventKind::AgentStart, agent),
        Record { context_chars: 70, stance: Stance::Deny, ..of_agent(4, EventKind::BeforeTool, reviewer) },
        of_agent(5, EventKind::AgentStop, reviewer),
        Record { stance: Stance::Deny, ..of_agent(6, EventKind::AgentStop, agent) },
        Record { stance: Stance::Ask, ..of_agent(7, EventKind::BeforeTool, None) },
    ] {
        home.commit(&record);
    }
    let index = home.index();
    let none = AgentSummary {
        id: String::new(),
        role: String::new(),
        first_at: at(1),
        last_at: at(7),
        events: 2,
        denials: 0,
        denied: DenialCounts::default(),
        asks: 1,
        context_chars: 0,
        has_stopped: false,
    };
    let expected = [
        none.clone(),
        AgentSummary {
            id: "a1".into(),
            role: "backend-reviewer".into(),
            first_at: at(2),
            last_at: at(5),
            events: 3,
            denials: 1,
            denied: DenialCounts { blocked: 1, ..DenialCounts::default() },
            asks: 0,
            context_chars: 70,
            has_stopped: true,
        },
        AgentSummary {
            id: "a2".into(),
            role: "test-runner".into(),
            first_at: at(3),
            last_at: at(6),
            events: 2,
            denials: 1,
            denied: DenialCounts { held: 1, ..DenialCounts::default() },
            asks: 0,
            ..none
        },
    ];
    assert_eq!(index.agents("claude-code", &session()).unwrap(), expected);
    assert_eq!(index.agents("codex", &session()).unwrap(), []);
    let of = |agent: &str| Filter { agent: Some(agent.into()), ..Filter::default() };
    assert_eq!(numbers(&*index, &of("a1")), [5, 4, 2]);
    assert_eq!(numbers(&*index, &of("")), [7, 1]);
    assert_eq!(numbers(&*index, &Filter { session: Some(session()), ..of("a2") }), [6, 3]);
}

#[test]
fn an_agent_that_stopped_and_acts_again_has_not_stopped() {
    let home = Home::new();
    let agent = Some(("a1", "Explore"));
    for (number, kind) in (1..).zip([EventKind::AgentStart, EventKind::AgentStop, EventKind::BeforeTool]) {
        home.commit(&of_agent(number, kind, agent));
    }
    assert!(!home.index().agents("claude-code", &session()).unwrap()[0].has_stopped);
    home.commit(&of_agent(4, EventKind::AgentStop, agent));
    assert!(home.index().agents("claude-code", &session()).unwrap()[0].has_stopped);
}

#[test]
fn projects_come_by_their_latest_event() {
    let home = Home::new();
    for (number, project) in [(1, "/b"), (2, "/a"), (3, "/c"), (4, "/b")] {
        home.commit(&Record { project: project.to_owned(), ..record(number) });
    }
    let index = home.index();
    assert_eq!(index.projects().unwrap(), ["/b", "/c", "/a"]);
    assert_eq!((index.first_at().unwrap(), index.tip().unwrap()), (Some(at(1)), 4));
}

#[test]
fn what_would_have_been_denied_is_found() {
    let home = Home::new();
    for number in 1..=4 {
        let mut record = record(number);
        let mut observed = ruling("guard.gaming", Stance::Deny);
        observed.mode = if number == 1 { Mode::Enforce } else { Mode::Observe };
        record.rulings = vec![observed];
        // What is denied anyway would not have been.
        record.stance = if number == 3 { Stance::Deny } else { Stance::Silent };
        home.commit(&record);
    }
    let index = home.index();
    let would_deny = Filter { would_deny: true, ..Filter::default() };
    assert_eq!(numbers(&*index, &would_deny), [4, 2]);
    let of = |policy: &str| Filter { policy: Some(policy.into()), ..would_deny.clone() };
    assert_eq!(numbers(&*index, &of("guard.gaming")), [4, 2]);
    assert_eq!(numbers(&*index, &of("guard.packages")), Vec::<u64>::new());
    assert_eq!(index.counts(&would_deny).unwrap().events, 2);
}

#[test]
fn a_search_finds_also_what_is_everywhere() {
    let home = Home::new();
    // More than are looked at one by one.
    for number in 1..=5_200 {
        let subject = format!("{} {number}", if number % 2 == 0 { "Even" } else { "odd" });
        home.commit(&Record { subject, ..record(number) });
    }
    let index = home.index();
    let text = |text: &str| Filter { text: Some(text.into()), limit: Some(3), ..Filter::default() };
    assert_eq!(numbers(&*index, &text(" ")), [5_200, 5_199, 5_198]);
    assert_eq!(numbers(&*index, &text("EVEN")), [5_200, 5_198, 5_196]);
    let row = index.events(&text(" ")).unwrap()[2].row;
    assert_eq!(numbers(&*index, &Filter { page: Page::Before(row), ..text(" ") }), [5_197, 5_196, 5_195]);
    assert_eq!(numbers(&*index, &Filter { page: Page::After(row), ..text("odd") }), [5_199]);
    assert_eq!(index.counts(&text(" ")).unwrap().events, 5_200);
    assert_eq!(index.counts(&text("n 12")).unwrap().events, 56);
    let other = Filter { session: Some(SessionId::new("other")), ..text(" ") };
    assert_eq!(numbers(&*index, &other), Vec::<u64>::new());
}

fn numbers(index: &dyn ReadStore, filter: &Filter) -> Vec<u64> {
    index.events(filter).unwrap().iter().map(|event| event.record.at.since(NOW).as_secs()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_search_is_for_the_text_in_either_case(
        subjects in prop::collection::vec("[aAbÄä%_\\\\\u{1e}\u{1f}\n ]{0,6}", 1..40),
        text in "[aAbBÄ%_\\\\\n ]{1,2}",
    ) {
        let home = Home::new();
        for (number, subject) in (1..).zip(&subjects) {
            home.commit(&Record { subject: subject.clone(), ..record(number) });
        }
        let has = |subject: &String| subject.to_ascii_lowercase().contains(&text.to_ascii_lowercase());
        let mut expected: Vec<u64> =
            (1..).zip(&subjects).filter(|(_, subject)| has(subject)).map(|(number, _)| number).collect();
        expected.reverse();
        let filter = Filter { text: Some(text.clone()), ..Filter::default() };
        let index = home.index();
        prop_assert_eq!(numbers(&*index, &filter), expected.clone());
        prop_assert_eq!(index.counts(&filter).unwrap().events, expected.len() as u64);
    }
}
