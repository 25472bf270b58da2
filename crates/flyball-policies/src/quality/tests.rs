//! The verdicts on reports that the tests make; whole texts are compared.

use flyball_core::path::ProjectPath;
use flyball_core::verdict::{Evidence, Stance, Verdict};
use flyball_quality::finding::{Finding, Level};
use flyball_quality::phases::Phase;
use flyball_quality::report::{
    FailureKind, FileReport, FixOutcome, FixReport, Formatted, LinterFailure, Report,
};
use flyball_quality::settings::{AtStop, Settings};

use super::blocked::Turn;
use super::fingerprint::fingerprint;
use super::inputs::Inputs;
use super::memory::Session;
use super::{EditSource, edited, project, stop};

fn settings() -> Settings {
    configured("[quality]\n")
}

fn configured(text: &str) -> Settings {
    let section = crate::testing::sections(text).into_iter().find(|(id, _)| id == "quality").unwrap().1;
    section.parse().unwrap()
}

fn finding(file: &str, line: u32, code: &str, level: Level) -> Finding {
    Finding {
        file: file.into(),
        line,
        column: 5,
        end_line: None,
        code: code.into(),
        message: format!("what {code} says"),
        linter: "ruff".into(),
        level,
        fixable: false,
        fix: None,
    }
}

fn warning(file: &str, line: u32, code: &str) -> Finding {
    finding(file, line, code, Level::Warning)
}

fn file(name: &str, findings: Vec<Finding>) -> FileReport {
    FileReport {
        file: ProjectPath::new(name).unwrap(),
        findings,
        linters: vec!["ruff".into()],
        ..FileReport::default()
    }
}

fn inputs(files: Vec<FileReport>) -> Inputs {
    let stamps = files.iter().map(|file| (file.file.to_string(), (1, 2, 3))).collect();
    Inputs { report: Report { files, ..Report::default() }, stamps, ..Inputs::default() }
}

fn reason(verdict: &Verdict) -> String {
    verdict.reasons.iter().map(flyball_core::verdict::Reason::text).collect::<Vec<_>>().join("\n")
}

fn context(verdict: &Verdict) -> Vec<&str> {
    verdict.context.iter().map(|snippet| snippet.text.as_str()).collect()
}

/// Stance, reason, context and notices: the whole output.
fn outputs(verdict: &Verdict) -> (Stance, String, Vec<&str>, Vec<&str>) {
    let notices = verdict.notices.iter().map(String::as_str).collect();
    (verdict.stance, reason(verdict), context(verdict), notices)
}

const SILENCE: (Stance, String, Vec<&str>, Vec<&str>) =
    (Stance::Silent, String::new(), Vec::new(), Vec::new());

fn after(inputs: &Inputs, session: &mut Session) -> Verdict {
    edited::decide(inputs, &settings(), session, EditSource::Tool)
}

fn stopped(inputs: &Inputs, session: &mut Session, turn: Turn) -> Verdict {
    stop::decide(inputs, &settings(), session, turn)
}

#[test]
fn findings_are_listed_by_place_and_fixed_ones_are_not_mentioned() {
    let mut session = Session::default();
    let both = inputs(vec![file(
        "src/app.py",
        vec![
            Finding { fixable: true, ..finding("src/app.py", 12, "F841", Level::Error) },
            Finding { line: 0, column: 0, ..warning("src/app.py", 0, "D100") },
            Finding { column: 0, code: String::new(), ..warning("src/app.py", 40, "") },
        ],
    )]);
    let verdict = after(&both, &mut session);
    assert_eq!(
        outputs(&verdict),
        (
            Stance::Deny,
            "[flyball:error] 3 findings in src/app.py\n  \
               12:5  F841  what F841 says (ruff, fixable)\n  \
               file  D100  what D100 says (ruff)\n  \
               40  what says (ruff)\n\
             Fix the code, not the rules."
                .to_owned(),
            vec![],
            vec![]
        )
    );
    let seen = |name: &str, value: &str| Evidence { name: name.into(), value: value.into() };
    assert_eq!(verdict.evidence, [seen("src/app.py", "ruff"), seen("ms", "0")]);
    let one = after(&inputs(vec![file("src/app.py", vec![warning("src/app.py", 3, "D100")])]), &mut session);
    let known = "[flyball:warning] still open in src/app.py, as reported before: 3:5 D100";
    assert_eq!(outputs(&one), (Stance::Silent, String::new(), vec![known], vec![]));
    assert_eq!(outputs(&after(&inputs(vec![file("src/app.py", vec![])]), &mut session)), SILENCE);
    assert!(session.files["src/app.py"].open.is_empty());
}

