//! Sentences that claim a file and sentences that do not, and how incomplete answers are handled.

use std::sync::Arc;

use flyball_core::engine::Registry;
use flyball_core::event::Event;
use flyball_core::path::AbsolutePath;
use flyball_core::verdict::Stance;

use super::claims::claimed;
use super::*;
use crate::testing::{InMemory, PinnedWorld, Surroundings, event, judged_in, sections};

static ALONE: Registry = &[&POLICY];

/// Answers, and the files that they claim, separated by spaces.
const CLAIMS: &[(&str, &str)] = &[
    ("Created: docs/plan.md", "docs/plan.md"),
    ("Created: `docs/plan.md`", "docs/plan.md"),
    ("- Created: `docs/plan.md` (120 lines)", "docs/plan.md"),
    ("**Created:** `docs/plan.md`", "docs/plan.md"),
    ("✅ Created: docs/plan.md", "docs/plan.md"),
    ("File: src/auth/login.ts", "src/auth/login.ts"),
    ("**File**: `src/auth/login.ts`", "src/auth/login.ts"),
    ("Saved to: /project/out/report.md", "/project/out/report.md"),
    ("Report: `reports/2024/audit.md`", "reports/2024/audit.md"),
    ("Wrote docs/plan.md", "docs/plan.md"),
    ("Wrote docs/plan.md.", "docs/plan.md"),
    ("Saved the report to docs/report.md", "docs/report.md"),
    ("I created `src/a.rs`.", "src/a.rs"),
    ("I've created `src/a.rs` and `src/b.rs`.", "src/a.rs src/b.rs"),
    (
        "I have also added `tests/a_test.go`, `tests/b_test.go` and `tests/c_test.go`.",
        "tests/a_test.go tests/b_test.go tests/c_test.go",
    ),
    ("Created the new file `src/a.rs`.", "src/a.rs"),
    ("All tests pass. I wrote the report to `docs/report.md`.", "docs/report.md"),
    ("The report has been saved to `docs/report.md`.", "docs/report.md"),
    ("The findings were written to `docs/findings.md`.", "docs/findings.md"),
    ("Created `Cargo.toml` with the workspace.", "Cargo.toml"),
    ("- Added `web/app.tsx`: the component", "web/app.tsx"),
    ("1. Created `api/main.go`", "api/main.go"),
    ("I wrote `src/a.rs:12`.", "src/a.rs"),
    ("I wrote `src/a.rs:12-20` today.", "src/a.rs"),
    ("Created `src/if.rs`", "src/if.rs"),
    ("We created `docs/ÄÖ.md`.", "docs/ÄÖ.md"),
    ("## Files written\n- src/a.rs\n- `src/b.rs`: the parser", "src/a.rs src/b.rs"),
    ("### Files changed (2)\n* src/a.rs - parser\n* [x] src/b.rs", "src/a.rs src/b.rs"),
    ("**Files created:**\n1. `docs/a.md`\n2. `docs/b.md`", "docs/a.md docs/b.md"),
    ("Files changed:\n- src/a.rs\n\n## Notes\n- see lib/x.rs", "src/a.rs"),
    ("## New files\n- **src/a.rs**", "src/a.rs"),
    ("Created `a.rs`, `a.rs`", "a.rs"),
    ("Then created `./scripts/run.sh`", "./scripts/run.sh"),
];

const HARMLESS: &[&str] = &[
    "",
    "All done.",
    "I read `src/a.rs` and `src/b.rs`.",
    "The bug is in `src/a.rs:12`.",
    "I would create `docs/plan.md`.",
    "You should have created `docs/plan.md`.",
    "I have not created `docs/plan.md`.",
    "I didn't write `docs/plan.md` because it was denied.",
    "I could not save the report to `docs/report.md`.",
    "Created `src/**/*.rs`",
    "Created `path/to/file.md`",
    "Created: path/to/your/file.md",
    "Created: <name>.md",
    "I created `https://example.com/a.html`.",
    "Created: https://example.com/report.pdf",
    "I created the endpoint `/api/users`.",
    "I added `/api/v1/data.json` endpoint.",
    "I added `serde.workspace` to the manifest.",
    "I added `config.timeout` and `self.name`.",
    "Added `Next.js` and `Node.js` support.",
    "I created a branch `feature/x.md`.",
    "I wrote a function that reads `config/x.toml`.",
    "I wrote tests that use `fixtures/none.json`.",
    "The script wrote `out/result.json`.",
    "Logs are written to `logs/app.log.txt`.",
    "Results are saved to `out.json` at run time.",
    "The server created `tmp/lock.json` when it started.",
    "I created `tmp/a.json` and removed it again.",
    "I temporarily created `tmp/a.json` as a temporary file.",
    "I created and then deleted `scratch.py`.",
    "If you run it, `out/a.csv` is created.",
    "Created 3/4 of the tests.",
    "Added v1.2.3 and 2.0.",
    "Added: support for `a.b`",
    "File: the one you named",
    "File: src/none.rs (missing)",
    "File: `src/none.rs` does not exist",
    "Created: nothing",
    "Report: all 12 tests pass",
    "## Files to change\n- src/none.rs",
    "## Files reviewed\n- src/none.rs",
    "## Files changed\n- `old.rs` (deleted)\n- a.rs → b.rs\n- none",
    "## Files changed\n- see the list above",
    "## Files\n- `src/none.rs` has the bug",
    "Created `config.json` in the container at /app.",
    "Added `serde.rs` support.",
    "```\nCreated: docs/none.md\n```",
    "```\n## Files changed\n- docs/none.md\n```",
    "Next step: wrote `docs/none.md`? No.",
    "The plan says that whoever created `docs/none.md` owns it.",
    "I added `x` to `src/none.rs` as proposed.",
    "I added @scope/pkg.js",
    "I created `$HOME/none.md`.",
    "I created `{name}.md`.",
    "Recommended: created `docs/none.md`",
    "It was added in `CHANGELOG` and/or elsewhere.",
    "I ran `cargo test` and wrote nothing to `a.md`.",
];

