//! `flyball import`, and what becomes of what it wrote, by real processes.

mod support;

use serde_json::json;
use support::{Project, Ran, placed};

/// Status and both streams, as one text.
fn whole(ran: &Ran, project: &Project) -> String {
    placed(&format!("{}\n{}---\n{}", ran.status, ran.stdout, ran.stderr), &project.folder())
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
flyball import plankton             The hooks of plankton (`.claude/hooks/config.json`), for guard.packages and guard.protected
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
    let said = "\
.claude/settings.json: allow Bash(npm run test:*) → npm run test
.claude/settings.json: allow Bash(*) not carried over: it is about every command; name the commands that are meant
.claude/settings.json: allow Edit(src/**) → edit:src/**
.claude/settings.json: allow 7 not carried over: it is no text
.claude/settings.json: deny Bash(npm publish:*) → npm publish
.claude/settings.json: deny Read(.env) → read:**/.env
.claude/settings.json: ask Bash(git push *) → git push
.claude/settings.json: defaultMode = \"acceptEdits\" not carried over: the client's own mode, which flyball leaves as it is
.claude/settings.json: new = null not carried over: flyball does not know this key
.claude/settings.local.json: allow WebFetch(domain:docs.rs) → fetch:docs.rs
.claude/settings.local.json: allow mcp__github__get_issue → mcp:github/get_issue
.claude/settings.local.json: allow Write(x) not carried over: the client does not look at it; `Edit(x)` is what it looks at
.claude/settings.local.json: allow Bash(npm run test:*) → npm run test
.claude/settings.local.json: additionalDirectories ../common → read:FOLDER/common/** (edits there are still asked about)
.claude/settings.local.json: additionalDirectories ~/notes → read:~/notes/** (edits there are still asked about)
~/.claude/settings.json: permissions not carried over: there are none
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
    let expected = format!("0\n{said}\nto be added to flyball.toml (--write does it):\n\n{toml}---\n");
    assert_eq!(whole(&shown, &project), expected);
    assert_eq!(config(&project), "");

    project.config("# ours\n[engine]\ndeadline_ms = 900 # short\n");
    let written = project.run(&["import", "claude-permissions", "--write"]);
    let expected = format!("0\n{said}\nadded to flyball.toml:\n\n{toml}---\n");
    assert_eq!(whole(&written, &project), expected);
    let expected = format!("# ours\n[engine]\ndeadline_ms = 900 # short\n\n{toml}");
    assert_eq!(placed(&config(&project), &project.folder()), expected);
    let checked = project.run(&["config", "check", "--json"]);
    assert_eq!((checked.status, checked.json(), checked.stderr.as_str()), (0, json!([]), ""));

    let again = project.run(&["import", "claude-permissions", "--write"]);
    let expected = format!("0\n{said}\nflyball.toml has all of it already: nothing was changed\n---\n");
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

to be added to flyball.toml (--write does it):

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
error: there is no file `FOLDER/project/none.json`
 help: --from FILE names another
";
    assert_eq!(whole(&ran, &project), expected);
}

#[test]
fn what_cannot_be_read_is_an_error_at_its_place() {
    let project = Project::new();
    let none = "\
2
---
error: there are no settings of Claude Code, neither in this project nor in your home
 help: --from FILE names one elsewhere
";
    assert_eq!(whole(&project.run(&["import", "claude-permissions"]), &project), none);
    project.file(".claude/settings.json", "{\n  \"permissions\": {,}\n}\n");
    let broken = "\
2
---
error: .claude/settings.json:2:19: no JSON: key must be a string
 help: mend the file, then run the command again
";
    assert_eq!(whole(&project.run(&["import", "claude-permissions"]), &project), broken);
    project.file(".claude/hooks/config.json", "[]\n");
    let no_object = "\
2
---
error: `.claude/hooks/config.json` holds no JSON object
 help: mend the file, then run the command again
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
error: flyball.toml cannot be added to: [guard.permissions] is written in a way that cannot be added to
 help: add this yourself:

[guard.permissions]
allow = [\"ls\"]

";
    assert_eq!(whole(&ran, &project), expected);
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
    let said = "\
.claude/hooks/config.json: hook_enabled = true not carried over: it switched the linting after edits; no policy lints yet
.claude/hooks/config.json: jscpd.session_threshold = 3 not carried over: the search for duplicates, which never read this key; no policy lints yet
.claude/hooks/config.json: languages.python = true not carried over: which files are linted after an edit; no policy lints yet
.claude/hooks/config.json: languages.typescript.enabled = false not carried over: which files are linted after an edit; no policy lints yet
.claude/hooks/config.json: languages.typescript.semgrep = false not carried over: which files are linted after an edit; no policy lints yet
.claude/hooks/config.json: package_managers.python = false → guard.packages.python = \"off\"
.claude/hooks/config.json: package_managers.javascript = \"bun:warn\" → guard.packages.javascript = \"bun:warn\"
.claude/hooks/config.json: package_managers.allowed_subcommands.cargo = [\"x\"] not carried over: guard.packages does not know this tool
.claude/hooks/config.json: package_managers.allowed_subcommands.npm = [\"audit\",\"view\"] → guard.packages.allow.npm = [\"audit\", \"view\"]
.claude/hooks/config.json: package_managers.allowed_subcommands.pip = [\"download\"] not carried over: it is the default
.claude/hooks/config.json: package_managers.allowed_subcommands.yarn = [] → guard.packages.allow.yarn = []
.claude/hooks/config.json: phases.auto_format = true not carried over: the steps of linting after an edit; no policy lints yet
.claude/hooks/config.json: protected_files .markdownlint.jsonc not carried over: it is protected by default
.claude/hooks/config.json: protected_files .markdownlint-cli2.jsonc not carried over: it is protected by default
.claude/hooks/config.json: protected_files .shellcheckrc not carried over: it is protected by default
.claude/hooks/config.json: protected_files .yamllint not carried over: it is protected by default
.claude/hooks/config.json: protected_files .hadolint.yaml not carried over: it is protected by default
.claude/hooks/config.json: protected_files .jscpd.json not carried over: it is protected by default
.claude/hooks/config.json: protected_files .flake8 not carried over: it is protected by default
.claude/hooks/config.json: protected_files taplo.toml not carried over: it is protected by default
.claude/hooks/config.json: protected_files .ruff.toml not carried over: it is protected by default
.claude/hooks/config.json: protected_files ty.toml not carried over: it is protected by default
.claude/hooks/config.json: protected_files biome.json not carried over: it is protected by default
.claude/hooks/config.json: protected_files .oxlintrc.json not carried over: it is protected by default
.claude/hooks/config.json: protected_files custom.toml → guard.protected.paths: custom.toml
.claude/hooks/config.json: protected_files without .semgrep.yml → guard.protected.unprotect: .semgrep.yml
.claude/hooks/config.json: protected_files without knip.json → guard.protected.unprotect: knip.json
.claude/hooks/config.json: security_linter_exclusions = [\".venv/\"] not carried over: paths that security linters leave out; no policy lints yet
.claude/hooks/config.json: subprocess.settings_file = null not carried over: a model that repairs what linters find; no policy does that yet
.claude/hooks/config.json: subprocess.tiers.haiku.timeout = 120 not carried over: a model that repairs what linters find; no policy does that yet
.claude/hooks/config.json: surprise = 1 not carried over: flyball does not know this key
";
    let toml = "\
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
    let expected = format!("0\n{said}\nto be added to flyball.toml (--write does it):\n\n{toml}---\n");
    assert_eq!(whole(&shown, &project), expected);
    let written = project.run(&["import", "plankton", "--write"]);
    let expected = format!("0\n{said}\nadded to flyball.toml:\n\n{toml}---\n");
    assert_eq!(whole(&written, &project), expected);
    assert_eq!(config(&project), toml);
}

/// `false` was once written back as "False", which means the opposite, and null as "None".
#[test]
fn values_that_are_no_texts_never_become_texts() {
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
            "= null not carried over: it says nothing, so flyball's default holds: `auto` follows the lock file",
            "",
        ),
        (
            "\"False\"",
            "= \"False\" not carried over: it is no package manager; write `python = \"off\"` if `false` was meant",
            "",
        ),
        ("true", "= true not carried over: it is no package manager that can be chosen", ""),
        ("\"None\"", "= \"None\" not carried over: it is no package manager that can be chosen", ""),
    ];
    for (value, said, toml) in cases {
        project.file(
            "c.json",
            &format!("{{\"package_managers\": {{\"python\": {value}}}, \"protected_files\": []}}"),
        );
        let ran = project.run(&["import", "plankton", "--from", "c.json"]);
        let end = if toml.is_empty() {
            "there is nothing to add to flyball.toml\n".to_owned()
        } else {
            format!("to be added to flyball.toml (--write does it):\n\n{toml}")
        };
        let expected = format!(
            "0\nc.json: package_managers.python {said}\nc.json: protected_files = [] not carried over: an empty \
             list means the defaults, which flyball protects anyway\n\n{end}---\n"
        );
        assert_eq!(whole(&ran, &project), expected, "{value}");
    }
}

/// What the client is answered when it is about to ask for permission.
fn asked(project: &Project, command: &str) -> Ran {
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
        asked(&project, left).is_silent();
    }

    let denied = asked(&project, "npm publish");
    let decision = &denied.json()["hookSpecificOutput"]["decision"];
    assert_eq!((denied.status, &decision["behavior"], denied.stderr.as_str()), (0, &json!("deny"), ""));
}
