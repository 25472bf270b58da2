//! Edge cases that are not on the page.

use flyball_core::config::Section;
use flyball_core::engine::{Judgement, Registry};
use flyball_core::event::{Change, Event, EventData, FileEdit, Outcome, Stopping, Tool, ToolCall};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::ContentHash;
use flyball_core::verdict::{Restore, Stance, Subject};

use flyball_programs::MANIFESTS;

use super::names::defaults;
use super::{ProtectedKind, Protection, Settings};
use crate::testing::{PinnedWorld, Surroundings, before, event, judged_in, problems, sections, shell, write};

mod detection;
mod forty_ways;
mod harmless;

static ONLY: Registry = &[&super::POLICY];

const PYPROJECT: &str = "[project]\nname = \"x\"\n\n[tool.ruff]\nline-length = 100\n";

fn world() -> PinnedWorld {
    PinnedWorld::new()
        .file("/project/.ruff.toml", "line-length = 100\n")
        .file("/project/web/.eslintrc.json", "{}\n")
        .file("/project/pyproject.toml", PYPROJECT)
        .file("/project/package.json", "{\"name\":\"x\",\"eslintConfig\":{}}\n")
        .file("/project/.husky/pre-commit", "#!/bin/sh\n")
        .file("/project/node_modules/x/.eslintrc", "{}\n")
        .file("/project/src/main.py", "x = 1\n")
        .file("/project/weak.diff", "--- a/.ruff.toml\n+++ b/.ruff.toml\n@@ -1 +1 @@\n-a\n+b\n")
        .file("/project/src.diff", "--- a/src/main.py\n+++ b/src/main.py\n@@ -1 +1 @@\n-a\n+b\n")
}

fn judge(event: Event, config: &str) -> Judgement {
    let sections: Vec<(String, Section)> = sections(config);
    judged_in(ONLY, &sections, event, Surroundings { world: world(), ..Surroundings::default() })
}

fn stance(event: Event) -> Stance {
    judge(event, "").merged.stance
}

fn edit(path: &str, old: &str, new: &str) -> Event {
    let change = Change::Replace { old: old.to_owned(), new: new.to_owned(), all: false };
    before("Edit", Tool::Edit(vec![FileEdit { path: path.to_owned(), change }]))
}

#[test]
fn shell_cases() {
    use Stance::{Ask, Deny, Silent};
    let cases = [
        ("reading", "cat .ruff.toml", Silent),
        ("comparing", "diff .ruff.toml /tmp/ruff.toml", Silent),
        ("searching", "grep -rn line-length .ruff.toml pyproject.toml", Silent),
        ("talking about it", "echo 'edit .ruff.toml' > notes.md", Silent),
        ("copying it elsewhere", "cp .ruff.toml /tmp/x.toml", Silent),
        ("outside of the project", "echo x > /tmp/.ruff.toml", Silent),
        ("in a package from elsewhere", "rm -rf node_modules", Silent),
        ("a name that only begins alike", "echo x > .ruff.toml.md", Silent),
        ("a file of the code", "rm src/main.py", Silent),
        ("a folder without one", "rm -rf src", Silent),
        ("a folder with one", "rm -rf web", Deny),
        ("everything", "rm -rf ./*", Deny),
        ("a pattern that misses", "rm src/*.py", Silent),
        ("a pattern that hits", "rm -f web/.eslint*", Deny),
        ("making it read-only", "chmod 444 .ruff.toml", Deny),
        ("making all readable", "chmod -R u+r src", Silent),
        ("a checker with its config", "ruff check --config .ruff.toml src", Silent),
        ("a checker that fixes code", "npx eslint --fix -c web/.eslintrc.json src", Silent),
        ("a checker after a runner", "uv run ruff check --config=.ruff.toml", Silent),
        ("a formatter on the config itself", "prettier --write web/.eslintrc.json", Deny),
        ("what we suggest", "flyball restore .ruff.toml", Silent),
        ("what we suggest first", "flyball approve --diff .ruff.toml", Silent),
        ("git that only looks", "git diff -- .ruff.toml", Silent),
        ("git that takes it in", "git add .ruff.toml", Silent),
        ("a git message", "git commit -m 'tighten .ruff.toml'", Silent),
        ("a hook of git", "echo exit > .git/hooks/pre-commit", Deny),
        ("a sample of git", "rm .git/hooks/pre-push.sample", Silent),
        ("a path only known later", "echo x > \"$HERE/.ruff.toml\"", Ask),
        ("another path only known later", "echo x > \"$HERE/out.txt\"", Silent),
        ("after a cd to an unknown folder", "cd \"$HERE\" && echo x > .ruff.toml", Ask),
        ("a path only known later, read", "cat \"$HERE/.ruff.toml\"", Silent),
        ("tables of a manifest", "printf '[tool.mypy]\\nstrict = false\\n' >> pyproject.toml", Deny),
        ("a manifest of another kind", "echo x > docs/pyproject.toml.md", Silent),
    ];
    for (name, line, expected) in cases {
        assert_eq!(stance(shell(line)), expected, "{name}: {line}");
    }
}

