//! A pinned world for the tests of policies: `/project`, `/home/dev`, nothing on disk.

use std::collections::BTreeMap;
use std::sync::Arc;

use flyball_core::client::{Clients, KnowsClients};
use flyball_core::config::{Config, Diagnostic, Layer, LayerText, Section, compile};
use flyball_core::engine::{Case, Faults, Judgement, Registry, Watch, judge};
use flyball_core::event::{
    Agent, Change, CompactTrigger, Event, EventData, FileEdit, Outcome, SessionId, Stopping, Tool, ToolCall,
};
pub(crate) use flyball_core::policy::InMemory;
use flyball_core::policy::{
    Approval, Clock, ContentHash, Contents, ContextSize, FileApprovals, FileNote, Files, Git, Notes, OwnFile,
    Place, PolicyError, Stat, Tail, Transcripts,
};

/// The transcript of a session in which someone said how full the context is.
pub(crate) const TRANSCRIPT: &str = "/home/dev/transcript";

/// A world without disk: paths are normalised by their text alone.
pub(crate) struct PinnedWorld {
    own: Vec<OwnFile>,
    /// Absolute path to content.
    files: BTreeMap<String, String>,
    /// The words of a question to git, joined by spaces, to its answer.
    git: BTreeMap<String, String>,
    /// Absolute path to the content that a person approved, and when.
    approved: BTreeMap<String, (Option<String>, u64)>,
    /// When files changed, in milliseconds; 0 for those that are not named.
    changed: BTreeMap<String, u64>,
    /// Set by tests that let time pass.
    pub(crate) unix_millis: u64,
}

impl PinnedWorld {
    pub(crate) fn new() -> PinnedWorld {
        let own = |path: &str, what| OwnFile { path: path.to_owned(), what };
        PinnedWorld {
            files: BTreeMap::new(),
            git: BTreeMap::new(),
            approved: BTreeMap::new(),
            changed: BTreeMap::new(),
            unix_millis: 1_800_000_000_000,
            own: vec![
                own("/project/flyball.toml", "flyball's configuration"),
                own("/home/dev/.config/flyball", "flyball's user configuration"),
                own("/home/dev/.local/state/flyball", "flyball's recorded state"),
                own("/project/.claude/settings.json", "the registration of flyball's hooks"),
                own("/project/.claude/settings.local.json", "the registration of flyball's hooks"),
            ],
        }
    }

    /// The same world with one more file, by its absolute path.
    pub(crate) fn file(mut self, path: &str, content: &str) -> PinnedWorld {
        self.files.insert(path.to_owned(), content.to_owned());
        self
    }

    /// The same world without a file.
    pub(crate) fn without(mut self, path: &str) -> PinnedWorld {
        self.files.remove(path);
        self
    }

    /// The same world in which a person approved this content of a file just now.
    pub(crate) fn approving(mut self, path: &str, content: Option<&str>) -> PinnedWorld {
        self.approved.insert(path.to_owned(), (content.map(str::to_owned), self.unix_millis));
        self
    }

    /// The same world in which a file changed at this time.
    pub(crate) fn changed_at(mut self, path: &str, millis: u64) -> PinnedWorld {
        self.changed.insert(path.to_owned(), millis);
        self
    }

    /// The same world in which git gives this answer to this question.
    pub(crate) fn git_says(mut self, question: &str, answer: &str) -> PinnedWorld {
        self.git.insert(question.to_owned(), answer.to_owned());
        self
    }
}

impl KnowsClients for PinnedWorld {
    fn clients(&self) -> Clients {
        flyball_clients::FACTS
    }
}

impl Clock for PinnedWorld {
    fn micros(&self) -> u64 {
        0
    }

    fn unix_millis(&self) -> u64 {
        self.unix_millis
    }

    fn local_minutes(&self) -> Option<u32> {
        None
    }
}

impl Place for PinnedWorld {
    fn project_root(&self) -> &str {
        "/project"
    }

    fn program(&self) -> Option<String> {
        None
    }

    fn own_files(&self) -> &[OwnFile] {
        &self.own
    }
}

impl Files for PinnedWorld {
    fn real_path(&self, base: &str, path: &str) -> String {
        let path = path.strip_prefix("~/").map_or(path.to_owned(), |rest| format!("/home/dev/{rest}"));
        let whole = if path.starts_with('/') { path } else { format!("{base}/{path}") };
        let mut parts: Vec<&str> = Vec::new();
        for part in whole.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name),
            }
        }
        format!("/{}", parts.join("/"))
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        let changed_millis = self.changed.get(path).copied().unwrap_or_default();
        let stat = |is_folder, bytes, changed_nanos| Stat {
            is_folder,
            bytes,
            changed_millis,
            changed_nanos,
            inode: 1,
        };
        if let Some(content) = self.files.get(path) {
            // Another content is another time.
            let nanos = content.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31) ^ u64::from(byte));
            return Some(stat(false, content.len() as u64, nanos));
        }
        let folder = format!("{}/", path.trim_end_matches('/'));
        let is_folder = path == "/project" || self.files.keys().any(|file| file.starts_with(&folder));
        is_folder.then(|| stat(true, 0, 0))
    }

    fn read(&self, path: &str, most: u64) -> Result<Option<Vec<u8>>, PolicyError> {
        let content = self.files.get(path).filter(|content| content.len() as u64 <= most);
        Ok(content.map(|content| content.clone().into_bytes()))
    }

    fn tail(&self, path: &str, most: u64) -> Result<Option<Tail>, PolicyError> {
        Ok(self.files.get(path).map(|content| {
            let from = content.len().saturating_sub(usize::try_from(most).unwrap_or(usize::MAX));
            Tail { bytes: content.as_bytes()[from..].to_vec(), is_whole: from == 0 }
        }))
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let folder = format!("{}/", folder.trim_end_matches('/'));
        let below = self.files.keys().filter_map(|file| file.strip_prefix(&folder));
        let mut names: Vec<String> =
            below.map(|rest| rest.split('/').next().unwrap_or_default().to_owned()).collect();
        names.dedup();
        names
    }
}

