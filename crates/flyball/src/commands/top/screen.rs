//! What a person has chosen to see, and where the cursor is.

use flyball_core::event::AnswerId;
use flyball_store::SessionSummary;

use super::snapshot::Snapshot;

/// What fills the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// Sessions above, events below.
    Main,
    Explanation {
        answer: AnswerId,
        /// The first line that is shown.
        top: usize,
    },
    Help,
}

/// The list that the keys move in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pane {
    Sessions,
    Events,
}

/// What to do after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Nothing,
    /// Read the store again at once: the selection changed.
    Reload,
    Quit,
}

pub(super) struct Screen {
    pub(super) project: Option<String>,
    pub(super) session: Option<SessionSummary>,
    pub(super) only_denials: bool,
    /// Only events with this text.
    pub(super) search: String,
    /// Whether the search is being typed.
    pub(super) is_typing: bool,
    pub(super) is_paused: bool,
    pub(super) view: View,
    pub(super) pane: Pane,
    /// The cursor in each list.
    pub(super) session_row: usize,
    pub(super) event_row: usize,
    /// How wide the screen is.
    pub(super) columns: usize,
    pub(super) snapshot: Option<Snapshot>,
}

impl Screen {
    pub(super) const fn new(project: Option<String>) -> Screen {
        Screen {
            project,
            session: None,
            only_denials: false,
            search: String::new(),
            is_typing: false,
            is_paused: false,
            view: View::Main,
            pane: Pane::Events,
            session_row: 0,
            event_row: 0,
            columns: 100,
            snapshot: None,
        }
    }

    /// Takes in what was read. The cursor stays on its event while others arrive above it; at the very top it
    /// stays at the top.
    pub(super) fn take(&mut self, snapshot: Snapshot) {
        let chosen =
            self.snapshot.as_ref().and_then(|old| old.events.get(self.event_row)).map(|event| event.row);
        let found = chosen.and_then(|row| snapshot.events.iter().position(|event| event.row == row));
        if self.event_row > 0 {
            self.event_row = found.unwrap_or(self.event_row);
        }
        let chosen = self.snapshot.as_ref().and_then(|old| old.sessions.get(self.session_row));
        let is_chosen = |summary: &SessionSummary| {
            chosen.is_some_and(|old| {
                old.summary.session == summary.session && old.summary.client == summary.client
            })
        };
        let found = snapshot.sessions.iter().position(|session| is_chosen(&session.summary));
        if self.session_row > 0 {
            self.session_row = found.unwrap_or(self.session_row);
        }
        self.event_row = self.event_row.min(snapshot.events.len().saturating_sub(1));
        self.session_row = self.session_row.min(snapshot.sessions.len().saturating_sub(1));
        self.snapshot = Some(snapshot);
    }
}