#[test]
fn config_cases() {
    let cases = [
        ("a name added", "paths = ['schema.sql']", "db/schema.sql", Stance::Deny),
        ("a path added", "paths = ['ci/*.yml']", "ci/build.yml", Stance::Deny),
        ("a path is one from the root", "paths = ['ci/*.yml']", "x/ci/build.yml", Stance::Silent),
        ("a folder added", "paths = ['infra/prod']", "infra/prod/a/b.tf", Stance::Deny),
        ("a name taken away", "unprotect = ['.ruff.toml']", ".ruff.toml", Stance::Silent),
        ("a path taken away", "unprotect = ['web/**']", "web/.eslintrc.json", Stance::Silent),
        ("which another is not", "unprotect = ['web/**']", ".eslintrc.json", Stance::Deny),
    ];
    for (name, config, path, expected) in cases {
        let judgement = judge(write(path, "x\n"), &format!("[guard.protected]\n{config}\n"));
        assert_eq!(judgement.merged.stance, expected, "{name}");
    }
}

#[test]
fn an_impossible_glob_is_an_error_at_its_place() {
    let text = "[guard.protected]\npaths = ['../x', '!y', '', '[z']\n";
    assert_eq!(
        problems(text),
        [
            "flyball.toml:2:10: this is outside the project; write a path from the project's root",
            "flyball.toml:2:18: a glob cannot be negated here; move it to the other list without `!`",
            "flyball.toml:2:24: this does not name a file; write a name or a path from the project's root",
            "flyball.toml:2:28: invalid glob `[z`: unclosed character class at byte 0; missing ']' (to match a \
             literal '[', escape it as '\\[' or '[[]')",
        ]
    );
}

#[test]
fn manifest_cases() {
    use Stance::{Deny, Silent};
    let cases = [
        ("a name", edit("pyproject.toml", "name = \"x\"", "name = \"y\""), Silent),
        ("a lint table", edit("pyproject.toml", "line-length = 100", "line-length = 200"), Deny),
        ("an edit that does not fit", edit("pyproject.toml", "nowhere", "[tool.mypy]"), Silent),
        (
            "written with the same table",
            write("pyproject.toml", &PYPROJECT.replace("\"x\"", "\"y\"")),
            Silent,
        ),
        ("written without the table", write("pyproject.toml", "[project]\nname = \"x\"\n"), Deny),
        ("a new manifest", write("api/pyproject.toml", PYPROJECT), Silent),
        ("another key of package.json", edit("package.json", "\"name\":\"x\"", "\"name\":\"y\""), Silent),
        ("a lint key of package.json", edit("package.json", "{}", "{\"root\":true}"), Deny),
    ];
    for (name, event, expected) in cases {
        assert_eq!(stance(event), expected, "{name}");
    }
}

#[test]
fn several_edits_of_one_manifest_are_judged_together() {
    let one = |old: &str, new: &str| FileEdit {
        path: "pyproject.toml".into(),
        change: Change::Replace { old: old.into(), new: new.into(), all: false },
    };
    let there_and_back = vec![one("100", "200"), one("200", "100")];
    assert_eq!(stance(before("MultiEdit", Tool::Edit(there_and_back))), Stance::Silent);
    let there = vec![one("\"x\"", "\"y\""), one("100", "200")];
    assert_eq!(stance(before("MultiEdit", Tool::Edit(there))), Stance::Deny);
}

#[test]
fn the_reason_says_what_why_and_what_instead() {
    let judgement = judge(write("web/.eslintrc.json", "{}"), "");
    assert_eq!(
        judgement.merged.reasons[0].reason.text(),
        "Fix the code, or ask the user to run `flyball allow web/.eslintrc.json`: \
         `web/.eslintrc.json` is a protected config of the project's checks. Agents may not change it"
    );
    assert_eq!(
        judgement.rulings[0].verdict.subjects,
        [Subject::File(AbsolutePath::from_root("/project/web/.eslintrc.json"))]
    );
}

#[test]
fn flyballs_own_files_are_left_to_guard_self() {
    assert_eq!(stance(write("flyball.toml", "x")), Stance::Silent);
    assert_eq!(stance(shell("echo {} > .claude/settings.json")), Stance::Silent);
}

// Defect 11 of the quality hooks.
/// Also: the path is resolved, the case does not matter, and a shell does not help.
#[test]
fn defect_11_protection_is_not_escaped_by_dots_case_or_the_shell() {
    let edits = [".claude/hooks/test/../x.sh", "web/../.ruff.toml", ".RUFF.toml", ".Claude/Hooks/x.sh"];
    for path in edits {
        assert_eq!(stance(write(path, "x\n")), Stance::Deny, "{path}");
    }
    for line in ["sed -i s/100/200/ .ruff.toml", "echo x > .ruff.toml", "echo x > web/../.Ruff.Toml"] {
        assert_eq!(stance(shell(line)), Stance::Deny, "{line}");
    }
}

