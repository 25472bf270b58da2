//! Where a command line runs: inside the seatbelt, and what is lifted for it there, or outside.

use flyball_core::world::Wearer;
use flyball_effects::{Command, GitCall, Line};

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
const CONFIGURES: [&str; 16] = [
    "branch",
    "checkout",
    "clone",
    "fetch",
    "flow",
    "gc",
    "init",
    "lfs",
    "maintenance",
    "pull",
    "push",
    "remote",
    "sparse-checkout",
    "submodule",
    "switch",
    "worktree",
];

/// Settings of git that start no program and lead it nowhere else.
const HARMLESS: [&str; 9] =
    ["user.name", "user.email", "branch.", "pull.", "push.", "rebase.", "color.", "advice.", "core.autocrlf"];

/// Programs that call git for the user: what they do with the configuration is what git does.
const CALLS_GIT: [&str; 3] = ["gh", "glab", "hub"];

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
    let starts_something = |text: &str| {
        ["--upload-pack", "--receive-pack", "--exec", "--edit-description", "ext::"]
            .iter()
            .any(|it| text.contains(it))
    };
    let changes_folder =
        command.program_name().is_some_and(|name| ["cd", "pushd", "popd", "env", "export"].contains(&name));
    let call = GitCall::parse(command);
    let leads_elsewhere = call.as_ref().is_some_and(|call| {
        let global = command
            .arguments
            .iter()
            .filter_map(|word| word.text.as_deref())
            .take_while(|text| Some(*text) != call.verb);
        !call.config.is_empty() || call.git_dir.is_some() || call.work_tree.is_some() || global.count() > 0
    });
    command.assignments.is_empty()
        && command.wrappers.is_empty()
        && !changes_folder
        && !leads_elsewhere
        && command
            .arguments
            .iter()
            .all(|word| word.text.as_deref().is_some_and(|text| !starts_something(text)))
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
            ("git -C ../other remote add a b", Lifted::default()),
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
