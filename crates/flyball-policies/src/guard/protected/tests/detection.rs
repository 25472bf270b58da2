//! What is detected after a command, and at the end of a turn.

use std::sync::Arc;
use std::time::Duration;

use flyball_core::path::AbsolutePath;

use super::*;
use crate::testing::InMemory;

/// A session that continues while the world changes.
struct Session {
    memory: Arc<InMemory>,
    config: &'static str,
}

impl Session {
    fn begun(world: PinnedWorld) -> Session {
        let session = Session { memory: Arc::default(), config: "" };
        session.judge(world, event(EventData::SessionStart { source: "startup".into() }));
        session
    }

    fn configured(world: PinnedWorld, config: &'static str) -> Session {
        let session = Session { memory: Arc::default(), config };
        session.judge(world, event(EventData::SessionStart { source: "startup".into() }));
        session
    }

    fn judge(&self, world: PinnedWorld, event: Event) -> Judgement {
        judged_in(
            ONLY,
            &sections(self.config),
            event,
            Surroundings { world, memory: Arc::clone(&self.memory) },
        )
    }

    fn after(&self, world: PinnedWorld) -> Judgement {
        let tool = Tool::Shell { command: "./tidy.sh".into(), background: false };
        let call = ToolCall { id: None, name: "Bash".into(), tool, input: "{}".into() };
        let outcome =
            Outcome { text: String::new(), took: Some(Duration::from_millis(100)), ..Outcome::default() };
        self.judge(world, event(EventData::AfterTool { call, outcome }))
    }

    fn stop(&self, world: PinnedWorld) -> Judgement {
        self.judge(world, event(EventData::Stop(Stopping::default())))
    }
}

fn weakened() -> PinnedWorld {
    world().file("/project/.ruff.toml", "line-length = 400\n")
}

/// The world with a file that was added during the session.
fn new(path: &str, text: &str) -> PinnedWorld {
    world().file(path, text).changed_at(path, PinnedWorld::new().now + Duration::from_millis(1))
}

