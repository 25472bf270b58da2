//! Denials by rule and project, sessions by their first prompt, and times of one's own.

use flyball_core::event::{EventKind, SessionId};
use flyball_core::record::Record;
use flyball_core::verdict::Stance;

use crate::pages::sample::{Home, denied, record, ruling};

/// The rows of a table, each as its text.
fn rows(page: &str) -> Vec<String> {
    let rows = page.split("<tr data-row=").skip(1).map(|row| row.split("</tr>").next().unwrap_or_default());
    rows.map(text).collect()
}

/// What is between the tags.
fn text(html: &str) -> String {
    let pieces: Vec<&str> =
        html.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text.trim()).collect();
    pieces.into_iter().filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join(" ")
}

fn at_stop(number: u64, minutes_ago: i64) -> Record {
    Record {
        kind: EventKind::Stop,
        tool: None,
        stance: Stance::Deny,
        subject: "All done.".to_owned(),
        rulings: vec![ruling("loop.gate", Stance::Deny, 90)],
        ..record(number, minutes_ago)
    }
}

#[test]
fn denials_are_counted_by_rule_and_project_and_holds_are_apart() {
    let mut records: Vec<Record> = (1..=3)
        .map(|number| denied(number, 60 - i64::try_from(number).unwrap(), "pip install x", "uv"))
        .collect();
    records.push(Record { project: "/home/ada/notes".to_owned(), ..denied(4, 30, "pip install y", "uv") });
    records.push(Record { session: SessionId::new("other"), ..denied(5, 20, "pip install x", "uv") });
    records.push(at_stop(6, 10));
    let home = Home::with(&records);
    let shown = rows(&home.page("/denials"));
    let change = "What would change it If a person allowed guard.packages for a while: it neither denies nor asks \
                  meanwhile How: flyball allow guard.packages --for 30m Copy command in a terminal, in the project";
    assert_eq!(
        shown,
        [
            format!("guard.packages engine 4 pip install x ×4 uv {change} 2 13:38:21 14:17:25"),
            format!("guard.packages notes 1 pip install y uv {change} 1 14:07:24 14:07:24"),
        ]
    );
    let held = rows(&home.page("/denials?outcome=held"));
    assert_eq!(held.len(), 1, "{held:?}");
    assert!(held[0].starts_with("loop.gate engine 1 All done."), "{held:?}");
    assert!(home.page("/denials?outcome=finding").contains("Nothing of this kind in this period."));
}

#[test]
fn a_session_is_called_by_its_first_prompt() {
    let prompt = |number: u64, minutes: i64, words: &str| Record {
        kind: EventKind::PromptSubmit,
        tool: None,
        subject: words.to_owned(),
        ..record(number, minutes)
    };
    let home = Home::with(&[
        record(1, 9),
        prompt(2, 8, "Make the <b>login</b> faster"),
        prompt(3, 7, "and now the logout"),
        denied(4, 6, "pip install x", "uv"),
    ]);
    for address in ["/", "/sessions", "/events", "/policies/guard.packages"] {
        let page = home.page(address);
        assert!(page.contains("<bdi>Make the &lt;b&gt;login&lt;/b&gt; faster</bdi>"), "{address}: {page}");
    }
    let page = home.page("/sessions/claude-code/5f0c91d2-aa01");
    assert!(page.contains("<h1><bdi>Make the &lt;b&gt;login&lt;/b&gt; faster</bdi></h1>"), "{page}");
}

#[test]
fn a_time_of_ones_own_has_only_its_events() {
    let home = Home::with(&[record(1, 300), denied(2, 90, "pip install x", "uv"), record(3, 5)]);
    let page = home.page("/events?from=2026-11-15T13:00&to=2026-11-15T13:30");
    assert_eq!(rows(&page).len(), 1, "{page}");
    assert!(page.contains("15 Nov 13:00 – 13:30"), "{page}");
    let overview = home.page("/?from=2026-11-15T13:00&to=2026-11-15T13:30");
    assert!(overview.contains("<span class=\"value\">1</span>"), "{overview}");
    assert_eq!(rows(&home.page("/sessions?from=2026-11-15T16:00")).len(), 0);
    assert_eq!(rows(&home.page("/sessions?to=2026-11-15T10:00")).len(), 1);
}

#[test]
fn before_and_after_of_a_call_and_repeats_are_one_row() {
    let after = Record { kind: EventKind::AfterTool, subject: "make".to_owned(), ..record(2, 8) };
    let mut records = vec![Record { subject: "make".to_owned(), ..record(1, 9) }, after];
    records.extend((3..10).map(|number| denied(number, 5, "rm x", "no")));
    let page = Home::with(&records).page("/events");
    let shown = rows(&page);
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert!(shown[0].contains("same denial ×7, since") && shown[0].contains("blocked ×7"), "{shown:?}");
    assert!(shown[1].contains("call shell make"), "{shown:?}");
    assert!(page.contains("9 events in 2 rows"), "{page}");
}
