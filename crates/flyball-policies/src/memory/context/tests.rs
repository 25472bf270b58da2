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

const ROOT: &str = "# Project\n\n## Pitfalls\n\n### Sessions\n\nNever share one.\n\n## Checks\n\n- Run `make`.\n- Read the docs.\n\n## Map\n\n- nothing\n";
const API: &str = "## Context\n\nThe api is public.\n\n## Checks\n\n- Bump the version.\n";

#[test]
fn the_rules_of_all_covering_nodes_are_added_parents_first() {
    let stage = stage();
    stage.write("CLAUDE.md", ROOT);
    stage.write("src/api/AGENTS.md", API);
    let injected = "This project's rules for `src/api/a.ts`:

From `CLAUDE.md`:

## Checks

- Run `make`.
- Read the docs.

## Pitfalls

### Sessions

Never share one.

From `src/api/AGENTS.md`:

## Checks

- Bump the version.

## Context

The api is public.";
    assert_eq!(stage.injected_context(edit("src/api/a.ts")), injected);
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
    stage.write("AGENTS.md", "## Checks\n- one\n");
    stage.write("src/AGENTS.md", "## Checks\n- two\n");
    assert_eq!(
        stage.injected_context(edit("a.py")),
        "This project's rules for `a.py`:\n\nFrom `AGENTS.md`:\n\n## Checks\n\n- one"
    );
    assert_eq!(stage.injected_context(edit("b.py")), "");
    let two = "This project's rules for `src/a.py`:\n\nFrom `src/AGENTS.md`:\n\n## Checks\n\n- two";
    assert_eq!(stage.injected_context(edit("src/a.py")), two, "only what is new");
    assert_eq!(stage.injected_context(shell("sed -i s/a/b/ src/a.py")), "", "by another route");
    stage.write("src/AGENTS.md", "## Checks\n- two\n- three\n");
    assert!(stage.injected_context(edit("src/a.py")).ends_with("## Checks\n\n- three"));
    stage.write("src/AGENTS.md", "## Checks\n- two, changed\n- three\n");
    assert!(stage.injected_context(edit("src/a.py")).ends_with("## Checks\n\n- two, changed"));
}

#[test]
fn each_agent_gets_the_rules_and_again_in_a_new_context() {
    let stage = stage();
    stage.write("AGENTS.md", "## Checks\n- one\n");
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
fn rules_that_mention_the_edit_come_first() {
    let filler = "x".repeat(150);
    let root = format!(
        "## Context\n- general {filler}\n## Pitfalls\n- `src/pay.py` rounds {filler}\n- never call `charge_twice` {filler}\n"
    );
    let near = format!("## Checks\n- near {filler}\n## Patterns\n- near pattern {filler}\n");
    // Room for one, two … five rules.
    let mut firsts: Vec<String> = Vec::new();
    for tokens in [130, 175, 230, 275, 340] {
        let stage = stage_with(&format!("tokens = {tokens}"));
        stage.write("AGENTS.md", &root);
        stage.write("src/AGENTS.md", &near);
        let change = replace("x = 1", "x = charge_twice(1)");
        let injected = stage.injected_context(before("Edit", call(&[("src/pay.py", change)])));
        let all = ["general", "rounds", "charge_twice", "- near x", "near pattern"];
        for rule in all {
            if injected.contains(rule) && !firsts.iter().any(|first| first == rule) {
                firsts.push(rule.to_owned());
            }
        }
        assert!(estimate(&injected) <= tokens, "{tokens}: {}", estimate(&injected));
    }
    assert_eq!(firsts, ["rounds", "charge_twice", "- near x", "near pattern", "general"]);
}

#[test]
fn rules_that_do_not_fit_are_counted_and_added_at_an_edit_they_are_about() {
    let stage = stage_with("tokens = 140");
    let long = "x".repeat(200);
    stage.write(
        "AGENTS.md",
        &format!("## Checks\n- short\n## Pitfalls\n- of `b.py` {long}\n- general {long}\n"),
    );
    let injected = stage.injected_context(edit("a.py"));
    let first = format!("## Checks\n\n- short\n\n## Pitfalls\n\n- of `b.py` {long}");
    let expected = format!(
        "This project's rules for `a.py`:\n\nFrom `AGENTS.md`:\n\n{first}\n\n1 rule left out to save space: run `flyball memory resolve a.py` to see it."
    );
    assert_eq!(injected, expected);
    assert_eq!(stage.injected_context(edit("c.py")), "", "it is not spread over the next edits");
    let stage = stage_with("tokens = 101");
    stage.write(
        "AGENTS.md",
        &format!("## Checks\n- short\n## Pitfalls\n- of `b.py` {long}\n- general {long}\n"),
    );
    let two = "2 rules left out to save space: run `flyball memory resolve 'a b.py'` to see them.";
    assert!(stage.injected_context(edit("a b.py")).ends_with(two));
    assert_eq!(stage.injected_context(edit("c.py")), "");
    assert!(stage.injected_context(edit("b.py")).ends_with(&format!("- of `b.py` {long}")));
    assert_eq!(stage.injected_context(edit("b.py")), "");
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
    let expected = "This project's rules for `a/1.py`, `b/2.py`, `a/3.py`, 1 more:\n\nFrom `a/AGENTS.md`:\n\n## Checks\n\n- of a\n\nFrom `b/AGENTS.md`:\n\n## Checks\n\n- of b";
    assert_eq!(injected, expected);
}

#[test]
fn rules_beside_a_denial_count_as_shown() {
    let rule = "[rules]\nmode = 'enforce'\n[[rule]]\nid = 'x'\nevents = ['before_tool']\npath = ['src/**']\naction = 'deny'\nmessage = 'no'";
    let stage = stage_with(rule);
    stage.write("AGENTS.md", "## Checks\n- one\n");
    let refused = stage.judge_event(edit("src/a.py")).merged;
    // Clients pass the context to the model with a denial too.
    assert_eq!((refused.stance, refused.context.text.ends_with("- one")), (Stance::Deny, true));
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
        "sections=Checks,Pitfalls,Context",
        "risk=0",
    ];
    assert_eq!(evidence(&stage, edit("src/api/a.ts")), expected);
    assert_eq!(evidence(&stage, edit("src/api/a.ts")), Vec::<String>::new());
}

