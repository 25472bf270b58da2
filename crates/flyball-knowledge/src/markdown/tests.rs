//! What is a heading, what belongs to it, and what only looks like one.

use proptest::prelude::*;

use super::*;

/// Level, title and body of each section.
fn read(text: &str) -> Vec<(u8, String, String)> {
    let part = |section: Section| (section.level, section.title, text[section.body].to_owned());
    sections(text).into_iter().map(part).collect()
}

fn of(level: u8, title: &str, body: &str) -> (u8, String, String) {
    (level, title.to_owned(), body.to_owned())
}

#[test]
fn headings_of_every_form_are_read() {
    let cases = [
        ("plain", "## A\nx\n", vec![of(2, "A", "x\n")]),
        ("trailing marks", "## A ##  \nx\n", vec![of(2, "A", "x\n")]),
        ("trailing spaces", "##   A   \t\nx", vec![of(2, "A", "x")]),
        ("indented", "x\n\n   ## A\ny\n", vec![of(2, "A", "y\n")]),
        ("underlined", "A\n===\nx\n\nB\n---\ny\n", vec![of(1, "A", "x\n\nB\n---\ny\n"), of(2, "B", "y\n")]),
        ("over two lines", "A\nB\n---\ny\n", vec![of(2, "A B", "y\n")]),
        ("marked up", "## *A* `b` [c](d)\n", vec![of(2, "A b c", "")]),
        ("with windows line ends", "## A\r\nx\r\n## B\r\n", vec![of(2, "A", "x\r\n"), of(2, "B", "")]),
        ("behind a byte order mark", "\u{feff}## A\nx\n", vec![of(2, "A", "x\n")]),
        ("empty", "##\nx\n", vec![of(2, "", "x\n")]),
        ("without end", "## A", vec![of(2, "A", "")]),
        ("behind front matter", "---\na: b\n---\n## A\nx\n", vec![of(2, "A", "x\n")]),
        ("not without a space", "##A\n#hash\n", vec![]),
        ("not of seven marks", "####### A\n", vec![]),
    ];
    for (name, text, expected) in cases {
        assert_eq!(read(text), expected, "{name}");
    }
}

#[test]
fn what_only_looks_like_a_heading_is_not_one() {
    let cases = [
        "```sh\n## A\n```\n",
        "~~~~\n```\n## A\n~~~\n## B\n~~~~\n",
        "```\n## never closed\n",
        "    ## A\n",
        "<!--\n## A\n\n## B\n-->\n",
        "<details>\n## A\n</details>\n",
        "> ## A\n",
        "- ## A\n",
        "1. x\n\n   ## A\n",
        "---\n# a comment of YAML\n---\n",
        "\\## A\n",
        "",
    ];
    for text in cases {
        assert_eq!(sections(text), [], "{text}");
    }
}

#[test]
fn a_section_ends_at_the_next_heading_of_its_level_or_above() {
    let text = "# T\n## A\na\n### B\nb\n```\n## no\n```\n## C\nc\n# U\n";
    let expected = [
        of(1, "T", "## A\na\n### B\nb\n```\n## no\n```\n## C\nc\n"),
        of(2, "A", "a\n### B\nb\n```\n## no\n```\n"),
        of(3, "B", "b\n```\n## no\n```\n"),
        of(2, "C", "c\n"),
        of(1, "U", ""),
    ];
    assert_eq!(read(text), expected);
}

#[test]
fn front_matter_is_only_at_the_very_start_and_closed() {
    let cases = [
        ("---\na: b\n---\nx", Some("a: b\n")),
        ("\u{feff}---  \r\na: b\r\n---\r\n", Some("a: b\r\n")),
        ("---\na: b\n...\n", Some("a: b\n")),
        ("---\n---\n", Some("")),
        ("---\na: b\n---", Some("a: b\n")),
        ("---\na: b\n", None),
        ("---\n\n# A\n\n---\n", None),
        ("\n---\na: b\n---\n", None),
        ("----\na: b\n---\n", None),
        ("---", None),
        ("", None),
    ];
    for (text, expected) in cases {
        assert_eq!(front_matter(text).map(|range| &text[range]), expected, "{text:?}");
    }
}

/// Texts made of what is hard to distinguish.
pub(crate) fn pages() -> impl Strategy<Value = String> {
    let lines = prop::sample::select(vec![
        "# T",
        "## Checks",
        "## pitfalls  ",
        "### Patterns ##",
        "### an entry",
        "#### deep",
        "- item",
        "* [ ] box",
        "  more",
        "    code",
        "```",
        "~~~",
        "````sh",
        "plain words",
        "announced:",
        "---",
        "===",
        "",
        "",
        "> quote",
        "> ## no",
        "<!-- remark -->",
        "<!--",
        "-->",
        "<details>",
        "[a]: https://example.org",
        "1. one",
        "ü – ß",
        "\u{feff}",
        "Context",
        "| a | b |",
    ]);
    let ends = prop::sample::select(vec!["\n", "\r\n", "\n\n"]);
    prop::collection::vec((lines, ends), 0..24)
        .prop_map(|lines| lines.into_iter().map(|(line, end)| format!("{line}{end}")).collect())
}

proptest! {
    #[test]
    fn spans_nest_and_are_inside_the_text(text in pages()) {
        let sections = sections(&text);
        for section in &sections {
            prop_assert!(section.span.start < section.body.start || section.body.is_empty());
            prop_assert_eq!(section.span.end, section.body.end);
            prop_assert!(text.get(section.span.clone()).is_some());
            prop_assert!(text.get(section.body.clone()).is_some());
        }
        for (at, one) in sections.iter().enumerate() {
            for other in sections.iter().skip(at + 1) {
                let is_apart = other.span.start >= one.span.end;
                let is_inside = other.span.start >= one.body.start
                    && other.span.end <= one.span.end
                    && other.level > one.level;
                prop_assert!(is_apart || is_inside, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn any_text_can_be_read(text in "\\PC{0,80}|[#\\-`>\r\n \t*<!=]{0,60}") {
        for section in sections(&text) {
            prop_assert!(text.get(section.span).is_some() && text.get(section.body).is_some());
        }
    }
}
