//! What is an occasion, and what can be configured. What is played and shown is tested with real processes.

use flyball_core::event::{BackgroundWork, Stopping, Tool, ToolCall};
use flyball_core::verdict::Reason;

use super::settings::{Hours, Volume};
use super::*;
use crate::testing::problems;

fn ruling(mode: Mode, verdict: Verdict) -> Ruling {
    Ruling {
        policy: PolicyId::new("guard.test"),
        mode,
        verdict,
        error: None,
        took: std::time::Duration::ZERO,
        skipped: false,
    }
}

fn call() -> ToolCall {
    let tool = Tool::Shell { command: "ls".to_owned(), background: false };
    ToolCall { id: None, name: "Bash".to_owned(), tool, input: "{}".to_owned() }
}

fn stopping(kinds: &[&str]) -> Stopping {
    let work = |kind: &&str| BackgroundWork {
        id: "b1".to_owned(),
        kind: (*kind).to_owned(),
        description: String::new(),
        command: String::new(),
    };
    Stopping { background: kinds.iter().map(work).collect(), ..Stopping::default() }
}

/// A name, the event, the rulings of policies, and the expected notifications.
type Case = (&'static str, EventData, Vec<Ruling>, Vec<(Occasion, &'static str)>);

fn occurrences(happening: &EventData, rulings: &[Ruling]) -> Vec<(Occasion, String)> {
    find_occurrences(happening, rulings).into_iter().map(|it| (it.what, it.text)).collect()
}

#[test]
fn each_event_has_its_occasions() {
    let deny = || ruling(Mode::Enforce, Verdict::deny(Reason::plain("no")));
    let escalated = || ruling(Mode::Enforce, Verdict::silent().with_evidence("escalation", "3 failures"));
    let skipped = || Ruling { skipped: true, ..deny() };
    let observed = || ruling(Mode::Observe, Verdict::deny(Reason::plain("no")));
    let agent = || EventData::AgentStop { stopping: stopping(&[]), transcript: None };
    let notice = EventData::Notification { topic: "idle_prompt".to_owned(), message: "waiting".to_owned() };
    let cases: Vec<Case> = vec![
        ("a notice", notice, vec![], vec![(Occasion::Notification, "waiting")]),
        ("a stop", EventData::Stop(stopping(&[])), vec![], vec![(Occasion::Stop, "the agent is done")]),
        (
            "a stop beside a server",
            EventData::Stop(stopping(&["shell"])),
            vec![],
            vec![(Occasion::Stop, "the agent is done")],
        ),
        ("a stop that a subagent will end", EventData::Stop(stopping(&["subagent"])), vec![], vec![]),
        ("a block", EventData::Stop(stopping(&[])), vec![deny()], vec![(Occasion::Held, "no")]),
        ("a block of a subagent", agent(), vec![deny()], vec![(Occasion::Held, "no")]),
        ("a subagent's end", agent(), vec![], vec![(Occasion::AgentStop, "a subagent is done")]),
        ("a denial", EventData::BeforeTool(call()), vec![deny()], vec![(Occasion::Denied, "no")]),
        (
            "a denial of a permission",
            EventData::PermissionAsked(call()),
            vec![deny()],
            vec![(Occasion::Denied, "no")],
        ),
        ("a call", EventData::BeforeTool(call()), vec![], vec![]),
        (
            "an escalation comes before the stop that it is",
            EventData::Stop(stopping(&[])),
            vec![escalated()],
            vec![(Occasion::Escalation, "3 failures"), (Occasion::Stop, "the agent is done")],
        ),
        (
            "skipped and observed rulings do not count",
            EventData::Stop(stopping(&[])),
            vec![skipped(), observed()],
            vec![(Occasion::Stop, "the agent is done")],
        ),
    ];
    for (name, happening, rulings, expected) in cases {
        let expected: Vec<(Occasion, String)> =
            expected.into_iter().map(|(what, text)| (what, text.to_owned())).collect();
        assert_eq!(occurrences(&happening, &rulings), expected, "{name}");
    }
}

