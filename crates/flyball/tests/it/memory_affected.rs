//! `flyball memory affected`: a branch in a real repository.

#![allow(clippy::allow_attributes, clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

use crate::support::{Project, commit, git};

const RULES: &str = "# App

- Never edit `src/gen/api.ts`.
- Run `npm run lint` before you commit.
- `parseDate()` is UTC only.
- We run Node 18.
- `lodash` is used for lists.
- `moment` is banned.
- See [dates](docs/dates.md).
- `src/keep.ts` stays.
";

/// A branch on which most of what the rules name is gone.
fn branch() -> Project {
    let project = Project::new().with("COLUMNS", "200");
    git(&project, &["init", "--quiet", "--initial-branch", "main"]);
    let package = r#"{"scripts":{"lint":"x"},"dependencies":{"lodash":"^4.0.0","moment":"2.0.0"},"engines":{"node":">=18"}}"#;
    project
        .file("AGENTS.md", RULES)
        .file("src/date.ts", "export function parseDate() {}\n")
        .file("src/gen/api.ts", "export const generated = 1;\nexport const more = 2;\n")
        .file("src/keep.ts", "1\n")
        .file("package.json", package)
        .file("docs/dates.md", "# Dates\n");
    commit(&project);
    git(&project, &["checkout", "--quiet", "-b", "work"]);
    git(&project, &["mv", "src/gen/api.ts", "src/gen/client.ts"]);
    git(&project, &["rm", "--quiet", "docs/dates.md"]);
    project
        .file("src/date.ts", "export function readDate() {}\n")
        .file("src/keep.ts", "2\n")
        .file("package.json", r#"{"scripts":{"check":"x"},"engines":{"node":">=20"}}"#);
    commit(&project);
    // What is not committed counts too.
    for name in ["a", "b", "c"] {
        project.file(&format!("svc/{name}.ts"), "");
    }
    project
}

#[test]
fn rules_about_what_is_gone_are_stale_with_their_word_line_and_fix() {
    let ran = branch().run(&["memory", "affected", "--json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{ran:?}");
    let json = ran.json();
    let stale: Vec<(u64, &str, &str)> = json["stale"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["line"].as_u64().unwrap(), it["word"].as_str().unwrap(), it["what"].as_str().unwrap()))
        .collect();
    assert_eq!(
        stale,
        [
            (3, "src/gen/api.ts", "`src/gen/api.ts` is `src/gen/client.ts` now"),
            (4, "npm run lint", "`lint` is no longer in `package.json`"),
            (5, "parseDate", "`parseDate` is no longer in the code"),
            (6, "node 18", "node is 20 now, not 18"),
            (7, "lodash", "`lodash` is no longer in `package.json`"),
            (9, "docs/dates.md", "`docs/dates.md` is gone"),
        ]
    );
    assert_eq!(json["stale"][0]["suggestion"], "write `src/gen/client.ts`");
    let touched: Vec<u64> =
        json["nodes"][0]["rules"].as_array().unwrap().iter().map(|it| it["line"].as_u64().unwrap()).collect();
    assert_eq!(touched, [3, 4, 5, 6, 7, 8, 9, 10], "a rule about a changed file is touched, too");
    assert_eq!(json["uncovered"], serde_json::json!(["svc"]));
    assert_eq!(json["base"], "main");
}

#[test]
fn a_pull_request_gets_a_comment_and_annotations() {
    let project = branch();
    let ran = project.run(&["memory", "affected", "main", "--format", "github"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.starts_with("### Rules that this change touches\n\n| stale | rule | what to do |\n"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("| `AGENTS.md:9` `docs/dates.md` is gone |"), "{ran:?}");
    assert!(ran.stdout.contains("- `svc/` is new and has no `AGENTS.md` of its own\n"), "{ran:?}");
    let first = "::warning file=AGENTS.md,line=3,title=stale rule::`src/gen/api.ts` is `src/gen/client.ts` now: write";
    assert!(ran.stderr.starts_with(first), "{ran:?}");
    let lines = project.run(&["memory", "affected", "main", "--format", "annotations"]);
    assert!(lines.stdout.starts_with(first) && lines.stderr.is_empty(), "{lines:?}");
}

#[test]
fn what_changes_nothing_a_rule_names_ends_with_0_and_what_cannot_be_compared_with_2() {
    let project = branch();
    commit(&project);
    let ran = project.run(&["memory", "affected", "HEAD"]);
    let expected = "0 changed files since HEAD, 0 rules touched, none is stale\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected, ""));
    let ran = project.run(&["memory", "affected", "nosuch"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("git knows no commit `nosuch`"), "{ran:?}");
    let ran = project.run(&["memory", "affected", "HEAD", "--format", "none"]);
    assert_eq!(ran.status, 2);
}

/// A project with one commit on a branch of this name.
fn on_branch(name: &str) -> Project {
    let project = Project::new().with("COLUMNS", "300");
    git(&project, &["init", "--quiet", "--initial-branch", name]);
    project
        .file("AGENTS.md", "# App\n\n- Use `Decimal` for money, never `float`.\n")
        .file("pkg/AGENTS.md", "# Pkg\n\n- Money is in `api/pay.py`.\n")
        .file("pkg/api/pay.py", "total = 1\nmore = 2\nand_more = 3\n");
    commit(&project);
    project
}

#[test]
fn a_branch_that_was_compared_with_nothing_is_not_called_good() {
    let project = on_branch("stable");
    git(&project, &["checkout", "--quiet", "-b", "work"]);
    git(&project, &["mv", "pkg/api/pay.py", "pkg/api/q.py"]);
    commit(&project);
    let ran = project.run(&["memory", "affected"]);
    assert_eq!(ran.status, 4, "{ran:?}");
    assert!(
        ran.stdout.contains("unchecked compared with nothing but HEAD: the default branch is not known"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("`flyball memory affected REF`"), "{ran:?}");
    let json = project.run(&["memory", "affected", "--json"]).json();
    assert!(json["unchecked"]["fix"].as_str().unwrap().contains("REF"), "{json}");
    let named = project.run(&["memory", "affected", "stable", "--json"]);
    assert_eq!((named.status, &named.json()["unchecked"]), (1, &serde_json::Value::Null));
    // As the rule writes it, from its own folder.
    assert_eq!(named.json()["stale"][0]["suggestion"], "write `api/q.py`");
    // A trunk of a usual name is found without a remote.
    git(&project, &["branch", "--quiet", "--move", "stable", "develop"]);
    assert_eq!(project.run(&["memory", "affected"]).status, 1);
    let trunk = on_branch("main").run(&["memory", "affected"]);
    assert_eq!(trunk.status, 4, "{trunk:?}");
    assert!(trunk.stdout.contains("it has no commit that `main` has not"), "{trunk:?}");
}

#[test]
fn a_shallow_clone_says_that_its_history_is_missing() {
    let origin = on_branch("main");
    origin.file("pkg/api/pay.py", "total = 2\n");
    commit(&origin);
    let clone = Project::new().with("COLUMNS", "300");
    let from = format!("file://{}", origin.root().display());
    git(&clone, &["clone", "--quiet", "--depth", "1", &from, "shallow"]);
    let ran = clone.run_in(&clone.root().join("shallow"), &["memory", "affected", "--format", "github"]);
    assert_eq!(ran.status, 4, "{ran:?}");
    assert!(
        ran.stdout.contains("**Not checked**: compared with nothing but HEAD: this clone is shallow"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("::error title=rules not checked::"), "{ran:?}");
}

#[test]
fn a_diff_that_brings_in_what_a_rule_forbids_touches_the_rule() {
    let project = on_branch("main");
    project.file("pkg/api/pay.py", "total = float(amount)\nmore = 2\nand_more = 3\n");
    let touched = |project: &Project| project.run(&["memory", "affected", "--json"]).json()["nodes"].clone();
    let found = touched(&project);
    assert!(found.to_string().contains(r#""words":["float"]"#), "{found}");
    let other = on_branch("main");
    other.file("docs/float.md", "A float.\n").file("pkg/api/new.py", "x = 1\n");
    assert!(!touched(&other).to_string().contains(r#""words":["float"]"#), "prose, and another name");
    other.file("pkg/api/new.py", "x = float(1)\n");
    assert!(touched(&other).to_string().contains(r#""words":["float"]"#), "what is not committed");
}

/// A branch that was begun with these rule files, with its changes made.
fn scoped(rules: &[(&str, &str)], change: impl FnOnce(&Project)) -> Vec<(String, u64, String, String)> {
    let project = Project::new().with("COLUMNS", "200");
    git(&project, &["init", "--quiet", "--initial-branch", "main"]);
    for name in ["a", "b"] {
        // What is empty is no rename.
        project.file(&format!("web/forms/{name}.ts"), &format!("export const {name} = 1;\n"));
        project.file(&format!("api/{name}.py"), &format!("{name} = 1\n"));
    }
    for (name, paths) in rules {
        let list: String = paths.split(' ').map(|glob| format!("  - \"{glob}\"\n")).collect();
        project.file(name, &format!("---\npaths:\n{list}---\n- Label each field\n"));
    }
    commit(&project);
    git(&project, &["checkout", "--quiet", "-b", "work"]);
    change(&project);
    commit(&project);
    let ran = project.run(&["memory", "affected", "--json"]);
    let json = ran.json();
    let stale = json["stale"].as_array().unwrap();
    assert_eq!(ran.status, i32::from(!stale.is_empty()), "{ran:?}");
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let line = |it: &serde_json::Value| {
        (text(&it["file"]), it["line"].as_u64().unwrap(), text(&it["what"]), text(&it["suggestion"]))
    };
    stale.iter().map(line).collect()
}

#[test]
fn patterns_that_the_diff_leaves_without_a_file_are_stale_with_the_new_pattern() {
    const FORMS: &str = ".claude/rules/forms.md";
    let moves = |from: &'static str, to: &'static str| {
        move |project: &Project| {
            std::fs::create_dir_all(project.root().join(to).parent().unwrap()).unwrap();
            git(project, &["mv", from, to]);
        }
    };
    let stale = |line: u64, glob: &str, why: &str, fix: &str| {
        let what = format!("`{glob}` in its `paths` matches no file any more{why}");
        vec![(FORMS.to_owned(), line, what, fix.to_owned())]
    };
    assert_eq!(
        scoped(&[(FORMS, "api/** web/forms/*.ts")], moves("web", "apps/web")),
        stale(4, "web/forms/*.ts", ": `web` is `apps/web` now", "write `apps/web/forms/*.ts`")
    );
    assert_eq!(
        scoped(&[(FORMS, "web/forms/**")], moves("web/forms", "web/fields")),
        stale(3, "web/forms/**", ": `web/forms` is `web/fields` now", "write `web/fields/**`")
    );
    assert_eq!(
        scoped(&[(FORMS, "**/forms/*")], |project| git(project, &["rm", "--quiet", "-r", "web"])),
        stale(3, "**/forms/*", "", "name the files that it is about now, or remove the rule file")
    );
    // One of them is left, the pattern matches both places, nothing matched before, or the rules are new.
    assert_eq!(scoped(&[(FORMS, "web/**")], moves("web/forms/a.ts", "a.ts")), []);
    assert_eq!(scoped(&[(FORMS, "**/*.ts")], moves("web", "ui")), []);
    assert_eq!(scoped(&[(FORMS, "gone/**")], moves("web", "ui")), []);
    let corrected = |project: &Project| {
        moves("web", "ui")(project);
        project.file(FORMS, "---\npaths: ui/**\n---\n- Label each field\n");
    };
    assert_eq!(scoped(&[(FORMS, "web/**")], corrected), []);
}
