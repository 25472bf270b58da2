//! Rules written into nodes of all kinds.

use proptest::prelude::*;

use flyball_core::path::AbsolutePath;

use super::*;
use crate::node::{Node, Rule, Topic, rules};

fn entry(topic: Topic) -> Entry {
    Entry {
        topic,
        title: "Edit on a.ts".to_owned(),
        body: "Take the lock first.".to_owned(),
        source: "PITFALL-1.md".to_owned(),
    }
}

fn pitfall(title: &str, body: &str) -> Entry {
    Entry { title: title.to_owned(), body: body.to_owned(), ..entry(Topic::Pitfalls) }
}

fn found(text: &str) -> Vec<Rule> {
    rules(&Node::new(AbsolutePath::from_root("/p/AGENTS.md"), text))
}

#[test]
fn each_topic_has_its_form() {
    let cases = [
        (Topic::Pitfalls, "## Pitfalls\n\n### Edit on a.ts\n\nTake the lock first.\n\n_PITFALL-1.md_\n"),
        (
            Topic::Checks,
            "## Checks\n\n### Before Edit on a.ts\n\n- [ ] Take the lock first.\n\n_PITFALL-1.md_\n",
        ),
        (
            Topic::Patterns,
            "## Patterns\n\n### Edit on a.ts\n\n**Preferred**: Take the lock first.\n\n_PITFALL-1.md_\n",
        ),
        (Topic::Context, "## Context\n\n### Edit on a.ts\n\nTake the lock first.\n\n_PITFALL-1.md_\n"),
    ];
    for (topic, expected) in cases {
        assert_eq!(insert("", &entry(topic)), expected);
    }
}

#[test]
fn before_is_not_added_to_a_check_that_begins_with_it() {
    let check = Entry { title: "before a release".to_owned(), ..entry(Topic::Checks) };
    assert!(insert("", &check).contains("### before a release\n"));
}

const WRITTEN: &str = "### T\n\nB\n\n_S_";

fn short() -> Entry {
    Entry { topic: Topic::Pitfalls, title: "T".into(), body: "B".into(), source: "S".into() }
}

/// What is before and after the rule in each text.
const PLACES: &[(&str, &str, &str)] = &[
    ("the end of its section", "# A\n\n## Pitfalls\n\n### One\n\nx\n\n", "\n\n## Next\n\ny\n"),
    ("a section without a blank line", "## Pitfalls\n### One\nx\n\n", "\n\n## Next\n"),
    ("an empty section at the end", "## Pitfalls\n\n", "\n"),
    (
        "a list and words behind it",
        "## Pitfalls\n\n- one\n- two\n  more\n\nwords\n\n",
        "\n\n## Next\n- three\n",
    ),
    ("a fence that contains a heading", "## Pitfalls\n\n```\n## Next\n```\n\n", "\n\n## Next\n"),
    ("a comment that contains a heading", "## Pitfalls\n\n<!--\n## Next\n-->\n\n", "\n"),
    ("a file without a last line end", "## Pitfalls\n\nx\n\n", ""),
    ("front matter", "---\ntitle: x\n## Pitfalls\n---\n\n## Pitfalls\n\nx\n\n", "\n"),
    ("another case and spaces", "##   PITFALLS  ##\n\nx\n\n", "\n\n## Next\n"),
    ("a line across that ends a section", "## Pitfalls\n\nx\n\n", "\n\n---\n\n## Next\n"),
    ("a mark that ends a section", "## Pitfalls\n\nx\n\n", "\n\n<!-- /pitfalls -->\n\n## Next\n"),
    ("two blank lines", "## Pitfalls\n\nx\n\n", "\n\n\n## Next\n"),
    ("an underlined heading behind it", "## Pitfalls\n\nx\n\n", "\n\nNext\n----\n"),
    ("a heading in a quote", "> ## Pitfalls\n\n## Pitfalls\n\n> ## Next\n\n", "\n"),
];

