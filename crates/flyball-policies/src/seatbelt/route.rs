//! Where a command line runs: inside the seatbelt, and what is lifted for it there, or outside.

use flyball_core::world::Wearer;
use flyball_effects::{Command, Directory, GitCall, Line};

use super::processes::{LOOKERS, only_looks};
use crate::worktree_updates::updates_worktree;

/// Where a command line runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    Inside(Lifted),
    /// Outside, because of this program, which cannot work inside.
    Outside(&'static str),
    /// Outside, and by the system's programs alone: it only looks at processes and ends some.
    Processes,
}

/// What can be changed all the same, because the guards have read what the line does with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lifted {
    /// The configuration of the repository: git writes it when a branch gets an upstream.
    pub git_config: bool,
    /// Protected files of the project: git replaces them by those of another commit.
    pub project: bool,
    /// flyball's own files in the project, too.
    pub own: bool,
}

/// Programs that become somebody else, and those that mount something or make namespaces with the help of such programs. The
/// administrator needs to become nobody else.
const BECOMES_ANOTHER: [&str; 7] = ["sudo", "doas", "su", "pkexec", "run0", "newgrp", "sg"];
const MOUNTS: [&str; 9] =
    ["mount", "umount", "fusermount", "fusermount3", "podman", "buildah", "losetup", "modprobe", "swapon"];

/// Where programs of the system are.
const SYSTEM: [&str; 4] = ["/usr/bin/", "/usr/sbin/", "/bin/", "/sbin/"];

/// Verbs of git that write the configuration of the repository.
const CONFIGURES: [&str; 15] = [
    "branch",
    "checkout",
    "clone",
    "fetch",
    "gc",
    "init",
    "maintenance",
    "mv",
    "pull",
    "push",
    "remote",
    "sparse-checkout",
    "submodule",
    "switch",
    "worktree",
];

/// Settings of git that start no program and lead it nowhere else.
const HARMLESS: [&str; 20] = [
    "user.name",
    "user.email",
    "user.signingkey",
    "branch.",
    "pull.",
    "push.",
    "fetch.",
    "rebase.",
    "rerere.",
    "color.",
    "advice.",
    "core.autocrlf",
    "core.eol",
    "core.filemode",
    "core.ignorecase",
    "core.longpaths",
    "commit.gpgsign",
    "init.defaultbranch",
    "merge.conflictstyle",
    "safe.directory",
];

/// Verbs of git that are no names that somebody gave (`alias.co`), and start what git itself starts at most.
const KNOWN: [&str; 66] = [
    "add",
    "am",
    "apply",
    "archive",
    "bisect",
    "blame",
    "branch",
    "bundle",
    "cat-file",
    "check-ignore",
    "checkout",
    "cherry",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "config",
    "count-objects",
    "describe",
    "diff",
    "fetch",
    "for-each-ref",
    "format-patch",
    "fsck",
    "gc",
    "grep",
    "init",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "maintenance",
    "merge",
    "merge-base",
    "mv",
    "name-rev",
    "notes",
    "pull",
    "push",
    "range-diff",
    "read-tree",
    "rebase",
    "reflog",
    "remote",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "shortlog",
    "show",
    "show-ref",
    "sparse-checkout",
    "stash",
    "status",
    "submodule",
    "switch",
    "symbolic-ref",
    "tag",
    "update-index",
    "update-ref",
    "version",
    "whatchanged",
    "worktree",
    "write-tree",
];

/// Programs that call git for the user: what they do with the configuration is what git does.
const CALLS_GIT: [&str; 3] = ["gh", "glab", "hub"];
/// What they have of their own. Another word may be an extension, which is a program that anybody installs.
const OWN_WORDS: [&str; 10] =
    ["pr", "mr", "repo", "issue", "auth", "release", "run", "workflow", "ci", "api"];

/// Where a command line of an agent runs.
#[must_use]
pub fn route(command: &str, wearer: Wearer) -> Route {
    // Nearly every line has none of these words, and need not be read.
    let mut words = BECOMES_ANOTHER.iter().chain(&MOUNTS).chain(&LOOKERS).chain(&CALLS_GIT).chain(&["git"]);
    if !words.any(|word| command.contains(word)) {
        return Route::Inside(Lifted::default());
    }
    route_of((command, &Line::read(command)), wearer)
}

/// The same for a line that was read already.
pub(super) fn route_of((text, line): (&str, &Line), wearer: Wearer) -> Route {
    let outside = || line.script.commands.iter().find_map(|command| needs_more(command, wearer));
    match outside().filter(|name| is_of_system(text, name)) {
        Some(program) => Route::Outside(program),
        None if only_looks(line) => Route::Processes,
        None => Route::Inside(lifted(line)),
    }
}