fn reasons(judgement: &Judgement) -> String {
    judgement.merged.reasons.iter().map(|given| given.reason.text()).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_a_person_allowed_is_no_finding_and_holds_nobody() {
    let changed = PinnedWorld::new().now + Duration::from_millis(1);
    let allowed =
        || weakened().changed_at("/project/.ruff.toml", changed).with_allowed("/project/.ruff.toml");
    let session = Session::begun(world());
    assert_eq!(session.after(allowed()).merged.stance, Stance::Silent);
    assert_eq!(session.stop(allowed()).merged.stance, Stance::Silent);
    // After its time too, but not what changed after it.
    let over = PinnedWorld::new().now + Duration::from_hours(1);
    let later = |changed| {
        let mut world = allowed().changed_at("/project/.ruff.toml", changed);
        world.now = over;
        world
    };
    assert_eq!(session.stop(later(changed)).merged.stance, Stance::Silent);
    assert_eq!(session.stop(later(over)).merged.stance, Stance::Deny);
    // Another file is not allowed.
    let other = weakened().changed_at("/project/.ruff.toml", changed).with_allowed("/project/mypy.ini");
    assert_eq!(Session::begun(world()).stop(other).merged.stance, Stance::Deny);
}

#[test]
fn a_change_is_reported_once_after_the_command() {
    let session = Session::begun(world());
    assert_eq!(session.after(world()).merged.stance, Stance::Silent);
    let judgement = session.after(weakened());
    assert_eq!(judgement.merged.stance, Stance::Deny);
    assert_eq!(
        reasons(&judgement),
        "Run `flyball restore .ruff.toml` unless the user made this change; to keep it, ask the user to run `flyball \
         approve .ruff.toml`: `.ruff.toml` changed during this session, noticed after `./tidy.sh`. Protected files \
         decide how the project is checked"
    );
    assert_eq!(
        judgement.rulings[0].verdict.subjects,
        [Subject::File(AbsolutePath::from_root("/project/.ruff.toml"))]
    );
    assert_eq!(session.after(weakened()).merged.stance, Stance::Silent);
    let other = world().file("/project/.ruff.toml", "line-length = 500\n");
    assert_eq!(session.after(other).merged.stance, Stance::Deny);
}

#[test]
fn a_stop_is_blocked_once_for_each_content() {
    let session = Session::begun(world());
    session.after(weakened());
    let judgement = session.stop(weakened());
    assert_eq!(judgement.merged.stance, Stance::Deny);
    assert_eq!(
        reasons(&judgement),
        "Ask the user now, with your tool for questions if you have one: keep the change (`flyball approve .ruff.toml` \
         in their own terminal), restore what was there (`flyball restore .ruff.toml`), or show the difference first \
         (`flyball approve --diff .ruff.toml`)? Run none of these before they have chosen: `.ruff.toml` changed during \
         this session without approval. You are asked once for each content"
    );
    assert_eq!(session.stop(weakened()).merged.stance, Stance::Silent);
    let other = world().file("/project/.ruff.toml", "line-length = 500\n");
    assert_eq!(session.stop(other).merged.stance, Stance::Deny);
    assert_eq!(session.stop(world()).merged.stance, Stance::Silent);
}

#[test]
fn what_a_person_approved_or_restored_is_silent() {
    let session = Session::begun(world());
    let approved = || weakened().approving("/project/.ruff.toml", Some("line-length = 400\n"));
    assert_eq!(session.after(approved()).merged.stance, Stance::Silent);
    assert_eq!(session.stop(approved()).merged.stance, Stance::Silent);
    assert_eq!(session.after(world()).merged.stance, Stance::Silent);
    let deleted = world().without("/project/.ruff.toml").approving("/project/.ruff.toml", None);
    assert_eq!(session.stop(deleted).merged.stance, Stance::Silent);
}

#[test]
fn an_approval_is_for_its_content_and_for_the_sessions_of_its_time() {
    let session = Session::begun(world());
    let approved = || weakened().approving("/project/.ruff.toml", Some("line-length = 400\n"));
    assert_eq!(session.stop(approved()).merged.stance, Stance::Silent);
    let other = approved().file("/project/.ruff.toml", "line-length = 500\n");
    assert_eq!(session.stop(other).merged.stance, Stance::Deny);
    // The file was restored, and a later session makes the same change again.
    let later = |mut world: PinnedWorld| {
        world.now += Duration::from_secs(1);
        world
    };
    let next = Session::begun(later(world().approving("/project/.ruff.toml", Some("line-length = 400\n"))));
    assert_eq!(next.after(later(approved())).merged.stance, Stance::Deny);
    assert_eq!(next.stop(later(approved())).merged.stance, Stance::Deny);
    assert_eq!(next.stop(later(approved())).merged.stance, Stance::Silent, "once");
    // The next session starts with the approved content.
    let found = Session::begun(later(approved()));
    assert_eq!(found.stop(later(approved())).merged.stance, Stance::Silent);
}

#[test]
fn an_agent_that_already_continues_is_blocked_once() {
    let again = || event(EventData::Stop(Stopping { again: true, ..Stopping::default() }));
    let session = Session::begun(world());
    assert_eq!(session.judge(weakened(), again()).merged.stance, Stance::Deny);
    for _ in 0..3 {
        assert_eq!(session.judge(weakened(), again()).merged.stance, Stance::Silent);
    }
}

// Defect 13 of the quality hooks.
/// Deleted, new and in folders below; the hooks and settings; and whether it is committed does not
/// matter, since nothing is compared with a commit.
#[test]
fn defect_13_all_kinds_of_changes_are_noticed() {
    let cases = [
        ("deleted", world().without("/project/.ruff.toml"), "`.ruff.toml` was deleted"),
        ("new", new("/project/.flake8", "x"), "`.flake8` appeared"),
        ("below", world().file("/project/web/.eslintrc.json", "{\"a\":1}"), "`web/.eslintrc.json` changed"),
        ("new below", new("/project/web/.prettierrc", "x"), "`web/.prettierrc` appeared"),
        ("a hook", world().file("/project/.husky/pre-commit", ""), "`.husky/pre-commit` changed"),
        ("a new hook", new("/project/.git/hooks/pre-push", ""), "`.git/hooks/pre-push` appeared"),
        ("flyball's own", world().file("/project/flyball.toml", "x"), "`flyball.toml` appeared"),
        (
            "hooks in the client's settings",
            world().file("/project/.claude/settings.json", "{\"disableAllHooks\":true}"),
            "the protected part of `.claude/settings.json` changed",
        ),
        (
            "a lint table",
            world().file("/project/pyproject.toml", "[project]\n"),
            "the protected part of `pyproject.toml` changed",
        ),
    ];
    for (name, world_after, expected) in cases {
        let session = Session::begun(world());
        let judgement = session.after(world_after);
        assert_eq!(judgement.merged.stance, Stance::Deny, "{name}");
        let what = &judgement.merged.reasons[0].reason.what;
        assert!(what.starts_with(expected), "{name}: {what}");
    }
}

/// Something may write another content each time the agent continues.
#[test]
fn a_stop_is_not_blocked_for_ever_and_never_twice_for_a_content() {
    let stop = |session: &Session, length: u32, again: bool| {
        let world = world().file("/project/.ruff.toml", &format!("line-length = {length}\n"));
        let stopping = Stopping { again, ..Stopping::default() };
        let merged = session.judge(world, event(EventData::Stop(stopping))).merged;
        (merged.stance, merged.notices.len())
    };
    let session = Session::begun(world());
    let seen = [(400, false), (401, true), (400, true), (402, true), (403, true), (404, true), (405, false)]
        .map(|(length, again)| stop(&session, length, again));
    let (block, silent, notice) = ((Stance::Deny, 1), (Stance::Silent, 0), (Stance::Silent, 1));
    assert_eq!(seen, [block, block, silent, block, notice, notice, block]);
}

/// No command restores a part of a file, so none is named for it.
#[test]
fn the_suggested_way_to_restore_works() {
    let part = |world: PinnedWorld| world.file("/project/pyproject.toml", "[project]\n");
    let edit = "an edit that makes the protected part of pyproject.toml what it was";
    let shows = "`flyball approve` accepts it, `flyball approve --diff` shows it";
    let undoes = "`flyball approve` accepts it, `flyball restore` undoes it";
    let cases = [
        (weakened(), "`flyball restore .ruff.toml`".to_owned(), undoes),
        (part(world()), edit.to_owned(), shows),
        (part(weakened()), format!("`flyball restore .ruff.toml` and {edit}"), undoes),
    ];
    for (after, back, way) in cases {
        let judgement = Session::begun(world()).stop(after);
        let text = reasons(&judgement);
        assert!(text.contains(&format!("restore what was there ({back}), or")), "{back}: {text}");
        let notices = &judgement.merged.notices;
        assert!(notices.iter().all(|notice| notice.contains(way)) && notices.len() == 1, "{notices:?}");
    }
}

#[test]
fn other_changes_are_silent() {
    let cases = [
        ("the same content written anew", world().file("/project/.ruff.toml", "line-length = 100\n")),
        ("another table", world().file("/project/pyproject.toml", &PYPROJECT.replace("\"x\"", "\"y\""))),
        ("a file without rules is deleted", world().without("/project/src/main.py")),
        (
            "a permission of the client",
            world().file("/project/.claude/settings.json", "{\"permissions\":{}}"),
        ),
        ("a new manifest", new("/project/web/pyproject.toml", PYPROJECT)),
        ("an old file that came into view", world().file("/project/web/.prettierrc", "x")),
        ("code", world().file("/project/src/main.py", "x = 2\n")),
    ];
    for (name, after) in cases {
        let session = Session::begun(world());
        assert_eq!(reasons(&session.after(after)), "", "{name}");
    }
}

#[test]
fn a_session_whose_start_was_not_seen_begins_with_its_first_command() {
    let session = Session { memory: Arc::default(), config: "" };
    assert_eq!(session.after(weakened()).merged.stance, Stance::Silent);
    session.judge(world(), shell("./tidy.sh"));
    assert_eq!(session.after(weakened()).merged.stance, Stance::Deny);
}

#[test]
fn a_change_is_still_detected_after_a_compaction() {
    let session = Session::begun(world());
    session.judge(weakened(), event(EventData::SessionStart { source: "compact".into() }));
    assert_eq!(session.stop(weakened()).merged.stance, Stance::Deny);
    session.judge(weakened(), event(EventData::SessionStart { source: "resume".into() }));
    assert_eq!(session.stop(weakened()).merged.stance, Stance::Silent);
}

#[test]
fn always_restores_only_what_changed_while_the_command_ran() {
    let now = PinnedWorld::new().now;
    let config = "[guard.protected]\nrestore = 'always'\n";
    let session = Session::configured(world(), config);
    let during = || weakened().changed_at("/project/.ruff.toml", now - Duration::from_millis(20));
    let content = Some(ContentHash::new("line-length = 100\n".into()));
    let restore = Restore { path: AbsolutePath::from_root("/project/.ruff.toml"), content };
    assert_eq!(session.after(during()).merged.restores, [restore]);
    let session = Session::configured(world(), config);
    let earlier = weakened().changed_at("/project/.ruff.toml", now - Duration::from_secs(10));
    let judgement = session.after(earlier);
    assert_eq!((judgement.merged.stance, judgement.merged.restores.as_slice()), (Stance::Deny, &[][..]));
    let session = Session::begun(world());
    assert_eq!(session.after(during()).merged.restores, []);
}

#[test]
fn an_edit_can_restore_a_lint_table() {
    let session = Session::begun(world());
    let changed = || world().file("/project/pyproject.toml", &PYPROJECT.replace("100", "200"));
    session.after(changed());
    let back = session.judge(changed(), edit("pyproject.toml", "200", "100"));
    assert_eq!(back.merged.stance, Stance::Silent);
    let further = session.judge(changed(), edit("pyproject.toml", "200", "300"));
    assert_eq!(further.merged.stance, Stance::Deny);
}

#[test]
fn a_subagent_gets_the_report_and_the_main_agent_is_still_blocked() {
    let session = Session::begun(world());
    let stopping = Stopping::default();
    let stop = session.judge(weakened(), event(EventData::AgentStop { stopping, transcript: None }));
    assert_eq!(stop.merged.stance, Stance::Deny);
    assert_eq!(session.stop(weakened()).merged.stance, Stance::Deny);
}

#[test]
fn git_finds_them_in_every_folder_and_folders_are_searched_without_it() {
    let deep = "/project/a/b/c/d/e/.flake8";
    let found = |world: &PinnedWorld| {
        let project = super::super::ProtectedProject::new(
            world,
            Protection::new(Settings::default(), flyball_clients::FACTS),
        );
        project.find_existing().unwrap()
    };
    let names: Vec<AbsolutePath> = found(&world().file(deep, "x"));
    let shallow = [".husky/pre-commit", ".ruff.toml", "package.json", "pyproject.toml", "web/.eslintrc.json"];
    assert_eq!(names, shallow.map(|name| format!("/project/{name}")));
    let question = format!(
        "ls-files -z -- {}",
        Protection::new(Settings::default(), flyball_clients::FACTS).git_pathspecs().join(" ")
    );
    let listed = world().file(deep, "x").git_says(&question, "a/b/c/d/e/.flake8\0not-a.flake8\0");
    assert!(found(&listed).contains(&AbsolutePath::from_root(deep)));
}

#[test]
fn a_new_config_in_any_tracked_folder_is_noticed() {
    let tracked = |world: PinnedWorld| world.git_says("ls-tree -d -r -z --name-only HEAD", "src\0");
    let session = Session::begun(tracked(world()));
    let later = PinnedWorld::new().now + Duration::from_millis(1);
    let shadowed = tracked(new("/project/src/.ruff.toml", "")).changed_at("/project/src", later);
    assert_eq!(session.after(shadowed).merged.stance, Stance::Deny);
}

#[test]
fn settings_of_git_that_run_programs_are_watched() {
    let config = "[core]\n\tbare = false\n";
    let with = |text: &str| world().file("/project/.git/config", text);
    let session = Session::begun(with(config));
    assert_eq!(
        session.after(with(&format!("{config}[remote \"o\"]\n\turl = x\n"))).merged.stance,
        Stance::Silent
    );
    let moved = session.after(with("[core]\n\tbare = false\n\thooksPath = /tmp/none\n"));
    assert_eq!(moved.merged.stance, Stance::Deny);
    assert!(reasons(&moved).contains("the protected part of `.git/config` changed"), "{}", reasons(&moved));
}

#[test]
fn a_linked_worktree_has_its_config_elsewhere() {
    let linked = |config: &str| {
        world()
            .file("/project/.git", "gitdir: /main/.git/worktrees/project\n")
            .file("/main/.git/worktrees/project/commondir", "../..\n")
            .file("/main/.git/config", config)
            .file("/main/.git/hooks/pre-commit", "#!/bin/sh\n")
    };
    let session = Session::begun(linked(""));
    assert_eq!(session.after(linked("")).merged.stance, Stance::Silent);
    assert_eq!(session.after(linked("[core]\nhooksPath = x\n")).merged.stance, Stance::Deny);
    let emptied = linked("").file("/main/.git/hooks/pre-commit", "");
    assert_eq!(session.after(emptied).merged.stance, Stance::Deny);
}

#[test]
fn deleted_tests_are_noticed_once() {
    let globs: Vec<String> =
        crate::test_files::TEST_FILES.iter().map(|glob| format!(":(glob){glob}")).collect();
    let question = format!("ls-files -z -- {}", globs.join(" "));
    let tracked = |world: PinnedWorld| world.git_says(&question, "tests/test_a.py\0");
    let there = || tracked(world().file("/project/tests/test_a.py", "def test_a(): assert f()\n"));
    let session = Session::begun(there());
    assert_eq!(session.after(there()).merged.stance, Stance::Silent);
    let lost = session.after(tracked(world()));
    assert_eq!(lost.merged.stance, Stance::Deny);
    assert!(reasons(&lost).contains("git restore -- tests/test_a.py"), "{}", reasons(&lost));
    assert_eq!(session.after(tracked(world())).merged.stance, Stance::Silent, "once");
}
