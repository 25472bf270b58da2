//! What a command could not write because of the seatbelt, read from what it printed.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::Situation;
use flyball_effects::{GitCall, Line};

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

/// What git obeys for the user everywhere, as it is below the home.
const GIT_OF_USER: [&str; 2] = [".gitconfig", ".config/git/config"];

/// What only git leads to, and needs to delete a working tree: it is in a folder of its data.
const GIT_DATA: [&str; 2] = [".git/worktrees", ".git/modules"];

/// What was refused, and what the agent is told about it.
pub(super) struct Refused {
    pub(super) name: String,
    pub(super) text: String,
}

impl Refused {
    /// A place that was not written.
    fn place(name: String, what: &str, way: &str) -> Refused {
        let text = format!(
            "Tell the user if `{name}` has to change{way}; do not try another way. It was not changed: it is {what}, and the kernel \
             keeps commands of agents from writing it (flyball's seatbelt)."
        );
        Refused { name, text }
    }

    /// What git could not write for itself.
    fn of_git(situation: &Situation<'_>, name: &str, what: &str) -> Refused {
        let alone = situation.effective_line().is_some_and(is_only_git);
        let text = if alone {
            format!(
                "Tell the user if `{name}` has to change: `flyball allow {name} --for 10m` lets you. It is {what}, and stays read-only \
                 where git starts hooks or programs that commands can write, or sets what starts one (flyball's seatbelt); the rest of \
                 the command was done. An upstream can be set: `git branch -u REMOTE/BRANCH`."
            )
        } else {
            format!(
                "Run that git command in a line of its own. `{name}` was not changed: it is {what}, and scripts, and lines with other \
                 programs, cannot write it (flyball's seatbelt). If that does not do it, tell the user: `flyball allow {name} --for 10m` \
                 lets you."
            )
        };
        Refused { name: name.to_owned(), text }
    }

    /// One that a person can allow for a while.
    fn allowable(name: String, what: &str) -> Refused {
        let way = format!(" (`flyball allow {name} --for 10m` lets you)");
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
        return Some(Refused::of_git(situation, name, what));
    }
    if let Some(name) = GIT_OF_USER.iter().find(|name| line.contains(&format!("/{name}"))) {
        return Some(Refused::of_git(situation, &format!("~/{name}"), "git's configuration of the user"));
    }
    if let Some(name) = GIT_DATA.iter().find(|name| line.contains(*name)) {
        return Some(Refused::of_git(situation, name, "where git has the data of other working trees"));
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
        let way = ": folders in `write` of `[seatbelt]` can be written";
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

/// Whether a line is nothing but calls of git.
fn is_only_git(line: &Line) -> bool {
    line.script.unknown.is_empty()
        && line.script.commands.iter().all(|command| GitCall::parse(command).is_some())
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