#[test]
fn a_rule_goes_to_the_end_of_its_section() {
    for (what, before, after) in PLACES {
        // What is added of line ends depends on what was there.
        let texts = [
            format!("{}{}", before.trim_end(), after.strip_prefix('\n').unwrap_or(after)),
            format!("{}\n{}", before.trim_end(), after.strip_prefix('\n').unwrap_or(after)),
        ];
        let expected = format!("{before}{WRITTEN}{after}");
        let given: Vec<String> = texts.iter().map(|text| insert(text, &short())).collect();
        assert!(given.contains(&expected), "{what}:\n{given:#?}\n{expected:?}");
        let is_ours = |rule: &Rule| {
            (rule.topic, rule.title.as_str()) == (Topic::Pitfalls, "T") && rule.text.starts_with("B\n\n_S_")
        };
        assert!(found(&expected).iter().any(is_ours), "{what}");
    }
}

#[test]
fn a_rule_in_a_list_is_an_item_of_it() {
    let list = "## Pitfalls\n\n* one\n* two\n  more\n\n## Next\n- three\n";
    let with = |item: &str| format!("## Pitfalls\n\n* one\n* two\n  more\n{item}\n\n## Next\n- three\n");
    assert_eq!(insert(list, &short()), with("* **T:** B\n  _S_"));
    assert_eq!(
        insert(list, &pitfall("Take the lock", "Take the lock first.\n\nElse it hangs.")),
        with("* Take the lock first.\n\n  Else it hangs.\n  _PITFALL-1.md_")
    );
    let check =
        Entry { title: "Dates".to_owned(), body: "Dates are UTC.".to_owned(), ..entry(Topic::Checks) };
    assert_eq!(
        insert("## Checks\n\n- [ ] Run `make test`\n", &check),
        "## Checks\n\n- [ ] Run `make test`\n- [ ] Dates are UTC.\n  _PITFALL-1.md_\n"
    );
    // A list with numbers, and a section with headings, get a heading.
    assert!(insert("## Pitfalls\n\n1. one\n", &short()).contains("1. one\n\n### T\n\nB\n"));
    assert!(insert("## Pitfalls\n\n### One\n\n- x\n", &short()).contains("- x\n\n### T\n\nB\n"));
}

#[test]
fn what_the_title_says_is_not_said_again() {
    let said = pitfall("Ports are fixed", "Ports are fixed.");
    assert_eq!(insert("", &said), "## Pitfalls\n\n### Ports are fixed\n\n_PITFALL-1.md_\n");
}

#[test]
fn defect_21_an_entry_that_follows_its_heading_at_once_is_not_split() {
    let text = "## Pitfalls\n### One\nfirst line\nsecond line\n";
    let expected = "## Pitfalls\n### One\nfirst line\nsecond line\n\n### T\n\nB\n\n_S_\n";
    assert_eq!(insert(text, &short()), expected);
}

#[test]
fn defect_22_a_section_with_a_longer_name_is_another_one() {
    let text = "## Pitfalls and gotchas\n\nx\n";
    let expected = "## Pitfalls and gotchas\n\nx\n\n## Pitfalls\n\n### T\n\nB\n\n_S_\n";
    assert_eq!(insert(text, &short()), expected);
    assert_eq!(found(expected).iter().filter(|rule| rule.topic == Topic::Pitfalls).count(), 1);
}

#[test]
fn defect_23_titles_keep_their_punctuation_and_texts_their_length() {
    let body = "ä".repeat(5_000);
    let text = insert("", &pitfall("Edit on `src/a.ts` (v2.0): don't!", &body));
    assert_eq!(
        text,
        format!("## Pitfalls\n\n### Edit on `src/a.ts` (v2.0): don't!\n\n{body}\n\n_PITFALL-1.md_\n")
    );
}

#[test]
fn rules_are_one_level_below_their_section() {
    let text = "# A\n\n## Notes\n\n### Pitfalls\n\n#### One\n\nx\n\n### Other\n";
    let expected = "# A\n\n## Notes\n\n### Pitfalls\n\n#### One\n\nx\n\n#### T\n\nB\n\n_S_\n\n### Other\n";
    assert_eq!(insert(text, &short()), expected);
}

#[test]
fn a_missing_section_is_added_beside_its_siblings() {
    let after_checks = insert("# A\n\n## Checks\n\nx\n\n## Other\n", &short());
    assert_eq!(after_checks, "# A\n\n## Checks\n\nx\n\n## Pitfalls\n\n### T\n\nB\n\n_S_\n\n## Other\n");
    let before_context = insert("# A\n\n### Context\n\nx\n", &short());
    assert_eq!(before_context, "# A\n\n### Pitfalls\n\n#### T\n\nB\n\n_S_\n\n### Context\n\nx\n");
}

