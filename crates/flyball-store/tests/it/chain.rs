//! What an audit finds, and what it must not mistake for tampering.

use std::io::Write;
use std::time::Duration;

use flyball_core::config::StoreSettings;
use flyball_core::policy::Memory;
use flyball_store::{Audit, AuditOptions, Checkpoint, Link};
use proptest::prelude::*;

use super::child::Writer;
use super::sample::{DAY, HOUR, Home, LONG_WAIT, NOW, SECOND, Time, options_at, record, session};

fn audit(home: &Home) -> Audit {
    audit_against(home, &[])
}

fn audit_against(home: &Home, checkpoints: &[Checkpoint]) -> Audit {
    let options = AuditOptions { session: None, since: None, checkpoints, wait: LONG_WAIT };
    home.store.audit(&options, &mut |_, _| {}).unwrap()
}

/// The findings, in short.
fn found(home: &Home) -> Vec<String> {
    short(&audit(home))
}

fn short(audit: &Audit) -> Vec<String> {
    let one = |it: &flyball_store::Finding| {
        format!("{} {} {}-{}", it.witness.name(), it.kind.name(), it.from, it.to)
    };
    audit.findings.iter().map(one).collect()
}

/// Ten events and a change of memory between them, folded.
fn ten() -> Home {
    let home = Home::new();
    for number in 1..=10 {
        home.commit(&record(number));
        if number == 4 {
            remember(&home, "between");
        }
    }
    drop(home.index());
    home
}

fn remember(home: &Home, text: &str) {
    let journal = home.store.session("claude-code", &session(), LONG_WAIT);
    journal.write("loop", text.to_owned()).unwrap();
    journal.keep_memory().unwrap();
}

/// A line with a new checksum, as someone who knows the format would write it.
fn with_fresh_checksum(json: &str) -> String {
    const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut sum = (json.len() as u64).wrapping_mul(PRIME);
    let mut mix = |word: u64| {
        sum = (sum ^ word).wrapping_mul(PRIME);
        sum ^= sum >> 29;
    };
    let (words, rest) = json.as_bytes().as_chunks::<8>();
    words.iter().for_each(|word| mix(u64::from_le_bytes(*word)));
    rest.iter().for_each(|byte| mix(u64::from(*byte)));
    format!("{:08x} {json}", (sum ^ (sum >> 32)) & 0xffff_ffff)
}

fn lines(home: &Home) -> Vec<String> {
    std::fs::read_to_string(home.journal_path()).unwrap().lines().map(str::to_owned).collect()
}

fn put(home: &Home, lines: &[String]) {
    std::fs::write(home.journal_path(), lines.join("\n") + "\n").unwrap();
}

/// The index of the line of the record with this number.
fn line_of(lines: &[String], seq: u64) -> usize {
    let start = format!("{{\"seq\":{seq},");
    lines
        .iter()
        .position(|line| line[9.min(line.len())..].starts_with(&start) && line.contains("\"record\":"))
        .unwrap()
}

fn edit_journal(home: &Home, edit: impl FnOnce(&mut Vec<String>)) {
    let mut all = lines(home);
    edit(&mut all);
    put(home, &all);
}

