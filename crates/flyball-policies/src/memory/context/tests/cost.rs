//! What an edit costs, in accesses of the disk. Nodes elsewhere in the tree must not add any.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flyball_core::config::{Config, Section};
use flyball_core::engine::{Case, Faults, Registry, Watch, judge};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Files, Git, GitAnswer, Notes, PolicyError, Stat, Tail, World};
use flyball_core::time::Time;
use flyball_core::world::ChangedFiles;
use flyball_world::machine::Machine;

use super::*;
use crate::testing::{InMemory, sections};

/// The real machine, with a count of the times that something is looked up on it.
struct Counting {
    machine: Machine,
    looks: AtomicUsize,
}

impl Counting {
    fn count(&self) -> &Machine {
        self.looks.fetch_add(1, Ordering::Relaxed);
        &self.machine
    }
}

flyball_core::delegate!(Counting, machine: Clock, Place, Processes, Contents, FileApprovals, Transcripts, KnowsClients);

impl Files for Counting {
    fn real_path(&self, base: &AbsolutePath, path: &str) -> AbsolutePath {
        self.machine.real_path(base, path)
    }

    fn stat(&self, path: &AbsolutePath) -> Option<Stat> {
        self.count().stat(path)
    }

    fn read(&self, path: &AbsolutePath, most: u64) -> Result<Option<Vec<u8>>, PolicyError> {
        self.count().read(path, most)
    }

    fn tail(&self, path: &AbsolutePath, most: u64) -> Result<Option<Tail>, PolicyError> {
        self.count().tail(path, most)
    }

    fn list(&self, folder: &AbsolutePath) -> Vec<String> {
        let names = self.count().list(folder);
        self.looks.fetch_add(names.len(), Ordering::Relaxed);
        names
    }

    fn unknown_fact(&self) -> Option<PolicyError> {
        self.machine.unknown_fact()
    }
}

impl Git for Counting {
    fn git(&self, _: &AbsolutePath, question: &[&str]) -> Result<GitAnswer, PolicyError> {
        panic!("a process is started: git {question:?}");
    }

    fn changed_files(&self, _: &AbsolutePath, _: Time) -> Result<ChangedFiles, PolicyError> {
        panic!("a process is started");
    }
}

impl Notes for Counting {
    fn project_note(&self, key: &str) -> Result<Option<String>, PolicyError> {
        self.count().project_note(key)
    }
}

static ONLY: Registry = &[&POLICY];

/// How often the disk is accessed for an event, and the injected context.
fn looks(stage: &TestProject, event: Event) -> (usize, String) {
    looks_in(stage, &Arc::default(), event)
}

/// The same in a session that remembers what was before.
fn looks_in(stage: &TestProject, memory: &Arc<InMemory>, event: Event) -> (usize, String) {
    let root = AbsolutePath::from_path(&stage.root());
    let world = Arc::new(Counting { machine: stage.machine(), looks: AtomicUsize::new(0) });
    let mut config = Config::default();
    let named: Vec<(String, Section)> = sections(ON);
    config.sections.extend(named.into_iter().filter(|(id, _)| id == POLICY.id.as_str()));
    let case = Case {
        event: Arc::new(Event { cwd: root.clone(), project: Some(root), ..event }),
        config: Arc::new(config),
        world: Arc::clone(&world) as Arc<dyn World>,
        memory: Arc::clone(memory) as _,
        skipped: Arc::new([]),
        watch: Watch::Trust,
        faults: Faults::default(),
        facts: Arc::default(),
        workshop: None,
    };
    let text = judge(ONLY, &case).merged.context.text;
    (world.looks.load(Ordering::Relaxed), text)
}

#[test]
fn five_thousand_nodes_elsewhere_cost_nothing() {
    let stage = stage();
    stage.write("AGENTS.md", "## Checks\n- one\n");
    stage.write("src/api/AGENTS.md", "## Checks\n- two\n");
    for file in ["src/api/a.py", "src/api/b.py", "src/api/c.py"] {
        stage.write(file, "");
    }
    let events = || {
        [
            edit("src/api/a.py"),
            edited("src/api/a.py"),
            shell("sed -i s/a/b/ src/api/a.py"),
            ran("sed -i s/a/b/ src/api/a.py"),
            shell("cargo test"),
            ran("cargo test"),
        ]
    };
    let few: Vec<(usize, String)> = events().into_iter().map(|event| looks(&stage, event)).collect();
    let elsewhere = stage.root().join("other");
    fs::create_dir(&elsewhere).unwrap();
    for number in 0..5_000 {
        let folder = elsewhere.join(number.to_string());
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("AGENTS.md"), "## Checks\n- elsewhere\n").unwrap();
    }
    let many: Vec<(usize, String)> = events().into_iter().map(|event| looks(&stage, event)).collect();
    assert_eq!(few, many);
    let counts: Vec<usize> = few.iter().map(|(count, _)| *count).collect();
    assert!(counts.iter().all(|count| *count < 45), "{counts:?}");
    assert!(counts[4] < 10, "a command is compared with the rules where it runs: {counts:?}");
    assert_eq!(counts[5], 0, "afterwards it is not looked at");
}

#[test]
fn a_command_that_no_rule_is_about_costs_a_look_only_at_the_first() {
    let stage = stage();
    stage.write("AGENTS.md", "# App\n\n- Never run `npm install`.\n- Dates are in UTC.\n");
    let session = Arc::default();
    let look = |command: &str| looks_in(&stage, &session, shell(command));
    assert!(look("cargo test").0 > 0);
    for command in ["cargo test", "ls -la && cat a.md", "git push", "echo npm install", "pnpm install"] {
        assert_eq!(look(command), (0, String::new()), "{command}");
    }
    assert!(look("npm install").1.contains("Never run `npm install`."));
}
