//! Which rules are added at which edit, once, in which order and how many; the reminders after it, and what it costs.

use std::os::unix::fs::symlink;
use std::process::Command;

use flyball_core::event::{Agent, Change, Event, FileEdit, Outcome, Tool, ToolCall};
use flyball_core::verdict::{Evidence, Stance};
use flyball_knowledge::report::ledger;
use flyball_knowledge::report::{Draft, Kind, Origin};
use flyball_knowledge::tokens::estimate;
use proptest::prelude::*;

use super::*;
use crate::test_project::TestProject;
use crate::testing::{before, event, shell};

mod commands;
mod cost;
mod reads;

const ON: &str = "[memory.context]\nmode = \"enforce\"\n";

fn stage() -> TestProject {
    TestProject::new(ON)
}

fn stage_with(settings: &str) -> TestProject {
    TestProject::new(&format!("{ON}{settings}\n"))
}

fn call(edits: &[(&str, Change)]) -> Tool {
    let edit =
        |(path, change): &(&str, Change)| FileEdit { path: (*path).to_owned(), change: change.clone() };
    Tool::Edit(edits.iter().map(edit).collect())
}

fn replace(old: &str, new: &str) -> Change {
    Change::Replace { old: old.to_owned(), new: new.to_owned(), all: false }
}

/// About to edit a file.
fn edit(path: &str) -> Event {
    before("Edit", call(&[(path, replace("a", "b"))]))
}

fn after(name: &str, tool: Tool) -> Event {
    let call = ToolCall { id: None, name: name.to_owned(), tool, input: "{}".to_owned() };
    event(EventData::AfterTool { call, outcome: Outcome::default() })
}

/// A file was edited.
fn edited(path: &str) -> Event {
    after("Edit", call(&[(path, replace("a", "b"))]))
}

fn ran(command: &str) -> Event {
    after("Bash", Tool::Shell { command: command.to_owned(), background: false })
}

fn start(source: &str) -> Event {
    event(EventData::SessionStart { source: source.to_owned() })
}

fn by(agent: &str, event: Event) -> Event {
    Event { agent: Some(Agent { id: agent.to_owned(), role: "developer".to_owned() }), ..event }
}

/// What is seen of an event, a line each.
fn evidence(stage: &TestProject, event: Event) -> Vec<String> {
    let rulings = stage.judge_event(event).rulings;
    let ruling = rulings.iter().find(|ruling| ruling.policy == POLICY.id).unwrap();
    assert_eq!(ruling.error, None);
    ruling.verdict.evidence.iter().map(|Evidence { name, value }| format!("{name}={value}")).collect()
}

const ROOT: &str = "# Project\n\n## Pitfalls\n\n### Sessions\n\nNever share one in `src/api/`: `openSession()` is not safe.\n\n## Checks\n\n- Run `make` after a change of `*.ts`.\n- Read the docs.\n\n## Setup\n\n- `parseDate` is UTC only.\n";
const API: &str = "## Checks\n\n- Bump the version.\n";

/// An edit that opens a session.
fn open_session(path: &str) -> Event {
    before("Edit", call(&[(path, replace("a", "openSession()"))]))
}

#[test]
fn the_rules_that_an_edit_is_about_are_added_best_first() {
    let stage = stage();
    stage.write("CLAUDE.md", ROOT);
    stage.write("src/api/AGENTS.md", API);
    let injected = "This project's rules for `src/api/a.ts`:

From `CLAUDE.md`:

### Sessions

Never share one in `src/api/`: `openSession()` is not safe.

- Run `make` after a change of `*.ts`.

From `src/api/AGENTS.md`:

- Bump the version.";
    assert_eq!(stage.injected_context(open_session("src/api/a.ts")), injected);
}

