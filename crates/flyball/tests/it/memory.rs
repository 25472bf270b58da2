//! `flyball memory`, by real processes over real files and a real record.

#![allow(clippy::allow_attributes, clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::support::{ProcessResult, Project, git};
use flyball_core::event::SessionId;
use flyball_core::time::Time;
use flyball_knowledge::timestamp;
use flyball_store::Store;
use serde_json::{Value, json};

const ROOT: &str = "# Shop\n\n## Contracts\n\n- Prices are in cents, see `src/money.rs`\n\n## Pitfalls\n\n- The clock \
                    of the runner is wrong, #12\n";
const DATABASE: &str = "# Database\n\n## purpose\n\nStores orders.\n\n## PITFALLS\n\n### Migrations\n\nNever edit one \
                        that was released:\n\n```sh\n## Checks\n```\n";

fn project() -> Project {
    let project = Project::new().with("COLUMNS", "400");
    project.file("AGENTS.md", ROOT).file("src/db/CLAUDE.md", DATABASE);
    project
}

#[track_caller]
fn printed(ran: &ProcessResult, status: i32, expected: &str) {
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.status), (expected, "", status));
}

#[test]
fn the_rules_of_all_covering_files_are_shown_by_file_and_heading_the_root_first() {
    let expected = "\
src/db/not/there.rs is covered by AGENTS.md, src/db/CLAUDE.md

AGENTS.md

## Shop > Contracts
   5  - Prices are in cents, see `src/money.rs`

## Shop > Pitfalls
   9  - The clock of the runner is wrong, #12

src/db/CLAUDE.md

## Database > PITFALLS
   9  ### Migrations
      Never edit one that was released:

      ```sh
      ## Checks
      ```
";
    printed(&project().run(&["memory", "resolve", "src/db/not/there.rs"]), 0, expected);
}

#[test]
fn sections_can_be_chosen_and_shortened() {
    let expected = "\
## Pitfalls
- The clock of the runner is wrong, #12
### Migrations
Never edit one that was released:
```sh
## Checks
```
";
    let project = project();
    printed(
        &project.run(&["memory", "resolve", "src/db", "--sections", "pitfalls", "--compact"]),
        0,
        expected,
    );
    let ran = project.run(&["memory", "resolve", "src/db/x.rs", "--sections", "nonsense"]);
    let expected = "error: unknown section `nonsense`\n help: name a heading of the rule files, or one of Purpose, Entry Points, Contracts, \
                    Pitfalls, Checks, Patterns, Boundaries, Design Rationale, Code Map, Public API, Downlinks, Context\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
    let none = "x.rs is covered by AGENTS.md\n\nThey have none of these sections.\n";
    printed(&project.run(&["memory", "resolve", "x.rs", "--sections", "Checks"]), 0, none);
}

#[test]
fn json_has_the_parts_and_the_reports_that_wait() {
    let project = project();
    project.file(
        ".intent-layer/mistakes/pending/PITFALL-2026-11-14-000001-7.md",
        "## Learning Report\n\n**ID**: PITFALL-2026-11-14-000001-7\n**Type**: pitfall\n**Directory**: src/db\n\
         **Operation**: Edit on orders.rs\n\n### What Went Wrong\n\nAn index was dropped.\n",
    );
    project.file(
        ".intent-layer/mistakes/pending/PITFALL-2026-11-14-000002-7.md",
        "## Learning Report\n\n**Type**: pitfall\n**Directory**: src/dbextra\n**Operation**: Edit on x\n",
    );
    let ran =
        project.run(&["memory", "resolve", "src/db/x.rs", "--sections", "Purpose", "--pending", "--json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let expected = json!({
        "path": "src/db/x.rs",
        "nodes": ["AGENTS.md", "src/db/CLAUDE.md"],
        "sections": [{ "name": "Purpose", "parts": [{ "node": "src/db/CLAUDE.md", "text": "Stores orders." }] }],
        "pending": [{
            "id": "PITFALL-2026-11-14-000001-7",
            "title": ran.json()["pending"][0]["title"],
            "folder": "src/db",
        }],
    });
    assert_eq!(ran.json(), expected);
}