#[test]
fn what_was_reported_before_is_only_named() {
    let mut session = Session::default();
    let mut edit = |findings: &[(u32, &str)]| {
        let findings = findings.iter().map(|(line, code)| warning("a.py", *line, code)).collect();
        after(&inputs(vec![file("a.py", findings)]), &mut session)
    };
    let heading = |count: &str| format!("[flyball:warning] {count} in a.py\n");
    let end = "Fix the code, not the rules.";
    let line = |at: u32, code: &str| format!("  {at}:5  {code}  what {code} says (ruff)\n");
    let known = |what: &str| format!("[flyball:warning] still open in a.py, as reported before: {what}");
    let first = edit(&[(1, "A")]);
    assert_eq!(reason(&first), heading("1 finding") + &line(1, "A") + end);
    // Another one is new; the first has moved.
    let second = edit(&[(2, "A"), (7, "B")]);
    assert_eq!(reason(&second), heading("1 finding") + &line(7, "B") + end);
    assert_eq!(context(&second), [known("2:5 A")]);
    // One more of the same kind.
    let third = edit(&[(2, "A"), (3, "A"), (7, "B")]);
    assert_eq!(reason(&third), heading("2 findings") + &line(2, "A") + &line(3, "A") + end);
    assert_eq!(context(&third), [known("7:5 B")]);
    assert_eq!(outputs(&edit(&[(3, "A"), (7, "B")])).2, [known("3:5 A, 7:5 B")]);
    assert_eq!(outputs(&edit(&[])), SILENCE);
    // What was fixed and comes back is new.
    assert_eq!(reason(&edit(&[(1, "A")])), heading("1 finding") + &line(1, "A") + end);
}

#[test]
fn many_findings_are_counted_with_errors_shown_first() {
    let mut findings: Vec<Finding> =
        (1..=30).map(|line| Finding { linter: "ty".into(), ..warning("a b.py", line, "W1") }).collect();
    findings.push(finding("a b.py", 99, "E9", Level::Error));
    let other = file("b.py", vec![warning("b.py", 1, "X")]);
    let settings = Settings { shown: 2, ..settings() };
    let inputs = inputs(vec![file("a b.py", findings), other]);
    let verdict = edited::decide(&inputs, &settings, &mut Session::default(), EditSource::Tool);
    assert_eq!(
        reason(&verdict),
        "[flyball:error] 32 findings in 2 files\n\
         a b.py\n  \
           1:5  W1  what W1 says (ty)\n  \
           99:5  E9  what E9 says (ruff)\n\
         … and 30 more (ruff 1, ty 29): flyball lint 'a b.py' b.py\n\
         Fix the code, not the rules."
    );
}

#[test]
fn a_long_message_is_cut_and_stays_on_its_line() {
    let long = Finding { message: format!("first\n  {}", "long ".repeat(60)), ..warning("a.py", 1, "C") };
    let verdict = after(&inputs(vec![file("a.py", vec![long])]), &mut Session::default());
    let text = reason(&verdict);
    let line = text.lines().nth(1).unwrap();
    assert_eq!(line, format!("  1:5  C  first {}… (ruff)", "long ".repeat(39).trim_end()));
}

