//! One session, with all that several parts of its page need.

use flyball_store::{AgentSummary, Filter, SessionSummary, StoredEvent, Window};

use super::super::{PageTrouble, Scene};
use super::view::View;
use crate::route::{Request, Route};

/// Events that are read for the lanes.
pub(super) const MOST_EVENTS: usize = 2_000;

/// One session, with all that several parts of the page need.
pub(super) struct Story<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) session: SessionSummary,
    pub(super) agents: Vec<AgentSummary>,
    pub(super) view: View,
    /// The events of the view, oldest first: the newest of them, if there are too many.
    pub(super) events: Vec<StoredEvent>,
    /// Whether there are more in the view.
    pub(super) is_cut: bool,
}

impl<'a> Story<'a> {
    pub(super) fn read(scene: &'a Scene<'a>, session: SessionSummary) -> Result<Story<'a>, PageTrouble> {
        let mut view = View::of(scene.request, &session);
        let filter = Filter {
            since: Some(view.from),
            until: Some(view.to),
            limit: Some(MOST_EVENTS + 1),
            ..of_session(&session)
        };
        let mut events = scene.index.events(&filter)?;
        let is_cut = events.len() > MOST_EVENTS;
        events.truncate(MOST_EVENTS);
        events.retain(|event| event.record.client == session.client);
        events.reverse();
        if let Some(first) = events.first().filter(|_| is_cut) {
            view.from = first.record.at;
        }
        let agents = scene.index.agents(&session.client, &session.session)?;
        Ok(Story { scene, session, agents, view, events, is_cut })
    }

    /// The list of events of this session, with one more filter if there is a key.
    pub(super) fn list(&self, key: &str, value: Option<&str>) -> Request {
        Route::Events.bare().with("session", Some(self.session.session.as_str())).with(key, value)
    }

    /// All of the session.
    pub(super) fn whole(&self) -> Window {
        Window {
            since: self.session.first_at,
            until: self.session.last_at.saturating_add(1),
            project: None,
            session: Some(self.session.session.clone()),
        }
    }

    /// Those events that are of this session's client: another one may have used the same id.
    pub(super) fn own(&self, mut events: Vec<StoredEvent>) -> Vec<StoredEvent> {
        events.retain(|event| event.record.client == self.session.client);
        events
    }

    pub(super) fn of_agent(&self, agent: &str) -> Request {
        self.list("agent", Some(if agent.is_empty() { "main" } else { agent }))
    }
}

/// Events of a session.
pub(super) fn of_session(session: &SessionSummary) -> Filter {
    Filter { session: Some(session.session.clone()), ..Filter::default() }
}
