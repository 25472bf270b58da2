//! What sessions are called: by what the user first asked for. Ids tell nobody anything.

use std::collections::{BTreeMap, BTreeSet};

use flyball_store::{SessionKey, SessionSummary, StoreError, StoredEvent};
use maud::{Markup, html};

use super::{PageContext, parts};
use crate::route::Route;

/// How much of a prompt is a title.
const LENGTH: usize = 60;
const HEADING: usize = 160;

/// The titles of the sessions of a page.
pub(super) struct Titles(BTreeMap<SessionKey, String>);

impl Titles {
    pub(super) fn of_sessions<'a>(
        context: &PageContext<'_>,
        sessions: impl Iterator<Item = &'a SessionSummary>,
    ) -> Result<Titles, StoreError> {
        Titles::read(context, sessions.map(key_of).collect())
    }

    /// Those of the sessions that the events belong to.
    pub(super) fn of_events<'a>(
        context: &PageContext<'_>,
        events: impl Iterator<Item = &'a StoredEvent>,
    ) -> Result<Titles, StoreError> {
        let key = |event: &StoredEvent| SessionKey {
            client: event.record.client.clone(),
            session: event.record.session.clone(),
        };
        Titles::read(context, events.map(key).collect())
    }

    fn read(context: &PageContext<'_>, keys: BTreeSet<SessionKey>) -> Result<Titles, StoreError> {
        let keys: Vec<SessionKey> = keys.into_iter().collect();
        Ok(Titles(context.index.first_prompts(&keys)?))
    }

    /// A link to a session by its title; by the beginning of its id, if it had no prompt.
    pub(super) fn link(&self, key: &SessionKey) -> Markup {
        let id = key.session.as_str();
        let route = Route::Session { client: key.client.clone(), id: id.to_owned() };
        let about = format!("{} session {}", parts::cut(&key.client, 60), parts::cut(id, 200));
        html! {
            @match self.title(key) {
                Some(title) => a.session-title href=(route.bare()) title={ (title) "\n" (about) } { bdi { (title) } },
                None => a.mono href=(route.bare()) title=(about) { (parts::cut(id, 9)) },
            }
        }
    }

    /// The same of a summary.
    pub(super) fn session(&self, session: &SessionSummary) -> Markup {
        self.link(&key_of(session))
    }

    /// The same of the session of an event.
    pub(super) fn event(&self, event: &StoredEvent) -> Markup {
        self.link(&SessionKey { client: event.record.client.clone(), session: event.record.session.clone() })
    }

    /// As much of the prompt as the head of a page has room for.
    pub(super) fn heading(&self, session: &SessionSummary) -> Option<String> {
        Some(parts::first_line(self.0.get(&key_of(session))?, HEADING)).filter(|title| !title.is_empty())
    }

    pub(super) fn of(&self, session: &SessionSummary) -> Option<String> {
        self.title(&key_of(session))
    }

    fn title(&self, key: &SessionKey) -> Option<String> {
        Some(parts::first_line(self.0.get(key)?, LENGTH)).filter(|title| !title.is_empty())
    }
}

fn key_of(session: &SessionSummary) -> SessionKey {
    SessionKey { client: session.client.clone(), session: session.session.clone() }
}
