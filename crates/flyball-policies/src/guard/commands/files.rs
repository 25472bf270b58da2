//! Rules about files: recursive deletion, by what kind of place is meant.

use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_effects::FileAct;

use super::context::Context;
use super::deleted::{Deletion, Reach};
use super::deletion::deletions;
use super::rule::{Check, Finding, rules};
use super::zone::{Zone, is_build_folder, without_stars};
use crate::guard::secrets::holds_secret;

rules! {
    "delete-system" Standard Deny "recursive deletion of `/`, system folders, the home folder or a folder above the project"
        => Check::Line(delete_system);
    "delete-project" Standard Deny "recursive deletion of the project's root or of its `.git`"
        => Check::Line(delete_project);
    "delete-outside" Standard Ask "recursive deletion of anything else outside the project; temporary folders and caches are allowed"
        => Check::Line(delete_outside);
    "delete-keys" Standard Ask "deletion of keys and credentials outside the project"
        => Check::Line(delete_keys);
    "delete-unknown-root" Standard Ask "`rm -rf \"$X\"/` and its like: if the variable is empty, `/` is meant"
        => Check::Line(delete_unknown_root);
    "delete-unknown" Strict Ask "recursive deletion of what is only known when it runs"
        => Check::Line(delete_unknown);
    "delete-work" Strict Ask "recursive deletion of files in the project that git knows or that are not ignored"
        => Check::LineAndRepository(delete_work);
}

const INSIDE: &str = "Delete only what this task made, by its path inside the project; temporary and build \
                      folders are allowed";

/// The deletions of everything at a place of this kind.
fn find_in_zone<'s>(
    scene: &'s Context<'_>,
    is_meant: impl Fn(Zone) -> bool,
) -> Option<(&'s Deletion, &'s str, Zone)> {
    deletions(scene).iter().find_map(|deletion| {
        let Reach::All(path) = &deletion.reach else { return None };
        let zone = scene.roots().zone(path);
        is_meant(zone).then_some((deletion, path.as_str(), zone))
    })
}

fn delete_system(scene: &Context<'_>) -> Option<Finding> {
    let is_meant = |zone| matches!(zone, Zone::System | Zone::Home | Zone::AboveProject);
    let (deletion, path, zone) = find_in_zone(scene, is_meant)?;
    let place = match zone {
        Zone::Home => "the home folder or one of its main folders",
        Zone::AboveProject => "a folder that holds the project",
        _ => "a folder of the system",
    };
    let what = format!("`{}` with `{}` would delete {place}: {path}", deletion.by, deletion.named);
    Finding::new(what, "That cannot be undone and reaches far beyond the project", INSIDE)
        .map(|finding| finding.about(AbsolutePath::from_root(without_stars(path).0)))
}

fn delete_project(scene: &Context<'_>) -> Option<Finding> {
    let is_meant = |zone| matches!(zone, Zone::ProjectRoot | Zone::GitData);
    let (deletion, path, zone) = find_in_zone(scene, is_meant)?;
    let (place, why) = match zone {
        Zone::GitData => {
            ("the repository's data", "It takes the history and every branch that is not pushed with it")
        }
        _ => ("the whole project", "It takes all work with it, also what is not committed"),
    };
    let what = format!("`{}` with `{}` would delete {place}: {path}", deletion.by, deletion.named);
    let instead = "Name the files or folders that shall go; `git status` and `git clean -n` show what is not \
                   committed";
    Finding::new(what, why, instead)
        .map(|finding| finding.about(AbsolutePath::from_root(without_stars(path).0)))
}

fn delete_outside(scene: &Context<'_>) -> Option<Finding> {
    let (deletion, path) = deletions(scene).iter().find_map(|deletion| match &deletion.reach {
        Reach::All(path) => (scene.roots().zone(path) == Zone::Outside).then_some((deletion, path)),
        Reach::Part(path) => {
            let zone = scene.roots().zone(path);
            let is_inside =
                matches!(zone, Zone::ProjectRoot | Zone::Project | Zone::GitData | Zone::Disposable);
            (!is_inside && !is_temporary_root(path)).then_some((deletion, path))
        }
        Reach::Unknown => None,
    })?;
    let what =
        format!("`{}` with `{}` would delete files outside the project: {path}", deletion.by, deletion.named);
    Finding::new(what, "Git cannot bring back what is not in the project", INSIDE)
        .map(|finding| finding.about(AbsolutePath::from_root(without_stars(path).0)))
}

fn delete_keys(scene: &Context<'_>) -> Option<Finding> {
    let deleted = scene.effects().files.iter().filter(|it| it.act == FileAct::Delete { recursive: false });
    let is_key = |path: &&AbsolutePath| {
        holds_secret(scene.clients(), path) && scene.roots().zone(path) == Zone::Outside
    };
    let path = deleted.map(|effect| scene.locate_target(&effect.target)).find_map(|found| match found {
        TargetPaths::Known(paths) => paths.iter().find(is_key).cloned(),
        TargetPaths::Pattern(_) | TargetPaths::Unknown(_) => None,
    })?;
    let what = format!("this would delete a key or credentials: {path}");
    let instead = "Tell the user which key is not needed any more, and let them delete it";
    Finding::new(what, "A lost key locks people out of what it opens", instead)
        .map(|finding| finding.about(path))
}

