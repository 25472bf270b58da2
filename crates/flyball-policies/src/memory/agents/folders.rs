//! The folders that a prompt means without naming their paths: "the search pipeline" is about `services/search`.

use std::collections::BTreeSet;
use std::time::Duration;

use flyball_core::policy::{PolicyError, World};
use flyball_knowledge::{node, similar};

use super::state::Listing;
use crate::memory::relevance::words_of;

/// How many folders are listed, how deep, and how many with a node are remembered.
const MOST_LISTED: usize = 64;
const MOST_LEVELS: usize = 4;
const MOST_NODES: usize = 256;
/// For how long a listing counts.
const FRESH: Duration = Duration::from_mins(10);
/// How many folders one prompt means, and how many with a pattern.
const MOST_MEANT: usize = 3;
const MOST_BELOW: usize = 12;

/// Whether a listing is recent enough.
pub(super) fn is_fresh(listing: &Listing, world: &dyn World) -> bool {
    world.now().since(listing.at) < FRESH
}

/// The folders below the root that have a node, level by level. The cost has a limit, however large the project is.
pub(super) fn list(world: &dyn World) -> Listing {
    let root = world.project_root();
    let mut found = Vec::new();
    let mut listed = 0;
    let mut level = vec![String::new()];
    for _ in 0..MOST_LEVELS {
        let mut below = Vec::new();
        for folder in level {
            if listed == MOST_LISTED || found.len() >= MOST_NODES {
                break;
            }
            listed += 1;
            for name in world.list(&root.join(&folder)) {
                let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                // Most names with a dot are files.
                let may_be_folder = !name.contains('.') && !is_generated(&name);
                if may_be_folder && world.stat(&root.join(&path)).is_some_and(|stat| stat.is_folder) {
                    if node::node_in(world, &root.join(&path)).is_some() {
                        found.push(path.clone());
                    }
                    below.push(path);
                }
            }
        }
        level = below;
    }
    found.truncate(MOST_NODES);
    Listing { folders: found, at: world.now() }
}

/// Folders of others' code and of results.
fn is_generated(name: &str) -> bool {
    matches!(
        name,
        "node_modules" | "target" | "dist" | "build" | "vendor" | "venv" | "coverage" | "out" | "__pycache__"
    )
}

/// The folders that a prompt means, each with a slash at its end: those whose own name is in its words, those of which
/// more of the path is there first.
pub(super) fn meant(prompt: &str, listing: &Listing) -> Result<Vec<String>, PolicyError> {
    let said: BTreeSet<String> = said_words(prompt);
    let is_said = |name: &str| {
        let words: Vec<String> = words_of(name).collect();
        !words.is_empty() && words.iter().all(|word| said.iter().any(|said| is_form_of(said, word)))
    };
    let mut found: Vec<(usize, &String)> = Vec::new();
    for folder in &listing.folders {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        if is_said(name) {
            found.push((folder.split('/').filter(|part| is_said(part)).count(), folder));
        }
    }
    found.sort_by(|(one, folder), (other, other_folder)| other.cmp(one).then(folder.cmp(other_folder)));
    // `services/*` is all below.
    let all = patterns(prompt).flat_map(|above| {
        listing
            .folders
            .iter()
            .filter(move |folder| folder.strip_prefix(above).is_some_and(|rest| rest.starts_with('/')))
    });
    let mut meant: Vec<String> = all.take(MOST_BELOW).map(|folder| format!("{folder}/")).collect();
    for (_, folder) in found.into_iter().take(MOST_MEANT) {
        let folder = format!("{folder}/");
        if !meant.contains(&folder) {
            meant.push(folder);
        }
    }
    Ok(meant)
}

