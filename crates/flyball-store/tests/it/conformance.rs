//! What every store must return, written once and run against each: SQLite, and records in memory.
//!
//! A new store gets a line at the end of this file. It is opened with records that were added one after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use flyball_core::config::Mode;
use flyball_core::event::{Agent, AnswerId, EventKind, SessionId, ToolKind};
use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_core::record::Record;
use flyball_core::time::whole_micros;
use flyball_core::verdict::{Evidence, Stance};
use flyball_store::{
    AgentSummary, Arrivals, Counts, EvidenceFilter, Filter, Found, Page, PayloadMode, PolicyActivity,
    PolicyCounts, PolicyReach, Queries, ReadStore, SessionFilter, SessionSummary, StoredEvent, VerdictQuery,
    Window,
};

use super::memory::Memory;
use super::sample::{Home, MINUTE, NOW, SECOND, Time, record, ruling, session};

const ENGINE: &str = "/home/ada/engine";
const LOOM: &str = "/home/ada/loom";
const PIP: &str = "pip install x";
/// When the event came that was added last.
const LONG_AGO: Time = Time::from_millis(1_794_700_200_000);

/// An opened store, with what it must not outlive.
struct Opened {
    store: Box<dyn ReadStore>,
    _home: Option<Home>,
}

type Open = fn(&[Record]) -> Opened;

fn sqlite(records: &[Record]) -> Opened {
    let home = Home::new();
    for record in records {
        home.commit(record);
        // One by one, or else the sessions would be added one after the other.
        drop(home.index());
    }
    Opened { store: home.index(), _home: Some(home) }
}

fn memory(records: &[Record]) -> Opened {
    Opened { store: Box::new(Memory::holding(records)), _home: None }
}

/// Twelve events in two projects: session `5f0c-1` of Claude Code with a subagent, and session `even` of Codex.
fn sample() -> Vec<Record> {
    (1..=12).map(nth).collect()
}

fn nth(number: u64) -> Record {
    let mut it = record(number);
    if matches!(number, 6 | 10 | 11) {
        (it.client, it.session) = ("codex".to_owned(), SessionId::new("even"));
        it.project = LOOM.to_owned();
    }
    if matches!(number, 7..=9) {
        it.agent = Some(Agent { id: "a1".to_owned(), role: "reviewer".to_owned() });
    }
    let packages = |stance| ruling("guard.packages", stance);
    match number {
        1 => (it.kind, it.tool) = (EventKind::SessionStart, None),
        2 => {
            (it.subject, it.stance, it.took) = (PIP.to_owned(), Stance::Deny, Duration::from_micros(900));
            it.rulings = vec![packages(Stance::Deny)];
        }
        3 => {
            (it.subject, it.stance) = ("cargo test".to_owned(), Stance::Ask);
            let mut observed = ruling("guard.gaming", Stance::Deny);
            observed.mode = Mode::Observe;
            it.rulings = vec![ruling("guard.commands", Stance::Ask), observed];
        }
        4 | 5 => {
            (it.kind, it.subject, it.context_chars) = (EventKind::AfterTool, "cargo test".to_owned(), 50);
            let mut quality = ruling("quality", Stance::Silent);
            quality.took = Duration::from_micros(300);
            it.rulings = vec![quality];
            // The same call, recorded twice.
            (it.at, it.call) = (at(4) + Duration::from_micros(number), record(4).call);
        }
        6 => {
            (it.tool, it.subject) = (Some(ToolKind::Edit), "src/lib.rs".to_owned());
            let mut rule = ruling("rules", Stance::Ask);
            rule.mode = Mode::Observe;
            rule.evidence = vec![Evidence { name: "rule".to_owned(), value: "no-edit".to_owned() }];
            it.rulings = vec![rule];
        }
        7 => (it.kind, it.tool, it.context_chars) = (EventKind::AgentStart, None, 70),
        8 => {
            (it.subject, it.stance) = ("ls".to_owned(), Stance::Ask);
            it.rulings = vec![ruling("guard.commands", Stance::Ask)];
        }
        9 => (it.kind, it.tool) = (EventKind::AgentStop, None),
        10 => {
            (it.subject, it.took) = (PIP.to_owned(), Duration::from_micros(800));
            let mut failed = packages(Stance::Silent);
            failed.error = Some("no such file".to_owned());
            it.rulings = vec![failed];
        }
        11 => (it.kind, it.tool) = (EventKind::SessionEnd, None),
        _ => {
            (it.at, it.subject) = (LONG_AGO, PIP.to_owned());
            it.rulings = vec![packages(Stance::Deny)];
        }
    }
    it
}

