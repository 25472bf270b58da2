//! The real linter for Markdown.

use crate::support::{Scratch, spotted};
use flyball_quality::finding::Level;

const LINTER: &str = "markdownlint-cli2";
const ERROR: Option<Level> = Some(Level::Error);

#[test]
fn markdownlint_finds_what_is_untidy() {
    let bad = "# A\n\n\nx\n\n##B: (c) a.md:3 d\n";
    let scratch = Scratch::new(&[("bad.md", bad), ("also.mdx", "# A\n\nx  y \n"), ("good.md", "# A\n")]);
    let all = |file: &str| {
        vec![
            spotted(
                (file, 3, 0),
                ("MD012", "Multiple consecutive blank lines [Expected: 1; Actual: 2]"),
                ERROR,
            ),
            spotted(
                (file, 6, 1),
                ("MD018", "No space after hash on atx style heading [Context: \"##B: (c) a.md:3 d\"]"),
                ERROR,
            ),
        ]
    };
    let trailing = "Trailing spaces [Expected: 0 or 2; Actual: 1]";
    let also = spotted(("also.mdx", 3, 5), ("MD009", trailing), ERROR);
    let found = scratch.check(LINTER, &["bad.md", "also.mdx", "good.md"]);
    assert_eq!(found, [vec![also], all("bad.md")].concat());
    assert_eq!(scratch.check_content(LINTER, "bad.md", bad), Ok(all("stdin")));
    assert_eq!(scratch.check(LINTER, &["good.md"]), []);
}

#[test]
fn markdownlint_uses_the_levels_of_the_project() {
    let config = "{\"MD012\": \"warning\"}\n";
    let scratch = Scratch::new(&[("bad.md", "# A\n\n\nx\n"), (".markdownlint.json", config)]);
    let message = "Multiple consecutive blank lines [Expected: 1; Actual: 2]";
    let expected = [spotted(("bad.md", 3, 0), ("MD012", message), Some(Level::Warning))];
    // With nothing but warnings it ends with 0.
    assert_eq!(scratch.check(LINTER, &["bad.md"]), expected);
}

#[test]
fn defect_18_one_finding_is_counted_once() {
    let scratch = Scratch::new(&[("bad.md", "# A\n\n\nx\n")]);
    assert_eq!(scratch.check(LINTER, &["bad.md"]).len(), 1);
}

#[test]
fn defect_19_the_banner_is_not_taken_for_content() {
    let good = "# A\n\nx\n\n## B\n";
    let scratch = Scratch::new(&[("bad.md", "# A\n\n\n\nx\n\n##B\n"), ("good.md", good)]);
    scratch.format_many(LINTER, &["bad.md", "good.md"]);
    assert_eq!(["bad.md", "good.md"].map(|name| scratch.read(name)), [good, good]);
}

#[test]
fn defect_16_a_config_that_cannot_be_read_is_a_failure() {
    for name in [".markdownlint-cli2.jsonc", ".markdownlint.yaml"] {
        let scratch = Scratch::new(&[("good.md", "# A\n"), (name, "{\"config\": \n")]);
        let why = scratch.try_check(LINTER, &["good.md"]).unwrap_err();
        assert!(why.starts_with("ended with 2: "), "{why}");
    }
}

#[test]
fn defect_22_odd_names_lose_no_finding() {
    // As a pattern the star would match all others, so it is on its own.
    let others = [
        "!a.md",
        "#a.md",
        "-d.md",
        ":a.md",
        "a [1] 'q' \"é\".md",
        "a:1:2 x.md",
        "a:3 error b.md",
        "notes (1).md",
        "sub dir/x.md",
        "{a,b}/c.md",
    ];
    for names in [&["*.md"][..], &others] {
        let scratch = Scratch::new(&names.iter().map(|name| (*name, "# A\n\n\nx\n")).collect::<Vec<_>>());
        let message = "Multiple consecutive blank lines [Expected: 1; Actual: 2]";
        let expected = names.iter().map(|name| spotted((name, 3, 0), ("MD012", message), ERROR));
        let mut found = scratch.check(LINTER, names);
        found.sort_by_key(|one| one.file.clone());
        assert_eq!(found, expected.collect::<Vec<_>>());
    }
}
