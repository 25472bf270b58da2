//! One session, with all that several parts of its page need.

use std::time::Duration;

use flyball_store::{AgentSummary, Filter, SessionSummary, StoredEvent, Window};

use super::super::titles::Titles;
use super::super::{PageContext, PageError};
use super::view::View;
use crate::route::{Request, Route};
use crate::view::SnapshotView;

/// Events that are read for the lanes.
pub(super) const MOST_EVENTS: usize = 2_000;

/// One session, with all that several parts of the page need.
pub(super) struct SessionData<'a> {
    pub(super) context: &'a PageContext<'a>,
    pub(super) session: SessionSummary,
    pub(super) titles: Titles,
    pub(super) agents: Vec<AgentSummary>,
    pub(super) view: View,
    /// The events of the view, oldest first: the newest of them, if there are too many.
    pub(super) events: Vec<StoredEvent>,
    /// Whether there are more in the view.
    pub(super) is_cut: bool,
    /// What was copied before calls of the session, the latest first.
    pub(super) snapshots: Vec<SnapshotView>,
}

impl<'a> SessionData<'a> {
    pub(super) fn read(
        context: &'a PageContext<'a>,
        session: SessionSummary,
    ) -> Result<SessionData<'a>, PageError> {
        let mut view = View::from_request(context.request, &session);
        let filter = Filter {
            since: Some(view.from),
            until: Some(view.to),
            // One more than is shown tells whether there are more.
            limit: Some(MOST_EVENTS + 1),
            ..session_filter(&session)
        };
        let mut events = context.index.events(&filter)?;
        let is_cut = events.len() > MOST_EVENTS;
        events.truncate(MOST_EVENTS);
        events.retain(|event| event.record.client == session.client);
        events.reverse();
        // The strip marks what the lanes really show.
        if let Some(first) = events.first().filter(|_| is_cut) {
            view.from = first.record.at;
        }
        let agents = context.index.agents(&session.client, &session.session)?;
        let titles = Titles::of_sessions(context, std::iter::once(&session))?;
        let snapshots = context.views.snapshots(&session);
        Ok(SessionData { context, session, titles, agents, view, events, is_cut, snapshots })
    }

    /// The list of events of this session, with one more filter if there is a key.
    pub(super) fn events_request(&self, key: &str, value: Option<&str>) -> Request {
        Route::Events.bare().with("session", Some(self.session.session.as_str())).with(key, value)
    }

    /// The snapshots of the view, oldest first. One is taken while its call is judged, so a little after the event.
    pub(super) fn shown_snapshots(&self) -> Vec<&SnapshotView> {
        const WHILE_JUDGED: Duration = Duration::from_secs(30);
        let is_shown = |it: &&SnapshotView| it.at >= self.view.from && it.at < self.view.to + WHILE_JUDGED;
        self.snapshots.iter().rev().filter(is_shown).collect()
    }

    /// All of the session.
    pub(super) fn whole(&self) -> Window {
        Window {
            since: self.session.first_at,
            until: self.session.last_at + Duration::from_micros(1),
            project: None,
            session: Some(self.session.session.clone()),
        }
    }

    /// Those events that are of this session's client: another one may have used the same id.
    pub(super) fn own_client_only(&self, mut events: Vec<StoredEvent>) -> Vec<StoredEvent> {
        events.retain(|event| event.record.client == self.session.client);
        events
    }

    pub(super) fn agent_events(&self, agent: &str) -> Request {
        self.events_request("agent", Some(if agent.is_empty() { "main" } else { agent }))
    }
}

/// Events of a session.
pub(super) fn session_filter(session: &SessionSummary) -> Filter {
    Filter { session: Some(session.session.clone()), ..Filter::default() }
}