#[test]
fn rules_stay_in_reserve_for_the_edit_that_they_are_about() {
    let stage = stage();
    stage.write("AGENTS.md", "# App\n\n## Gotchas\n\n- `parseDate` is UTC only.\n- Amounts are integers of cents, never `float`.\n- Icons need an `aria-label`.\n");
    let json = before("Edit", call(&[("package.json", replace("1.0.0", "1.0.1"))]));
    assert_eq!(stage.injected_context(json), "");
    let dates = before("Edit", call(&[("src/due.ts", replace("x", "const due = parseDate(text);"))]));
    let shown = stage.injected_context(dates);
    assert!(shown.ends_with("\n\n- `parseDate` is UTC only."), "{shown}");
    let topic = before("Edit", call(&[("src/cart.py", replace("x", "price = float(text)"))]));
    let shown = stage.injected_context(topic);
    assert!(shown.ends_with("\n\n- Amounts are integers of cents, never `float`."), "{shown}");
}

#[test]
fn a_rule_comes_again_before_it_is_broken_and_long_after_it_was_shown() {
    let stage = stage();
    stage.write("AGENTS.md", "## Gotchas\n\n- Never use `legacyFetch` in `src/`.\n");
    let calm = |number: usize| {
        before("Edit", call(&[("src/a.ts", replace(&format!("legacyFetch({number})"), "get()"))]))
    };
    let breaking = || before("Edit", call(&[("src/b.ts", replace("get()", "legacyFetch()"))]));
    let is_shown = |event: Event| stage.injected_context(event).contains("legacyFetch");
    assert!(is_shown(calm(0)) && !is_shown(calm(1)));
    assert!(is_shown(breaking()), "about to break it");
    assert!(!is_shown(breaking()), "it was reminded just now");
    let later: Vec<usize> = (2..60).filter(|number| is_shown(calm(*number))).collect();
    assert!((1..=3).contains(&later.len()) && later[0] > 15, "{later:?}");
}

#[test]
fn what_the_client_has_loaded_is_not_shown_again() {
    let stage = stage();
    stage.write("AGENTS.md", "## Gotchas\n\n- `openSession()` in `*.ts` is not safe.\n");
    let loaded = || event(EventData::InstructionsLoaded { path: stage.path("AGENTS.md").to_string() });
    let is_shown = |event: Event| !stage.injected_context(event).is_empty();
    stage.judge_event(loaded());
    assert!(!is_shown(open_session("src/a.ts")));
    assert!(!is_shown(by("sub", open_session("src/a.ts"))), "a subagent begins with it too");
    // The client reports what it loads for the new context before or after the context itself.
    stage.judge_event(loaded());
    stage.judge_event(start("compact"));
    assert!(!is_shown(open_session("src/a.ts")));
    let other = self::stage();
    other.write("AGENTS.md", "## Gotchas\n\n- `openSession()` in `*.ts` is not safe.\n");
    assert!(!other.injected_context(open_session("src/a.ts")).is_empty(), "nobody loaded it");
}

#[test]
fn what_a_client_loads_without_a_report_is_a_fact_about_it() {
    let of = |client: &str, event: Event| Event { client: client.to_owned(), ..event };
    let rule = "## Gotchas\n\n- `openSession()` in `*.ts` is not safe.\n";
    // The client, the file, and whether it is shown at an edit, and again after a file beside it was read.
    let cases = [
        ("codex", "AGENTS.md", false, false),
        ("codex", "src/AGENTS.md", true, true),
        ("codex", "CLAUDE.md", true, true),
        ("claude-code", "CLAUDE.md", false, false),
        ("claude-code", "AGENTS.md", true, true),
        ("claude-code", "src/CLAUDE.md", true, false),
    ];
    for (client, file, at_edit, after_read) in cases {
        let stage = stage_with("on_read = false");
        stage.write(file, rule);
        let shown = |event: Event| !stage.injected_context(of(client, event)).is_empty();
        assert_eq!(shown(open_session("src/a.ts")), at_edit, "{client} {file}");
        let stage = self::stage();
        stage.write(file, rule);
        stage.write("src/b.ts", "");
        let shown = |event: Event| !stage.injected_context(of(client, event)).is_empty();
        let read = after("Read", Tool::Read { path: "src/b.ts".to_owned() });
        let on_read = shown(read);
        assert_eq!(on_read || shown(open_session("src/a.ts")), after_read, "{client} {file} after a read");
    }
}

