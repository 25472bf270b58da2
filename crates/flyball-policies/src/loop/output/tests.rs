//! Where documents belong, whose they are, what could be undone, and that every block ends.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use flyball_core::engine::Registry;
use flyball_core::event::{Agent, Change, Event, EventData, FileEdit, Outcome, Stopping, Tool, ToolCall};
use flyball_core::path::AbsolutePath;
use flyball_core::verdict::Stance;

use super::memory::{Claim, Notes, Session};
use super::ownership::{AgentContext, Inputs, Suspects};
use super::revert::{Undo, plan_undo};
use super::settings::Settings;
use super::trees::{FileStatus, Snapshot};
use crate::testing::{InMemory, PinnedWorld, Surroundings, event, judged_in, problems, sections};

static ONLY: Registry = &[&super::POLICY];

const ON: &str = "[loop.output]\nmode = 'enforce'\n";

#[test]
fn documents_belong_where_the_defaults_say() {
    let settings = Settings::default();
    let cases = [
        ("NOTES.md", true),
        ("src/deep/NOTES.md", true),
        (".claude/NOTES.md", true),
        ("mydocs/a.md", true),
        ("docs.md", true),
        ("OLD-README.md", true),
        ("NOTES.txt", false),
        ("src/main.rs", false),
        ("docs/a.md", false),
        ("docs/deep/er/a.md", false),
        ("modules/x/a.md", false),
        (".claude/.output/agents/x/a.md", false),
        (".claude/skills/x/SKILL.md", false),
        (".feature-development/plan.md", false),
        ("README.md", false),
        ("src/deep/README.md", false),
        ("CLAUDE.md", false),
        ("x/AGENTS.md", false),
        ("CHANGELOG.md", false),
        ("CONTRIBUTING.md", false),
        ("LICENSE.md", false),
        ("packages/app/docs/a.md", false),
        (".claude/commands/ship.md", false),
        (".claude/rules/api/errors.md", false),
        (".claude/agent-memory/reviewer/MEMORY.md", false),
        (".github/ISSUE_TEMPLATE/bug.md", false),
        ("tests/fixtures/input.md", false),
        ("crates/x/testdata/in.md", false),
        ("src/testing/NOTES.md", true),
        ("latest/NOTES.md", true),
    ];
    for (path, expected) in cases {
        assert_eq!(settings.broken_by(path).is_some(), expected, "{path}");
    }
}

#[test]
fn the_first_rule_that_means_a_file_decides() {
    let text = "[[loop.output.rule]]\nfiles = ['**/*.report']\nbelongs = ['reports/**']\nexcept = []\n\
                [[loop.output.rule]]\nfiles = ['**/*.md', '**/*.report']\nbelongs = ['docs/**/*.md']\n";
    let sections = sections(text);
    let (_, section) = sections.iter().find(|(id, _)| id == "loop.output").unwrap();
    let settings: Settings = section.parse().unwrap();
    let cases = [
        ("a.report", Some("reports/")),
        ("docs/a.report", Some("reports/")),
        ("reports/a.report", None),
        ("a.md", Some("docs/")),
        ("docs/a.md", None),
        ("README.md", None),
    ];
    for (path, expected) in cases {
        let rule = settings.broken_by(path);
        assert_eq!(rule.map(|rule| rule.suggest.as_str()), expected, "{path}");
    }
    for (folder, expected) in [("reports", true), ("docs/x/", true), ("src", false), ("reports2", false)] {
        assert_eq!(settings.is_place(folder), expected, "{folder}");
    }
}

