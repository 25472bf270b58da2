//! Replays sessions on all cores, and returns the results in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, SyncSender};

use flyball_store::{Queries, ReadStore, Store, StoreError};

use super::jobs::{Job, Jobs};
use super::replayer::{ReplayContext, SessionResult};
use super::{stored, transcript};
use crate::outcome::Failed;

/// What one worker sends: the number of the job, and its result.
type JobResult = (usize, Result<SessionResult, StoreError>);

/// Replays all jobs; `take` gets the result of each, in order.
pub(super) fn run_all(
    jobs: &Jobs,
    context: &ReplayContext<'_>,
    mut take: impl FnMut(SessionResult),
) -> Result<(), Failed> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = cores.min(jobs.all.len()).max(1);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        // Bounded, so that results do not pile up.
        let (sender, receiver) = mpsc::sync_channel(workers);
        for _ in 0..workers {
            let worker = Worker { jobs, context, next: &next, sender: sender.clone() };
            scope.spawn(move || worker.run());
        }
        // The receiver ends when the last sender is gone, and this one is not a worker's.
        drop(sender);
        let (mut early, mut due) = (BTreeMap::new(), 0);
        for (number, outcome) in receiver {
            // Results come in any order; they are passed on in the order of the jobs, so that output is the
            // same each time.
            early.insert(number, outcome?);
            while let Some(played) = early.remove(&due) {
                take(played);
                due += 1;
            }
        }
        Ok(())
    })
}

struct Worker<'a> {
    jobs: &'a Jobs,
    context: &'a ReplayContext<'a>,
    next: &'a AtomicUsize,
    sender: SyncSender<JobResult>,
}

impl Worker<'_> {
    fn run(&self) {
        let mut index = None;
        while !self.context.interrupt.is_set() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = self.jobs.all.get(number) else { break };
            // The receiver is gone once a job failed.
            if self.sender.send((number, self.run_job(job, &mut index))).is_err() {
                break;
            }
        }
    }

    fn run_job(
        &self,
        job: &Job,
        index: &mut Option<Box<dyn ReadStore>>,
    ) -> Result<SessionResult, StoreError> {
        match job {
            Job::Transcript(files) => Ok(transcript::replay(files, self.context)),
            Job::Stored(session) => match opened(index, self.jobs.store.as_ref())? {
                Some(index) => stored::replay(session, index, self.context),
                None => Ok(SessionResult::default()),
            },
        }
    }
}

/// The worker's own connection: one cannot be shared.
fn opened<'i>(
    index: &'i mut Option<Box<dyn ReadStore>>,
    store: Option<&Store>,
) -> Result<Option<&'i dyn Queries>, StoreError> {
    if index.is_none()
        && let Some(store) = store
    {
        *index = Some(store.open(None)?);
    }
    Ok(index.as_deref().map(|index| index as &dyn Queries))
}
