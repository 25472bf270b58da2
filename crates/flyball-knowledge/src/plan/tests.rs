use std::fs;
use std::path::Path;
use std::time::Instant;

use flyball_world::machine::Machine;
use proptest::prelude::*;

use flyball_core::path::ProjectPath;

use super::*;

/// A plan as existing projects have them.
const WHOLE: &str = include_str!("tests/second.md");

/// Label, title, open boxes, ticked boxes and whether it is complete.
type PhaseSummary<'a> = (String, &'a str, Vec<&'a str>, usize, bool);

fn summary(plan: &Plan) -> Vec<PhaseSummary<'_>> {
    plan.phases.iter().map(one).collect()
}

fn one(phase: &Phase) -> PhaseSummary<'_> {
    let open = phase.open.iter().map(String::as_str).collect();
    (phase.label(), &phase.title, open, phase.ticked, phase.is_complete)
}

fn complete(text: &str) -> Vec<(String, bool)> {
    Plan::parse(text).phases.iter().map(|phase| (phase.label(), phase.is_complete)).collect()
}

fn of(expected: &[(&str, bool)]) -> Vec<(String, bool)> {
    expected.iter().map(|(label, is_complete)| ((*label).to_owned(), *is_complete)).collect()
}

fn plan_at(path: &str) -> ProjectPath {
    ProjectPath::new(path).unwrap()
}

#[test]
fn a_plan_of_the_second_form_is_read() {
    let plan = Plan::parse(WHOLE);
    assert_eq!((plan.status.clone(), plan.title.as_str()), (Status::InProgress, "Search"));
    assert_eq!(
        summary(&plan),
        [
            ("1".to_owned(), "The index", vec![], 2, true),
            ("1V".to_owned(), "Verification", vec!["Patterns followed"], 2, true),
            ("2".to_owned(), "The query", vec!["ranked by `score[0]`", "empty query"], 1, false),
            ("2V".to_owned(), "Verification", vec!["Criteria met", "No regressions"], 0, false),
        ]
    );
    assert_eq!(plan.current, Some(2));
    assert_eq!(plan.progress(), "phase 2 of 2");
    assert_eq!(plan.phase().map(Phase::label).as_deref(), Some("2"));
    assert_eq!(decisions(WHOLE), ["SQLite, because it is there", "No fuzzy search — too slow"]);
    assert_eq!(
        role_section(WHOLE, "ALL").as_deref(),
        Some("- Do not touch `SecurityConfig`\n- Small commits")
    );
    assert_eq!(role_section(WHOLE, "DEV").as_deref(), Some("- No raw SQL"));
    assert_eq!(role_section(WHOLE, "TEST"), None);
    assert_eq!(role_section(WHOLE, "REVIEW"), None);
}

#[test]
fn the_current_phase_of_a_plan_of_the_third_form_is_trusted() {
    let text = "status: in progress\ncurrent_phase: 2\ntotal_phases: 3\n\n# Plan: Search\n";
    let files = [
        ("1-setup.md".to_owned(), "# Phase 1: Setup\n\n- [ ] never ticked\n".to_owned()),
        ("2-build.md".to_owned(), "# Phase 2: Build\n\n- [x] a\n- [ ] b\n".to_owned()),
        ("phase-2V.md".to_owned(), "- [ ] look\n".to_owned()),
        ("README.md".to_owned(), "no phase".to_owned()),
    ];
    let plan = Plan::parse_with(text, &files);
    assert_eq!(
        summary(&plan),
        [
            ("1".to_owned(), "Setup", vec!["never ticked"], 0, true),
            ("2".to_owned(), "Build", vec!["b"], 1, false),
            ("2V".to_owned(), "", vec!["look"], 0, false),
            ("3".to_owned(), "", vec![], 0, false),
        ]
    );
    assert_eq!(plan.current, Some(1));
    let past = Plan::parse_with(&text.replace("current_phase: 2", "current_phase: 4"), &files);
    assert_eq!(past.current, None);
    let verifies = Plan::parse_with(&text.replace("current_phase: 2", "current_phase: \"2V\""), &files);
    assert_eq!(verifies.current, Some(2));
}

