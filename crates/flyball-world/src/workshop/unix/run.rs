//! Runs programs at the same time, all from one thread: it sleeps until one of them prints something,
//! has ended, or is out of time.

use std::time::Instant;

use flyball_core::workshop::{Ending, Job, JobResult, Limits};
use rustix::event::{PollFd, Timespec, poll};

use super::child::{Bounds, Child};
use super::memory::MemoryWatch;
use super::signals::SignalGuard;
use crate::workshop::start::{MAX_WAIT, width, without_output};

/// Runs all jobs and returns how each ended, in their order.
pub(in crate::workshop) fn run(jobs: &[Job], limits: Limits) -> Vec<JobResult> {
    if jobs.is_empty() {
        return Vec::new();
    }
    // Without it the children keep running if a signal ends us.
    let guard = SignalGuard::start().ok();
    let mut queue = JobQueue::new(jobs, limits);
    queue.start_more();
    let mut has_expired = false;
    while !queue.running.is_empty() {
        // What decides is that the children were asked to end, not that a signal came: one that comes after the
        // last look at it must still wake the wait.
        queue.wait(guard.as_ref().filter(|_| !has_expired));
        if guard.as_ref().is_some_and(|guard| guard.signal().is_some()) {
            // Children are asked to end first, so that they can clean up; the guard ends us afterwards.
            queue.expire();
            has_expired = true;
        }
        queue.step();
        queue.start_more();
    }
    // If a signal came, it ends us here.
    drop(guard);
    queue.ended.into_iter().map(|ran| ran.unwrap_or_else(|| without_output(Ending::TimedOut))).collect()
}

/// The children of one call.
struct JobQueue<'a> {
    waiting: std::iter::Enumerate<std::slice::Iter<'a, Job>>,
    running: Vec<(usize, Child)>,
    ended: Vec<Option<JobResult>>,
    width: usize,
    bounds: Bounds,
    memory: MemoryWatch,
}

impl<'a> JobQueue<'a> {
    fn new(jobs: &'a [Job], limits: Limits) -> JobQueue<'a> {
        let deadline = Instant::now() + limits.timeout.min(MAX_WAIT);
        JobQueue {
            waiting: jobs.iter().enumerate(),
            running: Vec::new(),
            ended: vec![None; jobs.len()],
            width: width(limits),
            bounds: Bounds { deadline, output_bytes: limits.output_bytes },
            memory: MemoryWatch::new(),
        }
    }

    fn start_more(&mut self) {
        // What has not started by then never does, and counts as timed out.
        while self.running.len() < self.width && Instant::now() < self.bounds.deadline {
            let Some((number, job)) = self.waiting.next() else { return };
            match Child::start(job, self.bounds) {
                Ok(child) => self.running.push((number, child)),
                Err(why) => self.store_result(number, without_output(Ending::NotStarted(why))),
            }
        }
    }

    fn wait(&self, guard: Option<&SignalGuard>) {
        let now = Instant::now();
        let due = self.running.iter().map(|(_, child)| child.due(now)).chain(self.memory_due()).min();
        let due = due.unwrap_or(now);
        let mut awaited: Vec<PollFd<'_>> =
            self.running.iter().flat_map(|(_, child)| child.poll_fds()).collect();
        awaited.extend(guard.map(SignalGuard::poll_fd));
        // The timeout is the earliest step that is due for any child.
        let timeout = Timespec::try_from(due.saturating_duration_since(now)).ok();
        // If it is interrupted, all children are checked all the same.
        poll(&mut awaited, timeout.as_ref()).ok();
    }

    fn expire(&mut self) {
        let now = Instant::now();
        self.bounds.deadline = self.bounds.deadline.min(now);
        for (_, child) in &mut self.running {
            child.expire(now);
        }
    }

    /// When the memory of the children has to be looked at.
    fn memory_due(&self) -> Option<Instant> {
        let oldest = self.running.iter().filter_map(|(_, child)| child.watched_since()).min()?;
        Some(self.memory.due(oldest))
    }

    fn step(&mut self) {
        let now = Instant::now();
        if self.memory_due().is_some_and(|due| now >= due) {
            self.memory.look();
            for (_, child) in &mut self.running {
                child.check_memory(&self.memory, now);
            }
        }
        for (number, mut child) in std::mem::take(&mut self.running) {
            match child.step(now) {
                Some(ran) => self.store_result(number, ran),
                None => self.running.push((number, child)),
            }
        }
    }

    fn store_result(&mut self, number: usize, ran: JobResult) {
        if let Some(place) = self.ended.get_mut(number) {
            *place = Some(ran);
        }
    }
}
