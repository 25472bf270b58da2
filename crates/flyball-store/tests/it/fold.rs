//! From the journals into the index.

use flyball_core::config::StoreSettings;
use flyball_core::event::{AnswerId, SessionId};
use flyball_store::{Filter, FoldReport, PayloadMode, StoreError};
use std::time::Duration;

use super::sample::{Home, NOW, options_at, record};

#[test]
fn what_was_recorded_comes_back_whole() {
    let home = Home::new();
    home.commit(&record(1));
    let index = home.index();
    let mut event = index.last_event().unwrap().unwrap();
    assert_eq!((event.seq, &event.record), (1, &record(1)));
    event.record.payload = None;
    assert_eq!(index.events(&Filter::default()).unwrap(), [event]);
}

#[test]
fn folding_twice_is_folding_once() {
    let home = Home::new();
    for number in 1..=2_500 {
        home.commit(&record(number));
    }
    let settings = StoreSettings::default();
    let options = options_at(&settings, NOW);
    let first = home.store.fold(&options).unwrap();
    assert_eq!(first, FoldReport { journals: 1, records: 2_500, ..FoldReport::default() });
    assert_eq!(home.store.fold(&options).unwrap(), FoldReport::default());
    home.commit(&record(2_501));
    let next = home.store.fold(&options).unwrap();
    assert_eq!(next, FoldReport { journals: 1, records: 1, ..FoldReport::default() });
    assert_eq!(home.store.health().unwrap().unfolded_bytes, 0);
}

#[test]
fn a_journal_that_was_copied_back_adds_nothing() {
    let home = Home::new();
    home.commit(&record(1));
    home.commit(&record(2));
    drop(home.index());
    let path = home.journal_path();
    let text = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    // Something else takes the old inode.
    std::fs::write(home.dir.path().join("other"), "").unwrap();
    std::fs::write(&path, text).unwrap();
    let index = home.index();
    assert_eq!(index.counts(&Filter::default()).unwrap().events, 2);
    assert_eq!(index.sessions(&Default::default()).unwrap()[0].events, 2);
}

#[test]
fn duplicates_are_kept_but_not_counted() {
    let home = Home::new();
    home.commit(&record(1));
    let mut again = record(1);
    again.id = AnswerId::from_seed(99);
    home.commit(&again);
    let index = home.index();
    assert_eq!(index.events(&Filter::default()).unwrap().len(), 1);
    let all = index.events(&Filter { with_duplicates: true, ..Filter::default() }).unwrap();
    assert_eq!(all.iter().map(|event| event.record.duplicate).collect::<Vec<bool>>(), [true, false]);
    let counts = index.counts(&Filter::default()).unwrap();
    assert_eq!((counts.events, counts.duplicates), (1, 1));
    assert_eq!(index.sessions(&Default::default()).unwrap()[0].events, 1);
}

#[test]
fn a_damaged_line_affects_no_other() {
    let home = Home::new();
    for number in 1..=3 {
        home.commit(&record(number));
    }
    let path = home.journal_path();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("number-2", "number-9")).unwrap();
    let report = home.store.fold(&options_at(&Default::default(), NOW)).unwrap();
    assert_eq!((report.records, report.corrupt), (2, 1));
    assert_eq!(home.store.health().unwrap().corrupt_lines, 1);
}

#[test]
fn a_second_fold_gets_an_error_while_the_first_is_busy() {
    let home = Home::new();
    home.commit(&record(1));
    drop(home.index());
    let lock = std::fs::File::open(home.state().join("fold.lock")).unwrap();
    lock.lock().unwrap();
    let settings = StoreSettings::default();
    let mut options = options_at(&settings, NOW);
    options.wait = Duration::from_millis(10);
    let error = home.store.fold(&options).unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }), "{error:?}");
    // Readers get what is there.
    assert_eq!(home.store.open(Some(&options)).unwrap().counts(&Filter::default()).unwrap().events, 1);
}

#[test]
fn payloads_are_read_when_wanted() {
    let home = Home::new();
    home.commit(&record(1));
    let with = Filter { payloads: PayloadMode::With, ..Filter::default() };
    assert_eq!(home.index().events(&with).unwrap()[0].record, record(1));
}

#[test]
fn sessions_do_not_mix() {
    let home = Home::new();
    for (seed, (client, id)) in (1..).zip([("claude-code", "a"), ("codex", "a"), ("codex", "b")]) {
        let mut other = record(seed);
        (other.client, other.session) = (client.to_owned(), SessionId::new(id));
        assert_eq!(home.commit(&other).seq, 1);
    }
    let index = home.index();
    assert_eq!(index.sessions(&Default::default()).unwrap().len(), 3);
    let of_a = Filter { session: Some(SessionId::new("a")), ..Filter::default() };
    assert_eq!(index.events(&of_a).unwrap().len(), 2);
    assert_eq!(index.counts(&of_a).unwrap().events, 2);
}
