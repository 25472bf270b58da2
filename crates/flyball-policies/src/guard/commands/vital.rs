//! Single files that much depends on and that git cannot restore: settings with secrets, the settings of the shell, parts
//! of a repository, the settings of other clients.

use flyball_core::path::AbsolutePath;
use flyball_core::text::Words;
use flyball_effects::{FileAct, FileEffect, Word};

use super::context::{Call, Context};
use super::deletion::deletes;
use super::finding::Finding;
use super::rule::{Check, rules};
use super::written::Written;
use super::zone::{Zone, below};
use crate::guard::secret_files::{holds_secret, is_env_file};

rules! {
    "delete-vital" Strict Ask "deletion of single files that git cannot restore: `.env`, the settings of the shell, parts of `.git`"
        => Check::Any(&[
            Check::Line(delete_vital),
            Check::Programs(&["find", "gfind"], delete_found),
            Check::Programs(&["python", "python3"], clear_folder),
        ]);
    "wipe-file" Strict Ask "overwriting a file so that nothing can restore it: `shred`"
        => Check::Programs(&["shred", "srm", "wipe"], wipe_file);
    "write-keys" Strict Ask "writing a key or credentials in the home folder"
        => Check::Written(write_keys);
    "client-settings" Strict Ask "writing the settings with which other clients ask, check or limit what they do"
        => Check::Written(client_settings);
}

/// Settings in the home folder.
const SETTINGS: Words = Words(
    ".bashrc|.bash_profile|.bash_login|.profile|.zshrc|.zshenv|.zprofile|.zlogin|.gitconfig|.config/git/config|\
     .vimrc|.tmux.conf|.inputrc|.config/fish/config.fish|.ssh/config|.ssh/known_hosts|.ssh/authorized_keys|.npmrc|.netrc",
);

/// Files of a repository that git writes again.
const REMADE: Words =
    Words("gc.log|gc.pid|COMMIT_EDITMSG|MERGE_MSG|FETCH_HEAD|ORIG_HEAD|SQUASH_MSG|MERGE_RR|index.lock");

/// Parts of a repository without which it is none.
const PARTS: Words = Words("objects|refs|HEAD|config|packed-refs|index|hooks|logs|info");

/// Settings of other clients: their hooks, their permissions, their sandbox.
const OF_CLIENTS: Words = Words(
    "/.cursor/hooks.json|/.cursor/sandbox.json|/.cursor/permissions.json|/.cursor/cli-config.json|/.cursor/cli.json|\
     /.gemini/settings.json|/.gemini/trustedFolders.json|/.qwen/settings.json|/.qwen/trustedFolders.json|\
     /.copilot/config.json|/.copilot/hooks.json|/.copilot/permissions-config.json|/.factory/settings.json|\
     /.factory/hooks.json|/.config/opencode/opencode.json|/.config/opencode/opencode.jsonc|/.config/amp/settings.json|\
     /.kiro/settings/cli.json|/.hermes/config.yaml|/.openclaw/openclaw.json|/.config/goose/config.yaml|\
     /.codeium/windsurf/hooks.json|/.windsurf/hooks.json|/.augment/settings.json|/.config/crush/crush.json",
);

/// What an entry of the table above is, as a folder of a project or of the home.
fn client_settings(context: &Context<'_>, written: &Written) -> Option<Finding> {
    let path = &written.path;
    OF_CLIENTS.iter().find(|place| path.ends_with(place))?;
    // In a project they are files like others, except for hooks and what limits a client.
    let decides =
        ["hooks", "sandbox", "permissions", "trustedFolders"].iter().any(|part| path.contains(part));
    if context.roots().is_in_project(path) && !decides {
        return None;
    }
    Finding::new(
        format!("this would change how another client is limited: {path}"),
        "The user relies on it to supervise agents",
        "Tell the user what to change and why",
    )
    .map(|finding| finding.about(path.clone()))
}

fn write_keys(context: &Context<'_>, written: &Written) -> Option<Finding> {
    let path = &written.path;
    let roots = context.roots();
    below(path, &roots.home).filter(|_| !roots.is_in_project(path))?;
    let is_made = context.seen.created.contains(path.as_str()) || roots.zone(path) == Zone::Disposable;
    if is_made || !holds_secret(context.clients(), path) {
        return None;
    }
    Finding::new(
        format!("this would write a key or credentials: {path}"),
        "Programs log in with what is there, and what was there may be nowhere else",
        "Tell the user what to put there, and let them do it",
    )
    .map(|finding| finding.about(path.clone()))
}

