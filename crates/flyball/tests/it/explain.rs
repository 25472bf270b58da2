//! `flyball explain`, by real processes over a real record.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what fails here fails the test")]

use crate::support::masks::masked;
use crate::support::{ProcessResult, Project};
use serde_json::json;

fn project() -> Project {
    Project::new().with("COLUMNS", "100").with("TZ", "UTC")
}

#[track_caller]
fn fails(ran: &ProcessResult, expected: &str) {
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
}

#[test]
fn a_denial_is_explained_from_the_answer_to_the_next_steps() {
    let project = project();
    project.config("[guard.self]\nmode = \"enforce\"\n\n[[rule]]\nid = \"slow\"\nevents = [\"before_tool\"]\ntool = [\"shell\"]\nwhen = \"tool.command.contains('sleep')\"\naction = \"deny\"\nmessage = \"do not wait\"\n");
    project.shell("sleep 60");
    project.shell("ls");
    let ran = project.run(&["explain"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let expected = "\
id-00001  blocked  before_tool  shell
sleep 60
yyyy-mm-dd hh:mm:ss.mmm +00:00 (N unit ago)
claude-code calls it PreToolUse
session 00000000-0000-4000-8000-000000000001
project PROJECT

Decision
  Denied, in N unit
  Message to the agent:
  │ slow: do not wait. [flyball rules id-00001]

Policies
  rules  enforce  deny  N unit
      what     slow: do not wait
      seen     rule: slow at flyball.toml:5:6: deny
      now      the mode is enforce (the default)
      set      rule slow = { action = \"deny\", events = [\"before_tool\"], id = \"slow\", tool =
               [\"shell\"], when = \"tool.command.contains('sleep')\" } (flyball.toml:4)
  silent: POLICIES; together they took N unit

What would change it
  - if the rule `slow` only observed: silent
      how  `mode = \"observe\"` in the rule at flyball.toml:4
  - if rules only observed: silent
      how  `mode = \"observe\"` below a new `[rules]` in PROJECT/flyball.toml
  - if the client ran with `FLYBALL_SKIP=rules`: silent
      how  a person sets it before starting the client; that is recorded with every event
  - if the same event came today, in a new session: still deny: rules

Event
";
    let shown = masked(&ran.stdout, &project);
    let others = ["guard.permissions", "rules"];
    let shown = crate::support::without_policies(&shown, ("silent: ", ";"), &others);
    // Where the line is broken depends on how many policies there are.
    let shown = [
        "\n          together they took",
        " together\n          they took",
        " together they\n          took",
    ]
    .iter()
    .fold(shown, |shown, broken| shown.replace(broken, " together they took"));
    let (above, below) = shown.split_at(shown.find("  {\n").unwrap());
    assert_eq!(above, expected);
    let next = "
What next
  - Read what it denies and allows: `flyball policies rules`
  - See what happened around it: `flyball log --session 00000000-0000-4000-8000-000000000001`
";
    assert!(below.ends_with(next), "{below}");
    assert!(below.contains("\n      \"command\": \"sleep 60\"\n"), "{below}");
}

#[test]
fn the_current_mode_is_shown_with_its_line() {
    let project = project();
    project.before("Write", json!({ "file_path": project.root().join("flyball.toml"), "content": "" }));
    project.config("\n[guard.self]\nmode = \"observe\"\n");
    let ran = project.run(&["explain", "--last"]);
    let shown = masked(&ran.stdout, &project);
    assert!(shown.contains("\n      now      the mode is observe (flyball.toml:3)\n"), "{shown}");
    assert!(
        shown.contains("\n  - if guard.self only observed: silent\n      how  already so: the mode is observe now (flyball.toml:3)\n"),
        "{shown}"
    );
}

#[test]
fn a_policy_that_only_observes_is_shown_as_such() {
    let project = project();
    project.config("[guard.self]\nmode = \"observe\"\n");
    project
        .before("Write", json!({ "file_path": project.root().join("flyball.toml"), "content": "" }))
        .assert_silent();
    let shown = masked(&project.run(&["explain"]).stdout, &project);
    assert!(shown.contains("only observed, had no effect\n"), "{shown}");
    assert!(
        shown.contains("\n  No objection: the client continued as without flyball, in N unit\n"),
        "{shown}"
    );
    assert!(
        shown.contains(
            "\n  - if guard.self counted: deny: guard.self\n      how  `mode = \"enforce\"` instead of flyball.toml:2\n"
        ),
        "{shown}"
    );
}

#[test]
fn a_duplicate_is_marked() {
    let project = project();
    let payload = project.payload("Stop", json!({})).to_string();
    project.hook_bytes("Stop", payload.as_bytes());
    project.hook_bytes("Stop", payload.as_bytes());
    let id = project.log()[1]["id"].as_str().unwrap().to_owned();
    let shown = project.run(&["explain", &id]).stdout;
    assert!(
        shown.contains("\n  The same call had arrived before: answered again, counted once\n"),
        "{shown}"
    );
    assert!(shown.contains("\n  - See where flyball is registered twice: `flyball doctor`\n"), "{shown}");
}

#[test]
fn the_beginning_of_an_id_is_enough_and_two_of_them_are_listed() {
    let project = project();
    // Ids begin with one of 32 letters.
    for number in 0..33 {
        project.shell(&format!("echo {number}"));
    }
    let ids: Vec<String> =
        project.log().iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect();
    let first = &ids[0];
    let ran = project.run(&["explain", &first[..7], "--json"]);
    assert_eq!(
        (ran.status, ran.json()["record"]["id"].as_str(), ran.stderr.as_str()),
        (0, Some(first.as_str()), "")
    );
    let letter = |id: &str| id[..1].to_owned();
    let shared = ids
        .iter()
        .map(|id| letter(id))
        .find(|it| ids.iter().filter(|id| letter(id) == *it).count() > 1)
        .unwrap();
    let ran = project.run(&["explain", &shared]);
    let mut listed: Vec<&String> = ids.iter().filter(|id| letter(id) == shared).collect();
    listed.sort();
    let listed: Vec<String> = listed.into_iter().take(6).map(|id| format!("`{id}`")).collect();
    let expected = format!(
        "error: several ids begin with `{shared}`: {}\n help: write more of the id\n",
        listed.join(", ")
    );
    fails(&ran, &expected);
}

#[test]
fn json_has_the_record_the_modes_and_the_next_steps() {
    let project = project();
    project.shell("ls");
    let json = project.run(&["explain", "--json"]).json();
    let mut recorded = project.log().remove(0);
    // Of the log, not of the record: it follows from its kind and stance.
    assert_eq!(recorded.as_object_mut().unwrap().remove("outcome"), Some(json!("passed")));
    assert_eq!(json["record"], recorded);
    assert_eq!(
        json["modes_now"][0],
        json!({ "policy": "guard.self", "mode": "enforce", "origin": "the default" })
    );
    let next = [
        "Nothing to do: flyball had no objection, and the client continued",
        "See what happened around it: `flyball log --session 00000000-0000-4000-8000-000000000001`",
    ];
    assert_eq!(json["next"], json!(next));
}

#[test]
fn an_unknown_event_is_an_error_with_a_fix() {
    let project = project();
    let nothing = "error: nothing is recorded yet\n help: `flyball init` registers flyball with your client; `flyball demo` shows it at work\n";
    fails(&project.run(&["explain"]), nothing);
    let unknown = "error: no decision has the id `zzzzzzzz`\n help: `flyball log` shows the ids; events older than `store.keep_days` are deleted\n";
    fails(&project.run(&["explain", "zzzzzzzz"]), unknown);
}

#[test]
fn a_long_payload_is_cut_without_the_option_full() {
    let project = project();
    let many: Vec<usize> = (0..60).collect();
    project.hook("Stop", json!({ "many": many }));
    let cut = project.run(&["explain"]).stdout;
    assert!(cut.contains(" more lines (--full shows them)\n"), "{cut}");
    let full = project.run(&["explain", "--full"]).stdout;
    assert!(full.contains("\n      59\n"), "{full}");
}

/// What would change the last decision: the condition, the result, and how to do it.
fn changes(project: &Project) -> Vec<(String, String, String)> {
    let json = project.run(&["explain", "--json"]).json();
    let text = |change: &serde_json::Value, key: &str| change[key].as_str().unwrap_or_default().to_owned();
    let all = json["changes"].as_array().unwrap().iter();
    all.map(|change| (text(change, "if_only"), text(change, "then"), text(change, "how"))).collect()
}

fn change(if_only: &str, then: &str, how: &str) -> (String, String, String) {
    (if_only.to_owned(), then.to_owned(), how.to_owned())
}

const RECORDED: &str = "a person sets it before starting the client; that is recorded with every event";
const TODAY: &str = "the same event came today, in a new session";

/// The answer to a command in a session of its own.
fn in_a_new_session(project: &Project, command: &str) -> Option<String> {
    let fields = json!({
        "session_id": "00000000-0000-4000-8000-000000000009", "tool_name": "Bash",
        "tool_input": { "command": command }, "tool_use_id": crate::support::unique(),
    });
    project.hook("PreToolUse", fields).decision()
}

#[test]
fn every_suggested_change_has_the_predicted_effect() {
    let project = project();
    let config = "[guard.packages]\npython = \"uv\"\n";
    project.config(config);
    assert_eq!(project.shell("pip install requests").decision().as_deref(), Some("deny"));
    let file = project.root().join("flyball.toml");
    let expected = [
        change("the command was `uv add requests`", "silent: this would pass", ""),
        change(
            "guard.packages only observed",
            "silent",
            &format!("`mode = \"observe\"` below the `[guard.packages]` in {}", file.display()),
        ),
        change("the client ran with `FLYBALL_SKIP=guard.packages`", "silent", RECORDED),
        change(TODAY, "still deny: guard.packages", ""),
    ];
    assert_eq!(changes(&project), expected);

    assert_eq!(in_a_new_session(&project, "pip install requests").as_deref(), Some("deny"));
    assert_eq!(project.shell("uv add requests").decision(), None);
    let payload = project.payload(
        "PreToolUse",
        json!({ "tool_name": "Bash", "tool_input": { "command": "pip install requests" }, "tool_use_id": crate::support::unique() }),
    );
    let mut skipping = project.hook_command("PreToolUse");
    skipping.env("FLYBALL_SKIP", "guard.packages");
    assert_eq!(crate::support::run(skipping, payload.to_string().as_bytes()).decision(), None);
    project.config(&format!("{config}mode = \"observe\"\n"));
    assert_eq!(project.shell("pip install requests").decision(), None);
}

#[test]
fn two_objections_are_explained_separately_and_together() {
    let project = project();
    let rule = "[[rule]]\nid = \"none\"\nevents = [\"before_tool\"]\ntool = [\"shell\"]\nwhen = \"tool.command.contains('requests')\"\naction = \"ask\"\nmessage = \"sure?\"\n";
    project.config(&format!("[guard.packages]\npython = \"uv\"\n\n{rule}"));
    project.shell("pip install requests");
    let outcomes: Vec<(String, String)> =
        changes(&project).into_iter().map(|(if_only, then, _)| (if_only, then)).collect();
    let expected = [
        ("the command was `uv add requests`", "ask: rules"),
        ("guard.packages only observed", "ask: rules"),
        ("the client ran with `FLYBALL_SKIP=guard.packages`", "ask: rules"),
        ("the rule `none` only observed", "still deny: guard.packages objects as well"),
        ("rules only observed", "still deny: guard.packages objects as well"),
        ("the client ran with `FLYBALL_SKIP=rules`", "still deny: guard.packages objects as well"),
        ("guard.packages, rules all only observed", "silent"),
        (TODAY, "still deny: guard.packages"),
    ];
    assert_eq!(outcomes, expected.map(|(if_only, then)| (if_only.to_owned(), then.to_owned())));

    assert_eq!(project.shell("uv add requests").decision().as_deref(), Some("ask"));
    project.config(&format!("[guard.packages]\npython = \"uv\"\nmode = \"observe\"\n\n{rule}"));
    assert_eq!(project.shell("pip install requests").decision().as_deref(), Some("ask"));
    project.config(&format!("[guard.packages]\npython = \"uv\"\n\n{rule}mode = \"observe\"\n"));
    assert_eq!(project.shell("pip install requests").decision().as_deref(), Some("deny"));
    project.config(&format!(
        "[guard.packages]\npython = \"uv\"\nmode = \"observe\"\n\n{rule}mode = \"observe\"\n"
    ));
    assert_eq!(project.shell("pip install requests").decision(), None);
}

#[test]
fn a_lock_is_named_instead_of_a_line_without_effect() {
    let project = project();
    let user = project.home().join(".config/flyball/config.toml");
    std::fs::create_dir_all(user.parent().unwrap()).unwrap();
    std::fs::write(&user, "lock = [\"guard.packages\"]\n\n[guard.packages]\npython = \"uv\"\n").unwrap();
    project.shell("pip install requests");
    let how = format!(
        "not in {}/flyball.toml: `guard.packages` is locked by {}:1:9",
        project.root().display(),
        user.display()
    );
    assert_eq!(changes(&project)[1], change("guard.packages only observed", "silent", &how));
    project.config("[guard.packages]\nmode = \"observe\"\n");
    assert_eq!(project.shell("pip install requests").decision().as_deref(), Some("deny"));
}

#[test]
fn todays_decision_is_shown_with_what_changed() {
    let project = project();
    project.config("[guard.packages]\npython = \"uv\"\n");
    project.shell("pip install requests");
    project.config("[guard.packages]\npython = \"uv\"\nmode = \"observe\"\n");
    let today = changes(&project).pop().unwrap();
    assert_eq!(today, change(TODAY, "silent: guard.packages is observe now (flyball.toml:3)", ""));
    assert_eq!(in_a_new_session(&project, "pip install requests"), None);
}

#[test]
fn a_denial_by_another_route_names_the_one_it_is_based_on() {
    let project = project();
    project.file("ruff.toml", "line-length = 80\n");
    let path = project.root().join("ruff.toml");
    project.before("Write", json!({ "file_path": path, "content": "" }));
    let first = project.log()[0]["id"].as_str().unwrap().to_owned();
    project.config("[guard.protected]\nmode = \"observe\"\n");
    assert_eq!(project.shell("echo > ruff.toml").decision().as_deref(), Some("deny"));
    let json = project.run(&["explain", "--json"]).json();
    let policies = json["policies"].as_array().unwrap();
    let denials = policies.iter().find(|policy| policy["policy"] == "guard.denials").unwrap();
    let subject = path.display();
    let text = format!("because of the denial {first} by guard.protected: {subject}");
    assert_eq!(denials["notes"], json!([{ "text": text, "answer": first }]));
    let alone = changes(&project).into_iter().find(|it| it.0 == "guard.denials only observed").unwrap();
    assert_eq!(alone.1, "silent");
    project.config("[guard.protected]\nmode = \"observe\"\n[guard.denials]\nmode = \"observe\"\n");
    assert_eq!(project.shell("echo > ruff.toml").decision(), None);
}

#[test]
fn a_page_for_the_browser_has_everything_inside_and_nothing_that_runs() {
    let project = project();
    project.config("[guard.packages]\npython = \"uv\"\n");
    project.shell("pip install '<script>alert(1)</script>'");
    let ran = project.run(&["explain", "--html"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(!ran.stdout.contains("<script"), "{}", ran.stdout);
    assert!(ran.stdout.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{}", ran.stdout);
    assert!(!ran.stdout.contains(" href="), "a file has nothing to link to");
    for part in [
        "<h2>Messages</h2>",
        "<h2>Policies</h2>",
        "<h2>What would change it</h2>",
        "<h2>What next</h2>",
        "<dt>guard.packages.python</dt><dd>&quot;uv&quot; <span class=\"muted\">flyball.toml:2</span></dd>",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let file = project.root().join("page.html");
    let written = project.run(&["explain", "--html", "-o", file.to_str().unwrap()]);
    assert_eq!((written.status, written.stdout.as_str(), written.stderr.as_str()), (0, "", ""));
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("<!DOCTYPE html>"));
    let nowhere = project.run(&["explain", "--html", "-o", "/nowhere/x.html"]);
    fails(
        &nowhere,
        "error: `/nowhere/x.html` cannot be written: No such file or directory (os error 2)\n help: name a file in a folder that is there, with `--output`\n",
    );
}

#[test]
fn a_broken_config_is_named_among_the_next_steps() {
    let project = project();
    project.config("[guard.packages]\npython = \"uv\"\n");
    project.shell("pip install requests");
    project.config("[guard.packages]\npython = \n");
    let json = project.run(&["explain", "--json"]).json();
    let next: Vec<&str> = json["next"].as_array().unwrap().iter().filter_map(|line| line.as_str()).collect();
    assert!(next.iter().any(|line| line.starts_with("Fix the config: flyball.toml:2:")), "{next:?}");
    let observed = changes(&project).into_iter().find(|it| it.0 == "guard.packages only observed").unwrap();
    let how = format!(
        "fix {}/flyball.toml first: `flyball config check` shows what is wrong with it",
        project.root().display()
    );
    assert_eq!(observed, change("guard.packages only observed", "silent", &how));
}
