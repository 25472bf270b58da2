//! Whole files before and after.

use serde_json::{Value, json};

use super::*;

/// A handler of ours is known by its program.
pub(super) fn is_ours(handler: &Value) -> bool {
    let command = handler.get("command").and_then(Value::as_str);
    command.is_some_and(|command| command.contains("flyball"))
}

pub(super) fn entry(event: &str, matcher: Option<&str>, command: &str) -> Entry {
    Entry {
        event: event.to_owned(),
        matcher: matcher.map(str::to_owned),
        handler: vec![("type".to_owned(), json!("command")), ("command".to_owned(), json!(command))],
    }
}

fn stop() -> Vec<Entry> {
    vec![entry("Stop", None, "flyball hook")]
}

fn registered(text: &str, entries: &[Entry]) -> Edited {
    register(text, entries, &is_ours).unwrap()
}

/// Registers, and checks on the way that a second time changes nothing.
fn register_twice(text: &str, entries: &[Entry]) -> String {
    let edited = registered(text, entries);
    let again = registered(&edited.text, entries);
    assert_eq!((again.changed, &again.text), (false, &edited.text));
    assert_eq!((again.added, again.updated, again.removed), (0, 0, 0));
    edited.text
}

#[test]
fn a_blank_text_becomes_a_new_file() {
    let mut entries = stop();
    entries.push(Entry {
        handler: vec![
            ("type".to_owned(), json!("command")),
            ("command".to_owned(), json!("flyball")),
            ("args".to_owned(), json!(["hook", "ü\n"])),
            ("timeout".to_owned(), json!(30)),
            ("env".to_owned(), json!({})),
        ],
        ..entry("PreToolUse", Some("Bash|Edit"), "")
    });
    let file = r#"{
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "flyball hook"
          }
        ]
      }
    ],
    "PreToolUse": [
      {
        "matcher": "Bash|Edit",
        "hooks": [
          {
            "type": "command",
            "command": "flyball",
            "args": ["hook", "ü\n"],
            "timeout": 30,
            "env": {}
          }
        ]
      }
    ]
  }
}
"#;
    for blank in ["", " \r\n\t"] {
        assert_eq!(register_twice(blank, &entries), file, "{blank:?}");
    }
    assert_eq!(register_twice("\u{feff}", &entries), format!("\u{feff}{file}"));
    let left = unregister(file, &is_ours).unwrap();
    assert_eq!(left.text, "{}\n");
    assert_eq!((left.added, left.updated, left.removed), (0, 0, 2));
}

#[test]
fn blank_stays_blank_without_entries() {
    for blank in ["", " \n", "\u{feff}"] {
        for edited in [register(blank, &[], &is_ours), unregister(blank, &is_ours)] {
            let edited = edited.unwrap();
            assert_eq!((edited.changed, edited.text.as_str()), (false, blank));
        }
    }
}