fn at(number: u32) -> Time {
    NOW + number * SECOND
}

fn window(since: Time, until: Time) -> Window {
    Window { since, until, project: None, session: None }
}

fn always() -> Window {
    window(Time::default(), Time::MAX)
}

fn numbers(events: &[StoredEvent]) -> Vec<u64> {
    events.iter().map(|event| number(&event.record.id)).collect()
}

fn number(id: &AnswerId) -> u64 {
    (1..=12).find(|number| AnswerId::from_seed(*number) == *id).unwrap()
}

fn events_pass_filters(open: Open) {
    let opened = open(&sample());
    let all = Filter::default;
    let guard = || Some("guard.packages".to_owned());
    let cases: Vec<(&str, Filter, Vec<u64>)> = vec![
        ("all", all(), vec![11, 10, 9, 8, 7, 6, 4, 3, 2, 1, 12]),
        ("limit", Filter { limit: Some(2), ..all() }, vec![11, 10]),
        ("session", Filter { session: Some(SessionId::new("even")), ..all() }, vec![11, 10, 6]),
        ("no session", Filter { session: Some(SessionId::new("odd")), ..all() }, vec![]),
        ("agent", Filter { agent: Some("a1".into()), ..all() }, vec![9, 8, 7]),
        ("main agent", Filter { agent: Some(String::new()), ..all() }, vec![11, 10, 6, 4, 3, 2, 1, 12]),
        ("project", Filter { project: Some(LOOM.into()), ..all() }, vec![11, 10, 6]),
        ("kind", Filter { kinds: vec![EventKind::AfterTool, EventKind::AgentStop], ..all() }, vec![9, 4]),
        ("policy", Filter { policy: guard(), ..all() }, vec![10, 2, 12]),
        ("silent policy", Filter { policy: Some("quality".into()), ..all() }, vec![]),
        ("its verdict", Filter { policy: guard(), stance: Some(Stance::Deny), ..all() }, vec![2, 12]),
        ("answer", Filter { stance: Some(Stance::Ask), ..all() }, vec![8, 3]),
        ("would deny", Filter { would_deny: true, ..all() }, vec![3]),
        ("tool", Filter { tool: Some(ToolKind::Edit), ..all() }, vec![6]),
        ("text", Filter { text: Some("PIP ".into()), ..all() }, vec![10, 2, 12]),
        ("no wildcard", Filter { text: Some("pip_install".into()), ..all() }, vec![]),
        ("since", Filter { since: Some(at(9)), ..all() }, vec![11, 10, 9]),
        ("until", Filter { until: Some(at(2)), ..all() }, vec![1, 12]),
        ("next page", Filter { page: Page::Before(8), limit: Some(3), ..all() }, vec![7, 6, 4]),
        ("last page", Filter { page: Page::Before(1), ..all() }, vec![12]),
        ("no page", Filter { page: Page::Before(99), ..all() }, vec![]),
        ("follower", Filter { page: Page::After(9), ..all() }, vec![10, 11, 12]),
        (
            "duplicates",
            Filter { with_duplicates: true, kinds: vec![EventKind::AfterTool], ..all() },
            vec![5, 4],
        ),
    ];
    for (name, filter, expected) in cases {
        assert_eq!(numbers(&opened.store.events(&filter).unwrap()), expected, "{name}");
    }
    let payload = |payloads| {
        let filter = Filter { payloads, limit: Some(1), ..all() };
        opened.store.events(&filter).unwrap()[0].record.payload.clone()
    };
    assert_eq!(payload(PayloadMode::With), nth(11).payload);
    assert_eq!(payload(PayloadMode::Without), None);
}