#[test]
fn programs_are_looked_for_only_if_a_rule_may_match() {
    let settings = Settings::default();
    let may = |happening: &EventData| settings.rule.iter().any(|rule| may_fit(rule, happening));
    let notice = |topic: &str| EventData::Notification { topic: topic.to_owned(), message: String::new() };
    let waiting = ["permission_prompt", "idle_prompt", "elicitation_dialog", "agent_needs_input"];
    assert!(waiting.iter().all(|topic| may(&notice(topic))));
    assert!(["auth_success", "agent_completed", ""].iter().all(|topic| !may(&notice(topic))));
    assert!(may(&EventData::Stop(stopping(&[]))), "an escalation may come of it");
    assert!(!may(&EventData::BeforeTool(call())));
}

#[test]
fn quiet_hours_may_span_midnight() {
    let hours = |text: &str| Hours::try_from(text.to_owned()).ok();
    let is_quiet = |text: &str, minute| {
        Settings { quiet: vec![hours(text).unwrap()], ..Settings::default() }.is_quiet(minute)
    };
    let cases = [
        ("22:00-07:00", 22 * 60, true),
        ("22:00-07:00", 23 * 60 + 59, true),
        ("22:00-07:00", 0, true),
        ("22:00-07:00", 7 * 60 - 1, true),
        ("22:00-07:00", 7 * 60, false),
        ("22:00-07:00", 12 * 60, false),
        ("12:30-13:00", 12 * 60 + 30, true),
        ("12:30-13:00", 13 * 60, false),
        ("0:00-24:00", 0, true),
        ("0:00-24:00", 24 * 60 - 1, true),
    ];
    for (text, minute, expected) in cases {
        assert_eq!(is_quiet(text, minute), expected, "{text} at {minute}");
    }
    for wrong in [
        "",
        "22-7",
        "22:00",
        "25:00-07:00",
        "22:60-07:00",
        "22:0-7:00",
        "a:00-b:00",
        "1:00-1:00",
        "-1:00-2:00",
    ] {
        assert_eq!(hours(wrong), None, "{wrong}");
    }
}

#[test]
fn a_volume_is_a_share() {
    let percent = |share: f64| Volume::try_from(share).ok().map(Volume::percent);
    let cases = [(0.0, Some(0)), (0.5, Some(50)), (1.0, Some(100)), (0.07, Some(7)), (0.333, Some(33))];
    for (share, expected) in cases {
        assert_eq!(percent(share), expected, "{share}");
    }
    assert_eq!([1.01, -0.1, 50.0, f64::NAN, f64::INFINITY].map(percent), [None; 5]);
}

#[test]
fn invalid_settings_are_refused_at_their_place() {
    let cases = [
        (
            "[notify]\nvolume = 50",
            "flyball.toml:2:10: invalid volume `50`; write a number from 0 (silent) to 1 (full)",
        ),
        (
            "[notify]\nquiet = [\"night\"]",
            "flyball.toml:2:10: invalid hours `night`; write them as `22:00-07:00`",
        ),
        (
            "[notify]\nfile = \"ding.wav\"",
            "flyball.toml:2:8: `ding.wav` is a relative path; write an absolute path, or one that begins with `~/`",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(text), [expected], "{text}");
    }
    assert_eq!(problems("[notify]\nvolume = 1\nfile = \"~/a.wav\""), Vec::<String>::new());
    assert_eq!(problems("[[notify.rule]]\non = \"never\"").len(), 1);
}

#[test]
fn an_occasion_is_recorded_by_its_name_in_the_config() {
    let all = [
        Occasion::Notification,
        Occasion::Stop,
        Occasion::Held,
        Occasion::Escalation,
        Occasion::Denied,
        Occasion::AgentStop,
    ];
    for occasion in all {
        assert_eq!(serde_json::to_value(occasion).unwrap(), occasion.name());
    }
}
