//! What the tests of policies share: events, stories, and how they are judged in a pinned world.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use flyball_core::config::{Config, Diagnostic, Layer, LayerText, Section, Standing, compile};
use flyball_core::engine::{Case, Faults, Judgement, Registry, Watch, judge};
use flyball_core::event::{
    Agent, Change, CompactTrigger, Event, EventData, FileEdit, Outcome, SessionId, Stopping, Tool, ToolCall,
};
use flyball_core::path::AbsolutePath;
pub(crate) use flyball_core::policy::InMemory;
use flyball_core::time::Time;
pub(crate) use flyball_testkit::{PinnedWorld, TRANSCRIPT, denial_problems};

/// A session that is written line by line: an event, and the verdict of a policy.
pub(crate) struct Story<'a> {
    registry: Registry,
    sections: &'a [(String, Section)],
    memory: Arc<InMemory>,
    files: BTreeMap<String, String>,
    agents: usize,
    /// What is wrong with the texts of its denials.
    pub(crate) problems: Vec<String>,
}

impl<'a> Story<'a> {
    pub(crate) fn new(registry: Registry, sections: &'a [(String, Section)]) -> Story<'a> {
        let (memory, files) = (Arc::new(InMemory::default()), BTreeMap::new());
        Story { registry, sections, memory, files, agents: 0, problems: Vec::new() }
    }

    /// The same lines, with the real verdict of each after its `#`.
    pub(crate) fn replay(&mut self, lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| self.line(line)).collect()
    }

    fn line(&mut self, line: &str) -> String {
        let (left, promise) = line.rsplit_once('#').unwrap_or((line, ""));
        let mut stance = "silent";
        for mut event in self.events(left.trim()) {
            event.transcript =
                self.files.contains_key(TRANSCRIPT).then(|| AbsolutePath::from_root(TRANSCRIPT));
            let world = PinnedWorld::new().files(self.files.clone());
            let surroundings = Surroundings { world, memory: Arc::clone(&self.memory) };
            let kind = event.kind();
            let judgement = judged_in(self.registry, self.sections, event, surroundings);
            self.problems.extend(denial_problems(&judgement.merged, kind));
            stance = judgement.merged.stance.name();
        }
        let spaces = promise.len() - promise.trim_start().len();
        format!("{left}#{}{stance}", &promise[..spaces])
    }

    /// `edit PATH [TEXT]`, `run COMMAND`, `fail COMMAND`, `prompt TEXT`, `command NAME`, `skill NAME`,
    /// `spawn ROLE PROMPT`, `agent ROLE TEXT` (starts, and stops with this message), `start SOURCE`, `compact`, `stop`,
    /// `stop again`, `context TOKENS MODEL` (how full the context is from here on). `\\n` is a new line.
    fn events(&mut self, line: &str) -> Vec<Event> {
        let line = line.replace("\\n", "\n");
        let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let call = |name: &str, tool: Tool| ToolCall {
            id: None,
            name: name.to_owned(),
            tool,
            input: "{}".to_owned(),
        };
        let shell = || call("Bash", Tool::Shell { command: rest.to_owned(), background: false });
        let stopping =
            |text: &str, again| Stopping { again, last_message: text.to_owned(), ..Stopping::default() };
        let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
        match verb {
            "edit" => {
                let path = format!("/project/{first}");
                self.files.insert(path.clone(), second.to_owned());
                let change = Change::Write { content: second.to_owned() };
                let call = call("Write", Tool::Edit(vec![FileEdit { path, change }]));
                vec![event(EventData::AfterTool { call, outcome: Outcome::default() })]
            }
            "run" => vec![event(EventData::AfterTool {
                call: shell(),
                outcome: Outcome { exited_well: true, ..Outcome::default() },
            })],
            "fail" => {
                let outcome = Outcome { text: "Exit code 1".to_owned(), ..Outcome::default() };
                vec![event(EventData::ToolFailed { call: shell(), outcome, interrupted: false })]
            }
            "prompt" => vec![event(EventData::PromptSubmit { text: rest.to_owned(), by_machine: false })],
            "command" => {
                let (command, arguments) = (first.to_owned(), second.to_owned());
                vec![event(EventData::PromptExpanded { command, arguments })]
            }
            "skill" => {
                let call =
                    call("Skill", Tool::Skill { name: first.to_owned(), arguments: second.to_owned() });
                vec![event(EventData::BeforeTool(call))]
            }
            "spawn" => {
                let (role, prompt) = (first.to_owned(), second.to_owned());
                vec![before("Agent", Tool::SpawnAgent { role, prompt, background: None })]
            }
            "agent" => {
                self.agents += 1;
                let agent = Some(Agent { id: format!("a{}", self.agents), role: first.to_owned() });
                let stop = EventData::AgentStop { stopping: stopping(second, false), transcript: None };
                let happenings = [EventData::AgentStart, stop];
                let own = happenings.map(|happening| Event { agent: agent.clone(), ..event(happening) });
                let tool =
                    Tool::SpawnAgent { role: first.to_owned(), prompt: String::new(), background: None };
                [before("Agent", tool)].into_iter().chain(own).collect()
            }
            "start" => vec![event(EventData::SessionStart { source: rest.to_owned() })],
            "compact" => {
                let (trigger, instructions) = (CompactTrigger::Auto, String::new());
                vec![event(EventData::BeforeCompact { trigger, instructions })]
            }
            "context" => {
                self.files.insert(TRANSCRIPT.to_owned(), rest.to_owned());
                Vec::new()
            }
            "stop" => vec![event(EventData::Stop(stopping("done", rest == "again")))],
            other => panic!("unknown line of a story: {other}"),
        }
    }
}