fn single_events_are_found(open: Open) {
    let opened = open(&sample());
    let store = &opened.store;
    let Found::One(event) = store.event(nth(2).id.as_str()).unwrap() else { panic!("not found") };
    assert_eq!((event.row, event.seq, &event.record), (2, 2, &nth(2)));
    assert_eq!(store.event("uuuu").unwrap(), Found::None);
    let Found::Several(ids) = store.event("").unwrap() else { panic!("not several") };
    assert_eq!(ids.len(), 6);
    assert_eq!(number(&store.last_event().unwrap().unwrap().record.id), 11);
    assert_eq!(numbers(&store.at_rows(&[3, 99, 1], PayloadMode::Without).unwrap()), [3, 1]);
}

fn a_session_is_visited_in_its_order(open: Open) {
    let opened = open(&sample());
    let visited = |most: usize| {
        let mut visited = Vec::new();
        let mut visit = |event: StoredEvent| {
            assert!(event.record.payload.is_some());
            visited.push(number(&event.record.id));
            if visited.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        opened.store.visit_session("claude-code", &session(), &mut visit).unwrap();
        visited
    };
    // By number, although the clock was set back before the last one.
    assert_eq!(visited(99), [1, 2, 3, 4, 7, 8, 9, 12]);
    assert_eq!(visited(2), [1, 2]);
}

fn extremes_and_evidence_are_found(open: Open) {
    let opened = open(&sample());
    let store = &opened.store;
    assert_eq!(numbers(&store.slowest(&always(), 2).unwrap()), [2, 10]);
    assert_eq!(numbers(&store.most_context(&always(), 9).unwrap()), [7, 4]);
    let even = Window { session: Some(SessionId::new("even")), ..always() };
    assert_eq!(numbers(&store.slowest(&even, 1).unwrap()), [10]);
    let evidence = |policies, payloads| {
        let filter = EvidenceFilter { project: ENGINE, policies, since: Time::default(), payloads };
        store.with_evidence(&filter).unwrap()
    };
    let guards = evidence("guard.", PayloadMode::Without);
    assert_eq!(guards.iter().map(|record| number(&record.id)).collect::<Vec<_>>(), [12, 2, 3, 8]);
    let quality = evidence("quality", PayloadMode::With);
    assert_eq!(quality, [Record { duplicate: false, ..nth(4) }]);
}

fn sessions_are_summed_up(open: Open) {
    let opened = open(&sample());
    let even = SessionSummary {
        client: "codex".into(),
        session: SessionId::new("even"),
        project: LOOM.into(),
        first_at: at(6),
        last_at: at(11),
        events: 3,
        denials: 0,
        denied: DenialCounts::default(),
        last_kind: "session_end".into(),
        has_ended: true,
    };
    let other = SessionSummary {
        client: "claude-code".into(),
        session: session(),
        project: ENGINE.into(),
        first_at: LONG_AGO,
        // Its last event in order.
        last_at: LONG_AGO,
        events: 8,
        denials: 1,
        denied: DenialCounts { blocked: 1, ..DenialCounts::default() },
        last_kind: "before_tool".into(),
        has_ended: false,
    };
    let sessions = |filter| opened.store.sessions(&filter).unwrap();
    let all = SessionFilter::default;
    assert_eq!(sessions(all()), [even.clone(), other.clone()]);
    assert_eq!(sessions(SessionFilter { id_prefix: Some("5f".into()), ..all() }), [other]);
    assert_eq!(sessions(SessionFilter { id_prefix: Some("_v".into()), ..all() }), []);
    assert_eq!(
        sessions(SessionFilter { client: Some("codex".into()), ..all() }),
        std::slice::from_ref(&even)
    );
    assert_eq!(sessions(SessionFilter { project: Some(LOOM.into()), ..all() }), std::slice::from_ref(&even));
    assert_eq!(sessions(SessionFilter { since: Some(at(10)), ..all() }), std::slice::from_ref(&even));
    assert!(!sessions(SessionFilter { until: Some(even.first_at), ..all() }).contains(&even));
    assert_eq!(sessions(SessionFilter { limit: Some(1), ..all() }), [even]);
}

fn agents_and_projects_are_listed(open: Open) {
    let opened = open(&sample());
    let store = &opened.store;
    let main = AgentSummary {
        id: String::new(),
        role: String::new(),
        first_at: LONG_AGO,
        last_at: at(4) + Duration::from_micros(5),
        events: 5,
        denials: 1,
        denied: DenialCounts { blocked: 1, ..DenialCounts::default() },
        asks: 1,
        context_chars: 50,
        has_stopped: false,
    };
    let reviewer = AgentSummary {
        id: "a1".into(),
        role: "reviewer".into(),
        first_at: at(7),
        last_at: at(9),
        events: 3,
        denials: 0,
        denied: DenialCounts::default(),
        asks: 1,
        context_chars: 70,
        has_stopped: true,
    };
    assert_eq!(store.agents("claude-code", &session()).unwrap(), [main, reviewer]);
    assert_eq!(store.agents("codex", &session()).unwrap(), []);
    assert_eq!(store.projects().unwrap(), [LOOM, ENGINE]);
    assert_eq!(store.first_at().unwrap(), Some(LONG_AGO));
    let seen = BTreeMap::from([(EventKind::BeforeTool, at(10)), (EventKind::SessionEnd, at(11))]);
    assert_eq!(store.last_seen_by_kind("codex").unwrap(), seen);
}

fn events_are_counted(open: Open) {
    let opened = open(&sample());
    let policy = |by_stance: &[(Stance, u64)], troubled| PolicyCounts {
        by_stance: by_stance.iter().copied().collect(),
        troubled,
    };
    let expected = Counts {
        events: 11,
        duplicates: 1,
        by_kind: BTreeMap::from([
            (EventKind::SessionStart, 1),
            (EventKind::BeforeTool, 6),
            (EventKind::AfterTool, 1),
            (EventKind::AgentStart, 1),
            (EventKind::AgentStop, 1),
            (EventKind::SessionEnd, 1),
        ]),
        by_stance: BTreeMap::from([(Stance::Silent, 8), (Stance::Ask, 2), (Stance::Deny, 1)]),
        by_outcome: BTreeMap::from([(Outcome::Passed, 8), (Outcome::Asked, 2), (Outcome::Blocked, 1)]),
        by_policy: BTreeMap::from([
            ("guard.commands".into(), policy(&[(Stance::Ask, 2)], 0)),
            ("guard.gaming".into(), policy(&[(Stance::Deny, 1)], 0)),
            ("guard.packages".into(), policy(&[(Stance::Silent, 1), (Stance::Deny, 2)], 1)),
            ("rules".into(), policy(&[(Stance::Ask, 1)], 0)),
        ]),
    };
    assert_eq!(opened.store.counts(&Filter { limit: Some(1), ..Filter::default() }).unwrap(), expected);
    let found = opened.store.counts(&Filter { text: Some("pip".into()), ..Filter::default() }).unwrap();
    assert_eq!((found.events, found.by_policy.len()), (3, 1));
    assert_eq!(opened.store.arrivals(9).unwrap(), Arrivals { newest: 12, events: 3, denials: 0 });
    assert_eq!(opened.store.arrivals(0).unwrap(), Arrivals { newest: 12, events: 11, denials: 1 });
}

fn stretches_of_time_are_counted(open: Open) {
    let opened = open(&sample());
    let overview = |window: &Window| {
        let it = opened.store.overview(window).unwrap();
        [
            it.events,
            it.denials,
            it.asks,
            it.silent,
            it.context_chars,
            whole_micros(it.took.sum()),
            it.sessions,
            it.projects,
        ]
    };
    assert_eq!(overview(&always()), [11, 1, 2, 8, 120, 5_300, 2, 2]);
    assert_eq!(overview(&Window { project: Some(LOOM.into()), ..always() }), [3, 0, 0, 3, 0, 1_600, 1, 1]);
    assert_eq!(overview(&Window { session: Some(session()), ..always() }), [8, 1, 2, 5, 120, 3_700, 1, 1]);
    let span = window(LONG_AGO, NOW + MINUTE);
    let timeline = opened.store.timeline(&span, 11).unwrap();
    assert!(timeline.iter().all(|bucket| bucket.length == MINUTE));
    assert_eq!(
        timeline.iter().map(|bucket| bucket.start).collect::<Vec<_>>()[..2],
        [LONG_AGO, LONG_AGO + MINUTE]
    );
    let events: Vec<u64> = timeline.iter().map(|bucket| bucket.events).collect();
    assert_eq!(events, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10]);
    let last = &timeline[10];
    assert_eq!(
        (last.denials, last.asks, last.context_chars, whole_micros(last.took.sum())),
        (1, 2, 120, 4_900)
    );
    assert_eq!(opened.store.timeline(&window(NOW, NOW), 9).unwrap(), []);
    denials_are_told_apart(open);
}