#[test]
fn a_table_of_phases_counts() {
    let text = "## Phases\n\n| # | Phase | Status |\n|---|---|---|\n| 1 | Setup | ✅ completed |\n| 2 | Build | in progress |\n| 2V | Check | - |\n";
    assert_eq!(complete(text), of(&[("1", true), ("2", false), ("2V", false)]));
    assert_eq!(Plan::parse(text).phases[1].title, "Build");
    let beside = format!("{text}\n### Phase 1: Setup\n\n**Status:** pending\n");
    assert_eq!(complete(&beside), of(&[("1", true), ("2", false), ("2V", false)]));
}

#[test]
fn the_status_is_at_the_top_and_nowhere_else() {
    let cases = [
        ("status: in progress\n", Status::InProgress),
        ("\u{feff}status: failed\r\n\r\n# Plan\r\n", Status::Failed),
        ("---\ntitle: x\nstatus: finished # by me\n---\n# Plan\n", Status::Finished),
        ("---\nmeta:\n  status: finished\n---\n# Plan\n", Status::Pending),
        ("# Plan\n\nstatus: handoff\nowner: me\n\n## Phase 1\n", Status::Handoff),
        ("# Plan\n\nIt waits until\nstatus: finished\nis set.\n", Status::Pending),
        ("# Plan\n\n```\nstatus: finished\n```\n", Status::Pending),
        ("# Plan\n\n## Statuses\n\nstatus: finished\n", Status::Pending),
        ("> status: finished\n", Status::Pending),
        ("status: waiting for review\n", Status::Other("waiting for review".to_owned())),
        ("", Status::Pending),
    ];
    for (text, expected) in cases {
        assert_eq!(Plan::parse(text).status, expected, "{text:?}");
    }
}

#[test]
fn a_status_is_written_without_touching_anything_else() {
    let cases = [
        ("status: pending\n\n# Plan\n", "status: handoff\n\n# Plan\n"),
        ("status:pending\n", "status: handoff\n"),
        ("status: \"pending\"  # ours\r\n# Plan\r\n", "status: \"handoff\"  # ours\r\n# Plan\r\n"),
        ("---\na: 1\r\nstatus: 'x y'\r\n---\r\n", "---\na: 1\r\nstatus: 'handoff'\r\n---\r\n"),
        ("---\na: 1\n---\n# Plan\n", "---\na: 1\nstatus: handoff\n---\n# Plan\n"),
        ("# Plan\r\ntext\r\n", "status: handoff\r\n\r\n# Plan\r\ntext\r\n"),
        ("\u{feff}# Plan\n", "\u{feff}status: handoff\n\n# Plan\n"),
        ("status: # none yet\n", "status: handoff # none yet\n"),
        ("", "status: handoff\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(with_status(text, &Status::Handoff), expected, "{text:?}");
    }
}

#[test]
fn paths_of_plans_are_distinguished_from_others() {
    for path in [".claude/tasks/20260209_x_task/PLAN.md", ".claude/tasks/team/20260209_x_task/PLAN.md"] {
        assert!(is_plan_path(path), "{path}");
    }
    for path in [
        "",
        "PLAN.md",
        ".claude/tasks/PLAN.md",
        ".claude/tasks/x/PLAN.md",
        ".claude/tasks/x_task/plan.md",
        ".claude/tasks/../x_task/PLAN.md",
        ".claude/tasks/x_task/../y_task/PLAN.md",
        ".claude/tasks//x_task/PLAN.md",
        ".claude/tasksx_task/PLAN.md",
        "/etc/.claude/tasks/x_task/PLAN.md",
        ".claude/tasks/x\n_task/PLAN.md",
    ] {
        assert!(!is_plan_path(path), "{path:?}");
    }
}

fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn plans_are_found_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let machine = Machine::new(Instant::now(), None, &root, Vec::new(), &[]);
    let (one, two) = (".claude/tasks/1_a_task/PLAN.md", ".claude/tasks/team/2_b_task/PLAN.md");
    assert_eq!(active(&machine), Ok(None));
    assert_eq!(read(&machine, &plan_at(one)), Ok(None));
    write(&root, one, "status: pending\ncurrent_phase: 1\n");
    write(&root, ".claude/tasks/1_a_task/phases/1-x.md", "# X\n- [ ] do\n");
    write(&root, ".claude/tasks/1_a_task/artifacts/2-10v/summary.md", "");
    write(&root, ".claude/tasks/1_a_task/artifacts/1-2e/summary.md", "");
    write(&root, ".claude/tasks/1_a_task/artifacts/FINAL.md", "");
    write(&root, two, "");
    write(&root, ".claude/tasks/empty_task/notes.md", "");
    write(&root, ".claude/TASK.md", &format!("{one}\nold: {two}\n"));
    assert_eq!(active(&machine), Ok(Some(plan_at(one))));
    assert_eq!(all(&machine), [one, two]);
    let plan = read(&machine, &plan_at(one)).unwrap().unwrap();
    assert_eq!(plan.phases[0].open, ["do"]);
    assert_eq!(
        artifacts(&machine, &plan_at(one)).iter().map(Artifact::folder).collect::<Vec<_>>(),
        ["1-2e", "2-10v"]
    );
    assert_eq!(
        (task_name(&plan_at(one)), lessons_path(&plan_at(one)).as_str()),
        ("1_a", ".claude/tasks/1_a_task/KNOWLEDGE.jsonl")
    );
    write(&root, ".claude/TASK.md", "../../etc/passwd\n");
    assert_eq!(active(&machine), Ok(None));
    fs::create_dir_all(root.join(".claude/tasks/3_c_task/PLAN.md")).unwrap();
    assert!(read(&machine, &plan_at(".claude/tasks/3_c_task/PLAN.md")).is_err());
}

