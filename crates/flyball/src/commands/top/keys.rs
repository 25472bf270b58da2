//! What the keys do.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::screen::{Pane, Screen, View, Wish};

/// The keys, as they are listed for people.
pub(super) const LIST: &[(&str, &str)] = &[
    ("↑ ↓ j k", "move; PgUp PgDn Home End likewise"),
    ("Tab", "between sessions and events"),
    ("Enter", "a session's events, an event's explanation"),
    ("Esc Backspace", "back; from a session to all"),
    ("d", "only denials, or all"),
    ("/", "only events with a text; Enter keeps it, Esc drops it"),
    ("p", "pause, or go on"),
    ("?", "this list"),
    ("q Ctrl-C", "end"),
];

/// How far a page is.
const PAGE: isize = 15;

/// Changes the screen as a key says.
pub(super) fn pressed(key: KeyEvent, screen: &mut Screen) -> Wish {
    if key.kind == KeyEventKind::Release {
        return Wish::Nothing;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return if key.code == KeyCode::Char('c') { Wish::End } else { Wish::Nothing };
    }
    if screen.is_typing {
        return typed(key.code, screen);
    }
    match key.code {
        KeyCode::Char('q') => Wish::End,
        KeyCode::Char('?') => {
            screen.view = if screen.view == View::Help { View::Main } else { View::Help };
            Wish::Nothing
        }
        KeyCode::Esc | KeyCode::Backspace | KeyCode::Left => back(screen),
        KeyCode::Enter | KeyCode::Right => open(screen),
        KeyCode::Char('p') => {
            screen.is_paused = !screen.is_paused;
            Wish::Look
        }
        code => moved(code, screen).unwrap_or_else(|| chosen(code, screen)),
    }
}

fn moved(code: KeyCode, screen: &mut Screen) -> Option<Wish> {
    let by = match code {
        KeyCode::Up | KeyCode::Char('k') => -1,
        KeyCode::Down | KeyCode::Char('j') => 1,
        KeyCode::PageUp => -PAGE,
        KeyCode::PageDown | KeyCode::Char(' ') => PAGE,
        KeyCode::Home | KeyCode::Char('g') => isize::MIN / 2,
        KeyCode::End | KeyCode::Char('G') => isize::MAX / 2,
        _ => return None,
    };
    let look = screen.look.as_ref();
    let lines = |length: usize| length.saturating_sub(1);
    let (row, last) = match (&mut screen.view, screen.pane) {
        (View::Explanation { top, .. }, _) => (top, lines(look.map_or(0, |look| look.explanation.len()))),
        (_, Pane::Sessions) => (&mut screen.session_row, lines(look.map_or(0, |look| look.sessions.len()))),
        (_, Pane::Events) => (&mut screen.event_row, lines(look.map_or(0, |look| look.events.len()))),
    };
    *row = row.saturating_add_signed(by).min(last);
    Some(Wish::Nothing)
}

fn chosen(code: KeyCode, screen: &mut Screen) -> Wish {
    if screen.view != View::Main {
        return Wish::Nothing;
    }
    match code {
        KeyCode::Tab | KeyCode::BackTab => {
            screen.pane = match screen.pane {
                Pane::Sessions => Pane::Events,
                Pane::Events => Pane::Sessions,
            };
            Wish::Nothing
        }
        KeyCode::Char('d') => {
            screen.only_denials = !screen.only_denials;
            screen.event_row = 0;
            Wish::Look
        }
        KeyCode::Char('/') => {
            screen.is_typing = true;
            screen.pane = Pane::Events;
            Wish::Nothing
        }
        _ => Wish::Nothing,
    }
}

fn typed(code: KeyCode, screen: &mut Screen) -> Wish {
    match code {
        KeyCode::Enter => screen.is_typing = false,
        KeyCode::Esc => {
            screen.is_typing = false;
            screen.search.clear();
        }
        KeyCode::Backspace => drop(screen.search.pop()),
        KeyCode::Char(letter) => screen.search.push(letter),
        _ => return Wish::Nothing,
    }
    screen.event_row = 0;
    Wish::Look
}

fn open(screen: &mut Screen) -> Wish {
    let Some(look) = screen.look.as_ref().filter(|_| screen.view == View::Main) else { return Wish::Nothing };
    match screen.pane {
        Pane::Sessions => {
            let Some(session) = look.sessions.get(screen.session_row) else { return Wish::Nothing };
            screen.session = Some(session.its.clone());
            screen.pane = Pane::Events;
            screen.event_row = 0;
        }
        Pane::Events => {
            let Some(event) = look.events.get(screen.event_row) else { return Wish::Nothing };
            screen.view = View::Explanation { answer: event.record.id.clone(), top: 0 };
        }
    }
    Wish::Look
}

/// One step back: from an explanation to the lists, from a session to all, from a search to all.
fn back(screen: &mut Screen) -> Wish {
    if screen.view != View::Main {
        screen.view = View::Main;
        if let Some(look) = &mut screen.look {
            look.explanation.clear();
        }
        return Wish::Nothing;
    }
    if screen.session.take().is_none() {
        screen.search.clear();
        screen.only_denials = false;
    }
    screen.event_row = 0;
    Wish::Look
}