fn denials_are_told_apart(open: Open) {
    let mut records = sample();
    for record in &mut records {
        let is_stop = record.kind == EventKind::AgentStop;
        if is_stop || record.kind == EventKind::AfterTool {
            record.stance = Stance::Deny;
            record.rulings = vec![ruling("quality", Stance::Deny)];
        }
    }
    let opened = open(&records);
    let store = &opened.store;
    let expected = DenialCounts { blocked: 1, held: 1, findings: 1 };
    let overview = store.overview(&always()).unwrap();
    assert_eq!((overview.denials, overview.denied), (3, expected));
    let of_session = Window { session: Some(session()), ..always() };
    assert_eq!(store.overview(&of_session).unwrap().denied, expected);
    let timeline = store.timeline(&window(LONG_AGO, NOW + MINUTE), 11).unwrap();
    assert_eq!(timeline[10].denied, expected);
    let summary = store.sessions(&SessionFilter { id_prefix: Some("5f".into()), ..Default::default() });
    assert_eq!(summary.unwrap()[0].denied, expected);
    for window in [always(), of_session] {
        let activities = store.policy_activities(&window).unwrap();
        let quality = activities.iter().find(|it| it.policy == "quality").unwrap();
        assert_eq!(quality.denied, DenialCounts { blocked: 0, held: 1, findings: 1 });
    }
    let quality = store.policy_activity(&always(), "quality").unwrap().unwrap();
    assert_eq!(quality.denied, DenialCounts { blocked: 0, held: 1, findings: 1 });
    let found = |outcome| {
        let filter = Filter { outcome: Some(outcome), ..Filter::default() };
        let events = store.events(&filter).unwrap();
        events.iter().map(|event| event.record.kind).collect::<Vec<_>>()
    };
    assert_eq!(found(Outcome::Held), [EventKind::AgentStop]);
    assert_eq!(found(Outcome::Finding), [EventKind::AfterTool]);
    assert_eq!(found(Outcome::Blocked), [EventKind::BeforeTool]);
    let counts = store.counts(&Filter::default()).unwrap();
    assert_eq!(counts.by_outcome.get(&Outcome::Held), Some(&1));
}

