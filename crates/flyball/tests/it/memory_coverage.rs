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
    assert!(text.len() >= 4, "{rules:#?}");
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