#[test]
fn what_a_user_keeps_the_client_from_loading_is_shown() {
    let rule = "## Gotchas\n\n- `openSession()` in `*.ts` is not safe.\n";
    let local = ".claude/settings.local.json";
    // The file, where the setting is, its globs, and whether the rule is shown at an edit.
    let cases: [(&str, &str, &[&str], bool); 9] = [
        ("CLAUDE.md", ".claude/settings.json", &["**/docs/CLAUDE.md"], false),
        ("CLAUDE.md", ".claude/settings.json", &["**/CLAUDE.md"], true),
        ("CLAUDE.md", local, &["{root}/CLAUDE.md"], true),
        ("CLAUDE.md", "../home/.claude/settings.json", &["**/other/**", "**/project/*.md"], true),
        // A glob is about whole paths.
        ("CLAUDE.md", local, &["CLAUDE.md"], false),
        (".claude/CLAUDE.md", local, &["**/.claude/CLAUDE.md"], true),
        ("CLAUDE.local.md", local, &["**/CLAUDE.md"], false),
        ("docs/rules.md", local, &["**/docs/*"], true),
        ("docs/rules.md", local, &["**/lib/*"], false),
    ];
    for (file, settings, globs, expected) in cases {
        let stage = stage_with("on_read = false");
        stage.write(file, rule);
        if file == "docs/rules.md" {
            stage.write("CLAUDE.md", "@docs/rules.md\n");
        }
        let root = stage.root().to_string_lossy().into_owned();
        let globs: Vec<String> = globs.iter().map(|glob| glob.replace("{root}", &root)).collect();
        stage.write(settings, &serde_json::json!({ "claudeMdExcludes": globs }).to_string());
        let edit = Event { client: "claude-code".to_owned(), ..open_session("src/a.ts") };
        assert_eq!(!stage.injected_context(edit).is_empty(), expected, "{file} {settings} {globs:?}");
        let other = Event { client: "codex".to_owned(), ..open_session("src/b.ts") };
        assert!(!stage.injected_context(other).is_empty() || expected, "{file}: a setting of one client");
    }
}

#[test]
fn what_the_users_own_file_says_is_in_context_already() {
    let rule = "## Gotchas\n\n- `openSession()` in `*.ts` is not safe.\n";
    let same = "# Mine\n\n- `openSession()` in `*.ts` is not safe\n";
    let exclude = r#"{"claudeMdExcludes": ["**/.claude/rules/**"]}"#;
    // The user's file and its text, the user's settings, the client, and whether the project's rule is shown.
    let cases = [
        (".claude/CLAUDE.md", same, "{}", "claude-code", false),
        (".claude/CLAUDE.md", "- Commits are short.\n", "{}", "claude-code", true),
        (".claude/CLAUDE.md", same, "{}", "codex", true),
        (".claude/rules/mine.md", same, "{}", "claude-code", false),
        (".claude/rules/mine.md", same, exclude, "claude-code", true),
        (".codex/AGENTS.md", same, "{}", "codex", false),
        (".codex/AGENTS.override.md", same, "{}", "codex", false),
    ];
    for (file, text, settings, client, expected) in cases {
        let stage = stage();
        stage.write("src/AGENTS.md", rule);
        stage.write(&format!("../home/{file}"), text);
        stage.write("../home/.claude/settings.json", settings);
        let edit = Event { client: client.to_owned(), ..open_session("src/a.ts") };
        assert_eq!(!stage.injected_context(edit).is_empty(), expected, "{file} {client} {settings}");
    }
}

