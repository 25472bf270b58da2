//! A real project on disk and a session in it, for the tests of policies that read and write files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use flyball_core::config::{Config, Mode, Section};
use flyball_core::engine::{Case, Faults, Judgement, Watch, judge};
use flyball_core::event::Event;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;
use flyball_world::machine::Machine;

use crate::testing::{InMemory, sections};

/// The key of every model server that needs one.
pub(crate) const KEY: &str = "sk-proj-0123456789abcdef";

/// A project with a state directory beside it, and one session's memory.
pub(crate) struct TestProject {
    folder: tempfile::TempDir,
    config: Arc<Config>,
    /// What the session remembers. Another session of the same project is another memory.
    pub(crate) memory: Arc<InMemory>,
}

impl TestProject {
    /// A project under these settings. Policies that they do not name are off.
    pub(crate) fn new(settings: &str) -> TestProject {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("project/.git")).unwrap();
        let mut config = Config::default();
        let named = sections(settings);
        for policy in crate::REGISTRY {
            let id = policy.id.as_str();
            let is_named = settings.contains(&format!("[{id}]"));
            let off = || Section { mode: Mode::Off, settings: (policy.section.default)().into() };
            let section = named.iter().find(|(name, _)| name == id).filter(|_| is_named);
            config.sections.insert(id.to_owned(), section.map_or_else(off, |(_, section)| section.clone()));
        }
        TestProject { folder, config: Arc::new(config), memory: Arc::default() }
    }

    pub(crate) fn configure(&mut self, change: impl FnOnce(&mut Config)) {
        change(Arc::make_mut(&mut self.config));
    }

    /// The root of the project, without symlinks.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    pub(crate) fn path(&self, file: &str) -> AbsolutePath {
        AbsolutePath::from_path(&self.root().join(file))
    }

    /// Writes a file of the project, with its folders.
    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.root().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Reads a file of the project; empty if it is not there.
    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.root().join(file)).unwrap_or_default()
    }

    /// The machine that policies see.
    pub(crate) fn machine(&self) -> Machine {
        let state = self.folder.path().join("state");
        Machine::new(
            Instant::now(),
            Some(self.folder.path().join("home")),
            &self.root(),
            Vec::new(),
            flyball_clients::FACTS,
        )
        .with_state(Some(Path::new(&state)))
        .with_environment(|name| name.ends_with("_API_KEY").then(|| KEY.to_owned()))
        .with_talk(flyball_clients::recent_conversation)
    }

    /// Judges an event with this project as its working directory, with everything that a hook may do.
    pub(crate) fn judge_event(&self, event: Event) -> Judgement {
        let root = AbsolutePath::from_path(&self.root());
        let event = Event { cwd: root.clone(), project: Some(root), ..event };
        let machine = Arc::new(self.machine());
        let case = Case {
            event: Arc::new(event),
            config: Arc::clone(&self.config),
            world: Arc::clone(&machine) as Arc<dyn World>,
            memory: Arc::clone(&self.memory) as _,
            skipped: Arc::new([]),
            watch: Watch::Trust,
            faults: Faults::default(),
            facts: Arc::default(),
            workshop: Some(machine),
        };
        judge(crate::REGISTRY, &case)
    }

    /// The context for the model in an event.
    pub(crate) fn injected_context(&self, event: Event) -> String {
        self.judge_event(event).merged.context.text
    }
}