#[test]
fn defect_09_the_verification_of_phase_ten_is_not_phase_one() {
    let text = "### Phase 1: a\n- [x] x\n### Phase 10: b\n- [x] x\n### Phase 10V: c\n- [ ] x\n";
    assert_eq!(complete(text), of(&[("1", true), ("10", true), ("10V", false)]));
}

#[test]
fn defect_10_the_colon_may_be_inside_the_bold_or_outside() {
    for status in [
        "**Status:** completed",
        "**Status**: completed",
        "Status: completed",
        "- **Status:** ✅ Completed",
        "**Agent:** `dev` | **Status:** completed | **Refs:** R1",
        "| Status | completed |\n|---|---|\n| Status | done |",
    ] {
        let text = format!("### Phase 1: a\n\n{status}\n\n### Phase 2: b\n\n**Status:** pending\n");
        assert_eq!(complete(&text), of(&[("1", true), ("2", false)]), "{status}");
    }
}

#[test]
fn defect_11_prose_completes_nothing() {
    for prose in [
        "Wait until status: completed",
        "Wait until the other team says\nstatus: completed",
        "`Status: completed` is written here at the end",
        "```\n**Status:** completed\n- [x] x\n```",
        "> **Status:** completed",
        "<!-- Status: completed -->",
    ] {
        let text = format!("## Phase 1: a\n\n{prose}\n\n- [ ] open\n");
        assert_eq!(complete(&text), of(&[("1", false)]), "{prose}");
    }
}

#[test]
fn defect_12_an_empty_status_swallows_no_line() {
    let text = "status:\nowner: me\n# Plan\n";
    assert_eq!(Plan::parse(text).status, Status::Pending);
    assert_eq!(with_status(text, &Status::InProgress), "status: in progress\nowner: me\n# Plan\n");
    let text = "status:\n# Plan\n";
    assert_eq!(with_status(text, &Status::Failed), "status: failed\n# Plan\n");
}

#[test]
fn defect_13_quoted_and_capitalised_statuses_are_understood() {
    for (word, expected) in [
        ("\"finished\"", Status::Finished),
        ("'Cancelled'", Status::Cancelled),
        ("FAILED", Status::Failed),
        ("Error", Status::Error),
        ("In_Progress", Status::InProgress),
        ("canceled", Status::Cancelled),
    ] {
        assert_eq!(Plan::parse(&format!("status: {word}\n")).status, expected, "{word}");
    }
}

