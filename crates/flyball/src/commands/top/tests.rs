//! What the keys do to a screen, without a terminal.

use flyball_core::record::Record;
use flyball_store::StoredEvent;
use jiff::Zoned;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::json;

use super::keys::handle_key;
use super::screen::{Action, Pane, Screen, View};
use super::snapshot::{Snapshot, Stretch};

fn event(row: i64) -> StoredEvent {
    let record: Record = serde_json::from_value(json!({
        "id": format!("4k7q2m8{row}"), "at": row, "client": "c", "session": "s", "project": "/p",
        "kind": "before_tool", "native": "", "call": row, "stance": "silent", "micros": 1,
    }))
    .unwrap();
    StoredEvent { row, seq: 1, record }
}

fn snapshot(rows: &[i64]) -> Snapshot {
    Snapshot {
        now: Zoned::now(),
        sessions: Vec::new(),
        events: rows.iter().map(|row| event(*row)).collect(),
        hour: Vec::new(),
        total: Stretch::default(),
        explanation: Vec::new(),
    }
}

fn press(screen: &mut Screen, code: KeyCode) -> Action {
    handle_key(KeyEvent::new(code, KeyModifiers::NONE), screen)
}

fn shown(rows: &[i64]) -> Screen {
    let mut screen = Screen::new(None);
    screen.take(snapshot(rows));
    screen
}

#[test]
fn the_cursor_stays_on_its_event_while_others_arrive_and_at_the_top_if_it_was_there() {
    let mut screen = shown(&[3, 2, 1]);
    screen.take(snapshot(&[4, 3, 2, 1]));
    assert_eq!(screen.event_row, 0);
    press(&mut screen, KeyCode::Char('j'));
    screen.take(snapshot(&[6, 5, 4, 3, 2, 1]));
    assert_eq!(screen.event_row, 3);
    screen.take(snapshot(&[6]));
    assert_eq!(screen.event_row, 0);
}

#[test]
fn the_cursor_never_leaves_the_list() {
    let mut screen = shown(&[3, 2, 1]);
    for (code, row) in [
        (KeyCode::Up, 0),
        (KeyCode::PageDown, 2),
        (KeyCode::Down, 2),
        (KeyCode::Home, 0),
        (KeyCode::End, 2),
        (KeyCode::PageUp, 0),
    ] {
        press(&mut screen, code);
        assert_eq!(screen.event_row, row, "{code:?}");
    }
    let mut empty = shown(&[]);
    press(&mut empty, KeyCode::End);
    assert_eq!((press(&mut empty, KeyCode::Enter), empty.event_row), (Action::Nothing, 0));
}

#[test]
fn an_event_opens_its_explanation_and_escape_leads_back() {
    let mut screen = shown(&[2, 1]);
    press(&mut screen, KeyCode::Down);
    assert_eq!(press(&mut screen, KeyCode::Enter), Action::Reload);
    assert!(matches!(&screen.view, View::Explanation { answer, top: 0 } if answer.as_str() == "4k7q2m81"));
    assert_eq!(press(&mut screen, KeyCode::Esc), Action::Nothing);
    assert_eq!((&screen.view, screen.event_row), (&View::Main, 1));
}

#[test]
fn while_a_search_is_typed_letters_are_letters() {
    let mut screen = shown(&[1]);
    press(&mut screen, KeyCode::Char('/'));
    for letter in "qpd".chars() {
        assert_eq!(press(&mut screen, KeyCode::Char(letter)), Action::Reload);
    }
    press(&mut screen, KeyCode::Backspace);
    press(&mut screen, KeyCode::Enter);
    assert_eq!((screen.search.as_str(), screen.is_typing, screen.pane), ("qp", false, Pane::Events));
    assert_eq!(press(&mut screen, KeyCode::Char('q')), Action::Quit);
    press(&mut screen, KeyCode::Esc);
    assert_eq!(screen.search, "");
}

#[test]
fn control_c_ends_it_everywhere() {
    let mut screen = shown(&[1]);
    press(&mut screen, KeyCode::Char('/'));
    assert_eq!(
        handle_key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), &mut screen),
        Action::Quit
    );
}