#[test]
fn a_rule_that_sends_documents_to_where_they_do_not_belong_is_refused() {
    let rule = |rest: &str| format!("[[loop.output.rule]]\nfiles = ['**/*.md']\n{rest}\n");
    let cases = [
        ("belongs = ['docs/**']\nsuggest = 'notes/{slug}/'", "`suggest` is `notes/{slug}/`"),
        ("belongs = ['docs/**']\nsuggest = 'docs/../x'", "`suggest` is `docs/../x`"),
        ("belongs = ['**']\nsuggest = '/tmp'", "`suggest` is `/tmp`"),
        ("belongs = ['*/x.md']", "name one in `suggest`"),
        ("belongs = []", "the list is empty"),
        ("belongs = ['docs/**']\nsugest = 'docs/'", "unknown"),
        ("belongs = ['docs/[']", "invalid glob `docs/[`"),
    ];
    for (rest, expected) in cases {
        let found = problems(&rule(rest));
        assert!(found.len() == 1 && found[0].contains(expected), "{rest}: {found:?}");
    }
    for fine in [
        "belongs = ['docs/**']",
        "belongs = ['**']",
        "belongs = ['a/{b,c}/**']\nsuggest = 'a/b/{date}-{time}'",
    ] {
        assert_eq!(problems(&rule(fine)), Vec::<String>::new(), "{fine}");
    }
}

#[test]
fn roles_and_skills_are_known_with_and_without_their_plugin() {
    let text = "[[loop.output.skills]]\nagents = ['*-developer']\nrequired = ['a', 'b']\n\
                [[loop.output.skills]]\nagents = ['api-*']\nrequired = ['b', 'c']\n";
    let sections = sections(text);
    let (_, section) = sections.iter().find(|(id, _)| id == "loop.output").unwrap();
    let settings: Settings = section.parse().unwrap();
    let cases: [(&str, &[&str], bool); 6] = [
        ("api-developer", &["a", "b", "c"], false),
        ("team:ui-developer", &["a", "b"], false),
        ("reviewer", &[], false),
        ("Explore", &[], true),
        ("kit:Explore", &[], true),
        ("", &[], true),
    ];
    for (role, required, skipped) in cases {
        assert_eq!(
            (settings.required_skills(role).as_slice(), settings.skips(role)),
            (required, skipped),
            "{role}"
        );
    }
}

/// A tree with these files in it, each with its two letters.
fn tree(path: &str, files: &[(&str, &str)]) -> Snapshot {
    let mark = |code: &str| FileStatus { code: code.to_owned(), content: None };
    let files = files.iter().map(|(name, code)| ((*name).to_owned(), mark(code))).collect();
    Snapshot { path: AbsolutePath::from_root(path), head: "c0ffee".to_owned(), files, is_whole: true }
}

fn notes(written: &[(&str, Claim)]) -> Notes {
    let written: BTreeMap<AbsolutePath, Claim> =
        written.iter().map(|(path, claim)| (AbsolutePath::from_root(*path), *claim)).collect();
    Notes { role: "writer".to_owned(), is_running: true, written, ..Notes::default() }
}

fn set(paths: &[&str]) -> BTreeSet<AbsolutePath> {
    paths.iter().map(|path| AbsolutePath::from_root(*path)).collect()
}

#[test]
fn a_new_document_belongs_to_the_agent_whose_call_wrote_it() {
    use Claim::{Noticed, Sure};
    // The claims of this agent, another agent and the main thread; whether it ran unknown commands, alone; whose it is.
    let cases = [
        (Some(Sure), None, None, false, "own"),
        (Some(Sure), Some(Sure), None, false, "own"),
        (Some(Noticed), None, None, false, "own"),
        (Some(Noticed), Some(Noticed), None, false, "unclaimed"),
        (Some(Noticed), Some(Sure), None, false, "another's"),
        (Some(Noticed), None, Some(Sure), false, "another's"),
        (None, Some(Sure), None, false, "another's"),
        (None, Some(Noticed), None, false, "another's"),
        (None, None, Some(Sure), false, "another's"),
        (None, None, Some(Noticed), false, "another's"),
        // The user may have made it.
        (None, None, None, false, "unclaimed"),
        (None, None, None, true, "own"),
    ];
    let settings = Settings::default();
    let path = "/project/NEW.md";
    let before = [tree("/project", &[("USER.md", "??")])];
    let inputs = Inputs {
        trees: Some(vec![tree("/project", &[("USER.md", "??"), ("NEW.md", "??"), ("src/a.rs", " M")])]),
        existing: set(&[path]),
        ..Inputs::default()
    };
    for (this, other, main, ran_unknown, whose) in cases {
        let claimed = |claim: Option<Claim>| claim.map(|claim| (path, claim)).into_iter().collect::<Vec<_>>();
        let own = Notes { ran_unknown, ..notes(&claimed(this)) };
        let agents = [("a1", own.clone()), ("a2", notes(&claimed(other)))];
        let session = Session {
            agents: agents.map(|(id, notes)| (id.to_owned(), notes)).into(),
            main: notes(&claimed(main)).written,
            ..Session::default()
        };
        let context = AgentContext {
            settings: &settings,
            session: &session,
            before: Some(&before),
            inputs: &inputs,
            root: &AbsolutePath::from_root("/project"),
        };
        let expected = Suspects {
            own: if whose == "own" { set(&[path]) } else { set(&[]) },
            unclaimed: if whose == "unclaimed" { set(&[path]) } else { set(&[]) },
        };
        let case = (this, other, main, ran_unknown);
        assert_eq!(context.suspects("a1", &own), expected, "{case:?}");
    }
}