#[test]
fn a_file_that_was_reformatted_is_to_be_read_again() {
    let rewritten = |findings| FileReport {
        format: Formatted::Rewritten,
        changes: vec!["reformatted by black (+1 −1)".to_owned()],
        ..file("a.py", findings)
    };
    let message =
        "a.py was changed after your edit: reformatted by black (+1 −1). Read it again before you edit it.";
    let clean = inputs(vec![rewritten(vec![])]);
    let verdict = after(&clean, &mut Session::default());
    assert_eq!(outputs(&verdict), (Stance::Silent, String::new(), vec![message], vec![]));
    let by_command = edited::decide(&clean, &settings(), &mut Session::default(), EditSource::Command);
    assert_eq!(outputs(&by_command), SILENCE);
    let dirty = after(&inputs(vec![rewritten(vec![warning("a.py", 1, "X")])]), &mut Session::default());
    assert_eq!(
        outputs(&dirty),
        (
            Stance::Deny,
            format!(
                "[flyball:warning] 1 finding in a.py\n  1:5  X  what X says (ruff)\nFix the code, not the rules. {message}"
            ),
            vec![],
            vec![]
        )
    );
}

#[test]
fn advice_is_shown_once_and_never_blocks() {
    let mut session = Session::default();
    let advice = inputs(vec![file("a.py", vec![finding("a.py", 1, "N1", Level::Advisory)])]);
    let verdict = after(&advice, &mut session);
    let message = "[flyball:advisory] 1 finding in a.py\n  1:5  N1  what N1 says (ruff)";
    assert_eq!(outputs(&verdict), (Stance::Silent, String::new(), vec![message], vec![]));
    assert_eq!(outputs(&after(&advice, &mut session)), SILENCE);
    assert_eq!(outputs(&stopped(&advice, &mut session, Turn::Fresh)), SILENCE);
}

fn failure(kind: FailureKind, linter: &str, what: &str) -> LinterFailure {
    LinterFailure {
        linter: linter.into(),
        kind,
        what: what.into(),
        fix: "do something".into(),
        files: vec!["a.py".into()],
    }
}

#[test]
fn the_record_says_how_long_each_phase_took() {
    let mut inputs = inputs(vec![file("a.py", vec![])]);
    let millis = std::time::Duration::from_millis;
    inputs.report.phases.add(Phase::Find, millis(3));
    inputs.report.phases.add(Phase::Check, millis(120));
    let mut project = Inputs::default();
    project.report.phases.add(Phase::Project, millis(800));
    inputs.join(project);
    let verdict = after(&inputs, &mut Session::default());
    let phases = verdict.evidence.iter().find(|seen| seen.name == "phases");
    let expected = "find linters 3 ms, check 120 ms, project linters 800 ms";
    assert_eq!(phases.map(|seen| seen.value.as_str()), Some(expected));
}

#[test]
fn a_linter_over_its_memory_is_reported_and_denies_nothing() {
    let what = "stopped at more than 2048 MB, its memory limit";
    let mut session = Session::default();
    let inputs = inputs_with_failures(vec![failure(FailureKind::Memory, "shellcheck", what)]);
    let verdict = after(&inputs, &mut session);
    assert_eq!(verdict.stance, Stance::Silent);
    assert_eq!(verdict.notices, [format!("shellcheck used too much memory: {what}; do something")]);
    let warning = "[flyball:warning] shellcheck was stopped because it used too much memory, so a.py is not checked by it";
    assert_eq!(verdict.context.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), [warning]);
    assert_eq!(after(&inputs, &mut session).notices, [""; 0], "once");
}

fn inputs_with_failures(failures: Vec<LinterFailure>) -> Inputs {
    let mut inputs = inputs(vec![FileReport { linters: vec![], ..file("a.py", vec![]) }]);
    inputs.report.troubles = failures;
    inputs
}

