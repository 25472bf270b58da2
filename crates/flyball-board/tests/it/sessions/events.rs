//! `/events`: each filter, paging, search.

use flyball_core::config::Mode;
use flyball_core::event::{EventKind, SessionId, ToolKind};
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::verdict::Stance;

use crate::sessions::home::{HOSTILE, HOUR, Home, MINUTE, agent, denied, event, link, listed, ruling};

/// One event that differs from the others in each thing that can be filtered by.
fn varied() -> Home {
    let observed = RecordedRuling { mode: Mode::Observe, ..ruling("guard.secrets", Stance::Deny) };
    Home::with([
        event(0, 9 * MINUTE),
        Record { project: "/home/ada/other".to_owned(), ..event(1, 8 * MINUTE) },
        Record { session: SessionId::new("a/b c"), ..event(2, 7 * MINUTE) },
        denied(3, 6 * MINUTE),
        Record { stance: Stance::Ask, ..event(4, 5 * MINUTE) },
        Record { tool: Some(ToolKind::Edit), ..event(5, 4 * MINUTE) },
        Record { kind: EventKind::AfterTool, ..event(6, 3 * MINUTE) },
        Record { agent: agent("ag-1", "reviewer"), ..event(7, 2 * MINUTE) },
        Record { subject: "rm -rf 100%_done".to_owned(), ..event(8, MINUTE) },
        Record { rulings: vec![observed], ..event(9, 30) },
        event(10, 30 * HOUR),
    ])
}

#[test]
fn every_filter_changes_the_list_as_it_should() {
    let home = varied();
    let all: Vec<u64> = (0..10).rev().collect();
    let but = |left_out: &[u64]| {
        all.iter().copied().filter(|number| !left_out.contains(number)).collect::<Vec<u64>>()
    };
    for (query, expected) in [
        ("", all.clone()),
        ("?project=%2Fhome%2Fada%2Fother", vec![1]),
        ("?session=a%2Fb%20c", vec![2]),
        ("?session=a%2F", vec![2]),
        ("?session=unheard-of", vec![]),
        ("?verdict=deny", vec![3]),
        ("?verdict=ask", vec![4]),
        ("?verdict=silent", but(&[3, 4])),
        ("?verdict=would-deny", vec![9]),
        ("?verdict=no-such", vec![]),
        ("?policy=guard.shell", vec![3]),
        ("?tool=edit", vec![5]),
        ("?tool=no-such", vec![]),
        ("?kind=after_tool", vec![6]),
        ("?session=5f0c-1&range=24h&agent=ag-1", vec![7]),
        ("?session=5f0c-1&range=24h&agent=main", but(&[2, 7])),
        ("?q=100%25_DONE", vec![8]),
        ("?q=%25", vec![8]),
        ("?range=1h&q=number-1", vec![1]),
        ("?range=all", all.iter().copied().chain([10]).collect()),
    ] {
        let html = home.page(&format!("/events{query}"));
        let expected: Vec<String> = expected.iter().map(|number| format!("an{number:06}")).collect();
        assert_eq!(listed(&html), expected, "{query}");
    }
}

#[test]
fn paging_is_complete_and_without_doubles_while_events_arrive() {
    // Three of each moment: the order among them must hold as well.
    let time = |number: u64| HOUR - i64::try_from(number / 3).unwrap() * 1_500_000;
    let home = Home::with((0..260).map(|number| event(number, time(number))));
    let mut seen: Vec<String> = Vec::new();
    let mut address = Some("/events".to_owned());
    let mut later = 1_000;
    let mut pages = Vec::new();
    while let Some(current) = address {
        let html = home.page(&current);
        seen.extend(listed(&html).into_iter().map(str::to_owned));
        pages.push(current);
        address = link(&html, "Older");
        home.commit(event(later, 0));
        later += 1;
    }
    let expected: Vec<String> = (0..260).rev().map(|number| format!("an{number:06}")).collect();
    let mut sorted = seen.clone();
    sorted.sort_unstable();
    sorted.reverse();
    assert_eq!(sorted, expected);
    assert_eq!(pages.len(), 4);
    // And back again, page by page.
    let last = home.page(&pages[3]);
    assert_eq!(link(&last, "Newer").as_deref(), Some(pages[2].as_str()));
    let third = home.page(&pages[2]);
    assert_eq!(link(&third, "Newer").as_deref(), Some(pages[1].as_str()));
    let second = home.page(&pages[1]);
    assert_eq!(link(&second, "Newer").as_deref(), Some("/events"));
    assert_eq!(link(&home.page("/events"), "Newer"), None);
}

