//! Rules that a command is about to break, in real projects.

use super::*;

const INSTALL: &str =
    "# App\n\n## Rules\n\n- Never run `npm install`; use `pnpm install`.\n- Dates are in UTC.\n";

fn git(stage: &TestProject, arguments: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"];
    let ran = Command::new("git").args(identity).args(arguments).current_dir(stage.root()).output().unwrap();
    assert!(ran.status.success(), "{arguments:?}: {ran:?}");
}

#[test]
fn a_rule_is_shown_with_the_command_that_is_about_to_break_it() {
    let stage = stage();
    stage.write("AGENTS.md", INSTALL);
    let judgement = stage.judge_event(shell("CI=1 npm i lodash && npm test"));
    let expected = "This project's rules for `npm i lodash`:\n\nFrom `AGENTS.md`:\n\n\
                    - Never run `npm install`; use `pnpm install`.";
    assert_eq!(judgement.merged.context.text, expected);
    assert_eq!(judgement.merged.stance, Stance::Silent, "it is no denial");
    let seen = evidence(&stage_with_rules(), shell("npm i"));
    assert_eq!(seen, ["command rules=AGENTS.md:5"]);
}

fn stage_with_rules() -> TestProject {
    let stage = stage();
    stage.write("AGENTS.md", INSTALL);
    stage
}

#[test]
fn it_comes_again_only_after_a_while_and_in_a_new_context() {
    let stage = stage_with_rules();
    let is_shown = |event: Event| stage.injected_context(event).contains("npm install");
    assert!(is_shown(shell("npm i a")));
    let later: Vec<usize> = (0..25).filter(|_| is_shown(shell("npm i b"))).collect();
    assert_eq!(later, [9, 19], "it is far up in the context");
    assert!(is_shown(by("helper", shell("npm i c"))), "a subagent has a context of its own");
    stage.judge_event(start("compact"));
    assert!(is_shown(shell("npm i d")));
    stage.judge_event(start("resume"));
    assert!(!is_shown(shell("npm i e")));
}

#[test]
fn what_began_the_session_is_shown_before_it_is_broken() {
    let stage = TestProject::new(&format!("{ON}[memory.session]\nmode = \"enforce\"\n"));
    stage.write("AGENTS.md", INSTALL);
    stage.judge_event(start("startup"));
    let prompt = EventData::PromptSubmit { text: "Go".to_owned(), by_machine: false };
    assert!(stage.injected_context(event(prompt)).contains("npm install"));
    assert!(stage.injected_context(shell("npm i")).contains("npm install"));
    assert!(!stage.injected_context(shell("npm i")).contains("npm install"));
}

#[test]
fn rules_hold_where_the_command_runs() {
    let stage = stage();
    stage.write("AGENTS.md", "# App\n\n- Use `npm`.\n");
    stage.write("web/AGENTS.md", "# Web\n\n- Use `pnpm`.\n");
    stage.write("api/AGENTS.md", "# API\n\n- Never run `cargo test`.\n");
    for (command, expected) in [
        ("npm install", None),
        ("cd web && pnpm install", None),
        ("cargo test", None),
        ("cd web && cargo test", None),
        ("cd web && npm install", Some("Use `pnpm`.")),
        ("npm --prefix web install", Some("Use `pnpm`.")),
        ("pnpm install", Some("Use `npm`.")),
        ("(cd api; cargo test)", Some("Never run `cargo test`.")),
        ("cd api && cargo test", Some("Never run `cargo test`.")),
    ] {
        stage.judge_event(start("clear"));
        let shown = stage.injected_context(shell(command));
        match expected {
            Some(rule) => assert!(shown.contains(rule), "{command}: {shown}"),
            None => assert_eq!(shown, "", "{command}"),
        }
    }
}

#[test]
fn a_push_breaks_a_rule_on_a_branch_if_that_is_the_current_one() {
    let stage = stage();
    stage.write("AGENTS.md", "# App\n\n- Do not push to `main`.\n");
    git(&stage, &["init", "--quiet", "--initial-branch", "main"]);
    git(&stage, &["add", "."]);
    git(&stage, &["commit", "--quiet", "-m", "a"]);
    let is_shown = |command: &str| {
        stage.judge_event(start("clear"));
        stage.injected_context(shell(command)).contains("Do not push to `main`.")
    };
    assert!(is_shown("git push") && is_shown("git push origin HEAD"));
    assert!(!is_shown("git checkout -b work && git push -u origin HEAD"));
    git(&stage, &["checkout", "--quiet", "-b", "work"]);
    assert!(!is_shown("git push") && is_shown("git push origin main"));
    assert!(is_shown("git checkout main && git merge work && git push"));
}

#[test]
fn a_command_that_also_edits_gets_the_rules_for_both() {
    let stage = stage_with_rules();
    stage.write("src/AGENTS.md", "- Bump the version.\n");
    stage.write("src/a.ts", "a\n");
    let shown = stage.injected_context(shell("npm i && sed -i s/a/b/ src/a.ts"));
    assert!(shown.contains("Bump the version.") && shown.contains("Never run `npm install`"), "{shown}");
}

#[test]
fn nothing_is_shown_in_observe_mode_and_nothing_counts() {
    let stage = TestProject::new("[memory.context]\nmode = \"observe\"\n");
    stage.write("AGENTS.md", INSTALL);
    assert_eq!(stage.injected_context(shell("npm i")), "");
    assert_eq!(evidence(&stage, shell("npm i")), [""; 0], "it was seen just now");
}
