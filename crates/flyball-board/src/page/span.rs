//! Which part of the store a page looks at: the range and the project of its address.

use std::time::Duration;

use flyball_core::time::{DAY, MINUTE};
use flyball_store::{PolicyActivity, PolicyTimeline, SessionFilter, SessionSummary, StoreError, Window};
use jiff::Zoned;

use super::period::Period;
use super::{PageContext, parts};
use crate::route::Range;

/// For how many sessions views are made; each may read a file.
const RECENT: usize = 30;

/// Which part of the store is looked at.
pub(super) struct Selection {
    pub(super) window: Window,
    /// The sessions with an event in it, the latest first.
    pub(super) sessions: Vec<SessionSummary>,
    pub(super) period: Period,
}

/// Whether a session had an event a short while ago and has not ended.
pub(super) fn is_active(session: &SessionSummary, now: &Zoned) -> bool {
    !session.has_ended && session.last_at > parts::time_of(now) - 15 * MINUTE
}

impl Selection {
    /// The range and project in the address of a page.
    pub(super) fn from_request(context: &PageContext<'_>) -> Result<Selection, StoreError> {
        let period = Period::from_request(context.request, context.now);
        // The event that has just come belongs to the range, too.
        let until = period.until().unwrap_or(parts::time_of(context.now) + Duration::from_micros(1));
        let project = context.request.value("project").map(str::to_owned);
        let since = period.since(context.now);
        let filter = SessionFilter {
            project: project.clone(),
            since,
            until: period.until(),
            ..SessionFilter::default()
        };
        let sessions = context.index.sessions(&filter)?;
        let first = sessions.iter().map(|session| session.first_at).min();
        // At least a minute: a chart over no time has no stretches.
        let since = since.or(first).unwrap_or(until - DAY).min(until - MINUTE);
        let window = Window { since, until, project, session: None };
        Ok(Selection { window, sessions, period })
    }

    /// The sessions that may still matter: not ended, and seen within the last two days.
    pub(super) fn recent(&self) -> impl Iterator<Item = &SessionSummary> {
        let since = self.window.until - 2 * DAY;
        self.sessions.iter().filter(move |session| !session.has_ended && session.last_at > since).take(RECENT)
    }

    /// Into how many stretches a chart is cut, so that each is as long as people count.
    pub(super) const fn stretches(&self) -> usize {
        match self.period {
            Period::Last(Range::Hour | Range::Month | Range::All) | Period::Between { .. } => 60,
            Period::Last(Range::Day) => 48,
            Period::Last(Range::Week) => 56,
        }
    }
}

/// What the policies did, one part of the time after the other.
pub(super) struct PolicySeries(pub(super) PolicyTimeline);

impl PolicySeries {
    /// One policy alone; none where it did not run.
    pub(super) fn for_policy(&self, policy: &str) -> Vec<Option<&PolicyActivity>> {
        self.0
            .parts
            .iter()
            .map(|activities| activities.iter().find(|activity| activity.policy == policy))
            .collect()
    }
}
