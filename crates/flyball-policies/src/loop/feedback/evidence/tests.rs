//! Real commands on real repositories: what is run, what is not run again, and what is reported.

use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::Ordering;
use std::time::Duration;

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

fn stop(workshop: &TestWorkshop) -> Event {
    at(workshop, EventData::Stop(Stopping::default()))
}

fn at(workshop: &TestWorkshop, happening: EventData) -> Event {
    Event { cwd: AbsolutePath::from_path(&workshop.path("")), ..event(happening) }
}

/// What is proved, and what was run for it.
fn proved(workshop: &TestWorkshop, due: &[DueProof]) -> (Vec<Proof>, Vec<String>) {
    proved_by(workshop, &stop(workshop), due)
}

fn proved_by(workshop: &TestWorkshop, event: &Event, due: &[DueProof]) -> (Vec<Proof>, Vec<String>) {
    let section = TestWorkshop::section(&POLICY, Mode::Enforce);
    let situation = workshop.situation(&POLICY, event, &section);
    let proofs = Prover { situation: &situation, workshop, settings: &settings(RUST) }.prove(due);
    (proofs, workshop.take_command_lines())
}

fn repository() -> TestWorkshop {
    TestWorkshop::repository(&[
        ("core/a.rs", "1"),
        ("web/a.ts", "1"),
        ("README.md", "1"),
        (".gitignore", "*.log\n"),
    ])
}

/// How often a command is run if `change` happens between two stops.
fn runs_after(workshop: &TestWorkshop, change: impl FnOnce(&TestWorkshop)) -> usize {
    let due = [due("core", "true")];
    assert_eq!(proved(workshop, &due).1, ["true"], "the first time");
    assert_eq!(proved(workshop, &due).1, Vec::<String>::new(), "nothing happened");
    change(workshop);
    proved(workshop, &due).1.len()
}

#[test]
fn a_command_that_exits_with_0_passes() {
    let due = due("core", "echo 3 passed");
    let (proofs, ran) = proved(&repository(), std::slice::from_ref(&due));
    assert_eq!((proofs, ran), (vec![proof(&due, true, "exit code 0\n3 passed")], vec![due.command]));
}

#[test]
fn a_failed_command_is_reported_with_its_last_lines_and_not_run_again() {
    let workshop = repository();
    let due = due("core", "seq 100; echo 'error: \u{1b}[31mno\u{1b}[0m' >&2; exit 3");
    let lines: Vec<String> = (62..=100).map(|number| number.to_string()).collect();
    let expected = vec![proof(&due, false, &format!("exit code 3\n{}\nerror: no", lines.join("\n")))];
    let (first, ran) = proved(&workshop, std::slice::from_ref(&due));
    assert_eq!((first, ran.len()), (expected.clone(), 1));
    let (second, ran) = proved(&workshop, &[due]);
    assert_eq!((second, ran.len()), (expected, 0));
}

#[test]
fn an_error_of_the_machine_is_not_a_failure_of_the_code_and_is_retried() {
    let late = settings("run_time = '1s'\n[[domain]]\nname = 'core'\npaths = ['core/**']\n");
    let workshop = repository();
    let event = stop(&workshop);
    let section = TestWorkshop::section(&POLICY, Mode::Enforce);
    let situation = workshop.situation(&POLICY, &event, &section);
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
            "killed below a shell, by its exit code",
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
            let proofs = Prover { situation: &situation, workshop: &workshop, settings: &late }.prove(&due);
            assert_eq!(proofs, [proof(&due[0], false, tail)], "{name}");
            assert!(!proofs[0].has_verdict(), "{name}");
            assert_eq!(workshop.take_command_lines().len(), 1, "{name}");
        }
    }
}

#[test]
fn a_program_that_crashes_has_failed() {
    let workshop = repository();
    let due = [due("core", "kill -SEGV $$")];
    let (proofs, _) = proved(&workshop, &due);
    assert_eq!(proofs, [proof(&due[0], false, "killed by signal 11\n(no output)")]);
    assert!(proofs[0].has_verdict());
    assert_eq!(proved(&workshop, &due).1.len(), 0);
}

#[test]
fn a_missing_folder_is_reported() {
    let workshop = TestWorkshop::bare();
    std::fs::remove_dir(workshop.path("")).unwrap();
    let due = [due("core", "true")];
    let (proofs, _) = proved(&workshop, &due);
    assert!(proofs[0].tail.starts_with("no verdict on the code: could not start: "), "{proofs:?}");
}

