//! What a command could not write because of the seatbelt, read from what it printed.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::Situation;

use super::settings::Level;

/// What `sudo` says where nobody can become somebody else.
const NO_NEW_PRIVILEGES: &str = "no new privileges";

/// What git says of a file that it does not replace; it goes on with the others.
const GIT_LEFT: &str = "unable to unlink";

/// How programs say that a place is read-only, or that something is mounted on it.
const SIGNS: [&str; 9] = [
    NO_NEW_PRIVILEGES,
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

/// What was refused, and what the agent is told about it.
pub(super) struct Refused {
    pub(super) name: String,
    pub(super) text: String,
}

impl Refused {
    /// A place that was not written.
    fn place(name: String, what: &str, way: &str) -> Refused {
        let text = format!(
            "`{name}` was not changed: it is {what}, and the kernel keeps commands of agents from writing it (flyball's seatbelt). \
             Do not try another way. If it has to change, tell the user{way}."
        );
        Refused { name, text }
    }

    /// One that a person can allow for a while.
    fn allowable(name: String, what: &str) -> Refused {
        let way = format!(": `flyball allow {name} --for 10m` lets you");
        Refused::place(name, what, &way)
    }
}

/// The first thing in what was printed that the seatbelt refused.
pub(super) fn find(situation: &Situation<'_>, level: Level, printed: &str) -> Option<Refused> {
    // Most output has no such line, and nothing else is looked at then.
    let has = |line: &str, signs: &[&str]| signs.iter().any(|sign| line.contains(sign));
    let mut lines = printed.lines().filter(|line| has(line, &SIGNS) || has(line, &OF_OWN)).take(20);
    lines.find_map(|line| match has(line, &SIGNS) {
        true => named_in(situation, level, line),
        false => own_in(situation, line),
    })
}

fn named_in(situation: &Situation<'_>, level: Level, line: &str) -> Option<Refused> {
    if line.contains(NO_NEW_PRIVILEGES) {
        let text = "Inside flyball's seatbelt nobody can become another user. Call `sudo` in a line of its own: the user is asked then, \
                    and it runs outside."
            .to_owned();
        return Some(Refused { name: "sudo".to_owned(), text });
    }
    let world = situation.world;
    let root = world.project_root();
    let name_of = |path: &AbsolutePath| path.strip_folder(root).unwrap_or(path).to_owned();
    let git = GIT.iter().find(|(name, _)| line.contains(name));
    if let Some((name, what)) = git {
        return Some(Refused::allowable((*name).to_owned(), what));
    }
    if let Some(own) = own_in(situation, line) {
        return Some(own);
    }
    let words = line.split(|letter: char| letter.is_whitespace() || "'\"`:,;()".contains(letter));
    let mut paths =
        words.filter(|word| word.len() > 1).map(|word| world.real_path(&situation.event.cwd, word));
    let is_outside = |path: &AbsolutePath| level >= Level::Project && line.contains(path.as_str());
    let path = paths.find(|path| match path.is_in(root) {
        true => world.stat(path).is_some(),
        false => is_outside(path),
    })?;
    let name = name_of(&path);
    if !path.is_in(root) {
        let way = ": a folder in `write` of `[seatbelt]` can be written";
        return Some(Refused::place(name, "outside of what commands may write here", way));
    }
    let refused = Refused::allowable(name, "a protected file");
    if !line.contains(GIT_LEFT) {
        return Some(refused);
    }
    let text = format!(
        "git replaced the other files, but not `{}`: it is a protected file, and scripts cannot replace it (flyball's seatbelt). Run \
         that git command again in a line of its own.",
        refused.name
    );
    Some(Refused { text, ..refused })
}

/// The file of flyball's own that a line names.
fn own_in(situation: &Situation<'_>, line: &str) -> Option<Refused> {
    let root = situation.world.project_root();
    let own = situation.world.own_files().iter().find(|own| names(line, &own.path, root))?;
    let name = own.path.strip_folder(root).unwrap_or(&own.path).to_owned();
    Some(Refused::place(name, own.what, ""))
}

/// Whether a line names a file, whole or from the project's folder.
fn names(line: &str, path: &AbsolutePath, root: &AbsolutePath) -> bool {
    line.contains(path.as_str()) || path.strip_folder(root).is_some_and(|name| line.contains(name))
}
