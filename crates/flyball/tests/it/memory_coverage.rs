//! `flyball memory coverage`: rules in prose, judged by the real engine.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what fails here fails the test")]

use crate::support::Project;
use serde_json::Value;

const RULES: &str = "# App

- Use `uv`, never `pip`.
- Never run `git push --force`.
- Do not edit files in `src/gen/`; they are generated.
- Never run `terraform destroy`.
- Ask before running `make deploy`.
- Run `make test` before you commit.
- Names are in English.
- `parseDate` returns UTC.
- Do not run `cargo test` directly. Use `just test` instead.
- Never use `drizzle-kit push` in production.
";

fn covered(project: &Project) -> Vec<(u64, String, Vec<String>)> {
    let json = project.run(&["memory", "coverage", "--json"]).json();
    let rules = json["rules"].as_array().unwrap();
    let of = |rule: &Value| {
        let drafts = rule["drafts"].as_array().unwrap().iter();
        let drafts = drafts.map(|draft| draft["toml"].as_str().unwrap().to_owned()).collect();
        (rule["line"].as_u64().unwrap(), rule["state"].as_str().unwrap().to_owned(), drafts)
    };
    rules.iter().map(of).collect()
}

fn project() -> Project {
    let project = Project::new().with("COLUMNS", "200");
    project.file("AGENTS.md", RULES).file("uv.lock", "").file("pyproject.toml", "[project]\nname = 'a'\n");
    project
}

#[test]
fn rules_are_tried_and_sorted_by_who_enforces_them() {
    let found = covered(&project());
    let states: Vec<(u64, &str)> = found.iter().map(|(line, state, _)| (*line, state.as_str())).collect();
    assert_eq!(
        states,
        [
            (3, "enforced"),
            (4, "enforced"),
            (5, "possible"),
            (6, "enforced"),
            (7, "possible"),
            (8, "possible"),
            (9, "reader"),
            (10, "reader"),
            (11, "possible"),
            (12, "possible"),
        ]
    );
}

#[test]
fn drafted_rules_pass_their_cases_and_enforce_what_they_were_drafted_for() {
    let project = project();
    let found = covered(&project);
    let rules: Vec<&String> = found.iter().flat_map(|(_, _, drafts)| drafts).collect();
    let text =
        rules.iter().filter(|toml| toml.starts_with("[[rule]]")).map(|it| it.as_str()).collect::<Vec<_>>();
    assert!(text.len() >= 3, "{rules:#?}");
    assert!(
        rules.iter().any(|toml| toml.starts_with("[guard.protected]\npaths = [\"src/gen\"]\n")),
        "{rules:#?}"
    );
    // A rule is never stricter than its sentence.
    assert!(
        text.iter().any(|toml| toml.contains("drizzle-kit") && toml.contains("action = \"ask\"")),
        "{text:#?}"
    );
    assert!(
        text.iter().any(|toml| toml.contains("\"cargo\"") && toml.contains("Use `just test` instead")),
        "{text:#?}"
    );
    let mut config = rules.iter().map(|it| it.as_str()).collect::<Vec<_>>().join("\n");
    config = config.replace("[quality]\nmode = \"enforce\"\n", "");
    project.config(&config);
    let tested = project.run(&["test"]);
    assert_eq!(tested.status, 0, "{tested:?}");
    let after = covered(&project);
    let open: Vec<&(u64, String, Vec<String>)> =
        after.iter().filter(|(_, state, _)| state == "possible").collect();
    assert!(open.is_empty(), "{open:#?}");
}

