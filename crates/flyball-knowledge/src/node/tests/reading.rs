//! What an ordinary file of instructions yields: what a reader has to do, to leave or to know, and nothing else.

use super::*;

fn found(text: &str) -> Vec<Rule> {
    rules(&Node::new(AbsolutePath::from_root("/p/AGENTS.md"), text))
}

/// The rules of a text: the line, the words that each belongs to, and its own.
fn read(text: &str) -> Vec<String> {
    let line = |rule: Rule| {
        let lead = if rule.lead.is_empty() { String::new() } else { format!("[{}] ", rule.lead) };
        format!("{} {lead}{}", rule.line, rule.text)
    };
    found(text).into_iter().map(line).collect()
}

/// A file in the manner of the samples that people start from.
const SAMPLE: &str = "\
# Harbour

[![build](https://example.org/badge.svg)](https://example.org)

Harbour is a service that books berths for boats. It is written in TypeScript.

## Hints for the workspace
- Start with `make where <service>` to find a folder; listing all of `services` is slow.
- Run `make add <service>` so that the linter and the editor see the new folder.
- The real name of a service is in its `service.toml`; the folder may have another one.

## How tests are run
- The pipeline is in the .ci/steps folder.
- Each change is tested with `make test` before it is handed in.
- To look at one case, add its name: `make test CASE=\"<name>\"`.
- Mend what is red until the whole run is green.
- After moving files, run `make lint` again.

## Handing in
- Title: [<service>] <what changes>

## Project structure

- `services/berths` - the bookings
- `services/tariffs` - the prices
- `services/shared` - shared code; never import a service from here

```
services/
├── berths
└── tariffs
```

## Licence

MIT, see [LICENSE](LICENSE).
";

#[test]
fn an_ordinary_file_yields_its_instructions_and_not_its_description() {
    let lines: Vec<usize> = found(SAMPLE).iter().map(|rule| rule.line).collect();
    assert_eq!(lines, [8, 9, 10, 13, 14, 15, 16, 17, 20, 26]);
    let first = found(SAMPLE).swap_remove(0);
    assert_eq!(first.headings, ["Harbour", "Hints for the workspace"]);
    assert_eq!((first.topic, first.title.as_str()), (Topic::Rules, ""));
}

#[test]
fn rules_are_recognised_without_any_form() {
    let cases: [(&str, &str, &[&str]); 18] = [
        (
            "only items",
            "- Use pnpm\n- Never edit generated files\n",
            &["1 - Use pnpm", "2 - Never edit generated files"],
        ),
        ("only prose", "Tests live next to the code.\n", &["1 Tests live next to the code."]),
        ("a fact", "`parseDate` is UTC only.\n", &["1 `parseDate` is UTC only."]),
        ("an order", "Run `x` before y.\n", &["1 Run `x` before y."]),
        ("a duty", "All endpoints must check their input.\n", &["1 All endpoints must check their input."]),
        (
            "a condition",
            "If a column is new, add a migration.\n",
            &["1 If a column is new, add a migration."],
        ),
        ("a description", "Harbour is written in Go and runs on Linux.\n", &[]),
        ("about all of a kind", "Every page has a title.\n", &["1 Every page has a title."]),
        (
            "about some of a kind",
            "A page that moves gets a redirect.\n",
            &["1 A page that moves gets a redirect."],
        ),
        (
            "in a description",
            "## Architecture\n\nThe `core` has no imports.\n",
            &["3 The `core` has no imports."],
        ),
        ("below a name", "# Components\n\n- Styles use the tokens\n", &["3 - Styles use the tokens"]),
        ("about itself", "This file gives guidance to agents.\n", &[]),
        ("an underlined heading", "Style\n-----\n\nTwo spaces.\n", &["4 Two spaces."]),
        ("a first level", "# Testing\n\n- Fake the clock\n", &["3 - Fake the clock"]),
        (
            "numbers and boxes",
            "## Before a release\n\n1. Tag it\n2. [ ] Tell support\n",
            &["3 1. Tag it", "4 2. [ ] Tell support"],
        ),
        ("a comment", "<!-- Never show this -->\n- Use tabs\n", &["2 - Use tabs"]),
        ("front matter", "---\nname: never\n---\n- Use tabs\n", &["4 - Use tabs"]),
        ("tags", "<rules>\n- Use tabs\n- Never squash\n</rules>\n", &["2 - Use tabs", "3 - Never squash"]),
    ];
    for (name, text, expected) in cases {
        assert_eq!(read(text), expected, "{name}");
    }
}

#[test]
fn statements_about_a_kind_of_thing_are_rules() {
    let cases = [
        ("One page answers one question.", true),
        ("Styles use the tokens of `tokens.css`.", true),
        ("Public names are never removed.", true),
        ("Amounts are integers in cents.", true),
        ("Error messages begin with what failed.", true),
        ("The build is fast. Handlers return a result.", true),
        ("One class per file.", true),
        ("## Architecture\n\nOne module owns one table.", true),
        ("Harbour drains queues. One binary, several subcommands.", false),
        ("One day the store is gone.", false),
        // One thing, the past, a caption, a story, a question of taste.
        ("The services use Postgres.", false),
        ("Harbour uses Postgres and Redis.", false),
        ("One of the services is written in Go.", false),
        ("This uses the tokens of the theme.", false),
        ("Versions before 2 used another format.", false),
        ("Components use:", false),
        ("Thanks for your help.", false),
        ("Most users have one account.", false),
        ("Business as usual is what we have.", false),
        // How things are is told as such.
        ("## Architecture\n\nServices are written in Go.", false),
        ("## Architecture\n\n- Services are written in Go", false),
    ];
    for (text, expected) in cases {
        assert_eq!(!read(&format!("{text}\n")).is_empty(), expected, "{text}");
    }
}

#[test]
fn other_languages_have_rules_too() {
    let cases = [
        ("Verwende nie `any`, außer in Tests.", true),
        ("Utilisez toujours pnpm.", true),
        ("Nunca edites los archivos generados.", true),
        ("请使用 pnpm，不要使用 npm。", true),
        ("必ずテストを実行してください。", true),
        ("Die Anwendung ist in Go geschrieben.", false),
    ];
    for (text, expected) in cases {
        assert_eq!(!read(text).is_empty(), expected, "{text}");
    }
}

#[test]
fn a_line_of_bold_text_is_a_heading() {
    let rules = found("## Code\n\n**Errors**\n\n- Wrap them\n\n**Logs:**\n\nNever log a password.\n");
    let paths: Vec<(Vec<String>, String)> =
        rules.into_iter().map(|rule| (rule.headings, rule.text)).collect();
    let path = |label: &str| vec!["Code".to_owned(), label.to_owned()];
    let expected =
        [(path("Errors"), "- Wrap them".to_owned()), (path("Logs"), "Never log a password.".to_owned())];
    assert_eq!(paths, expected);
}

#[test]
fn a_nested_item_keeps_the_words_that_it_belongs_to() {
    let long = "with as many words as it takes to make an item too long to be one rule together with all the others, \
                which a reader of one of them does not need, now or later";
    let text = format!(
        "## Modules\n\nIn the folder `core`:\n\n- Keep modules small:\n  - Split one of 500 lines {long}\n  - Move \
         tests along {long}\n    and nothing else\n- Name them after what they do\n"
    );
    let expected = [
        format!("6 [In the folder `core`:\nKeep modules small:] - Split one of 500 lines {long}"),
        format!(
            "7 [In the folder `core`:\nKeep modules small:] - Move tests along {long}\n  and nothing else"
        ),
        "9 [In the folder `core`:] - Name them after what they do".to_owned(),
    ];
    assert_eq!(read(&text), expected);
    let small = "## Modules\n\n- Keep them small:\n  - Split\n  - Move tests along\n";
    assert_eq!(read(small), ["3 - Keep them small:\n  - Split\n  - Move tests along"]);
}

#[test]
fn a_row_is_a_rule_with_its_header() {
    let text =
        "## Conventions\n\nBy kind:\n\n| Kind | Name |\n|---|---|\n| Hook | `useX` |\n| Type | `XProps` |\n";
    let header = "By kind:\n\n| Kind | Name |\n|---|---|";
    assert_eq!(
        read(text),
        [format!("7 [{header}] | Hook | `useX` |"), format!("8 [{header}] | Type | `XProps` |")]
    );
    let listing = "## Layout\n\n| Folder | What |\n|---|---|\n| `src` | the code |\n";
    assert_eq!(read(listing), Vec::<String>::new());
}

#[test]
fn code_belongs_to_the_words_before_it() {
    let text = "## Commands\n\n```bash\nmake test\n```\n\n## Style\n\nReturn early:\n\n```ts\nif (!x) return;\n```\n\n## Tree\n\n\
                ```\n├── a\n```\n";
    let expected = ["3 ```bash\nmake test\n```", "9 Return early:\n\n```ts\nif (!x) return;\n```"];
    assert_eq!(read(text), expected);
}

#[test]
fn what_was_learned_is_read_without_its_source() {
    let text = "## Pitfalls\n\n### No pip\n\nUse uv.\n\n_PITFALL-2026-01-31-0912-ab.md_\n\n## Checks\n\n- [ ] Look\n\n\
                _Source: learn.sh | added: 2026-01-31_\n";
    assert_eq!(read(text), ["3 Use uv.", "11 - [ ] Look"]);
}

#[test]
fn contracts_come_first() {
    let rules = found("## Contracts\n\n- Ids never change\n");
    assert_eq!((rules.len(), rules.first().map(|rule| rule.topic)), (1, Some(Topic::Contracts)));
    assert!(Topic::Contracts < Topic::Checks);
}

#[test]
fn a_rule_is_general_if_it_names_nothing() {
    let cases = [
        ("- Use pnpm", true),
        ("- Never push to `main`", true),
        ("- Run the tests before you commit", true),
        ("- `parseDate` is UTC only", false),
        ("- Never edit src/api/client.ts", false),
        ("- Endpoints must check their input", false),
    ];
    for (text, expected) in cases {
        assert_eq!(found(text).first().map(|rule| rule.is_general()), Some(expected), "{text}");
    }
}

#[test]
fn a_node_imports_files_of_its_repository_only() {
    let place = Place::new("repo", &["outside/secret.md", "repo/docs/deep/b.md", "repo/docs/loop.md"]);
    place.git("repo", &["init", "-q"]);
    place.write("repo/AGENTS.md", "- Never shout\n");
    place.write(
        "repo/CLAUDE.md",
        "@AGENTS.md\n- see @docs/a.md.\n- @docs/gone.md\n- @../outside/secret.md\n- `@docs/code.md`\n- @package.json\n",
    );
    place.write("repo/docs/a.md", "@deep/b.md @loop.md\n");
    place.write("repo/docs/loop.md", "@a.md @loop.md @../CLAUDE.md\n");
    for file in ["repo/docs/code.md", "repo/package.json"] {
        place.write(file, "- Never read this\n");
    }
    let all =
        ["repo/AGENTS.md", "repo/CLAUDE.md", "repo/docs/a.md", "repo/docs/deep/b.md", "repo/docs/loop.md"];
    assert_eq!(place.covering("repo/src/a.ts"), all);
    let nodes = covering(&place.machine(), &place.path("repo/src/a.ts").to_string_lossy()).unwrap();
    let state = |written: &str| {
        let found = imports(&place.machine(), &nodes[1]).into_iter();
        found.filter(|import| import.written == written).map(|import| import.state).next()
    };
    assert_eq!(state("docs/gone.md"), Some(ImportState::Missing));
    assert_eq!(state("../outside/secret.md"), Some(ImportState::Outside));
    assert_eq!(state("package.json"), Some(ImportState::NoText));
    assert_eq!(state("docs/code.md"), None);
}

#[test]
fn imports_end_after_four_steps() {
    let place = Place::new("repo", &[]);
    for number in 0..8 {
        place.write(&format!("repo/{number}.md"), &format!("@{}.md\n", number + 1));
    }
    place.write("repo/CLAUDE.md", "@0.md\n");
    assert_eq!(
        place.covering("repo/a.ts"),
        ["CLAUDE.md", "0.md", "1.md", "2.md", "3.md"].map(|it| format!("repo/{it}"))
    );
}

#[test]
fn every_file_that_clients_read_is_found() {
    let place = Place::new(
        "repo",
        &[
            "repo/AGENTS.md",
            "repo/AGENTS.override.md",
            "repo/.claude/CLAUDE.md",
            "repo/CLAUDE.local.md",
            "repo/.claude/rules/style.md",
            "repo/.claude/rules/web/forms.md",
            "repo/.claude/rules/notes.txt",
            "repo/src/CLAUDE.md",
        ],
    );
    place.write(
        "repo/.claude/rules/web/forms.md",
        "---\npaths:\n  - \"src/**/*.tsx\"\n---\n- Label each field\n",
    );
    let shared = [
        "repo/AGENTS.override.md",
        "repo/.claude/CLAUDE.md",
        "repo/.claude/rules/style.md",
        "repo/CLAUDE.local.md",
        "repo/src/CLAUDE.md",
    ];
    assert_eq!(place.covering("repo/src/a.ts"), shared);
    let mut with_forms = shared.map(str::to_owned).to_vec();
    with_forms.insert(3, "repo/.claude/rules/web/forms.md".to_owned());
    assert_eq!(place.covering("repo/src/deep/a.tsx"), with_forms);
    assert_eq!(place.covering("repo/src/"), shared, "a folder");
    let nodes = covering(&place.machine(), &place.path("repo/a.ts").to_string_lossy()).unwrap();
    assert_eq!(nearest(&nodes).map(|node| node.path.clone()), nodes.first().map(|node| node.path.clone()));
    place.write("repo/AGENTS.override.md", "\n");
    assert_eq!(place.covering("repo/src/a.ts")[0], "repo/AGENTS.md", "an empty file replaces nothing");
}

#[test]
fn two_names_of_one_file_are_one_node() {
    let place = Place::new("repo", &["repo/AGENTS.md"]);
    symlink("AGENTS.md", place.path("repo/CLAUDE.md")).unwrap();
    assert_eq!(place.covering("repo/a.ts"), ["repo/AGENTS.md"]);
}

#[test]
fn folders_of_rules_are_bounded() {
    let place = Place::new("repo", &[]);
    for number in 0..300 {
        place.write(&format!("repo/.claude/rules/{number:03}.md"), "- Use tabs\n");
    }
    assert_eq!(place.covering("repo/a.ts").len(), 64);
}

proptest! {
    #[test]
    fn any_text_is_read_and_lines_are_in_it(text in crate::markdown::tests::pages()) {
        let lines = text.lines().count();
        for rule in found(&text) {
            prop_assert!((1..=lines).contains(&rule.line), "{rule:?}");
            prop_assert!(!rule.text.trim().is_empty() || !rule.title.is_empty());
        }
    }
}

#[test]
fn imports_and_labels_are_no_part_of_a_rule() {
    let text = "# A\n\n## Rules\n\n- Never use `eval`.\n@more.md\n\n<details>\n<summary>Never mind: more</summary>\n\n- \
                Never use `with`.\n\n</details>\n<details><summary>Always more</summary>\n";
    assert_eq!(read(text), ["5 - Never use `eval`.", "11 - Never use `with`."]);
    assert_eq!(read("## Style\n\n- Ask @jane first.\n"), ["3 - Ask @jane first."]);
}
