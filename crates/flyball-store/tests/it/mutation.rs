//! Seeded damage to every kind of file: it is named or harmless, and a repair restores all that any copy still has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use flyball_core::config::StoreSettings;
use flyball_core::event::SessionId;
use flyball_core::record::Record;
use flyball_store::{DatabaseHealth, Filter, Health, PayloadMode, StoreError};
use rusqlite::Connection;

use super::sample::{Home, LONG_WAIT, NOW, options_at, record};

/// Numbers that are the same in each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        // Xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(below.max(1)).unwrap()).unwrap()
    }
}

/// A small store: sessions that are folded in part, one whose journal is gone, one with events that wait.
struct Sample {
    home: Home,
    /// The events of each file, by id.
    copies: BTreeMap<PathBuf, BTreeSet<String>>,
    records: BTreeMap<String, Record>,
}

const SESSIONS: [&str; 4] = ["one", "two", "three", "gone"];

impl Sample {
    fn new() -> Sample {
        let mut sample = Sample { home: Home::new(), copies: BTreeMap::new(), records: BTreeMap::new() };
        let index = sample.home.state().join("flyball.db");
        for number in 1..=24 {
            let made = sample.commit(number);
            sample.copies.entry(index.clone()).or_default().insert(made);
        }
        drop(sample.home.index());
        let gone = sample.journal("gone");
        std::fs::remove_file(&gone).unwrap();
        sample.copies.remove(&gone);
        for number in (25..=36).filter(|number| number % 4 != 3) {
            sample.commit(number);
        }
        let waiting = sample.record(37, "two");
        sample.home.store.session("c", &SessionId::new("two"), LONG_WAIT).spool(&waiting).unwrap();
        let spool = sample.journal("two").with_extension("spool");
        sample.copies.insert(spool, [waiting.id.to_string()].into());
        sample
    }

    fn journal(&self, session: &str) -> PathBuf {
        self.home.store.session("c", &SessionId::new(session), LONG_WAIT).path().to_owned()
    }

    fn record(&mut self, number: u64, session: &str) -> Record {
        let mut made = record(number);
        (made.client, made.session) = ("c".to_owned(), SessionId::new(session));
        self.records.insert(made.id.to_string(), made.clone());
        made
    }

    fn commit(&mut self, number: u64) -> String {
        let session = SESSIONS[usize::try_from(number).unwrap() % 4];
        let made = self.record(number, session);
        self.home.commit_with(&made, &format!("key-{}", number % 3), &format!("value {number}"));
        self.copies.entry(self.journal(session)).or_default().insert(made.id.to_string());
        made.id.to_string()
    }

    /// The events that a copy has which was not touched, and those whose line in the damaged journal is whole.
    fn kept(&self, before: &BTreeMap<PathBuf, Vec<u8>>) -> BTreeSet<String> {
        let mut kept = BTreeSet::new();
        for (path, ids) in &self.copies {
            let now = std::fs::read(path).unwrap_or_default();
            let then = &before[path];
            if now == *then {
                kept.extend(ids.iter().cloned());
            } else if path.extension().is_some_and(|it| it == "journal")
                && !now.starts_with(b"flyball-journal ")
            {
                kept.extend(whole_lines(then, &now));
            }
        }
        kept
    }

    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        self.copies.keys().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
    }

    fn listed(&self) -> BTreeMap<String, Record> {
        let settings = StoreSettings::default();
        let index = self.home.store.open(Some(&options_at(&settings, NOW))).unwrap();
        let filter = Filter { with_duplicates: true, payloads: PayloadMode::With, ..Filter::default() };
        let events = index.events(&filter).unwrap();
        events.into_iter().map(|event| (event.record.id.to_string(), event.record)).collect()
    }
}