#[test]
fn missing_linters_are_reported_in_one_line_of_a_session() {
    let mut session = Session::default();
    let missing = |linter: &str| failure(FailureKind::Missing, linter, "not found");
    let two = inputs_with_failures(vec![missing("ruff"), missing("ty")]);
    assert_eq!(
        outputs(&after(&two, &mut session)),
        (
            Stance::Silent,
            String::new(),
            vec![],
            vec![
                "ruff and ty are not installed, so they check nothing; run `flyball doctor` to see how to install them"
            ]
        )
    );
    assert_eq!(outputs(&after(&two, &mut session)), SILENCE);
    let third = inputs_with_failures(vec![missing("ruff"), missing("bandit")]);
    let notice = "bandit is not installed, so it checks nothing (do something); run `flyball doctor` to see all linters";
    assert_eq!(after(&third, &mut session).notices, [notice], "the project chose it");
}

#[test]
fn linters_that_would_run_code_of_an_untrusted_project_are_reported_once() {
    let mut session = Session::default();
    let untrusted = |linter: &str| failure(FailureKind::Untrusted, linter, "it would run code");
    let two = inputs_with_failures(vec![untrusted("clippy"), untrusted("knip")]);
    let notice = "nobody trusts this project, so clippy and knip were left out (they would run its code), like its own \
                  programs; `flyball trust` trusts it";
    assert_eq!(outputs(&after(&two, &mut session)), (Stance::Silent, String::new(), vec![], vec![notice]));
    let third = inputs_with_failures(vec![untrusted("clippy"), untrusted("flake8")]);
    let verdict = after(&third, &mut session);
    assert_eq!(outputs(&verdict), SILENCE, "one line in a session");
    assert_eq!(verdict.evidence[1].value, "was left out: it would run code");
}

/// The silence of a linter that did not run must not look like a clean file.
#[test]
fn defect_16_a_linter_is_reported_whenever_it_fails_in_another_way() {
    let mut session = Session::default();
    let failed = |what: &str| inputs_with_failures(vec![failure(FailureKind::Failed, "ruff", what)]);
    let to_model = "[flyball:warning] ruff did not run, so a.py is not checked by it";
    let first = after(&failed("exit code 2"), &mut session);
    let notice = "ruff failed: exit code 2; do something";
    assert_eq!(outputs(&first), (Stance::Silent, String::new(), vec![to_model], vec![notice]));
    let again = after(&failed("exit code 2"), &mut session);
    assert_eq!(outputs(&again), (Stance::Silent, String::new(), vec![to_model], vec![]));
    let other = after(&failed("no such rule"), &mut session);
    assert_eq!(other.notices, ["ruff failed: no such rule; do something"]);
    assert_eq!(outputs(&after(&inputs(vec![file("a.py", vec![])]), &mut session)), SILENCE);
    assert_eq!(after(&failed("no such rule"), &mut session).notices, other.notices);
    let late = after(&inputs_with_failures(vec![failure(FailureKind::Late, "ty", "25 s")]), &mut session);
    assert_eq!(
        outputs(&late),
        (
            Stance::Silent,
            String::new(),
            vec!["[flyball:warning] ty did not finish in time, so a.py is not checked by it"],
            vec!["ty took too long: 25 s; do something"]
        )
    );
}

#[test]
fn an_old_linter_is_reported_once() {
    let mut session = Session::default();
    let old =
        inputs_with_failures(vec![failure(FailureKind::TooOld, "hadolint", "2.10.0 is older than 2.12.0")]);
    assert_eq!(
        after(&old, &mut session).notices,
        ["hadolint is too old: 2.10.0 is older than 2.12.0; do something"]
    );
    assert_eq!(outputs(&after(&old, &mut session)), SILENCE);
}