#[test]
fn a_path_that_nothing_covers_is_reported_with_what_to_do() {
    let project = Project::new();
    let expected = "\
Nothing covers src/a.rs: there is no AGENTS.md or CLAUDE.md in its folder or above.
Write one beside the code it is about; `flyball memory validate` checks what it should contain.
";
    printed(&project.run(&["memory", "resolve", "src/a.rs"]), 1, expected);
    let ran = project.run(&["memory", "resolve", "src/a.rs", "--json"]);
    assert_eq!(ran.status, 1);
    assert_eq!(ran.json(), json!({ "path": "src/a.rs", "nodes": [], "sections": [], "pending": [] }));
}

#[test]
fn files_of_rules_are_checked_and_errors_are_in_the_exit_code() {
    let project = project();
    project.file("src/db/CLAUDE.md", &format!("{DATABASE}\nTODO: more, see /home/me/x\n"));
    let expected = "\
AGENTS.md:1: error: the section `## Entry Points` or `## Subsystems` is missing
AGENTS.md:1: error: the section `## Downlinks` is missing
AGENTS.md:1: hint: it could also say something of `## Purpose`, `## Boundaries`, `## Design Rationale`
src/db/CLAUDE.md:1: error: the section `## Entry Points` is missing
src/db/CLAUDE.md:1: error: the section `## Contracts` is missing
src/db/CLAUDE.md:1: hint: it could also say something of `## Code Map`, `## Patterns`, `## Boundaries`, `## Design Rationale`
src/db/CLAUDE.md:7: warning: `PITFALLS` names no evidence: a path in backticks, `Source:`, a link or `#123` lets others check it
src/db/CLAUDE.md:17: warning: `TODO`: finish it or take it out; a model takes it for a rule
src/db/CLAUDE.md:17: warning: a path that begins with `/home/` is that of one machine; write it from the project's root
2 files, 4 errors, 3 warnings
";
    printed(&project.run(&["memory", "validate"]), 1, expected);
    let ran = project.run(&["memory", "validate", "src", "--json"]);
    assert_eq!((ran.status, ran.json()["files"].as_u64()), (1, Some(1)));
    let first = json!({
        "file": "src/db/CLAUDE.md",
        "line": 1,
        "severity": "error",
        "what": "the section `## Entry Points` is missing",
    });
    assert_eq!(ran.json()["findings"][0], first);
}

#[test]
fn good_files_have_nothing_wrong_and_missing_ones_are_no_success() {
    let project = Project::new();
    let good = "# X\n\n## Purpose\n\nx\n\n## Entry Points\n\n- `a.rs`\n\n## Contracts\n\n`a.rs`\n\n## Pitfalls\n\n`a.rs`\n\n\
                ## Code Map\n\nx\n\n## Patterns\n\nx\n\n## Boundaries\n\nx\n\n## Design Rationale\n\nx\n";
    project.file("a/AGENTS.md", good);
    printed(&project.run(&["memory", "validate"]), 0, "1 file, no problems\n");
    let ran = project.run(&["memory", "validate", "b/AGENTS.md"]);
    let expected =
        "error: b/AGENTS.md cannot be read: it is not there, no file, or too long\n help: check the path\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
    let empty = "\
This project has no AGENTS.md or CLAUDE.md yet.
Write one in its root with the rules for everyone, and one beside code that has its own rules.
";
    printed(&Project::new().run(&["memory", "validate"]), 0, empty);
}

/// A file in the manner of the samples that people start from.
const ORDINARY: &str = "\
# Harbour

Harbour books berths for boats.

## Hints

- Use `make add <service>`, never `mkdir`
- The tariffs are in [tariffs](docs/tariffs.md)

## Tests

| Kind | Command |
|------|---------|
| unit | Run `make test` |

See @docs/more.md, @docs/gone.md and @../outside.md.
";

