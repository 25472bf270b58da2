//! Who may edit what, and known defects of earlier hooks.

use flyball_core::engine::Registry;
use flyball_core::event::{Agent, Change, Event, FileEdit, Tool};
use flyball_core::path::AbsolutePath;
use flyball_core::verdict::Stance;

use crate::testing::{before, judged, problems, sections, shell, write};

static ONLY: Registry = &[&super::POLICY];

const OWNERS: &str = r#"
[[guard.agents-first.owner]]
paths = ["backend/**/*.go", "pkg/**"]
agents = ["backend-developer"]
what = "backend code"

[[guard.agents-first.owner]]
paths = ["ui/src/**", ".claude/tools/**"]
agents = ["frontend-*", "tool-developer"]
"#;

fn by(role: &str, mut event: Event) -> Event {
    event.agent = Some(Agent { id: "a1".to_owned(), role: role.to_owned() });
    event
}

fn stance(event: Event) -> Stance {
    judged(ONLY, &sections(OWNERS), event).merged.stance
}

fn reasons(event: Event) -> Vec<String> {
    let judgement = judged(ONLY, &sections(OWNERS), event);
    judgement.merged.reasons.iter().map(|given| given.reason.text()).collect()
}

#[test]
fn nothing_is_owned_unless_the_config_says_so() {
    assert_eq!(judged(ONLY, &[], write("backend/a.go", "")).merged.stance, Stance::Silent);
    assert_eq!(
        judged(ONLY, &sections("[guard.agents-first]\n"), write("a.go", "")).merged.stance,
        Stance::Silent
    );
}

#[test]
fn who_may_edit_what() {
    use Stance::{Deny, Silent};
    let cases = [
        ("its owner", "backend-developer", "backend/a.go", Silent),
        ("its owner out of a plugin", "team:backend-developer", "backend/a.go", Silent),
        ("a role that only ends like it", "not-backend-developer", "backend/a.go", Deny),
        ("another owner", "frontend-developer", "backend/a.go", Deny),
        ("by a glob", "frontend-developer", "ui/src/a.ts", Silent),
        ("the second of two", "tool-developer", "ui/src/a.ts", Silent),
        ("nobody in particular", "", "ui/src/a.ts", Deny),
        ("a file without owner", "general-purpose", "docs/a.md", Silent),
        ("a test", "general-purpose", "pkg/a_test.go", Silent),
    ];
    for (name, role, path, expected) in cases {
        assert_eq!(stance(by(role, write(path, ""))), expected, "{name}");
    }
}

#[test]
fn the_first_owner_decides() {
    let owners = r#"
        [[guard.agents-first.owner]]
        paths = ["pkg/api/**"]
        agents = ["api-developer"]

        [[guard.agents-first.owner]]
        paths = ["pkg/**"]
        agents = ["backend-developer"]
    "#;
    let stance =
        |role: &str, path: &str| judged(ONLY, &sections(owners), by(role, write(path, ""))).merged.stance;
    assert_eq!(stance("api-developer", "pkg/api/a.go"), Stance::Silent);
    assert_eq!(stance("backend-developer", "pkg/api/a.go"), Stance::Deny);
    assert_eq!(stance("backend-developer", "pkg/a.go"), Stance::Silent);
}

#[test]
fn every_write_is_an_edit() {
    use Stance::{Deny, Silent};
    let moved = |from: &str, to: &str| {
        let change = Change::Move { to: to.to_owned() };
        before("apply_patch", Tool::Edit(vec![FileEdit { path: from.to_owned(), change }]))
    };
    let cases = [
        ("a redirection", shell("echo x > pkg/a.go"), Deny),
        ("by a folder above", shell("cd docs && echo x > ../pkg/a.go"), Deny),
        ("to another project", shell("cd /elsewhere && echo x > pkg/a.go"), Silent),
        ("a path only known later", shell("echo x > \"$DIR/a.go\""), Silent),
        ("reading", shell("wc -l < pkg/a.go > docs/lines.txt"), Silent),
        ("changed in place", shell("sed -i s/a/b/ pkg/a.go"), Deny),
        ("changed by a pattern", shell("sed -i s/a/b/ pkg/*.go"), Deny),
        ("deleted", shell("rm pkg/a.go"), Deny),
        ("copied there", shell("cp /tmp/a.go pkg/a.go"), Deny),
        ("copied from there", shell("cp pkg/a.go /tmp/a.go"), Silent),
        ("moved from there", shell("mv pkg/a.go docs/"), Deny),
        ("moved away", moved("pkg/a.go", "docs/a.go"), Deny),
        ("moved there", moved("docs/a.go", "pkg/a.go"), Deny),
        ("moved elsewhere", moved("docs/a.go", "notes/a.go"), Silent),
    ];
    for (name, event, expected) in cases {
        assert_eq!(stance(event), expected, "{name}");
    }
}