/// Some of what lies in a temporary folder is as free as all of it.
fn is_temporary_root(path: &str) -> bool {
    matches!(path, "/tmp" | "/var/tmp" | "/private/tmp" | "/dev/shm")
}

fn delete_unknown_root(scene: &Context<'_>) -> Option<Finding> {
    let mut unknown = deletions(scene).iter().filter(|deletion| matches!(deletion.reach, Reach::Unknown));
    let deletion = unknown.find(|deletion| {
        let Some(VariablePath { rest, .. }) = VariablePath::parse(&deletion.named) else { return false };
        let first = rest.trim_start_matches('/').split('/').next().unwrap_or_default();
        let is_all = matches!(first, "" | "*" | ".*" | "**");
        let names_system =
            matches!(first, "bin" | "boot" | "etc" | "home" | "lib" | "opt" | "usr" | "var" | "root");
        rest.starts_with('/')
            && (is_all || names_system)
            && !is_temporary(scene, &deletion.named)
            && !is_set_to_folder(scene, &deletion.named)
    })?;
    let variable = VariablePath::parse(&deletion.named)?.variable;
    let what = format!(
        "`rm` with `{}` would delete `/` or a system folder if the variable is empty",
        deletion.named
    );
    let instead = format!("Write `${{{variable}:?}}`, which stops if it is empty, or name the folder itself");
    Finding::new(what, "An unset variable is empty, and nothing warns of it", instead)
}

/// Whether the line itself fills the variable with something that ends in a name: whatever is
/// empty in `BUILD="$(pwd)/build"`, it is not `/`.
fn is_set_to_folder(scene: &Context<'_>, named: &str) -> bool {
    let Some(VariablePath { variable, .. }) = VariablePath::parse(named) else { return false };
    let commands = scene.line.script.commands.iter().filter(|command| command.program.raw.is_empty());
    let mut set = commands.flat_map(|command| &command.assignments).filter(|(name, _)| *name == variable);
    let last = set.next_back().and_then(|(_, value)| value.raw.trim_end_matches('"').rsplit_once('/'));
    let is_name = |letter: char| letter.is_alphanumeric() || "._-".contains(letter);
    last.is_some_and(|(_, name)| name.chars().all(is_name) && name.contains(char::is_alphanumeric))
}

fn delete_unknown(scene: &Context<'_>) -> Option<Finding> {
    let deletion = deletions(scene).iter().find(|deletion| {
        let last = deletion.named.trim_matches(['"', '/', '*']).rsplit('/').next().unwrap_or_default();
        matches!(deletion.reach, Reach::Unknown)
            && !is_build_folder(last)
            && !deletion.named.contains(":?")
            && !is_temporary(scene, &deletion.named)
    })?;
    let what =
        format!("what `{}` would delete is only known when it runs: `{}`", deletion.by, deletion.named);
    let instead = "Look first what is meant, then delete it by its path";
    Finding::new(what, "A wrong value would delete something else", instead)
}

/// A word that begins with a variable, of which nothing else is known.
struct VariablePath {
    variable: String,
    /// What follows the variable.
    rest: String,
}

impl VariablePath {
    /// Reads `"$X"/rest` and `${X}/rest`; in `${X:?}` the rest begins with the guard.
    fn parse(named: &str) -> Option<VariablePath> {
        let bare = named.replace('"', "");
        let bare = bare.strip_prefix('$')?;
        let bare = bare.strip_prefix('{').unwrap_or(bare);
        let end = bare.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))?;
        let (variable, rest) = bare.split_at_checked(end)?;
        let rest = rest.trim_start_matches('}').to_owned();
        (!variable.is_empty()).then(|| VariablePath { variable: variable.to_owned(), rest })
    }
}

/// Whether the line itself made the thing with `mktemp`.
fn is_temporary(scene: &Context<'_>, named: &str) -> bool {
    let bare = named.replace(['"', '$', '{', '}'], "");
    let name = bare.split('/').next().unwrap_or_default();
    let made = |(variable, value): &(String, flyball_effects::Word)| {
        variable == name && value.raw.contains("mktemp")
    };
    named.contains("mktemp")
        || scene.line.script.commands.iter().any(|command| command.assignments.iter().any(made))
}

fn delete_work(scene: &Context<'_>) -> Result<Option<Finding>, PolicyError> {
    for deletion in deletions(scene) {
        let (Reach::All(path) | Reach::Part(path)) = &deletion.reach else { continue };
        let (path, _) = without_stars(path);
        if scene.roots().zone(path) != Zone::Project || matches!(deletion.reach, Reach::Part(_)) {
            continue;
        }
        let question = ["ls-files", "--cached", "--others", "--exclude-standard", "--", path];
        let Some(known) = scene.git(scene.project_root(), &question)? else { continue };
        if known.trim().is_empty() {
            continue;
        }
        let what = format!("`{}` with `{}` would delete files of the project", deletion.by, deletion.named);
        let instead =
            "Delete single files by name, or commit first so that `git restore` can bring them back";
        let finding = Finding::new(what, "What is not committed cannot be brought back", instead);
        return Ok(
            finding.map(|finding| finding.about(AbsolutePath::from_root(path)).seen("git knows", &known))
        );
    }
    Ok(None)
}
