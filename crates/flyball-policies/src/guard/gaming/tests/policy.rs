//! The policy as a whole: routes, levels, messages, and what it remembers.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flyball_core::engine::{Judgement, Registry};
use flyball_core::event::{Change, Event, FileEdit, PermissionMode, Tool};
use flyball_core::verdict::{Stance, Subject};

use super::super::settings::Settings;
use crate::testing::{
    InMemory, PinnedWorld, Surroundings, before, judged_in, problems, sections, shell, write,
};

static ONLY: Registry = &[&super::super::POLICY];

fn judged(config: &str, world: PinnedWorld, event: Event) -> Judgement {
    judged_in(ONLY, &sections(config), event, Surroundings { world, ..Surroundings::default() })
}

fn stance(world: PinnedWorld, event: Event) -> Stance {
    judged("", world, event).merged.stance
}

fn replace(path: &str, old: &str, new: &str) -> Event {
    edit(vec![(path, Change::Replace { old: old.into(), new: new.into(), all: false })])
}

fn edit(changes: Vec<(&str, Change)>) -> Event {
    let edits = changes.into_iter().map(|(path, change)| FileEdit { path: path.into(), change });
    before("Edit", Tool::Edit(edits.collect()))
}

fn world() -> PinnedWorld {
    PinnedWorld::new()
        .file("/project/app.py", "import os\nimport sys  # noqa\nx = 1\n")
        .file(
            "/project/tests/test_a.py",
            "def test_a():\n    assert f()\n\n\ndef test_b():\n    assert g()\n",
        )
        .file("/project/ruff.toml", "[lint]\nignore = [\"E501\"]\n")
}

#[test]
fn edits_are_compared_with_the_file_on_disk() {
    use Stance::{Ask, Silent};
    let cases = [
        ("a new marker", replace("app.py", "import os", "import os  # noqa"), Ask),
        (
            "only the line around it",
            replace("app.py", "import sys  # noqa\nx = 1", "import sys  # noqa\nx = 2"),
            Silent,
        ),
        (
            "moved",
            replace("app.py", "import os\nimport sys  # noqa", "import sys  # noqa\nimport os"),
            Silent,
        ),
        ("removed", replace("app.py", "  # noqa", ""), Silent),
        ("the whole file as it was", write("app.py", "import os\nimport sys  # noqa\nx = 2\n"), Silent),
        ("the whole file with one more", write("app.py", "import os  # noqa\nimport sys  # noqa\n"), Ask),
        ("not found, compared alone", replace("app.py", "gone", "gone  # noqa"), Ask),
        ("not found, moved alone", replace("app.py", "gone  # noqa", "here  # noqa"), Silent),
        ("into a string that began above", replace("app.py", "x = 1", "x = '''\n# noqa\n'''"), Silent),
        ("a removed test", replace("tests/test_a.py", "def test_b():\n    assert g()\n", ""), Ask),
        ("one more ignored rule", replace("ruff.toml", "\"E501\"", "\"E501\", \"F401\""), Ask),
        ("a file of tests", edit(vec![("tests/test_a.py", Change::Delete)]), Ask),
        ("one that is not there", edit(vec![("tests/test_z.py", Change::Delete)]), Silent),
        ("another file", edit(vec![("app.py", Change::Delete)]), Silent),
        (
            "tests moved",
            edit(vec![("tests/test_a.py", Change::Move { to: "tests/unit/test_a.py".into() })]),
            Silent,
        ),
        (
            "tests moved aside",
            edit(vec![("tests/test_a.py", Change::Move { to: "old/a.py.bak".into() })]),
            Ask,
        ),
        ("outside of the project", write("/tmp/x.py", "import os  # noqa\n"), Silent),
        ("vendored", write("vendor/x.py", "import os  # noqa\n"), Silent),
        ("a fixture", write("tests/fixtures/x.py", "import os  # noqa\n"), Silent),
        ("a fixture at the top", write("fixtures/x.py", "import os  # noqa\n"), Silent),
    ];
    for (name, event, expected) in cases {
        assert_eq!(stance(world(), event), expected, "{name}");
    }
}

#[test]
fn the_shell_is_a_route_like_any_other() {
    use Stance::{Ask, Silent};
    let cases = [
        ("written", "echo 'import os  # noqa' > lib.py", Ask),
        ("appended", "echo 'import re  # noqa' >> app.py", Ask),
        ("a here-document", "cat > lib.py <<'END'\nimport os  # noqa\nEND", Ask),
        ("through tee", "echo 'import os  # noqa' | tee lib.py", Ask),
        ("the same again", "printf 'import os\\nimport sys  # noqa\\n' > app.py", Silent),
        ("deleted tests", "rm tests/test_a.py", Ask),
        ("deleted with git", "git rm tests/test_a.py", Ask),
        ("all of them", "rm -rf tests", Ask),
        ("moved tests", "mkdir -p unit && mv tests/test_a.py tests/test_c.py", Silent),
        ("moved aside", "mv tests/test_a.py tests/test_a.py.off", Ask),
        ("emptied", ": > tests/test_a.py", Ask),
        ("searched for", "grep -rn '# noqa' .", Silent),
        ("only known at run", "echo \"$X # noqa\" > lib.py", Silent),
        ("elsewhere", "rm -rf build", Silent),
    ];
    for (name, line, expected) in cases {
        assert_eq!(stance(world(), shell(line)), expected, "{name}: {line}");
    }
}

