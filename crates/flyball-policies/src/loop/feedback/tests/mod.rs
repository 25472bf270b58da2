//! The loop as a policy: what is read, what is remembered, and the messages.

mod agents;
mod configs;
mod defects;
mod gathers;
mod markers;
mod proofs;
mod spawns;
mod stories;
mod test_runs;
mod texts;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use flyball_core::config::Section;
use flyball_core::engine::{Judgement, Registry};
use flyball_core::event::{
    Agent, BackgroundWork, Change, CompactTrigger, Event, EventData, FileEdit, Outcome, SpawnedAgent,
    Stopping, Tool, ToolCall,
};
use flyball_core::policy::Memory;
use flyball_core::time::Time;
use flyball_core::verdict::{Reason, Stance, Verdict};

use super::settings::Settings;
use super::state::State;
use crate::testing::{InMemory, PinnedWorld, Surroundings, event, judged_in, sections};

static ONLY: Registry = &[&super::POLICY];

const ON: &str = "[loop.feedback]\nmode = 'enforce'\n";

/// One phase and one domain.
const SHORT: &str = "
[loop.feedback]
mode = 'enforce'

[[loop.feedback.phase]]
name = 'review'
heading = 'Review Result'
pass = 'REVIEW_APPROVED'
fail = 'REVIEW_REJECTED'
issues = ['Issues']
agents = ['reviewer']

[[loop.feedback.domain]]
name = 'code'
paths = ['src/**']
";

const APPROVED: &str = "## Review Result\nREVIEW_APPROVED";
const REJECTED: &str =
    "## Review Result\nREVIEW_REJECTED\n### Issues\n- a.go:3 the error is dropped\n- no test";
const PLANNED: &str = "## Test Planning Result\nTEST_PLAN_READY";
const PASSED: &str = "## Test Result\nTESTS_PASSED";
const FAILED: &str = "## Test Result\nTESTS_FAILED\n### Failures\n- TestA: got 1, want 2";

/// Everything that the policy returns: stance, reasons, context, notices.
type Output = (Stance, Vec<String>, Vec<String>, Vec<String>);

/// A session with its files.
struct Session {
    sections: Vec<(String, Section)>,
    memory: Arc<InMemory>,
    files: BTreeMap<String, String>,
    /// Files that did not change in this session.
    old: Vec<String>,
    agents: usize,
    now: Time,
    /// The client that reports the events.
    client: &'static str,
}

impl Session {
    fn new(config: &str) -> Session {
        Session {
            sections: sections(config),
            memory: Arc::default(),
            files: BTreeMap::new(),
            old: Vec::new(),
            agents: 0,
            now: Time::from_millis(1_800_000_000_000),
            client: "test",
        }
    }

    /// The same project with the same files, in another session.
    fn another(&self) -> Session {
        Session {
            memory: Arc::default(),
            files: self.files.clone(),
            old: self.old.clone(),
            sections: self.sections.clone(),
            ..*self
        }
    }

    fn settings(&self) -> Settings {
        self.sections.iter().find(|(id, _)| id == "loop.feedback").unwrap().1.parse().unwrap()
    }

    fn state(&self) -> State {
        let text = self.memory.read("loop.feedback").unwrap();
        text.map(|text| serde_json::from_str(&text).unwrap()).unwrap_or_default()
    }

    /// Remembers another state, as a command of the user does.
    fn set(&self, state: &State) {
        self.memory.write("loop.feedback", serde_json::to_string(state).unwrap()).unwrap();
    }

    fn world(&self) -> PinnedWorld {
        let mut world = PinnedWorld::new();
        world.now = self.now;
        for (path, content) in &self.files {
            let at = if self.old.contains(path) { Time::default() } else { self.now };
            world = world.file(path, content).changed_at(path, at);
        }
        world
    }

    fn happens(&mut self, event: Event) -> Judgement {
        self.now += Duration::from_secs(1);
        let event = Event { client: self.client.to_owned(), ..event };
        judged_in(
            ONLY,
            &self.sections,
            event,
            Surroundings { world: self.world(), memory: Arc::clone(&self.memory) },
        )
    }

    fn output(&mut self, event: Event) -> Output {
        output_of(&self.happens(event).rulings.remove(0).verdict)
    }

    /// Somebody edits a file with the client's tool, without any output.
    fn edit_by(&mut self, agent: Option<Agent>, path: &str, content: &str) {
        self.put(path, content);
        let change = Change::Write { content: content.to_owned() };
        let call = call("Write", Tool::Edit(vec![FileEdit { path: path.to_owned(), change }]));
        let event = Event { agent, ..event(EventData::AfterTool { call, outcome: Outcome::default() }) };
        assert_eq!(self.output(event), silence(), "{path}");
    }

    fn edit(&mut self, path: &str, content: &str) {
        self.edit_by(None, path, content);
    }

    /// Somebody else changes a file.
    fn put(&mut self, path: &str, content: &str) {
        self.files.insert(format!("/project/{path}"), content.to_owned());
    }

