//! What must hold for every file, however it is written.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::tests::{entry, is_ours};
use super::*;

const SPACES: &[&str] = &["", "", " ", "  ", "\n", "\r\n", "\t", "\n  ", "\n\n    ", "\r\n\t"];

/// A document without spaces between its parts.
#[derive(Clone, Debug)]
enum Part {
    Raw(String),
    List(Vec<Part>),
    Object(Vec<(String, Part)>),
}

/// How the spaces between the parts come about.
#[derive(Clone, Debug)]
enum Spacing {
    Tight,
    Even { newline: &'static str, unit: &'static str },
    Chaotic(Vec<&'static str>),
}

struct Printer {
    spacing: Spacing,
    printed: String,
    turn: usize,
}

impl Printer {
    fn space(&mut self, depth: Option<usize>) {
        let space = match &self.spacing {
            Spacing::Tight => String::new(),
            Spacing::Even { newline, unit } => {
                depth.map_or_else(String::new, |depth| format!("{newline}{}", unit.repeat(depth)))
            }
            Spacing::Chaotic(spaces) => spaces[self.turn % spaces.len()].to_owned(),
        };
        self.turn += 1;
        self.printed.push_str(&space);
    }

    fn print(&mut self, part: &Part, depth: usize) {
        match part {
            Part::Raw(raw) => self.printed.push_str(raw),
            Part::List(items) => {
                let items: Vec<_> = items.iter().map(|item| (None, item)).collect();
                self.members(["[", "]"], &items, depth);
            }
            Part::Object(members) => {
                let members: Vec<_> = members.iter().map(|(key, part)| (Some(key), part)).collect();
                self.members(["{", "}"], &members, depth);
            }
        }
    }

