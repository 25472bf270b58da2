//! Sessions of several events: what stays denied, what is reported, and when it ends.

use std::sync::Arc;
use std::time::Duration;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::engine::{Judgement, Registry};
use flyball_core::event::{Change, Event, EventData, EventKind, FileEdit, Tool};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Memory, OnError, Policy, PolicyId};
use flyball_core::time::Time;
use flyball_core::verdict::{Reason, Stance, Subject, Verdict};

use super::parse_active;
use crate::testing::{
    InMemory, PinnedWorld, Surroundings, before, judged_in, problems, sections, shell, write,
};

/// Denies what it can see of these files, which is edit tools alone, and one intent.
static KEEPER: Policy = Policy {
    id: PolicyId::new("guard.keeper"),
    summary: "keeps files",
    page: "",
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<crate::guard::own::Settings>(),
    run: |situation| {
        let Some(call) = situation.event.call() else { return Ok(Verdict::silent()) };
        let no = |what: &str| Verdict::deny(Reason::plain(what));
        Ok(match &call.tool {
            Tool::Edit(edits) => {
                let kept = edits.iter().filter(|edit| edit.path.ends_with("kept.toml"));
                kept.fold(Verdict::silent(), |_, edit| {
                    let file = situation.world.real_path(&situation.event.cwd, &edit.path);
                    no("not this file").with_subject(Subject::File(file))
                })
            }
            Tool::Shell { command, .. } if command.contains("npm") => {
                no("use uv").with_subject(Subject::Intent("packages.python".to_owned()))
            }
            _ => Verdict::silent(),
        })
    },
    gather: None,
    review: None,
};

static BOTH: Registry = &[&KEEPER, &super::POLICY];
static WITH_SELF: Registry = &[&crate::guard::own::POLICY, &super::POLICY];

/// One session, in which time passes.
struct Session {
    registry: Registry,
    config: &'static str,
    memory: Arc<InMemory>,
    minutes: u64,
}

impl Session {
    fn new() -> Session {
        Session { registry: BOTH, config: "", memory: Arc::default(), minutes: 0 }
    }

    /// One in which `conf/kept.toml` was denied to an edit tool.
    fn with_denial() -> Session {
        let session = Session::new();
        assert_eq!(session.stance(write("conf/kept.toml", "")), Stance::Deny);
        session
    }

    fn later(mut self, minutes: u64) -> Session {
        self.minutes += minutes;
        self
    }

    fn judge(&self, event: Event) -> Judgement {
        let mut world = PinnedWorld::new();
        world.now += Duration::from_mins(self.minutes);
        judged_in(
            self.registry,
            &sections(self.config),
            event,
            Surroundings { world, memory: Arc::clone(&self.memory) },
        )
    }

    fn stance(&self, event: Event) -> Stance {
        self.judge(event).merged.stance
    }

    /// The reasons for the agent and the notices for the user.
    fn messages(&self, event: Event) -> (Vec<String>, Vec<String>) {
        let merged = self.judge(event).merged;
        let line = |given: &flyball_core::merge::AttributedReason| {
            format!("[{}] {}", given.policy, given.reason.text())
        };
        (merged.reasons.iter().map(line).collect(), merged.notices)
    }

    fn remembered(&self) -> Vec<super::Denial> {
        let text = self.memory.read("guard.denials").unwrap().unwrap_or_default();
        parse_active(&text, PinnedWorld::new().now + Duration::from_mins(self.minutes))
    }
}

fn called(id: &str, mut event: Event) -> Event {
    if let EventData::BeforeTool(call) = &mut event.happening {
        call.id = Some(id.to_owned());
    }
    event
}

fn tool(name: &str, tool: Tool, input: &str) -> Event {
    let mut event = before(name, tool);
    if let EventData::BeforeTool(call) = &mut event.happening {
        input.clone_into(&mut call.input);
    }
    event
}

fn server(name: &str, input: &str) -> Event {
    tool(&format!("mcp__x__{name}"), Tool::Mcp { server: "x".to_owned(), tool: name.to_owned() }, input)
}

#[test]
fn a_session_without_a_denial_remembers_nothing() {
    let session = Session::new();
    for event in [shell("echo x > conf/kept.toml"), write("a.txt", ""), shell("make")] {
        assert_eq!(session.stance(event), Stance::Silent);
    }
    assert_eq!(session.memory.read("guard.denials").unwrap(), None);
}

