//! The numbers of a report: counted while journals are folded, so that no event has to be read.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_board::report::{Glance, PolicyErrors, SlowEvent, SlowPolicy, Stretch};
use flyball_core::record::Record;
use flyball_core::time::{DAY, HOUR};
use flyball_store::{Overview, VerdictQuery, Window};

use super::context::ReportContext;
use crate::outcome::Failed;
use crate::show::record::{kind_of, subject};
use crate::show::text::one_line;

/// So many of the slowest events are told.
const SLOWEST: usize = 5;
/// So many policies are told.
const POLICIES: usize = 12;
/// So many records are read for what keeps policies from judging.
const MOST_ERROR_RECORDS: usize = 500;

/// The window in a few numbers.
pub(super) fn glance(look: &ReportContext<'_>, window: &Window) -> Result<Glance, Failed> {
    Ok(numbers(&look.index.overview(window)?))
}

fn numbers(overview: &Overview) -> Glance {
    let percentile = |share| overview.took.percentile(share).filter(|_| overview.events > 0);
    Glance {
        sessions: overview.sessions,
        events: overview.events,
        denials: overview.denials,
        denied: overview.denied,
        asks: overview.asks,
        allows: overview.allows,
        context_chars: overview.context_chars,
        hook_time: overview.took.sum(),
        p50: percentile(0.5),
        p99: percentile(0.99),
    }
}

/// The length of a stretch that a window is cut into.
pub(super) fn length(window: &Window) -> Duration {
    match window.until.since(window.since) {
        short if short <= 2 * DAY => HOUR,
        weeks if weeks <= 62 * DAY => DAY,
        year if year <= 730 * DAY => 7 * DAY,
        _ => 28 * DAY,
    }
}

/// What happened in each stretch, from the beginning of the window on. `None` if interrupted.
pub(super) fn stretches(look: &ReportContext<'_>) -> Result<Option<Vec<Stretch>>, Failed> {
    let length = length(&look.window);
    let mut stretches = Vec::new();
    let first = look.index.first_at()?.unwrap_or(look.window.since);
    // Years before the first event are of no use to anyone; days are.
    let empty = first.since(look.window.since);
    let skipped = if length > DAY { empty.as_secs() / length.as_secs() } else { 0 };
    let mut start = look.window.since + Duration::from_secs(skipped * length.as_secs());
    while start < look.window.until {
        if look.interrupt.is_set() {
            return Ok(None);
        }
        let end = (start + length).min(look.window.until);
        let window = Window { since: start, until: end, ..look.window.clone() };
        stretches.push(Stretch { start, glance: glance(look, &window)? });
        start += length;
    }
    Ok(Some(stretches))
}

/// The policies that took most time.
pub(super) fn slow_policies(look: &ReportContext<'_>) -> Result<Vec<SlowPolicy>, Failed> {
    let pulses = look.index.policy_activities(&look.window)?;
    let slow = pulses.into_iter().take(POLICIES).map(|pulse| SlowPolicy {
        asked: pulse.took.count(),
        total: pulse.took.sum(),
        p50: pulse.took.percentile(0.5),
        p99: pulse.took.percentile(0.99),
        policy: pulse.policy,
    });
    Ok(slow.collect())
}

/// The events that took longest.
pub(super) fn slow_events(look: &ReportContext<'_>) -> Result<Vec<SlowEvent>, Failed> {
    let events = look.index.slowest(&look.window, SLOWEST)?;
    Ok(events.into_iter().map(|event| slow(&event.record)).collect())
}

fn slow(record: &Record) -> SlowEvent {
    let kind = match record.tool {
        Some(tool) => format!("{} {}", kind_of(record), tool.name()),
        None => kind_of(record),
    };
    let most = record.rulings.iter().max_by_key(|ruling| ruling.took);
    SlowEvent {
        answer: record.id.as_str().to_owned(),
        kind,
        took: record.took,
        by: most.map(|ruling| ruling.policy.clone()).unwrap_or_default(),
        subject: one_line(subject(record)),
    }
}

/// What kept policies from judging, the most frequent first.
pub(super) fn policy_errors(
    look: &ReportContext<'_>,
    limits: &mut Vec<String>,
) -> Result<Vec<PolicyErrors>, Failed> {
    let events = look.index.judged(&look.window, VerdictQuery::Failed, MOST_ERROR_RECORDS)?;
    if events.len() == MOST_ERROR_RECORDS {
        limits.push(format!("Errors are those of the {MOST_ERROR_RECORDS} newest events with one."));
    }
    let mut all: BTreeMap<(String, String), PolicyErrors> = BTreeMap::new();
    for event in &events {
        for ruling in &event.record.rulings {
            let Some(text) = &ruling.error else { continue };
            let text = one_line(text);
            let known = all.entry((ruling.policy.clone(), text.clone())).or_insert_with(|| PolicyErrors {
                policy: ruling.policy.clone(),
                text,
                times: 0,
                last_at: event.record.at,
                answer: event.record.id.as_str().to_owned(),
            });
            known.times += 1;
        }
    }
    let mut all: Vec<PolicyErrors> = all.into_values().collect();
    all.sort_by_key(|troubled| std::cmp::Reverse(troubled.times));
    Ok(all)
}
