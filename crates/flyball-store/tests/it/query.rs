//! Queries to the index.

use flyball_core::event::{AnswerId, EventKind, SessionId, ToolKind};
use flyball_core::outcome::Outcome;
use flyball_core::record::Record;
use flyball_core::verdict::Stance;
use flyball_store::{Counts, Filter, Found, Page, PolicyCounts, ReadStore, SessionFilter};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::sample::{Home, NOW, SECOND, record, ruling};

/// Twelve events: of two sessions in two projects, with every third denied.
fn sample() -> (Home, Box<dyn ReadStore>) {
    let home = Home::new();
    for number in 1..=12 {
        home.commit(&nth(number));
    }
    let index = home.index();
    (home, index)
}

fn nth(number: u64) -> Record {
    let mut record = record(number);
    if number.is_multiple_of(2) {
        (record.session, record.project) = (SessionId::new("even"), "/home/ada/loom".to_owned());
        (record.kind, record.tool) = (EventKind::AfterTool, Some(ToolKind::Edit));
    }
    if number.is_multiple_of(3) {
        record.stance = Stance::Deny;
        record.rulings = vec![ruling("guard.packages", Stance::Deny), ruling("loop.gate", Stance::Silent)];
    }
    if number == 12 {
        (record.kind, record.tool) = (EventKind::SessionEnd, None);
    }
    record
}

fn numbers(index: &dyn ReadStore, filter: &Filter) -> Vec<u64> {
    index.events(filter).unwrap().iter().map(|event| event.record.at.since(NOW).as_secs()).collect()
}