#[test]
fn a_held_file_is_denied_by_every_route_but_reading() {
    use Stance::{Deny, Silent};
    let cases = [
        ("a redirection", "echo x > conf/kept.toml", Deny),
        ("appending", "cd conf && echo x >> kept.toml", Deny),
        ("in a substitution", "echo $(echo x > conf/kept.toml)", Deny),
        ("a pattern", "echo x > conf/*.toml", Deny),
        ("a pattern that misses", "echo x > conf/*.json", Silent),
        ("a path only known later", "echo x > \"$DIR/kept.toml\"", Deny),
        ("another path only known later", "echo x > \"$DIR/other.toml\"", Silent),
        ("a folder only known later", "cd \"$DIR\" && echo x > kept.toml", Deny),
        ("code", "python3 -c \"open('conf/kept.toml', 'w')\"", Deny),
        ("code in a here-document", "python3 - <<'E'\nopen('conf/kept.toml','w')\nE", Deny),
        ("a line that cannot be read", "echo ' > conf/kept.toml", Deny),
        ("a file of the same name elsewhere", "echo x > docs/kept.toml", Silent),
        ("code about a file of the same name", "python3 -c \"open('docs/kept.toml', 'w')\"", Silent),
        ("reading", "cat conf/kept.toml", Silent),
        ("reading a path only known later", "cat < \"$DIR/kept.toml\"", Silent),
        ("searching", "grep -n x conf/kept.toml | head", Silent),
        ("comparing", "git diff conf/kept.toml", Silent),
        ("in a message", "git commit -m 'why conf/kept.toml stays'", Silent),
        ("in a text", "echo 'see conf/kept.toml' > notes.md", Silent),
        ("in a here-document", "cat > notes.md <<'E'\nsee 'conf/kept.toml'\nE", Silent),
        ("changed in place", "sed -i s/a/b/ conf/kept.toml", Deny),
        ("printed by sed", "sed -n 1,5p conf/kept.toml", Silent),
        ("copied onto", "cp /tmp/x conf/kept.toml", Deny),
        ("copied away", "cp conf/kept.toml /tmp/x", Silent),
        ("moved away", "mv conf/kept.toml /tmp/x", Deny),
        ("moved onto", "mv /tmp/x conf/kept.toml", Deny),
        ("linked", "ln conf/kept.toml x", Deny),
        ("linked over", "ln -sf /tmp/x conf/kept.toml", Deny),
        ("written by tee", "echo x | sudo tee conf/kept.toml", Deny),
        ("deleted", "rm -f conf/kept.toml", Deny),
        ("deleted by a pattern", "rm conf/*", Deny),
        ("deleted with its folder", "rm -rf conf", Deny),
        ("deleted with a folder by a pattern", "rm -rf con*", Deny),
        ("its folder moved", "mv conf conf-old", Deny),
        ("another folder deleted", "rm -rf build con", Silent),
        ("everything made readable", "chmod -R u+r .", Silent),
        ("given to an unknown program", "./tool conf/kept.toml", Deny),
        ("a script that may do anything", "./tool", Silent),
        ("staged", "git add conf/kept.toml", Silent),
        ("its history", "git log -p -- conf/kept.toml", Silent),
        ("looked for", "test -f conf/kept.toml && stat conf/kept.toml", Silent),
        ("its hash", "sha256sum conf/kept.toml | cut -c1-8", Silent),
        ("compared", "diff conf/kept.toml /tmp/x", Silent),
        ("its folder listed", "ls -la conf", Silent),
        ("its folder searched", "grep -rn x conf", Silent),
        ("something else", "make test", Silent),
    ];
    for (name, line, expected) in cases {
        assert_eq!(Session::with_denial().stance(shell(line)), expected, "{name}: {line}");
    }
}

