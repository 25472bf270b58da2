//! `flyball export`: sends the record to an OpenTelemetry collector.

mod batch;
mod check;
mod clock;
mod deliver;
mod detached;
mod plan;
mod retry;
mod status;

pub(crate) use plan::Plan;
pub(crate) use status::SignalStatus;

use std::time::Duration;

use clap::Args;
use flyball_core::text;
use flyball_core::time::Time;
use jiff::Zoned;

use self::batch::Channel;
use self::clock::now;
use self::deliver::{Delivery, DeliveryOptions, Start, Timing, position_cursor};
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::show::text::one_line;
use crate::show::time::{self, Bound};
use crate::terminal::Terminal;

/// How long to wait for a running sender, besides the time that its request may take.
const TURN_WAIT: Duration = Duration::from_secs(10);

/// Arguments of `flyball export`.
#[derive(Args)]
#[command(
    after_help = "Without options all that is due is sent now. Settings are in `[otlp]` of the user's config; \
docs/telemetry.md lists what is sent under which name"
)]
pub(crate) struct Arguments {
    /// Show how far each signal got, what waits and what went wrong
    #[arg(long, conflicts_with_all = ["check", "dry_run", "since"])]
    status: bool,
    /// Send an empty request to each address, and show what is wrong
    #[arg(long, conflicts_with_all = ["dry_run", "since"])]
    check: bool,
    /// Print what would be sent as JSON, a request a line, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// Send all events since then, also those that were sent before: `2h`, `2026-11-14`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// With --status: print JSON
    #[arg(long, requires = "status")]
    json: bool,
    /// Stay and send what comes, from this time on in microseconds since 1970; started by hooks
    #[arg(long, hide = true, value_name = "MICROS")]
    detached: Option<i64>,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    if let Some(from) = arguments.detached {
        return detached::run(Time::from_micros(from));
    }
    let Some(plan) = Plan::find()? else {
        let fix = "name an `endpoint` in `[otlp]` of your own config file; see docs/telemetry.md";
        return Err(Failed::new("nothing is sent: no endpoint is set", fix));
    };
    if arguments.status {
        return status::run(&plan, arguments.json, terminal);
    }
    if arguments.check {
        return check::run(&plan, terminal);
    }
    let since = since(arguments)?;
    if arguments.dry_run {
        return dry_run(&plan, since, terminal);
    }
    send(&plan, since, terminal)
}

fn since(arguments: &Arguments) -> Result<Option<Time>, Failed> {
    let Some(text) = &arguments.since else { return Ok(None) };
    let found = time::parse(text, Bound::Start, &Zoned::now());
    found.map(Some).ok_or_else(|| Failed::new(format!("invalid time `{text}`"), time::FORMS))
}

fn send(plan: &Plan, since: Option<Time>, terminal: &Terminal) -> Result<Done, Failed> {
    // Two senders would read the same position and send the same events twice.
    // The one that hooks started may wait for its next try: it hands over, once its request has ended.
    let Some(_turn) = plan.outbox.claim_turn(plan.timeout + TURN_WAIT)? else {
        let fix = "it is at a request that takes long, or another `flyball export`; try again";
        return Err(Failed::new("another sender is running", fix));
    };
    let archive = plan.here.archive()?;
    let mut failures = 0;
    for target in &plan.targets {
        let progress = Progress::after_a_while();
        let signal = format!("{} to {}", target.signal.name(), target.host);
        let mut report = |done: u64, all: u64| {
            let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
            progress.bar(&signal, (count(done), count(all)));
        };
        let start = Start { first: now(), again: since };
        let channel = Channel { plan, target, index: &*archive.index };
        let options = DeliveryOptions { start, timing: Timing::Now };
        let Delivery { sent, error, .. } = channel.deliver(options, &mut report)?;
        progress.clear();
        terminal.line(&format!("{signal}: {}", sent_line(sent)));
        if let Some(error) = error {
            failures += 1;
            terminal.print_failure(&one_line(&error), "`flyball export --check` checks each address");
        }
    }
    if failures == 0 {
        return Ok(Done::Success);
    }
    Err(Failed::new(
        format!("{failures} of {} signals could not be sent", plan.targets.len()),
        "the rest is stored and sent later",
    ))
}

fn sent_line(sent: u64) -> String {
    match sent {
        0 => "nothing was due".to_owned(),
        some => format!("{} sent", text::counted(some, "event")),
    }
}

/// Prints what is due, and changes nothing.
fn dry_run(plan: &Plan, since: Option<Time>, terminal: &Terminal) -> Result<Done, Failed> {
    let archive = plan.here.archive()?;
    for target in &plan.targets {
        let mut cursor = plan.outbox.cursor(&target.name)?;
        let channel = Channel { plan, target, index: &*archive.index };
        position_cursor(&mut cursor, channel.index, Start { first: now(), again: since })?;
        while let Some(batch) = channel.next_batch(&mut cursor, now())? {
            let request = serde_json::json!({ "signal": target.signal.name(), "host": target.host, "request": batch.message.json() });
            terminal.raw(&request.to_string());
            // Only this copy moves; it is never stored, so a real run still sends all of it.
            batch.advance(&mut cursor);
        }
    }
    Ok(Done::Success)
}