fn sql(home: &Home, sql: &str) {
    rusqlite::Connection::open(home.state().join("flyball.db")).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn an_untouched_record_is_proven() {
    let home = ten();
    let audit = audit(&home);
    assert_eq!(short(&audit), [""; 0]);
    assert_eq!((audit.sessions, audit.proven, audit.unchained), (1, 10, 0));
    assert_eq!(audit.since, Some(record(1).at));
}

#[test]
fn what_was_done_to_a_journal_is_named() {
    type Edit = fn(&mut Vec<String>);
    let cases: [(&str, Edit, &[&str]); 8] = [
        (
            "one byte of a record",
            |all| {
                let at = line_of(all, 5);
                all[at] = with_fresh_checksum(&all[at][9..].replacen(
                    "cargo test number-5",
                    "cargo test number-6",
                    1,
                ));
            },
            &["journal changed 5-5"],
        ),
        (
            "the payload",
            |all| {
                let at = line_of(all, 5);
                let (head, tail) = all[at][9..].split_once("\"payload\":").unwrap();
                all[at] = with_fresh_checksum(&format!(
                    "{head}\"payload\":{}",
                    tail.replace("number-5", "number-6")
                ));
            },
            &["journal changed 5-5"],
        ),
        ("a line removed", |all| drop(all.remove(line_of(all, 5))), &["journal removed 5-5"]),
        (
            "lines swapped",
            |all| {
                let (one, other) = (line_of(all, 6), line_of(all, 7));
                all.swap(one, other);
            },
            &["journal reordered 6-6"],
        ),
        (
            "a line added",
            |all| {
                let at = line_of(all, 6);
                let added = with_fresh_checksum(&all[at][9..].replace("number-6", "number-0"));
                all.insert(at + 1, added);
            },
            &["journal inserted 6-6"],
        ),
        ("a line twice", |all| all.insert(7, all[6].clone()), &["journal inserted 5-5"]),
        ("the end cut off", |all| all.truncate(line_of(all, 8)), &["journal end_cut_off 8-10"]),
        ("all but the header", |all| all.truncate(1), &["journal end_cut_off 1-10"]),
    ];
    for (name, edit, expected) in cases {
        let home = ten();
        edit_journal(&home, edit);
        assert_eq!(found(&home), expected, "{name}");
        // Folding what was tampered with hides nothing.
        drop(home.index());
        let after = found(&home);
        assert!(expected.iter().all(|it| after.contains(&(*it).to_owned())), "{name}: {after:?}");
    }
}

const ALL_CHANGED: [&str; 10] = [
    "index changed 1-1",
    "index changed 2-2",
    "index changed 3-3",
    "index changed 4-4",
    "index changed 5-5",
    "index changed 6-6",
    "index changed 7-7",
    "index changed 8-8",
    "index changed 9-9",
    "index changed 10-10",
];

#[test]
fn what_was_done_to_the_index_is_named() {
    let cases: [(&str, &str, &[&str]); 16] = [
        (
            "one byte of a record",
            "UPDATE records SET record = replace(record, 'number-5', 'number-6') WHERE event = 5",
            &["index changed 5-5"],
        ),
        ("the payload", "UPDATE payloads SET payload = payload || ' ' WHERE event = 5", &["index changed 5-5"]),
        ("the payload gone", "DELETE FROM payloads WHERE event = 5", &["index changed 5-5"]),
        ("the record gone", "DELETE FROM records WHERE event = 5", &["index changed 5-5"]),
        ("what is listed of it", "UPDATE events SET stance = 1 WHERE seq = 5", &["index changed 5-5"]),
        ("its project", "UPDATE projects SET path = '/else'", &ALL_CHANGED),
        ("its project gone", "UPDATE events SET project = 99 WHERE seq = 5", &["index changed 5-5"]),
        ("its tool", "UPDATE events SET tool = NULL WHERE seq = 5", &["index changed 5-5"]),
        ("its agent", "UPDATE events SET agent = 'x' WHERE seq = 5", &["index changed 5-5"]),
        ("what it would have been", "UPDATE events SET would_deny = 1 WHERE seq = 5", &["index changed 5-5"]),
        ("how many there are", "UPDATE sessions SET denials = denials + 1", &["index changed 0-0"]),
        ("an event removed", "DELETE FROM events WHERE seq = 5", &["index removed 5-5"]),
        (
            "events swapped",
            "UPDATE events SET seq = 11 - seq WHERE seq IN (5, 6)",
            &["index reordered 5-5", "index reordered 6-6"],
        ),
        (
            "an event added",
            "INSERT INTO events (answer, session, seq, at, project, kind, stance, duplicate, subject, link)
                 SELECT 'forged00', session, seq, at, project, kind, stance, duplicate, subject, x'00' || zeroblob(31)
                 FROM events WHERE seq = 5;
             INSERT INTO records SELECT 11, record FROM records WHERE event = 5",
            &["index inserted 5-5"],
        ),
        ("the end cut off", "DELETE FROM events WHERE seq > 7", &["index end_cut_off 8-10"]),
        ("its session", "DELETE FROM sessions", &["index end_cut_off 1-10"]),
    ];
    for (name, words, expected) in cases {
        let home = ten();
        sql(&home, words);
        assert_eq!(found(&home), expected, "{name}");
    }
}

#[test]
fn a_finding_names_the_event_and_its_neighbours() {
    let home = ten();
    sql(&home, "DELETE FROM events WHERE seq IN (5, 6)");
    let audit = audit(&home);
    let finding = &audit.findings[0];
    let name = |number: u64| Some((number, record(number).id.to_string(), record(number).at));
    let of = |named: &Option<flyball_store::EventRef>| {
        named.as_ref().map(|named| (named.seq, named.id.clone(), named.at))
    };
    assert_eq!((of(&finding.before), of(&finding.after)), (name(4), name(7)));
    assert_eq!((finding.session.as_str(), finding.client.as_str()), (session().as_str(), "claude-code"));
}

#[test]
fn a_change_of_both_is_found_by_the_anchors() {
    let home = ten();
    sql(&home, "DELETE FROM events; DELETE FROM sessions; DELETE FROM journals");
    std::fs::remove_file(home.journal_path()).unwrap();
    assert_eq!(found(&home), ["anchors session_missing 1-10"]);

    let home = ten();
    sql(&home, "DELETE FROM events WHERE seq > 7");
    edit_journal(&home, |all| all.truncate(line_of(all, 8)));
    assert_eq!(found(&home), ["anchors end_cut_off 8-10"]);

    let home = ten();
    std::fs::remove_file(home.journal_path()).unwrap();
    assert_eq!(found(&home), ["journal journal_missing 0-0"]);
}

#[test]
fn a_rewritten_history_with_a_whole_chain_is_found_by_the_anchors_and_by_a_digest() {
    let home = ten();
    let last = audit(&home);
    assert_eq!(last.proven, 10);
    let link = last_link(&home);
    let checkpoint = Checkpoint {
        client: "claude-code".into(),
        session: session().as_str().into(),
        seq: 10,
        link,
        at: NOW,
    };
    let anchors = home.state().join("anchors.jsonl");
    let before = std::fs::read(&anchors).unwrap();
    std::fs::remove_dir_all(home.state()).unwrap();
    for number in 1..=10 {
        let mut forged = record(number);
        forged.subject = "ls".to_owned();
        home.commit(&forged);
    }
    drop(home.index());
    assert_eq!(found(&home), [""; 0], "the anchors were written anew as well");
    assert_eq!(short(&audit_against(&home, &[checkpoint])), ["digest changed 10-10"]);
    std::fs::write(&anchors, before).unwrap();
    assert_eq!(
        found(&home),
        ["anchors changed 10-10", "anchors anchors_broken 2-2"]
            .map(str::to_owned)
            .into_iter()
            .rev()
            .collect::<Vec<_>>()
    );
}

fn last_link(home: &Home) -> Link {
    let line = lines(home).pop().unwrap();
    let json: serde_json::Value = serde_json::from_str(&line[9..]).unwrap();
    Link::from_hex(json.get("link").and_then(serde_json::Value::as_str).unwrap()).unwrap()
}

#[test]
fn anchors_watch_over_themselves() {
    let three = || {
        let home = ten();
        for number in 11..=12 {
            home.commit(&record(number));
            drop(home.index());
        }
        home
    };
    type Edit = fn(&mut Vec<String>);
    let cases: [(&str, Edit, &[&str]); 4] = [
        (
            "changed",
            |all| all[1] = all[1].replace("\"seq\":11", "\"seq\":12"),
            &["anchors anchors_broken 3-3", "anchors changed 12-12"],
        ),
        ("removed", |all| drop(all.remove(1)), &["anchors anchors_broken 2-2"]),
        ("the first removed", |all| drop(all.remove(0)), &["anchors anchors_broken 1-1"]),
        ("cut off", |all| drop(all.pop()), &["anchors anchors_broken 3-3"]),
    ];
    for (name, edit, expected) in cases {
        let home = three();
        let path = home.state().join("anchors.jsonl");
        let mut all: Vec<String> =
            std::fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
        assert_eq!(all.len(), 3, "{all:?}");
        edit(&mut all);
        std::fs::write(&path, all.join("\n") + "\n").unwrap();
        assert_eq!(found(&home), expected, "{name}");
    }
}

#[test]
fn the_next_fold_does_not_cover_up_what_was_done_to_the_anchors() {
    let gone = |home: &Home| std::fs::remove_file(home.state().join("anchors.jsonl")).unwrap();
    type Act<'a> = &'a dyn Fn(&Home);
    let cases: [(&str, Act<'_>, &[&str]); 4] = [
        ("nothing", &|_| {}, &[]),
        ("the file deleted", &gone, &["anchors anchors_broken 1-1"]),
        (
            "the file and the mark deleted",
            &|home| {
                gone(home);
                sql(home, "DELETE FROM meta WHERE key = 'anchors_end'");
            },
            &["anchors anchors_broken 1-1"],
        ),
        (
            "the last line cut off",
            &|home| {
                let path = home.state().join("anchors.jsonl");
                let text = std::fs::read_to_string(&path).unwrap();
                let end = text.trim_end().rfind('\n').unwrap() + 1;
                std::fs::write(&path, &text[..end]).unwrap();
            },
            &["anchors anchors_broken 2-2"],
        ),
    ];
    for (name, act, expected) in cases {
        let home = ten();
        home.commit(&record(11));
        drop(home.index());
        act(&home);
        for number in 12..=13 {
            home.commit(&record(number));
            drop(home.index());
        }
        assert_eq!(found(&home), expected, "{name}");
    }
}

#[test]
fn the_anchors_do_not_wait_for_a_row_that_never_comes() {
    let home = ten();
    sql(&home, "UPDATE meta SET value = 1 << 60 WHERE key = 'anchored_row'");
    for number in 11..=14 {
        home.commit(&record(number));
    }
    drop(home.index());
    sql(&home, "DELETE FROM events WHERE seq > 12");
    edit_journal(&home, |all| all.truncate(line_of(all, 13)));
    assert_eq!(found(&home), ["anchors end_cut_off 13-14"]);
}

#[test]
fn a_session_goes_on_after_its_journal_was_shortened_and_the_index_built_anew() {
    let home = ten();
    let settings = StoreSettings::default();
    let mut long = record(11);
    long.payload = Some("p".repeat(100_000));
    home.commit_with(&long, "loop", "kept");
    home.store.fold(&options_at(&settings, NOW + HOUR)).unwrap();
    let later = NOW + 2 * DAY;
    assert_eq!(home.store.fold(&options_at(&settings, later)).unwrap().shortened, 1);
    assert_eq!(home.store.rebuild(&options_at(&settings, later)).unwrap().fold.removed, 0);
    assert_eq!(home.read("loop").as_deref(), Some("kept"));
    let mut next = record(12);
    next.at = later;
    assert_eq!(home.commit(&next).seq, 12);
    assert_eq!(found(&home), [""; 0]);
}

#[test]
fn a_session_of_which_only_its_memory_is_known_is_not_taken_for_one_long_gone() {
    let home = Home::new();
    remember(&home, "one");
    let settings = StoreSettings::default();
    assert_eq!(home.store.fold(&options_at(&settings, NOW)).unwrap().removed, 0);
    assert_eq!(home.store.fold(&options_at(&settings, NOW + 2 * DAY)).unwrap().removed, 0);
    assert_eq!(home.read("loop").as_deref(), Some("one"));
    assert_eq!(home.store.fold(&options_at(&settings, NOW + 40 * DAY)).unwrap().removed, 1);
}

#[test]
fn a_session_that_begins_anew_after_a_repair_is_no_finding() {
    let home = ten();
    std::fs::write(home.journal_path(), "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0").unwrap();
    assert_eq!(home.store.rebuild(&options_at(&StoreSettings::default(), NOW)).unwrap().moved.len(), 2);
    assert_eq!(home.commit(&record(11)).seq, 1);
    assert_eq!(found(&home), [""; 0]);
    drop(home.index());
    assert_eq!(found(&home), [""; 0]);
}

#[test]
fn what_is_only_shown_is_read_while_a_hook_has_the_journal() {
    let home = ten();
    remember(&home, "later");
    let file = std::fs::File::open(home.journal_path()).unwrap();
    file.lock().unwrap();
    let journal = home.store.session("claude-code", &session(), std::time::Duration::ZERO);
    assert_eq!(journal.read_unlocked("loop").unwrap().as_deref(), Some("later"));
    assert_eq!(journal.peek("loop").unwrap().as_deref(), Some("later"));
}

#[test]
fn what_is_forgotten_is_reported_and_what_is_deleted_by_hand_is_not_taken_for_it() {
    let home = Home::new();
    let settings = StoreSettings { keep_days: 10, ..StoreSettings::default() };
    for number in 1..=6 {
        let mut old = record(number);
        // The clocks of two hooks were read in another order than they were recorded in.
        old.at -= 20 * DAY + if number == 4 { SECOND * 100 } else { Duration::ZERO };
        home.commit(&old);
    }
    home.commit(&record(7));
    home.commit(&record(8));
    home.store.fold(&options_at(&settings, NOW - 2 * HOUR)).unwrap();
    let report = home.store.fold(&options_at(&settings, NOW)).unwrap();
    assert_eq!(report.forgotten, 6);
    let audit = audit(&home);
    assert_eq!(short(&audit), [""; 0]);
    assert_eq!(audit.forgotten.iter().map(|it| (it.to, it.at)).collect::<Vec<_>>(), [(6, NOW)]);
    assert_eq!(audit.proven, 8, "the journal still has them all");
    sql(&home, "DELETE FROM events WHERE seq = 7");
    assert_eq!(found(&home), ["index removed 7-7"]);
}

#[test]
fn a_session_that_outlives_its_journal_begins_anew() {
    let home = ten();
    let settings = StoreSettings::default();
    assert_eq!(home.store.fold(&options_at(&settings, NOW + 31 * DAY)).unwrap().removed, 1);
    let mut late = record(11);
    late.at += 32 * DAY;
    assert_eq!(home.commit(&late).seq, 1);
    home.store.fold(&options_at(&settings, NOW + 32 * DAY)).unwrap();
    let audit = audit(&home);
    assert_eq!((short(&audit), audit.proven), (Vec::new(), 1));
}

#[test]
fn eight_processes_make_one_chain() {
    let home = Home::new();
    let writers: Vec<Writer> = (0..8).map(|_| Writer::start(home.state(), 40)).collect();
    writers.into_iter().for_each(|writer| drop(writer.finish()));
    assert_eq!((found(&home), audit(&home).proven), (Vec::new(), 320), "before it is folded");
    drop(home.index());
    assert_eq!((found(&home), audit(&home).proven), (Vec::new(), 320));
}

/// A journal as it was written before there were chains.
fn before_chains(home: &Home, many: u64) {
    let mut all = vec!["flyball-journal 1".to_owned()];
    for number in 1..=many {
        let record = serde_json::to_string(&record(number)).unwrap();
        all.push(with_fresh_checksum(&format!("{{\"seq\":{},\"record\":{record}}}", number * 2 - 1)));
        all.push(with_fresh_checksum(&format!("{{\"seq\":{},\"set\":{{\"loop\":\"x\"}}}}", number * 2)));
    }
    std::fs::create_dir_all(home.journal_path().parent().unwrap()).unwrap();
    put(home, &all);
}

#[test]
fn a_journal_from_before_there_were_chains_is_read_and_continued() {
    let home = Home::new();
    before_chains(&home, 3);
    drop(home.index());
    assert_eq!((found(&home), audit(&home).proven, audit(&home).unchained), (Vec::new(), 0, 3));
    assert_eq!(home.commit(&record(4)).seq, 7);
    assert_eq!(home.commit(&record(5)).seq, 8);
    assert_eq!(lines(&home)[0], "flyball-journal 2", "an older program would break the chain");
    let index = home.index();
    let event = &index
        .events(&flyball_store::Filter { payloads: flyball_store::PayloadMode::With, ..Default::default() });
    let payloads: Vec<Option<String>> =
        event.as_ref().unwrap().iter().rev().map(|event| event.record.payload.clone()).collect();
    assert_eq!(payloads, (1..=5).map(|number| record(number).payload).collect::<Vec<_>>());
    assert_eq!((found(&home), audit(&home).proven, audit(&home).unchained), (Vec::new(), 2, 3));
}

#[test]
fn a_chain_made_to_look_as_if_older_than_chains_is_noticed() {
    let home = ten();
    sql(&home, "UPDATE events SET link = NULL");
    edit_journal(&home, |all| {
        for line in all.iter_mut().skip(1) {
            let mut json: serde_json::Value = serde_json::from_str(&line[9..]).unwrap();
            json.as_object_mut().unwrap().remove("link");
            *line = with_fresh_checksum(&json.to_string());
        }
    });
    assert_eq!(found(&home), ["anchors changed 10-10"]);
}

/// What may happen to a store without anyone doing wrong.
#[derive(Clone, Copy, Debug)]
enum Step {
    Commit,
    Crowd,
    Remember,
    Torn,
    Fold,
    DayLater,
    ForgetAll,
    Rebuild,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => Just(Step::Commit),
        2 => Just(Step::Crowd),
        2 => Just(Step::Remember),
        2 => Just(Step::Torn),
        3 => Just(Step::Fold),
        2 => Just(Step::DayLater),
        1 => Just(Step::ForgetAll),
        1 => Just(Step::Rebuild),
    ];
    prop::collection::vec(step, 1..24)
}

struct Life {
    home: Home,
    now: Time,
    number: u64,
}

impl Life {
    fn commit(&mut self) {
        self.number += 1;
        let mut event = record(self.number);
        // Every third clock was read before the one of the event before.
        event.at = self.now - if self.number.is_multiple_of(3) { 2 * SECOND } else { Duration::ZERO };
        event.payload = Some("p".repeat(2_000));
        self.now += SECOND;
        self.home.commit(&event);
    }

    fn go(&mut self, step: Step) {
        let settings = StoreSettings { keep_days: 3, ..StoreSettings::default() };
        match step {
            Step::Commit => self.commit(),
            Step::Crowd => (0..40).for_each(|_| self.commit()),
            Step::Remember => remember(&self.home, &self.number.to_string()),
            Step::Torn => {
                if let Ok(mut file) = std::fs::OpenOptions::new().append(true).open(self.home.journal_path())
                {
                    file.write_all(b"1234abcd {\"seq\":7,\"rec").unwrap();
                }
            }
            Step::Fold => drop(self.home.store.fold(&options_at(&settings, self.now)).unwrap()),
            Step::DayLater => {
                self.now += DAY + DAY / 2;
                self.home.store.fold(&options_at(&settings, self.now)).unwrap();
            }
            Step::ForgetAll => {
                self.now += 20 * DAY;
                self.home.store.fold(&options_at(&settings, self.now)).unwrap();
            }
            Step::Rebuild => drop(self.home.store.rebuild(&options_at(&settings, self.now)).unwrap()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_flyball_does_looks_like_tampering(old in any::<bool>(), steps in steps()) {
        let mut life = Life { home: Home::new(), now: NOW, number: 100 };
        if old {
            before_chains(&life.home, 4);
        }
        for step in &steps {
            life.go(*step);
            prop_assert_eq!(found(&life.home), Vec::<String>::new(), "after {:?}", step);
        }
    }

    #[test]
    fn any_edit_of_any_record_is_found(seq in 1_u64..=10, at in 0.0_f64..1.0, byte in 0x20_u8..0x7f) {
        let home = ten();
        let mut all = lines(&home);
        let line = line_of(&all, seq);
        let json = all[line][9..].to_owned();
        // From the link to the end: the link, the record and the payload.
        let start = json.find("\"link\":").unwrap();
        let mut bytes = json.clone().into_bytes();
        let place = start + ((json.len() - start) as f64 * at) as usize;
        prop_assume!(bytes[place] != byte);
        bytes[place] = byte;
        let edited = String::from_utf8(bytes).unwrap();
        all[line] = with_fresh_checksum(&edited);
        put(&home, &all);
        prop_assert!(!found(&home).is_empty(), "{} became {}", json, edited);
    }
}

#[test]
fn an_old_journal_that_was_continued_and_forgotten_is_rebuilt_without_alarm() {
    let mut life = Life { home: Home::new(), now: NOW, number: 100 };
    before_chains(&life.home, 4);
    for step in [Step::Commit, Step::Fold, Step::Remember, Step::ForgetAll, Step::Rebuild] {
        life.go(step);
        assert_eq!(found(&life.home), Vec::<String>::new(), "after {step:?}");
    }
}
