//! Which workflow is active when, whose manifest counts, and what is recorded.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use flyball_core::config::Section;
use flyball_core::engine::{Judgement, Registry};
use flyball_core::event::{
    Change, CompactTrigger, Event, FileEdit, Outcome, SpawnedAgent, Stopping, Tool, ToolCall,
};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::Memory;
use flyball_core::time::Time;
use flyball_core::verdict::Evidence;

use super::*;
use crate::testing::{InMemory, PinnedWorld, Surroundings, event, judged_in, problems, sections};

/// Asks what is active when the client notifies its user.
static PROBE: Policy = Policy {
    id: PolicyId::new("probe"),
    summary: "asks",
    page: "",
    listens: &[EventKind::Notification],
    on_error: OnError::Notice,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>(),
    run: |situation| {
        let name = active(situation)?.map_or_else(|| "nothing".to_owned(), |active| shown(&active));
        Ok(Verdict::silent().with_evidence("active", name))
    },
    gather: None,
    review: None,
};
static BOTH: Registry = &[&POLICY, &PROBE];
const ON: &str = "[loop.workflow]\nmode = 'enforce'\n";

fn shown(active: &ActiveWorkflow) -> String {
    let manifest =
        active.manifest.as_ref().map(|it| format!(" {} {} {} {}", it.path, it.feature, it.phase, it.status));
    format!("{}{}", active.name, manifest.unwrap_or_default())
}

/// A session, event by event.
struct Session {
    sections: Vec<(String, Section)>,
    memory: Arc<InMemory>,
    files: BTreeMap<String, String>,
    now: Time,
}

impl Session {
    fn new() -> Session {
        Session::with(ON)
    }

    fn with(config: &str) -> Session {
        Session {
            sections: sections(config),
            memory: Arc::default(),
            files: BTreeMap::new(),
            now: Time::from_millis(1_800_000_000_000),
        }
    }

    fn judged(&mut self, event: Event) -> Judgement {
        let mut world = PinnedWorld::new();
        self.now += Duration::from_secs(1);
        world.now = self.now;
        for (path, text) in &self.files {
            world = world.file(path, text);
        }
        judged_in(BOTH, &self.sections, event, Surroundings { world, memory: Arc::clone(&self.memory) })
    }

    /// Something happens, without any output.
    #[track_caller]
    fn does(&mut self, happening: EventData) -> &mut Session {
        self.by(None, happening)
    }

    #[track_caller]
    fn by(&mut self, role: Option<&str>, happening: EventData) -> &mut Session {
        let judgement = self.judged(by(role, happening));
        assert_eq!((judgement.merged.context.text, judgement.merged.notices), (String::new(), vec![]));
        self
    }

    /// The context for the agent when something happens.
    fn context(&mut self, happening: EventData) -> String {
        self.judged(event(happening)).merged.context.text
    }

    fn active(&mut self) -> String {
        let asked = EventData::Notification { topic: String::new(), message: String::new() };
        let judgement = self.judged(event(asked));
        let evidence: Vec<&Evidence> = judgement.rulings.iter().flat_map(|it| &it.verdict.evidence).collect();
        evidence.first().map(|it| it.value.clone()).unwrap_or_default()
    }

    /// Someone else changes a file.
    fn file(&mut self, path: &str, text: &str) -> &mut Session {
        self.files.insert(path.to_owned(), text.to_owned());
        self
    }

    /// The session writes a file.
    #[track_caller]
    fn writes(&mut self, path: &str, text: &str) -> &mut Session {
        self.file(path, text).does(wrote(path, text))
    }

    fn remembered(&self) -> Option<String> {
        self.memory.read("loop.workflow").unwrap()
    }
}

fn by(role: Option<&str>, happening: EventData) -> Event {
    let agent = role.map(|role| Agent { id: format!("{role}-1"), role: role.to_owned() });
    Event { agent, ..event(happening) }
}

fn call(tool: Tool) -> ToolCall {
    ToolCall { id: None, name: "Tool".to_owned(), tool, input: "{}".to_owned() }
}

fn after(tool: Tool) -> EventData {
    EventData::AfterTool { call: call(tool), outcome: Outcome::default() }
}

fn wrote(path: &str, text: &str) -> EventData {
    let change = Change::Write { content: text.to_owned() };
    after(Tool::Edit(vec![FileEdit { path: path.to_owned(), change }]))
}

fn skill(name: &str) -> Tool {
    Tool::Skill { name: name.to_owned(), arguments: String::new() }
}

fn invoked(name: &str) -> EventData {
    EventData::BeforeTool(call(skill(name)))
}

fn command(name: &str) -> EventData {
    EventData::PromptExpanded { command: name.to_owned(), arguments: "login".to_owned() }
}

fn prompt(text: &str) -> EventData {
    EventData::PromptSubmit { text: text.to_owned(), by_machine: false }
}