#[test]
fn defect_14_phases_are_sorted_and_need_no_boxes() {
    let text = "### Phase 3: c\n- [ ] x\n### Phase 1V: v\n- [x] x\n### Phase 1: a\n- [x] x\n### Phase 2: b\nNo boxes here.\n";
    assert_eq!(complete(text), of(&[("1", true), ("1V", true), ("2", false), ("3", false)]));
    let later = text.replace("c\n- [ ] x", "c\n- [x] x\n- [ ] y");
    assert_eq!(complete(&later), of(&[("1", true), ("1V", true), ("2", true), ("3", false)]));
    let marked = "## ✅ Phase 1: a\n## Phase 2: b (done)\n## Phase 3: c [x]\n## Phase 4: d\n";
    assert_eq!(complete(marked), of(&[("1", true), ("2", true), ("3", true), ("4", false)]));
    let plan = Plan::parse(marked);
    assert_eq!(
        plan.phases.iter().map(|phase| phase.title.as_str()).collect::<Vec<_>>(),
        ["a", "b", "c", "d"]
    );
    assert_eq!(plan.unfinished().count(), 0);
}

#[test]
fn defect_15_what_has_ended_is_not_handed_over() {
    for status in [Status::Finished, Status::Cancelled, Status::Failed, Status::Error] {
        assert!(status.is_terminal(), "{status:?}");
    }
    for status in [Status::Pending, Status::InProgress, Status::Handoff, Status::Other("x".to_owned())] {
        assert!(!status.is_terminal(), "{status:?}");
    }
}

#[test]
fn what_comes_after_the_phases_belongs_to_no_phase() {
    let text = "## Phases\n### Phase 1: a\n- [x] x\n#### Notes\n- [x] y\n## Final Review\n- [ ] z\n**Status:** pending\n";
    let plan = Plan::parse(text);
    assert_eq!(summary(&plan), [("1".to_owned(), "a", vec![], 2, true)]);
    assert_eq!(plan.current, None);
}

/// Texts that look like plans.
fn plans() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "status:",
        "status: ",
        "Status: done",
        "pending",
        "\"in progress\"",
        "# x",
        "\n",
        "\r\n",
        "---",
        "---\n",
        "## Phase 1: a",
        "### Phase 2V",
        "- [ ] open",
        "- [x] done",
        "**Status:** completed",
        "```",
        "| # | Status |\n|---|---|\n| 1 | done |",
        "> ",
        "  ",
        "<!-- ALL -->",
        "<!-- /ALL -->",
        "<!--",
        "-->",
        "current_phase: 3",
        "total_phases: 99999999999",
        "é",
        "\u{feff}",
        "## Decisions",
        "owner: me",
        " # comment",
        "\t",
        "'",
        "\0",
    ]);
    prop::collection::vec(prop_oneof![4 => pieces.prop_map(str::to_owned), 1 => ".{0,8}"], 0..40)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_can_be_read(text in plans()) {
        let plan = Plan::parse(&text);
        prop_assert!(plan.phases.len() <= 2_000);
        drop((role_section(&text, "ALL"), decisions(&text)));
        drop(Plan::parse_with("current_phase: 1\n", &[("1.md".to_owned(), text)]));
    }

    #[test]
    fn a_new_status_changes_one_line_and_is_read_again(text in plans()) {
        let changed = with_status(&text, &Status::Handoff);
        prop_assert_eq!(Plan::parse(&changed).status, Status::Handoff);
        prop_assert_eq!(&with_status(&changed, &Status::Handoff), &changed);
        let (before, after): (Vec<&str>, Vec<&str>) = (text.split('\n').collect(), changed.split('\n').collect());
        if before.len() == after.len() {
            let different = before.iter().zip(&after).filter(|(one, other)| one != other).count();
            prop_assert!(different <= 1);
        } else {
            // A line was inserted, and at the top an empty one after it.
            prop_assert!(after.len() - before.len() <= 2);
            let rest: Vec<&str> = after.iter().copied().filter(|line| line.trim_start_matches('\u{feff}').trim_end() != "status: handoff").collect();
            let joined: String = rest.concat();
            prop_assert_eq!(joined.replace(['\r', '\u{feff}'], ""), text.replace(['\n', '\r', '\u{feff}'], ""));
        }
    }
}

#[test]
fn a_plan_without_recognizable_phases_is_one_phase() {
    let text = "\u{feff}status: pending\r\n\r\n# Taille\r\n\r\n## Étape 1 : modèle\r\n\r\n- [x] lire\r\n- [ ] faire\r\n";
    let plan = Plan::parse(text);
    assert_eq!(
        (plan.progress(), plan.phase().unwrap().open.clone()),
        ("phase 1 of 1".to_owned(), vec!["faire".to_owned()])
    );
    let done = Plan::parse(&text.replace("[ ]", "[x]"));
    assert_eq!((done.current, done.unfinished().count()), (None, 0));
    assert_eq!(Plan::parse("status: pending\n\n# Nothing\n\nProse.\n").phases, []);
}