#[test]
fn every_route_to_a_file_is_an_edit() {
    let patch = "git apply <<'X'\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\nX\n";
    let patch_file = "patch -p1 < fix.diff";
    let injected = "- Look twice.";
    let cases = [
        ("an edit", edit("src/a.py"), true),
        (
            "a new file in a new folder",
            before("Write", call(&[("src/new/a.py", Change::Write { content: String::new() })])),
            true,
        ),
        (
            "a cell",
            before(
                "Edit",
                call(&[("src/a.ipynb", Change::Cell { source: "x".to_owned(), how: "insert".to_owned() })]),
            ),
            true,
        ),
        ("moved to", before("Edit", call(&[("b.py", Change::Move { to: "src/b.py".to_owned() })])), true),
        ("deleted", before("Edit", call(&[("src/a.py", Change::Delete)])), true),
        ("sed", shell("sed -i s/a/b/ src/a.py"), true),
        ("a pattern", shell("sed -i s/a/b/ src/*.py"), true),
        ("a redirection", shell("cd src && printf x > a.py"), true),
        ("tee", shell("echo x | tee -a src/a.py"), true),
        ("a patch", shell(patch), true),
        ("a patch in a file", shell(patch_file), true),
        ("mv", shell("mv other.py src/other.py"), true),
        ("elsewhere", edit("lib/a.py"), false),
        ("a look", shell("cat src/a.py"), false),
        ("the history", shell("git checkout main -- src/a.py"), false),
        ("another tool", before("Read", Tool::Read { path: "src/a.py".to_owned() }), false),
    ];
    for (name, event, is_injected) in cases {
        let stage = stage();
        stage.write("src/AGENTS.md", "## Checks\n- Look twice.\n");
        stage.write("src/a.py", "a\n");
        stage.write("b.py", "a\n");
        stage.write("other.py", "a\n");
        stage.write("fix.diff", "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\n");
        assert_eq!(stage.injected_context(event).contains(injected), is_injected, "{name}");
    }
}

#[test]
fn no_rule_is_repeated_unless_it_changed() {
    let stage = stage();
    stage.write("AGENTS.md", "## Checks\n- one for `*.py`\n");
    stage.write("src/AGENTS.md", "## Checks\n- two\n");
    assert_eq!(
        stage.injected_context(edit("a.py")),
        "This project's rules for `a.py`:\n\nFrom `AGENTS.md`:\n\n- one for `*.py`"
    );
    assert_eq!(stage.injected_context(edit("b.py")), "");
    let two = "This project's rules for `src/a.py`:\n\nFrom `src/AGENTS.md`:\n\n- two";
    assert_eq!(stage.injected_context(edit("src/a.py")), two, "only what is new");
    assert_eq!(stage.injected_context(shell("sed -i s/a/b/ src/a.py")), "", "by another route");
    stage.write("src/AGENTS.md", "## Checks\n- two\n- three for `*.py`\n");
    assert!(stage.injected_context(edit("src/a.py")).ends_with("- three for `*.py`"));
    stage.write("src/AGENTS.md", "## Checks\n- two, changed for `*.py`\n- three for `*.py`\n");
    assert!(stage.injected_context(edit("src/a.py")).ends_with("- two, changed for `*.py`"));
}

#[test]
fn each_agent_gets_the_rules_and_again_in_a_new_context() {
    let stage = stage();
    stage.write("AGENTS.md", "## Checks\n- one for `*.py`\n");
    let is_injected = |event: Event| !stage.injected_context(event).is_empty();
    assert!(is_injected(edit("a.py")));
    assert!(is_injected(by("a1", edit("a.py"))));
    assert!(!is_injected(by("a1", edit("a.py"))));
    assert!(is_injected(by("a2", edit("a.py"))));
    for source in ["compact", "clear", "startup"] {
        assert!(!is_injected(edit("a.py")), "{source}");
        stage.injected_context(start(source));
        assert!(is_injected(edit("a.py")), "{source}");
        assert!(is_injected(by("a1", edit("a.py"))), "{source}");
    }
    stage.injected_context(start("resume"));
    assert!(!is_injected(edit("a.py")));
}

#[test]
fn rules_that_do_not_fit_are_counted() {
    let stage = stage_with("tokens = 140");
    let long = "x".repeat(200);
    let rules = format!(
        "## Pitfalls\n- `a.py` is short\n- `a.py` opens sockets {long}\n- `a.py` writes cookies {long}{long}\n"
    );
    stage.write("AGENTS.md", &rules);
    let injected = stage.injected_context(edit("a.py"));
    assert!(estimate(&injected) <= 140, "{}", estimate(&injected));
    assert!(injected.contains("- `a.py` is short"), "{injected}");
    assert!(
        injected.ends_with("left out to save space: run `flyball memory resolve a.py` to see it."),
        "{injected}"
    );
    assert_eq!(stage.injected_context(edit("a.py")), "", "it is mentioned once");
}

