//! Runs a command line of the project's, a test suite mostly, and says what came of it.
//!
//! What a run says about the code and what it says about the machine are never the same thing: a suite that
//! was too late or could not start is no suite that failed.

mod tail;

use std::collections::BTreeMap;

use flyball_core::workshop::{Ending, Job, JobResult, Limits, ProgramQuery, Workshop};
use serde::{Deserialize, Serialize};

use self::tail::tail;
use crate::client_timeout;

/// Set for what is run here, so that an agent that a test suite starts is not sent into a loop of its own.
pub(super) const IN_LOOP: &str = "FLYBALL_IN_LOOP";

/// The tail of a run that says nothing about the code begins with these words.
pub(super) const NO_VERDICT: &str = "no verdict on the code: ";

/// In less time nothing is begun.
const LEAST_MILLIS: u64 = 1_000;

/// The end of an output is what matters, so much is kept of it that there always is one.
const OUTPUT_BYTES: usize = 64 * 1024 * 1024;

/// Signals by which people and machines end what runs: hang-up, interrupt, kill, terminate.
const FROM_OUTSIDE: [i32; 4] = [1, 2, 9, 15];

/// A command line to be run.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunRequest<'a> {
    pub(super) command: &'a str,
    pub(super) folder: &'a str,
    /// How long it may take, in milliseconds; what is left of the hook's time may be less.
    pub(super) millis: u64,
    /// How many of its last lines are told.
    pub(super) tail_lines: usize,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunResult {
    /// What it says about the code.
    pub(super) verdict: Verdict,
    /// How it ended, and the end of its output.
    pub(super) tail: String,
}

/// What a run says about the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// It exited with 0.
    Passed,
    /// It came to its end, and that was another.
    Failed,
    /// Nothing: it was late, was ended from outside, or never began.
    None,
}

/// Runs a command line by the shell.
pub(super) fn run(workshop: &dyn Workshop, order: &RunRequest<'_>) -> RunResult {
    let left = left_millis(workshop);
    if left < LEAST_MILLIS {
        return no_verdict(
            "there was no time left for it",
            "Stop again: what was run already is not run again",
        );
    }
    let wanted = ProgramQuery { name: "sh".to_owned(), near: order.folder.to_owned(), local: false };
    let Some(shell) = workshop.find(&wanted) else {
        return no_verdict("could not be started: there is no `sh`", "It has to be on the search path");
    };
    let millis = order.millis.min(left);
    let job = Job {
        program: shell.path,
        arguments: vec!["-c".to_owned(), order.command.to_owned()],
        folder: order.folder.to_owned(),
        set: BTreeMap::from([(IN_LOOP.to_owned(), "1".to_owned())]),
        millis: Some(millis),
        ..Job::default()
    };
    let limits = Limits { millis: left, at_a_time: 1, output_bytes: OUTPUT_BYTES };
    let ran = workshop.run(&[job], limits).into_iter().next();
    ran.map_or_else(
        || no_verdict("could not be started", "Run it by hand to see why"),
        |ran| interpret(&ran, order, millis),
    )
}

/// How much of the hook's time is left.
fn left_millis(workshop: &dyn Workshop) -> u64 {
    (u64::from(client_timeout::SECONDS) * 1_000).saturating_sub(workshop.micros() / 1_000)
}

fn interpret(ran: &JobResult, order: &RunRequest<'_>, millis: u64) -> RunResult {
    let output = tail(&ran.stdout, &ran.stderr, order.tail_lines);
    let output = if output.is_empty() { "(no output)".to_owned() } else { output };
    let cut = if ran.cut { "\n(it printed so much that the end is not kept)" } else { "" };
    let with_output = |run: RunResult| RunResult { tail: format!("{}\n{output}{cut}", run.tail), ..run };
    let outside = |signal: i32| {
        let how = format!("killed by signal {signal}");
        no_verdict(&how, "Something outside of it ended it: a person, or a machine that is out of memory")
    };
    match &ran.ending {
        Ending::Exited(0) => {
            RunResult { verdict: Verdict::Passed, tail: format!("exit code 0\n{output}{cut}") }
        }
        // The words of a shell for a program that is not there or may not be run.
        Ending::Exited(code @ (126 | 127)) => with_output(no_verdict(
            &format!("could not be started: exit code {code}"),
            "Install what it needs, or correct the command in flyball.toml",
        )),
        // The word of a shell for a program that was killed.
        Ending::Exited(code) if FROM_OUTSIDE.contains(&(code - 128)) => with_output(outside(code - 128)),
        Ending::Exited(code) => {
            RunResult { verdict: Verdict::Failed, tail: format!("exit code {code}\n{output}{cut}") }
        }
        Ending::Killed(signal) if FROM_OUTSIDE.contains(signal) => with_output(outside(*signal)),
        Ending::Killed(signal) => {
            RunResult { verdict: Verdict::Failed, tail: format!("killed by signal {signal}\n{output}{cut}") }
        }
        Ending::TimedOut => with_output(no_verdict(
            &format!("stopped after {} s", millis / 1_000),
            "`run_time` in flyball.toml says how long it may take; a quicker command proves as much",
        )),
        Ending::NotStarted(why) => no_verdict(
            &format!("could not be started: {why}"),
            "Install what it needs, or correct the command",
        ),
    }
}

fn no_verdict(what: &str, fix: &str) -> RunResult {
    RunResult { verdict: Verdict::None, tail: format!("{NO_VERDICT}{what}. {fix}") }
}
