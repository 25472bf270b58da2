//! One child: started in a process group of its own, and ended with all of that group.

use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child as Process, ChildStderr, ChildStdout};
use std::time::{Duration, Instant};

use flyball_core::workshop::{Ending, Job, JobLimit, JobResult};
use rustix::event::{PollFd, PollFlags};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_open, waitid,
};

use super::memory::MemoryWatch;
use super::pipes::{Drain, Feed};
use crate::processes::kill_outside;
use crate::workshop::start::{command, start_error};

/// How long a child that was asked to end may take to clean up. This comes after the deadline.
const GRACE: Duration = Duration::from_millis(200);
/// How long the end of a child that was killed is waited for: one that is stuck in the kernel, on a
/// disk that is gone, does not end.
const STUCK: Duration = Duration::from_secs(1);
/// How often a child is looked at where the system cannot wake us at its end.
const GLANCE: Duration = Duration::from_millis(5);

/// What holds for all children of a call.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) deadline: Instant,
    pub(super) output_bytes: usize,
}

/// A child that was started.
pub(super) struct Child {
    process: Process,
    group: Pid,
    /// Becomes readable when it ends; not all systems have it.
    end: Option<OwnedFd>,
    has_ended: bool,
    streams: Streams,
    started: Instant,
    stage: Stage,
    /// What it is ended for when its time is over.
    on_time_over: Ending,
    /// Its limit of memory, in bytes.
    memory: Option<u64>,
}

/// The state of a child, and when the next step is due.
#[derive(Clone, Copy)]
enum Stage {
    /// It runs; it is asked to end then.
    Works(Instant),
    /// It was asked to end; it is killed then.
    Asked(Instant),
    /// It was killed; it is given up then.
    Killed(Instant),
}

impl Child {
    /// Starts a job; the error says why it cannot start, and what to do.
    pub(super) fn start(job: &Job, bounds: Bounds) -> Result<Child, String> {
        let started = Instant::now();
        let own = job.timeout.and_then(|timeout| started.checked_add(timeout));
        let stop = own.map_or(bounds.deadline, |own| own.min(bounds.deadline));
        let on_time_over = match job.timeout.filter(|_| stop < bounds.deadline) {
            Some(own) => Ending::OverLimit(JobLimit::Time(own)),
            None => Ending::TimedOut,
        };
        let mut process = command(job).spawn().map_err(|cause| start_error(job, &cause))?;
        let group = Pid::from_child(&process);
        match Streams::from_process(&mut process, job, bounds.output_bytes) {
            Ok(streams) => Ok(Child {
                process,
                group,
                // Linux has it since 5.3; without it the child is polled.
                end: pidfd_open(group, PidfdFlags::empty()).ok(),
                has_ended: false,
                streams,
                started,
                stage: Stage::Works(stop),
                on_time_over,
                memory: job.memory,
            }),
            Err(cause) => {
                // It may have ended already; either way its output cannot be read.
                _ = (kill_process_group(group, Signal::KILL), process.wait());
                Err(format!("the output of `{}` cannot be read: {cause}; try again", job.program))
            }
        }
    }