#[test]
fn a_session_is_read_from_its_beginning_with_payloads_and_without_duplicates() {
    let home = Home::new();
    for number in [5, 1, 3] {
        home.commit(&Record { payload: Some(format!("{{\"n\":{number}}}")), ..record(number) });
    }
    home.commit(&record(3));
    home.commit(&Record { client: "codex".to_owned(), ..record(2) });
    let index = home.index();
    let visited = |most: usize| {
        let mut visited = Vec::new();
        let (first, session) = (record(1), record(1).session);
        index
            .visit_session(&first.client, &session, &mut |event| {
                visited.push((event.record.at.since(NOW).as_secs(), event.record.payload));
                if visited.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
            .unwrap();
        visited
    };
    let at = |number: u64| (number, Some(format!("{{\"n\":{number}}}")));
    assert_eq!(visited(9), [at(5), at(1), at(3)], "in the order of its numbers");
    assert_eq!(visited(1), [at(5)]);
}

#[test]
fn each_filter_finds_its_events() {
    let (_home, index) = sample();
    let all = Filter::default;
    let at = |number: u32| Some(NOW + number * SECOND);
    let even = Some(SessionId::new("even"));
    let guard = Some("guard.packages".to_owned());
    let cases: Vec<(&str, Filter, Vec<u64>)> = vec![
        ("all", all(), (1..=12).rev().collect()),
        ("limit", Filter { limit: Some(2), ..all() }, vec![12, 11]),
        ("session", Filter { session: even.clone(), ..all() }, vec![12, 10, 8, 6, 4, 2]),
        ("no such session", Filter { session: Some(SessionId::new("odd")), ..all() }, vec![]),
        ("project", Filter { project: Some("/home/ada/loom".into()), ..all() }, vec![12, 10, 8, 6, 4, 2]),
        ("no such project", Filter { project: Some("/".into()), ..all() }, vec![]),
        ("kind", Filter { kinds: vec![EventKind::AfterTool], ..all() }, vec![10, 8, 6, 4, 2]),
        (
            "kinds",
            Filter { kinds: vec![EventKind::SessionEnd, EventKind::BeforeTool], ..all() },
            vec![12, 11, 9, 7, 5, 3, 1],
        ),
        ("stance", Filter { stance: Some(Stance::Deny), ..all() }, vec![12, 9, 6, 3]),
        ("silence", Filter { stance: Some(Stance::Silent), limit: Some(3), ..all() }, vec![11, 10, 8]),
        ("tool", Filter { tool: Some(ToolKind::Edit), ..all() }, vec![10, 8, 6, 4, 2]),
        ("policy", Filter { policy: guard.clone(), ..all() }, vec![12, 9, 6, 3]),
        ("silent policy", Filter { policy: Some("loop.gate".into()), ..all() }, vec![]),
        ("policy and session", Filter { policy: guard.clone(), session: even, ..all() }, vec![12, 6]),
        ("policy and stance", Filter { policy: guard.clone(), stance: Some(Stance::Allow), ..all() }, vec![]),
        ("policy and time", Filter { policy: guard, since: at(6), until: at(12), ..all() }, vec![9, 6]),
        ("since, until", Filter { since: at(3), until: at(6), ..all() }, vec![5, 4, 3]),
        ("text", Filter { text: Some("NUMBER-1".into()), ..all() }, vec![12, 11, 10, 1]),
        ("no wildcard", Filter { text: Some("number%1".into()), ..all() }, vec![]),
        (
            "together",
            Filter {
                project: Some("/home/ada/engine".into()),
                stance: Some(Stance::Deny),
                tool: Some(ToolKind::Shell),
                kinds: vec![EventKind::BeforeTool],
                since: at(4),
                ..all()
            },
            vec![9],
        ),
    ];
    for (name, filter, expected) in cases {
        assert_eq!(numbers(&*index, &filter), expected, "{name}");
        let counted = index.counts(&Filter { limit: None, ..filter.clone() }).unwrap().events;
        if filter.limit.is_none() {
            assert_eq!(counted, expected.len() as u64, "{name}");
        }
    }
}

#[test]
fn pages_follow_each_other_without_gap_or_overlap() {
    let (_home, index) = sample();
    for policy in [None, Some("guard.packages".to_owned())] {
        let whole = Filter { policy, ..Filter::default() };
        let mut filter = Filter { limit: Some(3), ..whole.clone() };
        let mut pages = Vec::new();
        loop {
            let page = index.events(&filter).unwrap();
            let Some(last) = page.last() else { break };
            filter.page = Page::Before(last.row);
            pages.extend(page);
        }
        assert_eq!(pages, index.events(&whole).unwrap());
    }
}

#[test]
fn a_follower_sees_each_event_once() {
    let home = Home::new();
    let (mut row, mut seen) = (0, Vec::new());
    for number in [3, 1, 2] {
        home.commit(&record(number));
        for event in home.index().events(&Filter { page: Page::After(row), ..Filter::default() }).unwrap() {
            row = event.row;
            seen.push(event.record.subject);
        }
    }
    assert_eq!(seen, ["cargo test number-3", "cargo test number-1", "cargo test number-2"]);
}

#[test]
fn an_id_is_found_by_its_beginning() {
    let (_home, index) = sample();
    let id = record(5).id;
    for text in [id.to_string(), id.as_str()[..6].to_uppercase(), format!(" {} ", &id.as_str()[..5])] {
        let Found::One(event) = index.event(&text).unwrap() else { panic!("{text} not found") };
        assert_eq!(event.record, nth(5), "{text}");
    }
    assert_eq!(index.event("uuuu").unwrap(), Found::None);
    let Found::Several(ids) = index.event("").unwrap() else { panic!("not several") };
    assert_eq!(ids.len(), 6);
    assert!(ids.iter().all(|id| (1..=12).any(|number| AnswerId::from_seed(number) == *id)));
}

#[test]
fn sessions_are_summed_up() {
    let (_home, index) = sample();
    let sessions = index.sessions(&SessionFilter::default()).unwrap();
    assert_eq!(
        sessions.iter().map(|session| session.session.as_str()).collect::<Vec<_>>(),
        ["even", "5f0c-1"]
    );
    let even = &sessions[0];
    assert_eq!((even.first_at, even.last_at), (NOW + 2 * SECOND, NOW + 12 * SECOND));
    assert_eq!((even.events, even.denials), (6, 2));
    assert_eq!((even.last_kind.as_str(), even.has_ended), ("session_end", true));
    assert_eq!(even.project, "/home/ada/loom");
    assert!(!sessions[1].has_ended);
    let count = |filter| index.sessions(&filter).unwrap().len();
    assert_eq!(count(SessionFilter { id_prefix: Some("ev".into()), ..Default::default() }), 1);
    assert_eq!(count(SessionFilter { id_prefix: Some("_v".into()), ..Default::default() }), 0);
    assert_eq!(count(SessionFilter { project: Some("/home/ada/engine".into()), ..Default::default() }), 1);
    assert_eq!(count(SessionFilter { client: Some("codex".into()), ..Default::default() }), 0);
    assert_eq!(count(SessionFilter { since: Some(NOW + 12 * SECOND), ..Default::default() }), 1);
    assert_eq!(count(SessionFilter { limit: Some(1), ..Default::default() }), 1);
}

#[test]
fn events_are_counted() {
    let (_home, index) = sample();
    let deny = BTreeMap::from([(Stance::Deny, 4)]);
    let expected = Counts {
        events: 12,
        duplicates: 0,
        by_kind: BTreeMap::from([
            (EventKind::BeforeTool, 6),
            (EventKind::AfterTool, 5),
            (EventKind::SessionEnd, 1),
        ]),
        by_stance: BTreeMap::from([(Stance::Silent, 8), (Stance::Deny, 4)]),
        by_outcome: BTreeMap::from([(Outcome::Passed, 8), (Outcome::Blocked, 2), (Outcome::Finding, 2)]),
        by_policy: BTreeMap::from([(
            "guard.packages".to_owned(),
            PolicyCounts { by_stance: deny, troubled: 0 },
        )]),
    };
    assert_eq!(index.counts(&Filter::default()).unwrap(), expected);
}

#[test]
fn each_kind_is_remembered_by_client() {
    let (_home, index) = sample();
    let expected = BTreeMap::from([
        (EventKind::BeforeTool, NOW + 11 * SECOND),
        (EventKind::AfterTool, NOW + 10 * SECOND),
        (EventKind::SessionEnd, NOW + 12 * SECOND),
    ]);
    assert_eq!(index.last_seen_by_kind("claude-code").unwrap(), expected);
    assert_eq!(index.last_seen_by_kind("codex").unwrap(), BTreeMap::new());
}