#[test]
fn files_of_a_tree_that_was_not_read_before_are_not_new() {
    let settings = Settings::default();
    let session = Session::default();
    let unseen = Snapshot { is_whole: false, ..tree("/project", &[]) };
    let now = tree("/project", &[("USER.md", "??"), ("OWN.md", "??")]);
    let inputs = Inputs { trees: Some(vec![now]), existing: set(&["/project/OWN.md"]), ..Inputs::default() };
    let own = notes(&[("/project/OWN.md", Claim::Sure)]);
    let cases: [(Option<&[Snapshot]>, &[&str]); 3] = [
        (Some(std::slice::from_ref(&unseen)), &["/project/OWN.md"]),
        (None, &["/project/OWN.md"]),
        // A tree that did not exist is new with all its files, and those may be the user's.
        (Some(&[]), &["/project/OWN.md"]),
    ];
    for (before, expected) in cases {
        let context = AgentContext {
            settings: &settings,
            session: &session,
            before,
            inputs: &inputs,
            root: &AbsolutePath::from_root("/project"),
        };
        assert_eq!(context.suspects("a1", &own).own, set(expected), "{before:?}");
    }
}

#[test]
fn what_can_be_undone_depends_on_the_state_before() {
    let settings = Settings::default();
    let paths =
        ["clean.rs", "staged.rs", "dirty.rs", "same.rs", "new.rs", "undone.rs", "shared.rs", "found.rs"];
    let full: Vec<String> = paths.iter().map(|name| format!("/project/{name}")).collect();
    let own = notes(&full.iter().map(|path| (path.as_str(), Claim::Sure)).collect::<Vec<_>>());
    let other = notes(&[("/project/shared.rs", Claim::Sure)]);
    let session = Session { agents: [("a2".to_owned(), other)].into(), ..Session::default() };
    let before = [tree("/project", &[("dirty.rs", " M"), ("same.rs", " M"), ("found.rs", "??")])];
    let now = tree(
        "/project",
        &[
            ("clean.rs", " M"),
            ("staged.rs", "M "),
            ("dirty.rs", " M"),
            ("same.rs", " M"),
            ("new.rs", "??"),
            ("shared.rs", " M"),
            ("found.rs", "??"),
        ],
    );
    let committed = ["clean.rs", "staged.rs", "dirty.rs", "same.rs", "undone.rs", "shared.rs"];
    let in_base = committed.iter().map(|name| AbsolutePath::from_root(format!("/project/{name}"))).collect();
    let inputs = Inputs {
        trees: Some(vec![now]),
        in_base,
        unchanged: set(&["/project/same.rs"]),
        ..Inputs::default()
    };
    let context = AgentContext {
        settings: &settings,
        session: &session,
        before: Some(&before),
        inputs: &inputs,
        root: &AbsolutePath::from_root("/project"),
    };
    let lines: Vec<String> = plan_undo(&context, "a1", &own, &set(&[])).iter().map(Undo::line).collect();
    assert_eq!(
        lines,
        [
            "safe to revert: git -C '/project' checkout -- 'clean.rs'",
            "manual review: '/project/dirty.rs' had changes before the agent ran",
            "manual review: '/project/found.rs' had changes before the agent ran",
            "new: rm -- '/project/new.rs'",
            "manual review: '/project/shared.rs' was changed by writer too",
            "safe to revert: git -C '/project' checkout c0ffee -- 'staged.rs'",
        ]
    );
}

