//! What a command could not write because of the seatbelt, read from what it printed.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::Situation;

/// How programs say that a place is read-only, or that something is mounted on it.
const SIGNS: [&str; 8] = [
    "Read-only file system",
    "read-only file system",
    "EROFS",
    "os error 30",
    "Device or resource busy",
    "EBUSY",
    "os error 16",
    "Resource busy",
];

/// How they say it of flyball's own files where the seatbelt is no mount: the modes of these files would let them.
const OF_OWN: [&str; 5] =
    ["Permission denied", "permission denied", "EACCES", "os error 13", "Operation not permitted"];

/// What git keeps in a repository that others obey.
const GIT: [(&str, &str); 3] = [
    (".git/config", "git's configuration of this repository"),
    (".git/hooks", "git's hooks of this repository"),
    ("config.worktree", "git's configuration of this working tree"),
];

/// A place that was not written, and what it is.
pub(super) struct Refused {
    pub(super) name: String,
    pub(super) what: String,
    /// Whether a person can allow it for a while.
    pub(super) can_be_allowed: bool,
}

/// The first place in what was printed that the seatbelt keeps from being written.
pub(super) fn find(situation: &Situation<'_>, printed: &str) -> Option<Refused> {
    // Most output has no such line, and nothing else is looked at then.
    let has = |line: &str, signs: &[&str]| signs.iter().any(|sign| line.contains(sign));
    let mut lines = printed.lines().filter(|line| has(line, &SIGNS) || has(line, &OF_OWN)).take(20);
    lines.find_map(|line| match has(line, &SIGNS) {
        true => named_in(situation, line),
        false => own_in(situation, line),
    })
}

fn named_in(situation: &Situation<'_>, line: &str) -> Option<Refused> {
    let root = situation.world.project_root();
    let name_of = |path: &AbsolutePath| path.strip_folder(root).unwrap_or(path).to_owned();
    let git = GIT.iter().find(|(name, _)| line.contains(name));
    if let Some((name, what)) = git {
        return Some(Refused { name: (*name).to_owned(), what: (*what).to_owned(), can_be_allowed: true });
    }
    if let Some(own) = own_in(situation, line) {
        return Some(own);
    }
    let words = line.split(|letter: char| letter.is_whitespace() || "'\"`:,;()".contains(letter));
    let protected = words.filter(|word| word.len() > 1).find_map(|word| {
        let path = situation.world.real_path(&situation.event.cwd, word);
        path.is_in(root).then(|| name_of(&path)).filter(|_| situation.world.stat(&path).is_some())
    })?;
    Some(Refused { name: protected, what: "a protected file".to_owned(), can_be_allowed: true })
}

/// The file of flyball's own that a line names.
fn own_in(situation: &Situation<'_>, line: &str) -> Option<Refused> {
    let root = situation.world.project_root();
    let own = situation.world.own_files().iter().find(|own| names(line, &own.path, root))?;
    let name = own.path.strip_folder(root).unwrap_or(&own.path).to_owned();
    Some(Refused { name, what: own.what.to_owned(), can_be_allowed: false })
}

/// Whether a line names a file, whole or from the project's folder.
fn names(line: &str, path: &AbsolutePath, root: &AbsolutePath) -> bool {
    line.contains(path.as_str()) || path.strip_folder(root).is_some_and(|name| line.contains(name))
}
