//! An index of an older flyball becomes one of today, with everything that is counted.

use std::time::Duration;

use flyball_core::config::Mode;
use flyball_core::event::Agent;
use flyball_core::record::Record;
use flyball_core::verdict::Stance;
use flyball_store::{Filter, ReadStore, Window};
use rusqlite::{Connection, params};

use super::sample::{Home, NOW, SECOND, Time, record, ruling, session};

/// The tables as version 1 made them, and must for ever.
const SCHEMA_1: &str = include_str!("../../src/sqlite/schema_1.sql");

fn nth(number: u64) -> Record {
    let mut record = record(number);
    record.at = NOW + u32::try_from(number).unwrap() * 130 * SECOND;
    record.took = Duration::from_micros(300 + number);
    record.context_chars = usize::try_from(number).unwrap();
    record.rulings = vec![ruling("guard.packages", Stance::Silent), ruling("guard.gaming", Stance::Deny)];
    record.rulings[1].mode = Mode::Observe;
    if number.is_multiple_of(3) {
        record.agent = Some(Agent { id: "a1".to_owned(), role: "Explore".to_owned() });
        record.stance = Stance::Deny;
    }
    record
}

/// Adds an event with the statements of version 1.
fn insert(connection: &Connection, number: u64, record: &Record) {
    let stance = if record.stance == Stance::Deny { 3 } else { 0 };
    let event: i64 = connection
        .query_row(
            "INSERT INTO events (answer, session, seq, at, project, kind, tool, stance, duplicate, subject)
             VALUES (?1, 1, ?2, ?3, 1, ?4, 'shell', ?5, 0, ?6) RETURNING id",
            params![
                record.id.as_str(),
                i64::try_from(number).unwrap(),
                record.at.as_micros(),
                record.kind.name(),
                stance,
                record.subject
            ],
            |row| row.get(0),
        )
        .unwrap();
    let json = serde_json::to_string(&Record { payload: None, ..record.clone() }).unwrap();
    connection.execute("INSERT INTO records (event, record) VALUES (?1, ?2)", params![event, json]).unwrap();
    connection
        .execute(
            "INSERT INTO verdicts (policy, at, event, stance, mode, troubled)
             VALUES ('guard.gaming', ?1, ?2, 3, 'observe', 0)",
            [record.at.as_micros(), event],
        )
        .unwrap();
}

/// An index of version 1 with some events.
fn old_index(home: &Home, events: u64) {
    std::fs::create_dir_all(home.state()).unwrap();
    let connection = Connection::open(home.state().join("flyball.db")).unwrap();
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL").unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.execute_batch(SCHEMA_1).unwrap();
    connection.pragma_update(None, "user_version", 1).unwrap();
    connection.execute("INSERT INTO projects (path) VALUES ('/home/ada/engine')", []).unwrap();
    connection
        .execute(
            "INSERT INTO sessions (client, session, project, first_at, last_at, last_kind)
             VALUES ('claude-code', ?1, 1, ?2, ?2, 'before_tool')",
            params![session().as_str(), NOW.as_micros()],
        )
        .unwrap();
    for number in 1..=events {
        insert(&connection, number, &nth(number));
    }
}

fn everything() -> Window {
    Window { since: Time::default(), until: Time::MAX, project: None, session: None }
}

type Contents = (Vec<flyball_store::TimeBucket>, Vec<flyball_store::PolicyActivity>, Vec<String>);

/// What an index has, without the numbers of its rows.
fn contents(index: &dyn ReadStore) -> Contents {
    let search = Filter { text: Some("NUMBER-1".into()), ..Filter::default() };
    let agent = Filter { agent: Some("a1".into()), ..Filter::default() };
    let would_deny = Filter { would_deny: true, ..Filter::default() };
    let subjects = [Filter::default(), search, agent, would_deny]
        .into_iter()
        .flat_map(|filter| index.events(&filter).unwrap())
        .map(|event| event.record.subject);
    let window = Window { since: NOW, until: NOW + 3 * 3_600 * SECOND, ..everything() };
    (
        index.timeline(&window, 200).unwrap(),
        index.policy_activities(&everything()).unwrap(),
        subjects.collect(),
    )
}

#[test]
fn an_older_index_gets_everything_that_is_counted() {
    let old = Home::new();
    old_index(&old, 60);
    let new = Home::new();
    for number in 1..=60 {
        new.commit(&nth(number));
    }
    assert!(!old.store.health().unwrap().is_damaged(), "older is not damaged");
    let index = old.store.open(None).unwrap();
    assert!(!old.store.health().unwrap().is_damaged());
    assert_eq!(contents(&*index), contents(&*new.index()));
    assert_eq!(index.overview(&everything()).unwrap(), new.index().overview(&everything()).unwrap());
    assert_eq!(
        index.agents("claude-code", &session()).unwrap(),
        new.index().agents("claude-code", &session()).unwrap()
    );
    // And it goes on from there.
    old.commit(&nth(61));
    assert_eq!(old.index().overview(&everything()).unwrap().events, 61);
    assert!(!old.store.health().unwrap().is_damaged());
}

#[test]
fn an_older_empty_index_becomes_a_new_empty_one() {
    let home = Home::new();
    old_index(&home, 0);
    let index = home.store.open(None).unwrap();
    assert_eq!(index.events(&Filter::default()).unwrap(), []);
    assert_eq!(index.overview(&everything()).unwrap().events, 0);
}
