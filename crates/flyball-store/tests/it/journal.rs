//! One journal, read and written.

use std::io::Write;
use std::time::Duration;

use flyball_core::event::EventKind;
use flyball_core::policy::{Memory, PolicyError};
use flyball_core::verdict::Stance;
use flyball_store::{Filter, JournalAccess};

use super::sample::{DAY, HOUR, Home, LONG_WAIT, MINUTE, NOW, SECOND, Time, record, session};

#[test]
fn state_is_stored_with_the_record_or_not_at_all() {
    let home = Home::new();
    let journal = home.store.session("claude-code", &session(), LONG_WAIT);
    assert_eq!(journal.read("loop").unwrap(), None);
    journal.write("loop", "one".to_owned()).unwrap();
    assert_eq!(journal.read("loop").unwrap().as_deref(), Some("one"));
    drop(journal);
    assert_eq!(home.read("loop"), None);

    assert_eq!(home.commit_with(&record(1), "loop", "one").seq, 1);
    assert_eq!(home.read("loop").as_deref(), Some("one"));
}

#[test]
fn each_key_is_found_however_long_ago_it_was_set() {
    let home = Home::new();
    home.commit_with(&record(1), "early", "{\"said\":\"before \\\"all\\\"\"}");
    for number in 2..400 {
        home.commit_with(&record(number), "late", &number.to_string());
    }
    assert_eq!(home.read("early").as_deref(), Some("{\"said\":\"before \\\"all\\\"\"}"));
    assert_eq!(home.read("late").as_deref(), Some("399"));
    assert_eq!(home.read("never"), None);
}

#[test]
fn a_line_does_not_grow_with_the_session() {
    let home = Home::new();
    let state = "x".repeat(5_000);
    home.commit_with(&record(1), "big", &state);
    let lines: Vec<u64> = (2..300)
        .map(|number| {
            let journal = home.journal_at(u32::try_from(number).unwrap() * 2 * SECOND);
            journal.write("small", number.to_string()).unwrap();
            journal.commit(&mut record(number)).unwrap().appended
        })
        .collect();
    assert!(lines.iter().all(|line| *line < 700), "{lines:?}");
    // Longer by the digits of its numbers, and by nothing else.
    assert!(lines[297] < lines[5] + 20, "{lines:?}");
}

#[test]
fn a_crowd_of_calls_does_not_make_lines_long() {
    let home = Home::new();
    for number in 1..100 {
        let mut crowded = record(number);
        crowded.at = record(1).at;
        assert!(home.commit(&crowded).appended < 1_200);
    }
}

#[test]
fn what_did_not_change_is_not_written_again() {
    let home = Home::new();
    let state = "x".repeat(5_000);
    home.commit_with(&record(1), "big", &state);
    let journal = home.store.session("claude-code", &session(), LONG_WAIT);
    journal.read("big").unwrap();
    journal.write("big", state.clone()).unwrap();
    let committed = journal.commit(&mut record(2)).unwrap();
    assert!(committed.appended < 1_500, "{committed:?}");
    assert_eq!(home.read("big"), Some(state));
}

#[test]
fn a_record_longer_than_the_first_look_is_read() {
    let home = Home::new();
    let mut long = record(1);
    long.payload = Some("p".repeat(300_000));
    home.commit_with(&long, "loop", "one");
    assert_eq!(home.read("loop").as_deref(), Some("one"));
    assert_eq!(home.commit(&record(2)).seq, 2);
    assert_eq!(home.read("loop").as_deref(), Some("one"));
}

