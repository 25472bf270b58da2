//! Sends what is due for one signal, batch by batch. The cursor only moves past what was accepted.

use std::time::Duration;

use flyball_core::text;
use flyball_core::time::Time;
use flyball_otlp::partial_success;
use flyball_store::Records;
use flyball_store::outbox::{Cursor, is_due};
use flyball_world::upload::{Reply, Upload, UploadError, post};

use super::batch::{Batch, Channel};
use super::clock::now;
use super::retry::{Outcome, interpret, pause};
use crate::outcome::Failed;

/// How long before its record an event may have begun: a policy may have run a linter in between.
const SLACK: Duration = Duration::from_mins(15);
/// The longest text of a receiver that is stored.
const LONGEST: usize = 300;

/// Whether to wait after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timing {
    Now,
    WhenDue,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DeliveryOptions {
    pub(super) start: Start,
    pub(super) timing: Timing,
}

/// Where sending begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// For a signal that was never sent to this address.
    pub(super) first: Time,
    /// Send again from here.
    pub(super) again: Option<Time>,
}

/// The result of a delivery.
#[derive(Clone, Debug, Default)]
pub(super) struct Delivery {
    /// Events that were accepted.
    pub(super) sent: u64,
    /// Why it stopped before the end.
    pub(super) error: Option<String>,
    /// When to try again; 1970 if nothing failed.
    pub(super) not_before: Time,
}

impl Channel<'_> {
    /// Sends what is due; `report` is called with the number of events sent, and of all.
    pub(super) fn deliver(
        &self,
        options: DeliveryOptions,
        report: &mut dyn FnMut(u64, u64),
    ) -> Result<Delivery, Failed> {
        let Channel { plan, target, index } = *self;
        let started = now();
        let before = plan.outbox.cursor(&target.name)?;
        let mut cursor = before.clone();
        cursor.host.clone_from(&target.host);
        position_cursor(&mut cursor, index, options.start)?;
        count_lost(&mut cursor, index)?;
        let mut delivery = Delivery::default();
        if options.timing == Timing::Now || is_due(cursor.not_before, started) {
            let all = index.count_between(cursor.row, i64::MAX)?;
            cursor.not_before = Time::default();
            // A receiver that asked for smaller batches the last time may accept larger ones again.
            cursor.limit =
                Some(cursor.limit.saturating_mul(2)).filter(|more| *more < plan.batch).unwrap_or(0);
            report(0, all);
            self.send_all(&mut cursor, &mut |sent| {
                delivery.sent += sent;
                report(delivery.sent, all);
            })?;
            // When it started, not now: events of the meantime may not have been in the index yet.
            if cursor.last_error.is_empty() && delivery.sent > 0 {
                cursor.complete = started;
            }
        }
        delivery.error = Some(cursor.last_error.clone()).filter(|error| !error.is_empty());
        delivery.not_before = cursor.not_before;
        let tip = index.tip()?;
        cursor.waiting = index.count_between(cursor.row, tip)?;
        cursor.tip = if cursor.waiting == 0 { before.tip } else { tip };
        if cursor != before {
            plan.outbox.acknowledge(&target.name, &cursor)?;
        }
        Ok(delivery)
    }

    fn send_all(&self, cursor: &mut Cursor, sent: &mut dyn FnMut(u64)) -> Result<(), Failed> {
        let Channel { plan, target, .. } = *self;
        cursor.last_error.clear();
        while let Some(batch) = self.next_batch(cursor, now())? {
            // Stored before it is sent: if this process dies, the next one repeats the same request to the
            // byte.
            cursor.pending = Some(batch.pending);
            plan.outbox.acknowledge(&target.name, cursor)?;
            let upload =
                Upload { url: &target.url, headers: &plan.headers, body: &batch.body, wait: plan.timeout };
            let answer = post(&upload);
            match interpret(&answer, now()) {
                Outcome::Accepted => {
                    record_accepted(cursor, &batch, &answer);
                    sent(batch.events);
                }
                Outcome::TooLarge => shrink(cursor, &batch),
                failure => {
                    record_failure(cursor, &failure);
                    return Ok(());
                }
            }
            plan.outbox.acknowledge(&target.name, cursor)?;
        }
        Ok(())
    }
}

/// Finds the position in this index. If the index was rebuilt, sending continues where all earlier events are known to be
/// sent.
pub(super) fn position_cursor(cursor: &mut Cursor, index: &dyn Records, start: Start) -> Result<(), Failed> {
    let epoch = index.epoch()?;
    let begin = match start.again {
        Some(again) => Some(again),
        None if cursor.epoch == 0 => Some(start.first),
        // Row numbers of another index mean nothing here; only times carry over.
        None if cursor.epoch != epoch => Some(cursor.since.max(cursor.complete - SLACK)),
        None => None,
    };
    let Some(begin) = begin else { return Ok(()) };
    cursor.row = index.position_before(begin)?;
    // After a rebuild, open spans are still true; after a new start they are not.
    if start.again.is_some() || cursor.epoch == 0 {
        cursor.since = begin;
        cursor.open = serde_json::Value::Null;
    }
    cursor.epoch = epoch;
    cursor.pending = None;
    (cursor.tip, cursor.waiting) = (0, 0);
    Ok(())
}

/// Counts what was deleted before it could be sent.
fn count_lost(cursor: &mut Cursor, index: &dyn Records) -> Result<(), Failed> {
    if cursor.waiting > 0 {
        let left = index.count_between(cursor.row, cursor.tip)?;
        cursor.lost += cursor.waiting.saturating_sub(left);
        cursor.waiting = left;
    }
    Ok(())
}

fn record_accepted(cursor: &mut Cursor, batch: &Batch, answer: &Result<Reply, UploadError>) {
    batch.advance(cursor);
    (cursor.failures, cursor.last_success) = (0, now());
    let partial = answer.as_ref().ok().and_then(|reply| partial_success(&reply.body));
    if let Some(partial) = partial {
        cursor.rejected += partial.rejected;
        cursor.last_rejection = text::head(&partial.message, LONGEST).to_owned();
    }
}

/// Halves the batch for the receiver. A single event that is too large is dropped, and counted.
fn shrink(cursor: &mut Cursor, batch: &Batch) {
    if batch.events > 1 {
        cursor.limit = usize::try_from(batch.events / 2).unwrap_or(1).max(1);
        cursor.pending = None;
        return;
    }
    batch.advance(cursor);
    // `advance` counted it as sent.
    cursor.sent = cursor.sent.saturating_sub(batch.events);
    cursor.rejected += 1;
    "an event was too large for the receiver".clone_into(&mut cursor.last_rejection);
}

fn record_failure(cursor: &mut Cursor, failure: &Outcome) {
    let now = now();
    cursor.failures = cursor.failures.saturating_add(1);
    // Any number that differs between senders.
    let chance = now.as_micros().unsigned_abs() ^ u64::from(std::process::id());
    cursor.not_before = now + pause(failure, cursor.failures, chance);
    cursor.last_error_at = now;
    if let Outcome::Retry { what, .. } | Outcome::Refused { what } = failure {
        cursor.last_error = text::head(what, LONGEST).to_owned();
    }
}