#[test]
fn an_id_that_is_typed_into_the_search_leads_there() {
    let home = varied();
    let html = home.page("/events?q=an000003");
    assert!(html.contains("<a href=\"/events/an000003\">Go to decision "), "{html}");
    let html = home.page("/events?q=5f0c");
    assert!(html.contains("<a href=\"/sessions/claude-code/5f0c-1\">Go to session "), "{html}");
    // Three letters are the beginning of too much, and a text is not an id.
    assert!(!home.page("/events?q=an0").contains("Go to"));
    assert!(!home.page("/events?q=an000003%20x").contains("Go to"));
}

#[test]
fn an_empty_list_shows_which_filter_to_relax() {
    let home = varied();
    let html = home.page("/events?policy=guard.shell&q=nowhere");
    assert_eq!(listed(&html), Vec::<&str>::new());
    assert!(
        html.contains(
            "<ul class=\"ways\"><li><a href=\"/events?policy=guard.shell\">without text “nowhere”</a>\
             <span class=\"muted\"> finds some</span></li>\
             <li><a href=\"/events?q=nowhere\">without policy guard.shell</a></li>"
        ),
        "{html}"
    );
    let html = Home::new().page("/events");
    assert!(html.contains("No events yet"), "{html}");
}

#[test]
fn active_filters_can_be_removed_one_by_one() {
    let html = varied().page("/events?verdict=deny&tool=shell&range=7d");
    let hrefs = crate::sessions::home::between(&html, "class=\"pill removable\" href=\"", "\"");
    assert_eq!(
        hrefs,
        [
            "/events?range=7d&amp;tool=shell",
            "/events?range=7d&amp;verdict=deny",
            "/events?tool=shell&amp;verdict=deny"
        ]
    );
}

#[test]
fn the_amount_is_exact_where_it_is_known() {
    let home = Home::with((0..110).map(|number| event(number, HOUR - i64::try_from(number).unwrap())));
    assert!(home.page("/events").contains("The newest 80 of many"));
    assert!(home.page("/events?session=5f0c-1").contains("80 of 110 events"));
    assert!(home.page("/events?q=number-59").contains(">1 event</p>"));
}

#[test]
fn hostile_text_is_only_text() {
    let long = "x".repeat(10_000);
    let home = Home::with([
        Record {
            subject: HOSTILE.to_owned(),
            said: HOSTILE.to_owned(),
            native: HOSTILE.to_owned(),
            project: format!("/p/{HOSTILE}"),
            session: SessionId::new(HOSTILE),
            agent: agent(HOSTILE, HOSTILE),
            rulings: vec![ruling(HOSTILE, Stance::Deny)],
            kind: EventKind::Unknown,
            ..event(1, MINUTE)
        },
        Record { subject: long, ..event(2, 2 * MINUTE) },
    ]);
    let asked = "%3Cscript%3E%22%27%26";
    for address in [
        "/events".to_owned(),
        "/sessions".to_owned(),
        format!(
            "/events?q={asked}&project={asked}&session={asked}&policy={asked}&verdict={asked}&tool={asked}&kind={asked}&agent={asked}&range={asked}&before={asked}&trail={asked}"
        ),
        format!("/sessions?q={asked}&client={asked}&state={asked}&project={asked}"),
    ] {
        let html = home.page(&address);
        assert!(!html.contains("<script") && !html.contains("<!--"), "{address}: {html}");
        let seen = without_values(&html);
        assert!(!seen.contains('\x1b') && !seen.contains('\u{202e}'), "{address}: {seen}");
        assert!(html.len() < 60_000, "{address} has {} bytes", html.len());
    }
    assert_eq!(listed(&home.page("/events")), ["an000001", "an000002"]);
}

/// The page without values that are only sent back: they must come back unchanged, and are not shown.
fn without_values(html: &str) -> String {
    let mut parts = html.split(" value=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.filter_map(|part| Some(part.split_once('"')?.1));
    rest.fold(first, |seen, part| seen + part)
}
