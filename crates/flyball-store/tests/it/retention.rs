//! What is forgotten, and when.

use flyball_core::config::StoreSettings;
use flyball_core::event::EventKind;
use flyball_store::{Consent, Filter, FoldOptions, FoldReport, HeldBack, Page, SteadyTime, StoredEvent};

use super::sample::{DAY, HOUR, Home, NOW, SECOND, Time, options_at, record, session, steady_at};

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

/// Commits events with these numbers, that many days before [`NOW`].
fn write(home: &Home, numbers: std::ops::RangeInclusive<u64>, days_before: u32) {
    for number in numbers {
        let mut old = record(number);
        old.at = NOW - days_before * DAY + u32::try_from(number).unwrap() * SECOND;
        home.commit(&old);
    }
}

/// A fold after the machine was started again, by a clock that shows `now`.
fn fold_after_start(home: &Home, settings: &StoreSettings, (boot, now): (i64, Time)) -> FoldReport {
    let steady = SteadyTime { boot, since_boot: HOUR };
    home.store.fold(&FoldOptions { steady, ..options_at(settings, now) }).unwrap()
}

#[test]
fn a_clock_that_is_years_ahead_deletes_nothing() {
    let home = Home::new();
    let settings = StoreSettings { keep_days: 10, ..StoreSettings::default() };
    write(&home, 1..=50, 2);
    let at = |now, clock| FoldOptions { steady: steady_at(now), ..options_at(&settings, clock) };
    assert_eq!(home.store.fold(&at(NOW, NOW)).unwrap().records, 50);
    // Another command, a moment later by the uptime of the machine, ten years later by its clock.
    let ahead = NOW + 3_650 * DAY;
    for hour in 1..=48 {
        let report = home.store.fold(&at(NOW + hour * HOUR, ahead + hour * HOUR)).unwrap();
        assert_eq!((report.forgotten, report.removed, report.shortened), (0, 0, 0), "{report:?}");
    }
    assert!(home.journal_path().exists());
    assert_eq!(count(&home), 50);
    let doubted = home.store.health().unwrap().clock_doubted;
    assert_eq!(doubted, Some(NOW + 48 * HOUR), "what it goes by instead");
    // The clock is right again.
    let right = |days: u32| home.store.fold(&at(NOW + days * DAY, NOW + days * DAY)).unwrap().forgotten;
    assert_eq!(right(3), 0);
    assert_eq!(home.store.health().unwrap().clock_doubted, None);
    assert_eq!(right(9), 0, "old by the clock, but written since the machine was started");
    assert_eq!(right(11), 50, "its uptime proves it");
}

#[test]
fn a_clock_that_is_years_ahead_after_a_start_deletes_nothing_recent() {
    let home = Home::new();
    let settings = StoreSettings { keep_days: 30, ..StoreSettings::default() };
    write(&home, 1..=50, 2);
    fold(&home, &settings, NOW);
    let ahead = NOW + 3_650 * DAY;
    for boot in 2..=4 {
        let report = fold_after_start(&home, &settings, (boot, ahead + u32::try_from(boot).unwrap() * HOUR));
        assert_eq!((report.forgotten, report.removed), (0, 0), "{report:?}");
    }
    assert_eq!(count(&home), 50);
}

#[test]
fn what_was_written_since_the_machine_was_started_stays_whatever_its_time() {
    let home = Home::new();
    let settings = StoreSettings { keep_days: 10, ..StoreSettings::default() };
    write(&home, 1..=5, 20);
    assert_eq!(
        fold_after_start(&home, &settings, (1, NOW)).forgotten,
        0,
        "the clock was back when it was written"
    );
    assert_eq!(fold_after_start(&home, &settings, (1, NOW + 2 * HOUR)).forgotten, 0);
    assert_eq!(fold_after_start(&home, &settings, (2, NOW + 4 * HOUR)).forgotten, 5, "of another start");
}

#[test]
fn a_large_part_of_the_record_waits_for_a_person() {
    let home = Home::new();
    let settings = StoreSettings { keep_days: 10, ..StoreSettings::default() };
    write(&home, 1..=300, 9);
    write(&home, 301..=400, 1);
    fold(&home, &settings, NOW);
    let later = NOW + 3 * DAY;
    let held = Some(HeldBack { events: 300, all: 400 });
    let report = fold(&home, &settings, later);
    assert_eq!((report.forgotten, report.removed, report.held_back), (0, 0, held));
    assert_eq!(home.store.health().unwrap().held_back, held);
    let agreed = FoldOptions { consent: Consent::DeleteAllOld, ..options_at(&settings, later) };
    let report = home.store.fold(&agreed).unwrap();
    assert_eq!((report.forgotten, report.held_back), (300, None));
    assert_eq!(home.store.health().unwrap().held_back, None);
    assert_eq!(count(&home), 100);
}

#[test]
fn what_is_old_goes_a_little_at_a_time() {
    let home = Home::new();
    let settings = StoreSettings { keep_days: 10, ..StoreSettings::default() };
    write(&home, 1..=2_400, 9);
    write(&home, 2_401..=10_000, 1);
    fold(&home, &settings, NOW);
    let forgotten: Vec<u64> =
        (0..4).map(|hour| fold(&home, &settings, NOW + 3 * DAY + hour * HOUR).forgotten).collect();
    assert_eq!(forgotten, [1_000, 1_000, 400, 0]);
}

#[test]
fn a_person_who_agrees_does_not_delete_what_runs() {
    let home = Home::new();
    let settings = StoreSettings { keep_days: 10, ..StoreSettings::default() };
    write(&home, 1..=5, 1);
    home.store.fold(&FoldOptions { steady: steady_at(NOW), ..options_at(&settings, NOW) }).unwrap();
    let options = FoldOptions {
        steady: steady_at(NOW + HOUR),
        consent: Consent::DeleteAllOld,
        ..options_at(&settings, NOW + 3_650 * DAY)
    };
    let report = home.store.fold(&options).unwrap();
    assert_eq!((report.forgotten, report.removed), (0, 0));
    assert!(home.journal_path().exists());
}

#[test]
fn a_session_is_in_order_although_the_clock_went_back() {
    let home = Home::new();
    for number in 1..=6 {
        let mut event = record(number);
        // Ahead, then right again.
        event.at =
            if number <= 3 { NOW + 3_650 * DAY } else { NOW } + u32::try_from(number).unwrap() * SECOND;
        if number == 6 {
            event.kind = EventKind::SessionEnd;
        }
        home.commit(&event);
    }
    let index = home.index();
    let page = |page| {
        let filter = Filter { session: Some(session()), page, limit: Some(4), ..Filter::default() };
        index.events(&filter).unwrap()
    };
    let numbers = |events: &[StoredEvent]| events.iter().map(|event| event.seq).collect::<Vec<u64>>();
    let newest = page(Page::Newest);
    assert_eq!(numbers(&newest), [6, 5, 4, 3]);
    assert_eq!(numbers(&page(Page::Before(newest[3].row))), [2, 1]);
    let mut all = Vec::new();
    index
        .visit_session("claude-code", &session(), &mut |event| {
            all.push(event.seq);
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(all, [1, 2, 3, 4, 5, 6]);
    let sessions = index.sessions(&Default::default()).unwrap();
    assert!(sessions[0].has_ended, "its last event is the last in order");
    assert_eq!(sessions[0].last_at, NOW + 6 * SECOND);
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
