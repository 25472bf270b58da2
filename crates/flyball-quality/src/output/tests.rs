//! Cases and laws of the forms.

use proptest::prelude::*;
use serde_json::json;

use super::reading::at;
use super::*;
use crate::finding::Level;
use crate::linter::JsonMap;

fn printed(text: &str) -> RawOutput<'_> {
    RawOutput { text, source: &|_| None, root: "" }
}

fn parse(output: &Output, text: &str) -> Result<Vec<RawFinding>, Unreadable> {
    read(output, printed(text))
}

fn lines() -> Output {
    Output::Lines(
        r"^(?<file>.+?):(?<line>\d+):(?<column>\d+): (?<code>[A-Z]+\d+) (?<message>.+)$
          ^(?<file>.+?):(?<line>\d+)-(?<end_line>\d+): \[(?<level>\w+)\] (?<message>.+?)(?: \((?<code>[\w-]+)\))?$"
            .to_owned(),
    )
}

fn mapped(map: JsonMap) -> Output {
    Output::Json(Box::new(map))
}

fn every_form() -> Vec<Output> {
    let map = JsonMap { message: "message".to_owned(), ..JsonMap::default() };
    vec![
        Output::Sarif,
        Output::Gitlab,
        Output::Eslint,
        Output::Cargo,
        Output::GoVet,
        Output::Biome,
        Output::Jscpd,
        Output::Knip,
        mapped(map.clone()),
        mapped(JsonMap { lines: true, ..map.clone() }),
        mapped(JsonMap { items: "a[].b".to_owned(), ..map }),
        lines(),
        Output::Drawn,
        Output::Whole("X".to_owned()),
    ]
}

#[test]
fn nothing_printed_is_nothing_found_unless_the_linter_always_prints_something() {
    for output in every_form() {
        let always = matches!(output, Output::Biome | Output::Cargo | Output::Jscpd | Output::Knip);
        for text in ["", " \n\t\n"] {
            let found = parse(&output, text);
            assert_eq!(found.clone().ok(), (!always).then(Vec::new), "{output:?}: {found:?}");
        }
    }
}

#[test]
fn invalid_json_is_reported_with_its_beginning() {
    let html = format!("<html>\n{}</html>", "x".repeat(200));
    let error = parse(&Output::Sarif, &html).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "its output cannot be read as SARIF: expected value at line 1 column 1: `<html> {}…`",
            "x".repeat(73)
        )
    );
    let error = parse(&Output::Gitlab, "[{\"description\":").unwrap_err();
    assert_eq!(error.why, "EOF while parsing a value at line 1 column 16: `[{\"description\":`");
    let error = parse(&mapped(JsonMap::default()), "[]\u{1b}[31moops\u{1b}[0m: no").unwrap_err();
    assert_eq!(error.why, "trailing characters at line 1 column 3: `oops: no`");
}

#[test]
fn json_of_another_shape_is_unreadable() {
    let map = |items: &str| mapped(JsonMap { items: items.to_owned(), ..JsonMap::default() });
    for output in [Output::Sarif, Output::Gitlab, Output::Eslint, map(""), map("results")] {
        for text in ["{\"error\": \"no\"}", "3", "\"text\"", "{\"results\": 3}", "[{\"x\": 1}] x"] {
            assert!(parse(&output, text).is_err(), "{output:?} {text}");
        }
    }
}

#[test]
fn every_pattern_of_the_catalogue_compiles() {
    for (name, entry) in crate::catalogue::builtin() {
        if let Some(Check { output: output @ Output::Lines(_), .. }) = &entry.check {
            let why = parse(output, "not a finding").unwrap_err().why;
            assert_eq!(why, "no line matches in `not a finding`", "{name}");
        }
        for filter in entry.format.iter().flatten().filter(|filter| !filter.list.is_empty()) {
            let pattern = regex_lite::Regex::new(&filter.listed).unwrap();
            assert!(pattern.capture_names().flatten().any(|group| group == "file"), "{name}");
        }
    }
}

#[test]
fn a_check_that_fails_and_prints_nothing_is_not_clean() {
    let check = Check { output: lines(), code: "ONE".to_owned(), ..Check::default() };
    assert_eq!(read_findings(&check, 0, printed("")), Ok(Vec::new()));
    let why = read_findings(&check, 1, printed("")).unwrap_err().why;
    assert_eq!(why, "it exited with 1 and printed nothing");
    let found = read_findings(&check, 1, printed("a:1-1: [info] b")).unwrap();
    assert_eq!(found[0].code, "ONE");
}

