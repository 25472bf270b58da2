//! `flyball policies`, by real processes.

use crate::support::Project;

fn project() -> Project {
    Project::new().with("COLUMNS", "100")
}

#[test]
fn the_table_has_a_row_per_policy_with_the_mode_in_force_here() {
    let project = project();
    project.config("[guard.self]\nmode = \"observe\"\n");
    let ran = project.run(&["policies"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut lines = ran.stdout.lines();
    assert_eq!(
        words(lines.next().unwrap()),
        ["policy", "mode", "default", "events", "what", "it", "is", "about"]
    );
    assert_eq!(words(lines.next().unwrap())[..4], ["guard.self", "observe", "enforce", "before_tool"]);
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 100), "{}", ran.stdout);
    let listed: Vec<String> = project
        .run(&["policies", "--json"])
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|policy| policy["id"].as_str().unwrap().to_owned())
        .collect();
    for id in listed {
        assert!(ran.stdout.lines().any(|line| line.starts_with(&id)), "{id}");
    }
}

#[test]
fn a_page_begins_with_the_mode_in_force_here() {
    let project = project();
    project.config("\n[rules]\nmode = \"observe\"\n");
    let ran = project.run(&["policies", "rules"]);
    let expected = "\
rules  the rules that you write yourself

mode         observe (flyball.toml:3)
listens to   all events
if it fails  the call is denied if the client waits for an answer, else the user gets a notice

Your own rules, written as data in `flyball.toml`.

Why

";
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.starts_with(expected), "{}", ran.stdout);
}

#[test]
fn json_has_the_page_of_the_one_that_is_named() {
    let json = project().run(&["policies", "guard.self", "--json"]).json();
    let policy = &json[0];
    assert_eq!(json.as_array().unwrap().len(), 1);
    assert_eq!([&policy["mode"], &policy["default"], &policy["on_error"]], ["enforce", "enforce", "deny"]);
    assert_eq!(policy["origin"], "the default");
    assert!(policy["page"].as_str().unwrap().starts_with("# guard.self\n"));
}

#[test]
fn a_slip_in_the_id_is_answered_with_the_nearest() {
    let ran = project().run(&["policies", "guard.sefl"]);
    let expected = "error: no policy is called `guard.sefl`\n help: did you mean `guard.self`? `flyball policies` lists them all\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
}