#[test]
fn several_edits_of_one_call_are_taken_together() {
    let change = |old: &str, new: &str| Change::Replace { old: old.into(), new: new.into(), all: false };
    let within = edit(vec![("app.py", change("  # noqa", "")), ("app.py", change("x = 1", "x = 1  # noqa"))]);
    assert_eq!(stance(world(), within), Stance::Silent, "from one line to another");
    let content = "import sys  # noqa\n".to_owned();
    let across =
        edit(vec![("app.py", change("import sys  # noqa\n", "")), ("lib.py", Change::Write { content })]);
    assert_eq!(stance(world(), across), Stance::Silent, "from one file to another");
    let content = "def test_b():\n    assert g()\n".to_owned();
    let test = ("tests/test_a.py", change("def test_b():\n    assert g()\n", ""));
    let moved = edit(vec![test, ("tests/test_b.py", Change::Write { content })]);
    assert_eq!(stance(world(), moved), Stance::Silent, "a test from one file to another");
}

#[test]
fn tests_that_the_session_moved_or_added_may_be_removed() {
    let memory: Arc<InMemory> = Arc::default();
    let judged = |event| {
        judged_in(ONLY, &[], event, Surroundings { world: world(), memory: memory.clone() }).merged.stance
    };
    assert_eq!(judged(write("tests/test_b.py", "def test_b():\n    assert g()\n")), Stance::Silent);
    assert_eq!(judged(replace("tests/test_a.py", "def test_b():\n    assert g()\n", "")), Stance::Silent);
    assert_eq!(
        judged(edit(vec![("tests/test_a.py", Change::Delete)])),
        Stance::Ask,
        "test_a is in no other file"
    );
}

#[test]
fn cells_of_a_notebook() {
    let notebook = r##"{"cells": [{"cell_type": "code", "source": ["import os  # noqa\n"]},
        {"cell_type": "markdown", "source": "# noqa"}]}"##;
    let cell = |source: &str, how: &str| {
        let event = edit(vec![("a.ipynb", Change::Cell { source: source.into(), how: how.into() })]);
        stance(PinnedWorld::new().file("/project/a.ipynb", notebook), event)
    };
    assert_eq!(cell("import re  # noqa", "insert"), Stance::Ask);
    assert_eq!(cell("import os  # noqa", "replace"), Stance::Silent);
    assert_eq!(cell("a  # noqa\nb  # noqa", "replace"), Stance::Ask);
    assert_eq!(cell("", "delete"), Stance::Silent);
}

#[test]
fn levels() {
    let cases = [
        ("suppressions = \"deny\"", Stance::Deny, 0),
        ("suppressions = \"ask\"", Stance::Ask, 0),
        ("suppressions = \"tell\"", Stance::Silent, 1),
        ("suppressions = \"off\"", Stance::Silent, 0),
        ("exempt = [\"*.py\"]", Stance::Silent, 0),
        ("allow = [\"noqa\"]", Stance::Silent, 0),
    ];
    for (line, expected, notices) in cases {
        let event = replace("app.py", "import os", "import os  # noqa");
        let judgement = judged(&format!("[guard.gaming]\n{line}\n"), world(), event);
        assert_eq!(judgement.merged.stance, expected, "{line}");
        assert_eq!(judgement.merged.notices.len(), notices, "{line}");
    }
}

#[test]
fn where_the_client_does_not_ask_the_config_decides() {
    use PermissionMode::{AcceptEdits, Auto, Bypass, Default, DontAsk, Plan};
    for (mode, default, denied) in [
        (Default, Stance::Ask, Stance::Ask),
        (AcceptEdits, Stance::Ask, Stance::Ask),
        (Plan, Stance::Ask, Stance::Ask),
        (DontAsk, Stance::Ask, Stance::Ask),
        (Auto, Stance::Silent, Stance::Deny),
        (Bypass, Stance::Silent, Stance::Deny),
    ] {
        let event =
            || Event { permission_mode: Some(mode), ..replace("app.py", "import os", "import os  # noqa") };
        let merged = judged("", world(), event()).merged;
        assert_eq!((merged.stance, merged.notices.is_empty()), (default, default == Stance::Ask), "{mode:?}");
        let merged = judged("[guard.gaming]\nunattended = \"deny\"\n", world(), event()).merged;
        assert_eq!(merged.stance, denied, "{mode:?}");
    }
}