#[test]
fn a_held_file_is_denied_to_tools_that_are_given_it() {
    use Stance::{Deny, Silent};
    let moved = |from: &str, to: &str| {
        let change = Change::Move { to: to.to_owned() };
        before("apply_patch", Tool::Edit(vec![FileEdit { path: from.to_owned(), change }]))
    };
    let cases = [
        ("another edit", write("/project/conf/../conf/kept.toml", ""), Deny),
        ("moved onto it", moved("x.toml", "conf/kept.toml"), Deny),
        ("another file", write("conf/other.toml", ""), Silent),
        ("a tool server", server("write_file", r#"{"path":"/project/conf/kept.toml"}"#), Deny),
        ("deep in its input", server("batch", r#"{"a":[{"b":"conf/kept.toml"}]}"#), Deny),
        ("code", server("run", r#"{"code":"open('conf/kept.toml', 'w')"}"#), Deny),
        ("one that reads", server("read_file", r#"{"path":"conf/kept.toml"}"#), Silent),
        ("one that reads, in capitals", server("listFiles", r#"{"path":"conf/kept.toml"}"#), Silent),
        ("one that is called like one", server("getter", r#"{"path":"conf/kept.toml"}"#), Deny),
        ("another file", server("write_file", r#"{"path":"docs/kept.toml"}"#), Silent),
        ("in a text", server("create_issue", r#"{"body":"please change 'conf/kept.toml'"}"#), Silent),
        ("a question", tool("Ask", Tool::Other, r#"{"text":"may I change conf/kept.toml?"}"#), Silent),
        ("an unknown tool", tool("Put", Tool::Other, r#"{"file":"conf/kept.toml"}"#), Deny),
        ("a read", before("Read", Tool::Read { path: "conf/kept.toml".to_owned() }), Silent),
    ];
    for (name, event, expected) in cases {
        assert_eq!(Session::with_denial().stance(event), expected, "{name}");
    }
}

#[test]
fn the_second_attempt_is_explained_and_the_third_is_reported_to_the_user() {
    let session = Session::new();
    let (first, notices) = session.messages(write("conf/kept.toml", ""));
    assert_eq!((first, notices), (vec!["[guard.keeper] not this file".to_owned()], vec![]));

    let session = session.later(2);
    let (second, notices) = session.messages(shell("cat > conf/kept.toml"));
    assert_eq!(
        second,
        ["[guard.denials] Do not try another way; tell the user what you would change and why: changing \
             `conf/kept.toml` was denied before (2 minutes ago, with Write). It stays denied, whatever tool is used"]
    );
    assert_eq!(notices, Vec::<String>::new());

    let session = session.later(1);
    let (third, notices) = session.messages(write("conf/kept.toml", ""));
    assert_eq!(
        third,
        [
            "[guard.keeper] not this file",
            "[guard.denials] Do not try another way; tell the user what you would change and why: changing \
             `conf/kept.toml` was denied before (3 minutes ago, with Write). It stays denied, whatever tool is used"
        ]
    );
    assert_eq!(notices, ["the agent tried 3 times to change `conf/kept.toml`, which guard.keeper denies"]);
    let remembered = session.remembered();
    assert_eq!((remembered.len(), remembered[0].attempts), (1, 3));
    assert_eq!(remembered[0].until.since(remembered[0].since), Duration::from_mins(33));
}

#[test]
fn an_intent_is_counted_and_denied_by_its_own_policy() {
    let session = Session::new();
    session.messages(shell("npm install"));
    let (second, _) = session.messages(shell("npm ci"));
    assert_eq!(
        second,
        [
            "[guard.keeper] use uv",
            "[guard.denials] Do not try another way; do what guard.keeper says, or tell the user why that is not possible: \
             this was denied before (a moment ago, with Bash). It stays denied, whatever tool is used"
        ]
    );
    let (_, notices) = session.messages(shell("npm i"));
    assert_eq!(notices, ["the agent tried 3 times what guard.keeper denies: packages.python"]);
    assert_eq!(session.stance(shell("uv add x")), Stance::Silent);
}

#[test]
fn a_denial_ends_with_its_time_and_with_the_session() {
    let session = Session::with_denial().later(29);
    assert_eq!(session.stance(shell("echo x > conf/kept.toml")), Stance::Deny);
    let session = session.later(29);
    assert_eq!(
        session.stance(shell("echo x > conf/kept.toml")),
        Stance::Deny,
        "counted from the last attempt"
    );
    let session = session.later(30);
    assert_eq!(session.stance(shell("echo x > conf/kept.toml")), Stance::Silent);
    assert_eq!(session.remembered(), []);
    assert_eq!(Session::new().stance(shell("echo x > conf/kept.toml")), Stance::Silent);
}

#[test]
fn the_settings_are_heeded() {
    let mut session = Session::with_denial();
    session.config = "[guard.denials]\nescalate_after = 0\n";
    for _ in 0..4 {
        assert_eq!(session.messages(write("conf/kept.toml", "")).1, Vec::<String>::new());
    }
    let nothing = Session { config: "[guard.denials]\nhold = '0s'\n", ..Session::new() };
    assert_eq!(nothing.messages(write("conf/kept.toml", "")).0, ["[guard.keeper] not this file"]);
    assert_eq!(nothing.messages(write("conf/kept.toml", "")).0, ["[guard.keeper] not this file"]);
    assert_eq!(nothing.stance(shell("echo > conf/kept.toml")), Stance::Silent);
    let observed = Session { config: "[guard.denials]\nmode = 'observe'\n", ..Session::with_denial() };
    assert_eq!(observed.stance(shell("echo > conf/kept.toml")), Stance::Silent);
}

#[test]
fn a_denial_that_did_not_count_is_not_held() {
    let mut session = Session::new();
    session.registry = WITH_SELF;
    session.config = "[guard.self]\nmode = 'observe'\n";
    assert_eq!(session.stance(write("flyball.toml", "")), Stance::Silent);
    assert_eq!(session.remembered(), []);
}

#[test]
fn a_call_that_is_reported_twice_counts_once() {
    let session = Session::new();
    for _ in 0..2 {
        let (reasons, _) = session.messages(called("t1", write("conf/kept.toml", "")));
        assert_eq!(reasons, ["[guard.keeper] not this file"], "the same answer");
    }
    let answers: Vec<_> =
        (0..2).map(|_| session.messages(called("t2", shell("echo x > conf/kept.toml")))).collect();
    assert_eq!(answers[0], answers[1]);
    assert_eq!(session.remembered()[0].attempts, 2);
    session.messages(called("t3", write("conf/kept.toml", "")));
    assert_eq!(session.remembered()[0].attempts, 3);
}

#[test]
fn files_of_flyball_stay_denied_too() {
    let session = Session { registry: WITH_SELF, ..Session::new() };
    assert_eq!(session.stance(shell("python3 -c \"import fix; fix.now('flyball.toml')\"")), Stance::Ask);
    assert_eq!(session.stance(write("flyball.toml", "")), Stance::Deny);
    assert_eq!(session.stance(shell("cat > flyball.toml")), Stance::Deny);
    assert_eq!(session.stance(shell("python3 -c \"import fix; fix.now('flyball.toml')\"")), Stance::Deny);
    assert_eq!(session.remembered()[0].attempts, 3);
    assert_eq!(session.remembered()[0].policy, "guard.self");
    assert_eq!(session.stance(shell("cat flyball.toml")), Stance::Silent);
}

#[test]
fn memory_is_bounded_and_the_oldest_goes_first() {
    let session = Session::new();
    for number in 0..70 {
        session.messages(write(&format!("{number}/kept.toml"), ""));
        session.messages(write("always/kept.toml", ""));
    }
    let remembered = session.remembered();
    let file = |path: &str| Subject::File(AbsolutePath::from_root(format!("/project/{path}/kept.toml")));
    assert_eq!(remembered.len(), 64);
    assert_eq!(remembered[0].subject, file("7"));
    assert_eq!(remembered[63].subject, file("always"));
    assert_eq!(session.stance(shell("echo > 0/kept.toml")), Stance::Silent);
    assert_eq!(session.stance(shell("echo > 69/kept.toml")), Stance::Deny);
}

#[test]
fn many_files_are_named_in_one_sentence() {
    let session = Session::new();
    for folder in ["a", "b", "c", "d"] {
        session.messages(write(&format!("{folder}/kept.toml"), ""));
    }
    let (reasons, _) = session
        .messages(shell("echo > a/kept.toml; echo > b/kept.toml; echo > c/kept.toml; echo > d/kept.toml"));
    assert_eq!(reasons.len(), 1);
    assert!(
        reasons[0].starts_with(
            "[guard.denials] Do not try another way; tell the user what you would change and why: changing \
             `a/kept.toml`, `b/kept.toml`, `c/kept.toml` and 1 more were denied before"
        ),
        "{reasons:?}"
    );
}

#[test]
fn a_length_of_time_that_is_none_is_refused_at_its_place() {
    assert_eq!(
        problems("[guard.denials]\nhold = 'soon'\n"),
        ["flyball.toml:2:8: invalid length of time `soon`; write `30s`, `10m`, `2h` or `1d`"]
    );
}

#[test]
fn what_was_stored_by_another_version_holds_nothing_when_it_is_shown() {
    assert_eq!(parse_active("", Time::default()), []);
    assert_eq!(parse_active("[1]", Time::default()), []);
    assert_eq!(parse_active("{}", Time::default()), []);
}

#[test]
fn a_denial_ends_when_the_policy_has_no_objection_any_more() {
    let mut session = Session::with_denial();
    static ALONE: Registry = &[&super::POLICY];
    session.registry = ALONE;
    assert_eq!(session.stance(shell("rm conf/kept.toml")), Stance::Deny);
    assert_eq!(session.stance(write("conf/kept.toml", "")), Stance::Silent);
    assert_eq!(session.stance(shell("rm conf/kept.toml")), Stance::Silent);
}
