//! Real commands on real repositories: what is run, what is not run again, and what is told.

use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::Ordering;

use flyball_core::config::Mode;
use flyball_core::event::{Event, EventData, Outcome, SessionId, Stopping, Tool, ToolCall};
use flyball_core::path::AbsolutePath;
use flyball_core::world::{Clock, Files};

use super::super::super::test_workshop::{Git, TestWorkshop};
use super::super::POLICY;
use super::super::settings::Settings;
use super::super::state::{DomainState, FileState, State};
use super::{DueProof, Proof, Prover};
use crate::testing::event;

const RUST: &str = r#"
    run_time = "20s"
    [[phase]]
    name = "test"
    run = "sh check"
    [[phase]]
    name = "lint"
    [[domain]]
    name = "core"
    paths = ["core/**"]
    [[domain]]
    name = "web"
    paths = ["web/**"]
    run = { lint = "sh lint" }
"#;

fn settings(text: &str) -> Settings {
    toml::from_str(text).unwrap()
}

fn due(domain: &str, command: &str) -> DueProof {
    DueProof { domain: domain.to_owned(), phase: "test".to_owned(), command: command.to_owned(), content: 7 }
}

fn proof(due: &DueProof, passed: bool, tail: &str) -> Proof {
    let DueProof { domain, phase, command, content: on } = due.clone();
    Proof { domain, phase, command, content: on, passed, tail: tail.to_owned() }
}

fn stop(bench: &TestWorkshop) -> Event {
    at(bench, EventData::Stop(Stopping::default()))
}

fn at(bench: &TestWorkshop, happening: EventData) -> Event {
    Event { cwd: AbsolutePath::from_path(&bench.path("")), ..event(happening) }
}

/// What is proved, and what was run for it.
fn proved(bench: &TestWorkshop, due: &[DueProof]) -> (Vec<Proof>, Vec<String>) {
    proved_by(bench, &stop(bench), due)
}

fn proved_by(bench: &TestWorkshop, event: &Event, due: &[DueProof]) -> (Vec<Proof>, Vec<String>) {
    let section = TestWorkshop::section(&POLICY, Mode::Enforce);
    let situation = bench.situation(&POLICY, event, &section);
    let proofs = Prover { situation: &situation, workshop: bench, settings: &settings(RUST) }.prove(due);
    (proofs, bench.take_command_lines())
}

fn repository() -> TestWorkshop {
    TestWorkshop::repository(&[
        ("core/a.rs", "1"),
        ("web/a.ts", "1"),
        ("README.md", "1"),
        (".gitignore", "*.log\n"),
    ])
}

/// How often a command is run, if what `change` does happens between two stops.
fn runs_after(bench: &TestWorkshop, change: impl FnOnce(&TestWorkshop)) -> usize {
    let due = [due("core", "true")];
    assert_eq!(proved(bench, &due).1, ["true"], "the first time");
    assert_eq!(proved(bench, &due).1, Vec::<String>::new(), "nothing happened");
    change(bench);
    proved(bench, &due).1.len()
}

#[test]
fn a_command_that_exits_with_0_passes() {
    let due = due("core", "echo 3 passed");
    let (proofs, ran) = proved(&repository(), std::slice::from_ref(&due));
    assert_eq!((proofs, ran), (vec![proof(&due, true, "exit code 0\n3 passed")], vec![due.command]));
}

#[test]
fn a_command_that_fails_is_told_with_its_end_and_not_run_again() {
    let bench = repository();
    let due = due("core", "seq 100; echo 'error: \u{1b}[31mno\u{1b}[0m' >&2; exit 3");
    let lines: Vec<String> = (62..=100).map(|number| number.to_string()).collect();
    let expected = vec![proof(&due, false, &format!("exit code 3\n{}\nerror: no", lines.join("\n")))];
    let (first, ran) = proved(&bench, std::slice::from_ref(&due));
    assert_eq!((first, ran.len()), (expected.clone(), 1));
    let (second, ran) = proved(&bench, &[due]);
    assert_eq!((second, ran.len()), (expected, 0));
}

