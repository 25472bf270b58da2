//! Files that a shell, a session or an editor reads when it starts, and what an agent may not put into them: whoever
//! starts the next client would start it with another flyball, or without one.

use flyball_core::path::{AbsolutePath, is_or_is_below};
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::Stance;

use super::access::Access;
use crate::guard::touch::{Location, Touch, TouchKind};

/// Our variables all begin so.
pub(super) const VARIABLE: &str = "FLYBALL_";

const SETS_VARIABLE: &str =
    "read when a shell or a session starts, and `FLYBALL_…` in it changes what flyball checks";
const REPLACES_US: &str =
    "read when a shell starts, and this would run something else instead of flyball or git";
const CHANGES_PATH: &str =
    "read when a shell starts, and a folder that agents write to would be searched first for programs";

/// Files by their name, in any folder.
const NAMES: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".bash_env",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".mkshrc",
    ".shrc",
    ".yashrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".elvishrc",
    ".xonshrc",
    ".xprofile",
    ".xsession",
    ".xsessionrc",
    ".xinitrc",
    ".xserverrc",
    ".pam_environment",
    ".envrc",
    ".direnvrc",
    "direnvrc",
    "direnv.toml",
    "mise.toml",
    ".mise.toml",
    "mise.local.toml",
    ".mise.local.toml",
    ".rtx.toml",
    ".tmux.conf",
    "tmux.conf",
    ".screenrc",
    ".byobu.conf",
    "config.fish",
    "fish_variables",
    "config.nu",
    "env.nu",
    "login.nu",
    "devcontainer.json",
    ".devcontainer.json",
    "devbox.json",
    "Microsoft.PowerShell_profile.ps1",
    "profile.ps1",
];

/// Files by the end of their path.
const ENDS: &[&str] = &[
    "/etc/environment",
    "/etc/profile",
    "/etc/bash.bashrc",
    "/etc/bashrc",
    "/etc/launchd.conf",
    "/etc/csh.cshrc",
    "/etc/login.defs",
    "/.ssh/environment",
    "/.ssh/rc",
    "/.vscode/settings.json",
    "/.vscode/tasks.json",
    "/.vscode/launch.json",
    "/code/user/settings.json",
    "/cursor/user/settings.json",
    "/zed/settings.json",
    "/mise/config.toml",
];

/// Folders all of whose files are read, anywhere in a path.
const FOLDERS: &[&str] = &[
    "/environment.d/",
    "/etc/profile.d/",
    "/etc/zsh/",
    "/etc/security/",
    "/etc/default/",
    "/fish/conf.d/",
    "/fish/functions/",
    "/systemd/user/",
    "/systemd/system/",
    "/systemd/user.conf.d/",
    "/launchagents/",
    "/launchdaemons/",
    "/autostart/",
    "/plasma-workspace/env/",
    "/uwsm/",
    "/.bashrc.d/",
    "/.bash.d/",
    "/.zsh.d/",
    "/.zshrc.d/",
    "/.oh-my-zsh/custom/",
    "/etc/cron",
    "/spool/cron/",
];