#[test]
fn the_table_has_places_policies_and_a_summary() {
    let ran = project().run(&["memory", "coverage"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{ran:?}");
    assert!(
        ran.stdout.contains("AGENTS.md:3")
            && ran.stdout.contains("guard.packages: deny `pip install requests`"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.ends_with("3 enforced, 5 could be, 2 only by readers\n"), "{}", ran.stdout);
    let unknown = project().run(&["memory", "coverage", "nosuch.md"]);
    assert_eq!(unknown.status, 2);
    let none = Project::new().run(&["memory", "coverage"]);
    assert_eq!(none.stdout, "This project has no AGENTS.md or CLAUDE.md yet.\n");
}

const ORDINARY: &str = "# Repository Guidelines

## Project Structure & Module Organization

- `src/` has the application code, `tests/` the tests.
- The API client is in `src/client/`. Do not edit it by hand; run `make client` instead.
- Do not touch generated/ (it is rebuilt by the release job).
- `db/structure.sql` must not be edited manually.
- Never edit the lockfile by hand.
- Leave the files in the vendor directory alone.
- **Never** modify files matching `**/*.pb.py`.
- Ask before changing `infra/`.
- Migrations in `db/migrations/` should never be changed once they are merged.

## Coding Style

- Names of functions are verbs.
";

fn ordinary() -> Project {
    let project = Project::new().with("COLUMNS", "200");
    project.file("AGENTS.md", ORDINARY).file("uv.lock", "").file("pyproject.toml", "[project]\nname = 'a'\n");
    project.file("generated/a.py", "").file("vendor/b.py", "").file("src/app.py", "x = 1\n");
    project
}

#[test]
fn sentences_that_protect_a_path_are_drafted_as_protected_paths() {
    let found = covered(&ordinary());
    // The line, its state, what is protected, and whether there is a rule too, which leaves programs alone.
    let expected = [
        (6, "possible", Some("src/client"), true),
        (7, "possible", Some("generated"), true),
        (8, "possible", Some("db/structure.sql"), true),
        (9, "possible", Some("uv.lock"), true),
        (10, "possible", Some("vendor"), false),
        (11, "possible", Some("**/*.pb.py"), false),
        (12, "possible", None, true),
        (13, "possible", None, true),
    ];
    for (line, state, path, has_rule) in expected {
        let (_, found_state, drafts) = found.iter().find(|(at, ..)| *at == line).unwrap();
        assert_eq!(found_state, state, "{line}: {drafts:#?}");
        let protected = drafts.iter().find(|toml| toml.starts_with("[guard.protected]"));
        let head =
            path.map(|path| format!("[guard.protected]\npaths = [\"{path}\"]\n# Tried: denies `edit "));
        assert_eq!(protected.is_some(), head.is_some(), "{line}: {drafts:#?}");
        assert!(head.is_none_or(|head| protected.unwrap().starts_with(&head)), "{line}: {drafts:#?}");
        let rules: Vec<&String> = drafts.iter().filter(|toml| toml.starts_with("[[rule]]")).collect();
        assert_eq!(!rules.is_empty(), has_rule, "{line}: {drafts:#?}");
        if line >= 12 {
            assert!(rules[0].contains("action = \"ask\""), "{line}: {drafts:#?}");
        }
    }
    // With the drafts in force, all of it is enforced, in shells too.
    let project = ordinary();
    project.config(
        "[guard.protected]\npaths = [\"src/client\", \"generated\", \"db/structure.sql\", \"uv.lock\", \"vendor\", \"**/*.pb.py\"]\n",
    );
    for (line, state, _) in covered(&project).iter().filter(|(line, ..)| (6..=11).contains(line)) {
        assert_eq!(state, "enforced", "{line}");
    }
}

/// The states of these rules with this config.
fn states(project: &Project, rules: &str, config: &str) -> Vec<(String, Vec<String>)> {
    project.file("AGENTS.md", &format!("# App\n\n{rules}"));
    project.config(config);
    covered(project).into_iter().map(|(_, state, drafts)| (state, drafts)).collect()
}

#[test]
fn a_command_before_the_end_is_enforced_if_a_stop_is_blocked_for_it() {
    let project = Project::new().with("COLUMNS", "200");
    project.file("src/app.py", "x = 1\n").file("docs/a.md", "");
    let rule = "- Run `make test` before you commit.\n";
    let state = |config: &str| states(&project, rule, config)[0].clone();
    let on = "[loop.feedback]\nmode = \"enforce\"\n";
    assert_eq!(state(""), ("possible".to_owned(), vec![format!("{on}test_command = \"make test\"\n")]));
    assert_eq!(state(&format!("{on}test_command = \"make test\"\n")).0, "enforced");
    assert_eq!(state("[loop.feedback]\nmode = \"observe\"\ntest_command = \"make test\"\n").0, "possible");
    let phase = "[[loop.feedback.phase]]\nname = \"tests\"\nrun = ";
    let domain = |paths: &str| format!("[[loop.feedback.domain]]\nname = \"app\"\npaths = [\"{paths}\"]\n");
    assert_eq!(state(&format!("{on}{phase}\"cd . && make test\"\n{}", domain("src/**"))).0, "enforced");
    // Another command, and a loop for files that the project does not have.
    let (other, drafts) = state(&format!("{on}{phase}\"make test-docs\"\n{}", domain("src/**")));
    assert_eq!(
        (other.as_str(), drafts[0].as_str()),
        ("possible", "[[loop.feedback.phase]]\nname = \"make-test\"\nrun = \"make test\"\n")
    );
    assert_eq!(state(&format!("{on}{phase}\"make test\"\n{}", domain("lib/**"))).0, "reader");
}

#[test]
fn a_formatter_is_enforced_if_it_acts_on_a_file_of_the_project() {
    let project = Project::new().with("COLUMNS", "200");
    project.file("src/app.py", "x = 1\n");
    let rule = "- Format Python code with `ruff format`.\n";
    let (state, drafts) = states(&project, rule, "")[0].clone();
    assert_eq!(state, "possible", "the project did not choose it");
    assert!(drafts.iter().all(|toml| toml.contains("enabled = true")), "{drafts:#?}");
    assert_eq!(states(&project, rule, &drafts[0])[0].0, "enforced");
    // A word in a manifest chooses nothing.
    project.file("pyproject.toml", "[project]\nname = 'a'\ndescription = 'not ruff'\n");
    assert_eq!(states(&project, rule, "")[0].0, "possible");
    project.file("pyproject.toml", "[tool.ruff]\nline-length = 100\n");
    assert_eq!(states(&project, rule, "")[0].0, "enforced");
    let (state, drafts) = states(&project, rule, "[quality]\nmode = \"off\"\n")[0].clone();
    assert_eq!((state.as_str(), drafts), ("possible", vec!["[quality]\nmode = \"enforce\"\n".to_owned()]));
    // No file of the project is for it.
    let rule = "- Format Go code with `gofmt`.\n";
    assert_eq!(states(&project, rule, "")[0].0, "reader");
}

#[test]
fn what_a_sentence_demands_or_allows_is_never_drafted_as_forbidden() {
    let project = Project::new().with("COLUMNS", "200");
    let rules = "- Never skip `make lint`.\n\
                 - There is no need to run `make build`.\n\
                 - This is an explicit exception to the never use `make test` rule.\n\
                 - Use **bun run pr::comments** to read the comments.\n\
                 - Always push branches to `origin`. Never push directly to `upstream`.\n\
                 - Run tests with `bun bd test`. Never use `bun test` directly.\n";
    let found = states(&project, rules, "");
    let drafts_of = |at: usize| &found[at].1;
    for at in 0..4 {
        assert!(drafts_of(at).iter().all(|toml| !toml.contains("[[rule]]")), "{at}: {found:#?}");
        assert_ne!(found[at].0, "enforced", "{at}: {found:#?}");
    }
    project.config(&[drafts_of(4).join("\n"), drafts_of(5).join("\n")].join("\n"));
    let is_denied =
        |line: &str| project.run(&["try", "--json", line]).stdout.contains("\"decision\":\"deny\"");
    for line in ["git push origin topic", "bun bd test x", "git push"] {
        assert!(!is_denied(line), "{line}: {found:#?}");
    }
    for line in ["git push upstream", "bun test x"] {
        assert!(is_denied(line), "{line}: {found:#?}");
    }
}