#[test]
fn the_same_call_is_counted_once() {
    let home = Home::new();
    let (first, awake) = (record(1), 100 * SECOND);
    let journal = home.journal_at(awake);
    journal.write("count", "1".to_owned()).unwrap();
    journal.commit(&mut first.clone()).unwrap();
    for between in 2..15 {
        let mut other = record(between);
        other.payload = Some("p".repeat(800));
        home.journal_at(awake + Duration::from_micros(10)).commit(&mut other).unwrap();
    }
    // The clock shows something else each time: it does not count.
    let again = |at: Duration, (clock, kind): (Time, EventKind)| {
        let mut record = first.clone();
        (record.at, record.kind) = (clock, kind);
        let journal = home.journal_at(at);
        journal.write("count", "2".to_owned()).unwrap();
        journal.commit(&mut record).unwrap();
        record.duplicate
    };
    let (ahead, back) = (first.at + 3_650 * DAY, first.at - HOUR);
    assert!(again(awake + SECOND, (ahead, EventKind::BeforeTool)), "the same call, by a clock that jumped");
    assert!(
        again(awake - SECOND, (back, EventKind::BeforeTool)),
        "the same call, of a process that began before"
    );
    assert_eq!(home.read("count").as_deref(), Some("1"));
    assert!(!again(awake + SECOND, (first.at, EventKind::AfterTool)), "another kind");
    assert!(
        !again(awake + 5 * SECOND, (back, EventKind::BeforeTool)),
        "a new call, by a clock that went back"
    );
    assert_eq!(home.read("count").as_deref(), Some("2"));
    assert!(!again(SECOND, (first.at, EventKind::BeforeTool)), "a new call, after the machine was started");
}

#[test]
fn an_agent_that_ends_the_same_way_when_it_is_blocked_is_counted_each_time() {
    let home = Home::new();
    let first = flyball_core::record::Record { kind: EventKind::Stop, ..record(1) };
    home.journal_at(HOUR).commit(&mut first.clone()).unwrap();
    let again = |after: Duration| {
        let mut record = first.clone();
        home.journal_at(HOUR + after).commit(&mut record).unwrap();
        record.duplicate
    };
    assert!(again(Duration::from_millis(20)), "the same call, registered twice");
    assert!(!again(SECOND / 2), "blocked, and back at once");
}

#[test]
fn only_time_in_which_someone_works_counts() {
    let home = Home::new();
    let mut number = 0;
    let mut event = |awake: Duration, kind, stance| {
        number += 1;
        let mut record = flyball_core::record::Record { kind, stance, ..record(number) };
        // Whatever the clock shows.
        record.at = if number % 2 == 0 { NOW + 3_650 * DAY } else { NOW - DAY };
        home.journal_at(awake).commit(&mut record).unwrap();
        home.journal_at(awake).active_time().unwrap()
    };
    let (silent, deny) = (Stance::Silent, Stance::Deny);
    assert_eq!(event(HOUR, EventKind::PromptSubmit, silent), Duration::ZERO, "it begins here");
    assert_eq!(event(HOUR + MINUTE, EventKind::BeforeTool, silent), MINUTE);
    assert_eq!(event(HOUR + 2 * MINUTE, EventKind::Stop, deny), 2 * MINUTE);
    assert_eq!(event(HOUR + 3 * MINUTE, EventKind::Stop, silent), 3 * MINUTE, "it was blocked, and went on");
    assert_eq!(
        event(9 * HOUR, EventKind::PromptSubmit, silent),
        3 * MINUTE,
        "nobody worked after it stopped"
    );
    assert_eq!(event(19 * HOUR, EventKind::AfterTool, silent), 33 * MINUTE, "somebody was away");
    assert_eq!(event(MINUTE, EventKind::BeforeTool, silent), 33 * MINUTE, "the machine was started");
    assert_eq!(event(2 * MINUTE, EventKind::AfterTool, silent), 34 * MINUTE);
    assert_eq!(home.journal_at(3 * MINUTE).active_time().unwrap(), 35 * MINUTE, "up to now");
}