/// The program of a command that cannot work inside.
fn needs_more(command: &Command, wearer: Wearer) -> Option<&'static str> {
    // In namespaces of its own, a command may do what it could not do outside.
    if command.wrappers.iter().any(|wrapper| wrapper.starts_with("unshare")) {
        return None;
    }
    let is_used = |name: &str| {
        command.program_name() == Some(name) || command.wrappers.iter().any(|wrapper| wrapper == name)
    };
    let others = BECOMES_ANOTHER.iter().filter(|_| wearer == Wearer::User);
    others.chain(&MOUNTS).find(|name| is_used(name)).copied()
}

/// Whether a line calls a program by its name, or by its path in the system. One with this name may be anywhere.
fn is_of_system(text: &str, name: &str) -> bool {
    text.match_indices(name).all(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        !before.ends_with('/') || SYSTEM.iter().any(|folder| before.ends_with(folder))
    })
}

/// What git replaces is lifted for any line in which it does: a checkout that cannot replace a file stops half way. What is changed then
/// is noticed afterwards. Git's configuration, and flyball's own files in the project, are lifted only for a line that is nothing but git and starts nothing for the agent.
fn lifted(line: &Line) -> Lifted {
    let commands = &line.script.commands;
    let is_git = |index: Option<usize>| index.and_then(|at| commands.get(at)).is_some_and(calls_git);
    let is_read = line.script.unknown.is_empty() && line.effects.opaque.iter().all(|it| is_git(it.command));
    let is_plain_git = is_read && commands.iter().all(is_plain);
    let project = updates_worktree(line) || commands.iter().any(is_other_caller);
    Lifted {
        git_config: is_plain_git && commands.iter().any(configures_git),
        project,
        own: project && is_plain_git,
    }
}

/// Whether a command has git start no program of the agent's choice, and works in no other repository.
fn is_plain(command: &Command) -> bool {
    const STARTS: [&str; 6] =
        ["--upload-pack", "--receive-pack", "--exec", "--edit-description", "--template", "ext::"];
    let starts_something = |text: &str| STARTS.iter().any(|it| text.contains(it));
    let sets_variables = command.program_name().is_some_and(|name| ["env", "export"].contains(&name));
    let is_extension = is_other_caller(command)
        && command
            .arguments
            .first()
            .is_none_or(|word| !word.text.as_deref().is_some_and(|word| OWN_WORDS.contains(&word)));
    command.assignments.is_empty()
        && command.wrappers.is_empty()
        && !sets_variables
        && !is_extension
        && !GitCall::parse(command).is_some_and(|call| leads_elsewhere(command, &call))
        && command.arguments.iter().all(|word| match word.text.as_deref() {
            Some(text) => !starts_something(text),
            None => is_name_of_branch(&word.raw),
        })
}

/// Whether a word is what git calls the branch, which can be no option.
fn is_name_of_branch(raw: &str) -> bool {
    const ASKED: [&str; 3] = [
        "$(git branch --show-current)",
        "$(git rev-parse --abbrev-ref HEAD)",
        "$(git symbolic-ref --short HEAD)",
    ];
    ASKED.contains(&raw.trim_matches('"'))
}

/// Whether a call of git has other options in front of its verb than a folder.
fn leads_elsewhere(command: &Command, call: &GitCall<'_>) -> bool {
    const HARMLESS: [&str; 3] = ["-P", "--no-pager", "--no-optional-locks"];
    // By the verb, the words with which it starts what they say.
    const STARTS: [(&str, &[&str]); 6] = [
        ("bisect", &["run"]),
        ("rebase", &["-x"]),
        ("grep", &["-O"]),
        ("submodule", &["foreach", "-c"]),
        ("clone", &["-c", "--config", "-u"]),
        ("init", &["--separate-git-dir"]),
    ];
    let starts = |(verb, words): &(&str, &[&str])| {
        let mut given = call.arguments.iter().filter_map(|word| word.text.as_deref());
        call.verb == Some(verb) && given.any(|text| words.iter().any(|word| text.starts_with(word)))
    };
    if call.verb.is_some_and(|verb| !KNOWN.contains(&verb)) || STARTS.iter().any(starts) {
        return true;
    }
    let words = command.arguments.iter().filter_map(|word| word.text.as_deref());
    let mut global = words.take_while(|text| Some(*text) != call.verb);
    while let Some(option) = global.next() {
        match option {
            "-C" => drop(global.next()),
            option if HARMLESS.contains(&option) => {}
            _ => return true,
        }
    }
    !call.config.is_empty() || call.git_dir.is_some() || call.work_tree.is_some()
}

/// A call of git in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// Where it may be, from where the line is started.
    pub folders: Vec<String>,
    /// What git is to do; empty if another program calls it, which is this one.
    pub verb: String,
    pub by: Option<String>,
}

/// Whether anything but git changes files in a line, so that it could put a repository where git is called.
#[must_use]
pub fn changes_files(line: &Line) -> bool {
    let is_git = |index: usize| line.script.commands.get(index).is_some_and(calls_git);
    line.effects.files.iter().any(|effect| effect.act.changes_target() && !is_git(effect.command))
}

