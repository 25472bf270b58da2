//! What the keys do.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::screen::{Action, Pane, Screen, View};

/// The keys, as they are listed for people.
pub(super) const LIST: &[(&str, &str)] = &[
    ("↑ ↓ j k", "move; also PgUp PgDn Home End"),
    ("Tab", "between sessions and events"),
    ("Enter", "a session's events, an event's explanation"),
    ("Esc Backspace", "back; from a session to all"),
    ("d", "only what was blocked, or all"),
    ("/", "only events with a text; Enter applies it, Esc clears it"),
    ("p", "pause or resume"),
    ("?", "this list"),
    ("q Ctrl-C", "end"),
];

/// How far a page is.
const PAGE: isize = 15;

/// Changes the screen for a key.
pub(super) fn handle_key(key: KeyEvent, screen: &mut Screen) -> Action {
    // Some terminals report the release of a key as well; each key would count twice.
    if key.kind == KeyEventKind::Release {
        return Action::Nothing;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return if key.code == KeyCode::Char('c') { Action::Quit } else { Action::Nothing };
    }
    if screen.is_typing {
        return handle_typing(key.code, screen);
    }
    match key.code {
        KeyCode::Char('q') => Action::Quit,
        KeyCode::Char('?') => {
            screen.view = if screen.view == View::Help { View::Main } else { View::Help };
            Action::Nothing
        }
        KeyCode::Esc | KeyCode::Backspace | KeyCode::Left => go_back(screen),
        KeyCode::Enter | KeyCode::Right => open(screen),
        KeyCode::Char('p') => {
            screen.is_paused = !screen.is_paused;
            Action::Reload
        }
        code => move_cursor(code, screen).unwrap_or_else(|| handle_choice(code, screen)),
    }
}

fn move_cursor(code: KeyCode, screen: &mut Screen) -> Option<Action> {
    let by = match code {
        KeyCode::Up | KeyCode::Char('k') => -1,
        KeyCode::Down | KeyCode::Char('j') => 1,
        KeyCode::PageUp => -PAGE,
        KeyCode::PageDown | KeyCode::Char(' ') => PAGE,
        // Farther than any list is long; the sum saturates and is limited below.
        KeyCode::Home | KeyCode::Char('g') => isize::MIN / 2,
        KeyCode::End | KeyCode::Char('G') => isize::MAX / 2,
        _ => return None,
    };
    let snapshot = screen.snapshot.as_ref();
    let lines = |length: usize| length.saturating_sub(1);
    let (row, last) = match (&mut screen.view, screen.pane) {
        (View::Explanation { top, .. }, _) => {
            (top, lines(snapshot.map_or(0, |snapshot| snapshot.explanation.len())))
        }
        (_, Pane::Sessions) => {
            (&mut screen.session_row, lines(snapshot.map_or(0, |snapshot| snapshot.sessions.len())))
        }
        (_, Pane::Events) => {
            (&mut screen.event_row, lines(snapshot.map_or(0, |snapshot| snapshot.events.len())))
        }
    };
    *row = row.saturating_add_signed(by).min(last);
    Some(Action::Nothing)
}

fn handle_choice(code: KeyCode, screen: &mut Screen) -> Action {
    if screen.view != View::Main {
        return Action::Nothing;
    }
    match code {
        KeyCode::Tab | KeyCode::BackTab => {
            screen.pane = match screen.pane {
                Pane::Sessions => Pane::Events,
                Pane::Events => Pane::Sessions,
            };
            Action::Nothing
        }
        KeyCode::Char('d') => {
            screen.only_denials = !screen.only_denials;
            screen.event_row = 0;
            Action::Reload
        }
        KeyCode::Char('/') => {
            screen.is_typing = true;
            screen.pane = Pane::Events;
            Action::Nothing
        }
        _ => Action::Nothing,
    }
}

fn handle_typing(code: KeyCode, screen: &mut Screen) -> Action {
    match code {
        KeyCode::Enter => screen.is_typing = false,
        KeyCode::Esc => {
            screen.is_typing = false;
            screen.search.clear();
        }
        KeyCode::Backspace => drop(screen.search.pop()),
        KeyCode::Char(letter) => screen.search.push(letter),
        _ => return Action::Nothing,
    }
    screen.event_row = 0;
    Action::Reload
}

fn open(screen: &mut Screen) -> Action {
    let Some(snapshot) = screen.snapshot.as_ref().filter(|_| screen.view == View::Main) else {
        return Action::Nothing;
    };
    match screen.pane {
        Pane::Sessions => {
            let Some(session) = snapshot.sessions.get(screen.session_row) else { return Action::Nothing };
            screen.session = Some(session.summary.clone());
            screen.pane = Pane::Events;
            screen.event_row = 0;
        }
        Pane::Events => {
            let Some(event) = snapshot.events.get(screen.event_row) else { return Action::Nothing };
            screen.view = View::Explanation { answer: event.record.id.clone(), top: 0 };
        }
    }
    Action::Reload
}

/// One step back: from an explanation to the lists, from a session to all, from a search to all.
fn go_back(screen: &mut Screen) -> Action {
    if screen.view != View::Main {
        screen.view = View::Main;
        if let Some(snapshot) = &mut screen.snapshot {
            snapshot.explanation.clear();
        }
        return Action::Nothing;
    }
    if screen.session.take().is_none() {
        screen.search.clear();
        screen.only_denials = false;
    }
    screen.event_row = 0;
    Action::Reload
}
