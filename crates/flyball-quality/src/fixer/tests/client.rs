//! The client's side: a fake that prints what the client prints. tests/realclient tests the real one.

use std::time::Duration;

use super::test_workshop::TestWorkshop;
use super::{BAD, FILE, GOOD, GUARDS, failed, lint, outcome, refused, run_fix, settings};
use crate::fixer::guard::Verified;
use crate::fixer::{Attempt, fix};
use crate::report::FixOutcome;
use crate::settings::FixerSettings;

const DONE: &str =
    r#"printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"result":"Done."}'"#;

/// A client that leaves this text in its copy.
fn leaves(text: &str) -> TestWorkshop {
    workshop(&format!("cat > src/app.py <<'END'\n{text}END\n{DONE}"))
}

fn workshop(script: &str) -> TestWorkshop {
    TestWorkshop::new(FILE, BAD).client(&format!("cat > /dev/null\n{script}\n"))
}

#[test]
fn an_honest_fix_is_kept() {
    assert_eq!(outcome(&leaves(GOOD), &settings("")), (FixOutcome::Kept(2), GOOD.to_owned()));
    let half = BAD.replace("import os\n\n\n", "");
    assert_eq!(outcome(&leaves(&half), &settings("")), (FixOutcome::Kept(1), half));
}