#[test]
fn trouble_with_the_machine_is_no_failure_of_the_code_and_is_tried_again() {
    let late = settings("run_time = '1s'\n[[domain]]\nname = 'core'\npaths = ['core/**']\n");
    let bench = repository();
    let event = stop(&bench);
    let section = TestWorkshop::section(&POLICY, Mode::Enforce);
    let situation = bench.situation(&POLICY, &event, &section);
    let cases = [
        (
            "late",
            "echo begun; sleep 600",
            "no verdict on the code: stopped after 1 s. Raise `run_time` in flyball.toml, or use a faster command\nbegun",
        ),
        (
            "killed",
            "kill -KILL $$",
            "no verdict on the code: killed by signal 9. Something else ended it: a person, or the system (out of memory)\n(no output)",
        ),
        (
            "killed below a shell, in its words",
            "exit 143",
            "no verdict on the code: killed by signal 15. Something else ended it: a person, or the system (out of memory)\n(no output)",
        ),
        (
            "not found",
            "no-such-program-here 2>/dev/null",
            "no verdict on the code: could not start: exit code 127. Install what it needs, or fix the command in flyball.toml\n(no output)",
        ),
    ];
    for (name, command, tail) in cases {
        let due = [due("core", command)];
        for _ in 0..2 {
            let proofs = Prover { situation: &situation, workshop: &bench, settings: &late }.prove(&due);
            assert_eq!(proofs, [proof(&due[0], false, tail)], "{name}");
            assert!(!proofs[0].has_verdict(), "{name}");
            assert_eq!(bench.take_command_lines().len(), 1, "{name}");
        }
    }
}

#[test]
fn a_program_that_crashes_has_failed() {
    let bench = repository();
    let due = [due("core", "kill -SEGV $$")];
    let (proofs, _) = proved(&bench, &due);
    assert_eq!(proofs, [proof(&due[0], false, "killed by signal 11\n(no output)")]);
    assert!(proofs[0].has_verdict());
    assert_eq!(proved(&bench, &due).1.len(), 0);
}

#[test]
fn a_folder_that_is_gone_is_told_as_such() {
    let bench = TestWorkshop::bare();
    std::fs::remove_dir(bench.path("")).unwrap();
    let due = [due("core", "true")];
    let (proofs, _) = proved(&bench, &due);
    assert!(proofs[0].tail.starts_with("no verdict on the code: could not start: "), "{proofs:?}");
}

#[test]
fn nothing_is_begun_for_which_there_is_no_time() {
    let bench = repository();
    bench.micros.store(569_500_000, Ordering::Relaxed);
    let due = [due("core", "true")];
    let tail = "no verdict on the code: no time was left. Stop again: finished commands are not run again";
    assert_eq!(proved(&bench, &due), (vec![proof(&due[0], false, tail)], Vec::new()));
    bench.micros.store(0, Ordering::Relaxed);
    assert_eq!(proved(&bench, &due).1, ["true"]);
}

#[test]
fn a_change_of_any_covered_file_by_anyone_needs_another_run() {
    type Change = fn(&TestWorkshop);
    let cases: [(&str, Change, usize); 12] = [
        ("a file that nobody edited yet", |bench| bench.write("core/a.rs", "2"), 1),
        ("a new file", |bench| bench.write("core/b.rs", "2"), 1),
        ("a new folder", |bench| bench.write("core/deep/er/b.rs", "2"), 1),
        ("a file that goes", |bench| bench.remove("core/a.rs"), 1),
        (
            "a change that is only staged",
            |bench| {
                bench.write("core/a.rs", "2");
                bench.do_git(&["add", "core/a.rs"]);
            },
            1,
        ),
        (
            "a change that is committed at once",
            |bench| {
                bench.write("core/a.rs", "2");
                bench.commit();
            },
            1,
        ),
        ("a name with a line break, a space and umlauts", |bench| bench.write("core/ä b\nc\"d.rs", "2"), 1),
        ("another domain", |bench| bench.write("web/a.ts", "2"), 0),
        ("no domain", |bench| bench.write("README.md", "2"), 0),
        ("what git ignores", |bench| bench.write("core/a.log", "2"), 0),
        (
            "a change that is undone",
            |bench| {
                bench.write("core/a.rs", "2");
                bench.write("core/a.rs", "1");
            },
            0,
        ),
        (
            "a commit of other files",
            |bench| {
                bench.write("README.md", "2");
                bench.commit();
            },
            0,
        ),
    ];
    for (name, change, runs) in cases {
        assert_eq!(runs_after(&repository(), change), runs, "{name}");
    }
}

#[test]
fn committing_the_work_changes_nothing() {
    let bench = repository();
    bench.write("core/a.rs", "2");
    bench.write("core/new file ü.rs", "2");
    bench.remove("README.md");
    assert_eq!(runs_after(&bench, TestWorkshop::commit), 0);
    bench.write("core/new file ü.rs", "3");
    assert_eq!(proved(&bench, &[due("core", "true")]).1.len(), 1);
}