#[test]
fn several_files_share_one_message() {
    let stage = stage();
    stage.write("a/AGENTS.md", "## Checks\n- of a\n");
    stage.write("b/AGENTS.md", "## Checks\n- of b\n");
    let change = || replace("x", "y");
    let files = [
        ("a/1.py", change()),
        ("b/2.py", change()),
        ("a/3.py", change()),
        ("a/4.py", change()),
        ("c.py", change()),
    ];
    let injected = stage.injected_context(before("Edit", call(&files)));
    let expected = "This project's rules for `a/1.py`, `b/2.py`, `a/3.py`, 1 more:\n\nFrom `a/AGENTS.md`:\n\n- of a\n\nFrom `b/AGENTS.md`:\n\n- of b";
    assert_eq!(injected, expected);
}

#[test]
fn rules_beside_a_denial_count_as_shown() {
    let rule = "[rules]\nmode = 'enforce'\n[[rule]]\nid = 'x'\nevents = ['before_tool']\npath = ['src/**']\naction = 'deny'\nmessage = 'no'";
    let stage = stage_with(rule);
    stage.write("AGENTS.md", "## Checks\n- one for `*.py`\n");
    let refused = stage.judge_event(edit("src/a.py")).merged;
    // Clients pass the context to the model with a denial too.
    assert_eq!((refused.stance, refused.context.text.ends_with("- one for `*.py`")), (Stance::Deny, true));
    assert_eq!(stage.injected_context(edit("src/a.py")), "");
}

#[test]
fn injected_rules_are_recorded_as_evidence_with_relative_paths() {
    let stage = stage();
    stage.write("CLAUDE.md", ROOT);
    stage.write("src/api/AGENTS.md", API);
    let expected = [
        "file=src/api/a.ts",
        "node=CLAUDE.md,src/api/AGENTS.md",
        "sections=Checks,Pitfalls",
        "rules=CLAUDE.md:5,CLAUDE.md:11,src/api/AGENTS.md:3",
        "risk=0",
    ];
    assert_eq!(evidence(&stage, open_session("src/api/a.ts")), expected);
    assert_eq!(evidence(&stage, open_session("src/api/a.ts")), Vec::<String>::new());
}

#[test]
fn a_node_is_edited_without_its_own_rules() {
    let stage = stage();
    stage.write("AGENTS.md", "## Checks\n- one for `*.py`\n");
    assert_eq!(stage.injected_context(edit("AGENTS.md")), "");
    assert_eq!(stage.injected_context(edited("AGENTS.md")), "");
    symlink("AGENTS.md", stage.path("CLAUDE.md")).unwrap();
    assert_eq!(stage.injected_context(edit("CLAUDE.md")), "");
}

#[test]
fn a_folder_without_rules_is_mentioned_once_in_a_project_with_rules() {
    let hint = "No AGENTS.md or CLAUDE.md covers `src/api`. To record what is worth knowing, add `src/api/AGENTS.md` with what has to be done, left or known there.";
    let stage = stage();
    assert_eq!(stage.injected_context(edit("src/api/a.ts")), "", "the project has no rules");
    stage.write(".intent-layer/x", "");
    assert_eq!(stage.injected_context(edit("src/api/a.ts")), hint);
    assert_eq!(stage.injected_context(edit("src/api/b.ts")), "");
    for ignored in ["src/web/a.json", "node_modules/x/a.js", "src/.hidden/a.js", "/tmp/a.py"] {
        assert_eq!(stage.injected_context(edit(ignored)), "", "{ignored}");
    }
    assert_eq!(stage.injected_context(before("Edit", call(&[("lib/a.ts", Change::Delete)]))), "");
    assert!(stage.injected_context(edit("main.go")).starts_with(
        "No AGENTS.md or CLAUDE.md covers `.`. To record what is worth knowing, add `AGENTS.md` with"
    ));
    let quiet = stage_with("uncovered = false");
    quiet.write(".intent-layer/x", "");
    assert_eq!(quiet.injected_context(edit("src/api/a.ts")), "");
    let more = stage_with("sources = ['bpmn']");
    more.write(".intent-layer/x", "");
    assert!(more.injected_context(edit("src/api/a.bpmn")).starts_with("No AGENTS.md"));
}