#[test]
fn sentences_claim_what_they_say_and_nothing_else() {
    let wrong: Vec<String> = CLAIMS
        .iter()
        .map(|(text, files)| (*text, (*files).to_owned(), claimed(text).join(" ")))
        .filter(|(_, expected, found)| expected != found)
        .map(|(text, expected, found)| format!("{text:?}: {expected:?}, not {found:?}"))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
    let accused: Vec<(&str, Vec<String>)> =
        HARMLESS.iter().map(|text| (*text, claimed(text))).filter(|(_, files)| !files.is_empty()).collect();
    assert_eq!(accused, vec![]);
    assert!(CLAIMS.len() + HARMLESS.len() >= 60 && HARMLESS.len() >= CLAIMS.len());
}

struct Session {
    memory: Arc<InMemory>,
    config: String,
}

impl Session {
    fn new(more: &str) -> Session {
        Session { memory: Arc::default(), config: format!("[loop.completion]\nmode = \"enforce\"\n{more}") }
    }

    /// The decision when an agent stops, its reason, and the notices for the user.
    fn stop(&self, (id, role): (&str, &str), again: bool, answer: &str) -> (Stance, String, Vec<String>) {
        let world = PinnedWorld::new().file("/project/docs/there.md", "x").file("/project/api/src/a.go", "x");
        let stopping = Stopping { again, last_message: answer.to_owned(), ..Stopping::default() };
        let agent = Some(Agent { id: id.to_owned(), role: role.to_owned() });
        let cwd = AbsolutePath::from_root("/project/api/src");
        let happened = Event { agent, cwd, ..event(EventData::AgentStop { stopping, transcript: None }) };
        let merged = judged_in(
            ALONE,
            &sections(&self.config),
            happened,
            Surroundings { world, memory: Arc::clone(&self.memory) },
        )
        .merged;
        let reason = merged.reasons.first().map(|denial| denial.reason.what.clone()).unwrap_or_default();
        (merged.stance, reason, merged.notices)
    }
}

const CODER: (&str, &str) = ("a1", "coder");

#[test]
fn missing_parts_are_asked_for_once_and_then_reported() {
    let session = Session::new("");
    let what = "it is incomplete (it claims to have written `docs/none.md`, which does not exist)";
    let claim = "I created `docs/none.md` and `docs/there.md`.";
    assert_eq!(session.stop(CODER, false, claim), (Stance::Deny, what.to_owned(), vec![]));
    let notice = "`coder` stopped with an incomplete answer: it claims to have written `docs/none.md`, which does not exist";
    let notified = (Stance::Silent, String::new(), vec![notice.to_owned()]);
    assert_eq!(session.stop(CODER, true, claim), notified);
    assert_eq!(session.stop(CODER, true, claim), (Stance::Silent, String::new(), vec![]), "and only once");
    assert_eq!(session.stop(("a2", "coder"), false, claim).0, Stance::Deny, "another agent");
    assert_eq!(
        session.stop(("a2", "coder"), false, claim),
        notified,
        "also if the client does not say that it was blocked"
    );
    let blocked_by_another = ("a3", "coder");
    assert_eq!(
        session.stop(blocked_by_another, true, claim).0,
        Stance::Deny,
        "it was not asked for this yet"
    );
    assert_eq!(session.stop(blocked_by_another, true, claim), notified);
}

#[test]
fn everything_that_is_missing_is_named_at_once() {
    let roles = "\n[[loop.completion.role]]\nagents = [\"coder\"]\nheadings = [\"## Summary\", \"## Risks\"]\nmarkers = [\"A\", \"B\"]\n\
                 [[loop.completion.role]]\nagents = [\"cod*\"]\nheadings = [\"## Risks\"]\nmarkers = [\"C\"]\n";
    let session = Session::new(roles);
    let what = "it is incomplete (it has no heading `## Risks`; it has no line with one of `A`, `B`; it has no \
                line `C`; it claims to have written `x/a.md`, `x/b.md`, which do not exist)";
    let answer = "# Summary\nA B\nAC\nCreated `x/a.md` and `x/b.md`";
    assert_eq!(session.stop(CODER, false, answer).1, what);
}

