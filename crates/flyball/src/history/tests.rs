use std::collections::BTreeSet;

use flyball_core::event::{EventKind, ToolKind};
use flyball_core::record::Record;
use flyball_core::verdict::Stance;
use flyball_policies::REGISTRY;
use flyball_store::{Filter, SessionFilter, Store, Window};

use super::projects::{COMMON, PROJECTS};
use super::{DAY, HOUR, Plan, Time, rulings, sessions, write};

/// 2026-11-13 15:00, a Friday.
const UNTIL: Time = Time::from_millis(1_794_582_000_000);

fn plan(events: u64) -> Plan {
    Plan { events, until: UNTIL, ..Plan::default() }
}

fn records(plan: &Plan) -> Vec<Record> {
    sessions(plan).flat_map(|session| session.records(plan).collect::<Vec<_>>()).collect()
}

#[test]
fn the_same_plan_is_the_same_history() {
    let all = records(&plan(3_000));
    assert_eq!(all.len(), 3_000);
    assert_eq!(all, records(&plan(3_000)));
    assert_ne!(all, records(&Plan { seed: 2, ..plan(3_000) }));
}

#[test]
fn events_are_within_the_planned_days_and_mostly_in_working_hours() {
    let all = records(&plan(20_000));
    assert!(all.iter().all(|record| record.at < UNTIL && record.at > UNTIL - 31 * DAY));
    assert!(all.iter().any(|record| record.at > UNTIL - HOUR), "someone is at work now");
    let at_night = all.iter().filter(|record| record.at.since(record.at.floor(DAY)) < 6 * HOUR).count();
    assert!(at_night * 50 < all.len(), "{at_night} events at night");
    let ids: BTreeSet<&str> = all.iter().map(|record| record.id.as_str()).collect();
    assert_eq!(ids.len(), all.len());
}

#[test]
fn every_kind_of_event_stance_and_project_occurs() {
    let all = records(&plan(20_000));
    let kinds: BTreeSet<EventKind> = all.iter().map(|record| record.kind).collect();
    for kind in [
        EventKind::SessionStart,
        EventKind::PromptSubmit,
        EventKind::BeforeTool,
        EventKind::PermissionAsked,
        EventKind::AfterTool,
        EventKind::ToolFailed,
        EventKind::Stop,
        EventKind::AgentStart,
        EventKind::AgentStop,
        EventKind::SessionEnd,
    ] {
        assert!(kinds.contains(&kind), "{}", kind.name());
    }
    for stance in Stance::ALL {
        assert!(all.iter().any(|record| record.stance == *stance), "{stance:?}");
    }
    let tools: BTreeSet<ToolKind> = all.iter().filter_map(|record| record.tool).collect();
    assert_eq!(tools.len(), 5);
    let projects: BTreeSet<&str> = all.iter().map(|record| record.project.as_str()).collect();
    assert_eq!(projects.len(), PROJECTS.len());
    assert!(
        all.iter().all(|record| (record.stance == Stance::Deny) != record.said.is_empty()
            || record.stance == Stance::Ask)
    );
    assert!(all.iter().any(|record| record.took.as_millis() > 100));
    assert!(all.iter().any(|record| record.agent.is_some() && record.stance == Stance::Deny));
}

#[test]
fn every_policy_in_it_is_a_real_one() {
    let real: BTreeSet<&str> = REGISTRY.iter().map(|policy| policy.id.as_str()).collect();
    for record in records(&plan(20_000)) {
        for ruling in &record.rulings {
            assert!(real.contains(ruling.policy.as_str()), "{}", ruling.policy);
        }
    }
    for denial in PROJECTS.iter().flat_map(|project| project.denials).chain(COMMON) {
        assert!(real.contains(denial.policy), "{}", denial.policy);
    }
    for kind in EventKind::ALL {
        for (policy, _) in rulings::policies_for(*kind, None) {
            let policy = REGISTRY.iter().find(|known| known.id.as_str() == *policy).unwrap();
            assert!(policy.listens.contains(kind), "{} at {}", policy.id.as_str(), kind.name());
        }
    }
}

#[test]
fn it_is_written_and_folded() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let plan = plan(2_000);
    let mut reported = Vec::new();
    write(&store, &plan, |events| reported.push(events)).unwrap();
    assert_eq!(reported, [1_000, 2_000, 2_000]);
    let index = store.open(None).unwrap();
    let counts = index.counts(&Filter::default()).unwrap();
    assert_eq!((counts.events, counts.duplicates), (2_000, 0));
    let window = Window { since: Time::default(), until: UNTIL, project: None, session: None };
    assert_eq!(index.overview(&window).unwrap().events, 2_000);
    let running = index.sessions(&SessionFilter::default()).unwrap();
    assert_eq!(running.iter().filter(|session| !session.has_ended).count(), 3);
}
