//! What the board cannot read from the store: it needs the policies and the configuration in force.

use flyball_core::record::{Record, RecordedRuling};
use flyball_store::SessionSummary;

use crate::explanation::Explanation;
use crate::view::{FindingView, LoopView, PolicyView, SnapshotView, TaskView, WaitingView};

/// Makes these views. What is not known is left out; the board shows the rest.
pub trait ViewSource: Send + Sync {
    /// What a session waits for.
    fn waiting(&self, session: &SessionSummary) -> Option<WaitingView>;

    /// The loop of review and tests of a session.
    fn loop_view(&self, session: &SessionSummary) -> Option<LoopView>;

    /// What linters found in a session's files, and is not fixed yet.
    fn findings(&self, session: &SessionSummary) -> Vec<FindingView>;

    /// What was copied in a session before its calls, the latest first.
    fn snapshots(&self, session: &SessionSummary) -> Vec<SnapshotView>;

    /// The open tasks of a project.
    fn tasks(&self, project: &str) -> Vec<TaskView>;

    /// All policies, as they are in force in a project; without one, as for a user without a project.
    fn policies(&self, project: Option<&str>) -> Vec<PolicyView>;

    /// The rules of the user's that had a part in a ruling.
    fn rule_names(&self, ruling: &RecordedRuling) -> Vec<String>;

    /// Everything about one decision.
    fn explanation(&self, record: Record) -> Explanation;
}