#[test]
fn the_results_of_a_model_are_recorded_and_its_failures_reported() {
    let fixed = |end| {
        let fix = Some(FixReport {
            model: "haiku".into(),
            given: 2,
            end,
            took: std::time::Duration::from_millis(7),
        });
        let changes = vec!["reformatted by black (+1 −1)".to_owned()];
        inputs(vec![FileReport { fix, changes, ..file("a.py", vec![]) }])
    };
    let applied = after(&fixed(FixOutcome::Kept(2)), &mut Session::default());
    assert_eq!(
        outputs(&applied),
        (
            Stance::Silent,
            String::new(),
            vec![
                "a.py was changed after your edit: reformatted by black (+1 −1). Read it again before you edit it."
            ],
            vec![]
        )
    );
    assert_eq!(applied.evidence[0].value, "a.py: haiku, 2 of 2 findings fixed (7 ms)");
    let mut session = Session::default();
    let refused = fixed(FixOutcome::Refused(vec!["it adds `noqa`".into(), "it deletes `run`".into()]));
    for _ in 0..2 {
        assert_eq!(
            after(&refused, &mut session).notices,
            ["a patch of haiku for a.py was rejected: it adds `noqa`; it deletes `run`"]
        );
    }
    let failed = fixed(FixOutcome::Failed("no answer".into()));
    assert_eq!(after(&failed, &mut session).notices, ["the fixer haiku failed: no answer"]);
    assert_eq!(outputs(&after(&failed, &mut session)), SILENCE);
}

#[test]
fn too_many_files_are_not_checked_and_that_is_reported() {
    let many = Inputs { too_many: Some(31), ..Inputs::default() };
    let mut session = Session::default();
    assert_eq!(
        outputs(&after(&many, &mut session)),
        (
            Stance::Silent,
            String::new(),
            vec![
                "[flyball:advisory] 31 files were changed at once, more than `quality.files_at_once` (20), so none of \
                 them was checked: run `flyball lint --changed`"
            ],
            vec![]
        )
    );
    assert_eq!(session, Session::default());
}

fn left(codes: &[&str]) -> Inputs {
    let findings = codes.iter().map(|code| warning("a.py", 7, code)).collect();
    inputs(vec![file("a.py", findings)])
}

const TO_DO: &str = "\nFix the code, not the rules, before you stop; if a finding cannot be fixed, tell the user which \
                     and why. You will not be blocked again for the same findings. To turn this off, set \
                     `quality.at_stop` in flyball.toml, or FLYBALL_SKIP=quality for one session.";

#[test]
fn a_stop_is_blocked_once_for_the_same_findings_on_any_line() {
    let mut session = Session::default();
    let first = stopped(&left(&["X"]), &mut session, Turn::Fresh);
    let list = "[flyball:warning] 1 finding left in a.py\n  7:5  X  what X says (ruff)";
    assert_eq!(outputs(&first), (Stance::Deny, format!("{list}{TO_DO}"), vec![], vec![]));
    let moved = inputs(vec![file("a.py", vec![warning("a.py", 70, "X")])]);
    let second = stopped(&moved, &mut session, Turn::Blocked);
    assert_eq!(
        outputs(&second),
        (Stance::Silent, String::new(), vec![], vec![&*list.replace("7:5", "70:5")])
    );
    assert_eq!(outputs(&stopped(&moved, &mut session, Turn::Fresh)), SILENCE);
    assert_eq!(outputs(&stopped(&left(&[]), &mut session, Turn::Blocked)), SILENCE);
    assert_eq!(stopped(&left(&["X"]), &mut session, Turn::Fresh).stance, Stance::Deny);
}

#[test]
fn an_agent_without_progress_is_blocked_three_times_in_a_row() {
    let mut session = Session::default();
    let stances: Vec<Stance> = ["A", "B", "C", "D", "E"]
        .iter()
        .enumerate()
        .map(|(at, code)| {
            let turn = if at == 0 { Turn::Fresh } else { Turn::Blocked };
            stopped(&left(&[code]), &mut session, turn).stance
        })
        .collect();
    let (deny, silent) = (Stance::Deny, Stance::Silent);
    assert_eq!(stances, [deny, deny, deny, silent, silent]);
    assert_eq!(stopped(&left(&["F"]), &mut session, Turn::Fresh).stance, Stance::Deny);
}

