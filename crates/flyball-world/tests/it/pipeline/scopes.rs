//! Old findings are left out, by a real repository.

use flyball_quality::scope::Base;
use flyball_quality::settings::Scope;

use crate::pipeline::site::{Site, places};

/// A committed file with two old findings, to which a third came on a new line.
fn site(scope: Scope) -> Site {
    let mut site = Site::new(&[("sub/a.txt", "BAD old\nfine\nBAD old\n")]);
    site.finds_bad();
    site.commit();
    site.put("sub/a.txt", "new\nBAD old\nfine\nBAD old\nBAD new\n");
    site.scope(scope);
    site
}

#[test]
fn the_whole_file_counts_by_default() {
    let report = site(Scope::File).run_one("sub/a.txt");
    assert_eq!(places(&report.findings), [(2, "BAD"), (4, "BAD"), (5, "BAD")]);
    assert_eq!(report.old, 0);
}

#[test]
fn only_changed_lines_or_new_findings_count() {
    for scope in [Scope::ChangedLines, Scope::New] {
        let site = site(scope);
        let report = site.run_one("sub/a.txt");
        assert_eq!(places(&report.findings), [(5, "BAD")], "{scope:?}");
        assert_eq!(report.old, 2, "{scope:?}");
        let again = site.run_one("sub/a.txt");
        assert_eq!(again.findings, report.findings, "{scope:?}");
        assert!(again.cached, "{scope:?}");
    }
}

#[test]
fn what_a_file_was_is_looked_at_once() {
    let site = site(Scope::New);
    site.run_one("sub/a.txt");
    let mut started = site.started();
    started.sort_unstable();
    assert_eq!(started, ["finds-bad", "finds-bad-in-input"]);
    site.put("sub/a.txt", "BAD old\nfine\nBAD old\nBAD newer\n");
    assert_eq!(places(&site.run_one("sub/a.txt").findings), [(4, "BAD")]);
    assert_eq!(site.started(), ["finds-bad"]);
}

#[test]
fn a_linter_that_reads_no_input_reports_changed_lines() {
    let mut site = site(Scope::New);
    site.finds_bad().check.as_mut().unwrap().stdin_command.clear();
    let report = site.run_one("sub/a.txt");
    assert_eq!(places(&report.findings), [(5, "BAD")]);
    assert_eq!(report.old, 2);
}

#[test]
fn an_unchanged_file_has_nothing_new() {
    for scope in [Scope::ChangedLines, Scope::New] {
        let site = site(scope);
        site.git(&["checkout", "-q", "--", "sub/a.txt"]);
        let report = site.run_one("sub/a.txt");
        assert_eq!((report.findings.len(), report.old), (0, 2), "{scope:?}");
    }
}

#[test]
fn all_is_new_in_a_file_that_git_does_not_know() {
    for scope in [Scope::ChangedLines, Scope::New] {
        let mut site = site(scope);
        site.put("b.txt", "BAD\n");
        assert_eq!(places(&site.run_one("b.txt").findings), [(1, "BAD")], "{scope:?}");
        // A commit of another repository, as in a submodule: the last one counts.
        site.base = Base::Commit("no-such-commit".to_owned());
        assert_eq!(site.run_one("sub/a.txt").findings.len(), 1, "{scope:?}");
        site.base = Base::Commit("--output=x".to_owned());
        assert_eq!(site.run_one("sub/a.txt").findings.len(), 3, "{scope:?}");
        let mut bare = Site::new(&[("a.txt", "BAD\n")]);
        bare.finds_bad();
        bare.scope(scope);
        assert_eq!(places(&bare.run_one("a.txt").findings), [(1, "BAD")], "{scope:?}");
    }
}

#[test]
fn the_base_may_be_a_commit_or_the_index() {
    let mut site = site(Scope::ChangedLines);
    site.git(&["add", "sub/a.txt"]);
    site.base = Base::Index;
    assert_eq!(site.run_one("sub/a.txt").findings, []);
    site.base = Base::Head;
    assert_eq!(places(&site.run_one("sub/a.txt").findings), [(5, "BAD")]);
    site.git(&["commit", "-q", "-m", "second"]);
    assert_eq!(site.run_one("sub/a.txt").findings, []);
    site.base = Base::Commit("HEAD~1".to_owned());
    assert_eq!(places(&site.run_one("sub/a.txt").findings), [(5, "BAD")]);
}

#[test]
fn a_file_of_a_repository_inside_is_compared_with_what_it_was_there() {
    let mut site = site(Scope::New);
    let inner = site.root().join("inner");
    site.put("inner/b.txt", "BAD old\n");
    let path = inner.to_str().unwrap();
    site.git(&["-C", path, "init", "-q"]);
    site.git(&["-C", path, "add", "."]);
    site.git(&["-C", path, "commit", "-q", "-m", "x"]);
    site.put("inner/b.txt", "BAD old\nBAD new\n");
    for scope in [Scope::New, Scope::ChangedLines] {
        site.scope(scope);
        assert_eq!(places(&site.run_one("inner/b.txt").findings), [(2, "BAD")], "{scope:?}");
    }
}