#[test]
fn a_node_is_edited_without_its_own_rules() {
    let stage = stage();
    stage.write("AGENTS.md", "## Checks\n- one\n");
    assert_eq!(stage.injected_context(edit("AGENTS.md")), "");
    assert_eq!(stage.injected_context(edited("AGENTS.md")), "");
    symlink("AGENTS.md", stage.path("CLAUDE.md")).unwrap();
    assert_eq!(stage.injected_context(edit("CLAUDE.md")), "");
}

#[test]
fn a_folder_without_rules_is_mentioned_once_in_a_project_with_rules() {
    let hint = "No AGENTS.md or CLAUDE.md covers `src/api`. To record what is worth knowing, add `src/api/AGENTS.md` with sections like `## Pitfalls` and `## Checks`.";
    let stage = stage();
    assert_eq!(stage.injected_context(edit("src/api/a.ts")), "", "the project has no rules");
    stage.write(".intent-layer/x", "");
    assert_eq!(stage.injected_context(edit("src/api/a.ts")), hint);
    assert_eq!(stage.injected_context(edit("src/api/b.ts")), "");
    for ignored in ["src/web/a.css", "node_modules/x/a.js", "src/.hidden/a.js", "/tmp/a.py"] {
        assert_eq!(stage.injected_context(edit(ignored)), "", "{ignored}");
    }
    assert_eq!(stage.injected_context(before("Edit", call(&[("lib/a.ts", Change::Delete)]))), "");
    assert!(stage.injected_context(edit("main.go")).starts_with(
        "No AGENTS.md or CLAUDE.md covers `.`. To record what is worth knowing, add `AGENTS.md` with"
    ));
    let quiet = stage_with("uncovered = false");
    quiet.write(".intent-layer/x", "");
    assert_eq!(quiet.injected_context(edit("src/api/a.ts")), "");
    let more = stage_with("sources = ['proto']");
    more.write(".intent-layer/x", "");
    assert!(more.injected_context(edit("src/api/a.proto")).starts_with("No AGENTS.md"));
}