    fn members(&mut self, [open, close]: [&str; 2], members: &[(Option<&String>, &Part)], depth: usize) {
        self.printed.push_str(open);
        for (at, (key, part)) in members.iter().enumerate() {
            if at > 0 {
                self.space(None);
                self.printed.push(',');
            }
            self.space(Some(depth + 1));
            if let Some(key) = key {
                self.printed.push_str(key);
                self.space(None);
                self.printed.push(':');
                self.space(None);
            }
            self.print(part, depth + 1);
        }
        self.space((!members.is_empty()).then_some(depth));
        self.printed.push_str(close);
    }
}

fn any_raw() -> impl Strategy<Value = Part> {
    let raw = ["1", "-0.5e3", "true", "null", r#""""#, r#""\u00e9 {[,\" é""#, "[]", "{}", r#"{"a":[1, 2]}"#];
    select(raw.to_vec()).prop_map(|raw| Part::Raw(raw.to_owned()))
}

fn handler(command: &str) -> Part {
    Part::Object(vec![
        (r#""type""#.to_owned(), Part::Raw(r#""command""#.to_owned())),
        (r#""command""#.to_owned(), Part::Raw(format!("{command:?}"))),
    ])
}

fn any_group(commands: &'static [&'static str]) -> impl Strategy<Value = Part> {
    let handlers = vec(select(commands).prop_map(handler), 0..3);
    let matcher = select(&[None, Some("*"), Some("Bash"), Some("Edit|Write")][..]);
    (handlers, matcher, any::<bool>()).prop_map(|(handlers, matcher, note)| {
        let mut members = vec![(r#""hooks""#.to_owned(), Part::List(handlers))];
        if let Some(matcher) = matcher {
            members.insert(0, (r#""matcher""#.to_owned(), Part::Raw(format!("{matcher:?}"))));
        }
        if note {
            members.push((r#""note""#.to_owned(), Part::Raw("1".to_owned())));
        }
        Part::Object(members)
    })
}

fn any_hooks(commands: &'static [&'static str]) -> impl Strategy<Value = Part> {
    let names = proptest::sample::subsequence(vec!["Stop", "PreToolUse", "Other", "Foreign"], 0..=4);
    let lists = vec(vec(any_group(commands), 0..3), 4);
    (names, lists).prop_map(|(names, lists)| {
        let events = names.iter().map(|name| format!("{name:?}"));
        Part::Object(events.zip(lists.into_iter().map(Part::List)).collect())
    })
}

fn any_root(commands: &'static [&'static str]) -> impl Strategy<Value = Part> {
    let others = vec(any_raw(), 0..3);
    let hooks = proptest::option::of(any_hooks(commands));
    (others, hooks, 0usize..3).prop_map(|(others, hooks, at)| {
        let keys = [r#""a""#, r#""\"hooks""#, r#""é""#];
        let mut members: Vec<_> = keys.map(str::to_owned).into_iter().zip(others).collect();
        if let Some(hooks) = hooks {
            members.insert(at.min(members.len()), (r#""hooks""#.to_owned(), hooks));
        }
        Part::Object(members)
    })
}

fn any_spacing() -> impl Strategy<Value = Spacing> {
    let even = (select(&["\n", "\r\n"][..]), select(&["  ", "    ", "\t", ""][..]));
    prop_oneof![
        Just(Spacing::Tight),
        even.prop_map(|(newline, unit)| Spacing::Even { newline, unit }),
        vec(select(SPACES), 1..40).prop_map(Spacing::Chaotic),
    ]
}

/// A file whose handlers run some of the given commands.
fn any_file(commands: &'static [&'static str]) -> impl Strategy<Value = String> {
    let ends = (select(&["", "\u{feff}"][..]), select(SPACES), select(SPACES));
    (any_root(commands), any_spacing(), ends).prop_map(|(root, spacing, (mark, before, after))| {
        let mut printer = Printer { spacing, printed: format!("{mark}{before}"), turn: 0 };
        printer.print(&root, 0);
        printer.printed + after
    })
}

const FOREIGN: &[&str] = &["theirs", "x --y"];
const MIXED: &[&str] = &["theirs", "flyball hook", "/old/flyball hook"];

fn any_entries() -> impl Strategy<Value = Vec<Entry>> {
    let events = proptest::sample::subsequence(vec!["Stop", "PreToolUse", "New"], 0..=3);
    let matcher = select(&[None, Some("Bash"), Some("Read")][..]);
    (events, matcher).prop_map(|(events, matcher)| {
        events.into_iter().map(|event| entry(event, matcher, "flyball hook")).collect()
    })
}

/// The handlers that are not ours, as they are written.
fn foreign(text: &str) -> Vec<(String, Option<String>, &str)> {
    let found = list(text).unwrap().into_iter();
    let foreign = found.filter(|found| !is_ours(&found.handler));
    foreign.map(|found| (found.event, found.matcher, &text[found.place.span])).collect()
}

/// The events that have a handler of ours, once for each.
fn events_of_ours(text: &str) -> Vec<String> {
    let found = list(text).unwrap().into_iter();
    let mut events: Vec<_> = found.filter(|found| is_ours(&found.handler)).map(|found| found.event).collect();
    events.sort();
    events
}

/// The settings beside the hooks.
fn others(text: &str) -> Value {
    let text = text.trim_start_matches('\u{feff}');
    let mut value: Value = serde_json::from_str(text).unwrap();
    value.as_object_mut().unwrap().remove("hooks");
    value
}

proptest! {
    #[test]
    fn unregistering_undoes_registering_to_the_byte(file in any_file(FOREIGN), entries in any_entries()) {
        let there = register(&file, &entries, &is_ours).unwrap();
        prop_assert_eq!(there.added, entries.len());
        let back = unregister(&there.text, &is_ours).unwrap();
        prop_assert_eq!(back.removed, entries.len());
        prop_assert_eq!(back.text, file);
    }

    #[test]
    fn registering_twice_is_registering_once(file in any_file(MIXED), entries in any_entries()) {
        let once = register(&file, &entries, &is_ours).unwrap();
        let twice = register(&once.text, &entries, &is_ours).unwrap();
        prop_assert!(!twice.changed);
        prop_assert_eq!(twice.text, once.text);
    }

    #[test]
    fn afterwards_ours_are_the_entries_and_the_rest_is_as_before(file in any_file(MIXED), entries in any_entries()) {
        let edited = register(&file, &entries, &is_ours).unwrap();
        let mut events: Vec<_> = entries.iter().map(|entry| entry.event.clone()).collect();
        events.sort();
        prop_assert_eq!(events_of_ours(&edited.text), events);
        prop_assert_eq!(foreign(&edited.text), foreign(&file));
        prop_assert_eq!(others(&edited.text), others(&file));
        prop_assert_eq!(edited.changed, edited.added + edited.updated + edited.removed > 0);
    }

    #[test]
    fn afterwards_nothing_is_ours_and_the_rest_is_as_before(file in any_file(MIXED)) {
        let edited = unregister(&file, &is_ours).unwrap();
        prop_assert_eq!(events_of_ours(&edited.text), Vec::<String>::new());
        prop_assert_eq!(foreign(&edited.text), foreign(&file));
        prop_assert_eq!(others(&edited.text), others(&file));
    }

    #[test]
    fn accepts_what_is_json_and_nothing_else(
        file in any_file(FOREIGN),
        at in any::<prop::sample::Index>(),
        put in select(&["", "{", "}", "[", "]", ",", ":", "\"", "\\", "0", "-", ".", "e", "/", "\n", "é", "null"][..]),
    ) {
        let mut text: Vec<char> = file.trim_start_matches('\u{feff}').chars().collect();
        let at = at.index(text.len());
        text.splice(at..=at, put.chars());
        let text: String = text.into_iter().collect();
        let is_json = serde_json::from_str::<IgnoredAny>(&text).is_ok();
        prop_assert_eq!(scan::scan(&text).is_ok(), is_json);
    }

    #[test]
    fn no_text_makes_it_panic(text in r#"[\[\]{}:,"\\a0é/ \n\u{feff}-]{0,40}"#) {
        let _ = register(&text, &[entry("Stop", None, "flyball")], &is_ours);
        let _ = unregister(&text, &is_ours);
    }
}