#[test]
fn sarif_is_read_with_all_its_detours() {
    let log = json!({"version": "2.1.0", "runs": [{
        "tool": {"driver": {"rules": [
            {"id": "R1", "defaultConfiguration": {"level": "note"}},
            {"id": "R2", "messageStrings": {"m": {"text": "{0} is not {1}"}}}
        ]}},
        "artifacts": [{"location": {"uri": "from/list.py"}}],
        "originalUriBaseIds": {"ROOT": {"uri": "file:///w/a%20b/"}},
        "results": [
            {"ruleId": "R1", "message": {"text": "one\n  two"}, "locations": [{"physicalLocation": {
                "artifactLocation": {"uri": "file:///x/%C3%A9%20y.py"},
                "region": {"startLine": 3, "startColumn": 4, "endLine": 5}}}],
             "fixes": [{}]},
            {"ruleIndex": 1, "level": "error", "message": {"id": "m", "arguments": ["a", "b"]}, "locations": [
                {"physicalLocation": {"artifactLocation": {"uri": "c%d.py", "uriBaseId": "ROOT"},
                "region": {"startLine": 7, "endLine": 7}}}]},
            {"ruleId": "R3", "message": {"text": "whole"}, "locations": [
                {"physicalLocation": {"artifactLocation": {"index": 0}}}]},
            {"ruleId": "R3", "message": {"text": "nowhere"}},
            {"ruleId": "R3", "message": {"text": "waved"}, "suppressions": [{"kind": "inSource"}]},
            {"ruleId": "R3", "kind": "pass", "message": {"text": "fine"}}
        ]
    }, {"tool": {}}]});
    let raw = |place: RawFinding, code: &str, message: &str, level| RawFinding {
        code: code.to_owned(),
        message: message.to_owned(),
        level: Some(level),
        ..place
    };
    let expected = vec![
        RawFinding {
            end_line: Some(5),
            fixable: true,
            ..raw(at("/x/é y.py", 3, 4), "R1", "one two", Level::Advisory)
        },
        raw(at("/w/a b/c%d.py", 7, 0), "R2", "a is not b", Level::Error),
        raw(at("from/list.py", 0, 0), "R3", "whole", Level::Warning),
        raw(RawFinding::default(), "R3", "nowhere", Level::Warning),
    ];
    assert_eq!(parse(&Output::Sarif, &log.to_string()), Ok(expected));
}

#[test]
fn gitlab_is_read_with_lines_and_with_positions() {
    let text = json!([
        {"check_name": "a", "description": "a: b: c", "severity": "blocker",
         "location": {"path": "x:y.py", "positions": {"begin": {"line": 2, "column": 3}, "end": {"line": 4}}}},
        {"check_name": "a", "description": "d", "severity": "minor",
         "location": {"path": "x", "lines": {"begin": 5, "end": 5}}},
        {"description": "d", "severity": "odd", "location": {"path": "x", "lines": {"begin": {"line": 6}}}},
        {"description": "d", "location": {"path": "x"}}
    ]);
    let expected = vec![
        RawFinding {
            end_line: Some(4),
            code: "a".to_owned(),
            message: "b: c".to_owned(),
            level: Some(Level::Error),
            ..at("x:y.py", 2, 3)
        },
        RawFinding {
            code: "a".to_owned(),
            message: "d".to_owned(),
            level: Some(Level::Warning),
            ..at("x", 5, 0)
        },
        RawFinding { message: "d".to_owned(), ..at("x", 6, 0) },
        RawFinding { message: "d".to_owned(), ..at("x", 0, 0) },
    ];
    assert_eq!(parse(&Output::Gitlab, &text.to_string()), Ok(expected));
}