fn notification() -> EventData {
    EventData::PromptSubmit { text: "<task-notification>".to_owned(), by_machine: true }
}

fn stop() -> EventData {
    EventData::Stop(Stopping::default())
}

fn start(source: &str) -> EventData {
    EventData::SessionStart { source: source.to_owned() }
}

fn compact() -> EventData {
    EventData::BeforeCompact { trigger: CompactTrigger::Auto, instructions: String::new() }
}

const MANIFEST: &str = "/project/.claude/.output/features/login/MANIFEST.yaml";
const RUNNING: &str =
    "feature_name: Login\ncurrent_phase: build\nstatus: in-progress\nphases: {build: in_progress}\n";
const COMPLETE: &str = "feature_name: Login\ncurrent_phase: build\nstatus: complete\n";
const ACTIVE_LINE: &str = "/project/.claude/.output/features/login/MANIFEST.yaml Login build in_progress";

#[test]
fn skills_and_commands_begin_a_workflow_by_name() {
    let cases = [
        (command("feature"), "feature"),
        (command("/feature"), "feature"),
        (command("team:feature"), "team:feature"),
        (invoked("orchestrating-anything"), "orchestrating-anything"),
        (invoked("plugin:bugfix"), "plugin:bugfix"),
        (command("features"), "nothing"),
        (command("feature:list"), "nothing"),
        (invoked("my-feature"), "nothing"),
        (command(""), "nothing"),
    ];
    for (happening, expected) in cases {
        let shown = format!("{happening:?}");
        assert_eq!(Session::new().does(happening).active(), expected, "{shown}");
    }
    let own = "[loop.workflow]\nmode = 'enforce'\nworkflows = ['ship']\n";
    assert_eq!(Session::with(own).does(command("ship")).active(), "ship");
    assert_eq!(Session::with(own).does(command("feature")).active(), "nothing");
}

#[test]
fn a_skill_that_was_not_invoked_starts_no_workflow() {
    let failed =
        |tool| EventData::ToolFailed { call: call(tool), outcome: Outcome::default(), interrupted: false };
    let denied = |tool| EventData::PermissionDenied { call: call(tool), reason: String::new() };
    assert_eq!(Session::new().does(invoked("feature")).does(failed(skill("feature"))).active(), "nothing");
    assert_eq!(Session::new().does(invoked("feature")).does(denied(skill("feature"))).active(), "nothing");
    assert_eq!(Session::new().does(invoked("feature")).does(failed(skill("other"))).active(), "feature");
    // A subagent does not orchestrate the session.
    assert_eq!(Session::new().by(Some("developer"), invoked("feature")).active(), "nothing");
}

#[test]
fn without_a_manifest_it_lasts_until_the_next_prompt_of_a_person() {
    let mut session = Session::new();
    assert_eq!(session.does(prompt("/feature login")).does(command("feature")).active(), "feature");
    assert_eq!(session.does(stop()).does(notification()).does(stop()).active(), "feature");
    assert_eq!(session.does(prompt("now something else")).active(), "nothing");
    // Older clients expand a command before they submit it; and a prompt within a turn does not start a new one.
    let mut session = Session::new();
    assert_eq!(session.does(command("feature")).does(prompt("/feature login")).active(), "feature");
    assert_eq!(session.does(prompt("and please hurry")).active(), "feature");
    assert_eq!(session.does(stop()).does(prompt("thanks")).active(), "nothing");
    // A turn may also end in other ways.
    for end in [EventData::Interrupted, EventData::StopFailed { error: "overloaded".to_owned() }] {
        assert_eq!(
            Session::new().does(command("feature")).does(end).does(prompt("stop that")).active(),
            "nothing"
        );
    }
    // A workflow can be started again.
    let mut session = Session::new();
    session.does(command("feature")).does(stop()).does(command("feature"));
    assert_eq!(session.does(prompt("/feature login")).active(), "feature");
}

#[test]
fn with_a_manifest_it_lasts_until_the_manifest_ends_it() {
    let mut session = Session::new();
    session.does(command("feature")).writes(MANIFEST, RUNNING);
    for _ in 0..3 {
        session.does(stop()).does(prompt("approved, go on"));
        assert_eq!(session.active(), format!("feature {ACTIVE_LINE}"));
    }
    // The file on disk counts, no matter who wrote it.
    assert_eq!(session.file(MANIFEST, COMPLETE).active(), "nothing");
    assert_eq!(session.file(MANIFEST, RUNNING).active(), format!("feature {ACTIVE_LINE}"));
    // Once the end was noticed, only the manifest can continue it.
    session.file(MANIFEST, COMPLETE).does(stop());
    assert_eq!(session.active(), "nothing");
    assert_eq!(session.file(MANIFEST, RUNNING).active(), format!("Login {ACTIVE_LINE}"));
    // A new start does not need it.
    assert_eq!(session.file(MANIFEST, COMPLETE).does(command("bugfix")).active(), "bugfix");
}

