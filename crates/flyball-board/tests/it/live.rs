//! The event stream, read from real sockets.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot be set up has failed, and what is not there is null"
)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::time::Instant;

use crate::support::http::{Events, Message, TIMEOUT, connect};
use crate::support::{Served, TOKEN, fold, record};
use serde_json::{Value, json};

fn subjects(messages: &[Message]) -> Vec<String> {
    let all = messages.iter().flat_map(|message| message.data["last"].as_array().unwrap().clone());
    all.map(|event| event["subject"].as_str().unwrap().to_owned()).collect()
}

/// The greeting of a stream: from here on it sends every event.
fn hello(events: &mut Events) -> Message {
    let message = events.next().unwrap();
    assert_eq!((message.event.as_str(), message.retry.as_str()), ("hello", "1000"), "{message:?}");
    message
}

#[test]
fn an_event_arrives_with_all_that_a_page_needs_to_know() {
    let served = Served::new();
    let mut events = served.events("/live", &[]);
    let greeting = hello(&mut events);
    assert_eq!(greeting.data, json!({ "row": 0, "events": 0, "denials": 0, "more": 0, "last": [] }));
    served.record("s", 1, "deny");
    let message = events.until(1).remove(0);
    let expected = json!({
        "row": 1, "events": 1, "denials": 1, "more": 0,
        "last": [{
            "row": 1, "answer": "s000001", "kind": "before_tool", "stance": "deny", "outcome": "blocked",
            "tool": "shell", "subject": "command 1", "client": "c", "session": "s", "project": "/p",
        }],
    });
    assert_eq!(message, Message { id: "1".to_owned(), data: expected, ..Message::default() });
}

#[test]
fn a_reconnecting_listener_gets_what_it_missed_once() {
    let served = Served::new();
    let mut events = served.events("/live", &[]);
    hello(&mut events);
    served.record("s", 1, "silent");
    let seen = events.until(1).pop().unwrap().id;
    drop(events);
    for number in 2..5 {
        served.record("s", number, "silent");
    }
    let missed = ["command 2", "command 3", "command 4"];
    for (path, header) in
        [("/live", format!("Last-Event-ID: {seen}")), (&format!("/live?after={seen}"), "X: y".to_owned())]
    {
        let mut again = served.events(path, &[&header]);
        assert_eq!(subjects(&again.until(3)), missed, "{path}");
    }
    // The browser's own header is the later one.
    let mut again = served.events("/live?after=0", &["Last-Event-ID: 4"]);
    assert_eq!(hello(&mut again).id, "4");
    served.record("s", 5, "silent");
    assert_eq!(subjects(&again.until(1)), ["command 5"]);
}

#[test]
fn of_many_missed_events_the_last_are_sent_and_the_rest_counted() {
    let served = Served::new();
    for number in 0..60 {
        served.record("s", number, if number % 2 == 0 { "deny" } else { "silent" });
    }
    let message = served.events("/live?after=0", &[]).next().unwrap();
    let numbers = |key: &str| message.data[key].as_u64().unwrap();
    assert_eq!((numbers("events"), numbers("denials"), numbers("more"), numbers("row")), (60, 30, 50, 60));
    let expected: Vec<String> = (50..60).map(|number| format!("command {number}")).collect();
    assert_eq!(subjects(&[message]), expected);
}

#[test]
fn invalid_rows_count_as_none() {
    let served = Served::new();
    served.record("s", 1, "silent");
    for (path, header) in [
        ("/live?after=x", "X: y"),
        ("/live?after=-1", "X: y"),
        ("/live?after=99999999999999999999", "X: y"),
        ("/live", "Last-Event-ID: %00"),
    ] {
        assert_eq!(hello(&mut served.events(path, &[header])).data["row"], json!(1), "{path} {header}");
    }
    // Of a store that was there before this one.
    let greeting = hello(&mut served.events("/live?after=77", &[]));
    assert_eq!((&greeting.data["row"], &greeting.data["reset"]), (&json!(1), &json!(true)));
}

#[test]
fn nothing_is_lost_or_sent_twice_while_others_fold() {
    let served = Served::new();
    let mut events = served.events("/live", &[]);
    hello(&mut events);
    let store = served.store();
    std::thread::scope(|scope| {
        for session in ["a", "b", "c"] {
            let store = &store;
            scope.spawn(move || {
                for number in 0..40 {
                    record(store, session, number, "silent");
                    if number % 4 == 0 {
                        fold(store);
                    }
                }
            });
        }
        let messages = events.until(120);
        let rows: Vec<i64> = messages.iter().map(|message| message.id.parse().unwrap()).collect();
        assert!(rows.is_sorted_by(|one, other| one < other), "{rows:?}");
        let sent = messages.iter().flat_map(|message| message.data["last"].as_array().unwrap().clone());
        let sent: Vec<String> = sent.map(|event: Value| event["answer"].to_string()).collect();
        let distinct: BTreeSet<&String> = sent.iter().collect();
        let more: u64 = messages.iter().map(|message| message.data["more"].as_u64().unwrap()).sum();
        assert_eq!((sent.len() as u64 + more, distinct.len()), (120, sent.len()));
    });
}

#[test]
fn duplicate_calls_are_not_sent() {
    let served = Served::new();
    let mut events = served.events("/live", &[]);
    hello(&mut events);
    served.record("s", 1, "silent");
    served.record("s", 1, "silent");
    served.record("s", 2, "silent");
    assert_eq!(subjects(&events.until(2)), ["command 1", "command 2"]);
}

#[test]
fn all_listeners_get_every_event() {
    let served = Served::new();
    let mut all: Vec<Events> = (0..5).map(|_| served.events("/live", &[])).collect();
    all.iter_mut().for_each(|events| drop(hello(events)));
    served.record("s", 1, "ask");
    for events in &mut all {
        assert_eq!(subjects(&events.until(1)), ["command 1"]);
    }
}

#[test]
fn listeners_are_limited_and_places_are_released() {
    let served = Served::new();
    let all: Vec<Events> = (0..48).map(|_| served.events("/live", &[])).collect();
    let refused = served.get("/live");
    assert_eq!(
        (refused.status, refused.body.as_str()),
        (503, "too many pages of the board are open: close some\n")
    );
    drop(all);
    let deadline = Instant::now() + TIMEOUT;
    // A place is free as soon as the server has noticed.
    while is_refused(&served) {
        assert!(Instant::now() < deadline);
    }
}

/// Only the first line is read: a stream that is not refused does not end.
fn is_refused(served: &Served) -> bool {
    let mut stream = connect(served.address);
    let text =
        format!("GET /live HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n", served.address);
    stream.write_all(text.as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    line.contains("503")
}

#[test]
fn a_failing_store_is_reported_and_so_is_its_recovery() {
    let served = Served::new();
    served.record("s", 1, "silent");
    let database = served.state().join("flyball.db");
    std::fs::write(&database, "this is not a database, but it is long enough for one".repeat(40)).unwrap();
    let mut events = served.events("/live", &[]);
    let error = events.next().unwrap();
    assert_eq!(error.event, "failure");
    assert!(error.data["way_out"].as_str().unwrap().contains("flyball doctor --repair"), "{error:?}");
    std::fs::remove_file(&database).unwrap();
    let message = events.next().unwrap();
    assert_eq!((message.event.as_str(), message.id.as_str()), ("hello", "1"), "{message:?}");
    served.record("s", 2, "silent");
    assert_eq!(subjects(&events.until(1)), ["command 2"]);
}
