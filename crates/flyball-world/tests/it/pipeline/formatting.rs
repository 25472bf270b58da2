//! Files are formatted in place, whole or not at all, and only if they change.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use flyball_quality::linter::{Entry, Filter};
use flyball_quality::pipeline::Write;
use flyball_quality::report::{FailureKind, Formatted};

use crate::pipeline::site::{Site, mode, places, words};

/// Removes trailing blanks.
const TRIM: [&str; 2] = ["sed", "s/ *$//"];

#[test]
fn filters_work_one_after_the_other_and_the_result_is_written_once() {
    let mut site = Site::new(&[("a.txt", "one  \ntwo\n")]);
    site.formatter("trim", &TRIM);
    site.formatter("shout", &["tr", "a-z", "A-Z"]);
    let report = site.run_one("a.txt");
    assert_eq!(report.format, Formatted::Rewritten);
    assert_eq!(report.linters, ["trim", "shout"]);
    assert_eq!(site.read("a.txt"), "ONE\nTWO\n");
    let again = site.run_one("a.txt");
    assert_eq!(again.format, Formatted::Already);
    assert!(again.cached);
}

#[test]
fn a_formatted_file_is_not_touched() {
    let mut site = Site::new(&[("a.txt", "one\n")]);
    site.formatter("trim", &TRIM);
    let before = fs::metadata(site.root().join("a.txt")).unwrap();
    assert_eq!(site.run_one("a.txt").format, Formatted::Already);
    let after = fs::metadata(site.root().join("a.txt")).unwrap();
    assert_eq!((before.ino(), before.ctime_nsec()), (after.ino(), after.ctime_nsec()));
}

