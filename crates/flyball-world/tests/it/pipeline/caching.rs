//! Cached results are used, unless something may have changed.

use std::cell::RefCell;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;
use std::time::Instant;

use flyball_quality::linter::{Check, Entry, Output, Reads};
use flyball_quality::pipeline::ModelUse;

use crate::pipeline::site::{LINES, Site, places, words};

/// A file with something to format and something to find.
fn site() -> Site {
    let mut site = Site::new(&[("sub/a.txt", "one  \nBAD\n")]);
    site.program("trim", "sed 's/ *$//'\n");
    site.formatter("trim", &["trim"]);
    site.finds_bad().configs = Some(words(&["bad.toml"]));
    site
}

#[test]
fn an_unchanged_file_starts_no_process() {
    let site = site();
    let first = site.run_one("sub/a.txt");
    assert!(!first.cached);
    assert_eq!(site.started(), ["trim", "finds-bad"]);
    let second = site.run_one("sub/a.txt");
    assert!(second.cached);
    assert_eq!(second.findings, first.findings);
    assert_eq!(site.started(), [""; 0]);
}

#[test]
fn a_changed_file_is_looked_at_again() {
    let site = site();
    site.run_one("sub/a.txt");
    site.put("sub/a.txt", "fine\n");
    assert_eq!(site.run_one("sub/a.txt").findings, []);
    site.put("sub/a.txt", "one\nBAD\n");
    site.started();
    assert!(site.run_one("sub/a.txt").cached);
    assert_eq!(site.started(), [""; 0]);
}

#[test]
fn a_changed_config_invalidates_results() {
    let site = site();
    site.run_one("sub/a.txt");
    site.started();
    for config in ["bad.toml", "sub/bad.toml"] {
        site.put(config, "x = 1\n");
        site.run_one("sub/a.txt");
        assert_eq!(site.started(), ["finds-bad"], "{config}");
        site.put(config, "x = 2\n");
        site.run_one("sub/a.txt");
        assert_eq!(site.started(), ["finds-bad"], "{config}");
    }
    site.put("other/bad.toml", "x = 1\n");
    site.put("trim.toml", "x = 1\n");
    site.run_one("sub/a.txt");
    assert_eq!(site.started(), [""; 0]);
}

#[test]
fn a_changed_program_invalidates_results() {
    let mut site = site();
    site.run_one("sub/a.txt");
    site.started();
    site.finds_bad().configs = Some(words(&["bad.toml"]));
    site.program("finds-bad", "echo \"$1:7:new version\"\n");
    assert_eq!(places(&site.run_one("sub/a.txt").findings), [(7, "BAD")]);
    assert_eq!(site.started(), ["finds-bad"]);
    site.program("trim", "tr a-z A-Z\n");
    site.run_one("sub/a.txt");
    assert_eq!(site.read("sub/a.txt"), "ONE\nBAD\n");
}

#[test]
fn changed_settings_invalidate_results() {
    let mut site = site();
    site.run_one("sub/a.txt");
    site.finds_bad().ignore = Some(words(&["B*"]));
    assert_eq!(site.run_one("sub/a.txt").findings, []);
}

#[test]
fn only_files_without_a_result_are_checked() {
    let mut site = site();
    site.put("b.txt", "BAD\n");
    site.finds_bad();
    site.run(&["sub/a.txt", "b.txt"]);
    site.put("b.txt", "BAD\nBAD\n");
    site.program("finds-bad-in-input", "exit 9\n");
    site.started();
    let report = site.run(&["sub/a.txt", "b.txt"]);
    assert_eq!(places(&report.files[0].findings), [(2, "BAD")]);
    assert_eq!(places(&report.files[1].findings), [(1, "BAD"), (2, "BAD")]);
    assert!(report.files[0].cached && !report.files[1].cached);
    assert_eq!(site.started(), ["trim", "finds-bad"]);
}

#[test]
fn a_linter_that_reads_the_project_notices_other_files() {
    let mut site = Site::new(&[("a.txt", "x\n"), ("b.txt", "x\n"), ("c.md", "x\n"), ("skip/d.txt", "x\n")]);
    site.finds_bad().reads = Some(Reads::Project);
    site.settings.exclude.push("skip/**".to_owned());
    site.run_one("a.txt");
    assert_eq!(site.started(), ["finds-bad"]);
    site.put("c.md", "other\n");
    site.put("skip/d.txt", "other\n");
    assert!(site.run_one("a.txt").cached);
    site.put("b.txt", "other\n");
    assert!(!site.run_one("a.txt").cached);
    assert_eq!(site.started(), ["finds-bad"]);
}