#[test]
fn after_an_edit_the_node_is_mentioned_once() {
    let stage = stage();
    stage.write("AGENTS.md", "## Checks\n- one for `*.py`\n");
    for file in ["a.py", "b.py", "c.py", "README.md", "tests/a.py", "package.json"] {
        stage.write(file, "");
    }
    for ignored in ["README.md", "package.json", "tests/a.py"] {
        assert_eq!(stage.injected_context(edited(ignored)), "", "{ignored}");
    }
    let change = || replace("x", "y");
    let with_node = after("Edit", call(&[("a.py", change()), ("AGENTS.md", change())]));
    assert_eq!(stage.injected_context(with_node), "", "it is edited together with its node");
    let reminder = "`AGENTS.md` covers `a.py`: if this change makes one of its rules wrong, fix the rule in the same change.";
    assert_eq!(stage.injected_context(edited("a.py")), reminder);
    assert_eq!(stage.injected_context(edited("b.py")), "");
    stage.injected_context(start("compact"));
    assert_eq!(stage.injected_context(edited("a.py")), reminder);
    let quiet = stage_with("remind = false");
    quiet.write("AGENTS.md", "");
    quiet.write("a.py", "");
    assert_eq!(quiet.injected_context(edited("a.py")), "");
}

#[test]
fn a_new_folder_is_mentioned_once() {
    let stage = stage();
    stage.write("AGENTS.md", "");
    // `few` has one file only, but it was there before.
    for file in ["old/a.py", "old/b.py", "old/c.py", "few/a.py"] {
        stage.write(file, "");
    }
    for file in ["new/a.py", "few/a.py", "dist/a.py"] {
        stage.judge_event(edit(file));
        stage.write(file, "");
    }
    stage.judge_event(edit("new/deep/a.py"));
    stage.write("new/deep/a.py", "");
    stage.write("own/a.py", "");
    stage.write("own/AGENTS.md", "");
    stage.injected_context(edited("top.py"));
    let hint = "`new` is new and has no AGENTS.md; `AGENTS.md` covers it. Put rules that apply only there in `new/AGENTS.md`.";
    assert_eq!(stage.injected_context(edited("new/a.py")), hint);
    for quiet in ["new/a.py", "old/a.py", "few/a.py", "dist/a.py", "new/deep/a.py"] {
        assert_eq!(stage.injected_context(edited(quiet)), "", "{quiet}");
    }
    let own = "`own/AGENTS.md` covers `own/a.py`: if this change makes one of its rules wrong, fix the rule in the same change.";
    assert_eq!(stage.injected_context(edited("own/a.py")), own);
}

#[test]
fn what_was_added_to_a_file_after_it_was_loaded_is_shown() {
    let stage = stage();
    let rules = "# App\n\n## Style\n\n- `money()` takes whole cents.\n";
    stage.write("AGENTS.md", rules);
    stage.write("a.py", "");
    stage.judge_event(start("startup"));
    stage.judge_event(event(EventData::InstructionsLoaded { path: stage.path("AGENTS.md").to_string() }));
    let money = || before("Edit", call(&[("a.py", replace("a", "money(1)\nrefund(2)\n"))]));
    assert_eq!(stage.injected_context(money()), "");
    stage.write("AGENTS.md", &format!("{rules}- `refund()` is logged.\n"));
    let injected = stage.injected_context(money());
    assert!(injected.contains("`refund()` is logged.") && !injected.contains("whole cents"), "{injected}");
}

#[test]
fn what_the_user_has_loaded_for_all_projects_is_not_shown_again() {
    let stage = stage();
    stage
        .write("AGENTS.md", "# App\n\n## Style\n\n- `money()` takes whole cents.\n- `refund()` is logged.\n");
    stage.write("a.py", "");
    let own = stage.root().parent().unwrap().join("own.md");
    std::fs::write(&own, "# Mine\n\n## Style\n\n* `money()` takes whole **cents**\n").unwrap();
    stage.judge_event(start("startup"));
    stage.judge_event(event(EventData::InstructionsLoaded { path: own.to_string_lossy().into_owned() }));
    let injected =
        stage.injected_context(before("Edit", call(&[("a.py", replace("a", "money(1)\nrefund(2)\n"))])));
    assert!(injected.contains("`refund()` is logged.") && !injected.contains("whole cents"), "{injected}");
}

