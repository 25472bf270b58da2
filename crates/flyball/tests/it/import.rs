//! `flyball import`, and what becomes of what it wrote, by real processes.

use crate::support::{ProcessResult, Project, mask_folder};
use serde_json::json;

/// Status and both streams, as one text.
fn whole(ran: &ProcessResult, project: &Project) -> String {
    mask_folder(&format!("{}\n{}---\n{}", ran.status, ran.stdout, ran.stderr), &project.folder())
}

fn config(project: &Project) -> String {
    std::fs::read_to_string(project.root().join("flyball.toml")).unwrap_or_default()
}

#[test]
fn alone_it_lists_its_sources() {
    let project = Project::new();
    let expected = "\
0
flyball import claude-permissions   The permission rules in Claude Code's settings, for guard.permissions
flyball import plankton             The hooks of plankton (`.claude/hooks/config.json`), for quality, guard.packages and guard.protected
flyball import limits               The limits of an orchestration (`.claude/config/orchestration-limits.yaml`), for loop.feedback and loop.iterations
flyball import brewcode             The tasks of brewcode (`.claude/tasks/cfg/brewcode.config.json`), for task.*
flyball import intent-layer         The reports and hooks of intent-layer (`.intent-layer`), for memory.*
---
";
    assert_eq!(whole(&project.run(&["import"]), &project), expected);
}

