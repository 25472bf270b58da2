//! The committed reference is up to date.

use std::path::Path;

const REFRESH: &str = "refresh with: cargo dev reference --write docs/reference";

#[test]
fn the_reference_is_up_to_date() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    let (status, stdout, stderr) = crate::run(&["reference", "--check", &docs.to_string_lossy()], &[]);
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (0, "", ""), "{REFRESH}");
}

#[test]
fn what_is_stale_or_missing_is_named_with_the_command_that_refreshes_it() {
    let folder = tempfile::tempdir().unwrap();
    // The files of the plugin are written two folders up.
    let docs = folder.path().join("docs/reference");
    let written = docs.to_string_lossy();
    assert_eq!(crate::run(&["reference", "--write", &written], &[]).0, 0);
    std::fs::write(docs.join("events.md"), "# Events and tools\n\nby hand\n").unwrap();
    std::fs::remove_file(docs.join("config.md")).unwrap();
    let expected =
        format!("{written}/config.md is missing\n{written}/events.md:3 is out of date\n{REFRESH}\n");
    assert_eq!(crate::run(&["reference", "--check", &written], &[]), (1, expected, String::new()));
}