impl Git for PinnedWorld {
    fn git(&self, _: &str, question: &[&str]) -> Result<Option<String>, PolicyError> {
        Ok(self.git.get(&question.join(" ")).cloned())
    }

    fn changed_files(&self, _: u64) -> Result<Vec<String>, PolicyError> {
        Ok(Vec::new())
    }
}

impl Contents for PinnedWorld {
    fn store(&self, content: &[u8]) -> Result<ContentHash, PolicyError> {
        Ok(self.hash(content))
    }

    fn hash(&self, content: &[u8]) -> ContentHash {
        ContentHash::new(String::from_utf8_lossy(content).into_owned())
    }
}

impl FileApprovals for PinnedWorld {
    fn approval(&self, path: &str, since_unix_millis: u64) -> Result<Option<Approval>, PolicyError> {
        let content = |text: &Option<String>| text.as_ref().map(|text| self.hash(text.as_bytes()));
        let approved = self.approved.get(path).filter(|(_, at)| *at >= since_unix_millis);
        Ok(approved.map(|(text, _)| Approval { content: content(text) }))
    }

    fn add_notes(&self, _: &[(String, FileNote)]) -> Result<(), PolicyError> {
        Ok(())
    }
}

impl Notes for PinnedWorld {
    fn project_note(&self, _: &str) -> Result<Option<String>, PolicyError> {
        Ok(None)
    }
}

impl Transcripts for PinnedWorld {
    /// A transcript here holds only the number of tokens and the model.
    fn context_size(&self, _: &str, transcript: &str) -> Result<Option<ContextSize>, PolicyError> {
        let told = self.files.get(transcript).and_then(|text| text.split_once(' '));
        let size = |(tokens, model): (&str, &str)| {
            Some(ContextSize { tokens: tokens.parse().ok()?, model: model.to_owned() })
        };
        Ok(told.and_then(size))
    }

    fn recent_conversation(&self, _: &str, _: &str, _: usize) -> Result<Option<String>, PolicyError> {
        Ok(None)
    }
}

/// A session that is told line by line: what happens, and what a policy makes of it.
pub(crate) struct Story<'a> {
    registry: Registry,
    sections: &'a [(String, Section)],
    memory: Arc<InMemory>,
    files: BTreeMap<String, String>,
    agents: usize,
}

impl<'a> Story<'a> {
    pub(crate) fn new(registry: Registry, sections: &'a [(String, Section)]) -> Story<'a> {
        let (memory, files) = (Arc::new(InMemory::default()), BTreeMap::new());
        Story { registry, sections, memory, files, agents: 0 }
    }

    /// The same lines, with what was really said of each behind its `#`.
    pub(crate) fn replay(mut self, lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| self.line(line)).collect()
    }

    fn line(&mut self, line: &str) -> String {
        let (left, promise) = line.rsplit_once('#').unwrap_or((line, ""));
        let mut stance = "silent";
        for mut event in self.events(left.trim()) {
            event.transcript = self.files.contains_key(TRANSCRIPT).then(|| TRANSCRIPT.to_owned());
            let mut world = PinnedWorld::new();
            world.files.clone_from(&self.files);
            let judgement = judged_in(self.registry, self.sections, event, (world, Arc::clone(&self.memory)));
            stance = judgement.merged.stance.name();
        }
        let spaces = promise.len() - promise.trim_start().len();
        format!("{left}#{}{stance}", &promise[..spaces])
    }

    /// `edit PATH [TEXT]`, `run COMMAND`, `fail COMMAND`, `prompt TEXT`, `command NAME`, `skill NAME`,
    /// `spawn ROLE PROMPT`, `agent ROLE TEXT` (starts, says this and stops), `start SOURCE`, `compact`, `stop`,
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
            |text: &str, again| Stopping { again, last_message: text.to_owned(), background: Vec::new() };
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
                happenings.map(|happening| Event { agent: agent.clone(), ..event(happening) }).to_vec()
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
    Event {
        client: "test".to_owned(),
        native: "Test".to_owned(),
        session: SessionId::new("s1"),
        agent: None,
        cwd: "/project".to_owned(),
        project: Some("/project".to_owned()),
        transcript: None,
        permission_mode: None,
        happening,
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

/// The sections that a config file's text compiles to.
pub(crate) fn sections(text: &str) -> Vec<(String, Section)> {
    compiled(text).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

/// What is wrong with a config file's text, a line each.
pub(crate) fn problems(text: &str) -> Vec<String> {
    compiled(text).err().unwrap_or_default()
}

fn compiled(text: &str) -> Result<Vec<(String, Section)>, Vec<String>> {
    let layer = LayerText { layer: Layer::Project, path: "flyball.toml", text };
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
    judged_in(registry, sections, event, (PinnedWorld::new(), memory))
}

/// Judges an event in a world of the test's own.
pub(crate) fn judged_in(
    registry: Registry,
    sections: &[(String, Section)],
    event: Event,
    (world, memory): (PinnedWorld, Arc<InMemory>),
) -> Judgement {
    let mut config = Config::default();
    for policy in registry {
        let section = Section { mode: policy.mode, settings: (policy.section.default)() };
        config.sections.insert(policy.id.as_str().to_owned(), section);
    }
    for (id, section) in sections {
        config.sections.insert(id.clone(), section.clone());
    }
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
