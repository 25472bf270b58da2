//! The benchmark runs. How fast flyball is, only the benchmark itself reports: no test looks at a clock.

use serde_json::Value;

/// What is measured, in the order of the table; programs that are not installed are left out.
const CONTESTANTS: [&str; 27] = [
    "trivial",
    "hook.shell",
    "hook.removes",
    "hook.edit",
    "hook.script",
    "rules.10",
    "rules.500",
    "edit.packs",
    "stop.packs",
    "transcript.long",
    "stop.plain",
    "stop.loop",
    "edit.none",
    "spawn.none",
    "failed.none",
    "edit.much",
    "spawn.much",
    "failed.much",
    "store.full",
    "journal.short",
    "journal.long",
    "bash-jq",
    "node",
    "shell.plain",
    "shell.seatbelt",
    "undo.same",
    "git.status",
];

fn names(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(|entry| entry["id"].as_str()).collect()
}

#[test]
fn the_report_has_every_contestant_and_limit() {
    let folder = tempfile::tempdir().unwrap();
    let (home, scratch) = (folder.path().join("home"), folder.path().join("scratch"));
    std::fs::create_dir(&home).unwrap();
    std::fs::create_dir(&scratch).unwrap();
    let program = flyball_testkit::program();
    let arguments = ["bench", "--quick", "--runs", "2", "--json", "--program", program.to_str().unwrap()];
    let variables = [("HOME", home.to_str().unwrap()), ("TMPDIR", scratch.to_str().unwrap())];
    let (status, stdout, stderr) = crate::run(&arguments, &variables);
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    let report: Value = serde_json::from_str(&stdout).unwrap();

    let measured = names(&report["contestants"]);
    let absent = CONTESTANTS.iter().filter(|id| !measured.contains(id)).count();
    assert_eq!(absent, report["missing"].as_array().unwrap().len(), "{measured:?} {}", report["missing"]);
    let known: Vec<&str> = CONTESTANTS.into_iter().filter(|id| measured.contains(id)).collect();
    assert_eq!(measured, known);
    for contestant in report["contestants"].as_array().unwrap() {
        assert_eq!(contestant["runs"], 2);
        assert!(
            contestant["median_us"].as_f64().unwrap() >= contestant["p10_us"].as_f64().unwrap(),
            "{contestant}"
        );
    }
    assert_eq!(names(&report["inside"]), ["inside.typical", "inside.long"]);
    assert_eq!(names(&report["replay"]), ["replay.one", "replay.many", "replay.store"]);
    for replayed in report["replay"].as_array().unwrap() {
        assert_eq!((&replayed["calls"], &replayed["runs"]), (&500.into(), &2.into()), "{replayed}");
    }
    let limits = names(&report["limits"]).join(" ");
    assert_eq!(
        limits,
        "trivial removes edit turn edit-packs turn-packs script bash node rules stop nodes lessons reports seatbelt undo store journal transcript memory replay board"
    );
    assert_eq!((&report["rounds"], &report["store_events"]), (&2.into(), &20_000.into()));
    assert!(report["program"]["bytes"].as_u64().unwrap() > 100_000);

    assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let (status, stdout, stderr) = crate::run(&["bench", "--program", "/nowhere/flyball"], &[]);
    let expected = "error: `/nowhere/flyball` cannot be found: No such file or directory (os error 2)\n help: name a build of flyball\n";
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (2, "", expected));
}