fn progress(text: &str) -> String {
    Plan::parse(text).progress()
}

#[test]
fn verification_phases_do_not_count_as_phases_of_their_own() {
    let cases = [
        (
            "### Phase 1: a\n- [x] x\n### Phase 1V: Verification\n- [ ] x\n### Phase 2: b\n- [ ] x\n",
            "phase 1 of 2 (verification)",
        ),
        (
            "### Phase 1: a\n- [x] x\n### Phase 1V: v\n- [x] x\n### Phase 2: b\n- [ ] x\n### Phase 2V\n- [ ] x\n",
            "phase 2 of 2",
        ),
        (
            "### Phase 1: a\n- [x] x\n### Phase 1: Verification\n- [ ] x\n### Phase 2: b\n- [ ] x\n",
            "phase 1 of 2 (verification)",
        ),
        (
            "### Phase 1: a\n- [x] x\n### Phase 1 – Verify it\n- [ ] x\n### Phase 2: b\n- [ ] x\n",
            "phase 1 of 2 (verification)",
        ),
        (
            "### Phase 1: a\n- [x] x\n### Verification\n- [x] x\n### Phase 2: b\n- [ ] x\n### Verification\n- [ ] x\n",
            "phase 2 of 2",
        ),
        (
            "### Phase 1: a\n- [x] x\n### ✅ Verification\n- [ ] x\n### Phase 2: b\n- [ ] x\n",
            "phase 1 of 2 (verification)",
        ),
        (
            "| # | Phase | Status |\n|---|---|---|\n| 1 | a | done |\n| 1V | Verification | done |\n| 2 | b | - |\n| 2V | Verification | - |\n",
            "phase 2 of 2",
        ),
        (
            "| # | Phase | Status |\n|---|---|---|\n| 1 | a | done |\n| 1 | Verification | pending |\n| 2 | b | - |\n",
            "phase 1 of 2 (verification)",
        ),
        (
            "current_phase: 2\ntotal_phases: 4\n\n### Phase 1: a\n### Phase 1V: v\n### Phase 2: b\n### Phase 2V: v\n",
            "phase 2 of 2",
        ),
        (
            "current_phase: 2\ntotal_phases: 2\n\n### Phase 1: a\n### Phase 1V: v\n### Phase 2: b\n### Phase 2V: v\n",
            "phase 2 of 2",
        ),
        (
            "current_phase: 2\ntotal_phases: 4\n\n### Phase 1: a\n### Phase 1V: v\n### Phase 2: b\n",
            "phase 2 of 4",
        ),
        // A phase with a number of its own is one, whatever it is about.
        ("### Phase 1: a\n- [x] x\n### Phase 2: Verification\n- [ ] x\n", "phase 2 of 2"),
    ];
    for (text, expected) in cases {
        assert_eq!(progress(text), expected, "{text}");
    }
    let files = [("1-build.md", "- [x] x\n"), ("1-verify.md", "- [ ] x\n"), ("2-ship.md", "- [ ] x\n")];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(Plan::parse_with("", &files).progress(), "phase 1 of 2 (verification)");
}

#[test]
fn a_section_about_verification_without_boxes_is_prose() {
    let text = "## Phase 1: a\n- [x] x\n## Verification\nThe tests pass.\n";
    assert_eq!(complete(text), of(&[("1", true)]));
    let above = "## Phases\n### Phase 1: a\n- [x] x\n## Verification\n- [ ] of everything\n";
    assert_eq!(complete(above), of(&[("1", true)]));
}

