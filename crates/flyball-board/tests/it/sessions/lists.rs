//! `/sessions`: order, filters, states, paging.

use flyball_board::view::WaitingView;
use flyball_core::event::{EventKind, SessionId};
use flyball_core::record::Record;

use crate::sessions::home::{HOUR, Home, MINUTE, between, event, link};

fn of(session: &str, number: u64, ago: i64) -> Record {
    Record { session: SessionId::new(session), ..event(number, ago) }
}

fn sessions(html: &str) -> Vec<&str> {
    between(html, "data-label=\"Session\"><a class=\"mono\" href=\"/sessions/", "\"")
}

fn varied() -> Home {
    Home::with([
        of("active", 1, MINUTE),
        Record { project: "/home/ada/other".to_owned(), ..of("elsewhere", 2, 2 * MINUTE) },
        Record { client: "codex".to_owned(), ..of("foreign", 3, 3 * MINUTE) },
        Record { kind: EventKind::SessionEnd, tool: None, ..of("over", 4, 4 * MINUTE) },
        of("idle", 5, 5 * HOUR),
        of("a/b c", 6, 6 * HOUR),
        of("old", 7, 50 * HOUR),
    ])
}

#[test]
fn every_filter_changes_the_list_as_it_should() {
    let home = varied();
    for (query, expected) in [
        (
            "",
            vec![
                "claude-code/active",
                "claude-code/elsewhere",
                "codex/foreign",
                "claude-code/over",
                "claude-code/idle",
                "claude-code/a%2Fb%20c",
            ],
        ),
        ("?project=%2Fhome%2Fada%2Fother", vec!["claude-code/elsewhere"]),
        ("?client=codex", vec!["codex/foreign"]),
        ("?range=all&q=ol", vec!["claude-code/old"]),
        ("?q=a%2Fb", vec!["claude-code/a%2Fb%20c"]),
        ("?state=active", vec!["claude-code/active", "claude-code/elsewhere", "codex/foreign"]),
        ("?state=ended", vec!["claude-code/over"]),
        ("?state=idle&range=all", vec!["claude-code/idle", "claude-code/a%2Fb%20c", "claude-code/old"]),
        ("?state=waits", vec![]),
        ("?range=1h&state=idle", vec![]),
    ] {
        assert_eq!(sessions(&home.page(&format!("/sessions{query}"))), expected, "{query}");
    }
}

#[test]
fn a_session_that_waits_for_a_person_is_marked() {
    let mut home = varied();
    home.views.waiting = Some(WaitingView { on_person: true, what: "an answer of yours".to_owned() });
    let html = home.page("/sessions?state=waits&range=all");
    // The one that ended and the one of the day before yesterday do not wait.
    assert_eq!(
        sessions(&html),
        [
            "claude-code/active",
            "claude-code/elsewhere",
            "codex/foreign",
            "claude-code/idle",
            "claude-code/a%2Fb%20c"
        ]
    );
    assert_eq!(html.matches("<span class=\"pill ask\">waits for a person</span>").count(), 5);
    assert_eq!(html.matches("an answer of yours").count(), 5);
}

#[test]
fn paging_is_complete_and_without_doubles() {
    // Pairs of the same moment, one of them across the end of a page.
    let time = |number: u64| MINUTE + i64::try_from(number.div_ceil(2)).unwrap() * 1_000_000;
    let home = Home::with((0..120).map(|number| of(&format!("s{number:03}"), number, time(number))));
    let mut seen: Vec<String> = Vec::new();
    let mut address = Some("/sessions".to_owned());
    while let Some(current) = address {
        let html = home.page(&current);
        seen.extend(sessions(&html).into_iter().map(str::to_owned));
        address = link(&html, "Earlier sessions");
    }
    seen.sort_unstable();
    let expected: Vec<String> = (0..120).map(|number| format!("claude-code/s{number:03}")).collect();
    assert_eq!(seen, expected);
}

#[test]
fn an_empty_list_shows_what_to_do() {
    assert!(Home::new().page("/sessions?range=all").contains("flyball init"));
    let html = varied().page("/sessions?client=unheard-of");
    assert!(html.contains("<a href=\"/sessions\">any client</a>"), "{html}");
}