#[test]
fn a_torn_tail_is_skipped() {
    let home = Home::new();
    home.commit_with(&record(1), "loop", "one");
    let path = home.journal_path();
    let whole = std::fs::read(&path).unwrap();
    let second = home.commit_with(&record(2), "loop", "two");
    let both = std::fs::read(&path).unwrap();
    // Cut after the first byte of the second line, in its middle, and before its last.
    for cut in [whole.len() + 1, whole.len() + 100, both.len() - 2] {
        std::fs::write(&path, &both[..cut]).unwrap();
        assert_eq!(home.read("loop").as_deref(), Some("one"), "cut at {cut}");
        assert_eq!(home.commit(&record(3)).seq, second.seq);
        assert_eq!(home.read("loop").as_deref(), Some("one"));
        assert_eq!(home.store.health().unwrap().corrupt_lines, 1, "cut at {cut}");
        let lines = std::fs::read(&path).unwrap().iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(lines, 4, "the header, the first, the torn and the new one");
    }
}

#[test]
fn a_line_that_lacks_only_its_end_is_whole_for_all_alike() {
    let home = Home::new();
    home.commit(&record(1));
    home.commit_with(&record(2), "loop", "two");
    let path = home.journal_path();
    let both = std::fs::read(&path).unwrap();
    std::fs::write(&path, &both[..both.len() - 1]).unwrap();
    assert_eq!(home.read("loop").as_deref(), Some("two"));
    assert_eq!(home.index().events(&Filter::default()).unwrap().len(), 2);
    assert_eq!(home.commit(&record(3)).seq, 3);
    assert_eq!(home.index().events(&Filter::default()).unwrap().len(), 3);
    let health = home.store.health().unwrap();
    assert_eq!((health.corrupt_lines, health.unfolded_bytes), (0, 0));
}

#[test]
fn garbage_at_the_end_is_skipped_however_long() {
    let home = Home::new();
    home.commit_with(&record(1), "loop", "one");
    let mut file = std::fs::OpenOptions::new().append(true).open(home.journal_path()).unwrap();
    file.write_all(&vec![0; 200_000]).unwrap();
    assert_eq!(home.read("loop").as_deref(), Some("one"));
    assert_eq!(home.commit(&record(2)).seq, 2);
    assert_eq!(home.commit(&record(3)).seq, 3);
    let index = home.index();
    assert_eq!(index.events(&Filter::default()).unwrap().len(), 3);
    assert_eq!(home.store.health().unwrap().corrupt_lines, 1);
}

#[test]
fn a_header_cut_short_is_begun_again() {
    let home = Home::new();
    home.commit(&record(1));
    for start in ["", "flyball-j"] {
        std::fs::write(home.journal_path(), start).unwrap();
        let journal = home.store.session("claude-code", &session(), LONG_WAIT);
        assert_eq!(journal.read_unlocked("loop").unwrap(), None);
        assert_eq!(home.commit(&record(1)).seq, 1);
    }
    assert_eq!(home.store.health().unwrap().corrupt_lines, 0);
}

#[test]
fn a_locked_journal_is_waited_for_and_then_an_error() {
    let home = Home::new();
    let holder = home.store.session("claude-code", &session(), LONG_WAIT);
    assert!(holder.reserve().unwrap());
    let other = home.store.session("claude-code", &session(), Duration::from_millis(30));
    assert_eq!(other.read("loop").unwrap(), None, "reading waits for nobody");
    let PolicyError::World { what, fix } = other.reserve().unwrap_err() else { panic!("not the world") };
    assert!(what.starts_with("the store is locked by another process for more than "), "{what}");
    assert!(fix.contains("flyball doctor"), "{fix}");
    assert!(other.commit(&mut record(1)).is_err());
    drop(holder);
    assert_eq!(other.commit(&mut record(1)).unwrap().seq, 1);
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    home.commit(&record(1));
    drop(home.index());
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(home.state()), 0o700);
    assert_eq!(mode(&home.state().join("sessions")), 0o700);
    for file in ["flyball.db", "fold.lock"] {
        assert_eq!(mode(&home.state().join(file)), 0o600, "{file}");
    }
    assert_eq!(mode(&home.journal_path()), 0o600);
}

