//! What parsing and judging a command line costs inside a process that runs already: the share of
//! an event that grows with the line, without what starting a process costs.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flyball_core::config::{Config, compile};
use flyball_core::engine::{Case, Faults, Watch, judge};
use flyball_core::event::{Event, EventData, SessionId, Tool, ToolCall};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{InMemory, Memory};
use flyball_policies::REGISTRY;
use flyball_world::machine::Machine;

use super::sample::Sample;

/// Command lines as agents write them; each is judged as often as the others.
pub(super) const TYPICAL: [&str; 10] = [
    "git status --short && git diff --stat",
    "cargo test --workspace 2>&1 | tail -40",
    "grep -rn \"TODO\" src --include='*.rs' | head -20",
    "cd api && uv run pytest -x -q",
    "rm -rf target/debug && cargo build --release",
    "cat > notes.md <<'EOF'\n# Notes\n- one\n- two\nEOF",
    "git add -A && git commit -m \"fix: handle empty input\" && git push",
    "python3 -c \"import json,sys; print(json.load(sys.stdin)['name'])\" < package.json",
    "find . -name '*.py' -not -path './.venv/*' | xargs wc -l",
    "sed -i 's/foo/bar/g' src/app.py && mv src/app.py src/main.py",
];
/// How often the whole list is judged at most.
const ROUNDS: usize = 100;
/// How often the long line is judged at most.
const LONG_ROUNDS: usize = 10;
/// The length of the long line.
const LONG_BYTES: usize = 64 * 1024;

/// One thing measured inside this process.
pub(super) struct InProcessTiming {
    pub(super) id: &'static str,
    pub(super) about: &'static str,
    pub(super) sample: Sample,
}

/// Judges typical lines and a long one so often, in a project at `root`.
pub(super) fn measure(root: &Path, rounds: usize) -> Vec<InProcessTiming> {
    let Ok(compiled) = compile(&[], REGISTRY) else { return Vec::new() };
    let bench = JudgeTimer {
        root: AbsolutePath::from_path(root),
        config: Arc::new(compiled.config),
        memory: Arc::new(InMemory::default()),
    };
    // The first event of a session reads all protected files.
    bench.time("true");
    let typical = (0..ROUNDS.min(rounds)).flat_map(|_| TYPICAL).map(|line| bench.time(line));
    let typical = Sample::from_times(typical.collect());
    let line = long_line();
    let long = Sample::from_times((0..LONG_ROUNDS.min(rounds)).map(|_| bench.time(&line)).collect());
    vec![
        InProcessTiming { id: "inside.typical", about: "a typical command line", sample: typical },
        InProcessTiming { id: "inside.long", about: "a script of 64 KB", sample: long },
    ]
}

/// The typical lines one after the other, until they are long enough.
fn long_line() -> String {
    let mut line = String::with_capacity(LONG_BYTES + 256);
    for next in TYPICAL.iter().cycle() {
        line.push_str(next);
        line.push('\n');
        if line.len() >= LONG_BYTES {
            break;
        }
    }
    line
}

struct JudgeTimer {
    root: AbsolutePath,
    config: Arc<Config>,
    memory: Arc<InMemory>,
}

impl JudgeTimer {
    fn time(&self, line: &str) -> Duration {
        let case = self.case(line);
        let started = Instant::now();
        let judgement = judge(REGISTRY, &case);
        let time = started.elapsed();
        std::hint::black_box(judgement);
        time
    }

    fn case(&self, line: &str) -> Case {
        let call = ToolCall {
            id: None,
            name: "Bash".to_owned(),
            tool: Tool::Shell { command: line.to_owned(), background: false },
            input: "{}".to_owned(),
        };
        let root = self.root.clone();
        let happening = EventData::BeforeTool(call);
        let event = Event {
            project: Some(root.clone()),
            ..Event::new("bench", SessionId::new("bench"), root, happening)
        };
        Case {
            event: Arc::new(event),
            config: Arc::clone(&self.config),
            world: Arc::new(Machine::new(
                Instant::now(),
                None,
                Path::new(&self.root),
                Vec::new(),
                flyball_clients::FACTS,
            )),
            memory: Arc::clone(&self.memory) as Arc<dyn Memory>,
            skipped: Arc::new([]),
            watch: Watch::Trust,
            faults: Faults::default(),
            facts: Arc::default(),
            workshop: None,
        }
    }
}
