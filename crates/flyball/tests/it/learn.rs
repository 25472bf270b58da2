//! `flyball learn`, by real processes.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot be set up has failed")]

use crate::support::{ProcessResult, Project, PromptKind, TerminalUser, unique};
use serde_json::{Value, json};

const NODE: &str =
    "# Api\n\n## Pitfalls\n### Locks\nSession locks are not reentrant; pass the guard along.\n\n## Next\n";

fn project() -> Project {
    let project = Project::new().with("COLUMNS", "160");
    project.file("src/api/AGENTS.md", NODE);
    project.file("src/api/a.ts", "");
    std::fs::create_dir_all(project.root().join(".intent-layer")).unwrap();
    project
}

fn parts(ran: &ProcessResult) -> (i32, &str, &str) {
    (ran.status, ran.stdout.as_str(), ran.stderr.as_str())
}

fn read(project: &Project, name: &str) -> String {
    std::fs::read_to_string(project.root().join(name)).unwrap()
}

/// A report as the old program wrote it when an edit failed.
fn skeleton(project: &Project, id: &str) {
    let text = format!(
        "## Learning Report (Skeleton)\n\n**ID**: {id}\n**Type**: pitfall\n**Timestamp**: 2026-02-09T12:00:00Z\n\
         **Directory**: src/api\n**Operation**: Edit on a.ts\n**Status**: skeleton (awaiting enrichment)\n\n\
         ### What Went Wrong\n\n<!-- x -->\nEdit failed.\n\n### Why This Matters\n\n<!-- y -->\n_Awaiting analysis_\n\n\
         ### Suggested Pitfall Entry\n\n<!-- z -->\n_Awaiting analysis_\n\n### Disposition\n\n- [ ] Added to AGENTS.md\n\
         - [ ] Rejected\n- [ ] Deferred\n- [ ] Discarded\n"
    );
    project.file(&format!(".intent-layer/mistakes/pending/{id}.md"), &text);
}