#[test]
fn a_section_without_room_for_headings_is_left_alone() {
    let text = insert("###### Pitfalls\n\nx\n", &short());
    assert_eq!(text, "###### Pitfalls\n\nx\n\n## Pitfalls\n\n### T\n\nB\n\n_S_\n");
}

#[test]
fn line_ends_and_the_byte_order_mark_stay() {
    let text = "\u{feff}# A\r\n\r\n## Pitfalls\r\n\r\nx\r\n\r\n## Next\r\n";
    let expected =
        "\u{feff}# A\r\n\r\n## Pitfalls\r\n\r\nx\r\n\r\n### T\r\n\r\nB\r\n\r\n_S_\r\n\r\n## Next\r\n";
    assert_eq!(insert(text, &short()), expected);
    assert_eq!(insert("\u{feff}", &short()), "\u{feff}## Pitfalls\n\n### T\n\nB\n\n_S_\n");
}

#[test]
fn a_comment_or_fence_that_never_ends_stays_after_the_rule() {
    let cases = [
        ("## Pitfalls\n\nx\n\n<!-- open\n", "## Pitfalls\n\nx\n\n### T\n\nB\n\n_S_\n\n<!-- open\n"),
        ("## Pitfalls\n\nx\n\n```sh\nls\n", "## Pitfalls\n\nx\n\n### T\n\nB\n\n_S_\n\n```sh\nls\n"),
        ("# A\n\n```sh\nls\n", "# A\n\n## Pitfalls\n\n### T\n\nB\n\n_S_\n\n```sh\nls\n"),
        ("<!-- open\n", "## Pitfalls\n\n### T\n\nB\n\n_S_\n\n<!-- open\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(insert(text, &short()), expected);
    }
}

#[test]
fn a_text_cannot_become_more_than_a_text() {
    let cases = [
        ("a heading", "one\n\n## Context\n\nobey", "one\n\n\\## Context\n\nobey"),
        ("an underlined heading", "Context\n===\nx", "Context\n\\===\nx"),
        ("one more", "Context\n---\nx", "Context\n\\---\nx"),
        ("a comment", "<!-- x", "\\<!-- x"),
        ("a script", "x\n\n<script>\ny", "x\n\n\\<script>\ny"),
        ("a fence without an end", "x\n```sh\nls", "x\n```sh\nls\n```"),
        ("a fence with one", "x\n~~~\n## not one\n~~~", "x\n~~~\n## not one\n~~~"),
        ("a heading in a list", "- # x", "- \\# x"),
        ("a line across at the start", "---\na: b\n---", "\\---\na: b\n\\---"),
        ("letters that cannot be seen", "a\u{1b}[2Jb\r\nc\u{0}", "a[2Jb\nc"),
        ("blank lines", "\n\n x \n\n\n", " x"),
    ];
    for (what, body, expected) in cases {
        let text = insert("# A\n\n## Other\n\nz\n", &pitfall("T", body));
        let whole = format!("# A\n\n## Other\n\nz\n\n## Pitfalls\n\n### T\n\n{expected}\n\n_PITFALL-1.md_\n");
        assert_eq!(text, whole, "{what}");
        assert_eq!(found(&text).len(), 1, "{what}");
    }
}

#[test]
fn a_title_cannot_become_more_than_a_title() {
    let cases = [
        ("one\n## Context", "### one ## Context"),
        ("C#", "### C#"),
        ("use #", "### use \\#"),
        ("  spaces \t and\u{7} bells ", "### spaces and bells"),
        ("Checks", "### Checks:"),
        ("", "### Untitled"),
    ];
    for (title, heading) in cases {
        let text = insert("", &pitfall(title, "x"));
        assert_eq!(text, format!("## Pitfalls\n\n{heading}\n\nx\n\n_PITFALL-1.md_\n"));
        assert_eq!(found(&text).len(), 1, "{title}");
    }
}

#[test]
fn checks_and_patterns_may_have_many_lines() {
    let body = "First line\nsecond\n\n```sh\nls\n```";
    let check = Entry { body: body.to_owned(), ..entry(Topic::Checks) };
    assert_eq!(
        insert("", &check),
        "## Checks\n\n### Before Edit on a.ts\n\n- [ ] First line\n  second\n\n  ```sh\n  ls\n  ```\n\n_PITFALL-1.md_\n"
    );
    let code = Entry { body: "```sh\nls\n```".to_owned(), ..entry(Topic::Patterns) };
    assert_eq!(
        insert("", &code),
        "## Patterns\n\n### Edit on a.ts\n\n**Preferred**:\n\n```sh\nls\n```\n\n_PITFALL-1.md_\n"
    );
    let code = Entry { body: "- a\n- b".to_owned(), ..entry(Topic::Checks) };
    assert_eq!(
        insert("", &code),
        "## Checks\n\n### Before Edit on a.ts\n\n- [ ] Edit on a.ts\n\n  - a\n  - b\n\n_PITFALL-1.md_\n"
    );
}

#[test]
fn many_rules_are_in_the_order_in_which_they_were_written() {
    let text = (0..20)
        .fold("# A\n".to_owned(), |text, number| insert(&text, &pitfall(&format!("Number {number}"), "x")));
    let titles: Vec<String> = found(&text).into_iter().map(|rule| rule.title).collect();
    assert_eq!(titles, (0..20).map(|number| format!("Number {number}")).collect::<Vec<_>>());
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("## Pitfalls".to_owned()),
        Just("### Pitfalls".to_owned()),
        Just("## Checks".to_owned()),
        Just("# Title".to_owned()),
        Just("### One".to_owned()),
        Just("###### Deep".to_owned()),
        Just("- item".to_owned()),
        Just("  more".to_owned()),
        Just("1. first".to_owned()),
        Just("```".to_owned()),
        Just("~~~sh".to_owned()),
        Just("---".to_owned()),
        Just("===".to_owned()),
        Just("<!-- comment".to_owned()),
        Just("-->".to_owned()),
        Just("<div>".to_owned()),
        Just("> quote".to_owned()),
        Just("    code".to_owned()),
        Just("[a]: b".to_owned()),
        Just("words of a paragraph".to_owned()),
        "\\PC{0,8}",
    ]
}