    /// What may happen next with it.
    pub(super) fn poll_fds(&self) -> impl Iterator<Item = PollFd<'_>> {
        let stdin =
            self.streams.stdin.as_ref().map(|feed| PollFd::from_borrowed_fd(feed.fd(), PollFlags::OUT));
        let end = self.end.as_ref().map(AsFd::as_fd);
        let readable = [self.streams.stdout.fd(), self.streams.stderr.fd(), end].into_iter().flatten();
        stdin.into_iter().chain(readable.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)))
    }

    /// When it must be looked at even if nothing happens.
    pub(super) fn due(&self, now: Instant) -> Instant {
        let (Stage::Works(due) | Stage::Asked(due) | Stage::Killed(due)) = self.stage;
        if self.end.is_none() && !self.has_ended { due.min(now + GLANCE) } else { due }
    }

    /// From now on it has no time left.
    pub(super) fn expire(&mut self, now: Instant) {
        if let Stage::Works(due) = self.stage {
            self.stage = Stage::Works(due.min(now));
            self.on_time_over = Ending::TimedOut;
        }
    }

    /// When it was started, if its memory has to be looked at.
    pub(super) fn watched_since(&self) -> Option<Instant> {
        self.memory.filter(|_| matches!(self.stage, Stage::Works(_))).map(|_| self.started)
    }

    /// Ends it if it uses too much memory. It is not asked to: while it cleans up it could use more.
    pub(super) fn check_memory(&mut self, watch: &MemoryWatch, now: Instant) {
        let Some(limit) = self.memory else { return };
        if matches!(self.stage, Stage::Works(_)) && watch.is_over(self.group, limit) {
            self.on_time_over = Ending::OverLimit(JobLimit::Memory(limit));
            self.signal_all(Signal::KILL);
            self.stage = Stage::Killed(now + STUCK);
        }
    }

    /// Does what can be done for it without waiting, and returns how it ended once it has.
    pub(super) fn step(&mut self, now: Instant) -> Option<JobResult> {
        self.streams.pump();
        self.check_ended();
        match self.stage {
            Stage::Works(_) if self.has_ended => Some(self.finish(now)),
            Stage::Works(due) if now >= due => {
                self.signal_all(Signal::TERM);
                self.stage = Stage::Asked(now + GRACE);
                None
            }
            // Its own children may still be cleaning up, as long as they hold its outputs.
            Stage::Asked(due) if now >= due || (self.has_ended && self.streams.is_closed()) => {
                self.signal_all(Signal::KILL);
                self.stage = Stage::Killed(now + STUCK);
                self.has_ended.then(|| self.finish(now))
            }
            Stage::Killed(due) if self.has_ended || now >= due => Some(self.finish(now)),
            Stage::Works(_) | Stage::Asked(_) | Stage::Killed(_) => None,
        }
    }

    /// Notes whether it has ended, without reaping it: until then no other process can get its
    /// id, so that a signal to its group reaches no other process.
    fn check_ended(&mut self) {
        if self.has_ended {
            return;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.has_ended = matches!(waitid(WaitId::Pid(self.group), options), Ok(Some(_)));
        if self.has_ended {
            // Otherwise it stays readable and every wait would return at once.
            self.end = None;
        }
    }

    fn signal(&self, signal: Signal) {
        // The group may have ended already.
        kill_process_group(self.group, signal).ok();
    }

    /// Also ends what it started in other groups: of a job that is stopped, nothing runs on. That is not asked to end
    /// first: nobody could find it again once its parent has ended.
    fn signal_all(&self, signal: Signal) {
        kill_outside(self.group.as_raw_nonzero().get());
        self.signal(signal);
    }

    /// Reaps it: what it left running in its group ends too.
    fn finish(&mut self, now: Instant) -> JobResult {
        self.signal(Signal::KILL);
        let (stdout, cut) = self.streams.stdout.finish();
        let (stderr, cut_too) = self.streams.stderr.finish();
        // Waiting for one that is stuck in the kernel would block us as well.
        let status = if self.has_ended { self.process.wait().ok() } else { None };
        let ending = match (self.stage, status) {
            (Stage::Works(_), Some(status)) => match (status.code(), status.signal()) {
                (Some(code), _) => Ending::Exited(code),
                (None, signal) => Ending::Killed(signal.unwrap_or_default()),
            },
            // Also if it ended with code 0 after it was asked to: its output may be incomplete.
            (Stage::Works(_) | Stage::Asked(_) | Stage::Killed(_), _) => self.on_time_over.clone(),
        };
        let took = now.saturating_duration_since(self.started);
        JobResult { ending, stdout, stderr, cut: cut || cut_too, took }
    }
}

/// What goes in and comes out of a child.
struct Streams {
    stdin: Option<Feed>,
    stdout: Drain<ChildStdout>,
    stderr: Drain<ChildStderr>,
}

impl Streams {
    fn from_process(process: &mut Process, job: &Job, most: usize) -> std::io::Result<Streams> {
        let text = || job.stdin.clone().unwrap_or_default();
        Ok(Streams {
            stdin: process.stdin.take().map(|pipe| Feed::new(pipe, text())).transpose()?,
            stdout: Drain::new(process.stdout.take(), most)?,
            stderr: Drain::new(process.stderr.take(), most)?,
        })
    }

    fn pump(&mut self) {
        if self.stdin.as_mut().is_some_and(|feed| !feed.write()) {
            self.stdin = None;
        }
        self.stdout.read();
        self.stderr.read();
    }

    fn is_closed(&self) -> bool {
        self.stdout.fd().is_none() && self.stderr.fd().is_none()
    }
}
