//! Runs a command line of the project, mostly a test suite.
//!
//! A suite that timed out, could not start or lacks its runner did not fail: its run gives no verdict on the code.

mod missing;
mod tail;

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, JobResult, Limits, Places, ProgramQuery, Workshop};
use serde::{Deserialize, Serialize};

use self::tail::tail;
use crate::{client_timeout, seatbelt};

/// Set for what runs here, so that an agent that a test suite starts gets no loop of its own.
pub(super) const IN_LOOP: &str = "FLYBALL_IN_LOOP";

/// The tail of a run without a verdict begins with these words.
pub(super) const NO_VERDICT: &str = "no verdict on the code: ";

/// With less time left, nothing is started.
const LEAST_TIME: Duration = Duration::from_secs(1);

/// The end of an output matters, so much more is stored than is shown.
const OUTPUT_BYTES: usize = 64 * 1024 * 1024;

/// Signals from people and the system: hang-up, interrupt, kill, terminate.
const FROM_OUTSIDE: [i32; 4] = [1, 2, 9, 15];

/// A command line to be run.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunRequest<'a> {
    pub(super) command: &'a str,
    pub(super) folder: &'a AbsolutePath,
    /// How long it may take; what is left of the hook's time may be less.
    pub(super) timeout: Duration,
    /// How many of its last lines are shown.
    pub(super) tail_lines: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunResult {
    pub(super) verdict: Verdict,
    /// How it ended, and the end of its output.
    pub(super) tail: String,
}

/// The verdict of a run on the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// It exited with 0.
    Passed,
    /// It exited with something else.
    Failed,
    /// None on the code: it timed out, was killed, or never started.
    None,
}

/// Runs a command line by the shell.
pub(super) fn run(workshop: &dyn Workshop, request: &RunRequest<'_>) -> RunResult {
    let left = time_left(workshop);
    if left < LEAST_TIME {
        return no_verdict("no time was left", "Stop again: finished commands are not run again");
    }
    let query =
        ProgramQuery { name: "sh".to_owned(), near: request.folder.to_owned(), places: Places::SearchPath };
    let Some(shell) = workshop.find(&query) else {
        return no_verdict("could not start: `sh` was not found", "It has to be on PATH");
    };
    let timeout = request.timeout.min(left);
    let job = Job {
        program: shell.path,
        arguments: vec!["-c".to_owned(), request.command.to_owned()],
        folder: request.folder.to_owned(),
        set: BTreeMap::from([(IN_LOOP.to_owned(), "1".to_owned())]),
        timeout: Some(timeout),
        in_seatbelt: seatbelt::works_inside(request.command, workshop.seatbelt()),
        ..Job::default()
    };
    let limits = Limits { timeout: left, at_a_time: 1, output_bytes: OUTPUT_BYTES };
    let ran = workshop.run(&[job], limits).into_iter().next();
    ran.map_or_else(
        || no_verdict("could not start", "Run it by hand to see why"),
        |ran| interpret(&ran, request, timeout),
    )
}

/// How much of the hook's time is left.
fn time_left(workshop: &dyn Workshop) -> Duration {
    Duration::from_secs(client_timeout::SECONDS.into()).saturating_sub(workshop.elapsed())
}

fn interpret(ran: &JobResult, request: &RunRequest<'_>, timeout: Duration) -> RunResult {
    let output = tail(&ran.stdout, &ran.stderr, request.tail_lines);
    let output = if output.is_empty() { "(no output)".to_owned() } else { output };
    let cut = if ran.cut { "\n(the output was too long; its end was dropped)" } else { "" };
    let with_output = |run: RunResult| RunResult { tail: format!("{}\n{output}{cut}", run.tail), ..run };
    let outside = |signal: i32| {
        let how = format!("killed by signal {signal}");
        no_verdict(&how, "Something else ended it: a person, or the system (out of memory)")
    };
    match &ran.ending {
        Ending::Exited(0) => {
            RunResult { verdict: Verdict::Passed, tail: format!("exit code 0\n{output}{cut}") }
        }
        // The exit codes of a shell if a program is missing or not executable.
        Ending::Exited(code @ (126 | 127)) => with_output(no_verdict(
            &format!("could not start: exit code {code}"),
            "Install what it needs, or fix the command in flyball.toml",
        )),
        // The exit code of a shell if a program was killed.
        Ending::Exited(code) if FROM_OUTSIDE.contains(&(code - 128)) => with_output(outside(code - 128)),
        Ending::Exited(code) => match missing::find(*code, &output) {
            Some(missing) => {
                with_output(no_verdict(&format!("could not start: {}", missing.line), missing.fix))
            }
            None => RunResult { verdict: Verdict::Failed, tail: format!("exit code {code}\n{output}{cut}") },
        },
        Ending::Killed(signal) if FROM_OUTSIDE.contains(signal) => with_output(outside(*signal)),
        // The program crashed: a segmentation fault, an abort.
        Ending::Killed(signal) => {
            RunResult { verdict: Verdict::Failed, tail: format!("killed by signal {signal}\n{output}{cut}") }
        }
        Ending::TimedOut | Ending::OverLimit(_) => with_output(no_verdict(
            &format!("stopped after {} s", timeout.as_secs()),
            "Raise `run_time` in flyball.toml, or use a faster command",
        )),
        Ending::NotStarted(why) => {
            no_verdict(&format!("could not start: {why}"), "Install what it needs, or fix the command")
        }
    }
}

fn no_verdict(what: &str, fix: &str) -> RunResult {
    RunResult { verdict: Verdict::None, tail: format!("{NO_VERDICT}{what}. {fix}") }
}
