//! What is forgotten, and when.

use flyball_core::config::StoreSettings;
use flyball_store::{Filter, FoldReport};

use super::sample::{DAY, HOUR, Home, NOW, SECOND, Time, options_at, record, session};

fn fold(home: &Home, settings: &StoreSettings, now: Time) -> FoldReport {
    let report = home.store.fold(&options_at(settings, now)).unwrap();
    let health = home.store.health().unwrap();
    assert!(!health.is_damaged(), "what was forgotten is not missing: {health:?}");
    report
}

fn count(home: &Home) -> u64 {
    home.store.open(None).unwrap().counts(&Filter::default()).unwrap().events
}

#[test]
fn old_events_go_by_age() {
    let home = Home::new();
    let settings = StoreSettings { keep_days: 10, ..StoreSettings::default() };
    for number in 1..=5 {
        let mut old = record(number);
        old.at -= 9 * DAY;
        home.commit(&old);
    }
    home.commit(&record(6));
    assert_eq!(fold(&home, &settings, NOW).forgotten, 0);
    assert_eq!(count(&home), 6);
    assert_eq!(fold(&home, &settings, NOW + 2 * DAY).forgotten, 5);
    assert_eq!(count(&home), 1);
    let index = home.store.open(None).unwrap();
    assert_eq!(index.sessions(&Default::default()).unwrap()[0].events, 1);
    assert!(!index.last_seen_by_kind("claude-code").unwrap().is_empty());
}

#[test]
fn without_a_limit_nothing_goes() {
    let home = Home::new();
    let settings = StoreSettings { keep_days: 0, max_mb: 0, ..StoreSettings::default() };
    home.commit_with(&record(1), "loop", "one");
    let report = fold(&home, &settings, NOW + 4_000 * DAY);
    assert_eq!(report, FoldReport { journals: 1, records: 1, ..FoldReport::default() });
    assert_eq!(home.read("loop").as_deref(), Some("one"));
}

#[test]
fn it_is_done_once_an_hour() {
    let home = Home::new();
    let settings = StoreSettings { keep_days: 10, ..StoreSettings::default() };
    assert_eq!(fold(&home, &settings, NOW), FoldReport::default());
    let mut old = record(1);
    old.at -= 20 * DAY;
    home.commit(&old);
    assert_eq!(fold(&home, &settings, NOW + HOUR - SECOND).forgotten, 0);
    assert_eq!(fold(&home, &settings, NOW + HOUR).forgotten, 1);
}

#[test]
fn the_oldest_events_go_by_size() {
    let home = Home::new();
    let settings = StoreSettings { max_mb: 4, ..StoreSettings::default() };
    for number in 1..=6_000 {
        let mut big = record(number);
        big.payload = Some("p".repeat(1_000));
        home.commit(&big);
    }
    let forgotten = fold(&home, &settings, NOW).forgotten;
    assert!((1_000..6_000).contains(&forgotten), "{forgotten}");
    assert_eq!(count(&home), 6_000 - forgotten);
    let index = home.store.open(None).unwrap();
    let oldest = index.events(&Filter::default()).unwrap().pop().unwrap();
    assert_eq!(oldest.seq, forgotten + 1);
    let size = std::fs::metadata(home.state().join("flyball.db")).unwrap().len();
    assert!(size <= 4 * 1024 * 1024, "{size}");
}

#[test]
fn a_resting_journal_keeps_its_state_and_nothing_else() {
    let home = Home::new();
    let settings = StoreSettings::default();
    home.commit_with(&record(1), "early", "one");
    for number in 2..=300 {
        home.commit_with(&record(number), "late", &number.to_string());
    }
    let before = std::fs::metadata(home.journal_path()).unwrap().len();
    assert_eq!(fold(&home, &settings, NOW + HOUR).shortened, 0);
    assert_eq!(fold(&home, &settings, NOW + 2 * DAY).shortened, 1);
    let after = std::fs::metadata(home.journal_path()).unwrap().len();
    assert!(before > 64 * 1024 && after < 200, "{before} to {after}");

    assert_eq!(home.read("early").as_deref(), Some("one"));
    assert_eq!(home.read("late").as_deref(), Some("300"));
    assert_eq!(home.commit(&record(301)).seq, 301);
    assert_eq!(fold(&home, &settings, NOW + 2 * DAY).records, 1);
    assert_eq!(count(&home), 301);
}

#[test]
fn a_journal_is_deleted_when_its_session_is_older_than_all_events() {
    let home = Home::new();
    let settings = StoreSettings::default();
    home.commit(&record(1));
    assert_eq!(fold(&home, &settings, NOW + 29 * DAY).removed, 0);
    assert_eq!(fold(&home, &settings, NOW + 31 * DAY).removed, 1);
    assert!(!home.journal_path().exists());
    assert_eq!(count(&home), 0);
    // The session comes back after all, and starts anew.
    let mut late = record(2);
    late.at += 32 * DAY;
    assert_eq!(home.commit(&late).seq, 1);
    assert_eq!(fold(&home, &settings, NOW + 32 * DAY).records, 1);
}

/// An audit accepts a new beginning for each journal that was deleted, and for no other.
#[test]
fn a_journal_that_is_in_use_is_not_recorded_as_deleted() {
    let home = Home::new();
    home.commit(&record(1));
    let user = home.store.session("claude-code", &session(), super::sample::LONG_WAIT);
    assert!(user.reserve().unwrap());
    assert_eq!(fold(&home, &StoreSettings::default(), NOW + 31 * DAY).removed, 0);
    let anchors = || std::fs::read_to_string(home.state().join("anchors.jsonl")).unwrap();
    assert!(!anchors().contains("\"what\":\"over\""), "{}", anchors());
    drop(user);
    assert_eq!(fold(&home, &StoreSettings::default(), NOW + 32 * DAY).removed, 1);
    assert!(anchors().contains("\"what\":\"over\""), "{}", anchors());
}

#[test]
fn a_writer_that_waits_for_a_journal_that_goes_finds_the_next_one() {
    let home = Home::new();
    home.commit_with(&record(1), "loop", "one");
    let holder = home.store.session("claude-code", &session(), super::sample::LONG_WAIT);
    assert!(holder.reserve().unwrap());
    let path = home.journal_path();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| home.commit(&record(2)));
        while !writer.is_finished() && path.exists() {
            // What cleaning up does under its lock, while the writer waits for the same file.
            std::fs::remove_file(&path).unwrap();
            drop(std::fs::File::open(&path).unwrap_err());
        }
        drop(holder);
        assert_eq!(writer.join().unwrap().seq, 1);
    });
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 2);
}