#[test]
fn an_ordinary_file_is_resolved_with_what_it_imports() {
    let project = Project::new().with("COLUMNS", "400");
    project.file("AGENTS.md", ORDINARY).file("docs/more.md", "- Never mock the clock\n");
    let expected = "\
src/a.go is covered by AGENTS.md, docs/more.md

AGENTS.md

## Harbour > Hints
   7  - Use `make add <service>`, never `mkdir`
   8  - The tariffs are in [tariffs](docs/tariffs.md)

## Harbour > Tests
      | Kind | Command |
      |------|---------|
  14  | unit | Run `make test` |

docs/more.md

   1  - Never mock the clock
";
    printed(&project.run(&["memory", "resolve", "src/a.go"]), 0, expected);
    let compact = "\
## Harbour > Hints
- Use `make add <service>`, never `mkdir`
- The tariffs are in [tariffs](docs/tariffs.md)
## Harbour > Tests
| Kind | Command |
|------|---------|
| unit | Run `make test` |
- Never mock the clock
";
    printed(&project.run(&["memory", "resolve", "src/a.go", "--compact"]), 0, compact);
    let json = project.run(&["memory", "resolve", "src/a.go", "--json"]).json();
    let row = json!({
        "node": "AGENTS.md",
        "line": 14,
        "topic": "Rules",
        "headings": ["Harbour", "Tests"],
        "title": "",
        "lead": "| Kind | Command |\n|------|---------|",
        "text": "| unit | Run `make test` |",
        "general": false,
    });
    assert_eq!(
        (json["nodes"].clone(), json["rules"][2].clone()),
        (json!(["AGENTS.md", "docs/more.md"]), row)
    );
}

