//! The page of the built-in linters.

use flyball_quality::catalogue;
use flyball_quality::linter::{Entry, Reach};

use super::markdown::{code, head, table};

const ABOUT: &str = "What checks and formats edited files, see the policy `quality`. Each is an entry of
[`crates/flyball-programs/programs`](../../crates/flyball-programs/programs) in the form of
`[quality.linters.NAME]`; [config.md](config.md) has the keys. What you set in `flyball.toml` replaces
that key of the entry, a new name is a linter of your own.";

pub(super) fn page() -> String {
    let mut page = head("Linters", ABOUT);
    page.push('\n');
    let mut linters: Vec<(&String, &Entry)> = catalogue::builtin().iter().collect();
    linters.sort_by_key(|(name, entry)| (entry.language.clone(), (*name).clone()));
    let head = ["language", "linter", "files", "does", "needs", "install"];
    page.push_str(&table(&head, linters.into_iter().map(|(name, entry)| row(name, entry))));
    page
}

fn row(name: &str, entry: &Entry) -> Vec<String> {
    let listed = |words: &Option<Vec<String>>| {
        let words: Vec<String> = words.iter().flatten().map(|word| code(word)).collect();
        words.join(", ")
    };
    vec![
        entry.language.clone().unwrap_or_default(),
        code(name),
        listed(&entry.files),
        does(entry),
        listed(&entry.needs),
        entry.install.clone().unwrap_or_default(),
    ]
}

fn does(entry: &Entry) -> String {
    let mut does = Vec::new();
    if entry.format.as_ref().is_some_and(|filters| !filters.is_empty()) {
        does.push("formats");
    }
    if entry.check.is_some() {
        does.push(match entry.reach.unwrap_or_default() {
            Reach::File => "checks",
            Reach::Project => "checks the project",
        });
    }
    if entry.enabled == Some(false) {
        does.push("off by default");
    }
    does.join(", ")
}