#[test]
fn the_messages_of_a_question() {
    let judgement = judged("", world(), replace("app.py", "import os", "import os  # noqa: F401"));
    let verdict = &judgement.rulings[0].verdict;
    assert_eq!(
        verdict.reasons[0].text(),
        "Fix the finding; if it is a false alarm, explain it in the same line (`# noqa: F401  # the reason`) or ask the user: app.py:1 `noqa: F401` (silences a check). To allow it, the user sets `suppressions` \
         or `allow` in `[guard.gaming]`"
    );
    assert_eq!(verdict.subjects, [Subject::Intent("gaming.suppressions:app.py".to_owned())]);
    assert_eq!(
        (verdict.evidence[0].name.as_str(), verdict.evidence[0].value.as_str()),
        ("suppressions", "app.py:1 `noqa: F401`")
    );
    let judgement = judged("", world(), edit(vec![("tests/test_a.py", Change::Delete)]));
    assert_eq!(
        judgement.rulings[0].verdict.reasons[0].text(),
        "Keep the test and make it pass; if it is obsolete, ask the user first: tests/test_a.py: 2 tests are removed: \
         `test_a`, `test_b`. To allow it, the user sets `deleted_tests` or `allow` in `[guard.gaming]`"
    );
}

#[test]
fn only_a_denial_lasts() {
    let event = replace("app.py", "import os", "import os  # noqa");
    let judgement = judged("[guard.gaming]\nsuppressions = \"deny\"\n", world(), event);
    let subject = Subject::Intent("gaming.suppressions:app.py".into());
    assert_eq!(judgement.rulings[0].verdict.subjects, [subject]);
}

#[test]
fn what_is_suggested_passes() {
    let cases = [
        ("a.py", "x = 1  # noqa: E501"),
        ("a.py", "x = 1  # type: ignore[arg-type]"),
        ("a.ts", "// eslint-disable-next-line no-eval"),
        ("a.ts", "// @ts-ignore"),
        ("a.ts", "// biome-ignore lint/x"),
        ("a.css", "/* stylelint-disable x"),
        ("a.go", "f() //nolint:errcheck"),
        ("a.sh", "# shellcheck disable=SC2086"),
        ("a.rb", "f # rubocop:disable Lint/X"),
        ("Dockerfile", "# hadolint ignore=DL3008"),
        ("a.md", "<!-- markdownlint-disable MD013"),
    ];
    for (path, line) in cases {
        let judgement = judged("", PinnedWorld::new(), write(path, &format!("{line}\n")));
        assert_eq!(judgement.merged.stance, Stance::Ask, "{line}");
        let fix = judgement.merged.reasons[0].reason.instead.clone();
        let example = fix.split("(`").nth(1).and_then(|rest| rest.split("`)").next()).unwrap();
        let opener = if path == "a.css" {
            "/* "
        } else if path == "a.md" {
            "<!-- "
        } else if path == "a.ts" {
            "// "
        } else {
            ""
        };
        let merged = judged("", PinnedWorld::new(), write(path, &format!("{opener}{example}\n"))).merged;
        assert_eq!((merged.stance, merged.notices.len()), (Stance::Silent, 1), "{example}");
        assert_eq!(merged.context.text, "", "{example}: no hint, it gave its reason");
    }
    let judgement =
        judged("[guard.gaming]\njustified = \"ask\"\n", PinnedWorld::new(), write("a.py", "x  # noqa\n"));
    assert!(!judgement.merged.reasons[0].reason.instead.contains("same line"), "it would not help");
}

#[test]
fn an_impossible_glob_is_an_error_at_its_place() {
    assert_eq!(
        problems("[guard.gaming]\nexempt = ['gen/**', '{a']\n"),
        [
            "flyball.toml:2:21: invalid glob `{a`: unclosed brace expansion at byte 0; missing '}' (to match a \
          literal '{', escape it as '\\{' or '[{]')"
        ]
    );
}

#[test]
fn the_defaults_are_those_of_the_page() {
    let page = super::super::POLICY.page;
    let settings = serde_json::to_value(Settings::default()).unwrap();
    for (key, value) in settings.as_object().unwrap() {
        if let Some(text) = value.as_str() {
            assert!(page.contains(&format!("\n{key} = \"{text}\"")), "{key} is not {text} on the page");
        }
    }
}