#[test]
fn the_reason_says_whom_to_spawn() {
    assert_eq!(
        reasons(write("backend/a.go", "")),
        ["Spawn `backend-developer` to make this change: `backend/a.go` (backend code) belongs to \
             `backend-developer`. You coordinate, agents implement"]
    );
    assert_eq!(
        reasons(by("backend-developer", write("ui/src/a.ts", ""))),
        [
            "Leave it, and say in your report what `frontend-*` or `tool-developer` should change: `ui/src/a.ts` belongs \
             to `frontend-*` or `tool-developer`. You are `backend-developer`"
        ]
    );
}

#[test]
fn a_call_that_changes_files_of_two_owners_names_both() {
    let edit = |path: &str| FileEdit { path: path.to_owned(), change: Change::Delete };
    let both = vec![edit("pkg/b.go"), edit("ui/src/a.ts"), edit("pkg/a.go"), edit("docs/a.md")];
    let given = reasons(before("apply_patch", Tool::Edit(both)));
    assert_eq!(
        given,
        [
            "Spawn `backend-developer` to make this change: `pkg/a.go`, `pkg/b.go` (backend code) belong to \
             `backend-developer`. You coordinate, agents implement",
            "Spawn `frontend-*` or `tool-developer` to make this change: `ui/src/a.ts` belongs to `frontend-*` or \
             `tool-developer`. You coordinate, agents implement",
        ]
    );
}

#[test]
fn what_is_suggested_is_allowed() {
    let spawn = Tool::SpawnAgent {
        role: "backend-developer".to_owned(),
        prompt: "change backend/a.go".to_owned(),
        background: None,
    };
    assert_eq!(stance(before("Task", spawn)), Stance::Silent);
    assert_eq!(stance(by("backend-developer", write("backend/a.go", ""))), Stance::Silent);
}

#[test]
fn a_denial_is_not_remembered_for_the_file() {
    let judgement = judged(ONLY, &sections(OWNERS), write("backend/a.go", ""));
    assert_eq!(judgement.rulings[0].verdict.subjects, []);
}

// Defect 13 of the enforcement hooks.
#[test]
fn defect_13_relative_paths_are_matched_like_absolute_ones() {
    for path in ["ui/src/a.ts", "./ui/src/a.ts", "/project/ui/src/a.ts", ".claude/tools/x.ts"] {
        assert_eq!(stance(write(path, "")), Stance::Deny, "{path}");
    }
    let mut below = write("src/a.ts", "");
    below.cwd = AbsolutePath::from_root("/project/ui");
    assert_eq!(stance(below), Stance::Deny);
}

// Defect 14 of the enforcement hooks.
#[test]
fn defect_14_only_the_client_says_who_edits() {
    // The owner was spawned a moment ago: the main thread stays out, even with its name.
    let mut main = write("backend/a.go", "\"subagent_type\":\"backend-developer\"");
    main.transcript = Some(AbsolutePath::from_root("/home/dev/subagents/backend-developer.jsonl"));
    assert_eq!(stance(main), Stance::Deny);
    // The owner is allowed, whatever its transcript contains.
    let mut owner = by("backend-developer", write("backend/a.go", ""));
    owner.transcript = None;
    assert_eq!(stance(owner), Stance::Silent);
}

// Defect 15 of the enforcement hooks.
#[test]
fn defect_15_folders_are_matched_whole() {
    for path in [
        "build/src/a.ts",
        "guide/ui/src/a.ts",
        "require/a.ts",
        "fruit/src/a.ts",
        "ui/srcs/a.ts",
        "tools/pkg/a.go",
        "mypkg/a.go",
        "templates/deploy.yaml",
        "/elsewhere/project/pkg/a.go",
        "/projects/pkg/a.go",
    ] {
        assert_eq!(stance(write(path, "")), Stance::Silent, "{path}");
    }
}

#[test]
fn an_invalid_entry_is_an_error_with_its_position() {
    let cases = [
        (
            "[[guard.agents-first.owner]]\npaths = []\nagents = ['a']\n",
            "flyball.toml:2:9: the list is empty, so this entry can never match; name at least one",
        ),
        (
            "[[guard.agents-first.owner]]\npaths = ['[b']\nagents = ['a']\n",
            "flyball.toml:2:10: invalid glob `[b`: unclosed character class at byte 0; missing ']' (to match a \
             literal '[', escape it as '\\[' or '[[]')",
        ),
        ("[[guard.agents-first.owner]]\npaths = ['a/**']\n", "flyball.toml:1:1: missing key `agents`"),
        (
            "[[guard.agents-first.owner]]\npaths = ['a/**']\nagent = ['a']\n",
            "flyball.toml:3:1: unknown key `agent`; did you mean `agents`?",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(text), [expected], "{text}");
    }
}