/// The words of a prompt, without verbs of everyday work that are names of folders, too.
fn said_words(prompt: &str) -> BTreeSet<String> {
    let small = prompt.to_lowercase();
    let words: Vec<&str> =
        small.split(|letter: char| !letter.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let is_verb = |at: usize| {
        let word = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or_default();
        let (before, own, next) = (word(at.checked_sub(1)), word(Some(at)), word(Some(at + 1)));
        // `Search for it`, `search the code`, `a web search`.
        let acts = before.is_empty() || LEADS.contains(&before) || OBJECTS.contains(&next);
        let is_named = NOUN_MARKS.contains(&before) && !OBJECTS.contains(&next);
        (VERBS.contains(&own) && acts && !is_named)
            || (own == "web" && next == "search")
            || (before == "web" && own == "search")
    };
    let meant = words.iter().enumerate().filter(|(at, _)| !is_verb(*at)).map(|(_, word)| *word);
    meant.flat_map(words_of).collect()
}

/// Verbs that folders are called after.
const VERBS: &[&str] = &[
    "search", "test", "build", "deploy", "log", "report", "import", "export", "run", "check", "scan", "plan",
    "release", "index",
];
/// Words in front of them where they are verbs, behind them where they are, and in front of them where they are nouns.
const LEADS: &[&str] = &[
    "to", "and", "then", "please", "first", "also", "you", "should", "must", "can", "will", "do", "now",
    "just", "a",
];
const OBJECTS: &[&str] = &[
    "for", "the", "all", "every", "through", "across", "in", "it", "if", "whether", "how", "where", "over",
    "any", "again",
];
const NOUN_MARKS: &[&str] = &["the", "our", "this", "of"];

/// Whether a word of a prompt is a form of a folder's name: `authentication` of `auth`, `searching` of `search`.
fn is_form_of(said: &str, name: &str) -> bool {
    const LEAST: usize = 4;
    similar::stem(said) == similar::stem(name)
        || (name.len() >= LEAST
            && said.starts_with(name)
            && FORMS.contains(&said.get(name.len()..).unwrap_or_default()))
}

/// What short names leave out, and endings of forms.
const FORMS: &[&str] = &[
    "entication",
    "enticate",
    "enticated",
    "orization",
    "orize",
    "ing",
    "er",
    "ed",
    "s",
    "es",
    "uration",
    "ure",
    "ument",
    "umentation",
    "inistration",
    "istration",
    "inistrator",
    "ment",
    "ments",
    "ation",
    "ations",
    "ional",
    "ification",
    "ifications",
    "ory",
    "ories",
];

/// The folders in front of patterns: `services` of `services/*`.
fn patterns(prompt: &str) -> impl Iterator<Item = &str> {
    prompt.split(|letter: char| letter.is_whitespace() || "`\"'(),;".contains(letter)).filter_map(|word| {
        let (above, behind) = word.split_once("/*")?;
        let is_all = matches!(behind.trim_end_matches(['.', ':']), "" | "*" | "/" | "*/*" | "/*");
        (is_all && !above.is_empty()).then(|| above.trim_start_matches("./"))
    })
}

#[cfg(test)]
mod tests {
    use flyball_core::time::Time;

    use super::*;

    #[test]
    fn a_prompt_means_folders_by_words_that_are_their_names() {
        let folders =
            ["auth", "services/billing", "services/search", "tests", "web"].map(str::to_owned).to_vec();
        let listing = Listing { folders, at: Time::default() };
        let cases: [(&str, &[&str]); 9] = [
            ("Search the code for usages of foo()", &[]),
            ("Search for TODOs", &[]),
            ("Do a web search for the newest React", &[]),
            ("Please search for all of it", &[]),
            ("Find the search endpoint and fix it", &["services/search/"]),
            ("Fix the authentication service", &["auth/"]),
            ("Test the search pipeline", &["services/search/"]),
            ("Rewrite everything in services/*", &["services/billing/", "services/search/"]),
            ("Look at the author of it", &[]),
        ];
        for (prompt, expected) in cases {
            assert_eq!(meant(prompt, &listing).unwrap(), expected, "{prompt}");
        }
    }
}
