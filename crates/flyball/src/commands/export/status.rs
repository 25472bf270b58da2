//! `flyball export --status`: how far each signal got.

use flyball_core::time::Time;

use flyball_store::outbox::Cursor;
use jiff::Zoned;
use serde_json::{Value, json};

use super::plan::{Plan, Target};
use crate::outcome::{Done, Failed};
use crate::show::text::one_line;
use crate::show::{Cell, table, time};
use crate::terminal::{Style, Terminal};

/// How far one signal got.
pub(crate) struct SignalStatus {
    pub(crate) signal: &'static str,
    pub(crate) host: String,
    pub(crate) cursor: Cursor,
    /// Events in the record that were not sent yet.
    pub(crate) waiting: u64,
}

impl SignalStatus {
    /// How far each signal of a plan got.
    pub(crate) fn all(plan: &Plan) -> Result<Vec<SignalStatus>, Failed> {
        let archive = plan.here.archive()?;
        let tip = archive.index.tip()?;
        let status = |target: &Target| {
            let cursor = plan.outbox.cursor(&target.name)?;
            // Never sent: a new address gets what comes from now on, so nothing waits.
            let row = if cursor.epoch == 0 { tip } else { cursor.row };
            let waiting = archive.index.count_between(row, tip)?;
            Ok(SignalStatus { signal: target.signal.name(), host: target.host.clone(), cursor, waiting })
        };
        plan.targets.iter().map(status).collect()
    }

    /// What is wrong, in one line; nothing if nothing is.
    pub(crate) fn failure(&self, now: &Zoned) -> Option<String> {
        let Cursor { lost, rejected, .. } = self.cursor;
        let error = one_line(&self.cursor.last_error);
        if !error.is_empty() {
            return Some(format!("{error} ({})", time::ago(self.cursor.last_error_at, now)));
        }
        let refused = match one_line(&self.cursor.last_rejection) {
            text if rejected > 0 => Some(format!("{rejected} rejected by the receiver: {text}")),
            text => Some(text).filter(|text| !text.is_empty()),
        };
        let gone = (lost > 0).then(|| format!("{lost} events were deleted before they could be sent"));
        let all: Vec<String> = gone.into_iter().chain(refused).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    fn json(&self) -> Value {
        let Cursor { sent, lost, rejected, failures, last_success, last_error_at, not_before, .. } =
            self.cursor;
        let time = |at: Time| (at > Time::default()).then_some(at.as_micros());
        json!({
            "signal": self.signal, "host": self.host, "sent": sent, "waiting": self.waiting, "lost": lost,
            "rejected": rejected, "rejection": self.cursor.last_rejection, "failures": failures,
            "last_success": time(last_success), "last_error": self.cursor.last_error,
            "last_error_at": time(last_error_at), "next_try": time(not_before),
        })
    }
}

pub(super) fn run(plan: &Plan, as_json: bool, terminal: &Terminal) -> Result<Done, Failed> {
    let all = SignalStatus::all(plan)?;
    if as_json {
        let all: Vec<Value> = all.iter().map(SignalStatus::json).collect();
        terminal.raw(&serde_json::to_string_pretty(&all).unwrap_or_default());
        return Ok(Done::Success);
    }
    let now = Zoned::now();
    let row = |status: &SignalStatus| {
        let success = match status.cursor.last_success {
            never if never == Time::default() => "never".to_owned(),
            at => time::ago(at, &now),
        };
        vec![
            Cell::plain(status.signal),
            Cell::plain(one_line(&status.host)),
            Cell::amount(Style::Plain, status.cursor.sent.to_string()),
            Cell::amount(Style::Plain, status.waiting.to_string()),
            Cell::plain(success),
            Cell::new(Style::Bad, status.failure(&now).unwrap_or_default()),
        ]
    };
    let head = ["signal", "host", "sent", "waiting", "last success", "error"];
    terminal.lines(table(&head, all.iter().map(row).collect(), terminal));
    Ok(Done::Success)
}
