//! What the user is asked about, and how often.

use flyball_core::event::{Change, Event, EventData, FileEdit, Outcome, Tool, ToolCall};
use flyball_core::verdict::Stance;

use crate::test_project::TestProject;
use crate::testing::{event, shell, write};

const ON: &str = "[memory.instructions]\nmode = \"enforce\"\n";
const RULES: &str =
    "# App\n\n## Pitfalls\n\n- Never push to main.\n- Dates are in UTC.\n\n## Checks\n\n- Run `make test`.\n";

fn stage(settings: &str) -> TestProject {
    let stage = TestProject::new(settings);
    stage.write("AGENTS.md", RULES);
    stage
}

fn replace(path: &str, old: &str, new: &str) -> ToolCall {
    let change = Change::Replace { old: old.to_owned(), new: new.to_owned(), all: false };
    let tool = Tool::Edit(vec![FileEdit { path: path.to_owned(), change }]);
    ToolCall { id: None, name: "Edit".to_owned(), tool, input: "{}".to_owned() }
}

fn before(call: ToolCall) -> Event {
    event(EventData::BeforeTool(call))
}

fn done(call: ToolCall) -> Event {
    event(EventData::AfterTool { call, outcome: Outcome::default() })
}

fn judged(stage: &TestProject, event: Event) -> (Stance, String) {
    let merged = stage.judge_event(event).merged;
    let reasons: Vec<String> = merged.reasons.iter().map(|it| it.reason.text()).collect();
    (merged.stance, reasons.join("\n"))
}

#[test]
fn the_question_names_what_is_removed() {
    let stage = stage(ON);
    let path = stage.path("AGENTS.md");
    let question = |call| judged(&stage, before(call)).1;
    assert_eq!(
        question(replace(&path, "- Never push to main.\n- Dates are in UTC.\n", "")),
        "Agree only if `AGENTS.md` is to say so: in `AGENTS.md` this removes 2 rules: \"Never push to main.\", \
         \"Dates are in UTC.\". It steers all later sessions"
    );
    let added = question(replace(&path, "- Dates", "- Names are in English.\n- Dates"));
    assert!(added.contains("this adds 1 rule to `AGENTS.md`"), "{added}");
    let turned = question(replace(&path, "Never push to main.", "Always push to main."));
    assert!(turned.contains("removes 1 rule: \"Never push to main.\", and adds 1"), "{turned}");
    let formatted = question(replace(&path, "- Never push to main.", "* **Never** push to main."));
    assert!(formatted.contains("this changes `AGENTS.md`"), "{formatted}");
    let (stance, deleted) = judged(&stage, shell("git rm -q AGENTS.md"));
    assert_eq!(stance, Stance::Ask);
    assert!(deleted.contains("this deletes `AGENTS.md` and removes 3 rules"), "{deleted}");
    let (_, computed) = judged(&stage, shell("sed -i '/Never/d' AGENTS.md"));
    assert!(computed.contains("removes 1 rule: \"Never push to main.\""), "{computed}");
}

#[test]
fn a_file_is_asked_about_once_unless_a_rule_goes() {
    let stage = stage(ON);
    let path = stage.path("AGENTS.md");
    let add = || replace(&path, "- Dates", "- Names are in English.\n- Dates");
    let stance = |event| judged(&stage, event).0;
    assert_eq!(stance(before(add())), Stance::Ask);
    // Nobody agreed yet.
    assert_eq!(stance(before(add())), Stance::Ask);
    stage.judge_event(done(add()));
    assert_eq!(stance(before(add())), Stance::Silent);
    assert_eq!(stance(shell("echo '- More.' >> AGENTS.md")), Stance::Silent);
    assert_eq!(stance(before(replace(&path, "- Never push to main.\n", ""))), Stance::Ask);
    assert_eq!(stance(write(&stage.path("src/AGENTS.md"), "# New\n")), Stance::Ask, "another file");
}

