//! What the fixer does to a file goes through the same two phases again.

use flyball_quality::pipeline::{ModelUse, Write};
use flyball_quality::report::{FixOutcome, Formatted};

use crate::pipeline::site::{Site, places};

/// What the client prints at its end.
const DONE: &str = r#"echo '{"type":"result","subtype":"success","is_error":false,"result":"done"}'"#;

/// What finds `BAD`, with a message that says what may be written instead, and fails on `POISON`.
fn says_what_is_better(files: &str) -> String {
    let message = "write `good`, `BADLY` or `POISON` instead of `BAD`";
    format!(
        "awk -v say='{message}' '/POISON/ {{ exit 3 }} /BAD/ {{ print FILENAME \":\" FNR \":\" say }}' {files}\n"
    )
}

/// A project whose model is a script that edits the copy it is given.
fn site(script: &str) -> Site {
    let mut site = Site::new(&[("a.txt", "fine\nBAD\nfine\n")]);
    site.program("trim", "sed 's/ *$//'\n");
    site.formatter("trim", &["trim"]);
    site.finds_bad();
    for (program, files) in [("finds-bad", "\"$@\""), ("finds-bad-in-input", "-")] {
        site.program(program, &says_what_is_better(files));
    }
    site.program("claude", &format!("{script}\n{DONE}\n"));
    site.settings.fixer.enabled = true;
    site.settings.fixer.program = Some(format!("{}/.venv/bin/claude", site.root().display()));
    site.settings.fixer.most_lines = 80;
    site.model = ModelUse::Allowed;
    site
}

#[test]
fn what_the_model_fixes_is_formatted_and_checked_again() {
    let site = site("sed -i 's/BAD/good  /' a.txt");
    let report = site.run_one("a.txt");
    assert_eq!(report.fix.as_ref().map(|fix| fix.end.clone()), Some(FixOutcome::Kept(1)));
    assert_eq!(report.findings, []);
    assert_eq!(report.format, Formatted::Rewritten);
    assert_eq!(report.linters, ["trim", "finds-bad"]);
    assert_eq!(site.read("a.txt"), "fine\ngood\nfine\n");
    assert_eq!(site.started(), ["trim", "finds-bad", "claude", "trim", "finds-bad"]);
    assert!(site.run_one("a.txt").cached);
}

#[test]
fn a_change_that_fixes_nothing_is_undone_and_the_findings_stay() {
    let site = site("sed -i 's/BAD/BADLY/' a.txt");
    let report = site.run_one("a.txt");
    let refused = FixOutcome::Refused(vec!["it leaves 1 finding; there was 1".to_owned()]);
    assert_eq!(report.fix.as_ref().map(|fix| fix.end.clone()), Some(refused));
    assert_eq!(places(&report.findings), [(2, "BAD")]);
    assert_eq!(report.format, Formatted::Already);
    assert_eq!(site.read("a.txt"), "fine\nBAD\nfine\n");
}

#[test]
fn a_check_that_fails_after_the_fix_does_not_count_as_clean() {
    let site = site("sed -i 's/BAD/POISON/' a.txt");
    let report = site.run(&["a.txt"]);
    let end = report.files[0].fix.as_ref().map(|fix| fix.end.clone());
    assert_eq!(end, Some(FixOutcome::Refused(vec!["finds-bad could not check it".to_owned()])));
    assert_eq!(places(&report.files[0].findings), [(2, "BAD")]);
    assert_eq!(site.read("a.txt"), "fine\nBAD\nfine\n");
}

#[test]
fn defect_28_nothing_runs_twice_if_the_model_changes_nothing() {
    let site = site("true");
    let report = site.run_one("a.txt");
    assert_eq!(report.fix.map(|fix| fix.end), Some(FixOutcome::Unchanged));
    assert_eq!(places(&report.findings), [(2, "BAD")]);
    assert_eq!(site.started(), ["trim", "finds-bad", "claude"]);
}

#[test]
fn no_model_is_asked_if_it_is_off_or_not_needed() {
    let mut site = site("sed -i 's/BAD/good/' a.txt");
    site.write = Write::No;
    assert_eq!(site.run_one("a.txt").fix, None);
    site.write = Write::Yes;
    site.model = ModelUse::Never;
    assert_eq!(site.run_one("a.txt").fix, None);
    site.model = ModelUse::Allowed;
    site.settings.fixer.enabled = false;
    assert_eq!(site.run_one("a.txt").fix, None);
    site.settings.fixer.enabled = true;
    site.put("a.txt", "fine\n");
    assert_eq!(site.run_one("a.txt").fix, None);
    assert!(!site.started().contains(&"claude".to_owned()));
}