#[test]
fn permission_rules_are_shown_and_written() {
    let project = Project::new();
    project.file(
        ".claude/settings.json",
        r#"{"permissions": {"allow": ["Bash(npm run test:*)", "Bash(*)", "Edit(src/**)", 7], "deny": ["Bash(npm publish:*)", "Read(.env)"], "ask": ["Bash(git push *)"], "defaultMode": "acceptEdits", "new": null}}"#,
    );
    project.file(
        ".claude/settings.local.json",
        r#"{"permissions": {"allow": ["WebFetch(domain:docs.rs)", "mcp__github__get_issue", "Write(x)", "Bash(npm run test:*)"], "additionalDirectories": ["../common", "~/notes"]}}"#,
    );
    std::fs::create_dir(project.home().join(".claude")).unwrap();
    std::fs::write(project.home().join(".claude/settings.json"), r#"{"model": "x"}"#).unwrap();
    let report = "\
.claude/settings.json: allow Bash(npm run test:*) → npm run test
.claude/settings.json: allow Bash(*) not imported: it matches every command; name the commands
.claude/settings.json: allow Edit(src/**) → edit:src/**
.claude/settings.json: allow 7 not imported: not a text
.claude/settings.json: deny Bash(npm publish:*) → npm publish
.claude/settings.json: deny Read(.env) → read:**/.env
.claude/settings.json: ask Bash(git push *) → git push
.claude/settings.json: defaultMode = \"acceptEdits\" not imported: a setting of the client, which flyball does not change
.claude/settings.json: new = null not imported: unknown key
.claude/settings.local.json: allow WebFetch(domain:docs.rs) → fetch:docs.rs
.claude/settings.local.json: allow mcp__github__get_issue → mcp:github/get_issue
.claude/settings.local.json: allow Write(x) not imported: the client ignores it; it checks `Edit(x)`
.claude/settings.local.json: allow Bash(npm run test:*) → npm run test
.claude/settings.local.json: additionalDirectories ../common → read:FOLDER/common/** (edits there still ask)
.claude/settings.local.json: additionalDirectories ~/notes → read:~/notes/** (edits there still ask)
~/.claude/settings.json: permissions not imported: none found
";
    let toml = "\
[guard.permissions]
allow = [
    \"npm run test\",
    \"edit:src/**\",
    \"fetch:docs.rs\",
    \"mcp:github/get_issue\",
    \"read:FOLDER/common/**\",
    \"read:~/notes/**\",
]
deny = [\"npm publish\", \"read:**/.env\"]
ask = [\"git push\"]
";
    let shown = project.run(&["import", "claude-permissions"]);
    let expected = format!("0\n{report}\nto add to flyball.toml (run again with --write):\n\n{toml}---\n");
    assert_eq!(whole(&shown, &project), expected);
    assert_eq!(config(&project), "");

    project.config("# ours\n[engine]\ndeadline_ms = 900 # short\n");
    let written = project.run(&["import", "claude-permissions", "--write"]);
    let expected = format!("0\n{report}\nadded to flyball.toml:\n\n{toml}---\n");
    assert_eq!(whole(&written, &project), expected);
    let expected = format!("# ours\n[engine]\ndeadline_ms = 900 # short\n\n{toml}");
    assert_eq!(mask_folder(&config(&project), &project.folder()), expected);
    let checked = project.run(&["config", "check", "--json"]);
    assert_eq!((checked.status, checked.json(), checked.stderr.as_str()), (0, json!([]), ""));

    let again = project.run(&["import", "claude-permissions", "--write"]);
    let expected = format!("0\n{report}\nflyball.toml already has all of it; nothing changed\n---\n");
    assert_eq!(whole(&again, &project), expected);
}

#[test]
fn only_the_files_that_are_named_are_read() {
    let project = Project::new();
    project.file(".claude/settings.json", "broken");
    project.file("team.json", r#"{"permissions": {"allow": ["Bash(cargo test)"]}}"#);
    let expected = "\
0
team.json: allow Bash(cargo test) → cargo test$

to add to flyball.toml (run again with --write):

[guard.permissions]
allow = [\"cargo test$\"]
---
";
    let ran = project.run(&["import", "claude-permissions", "--from", "team.json"]);
    assert_eq!(whole(&ran, &project), expected);
    let ran = project.run(&["import", "claude-permissions", "--from", "none.json"]);
    let expected = "\
2
---
error: `none.json` does not exist
 help: name the file with --from FILE
";
    assert_eq!(whole(&ran, &project), expected);
}

#[test]
fn what_cannot_be_read_is_an_error_at_its_place() {
    let project = Project::new();
    let none = "\
2
---
error: no settings of Claude Code in this project or in your home
 help: name the file with --from FILE
";
    assert_eq!(whole(&project.run(&["import", "claude-permissions"]), &project), none);
    project.file(".claude/settings.json", "{\n  \"permissions\": {,}\n}\n");
    let broken = "\
2
---
error: .claude/settings.json:2:19: invalid JSON: key must be a string
 help: fix the file, then run the command again
";
    assert_eq!(whole(&project.run(&["import", "claude-permissions"]), &project), broken);
    project.file(".claude/hooks/config.json", "[]\n");
    let no_object = "\
2
---
error: `.claude/hooks/config.json` is not a JSON object
 help: fix the file, then run the command again
";
    assert_eq!(whole(&project.run(&["import", "plankton"]), &project), no_object);
}

#[test]
fn a_config_that_cannot_be_added_to_is_left_as_it_is() {
    let project = Project::new();
    let text = "[guard]\npermissions = { mode = \"observe\" }\n";
    project.config(text).file("x.json", r#"{"permissions": {"allow": ["Bash(ls:*)"]}}"#);
    let ran = project.run(&["import", "claude-permissions", "--from", "x.json", "--write"]);
    let expected = "\
2
x.json: allow Bash(ls:*) → ls
---
error: cannot edit flyball.toml: [guard.permissions] is an inline table or not a table
 help: add this by hand:

[guard.permissions]
allow = [\"ls\"]

";
    assert_eq!(whole(&ran, &project), expected);
    assert_eq!(config(&project), text);
}

#[test]
fn what_would_break_the_config_is_not_written() {
    let project = Project::new();
    let text = "# ours\n";
    project.config(text).file(
        "c.json",
        r#"{"package_managers": {"python": "uv"}, "jscpd": {"scan_dirs": ["app/"]},
        "protected_files": [".markdownlint.jsonc", ".markdownlint-cli2.jsonc", ".shellcheckrc", ".yamllint",
        ".hadolint.yaml", ".jscpd.json", ".flake8", "taplo.toml", ".ruff.toml", "ty.toml", "biome.json",
        ".oxlintrc.json", ".semgrep.yml", "knip.json", "a[b"]}"#,
    );
    let ran = project.run(&["import", "plankton", "--from", "c.json", "--write"]);
    let expected = "\
error: flyball.toml would be invalid: flyball.toml:10:10: invalid glob `a[b`: unclosed character class at byte 1; missing ']' (to match a literal '[', escape it as '\\[' or '[[]'); nothing changed
 help: add the valid parts by hand:

[quality.project]
folders = [\"app/\"]

[guard.packages]
python = \"uv\"

[guard.protected]
paths = [\"a[b\"]

";
    assert_eq!((ran.status, mask_folder(&ran.stderr, &project.folder()).as_str()), (2, expected));
    assert_eq!(config(&project), text);
}

#[test]
fn hooks_of_plankton_are_carried_over() {
    let project = Project::new();
    project.file(
        ".claude/hooks/config.json",
        r#"{
  "hook_enabled": true,
  "languages": {"python": true, "typescript": {"enabled": false, "semgrep": false}},
  "protected_files": [".markdownlint.jsonc", ".markdownlint-cli2.jsonc", ".shellcheckrc", ".yamllint",
    ".hadolint.yaml", ".jscpd.json", ".flake8", "taplo.toml", ".ruff.toml", "ty.toml", "biome.json",
    ".oxlintrc.json", "custom.toml"],
  "security_linter_exclusions": [".venv/"],
  "package_managers": {"python": false, "javascript": "bun:warn",
    "allowed_subcommands": {"npm": ["audit", "view"], "pip": ["download"], "yarn": [], "cargo": ["x"]}},
  "phases": {"auto_format": true},
  "subprocess": {"settings_file": null, "tiers": {"haiku": {"timeout": 120}}},
  "jscpd": {"session_threshold": 3},
  "surprise": 1
}"#,
    );
    let report = "\
.claude/hooks/config.json: hook_enabled = true not imported: already the default
.claude/hooks/config.json: phases.auto_format = true → quality.format = \"always\"
.claude/hooks/config.json: security_linter_exclusions = [\".venv/\"] → quality.security_exclude = [\".venv/**\"]
.claude/hooks/config.json: jscpd.session_threshold = 3 not imported: already the default
.claude/hooks/config.json: languages.python = true not imported: already the default
.claude/hooks/config.json: languages.typescript.enabled = false → quality.languages.typescript = false
.claude/hooks/config.json: languages.typescript.semgrep = false → quality.linters.semgrep.enabled = false
.claude/hooks/config.json: subprocess.settings_file = null not imported: not set
.claude/hooks/config.json: subprocess.tiers.haiku.timeout = 120 → quality.fixer.tiers.haiku.timeout_seconds = 120
.claude/hooks/config.json: package_managers.python = false → guard.packages.python = \"off\"
.claude/hooks/config.json: package_managers.javascript = \"bun:warn\" → guard.packages.javascript = \"bun:warn\"
.claude/hooks/config.json: package_managers.allowed_subcommands.cargo = [\"x\"] not imported: unknown tool of guard.packages
.claude/hooks/config.json: package_managers.allowed_subcommands.npm = [\"audit\",\"view\"] → guard.packages.allow.npm = [\"audit\", \"view\"]
.claude/hooks/config.json: package_managers.allowed_subcommands.pip = [\"download\"] not imported: already the default
.claude/hooks/config.json: package_managers.allowed_subcommands.yarn = [] → guard.packages.allow.yarn = []
.claude/hooks/config.json: surprise = 1 not imported: unknown key
.claude/hooks/config.json: protected_files .markdownlint.jsonc not imported: protected by default
.claude/hooks/config.json: protected_files .markdownlint-cli2.jsonc not imported: protected by default
.claude/hooks/config.json: protected_files .shellcheckrc not imported: protected by default
.claude/hooks/config.json: protected_files .yamllint not imported: protected by default
.claude/hooks/config.json: protected_files .hadolint.yaml not imported: protected by default
.claude/hooks/config.json: protected_files .jscpd.json not imported: protected by default
.claude/hooks/config.json: protected_files .flake8 not imported: protected by default
.claude/hooks/config.json: protected_files taplo.toml not imported: protected by default
.claude/hooks/config.json: protected_files .ruff.toml not imported: protected by default
.claude/hooks/config.json: protected_files ty.toml not imported: protected by default
.claude/hooks/config.json: protected_files biome.json not imported: protected by default
.claude/hooks/config.json: protected_files .oxlintrc.json not imported: protected by default
.claude/hooks/config.json: protected_files custom.toml → guard.protected.paths: custom.toml
.claude/hooks/config.json: protected_files without .semgrep.yml → guard.protected.unprotect: .semgrep.yml
.claude/hooks/config.json: protected_files without knip.json → guard.protected.unprotect: knip.json
environment: HOOK_SKIP_SUBPROCESS=1 → FLYBALL_FIXER=off
environment: HOOK_SUBPROCESS_TIMEOUT=SECONDS → FLYBALL_FIXER_TIMEOUT=SECONDS
";
    let toml = "\
[quality]
format = \"always\"
security_exclude = [\".venv/**\"]

[quality.languages]
typescript = false

[quality.linters.semgrep]
enabled = false

[quality.fixer.tiers.haiku]
timeout_seconds = 120

[guard.packages]
python = \"off\"
javascript = \"bun:warn\"

[guard.packages.allow]
npm = [\"audit\", \"view\"]
yarn = []

[guard.protected]
paths = [\"custom.toml\"]
unprotect = [\".semgrep.yml\", \"knip.json\"]
";
    let shown = project.run(&["import", "plankton", "--dry-run"]);
    let expected = format!("0\n{report}\nto add to flyball.toml (run again with --write):\n\n{toml}---\n");
    assert_eq!(whole(&shown, &project), expected);
    let written = project.run(&["import", "plankton", "--write"]);
    let expected = format!("0\n{report}\nadded to flyball.toml:\n\n{toml}---\n");
    assert_eq!(whole(&written, &project), expected);
    assert_eq!(config(&project), toml);
    loads(&project);
}

#[test]
fn hooks_of_plankton_that_are_still_registered_are_named() {
    let project = Project::new();
    let hook = r#"{"hooks": {"PostToolUse": [{"matcher": "Edit|Write", "hooks": [
        {"type": "command", "command": ".claude/hooks/multi_linter.sh"}]}]}}"#;
    project.file(".claude/hooks/config.json", "{}").file(".claude/settings.json", hook);
    let expected = "0\n.claude/settings.json: hook for PostToolUse: .claude/hooks/multi_linter.sh not imported: delete this \
                    entry from the file: flyball does the same, and both would run\n\nnothing to add to flyball.toml\n---\n";
    assert_eq!(whole(&project.run(&["import", "plankton"]), &project), expected);
}

/// The config is valid.
#[track_caller]
fn loads(project: &Project) {
    let checked = project.run(&["config", "check", "--json"]);
    assert_eq!((checked.status, checked.json(), checked.stderr.as_str()), (0, json!([]), ""));
}

/// Every key, each with a value that is not flyball's default.
const WHOLE: &str = r#"{
  "_comment": "all of it",
  "cc_tested_version": "2.1.50",
  "hook_enabled": false,
  "languages": {"python": false, "shell": false, "yaml": false, "json": false, "toml": false,
    "markdown": false, "dockerfile": false, "cobol": true,
    "typescript": {"_comment": "web", "enabled": true, "js_runtime": "pnpm", "biome_nursery": "error",
      "biome_unsafe_autofix": true, "oxlint_tsgolint": true, "tsgo": true, "semgrep": false, "knip": true}},
  "exclusions": ["old/"],
  "security_linter_exclusions": ["tests/", "./docs/", "gen", "*.gen.py"],
  "phases": {"auto_format": false, "subprocess_delegation": true},
  "subprocess": {
    "_comment": "per tier",
    "tiers": {
      "haiku": {"patterns": "E[0-9]+|(W|F)[0-9]+", "tools": "Edit,Read", "max_turns": 7, "timeout": 60},
      "sonnet": {"patterns": "C901|PLR[0-9]+", "tools": "Edit, Read", "max_turns": 8, "timeout": 200},
      "opus": {"patterns": "type-assertion", "tools": "Edit,Read,Write", "max_turns": 9, "timeout": 400},
      "mini": {"timeout": 1}
    },
    "global_model_override": "sonnet", "max_turns_override": 4, "timeout_override": 90,
    "volume_threshold": 9, "settings_file": "~/quiet.json", "timeout": 300,
    "model_selection": {"haiku_patterns": "E"}
  },
  "jscpd": {"session_threshold": 5, "scan_dirs": ["app/"], "advisory_only": false},
  "package_managers": {"python": "uv:warn", "javascript": "bun"}
}"#;

/// What becomes of it below `[quality]`.
const QUALITY: &str = r#"mode = "off"
format = "never"
security_exclude = ["tests/**", "docs/**", "gen*", "gen*/**", "*.gen.py"]

[quality.project]
blocking = true
folders = ["app/"]
after_files = 5

[quality.languages]
dockerfile = false
json = false
markdown = false
python = false
shell = false
toml = false
yaml = false

[quality.biome]
nursery = "error"
unsafe_fixes = true
runtime = "pnpm"

[quality.linters.knip]
enabled = true

[quality.linters.semgrep]
enabled = false

[quality.linters.tsgo]
enabled = true

[quality.linters.oxlint]
enabled = true

[quality.fixer]
enabled = true
model = "sonnet"
max_turns = 4
settings_file = "~/quiet.json"
timeout_seconds = 90
volume = 9

[quality.fixer.tiers.haiku]
max_turns = 7
patterns = [".*E[0-9]+.*", ".*(W|F)[0-9]+.*"]
timeout_seconds = 60
tools = ["Edit", "Read"]

[quality.fixer.tiers.opus]
max_turns = 9
patterns = [".*type-assertion.*"]
timeout_seconds = 400
tools = ["Edit", "Read", "Write"]

[quality.fixer.tiers.sonnet]
max_turns = 8
patterns = [".*C901.*", ".*PLR[0-9]+.*"]
timeout_seconds = 200
tools = ["Edit", "Read"]
"#;

#[test]
fn a_whole_config_of_plankton_is_carried_over_once() {
    let project = Project::new();
    project.file("c.json", WHOLE).config("# ours\n[quality]\nshown = 7 # few\n\n[engine]\n");
    let report = "\
c.json: exclusions = [\"old/\"] not imported: the old name of `security_linter_exclusions`, which is set too
c.json: cc_tested_version = \"2.1.50\" not imported: a note that nothing read
c.json: hook_enabled = false → quality.mode = \"off\"
c.json: phases.auto_format = false → quality.format = \"never\"
c.json: security_linter_exclusions = [\"tests/\",\"./docs/\",\"gen\",\"*.gen.py\"] → quality.security_exclude = [\"tests/**\", \"docs/**\", \"gen*\", \"gen*/**\", \"*.gen.py\"]
c.json: jscpd.advisory_only = false → quality.project.blocking = true
c.json: jscpd.scan_dirs = [\"app/\"] → quality.project.folders = [\"app/\"]
c.json: jscpd.session_threshold = 5 → quality.project.after_files = 5
c.json: languages.dockerfile = false → quality.languages.dockerfile = false
c.json: languages.json = false → quality.languages.json = false
c.json: languages.markdown = false → quality.languages.markdown = false
c.json: languages.python = false → quality.languages.python = false
c.json: languages.shell = false → quality.languages.shell = false
c.json: languages.toml = false → quality.languages.toml = false
c.json: languages.yaml = false → quality.languages.yaml = false
c.json: languages.typescript.enabled = true not imported: already the default
c.json: languages.typescript.biome_nursery = \"error\" → quality.biome.nursery = \"error\"
c.json: languages.typescript.biome_unsafe_autofix = true → quality.biome.unsafe_fixes = true
c.json: languages.typescript.js_runtime = \"pnpm\" → quality.biome.runtime = \"pnpm\"
c.json: languages.typescript.knip = true → quality.linters.knip.enabled = true
c.json: languages.typescript.semgrep = false → quality.linters.semgrep.enabled = false
c.json: languages.typescript.tsgo = true → quality.linters.tsgo.enabled = true
c.json: languages.typescript.oxlint_tsgolint = true → quality.linters.oxlint.enabled = true
c.json: phases.subprocess_delegation = true → quality.fixer.enabled = true
c.json: subprocess.global_model_override = \"sonnet\" → quality.fixer.model = \"sonnet\"
c.json: subprocess.max_turns_override = 4 → quality.fixer.max_turns = 4
c.json: subprocess.settings_file = \"~/quiet.json\" → quality.fixer.settings_file = \"~/quiet.json\"
c.json: subprocess.timeout_override = 90 → quality.fixer.timeout_seconds = 90
c.json: subprocess.volume_threshold = 9 → quality.fixer.volume = 9
c.json: subprocess.model_selection.haiku_patterns = \"E\" not imported: an old form; write `patterns` of each tier in [quality.fixer.tiers], and `volume` in [quality.fixer]
c.json: subprocess.timeout = 300 not imported: an old form; write `timeout_seconds` in [quality.fixer] or in a tier of [quality.fixer.tiers]
c.json: subprocess.tiers.haiku.max_turns = 7 → quality.fixer.tiers.haiku.max_turns = 7
c.json: subprocess.tiers.opus.max_turns = 9 → quality.fixer.tiers.opus.max_turns = 9
c.json: subprocess.tiers.sonnet.max_turns = 8 → quality.fixer.tiers.sonnet.max_turns = 8
c.json: subprocess.tiers.haiku.patterns = \"E[0-9]+|(W|F)[0-9]+\" → quality.fixer.tiers.haiku.patterns = [\".*E[0-9]+.*\", \".*(W|F)[0-9]+.*\"]
c.json: subprocess.tiers.opus.patterns = \"type-assertion\" → quality.fixer.tiers.opus.patterns = [\".*type-assertion.*\"]
c.json: subprocess.tiers.sonnet.patterns = \"C901|PLR[0-9]+\" → quality.fixer.tiers.sonnet.patterns = [\".*C901.*\", \".*PLR[0-9]+.*\"]
c.json: subprocess.tiers.haiku.timeout = 60 → quality.fixer.tiers.haiku.timeout_seconds = 60
c.json: subprocess.tiers.opus.timeout = 400 → quality.fixer.tiers.opus.timeout_seconds = 400
c.json: subprocess.tiers.sonnet.timeout = 200 → quality.fixer.tiers.sonnet.timeout_seconds = 200
c.json: subprocess.tiers.haiku.tools = \"Edit,Read\" → quality.fixer.tiers.haiku.tools = [\"Edit\", \"Read\"]
c.json: subprocess.tiers.opus.tools = \"Edit,Read,Write\" → quality.fixer.tiers.opus.tools = [\"Edit\", \"Read\", \"Write\"]
c.json: subprocess.tiers.sonnet.tools = \"Edit, Read\" → quality.fixer.tiers.sonnet.tools = [\"Edit\", \"Read\"]
c.json: package_managers.python = \"uv:warn\" → guard.packages.python = \"uv:warn\"
c.json: package_managers.javascript = \"bun\" → guard.packages.javascript = \"bun\"
c.json: languages.cobol = true not imported: unknown key
c.json: subprocess.tiers.mini.timeout = 1 not imported: unknown key
environment: HOOK_SKIP_SUBPROCESS=1 → FLYBALL_FIXER=off
environment: HOOK_SUBPROCESS_TIMEOUT=SECONDS → FLYBALL_FIXER_TIMEOUT=SECONDS
";
    let ran = project.run(&["import", "plankton", "--from", "c.json", "--write"]);
    let (printed, added) = ran.stdout.split_once("\nadded to flyball.toml:\n\n").unwrap_or_default();
    assert_eq!((ran.status, printed, ran.stderr.as_str()), (0, report, ""), "{}", ran.stdout);
    let guard = "[guard.packages]\npython = \"uv:warn\"\njavascript = \"bun\"\n";
    assert_eq!(added, format!("[quality]\n{QUALITY}\n{guard}"));
    let expected = format!("# ours\n[quality]\nshown = 7 # few\n{QUALITY}\n[engine]\n\n{guard}");
    assert_eq!(config(&project), expected);
    loads(&project);
    let again = project.run(&["import", "plankton", "--from", "c.json", "--write"]);
    let expected = format!("0\n{report}\nflyball.toml already has all of it; nothing changed\n---\n");
    assert_eq!(whole(&again, &project), expected);
}

/// `false` was once written back as "False", which means the opposite, and null as "None".
#[test]
fn values_that_are_not_texts_never_become_texts() {
    let project = Project::new();
    let cases = [
        ("false", "= false → guard.packages.python = \"off\"", "[guard.packages]\npython = \"off\"\n"),
        ("\"uv\"", "= \"uv\" → guard.packages.python = \"uv\"", "[guard.packages]\npython = \"uv\"\n"),
        (
            "\"uv:warn\"",
            "= \"uv:warn\" → guard.packages.python = \"uv:warn\"",
            "[guard.packages]\npython = \"uv:warn\"\n",
        ),
        (
            "null",
            "= null not imported: not set, so flyball's default applies: `auto` follows the lock file",
            "",
        ),
        (
            "\"False\"",
            "= \"False\" not imported: not a package manager; write `python = \"off\"` if `false` was meant",
            "",
        ),
        ("true", "= true not imported: not one of uv", ""),
        ("\"None\"", "= \"None\" not imported: not one of uv", ""),
    ];
    for (value, report, toml) in cases {
        project.file(
            "c.json",
            &format!("{{\"package_managers\": {{\"python\": {value}}}, \"protected_files\": []}}"),
        );
        let ran = project.run(&["import", "plankton", "--from", "c.json"]);
        let end = if toml.is_empty() {
            "nothing to add to flyball.toml\n".to_owned()
        } else {
            format!("to add to flyball.toml (run again with --write):\n\n{toml}")
        };
        let expected = format!(
            "0\nc.json: package_managers.python {report}\nc.json: protected_files = [] not imported: empty \
             means the defaults, which flyball protects too\n\n{end}---\n"
        );
        assert_eq!(whole(&ran, &project), expected, "{value}");
    }
}

/// Runs an import of this JSON and returns its whole output.
fn import_of(json: &str) -> String {
    let project = Project::new();
    project.file("c.json", json);
    whole(&project.run(&["import", "plankton", "--from", "c.json"]), &project)
}

#[test]
fn an_empty_config_of_plankton_adds_nothing() {
    assert_eq!(import_of("{}"), "0\n\nnothing to add to flyball.toml\n---\n");
    let hollow = r#"{"languages": {}, "phases": {}, "subprocess": {"tiers": {}}, "jscpd": {}, "package_managers": {}}"#;
    let expected = "\
0
environment: HOOK_SKIP_SUBPROCESS=1 → FLYBALL_FIXER=off
environment: HOOK_SUBPROCESS_TIMEOUT=SECONDS → FLYBALL_FIXER_TIMEOUT=SECONDS

nothing to add to flyball.toml
---
";
    assert_eq!(import_of(hollow), expected);
}

/// A wizard wrote `false` back as the text "False".
#[test]
fn defect_29_a_text_that_looks_like_a_switch_is_named_and_not_guessed() {
    let json = r#"{"hook_enabled": "False", "languages": {"python": "True", "shell": 0, "typescript": null},
        "phases": {"auto_format": "false"}, "package_managers": {"python": "False"}}"#;
    let expected = "\
0
c.json: hook_enabled = \"False\" not imported: a text; write `false` without quotes
c.json: phases.auto_format = \"false\" not imported: a text; write `false` without quotes
c.json: languages.python = \"True\" not imported: a text; write `true` without quotes
c.json: languages.shell = 0 not imported: neither true nor false
c.json: languages.typescript = null not imported: not set
c.json: package_managers.python = \"False\" not imported: not a package manager; write `python = \"off\"` if `false` was meant

nothing to add to flyball.toml
---
";
    assert_eq!(import_of(json), expected);
}

/// A wizard wrote `null` back as the text "None".
#[test]
fn defect_31_null_stays_unset_and_its_text_is_named() {
    let json = r#"{"subprocess": {"settings_file": null, "global_model_override": "None", "max_turns_override": null,
        "timeout_override": "None", "volume_threshold": -1, "tiers": {"opus": {"tools": "None", "timeout": 0, "patterns": null}}}}"#;
    let expected = "\
0
c.json: subprocess.global_model_override = \"None\" not imported: a text; write `null` without quotes
c.json: subprocess.max_turns_override = null not imported: not set
c.json: subprocess.settings_file = null not imported: not set
c.json: subprocess.timeout_override = \"None\" not imported: not a whole number of 1 or more
c.json: subprocess.volume_threshold = -1 not imported: not a whole number of 0 or more
c.json: subprocess.tiers.opus.patterns = null not imported: not set
c.json: subprocess.tiers.opus.timeout = 0 not imported: not a whole number of 1 or more
c.json: subprocess.tiers.opus.tools = \"None\" not imported: a text; write `null` without quotes
environment: HOOK_SKIP_SUBPROCESS=1 → FLYBALL_FIXER=off
environment: HOOK_SUBPROCESS_TIMEOUT=SECONDS → FLYBALL_FIXER_TIMEOUT=SECONDS

nothing to add to flyball.toml
---
";
    assert_eq!(import_of(json), expected);
}

/// `semgrep: false` was read as true, `typescript: true` and the documented `js_runtime: node` found
/// no Biome, and the settings of the search for duplicates were ignored.
#[test]
fn defect_21_every_option_means_what_it_says() {
    let json = r#"{"languages": {"typescript": {"semgrep": false, "js_runtime": "node", "biome_nursery": "loud"}},
        "jscpd": {"session_threshold": 0, "scan_dirs": "src/", "advisory_only": true}, "exclusions": ["tests/", ""]}"#;
    let expected = "\
0
c.json: exclusions = [\"tests/\",\"\"] not imported: an empty text excludes everything; name the folders
c.json: jscpd.advisory_only = true not imported: already the default
c.json: jscpd.scan_dirs = \"src/\" not imported: not a list of texts
c.json: jscpd.session_threshold = 0 not imported: not a whole number of 1 or more
c.json: languages.typescript.enabled = false → quality.languages.typescript = false
c.json: languages.typescript.biome_nursery = \"loud\" not imported: must be one of off, warn, error
c.json: languages.typescript.js_runtime = \"node\" → quality.biome.runtime = \"node\"
c.json: languages.typescript.semgrep = false → quality.linters.semgrep.enabled = false

to add to flyball.toml (run again with --write):

[quality.languages]
typescript = false

[quality.biome]
runtime = \"node\"

[quality.linters.semgrep]
enabled = false
---
";
    assert_eq!(import_of(json), expected);
}

/// What the client is answered when it is about to ask for permission.
fn asked(project: &Project, command: &str) -> ProcessResult {
    project.hook("PermissionRequest", json!({ "tool_name": "Bash", "tool_input": { "command": command } }))
}

#[test]
fn an_imported_rule_answers_the_clients_question() {
    let project = Project::new();
    project.file(
        ".claude/settings.json",
        r#"{"permissions": {"allow": ["Bash(cargo test:*)", "Bash(git:*)"], "deny": ["Bash(npm publish:*)"], "ask": ["Bash(git push:*)"]}}"#,
    );
    assert_eq!(project.run(&["import", "claude-permissions", "--write"]).status, 0);

    let allowed = asked(&project, "cargo test -p api 2>&1 | tail -5");
    let expected = json!({
        "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": { "behavior": "allow" } }
    });
    assert_eq!((allowed.status, allowed.json(), allowed.stderr.as_str()), (0, expected, ""));

    for left in ["cargo test; rm -rf x", "git push origin main", "cargo test > flyball.toml"] {
        asked(&project, left).assert_silent();
    }

    let denied = asked(&project, "npm publish");
    let decision = &denied.json()["hookSpecificOutput"]["decision"];
    assert_eq!((denied.status, &decision["behavior"], denied.stderr.as_str()), (0, &json!("deny"), ""));
}
