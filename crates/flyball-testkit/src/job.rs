//! Runs a job of a workshop as a real process, small enough to be understood.

use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use flyball_core::workshop::{Ending, Job, JobLimit, JobResult, Limits};

/// Runs a job to its end, or kills it and its children when its time is over.
///
/// # Panics
/// When the system does not let a process be watched or ended.
pub fn run_job(job: &Job, limits: Limits) -> JobResult {
    let mut command = Command::new(&job.program);
    command.args(&job.arguments).current_dir(&job.folder).envs(&job.set).process_group(0);
    for name in &job.unset {
        command.env_remove(name);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(cause) => {
            let ending = Ending::NotStarted(cause.to_string());
            return JobResult {
                ending,
                stdout: Vec::new(),
                stderr: Vec::new(),
                cut: false,
                took: Duration::ZERO,
            };
        }
    };
    let mut stdin = child.stdin.take().unwrap();
    let text = job.stdin.clone().unwrap_or_default();
    let writer = std::thread::spawn(move || stdin.write_all(&text).is_ok());
    let (ended, has_ended) = mpsc::channel();
    let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let reader = std::thread::spawn(move || {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        stdout.read_to_end(&mut out).unwrap();
        stderr.read_to_end(&mut err).unwrap();
        // Nobody waits any more if the job was late.
        let _ = ended.send(());
        (out, err)
    });
    let timeout = job.timeout.unwrap_or(limits.timeout).min(limits.timeout);
    let is_late = has_ended.recv_timeout(timeout).is_err();
    if is_late {
        let group = format!("-{}", child.id());
        assert!(Command::new("kill").args(["-KILL", "--", &group]).status().unwrap().success());
    }
    let (stdout, stderr) = reader.join().unwrap();
    writer.join().unwrap();
    let status = child.wait().unwrap();
    let ending = match (is_late, status.signal()) {
        (true, _) => match job.timeout.filter(|own| *own < limits.timeout) {
            Some(own) => Ending::OverLimit(JobLimit::Time(own)),
            None => Ending::TimedOut,
        },
        (false, Some(signal)) => Ending::Killed(signal),
        (false, None) => Ending::Exited(status.code().unwrap()),
    };
    JobResult { ending, stdout, stderr, cut: false, took: Duration::ZERO }
}