#[test]
fn an_agent_with_progress_is_blocked_further() {
    let mut session = Session::default();
    let all = ["A", "B", "C", "D", "E", "F"];
    for count in (1..=all.len()).rev() {
        let verdict = stopped(&left(&all[..count]), &mut session, Turn::Blocked);
        assert_eq!(verdict.stance, Stance::Deny, "{count}");
    }
    assert_eq!(outputs(&stopped(&left(&[]), &mut session, Turn::Blocked)), SILENCE);
}

/// Otherwise an agent that breaks one thing while it fixes another could go on forever.
#[test]
fn an_agent_that_goes_back_and_forth_is_released() {
    let mut session = Session::default();
    let stances: Vec<Stance> = [2, 1, 2, 1, 2, 1, 2]
        .iter()
        .map(|count| stopped(&left(&["A", "B"][..*count]), &mut session, Turn::Blocked).stance)
        .collect();
    let (deny, silent) = (Stance::Deny, Stance::Silent);
    assert_eq!(stances, [deny, deny, deny, deny, silent, silent, silent]);
}

#[test]
fn the_user_is_shown_a_few_of_many_findings_that_are_left() {
    let mut session = Session::default();
    let codes = ["A", "B", "C", "D", "E", "F", "G"];
    let at_stop = Settings { at_stop: AtStop::Tell, ..settings() };
    let verdict = stop::decide(&left(&codes), &at_stop, &mut session, Turn::Fresh);
    let lines: Vec<&str> = verdict.notices[0].lines().collect();
    assert_eq!(
        (lines.len(), lines[0], lines[6]),
        (7, "[flyball:warning] 7 findings left in a.py", "… and 2 more (ruff 2): flyball lint a.py")
    );
}

#[test]
fn tell_notifies_the_user_once_and_off_is_silent() {
    let with = |at_stop| Settings { at_stop, ..settings() };
    let mut session = Session::default();
    let verdict = stop::decide(&left(&["X"]), &with(AtStop::Tell), &mut session, Turn::Fresh);
    let notice = "[flyball:warning] 1 finding left in a.py\n  7:5  X  what X says (ruff)";
    assert_eq!(outputs(&verdict), (Stance::Silent, String::new(), vec![], vec![notice]));
    let again = stop::decide(&left(&["X"]), &with(AtStop::Tell), &mut session, Turn::Fresh);
    assert_eq!(outputs(&again), SILENCE);
    let off = stop::decide(&left(&["X"]), &with(AtStop::Off), &mut Session::default(), Turn::Fresh);
    assert_eq!(outputs(&off), SILENCE);
}

#[test]
fn a_deleted_file_is_forgotten() {
    let mut session = Session::default();
    after(&left(&["X"]), &mut session);
    let gone = Inputs { gone: vec!["a.py".into()], ..Inputs::default() };
    assert_eq!(outputs(&stopped(&gone, &mut session, Turn::Fresh)), SILENCE);
    assert_eq!(session.files.len(), 0);
}

fn of_the_project(state: u64, findings: Vec<Finding>) -> Inputs {
    let report = Report { project: findings, ..Report::default() };
    Inputs { report, project: Some(state), ..Inputs::default() }
}

#[test]
fn findings_of_the_projects_linters_are_advice_for_the_agent_and_at_the_end_for_the_user() {
    let mut session = Session::default();
    let clone = warning("a.py", 3, "clone");
    let verdict = after(&of_the_project(1, vec![clone.clone()]), &mut session);
    let message = "[flyball:advisory] 1 finding in a.py\n  3:5  clone  what clone says (ruff)";
    assert_eq!(outputs(&verdict), (Stance::Silent, String::new(), vec![message], vec![]));
    let both = of_the_project(2, vec![clone, warning("b.py", 4, "dead")]);
    let new = "[flyball:advisory] 1 finding in b.py\n  4:5  dead  what dead says (ruff)";
    let stop = stopped(&both, &mut session, Turn::Fresh);
    assert_eq!(outputs(&stop), (Stance::Silent, String::new(), vec![], vec![new]));
    assert_eq!(outputs(&stopped(&both, &mut session, Turn::Fresh)), SILENCE);
}