#[test]
fn a_command_that_does_more_is_recorded_by_what_it_names() {
    let stage = stage();
    stage.write("AGENTS.md", "");
    stage.write("a.py", "x");
    let recorded = ["outcome=success", "file=a.py", "node=AGENTS.md"];
    assert_eq!(evidence(&stage, ran("sed -i s/a/b/ a.py && ./unknown.sh")), recorded);
    assert_eq!(evidence(&stage, ran("printf y > a.py")), recorded);
    assert_eq!(evidence(&stage, ran("./unknown.sh")), Vec::<String>::new());
    assert_eq!(evidence(&stage, ran("git checkout a.py")), Vec::<String>::new());
    assert_eq!(evidence(&stage, ran("cat a.py")), Vec::<String>::new());
}

#[test]
fn invalid_settings_are_refused() {
    let room = crate::testing::problems("[memory.context]\ntokens = 5000\n");
    assert_eq!(room.len(), 1, "{room:?}");
    assert!(room[0].starts_with("flyball.toml:2:10: "), "{room:?}");
    let broken = crate::testing::problems("[memory.context]\ntoken = 5\n");
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert!(broken[0].starts_with("flyball.toml:2:1: unknown key `token`"), "{broken:?}");
}

fn git(stage: &TestProject, folder: &str, words: &[&str]) {
    let identity =
        ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"];
    let mut git = Command::new("git");
    git.args(identity).args(words).current_dir(stage.root().join(folder));
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        git.env_remove(name);
    }
    let output = git.output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn defect_01_a_heading_in_a_fence_does_not_end_a_section() {
    let stage = stage();
    stage.write("src/AGENTS.md", "## PITFALLS  \n\nBefore.\n\n```md\n## Not a heading\n```\n\nAfter.\n");
    let injected = "This project's rules for `src/a.py`:\n\nFrom `src/AGENTS.md`:\n\nBefore.\n\n```md\n## Not a heading\n```\n\nAfter.";
    assert_eq!(stage.injected_context(edit("src/a.py")), injected);
}

#[test]
fn defect_02_a_folder_that_is_not_there_yet_is_covered() {
    let stage = stage();
    stage.write(".intent-layer/x", "");
    stage.write("src/AGENTS.md", "## Checks\n- one for `*.py`\n");
    let injected = stage.injected_context(edit("src/not/there/yet.py"));
    assert_eq!(
        injected,
        "This project's rules for `src/not/there/yet.py`:\n\nFrom `src/AGENTS.md`:\n\n- one for `*.py`"
    );
}

#[test]
fn defect_03_a_worktree_and_a_submodule_do_not_get_rules_of_the_outer_repository() {
    let stage = stage();
    std::fs::remove_dir(stage.root().join(".git")).unwrap();
    stage.write("CLAUDE.md", "## Checks\n- `*.py` of the outer\n");
    stage.write("lib/AGENTS.md", "## Checks\n- `*.py` of the library\n");
    for repository in ["lib", "."] {
        git(&stage, repository, &["init", "-q"]);
        git(&stage, repository, &["add", "."]);
        git(&stage, repository, &["commit", "-qm", "begin"]);
    }
    git(&stage, ".", &["submodule", "--quiet", "add", &stage.path("lib"), "sub"]);
    git(&stage, "lib", &["worktree", "add", "-q", "../tree"]);
    for folder in ["sub", "tree"] {
        assert!(stage.root().join(folder).join(".git").is_file());
        let injected = stage.injected_context(by(folder, edit(&format!("{folder}/src/a.py"))));
        let expected = format!(
            "This project's rules for `{folder}/src/a.py`:\n\nFrom `{folder}/AGENTS.md`:\n\n- `*.py` of the library"
        );
        assert_eq!(injected, expected);
    }
}

#[test]
fn defect_04_the_rules_of_the_root_are_added_with_those_of_a_folder() {
    let stage = stage();
    stage.write("AGENTS.md", "## Checks\n- root of `*.py`\n");
    stage.write("src/AGENTS.md", "## Checks\n- folder\n");
    let injected = stage.injected_context(edit("src/a.py"));
    assert!(injected.contains("- root") && injected.contains("- folder"), "{injected}");
}