#[test]
fn new_text_follows_the_file() {
    let ours = r#"{"type": "command", "command": "flyball hook"}"#;
    let tight = ours.replace(": ", ":").replace(", ", ",");
    let cases = [
        (
            "four spaces, behind a foreign group, odd spaces kept",
            "{\n    \"a\":  1,\n    \"hooks\": {\n        \"Stop\": [\n            {\"hooks\": []}\n        ]\n    }\n}",
            "{\n    \"a\":  1,\n    \"hooks\": {\n        \"Stop\": [\n            {\"hooks\": []},\n            {\n                \"hooks\":  [\n                    {\n                        \"type\":  \"command\",\n                        \"command\":  \"flyball hook\"\n                    }\n                ]\n            }\n        ]\n    }\n}".to_owned(),
        ),
        (
            "tabs",
            "{\n\t\"hooks\": {\n\t\t\"Other\": []\n\t}\n}\n",
            "{\n\t\"hooks\": {\n\t\t\"Other\": [],\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\": \"command\",\n\t\t\t\t\t\t\"command\": \"flyball hook\"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}\n".to_owned(),
        ),
        (
            "line endings of another system, after a byte order mark",
            "\u{feff}{\r\n \"a\": 1\r\n}\r\n",
            "\u{feff}{\r\n \"a\": 1,\r\n \"hooks\": {\r\n  \"Stop\": [\r\n   {\r\n    \"hooks\": [\r\n     {\r\n      \"type\": \"command\",\r\n      \"command\": \"flyball hook\"\r\n     }\r\n    ]\r\n   }\r\n  ]\r\n }\r\n}\r\n".to_owned(),
        ),
        (
            "one line without spaces",
            r#"{"a":1}"#,
            format!(r#"{{"a":1,"hooks":{{"Stop":[{{"hooks":[{tight}]}}]}}}}"#),
        ),
        (
            "one line with spaces",
            r#"{ "a": 1, "b": "\u00e9" }"#,
            format!(r#"{{ "a": 1, "b": "\u00e9", "hooks": {{"Stop": [{{"hooks": [{ours}]}}]}} }}"#),
        ),
        (
            "a list on one line in a file of many",
            "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": []}]\n  }\n}",
            format!("{{\n  \"hooks\": {{\n    \"Stop\": [{{\"hooks\": []}}, {{\"hooks\": [{ours}]}}]\n  }}\n}}"),
        ),
        (
            "brackets that hug",
            "{\n  \"hooks\": {\n    \"Stop\": [{\n      \"hooks\": []\n    }]\n  }\n}",
            "{\n  \"hooks\": {\n    \"Stop\": [{\n      \"hooks\": []\n    }, {\n      \"hooks\": [\n        {\n          \"type\": \"command\",\n          \"command\": \"flyball hook\"\n        }\n      ]\n    }]\n  }\n}".to_owned(),
        ),
        (
            "an empty list on one line that stays recognisable",
            r#"{"hooks":{"Stop":[]}}"#,
            format!(r#"{{"hooks":{{"Stop":[  {{"hooks":[{tight}]}}]}}}}"#),
        ),
        (
            "an empty object on many lines that stays recognisable",
            "{\n  \"hooks\": {}\n}",
            "{\n  \"hooks\": {\n\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"flyball hook\"\n          }\n        ]\n      }\n    ]\n  }\n}".to_owned(),
        ),
    ];
    for (name, before, after) in cases {
        let edited = register_twice(before, &stop());
        assert_eq!(edited, after, "{name}");
        assert_eq!(unregister(&edited, &is_ours).unwrap().text, before, "{name}");
    }
}

#[test]
fn what_is_ours_and_outdated_is_changed_in_place() {
    let before = r#"{
  "hooks": {
    "Stop": [
      {
        "matcher": "*",
        "hooks": [ {"command": "/old/flyball hook", "type": "command"}, {"type": "command", "command": "theirs"} ]
      },
      { "hooks": [{"type": "command", "command": "flyball twice"}] }
    ],
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [ {"type": "command", "command": "flyball hook"} ] },
      { "hooks": [] }
    ],
    "Gone": [ { "hooks": [ {"type": "command", "command": "flyball hook"} ] } ],
    "Late": [
      { "matcher": "Read", "hooks": [ {"type": "command", "command": "theirs"}, {"type": "command", "command": "flyball hook"} ] }
    ]
  },
  "model": "x"
}
"#;
    let after = r#"{
  "hooks": {
    "Stop": [
      {
        "matcher": "*",
        "hooks": [ {"type": "command", "command": "flyball hook"}, {"type": "command", "command": "theirs"} ]
      }
    ],
    "PreToolUse": [
      {"matcher": "Bash|Edit", "hooks": [{"type": "command", "command": "flyball hook"}]},
      { "hooks": [] }
    ],
    "Late": [
      { "matcher": "Read", "hooks": [ {"type": "command", "command": "theirs"} ] },
      {
        "hooks": [
          {
            "type": "command",
            "command": "flyball hook"
          }
        ]
      }
    ]
  },
  "model": "x"
}
"#;
    let entries = [
        entry("Stop", None, "flyball hook"),
        entry("PreToolUse", Some("Bash|Edit"), "flyball hook"),
        entry("Late", None, "flyball hook"),
    ];
    let edited = registered(before, &entries);
    assert_eq!(edited.text, after);
    assert_eq!((edited.added, edited.updated, edited.removed), (1, 2, 3));
    assert_eq!(register_twice(before, &entries), after);
}

#[test]
fn what_is_ours_and_only_written_otherwise_stays() {
    let text =
        r#"{"hooks":{"Stop":[{"hooks":[{"command":"flyball\u0020hook" , "type":"command"}],"matcher":""}]}}"#;
    assert_eq!(register_twice(text, &stop()), text);
}

