//! Runs git for one question: within a time limit, without a thread, with all that is known if it fails.

use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use flyball_core::policy::PolicyError;
use flyball_system::{ExitStatusExt, Printed, Unread, read_printed};

/// Longer output is cut, unless the question has a limit of its own.
pub(super) const MOST_BYTES: usize = 256 * 1024;
/// Only the beginning of what git complains about is shown.
const MOST_COMPLAINT: usize = 4 * 1024;
/// A repository on a disk that is gone must not hang the session.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A call of git that ended.
pub(super) struct Finished {
    pub(super) output: String,
    pub(super) complaint: String,
    status: ExitStatus,
}

impl Finished {
    /// Its exit code; `None` if a signal ended it.
    pub(super) fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// That this is no answer to a question.
    pub(super) fn trouble(&self, question: &[&str]) -> PolicyError {
        let how = match (self.status.code(), self.status.signal()) {
            (Some(0), _) => "did not answer as git does".to_owned(),
            (Some(code), _) => format!("failed with exit code {code}"),
            (None, Some(signal)) => format!("was killed by signal {signal}"),
            (None, None) => "did not end by itself".to_owned(),
        };
        let complaint = self.complaint.lines().map(str::trim).find(|line| !line.is_empty());
        let complaint = complaint.map(|line| format!(": {line}")).unwrap_or_default();
        not_answered(question, &format!("{how}{complaint}"))
    }
}

/// The error for a question that git did not answer.
pub(super) fn not_answered(question: &[&str], how: &str) -> PolicyError {
    /// A question may name very many files.
    const SHOWN: usize = 8;
    let more = if question.len() > SHOWN { " …" } else { "" };
    let shown = question.iter().take(SHOWN).copied().collect::<Vec<_>>().join(" ");
    PolicyError::World {
        what: format!("git could not be asked: `git {shown}{more}` {how}"),
        fix: "run the same command by hand to see why".to_owned(),
    }
}

/// Runs a prepared command that stands for a question.
pub(super) fn run(command: Command, question: &[&str]) -> Result<Finished, PolicyError> {
    run_up_to(MOST_BYTES, command, question)
}

/// The same, with answers of another length.
pub(super) fn run_up_to(
    most: usize,
    mut command: Command,
    question: &[&str],
) -> Result<Finished, PolicyError> {
    let Ended { output, complaint, status } = run_to_end(most, &mut command, question)?;
    let text = |bytes: Vec<u8>| match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(other) => String::from_utf8_lossy(other.as_bytes()).into_owned(),
    };
    Ok(Finished { output: text(output), complaint: text(complaint), status })
}

/// Runs a prepared command whose output need not be text: the bytes that it prints.
pub(super) fn run_for_bytes(
    most: usize,
    mut command: Command,
    question: &[&str],
) -> Result<Vec<u8>, PolicyError> {
    let Ended { output, complaint, status } = run_to_end(most, &mut command, question)?;
    if status.success() {
        return Ok(output);
    }
    let complaint = String::from_utf8_lossy(&complaint).into_owned();
    Err(Finished { output: String::new(), complaint, status }.trouble(question))
}

/// What a call of git left.
struct Ended {
    output: Vec<u8>,
    complaint: Vec<u8>,
    status: ExitStatus,
}

fn run_to_end(most: usize, command: &mut Command, question: &[&str]) -> Result<Ended, PolicyError> {
    let deadline = Instant::now() + TIMEOUT;
    let started =
        command.spawn().map_err(|cause| not_answered(question, &format!("could not be started: {cause}")));
    let mut child = started?;
    let ended = collect(&mut child, most, deadline)
        .and_then(|(output, complaint)| Ok(Ended { output, complaint, status: wait(&mut child, deadline)? }));
    ended.map_err(|how| {
        // If it cannot be killed there is nothing else to do.
        _ = child.kill();
        _ = child.wait();
        not_answered(question, &how)
    })
}

/// What git prints and what it complains about, until it closes both.
fn collect(child: &mut Child, most: usize, deadline: Instant) -> Result<Printed, String> {
    read_printed(child, (most, MOST_COMPLAINT), deadline).map_err(|unread| match unread {
        Unread::TooLate => too_late(),
        Unread::Failed(cause) => format!("could not be read: {cause}"),
    })
}

/// Waits for the end of git. It usually comes with the end of its output.
fn wait(child: &mut Child, deadline: Instant) -> Result<ExitStatus, String> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if Instant::now() < deadline => sleep(Duration::from_micros(100)),
            Ok(None) => return Err(too_late()),
            Err(cause) => return Err(format!("could not be waited for: {cause}")),
        }
    }
}

fn too_late() -> String {
    format!("did not end within {} s", TIMEOUT.as_secs())
}