/// Name, denials, asks, errors, how often it was asked, how long it took.
fn shown(activities: &[PolicyActivity]) -> Vec<(&str, [u64; 5])> {
    let one =
        |it: &PolicyActivity| [it.denials, it.asks, it.errors, it.took.count(), whole_micros(it.took.sum())];
    activities.iter().map(|it| (it.policy.as_str(), one(it))).collect()
}

fn policies_are_counted(open: Open) {
    let opened = open(&sample());
    let store = &opened.store;
    let all = store.policy_activities(&always()).unwrap();
    let expected = [
        ("quality", [0, 0, 0, 1, 300]),
        ("guard.packages", [2, 0, 1, 3, 36]),
        ("guard.commands", [0, 2, 0, 2, 24]),
        ("guard.gaming", [1, 0, 0, 1, 12]),
        ("rules", [0, 1, 0, 1, 12]),
    ];
    assert_eq!(shown(&all), expected);
    let even = Window { session: Some(SessionId::new("even")), ..always() };
    let of_session = store.policy_activities(&even).unwrap();
    assert_eq!(shown(&of_session), [("guard.packages", [0, 0, 1, 1, 12]), ("rules", [0, 1, 0, 1, 12])]);
    let one = store.policy_activity(&always(), "guard.packages").unwrap();
    assert_eq!(one.as_ref(), all.get(1));
    assert_eq!(store.policy_activity(&always(), "loop.gate").unwrap(), None);
    let span = window(LONG_AGO, NOW + 5 * MINUTE);
    let timeline = store.policy_timeline(&span, 3, Some("guard.packages")).unwrap();
    assert_eq!((timeline.since, timeline.length), (LONG_AGO, 5 * MINUTE));
    let parts: Vec<_> = timeline.parts.iter().map(|part| shown(part)).collect();
    let packages = |counts| vec![("guard.packages", counts)];
    assert_eq!(parts, [packages([1, 0, 0, 1, 12]), vec![], packages([1, 0, 1, 2, 24])]);
}

