//! Programs that git starts because this session told it to, by a setting or a hook: an editor, a signer, a filter. What
//! changes while git runs may be their work, although git itself writes no code.

use std::collections::BTreeSet;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::time::Time;
use flyball_effects::{GitCall, Line};
use serde::{Deserialize, Serialize};

use super::calls;
use super::trees::Checkouts;

/// The programs that git's settings named as the session began.
const PROGRAMS: &str = "loop.feedback.git-programs";
/// Settings that name a program, or a folder or file with some.
const SETTINGS: [&str; 18] = [
    "core.editor",
    "core.pager",
    "core.fsmonitor",
    "core.sshcommand",
    "core.gitproxy",
    "core.askpass",
    "core.hookspath",
    "core.attributesfile",
    "core.alternaterefscommand",
    "sequence.editor",
    "diff.external",
    "interactive.difffilter",
    "gpg.program",
    "uploadpack.packobjectshook",
    "imap.tunnel",
    "receive.procreceiverefs",
    "web.browser",
    "init.templatedir",
];
/// Settings of a kind, by how their names begin and end.
const KINDS: [(&str, &str); 20] = [
    ("alias.", ""),
    ("pager.", ""),
    ("gpg.", ".program"),
    ("gpg.", "keycommand"),
    ("diff.", ".command"),
    ("diff.", ".textconv"),
    ("merge.", ".driver"),
    ("difftool.", ".cmd"),
    ("difftool.", ".path"),
    ("mergetool.", ".cmd"),
    ("mergetool.", ".path"),
    ("filter.", ".clean"),
    ("filter.", ".smudge"),
    ("filter.", ".process"),
    ("trailer.", ".cmd"),
    ("trailer.", ".command"),
    ("remote.", "pack"),
    ("credential.", "helper"),
    ("submodule.", ".update"),
    ("sendemail.", "cmd"),
];
/// Values that are no programs.
const NO_PROGRAMS: [&str; 9] = ["", "true", "false", ":", "cat", "checkout", "merge", "rebase", "none"];
/// Where settings of the user are.
const OF_USER: [&str; 2] = ["~/.gitconfig", "~/.config/git/config"];

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Noted {
    /// The files that have settings.
    files: BTreeSet<AbsolutePath>,
    /// `name=value`
    programs: BTreeSet<String>,
}

/// Notes which programs git's settings name as the session begins.
pub(super) fn begin(situation: &Situation<'_>) -> Result<(), PolicyError> {
    let noted = now(situation)?;
    situation.memory.write(PROGRAMS, serde_json::to_string(&noted).unwrap_or_default())
}

/// Whether a line runs git, and git may start a program that it did not start before the session.
pub(super) fn starts_own(situation: &Situation<'_>, line: &Line) -> Result<bool, PolicyError> {
    if !line.script.commands.iter().any(|command| GitCall::parse(command).is_some()) {
        return Ok(false);
    }
    let (Some(began), Some(noted)) = (calls::began(situation)?, situation.memory.read(PROGRAMS)?) else {
        return Ok(false);
    };
    let noted: Noted = serde_json::from_str(&noted).unwrap_or_default();
    let world = situation.world;
    let folders = Checkouts::new(world).git_folders();
    // Linked checkouts have the hooks of the main one.
    if folders.first().is_some_and(|common| has_new_hook(world, common, began)) {
        return Ok(true);
    }
    let files =
        folders.into_iter().flat_map(|folder| [folder.join("config"), folder.join("config.worktree")]);
    let files = files.chain(of_user(world)).chain(noted.files.iter().cloned());
    // The usual case: no process is started.
    if !files.into_iter().any(|file| is_new(world, &file, began)) {
        return Ok(false);
    }
    Ok(now(situation)?.programs.difference(&noted.programs).any(|program| is_steering(program)))
}

fn of_user(world: &dyn World) -> impl Iterator<Item = AbsolutePath> {
    OF_USER.iter().map(move |path| world.real_path(world.project_root(), path))
}

fn is_new(world: &dyn World, path: &AbsolutePath, since: Time) -> bool {
    world.stat(path).is_some_and(|stat| !stat.is_folder && stat.changed >= since)
}

fn has_new_hook(world: &dyn World, common: &AbsolutePath, began: Time) -> bool {
    let folder = common.join("hooks");
    let names = world.list(&folder);
    let mut hooks = names.iter().filter(|name| !name.ends_with(".sample"));
    hooks.any(|name| is_new(world, &folder.join(name), began))
}

/// What git's settings say now.
fn now(situation: &Situation<'_>) -> Result<Noted, PolicyError> {
    let world = situation.world;
    let root = world.project_root();
    let mut noted = Noted::default();
    if !super::trees::has_git(world, root) {
        return Ok(noted);
    }
    let answer =
        world.git(root, &["config", "--list", "--show-origin", "--null"])?.text().unwrap_or_default();
    let mut parts = answer.split('\0');
    // `file:NAME`, then `setting`, a line feed and its value.
    while let (Some(origin), Some(setting)) = (parts.next(), parts.next()) {
        noted.files.extend(origin.strip_prefix("file:").map(|file| world.real_path(root, file)));
        let (name, value) = setting.split_once('\n').unwrap_or((setting, ""));
        if names_program(name) {
            noted.programs.insert(format!("{name}={value}"));
        }
    }
    Ok(noted)
}

fn names_program(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_of_kind = |(begin, end): &(&str, &str)| name.starts_with(begin) && name.ends_with(end);
    SETTINGS.contains(&name.as_str()) || KINDS.iter().any(is_of_kind)
}

/// Whether a new setting makes git start what may write: not `alias.st=status`, nor `core.editor=true`.
fn is_steering(program: &str) -> bool {
    let Some((name, value)) = program.split_once('=') else { return false };
    let value = value.trim();
    if NO_PROGRAMS.contains(&value) {
        return false;
    }
    let is_alias = name.to_ascii_lowercase().starts_with("alias.");
    let line = match value.strip_prefix('!') {
        Some(text) => text.to_owned(),
        None if is_alias => format!("git {value}"),
        None => value.to_owned(),
    };
    let effects = Line::read(&line).effects;
    !effects.opaque.is_empty() || effects.files.iter().any(|effect| effect.act.changes_target())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_name_programs_are_known() {
        for name in
            ["core.editor", "core.hooksPath", "gpg.program", "gpg.ssh.program", "alias.x", "filter.a.clean"]
        {
            assert!(names_program(name), "{name}");
        }
        for name in
            ["user.name", "remote.origin.url", "branch.main.merge", "merge.conflictStyle", "diff.algorithm"]
        {
            assert!(!names_program(name), "{name}");
        }
    }

    #[test]
    fn a_value_that_writes_nothing_steers_nothing() {
        for program in
            ["core.editor=true", "alias.st=status --short", "core.pager=cat", "core.fsmonitor=false"]
        {
            assert!(!is_steering(program), "{program}");
        }
        for program in
            ["core.editor=sh ed.sh", "gpg.program=/x/gp.sh", "alias.x=!./x", "core.hooksPath=.hooks"]
        {
            assert!(is_steering(program), "{program}");
        }
    }
}