#[test]
fn the_client_gets_only_its_copy_and_no_hooks() {
    let workshop = leaves(GOOD);
    assert_eq!(outcome(&workshop, &settings("")).0, FixOutcome::Kept(2));
    let jobs = workshop.jobs.lock().unwrap();
    let [job] = jobs.as_slice() else { panic!("one client: {jobs:?}") };
    let expected = [
        ["-p", "--permission-mode", "acceptEdits"].as_slice(),
        &["--tools", "Edit,Read"],
        &["--setting-sources", "", "--settings", r#"{"disableAllHooks":true}"#],
        &["--strict-mcp-config", "--no-session-persistence", "--output-format", "stream-json", "--verbose"],
        &["--max-turns", "10", "--model", "haiku", "--disallowedTools"],
        &[
            "Write,Bash,Glob,Grep,WebFetch,WebSearch,NotebookEdit,Task,Agent,AskUserQuestion,EnterPlanMode,ExitPlanMode",
        ],
    ];
    assert_eq!(job.arguments, expected.concat());
    assert!(!job.folder.is_in(workshop.root()), "{}", job.folder);
    assert_eq!(job.set.get("FLYBALL_IN_FIXER").map(String::as_str), Some("1"));
    assert!(job.unset.contains(&"CLAUDECODE".to_owned()));
    let others = [
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "OPENAI_API_KEY",
        "GEMINI_API_KEY",
        "NPM_TOKEN",
        "NODE_OPTIONS",
    ];
    assert_eq!(others.map(|name| job.inherit.includes(name)), [false; 6]);
    let own = ["PATH", "HOME", "HTTPS_PROXY", "LC_ALL", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"];
    assert_eq!(own.map(|name| job.inherit.includes(name)), [true; 6]);
    assert_eq!(job.timeout, Some(Duration::from_secs(20)));
    assert!(!std::path::Path::new(&job.folder).exists(), "the copy is gone");
}

#[test]
fn a_cloud_that_is_used_gets_its_credentials_and_no_other() {
    let workshop = leaves(GOOD).with("CLAUDE_CODE_USE_BEDROCK", "1");
    assert_eq!(outcome(&workshop, &settings("")).0, FixOutcome::Kept(2));
    let jobs = workshop.jobs.lock().unwrap();
    let inherits = |name: &str| jobs.iter().all(|job| job.inherit.includes(name));
    assert!(inherits("AWS_PROFILE"));
    assert!(!inherits("GOOGLE_APPLICATION_CREDENTIALS"));
}

#[test]
fn a_tier_gets_no_tool_that_reaches_more_than_files() {
    let workshop = leaves(GOOD);
    let tools = "[tiers.haiku]\ntools = ['Edit', 'Bash', 'Task', 'mcp__db__query', 'default', '*', 'Grep']";
    assert_eq!(outcome(&workshop, &settings(tools)).0, FixOutcome::Kept(2));
    let jobs = workshop.jobs.lock().unwrap();
    let given: Vec<_> = jobs
        .iter()
        .flat_map(|job| job.arguments.iter().skip_while(|word| *word != "--tools").nth(1))
        .collect();
    assert_eq!(given, ["Edit,Grep"]);
}

#[test]
fn defect_26_a_cheat_is_rejected_and_the_file_is_unchanged() {
    let cases = [
        ("noqa", BAD.replace("import os", "import os  # noqa"), vec!["it silences a check: `noqa`"]),
        ("no function", "import os\n".to_owned(), vec!["it removes or renames `total`"]),
        ("nothing left", String::new(), vec!["it empties the file", "it removes or renames `total`"]),
        ("one for another", BAD.replace("import os", "import re"), vec!["it adds `import re`"]),
        (
            "nothing fixed",
            BAD.replace("import os", "import os  # for later"),
            vec!["it leaves 2 findings; there were 2"],
        ),
        (
            "a bracket that is gone",
            GOOD.replace("(items):", "(items:"),
            vec![
                "it changes the control flow: `def total ( items ) :` → `def total ( items : return sum ( items )`",
            ],
        ),
        (
            // The linter of this test reads comments too.
            "broken",
            GOOD.replace("(items):", "(items):  # total(items:"),
            vec!["it breaks the syntax: ruff E999 in line 1: what E999 says"],
        ),
    ];
    for (name, text, reasons) in cases {
        assert_eq!(outcome(&leaves(&text), &settings("")), (refused(&reasons), BAD.to_owned()), "{name}");
    }
}

#[test]
fn another_file_in_the_copy_is_seen() {
    let script =
        format!("echo x > src/other.py; mkdir deep; echo x > deep/a; printf 'x = 1\\n' > src/app.py\n{DONE}");
    let reason = "it edits another file, or tries to: `deep/a`, `src/other.py`";
    assert_eq!(outcome(&workshop(&script), &settings("")), (refused(&[reason]), BAD.to_owned()));
}

#[test]
fn a_call_that_edits_elsewhere_is_seen() {
    let call = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"I edit."},
        {"type":"tool_use","name":"Edit","input":{"file_path":"/elsewhere/a.py"}},
        {"type":"tool_use","name":"Read","input":{"file_path":"/elsewhere/b.py"}}]}}"#;
    let script = format!("printf '%s\\n' '{}'\n{DONE}", call.replace('\n', ""));
    let reason = "it edits another file, or tries to: `/elsewhere/a.py`";
    assert_eq!(outcome(&workshop(&script), &settings("")), (refused(&[reason]), BAD.to_owned()));
    let own = call.replace("/elsewhere/a.py", "src/app.py").replace('\n', "");
    let script = format!("printf '%s\\n' '{own}'\ncat > src/app.py <<'END'\n{GOOD}END\n{DONE}");
    assert_eq!(outcome(&workshop(&script), &settings("")), (FixOutcome::Kept(2), GOOD.to_owned()));
}

#[test]
fn a_client_that_fails_leaves_the_file_and_says_why() {
    let error = r#"{"type":"result","subtype":"success","is_error":true,"result":"Invalid API key"}"#;
    let cases = [
        ("echo boom >&2; exit 3".to_owned(), "the client exited with code 3: boom"),
        ("exit 1".to_owned(), "the client exited with code 1: no reason given"),
        ("echo garbage".to_owned(), "the client exited with code 0: no reason given"),
        (format!("printf '%s\\n' '{error}'; exit 1"), "the client failed: Invalid API key"),
        ("exec sleep 600".to_owned(), "no answer within 0.3 s"),
    ];
    for (script, reason) in cases {
        let workshop = workshop(&format!("printf 'x = 1\\n' > src/app.py\n{script}"));
        let limit = if script.contains("sleep") { 300 } else { 20_000 };
        let report = run_fix(&workshop, &settings(""), Duration::from_millis(limit)).unwrap();
        assert_eq!((report.end, workshop.text(FILE)), (failed(reason), BAD.to_owned()), "{script}");
    }
}