#[test]
fn a_repository_without_a_commit_will_do() {
    let bench = TestWorkshop::repository(&[]);
    bench.write("core/a.rs", "1");
    assert_eq!(runs_after(&bench, TestWorkshop::commit), 0);
    bench.write("core/a.rs", "2");
    assert_eq!(proved(&bench, &[due("core", "true")]).1.len(), 1);
}

#[test]
fn a_project_below_the_root_of_a_repository_is_looked_at_alone() {
    // `project` is a folder of the repository here.
    let bench = TestWorkshop::bare();
    bench.write("core/a.rs", "1");
    let outer = |words: &[&str]| bench.do_git(&[&["-C", ".."], words].concat());
    outer(&["init", "--quiet"]);
    outer(&["add", "--all"]);
    outer(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message=c"]);
    let elsewhere = |bench: &TestWorkshop| std::fs::write(bench.path("../core"), "2").unwrap();
    assert_eq!(runs_after(&bench, elsewhere), 0);
    bench.write("core/a.rs", "2");
    assert_eq!(proved(&bench, &[due("core", "true")]).1.len(), 1);
}

#[test]
fn a_repository_inside_is_looked_into() {
    let bench = repository();
    bench.write("core/inner/a.rs", "1");
    let inner = |words: &[&str]| bench.do_git(&[&["-C", "core/inner"], words].concat());
    inner(&["init", "--quiet"]);
    inner(&["add", "--all"]);
    inner(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message=c"]);
    assert_eq!(runs_after(&bench, |bench| bench.write("core/inner/a.rs", "2")), 1);
}

#[test]
fn a_commit_that_is_gone_is_a_new_beginning() {
    let bench = repository();
    let due = [due("core", "true")];
    proved(&bench, &due);
    std::fs::remove_dir_all(bench.path(".git")).unwrap();
    bench.do_git(&["init", "--quiet"]);
    bench.write("core/a.rs", "2");
    bench.commit();
    assert_eq!(proved(&bench, &due).1.len(), 1);
    assert_eq!(proved(&bench, &due).1.len(), 0);
}

#[test]
fn without_git_the_edited_files_count() {
    let bench = TestWorkshop::bare();
    let edited = due("core", "true");
    assert_eq!(proved(&bench, std::slice::from_ref(&edited)).1.len(), 1);
    assert_eq!(proved(&bench, std::slice::from_ref(&edited)).1.len(), 0);
    assert_eq!(proved(&bench, &[DueProof { content: 8, ..edited }]).1.len(), 1);
}

#[test]
fn edited_files_count_also_where_git_does_not_look() {
    let bench = repository();
    let edited = due("core", "true");
    proved(&bench, std::slice::from_ref(&edited));
    assert_eq!(proved(&bench, &[DueProof { content: 8, ..edited }]).1.len(), 1);
}

#[test]
fn where_the_content_is_not_known_it_is_run_every_time() {
    for git in [Git::Endless, Git::Hangs] {
        let mut bench = repository();
        bench.git = git;
        let due = [due("core", "true")];
        for _ in 0..2 {
            assert_eq!(
                proved(&bench, &due),
                (vec![proof(&due[0], true, "exit code 0\n(no output)")], vec!["true".to_owned()])
            );
        }
    }
    let bench = repository();
    let odd = bench.path("core").join(std::ffi::OsStr::from_bytes(b"\xff.rs"));
    // Not every file system takes such a name.
    if std::fs::write(odd, "1").is_ok() {
        let due = [due("core", "true")];
        assert_eq!((proved(&bench, &due).1.len(), proved(&bench, &due).1.len()), (1, 1));
    }
}

#[test]
fn what_changes_the_code_while_it_runs_is_not_kept() {
    let bench = repository();
    let due = [due("core", "echo x >> core/a.rs")];
    assert_eq!((proved(&bench, &due).1.len(), proved(&bench, &due).1.len()), (1, 1));
}

#[test]
fn the_same_command_of_two_domains_is_run_once() {
    let bench = repository();
    let both = [due("core", "exit 1"), due("web", "true"), due("web", "exit 1")];
    let (proofs, ran) = proved(&bench, &both);
    assert_eq!(ran, ["exit 1", "true"]);
    let passed: Vec<(&str, bool)> =
        proofs.iter().map(|proof| (proof.domain.as_str(), proof.passed)).collect();
    assert_eq!(passed, [("core", false), ("web", true), ("web", false)]);
    assert_eq!(proved(&bench, &both).1.len(), 0);
    // The change of one of them is no reason to forget the other.
    bench.write("web/a.ts", "2");
    assert_eq!(proved(&bench, &both[..1]).1.len(), 0);
    assert_eq!(proved(&bench, &both[1..]).1, ["true", "exit 1"]);
}

#[test]
fn another_session_proves_for_itself() {
    let bench = repository();
    let due = [due("core", "true")];
    proved(&bench, &due);
    let other = Event { session: SessionId::new("s2"), ..stop(&bench) };
    assert_eq!(proved_by(&bench, &other, &due).1.len(), 1);
}

#[test]
fn a_suite_that_starts_an_agent_starts_no_suite_again() {
    let bench = repository();
    // The variable is set for what is run.
    assert!(proved(&bench, &[due("core", "test \"$FLYBALL_IN_LOOP\" = 1")]).0[0].passed);
    let inner = repository().with("FLYBALL_IN_LOOP", "1");
    assert_eq!(proved(&inner, &[due("core", "true")]), (Vec::new(), Vec::new()));
}

#[test]
fn who_only_observes_runs_nothing() {
    let bench = repository();
    let event = stop(&bench);
    let section = TestWorkshop::section(&POLICY, Mode::Observe);
    let situation = bench.situation(&POLICY, &event, &section);
    let prover = Prover { situation: &situation, workshop: &bench, settings: &settings(RUST) };
    assert_eq!(prover.prove(&[due("core", "true")]), []);
    assert_eq!(bench.take_command_lines(), Vec::<String>::new());
}

#[test]
fn a_command_reads_nothing_and_runs_at_the_root() {
    let bench = repository();
    assert!(proved(&bench, &[due("core", "read line || test -f core/a.rs")]).0[0].passed);
}

#[test]
fn secrets_are_struck_out() {
    let bench = repository();
    let due = due("core", "echo password=hunter2hunter2; exit 1");
    assert_eq!(
        proved(&bench, std::slice::from_ref(&due)).0,
        [proof(&due, false, "exit code 1\npassword=[redacted]")]
    );
}

/// The state of a session that edited both domains.
fn state() -> State {
    let files = [("core/a.rs".to_owned(), FileState { content: Some(1), ..FileState::default() })].into();
    let domain = DomainState { files, ..DomainState::default() };
    State {
        domains: [("core".to_owned(), domain.clone()), ("web".to_owned(), domain)].into(),
        ..State::default()
    }
}

fn due_of(domain: &str, command: &str) -> DueProof {
    DueProof { content: state().domains["core"].fingerprint(), ..due(domain, command) }
}

fn ran(bench: &TestWorkshop, command: &str) -> Event {
    let tool = Tool::Shell { command: command.to_owned(), background: false };
    let call = ToolCall { id: None, name: "Bash".to_owned(), tool, input: "{}".to_owned() };
    at(
        bench,
        EventData::AfterTool {
            call,
            outcome: Outcome { millis: Some(0), exited_well: true, ..Outcome::default() },
        },
    )
}

fn note(bench: &TestWorkshop, event: &Event) {
    let section = TestWorkshop::section(&POLICY, Mode::Enforce);
    let situation = bench.situation(&POLICY, event, &section);
    let prover = Prover { situation: &situation, workshop: bench, settings: &settings(RUST) };
    prover.note_passed_command(&state());
}

#[test]
fn only_the_command_itself_is_proof_when_it_is_seen() {
    let bench = repository();
    let root = bench.path("").to_string_lossy().trim_end_matches('/').to_owned();
    bench.write("check", "");
    let cases = [
        ("sh check".to_owned(), true),
        ("  sh check \n".to_owned(), true),
        ("sh check 2>&1".to_owned(), true),
        (format!("cd {root} && sh check"), true),
        (format!("cd '{root}' && sh check 2>&1"), true),
        (format!("cd \"{root}\" &&  sh check"), true),
        ("cd . && sh check".to_owned(), true),
        ("cd core && sh check".to_owned(), false),
        ("cd core/.. && sh check".to_owned(), true),
        ("cd - && sh check".to_owned(), false),
        ("cd $HOME && sh check".to_owned(), false),
        ("cd `pwd` && sh check".to_owned(), false),
        (format!("cd {root}; sh check"), false),
        (format!("cd {root} || sh check"), false),
        (format!("cd {root} && sh check && true"), false),
        ("sh check || true".to_owned(), false),
        ("sh check | tail".to_owned(), false),
        ("sh check | tail 2>&1".to_owned(), false),
        ("sh check; echo ok".to_owned(), false),
        ("sh check &".to_owned(), false),
        ("sh check & 2>&1".to_owned(), false),
        ("sh check -- one_test".to_owned(), false),
        ("sh check > /dev/null".to_owned(), false),
        ("sh check --no-run 2>&1".to_owned(), false),
        ("X=1 sh check".to_owned(), false),
        ("echo sh check".to_owned(), false),
        ("# sh check".to_owned(), false),
        ("sh checks".to_owned(), false),
        ("! sh check".to_owned(), false),
        ("".to_owned(), false),
    ];
    for (line, counts) in cases {
        let bench = TestWorkshop::repository(&[("core/a.rs", "1")]);
        let line = line.replace(&root, bench.path("").to_string_lossy().trim_end_matches('/'));
        note(&bench, &ran(&bench, &line));
        let runs = proved(&bench, &[due_of("core", "sh check")]).1.len();
        assert_eq!(runs == 0, counts, "{line}");
    }
}

#[test]
fn what_was_seen_is_proof_for_every_domain_with_that_command_on_that_content() {
    let bench = repository();
    note(&bench, &ran(&bench, "sh check"));
    let both = [due_of("core", "sh check"), due_of("web", "sh check")];
    let seen = "exit code 0, as it was seen in this session";
    assert_eq!(proved(&bench, &both), (both.iter().map(|due| proof(due, true, seen)).collect(), Vec::new()));
    bench.write("web/a.ts", "2");
    assert_eq!(proved(&bench, &both[..1]).1.len(), 0);
    assert_eq!(proved(&bench, &both[1..]).1.len(), 1);
    // The command of another phase was not seen.
    assert_eq!(proved(&bench, &[due_of("web", "sh lint")]).1.len(), 1);
}

#[test]
fn what_ran_elsewhere_failed_or_has_not_ended_is_no_proof() {
    fn ended(outcome: Outcome, background: bool) -> EventData {
        let tool = Tool::Shell { command: "sh check".to_owned(), background };
        let call = ToolCall { id: None, name: "Bash".to_owned(), tool, input: "{}".to_owned() };
        EventData::AfterTool { call, outcome }
    }
    let millis = |millis| Outcome { millis, exited_well: millis.is_some(), ..Outcome::default() };
    let call = || match ended(millis(Some(0)), false) {
        EventData::AfterTool { call, .. } => call,
        _ => unreachable!(),
    };
    let failed = EventData::ToolFailed { call: call(), outcome: millis(Some(0)), interrupted: false };
    let cases = [
        ("as it should be", ended(millis(Some(0)), false), ".", "s1", 0),
        ("elsewhere", ended(millis(Some(0)), false), "core", "s1", 1),
        ("failed", failed, ".", "s1", 1),
        ("before it", EventData::BeforeTool(call()), ".", "s1", 1),
        ("in the background", ended(millis(Some(0)), true), ".", "s1", 1),
        ("from a client that does not know how it ended", ended(millis(None), false), ".", "s1", 1),
        ("in another session", ended(millis(Some(0)), false), ".", "s2", 1),
    ];
    for (name, happening, folder, session, runs) in cases {
        let bench = repository();
        let cwd = AbsolutePath::from_path(&bench.path(folder));
        note(&bench, &Event { cwd, session: SessionId::new(session), ..event(happening) });
        assert_eq!(proved(&bench, &[due_of("core", "sh check")]).1.len(), runs, "{name}");
    }
}

#[test]
fn what_changed_while_it_ran_was_not_proved_by_it() {
    let ran_for = |millis: u64| {
        let bench = repository();
        let mut event = ran(&bench, "sh check");
        if let EventData::AfterTool { outcome, .. } = &mut event.happening {
            outcome.millis = Some(millis);
        }
        bench.write("core/a.rs", "2");
        let file = AbsolutePath::from_path(&bench.path("core/a.rs"));
        while bench.stat(&file).unwrap().changed_millis >= bench.unix_millis() {
            std::thread::yield_now();
        }
        note(&bench, &event);
        proved(&bench, &[due_of("core", "sh check")]).1.len()
    };
    assert_eq!(ran_for(3_600_000), 1, "it began before the change");
    assert_eq!(ran_for(0), 0, "it began after the change");
}
