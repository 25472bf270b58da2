//! What the board shows besides the store: it needs the policies and the configuration of each project.
//!
//! It only reads: nothing is written, no process is started. What cannot be read is left out.

mod convert;
mod findings;
mod snapshots;
#[cfg(test)]
mod tests;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use flyball_board::explanation::Explanation;
use flyball_board::view::{FindingView, LoopView, PolicyView, SnapshotView, TaskView, WaitingView};
use flyball_core::policy::Memory;
use flyball_core::record::{Record, RecordedRuling};
use flyball_policies::r#loop::{feedback, limits};
use flyball_policies::{REGISTRY, quality};
use flyball_store::{Filter, Queries, ReadStore, SessionSummary, Store, StoreError};

use crate::environment::Environment;
use crate::project_context::mode_in;
use crate::views::explain::settings::matched_rules;
use crate::views::explain::{ExplainContext, denials_before, explanation};
use crate::views::r#loop::{Loop, with_limits};
use crate::views::project::ProjectCache;
use crate::views::waiting::{self, LOOKED_AT};

/// How long to wait for the hooks of a session: the board asks again soon.
const WAIT: Duration = Duration::from_millis(200);

/// The board's views of this machine. Many threads may use them at once.
pub(crate) struct LocalViews {
    store: Option<Store>,
    /// Opened when it is first needed. One is enough: each query is short.
    index: Mutex<Option<Box<dyn ReadStore>>>,
    projects: ProjectCache,
}

impl LocalViews {
    /// The views of this user's sessions. Nothing is opened yet.
    pub(crate) fn open() -> LocalViews {
        let store = Environment::read().state_dir().map(Store::at);
        LocalViews { store, index: Mutex::default(), projects: ProjectCache::default() }
    }

    /// Queries the index. If that fails, the next query opens it again.
    fn ask<T>(&self, query: impl FnOnce(&dyn Queries) -> Result<T, StoreError>) -> Option<T> {
        let mut cached = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        // Taken out for the query: one that fails is dropped, and the next query opens a new one.
        let index = match cached.take() {
            Some(index) => index,
            None => self.store.as_ref()?.open(None).ok()?,
        };
        let answer = query(&*index).ok()?;
        *cached = Some(index);
        Some(answer)
    }

    /// The last records of a session, newest first.
    fn records(&self, session: &SessionSummary, filter: Filter) -> Vec<Record> {
        let filter = Filter { session: Some(session.session.clone()), ..filter };
        let events = self.ask(|index| index.events(&filter)).unwrap_or_default();
        // Two clients may have used the same id.
        let own =
            events.into_iter().map(|event| event.record).filter(|record| record.client == session.client);
        own.collect()
    }

    /// What a policy remembers of a session.
    fn memory(&self, session: &SessionSummary, policy: &str) -> Option<String> {
        let journal = self.store.as_ref()?.session(&session.client, &session.session, WAIT);
        // Reading would create it.
        // `peek` releases the lock at once: a page must not block the hooks of a session.
        journal.path().is_file().then(|| journal.peek(policy).ok().flatten()).flatten()
    }
}

impl flyball_board::ViewSource for LocalViews {
    fn waiting(&self, session: &SessionSummary) -> Option<WaitingView> {
        let records = self.records(session, Filter { limit: Some(LOOKED_AT), ..Filter::default() });
        Some(convert::waiting(waiting::from_records(&records)))
    }

    fn loop_view(&self, session: &SessionSummary) -> Option<LoopView> {
        let project = self.projects.get(&session.project);
        let written = project.loop_settings.as_ref()?;
        let remembered = self.memory(session, limits::PINNED);
        let settings = with_limits(written, &project.here.root, remembered.as_deref());
        let memory = self.memory(session, feedback::POLICY.id.as_str())?;
        let state = serde_json::from_str(&memory).ok()?;
        Loop::from_state(&state, &settings).map(|it| convert::loop_view(it.in_session(session.has_ended)))
    }

    fn findings(&self, session: &SessionSummary) -> Vec<FindingView> {
        let policy = quality::POLICY.id.as_str();
        let memory = self.memory(session, policy).unwrap_or_default();
        if quality::open_count(&memory) == 0 {
            return Vec::new();
        }
        let filter = Filter {
            policy: Some(policy.to_owned()),
            limit: Some(findings::MOST_RECORDS),
            ..Filter::default()
        };
        findings::open(&memory, &self.records(session, filter))
    }

    fn snapshots(&self, session: &SessionSummary) -> Vec<SnapshotView> {
        let state = self.store.as_ref().map(Store::root);
        state.map(|state| snapshots::of_session(state, session)).unwrap_or_default()
    }

    fn tasks(&self, project: &str) -> Vec<TaskView> {
        self.projects.get(project).tasks().iter().map(convert::task).collect()
    }

    fn policies(&self, project: Option<&str>) -> Vec<PolicyView> {
        let project = self.projects.get(project.unwrap_or("/"));
        let view = |policy: &&'static flyball_core::policy::Policy| PolicyView {
            id: policy.id.as_str().to_owned(),
            summary: policy.summary.to_owned(),
            mode: mode_in(&project.loaded.config, policy).name().to_owned(),
            origin: project.origins.describe_mode(policy.id.as_str()),
            page: policy.page.to_owned(),
        };
        REGISTRY.iter().map(view).collect()
    }

    fn rule_names(&self, ruling: &RecordedRuling) -> Vec<String> {
        matched_rules(ruling).into_iter().filter(|rule| !rule.observed).map(|rule| rule.id).collect()
    }

    fn explanation(&self, record: Record) -> Explanation {
        let project = self.projects.get(&record.project);
        let denials = self.ask(|index| denials_before(index, &record)).unwrap_or_default();
        explanation(record, &ExplainContext { project: &project, denials })
    }
}
