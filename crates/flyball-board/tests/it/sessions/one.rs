//! `/sessions/CLIENT/ID`: one session.

use flyball_board::PageError;
use flyball_board::view::{
    ChangedFileView, DomainView, FindingView, HappenedView, LoopView, PhaseView, SnapshotView,
};
use flyball_core::config::Mode;
use flyball_core::event::{EventKind, SessionId, ToolKind};
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::Time;
use flyball_core::verdict::Stance;

use crate::sessions::home::{
    HOSTILE, HOUR, Home, MINUTE, NOW, SECOND, agent, between, denied, event, link, listed, ruling,
};

const HERE: &str = "/sessions/claude-code/5f0c-1";

fn marks(html: &str) -> Vec<&str> {
    between(html, "<a class=\"mark\" href=\"/events/", "\"")
}

/// A prompt, a call that runs a minute, one that is denied, a helper, a stop that is blocked.
fn sample_session() -> Home {
    let prompt = Record {
        kind: EventKind::PromptSubmit,
        tool: None,
        subject: "fix it".to_owned(),
        context_chars: 1_200,
        ..event(1, 20 * MINUTE)
    };
    let before = Record { subject: "cargo test".to_owned(), ..event(2, 19 * MINUTE) };
    let after =
        Record { kind: EventKind::AfterTool, subject: "cargo test".to_owned(), ..event(3, 18 * MINUTE) };
    let spawn = Record { tool: Some(ToolKind::SpawnAgent), ..event(5, 15 * MINUTE) };
    let start = Record {
        kind: EventKind::AgentStart,
        tool: None,
        agent: agent("ag-1", "reviewer"),
        ..event(6, 15 * MINUTE - SECOND)
    };
    let blocked = Record {
        kind: EventKind::Stop,
        tool: None,
        stance: Stance::Deny,
        said: "tests are red".to_owned(),
        ..event(7, 10 * MINUTE)
    };
    Home::with([prompt, before, after, denied(4, 17 * MINUTE), spawn, start, blocked])
}

#[test]
fn the_lanes_have_each_event_once_and_each_call_as_a_bar() {
    let html = sample_session().page(HERE);
    let expected: Vec<String> = (1..=7).map(|number| format!("an{number:06}")).collect();
    assert_eq!(marks(&html), expected);
    let lanes: Vec<&str> = between(&html, "<ol class=\"lane-names\">", "</ol>");
    assert_eq!(between(lanes[0], "<bdi>", "</bdi>"), ["main", "reviewer"]);
    assert_eq!(html.matches("<rect class=\"call\"").count(), 2, "one in the picture, one in the legend");
    assert_eq!(
        between(&html, "class=\"start\" x=", "</text>").len()
            + between(&html, "class=\"end\" x=", "</text>").len(),
        2
    );
    assert!(html.contains(">stop held</text>") && html.contains(">prompt</text>"), "{html}");
}

#[test]
fn what_was_denied_is_shown_with_the_first_line_of_its_reason() {
    let html = sample_session().page(HERE);
    let reasons = between(&html, "<div class=\"reason\">", "</div>");
    let policy = "<a class=\"mono\" href=\"/policies/guard.shell\">guard.shell</a>";
    assert_eq!(reasons, ["tests are red", &format!("<span class=\"small\">{policy}</span> not here")]);
    // The third is the end of the call that the second begins: they are one row.
    let newest_first: Vec<String> = [7, 6, 5, 4, 2, 1].map(|number| format!("an{number:06}")).to_vec();
    assert_eq!(listed(&html), newest_first);
}

#[test]
fn only_policies_that_count_are_named_for_a_denial() {
    let observed = RecordedRuling { mode: Mode::Observe, ..ruling("guard.secrets", Stance::Deny) };
    let skipped = RecordedRuling { skipped: true, ..ruling("guard.self", Stance::Deny) };
    let mut record = denied(1, MINUTE);
    record.rulings.splice(0..0, [observed, skipped]);
    let home = Home::with([record]);
    for (page, start, end) in
        [(HERE, "<div class=\"reason\">", "</div>"), ("/", "<ul class=\"plain rows denials\">", "</ul>")]
    {
        let html = home.page(page);
        let denials = between(&html, start, end);
        assert_eq!(between(denials[0], "href=\"/policies/", "\""), ["guard.shell"], "{page}");
    }
}

