//! `flyball audit`, on stores that real hooks made.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot be set up has failed, and what is not there is null"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{ProcessResult, Project};
use serde_json::{Value, json};

const SESSION: &str = "00000000-0000-4000-8000-000000000001";

/// A store with six events, recorded by as many hooks.
fn six() -> Project {
    let project = Project::new();
    for number in 1..=6 {
        project.shell(&format!("cargo test number-{number}")).assert_silent();
    }
    project
}

/// The findings of an audit, in short.
#[track_caller]
fn found(ran: &ProcessResult) -> Vec<String> {
    let json = ran.json();
    let findings = json["findings"].as_array().unwrap();
    let short = |it: &Value| {
        let text = |key: &str| it[key].as_str().unwrap().to_owned();
        assert!(it["session"] == SESSION || it["session"] == "", "{it}");
        format!("{} {} {}-{}", text("by"), text("what"), it["from"], it["to"])
    };
    let expected = if findings.is_empty() { 0 } else { 1 };
    assert_eq!((ran.status, ran.stderr.as_str()), (expected, ""), "{}", ran.stdout);
    findings.iter().map(short).collect()
}

fn verify(project: &Project) -> Vec<String> {
    found(&project.run(&["audit", "verify", "--json"]))
}

fn journal(project: &Project) -> PathBuf {
    let all = std::fs::read_dir(project.state().join("sessions")).unwrap();
    all.map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|it| it == "journal"))
        .unwrap()
}

/// Changes the lines of the journal, in place.
fn edit(project: &Project, change: impl FnOnce(&mut Vec<String>)) {
    let path = journal(project);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
}

/// Changes the index with another program.
fn sql(project: &Project, statements: &str) {
    let script =
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()";
    let database = project.state().join("flyball.db");
    let status = Command::new("python3").args(["-c", script]).arg(database).arg(statements).status().unwrap();
    assert!(status.success(), "{statements}");
}

/// A line with the checksum that it should have, as someone who knows the format would fix it.
fn with_checksum(json: &str) -> String {
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

#[test]
fn a_store_that_nobody_touched_is_proven() {
    let project = six();
    let ran = project.run(&["audit", "verify"]);
    let since = ran.stdout.trim_end().strip_prefix("6 events in 1 session proven, since ");
    assert!(since.is_some(), "{ran:?}");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let json = project.run(&["audit", "verify", "--json", "--session", "0000"]).json();
    assert_eq!((&json["proven"], &json["sessions"], &json["unchained"]), (&json!(6), &json!(1), &json!(0)));
}

#[test]
fn an_empty_store_is_no_finding_and_an_unknown_session_is_an_error() {
    let project = Project::new();
    let ran = project.run(&["audit", "verify"]);
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, "nothing is recorded yet\n", ""));
    let ran = project.run(&["audit", "verify", "--session", "x"]);
    let expected = "error: no session begins with `x`\n help: `flyball status --all` lists the sessions\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
}

#[test]
fn a_manipulation_of_a_journal_is_named() {
    type Change = fn(&mut Vec<String>);
    let cases: [(&str, Change, &[&str]); 5] = [
        (
            "changed",
            |all| all[3] = with_checksum(&all[3][9..].replacen("number-3", "number-9", 1)),
            &["journal changed 3-3"],
        ),
        ("removed", |all| drop(all.remove(3)), &["journal removed 3-3"]),
        ("swapped", |all| all.swap(3, 4), &["journal reordered 3-3"]),
        ("inserted", |all| all.insert(4, all[3].clone()), &["journal inserted 3-3"]),
        ("cut off", |all| all.truncate(5), &["journal end_cut_off 5-6"]),
    ];
    for (name, change, expected) in cases {
        let project = six();
        assert_eq!(verify(&project), [""; 0], "{name}");
        edit(&project, change);
        assert_eq!(verify(&project), expected, "{name}");
    }
}

#[test]
fn a_manipulation_of_the_index_is_named() {
    let cases: [(&str, &[&str]); 5] = [
        (
            "UPDATE records SET record = replace(record, 'number-3', 'number-9') WHERE event = 3",
            &["index changed 3-3"],
        ),
        ("DELETE FROM events WHERE seq = 3", &["index removed 3-3"]),
        (
            "UPDATE events SET seq = 7 - seq WHERE seq IN (3, 4)",
            &["index reordered 3-3", "index reordered 4-4"],
        ),
        (
            "INSERT INTO events (answer, session, seq, at, project, kind, stance, duplicate, subject, link)
                 SELECT 'forged00', session, seq, at, project, kind, stance, duplicate, subject, zeroblob(32)
                 FROM events WHERE seq = 3;
             INSERT INTO records SELECT 7, record FROM records WHERE event = 3",
            &["index inserted 3-3"],
        ),
        ("DELETE FROM events WHERE seq > 4", &["index end_cut_off 5-6"]),
    ];
    for (statements, expected) in cases {
        let project = six();
        assert_eq!(verify(&project), [""; 0], "{statements}");
        sql(&project, statements);
        assert_eq!(verify(&project), expected, "{statements}");
    }
}

#[test]
fn a_session_that_is_gone_from_both_is_missed() {
    let project = six();
    assert_eq!(verify(&project), [""; 0]);
    sql(&project, "DELETE FROM events; DELETE FROM sessions; DELETE FROM journals");
    std::fs::remove_file(journal(&project)).unwrap();
    let ran = project.run(&["audit", "verify"]);
    let start = format!(
        "whole session missing: session {SESSION} (claude-code), events 1 to 6, by the anchors: \
         it had reached number 6, and nothing is left\n    according to the anchors of "
    );
    assert!(ran.stdout.starts_with(&start), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("\n0 events in 0 sessions proven; 1 finding\n"), "{}", ran.stdout);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
}