#[test]
fn an_answer_is_more_than_dots() {
    let nothing = ["", " \n\t", "…", "...", "…\n\n", "(no content)", "No response requested.", "--- ***"];
    for (number, answer) in nothing.into_iter().enumerate() {
        let session = Session::new("");
        let what = "it is incomplete (it gave no answer)".to_owned();
        let id = number.to_string();
        assert_eq!(session.stop((&id, "coder"), false, answer), (Stance::Deny, what, vec![]), "{answer:?}");
    }
    for answer in ["ok", "Done.", "42", "готово", "完成"] {
        assert_eq!(Session::new("").stop(CODER, false, answer).0, Stance::Silent, "{answer}");
    }
}

#[test]
fn headings_and_markers_are_found_however_they_are_decorated() {
    let roles =
        "[[loop.completion.role]]\nagents = [\"coder\"]\nheadings = [\"## Summary\"]\nmarkers = [\"DONE\"]\n";
    let complete = [
        "## Summary\nx\nDONE",
        "# summary:\nx\n**DONE**",
        "**Summary**\nx\n`DONE`",
        "### Summary ###\n\n```\nDONE\n```",
        "\r\n## Summary\r\nDONE\r\n",
    ];
    for answer in complete {
        assert_eq!(Session::new(roles).stop(CODER, false, answer).1, "", "{answer:?}");
    }
    let lacking = [
        "Summary\nDONE",
        "## Summary of it\nDONE",
        "## Summary\nnot DONE",
        "## Summary\nDONE.",
        "## Summary\ndone",
        "I cannot say DONE below ## Summary",
    ];
    for answer in lacking {
        assert_eq!(Session::new(roles).stop(CODER, false, answer).0, Stance::Deny, "{answer:?}");
    }
}

#[test]
fn a_file_is_looked_for_wherever_it_can_be_meant() {
    for there in [
        "docs/there.md",
        "a.go",
        "src/a.go",
        "api/src/a.go",
        "/project/docs/there.md",
        "../../docs/there.md",
        "./a.go",
    ] {
        let answer = format!("Created: {there}");
        assert_eq!(Session::new("").stop(CODER, false, &answer).1, "", "{there}");
    }
    for nowhere in ["there.md", "docs/a.go", "/docs/there.md"] {
        let answer = format!("Created: {nowhere}");
        assert_eq!(Session::new("").stop(CODER, false, &answer).0, Stance::Deny, "{nowhere}");
    }
    assert_eq!(Session::new("files = false\n").stop(CODER, false, "Created: docs/a.go").0, Stance::Silent);
}

#[test]
fn worktrees_and_git_are_searched_before_a_file_counts_as_missing() {
    let claims = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let event = event(EventData::AgentStart);
    let question = "ls-files --cached --others -z -- :(glob)**/deep.md :(glob)**/x/none.md";
    let trees = "worktree /project\nHEAD 1\n\nworktree /trees/a b\nHEAD 2\n";
    let world = PinnedWorld::new()
        .file("/trees/a b/docs/w.md", "x")
        .git_says("worktree list --porcelain", trees)
        .git_says(question, "docs/very/deep.md\0other/xx/none.md\0");
    let asked = claims(&["docs/w.md", "/project/docs/w.md", "deep.md", "x/none.md", "/elsewhere/a.md"]);
    assert_eq!(search::missing_everywhere(asked, &event, &world), ["/elsewhere/a.md", "x/none.md"]);
    let without_git =
        search::missing_everywhere(claims(&["deep.md", "/elsewhere/a.md"]), &event, &PinnedWorld::new());
    assert_eq!(without_git, ["/elsewhere/a.md"], "a claim that cannot be checked is accepted");
}

#[test]
fn agents_of_the_client_and_skipped_ones_are_not_checked() {
    let session = Session::new("skip_agents = [\"look*\"]\n");
    for role in ["", "lookup", "plugin:lookup"] {
        assert_eq!(session.stop(("a1", role), false, "").0, Stance::Silent, "{role}");
    }
    assert_eq!(session.stop(("a1", "Explore"), false, "").0, Stance::Deny);
}

#[test]
fn defect_31_roles_and_answers_are_only_text() {
    let session = Session::new("");
    let role = "say \"hi\"\\n{}";
    let answer = "I created `docs/none.md`. \"}{\\";
    assert_eq!(session.stop(("a\"1", role), false, answer).0, Stance::Deny);
    let notice = format!(
        "`{role}` stopped with an incomplete answer: it claims to have written `docs/none.md`, which does not exist"
    );
    assert_eq!(session.stop(("a\"1", role), true, answer).2, [notice]);
}

#[test]
fn many_agents_do_not_fill_the_memory() {
    let mut state = State::default();
    (0..2_000).for_each(|number| state.set(&number.to_string(), Stage::Asked));
    assert_eq!(
        (state.agents.len(), state.stage("1999"), state.stage("0")),
        (MOST_AGENTS, Some(Stage::Asked), None)
    );
}
