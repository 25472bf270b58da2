//! What the tests of all clients share: recorded payloads, answers of every kind, and the files
//! that hold what was expected of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use flyball_core::answer::Answer;
use flyball_core::event::{AnswerId, Event};
use flyball_core::merge::AttributedReason;
use flyball_core::policy::PolicyId;
use flyball_core::verdict::{Reason, Signal, Stance};
use proptest::prelude::*;

use super::NativeEvent;
use crate::{CallerContext, Client, Output};

/// A process that was started with nothing.
pub(crate) const NOWHERE: CallerContext<'static> =
    CallerContext { variable: &|_| None, folder: &|| None, declared_client: None, declared_event: None };

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Every recorded payload of a client, and those that are only documented, by the name of its file.
pub(crate) fn recorded(client: &Client) -> BTreeMap<String, String> {
    let folder = fixtures().join(client.id());
    let folders = [folder.join("documented"), folder];
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let payloads = files.filter_map(|file| {
        let path = file.unwrap().path();
        let name = path.file_name()?.to_str()?.strip_suffix(".json")?.to_owned();
        (name != "index").then(|| (name, std::fs::read_to_string(&path).unwrap()))
    });
    payloads.collect()
}

/// Compares `actual` with a file; `FLYBALL_BLESS=1` writes the file instead.
pub(crate) fn assert_is_in(file: &Path, actual: &str) {
    if std::env::var_os("FLYBALL_BLESS").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, actual).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(file).unwrap_or_default();
    assert!(actual == expected, "{} differs, FLYBALL_BLESS=1 refreshes it; now:\n{actual}", file.display());
}

/// Decodes every recorded payload and compares the whole event with its file.
pub(crate) fn assert_events_are_as_expected(client: &Client) {
    for (name, payload) in recorded(client) {
        let event = client.decode(&payload, &NOWHERE).unwrap();
        let text = serde_json::to_string_pretty(&event).unwrap() + "\n";
        assert_is_in(&fixtures().join(format!("events/{}/{name}.json", client.id())), &text);
    }
}

/// An event of that name whose tool call, if it has one, is a shell command.
pub(crate) fn event(client: &Client, name: &str) -> Event {
    let mut payload = payload(client, name);
    if payload.get("tool_name").is_some() {
        payload["tool_name"] = "Bash".into();
        payload["tool_input"] = serde_json::json!({"command": "pip install x", "description": "d"});
    }
    client.decode(&payload.to_string(), &NOWHERE).unwrap()
}

/// The first payload of that event.
fn payload(client: &Client, event: &str) -> serde_json::Value {
    let payloads = recorded(client).into_values();
    let mut parsed = payloads.map(|text| serde_json::from_str::<serde_json::Value>(&text).unwrap());
    parsed.find(|payload| payload["hook_event_name"] == event).unwrap()
}

pub(crate) fn answer(stance: Stance) -> Answer {
    let reason = Reason::plain(format!("the {} reason", stance.name()));
    let reasons =
        vec![AttributedReason { policy: PolicyId::new("guard.test"), stance, incidental: false, reason }];
    Answer {
        id: AnswerId::parse("4k7q2m8x"),
        stance,
        reasons: if stance == Stance::Silent { Vec::new() } else { reasons },
        rewritten: None,
        output: None,
        context: String::new(),
        notices: Vec::new(),
        terminal: Vec::new(),
    }
}

/// One signal of every kind, with texts that would end the sequence or begin another.
fn signals() -> Vec<Signal> {
    vec![
        Signal::Bell,
        Signal::Notice("4;1;\u{1b}]0;x\u{7}done\u{9c}\nnow".to_owned()),
        Signal::TitledNotice { title: "a;b".to_owned(), text: "c;\u{1b}\\d \u{9d}9;e".to_owned() },
    ]
}

