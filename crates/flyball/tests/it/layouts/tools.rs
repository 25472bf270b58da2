//! The tools of a layout as its people run them, without flyball.

use std::collections::BTreeMap;

use super::checkout::Checkout;
use super::kinds::Layout;

/// A linter by hand.
pub(super) struct Check {
    pub(super) linter: &'static str,
    pub(super) line: &'static str,
    /// Whether a line of its output is a finding.
    pub(super) is_finding: fn(&str) -> bool,
}

/// A formatter by hand. It prints the names of the files that it would change.
pub(super) struct Formatter {
    /// Those that this command line speaks for: Biome has one name for code and one for JSON.
    pub(super) linters: &'static [&'static str],
    pub(super) line: &'static str,
}

/// What tools find.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// How many findings, by linter; without those that find nothing.
    pub(super) by_linter: BTreeMap<String, usize>,
    /// Files that a formatter would change.
    pub(super) unformatted: Vec<String>,
}

impl Found {
    pub(super) fn total(&self) -> usize {
        self.by_linter.values().sum::<usize>() + self.unformatted.len()
    }
}

pub(super) fn find_by_hand(layout: &Layout) -> Found {
    let checkout = Checkout::new(layout);
    let count = |check: &Check| {
        let printed = checkout.run(check.line);
        (check.linter.to_owned(), printed.lines().filter(|line| (check.is_finding)(line)).count())
    };
    let by_linter = layout.checks.iter().map(count).filter(|(_, count)| *count > 0).collect();
    let printed: String = layout.formatters.iter().map(|formatter| checkout.run(formatter.line)).collect();
    let mut files: Vec<&str> = layout.files().into_iter().map(|(name, _)| name).collect();
    files.sort_unstable();
    let unformatted = files.into_iter().filter(|file| printed.lines().any(|line| names(line, file)));
    Found { by_linter, unformatted: unformatted.map(str::to_owned).collect() }
}

/// Whether a line has the path of a file, from the root of the project or of the file system on.
fn names(line: &str, file: &str) -> bool {
    line.split([' ', ',', '=', ':']).any(|word| {
        let path = word.rsplit_once("/project/").map_or(word, |(_, below)| below);
        path.strip_prefix("./").unwrap_or(path) == file
    })
}

/// `file:12:3: …` or `file:12 …`.
pub(super) fn at_line(line: &str) -> bool {
    let number = |text: &str| text.split([':', ' ']).next().is_some_and(|text| text.parse::<u32>().is_ok());
    !line.starts_with(' ') && line.split_once(':').is_some_and(|(_, rest)| number(rest))
}

/// `  12:3  error  …`, below the name of the file.
pub(super) fn indented(line: &str) -> bool {
    let place = line.strip_prefix("  ").and_then(|line| line.trim_start().split_once(':'));
    place.is_some_and(|(line, _)| line.parse::<u32>().is_ok())
}

/// `file:12: error: …`, without the notes between them.
pub(super) fn error(line: &str) -> bool {
    line.contains(": error: ") || line.contains(" - error: ")
}

/// `file(12,3): error TS2322: …`
pub(super) fn typescript(line: &str) -> bool {
    line.contains("): error TS")
}

/// `::error title=…`
pub(super) fn annotation(line: &str) -> bool {
    line.starts_with("::")
}