#[test]
fn an_event_that_was_overtaken_begins_again() {
    let home = Home::new();
    home.commit_with(&record(1), "count", "1");
    let slow = home.store.session("claude-code", &session(), LONG_WAIT);
    assert_eq!(slow.read("count").unwrap().as_deref(), Some("1"));
    assert!(!slow.has("other").unwrap());
    slow.write("count", "2".to_owned()).unwrap();
    // Others that change something else do not matter.
    home.commit_with(&record(2), "peeked", "x");
    assert!(slow.reserve().unwrap());
    slow.commit(&mut record(3)).unwrap();

    let slow = home.store.session("claude-code", &session(), LONG_WAIT);
    assert_eq!(slow.read("count").unwrap().as_deref(), Some("2"));
    slow.write("count", "3".to_owned()).unwrap();
    home.commit_with(&record(4), "count", "30");
    assert!(slow.commit(&mut record(5)).is_err(), "what it read has changed");
    assert!(!slow.reserve().unwrap(), "so it has to begin again");
    assert_eq!(slow.read("count").unwrap().as_deref(), Some("30"), "what it wrote was dropped");
    slow.write("count", "31".to_owned()).unwrap();
    assert_eq!(slow.commit(&mut record(5)).unwrap().seq, 5);
    assert_eq!(home.read("count").as_deref(), Some("31"));

    let slow = home.store.session("claude-code", &session(), LONG_WAIT);
    assert!(!slow.has("other").unwrap());
    assert!(slow.peek("peeked").unwrap().is_some());
    home.commit_with(&record(6), "other", "now it is there");
    assert!(!slow.reserve().unwrap());
}

#[test]
fn what_cannot_be_appended_waits_beside_the_journal() {
    let home = Home::new();
    home.commit_with(&record(1), "count", "1");
    let holder = home.store.session("claude-code", &session(), LONG_WAIT);
    assert!(holder.reserve().unwrap());
    for (number, key) in [(2, "count"), (3, "count"), (4, "list")] {
        let waiting = home.store.session("claude-code", &session(), Duration::ZERO);
        waiting.read("count").unwrap();
        waiting.write(key, number.to_string()).unwrap();
        let mut record = record(number);
        record.payload = Some(format!("{{\"n\":{number}}}"));
        assert!(waiting.commit(&mut record).is_err());
        waiting.spool(&record).unwrap();
    }
    assert_eq!(home.read("list"), None);
    assert_eq!(holder.commit(&mut record(5)).unwrap().seq, 2, "before those that waited for it");
    let events = home.index().events(&Filter::default()).unwrap();
    assert_eq!(events.len(), 5);
    assert_eq!(home.read("count").as_deref(), Some("2"), "the third was based on something else");
    assert_eq!(home.read("list").as_deref(), Some("4"));
    assert!(!home.journal_path().with_extension("spool").exists());

    // Without another event, the next fold brings it in.
    home.store.session("claude-code", &session(), LONG_WAIT).spool(&record(6)).unwrap();
    assert_eq!(home.index().events(&Filter::default()).unwrap().len(), 6);
}

#[test]
fn an_event_that_had_to_wait_does_not_turn_back_the_time_that_was_worked() {
    let home = Home::new();
    let at = |minutes: u64| {
        let access = JournalAccess { wait: LONG_WAIT, awake: Duration::from_secs(minutes * 60) };
        home.store.session_at("claude-code", &session(), access)
    };
    at(1).commit(&mut record(1)).unwrap();
    let holder = at(5);
    assert!(holder.reserve().unwrap());
    // It happened before that, and is recorded after it.
    at(2).spool(&record(2)).unwrap();
    holder.commit(&mut record(3)).unwrap();
    assert_eq!(home.index().events(&Filter::default()).unwrap().len(), 3);
    assert_eq!(at(6).active_time().unwrap(), Duration::from_secs(5 * 60));
}