fn page() -> impl Strategy<Value = String> {
    let end = prop_oneof![Just("\n"), Just("\r\n")];
    (proptest::collection::vec(line(), 0..20), end, any::<bool>(), any::<bool>()).prop_map(
        |(lines, end, is_ended, has_mark)| {
            let mark = if has_mark { "\u{feff}" } else { "" };
            format!("{mark}{}{}", lines.join(end), if is_ended { end } else { "" })
        },
    )
}

fn topic() -> impl Strategy<Value = Topic> {
    // Nothing is written below a heading of that name.
    let written = Topic::ALL.into_iter().filter(|topic| *topic != Topic::Rules);
    proptest::sample::select(written.collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn everything_that_was_there_is_still_there_around_one_addition(
        text in page(), body in page(), title in "\\PC{0,12}", topic in topic()
    ) {
        let changed = insert(&text, &Entry { topic, title, body, source: "S".into() });
        let head = text.bytes().zip(changed.bytes()).take_while(|(one, other)| one == other).count();
        let tail = text.bytes().rev().zip(changed.bytes().rev()).take_while(|(a, b)| a == b).count();
        prop_assert!(changed.len() > text.len());
        prop_assert!(head + tail >= text.len(), "{:?}", changed);
    }

    #[test]
    fn a_rule_is_found_where_it_was_written(
        text in page(), body in page(), title in "[a-zA-Zäé.,:()#!-]{1,12}( [a-z]{1,5})?", topic in topic()
    ) {
        // What is below other headings may become a part of the new rule's section.
        let found = |text: &str| -> Vec<Rule> {
            found(text).into_iter().filter(|rule| rule.topic != Topic::Rules).collect()
        };
        let before = found(&text);
        let changed = insert(&text, &Entry { topic, title, body, source: "S".into() });
        let after = found(&changed);
        prop_assert_eq!(after.len(), before.len() + 1, "{}\n-----\n{}", text, changed);
        let mut rest = after.clone();
        let new = after.iter().position(|rule| rule.text.contains("_S_")).map(|at| rest.remove(at));
        prop_assert_eq!(new.map(|rule| rule.topic), Some(topic));
        // A thematic break or an unclosed fence that was after the last rule is after the new one.
        for (old, new) in before.iter().zip(&rest) {
            prop_assert!(old.text.starts_with(&new.text), "{:?} {:?}", old, new);
        }
    }
}
