//! Which sessions are at work, which wait, which are over.

use std::time::Duration;

use flyball_core::time::DAY;
use flyball_store::{SessionFilter, SessionSummary, StoreError};
use maud::Markup;

use super::super::span::is_active;
use super::super::{PageContext, parts};
use crate::view::WaitingView;

/// A session without an event for this long does not count as waiting.
const RECENT: Duration = DAY;

/// What a session does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::page) enum State {
    /// It had an event lately.
    Active,
    /// A person has to do something.
    Waits,
    /// Its end was not reported, but there were no events for a while.
    Idle,
    /// The client reported its end.
    Ended,
}

impl State {
    pub(super) const ALL: [State; 4] = [State::Active, State::Waits, State::Idle, State::Ended];

    pub(super) const fn name(self) -> &'static str {
        match self {
            State::Active => "active",
            State::Waits => "waits",
            State::Idle => "idle",
            State::Ended => "ended",
        }
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            State::Active => "active",
            State::Waits => "waits for a person",
            State::Idle => "idle",
            State::Ended => "ended",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.name() == name)
    }

    /// What a session does, given what it waits for.
    pub(in crate::page) fn determine(
        session: &SessionSummary,
        waiting: Option<&WaitingView>,
        context: &PageContext<'_>,
    ) -> State {
        if session.has_ended {
            return State::Ended;
        }
        match waiting {
            Some(waiting) if waiting.on_person => State::Waits,
            _ if is_active(session, context.now) => State::Active,
            _ => State::Idle,
        }
    }

    /// What it waits for; nothing for one that is over or long quiet.
    pub(in crate::page) fn waiting(
        session: &SessionSummary,
        context: &PageContext<'_>,
    ) -> Option<WaitingView> {
        let may_wait = !session.has_ended && State::is_recent(session, context);
        may_wait.then(|| context.views.waiting(session)).flatten()
    }

    pub(super) fn is_recent(session: &SessionSummary, context: &PageContext<'_>) -> bool {
        parts::time_of(context.now).since(session.last_at) <= RECENT
    }

    /// It as a small label.
    pub(in crate::page) fn pill(self) -> Markup {
        let class = match self {
            State::Active => "allow",
            State::Waits => "ask",
            State::Idle | State::Ended => "silent",
        };
        parts::pill(class, self.words())
    }
}

/// The session of that client with that id.
pub(in crate::page) fn found(
    context: &PageContext<'_>,
    client: &str,
    id: &str,
) -> Result<Option<SessionSummary>, StoreError> {
    let filter = SessionFilter {
        id_prefix: Some(id.to_owned()),
        client: Some(client.to_owned()),
        ..SessionFilter::default()
    };
    // By prefix, since the index has no other filter; ids that merely begin so are left out below.
    let all = context.index.sessions(&filter)?;
    Ok(all.into_iter().find(|session| session.session.as_str() == id))
}
