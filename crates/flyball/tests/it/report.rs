//! `flyball report`, by real processes over a record that real hooks wrote.

#![expect(clippy::indexing_slicing, reason = "what fails here fails the test")]

use crate::support::masks::masked;
use crate::support::{ProcessResult, Project, PromptKind, TerminalUser, run};
use serde_json::{Value, json};

const CONFIG: &str = r#"[guard.packages]
python = "uv"

[[rule]]
id = "deploys"
events = ["before_tool"]
tool = ["shell"]
when = "tool.command.contains('deploy')"
action = "ask"
message = "is it time?"

[[rule]]
id = "forgotten"
events = ["before_tool"]
tool = ["edit"]
when = "tool.path.contains('no-such-file')"
action = "deny"
message = "no"

[[rule]]
id = "slow"
events = ["before_tool"]
tool = ["shell"]
when = "tool.command.contains('sleep')"
action = "deny"
message = "do not wait"

[[rule]]
id = "watch"
events = ["before_tool"]
tool = ["shell"]
when = "tool.command.contains('curl')"
action = "deny"
message = "no network"
mode = "observe"
"#;

const HOSTILE: &str = "sleep 1 | cat `x` \\| <script>alert(1)</script>\n| rm |";

fn project() -> Project {
    Project::new().with("COLUMNS", "80").with("TZ", "UTC")
}

/// A denial that is tried again and then skipped, a question that is answered with yes, a rule that only observes, one
/// that never fires, and a command that would like to be more than text.
fn story() -> Project {
    let project = project();
    project.config(CONFIG);
    project.shell("pip install requests").assert_denied_by("guard.packages");
    project.shell("pip install requests");
    let mut skipping = project.hook_command("PreToolUse");
    skipping.env("FLYBALL_SKIP", "guard.packages");
    let input = json!({ "command": "pip install requests" });
    let fields = json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": crate::support::unique() });
    let ran = run(skipping, project.payload("PreToolUse", fields).to_string().as_bytes());
    assert_eq!(ran.decision(), None, "{ran:?}");
    assert_eq!(project.shell("make deploy").decision().as_deref(), Some("ask"));
    after(&project, "make deploy");
    assert_eq!(project.shell("make deploy-all").decision().as_deref(), Some("ask"));
    project.shell("curl localhost");
    assert_eq!(project.shell(HOSTILE).decision().as_deref(), Some("deny"));
    project
}

fn after(project: &Project, command: &str) {
    let response = json!({ "stdout": "", "stderr": "", "interrupted": false });
    let input = json!({ "command": command });
    project.hook(
        "PostToolUse",
        json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": crate::support::unique(), "tool_response": response }),
    );
}

#[track_caller]
fn well(ran: &ProcessResult) -> &str {
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    &ran.stdout
}

/// The report with what differs from run to run taken out: times, and the policies that this flyball happens to have.
fn steady(text: &str, project: &Project) -> String {
    let mut section = "";
    let mut lines: Vec<String> = Vec::new();
    let text = masked(text, project);
    for line in text.lines() {
        if let Some(title) = SECTIONS.iter().find(|title| line.trim_start_matches("## ").starts_with(**title))
        {
            section = title;
        }
        let by_time = ["Time by policy", "Slowest events"].contains(&section);
        let is_row = line.starts_with("  ") || line.starts_with("| `") || line.starts_with("| N ");
        if (by_time && is_row) || (section == "Never fired" && !line.contains("forgotten") && is_row) {
            continue;
        }
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        // The numbers at the head are as wide as the longest time among them.
        let line = if section.is_empty() { words.join(" ") } else { line.to_owned() };
        let line = if line.starts_with(section) && !section.is_empty() {
            line.split(" (").next().unwrap_or_default().to_owned()
        } else {
            line
        };
        lines.push(moments(&line));
    }
    lines.join("\n")
}

const SECTIONS: [&str; 7] = [
    "False-positive candidates",
    "Overridden",
    "Fired",
    "Never fired",
    "Denied repeatedly",
    "Time by policy",
    "Slowest events",
];

