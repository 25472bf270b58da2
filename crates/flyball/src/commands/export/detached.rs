//! The sender that hooks start: stays while something comes, then leaves. Nobody waits for it or reads what it prints.

use std::time::{Duration, Instant};

use flyball_core::time::Time;

use flyball_store::outbox::Outbox;
use jiff::Zoned;

use super::batch::Channel;
use super::clock::now;
use super::deliver::{DeliveryOptions, Start, Timing};
use super::plan::Plan;
use crate::environment::Environment;
use crate::outcome::{Done, Failed};
use crate::project_context::Archive;

/// How long it stays without anything to send.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// How often it looks.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often it looks before it reads the settings again.
const POLLS_PER_RELOAD: u32 = 10;
/// A hook holds the lock for a moment when it looks whether anyone is here.
const TURN_WAIT: Duration = Duration::from_millis(500);
/// How long none is started after one could not even begin.
const FAILURE_PAUSE: Duration = Duration::from_mins(1);
/// Hooks of parallel calls may have begun before the one that started us.
const PARALLEL_SLACK: Duration = Duration::from_mins(1);

/// Sends until nothing comes any more.
pub(super) fn run(from: Time) -> Result<Done, Failed> {
    let environment = Environment::read();
    let Some(outbox) = environment.state_dir().map(Outbox::below) else { return Ok(Done::Success) };
    loop {
        let Some(mut turn) = outbox.take_turn(TURN_WAIT)? else {
            return Ok(Done::Success);
        };
        let left = match poll_until_idle(&outbox, from - PARALLEL_SLACK) {
            Ok(left) => left,
            Err(failed) => {
                turn.pause_until(now() + FAILURE_PAUSE);
                return Err(failed);
            }
        };
        turn.pause_until(left.pause);
        drop(turn);
        // An event that came after the last look found us still here, and started nobody.
        if left.pause > Time::default() || !has_grown(&outbox, left.tip)? {
            return Ok(Done::Success);
        }
    }
}

/// How the sender left.
struct Exit {
    /// Before this time no sender is of use; 1970 if one is.
    pause: Time,
    /// The last row that it saw.
    tip: i64,
}

fn poll_until_idle(outbox: &Outbox, from: Time) -> Result<Exit, Failed> {
    let mut quiet = Instant::now();
    loop {
        // Settings may have changed or been taken away, and the index been built anew.
        let plan = if outbox.state().is_dir() { Plan::find()? } else { None };
        let Some(plan) = plan else { return Ok(Exit { pause: Time::default(), tip: i64::MAX }) };
        let archive = plan.here.archive()?;
        for _ in 0..POLLS_PER_RELOAD {
            if let Some(left) = send_pending(&plan, &archive, (from, &mut quiet))? {
                return Ok(left);
            }
            std::thread::sleep(POLL_INTERVAL);
            // Whoever took it away does not want it back.
            if !outbox.state().is_dir() {
                break;
            }
            archive.refresh(&Zoned::now())?;
        }
    }
}

/// Sends what is there; says how it leaves if it is time to.
fn send_pending(
    plan: &Plan,
    archive: &Archive,
    (from, quiet): (Time, &mut Instant),
) -> Result<Option<Exit>, Failed> {
    let round = round(plan, archive, from)?;
    if round.sent > 0 {
        *quiet = Instant::now();
    }
    let is_useless = round.not_before.is_some_and(|at| at > now() + IDLE_TIMEOUT);
    let left = Exit { pause: round.not_before.unwrap_or_default(), tip: round.tip };
    Ok((is_useless || quiet.elapsed() >= IDLE_TIMEOUT).then_some(left))
}

struct Round {
    sent: u64,
    tip: i64,
    /// When the first of them may be tried again, if all of them failed.
    not_before: Option<Time>,
}

fn round(plan: &Plan, archive: &Archive, from: Time) -> Result<Round, Failed> {
    let tip = archive.index.tip()?;
    let options = DeliveryOptions { start: Start { first: from, again: None }, timing: Timing::WhenDue };
    let mut sent = 0;
    let mut pauses = Vec::new();
    for target in &plan.targets {
        let delivery = Channel { plan, target, index: &*archive.index }.deliver(options, &mut |_, _| {})?;
        sent += delivery.sent;
        pauses.push(delivery.not_before);
    }
    let is_all = pauses.iter().all(|at| *at > Time::default());
    Ok(Round { sent, tip, not_before: pauses.into_iter().min().filter(|_| is_all) })
}

fn has_grown(outbox: &Outbox, tip: i64) -> Result<bool, Failed> {
    if tip == i64::MAX || !outbox.state().is_dir() {
        return Ok(false);
    }
    let Some(plan) = Plan::find()? else { return Ok(false) };
    Ok(plan.here.archive()?.index.tip()? > tip)
}