fn verdicts_are_counted(open: Open) {
    let opened = open(&sample());
    let store = &opened.store;
    let counts = store.verdict_counts(&always()).unwrap();
    let shown: BTreeSet<_> = counts
        .iter()
        .map(|it| {
            (it.policy.as_str(), it.mode == Some(Mode::Enforce), it.stance, it.is_above, it.events, it.errors)
        })
        .collect();
    let expected = [
        ("guard.commands", true, Stance::Ask, false, 2, 0),
        ("guard.gaming", false, Stance::Deny, true, 1, 0),
        ("guard.packages", true, Stance::Silent, false, 1, 1),
        ("guard.packages", true, Stance::Deny, false, 1, 0),
        ("guard.packages", true, Stance::Deny, true, 1, 0),
        ("rules", false, Stance::Ask, true, 1, 0),
    ];
    assert_eq!(shown, BTreeSet::from(expected));
    assert_eq!(counts.len(), expected.len());
    let mut reach = store.policy_reach(&always()).unwrap();
    reach.sort_by(|one, other| one.policy.cmp(&other.policy));
    let policy = |policy: &str, sessions, number| PolicyReach {
        policy: policy.to_owned(),
        sessions,
        last_at: at(number),
        last_row: number.into(),
    };
    let expected = [
        policy("guard.commands", 1, 8),
        policy("guard.gaming", 1, 3),
        policy("guard.packages", 2, 10),
        policy("rules", 1, 6),
    ];
    assert_eq!(reach, expected);
    let judged = |which, most| numbers(&store.judged(&always(), which, most).unwrap());
    assert_eq!(judged(VerdictQuery::Failed, 9), [10]);
    assert_eq!(judged(VerdictQuery::Overruled, 9), [12]);
    assert_eq!(judged(VerdictQuery::By("guard.commands"), 9), [8, 3]);
    assert_eq!(judged(VerdictQuery::By("guard.packages"), 1), [10]);
}

fn what_became_of_calls_is_known(open: Open) {
    let opened = open(&sample());
    let store = &opened.store;
    let asked = store.answered(&always(), Stance::Ask, 9).unwrap();
    assert_eq!(asked.iter().map(|it| it.row).collect::<Vec<_>>(), [8, 3]);
    assert_eq!((asked[0].agent.as_str(), asked[0].subject.as_str()), ("a1", "ls"));
    assert_eq!(
        (&asked[1].policies[..], asked[1].kind),
        (&["guard.commands".to_owned()][..], Some(EventKind::BeforeTool))
    );
    assert_eq!(asked[0].session_row, asked[1].session_row);
    assert!(!store.ran(&asked[0]).unwrap());
    assert!(store.ran(&asked[1]).unwrap());
    assert_eq!(store.answered(&always(), Stance::Ask, 1).unwrap().len(), 1);
    let denied = store.answered(&always(), Stance::Deny, 9).unwrap();
    assert_eq!(
        (denied.len(), denied[0].project.as_str(), denied[0].tool),
        (1, ENGINE, Some(ToolKind::Shell))
    );
    let passed = store.passed(&always(), &mut |call| call.subject == PIP).unwrap();
    assert_eq!(passed.iter().map(|it| it.row).collect::<Vec<_>>(), [12, 10]);
    let passed = store.passed(&always(), &mut |call| call.subject == PIP && call.project == LOOM).unwrap();
    assert_eq!(passed.len(), 1);
    assert_ne!(passed[0].session_row, asked[0].session_row);
}

