//! What the pages show of a store that has something in it.

use flyball_core::event::EventKind;
use flyball_core::record::Record;
use flyball_core::verdict::Stance;

use crate::pages::sample::{Home, denied, record, ruling};

fn some() -> Home {
    let mut asked = record(4, 30);
    asked.stance = Stance::Ask;
    asked.context_chars = 1_500;
    asked.rulings = vec![ruling("guard.secrets", Stance::Ask, 300)];
    let other = Record {
        project: "/home/ada/api".to_owned(),
        session: flyball_core::event::SessionId::new("b1"),
        ..record(5, 3_000)
    };
    let records = [
        record(1, 40),
        record(2, 39),
        denied(3, 35, "pip install x", "one package manager\nand more"),
        asked,
        other,
    ];
    Home::with(&records)
}

/// The text of a page: what is between its elements.
fn text(page: &str) -> String {
    let mut out = String::new();
    for piece in page.split('<') {
        let shown = piece.split_once('>').map_or(piece, |(_, shown)| shown);
        out.push_str(shown);
        out.push('|');
    }
    while out.contains("||") {
        out = out.replace("||", "|");
    }
    out.replace('\u{202f}', " ")
}

#[test]
fn the_numbers_of_the_overview_are_those_of_the_range() {
    let home = some();
    let day = text(&home.page("/"));
    for expected in [
        "Events|4|in 1 session|",
        "Blocked|1|0 held · 0 findings|",
        "Asks|1|left to a person|",
        "Active sessions|0|of 1 seen|",
        "Context added|1.5k|characters|",
    ] {
        assert!(day.contains(expected), "{expected} is not in {day}");
    }
    let all = text(&home.page("/?range=all"));
    assert!(all.contains("Events|5|in 2 sessions|"), "{all}");
    let other = text(&home.page("/?range=all&project=%2Fhome%2Fada%2Fapi"));
    assert!(
        other.contains("Events|1|in 1 session|") && other.contains("Blocked|0|0 held · 0 findings|"),
        "{other}"
    );
}

#[test]
fn a_number_leads_to_the_events_it_counts() {
    let page = some().page("/?range=7d&project=%2Fhome%2Fada%2Fengine");
    for address in [
        "href=\"/events?project=%2Fhome%2Fada%2Fengine&amp;range=7d\"",
        "href=\"/events?project=%2Fhome%2Fada%2Fengine&amp;range=7d&amp;verdict=blocked\"",
        "href=\"/denials?project=%2Fhome%2Fada%2Fengine&amp;range=7d\"",
        "href=\"/events?project=%2Fhome%2Fada%2Fengine&amp;range=7d&amp;verdict=ask\"",
        "href=\"/sessions?project=%2Fhome%2Fada%2Fengine&amp;range=7d\"",
        "href=\"/policies?project=%2Fhome%2Fada%2Fengine&amp;range=7d\"",
    ] {
        assert!(page.contains(address), "{address} is not in {page}");
    }
}

#[test]
fn a_denial_is_shown_with_the_first_line_of_its_reason() {
    let page = some().page("/");
    let denials = text(page.split("id=\"denials\"").nth(1).unwrap());
    assert!(denials.contains("pip install x|"), "{denials}");
    assert!(denials.contains("guard.packages|") && denials.contains("one package manager|"), "{denials}");
    assert!(!denials.contains("and more"), "{denials}");
}

#[test]
fn sessions_that_wait_for_a_person_and_escalated_loops_are_at_the_top() {
    let at = |session: &str, number| Record {
        session: flyball_core::event::SessionId::new(session),
        ..record(number, 3)
    };
    let ended = Record { kind: EventKind::SessionEnd, ..at("0-ended", 9) };
    let page = Home::with(&[at("0-person", 1), at("e-stuck", 2), at("c-works", 3), ended]).page("/");
    let (_, person) = page.split_once("id=\"person\"").unwrap();
    let person = text(person.split("</section>").next().unwrap());
    assert!(person.contains("permission to run |git push origin main|"), "{person}");
    assert!(person.contains("the review failed 5 times on the same finding"), "{person}");
    assert!(!person.contains("c-works") && !person.contains("0-ended"), "{person}");
}

#[test]
fn a_policy_is_listed_with_what_it_did_or_that_it_never_fired() {
    let page = text(&some().page("/policies"));
    assert!(
        page.contains(
            "guard.packages|one package manager per ecosystem|enforce|flyball.toml:12|1|0|0|0|0|0|"
        ),
        "{page}"
    );
    assert!(page.contains("notify|sound and desktop notices|off|the default|never fired|"), "{page}");
    assert!(page.contains("7 policies, 5 of them never fired in this time|"), "{page}");
}

#[test]
fn the_page_of_a_policy_has_its_decisions_and_its_manual() {
    let page = text(&some().page("/policies/guard.packages"));
    assert!(
        page.contains("Ran|1|Blocked|1|Held|0|Findings|0|Asked a person|0|Allowed|0|Errors|0|"),
        "{page}"
    );
    assert!(page.contains("14:02:23|blocked|pip install x|one package manager|"), "{page}");
    assert!(page.contains("What it sees|") && page.contains("More in the reference.|"), "{page}");
}

#[test]
fn tasks_are_shown_with_their_progress_and_who_works_on_them() {
    let home = Home::with(&[
        Record { session: flyball_core::event::SessionId::new("0a6f2b9e-51d8"), ..record(1, 3) },
        Record { session: flyball_core::event::SessionId::new("e-stuck"), ..record(2, 3) },
    ]);
    let page = home.page("/tasks");
    assert!(page.contains("<a class=\"mono\" href=\"/sessions/claude-code/0a6f2b9e-51d8\""), "{page}");
    let page = text(&page);
    assert!(page.contains("Retries with back-off|plans/2026-11-retries/PLAN.md|in progress|"), "{page}");
    assert!(page.contains(" 3 of 5|4: tests against a slow server|"), "{page}");
    assert!(page.contains("nobody|"), "{page}");
    assert!(page.contains("not started|") && page.contains("paused|"), "{page}");
    assert!(page.find("escalated|").unwrap() < page.find("open|").unwrap(), "{page}");
    assert!(page.contains("backend|review |failed|tests |passed|docs|review |open|"), "{page}");
}