#[test]
fn what_was_done_until_the_turns_ran_out_counts() {
    let end = r#"{"type":"result","subtype":"error_max_turns","is_error":true}"#;
    let script = format!("cat > src/app.py <<'END'\n{GOOD}END\nprintf '%s\\n' '{end}'; exit 1");
    assert_eq!(outcome(&workshop(&script), &settings("")), (FixOutcome::Kept(2), GOOD.to_owned()));
}

#[test]
fn a_model_that_changes_nothing_is_reported_as_unchanged() {
    assert_eq!(outcome(&workshop(DONE), &settings("")), (FixOutcome::Unchanged, BAD.to_owned()));
}

#[test]
fn without_a_client_the_reason_names_the_fix() {
    let workshop = TestWorkshop::new(FILE, BAD);
    let named = settings("program = '/nowhere/claude'");
    let reason = "`/nowhere/claude` was not found: install the client, or set `quality.fixer.program`";
    assert_eq!(outcome(&workshop, &named), (failed(reason), BAD.to_owned()));
}

#[test]
fn no_model_is_asked_where_the_fixer_is_off() {
    let off = |workshop: TestWorkshop, settings| {
        assert_eq!(run_fix(&workshop, &settings, Duration::from_secs(20)), None);
        assert!(workshop.jobs.lock().unwrap().is_empty());
    };
    off(leaves(GOOD), FixerSettings::default());
    off(leaves(GOOD).with("FLYBALL_IN_FIXER", "1"), settings(""));
    off(leaves(GOOD).with("FLYBALL_FIXER", "off"), settings(""));
}

#[test]
fn the_environment_limits_the_time() {
    let workshop = workshop("exec sleep 600").with("FLYBALL_FIXER_TIMEOUT", "1");
    let report = run_fix(&workshop, &settings(""), Duration::from_secs(20)).unwrap();
    assert_eq!(report.end, failed("no answer within 1 s"));
}

#[test]
fn a_custom_settings_file_must_disable_hooks_and_allow_nothing_more() {
    let named = settings("settings_file = 'own.json'");
    let outcome_with = |text: &str| {
        let workshop = leaves(GOOD);
        workshop.write("own.json", text);
        outcome(&workshop, &named).0
    };
    let wrong = |why: &str| failed(&format!("`own.json` (`quality.fixer.settings_file`) {why}"));
    assert_eq!(outcome_with(r#"{"disableAllHooks": true, "env": {"A": "b"}}"#), FixOutcome::Kept(2));
    let recursion = "does not set `disableAllHooks` to true, so the model's edits would be checked by the hook that waits \
                     for them";
    assert_eq!(outcome_with("{}"), wrong(recursion));
    assert_eq!(outcome_with("no"), wrong("is not valid JSON"));
    assert_eq!(
        outcome_with(r#"{"disableAllHooks": true, "permissions": {"allow": ["Edit"]}}"#),
        wrong("sets `permissions.allow`, so the model could edit more than the one file")
    );
    assert_eq!(outcome(&leaves(GOOD), &named).0, wrong("cannot be read"));
}

#[test]
fn a_file_that_somebody_else_changed_is_left_alone() {
    let workshop = leaves(GOOD);
    workshop.write(FILE, "x = 1\n");
    let reason = "the file was changed by someone else in the meantime";
    assert_eq!(outcome(&workshop, &settings("")), (failed(reason), "x = 1\n".to_owned()));
}

#[test]
fn what_somebody_wrote_during_the_check_is_not_overwritten() {
    let workshop = leaves(&BAD.replace("import os", "import os  # for later"));
    let verify = || {
        let content = workshop.text(FILE);
        workshop.write(FILE, "x = 1\n");
        Verified { findings: lint(&content), content, failed_linters: Vec::new() }
    };
    let attempt = Attempt {
        settings: &settings(""),
        root: workshop.root(),
        path: &super::file(),
        before: BAD,
        findings: &lint(BAD),
        timeout: Duration::from_secs(20),
        verify: &verify,
        guards: GUARDS,
    };
    let reasons = [
        "it leaves 2 findings; there were 2",
        "the file was changed by someone else in the meantime and was left as it is",
    ];
    assert_eq!(fix(&attempt, &workshop).unwrap().end, refused(&reasons));
    assert_eq!(workshop.text(FILE), "x = 1\n");
}