/// An export and its digest, with the public key beside them.
fn exported(project: &Project) -> (PathBuf, PathBuf, PathBuf) {
    let (file, key) = (project.folder().join("record.jsonl"), project.folder().join("key.pem"));
    let ran = project.run(&["audit", "export", "-o", file.to_str().unwrap()]);
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, "6 events exported\n", ""));
    std::fs::write(&key, project.run(&["audit", "key"]).stdout).unwrap();
    (file, project.folder().join("record.jsonl.digest.json"), key)
}

fn verify_export(file: &Path, digest: &Path, key: Option<&Path>) -> ProcessResult {
    // Another machine: nothing is recorded there.
    let elsewhere = Project::new();
    let mut arguments = vec![
        "audit",
        "verify",
        "--json",
        "--export",
        file.to_str().unwrap(),
        "--digest",
        digest.to_str().unwrap(),
    ];
    if let Some(key) = key {
        arguments.extend(["--key", key.to_str().unwrap()]);
    }
    let ran = elsewhere.run(&arguments);
    assert!(!elsewhere.state().exists(), "it made a store");
    ran
}

#[test]
fn an_export_is_verified_elsewhere() {
    use std::os::unix::fs::PermissionsExt;
    let project = six();
    let (file, digest, key) = exported(&project);
    let ran = verify_export(&file, &digest, Some(&key));
    assert_eq!((found(&ran), &ran.json()["proven"]), (Vec::new(), &json!(6)));
    assert_eq!(found(&verify_export(&file, &digest, None)), [""; 0]);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&file), mode(&digest)), (0o600, 0o600));
    let left: Vec<_> =
        std::fs::read_dir(project.folder()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "{left:?}");
    let ran = project.run(&["audit", "export"]);
    assert_eq!(ran.stdout, std::fs::read_to_string(&file).unwrap());
}

#[test]
fn a_manipulation_of_an_export_is_named() {
    type Change = fn(&mut Vec<String>);
    let cases: [(&str, Change, &[&str]); 6] = [
        ("changed", |all| all[2] = all[2].replace("number-3", "number-9"), &["export changed 3-3"]),
        ("removed", |all| drop(all.remove(2)), &["digest removed 3-3"]),
        ("swapped", |all| all.swap(2, 3), &["export reordered 3-3"]),
        ("twice", |all| all.insert(3, all[2].clone()), &["export inserted 3-3"]),
        ("cut off", |all| all.truncate(4), &["digest end_cut_off 5-6"]),
        ("empty", |all| all.clear(), &["digest session_missing 1-6"]),
    ];
    let project = six();
    let (file, digest, key) = exported(&project);
    let whole = std::fs::read_to_string(&file).unwrap();
    for (name, change, expected) in cases {
        let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        change(&mut lines);
        std::fs::write(&file, lines.iter().map(|line| line.clone() + "\n").collect::<String>()).unwrap();
        assert_eq!(found(&verify_export(&file, &digest, Some(&key))), expected, "{name}");
    }
    std::fs::write(&file, whole.replace("{\"client\"", "{ \"client\"")).unwrap();
    assert_eq!(found(&verify_export(&file, &digest, Some(&key))), ["export changed 0-0"]);
}

#[test]
fn a_digest_counts_only_if_it_is_what_the_right_key_signed() {
    let project = six();
    let (file, digest, key) = exported(&project);
    let other = project.folder().join("other.pem");
    std::fs::write(&other, Project::new().run(&["audit", "key"]).stdout).unwrap();
    assert_eq!(found(&verify_export(&file, &digest, Some(&other))), ["digest changed 0-0"]);
    let text = std::fs::read_to_string(&digest).unwrap();
    std::fs::write(&digest, text.replace("\\\"events\\\":6", "\\\"events\\\":5")).unwrap();
    assert_ne!(std::fs::read_to_string(&digest).unwrap(), text);
    assert_eq!(found(&verify_export(&file, &digest, Some(&key))), ["digest changed 0-0"]);
    assert_eq!(found(&verify_export(&file, &digest, None)), ["digest changed 0-0"]);
}

#[test]
fn a_history_that_was_rewritten_as_a_whole_is_found_by_an_older_digest() {
    let project = six();
    let (_, digest, _) = exported(&project);
    let against = ["audit", "verify", "--json", "--against", digest.to_str().unwrap()];
    assert_eq!(found(&project.run(&against)), [""; 0]);
    let key = std::fs::read(project.state().join("audit.key")).unwrap();
    std::fs::remove_dir_all(project.state()).unwrap();
    for number in 1..=7 {
        project.shell(&format!("ls number-{number}")).assert_silent();
    }
    std::fs::write(project.state().join("audit.key"), key).unwrap();
    assert_eq!(verify(&project), [""; 0], "the new chain is whole");
    assert_eq!(found(&project.run(&against)), ["digest changed 6-6"]);
}

#[test]
fn a_target_that_cannot_be_written_is_named_and_nothing_is_left() {
    let project = six();
    let goal = project.folder().join("no/such/folder/record.jsonl");
    let ran = project.run(&["audit", "export", "-o", goal.to_str().unwrap()]);
    let expected = format!(
        "error: `{}` cannot be written: no such folder\n help: choose a writable place with free space\n",
        goal.display()
    );
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr), (2, "", expected));
}