#[test]
fn nothing_is_started_without_time_left() {
    let workshop = repository();
    workshop.micros.store(569_500_000, Ordering::Relaxed);
    let due = [due("core", "true")];
    let tail = "no verdict on the code: no time was left. Stop again: finished commands are not run again";
    assert_eq!(proved(&workshop, &due), (vec![proof(&due[0], false, tail)], Vec::new()));
    workshop.micros.store(0, Ordering::Relaxed);
    assert_eq!(proved(&workshop, &due).1, ["true"]);
}

#[test]
fn a_change_of_any_covered_file_by_anyone_needs_another_run() {
    type Change = fn(&TestWorkshop);
    let cases: [(&str, Change, usize); 13] = [
        ("a file that nobody edited yet", |workshop| workshop.write("core/a.rs", "2"), 1),
        ("a new file", |workshop| workshop.write("core/b.rs", "2"), 1),
        ("a new folder", |workshop| workshop.write("core/deep/er/b.rs", "2"), 1),
        ("a file that goes", |workshop| workshop.remove("core/a.rs"), 1),
        (
            "a change that is only staged",
            |workshop| {
                workshop.write("core/a.rs", "2");
                workshop.do_git(&["add", "core/a.rs"]);
            },
            1,
        ),
        (
            "a change that is committed at once",
            |workshop| {
                workshop.write("core/a.rs", "2");
                workshop.commit();
            },
            1,
        ),
        (
            "a name with a line break, a space and umlauts",
            |workshop| workshop.write("core/ä b\nc\"d.rs", "2"),
            1,
        ),
        ("another domain", |workshop| workshop.write("web/a.ts", "2"), 0),
        ("a document", |workshop| workshop.write("README.md", "2"), 0),
        ("data of no domain", |workshop| workshop.write("data.json", "2"), 1),
        ("what git ignores", |workshop| workshop.write("core/a.log", "2"), 0),
        (
            "a change that is undone",
            |workshop| {
                workshop.write("core/a.rs", "2");
                workshop.write("core/a.rs", "1");
            },
            0,
        ),
        (
            "a commit of other files",
            |workshop| {
                workshop.write("README.md", "2");
                workshop.commit();
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
    let workshop = repository();
    workshop.write("core/a.rs", "2");
    workshop.write("core/new file ü.rs", "2");
    workshop.remove("README.md");
    assert_eq!(runs_after(&workshop, TestWorkshop::commit), 0);
    workshop.write("core/new file ü.rs", "3");
    assert_eq!(proved(&workshop, &[due("core", "true")]).1.len(), 1);
}

#[test]
fn a_repository_without_a_commit_works() {
    let workshop = TestWorkshop::repository(&[]);
    workshop.write("core/a.rs", "1");
    assert_eq!(runs_after(&workshop, TestWorkshop::commit), 0);
    workshop.write("core/a.rs", "2");
    assert_eq!(proved(&workshop, &[due("core", "true")]).1.len(), 1);
}

#[test]
fn a_project_below_the_root_of_a_repository_is_looked_at_alone() {
    // `project` is a folder of the repository here.
    let workshop = TestWorkshop::bare();
    workshop.write("core/a.rs", "1");
    let outer = |words: &[&str]| workshop.do_git(&[&["-C", ".."], words].concat());
    outer(&["init", "--quiet"]);
    outer(&["add", "--all"]);
    outer(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message=c"]);
    let elsewhere = |workshop: &TestWorkshop| std::fs::write(workshop.path("../core"), "2").unwrap();
    assert_eq!(runs_after(&workshop, elsewhere), 0);
    workshop.write("core/a.rs", "2");
    assert_eq!(proved(&workshop, &[due("core", "true")]).1.len(), 1);
}

#[test]
fn a_repository_inside_is_looked_into() {
    let workshop = repository();
    workshop.write("core/inner/a.rs", "1");
    let inner = |words: &[&str]| workshop.do_git(&[&["-C", "core/inner"], words].concat());
    inner(&["init", "--quiet"]);
    inner(&["add", "--all"]);
    inner(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message=c"]);
    assert_eq!(runs_after(&workshop, |workshop| workshop.write("core/inner/a.rs", "2")), 1);
}

#[test]
fn a_commit_that_is_gone_is_a_new_beginning() {
    let workshop = repository();
    let due = [due("core", "true")];
    proved(&workshop, &due);
    std::fs::remove_dir_all(workshop.path(".git")).unwrap();
    workshop.do_git(&["init", "--quiet"]);
    workshop.write("core/a.rs", "2");
    workshop.commit();
    assert_eq!(proved(&workshop, &due).1.len(), 1);
    assert_eq!(proved(&workshop, &due).1.len(), 0);
}

#[test]
fn without_git_the_edited_files_count() {
    let workshop = TestWorkshop::bare();
    let edited = due("core", "true");
    assert_eq!(proved(&workshop, std::slice::from_ref(&edited)).1.len(), 1);
    assert_eq!(proved(&workshop, std::slice::from_ref(&edited)).1.len(), 0);
    assert_eq!(proved(&workshop, &[DueProof { content: 8, ..edited }]).1.len(), 1);
}

#[test]
fn edited_files_count_also_where_git_does_not_look() {
    let workshop = repository();
    let edited = due("core", "true");
    proved(&workshop, std::slice::from_ref(&edited));
    assert_eq!(proved(&workshop, &[DueProof { content: 8, ..edited }]).1.len(), 1);
}

#[test]
fn with_unknown_content_it_is_run_every_time() {
    for git in [Git::Endless, Git::Hangs] {
        let mut workshop = repository();
        workshop.git = git;
        let due = [due("core", "true")];
        for _ in 0..2 {
            assert_eq!(
                proved(&workshop, &due),
                (vec![proof(&due[0], true, "exit code 0\n(no output)")], vec!["true".to_owned()])
            );
        }
    }
    let workshop = repository();
    let odd = workshop.path("core").join(std::ffi::OsStr::from_bytes(b"\xff.rs"));
    // Not every file system takes such a name.
    if std::fs::write(odd, "1").is_ok() {
        let due = [due("core", "true")];
        assert_eq!((proved(&workshop, &due).1.len(), proved(&workshop, &due).1.len()), (1, 1));
    }
}

#[test]
fn a_command_that_changes_the_code_is_not_stored() {
    let workshop = repository();
    let due = [due("core", "echo x >> core/a.rs")];
    assert_eq!((proved(&workshop, &due).1.len(), proved(&workshop, &due).1.len()), (1, 1));
}

#[test]
fn the_same_command_of_two_domains_is_run_once() {
    let workshop = repository();
    let both = [due("core", "exit 1"), due("web", "true"), due("web", "exit 1")];
    let (proofs, ran) = proved(&workshop, &both);
    assert_eq!(ran, ["exit 1", "true"]);
    let passed: Vec<(&str, bool)> =
        proofs.iter().map(|proof| (proof.domain.as_str(), proof.passed)).collect();
    assert_eq!(passed, [("core", false), ("web", true), ("web", false)]);
    assert_eq!(proved(&workshop, &both).1.len(), 0);
    // A change of one of them does not forget the other.
    workshop.write("web/a.ts", "2");
    assert_eq!(proved(&workshop, &both[..1]).1.len(), 0);
    assert_eq!(proved(&workshop, &both[1..]).1, ["true", "exit 1"]);
}

#[test]
fn another_session_proves_for_itself() {
    let workshop = repository();
    let due = [due("core", "true")];
    proved(&workshop, &due);
    let other = Event { session: SessionId::new("s2"), ..stop(&workshop) };
    assert_eq!(proved_by(&workshop, &other, &due).1.len(), 1);
}

#[test]
fn a_suite_that_starts_an_agent_starts_no_suite_again() {
    let workshop = repository();
    // The variable is set for what is run.
    assert!(proved(&workshop, &[due("core", "test \"$FLYBALL_IN_LOOP\" = 1")]).0[0].passed);
    let inner = repository().with("FLYBALL_IN_LOOP", "1");
    assert_eq!(proved(&inner, &[due("core", "true")]), (Vec::new(), Vec::new()));
}

#[test]
fn observe_mode_runs_nothing() {
    let workshop = repository();
    let event = stop(&workshop);
    let section = TestWorkshop::section(&POLICY, Mode::Observe);
    let situation = workshop.situation(&POLICY, &event, &section);
    let prover = Prover { situation: &situation, workshop: &workshop, settings: &settings(RUST) };
    assert_eq!(prover.prove(&[due("core", "true")]), []);
    assert_eq!(workshop.take_command_lines(), Vec::<String>::new());
}

#[test]
fn a_command_reads_nothing_and_runs_at_the_root() {
    let workshop = repository();
    assert!(proved(&workshop, &[due("core", "read line || test -f core/a.rs")]).0[0].passed);
}

#[test]
fn secrets_are_redacted() {
    let workshop = repository();
    let due = due("core", "echo password=hunter2hunter2; exit 1");
    assert_eq!(
        proved(&workshop, std::slice::from_ref(&due)).0,
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

fn ran(workshop: &TestWorkshop, command: &str) -> Event {
    let tool = Tool::Shell { command: command.to_owned(), background: false };
    let call = ToolCall { id: None, name: "Bash".to_owned(), tool, input: "{}".to_owned() };
    at(
        workshop,
        EventData::AfterTool {
            call,
            outcome: Outcome { took: Some(Duration::ZERO), exited_well: true, ..Outcome::default() },
        },
    )
}

fn note(workshop: &TestWorkshop, event: &Event) {
    let section = TestWorkshop::section(&POLICY, Mode::Enforce);
    let situation = workshop.situation(&POLICY, event, &section);
    let prover = Prover { situation: &situation, workshop, settings: &settings(RUST) };
    prover.note_passed_command(&state());
}

#[test]
fn only_the_command_itself_is_proof_when_it_is_seen() {
    let workshop = repository();
    let root = workshop.path("").to_string_lossy().trim_end_matches('/').to_owned();
    workshop.write("check", "");
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
        let workshop = TestWorkshop::repository(&[("core/a.rs", "1")]);
        let line = line.replace(&root, workshop.path("").to_string_lossy().trim_end_matches('/'));
        note(&workshop, &ran(&workshop, &line));
        let runs = proved(&workshop, &[due_of("core", "sh check")]).1.len();
        assert_eq!(runs == 0, counts, "{line}");
    }
}

#[test]
fn what_was_seen_is_proof_for_every_domain_with_that_command_on_that_content() {
    let workshop = repository();
    note(&workshop, &ran(&workshop, "sh check"));
    let both = [due_of("core", "sh check"), due_of("web", "sh check")];
    let seen = "exit code 0, as it was seen in this session";
    assert_eq!(
        proved(&workshop, &both),
        (both.iter().map(|due| proof(due, true, seen)).collect(), Vec::new())
    );
    // The command reads the files of both.
    workshop.write("web/a.ts", "2");
    assert_eq!(proved(&workshop, &both).1.len(), 1);
    // The command of another phase was not seen.
    assert_eq!(proved(&workshop, &[due_of("web", "sh lint")]).1.len(), 1);
}

#[test]
fn a_command_elsewhere_failed_or_unfinished_is_not_a_proof() {
    fn ended(outcome: Outcome, background: bool) -> EventData {
        let tool = Tool::Shell { command: "sh check".to_owned(), background };
        let call = ToolCall { id: None, name: "Bash".to_owned(), tool, input: "{}".to_owned() };
        EventData::AfterTool { call, outcome }
    }
    let took = |took: Option<Duration>| Outcome { took, exited_well: took.is_some(), ..Outcome::default() };
    let call = || match ended(took(Some(Duration::ZERO)), false) {
        EventData::AfterTool { call, .. } => call,
        _ => unreachable!(),
    };
    let failed =
        EventData::ToolFailed { call: call(), outcome: took(Some(Duration::ZERO)), interrupted: false };
    let cases = [
        ("as it should be", ended(took(Some(Duration::ZERO)), false), ".", "s1", 0),
        ("elsewhere", ended(took(Some(Duration::ZERO)), false), "core", "s1", 1),
        ("failed", failed, ".", "s1", 1),
        ("before it", EventData::BeforeTool(call()), ".", "s1", 1),
        ("in the background", ended(took(Some(Duration::ZERO)), true), ".", "s1", 1),
        ("from a client that does not know how it ended", ended(took(None), false), ".", "s1", 1),
        ("in another session", ended(took(Some(Duration::ZERO)), false), ".", "s2", 1),
    ];
    for (name, happening, folder, session, runs) in cases {
        let workshop = repository();
        let cwd = AbsolutePath::from_path(&workshop.path(folder));
        note(&workshop, &Event { cwd, session: SessionId::new(session), ..event(happening) });
        assert_eq!(proved(&workshop, &[due_of("core", "sh check")]).1.len(), runs, "{name}");
    }
}

#[test]
fn a_command_does_not_prove_changes_made_during_its_run() {
    let ran_for = |millis: u64| {
        let workshop = repository();
        let mut event = ran(&workshop, "sh check");
        if let EventData::AfterTool { outcome, .. } = &mut event.happening {
            outcome.took = Some(Duration::from_millis(millis));
        }
        workshop.write("core/a.rs", "2");
        let file = AbsolutePath::from_path(&workshop.path("core/a.rs"));
        while workshop.stat(&file).unwrap().changed >= workshop.now() {
            std::thread::yield_now();
        }
        note(&workshop, &event);
        proved(&workshop, &[due_of("core", "sh check")]).1.len()
    };
    assert_eq!(ran_for(3_600_000), 1, "it began before the change");
    assert_eq!(ran_for(0), 0, "it began after the change");
}