#[test]
fn tests_may_be_deleted_with_the_code_they_test() {
    use Stance::{Ask, Silent};
    let deleted = || ("tests/test_a.py", Change::Delete);
    let asked = "diff --name-only --diff-filter=D --find-renames HEAD";
    let cases = [
        ("alone", edit(vec![deleted()]), "", Ask),
        ("in one call", edit(vec![("src/a.py", Change::Delete), deleted()]), "", Silent),
        ("by a command", shell("rm src/a.py tests/test_a.py"), "", Silent),
        ("after it", edit(vec![deleted()]), "src/b.py\nsrc/a.py\n", Silent),
        ("after something else", edit(vec![deleted()]), "src/b.py\nsrc/ba.py\n", Ask),
        ("with something else", edit(vec![("src/b.py", Change::Delete), deleted()]), "", Ask),
        ("with a test of the same name", edit(vec![("tests/a_test.py", Change::Delete), deleted()]), "", Ask),
        (
            "emptied",
            edit(vec![
                ("src/a.py", Change::Delete),
                ("tests/test_a.py", Change::Write { content: String::new() }),
            ]),
            "",
            Ask,
        ),
    ];
    for (name, event, deleted, expected) in cases {
        let world = world().file("/project/src/a.py", "a = 1\n").file("/project/src/b.py", "b = 1\n");
        assert_eq!(stance(world.git_says(asked, deleted), event), expected, "{name}");
    }
}

#[test]
fn edits_by_commands_count_like_edits_by_tools() {
    use Stance::{Ask, Silent};
    let ci = "jobs:\n  test:\n    steps:\n      - run: pytest\n";
    let world = || {
        world()
            .file("/project/.github/workflows/ci.yml", ci)
            .file("/project/tsconfig.json", "{\"compilerOptions\": {\"strict\": true}}\n")
            .file("/project/package.json", "{\"scripts\": {\"test\": \"jest\"}}\n")
    };
    let cases = [
        ("sed -i 's/def test_a/def _test_a/' tests/test_a.py", Ask),
        ("sed -i 's/def test_a/def test_c/' tests/test_a.py", Silent),
        ("sed -i '1i # ruff: noqa' *.py", Ask),
        ("jq '.compilerOptions.strict = false' tsconfig.json | sponge tsconfig.json", Ask),
        ("jq '.compilerOptions.target = \"es2022\"' tsconfig.json | sponge tsconfig.json", Silent),
        ("sed -i \"s/run: pytest/run: pytest -k 'not slow'/\" .github/workflows/ci.yml", Ask),
        ("sed -i 's/run: pytest/run: pytest -q/' .github/workflows/ci.yml", Silent),
        ("sed -i 's/  test:/  test:\\n    if: false/' .github/workflows/ci.yml", Ask),
        ("git rm -r .github/workflows", Ask),
        ("rm .github/workflows/ci.yml", Ask),
        ("rm -rf .github/ISSUE_TEMPLATE", Silent),
        ("ruff check --add-noqa .", Ask),
        ("npx eslint . --suppress-all", Ask),
        ("uv run ruff check --fix .", Silent),
        ("grep -rn -- --add-noqa docs", Silent),
        ("rubocop --auto-gen-config", Ask),
        ("printf '# type: ignore\\n' | cat - app.py > t && mv t app.py", Ask),
    ];
    for (line, expected) in cases {
        assert_eq!(stance(world(), shell(line)), expected, "{line}");
    }
}

#[test]
fn what_no_longer_runs_in_a_pipeline() {
    use Stance::{Ask, Silent};
    let script = "#!/bin/sh\nnpm run lint\nnpm test\n";
    let world = || world().file("/project/scripts/ci.sh", script);
    let cases = [
        ("exits well", replace("scripts/ci.sh", "npm test\n", "npm test\nexit 0\n"), Ask),
        ("one more check", replace("scripts/ci.sh", "npm test\n", "npm test\nnpm run types\n"), Silent),
        ("nothing is collected", write("tests/conftest.py", "collect_ignore_glob = [\"test_*.py\"]\n"), Ask),
    ];
    for (name, event, expected) in cases {
        assert_eq!(stance(world(), event), expected, "{name}");
    }
}

#[test]
fn a_line_four_times_as_long_takes_about_four_times_as_long() {
    let line = |count: usize| {
        (0..count).fold(String::new(), |mut line, number| {
            writeln!(line, "cp src/module{number}.py build/module{number}.py").unwrap();
            line
        })
    };
    let shortest = |count: usize| -> Duration {
        let text = line(count);
        let take = || {
            let begun = Instant::now();
            assert_eq!(stance(world(), shell(&text)), Stance::Silent);
            begun.elapsed()
        };
        (0..3).map(|_| take()).min().unwrap()
    };
    let (short, long) = (shortest(150), shortest(600));
    // It took sixteen times as long while each file was compared with each word of the line.
    assert!(long < short * 10, "{short:?} for 150 commands, {long:?} for 600");
}