/// The ids of the lines that both have.
fn whole_lines(then: &[u8], now: &[u8]) -> BTreeSet<String> {
    let lines =
        |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<BTreeSet<_>>();
    let both: Vec<Vec<u8>> = lines(then).intersection(&lines(now)).cloned().collect();
    let id = |line: &Vec<u8>| {
        let json: serde_json::Value = serde_json::from_slice(line.get(9..)?).ok()?;
        Some(json["record"]["id"].as_str()?.to_owned())
    };
    both.iter().filter_map(id).collect()
}

fn is_named(health: &Health) -> bool {
    let is_usable = matches!(health.database, DatabaseHealth::Sound { .. });
    !is_usable || health.is_damaged() || health.corrupt_lines > 0 || !health.unreadable.is_empty()
}

/// Whether only a newer flyball may touch a file: then it is named, and nothing is done.
fn is_newer(health: &Health) -> bool {
    let is_newer =
        |error: &StoreError| matches!(error, StoreError::NewerIndex { .. } | StoreError::NewerJournal { .. });
    matches!(&health.database, DatabaseHealth::Unusable(error) if is_newer(error))
        || health.unreadable.iter().any(|(_, error)| is_newer(error))
}

fn change_bytes(path: &Path, dice: &mut Dice) -> String {
    let mut bytes = std::fs::read(path).unwrap();
    let at = dice.roll(bytes.len());
    let many = 1 + dice.roll(40);
    let end = (at + many).min(bytes.len());
    let what = match dice.roll(8) {
        0 => {
            bytes[at] ^= 1 << dice.roll(8);
            "flip"
        }
        1 => {
            bytes.splice(at..at, std::iter::repeat_n(b'x', many));
            "insert"
        }
        2 => {
            bytes.drain(at..end);
            "delete"
        }
        3 => {
            bytes.truncate(at);
            "truncate"
        }
        4 => {
            let end = (at + 4096).min(bytes.len());
            bytes[at..end].fill(0);
            "zero"
        }
        5 => {
            let start = dice.roll(18).min(bytes.len() - 1);
            bytes[start] ^= 0x81;
            "flip in the first line"
        }
        6 => {
            bytes.drain(..dice.roll(30).min(bytes.len()));
            "delete the first bytes"
        }
        _ => {
            std::fs::remove_file(path).unwrap();
            return "remove".to_owned();
        }
    };
    std::fs::write(path, bytes).unwrap();
    format!("{what} at {at}")
}

/// Statements that damage rows, as other programs and failing disks do.
const STATEMENTS: &[&str] = &[
    "PRAGMA user_version = 0",
    "PRAGMA user_version = 1",
    "PRAGMA user_version = -7",
    "UPDATE records SET record = CAST(X'7b22ff' || record AS TEXT) WHERE event = ?",
    "UPDATE records SET record = replace(record, '\"kind\"', CAST(X'22ff22' AS TEXT)) WHERE event = ?",
    "UPDATE records SET record = replace(record, '\"silent\"', '\"deny\"') WHERE event = ?",
    "UPDATE events SET subject = CAST(X'61ff62' AS TEXT) WHERE id = ?",
    "UPDATE events SET stance = 'much' WHERE id = ?",
    "UPDATE events SET seq = -4 WHERE id = ?",
    "UPDATE events SET link = X'00' WHERE id = ?",
    "UPDATE payloads SET payload = CAST(X'ff' AS TEXT) WHERE event = ?",
    "UPDATE sessions SET client = CAST(X'ff' AS TEXT) WHERE id = 1 + ? % 4",
    "UPDATE sessions SET events = events + 1 WHERE id = 1 + ? % 4",
    "UPDATE projects SET path = CAST(X'ff' AS TEXT) WHERE ? > 0",
    "DELETE FROM events WHERE id = ? AND session <> (SELECT id FROM sessions WHERE session = 'gone')",
    "DELETE FROM events WHERE id > ? AND session <> (SELECT id FROM sessions WHERE session = 'gone')",
    "DELETE FROM records WHERE event = ? AND event NOT IN (SELECT e.id FROM events e JOIN sessions s ON s.id = e.session WHERE s.session = 'gone')",
    "DELETE FROM sessions WHERE id = 1 + ? % 4",
    "DELETE FROM verdicts WHERE event >= ?",
    "DELETE FROM texts WHERE ? > 0",
    "UPDATE pulse SET events = events + 1 WHERE ? > 0",
    "DELETE FROM journals WHERE ? > 0",
    "UPDATE journals SET folded = folded - 100 WHERE ? > 0",
    "DELETE FROM meta WHERE ? > 0",
    "DROP INDEX events_at",
    "DROP TABLE pulse",
    "DROP TRIGGER event_deleted",
    "ALTER TABLE events DROP COLUMN link",
];

