//! A pinned world for the tests of policies: `/project`, `/home/dev`, nothing on disk.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use flyball_core::config::{Config, Diagnostic, Layer, LayerText, Section, compile};
use flyball_core::engine::{Case, Faults, Judgement, Registry, Watch, judge};
use flyball_core::event::{Change, Event, FileEdit, Happening, SessionId, Tool, ToolCall};
use flyball_core::policy::{Memory, OwnFile, Trouble, World};

/// A world without disk: paths are normalised by their text alone.
pub(crate) struct PinnedWorld {
    own: Vec<OwnFile>,
}

impl PinnedWorld {
    pub(crate) fn new() -> PinnedWorld {
        let own = |path: &str, what| OwnFile { path: path.to_owned(), what };
        PinnedWorld {
            own: vec![
                own("/project/flyball.toml", "flyball's configuration"),
                own("/home/dev/.config/flyball", "flyball's user configuration"),
                own("/home/dev/.local/state/flyball", "flyball's recorded state"),
                own("/project/.claude/settings.json", "the registration of flyball's hooks"),
                own("/project/.claude/settings.local.json", "the registration of flyball's hooks"),
            ],
        }
    }
}

impl World for PinnedWorld {
    fn micros(&self) -> u64 {
        0
    }

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

    fn project_root(&self) -> &str {
        "/project"
    }

    fn own_files(&self) -> &[OwnFile] {
        &self.own
    }
}

/// Memory that lasts as long as the test.
#[derive(Default)]
pub(crate) struct PinnedMemory(Mutex<BTreeMap<String, String>>);

impl Memory for PinnedMemory {
    fn read(&self, key: &str) -> Result<Option<String>, Trouble> {
        Ok(self.0.lock().unwrap().get(key).cloned())
    }

    fn write(&self, key: &str, text: String) -> Result<(), Trouble> {
        self.0.lock().unwrap().insert(key.to_owned(), text);
        Ok(())
    }
}

pub(crate) fn event(happening: Happening) -> Event {
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
    event(Happening::BeforeTool(call))
}

pub(crate) fn shell(command: &str) -> Event {
    before("Bash", Tool::Shell { command: command.to_owned(), background: false })
}

pub(crate) fn write(path: &str, content: &str) -> Event {
    let change = Change::Write { content: content.to_owned() };
    before("Write", Tool::Edit(vec![FileEdit { path: path.to_owned(), change }]))
}

/// The sections that a config file's text compiles to.
pub(crate) fn sections(text: &str) -> Vec<(String, Section)> {
    let layer = LayerText { layer: Layer::Project, path: "flyball.toml", text };
    match compile(&[layer], crate::REGISTRY) {
        Ok(compiled) => compiled.config.sections.into_iter().collect(),
        Err(broken) => panic!("{:#?}", broken.iter().map(Diagnostic::one_line).collect::<Vec<_>>()),
    }
}

/// Judges an event by a registry, each policy with the given or its default settings.
pub(crate) fn judged(registry: Registry, sections: &[(String, Section)], event: Event) -> Judgement {
    judged_with(registry, sections, event, Arc::new(PinnedMemory::default()))
}

pub(crate) fn judged_with(
    registry: Registry,
    sections: &[(String, Section)],
    event: Event,
    memory: Arc<PinnedMemory>,
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
        world: Arc::new(PinnedWorld::new()),
        memory,
        skipped: Arc::new([]),
        watch: Watch::Trust,
        faults: Faults::default(),
    };
    judge(registry, &case)
}