#[test]
fn eslint_is_read_with_what_it_cannot_parse() {
    let text = json!([
        {"filePath": "/w/a.js", "messages": [
            {"ruleId": "no-undef", "severity": 2, "line": 1, "column": 2, "endLine": 3, "message": "x", "fix": {}},
            {"ruleId": "semi", "severity": 1, "line": 4, "column": null, "endLine": 4, "message": "y"},
            {"ruleId": null, "fatal": true, "severity": 2, "line": 5, "column": 6, "message": "Parsing error: z"},
            {"ruleId": null, "severity": 1, "line": 7, "column": 1, "message": "Unused eslint-disable"},
            {"ruleId": null, "severity": 1, "message": "File ignored because of a matching ignore pattern."}
        ]},
        {"filePath": "/w/b.js", "messages": []}
    ]);
    let one = |line, column, (code, message): (&str, &str), level| RawFinding {
        code: code.to_owned(),
        message: message.to_owned(),
        level: Some(level),
        ..at("/w/a.js", line, column)
    };
    let expected = vec![
        RawFinding { end_line: Some(3), fixable: true, ..one(1, 2, ("no-undef", "x"), Level::Error) },
        one(4, 0, ("semi", "y"), Level::Warning),
        one(5, 6, ("syntax", "Parsing error: z"), Level::Error),
        one(7, 1, ("eslint", "Unused eslint-disable"), Level::Warning),
    ];
    assert_eq!(parse(&Output::Eslint, &text.to_string()), Ok(expected));
}

#[test]
fn json_is_read_by_its_map() {
    let map: JsonMap = toml::from_str(
        "items = 'files[].issues'\nfile = 'path'\nline = 'at.line'\ncolumn = 'at.column'\nend_line = 'end'\n\
         code = 'rule'\ncode_prefix = 'X'\nmessage = 'texts[].text'\nlevel = 'how'\nlevels = { 7 = 'error' }\n\
         fixable = 'fix'\nfrom_zero = true\n[[also]]\nitems = 'errors'\nmessage = 'reason'",
    )
    .unwrap();
    let text = json!({"files": [
        {"path": "a", "issues": [
            {"at": {"line": "4", "column": 0}, "end": 9, "rule": 12, "texts": [{"text": "t"}], "how": 7, "fix": {}},
            {"path": "own", "at": {"line": 4}, "end": 4, "rule": "r", "how": "STYLE", "fix": false}
        ]},
        {"path": "none", "issues": null},
        {"path": "absent"}
    ], "errors": [{"reason": "could\nnot"}]});
    let expected = vec![
        RawFinding {
            end_line: Some(10),
            code: "X12".to_owned(),
            message: "t".to_owned(),
            level: Some(Level::Error),
            fixable: true,
            ..at("a", 5, 1)
        },
        RawFinding {
            code: "Xr".to_owned(),
            message: "r".to_owned(),
            level: Some(Level::Advisory),
            ..at("own", 5, 0)
        },
        RawFinding { message: "could not".to_owned(), ..RawFinding::default() },
    ];
    assert_eq!(parse(&mapped(map), &text.to_string()), Ok(expected));
}

#[test]
fn json_lines_are_read_one_by_one() {
    let map = JsonMap { lines: true, message: "m".to_owned(), ..JsonMap::default() };
    let one = |message: &str| RawFinding { message: message.to_owned(), ..RawFinding::default() };
    let read = parse(&mapped(map.clone()), "{\"m\":\"a\"}\n\n[{\"m\":\"b\"}]\r\n");
    assert_eq!(read, Ok(vec![one("a"), one("b")]));
    assert!(parse(&mapped(map), "{\"m\":\"a\"}\n{\"m\":").is_err());
}

#[test]
fn lines_are_read_without_colours_and_others_are_skipped() {
    let text = "Checking…\r\n\u{1b}[1ma b.py\u{1b}[0m:3:1: F841 x (is): y\r\nq(r).yaml:1-2: [error] bad (really): no (the-code)\n2 problems\n";
    let expected = vec![
        RawFinding { code: "F841".to_owned(), message: "x (is): y".to_owned(), ..at("a b.py", 3, 1) },
        RawFinding {
            end_line: Some(2),
            code: "the-code".to_owned(),
            message: "bad (really): no".to_owned(),
            level: Some(Level::Error),
            ..at("q(r).yaml", 1, 0)
        },
    ];
    assert_eq!(parse(&lines(), text), Ok(expected));
}

#[test]
fn lines_of_which_none_is_a_finding_are_unreadable() {
    let error = parse(&lines(), "Traceback (most recent call last):\n  File \"x\", line 3\n").unwrap_err();
    assert_eq!(error.why, "no line matches in `Traceback (most recent call last): File \"x\", line 3`");
    let error = parse(&Output::Lines("(".to_owned()), "x").unwrap_err();
    assert!(error.why.starts_with("invalid pattern: "), "{}", error.why);
}