#[test]
fn every_route_to_a_rule_file_is_asked_about() {
    let stage = stage(ON);
    stage.write("src/api/AGENTS.md", RULES);
    stage.write("docs/x.md", "");
    for (line, expected) in [
        ("echo x > AGENTS.md", Stance::Ask),
        ("mv src/api/AGENTS.md /tmp/", Stance::Ask),
        ("rm -r src/api", Stance::Ask),
        ("rm src/api/*.md", Stance::Ask),
        ("mkdir -p src/new && printf '# New' | tee src/new/CLAUDE.md", Stance::Ask),
        ("mkdir -p .claude/rules && cp docs/x.md .claude/rules/x.md", Stance::Ask),
        ("python3 -c \"open('AGENTS.md','a').write('x')\"", Stance::Ask),
        ("cd src/api && git mv AGENTS.md OLD.md", Stance::Ask),
        ("wc -l AGENTS.md && head AGENTS.md", Stance::Silent),
        ("git add AGENTS.md && git commit -m 'AGENTS.md: more'", Stance::Silent),
        ("git diff AGENTS.md", Stance::Silent),
        ("rm docs/x.md", Stance::Silent),
        ("chmod 644 AGENTS.md", Stance::Silent),
    ] {
        assert_eq!(judged(&stage, shell(line)).0, expected, "{line}");
    }
}

#[test]
fn whatever_is_read_as_rules_is_asked_about() {
    let stage = TestProject::new(ON);
    stage.write("docs/source.md", RULES);
    std::os::unix::fs::symlink("docs/source.md", stage.root().join("AGENTS.md")).unwrap();
    stage.write("CLAUDE.md", "# App\n\n@docs/rules.md\n");
    stage.write("docs/rules.md", RULES);
    stage.write("docs/other.md", RULES);
    let stance = |path: &str| judged(&stage, write(&stage.path(path), "# New\n"));
    assert_eq!(stance("docs/source.md").0, Stance::Ask);
    assert_eq!(stance("docs/rules.md").0, Stance::Ask);
    let (personal, reason) = stance("CLAUDE.local.md");
    assert_eq!(personal, Stance::Ask, "{reason}");
    assert_eq!(stance("docs/other.md").0, Stance::Silent);
    assert_eq!(judged(&stage, shell("sed -i '/Never/d' docs/rules.md")).0, Stance::Ask);
    let add = || replace(&stage.path("docs/rules.md"), "- Dates", "- Names are in English.\n- Dates");
    assert_eq!(judged(&stage, before(add())).0, Stance::Ask);
    stage.judge_event(done(add()));
    assert_eq!(judged(&stage, before(add())).0, Stance::Silent, "the user agreed");
}

#[test]
fn a_file_that_is_too_long_to_be_read_is_not_taken_for_a_new_one() {
    let stage = stage(ON);
    stage.write("AGENTS.md", &format!("{RULES}{}", "More.\n".repeat(100_000)));
    let (stance, reason) = judged(&stage, write(&stage.path("AGENTS.md"), "# New\n"));
    assert_eq!(stance, Stance::Ask);
    assert!(reason.contains("this may change `AGENTS.md`, the project's rules for agents"), "{reason}");
    let (stance, reason) = judged(&stage, shell("rm AGENTS.md"));
    assert_eq!(stance, Stance::Ask);
    assert!(reason.contains("this deletes `AGENTS.md`"), "{reason}");
    let (_, reason) = judged(&stage, write(&stage.path("CLAUDE.local.md"), "# New\n"));
    assert!(reason.contains("this creates `CLAUDE.local.md`"), "{reason}");
    stage.write("CLAUDE.local.md", RULES);
    let (_, reason) =
        judged(&stage, shell("touch -r AGENTS.md CLAUDE.local.md; echo '<!-- x -->' >> CLAUDE.local.md"));
    assert!(reason.contains("this changes `CLAUDE.local.md`, the user's own rules for agents"), "{reason}");
}

#[test]
fn a_file_that_is_moved_away_takes_its_rules_along() {
    let stage = stage(ON);
    stage.write("docs/x.md", "");
    let (stance, reason) = judged(&stage, shell("git mv AGENTS.md docs/"));
    assert_eq!(stance, Stance::Ask);
    assert!(reason.contains("removes 3 rules"), "{reason}");
}

#[test]
fn it_can_be_allowed_and_denied() {
    let call = |stage: &TestProject| before(replace(&stage.path("AGENTS.md"), "- Dates", "- More\n- Dates"));
    let allowed = stage(&format!("{ON}edits = \"allow\"\n"));
    assert_eq!(judged(&allowed, call(&allowed)).0, Stance::Silent);
    let denied = stage(&format!("{ON}edits = \"deny\"\n"));
    let (stance, reason) = judged(&denied, call(&denied));
    assert_eq!(stance, Stance::Deny);
    assert!(reason.starts_with("Propose the rule with `flyball learn add"), "{reason}");
    stage("").judge_event(shell("ls"));
    let off = stage("");
    assert_eq!(judged(&off, call(&off)).0, Stance::Silent);
}