#[test]
fn doctor_says_how_many_rules_a_file_yields_and_why_none() {
    let project = Project::new().with("COLUMNS", "400");
    project.file("AGENTS.md", ORDINARY).file("docs/more.md", "- Never mock the clock\n");
    project.file("a/CLAUDE.md", "# A\n\nThis is a service.\n");
    project.file("b/CLAUDE.md", "@../none/x.md\n");
    project.file("c/CLAUDE.md", "");
    project.file("d/CLAUDE.md", &"- Use tabs\n".repeat(30_000));
    project.file(".claude/rules/web.md", "---\npaths: \"web/**\"\n---\n- Label each field\n");
    let ran = project.run(&["doctor"]);
    let lines: Vec<&str> = ran.stdout.lines().map(str::trim).filter(|line| line.contains(".md")).collect();
    let text = lines.join("\n");
    for expected in [
        "AGENTS.md: 3 rules, 1 in what it imports (docs/more.md)",
        "AGENTS.md:16: the import `docs/gone.md` leads nowhere",
        "AGENTS.md:16: the import `../outside.md.` leads out of the repository: it is not read",
        ".claude/rules/web.md: 1 rule, about web/** only",
        "a/CLAUDE.md: no rules: nothing in it says what to do, what to leave or what to know",
        "b/CLAUDE.md: no rules: it only imports files that are not read",
        "c/CLAUDE.md: no rules: it is empty",
        "d/CLAUDE.md: no rules: it is too large to be read (322 KB, at most 256)",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn a_rule_that_says_the_opposite_of_another_is_reported() {
    let project = Project::new().with("COLUMNS", "400");
    std::process::Command::new("git").args(["init", "--quiet"]).current_dir(project.root()).status().unwrap();
    project.file(
        "AGENTS.md",
        "# App\n\n- Always use default exports for page components\n- Never mock the database in integration tests\n\
         - Log with the request id\n",
    );
    project.file(
        "web/AGENTS.md",
        "# Web\n\n- Never use default exports for page components\n- Mock the clock in integration tests\n\
         - Never log the request body\n",
    );
    let contradictions = |ran: &ProcessResult| -> Vec<String> {
        let lines = ran.stdout.lines().filter(|line| line.contains("contradict"));
        lines.map(str::to_owned).collect()
    };
    let expected = "web/AGENTS.md:3: warning: it may contradict AGENTS.md:3: \"Always use default exports for page components\"";
    let ran = project.run(&["memory", "validate"]);
    assert_eq!(contradictions(&ran), [expected], "{ran:?}");
    // In one file too; the later rule is reported.
    project.file("web/AGENTS.md", "# Web\n\n- Log with the request id\n");
    project.file(
        "AGENTS.md",
        "# App\n\n- Commit generated clients to the repository\n- Do not commit generated clients to the repository\n",
    );
    let expected =
        "AGENTS.md:4: warning: it may contradict AGENTS.md:3: \"Commit generated clients to the repository\"";
    assert_eq!(contradictions(&project.run(&["memory", "validate"])), [expected]);
    // Neither when one of them is gone.
    project.file("AGENTS.md", "# App\n\n- Do not commit generated clients to the repository\n");
    assert_eq!(contradictions(&project.run(&["memory", "validate"])), Vec::<String>::new());
}

#[test]
fn an_ordinary_file_is_judged_by_what_helps() {
    let project = Project::new().with("COLUMNS", "400");
    let git =
        std::process::Command::new("git").args(["init", "--quiet"]).current_dir(project.root()).status();
    assert!(git.unwrap().success());
    project.file(".gitignore", "/src/made\n");
    let text = "# Harbour\n\n## Style\n\n- Format with `scripts/format.sh` before you commit a change\n- Money is in `src/money.rs`\n\
                - See [the guide](docs/guide.md#part) and [the site](https://example.org)\n- @docs/gone.md\n\
                - Write clean code\n";
    project.file("AGENTS.md", text).file("src/money.rs", "");
    project.file(
        "src/AGENTS.md",
        "- Format with `scripts/format.sh` before you commit any change\n- Read `made/index.js`\n- Lint \
                  with `make lint`\n- Test with `make test`\n",
    );
    project.file(".claude/rules/web.md", "---\npaths: web/**\n---\n- Label each field\n");
    let expected = "\
AGENTS.md:1: hint: 4 rules, about 55 tokens
AGENTS.md:5: warning: `scripts/format.sh` is not in the project: correct the path, or take the line out
AGENTS.md:7: error: the link to `docs/guide.md#part` leads nowhere
AGENTS.md:8: error: the import `docs/gone.md` leads nowhere
AGENTS.md:9: warning: `write clean code` is true everywhere: say what is special here, or take it out
.claude/rules/web.md:1: hint: 1 rule, about 11 tokens
.claude/rules/web.md:1: warning: its `paths` match no file of the project: it is never shown
src/AGENTS.md:1: hint: 4 rules, about 34 tokens
src/AGENTS.md:1: warning: `scripts/format.sh` is not in the project: correct the path, or take the line out
src/AGENTS.md:1: warning: it says the same as AGENTS.md:5: keep one of them
3 files, 2 errors, 5 warnings
";
    printed(&project.run(&["memory", "validate"]), 1, expected);
    let plain = Project::new();
    plain.file("AGENTS.md", "# A\n\nThis is a service.\n");
    let expected = "\
AGENTS.md:1: warning: no rules: say what to do, what never to do, or what one has to know, below any heading
1 file, 0 errors, 1 warning
";
    printed(&plain.run(&["memory", "validate"]), 0, expected);
}

#[test]
fn a_linked_rule_file_is_judged_and_packages_are_no_imports() {
    let project = Project::new().with("COLUMNS", "300");
    let git =
        std::process::Command::new("git").args(["init", "--quiet"]).current_dir(project.root()).status();
    assert!(git.unwrap().success());
    let text = "# A\n\n## Style\n\n- Types come from @types/node and @acme/core.\n- Ask @jane before a release.\n- @./gone\n";
    project.file("docs/a.md", text);
    std::os::unix::fs::symlink("docs/a.md", project.root().join("AGENTS.md")).unwrap();
    let expected = "\
AGENTS.md:1: hint: 2 rules, about 26 tokens
AGENTS.md:7: error: the import `./gone` leads nowhere
1 file, 1 error, 0 warnings
";
    printed(&project.run(&["memory", "validate"]), 1, expected);
}

#[test]
fn patterns_of_rule_files_that_match_nothing_are_found() {
    let project = Project::new().with("COLUMNS", "400");
    git(&project, &["init", "--quiet"]);
    project.file(".gitignore", "/dist\n").file("web/a.ts", "").file("lib/a.ts", "");
    let rules = |paths: &str| format!("---\npaths:\n{paths}---\n- Label each field\n");
    project
        .file(".claude/rules/good.md", &rules("  - web/**\n  - \"lib/*.{js,ts}\"\n  - lib\n"))
        .file(".claude/rules/made.md", &rules("  - dist/**/*.js\n"))
        .file(".claude/rules/part.md", &rules("  - web/**\n  - forms/**\n"))
        .file(".claude/rules/gone.md", &rules("  - forms/**\n  - web/*.vue\n"))
        .file("lib/.claude/rules/own.md", &rules("  - \"*.ts\"\n  - lib/*.ts\n"));
    let problems = |ran: &ProcessResult| -> Vec<String> {
        let lines = ran.stdout.lines().map(str::trim).filter(|line| line.contains("`paths`"));
        lines.map(str::to_owned).collect()
    };
    let one = |file: &str, line: u32, glob: &str| {
        format!(
            "{file}:{line}: warning: `{glob}` in its `paths` matches no file of the project: correct the pattern, or take it out"
        )
    };
    assert_eq!(
        problems(&project.run(&["memory", "validate"])),
        [
            ".claude/rules/gone.md:1: warning: its `paths` match no file of the project: it is never shown"
                .to_owned(),
            one(".claude/rules/part.md", 4, "forms/**"),
            one("lib/.claude/rules/own.md", 4, "lib/*.ts"),
        ]
    );
    let found = problems(&project.run(&["doctor"])).join("\n");
    for (file, line, glob) in [
        (".claude/rules/gone.md", 3, "forms/**"),
        (".claude/rules/gone.md", 4, "web/*.vue"),
        (".claude/rules/part.md", 4, "forms/**"),
        ("lib/.claude/rules/own.md", 4, "lib/*.ts"),
    ] {
        let expected = format!("{file}:{line}: `{glob}` in its `paths` matches no file of the project");
        assert!(found.contains(&expected), "{expected} is not in\n{found}");
    }
    assert_eq!(found.lines().count(), 4, "{found}");
}

#[test]
fn many_rules_of_one_shape_are_compared_in_time() {
    let project = Project::new();
    let rules: String = (0..400)
        .map(|at| format!("- The handler of `topic_{at}` must call `check_{at}()` before it writes.\n"))
        .collect();
    project.file("AGENTS.md", &format!("# A\n\n## Rules of handlers\n\n{rules}"));
    let ran = project.run(&["memory", "validate"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(!ran.stdout.contains("says the same"), "{ran:?}");
}

#[test]
fn a_rule_file_is_resolved_for_its_folder_and_any_heading_can_be_named() {
    let project = Project::new();
    project.file("AGENTS.md", "# A\n\n## House style\n\n- Use tabs.\n");
    let ran = project.run(&["memory", "resolve", "AGENTS.md"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(
        ran.stdout.contains("AGENTS.md is a rule file; for the files in its folder count AGENTS.md"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("- Use tabs."), "{ran:?}");
    let one = project.run(&["memory", "resolve", "a.py", "--sections", "House style"]);
    assert!(one.stdout.contains("- Use tabs."), "{one:?}");
    let none = project.run(&["memory", "resolve", "a.py", "--sections", "nonsense"]);
    assert_eq!(none.status, 2, "{none:?}");
    assert!(none.stderr.contains("name a heading of the rule files"), "{none:?}");
}

const DAY: u64 = 86_400_000;

fn now() -> u64 {
    u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

/// Puts an event into the record, as a hook does.
fn record(project: &Project, at: u64, policy: &str, evidence: &[(&str, &str)]) {
    let evidence: Vec<Value> =
        evidence.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    let tool = if evidence[0]["value"] == "failure" { "Bash" } else { "Write" };
    let number: u64 = crate::support::unique().trim_start_matches("toolu_").parse().unwrap();
    let fields = json!({
        "id": format!("{:08}", 10_000_000 + number), "at": at * 1_000, "client": "claude-code", "session": "s1",
        "project": project.root(), "kind": "after_tool", "native": "PostToolUse", "tool": "edit", "call": number,
        "stance": "silent", "micros": 1, "payload": json!({ "tool_name": tool }).to_string(),
        "rulings": [
            { "policy": "guard.self", "mode": "enforce", "stance": "silent", "micros": 1 },
            { "policy": policy, "mode": "enforce", "stance": "silent", "evidence": evidence, "micros": 1 },
        ],
    });
    let journal =
        Store::at(&project.state()).session("claude-code", &SessionId::new("s1"), Duration::from_secs(5));
    journal.commit(&mut serde_json::from_value(fields).unwrap()).unwrap();
}

/// Two days of work.
fn worked(project: &Project) -> (u64, u64) {
    // Far from midnight, so that no day ends in between.
    let today = now() / DAY * DAY;
    let yesterday = today - DAY / 2;
    let injected =
        [("file", "src/db/a.rs"), ("node", "AGENTS.md,src/db/CLAUDE.md"), ("sections", "Checks,Pitfalls")];
    record(project, yesterday, "memory.context", &injected);
    let context = "memory.context";
    let well = |at, file, node| {
        record(project, at, context, &[("outcome", "success"), ("file", file), ("node", node)])
    };
    let failed = |at, file| record(project, at, "memory.failures", &[("outcome", "failure"), ("file", file)]);
    well(yesterday + 1_000, "src/db/a.rs", "AGENTS.md,src/db/CLAUDE.md");
    well(yesterday + 600_000, "src/db/a.rs", "AGENTS.md,src/db/CLAUDE.md");
    failed(yesterday + 700_000, "src/db/b.rs");
    well(yesterday + 800_000, "web/x.ts", "AGENTS.md");
    failed(today, "web/x.ts");
    failed(today + 1, "web/y.ts");
    record(project, today + 2, "memory.failures", &[("outcome", "failure")]);
    (yesterday, today)
}

#[test]
fn figures_join_injected_rules_with_outcomes() {
    let project = project();
    let (yesterday, today) = worked(&project);
    let expected = format!(
        "\
The last 30 days
  rules added       1
  edits with rules  6  50 % succeeded
  edits without     1  0 % succeeded

Rules
  added  succeeded  failed  rate  file
      1          3       3  50 %  AGENTS.md
      1          2       1  66 %  src/db/CLAUDE.md

Failures in folders without their own rules
  failed  folder  files
       2  web     web/x.ts, web/y.ts
  Agents get the rules of an AGENTS.md in such a folder before the next edit there.

Edits per day
  {}  ██████████████████░░░░░░  4, 1 failed
  {}  ░░░░░░░░░░░░░░░░░░        3, 3 failed
",
        timestamp::date(Time::from_millis(yesterday)),
        timestamp::date(Time::from_millis(today))
    );
    printed(&project.run(&["memory", "stats"]), 0, &expected);
    let json = project.run(&["memory", "stats", "--days", "20", "--json"]).json();
    let expected = json!({
        "days": 20,
        "injections": 1,
        "successes": 3,
        "failures": 4,
        "told": { "successes": 3, "failures": 3 },
        "untold": { "successes": 0, "failures": 1 },
        "nodes": [
            { "node": "AGENTS.md", "injections": 1, "successes": 3, "failures": 3 },
            { "node": "src/db/CLAUDE.md", "injections": 1, "successes": 2, "failures": 1 },
        ],
        "uncovered": [{ "folder": "web", "failures": 2, "files": ["web/x.ts", "web/y.ts"] }],
        "trend": [
            { "day": timestamp::date(Time::from_millis(yesterday)), "injections": 1, "successes": 3, "failures": 1 },
            { "day": timestamp::date(Time::from_millis(today)), "injections": 0, "successes": 0, "failures": 3 },
        ],
    });
    assert_eq!(json, expected);
}

#[test]
fn both_logs_are_exported_in_the_form_other_tools_read() {
    let project = project();
    let (yesterday, today) = worked(&project);
    let root = project.root().display().to_string();
    let injections = format!(
        "{}\t{root}/src/db/a.rs\t{root}/src/db/CLAUDE.md\tPitfalls,Checks\n",
        timestamp::iso_seconds(Time::from_millis(yesterday))
    );
    printed(&project.run(&["memory", "export", "injections"]), 0, &injections);
    let at = |millis| timestamp::iso_seconds(Time::from_millis(millis));
    let outcomes = format!(
        "{}\tWrite\tsuccess\t{root}/src/db/a.rs\n{}\tWrite\tsuccess\t{root}/src/db/a.rs\n\
         {}\tBash\tfailure\t{root}/src/db/b.rs\n{}\tWrite\tsuccess\t{root}/web/x.ts\n\
         {}\tBash\tfailure\t{root}/web/x.ts\n{}\tBash\tfailure\t{root}/web/y.ts\n{}\tBash\tfailure\tunknown\n",
        at(yesterday + 1_000),
        at(yesterday + 600_000),
        at(yesterday + 700_000),
        at(yesterday + 800_000),
        at(today),
        at(today + 1),
        at(today + 2),
    );
    printed(&project.run(&["memory", "export", "outcomes"]), 0, &outcomes);
    printed(&Project::new().run(&["memory", "export", "outcomes"]), 0, "");
}

#[test]
fn an_empty_record_says_what_to_do() {
    let off = "\
Nothing was recorded in the last 7 days.
The memory pack is off here: `flyball init --packs memory` turns it on.
";
    let project = project();
    printed(&project.run(&["memory", "stats", "--days", "7"]), 0, off);
    project.config("[memory.context]\nmode = \"enforce\"\n");
    let on = "\
Nothing was recorded in the last 7 days.
The next edits of an agent are counted; `flyball memory resolve PATH` shows the rules it will get.
";
    printed(&project.run(&["memory", "stats", "--days", "7"]), 0, on);
}

#[test]
fn what_hooks_record_is_counted() {
    let project = project();
    project
        .config("[quality]\nmode = \"off\"\n[memory.context]\nmode = \"enforce\"\n")
        .file("src/db/a.rs", "fn a() {}\n");
    let path = project.root().join("src/db/a.rs");
    let input = json!({ "file_path": path, "old_string": "a", "new_string": "b" });
    let call = json!({ "tool_name": "Edit", "tool_input": input, "tool_use_id": crate::support::unique() });
    let injected = project.hook("PreToolUse", call.clone());
    assert!(injected.stdout.contains("Never edit one that was released"), "{injected:?}");
    let mut done = call;
    done["tool_response"] = json!({ "filePath": path, "oldString": "a", "newString": "b" });
    project.hook("PostToolUse", done);
    let stats = project.run(&["memory", "stats", "--json"]).json();
    assert_eq!(
        (&stats["injections"], &stats["told"]),
        (&json!(1), &json!({ "successes": 1, "failures": 0 }))
    );
    let outcomes = project.run(&["memory", "export", "outcomes"]).stdout;
    let fields: Vec<&str> = outcomes.trim_end().split('\t').skip(1).collect();
    assert_eq!(fields, ["Edit", "success", &path.display().to_string()]);
}

#[test]
fn the_bare_command_shows_what_there_is_and_what_to_type_next() {
    let project = project();
    worked(&project);
    let next = "
flyball memory resolve PATH  the rules for a file
flyball memory validate      problems in the rule files
flyball memory stats         how well the rules help
flyball learn                reports to review
";
    let expected = format!(
        "\
Rules    2 rule files (AGENTS.md, CLAUDE.md)
Reports  off: `flyball init --packs memory` turns them on
Outcome  42 % of 7 edits in the last 7 days succeeded; 50 % of those made with rules
{next}"
    );
    printed(&project.run(&["memory"]), 0, &expected);
    let bare = Project::new();
    bare.file(".intent-layer/mistakes/pending/PITFALL-1.md", "## Learning Report\n");
    let expected = format!(
        "\
Rules    no AGENTS.md or CLAUDE.md yet: write one beside the code it is about
Reports  1 pending, 0 accepted and not yet in a rule file
Outcome  no edits recorded in the last 7 days
{next}"
    );
    printed(&bare.run(&["memory"]), 0, &expected);
}

#[test]
fn reports_can_be_indexed_in_parallel_without_output() {
    let project = project();
    printed(&project.run(&["memory", "index"]), 0, "");
    for number in 0..40 {
        let name = format!(".intent-layer/mistakes/pending/PITFALL-2026-11-14-{number:06}-7.md");
        project.file(
            &name,
            "## Learning Report\n\n**Type**: pitfall\n**Directory**: src\n**Operation**: Edit on x\n",
        );
    }
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| printed(&project.run(&["memory", "index"]), 0, ""));
        }
    });
    printed(&project.run(&["memory", "index"]), 0, "");
}