#[test]
fn defect_22_a_colon_in_the_path_breaks_nothing() {
    for file in ["a:b.py", "a:1.py", "a:1:2.py", "C:\\a.py", "a:3 b:4:.py"] {
        let expected =
            RawFinding { code: "F841".to_owned(), message: "x: 3:1: y".to_owned(), ..at(file, 3, 1) };
        assert_eq!(parse(&lines(), &format!("{file}:3:1: F841 x: 3:1: y\n")), Ok(vec![expected]));
    }
}

#[test]
fn drawings_are_read_with_their_place_and_label() {
    let text = "\u{1b}[31merror\u{1b}[0m: conflicting keys\n  ┌─ /w/a:b.toml:2:1\n  │\n1 │ a = 1\n  │ - duplicate found here\n2 │ a = 2\n  │ ^ duplicate key\n\nERROR invalid file error=x\nwarning[E1]: odd\n --> src/a.rs:4:7\n  |\n4 | x ^ y\n  |   ^^^\n  = note: more\nerror: could not go on\n";
    let one = |place: RawFinding, (code, message): (&str, &str), level| RawFinding {
        code: code.to_owned(),
        message: message.to_owned(),
        level: Some(level),
        ..place
    };
    let expected = vec![
        one(at("/w/a:b.toml", 2, 1), ("", "conflicting keys: duplicate key"), Level::Error),
        one(at("src/a.rs", 4, 7), ("E1", "odd"), Level::Warning),
    ];
    assert_eq!(parse(&Output::Drawn, text), Ok(expected));
    assert!(parse(&Output::Drawn, " WARN invalid configuration file\n  |\n1 | foo = [\n").is_err());
}

#[test]
fn anything_printed_can_be_one_finding() {
    let expected =
        vec![RawFinding { code: "X".to_owned(), message: "a b".to_owned(), ..RawFinding::default() }];
    assert_eq!(parse(&Output::Whole("X".to_owned()), "\u{1b}[1ma\u{1b}[0m\n\n  b\n"), Ok(expected));
    assert_eq!(parse(&Output::Whole("X".to_owned()), "\u{1b}[0m\n"), Ok(Vec::new()));
}

/// JSON-like and terminal-like noise finds more than letters do.
fn any_noise() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[\\[\\]{}:,\"a1\n \u{1b}m┌─│^]{0,60}",
        prop::collection::vec(
            prop::sample::select(
                &[
                    "{\"runs\":[",
                    "{\"results\":",
                    "[{\"messages\":[",
                    "error: x\n",
                    " ┌─ a:1:2\n",
                    "a:1:2: E1 b\n",
                    "null",
                    "]",
                    "}",
                    "{\"a\":[{\"b\":[",
                    "\"line\":1e99,",
                    "\u{1b}[",
                    "\u{1b}]",
                ][..]
            ),
            0..12
        )
        .prop_map(|parts| parts.concat()),
    ]
}

proptest! {
    #[test]
    fn no_text_makes_a_form_panic(text in any_noise()) {
        for output in every_form() {
            let _ = parse(&output, &text);
        }
    }

    #[test]
    fn lines_come_back_as_they_were_written(
        file in "[a-z:é '()]{1,12}", line in 1u32.., column in 1u32..,
        code in "[A-Z]{1,3}[0-9]{1,4}", message in "[!-~][ -~]{0,30}[!-~]",
    ) {
        let expected = RawFinding { code: code.clone(), message: message.clone(), ..at(&file, line, column) };
        let text = format!("noise\n{file}:{line}:{column}: {code} {message}\n");
        prop_assert_eq!(parse(&lines(), &text), Ok(vec![expected]));
    }

    #[test]
    fn sarif_comes_back_as_it_was_written(
        file in "[a-zé %:\"-]{1,12}", line in any::<u32>(), column in any::<u32>(),
        code in "[ -~]{1,8}", message in "[!-~]{1,30}",
    ) {
        let escaped: String = file.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let log = json!({"runs": [{"results": [{"ruleId": code, "message": {"text": message}, "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": escaped},
             "region": {"startLine": line, "startColumn": column}}}]}]}]});
        let expected = RawFinding { code, message, level: Some(Level::Warning), ..at(&file, line, column) };
        prop_assert_eq!(parse(&Output::Sarif, &log.to_string()), Ok(vec![expected]));
    }
}