fn run_statement(index: &Path, number: usize, dice: &mut Dice) -> String {
    let connection = Connection::open(index).unwrap();
    let sql = STATEMENTS[number % STATEMENTS.len()];
    let row = i64::try_from(1 + dice.roll(24)).unwrap();
    if sql.contains('?') {
        connection.execute(sql, [row]).unwrap();
    } else {
        connection.execute_batch(sql).unwrap();
    }
    format!("{sql} ({row})")
}

/// Damages one file, and returns how.
fn damage(sample: &Sample, number: usize, dice: &mut Dice) -> String {
    let index = sample.home.state().join("flyball.db");
    if number < STATEMENTS.len() {
        return run_statement(&index, number, dice);
    }
    let mut files: Vec<PathBuf> = sample.copies.keys().cloned().collect();
    files.push(sample.home.state().join("anchors.jsonl"));
    let path = &files[number % files.len()];
    format!("{}: {}", path.display(), change_bytes(path, dice))
}

fn check(number: usize) {
    let mut dice = Dice(0x9e37_79b9 + u64::try_from(number).unwrap() * 7919);
    let sample = Sample::new();
    let before = sample.files();
    let how = format!("{number}: {}", damage(&sample, number, &mut dice));
    let mut kept = sample.kept(&before);
    // A statement changes the file and not what most of its rows hold: only one session has no other copy.
    if number < STATEMENTS.len()
        && !how.contains("record")
        && !how.contains("events SET")
        && !how.contains("payload")
    {
        kept.extend(sample.copies[&sample.home.state().join("flyball.db")].iter().cloned());
    }
    let health = sample.home.store.health().unwrap();
    let complete = |when: &str| {
        let listed = sample.listed();
        for id in &kept {
            assert_eq!(listed.get(id), Some(&sample.records[id]), "{when}: {how}\n{health:?}");
        }
    };
    if !is_named(&health) {
        complete("unnamed");
    }
    if is_newer(&health) {
        return;
    }
    let settings = StoreSettings::default();
    let options = options_at(&settings, NOW);
    sample.home.store.repair(&health, &options, &|_| {}).unwrap_or_else(|error| panic!("{how}: {error}"));
    complete("repaired");
    let again = sample.home.store.health().unwrap();
    assert!(!again.is_damaged(), "again: {how}\n{again:?}");
    for session in SESSIONS {
        let mut next = record(90);
        (next.client, next.session) = ("c".to_owned(), SessionId::new(session));
        sample.home.commit(&next);
    }
    assert!(!sample.home.store.health().unwrap().is_damaged(), "after more events: {how}");
}

#[test]
fn rows_that_other_programs_damaged_are_restored() {
    (0..STATEMENTS.len()).for_each(check);
}

#[test]
fn files_that_were_damaged_anywhere_are_restored() {
    (STATEMENTS.len()..STATEMENTS.len() + 70).chain([741, 825, 873]).for_each(check);
}

#[test]
fn a_store_without_damage_has_no_findings() {
    let sample = Sample::new();
    assert!(!is_named(&sample.home.store.health().unwrap()));
    assert_eq!(sample.listed(), sample.records);
    assert!(!is_named(&sample.home.store.health().unwrap()));
}
