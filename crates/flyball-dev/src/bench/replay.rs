//! What `flyball replay` costs: thousands of calls as agents make them, out of transcripts and out of a store.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::calls::{self, Call, Place};
use super::lineup::Sizes;
use super::sample::Sample;
use super::scratch::Scratch;
use flyball::environment;
use flyball::outcome::Failed;
use flyball::progress::Progress;

/// How often each is replayed at most.
const RUNS: usize = 5;
/// Over how many sessions the calls are spread, where they are.
const SESSIONS: usize = 8;

/// What a replay costs.
pub(super) struct ReplayTiming {
    pub(super) id: &'static str,
    pub(super) about: &'static str,
    pub(super) calls: usize,
    pub(super) sample: Sample,
}

impl ReplayTiming {
    /// The share of one call with its result: the time of the whole process by the number of calls.
    #[expect(clippy::cast_precision_loss, reason = "some thousand calls")]
    pub(super) fn micros_per_call(&self) -> f64 {
        self.sample.median().as_secs_f64() * 1_000_000.0 / (self.calls.max(1) as f64)
    }
}

/// Writes calls in several forms and replays them with the program.
pub(super) fn measure(
    program: &Path,
    scratch: &Scratch,
    (sizes, progress): (&Sizes, &Progress),
) -> Result<Vec<ReplayTiming>, Failed> {
    let many = sizes.replayed;
    progress.set_text("writing sessions to be replayed");
    let project = scratch.project("replayed", "")?;
    let place = Place::new(&project);
    let all: Vec<Call> = (0..many).map(|number| calls::call(&place, number)).collect();
    let one = scratch.write("replay-one/one.jsonl", &calls::transcript(&place, "one", &all))?;
    let mut folder = PathBuf::new();
    for (number, part) in all.chunks(many.div_ceil(SESSIONS).max(1)).enumerate() {
        let text = calls::transcript(&place, &format!("part-{number}"), part);
        let file = scratch.write(&format!("replay-many/part-{number}.jsonl"), &text)?;
        folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
    }
    let parts: Vec<&[Call]> = all.chunks(many.div_ceil(SESSIONS).max(1)).collect();
    calls::store(&scratch.file(STATE), &place, &parts)?;
    progress.set_text("replaying them");
    let race = ReplayRunner { program, scratch, project, many, runs: RUNS.min(sizes.rounds) };
    Ok(vec![
        race.run("replay.one", "out of one transcript", &[one.as_os_str()])?,
        race.run("replay.many", "out of eight transcripts", &[folder.as_os_str()])?,
        race.run("replay.store", "out of a store of eight sessions", &["--all".as_ref()])?,
    ])
}

/// Where the store is.
const STATE: &str = "state-replay/flyball";

struct ReplayRunner<'a> {
    program: &'a Path,
    scratch: &'a Scratch,
    project: PathBuf,
    many: usize,
    runs: usize,
}

impl ReplayRunner<'_> {
    fn run(
        &self,
        id: &'static str,
        about: &'static str,
        what: &[&std::ffi::OsStr],
    ) -> Result<ReplayTiming, Failed> {
        let mut times = Vec::new();
        for _ in 0..self.runs {
            let mut command = self.command(what);
            let started = Instant::now();
            let ran = command.output().map_err(|cause| failed(about, &cause.to_string()))?;
            times.push(started.elapsed());
            // A program that fails is fast.
            let replayed = calls_in(&ran.stdout);
            if replayed != Some(self.many) {
                let errors = String::from_utf8_lossy(&ran.stderr);
                let why = format!("{replayed:?} of {} calls were replayed {}", self.many, errors.trim());
                return Err(failed(about, why.trim()));
            }
        }
        Ok(ReplayTiming { id, about, calls: self.many, sample: Sample::from_times(times) })
    }

    fn command(&self, what: &[&std::ffi::OsStr]) -> Command {
        let mut command = Command::new(self.program);
        command.arg("replay").args(what).arg("--json").env_clear().current_dir(&self.project);
        command.env("PATH", environment::variable("PATH").unwrap_or_default());
        command.env("HOME", self.scratch.file("home")).env("LANG", "C.UTF-8");
        command.env("FLYBALL_CONFIG_DIR", self.scratch.file("home/.config/flyball"));
        command.env("FLYBALL_STATE_DIR", self.scratch.file(STATE));
        command.stdin(Stdio::null());
        command
    }
}

/// The number of calls in the summary, which is the last line.
fn calls_in(stdout: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(stdout);
    let summary: serde_json::Value = serde_json::from_str(text.lines().last()?).ok()?;
    usize::try_from(summary.get("calls")?.as_u64()?).ok()
}

fn failed(about: &str, why: &str) -> Failed {
    Failed::new(
        format!("a replay {about} cannot be measured: {why}"),
        "run it by hand to see why; nothing was measured",
    )
}
