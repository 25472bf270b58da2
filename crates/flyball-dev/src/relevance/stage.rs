//! A project of the set on disk, and what the hook shows at an edit in it to an agent that has seen nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use flyball::environment;
use flyball::outcome::Failed;
use flyball_core::config::{Config, Layer, LayerText, Standing, compile};
use flyball_core::engine::{Case, Faults, Watch, judge};
use flyball_core::event::{Change, Event, EventData, FileEdit, SessionId, Tool, ToolCall};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::InMemory;
use flyball_knowledge::node::{Rule, covering, rules};
use flyball_policies::REGISTRY;
use flyball_world::machine::Machine;

use super::set::{Edit, Project};

const CONFIG: &str = "[memory.context]\nmode = \"enforce\"\n";

/// A project on disk, removed at the end.
pub(super) struct Stage {
    folder: PathBuf,
    config: Arc<Config>,
}

impl Stage {
    pub(super) fn new(project: &Project) -> Result<Stage, Failed> {
        let name = format!("flyball-relevance-{}-{}", std::process::id(), project.name);
        let folder = environment::temporary_directory().join(name);
        let layer = LayerText {
            layer: Layer::Project,
            standing: Standing::Accepted,
            path: "flyball.toml",
            text: CONFIG,
        };
        let compiled = compile(&[layer], REGISTRY)
            .map_err(|_| Failed::new("the config of the measurement is not valid", "this is a bug"))?;
        let stage = Stage { folder, config: Arc::new(compiled.config) };
        stage.write(".git/keep", "")?;
        for (file, text) in &project.files {
            stage.write(file, text)?;
        }
        Ok(stage)
    }

    fn write(&self, file: &str, text: &str) -> Result<(), Failed> {
        let path = self.folder.join(file);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(&path, text)).map_err(|cause| {
            Failed::new(format!("{}: {cause}", path.display()), "make room for a small project")
        })
    }

    fn root(&self) -> PathBuf {
        self.folder.canonicalize().unwrap_or_else(|_| self.folder.clone())
    }

    fn machine(&self) -> Machine {
        Machine::new(Instant::now(), None, &self.root(), Vec::new(), flyball_clients::FACTS)
    }

    /// All rules that cover a file, the root's first.
    pub(super) fn covering(&self, edit: &Edit) -> Result<Vec<Rule>, Failed> {
        let path = self.root().join(&edit.file);
        let nodes = covering(&self.machine(), &path.to_string_lossy())
            .map_err(|cause| Failed::new(cause.to_string(), "this is a bug"))?;
        Ok(nodes.iter().flat_map(rules).collect())
    }

    /// What the model is shown at an edit.
    pub(super) fn shown(&self, edit: &Edit) -> Result<String, Failed> {
        let path = self.folder.join(&edit.file);
        if let Some(old) = &edit.old {
            self.write(&edit.file, old)?;
        }
        let context = judge(REGISTRY, &self.case(edit)).merged.context.text;
        drop(std::fs::remove_file(path));
        Ok(context)
    }

    fn case(&self, edit: &Edit) -> Case {
        let tool = tool(edit);
        let name = if edit.shell.is_some() { "Bash" } else { "Edit" };
        let call = ToolCall { id: None, name: name.to_owned(), tool, input: "{}".to_owned() };
        let root = AbsolutePath::from_path(&self.root());
        // A client that loads no files of rules by itself.
        let event = Event {
            project: Some(root.clone()),
            ..Event::new("measurement", SessionId::new("measurement"), root, EventData::BeforeTool(call))
        };
        Case {
            event: Arc::new(event),
            config: Arc::clone(&self.config),
            world: Arc::new(self.machine()),
            memory: Arc::new(InMemory::default()),
            skipped: Arc::new([]),
            watch: Watch::Trust,
            faults: Faults::default(),
            facts: Arc::default(),
            workshop: None,
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(Path::new(&self.folder)));
    }
}

fn tool(edit: &Edit) -> Tool {
    if let Some(command) = &edit.shell {
        return Tool::Shell { command: command.clone(), background: false };
    }
    let new = edit.new.clone().unwrap_or_default();
    let change = match &edit.old {
        Some(old) => Change::Replace { old: old.clone(), new, all: false },
        None => Change::Write { content: new },
    };
    Tool::Edit(vec![FileEdit { path: edit.file.clone(), change }])
}