#[test]
fn a_manifest_alone_is_a_workflow_if_this_session_wrote_it() {
    let mut session = Session::new();
    assert_eq!(session.writes(MANIFEST, RUNNING).active(), format!("Login {ACTIVE_LINE}"));
    let mut by_command = Session::new();
    by_command.file(MANIFEST, RUNNING);
    let line = format!("cat draft.yaml > {MANIFEST}");
    by_command
        .file("/project/draft.yaml", RUNNING)
        .does(after(Tool::Shell { command: line, background: false }));
    assert_eq!(by_command.active(), format!("Login {ACTIVE_LINE}"));
    let mut named_otherwise =
        Session::with("[loop.workflow]\nmode = 'enforce'\nmanifests = ['plans/*.yml']\n");
    named_otherwise
        .writes(MANIFEST, RUNNING)
        .writes("/project/plans/a.yml", "current_phase: 2\nfeature_slug: a");
    assert_eq!(named_otherwise.active(), "a /project/plans/a.yml a 2 ");
}

#[test]
fn a_manifest_that_is_read_counts_only_while_a_workflow_is_active() {
    let read = |path: &str| after(Tool::Read { path: path.to_owned() });
    let other = "/project/.claude/.output/features/other/MANIFEST.yaml";
    let mut session = Session::new();
    session.file(MANIFEST, RUNNING).file(other, COMPLETE);
    assert_eq!(session.does(read(MANIFEST)).active(), "nothing");
    // One that is over is read for comparison; the next is not the session's any more once it has one.
    assert_eq!(session.does(command("feature")).does(read(other)).active(), "feature");
    assert_eq!(session.does(read(MANIFEST)).active(), format!("feature {ACTIVE_LINE}"));
    session.file(other, RUNNING);
    assert_eq!(session.does(read(other)).active(), format!("feature {ACTIVE_LINE}"));
}

#[test]
fn an_invalid_manifest_is_reported_to_its_writer_and_ends_nothing() {
    let mut session = Session::new();
    session.does(command("feature")).writes(MANIFEST, RUNNING).file(MANIFEST, "a: [");
    let context = session.context(wrote(MANIFEST, "a: ["));
    assert_eq!(
        context,
        "Fix `.claude/.output/features/login/MANIFEST.yaml`: it is not a valid manifest (line 1, column 4: unclosed \
         bracket '['), so the phase of the workflow is unknown."
    );
    assert_eq!(session.active(), "feature");
    assert_eq!(session.does(stop()).does(prompt("hm")).active(), "nothing");
}

#[test]
fn manifest_use_counts_more_than_a_written_manifest() {
    let other = "/project/other/MANIFEST.yaml";
    let mut session = Session::new();
    session.file(other, RUNNING).writes(MANIFEST, RUNNING);
    let text =
        register(session.remembered().as_deref(), AbsolutePath::from_root(other), Time::from_millis(7));
    assert_eq!(manifest_path(&text).as_deref(), Some(other));
    session.memory.write("loop.workflow", text).unwrap();
    assert_eq!(session.active(), "Login /project/other/MANIFEST.yaml Login build in_progress");
    assert_eq!(
        session.writes(MANIFEST, RUNNING).active(),
        "Login /project/other/MANIFEST.yaml Login build in_progress"
    );
    session.file(other, COMPLETE).does(stop());
    assert_eq!(session.writes(MANIFEST, RUNNING).active(), format!("Login {ACTIVE_LINE}"));
    // In a session without a manifest.
    let fresh = register(None, AbsolutePath::from_root(MANIFEST), Time::from_millis(7));
    session.memory.write("loop.workflow", fresh).unwrap();
    assert_eq!(session.active(), format!("Login {ACTIVE_LINE}"));
    assert_eq!(trail("no state"), Trail::default());
}

#[test]
fn the_workflow_is_described_over_a_compaction() {
    let mut session = Session::new();
    assert_eq!(session.context(compact()), "");
    session.does(command("feature"));
    let begun = "The workflow `feature` was started in this session and is not finished; it has no manifest.";
    assert_eq!(session.context(compact()), begun);
    session.writes(MANIFEST, RUNNING).by(Some("tester"), EventData::AgentStart);
    let status = "The workflow `feature` is not finished: feature `Login`, current phase `build`, status \
                  `in_progress`. Its state is kept in the manifest \
                  `.claude/.output/features/login/MANIFEST.yaml`. Agents that have not reported yet: `tester` \
                  (tester-1).";
    assert_eq!(session.context(compact()), status);
    assert_eq!(session.context(start("compact")), status);
    assert_eq!(session.file(MANIFEST, COMPLETE).context(start("compact")), "");
}