#[test]
fn findings_of_the_projects_linters_block_with_blocking() {
    let mut settings = settings();
    settings.project.blocking = true;
    let mut session = Session::default();
    let found = of_the_project(1, vec![warning("a.py", 3, "dead")]);
    let verdict = edited::decide(&found, &settings, &mut session, EditSource::Tool);
    assert_eq!(
        reason(&verdict),
        "[flyball:warning] 1 finding in a.py\n  3:5  dead  what dead says (ruff)\nFix the code, not the rules."
    );
    let at_stop = stop::decide(&found, &settings, &mut session, Turn::Fresh);
    let list = "[flyball:warning] 1 finding left in a.py\n  3:5  dead  what dead says (ruff)";
    assert_eq!(outputs(&at_stop), (Stance::Deny, format!("{list}{TO_DO}"), vec![], vec![]));
    let again = stop::decide(&found, &settings, &mut session, Turn::Blocked);
    assert_eq!(outputs(&again), (Stance::Silent, String::new(), vec![], vec![list]));
}

#[test]
fn the_projects_linters_run_once_after_enough_files_and_again_when_files_changed() {
    let settings = configured(
        "[quality.linters.whole]\nfiles = ['*.words']\nreach = 'project'\nexclude = ['old/**']\n\
         check = { command = ['whole', '{files}'] }\n",
    );
    let due =
        |session: &Session, names: &[&str]| project::is_due_after(&settings, session, names.iter().copied());
    let fresh = Session::default();
    assert!(!due(&fresh, &["a.words", "b.words", "c.xyz", "old/d.words", "build/e.words"]));
    assert!(due(&fresh, &["a.words", "b.words", "src/c.words"]));
    let state =
        |nanos| project::state(&settings, [("a.words", (nanos, 1, 1)), ("x.xyz", (9, 9, 9))].into_iter());
    let mut ran = Session::default();
    after(&of_the_project(state(1).unwrap(), vec![]), &mut ran);
    assert!(!due(&ran, &["a.words", "b.words", "src/c.words"]));
    assert!(project::is_due_at_stop(&settings, &fresh, state(1)));
    assert!(!project::is_due_at_stop(&settings, &ran, state(1)));
    assert!(project::is_due_at_stop(&settings, &ran, state(2)));
    assert_eq!(project::state(&settings, [("x.xyz", (9, 9, 9))].into_iter()), None);
}

#[test]
fn a_finding_is_the_same_on_any_line_and_whatever_line_it_mentions() {
    let at = |line: u32| Finding {
        message: format!("redefinition of `f` from line {line}"),
        ..warning("a.py", line + 5, "F811")
    };
    assert_eq!(fingerprint(&at(3)), fingerprint(&at(40)));
    assert_ne!(fingerprint(&at(3)), fingerprint(&Finding { code: "F812".into(), ..at(3) }));
}

#[test]
fn a_file_that_a_linter_cannot_read_is_reported_once_in_a_session() {
    let mut session = Session::default();
    let unreadable = |files: &[&str]| LinterFailure {
        files: files.iter().map(|file| (*file).to_owned()).collect(),
        ..failure(FailureKind::Unreadable, "bandit", "cannot read this syntax, so it did not check it")
    };
    let first = after(&inputs_with_failures(vec![unreadable(&["a.py"])]), &mut session);
    let notice = "bandit cannot read the syntax of a.py, so it did not check it";
    let to_model = format!("[flyball:warning] {notice}");
    assert_eq!(outputs(&first), (Stance::Silent, String::new(), vec![to_model.as_str()], vec![notice]));
    assert_eq!(outputs(&after(&inputs_with_failures(vec![unreadable(&["a.py"])]), &mut session)), SILENCE);
    let two = after(&inputs_with_failures(vec![unreadable(&["a.py", "b.py"])]), &mut session);
    assert_eq!(two.notices, ["bandit cannot read the syntax of b.py, so it did not check it"]);
}
