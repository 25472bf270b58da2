//! The files that git has of a project as it was.

use std::collections::BTreeSet;

use super::git::Git;

/// Writing out a project with more files would take longer than its linters.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 512 * 1024 * 1024;
/// A longer file is not source.
const LONG_BYTES: u64 = 4 * 1024 * 1024;

/// The files of a project as it was, by their paths in the repository.
#[derive(Default)]
pub(super) struct Tracked {
    /// Those that git writes out.
    pub written: Vec<String>,
    /// Those that are taken as they are in the project, because git stores them elsewhere: submodules, long files, and what a
    /// filter makes of them (a filter may fetch or decrypt).
    pub linked: Vec<String>,
}

/// An entry as git lists it.
struct Entry {
    path: String,
    is_submodule: bool,
    /// `None` if git does not have its content.
    bytes: Option<u64>,
}

impl Tracked {
    /// `None` if there are too many, or git cannot list them.
    pub(super) fn find(git: &Git<'_>, commit: Option<&str>) -> Option<Tracked> {
        let listed = match commit {
            Some(commit) => git.names(&["ls-tree", "-r", "-l", "-z", "--full-tree", commit])?,
            None => git.names(&["ls-files", "-s", "-z"])?,
        };
        if listed.len() > MOST_FILES {
            return None;
        }
        let entries: Vec<Entry> = listed.iter().filter_map(|line| entry(line)).collect();
        let filtered = filtered(git, &entries)?;
        let absent = absent(git)?;
        let mut tracked = Tracked::default();
        let mut total = 0;
        for Entry { path, is_submodule, bytes } in entries.into_iter().filter(|it| !absent.contains(&it.path))
        {
            match bytes {
                Some(bytes) if !is_submodule && bytes <= LONG_BYTES && !filtered.contains(&path) => {
                    total += bytes;
                    tracked.written.push(path);
                }
                _ => tracked.linked.push(path),
            }
        }
        (total <= MOST_BYTES).then_some(tracked)
    }
}

/// `100644 blob 9b17… 23⇥path` of a commit, `100644 9b17… 0⇥path` of the index.
fn entry(line: &str) -> Option<Entry> {
    let (facts, path) = line.split_once('\t')?;
    let mut words = facts.split_whitespace();
    let is_submodule = words.next()? == "160000";
    // The index does not say how long they are.
    let bytes = words.nth(2).map_or(Some(0), |size| size.parse().ok());
    Some(Entry { path: path.to_owned(), is_submodule, bytes })
}

/// The files that a filter of the config is for.
fn filtered(git: &Git<'_>, entries: &[Entry]) -> Option<BTreeSet<String>> {
    if git.filters.is_empty() {
        return Some(BTreeSet::new());
    }
    let paths: Vec<String> = entries.iter().map(|entry| entry.path.clone()).collect();
    let answer = git.ask_about(&["check-attr", "-z", "--stdin", "filter"], &paths)?;
    let fields: Vec<&str> = answer.split_terminator('\0').collect();
    let is_filtered = |value: &str| !matches!(value, "unspecified" | "unset");
    let found = fields.chunks_exact(3).filter_map(|fields| match fields {
        [path, _, value] if is_filtered(value) => Some((*path).to_owned()),
        _ => None,
    });
    Some(found.collect())
}

/// The files that a sparse checkout leaves out: they were not there either.
fn absent(git: &Git<'_>) -> Option<BTreeSet<String>> {
    let listed = git.names(&["ls-files", "-t", "-z"])?;
    Some(listed.iter().filter_map(|line| line.strip_prefix("S ")).map(str::to_owned).collect())
}