pub(crate) fn event(happening: EventData) -> Event {
    let project = AbsolutePath::from_root("/project");
    Event {
        native: "Test".to_owned(),
        project: Some(project.clone()),
        ..Event::new("test", SessionId::new("s1"), project, happening)
    }
}

pub(crate) fn before(name: &str, tool: Tool) -> Event {
    let call = ToolCall { id: None, name: name.to_owned(), tool, input: "{}".to_owned() };
    event(EventData::BeforeTool(call))
}

pub(crate) fn shell(command: &str) -> Event {
    before("Bash", Tool::Shell { command: command.to_owned(), background: false })
}

/// The client is about to ask for permission to run this command line.
pub(crate) fn asked(command: &str) -> Event {
    asked_for("Bash", Tool::Shell { command: command.to_owned(), background: false })
}

/// The client is about to ask for permission to call this tool.
pub(crate) fn asked_for(name: &str, tool: Tool) -> Event {
    let call = ToolCall { id: None, name: name.to_owned(), tool, input: "{}".to_owned() };
    event(EventData::PermissionAsked(call))
}

pub(crate) fn write(path: &str, content: &str) -> Event {
    let change = Change::Write { content: content.to_owned() };
    before("Write", Tool::Edit(vec![FileEdit { path: path.to_owned(), change }]))
}

/// The sections that a config file's text compiles to. Tables of cases ask thousands of times for the same text.
pub(crate) fn sections(text: &str) -> Vec<(String, Section)> {
    static COMPILED: Mutex<BTreeMap<String, Vec<(String, Section)>>> = Mutex::new(BTreeMap::new());
    let mut known = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let compile = || compiled(text).unwrap_or_else(|problems| panic!("{problems:#?}"));
    known.entry(text.to_owned()).or_insert_with(compile).clone()
}

/// The errors in a config file's text, a line each.
pub(crate) fn problems(text: &str) -> Vec<String> {
    compiled(text).err().unwrap_or_default()
}

fn compiled(text: &str) -> Result<Vec<(String, Section)>, Vec<String>> {
    let layer = LayerText { layer: Layer::Project, standing: Standing::Accepted, path: "flyball.toml", text };
    match compile(&[layer], crate::REGISTRY) {
        Ok(compiled) => Ok(compiled.config.sections.into_iter().collect()),
        Err(broken) => Err(broken.iter().map(Diagnostic::one_line).collect()),
    }
}

/// Judges an event by a registry, each policy with the given or its default settings.
pub(crate) fn judged(registry: Registry, sections: &[(String, Section)], event: Event) -> Judgement {
    judged_with(registry, sections, event, Arc::new(InMemory::default()))
}

pub(crate) fn judged_with(
    registry: Registry,
    sections: &[(String, Section)],
    event: Event,
    memory: Arc<InMemory>,
) -> Judgement {
    judged_in(registry, sections, event, Surroundings { world: PinnedWorld::new(), memory })
}

/// The world and memory in which an event happens.
#[derive(Default)]
pub(crate) struct Surroundings {
    pub(crate) world: PinnedWorld,
    pub(crate) memory: Arc<InMemory>,
}

/// Judges an event in a world of the test's own.
pub(crate) fn judged_in(
    registry: Registry,
    sections: &[(String, Section)],
    event: Event,
    Surroundings { world, memory }: Surroundings,
) -> Judgement {
    let mut config = Config::default();
    for policy in registry {
        let section = Section { mode: policy.mode, settings: (policy.section.default)().into() };
        config.sections.insert(policy.id.as_str().to_owned(), section);
    }
    for (id, section) in sections {
        config.sections.insert(id.clone(), section.clone());
    }
    // In tests, work goes on all the time.
    memory.set_active_time(world.now.since(Time::default()));
    let case = Case {
        event: Arc::new(event),
        config: Arc::new(config),
        world: Arc::new(world),
        memory,
        skipped: Arc::new([]),
        watch: Watch::Trust,
        faults: Faults::default(),
        facts: Arc::default(),
        workshop: None,
    };
    judge(registry, &case)
}