#[test]
fn several_entries_for_one_event_each_keep_their_handler() {
    let entries =
        [entry("PreToolUse", Some("Bash"), "flyball a"), entry("PreToolUse", Some("Edit"), "flyball b")];
    let text = register_twice(r#"{"a":1}"#, &entries);
    let swapped = [entries[1].clone(), entries[0].clone()];
    assert_eq!(register_twice(&text, &swapped), text);
    let one = registered(&text, &entries[1..]);
    assert_eq!((one.added, one.updated, one.removed), (0, 0, 1));
    assert_eq!(register_twice(&text, &[]), r#"{"a":1}"#);
}

#[test]
fn unregistering_takes_only_what_is_ours() {
    let ours = r#"{"command":"flyball"}"#;
    let cases = [
        (
            "the only handler of the file",
            format!(r#"{{ "hooks": {{"Stop":[{{"hooks":[{ours}]}}]}} }}"#),
            "{}",
        ),
        (
            "the first of a group",
            format!(r#"{{"hooks":{{"Stop":[{{"hooks":[ {ours} , {{}} ]}}]}}}}"#),
            r#"{"hooks":{"Stop":[{"hooks":[ {} ]}]}}"#,
        ),
        (
            "the last of a group",
            format!(r#"{{"hooks":{{"Stop":[{{"hooks":[ {{}} , {ours} ]}}]}}}}"#),
            r#"{"hooks":{"Stop":[{"hooks":[ {} ]}]}}"#,
        ),
        (
            "around a foreign one",
            format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{ours},{ours},{{}},{ours},{{}},{ours}]}}]}}}}"#),
            r#"{"hooks":{"Stop":[{"hooks":[{},{}]}]}}"#,
        ),
        (
            "a whole group between two",
            format!(r#"{{"hooks":{{"Stop":[{{"hooks":[]}}, {{"hooks":[{ours}]}}, {{"hooks":[{{}}]}}]}}}}"#),
            r#"{"hooks":{"Stop":[{"hooks":[]}, {"hooks":[{}]}]}}"#,
        ),
        (
            "a group with keys that we do not know",
            format!(r#"{{"hooks":{{"Stop":[{{"note":1,"hooks":[{ours}]}}]}}}}"#),
            r#"{"hooks":{"Stop":[{"note":1,"hooks":[]}]}}"#,
        ),
        (
            "the first event",
            format!(r#"{{"hooks":{{"A":[{{"hooks":[{ours}]}}],"B":[]}},"z":0}}"#),
            r#"{"hooks":{"B":[]},"z":0}"#,
        ),
        (
            "the first key of the file",
            format!(r#"{{"hooks":{{"A":[{{"hooks":[{ours}]}}]}},"z":0}}"#),
            r#"{"z":0}"#,
        ),
        ("none", r#"{"hooks":{"A":[{"hooks":[{}]}]}}"#.to_owned(), r#"{"hooks":{"A":[{"hooks":[{}]}]}}"#),
    ];
    for (name, before, after) in cases {
        let edited = unregister(&before, &is_ours).unwrap();
        assert_eq!(edited.text, after, "{name}");
        assert_eq!(edited.changed, before != after, "{name}");
    }
}

#[test]
fn lists_all_handlers_with_their_places() {
    let text = "{\"hooks\":{\n  \"Stop\":[{\"matcher\":\"é\",\"hooks\":[{\"a\":1}, {}]}],\n\"B\":[{\"hooks\":[{}]}]}}";
    let found: Vec<_> = list(text)
        .unwrap()
        .into_iter()
        .map(|found| {
            let written = text[found.place.span.clone()].to_owned();
            (found.event, found.matcher, found.place.to_string(), written, found.handler)
        })
        .collect();
    let matcher = Some("é".to_owned());
    let expected = vec![
        ("Stop".to_owned(), matcher.clone(), "2:35".to_owned(), r#"{"a":1}"#.to_owned(), json!({"a": 1})),
        ("Stop".to_owned(), matcher, "2:44".to_owned(), "{}".to_owned(), json!({})),
        ("B".to_owned(), None, "3:16".to_owned(), "{}".to_owned(), json!({})),
    ];
    assert_eq!(found, expected);
    for without in ["", "\u{feff}\n", "{}", r#"{"hooks":{}}"#] {
        assert_eq!(list(without), Ok(Vec::new()), "{without:?}");
    }
}

#[test]
fn says_where_and_why_a_file_is_left_alone() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let cases = [
        ("nope", "1:1: not valid JSON: expected a value, found `n`"),
        ("{\n  'a': 1}", "2:3: not valid JSON: expected a key in double quotes, found `'`"),
        (r#"{"a" 1}"#, "1:6: not valid JSON: expected `:`, found `1`"),
        (r#"{"a":}"#, "1:6: not valid JSON: expected a value, found `}`"),
        (r#"{"a":"#, "1:6: not valid JSON: expected a value, found the end of the file"),
        (r#"{"a":1 "b":2}"#, "1:8: not valid JSON: expected `,` or `}`, found `\"`"),
        ("[01]", "1:3: not valid JSON: expected `,` or `]`, found `1`"),
        ("[1.]", "1:4: not valid JSON: expected a digit, found `]`"),
        ("[-]", "1:3: not valid JSON: expected a digit, found `]`"),
        ("[1e+]", "1:5: not valid JSON: expected a digit, found `]`"),
        ("\u{feff}[1,\n [2", "2:2: not valid JSON: the file ends before this `[` is closed"),
        (r#"{"é": "a"#, "1:7: not valid JSON: the file ends before this `\"` is closed"),
        ("{\"a\": 1,\n}", "1:8: not valid JSON: nothing follows this comma"),
        (r#"["\x"]"#, r"1:3: not valid JSON: invalid escape `\x`"),
        (r#"["\u12g4"]"#, r"1:3: not valid JSON: invalid escape `\u`"),
        (r#"["\é"]"#, r"1:3: not valid JSON: invalid escape `\é`"),
        ("[\"a\nb\"]", "1:4: not valid JSON: a line break or control character inside a string"),
        ("{}\n{}", "2:1: not valid JSON: text after the end of the document"),
        ("{\n // why\n}", "2:2: the client does not accept comments in this file"),
        ("{} /* why */", "1:4: the client does not accept comments in this file"),
        ("# why\n{}", "1:1: the client does not accept comments in this file"),
        (&deep, "1:129: nested deeper than 128 levels"),
        ("[]", "1:1: the file must be an object, not a list"),
        (r#"{"hooks":null}"#, "1:10: `hooks` must be an object, not null"),
        (r#"{"hooks":{"Stop":{}}}"#, "1:18: `hooks.Stop` must be a list, not an object"),
        (r#"{"hooks":{"Stop":[1]}}"#, "1:19: a group in `hooks.Stop` must be an object, not a number"),
        (
            r#"{"hooks":{"Stop":[{"matcher":true,"hooks":[]}]}}"#,
            "1:30: `matcher` of a group in `hooks.Stop` must be a text, not true or false",
        ),
        (r#"{"hooks":{"Stop":[{}]}}"#, "1:19: a group in `hooks.Stop` has no `hooks` list"),
        (
            r#"{"hooks":{"Stop":[{"hooks":"x"}]}}"#,
            "1:28: `hooks` of a group in `hooks.Stop` must be a list, not a text",
        ),
        (
            r#"{"hooks":{"Stop":[{"hooks":["x"]}]}}"#,
            "1:29: a handler in `hooks.Stop` must be an object, not a text",
        ),
        (r#"{"hooks":{},"h\u006foks":{}}"#, "1:13: the key `hooks` occurs twice in this object"),
        (r#"{"hooks":{"A":[],"A":[]}}"#, "1:18: the key `A` occurs twice in this object"),
        (r#"{"hooks":{"A":[{"hooks":[],"hooks":[]}]}}"#, "1:28: the key `hooks` occurs twice in this object"),
        (r#"{"hooks":{"A":[{"hooks":[{"b":1,"b":2}]}]}}"#, "1:33: the key `b` occurs twice in this object"),
        (
            r#"{"hooks":{"\ud800":[]}}"#,
            "1:11: invalid escape or number: half of a surrogate pair, or out of range",
        ),
        (
            r#"{"hooks":{"A":[{"hooks":[{"b":1e999}]}]}}"#,
            "1:26: invalid escape or number: half of a surrogate pair, or out of range",
        ),
    ];
    for (text, expected) in cases {
        let name = &text[..text.len().min(40)];
        let error = register(text, &stop(), &is_ours).unwrap_err();
        assert_eq!(error.to_string(), expected, "{name}");
        assert_eq!(unregister(text, &is_ours).unwrap_err(), error, "{name}");
        assert_eq!(list(text).unwrap_err(), error, "{name}");
        assert!(text.get(error.place.span.clone()).is_some(), "{name}");
    }
}

#[test]
fn strange_but_valid_parts_that_are_not_ours_to_judge_are_kept() {
    let text = r#"{"a":1,"a":2,"\ud800":"\udc00","n":[1e999,-0.0E+1,true,false,null]}"#;
    let edited = register_twice(text, &stop());
    assert_eq!(unregister(&edited, &is_ours).unwrap().text, text);
}

#[test]
fn help_names_the_fix() {
    let help = |text: &str| list(text).unwrap_err().problem.help();
    assert_eq!(help("{//}"), Some("remove the comment"));
    assert_eq!(help("[1,]"), Some("remove the comma"));
    assert_eq!(help("{"), None);
}
