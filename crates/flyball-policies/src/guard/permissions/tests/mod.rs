//! Edge cases that are not on the page.

mod lines;

use flyball_core::engine::{Judgement, Registry};
use flyball_core::event::{Change, Event, FileEdit, SearchFor, Tool};
use flyball_core::path::AbsolutePath;
use flyball_core::verdict::Stance;

use crate::testing::{PinnedWorld, Surroundings, asked, asked_for, judged, judged_in, problems, sections};

static ONLY: Registry = &[&super::POLICY];

fn world() -> PinnedWorld {
    let names = [
        "Cargo.toml",
        "a.txt",
        "notes.txt",
        "src/main.rs",
        "src/lib.rs",
        "certs/server.pem",
        "odd/-rf",
        ".env",
    ];
    names.iter().fold(PinnedWorld::new(), |world, name| world.file(&format!("/project/{name}"), "text\n"))
}

fn judgement(config: &str, event: Event) -> Judgement {
    judged_in(ONLY, &sections(config), event, Surroundings { world: world(), ..Surroundings::default() })
}

fn stance(config: &str, event: Event) -> Stance {
    judgement(config, event).merged.stance
}

/// The evidence, one line each.
fn seen(judgement: &Judgement) -> Vec<String> {
    let evidence = judgement.rulings.iter().flat_map(|ruling| &ruling.verdict.evidence);
    evidence.map(|it| format!("{}: {}", it.name, it.value)).collect()
}