// Defect 12 of the quality hooks.
#[test]
fn defect_12_alternative_names_and_lint_tables_are_protected() {
    let names =
        ["ruff.toml", "biome.jsonc", ".pre-commit-config.yaml", "eslint.config.mjs", ".golangci.toml"];
    for path in names {
        assert_eq!(stance(write(path, "x\n")), Stance::Deny, "{path}");
    }
    assert_eq!(stance(edit("pyproject.toml", "100", "200")), Stance::Deny);
    assert_eq!(
        stance(edit("package.json", "\"eslintConfig\":{}", "\"eslintConfig\":{\"a\":1}")),
        Stance::Deny
    );
}

// Defect 15 of the quality hooks.
#[test]
fn defect_15_a_file_name_with_quotes_is_only_a_name() {
    let judgement = judge(write("a\"b'/.eslintrc", "x"), "");
    assert_eq!(judgement.merged.stance, Stance::Deny);
    assert_eq!(
        judgement.merged.reasons[0].reason.what,
        "`a\"b'/.eslintrc` would be a new config of the project's checks"
    );
}

#[test]
fn every_default_of_the_table_is_protected() {
    let protection = Protection::new(Settings::default(), flyball_clients::FACTS);
    for (owner, what, pattern) in default_patterns(&protection) {
        let name = pattern.replace("/**", "/x").replace('*', "");
        assert_eq!(protection.find_kind(&name), Some(what), "{name} of {owner}");
    }
}

#[test]
fn the_page_lists_every_default_of_the_table() {
    let protection = Protection::new(Settings::default(), flyball_clients::FACTS);
    let owned = default_patterns(&protection).map(|(owner, _, pattern)| (owner.to_owned(), pattern));
    let files = rows(owned.collect());
    let parts = MANIFESTS.iter().filter(|manifest| !manifest.protected.is_empty()).map(|manifest| {
        let parts: Vec<String> = manifest.protected.iter().map(|part| format!("`{part}`")).collect();
        (parts.join(", "), manifest.file.to_owned())
    });
    let parts = rows(parts.collect());
    let parts = parts.into_iter().map(|(parts, files)| (files, parts)).collect();
    let page = with_table(super::POLICY.page, "| of | files |", files);
    let page = with_table(&page, "| in | tables or keys |", parts);
    if std::env::var_os("FLYBALL_BLESS").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/guard/protected/policy.md");
        std::fs::write(file, &page).unwrap();
    } else {
        assert!(super::POLICY.page == page, "FLYBALL_BLESS=1 refreshes policy.md; now:\n{page}");
    }
}

fn default_patterns(protection: &Protection) -> impl Iterator<Item = (&str, ProtectedKind, String)> {
    let of_clients =
        protection.hook_folders().map(|folder| ("the client", ProtectedKind::Hooks, format!("{folder}/**")));
    defaults().map(|(owner, what, pattern)| (owner, what, pattern.to_owned())).chain(of_clients)
}

/// Rows of a table: each key once, in the order of its first value, with all of its values.
fn rows(pairs: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    for (key, value) in pairs {
        match rows.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push_str(&format!(", `{value}`")),
            None => rows.push((key, format!("`{value}`"))),
        }
    }
    rows
}

/// The page with these rows below a table's head.
fn with_table(page: &str, head: &str, rows: Vec<(String, String)>) -> String {
    let start = page.find(head).unwrap();
    let end = start + page[start..].find("\n\n").unwrap();
    let rows = rows.iter().map(|(left, right)| format!("\n| {left} | {right} |")).collect::<String>();
    format!("{}{head}\n|---|---|{rows}{}", &page[..start], &page[end..])
}

#[test]
fn parts_of_files_by_commands() {
    use Stance::{Ask, Deny, Silent};
    let cases = [
        ("sed -i 's/line-length = 100/line-length = 400/' pyproject.toml", Deny),
        ("sed -i '/^\\[tool\\.ruff/,/^$/d' pyproject.toml", Deny),
        ("sed -i 's/^name = .*/name = \"y\"/' pyproject.toml", Silent),
        ("npm pkg set eslintConfig.rules.eqeqeq=off", Deny),
        ("npm pkg delete eslintConfig", Deny),
        ("npm pkg set version=2.0.0", Silent),
        ("jq 'del(.eslintConfig)' package.json | sponge package.json", Deny),
        ("jq '.name = \"y\"' package.json > t && mv t package.json", Silent),
        ("tomlq -i -t '.tool.ruff[\"line-length\"] = 400' pyproject.toml", Deny),
        ("python3 -c \"open('pyproject.toml', 'w').write(edit('ruff'))\"", Ask),
        ("python3 -c \"open('pyproject.toml', 'w').write(edit('version'))\"", Silent),
        ("npx prettier --write package.json", Silent),
        // A checker in the line does not excuse what another program does.
        ("./tidy ruff .ruff.toml", Deny),
    ];
    for (line, expected) in cases {
        assert_eq!(stance(shell(line)), expected, "{line}");
    }
}

#[test]
fn the_strictest_touch_decides() {
    let line = "python3 -c \"x('.ruff.toml')\"; echo x > .ruff.toml";
    assert_eq!(stance(shell(line)), Stance::Deny);
}