fn vital(path: &AbsolutePath, what: &str) -> Option<Finding> {
    Finding::new(
        format!("this would delete {what}: {path}"),
        "Git cannot restore it",
        "Move it aside under another name, or tell the user why it has to go",
    )
    .map(|finding| finding.about(path.clone()))
}

fn delete_vital(context: &Context<'_>) -> Option<Finding> {
    let deleted = context.effects().files.iter().filter(|it| matches!(it.act, FileAct::Delete { .. }));
    // The verbs of git have rules of their own, and the trash keeps what it gets.
    let is_own = |effect: &&FileEffect| {
        let by = context.command(effect.command).and_then(|command| command.program_name());
        !matches!(by, Some("git" | "trash" | "trash-put" | "rmdir"))
    };
    deleted.filter(is_own).find_map(|effect| {
        let place = context.locate_target(&effect.target);
        place.paths().iter().find_map(|path| vital(path, what_is_vital(context, path)?))
    })
}

/// What a path is, if much depends on it.
fn what_is_vital(context: &Context<'_>, path: &AbsolutePath) -> Option<&'static str> {
    if context.seen.created.contains(path.as_str()) {
        return None;
    }
    let roots = context.roots();
    let name = path.rsplit('/').next().unwrap_or_default();
    if below(path, &roots.home).is_some_and(|inside| SETTINGS.contains(inside)) {
        return Some("settings of the user");
    }
    // A recursive deletion of the whole repository has a rule of its own.
    if roots.zone(path) == Zone::GitData && !REMADE.contains(name) && !name.ends_with(".sample") {
        return Some("a part of the repository");
    }
    let parts: Vec<&str> = path.split('/').collect();
    let is_bare = parts.windows(2).any(|pair| match pair {
        [folder, part] => folder.len() > 4 && folder.ends_with(".git") && PARTS.contains(part),
        _ => false,
    });
    if is_bare && roots.zone(path) != Zone::Disposable {
        return Some("a part of a repository");
    }
    let is_settings = is_env_file(name) && roots.is_in_project(path) && roots.zone(path) == Zone::Project;
    is_settings.then_some("settings with secrets")
}

/// `find . -name hooks -delete`
fn delete_found(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let named = call.values(&["-name", "-iname"]).into_iter().filter_map(|word| word.text.as_deref());
    let is_vital = |name: &&str| matches!(*name, "hooks" | ".git" | "objects" | "refs") || is_env_file(name);
    let name = named.into_iter().find(is_vital).filter(|_| deletes(context, call))?;
    Finding::new(
        format!("`{}` would delete everything that is named {name}", call.display_text()),
        "Parts of repositories and settings with secrets have such names, and git cannot restore them",
        "Name the files or folders to delete",
    )
}

/// `python3 -m venv --clear src` empties the folder first.
fn clear_folder(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let words = call.words();
    let is_clear = |text: &str| text.len() >= 4 && "--clear".starts_with(text);
    if !words.contains(&"venv") || !call.has(&["-m"]) || !call.texts().any(is_clear) {
        return None;
    }
    let last = call.operands().last().copied().filter(|word: &&Word| !word.is("venv"))?;
    let path = context.path(last, &call.command.directory)?;
    (context.roots().zone(&path) == Zone::Project && !context.exists(&path.join("pyvenv.cfg")))
        .then_some(())?;
    vital(&path, "all that is in a folder of the project")
}

fn wipe_file(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let is_kept = |word: &&Word| {
        let place = context.locate(word, &call.command.directory);
        place.paths().is_empty()
            || place.paths().iter().any(|path| {
                context.roots().zone(path) != Zone::Disposable
                    && !context.seen.created.contains(path.as_str())
            })
    };
    if call.is_dry_run() {
        return None;
    }
    call.operands().into_iter().find(|word| is_kept(word))?;
    Finding::new(
        format!("`{}` would overwrite the file so that nothing can restore it", call.display_text()),
        "Whatever was in it is lost for good",
        "Delete it with `rm` if it is in a commit, or let the user decide",
    )
}