#[test]
fn lines_are_judged_part_by_part() {
    let tables =
        [(lines::ALLOWED, Stance::Allow), (lines::LEFT, Stance::Silent), (lines::DENIED, Stance::Deny)];
    let mut wrong = Vec::new();
    for (table, expected) in tables {
        for (group, lines) in table {
            for line in *lines {
                let judgement = judgement(lines::CONFIG, asked(line));
                if judgement.merged.stance != expected {
                    let seen = seen(&judgement).join("; ");
                    wrong.push(format!("{group}: {line:?} should be {}: {seen}", expected.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn globs_are_judged_by_the_files_they_match() {
    let cases = [
        ("cat *", Stance::Allow),
        ("cat src/*", Stance::Allow),
        ("cat certs/*", Stance::Silent),
        ("cd odd && sort *", Stance::Silent),
        ("cd odd && cat ./*", Stance::Allow),
        ("ls certs/*", Stance::Allow),
        ("cat .*", Stance::Silent),
        ("cat .en?", Stance::Silent),
        ("grep -rn x .", Stance::Silent),
        ("grep -rn x", Stance::Silent),
        ("grep -rn x src", Stance::Allow),
        ("cd src && grep -rn x .", Stance::Allow),
        ("rg x", Stance::Allow),
        ("rg --hidden x", Stance::Silent),
    ];
    for (line, expected) in cases {
        assert_eq!(stance("", asked(line)), expected, "{line}");
    }
}

#[test]
fn without_presets_only_patterns_count() {
    let config = "[guard.permissions]\npresets = []\nallow = ['git log']";
    let cases = [
        ("git log -1", Stance::Allow),
        ("git log --output=x", Stance::Silent),
        ("ls", Stance::Silent),
        ("node --version", Stance::Silent),
    ];
    for (line, expected) in cases {
        assert_eq!(stance(config, asked(line)), expected, "{line}");
    }
    assert_eq!(stance(config, asked_for("Read", Tool::Read { path: "a.txt".into() })), Stance::Silent);
}

#[test]
fn builds_and_formatters_may_change_files_of_the_project() {
    let config = "[guard.permissions]\npresets = ['builds', 'formatters']";
    let cases = [
        ("cargo fmt", Stance::Allow),
        ("gofmt -w src/a.go", Stance::Allow),
        ("prettier --write src", Stance::Allow),
        ("eslint --fix src", Stance::Allow),
        ("npm run build:prod", Stance::Allow),
        ("make", Stance::Allow),
        ("make -j8", Stance::Allow),
        ("prettier --write /tmp", Stance::Silent),
        ("prettier --write --config /tmp/x src", Stance::Silent),
        ("prettier --plugin ./x.js src", Stance::Silent),
        ("make install", Stance::Silent),
        ("gofmt -w src/a.go > out", Stance::Silent),
    ];
    for (line, expected) in cases {
        assert_eq!(stance(config, asked(line)), expected, "{line}");
    }
}

fn write_to(paths: &[&str]) -> Tool {
    let edit = |path: &&str| FileEdit {
        path: (*path).to_owned(),
        change: Change::Write { content: "text\n".to_owned() },
    };
    Tool::Edit(paths.iter().map(edit).collect())
}

#[test]
fn other_tools_are_judged_by_what_they_touch() {
    use Stance::{Allow, Deny, Silent};
    let config = r#"
        [guard.permissions]
        allow = ["edit:src/**", "edit:**/*.md", "read:~/notes/**", "mcp:github/get_*", "fetch:docs.rs",
                 "fetch:*.example.com", "tool:WebSearch", "tool:Bash", "edit:.git/**", "edit:flyball.toml"]
        deny = ["edit:src/generated/**", "read:vault/**", "mcp:github/delete_*", "fetch:evil.example.com"]
    "#;
    let edit = |path: &str| write_to(&[path]);
    let read = |path: &str| Tool::Read { path: path.to_owned() };
    let mcp = |server: &str, tool: &str| Tool::Mcp { server: server.to_owned(), tool: tool.to_owned() };
    let fetch = |url: &str| Tool::Fetch { url: url.to_owned() };
    let search = |path: Option<&str>| Tool::Search {
        target: SearchFor::Content,
        pattern: "x".to_owned(),
        path: path.map(str::to_owned),
    };
    let moved = |to: &str| {
        Tool::Edit(vec![FileEdit { path: "src/a.rs".into(), change: Change::Move { to: to.to_owned() } }])
    };
    let cases = [
        ("in the folder", "Write", edit("src/a/b.rs"), Allow),
        ("by absolute path", "Write", edit("/project/src/a.rs"), Allow),
        ("beside the folder", "Write", edit("tests/a.rs"), Silent),
        ("out of the folder", "Write", edit("src/../tests/a.rs"), Silent),
        ("by its ending", "Write", edit("docs/deep/a.md"), Allow),
        ("outside the project", "Write", edit("/elsewhere/src/a.rs"), Silent),
        ("on the list", "Write", edit("src/generated/a.rs"), Deny),
        ("git's own, whatever the pattern", "Write", edit(".git/config"), Silent),
        ("flyball's own, whatever the pattern", "Write", edit("flyball.toml"), Silent),
        ("a secret, whatever the pattern", "Write", edit("src/.env"), Silent),
        ("all of several", "apply_patch", write_to(&["src/a.rs", "src/b.rs"]), Allow),
        ("one of several", "apply_patch", write_to(&["src/a.rs", "x.rs"]), Silent),
        ("one of several on the list", "apply_patch", write_to(&["x.rs", "src/generated/a"]), Deny),
        ("no file at all", "apply_patch", write_to(&[]), Silent),
        ("moved within", "apply_patch", moved("src/b.rs"), Allow),
        ("moved out", "apply_patch", moved("b.rs"), Silent),
        ("reading in the project", "Read", read("a.txt"), Allow),
        ("reading elsewhere", "Read", read("/etc/hosts"), Silent),
        ("reading where a pattern says", "Read", read("~/notes/a.md"), Allow),
        ("reading a secret", "Read", read(".env"), Silent),
        ("reading a secret where a pattern says", "Read", read("/home/dev/notes/id_rsa"), Silent),
        ("reading what is on the list", "Read", read("vault/a.txt"), Deny),
        ("searching the project", "Grep", search(None), Allow),
        ("searching a folder", "Grep", search(Some("src")), Allow),
        ("searching elsewhere", "Grep", search(Some("/etc")), Silent),
        ("a tool of a server", "mcp__github__get_issue", mcp("github", "get_issue"), Allow),
        ("another tool of it", "mcp__github__create_issue", mcp("github", "create_issue"), Silent),
        ("one on the list", "mcp__github__delete_repo", mcp("github", "delete_repo"), Deny),
        ("the same of another server", "mcp__gitlab__get_issue", mcp("gitlab", "get_issue"), Silent),
        ("a page", "WebFetch", fetch("https://docs.rs/toml"), Allow),
        ("a page with a port", "WebFetch", fetch("https://docs.rs:443/toml"), Allow),
        ("a page below", "WebFetch", fetch("https://a.example.com/x?y"), Allow),
        ("a page on the list", "WebFetch", fetch("https://evil.example.com/"), Deny),
        ("a host that ends alike", "WebFetch", fetch("https://notdocs.rs/"), Silent),
        ("a host before an at", "WebFetch", fetch("https://docs.rs@evil.com/"), Silent),
        ("a host after a backslash", "WebFetch", fetch("https://evil.com\\@docs.rs/"), Silent),
        ("another scheme", "WebFetch", fetch("file:///etc/passwd"), Silent),
        ("a tool by its name", "WebSearch", Tool::WebSearch { query: "x".into() }, Allow),
        ("another tool", "Deploy", Tool::Other, Silent),
        (
            "the shell is not allowed by its name",
            "Bash",
            Tool::Shell { command: "rm x".into(), background: false },
            Silent,
        ),
    ];
    for (name, tool_name, tool, expected) in cases {
        assert_eq!(stance(config, asked_for(tool_name, tool)), expected, "{name}");
    }
}

#[test]
fn the_evidence_names_what_is_allowed_and_what_is_not() {
    let config = "[guard.permissions]\nallow = ['make docs$']";
    let seen = |line: &str| seen(&judgement(config, asked(line)));
    assert_eq!(
        seen("cd api && make docs | head -3"),
        [
            "allowed: `cd api` by `cd (read-only)`",
            "allowed: `make docs` by `make docs$`",
            "allowed: `head -3` by `head (read-only)`",
        ]
    );
    let not_allowed = [
        ("ls; rm x", "left to the user: `rm x`: no pattern allows it"),
        ("ls $X", "left to the user: `ls $X`: `$X` is only known at run time"),
        ("sudo ls", "left to the user: `ls`: is started by `sudo`"),
        ("ls > x", "left to the user: `ls`: changes `x`, which no pattern covers"),
        ("cat .env", "left to the user: `cat .env`: `.env`: it may hold secrets"),
        ("git log --output=x", "left to the user: `git log --output=x`: `--output=x` changes what it does"),
    ];
    for (line, expected) in not_allowed {
        assert_eq!(seen(line), [expected], "{line}");
    }
}

#[test]
fn a_denial_says_what_why_and_what_instead() {
    let judgement =
        judgement("[guard.permissions]\ndeny = ['npm publish']", asked("ls && npm publish --tag x"));
    assert_eq!(
        judgement.merged.reasons[0].reason.text(),
        "Continue without it, or ask the user to do it: `npm publish --tag x` is denied by `npm publish` in \
         `guard.permissions.deny`"
    );
}

#[test]
fn a_session_outside_the_project_is_left_to_the_user() {
    let mut event = asked("ls");
    event.cwd = AbsolutePath::from_root("/elsewhere");
    assert_eq!(stance("", event), Stance::Silent);
}

#[test]
fn before_a_tool_it_says_nothing() {
    assert!(judged(ONLY, &[], crate::testing::shell("ls")).rulings.is_empty());
}

#[test]
fn wrong_patterns_are_errors_at_their_place() {
    let cases = [
        ("''", "the pattern is empty; for example `cargo test`"),
        ("'$'", "the pattern is empty; for example `cargo test`"),
        ("'* test'", "the program cannot contain `*`; write its full name; `*` matches a word after it"),
        (
            "'A=1 cargo test'",
            "`A=1` is not a program; begin with the program; list variables that may be set before it in `variables`",
        ),
        (
            "'ls && rm'",
            "a pattern cannot contain `&`; write the first words of one command; each command of a line is checked \
             separately",
        ),
        (
            "'write:src/**'",
            "`write:` is not a kind of pattern; the kinds are `edit:`, `read:`, `mcp:`, `fetch:`, `tool:`; a command \
             has no colon in its first word",
        ),
        ("'edti:src/**'", "`edti:` is not a kind of pattern; did you mean `edit:`?"),
        ("'edit:'", "the pattern is empty; for example `edit:src/**`"),
        (
            "'edit:../x'",
            "`../x` contains `..`; for files outside the project, write an absolute path or begin with `~/`",
        ),
        ("'read:~root/x'", "`~root/x` names another user's home; write the absolute path"),
        (
            "'edit:src/[a'",
            "invalid glob `src/[a`: unclosed character class at byte 4; missing ']' (to match a literal '[', escape \
             it as '\\[' or '[[]'); for example `edit:src/**`",
        ),
        (
            "'mcp:github'",
            "`mcp:github` does not name a server and a tool; for example `mcp:github/get_*`, or `mcp:github/*` for all \
             tools of a server",
        ),
        (
            "'fetch:https://docs.rs'",
            "`https://docs.rs` is not a valid host; write only the host: `fetch:docs.rs`, `fetch:*.docs.rs`",
        ),
    ];
    for (pattern, expected) in cases {
        let found = problems(&format!("[guard.permissions]\nallow = ['ls', {pattern}]\n"));
        assert_eq!(found, [format!("flyball.toml:2:17: {expected}")], "{pattern}");
    }
}

#[test]
fn an_unknown_preset_is_an_error() {
    let found = problems("[guard.permissions]\npresets = ['readonly']\n");
    assert_eq!(found, ["flyball.toml:2:12: unknown value `readonly`; did you mean `read-only`?"]);
}