/// One answer of every kind.
fn answers() -> Vec<(&'static str, Answer)> {
    let context = || "the context".to_owned();
    let notices = || vec!["first notice".to_owned(), "second notice".to_owned()];
    let rewritten = || Some("uv add \"x\"".to_owned());
    vec![
        ("silent", answer(Stance::Silent)),
        ("allow", answer(Stance::Allow)),
        ("ask", answer(Stance::Ask)),
        ("deny", answer(Stance::Deny)),
        ("context", Answer { context: context(), ..answer(Stance::Silent) }),
        ("notices", Answer { notices: notices(), ..answer(Stance::Silent) }),
        ("rewrite", Answer { rewritten: rewritten(), ..answer(Stance::Silent) }),
        ("allow and rewrite", Answer { rewritten: rewritten(), ..answer(Stance::Allow) }),
        ("ask and rewrite", Answer { rewritten: rewritten(), ..answer(Stance::Ask) }),
        (
            "ask and context and notices",
            Answer { context: context(), notices: notices(), ..answer(Stance::Ask) },
        ),
        (
            "deny and context and notices",
            Answer { context: context(), notices: notices(), ..answer(Stance::Deny) },
        ),
        ("signals", Answer { terminal: signals(), ..answer(Stance::Silent) }),
        (
            "deny and context and notices and signals",
            Answer { context: context(), notices: notices(), terminal: signals(), ..answer(Stance::Deny) },
        ),
    ]
}

/// Encodes an answer of every kind to every event and compares all of it with one file.
pub(crate) fn assert_answers_are_as_expected(client: &Client, events: &[NativeEvent]) {
    let sections = events.iter().map(|native| section(client, native.name));
    assert_is_in(
        &fixtures().join(format!("answers/{}.txt", client.id())),
        &sections.collect::<Vec<_>>().join("\n"),
    );
}

fn section(client: &Client, name: &str) -> String {
    let event = event(client, name);
    let mut section = format!("== {name}\n");
    let mut quiet = Vec::new();
    for (name, answer) in answers() {
        let output = client.encode(&event, &answer);
        if output == Output::silent() {
            quiet.push(name);
            continue;
        }
        section += &format!("{name}: exit {}\n", output.exit);
        for (stream, text) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            section += &text.lines().map(|line| format!("  {stream} {line}\n")).collect::<String>();
        }
    }
    section + &format!("nothing at all: {}\n", quiet.join(", "))
}

prop_compose! {
    /// Any answer, with texts up to beyond every limit.
    pub(crate) fn any_answer()(
        stance in prop::sample::select(Stance::ALL),
        rewritten in prop::option::of("\\PC{0,40}"),
        context in any_text(),
        notices in prop::collection::vec(any_text(), 0..3),
        whats in prop::collection::vec(any_text(), 0..3),
        signalled in prop::collection::vec(any_text().prop_map(Signal::Notice), 0..2),
    ) -> Answer {
        let attributed = |what| AttributedReason { policy: PolicyId::new("guard.test"), stance, incidental: false, reason: Reason::plain(what) };
        let reasons = whats.into_iter().map(attributed).collect();
        Answer { stance, rewritten, context, notices, reasons, terminal: signalled, ..answer(stance) }
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        "\\PC{0,40}",
        "[\u{0}-\u{7f}]{0,40}",
        ("\\PC", 9_000usize..12_000).prop_map(|(letter, count)| letter.repeat(count)),
    ]
}

/// A payload with one value, somewhere, replaced by something else.
pub(crate) fn any_damaged(payloads: BTreeMap<String, String>) -> impl Strategy<Value = String> {
    let payloads: Vec<String> = payloads.into_values().collect();
    (prop::sample::select(payloads), any::<prop::sample::Index>(), any_json()).prop_map(
        |(payload, at, replacement)| {
            let mut payload: serde_json::Value = serde_json::from_str(&payload).unwrap();
            let mut pointers = Vec::new();
            collect_pointers(&payload, "", &mut pointers);
            *payload.pointer_mut(at.get(pointers.as_slice()).as_str()).unwrap() = replacement;
            payload.to_string()
        },
    )
}

fn collect_pointers(value: &serde_json::Value, here: &str, pointers: &mut Vec<String>) {
    let mut visit = |key: &str, value: &serde_json::Value| {
        let path = format!("{here}/{}", key.replace('~', "~0").replace('/', "~1"));
        pointers.push(path.clone());
        collect_pointers(value, &path, pointers);
    };
    match value {
        serde_json::Value::Object(members) => members.iter().for_each(|(key, value)| visit(key, value)),
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| visit(&at.to_string(), value));
        }
        _ => {}
    }
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        any::<f64>().prop_map(serde_json::Value::from),
        "\\PC{0,12}".prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::btree_map("[a-z_]{1,8}", inner, 0..4)
                .prop_map(|members| members.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}
