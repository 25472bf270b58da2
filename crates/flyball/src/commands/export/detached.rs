//! The sender that hooks start: runs while there are events to send, then ends. Nobody waits for it or reads its output.

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

/// How long it runs without anything to send.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// How often it looks.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often it looks for a command that wants to send, in the time between.
const CLAIM_LOOKS: u32 = 5;
/// How often it looks before it reads the settings again.
const POLLS_PER_RELOAD: u32 = 10;
/// A hook takes the lock for a moment to check whether a sender is running.
const TURN_WAIT: Duration = Duration::from_millis(500);
/// How long no sender is started after one failed to start.
const FAILURE_PAUSE: Duration = Duration::from_mins(1);
/// Hooks of parallel calls may have begun before the one that started us.
const PARALLEL_SLACK: Duration = Duration::from_mins(1);

/// Sends until there are no more events.
pub(super) fn run(from: Time) -> Result<Done, Failed> {
    let environment = Environment::read();
    let Some(outbox) = environment.state_dir().map(Outbox::below) else { return Ok(Done::Success) };
    loop {
        let Some(mut turn) = outbox.take_turn(TURN_WAIT)? else {
            return Ok(Done::Success);
        };
        let exit = match poll_until_idle(&outbox, from - PARALLEL_SLACK) {
            Ok(exit) => exit,
            Err(failed) => {
                // Else every event would start a sender that fails in the same way.
                turn.pause_until(now() + FAILURE_PAUSE);
                return Err(failed);
            }
        };
        turn.pause_until(exit.pause);
        // Released before the last look: an event after it finds the lock free and starts a sender itself.
        drop(turn);
        // A hook that ran after our last poll saw this sender running, and started no other.
        if exit.is_claimed || exit.pause > Time::default() || !has_grown(&outbox, exit.tip)? {
            return Ok(Done::Success);
        }
    }
}

/// How the sender ended.
struct Exit {
    /// Before this time, a new sender would only fail again; 1970 if there is no such time.
    pause: Time,
    /// The last row that it saw.
    tip: i64,
    /// Whether a command takes over.
    is_claimed: bool,
}

fn poll_until_idle(outbox: &Outbox, from: Time) -> Result<Exit, Failed> {
    let mut last_sent = Instant::now();
    loop {
        // Settings may have changed, and the index may have been rebuilt.
        let plan = if outbox.state().is_dir() { Plan::find()? } else { None };
        let Some(plan) = plan else {
            return Ok(Exit { pause: Time::default(), tip: i64::MAX, is_claimed: false });
        };
        let archive = plan.here.archive()?;
        for _ in 0..POLLS_PER_RELOAD {
            if let Some(exit) = send_pending(&plan, &archive, (from, &mut last_sent))? {
                return Ok(exit);
            }
            if wait_for_claim(outbox) {
                return Ok(Exit { pause: Time::default(), tip: i64::MAX, is_claimed: true });
            }
            // If someone removed the state folder, do not create it again.
            if !outbox.state().is_dir() {
                break;
            }
            archive.refresh(&Zoned::now())?;
        }
    }
}

/// Waits until the next look; `true` as soon as a command wants to send.
fn wait_for_claim(outbox: &Outbox) -> bool {
    (0..CLAIM_LOOKS).any(|_| {
        std::thread::sleep(POLL_INTERVAL / CLAIM_LOOKS);
        outbox.is_claimed()
    })
}

/// Sends what is due; returns how the sender ends if it should.
fn send_pending(
    plan: &Plan,
    archive: &Archive,
    (from, last_sent): (Time, &mut Instant),
) -> Result<Option<Exit>, Failed> {
    let round = round(plan, archive, from)?;
    if round.sent > 0 {
        *last_sent = Instant::now();
    }
    // Nothing can succeed before the sender would end anyway.
    let is_useless = round.not_before.is_some_and(|at| at > now() + IDLE_TIMEOUT);
    let exit = Exit { pause: round.not_before.unwrap_or_default(), tip: round.tip, is_claimed: false };
    Ok((is_useless || last_sent.elapsed() >= IDLE_TIMEOUT).then_some(exit))
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
    // As long as one receiver answers, the sender stays for it.
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
