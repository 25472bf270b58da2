//! Damage that kept a store or a session from being used, one by one.

use flyball_core::config::StoreSettings;
use flyball_core::policy::Memory;
use flyball_store::{DatabaseHealth, Filter, RebuildReport};
use rusqlite::Connection;

use super::sample::{Home, LONG_WAIT, NOW, options_at, record, session};

fn with_events(many: u64) -> Home {
    let home = Home::new();
    for number in 1..=many {
        home.commit_with(&record(number), "key", &number.to_string());
    }
    drop(home.index());
    home
}

fn database(home: &Home) -> Connection {
    Connection::open(home.state().join("flyball.db")).unwrap()
}

fn repair(home: &Home) -> RebuildReport {
    let settings = StoreSettings::default();
    home.store.repair(&home.store.health().unwrap(), &options_at(&settings, NOW), &|_| {}).unwrap()
}

fn count(home: &Home) -> u64 {
    home.index().counts(&Filter::default()).unwrap().events
}

#[test]
fn a_text_that_is_not_utf_8_is_shown_with_replacement_characters() {
    let home = with_events(3);
    std::fs::remove_file(home.journal_path()).unwrap();
    let broken = "UPDATE records SET record = replace(record, 'number-2', CAST(X'61ff62' AS TEXT))";
    database(&home).execute_batch(broken).unwrap();
    assert_eq!(home.index().events(&Filter::default()).unwrap().len(), 3);
    assert_eq!(home.store.health().unwrap().broken_rows, 1);
    // No other copy has it, so what can be read of it stays.
    assert!(repair(&home).is_index_new);
    assert_eq!(home.index().events(&Filter::default()).unwrap().len(), 3);
    assert!(!home.store.health().unwrap().is_damaged());
}

#[test]
fn a_schema_that_does_not_fit_its_tables_is_named_and_rebuilt() {
    for marker in [-1, 0, 1] {
        let home = with_events(3);
        database(&home).pragma_update(None, "user_version", marker).unwrap();
        let error = home.store.open(None).err().unwrap();
        assert!(error.is_damage(), "{marker}: {error:?}");
        let DatabaseHealth::Unusable(error) = home.store.health().unwrap().database else { panic!("sound") };
        assert!(error.is_damage(), "{marker}: {error:?}");
        assert_eq!(repair(&home).saved, 3);
        assert_eq!(count(&home), 3);
    }
}

#[test]
fn rows_that_were_deleted_come_back_from_the_journal() {
    let home = with_events(5);
    database(&home).execute_batch("DELETE FROM events WHERE id IN (2, 4)").unwrap();
    let health = home.store.health().unwrap();
    assert_eq!((health.missing_events, health.is_damaged()), (2, true));
    repair(&home);
    assert_eq!(count(&home), 5);
    assert!(!home.store.health().unwrap().is_damaged());
}

#[test]
fn a_row_that_was_changed_becomes_what_the_journal_has() {
    let home = with_events(3);
    let before = home.index().events(&Filter::default()).unwrap();
    database(&home)
        .execute_batch(
            "UPDATE records SET record = replace(record, 'number-2', 'number-9') WHERE event = 2;
             UPDATE events SET subject = replace(subject, 'number-2', 'number-9') WHERE id = 2",
        )
        .unwrap();
    assert_eq!(home.store.health().unwrap().differing_events, 1);
    repair(&home);
    let records = |home: &Home| {
        let events = home.index().events(&Filter::default()).unwrap();
        events.into_iter().map(|event| event.record).collect::<Vec<_>>()
    };
    assert_eq!(records(&home), before.into_iter().map(|event| event.record).collect::<Vec<_>>());
}

/// Only the first line is damaged: all others stay, and what waited beside the journal follows them.
#[test]
fn a_damaged_header_is_written_again_and_waiting_events_follow() {
    let home = with_events(3);
    let path = home.journal_path();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[3] ^= 0x40;
    std::fs::write(&path, &bytes).unwrap();
    let journal = home.store.session("claude-code", &session(), LONG_WAIT);
    journal.commit(&mut record(4)).unwrap_err();
    journal.spool(&record(4)).unwrap();
    assert_eq!(home.store.health().unwrap().waiting, 1);
    let report = repair(&home);
    assert_eq!((report.repaired.len(), report.moved.len(), report.is_index_new), (1, 0, false));
    assert_eq!(count(&home), 4);
    assert_eq!(home.commit(&record(5)).seq, 5);
    assert_eq!(home.read("key"), Some("3".to_owned()));
}

#[test]
fn whole_lines_of_a_journal_that_lost_its_beginning_are_saved() {
    let home = with_events(4);
    let path = home.journal_path();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[7..]).unwrap();
    let report = repair(&home);
    assert_eq!((report.repaired.len(), report.moved.len()), (1, 1));
    assert_eq!(home.commit(&record(5)).seq, 5);
    assert_eq!(home.read("key"), Some("4".to_owned()));
    assert_eq!(count(&home), 5);
    assert!(!home.store.health().unwrap().is_damaged());
}

#[test]
fn a_memory_that_cannot_be_read_is_found_and_dropped() {
    let home = Home::new();
    home.commit_with(&record(1), "loop", "one");
    home.commit(&record(2));
    let path = home.journal_path();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"set\":{\"loop\":\"one\"", "\"set\":{\"loop\":\"two\"")).unwrap();
    assert!(home.store.health().unwrap().is_damaged());
    repair(&home);
    let journal = home.store.session("claude-code", &session(), LONG_WAIT);
    assert_eq!(journal.read("loop").unwrap(), None);
    assert_eq!(journal.commit(&mut record(3)).unwrap().seq, 3);
    assert!(!home.store.health().unwrap().is_damaged());
}

/// What waits and cannot be read may be of use to a person.
#[test]
fn a_file_of_waiting_events_that_is_damaged_is_moved_aside() {
    let home = with_events(2);
    let journal = home.store.session("claude-code", &session(), LONG_WAIT);
    journal.spool(&record(3)).unwrap();
    journal.spool(&record(4)).unwrap();
    let path = home.journal_path().with_extension("spool");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("number-3", "number-9")).unwrap();
    assert_eq!(count(&home), 3);
    assert!(!path.exists());
    assert!(home.journal_path().with_extension("spool.damaged-1").exists());
}