fn report(folder: &str, number: usize) -> Draft {
    Draft {
        kind: Kind::Pitfall,
        origin: Origin::Failure,
        title: format!("it broke {number}"),
        folder: folder.to_owned(),
        operation: "Edit on b.ts".to_owned(),
        detail: format!("it broke {number} times"),
        said: String::new(),
        command: String::new(),
        file: format!("{folder}/b.ts"),
        node: String::new(),
        told_before: Vec::new(),
        agent: String::new(),
        sameness: format!("{folder} {number}"),
    }
}

#[test]
fn defect_05_reports_about_a_folder_whose_name_begins_alike_do_not_count() {
    let stage = stage();
    stage.write(".intent-layer/x", "");
    stage.write("AGENTS.md", "");
    let machine = stage.machine();
    for number in 0..2 {
        ledger::record(&machine, &report("src/apiextra", number)).unwrap();
    }
    assert_eq!(stage.injected_context(edit("src/api/a.ts")), "");
    let merged = stage.judge_event(edit("src/apiextra/b.ts")).merged;
    let warning = "`src/apiextra` has 2 reports of past failures: `flyball learn list`";
    assert_eq!((merged.context.text.as_str(), merged.notices.len()), ("", 1), "only the user is told");
    assert!(merged.notices[0].contains(warning), "{:?}", merged.notices);
    assert_eq!(stage.judge_event(edit("src/apiextra/c.ts")).merged.notices.len(), 0);
}

#[test]
fn defect_06_a_row_of_edits_adds_a_rule_once_and_within_the_budget() {
    let stage = stage();
    let rules: String = (0..400).map(|number| format!("- Never use `tool{number}`.\n")).collect();
    stage.write("AGENTS.md", &format!("## Pitfalls\n- `*.ts` has types.\n{rules}"));
    let injected = stage.injected_context(edit("src/0.ts"));
    assert!(estimate(&injected) <= 400, "{}", estimate(&injected));
    assert!(injected.ends_with("- `*.ts` has types."), "{injected}");
    for number in 1..20 {
        assert_eq!(stage.injected_context(edit(&format!("src/{number}.ts"))), "");
    }
}

#[test]
fn defect_07_an_edit_that_worked_is_recorded_and_the_model_gets_the_reminder() {
    let stage = stage();
    stage.write("AGENTS.md", "");
    stage.write("src/a.py", "");
    assert!(stage.injected_context(edited("src/a.py")).starts_with("`AGENTS.md` covers `src/a.py`"));
    assert_eq!(evidence(&stage, edited("src/a.py")), ["outcome=success", "file=src/a.py", "node=AGENTS.md"]);
    assert_eq!(
        evidence(&stage, edited("README.md")),
        ["outcome=success", "file=README.md", "node=AGENTS.md"]
    );
    let bare = self::stage();
    bare.write("a.py", "");
    assert_eq!(evidence(&bare, edited("a.py")), ["outcome=success", "file=a.py", "node="]);
    assert_eq!(evidence(&bare, edited("/nowhere/a.py")), Vec::<String>::new());
    stage.write(".intent-layer/disable-telemetry", "");
    assert_eq!(evidence(&stage, edited("src/a.py")), Vec::<String>::new());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn injected_rules_stay_within_the_budget_and_none_is_lost(
        lengths in prop::collection::vec(1_usize..400, 1..20),
        tokens in 120_usize..800,
    ) {
        let stage = stage_with(&format!("tokens = {tokens}"));
        let item = |(number, length): (usize, &usize)| format!("- rule{number}x of `*.py` {}\n", "y".repeat(*length));
        let rules: Vec<String> = lengths.iter().enumerate().map(item).collect();
        stage.write("AGENTS.md", &format!("## Checks\n{}", rules.concat()));
        let injected = stage.injected_context(edit("a.py"));
        prop_assert!(estimate(&injected) <= tokens);
        let whole = rules.iter().filter(|rule| injected.contains(rule.trim_end())).count();
        let begun = (0..rules.len()).filter(|number| injected.contains(&format!("rule{number}x"))).count();
        prop_assert_eq!(whole, begun);
        // At one edit a few are enough.
        prop_assert!(whole <= 4);
    }
}
