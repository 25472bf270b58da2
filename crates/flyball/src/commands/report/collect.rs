//! Puts a report together.

use std::collections::{BTreeMap, BTreeSet};

use flyball_board::report::{Repeated, Report};
use flyball_store::{EventSummary, Window};

use super::context::ReportContext;
use super::firing::Firings;
use super::stopped_calls::{Projects, StoppedCalls, display_subject, stoppers};
use super::{candidates, idle, numbers, overrides};
use crate::outcome::Failed;

/// So many denials are told that were tried again.
const REPEATED: usize = 20;

/// All of it; `None` if interrupted.
pub(super) fn collect(look: &ReportContext<'_>) -> Result<Option<Report>, Failed> {
    let window = &look.window;
    let before = Window {
        since: window.since - window.until.since(window.since),
        until: window.since,
        ..window.clone()
    };
    let mut report = Report {
        since: window.since,
        until: window.until,
        project: window.project.clone(),
        glance: numbers::glance(look, window)?,
        before: numbers::glance(look, &before)?,
        stretch_length: numbers::length(window),
        ..Report::default()
    };
    if report.glance.events == 0 {
        return Ok(Some(report));
    }
    let Some(stretches) = numbers::stretches(look)? else { return Ok(None) };
    report.stretches = stretches;
    report.slow_policies = numbers::slow_policies(look)?;
    report.slow_events = numbers::slow_events(look)?;
    report.troubles = numbers::policy_errors(look, &mut report.limits)?;
    let is_whole = add_rules(look, &mut report)?;
    Ok(is_whole.then_some(report))
}

/// What needs the events that somebody had a say in. Whether it was not interrupted.
fn add_rules(look: &ReportContext<'_>, report: &mut Report) -> Result<bool, Failed> {
    let Some(firings) = Firings::find(look, &mut report.limits)? else { return Ok(false) };
    let met = look.index.kind_counts(&look.window)?;
    let roots: BTreeSet<&str> = met.iter().map(|met| met.project.as_str()).collect();
    report.projects = roots.iter().map(|&root| root.to_owned()).collect();
    let projects = Projects::read(&roots, look.state, &mut report.limits);
    let Some(fates) = StoppedCalls::find(look, &mut report.limits)? else { return Ok(false) };
    report.never_fired = idle::find(&met, &projects, &firings);
    report.overridden = overrides::find(look, &fates, (&firings, &projects))?;
    let Some(candidates) = candidates::find(look, &fates, &projects)? else { return Ok(false) };
    report.candidates = candidates;
    report.repeated = repeated(&fates.denied);
    report.fired = firings.sorted();
    Ok(!look.interrupt.is_set())
}

/// What was denied more than once in a session, the most frequent first.
fn repeated(denied: &[EventSummary]) -> Vec<Repeated> {
    let mut attempts: BTreeMap<(&str, &str), BTreeMap<i64, Vec<&EventSummary>>> = BTreeMap::new();
    for brief in denied.iter().filter(|brief| !brief.subject.is_empty() && brief.tool.is_some()) {
        // By session: two agents that try the same once each have not repeated anything.
        let sessions = attempts.entry((&brief.project, &brief.subject)).or_default();
        sessions.entry(brief.session_row).or_default().push(brief);
    }
    let again = attempts.into_values().filter_map(|sessions| {
        let often: Vec<Vec<&EventSummary>> = sessions.into_values().filter(|tries| tries.len() > 1).collect();
        let last = *often.iter().flatten().max_by_key(|brief| brief.at)?;
        Some(Repeated {
            policies: stoppers(often.iter().flatten().copied()),
            subject: display_subject(last),
            times: often.iter().map(|tries| tries.len() as u64).sum(),
            sessions: often.len() as u64,
            answer: last.answer.clone(),
        })
    });
    let mut again: Vec<Repeated> = again.collect();
    again.sort_by_key(|repeated| std::cmp::Reverse(repeated.times));
    again.truncate(REPEATED);
    again
}