/// The line without the time of `yyyy-mm-dd 12:34`, and without a day before a comma.
fn moments(line: &str) -> String {
    let words = line.split(' ').map(|word| {
        let is_clock = word.len() == 5 && word.as_bytes()[2] == b':';
        let is_day = word.len() == 11 && word.ends_with(',') && word.matches('-').count() == 2;
        match (is_clock, is_day) {
            (true, _) => "hh:mm",
            (_, true) => "yyyy-mm-dd,",
            _ => word,
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_terminal_shows_what_the_rules_did() {
    let project = story();
    let ran = project.run(&["report"]);
    let shown = well(&ran);
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    assert_eq!(steady(shown, &project), include_str!("report/terminal.txt").trim_end());
}

#[test]
fn markdown_contains_hostile_text_in_its_cells() {
    let project = story();
    let ran = project.run(&["report", "--markdown"]);
    assert_eq!(steady(well(&ran), &project), include_str!("report/markdown.txt").trim_end());
}

#[test]
fn scripts_get_the_same_as_json() {
    let project = story();
    let report: Value = serde_json::from_str(well(&project.run(&["report", "--json"]))).unwrap();
    let glance = &report["glance"];
    assert_eq!((&glance["events"], &glance["denials"], &glance["asks"]), (&json!(8), &json!(3), &json!(2)));
    let candidates: Vec<(&Value, &Value, &Value)> = report["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (&it["subject"], &it["certainty"], &it["times"]))
        .collect();
    let (pip, deploy, sure) = (json!("pip install requests"), json!("make deploy"), json!("sure"));
    assert_eq!(candidates, [(&pip, &sure, &json!(2)), (&deploy, &sure, &json!(1))]);
    let days = report["stretches"].as_array().unwrap();
    assert_eq!(days.len(), 7);
    assert_eq!(days[6]["events"], json!(8));
    assert_eq!(report["limits"], json!([]));
}

#[test]
fn a_page_has_charts_and_escapes_what_agents_wrote() {
    let project = story();
    let file = project.root().join("week.html");
    let ran = project.run(&["report", "--html", "-o", "week.html"]);
    assert_eq!(well(&ran), "");
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"));
    for title in ["Events by decision", "Time of a hook", "Context added", "Who objected"] {
        assert!(page.contains(title), "{title}");
    }
    assert!(page.contains("<svg"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!page.contains("<script"));
    let left: Vec<String> = std::fs::read_dir(project.root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("report"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn a_mode_that_was_loosened_after_a_denial_makes_a_candidate() {
    let project = project();
    project.config("[guard.packages]\npython = \"uv\"\n");
    project.shell("pip install requests").assert_denied_by("guard.packages");
    project.config("[guard.packages]\nmode = \"observe\"\npython = \"uv\"\n");
    project.shell("pip install requests").assert_notice(
        "flyball: flyball.toml has changed and is in force: it was accepted during the session (a test); if that was not you, run `flyball trust --withdraw`",
    );
    let report: Value = serde_json::from_str(well(&project.run(&["report", "--json", "--here"]))).unwrap();
    let candidate = &report["candidates"][0];
    assert_eq!(
        (&candidate["certainty"], &candidate["passed"], &candidate["suggestion"]),
        (
            &json!("likely"),
            &json!("guard.packages only observed by then"),
            &json!("already so: the mode is observe now (flyball.toml:2)")
        )
    );
    let overridden = &report["overridden"][0];
    assert_eq!(
        (&overridden["how"], &overridden["who"], &overridden["times"]),
        (&json!("only observed"), &json!("guard.packages"), &json!(1))
    );
}

/// Runs the program at a terminal of its own, as a person would, and types `y`.
fn approve_as_person(project: &Project) {
    let person = TerminalUser::new(project).with_answers(PromptKind::Decisions, &["y"]);
    assert_eq!(person.run(&["approve", ".ruff.toml"])["status"], json!(0));
}

#[test]
fn what_a_person_approved_is_listed() {
    let project = project();
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    project.file(".ruff.toml", "line-length = 100\n");
    crate::support::git(&project, &["init", "--quiet"]);
    crate::support::commit(&project);
    project.hook("SessionStart", json!({ "source": "startup" })).assert_silent();
    project.file(".ruff.toml", "line-length = 400\n");
    approve_as_person(&project);
    let report: Value = serde_json::from_str(well(&project.run(&["report", "--json"]))).unwrap();
    let mut overridden = report["overridden"].clone();
    overridden[0]["last_at"] = json!(0);
    let expected = json!([{
        "how": "approved", "who": "guard.protected", "times": 1, "sessions": null, "last_at": 0,
        "example": ".ruff.toml", "answer": "",
    }]);
    assert_eq!(overridden, expected);
}

#[test]
fn a_period_without_events_is_explained() {
    let project = project();
    let ran = project.run(&["report", "--week"]);
    let text = well(&ran);
    assert!(
        text.contains("\n\nNo events were recorded in this period.\n`flyball report --days 30`"),
        "{text}"
    );
    assert!(well(&project.run(&["report", "--html"])).contains("No events were recorded in this period."));
    assert!(
        well(&project.run(&["report", "--markdown"]))
            .ends_with("\n\nNo events were recorded in this period.\n")
    );
}

#[test]
fn an_invalid_period_is_refused() {
    let project = project();
    let ran = project.run(&["report", "--since", "2026-11-14", "--until", "2026-11-13"]);
    let expected = "error: the period ends before it begins\n help: `--since` must be before `--until`\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
    assert_eq!(project.run(&["report", "-o", "no/such/folder.md"]).status, 2);
}