fn by(id: &str, role: &str, happening: EventData) -> Event {
    Event { agent: Some(Agent { id: id.to_owned(), role: role.to_owned() }), ..event(happening) }
}

fn wrote(path: &str) -> EventData {
    let change = Change::Write { content: "x".to_owned() };
    let tool = Tool::Edit(vec![FileEdit { path: path.to_owned(), change }]);
    let call = ToolCall { id: None, name: "Write".to_owned(), tool, input: "{}".to_owned() };
    EventData::AfterTool { call, outcome: Outcome::default() }
}

fn stops() -> EventData {
    EventData::AgentStop { stopping: Stopping::default(), transcript: None }
}

#[test]
fn every_block_ends_however_the_problems_change() {
    let memory = Arc::new(InMemory::default());
    let names = ["A.md", "B.md", "C.md", "D.md", "E.md"].map(|name| format!("/project/{name}"));
    let on = sections(ON);
    let (mut stances, mut notices) = (Vec::new(), Vec::new());
    for at in 0..names.len() {
        let judge = |happening| {
            let world =
                names.iter().take(at + 1).fold(PinnedWorld::new(), |world, name| world.file(name, "x"));
            judged_in(
                ONLY,
                &on,
                by("a1", "writer", happening),
                Surroundings { world, memory: Arc::clone(&memory) },
            )
        };
        judge(wrote(&names[at]));
        let judgement = judge(stops());
        stances.push(judgement.merged.stance);
        notices.push(judgement.merged.notices.len());
    }
    assert_eq!(stances, [Stance::Deny, Stance::Deny, Stance::Deny, Stance::Silent, Stance::Silent]);
    assert_eq!(notices, [0, 0, 0, 1, 1]);
}

#[test]
fn the_folder_that_is_suggested_has_the_day_and_the_role_in_its_name() {
    let memory = Arc::new(InMemory::default());
    let world = || PinnedWorld::new().file("/project/NOTES.md", "x");
    let on = sections(ON);
    judged_in(
        ONLY,
        &on,
        by("a1", "Team:Writer", wrote("/project/NOTES.md")),
        Surroundings { world: world(), memory: Arc::clone(&memory) },
    );
    let judgement =
        judged_in(ONLY, &on, by("a1", "Team:Writer", stops()), Surroundings { world: world(), memory });
    let text = judgement.merged.reasons.iter().map(|reason| format!("{reason:?}")).collect::<String>();
    let expected = "mkdir -p '/project/.claude/.output/agents/2027-01-15-team-writer' && mv -n -- '/project/NOTES.md' \
                    '/project/.claude/.output/agents/2027-01-15-team-writer/NOTES.md'";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn the_commands_and_the_notes_of_many_agents_stay_bounded() {
    let mut session = Session::default();
    for number in 0..200 {
        session.start(&format!("a{number}"), "writer");
    }
    assert_eq!(session.agents.len(), 64);
    let notes = session.notes("a199", "writer");
    for number in 0..1_000 {
        notes.wrote(AbsolutePath::from_root(format!("/project/{number}")), Claim::Noticed);
    }
    notes.wrote(AbsolutePath::from_root("/project/0"), Claim::Sure);
    notes.wrote(AbsolutePath::from_root("/project/0"), Claim::Noticed);
    assert_eq!((notes.written.len(), notes.written.get("/project/0")), (200, Some(&Claim::Sure)));
}