#[test]
fn a_part_of_a_session_is_shown_by_its_address() {
    let home = sample_session();
    let html = home.page(&format!("{HERE}?from={}&to={}", NOW - 18 * MINUTE, NOW - 15 * MINUTE));
    assert_eq!(marks(&html), ["an000003", "an000004"]);
    let later = home.page(&link(&html, "Later").unwrap());
    assert_eq!(marks(&later), ["an000005", "an000006"]);
    let earlier = home.page(&link(&html, "Earlier").unwrap());
    assert_eq!(marks(&earlier), ["an000001", "an000002"]);
    assert_eq!(link(&html, "Whole session").as_deref(), Some(HERE));
    assert_eq!(marks(&home.page(&link(&html, "Last 15 min").unwrap())).len(), 7);
    assert_eq!(marks(&home.page(&format!("{HERE}?from=-6m"))), ["an000005", "an000006", "an000007"]);
    let nothing = home.page(&format!("{HERE}?from={}&to={}", NOW - 2 * HOUR, NOW - HOUR));
    assert!(nothing.contains("No events in this part of the session"), "{nothing}");
}

#[test]
fn a_long_session_is_drawn_within_bounds_and_shows_what_it_leaves_out() {
    let many = (0..2_300).map(|number| {
        let who = (number % 40 > 0).then(|| agent(&format!("ag-{}", number % 40), "worker")).flatten();
        let ago = 3 * HOUR - i64::try_from(number).unwrap() * 4 * SECOND;
        Record {
            agent: who,
            stance: if number % 500 == 7 { Stance::Deny } else { Stance::Silent },
            ..event(number, ago)
        }
    });
    let home = Home::with(many);
    let html = home.page(HERE);
    assert_eq!(marks(&html).len(), 300);
    for denied in ["an000507", "an001007", "an001507", "an002007"] {
        assert!(marks(&html).contains(&denied), "{denied} has a mark");
    }
    assert!(html.contains(">16 more agents</span>"), "{html}");
    assert!(html.contains("These are the newest 2\u{202f}000 events"), "{html}");
    assert!(html.contains("1\u{202f}700 further events have no mark"), "{html}");
    assert_eq!(listed(&html).len(), 50);
    let earlier = home.page(&link(&html, "Earlier").unwrap());
    let oldest: Vec<String> = (0..300).map(|number| format!("an{number:06}")).collect();
    assert_eq!(marks(&earlier), oldest, "what was left out comes before");
    assert!(html.len() < 400_000, "{} bytes", html.len());
}

#[test]
fn a_session_that_is_not_there_is_not_found() {
    let home = sample_session();
    for (address, message) in [
        (
            "/sessions/claude-code/none",
            "no session none of claude-code in the store; /sessions?range=all lists all of them",
        ),
        (
            "/sessions/codex/5f0c-1",
            "no session 5f0c-1 of codex in the store; /sessions?range=all lists all of them",
        ),
        (
            "/sessions/claude-code/5f0c",
            "no session 5f0c of claude-code in the store; /sessions?range=all lists all of them",
        ),
    ] {
        match home.try_page(address) {
            Err(PageError::NotFound(why)) => assert_eq!(why, message),
            other => panic!("{address}: {:?}", other.map(|_| "a page")),
        }
    }
}

#[test]
fn ids_with_slashes_spaces_and_worse_have_a_page() {
    for (id, address) in [
        ("a/b c", "/sessions/claude-code/a%2Fb%20c"),
        ("100%_?#&", "/sessions/claude-code/100%25_%3F%23%26"),
        ("ä\"<i>", "/sessions/claude-code/%C3%A4%22%3Ci%3E"),
    ] {
        let home = Home::with([Record { session: SessionId::new(id), ..event(1, MINUTE) }]);
        assert_eq!(marks(&home.page(address)), ["an000001"], "{id}");
        let list = link(&home.page(address), "All 1 event").unwrap();
        assert_eq!(listed(&home.page(&list)), ["an000001"], "{id}");
    }
}

#[test]
fn one_moment_of_one_client_is_a_session_too() {
    let home = Home::with([event(1, MINUTE), Record { client: "codex".to_owned(), ..event(2, MINUTE) }]);
    let html = home.page(HERE);
    assert_eq!((marks(&html), listed(&html)), (vec!["an000001"], vec!["an000001"]));
}