#[test]
fn a_table_that_says_completed_beats_a_stale_head() {
    let table = "| # | Phase | File | Status |\n|---|---|---|---|\n| 1 | Setup | 1-setup.md | completed |\n| 2 | Build | 2-build.md | ✅ completed |\n| 3 | Ship | 3-ship.md | in progress |\n";
    let head = "status: in progress\ncurrent_phase: 1\ntotal_phases: 3\n\n# Plan: Search\n\n";
    let files = [
        ("1-setup.md", "status: pending\n\n- [ ] a\n"),
        ("2-build.md", "- [ ] b\n"),
        ("3-ship.md", "- [ ] c\n"),
    ];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let plan = Plan::parse_with(&format!("{head}{table}"), &files);
    assert_eq!((plan.progress().as_str(), plan.count().complete), ("phase 3 of 3", 2));
    let all = format!("{head}{}", table.replace("in progress", "completed"));
    let done = Plan::parse_with(&all, &files);
    assert_eq!((done.current, done.unfinished().count()), (None, 0));
    // What the head says is behind stays behind.
    let ahead = Plan::parse(&format!("{head}{table}").replace("current_phase: 1", "current_phase: 3"));
    assert_eq!(ahead.progress(), "phase 3 of 3");
}

#[test]
fn a_new_plan_is_one_that_is_read() {
    let titles = ["The index", "The *query* [x] | `a`", ""].map(str::to_owned);
    let text = template("Search by <price> & \\ #1", &titles);
    let plan = Plan::parse(&text);
    assert_eq!((plan.status.clone(), plan.title.as_str()), (Status::Pending, "Search by <price> & \\ #1"));
    let first = || vec!["Replace this with the first step"];
    assert_eq!(plan.count(), Count { at: 1, complete: 0, all: 3, verifies: false });
    assert_eq!(
        plan.phases
            .iter()
            .map(|phase| phase.open.iter().map(String::as_str).collect())
            .collect::<Vec<Vec<_>>>(),
        [first(), first(), first()]
    );
    assert_eq!(plan.phases[0].title, "The index");
    assert_eq!(decisions(&text), Vec::<String>::new());
    for role in ["ALL", "DEV", "TEST", "REVIEW"] {
        assert_eq!(role_section(&text, role), None);
        let filled =
            text.replace(&format!("<!-- {role} -->\n"), &format!("<!-- {role} -->\n- keep it small\n"));
        assert_eq!(role_section(&filled, role).as_deref(), Some("- keep it small"), "{role}");
    }
    let done = Plan::parse(&text.replace("[ ]", "[x]"));
    assert_eq!((done.current, done.unfinished().count()), (None, 0));
}

#[test]
fn the_page_about_tasks_shows_the_plan_that_is_made() {
    let page = include_str!("../../../../docs/tasks.md");
    let titles = ["The index", "The query", "Tests"].map(str::to_owned);
    let text = template("Search by price", &titles);
    assert!(page.contains(&format!("````markdown\n{text}````\n")), "docs/tasks.md does not show:\n{text}");
}

#[test]
fn a_new_task_is_named_for_its_title() {
    let at = flyball_core::time::Time::from_millis(1_770_638_400_123);
    for (title, name) in [
        ("Search by price", "20260209-120000_search_by_price"),
        ("  Größe & Preis!  ", "20260209-120000_größe_preis"),
        ("fix ../../etc/passwd", "20260209-120000_fix_etc_passwd"),
        ("The login task", "20260209-120000_the_login"),
        ("task", "20260209-120000_task"),
        ("!?", "20260209-120000_task"),
        (
            "a word that is followed by so many others that the name is cut",
            "20260209-120000_a_word_that_is_followed_by_so_many_others_that",
        ),
    ] {
        assert_eq!(new_name(title, at), name, "{title}");
        assert!(is_plan_path(&format!(".claude/tasks/{name}_task/PLAN.md")), "{name}");
    }
}

#[test]
fn parts_of_a_phase_are_phases_of_their_own() {
    let plan = Plan::parse;
    let parts =
        plan("# P\n\n## Phase 1.1: A\n- [x] a\n\n## Phase 1.2: B\n- [ ] b\n\n## Phase 2. C\n- [ ] c\n");
    assert_eq!(parts.progress(), "phase 2 of 3");
    let current = parts.phase().unwrap();
    assert_eq!((current.label().as_str(), current.title.as_str()), ("1.2", "B"));
    assert_eq!(parts.phases[2].title, "C");
    let divided = plan("# P\n\n## Phase 1: A\n\n### Phase 1.1: B\n- [ ] b\n\n### Phase 1.2: C\n- [ ] c\n");
    assert_eq!(divided.progress(), "phase 1 of 2");
}