#[test]
fn the_agents_and_their_documents_are_recorded() {
    let mut session = Session::new();
    session.by(Some("architect"), EventData::AgentStart);
    session.file("/project/docs/design.md", "x").by(Some("architect"), wrote("/project/docs/design.md", "x"));
    session.file("/project/src/a.rs", "x").by(Some("architect"), wrote("/project/src/a.rs", "x"));
    session.writes("/project/docs/mine.md", "x");
    let stopping = Stopping { last_message: "# Designed\nall of it".to_owned(), ..Stopping::default() };
    session.by(Some("architect"), EventData::AgentStop { stopping, transcript: None });
    let spawn = Tool::SpawnAgent { role: "tester".to_owned(), prompt: String::new(), background: Some(true) };
    let spawned = Some(SpawnedAgent { id: "t-1".to_owned(), is_running: true });
    let outcome = Outcome { spawned, ..Outcome::default() };
    session.does(EventData::AfterTool { call: call(spawn), outcome });
    // The client's own helpers have no role.
    session.by(Some(""), EventData::AgentStart);
    let at = |seconds: u64| Time::from_millis(1_800_000_000_000 + seconds * 1_000);
    let expected = Trail {
        agents: vec![
            AgentRun {
                id: "architect-1".to_owned(),
                role: "architect".to_owned(),
                started: at(1),
                ended: Some(at(5)),
                result: "Designed".to_owned(),
                background: false,
            },
            AgentRun {
                id: "t-1".to_owned(),
                role: "tester".to_owned(),
                started: at(6),
                background: true,
                ..AgentRun::default()
            },
        ],
        artifacts: vec![Artifact {
            path: "docs/design.md".to_owned(),
            by: "architect".to_owned(),
            at: at(2),
        }],
        dropped: 0,
    };
    assert_eq!(trail(&session.remembered().unwrap()), expected);
}

#[test]
fn nothing_is_remembered_where_nothing_happened_or_the_policy_is_off() {
    let everyday = || {
        let shell = Tool::Shell { command: "echo x > a.rs".to_owned(), background: false };
        [
            start("startup"),
            prompt("hello"),
            command("help"),
            invoked("pdf"),
            after(shell),
            wrote("/project/a.rs", "x"),
            after(Tool::Read { path: MANIFEST.to_owned() }),
            compact(),
            stop(),
        ]
    };
    let mut session = Session::new();
    session.file("/project/a.rs", "x").file(MANIFEST, RUNNING);
    for happening in everyday() {
        session.does(happening);
    }
    assert_eq!(session.remembered(), None);
    let mut off = Session::with("");
    off.does(command("feature")).writes(MANIFEST, RUNNING);
    assert_eq!((off.remembered(), off.active()), (None, "nothing".to_owned()));
}

#[test]
fn an_unknown_key_is_refused_at_its_place() {
    assert_eq!(
        problems("[loop.workflow]\nworkflow = []\n"),
        ["flyball.toml:2:1: unknown key `workflow`; did you mean `workflows`?"]
    );
}

// Defect 5 of the enforcement hooks.
#[test]
fn defect_5_only_a_fresh_start_forgets() {
    for (source, expected) in [("resume", "feature"), ("compact", "feature"), ("fork", "feature")] {
        let mut session = Session::new();
        session.does(command("feature"));
        session.judged(event(start(source)));
        assert_eq!(session.active(), expected, "{source}");
    }
    for source in ["startup", "clear"] {
        let mut session = Session::new();
        session.does(command("feature")).writes(MANIFEST, RUNNING).does(start(source));
        assert_eq!(session.active(), "nothing", "{source}");
    }
}

// Defect 6 of the enforcement hooks.
#[test]
fn defect_6_words_and_paths_are_not_a_workflow() {
    let mut session = Session::new();
    session.does(prompt("please run /feature for src/features/login, as in skill: feature"));
    session.writes("/project/src/features/login.ts", "/feature orchestrating-features");
    session.does(after(Tool::Shell {
        command: "cat .claude/skills/feature/SKILL.md".to_owned(),
        background: false,
    }));
    session.does(after(Tool::Read { path: "/project/.claude/commands/feature.md".to_owned() }));
    assert_eq!(session.active(), "nothing");
}

// Defect 19 of the enforcement hooks.
#[test]
fn defect_19_a_manifest_of_another_session_is_not_this_ones() {
    let mut session = Session::new();
    session.file(MANIFEST, RUNNING).does(prompt("hello"));
    // Opaque commands may have changed anything, and so may have another session.
    session.does(after(Tool::Shell { command: "make all".to_owned(), background: false }));
    session.does(after(Tool::Shell { command: format!("cat {MANIFEST}"), background: false }));
    assert_eq!(session.active(), "nothing");
}