/// Reports a lesson as an agent would, and gives its id.
fn reported(project: &Project, title: &str, detail: &str) -> String {
    let ran = project.run(&[
        "learn",
        "add",
        "--title",
        title,
        "--detail",
        detail,
        "--path",
        "src/api/a.ts",
        "--json",
    ]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    ran.json()["report"].as_str().unwrap().to_owned()
}

fn list(project: &Project, status: &str) -> Vec<Value> {
    let ran = project.run(&["learn", "list", "--status", status, "--json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    ran.json().as_array().unwrap().clone()
}

fn ids(project: &Project, status: &str) -> Vec<String> {
    list(project, status).iter().map(|report| report["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_an_agent_adds_waits_for_a_person_and_becomes_a_rule_when_accepted() {
    let project = project();
    let id = reported(&project, "Timeouts in `a.ts`", "Timeouts are in ms, not in seconds.");
    let waiting = list(&project, "pending");
    assert_eq!(waiting.len(), 1);
    let one = &waiting[0];
    assert_eq!(
        json!([
            one["id"],
            one["type"],
            one["origin"],
            one["folder"],
            one["file"],
            one["node"],
            one["needs_lesson"]
        ]),
        json!([id, "pitfall", "agent", "src/api", "src/api/a.ts", "src/api/AGENTS.md", false])
    );
    assert_eq!(read(&project, "src/api/AGENTS.md"), NODE);
    let short = &id[..id.len() - 4];
    let ran = project.run(&["learn", "accept", short]);
    assert_eq!(parts(&ran), (0, "✓ `Timeouts in `a.ts`` is now in src/api/AGENTS.md\n", ""));
    let rule = format!("### Timeouts in `a.ts`\n\nTimeouts are in ms, not in seconds.\n\n_{id}.md_\n");
    let expected = NODE.replace("along.\n\n## Next", &format!("along.\n\n{rule}\n## Next"));
    assert_eq!(read(&project, "src/api/AGENTS.md"), expected);
    assert_eq!(
        (ids(&project, "pending"), ids(&project, "integrated"), ids(&project, "all")),
        (vec![], vec![id.clone()], vec![id.clone()])
    );
    let report = read(&project, &format!(".intent-layer/mistakes/integrated/{id}.md"));
    assert!(report.contains("\n- [x] Added to AGENTS.md\n- [ ] Rejected\n"), "{report}");
    let again = project.run(&["learn", "accept", &id]);
    assert_eq!(
        parts(&again),
        (
            2,
            "",
            format!(
                "error: `{id}` is already in a rule file\n help: `flyball learn add` writes another rule\n"
            )
            .as_str()
        )
    );
}

#[test]
fn defect_20_a_report_without_a_lesson_is_not_written_into_a_node() {
    let project = project();
    skeleton(&project, "SKELETON-2026-02-09-0001");
    let ran = project.run(&["learn", "accept", "skeleton"]);
    let id = "SKELETON-2026-02-09-0001";
    assert_eq!(
        parts(&ran),
        (
            2,
            "",
            format!(
                "error: `{id}` has no lesson: it only says what went wrong\n help: add one: `flyball learn accept {id} --title \"…\" --detail \"what to do instead, and why\"`, or edit the report: `flyball learn edit\n   {id}`\n"
            )
            .as_str()
        )
    );
    assert_eq!(read(&project, "src/api/AGENTS.md"), NODE);
    let ran = project.run(&[
        "learn",
        "accept",
        id,
        "--title",
        "Read before you edit",
        "--detail",
        "Else it fails.",
    ]);
    assert_eq!(parts(&ran), (0, "✓ `Read before you edit` is now in src/api/AGENTS.md\n", ""));
    assert!(
        read(&project, "src/api/AGENTS.md")
            .contains("### Read before you edit\n\nElse it fails.\n\n_SKELETON-2026-02-09-0001.md_\n")
    );
    let integrated = &list(&project, "integrated")[0];
    assert_eq!(
        json!([integrated["title"], integrated["detail"], integrated["needs_lesson"]]),
        json!(["Read before you edit", "Else it fails.", false])
    );
}

#[test]
fn a_lesson_can_be_written_into_a_report_first() {
    let project = project();
    skeleton(&project, "SKELETON-1");
    let ran = project.run(&["learn", "edit", "SKELETON-1", "--detail", "Read it first."]);
    assert_eq!(parts(&ran), (0, "✓ SKELETON-1 is changed\n", ""));
    let ran = project.run(&["learn", "accept", "SKELETON-1", "--type", "check"]);
    assert_eq!(parts(&ran), (0, "✓ `Edit on a.ts` is now in src/api/AGENTS.md\n", ""));
    let node = read(&project, "src/api/AGENTS.md");
    assert!(
        node.contains("## Checks\n\n### Before Edit on a.ts\n\n- [ ] Read it first.\n\n_SKELETON-1.md_\n"),
        "{node}"
    );
}

#[test]
fn the_same_rule_is_not_written_twice_unless_it_is_forced() {
    let project = project();
    skeleton(&project, "SKELETON-1");
    let arguments = [
        "learn",
        "accept",
        "SKELETON-1",
        "--title",
        "Session locks",
        "--detail",
        "The session locks are not reentrant: pass the guard along",
    ];
    let ran = project.run(&arguments);
    assert_eq!(
        parts(&ran),
        (
            1,
            "the same rule is in src/api/AGENTS.md, Pitfalls:\n    Locks\n    Session locks are not reentrant; pass \
             the guard along.\n`flyball learn accept SKELETON-1 --force` writes it anyway, `flyball learn reject \
             SKELETON-1` drops it\n",
            ""
        )
    );
    assert_eq!((read(&project, "src/api/AGENTS.md").as_str(), ids(&project, "pending").len()), (NODE, 1));
    let ran = project.run(&[&arguments[..], &["--json"]].concat());
    assert_eq!(ran.status, 1);
    assert_eq!(
        ran.json(),
        json!({
            "id": "SKELETON-1", "written": false,
            "same": {
                "node": "src/api/AGENTS.md", "section": "Pitfalls", "title": "Locks",
                "text": "Session locks are not reentrant; pass the guard along.",
            },
        })
    );
    let add = [
        "learn",
        "add",
        "--title",
        "Session locks",
        "--detail",
        "Session locks are not reentrant, pass the guard",
    ];
    let ran = project.run(&[&add[..], &["--path", "src/api"]].concat());
    assert_eq!((ran.status, ids(&project, "pending").len()), (1, 1));
    let ran = project.run(&[&arguments[..], &["--force", "--json"]].concat());
    assert_eq!(
        (ran.status, ran.json()),
        (
            0,
            json!({
                "id": "SKELETON-1", "written": true, "dry_run": false, "node": "src/api/AGENTS.md",
                "new_node": false, "status": "integrated", "warning": null,
            })
        )
    );
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let project = project();
    let id = reported(&project, "Dates", "Dates are UTC.");
    let ran = project.run(&["learn", "accept", &id, "--dry-run"]);
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.contains("+### Dates\n+\n+Dates are UTC.\n"), "{}", ran.stdout);
    assert_eq!((read(&project, "src/api/AGENTS.md").as_str(), ids(&project, "pending")), (NODE, vec![id]));
}

#[test]
fn a_project_without_a_node_is_given_one() {
    let project = Project::new();
    std::fs::create_dir_all(project.root().join(".intent-layer")).unwrap();
    skeleton(&project, "SKELETON-1");
    let ran = project.run(&["learn", "accept", "SKELETON-1", "--title", "T", "--detail", "D"]);
    assert_eq!(parts(&ran), (0, "✓ `T` is now in AGENTS.md, a new file\n", ""));
    assert_eq!(
        read(&project, "AGENTS.md"),
        "# Notes for agents\n\n## Pitfalls\n\n### T\n\nD\n\n_SKELETON-1.md_\n"
    );
}

#[test]
fn a_node_can_be_named_and_nothing_else() {
    let project = project();
    project.file("README.md", "x\n");
    skeleton(&project, "SKELETON-1");
    let accept = |node: &str| {
        project.run(&["learn", "accept", "SKELETON-1", "--title", "T", "--detail", "D", "--node", node])
    };
    let ran = accept("README.md");
    assert_eq!(
        parts(&ran),
        (
            2,
            "",
            "error: `README.md` is not a rule file: rule files are called `AGENTS.md` or `CLAUDE.md`\n help: name such \
             a file, or the folder it is in\n"
        )
    );
    assert_eq!(accept("../AGENTS.md").status, 2);
    assert_eq!(read(&project, "README.md"), "x\n");
    assert_eq!(parts(&accept("src")), (0, "✓ `T` is now in src/AGENTS.md, a new file\n", ""));
}

#[test]
fn what_is_rejected_is_not_reported_again_and_what_is_deleted_may_be() {
    let project = project();
    let id = reported(&project, "Dates", "Dates are UTC.");
    let ran = project.run(&["learn", "reject", &id, "--reason", "everyone knows"]);
    assert_eq!(
        parts(&ran),
        (0, format!("✓ {id} is rejected; the same is not reported again\n").as_str(), "")
    );
    let text = read(&project, &format!(".intent-layer/mistakes/rejected/{id}.md"));
    assert!(text.contains("\n- [x] Rejected\n") && text.contains("- **Reason**: everyone knows\n"), "{text}");
    let arguments =
        ["learn", "add", "--title", "Dates", "--detail", "Dates are UTC.", "--path", "src/api/a.ts"];
    let ran = project.run(&arguments);
    let message = format!("{id} says the same and was rejected: `flyball learn show {id}`\n");
    assert_eq!(parts(&ran), (1, message.as_str(), ""));
    let ran = project.run(&["learn", "discard", &id]);
    assert_eq!(parts(&ran), (0, format!("✓ {id} is deleted; the same may be reported again\n").as_str(), ""));
    assert_eq!(project.run(&arguments).status, 0);
}

#[test]
fn defect_24_nothing_waits_for_an_answer_where_there_is_no_terminal() {
    let project = project();
    let ran = project.run(&["learn"]);
    assert_eq!(parts(&ran), (0, "no pending reports\n", ""));
    skeleton(&project, "SKELETON-2026-02-09-0001");
    let ran = project.run(&["learn"]);
    assert_eq!(
        parts(&ran),
        (
            0,
            "report                    date        status          folder   title\n\
             SKELETON-2026-02-09-0001  2026-02-09  needs a lesson  src/api  Edit on a.ts\n\n\
             `flyball learn show ID` shows one; `accept`, `reject`, `edit` and `discard` decide about it; `flyball learn` in a terminal goes through all of them\n",
            ""
        )
    );
    let ran = project.run(&["learn", "edit", "SKELETON"]);
    assert_eq!(
        parts(&ran),
        (
            2,
            "",
            "error: this is not a terminal, so no editor can be opened\n help: `flyball learn edit \
             SKELETON-2026-02-09-0001 --title \"…\" --detail \"…\"` needs none\n"
        )
    );
}

#[test]
fn an_id_may_be_shortened_as_long_as_it_is_unique() {
    let project = project();
    skeleton(&project, "SKELETON-1");
    skeleton(&project, "SKELETON-12");
    let ran = project.run(&["learn", "show", "SKELETON-1", "--json"]);
    assert_eq!((ran.status, ran.json()["id"].clone()), (0, json!("SKELETON-1")));
    let ran = project.run(&["learn", "show", "skel"]);
    assert_eq!(
        parts(&ran),
        (
            2,
            "",
            "error: 2 reports begin with `skel`\n help: write more of the id, for example `SKELETON-1` or \
             `SKELETON-12`\n"
        )
    );
    let ran = project.run(&["learn", "show", "../../x"]);
    assert_eq!(
        parts(&ran),
        (2, "", "error: no report has the id `../../x`\n help: `flyball learn list --all` lists all\n")
    );
}

#[test]
fn a_project_without_a_folder_for_reports_gets_none() {
    let project = Project::new();
    let ran = project.run(&["learn", "add", "--title", "T", "--detail", "D"]);
    assert_eq!(
        parts(&ran),
        (
            2,
            "",
            "error: this project has no reports: there is no folder `.intent-layer`\n help: `flyball init --packs memory` creates it\n"
        )
    );
    assert!(!project.root().join(".intent-layer").exists());
    assert!(!project.root().join("AGENTS.md").exists());
}

#[test]
fn secrets_do_not_get_into_a_node() {
    let project = project();
    skeleton(&project, "SKELETON-1");
    let secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    let detail = format!("Log in with {secret}");
    let ran = project.run(&["learn", "accept", "SKELETON-1", "--title", "Login", "--detail", &detail]);
    assert_eq!(ran.status, 0);
    assert!(!read(&project, "src/api/AGENTS.md").contains(secret));
}

#[test]
fn defect_26_many_who_write_at_once_lose_nothing() {
    let project = project();
    let ids: Vec<String> = (0..16).map(|number| format!("SKELETON-{number:02}")).collect();
    for id in &ids {
        skeleton(&project, id);
    }
    std::thread::scope(|scope| {
        for id in &ids {
            let project = &project;
            scope.spawn(move || {
                let title = format!("Module number_{id} fails");
                let detail = format!("Restart service_{id} on port {}", id.len());
                let ran =
                    project.run(&["learn", "accept", id, "--title", &title, "--detail", &detail, "--force"]);
                assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
            });
            scope.spawn(move || {
                let title = format!("Report number_{id}");
                let ran = project.run(&["learn", "add", "--title", &title, "--detail", "x", "--force"]);
                assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
            });
        }
    });
    let node = read(&project, "src/api/AGENTS.md");
    for id in &ids {
        let rule = format!("### Module number_{id} fails\n\nRestart service_{id} on port 11\n\n_{id}.md_\n");
        assert_eq!(node.matches(&rule).count(), 1, "{node}");
    }
    assert_eq!(node.matches("### ").count(), 17);
    let mut integrated = self::ids(&project, "integrated");
    integrated.sort();
    assert_eq!((integrated, self::ids(&project, "pending").len()), (ids, 16));
}

#[test]
fn two_who_accept_the_same_report_write_one_rule() {
    let project = project();
    skeleton(&project, "SKELETON-1");
    let codes: Vec<i32> = std::thread::scope(|scope| {
        let accept = || {
            project.run(&["learn", "accept", "SKELETON-1", "--title", "T", "--detail", "D", "--force"]).status
        };
        let running: Vec<_> = (0..6).map(|_| scope.spawn(accept)).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert_eq!(read(&project, "src/api/AGENTS.md").matches("### T\n").count(), 1);
}

/// A person at a terminal: the process is detached, because an agent may run these tests.
fn at_terminal(project: &Project, arguments: &[&str], answers: &[&str]) -> Value {
    let person = TerminalUser::new(project).with_answers(PromptKind::Lines, answers).with("NO_COLOR", "1");
    person.with("EDITOR", "sed -i -e s/Edit.failed/Edit\\ broke/").run(arguments)
}

#[test]
fn a_person_writes_a_rule_directly() {
    let project = project();
    let arguments =
        ["learn", "add", "--title", "Dates", "--detail", "Dates are UTC.", "--path", "src/api/new/b.ts"];
    let seen = at_terminal(&project, &arguments, &[]);
    assert_eq!(seen, json!({ "status": 0, "text": "✓ `Dates` is now in src/api/AGENTS.md\n" }));
    assert!(
        read(&project, "src/api/AGENTS.md")
            .contains("### Dates\n\nDates are UTC.\n\n_flyball learn | added: 2")
    );
    assert_eq!(at_terminal(&project, &arguments, &[])["status"], 1);
    let pending = [&arguments[..], &["--pending", "--force"]].concat();
    assert_eq!(at_terminal(&project, &pending, &[])["status"], 0);
    assert_eq!(list(&project, "pending")[0]["origin"], "person");
}

#[test]
fn a_rule_about_another_command_is_another_rule() {
    let project = project();
    project.file("src/api/AGENTS.md", "# Api\n\n## Pitfalls\n\n- Run `pnpm build` before a release.\n");
    let add = |detail: &str| {
        let arguments =
            ["learn", "add", "--title", "Before a release", "--detail", detail, "--path", "src/api/b.ts"];
        at_terminal(&project, &arguments, &[])
    };
    assert_eq!(add("Run `pnpm test` before a release.")["status"], 0);
    let node = read(&project, "src/api/AGENTS.md");
    assert!(
        node.contains("- Run `pnpm build` before a release.\n- **Before a release:** Run `pnpm test` before a release.\n  _"),
        "{node}"
    );
    let again = add("Run `pnpm test` before each release.");
    assert_eq!(again["status"], 1, "{again}");
    assert!(
        again["text"].as_str().unwrap().contains("Nothing was written. Make that rule more precise"),
        "{again}"
    );
}

#[test]
fn a_person_goes_through_all_reports_at_a_terminal() {
    let project = project();
    for number in 1..=6 {
        skeleton(&project, &format!("SKELETON-{number}"));
    }
    let answers = [
        "?",
        "a",
        "Read first",
        "Else edits fail.", // 1
        "a",
        "",
        "",
        "s", // 2: thought better of it
        "r",
        "no reason at all", // 3
        "d",                // 4
        "e",
        "a",
        "Locks of sessions",
        "Session locks are not reentrant; pass the guard along",
        "n",
        "s", // 5
        "q", // 6
    ];
    let seen = at_terminal(&project, &["learn"], &answers);
    let text = seen["text"].as_str().unwrap();
    assert!(text.ends_with("\n1 accepted, 1 rejected, 1 deleted, 3 left for later\n"), "{text}");
    assert!(text.contains("Edit broke."), "{text}");
    assert!(text.contains("the same rule is in src/api/AGENTS.md, Pitfalls:\n    Locks\n"), "{text}");
    assert_eq!(ids(&project, "pending"), ["SKELETON-2", "SKELETON-5", "SKELETON-6"]);
    assert_eq!(ids(&project, "integrated"), ["SKELETON-1"]);
    assert_eq!(ids(&project, "rejected"), ["SKELETON-3"]);
    assert!(read(&project, "src/api/AGENTS.md").contains("### Read first\n\nElse edits fail.\n"));
}

#[test]
fn the_end_of_input_is_no_answer() {
    let project = project();
    skeleton(&project, "SKELETON-1");
    let seen = at_terminal(&project, &["learn"], &["a", "Title"]);
    assert_eq!(seen["status"], 0);
    assert_eq!((read(&project, "src/api/AGENTS.md").as_str(), ids(&project, "pending").len()), (NODE, 1));
}

#[test]
fn a_session_gets_the_title_that_a_person_gave_not_that_of_the_failure() {
    let project = project();
    project.config("[memory.session]\nmode = \"enforce\"\n");
    skeleton(&project, "SKELETON-1");
    skeleton(&project, "SKELETON-2");
    assert_eq!(project.run(&["memory", "index"]).status, 0);
    // The very same event at once would be the same one, registered twice.
    let context = || project.hook("SessionStart", json!({ "source": "clear", "prompt_id": unique() })).stdout;
    let title = "what a person says";
    let ran = project.run(&["learn", "accept", "SKELETON-1", "--title", title, "--detail", "Read it first."]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(context().contains(title), "{}", context());
    assert!(!context().contains("Edit on a.ts"), "{}", context());
}

/// Whatever step a call is killed at, the next one finishes it: one rule, one report, none pending.
#[test]
fn a_call_that_is_killed_is_finished_by_the_next() {
    for step in ["accept.noted", "accept.written", "accept.changed", "accept.moved", "link"] {
        let project = project();
        let id = reported(&project, "Close the pool", "Close the pool before the process ends.");
        let mut command = project.command(&["learn", "accept", &id]);
        command.env("FLYBALL_DIE_AT", if step == "link" { "accept.changed" } else { step });
        assert!(!command.output().unwrap().status.success(), "{step}");
        let folder = project.root().join(".intent-layer/mistakes");
        if step == "link" {
            // Killed between the two steps of a move.
            std::fs::create_dir_all(folder.join("integrated")).unwrap();
            let file = format!("{id}.md");
            std::fs::hard_link(folder.join("pending").join(&file), folder.join("integrated").join(&file))
                .unwrap();
        }
        let next = project.run(&["learn", "list", "--all", "--json"]);
        assert_eq!(next.status, 0, "{step}: {}", next.stderr);
        let node = read(&project, "src/api/AGENTS.md");
        assert_eq!(node.matches("Close the pool before").count(), 1, "{step}: {node}");
        assert_eq!(list(&project, "pending"), [Value::Null; 0], "{step}");
        let integrated = list(&project, "integrated");
        assert_eq!((integrated.len(), &integrated[0]["id"]), (1, &json!(id)), "{step}");
        assert_eq!(project.run(&["learn", "list"]).stderr, "", "{step}: it is done once");
    }
}

#[test]
fn a_section_that_agents_read_over_is_pointed_out() {
    let project = project();
    let rules: String =
        (0..10).map(|number| format!("- Rule number {number} is about `thing{number}`\n")).collect();
    project.file("src/api/AGENTS.md", &format!("# Api\n\n## Pitfalls\n\n{rules}"));
    let id = reported(&project, "Dates", "Dates are UTC.");
    let ran = project.run(&["learn", "accept", &id]);
    let warning = "! `## Pitfalls` of src/api/AGENTS.md has";
    let line = ran.stdout.lines().find(|line| line.starts_with(warning)).unwrap_or_default();
    assert!(line.contains("in 11 rules now") && line.contains("merge rules that belong together"), "{ran:?}");
}
