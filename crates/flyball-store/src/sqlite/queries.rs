//! The queries, each answered by the file that knows its tables.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use flyball_core::event::{EventKind, SessionId};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;

use super::index::Index;
use crate::error::StoreError;
use crate::questions::{
    AgentSummary, AnnotatedPage, Arrivals, CallSubject, Counts, EventSummary, EvidenceFilter, Filter, Found,
    KindCount, Overview, PayloadMode, PolicyActivity, PolicyReach, PolicyTimeline, Queries, SessionFilter,
    SessionKey, SessionSummary, StoredEvent, TimeBucket, VerdictCount, VerdictQuery, Window,
};

/// Each query is answered by the method of the same name that [`Index`] has itself.
macro_rules! answered_by_own_methods {
    ($(fn $question:ident($($asked:ident: $type:ty),*) -> $answer:ty;)*) => {
        $(fn $question(&self, $($asked: $type),*) -> Result<$answer, StoreError> {
            Index::$question(self, $($asked),*)
        })*
    };
}

impl Queries for Index {
    answered_by_own_methods! {
        fn events(filter: &Filter) -> Vec<StoredEvent>;
        fn event(id_prefix: &str) -> Found;
        fn at_rows(rows: &[i64], payloads: PayloadMode) -> Vec<StoredEvent>;
        fn visit_session(
            client: &str,
            session: &SessionId,
            visit: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>
        ) -> ();
        fn slowest(window: &Window, limit: usize) -> Vec<StoredEvent>;
        fn most_context(window: &Window, limit: usize) -> Vec<StoredEvent>;
        fn with_evidence(filter: &EvidenceFilter<'_>) -> Vec<Record>;
        fn sessions(filter: &SessionFilter) -> Vec<SessionSummary>;
        fn first_prompts(sessions: &[SessionKey]) -> BTreeMap<SessionKey, String>;
        fn agents(client: &str, session: &SessionId) -> Vec<AgentSummary>;
        fn projects() -> Vec<String>;
        fn last_seen_by_kind(client: &str) -> BTreeMap<EventKind, Time>;
        fn counts(filter: &Filter) -> Counts;
        fn first_at() -> Option<Time>;
        fn arrivals(after: i64) -> Arrivals;
        fn overview(window: &Window) -> Overview;
        fn timeline(window: &Window, most: usize) -> Vec<TimeBucket>;
        fn policy_activities(window: &Window) -> Vec<PolicyActivity>;
        fn policy_activity(window: &Window, policy: &str) -> Option<PolicyActivity>;
        fn policy_timeline(window: &Window, most: usize, policy: Option<&str>) -> PolicyTimeline;
        fn verdict_counts(window: &Window) -> Vec<VerdictCount>;
        fn policy_reach(window: &Window) -> Vec<PolicyReach>;
        fn judged(window: &Window, which: VerdictQuery<'_>, most: usize) -> Vec<StoredEvent>;
        fn answered(window: &Window, stance: Stance, most: usize) -> Vec<EventSummary>;
        fn passed(
            window: &Window,
            is_wanted: &mut dyn FnMut(CallSubject<'_>) -> bool
        ) -> Vec<EventSummary>;
        fn ran(asked: &EventSummary) -> bool;
        fn kind_counts(window: &Window) -> Vec<KindCount>;
        fn annotated(window: &Window, before: i64, most: usize) -> AnnotatedPage;
    }
}