/// Folders that everybody can write to.
const TEMPORARY: &[&str] =
    &["/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "$TMPDIR", "${TMPDIR", "$(mktemp"];

/// The folder that an agent works in, as a text names it.
const HERE: &[&str] = &["$PWD", "${PWD", "$(pwd)", "`pwd`", "./", "../"];

/// A write to a file that is read at the start of a shell or session, if it would disarm flyball.
pub(super) fn find(situation: &Situation<'_>, touches: &[Touch]) -> Result<Option<Access>, PolicyError> {
    for touch in touches {
        let Some(place) = startup_file(touch) else { continue };
        let text = added_text(situation, touch)?;
        if let Some((stance, what)) = judge_text(&text, &place, situation.world.project_root()) {
            let stance = if touch.kind.is_sure() { stance } else { Stance::Ask };
            let path = match &touch.location {
                Location::Path(path) => Some(path.clone()),
                Location::Pattern(_) | Location::Text(_) => None,
            };
            let named = if touch.named.is_empty() { place } else { touch.named.clone() };
            return Ok(Some(Access {
                is_below: false,
                stance,
                named,
                what,
                route: touch.route,
                path,
                verb: "change it so",
            }));
        }
    }
    Ok(None)
}

/// The path of the file that is touched, if it is one that is read at a start.
fn startup_file(touch: &Touch) -> Option<String> {
    let changes = match touch.kind {
        TouchKind::Change | TouchKind::PassedTo(_) | TouchKind::Mentioned => true,
        TouchKind::Delete | TouchKind::Move | TouchKind::Attributes | TouchKind::Link => false,
    };
    changes.then_some(())?;
    match &touch.location {
        Location::Path(path) | Location::Pattern(path) => is_startup_file(path).then(|| path.to_string()),
        // Code, or a path with a variable in it: one of its words may be such a file.
        Location::Text(text) => {
            let is_word = |letter: char| letter.is_alphanumeric() || "._-/~".contains(letter);
            text.split(|letter| !is_word(letter)).find(|word| is_startup_file(word)).map(str::to_owned)
        }
    }
}

fn is_startup_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    if NAMES.contains(&name) {
        return true;
    }
    // What follows are folders, and most words are none.
    if !path.contains('/') {
        return false;
    }
    let path = path.to_lowercase();
    ENDS.iter().any(|end| path.ends_with(end)) || FOLDERS.iter().any(|folder| path.contains(folder))
}

/// The text that a call brings into the file. If that is only known at run time, all of the call's text: what it
/// writes is made from it.
fn added_text(situation: &Situation<'_>, touch: &Touch) -> Result<String, PolicyError> {
    let Some(call) = situation.event.call() else { return Ok(String::new()) };
    let whole = || call.tool.main_text().map_or_else(|| call.input.clone(), str::to_owned);
    let Location::Path(path) = &touch.location else { return Ok(whole()) };
    let mut added = String::new();
    for edit in situation.edits()?.iter().filter(|edit| edit.path == *path) {
        match &edit.change {
            Some(change) => {
                added.push_str(change.added());
                added.push('\n');
            }
            None => return Ok(whole()),
        }
    }
    Ok(if added.is_empty() { whole() } else { added })
}

/// What a text would do at the next start.
fn judge_text(text: &str, file: &str, root: &AbsolutePath) -> Option<(Stance, &'static str)> {
    let is_comment =
        |line: &&str| line.trim_start().starts_with(['#']) || line.trim_start().starts_with("//");
    let lines = || text.lines().filter(|line| !is_comment(line));
    if lines().any(|line| line.contains(VARIABLE)) {
        return Some((Stance::Deny, SETS_VARIABLE));
    }
    if lines().any(|line| defines(line, "flyball")) {
        return Some((Stance::Deny, REPLACES_US));
    }
    if lines().any(|line| defines(line, "git")) {
        return Some((Stance::Ask, REPLACES_US));
    }
    // The environment of a project may well search the project's own folders first.
    let is_for_project = is_or_is_below(file, root);
    let is_first = |entry: &str| {
        let is_temporary = TEMPORARY.iter().any(|folder| entry.starts_with(folder));
        let is_here =
            entry == "." || HERE.iter().any(|here| entry.starts_with(here)) || is_or_is_below(entry, root);
        is_temporary || (is_here && !is_for_project)
    };
    lines().filter_map(first_of_path).any(is_first).then_some((Stance::Ask, CHANGES_PATH))
}

/// `alias flyball=…`, `flyball() {`, `function flyball`.
fn defines(line: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || "_-./".contains(letter);
    line.match_indices(name).any(|(at, _)| {
        let (before, after) =
            (line.get(..at).unwrap_or_default(), line.get(at + name.len()..).unwrap_or_default());
        if before.ends_with(is_part) || after.starts_with(is_part) {
            return false;
        }
        let word_before = before.split_whitespace().next_back().unwrap_or_default();
        let word_before = word_before.trim_start_matches(['\'', '"', ';', '{', '(']);
        let is_alias = word_before == "alias" && after.starts_with(['=', ' ']);
        let is_function = word_before == "function" || after.trim_start().starts_with("()");
        is_alias || is_function
    })
}

/// The first folder of an assignment of `PATH`.
fn first_of_path(line: &str) -> Option<&str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let assigned = line.match_indices("PATH").find_map(|(at, _)| {
        let after = line.get(at + "PATH".len()..)?;
        let is_whole = !line.get(..at)?.ends_with(is_part);
        // `PATH=x`, and fish's `set -x PATH x`.
        let value =
            after.strip_prefix('=').or_else(|| after.strip_prefix(' ').filter(|_| line.contains("set ")))?;
        is_whole.then_some(value)
    });
    let value = assigned.or_else(|| Some(line.split_once("fish_add_path ")?.1))?;
    let value = value.trim_start_matches(['"', '\'', '(', ' ']);
    value.split([':', '"', '\'', ' ', ';']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn startup_files_are_known_by_name_folder_and_path() {
        for path in [
            "/home/dev/.bashrc",
            "/home/dev/.config/environment.d/50-x.conf",
            "/home/dev/Library/LaunchAgents/x.plist",
            "/home/dev/.config/fish/config.fish",
            "/project/.envrc",
            "/etc/profile.d/x.sh",
            "/project/.vscode/settings.json",
            "/home/dev/.config/systemd/user/x.service",
        ] {
            assert!(is_startup_file(path), "{path}");
        }
        for path in
            ["/project/settings.json", "/project/.env", "/project/docker-compose.yml", "/project/profile.md"]
        {
            assert!(!is_startup_file(path), "{path}");
        }
    }

    #[test]
    fn a_text_is_judged_by_what_it_would_do() {
        let root = AbsolutePath::from_root("/project");
        let cases = [
            ("export FLYBALL_SKIP=guard.self", Some(SETS_VARIABLE)),
            ("# FLYBALL_SKIP is for people", None),
            ("alias flyball=true", Some(REPLACES_US)),
            ("alias flyball true", Some(REPLACES_US)),
            ("flyball() { return 0; }", Some(REPLACES_US)),
            ("function git\n  true\nend", Some(REPLACES_US)),
            ("alias g=git", None),
            ("alias gs='git status'", None),
            ("eval \"$(flyball completions bash)\"", None),
            ("export PATH=/tmp/x:$PATH", Some(CHANGES_PATH)),
            ("export PATH=\"$PWD/bin:$PATH\"", Some(CHANGES_PATH)),
            ("PATH=/project/bin:$PATH", Some(CHANGES_PATH)),
            ("set -gx PATH /tmp/bin $PATH", Some(CHANGES_PATH)),
            ("export PATH=\"$HOME/.local/bin:$PATH\"", None),
            ("export PATH=$PATH:/project/bin", None),
            ("export PYTHONPATH=/project/src", None),
        ];
        for (text, expected) in cases {
            let found = judge_text(text, "/home/dev/.bashrc", &root).map(|(_, what)| what);
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(judge_text("export PATH=$PWD/bin:$PATH", "/project/.envrc", &root), None);
    }
}