#[test]
fn nothing_is_written_when_nothing_may_be() {
    let mut site = Site::new(&[("a.txt", "one  \nBAD \n")]);
    site.formatter("trim", &TRIM);
    site.finds_bad();
    site.write = Write::No;
    for _ in 0..2 {
        let report = site.run_one("a.txt");
        assert_eq!(report.format, Formatted::Due);
        assert_eq!(places(&report.findings), [(2, "BAD")]);
        assert_eq!(site.read("a.txt"), "one  \nBAD \n");
    }
    let mut left = fs::read_dir(site.root()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(left.all(|name| name == "a.txt" || name == ".venv"));
}

#[test]
fn mode_and_symlinks_stay() {
    let mut site = Site::new(&[("real/a.txt", "one  \n")]);
    site.formatter("trim", &TRIM);
    let path = site.root().join("real/a.txt");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    symlink("real/a.txt", site.root().join("link.txt")).unwrap();
    site.run_one("real/a.txt");
    assert_eq!(site.read("link.txt"), "one\n");
    assert_eq!(mode(&path), 0o750);
    assert!(fs::symlink_metadata(site.root().join("link.txt")).unwrap().is_symlink());
}

#[test]
fn a_filter_that_fails_changes_nothing_and_the_others_go_on() {
    let scripts = ["cat\nexit 3\n", "exit 0\n", "printf '\\377\\n'\n", "cat > /dev/null\nkill -9 $$\n"];
    for script in scripts {
        let mut site = Site::new(&[("a.txt", "one  \n")]);
        site.program("odd", script);
        site.formatter("odd", &["odd"]);
        site.formatter("trim", &TRIM);
        let report = site.run(&["a.txt"]);
        assert_eq!(report.troubles.len(), 1, "{script}");
        assert_eq!(report.troubles[0].linter, "odd", "{script}");
        assert_eq!(report.troubles[0].kind, FailureKind::Failed, "{script}");
        assert_eq!(report.files[0].linters, ["trim"], "{script}");
        assert_eq!(site.read("a.txt"), "one\n", "{script}");
    }
}

#[test]
fn a_filter_that_fails_over_what_its_check_reports_is_not_reported() {
    let mut site = Site::new(&[("a.txt", "BAD\n")]);
    site.program("odd", "exit 3\n");
    let filter = Filter { command: words(&["odd"]), ..Filter::default() };
    site.finds_bad().format = Some(vec![filter]);
    assert_eq!(places(&site.run_one("a.txt").findings), [(1, "BAD")]);
    assert_eq!(site.started(), ["odd", "finds-bad"]);
    assert!(site.run_one("a.txt").cached);
    assert_eq!(site.started(), [""; 0]);
    site.put("a.txt", "fine\n");
    assert_eq!(site.run(&["a.txt"]).troubles.len(), 1);
}

#[test]
fn a_file_that_another_process_writes_meanwhile_is_left_alone() {
    let mut site = Site::new(&[("a.txt", "one  \n")]);
    let path = site.root().join("a.txt");
    site.program("slow", &format!("printf 'theirs BAD\\n' > '{}'\nsed 's/ *$//'\n", path.display()));
    site.formatter("slow", &["slow"]);
    site.finds_bad();
    let report = site.run_one("a.txt");
    assert_eq!(report.format, Formatted::Overtaken);
    assert_eq!(site.read("a.txt"), "theirs BAD\n");
    // What they wrote is what is checked.
    assert_eq!(places(&report.findings), [(1, "BAD")]);
}

#[test]
fn a_result_about_another_content_is_not_cached() {
    let mut site = Site::new(&[("a.txt", "fine\n")]);
    site.finds_bad();
    let path = site.root().join("a.txt");
    let script =
        format!("printf 'BAD\\n' > '{0}'\ngrep -Hn BAD -- a.txt\nprintf 'fine\\n' > '{0}'\n", path.display());
    // While it ran the file was another one, and at its end it is changed again.
    site.program("finds-bad", &script.replace("printf 'fine\\n'", "printf 'other\\n'"));
    site.run(&["a.txt"]);
    site.put("a.txt", "fine\n");
    site.started();
    site.run(&["a.txt"]);
    assert_eq!(site.started(), ["finds-bad"]);
}

#[test]
fn a_filter_that_works_in_place_is_undone_if_it_fails() {
    let mut site = Site::new(&[("a.txt", "one  \n"), ("b.txt", "two  \n")]);
    site.program("edits", "sed -i 's/ *$//' -- \"$1\"\ncase $1 in b*) exit 1;; esac\n");
    let filter = Filter { command: words(&["edits", "{file}"]), in_place: true, ..Filter::default() };
    site.linter("edits", Entry { format: Some(vec![filter]), ..Entry::default() });
    site.write = Write::No;
    let report = site.run(&["a.txt", "b.txt"]);
    assert_eq!(site.started(), [""; 0]);
    assert_eq!(report.files[0].format, Formatted::Already);
    site.write = Write::Yes;
    let report = site.run(&["a.txt", "b.txt"]);
    assert_eq!(report.files[0].format, Formatted::Rewritten);
    assert_eq!(report.files[1].format, Formatted::Already);
    assert_eq!(report.troubles[0].files, ["b.txt"]);
    assert_eq!((site.read("a.txt").as_str(), site.read("b.txt").as_str()), ("one\n", "two  \n"));
}

/// Twenty files of which every second is to be formatted, and a formatter for many.
fn many() -> (Site, Vec<String>) {
    let names: Vec<String> = (0..20).map(|at| format!("{at}.txt")).collect();
    let mut site = Site::new(&[]);
    for (at, name) in names.iter().enumerate() {
        site.put(name, if at % 2 == 0 { "one  \n" } else { "one\n" });
    }
    site.program("one", "sed 's/ *$//'\n");
    site.program("many", "sed -i 's/ *$//' -- \"$@\"\n");
    site.program("lists", "grep -l ' $' -- \"$@\"\ntest $? -le 1\n");
    let filter = Filter {
        command: words(&["one"]),
        many: words(&["many", "{files}"]),
        list: words(&["lists", "{files}"]),
        listed: "^(?<file>.+)$".to_owned(),
        ..Filter::default()
    };
    site.linter("trim", Entry { format: Some(vec![filter]), ..Entry::default() });
    site.formatter("shout", &["tr", "a-z", "A-Z"]);
    (site, names)
}

#[test]
fn many_files_go_through_one_command() {
    let (site, names) = many();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = site.run(&names);
    assert_eq!(report.troubles, []);
    let started = site.started();
    assert!(started.len() <= 2 && started.iter().all(|name| name == "many"), "{started:?}");
    assert!(report.files.iter().all(|file| file.format == Formatted::Rewritten));
    assert!(names.iter().all(|name| site.read(name) == "ONE\n"));
    assert!(site.run(&names).files.iter().all(|file| file.cached));
    assert_eq!(site.started(), [""; 0]);
}

#[test]
fn many_files_are_listed_when_nothing_may_be_written() {
    let (mut site, names) = many();
    site.settings.linters.pop();
    site.write = Write::No;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = site.run(&names);
    assert!(site.started().iter().all(|name| name == "lists"));
    for (at, file) in report.files.iter().enumerate() {
        let expected = if at % 2 == 0 { Formatted::Due } else { Formatted::Already };
        assert_eq!(file.format, expected, "{}", file.file);
    }
}

#[test]
fn a_command_for_many_that_fails_is_undone_and_each_goes_by_itself() {
    let (site, names) = many();
    site.program("many", "for file in \"$@\"; do echo broken > \"$file\"; done\nexit 2\n");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = site.run(&names);
    assert_eq!(report.troubles, []);
    assert!(names.iter().all(|name| site.read(name) == "ONE\n"));
}

#[test]
fn nothing_is_formatted_if_that_is_switched_off() {
    let mut site = Site::new(&[("a.txt", "one  \n")]);
    site.formatter("trim", &TRIM);
    site.settings.format = flyball_quality::settings::Format::Never;
    assert_eq!(site.run_one("a.txt").format, Formatted::Already);
    assert_eq!(site.read("a.txt"), "one  \n");
}

#[test]
fn what_another_process_wrote_is_not_cached_as_the_result_of_a_filter() {
    let mut site = Site::new(&[("a.txt", "one  \n")]);
    // The first time another process is faster.
    let script =
        "sed -i 's/ *$//' -- \"$1\"\nif ! test -e once; then echo > once; printf 'theirs\\n' > \"$1\"; fi\n";
    site.program("edits", script);
    let filter = Filter { command: words(&["edits", "{file}"]), in_place: true, ..Filter::default() };
    site.linter("edits", Entry { format: Some(vec![filter]), ..Entry::default() });
    site.run_one("a.txt");
    assert_eq!(site.read("a.txt"), "theirs\n");
    site.put("a.txt", "one  \n");
    site.run_one("a.txt");
    assert_eq!(site.read("a.txt"), "one\n");
}

#[test]
fn a_chain_that_was_overtaken_is_not_cached() {
    let mut site = Site::new(&[("a.txt", "one  \n")]);
    let script = "if ! test -e once; then echo > once; printf 'theirs\\n' > a.txt; fi\nsed 's/ *$//'\n";
    site.program("trim", script);
    site.program("shouts", "sed -i 's/one/ONE/' -- \"$1\"\n");
    let trim = Filter { command: words(&["trim"]), ..Filter::default() };
    let shouts = Filter { command: words(&["shouts", "{file}"]), in_place: true, ..Filter::default() };
    site.linter("both", Entry { format: Some(vec![trim, shouts]), ..Entry::default() });
    assert_eq!(site.run_one("a.txt").format, Formatted::Overtaken);
    site.put("a.txt", "one  \n");
    assert_eq!(site.run_one("a.txt").format, Formatted::Rewritten);
    assert_eq!(site.read("a.txt"), "ONE\n");
}

#[test]
fn a_command_for_many_that_crashes_is_not_taken_for_one_that_had_nothing_to_do() {
    let (site, names) = many();
    site.program("many", "echo 'Traceback' >&2\nexit 1\n");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = site.run(&names);
    assert_eq!(report.troubles, []);
    assert!(names.iter().all(|name| site.read(name) == "ONE\n"));
}