/// The calls of git in a line; `None` if not all of it is known.
#[must_use]
pub fn calls_of_git(line: &Line) -> Option<Vec<Called>> {
    let calls = line.script.commands.iter().filter(|command| calls_git(command));
    let called = |command: &Command| {
        let call = GitCall::parse(command);
        let directory = call.as_ref().map_or(&command.directory, |call| &call.directory);
        let folders = match directory {
            Directory::Start => vec![".".to_owned()],
            Directory::OneOf(folders) => folders.clone(),
            Directory::Unknown => return None,
        };
        let verb = call.as_ref().and_then(|call| call.verb).unwrap_or_default().to_owned();
        let by = command.program_name().filter(|_| call.is_none()).map(str::to_owned);
        Some(Called { folders, verb, by })
    };
    calls.map(called).collect()
}

fn calls_git(command: &Command) -> bool {
    GitCall::parse(command).is_some() || is_other_caller(command)
}

fn is_other_caller(command: &Command) -> bool {
    command.program_name().is_some_and(|name| CALLS_GIT.contains(&name))
}

fn configures_git(command: &Command) -> bool {
    match GitCall::parse(command) {
        Some(call) if call.verb == Some("config") => sets_only_harmless(&call),
        Some(call) => call.verb.is_some_and(|verb| CONFIGURES.contains(&verb)),
        None => is_other_caller(command),
    }
}

/// Whether what a `git config` names starts no program.
fn sets_only_harmless(call: &GitCall<'_>) -> bool {
    let mut keys =
        call.arguments.iter().filter(|word| word.text.as_deref().is_none_or(|text| !text.starts_with('-')));
    let is_harmless = |key: &str| HARMLESS.iter().any(|known| key.to_lowercase().starts_with(known));
    // The first one that has a dot: before it there may be a verb (`git config set user.name me`).
    let key = keys.find(|word| word.text.as_deref().is_none_or(|text| text.contains('.')));
    key.and_then(|word| word.text.as_deref()).is_some_and(is_harmless)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_does_by_itself_is_lifted_and_nothing_else() {
        let config = Lifted { git_config: true, ..Lifted::default() };
        let all = Lifted { git_config: true, project: true, own: true };
        let project = Lifted { project: true, ..Lifted::default() };
        let merged = Lifted { project: true, own: true, ..Lifted::default() };
        for (line, lifted) in [
            ("git push -u origin topic", config),
            ("git remote add up ../up", config),
            ("git checkout main && git pull", all),
            ("git config user.name me", config),
            ("git config core.hooksPath evil", Lifted::default()),
            ("git config alias.user.name x", Lifted::default()),
            ("git merge topic", merged),
            ("git status", Lifted::default()),
            ("git stash && npm test", project),
            ("git push -u origin topic; python3 x.py", Lifted::default()),
            ("git pull && make", project),
            ("git -c core.fsmonitor=x push -u origin topic", Lifted::default()),
            ("GIT_EDITOR=x git branch topic", Lifted::default()),
            ("git -C ../other remote add a b", config),
            ("cd /p/api && git push -u origin topic", config),
            ("git push -u origin \"$(git branch --show-current)\"", config),
            ("git push -u origin \"$(cat name)\"", Lifted::default()),
            ("git --no-pager log -1 && git push -u origin topic", config),
            ("git --exec-path=x push -u origin topic", Lifted::default()),
            ("git worktree remove ../w && git branch -D w", all),
            ("rm -rf ../w && git worktree prune", config),
            ("git config --global safe.directory /p", config),
            ("gh x checkout 7", project),
            ("git rebase -x ./x.sh main", project),
            ("git bisect run ./x.sh && git pull", project),
            ("git submodule foreach ./x.sh", project),
            ("git clone -c core.fsmonitor=x a b", project),
            ("git co main && git push -u origin topic", Lifted::default()),
            ("git fetch --upload-pack=./x . main", Lifted::default()),
            ("git branch --edit-description", Lifted::default()),
            ("gh pr checkout 7", all),
            ("ls", Lifted::default()),
            ("cat .git/config", Lifted::default()),
        ] {
            assert_eq!(route(line, Wearer::User), Route::Inside(lifted), "{line}");
        }
    }

    #[test]
    fn what_cannot_work_inside_runs_outside() {
        for (line, wearer, expected) in [
            ("sudo apt-get install jq", Wearer::User, true),
            ("cd x && sudo -n true", Wearer::User, true),
            ("/usr/bin/sudo true", Wearer::User, true),
            ("./sudo true", Wearer::User, false),
            ("sudo apt-get install jq", Wearer::Root, false),
            ("mount -t tmpfs none /mnt", Wearer::User, true),
            ("mount -t tmpfs none /mnt", Wearer::Root, true),
            ("podman run x", Wearer::Root, true),
            ("echo sudo", Wearer::User, false),
        ] {
            assert_eq!(matches!(route(line, wearer), Route::Outside(_)), expected, "{line} as {wearer:?}");
        }
        assert_eq!(route("lsof -i :3000", Wearer::User), Route::Processes);
    }
}