#[test]
fn after_an_edit_the_node_is_mentioned_once() {
    let stage = stage();
    stage.write("AGENTS.md", "## Checks\n- one\n");
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
    for file in ["new/a.py", "old/a.py", "old/b.py", "old/c.py", "dist/a.py", "new/deep/a.py", "own/a.py"] {
        stage.write(file, "");
    }
    stage.write("own/AGENTS.md", "");
    stage.injected_context(edited("top.py"));
    let hint = "`new` is new and has no AGENTS.md; `AGENTS.md` covers it. Put rules that apply only there in `new/AGENTS.md`.";
    assert_eq!(stage.injected_context(edited("new/a.py")), hint);
    for quiet in ["new/a.py", "old/a.py", "dist/a.py", "new/deep/a.py"] {
        assert_eq!(stage.injected_context(edited(quiet)), "", "{quiet}");
    }
    let own = "`own/AGENTS.md` covers `own/a.py`: if this change makes one of its rules wrong, fix the rule in the same change.";
    assert_eq!(stage.injected_context(edited("own/a.py")), own);
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
    stage.write("AGENTS.md", "## PITFALLS  \n\nBefore.\n\n```md\n## Not a heading\n```\n\nAfter.\n");
    let injected = "This project's rules for `a.py`:\n\nFrom `AGENTS.md`:\n\n## Pitfalls\n\nBefore.\n\n```md\n## Not a heading\n```\n\nAfter.";
    assert_eq!(stage.injected_context(edit("a.py")), injected);
}

#[test]
fn defect_02_a_folder_that_is_not_there_yet_is_covered() {
    let stage = stage();
    stage.write(".intent-layer/x", "");
    stage.write("src/AGENTS.md", "## Checks\n- one\n");
    let injected = stage.injected_context(edit("src/not/there/yet.py"));
    assert_eq!(
        injected,
        "This project's rules for `src/not/there/yet.py`:\n\nFrom `src/AGENTS.md`:\n\n## Checks\n\n- one"
    );
}

#[test]
fn defect_03_a_worktree_and_a_submodule_do_not_get_rules_of_the_outer_repository() {
    let stage = stage();
    std::fs::remove_dir(stage.root().join(".git")).unwrap();
    stage.write("CLAUDE.md", "## Checks\n- of the outer\n");
    stage.write("lib/AGENTS.md", "## Checks\n- of the library\n");
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
            "This project's rules for `{folder}/src/a.py`:\n\nFrom `{folder}/AGENTS.md`:\n\n## Checks\n\n- of the library"
        );
        assert_eq!(injected, expected);
    }
}

#[test]
fn defect_04_the_rules_of_the_root_are_added_with_those_of_a_folder() {
    let stage = stage();
    stage.write("AGENTS.md", "## Checks\n- root\n");
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
    let warning =
        "`src/apiextra` has 2 reports of past failures (`flyball learn list`): check changes there twice.";
    assert_eq!(stage.injected_context(edit("src/apiextra/b.ts")), warning);
    assert_eq!(stage.injected_context(edit("src/apiextra/c.ts")), "");
}

#[test]
fn defect_06_thirty_edits_add_the_rules_once_and_within_the_budget() {
    let stage = stage();
    let rules: String = (0..400).map(|number| format!("- rule {number} says a few words\n")).collect();
    stage.write("AGENTS.md", &format!("## Pitfalls\n{rules}"));
    let injected = stage.injected_context(edit("src/0.ts"));
    assert!(estimate(&injected) <= 1_500, "{}", estimate(&injected));
    assert!(injected.ends_with("run `flyball memory resolve src/0.ts` to see them."), "{injected}");
    for number in 1..30 {
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
        let item = |(number, length): (usize, &usize)| format!("- rule{number}x {}\n", "y".repeat(*length));
        let rules: Vec<String> = lengths.iter().enumerate().map(item).collect();
        stage.write("AGENTS.md", &format!("## Checks\n{}", rules.concat()));
        let injected = stage.injected_context(edit("a.py"));
        prop_assert!(estimate(&injected) <= tokens);
        let whole = rules.iter().filter(|rule| injected.contains(rule.trim_end())).count();
        let begun = (0..rules.len()).filter(|number| injected.contains(&format!("rule{number}x"))).count();
        prop_assert_eq!(whole, begun);
        let left_out = rules.len() - whole;
        prop_assert_eq!(injected.contains("left out"), left_out > 0);
    }
}
