//! `flyball explain`, by real processes over a real record.

#[path = "log/masks.rs"]
mod masks;
mod support;

use masks::masked;
use serde_json::json;
use support::{Project, Ran};

fn project() -> Project {
    Project::new().with("COLUMNS", "100").with("TZ", "UTC")
}

#[track_caller]
fn fails(ran: &Ran, expected: &str) {
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
}

#[test]
fn a_denial_is_explained_from_the_answer_to_the_way_on() {
    let project = project();
    project.config("[guard.self]\nmode = \"enforce\"\n\n[[rule]]\nid = \"slow\"\nevents = [\"before_tool\"]\ntool = [\"shell\"]\nwhen = \"tool.command.contains('sleep')\"\naction = \"deny\"\nmessage = \"do not wait\"\n");
    project.shell("sleep 60");
    project.shell("ls");
    let ran = project.run(&["explain"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let expected = "\
id-00001  deny  before_tool  shell
sleep 60
yyyy-mm-dd hh:mm:ss.mmm +00:00 (N unit ago)
claude-code calls it PreToolUse
session 00000000-0000-4000-8000-000000000001
project PROJECT

Answer
  Denied, in N unit
  The agent was told:
  │ [rules] slow: do not wait
  │ (flyball explain id-00001)

Policies
  rules  enforce  deny  N unit
      what     slow: do not wait
      seen     rule: slow at flyball.toml:5:6: deny
      now      the mode is enforce (the default)
  silent: POLICIES; all of these took N unit

Event
";
    let shown = masked(&ran.stdout, &project);
    let others = ["guard.permissions", "quality", "rules"];
    let shown = support::without_policies(&shown, ("silent: ", ";"), &others);
    let (above, below) = shown.split_at(shown.find("  {\n").unwrap());
    assert_eq!(above, expected);
    let next = "
What next
  - Read what it governs and what it lets pass: `flyball policies rules`
  - Watch it without being stopped: `mode = \"observe\"` below `[rules]` in flyball.toml
  - Do without it once: start the client with `FLYBALL_SKIP=rules`; that is recorded
  - See what happened around it: `flyball log --session 00000000-0000-4000-8000-000000000001`
";
    assert!(below.ends_with(next), "{below}");
    assert!(below.contains("\n      \"command\": \"sleep 60\"\n"), "{below}");
}

#[test]
fn the_mode_of_today_is_told_with_its_line() {
    let project = project();
    project.before("Write", json!({ "file_path": project.root().join("flyball.toml"), "content": "" }));
    project.config("\n[guard.self]\nmode = \"observe\"\n");
    let ran = project.run(&["explain", "--last"]);
    let shown = masked(&ran.stdout, &project);
    assert!(shown.contains("\n      now      the mode is observe (flyball.toml:3)\n"), "{shown}");
    assert!(
        shown.contains("\n  - Today it would pass: the mode is observe now (flyball.toml:3)\n"),
        "{shown}"
    );
}

#[test]
fn what_only_observes_is_told_apart_from_what_counts() {
    let project = project();
    project.config("[guard.self]\nmode = \"observe\"\n");
    project
        .before("Write", json!({ "file_path": project.root().join("flyball.toml"), "content": "" }))
        .is_silent();
    let shown = masked(&project.run(&["explain"]).stdout, &project);
    assert!(shown.contains("only observed, did not count\n"), "{shown}");
    assert!(
        shown.contains("\n  No objection: the client did what it does without flyball, in N unit\n"),
        "{shown}"
    );
    assert!(
        shown.contains(
            "\n  - Let guard.self count: `mode = \"enforce\"` below `[guard.self]` in flyball.toml\n"
        ),
        "{shown}"
    );
}

#[test]
fn a_duplicate_says_so() {
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
fn json_holds_the_record_the_modes_and_the_ways_on() {
    let project = project();
    project.shell("ls");
    let json = project.run(&["explain", "--json"]).json();
    assert_eq!(json["record"], project.log()[0]);
    assert_eq!(
        json["modes_now"][0],
        json!({ "policy": "guard.self", "mode": "enforce", "origin": "the default" })
    );
    let next = [
        "Nothing to do: flyball had nothing to say, and the client went on as without it",
        "See what happened around it: `flyball log --session 00000000-0000-4000-8000-000000000001`",
    ];
    assert_eq!(json["next"], json!(next));
}

#[test]
fn what_is_not_recorded_is_said_with_a_way_out() {
    let project = project();
    let nothing = "error: nothing is recorded yet\n help: `flyball init` registers flyball with your client; `flyball demo` shows it at work\n";
    fails(&project.run(&["explain"]), nothing);
    let unknown = "error: no answer has the id `zzzzzzzz`\n help: `flyball log` shows the ids; events older than `store.keep_days` are forgotten\n";
    fails(&project.run(&["explain", "zzzzzzzz"]), unknown);
}

#[test]
fn a_long_payload_is_cut_unless_all_of_it_is_wanted() {
    let project = project();
    let many: Vec<usize> = (0..60).collect();
    project.hook("Stop", json!({ "many": many }));
    let cut = project.run(&["explain"]).stdout;
    assert!(cut.contains(" more lines (--full shows them)\n"), "{cut}");
    let full = project.run(&["explain", "--full"]).stdout;
    assert!(full.contains("\n      59\n"), "{full}");
}