#[test]
fn defect_28_nothing_runs_twice_when_no_model_is_asked() {
    for model in [ModelUse::Never, ModelUse::Allowed] {
        let mut site = site();
        site.model = model;
        assert_eq!(places(&site.run_one("sub/a.txt").findings), [(2, "BAD")]);
        assert_eq!(site.started(), ["trim", "finds-bad"]);
    }
}

/// A linter that finds nothing.
fn silent(site: &mut Site, name: &str, script: &str) {
    site.program(name, script);
    let check = Check {
        command: words(&[name, "{file}"]),
        output: Output::Lines(LINES.to_owned()),
        ..Check::default()
    };
    site.linter(name, Entry { check: Some(check), ..Entry::default() });
}

#[test]
fn the_slowest_linter_starts_first() {
    let mut site = Site::new(&[("a.txt", "x\n")]);
    site.settings.processes = 1;
    let gate = site.beside("gate");
    assert!(Command::new("mkfifo").arg(&gate).status().unwrap().success());
    silent(&mut site, "quick", "exit 0\n");
    // The first time it waits at the gate.
    silent(&mut site, "slow", &format!("test -p '{0}' || exit 0\nread -r line < '{0}'\n", gate.display()));
    let begin = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut open = OpenOptions::new().write(true).open(&gate).unwrap();
            // All that was before, and so the quick one too, took this long at the most.
            let (slow, before) = (Instant::now(), begin.elapsed());
            while slow.elapsed() <= before * 2 {
                std::thread::yield_now();
            }
            std::fs::remove_file(&gate).unwrap();
            open.write_all(b"go\n").unwrap();
        });
        site.run_one("a.txt");
    });
    assert_eq!(site.started(), ["quick", "slow"]);
    site.put("a.txt", "y\n");
    site.run_one("a.txt");
    assert_eq!(site.started(), ["slow", "quick"]);
}

#[test]
fn all_linters_of_a_file_run_at_the_same_time() {
    let mut site = Site::new(&[("a.txt", "x\n")]);
    site.settings.processes = 2;
    for (name, other) in [("one", "two"), ("two", "one")] {
        // Each waits for the other: one after the other they would never end.
        let place = |name: &str| site.beside(&format!("{name}-is-here")).display().to_string();
        let (own, others) = (place(name), place(other));
        silent(&mut site, name, &format!("touch '{own}'\nuntil test -e '{others}'; do sleep 0.01; done\n"));
    }
    assert_eq!(site.run_one("a.txt").linters, ["one", "two"]);
}

#[test]
fn progress_ends_where_it_should() {
    let site = site();
    for _ in 0..2 {
        let seen = RefCell::new(Vec::new());
        site.run_with(&["sub/a.txt"], &|progress| {
            seen.borrow_mut().push((progress.doing.to_owned(), progress.done, progress.total));
        });
        let last = seen.borrow().last().cloned();
        assert_eq!(last, Some(("finds-bad".to_owned(), 2, 2)));
    }
}

#[test]
fn a_linter_that_reads_the_project_notices_what_is_installed() {
    let mut site = Site::new(&[("a.txt", "x\n"), ("web/b.txt", "x\n")]);
    site.settings.exclude.push("**/node_modules/**".to_owned());
    site.finds_bad().reads = Some(Reads::Project);
    site.run_one("a.txt");
    assert!(site.run_one("a.txt").cached);
    for name in [".venv/lib/python3.12/site-packages/new/x.py", "web/node_modules/.package-lock.json"] {
        site.put(name, "{}");
        assert!(!site.run_one("a.txt").cached, "{name}");
        assert!(site.run_one("a.txt").cached, "{name}");
    }
    site.put("web/node_modules/.package-lock.json", "{ }");
    assert!(!site.run_one("a.txt").cached);
}

#[test]
fn a_config_that_another_config_names_counts() {
    let site = site();
    site.put("bad.toml", "extend = \"shared/base.toml\"\n");
    site.put("shared/base.toml", "extend = './more.toml'\n");
    site.run_one("sub/a.txt");
    assert!(site.run_one("sub/a.txt").cached);
    for name in ["shared/base.toml", "shared/more.toml"] {
        site.put(name, "extend = './more.toml' # another\n");
        assert!(!site.run_one("sub/a.txt").cached, "{name}");
        assert!(site.run_one("sub/a.txt").cached, "{name}");
    }
}

#[test]
fn a_config_above_the_root_counts() {
    let site = site();
    site.run_one("sub/a.txt");
    std::fs::write(site.beside("bad.toml"), "x = 1\n").unwrap();
    assert!(!site.run_one("sub/a.txt").cached);
    assert!(site.run_one("sub/a.txt").cached);
}