#[test]
fn snapshots_are_on_the_timeline_with_what_changed_after_them() {
    let mut home = sample_session();
    assert!(!home.page(HERE).contains("What can be undone"));
    let snapshot = |id: u64, changed: Vec<ChangedFileView>| SnapshotView {
        id,
        at: Time::from_micros(NOW - 19 * MINUTE),
        before: format!("make {HOSTILE}"),
        changed,
        more: 0,
        left_out: 1,
        is_latest: false,
    };
    let file = |path: &str, diff: &str| ChangedFileView { path: path.to_owned(), diff: diff.to_owned() };
    let diff = format!("--- a.py\n+++ a.py\n@@ -1 +1 @@\n-old\n+{HOSTILE}\n");
    home.views.snapshots =
        vec![snapshot(2, Vec::new()), snapshot(1, vec![file("a.py", &diff), file("b.bin", "")])];
    let html = home.page(HERE);
    assert_eq!(between(&html, "<a href=\"#snapshot-", "\""), ["1", "2"], "in order of time");
    assert_eq!(between(&html, "<div class=\"changed\" id=\"snapshot-", "\""), ["2", "1"]);
    assert!(html.contains("<span class=\"text-deny\">-old\n</span>"), "{html}");
    assert!(html.contains("2 files changed") && html.contains("nothing changed"), "{html}");
    assert!(html.contains("1 file could not be copied"), "{html}");
    assert!(
        html.contains("not shown, no text, a long one, or with secrets") && !html.contains("<script>alert"),
        "{html}"
    );
    // Only what was copied in the part that is shown.
    home.views.snapshots[0].at = Time::from_micros(NOW + HOUR);
    assert_eq!(between(&home.page(HERE), "<a href=\"#snapshot-", "\""), ["1"]);
}

#[test]
fn loop_and_findings_are_those_of_the_views() {
    let mut home = sample_session();
    let phase = |name: &str, status: &str, issues: &[&str]| PhaseView {
        name: name.to_owned(),
        status: status.to_owned(),
        issues: issues.iter().map(|&issue| issue.to_owned()).collect(),
        by: Some("reviewer".to_owned()),
        at: Some(Time::from_micros(NOW - MINUTE)),
    };
    home.views.looping = Some(LoopView {
        line: "backend: review failed".to_owned(),
        standing: "open".to_owned(),
        iteration: 2,
        of: 5,
        domains: vec![DomainView {
            name: "backend".to_owned(),
            files: vec!["src/a.rs".to_owned()],
            phases: vec![phase("tests", "passed", &[]), phase("review", "failed", &["no test for <b>"])],
        }],
        escalation: Some("twice the same".to_owned()),
        history: vec![HappenedView {
            at: Time::from_micros(NOW - MINUTE),
            what: "the review failed".to_owned(),
        }],
    });
    home.views.findings = vec![FindingView {
        file: "src/a.rs".to_owned(),
        line: Some(7),
        code: "E501".to_owned(),
        message: "too <long>".to_owned(),
        tool: "ruff".to_owned(),
    }];
    let html = home.page(HERE);
    assert_eq!(between(&html, "<li class=\"loop-step ", "\""), ["allow", "deny"],);
    for part in [
        "<span class=\"pill allow\">passed</span>",
        "<span class=\"pill deny\">failed</span>",
        "<li>no test for &lt;b&gt;</li>",
        "A person has to decide: </strong>twice the same",
        "<span>the review failed</span>",
        "<span>too &lt;long&gt;</span>",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
}

#[test]
fn hostile_text_is_only_text() {
    let home = Home::with([
        Record {
            subject: HOSTILE.to_owned(),
            said: HOSTILE.to_owned(),
            agent: agent(HOSTILE, HOSTILE),
            context_chars: 5,
            ..denied(1, MINUTE)
        },
        Record { subject: "y".repeat(10_000), ..event(2, MINUTE) },
    ]);
    let html = home.page(HERE);
    for bad in ["<script", "\x1b", "\u{202e}", "<!--"] {
        assert!(!html.contains(bad), "{bad:?} in {html}");
    }
    assert!(!html.contains(&"y".repeat(2_001)));
}
