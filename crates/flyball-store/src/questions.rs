//! The queries that the store answers. Pages and commands use this trait and no database.

mod activity;
mod buckets;
mod filter;
mod histogram;
mod results;

pub use activity::{
    KindCount, Overview, PolicyActivity, PolicyReach, PolicyTimeline, TimeBucket, VerdictCount, VerdictQuery,
};
pub use buckets::Buckets;
pub(crate) use buckets::FIVE_MINUTES;
pub use filter::{EvidenceFilter, Filter, Page, PayloadMode, SessionFilter, Window};
pub use histogram::Histogram;
pub use results::{
    AgentSummary, AnnotatedPage, Arrivals, CallSubject, Counts, EventSummary, Found, PolicyCounts,
    SessionKey, SessionSummary, StoredEvent,
};

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use flyball_core::event::{EventKind, SessionId};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;

use crate::error::StoreError;

/// Queries about what was recorded. Duplicate calls count in none of the results unless a filter asks for them.
///
/// # Errors
/// Every query fails if the store cannot be read, and for no other reason.
#[expect(clippy::missing_errors_doc, reason = "all of them fail alike; the trait says how")]
pub trait Queries {
    /// The events that pass the filter, in the order of its page.
    fn events(&self, filter: &Filter) -> Result<Vec<StoredEvent>, StoreError>;

    /// The event that was answered with this id, or with the only id that starts so.
    fn event(&self, id_prefix: &str) -> Result<Found, StoreError>;

    /// The latest event, with its payload.
    fn last_event(&self) -> Result<Option<StoredEvent>, StoreError> {
        let filter = Filter { limit: Some(1), payloads: PayloadMode::With, ..Filter::default() };
        Ok(self.events(&filter)?.pop())
    }

    /// The events in these rows, in their order; what is gone is left out.
    fn at_rows(&self, rows: &[i64], payloads: PayloadMode) -> Result<Vec<StoredEvent>, StoreError>;

    /// Calls `visit` with the events of a session, with their payloads, in the order in which they happened, until it
    /// stops. One at a time: a session may have millions.
    fn visit_session(
        &self,
        client: &str,
        session: &SessionId,
        visit: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// The events of a window that took longest, the slowest first.
    fn slowest(&self, window: &Window, limit: usize) -> Result<Vec<StoredEvent>, StoreError>;

    /// The events of a window at which most context was added, the most first.
    fn most_context(&self, window: &Window, limit: usize) -> Result<Vec<StoredEvent>, StoreError>;

    /// The events of which such a policy has a ruling on record, the oldest first. May read every record of the
    /// project since then: for commands, never for a hook.
    fn with_evidence(&self, filter: &EvidenceFilter<'_>) -> Result<Vec<Record>, StoreError>;

    /// The sessions that pass the filter, the one with the latest event first.
    fn sessions(&self, filter: &SessionFilter) -> Result<Vec<SessionSummary>, StoreError>;

    /// What the user first asked of each of these sessions, redacted and in one line. A session without a prompt among
    /// its first events is left out.
    fn first_prompts(&self, sessions: &[SessionKey]) -> Result<BTreeMap<SessionKey, String>, StoreError>;

    /// The agents of a session: the main one first, then the others by their first event.
    fn agents(&self, client: &str, session: &SessionId) -> Result<Vec<AgentSummary>, StoreError>;

    /// The projects with events, the one with the latest first.
    fn projects(&self) -> Result<Vec<String>, StoreError>;

    /// When each kind of event last came from a client. It outlives the events.
    fn last_seen_by_kind(&self, client: &str) -> Result<BTreeMap<EventKind, Time>, StoreError>;

    /// Counts the events that pass the filter, whatever its page and limit.
    fn counts(&self, filter: &Filter) -> Result<Counts, StoreError>;

    /// When the oldest event came.
    fn first_at(&self) -> Result<Option<Time>, StoreError>;

    /// What was added after that row.
    fn arrivals(&self, after: i64) -> Result<Arrivals, StoreError>;

    /// All that happened in a window, in a few numbers.
    fn overview(&self, window: &Window) -> Result<Overview, StoreError>;

    /// What happened in a window, cut into [`Buckets::of_events`], oldest first, also the empty ones. The first may
    /// begin before the window; only events of the window are counted.
    fn timeline(&self, window: &Window, most: usize) -> Result<Vec<TimeBucket>, StoreError>;

    /// What the policies did in a window, the one that took most time in all first. Without a session, the ends of
    /// the window count in steps of five minutes; with one, only that session's last 5,000 events are looked at.
    fn policy_activities(&self, window: &Window) -> Result<Vec<PolicyActivity>, StoreError>;

    /// What one policy did in a window, whatever its session; nothing if it was not asked.
    fn policy_activity(&self, window: &Window, policy: &str) -> Result<Option<PolicyActivity>, StoreError>;

    /// What the policies, or this one alone, did in each of the [`Buckets::of_policies`] of a window, whatever its
    /// session. The first may begin before the window and the last may end after it.
    fn policy_timeline(
        &self,
        window: &Window,
        most: usize,
        policy: Option<&str>,
    ) -> Result<PolicyTimeline, StoreError>;

    /// How often the policies gave which verdict in a window.
    fn verdict_counts(&self, window: &Window) -> Result<Vec<VerdictCount>, StoreError>;

    /// In how many sessions of a window each policy gave a verdict, and when last.
    fn policy_reach(&self, window: &Window) -> Result<Vec<PolicyReach>, StoreError>;

    /// The events of a window with such a verdict, the newest first, without payloads.
    fn judged(
        &self,
        window: &Window,
        which: VerdictQuery<'_>,
        most: usize,
    ) -> Result<Vec<StoredEvent>, StoreError>;

    /// The events of a window that were answered like this, the newest first.
    fn answered(&self, window: &Window, stance: Stance, most: usize)
    -> Result<Vec<EventSummary>, StoreError>;

    /// The calls of a window that were not stopped, and for which `is_wanted` holds, the oldest first.
    fn passed(
        &self,
        window: &Window,
        is_wanted: &mut dyn FnMut(CallSubject<'_>) -> bool,
    ) -> Result<Vec<EventSummary>, StoreError>;

    /// Whether a call that a person was asked about ran: its next event is that it was done.
    fn ran(&self, asked: &EventSummary) -> Result<bool, StoreError>;

    /// How many events of each kind came in each project of a window.
    fn kind_counts(&self, window: &Window) -> Result<Vec<KindCount>, StoreError>;

    /// The records of a window that hold more than verdicts (context, or verdicts of the user's own rules), of the
    /// `most` newest events before a row.
    fn annotated(&self, window: &Window, before: i64, most: usize) -> Result<AnnotatedPage, StoreError>;
}