    /// A command that changed this file.
    fn run(&mut self, command: &str, path: &str, content: &str) {
        self.put(path, content);
        let call = call("Bash", Tool::Shell { command: command.to_owned(), background: false });
        let event = event(EventData::AfterTool { call, outcome: Outcome::default() });
        assert_eq!(self.output(event), silence(), "{command}");
    }

    /// An agent that was asked for starts.
    fn starts(&mut self, role: &str) -> Agent {
        self.spawn(role, &format!("call{}", self.agents));
        self.starts_unasked(role)
    }

    /// The same, with this prompt.
    fn starts_with(&mut self, role: &str, prompt: &str) -> Agent {
        self.spawn_with(role, prompt, &format!("call{}", self.agents));
        self.starts_unasked(role)
    }

    /// The client is about to spawn an agent.
    fn spawn(&mut self, role: &str, id: &str) {
        self.spawn_with(role, "look", id);
    }

    fn spawn_with(&mut self, role: &str, prompt: &str, id: &str) {
        let tool = Tool::SpawnAgent { role: role.to_owned(), prompt: prompt.to_owned(), background: None };
        let call = ToolCall { id: Some(id.to_owned()), ..call("Agent", tool) };
        assert_eq!(self.output(event(EventData::BeforeTool(call))), silence(), "{role}");
    }

    /// Tests run, and pass.
    fn tests_pass(&mut self, command: &str) {
        let call = call("Bash", Tool::Shell { command: command.to_owned(), background: false });
        let outcome = Outcome { exited_well: true, ..Outcome::default() };
        assert_eq!(self.output(event(EventData::AfterTool { call, outcome })), silence(), "{command}");
    }

    fn starts_unasked(&mut self, role: &str) -> Agent {
        self.agents += 1;
        let agent = Agent { id: format!("a{}", self.agents), role: role.to_owned() };
        let event = Event { agent: Some(agent.clone()), ..event(EventData::AgentStart) };
        assert_eq!(self.output(event).0, Stance::Silent, "{role}");
        agent
    }

    fn finishes(&mut self, agent: &Agent, text: &str) -> Output {
        let stopping = Stopping { last_message: text.to_owned(), ..Stopping::default() };
        let happening = EventData::AgentStop { stopping, transcript: None };
        self.output(Event { agent: Some(agent.clone()), ..event(happening) })
    }

    /// An agent starts and ends with this message.
    fn agent(&mut self, role: &str, text: &str) -> Output {
        let agent = self.starts(role);
        if text.contains("TESTS_PASSED") {
            self.tests_pass("cargo test");
        }
        self.finishes(&agent, text)
    }

    /// Its answer is returned to its spawner.
    fn answered(&mut self, role: &str, text: &str, spawned: SpawnedAgent) -> Output {
        let tool = Tool::SpawnAgent { role: role.to_owned(), prompt: "look".to_owned(), background: None };
        let outcome = Outcome { text: text.to_owned(), spawned: Some(spawned), ..Outcome::default() };
        self.output(event(EventData::AfterTool { call: call("Agent", tool), outcome }))
    }

    fn prompt(&mut self, text: &str) -> Output {
        self.output(event(EventData::PromptSubmit { text: text.to_owned(), by_machine: false }))
    }

    fn start(&mut self, source: &str) -> Output {
        self.output(event(EventData::SessionStart { source: source.to_owned() }))
    }

    fn compact(&mut self) -> Output {
        let (trigger, instructions) = (CompactTrigger::Auto, String::new());
        self.output(event(EventData::BeforeCompact { trigger, instructions }))
    }

    fn stops_with(&mut self, stopping: Stopping) -> Output {
        self.output(event(EventData::Stop(stopping)))
    }

    fn stop(&mut self) -> Output {
        self.stops_with(Stopping::default())
    }

    fn stop_again(&mut self) -> Output {
        self.stops_with(Stopping { again: true, ..Stopping::default() })
    }

    /// The status of the loop in one line.
    fn line(&self) -> Option<String> {
        super::one_line(&self.state(), &self.settings())
    }
}

fn output_of(verdict: &Verdict) -> Output {
    (
        verdict.stance,
        verdict.reasons.iter().map(Reason::text).collect(),
        verdict.context.iter().map(|snippet| snippet.text.clone()).collect(),
        verdict.notices.clone(),
    )
}

fn silence() -> Output {
    (Stance::Silent, Vec::new(), Vec::new(), Vec::new())
}

fn call(name: &str, tool: Tool) -> ToolCall {
    ToolCall { id: None, name: name.to_owned(), tool, input: "{}".to_owned() }
}

fn background(kind: &str, command: &str) -> Stopping {
    let work = BackgroundWork {
        id: "b1".to_owned(),
        kind: kind.to_owned(),
        description: String::new(),
        command: command.to_owned(),
    };
    Stopping { background: vec![work], ..Stopping::default() }
}