fn kinds_are_counted_and_notes_are_paged(open: Open) {
    let opened = open(&sample());
    let store = &opened.store;
    let counts = store.kind_counts(&Window { project: Some(LOOM.into()), ..always() }).unwrap();
    let shown: BTreeSet<_> = counts.iter().map(|it| (it.kind, it.tool, it.events)).collect();
    let expected = [
        (EventKind::BeforeTool, Some(ToolKind::Edit), 1),
        (EventKind::BeforeTool, Some(ToolKind::Shell), 1),
        (EventKind::SessionEnd, None, 1),
    ];
    assert_eq!(shown, BTreeSet::from(expected));
    let all = store.kind_counts(&always()).unwrap();
    let shells = all.iter().find(|it| it.project == ENGINE && it.kind == EventKind::BeforeTool);
    assert_eq!(shells.map(|it| it.events), Some(4));
    let page = |before| {
        let page = store.annotated(&always(), before, 5).unwrap();
        (numbers(&page.events), page.next)
    };
    assert_eq!(page(i64::MAX), (vec![], Some(8)));
    assert_eq!(page(8), (vec![7, 6, 4], Some(2)));
    assert_eq!(page(2), (vec![], None));
}

fn records_come_in_order(open: Open) {
    let opened = open(&sample());
    let store = &opened.store;
    assert_eq!(store.tip().unwrap(), 12);
    assert_ne!(store.epoch().unwrap(), 0);
    assert_eq!(store.epoch().unwrap(), store.epoch().unwrap());
    let (mut position, mut seen) = (0, Vec::new());
    loop {
        let batch = store.next_batch(position, 5).unwrap();
        let Some(last) = batch.last() else { break };
        assert!(batch.iter().all(|event| event.record.payload.is_none()));
        position = last.row;
        seen.extend(numbers(&batch));
    }
    assert_eq!(seen, (1..=12).collect::<Vec<u64>>());
    let before = |at| store.position_before(at).unwrap();
    assert_eq!((before(Time::default()), before(at(9)), before(at(99))), (0, 8, 12));
    assert_eq!((store.count_between(3, 9).unwrap(), store.count_between(3, i64::MAX).unwrap()), (6, 9));
}

fn an_empty_store_answers_nothing(open: Open) {
    let opened = open(&[]);
    let store = &opened.store;
    assert_eq!(store.events(&Filter::default()).unwrap(), []);
    assert_eq!(store.last_event().unwrap(), None);
    assert_eq!(store.event("").unwrap(), Found::None);
    assert_eq!(store.sessions(&SessionFilter::default()).unwrap(), []);
    assert_eq!(store.projects().unwrap(), Vec::<String>::new());
    assert_eq!((store.first_at().unwrap(), store.tip().unwrap()), (None, 0));
    assert_eq!(store.counts(&Filter::default()).unwrap(), Counts::default());
    assert_eq!(store.arrivals(0).unwrap(), Arrivals::default());
    assert_eq!(store.overview(&always()).unwrap().events, 0);
    assert_eq!(store.policy_activities(&always()).unwrap(), []);
    assert_eq!(store.verdict_counts(&always()).unwrap(), []);
    assert_eq!((store.position_before(Time::default()).unwrap(), store.count_between(0, 9).unwrap()), (0, 0));
    assert_eq!(store.next_batch(0, 9).unwrap(), []);
}

/// A caller of one trait of a store needs no other.
fn questions_alone_are_enough(open: Open) {
    fn latest(questions: &dyn Queries) -> Option<StoredEvent> {
        questions.last_event().unwrap()
    }
    assert_eq!(latest(&*open(&sample()).store).map(|event| event.row), Some(11));
}

/// The tests of one store, one for each part of the contract.
macro_rules! conformance {
    ($store:ident: $($case:ident)*) => {
        mod $store {
            $(#[test]
            fn $case() {
                super::$case(super::$store);
            })*
        }
    };
    ($($store:ident)*) => {
        $(conformance! { $store:
            events_pass_filters
            single_events_are_found
            a_session_is_visited_in_its_order
            extremes_and_evidence_are_found
            sessions_are_summed_up
            agents_and_projects_are_listed
            events_are_counted
            stretches_of_time_are_counted
            policies_are_counted
            verdicts_are_counted
            what_became_of_calls_is_known
            kinds_are_counted_and_notes_are_paged
            records_come_in_order
            an_empty_store_answers_nothing
            questions_alone_are_enough
        })*
    };
}

conformance! { sqlite memory }
