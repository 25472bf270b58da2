//! Rules about files: recursive deletion, by the kind of place.

use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_effects::FileAct;

use super::context::Context;
use super::deleted::{Deletion, Reach};
use super::deletion::deletions;
use super::finding::Finding;
use super::listed::Listed;
use super::rule::{Check, rules};
use super::zone::{Zone, is_build_folder, without_stars};
use crate::guard::secret_files::holds_secret;

rules! {
    "delete-system" Standard Deny "recursive deletion of `/`, system folders, the home folder or a folder above the project"
        => Check::Line(delete_system);
    "delete-project" Standard Deny "recursive deletion of the project's root or of its `.git`"
        => Check::Line(delete_project);
    "delete-outside" Standard Ask "recursive deletion of anything else outside the project; temporary folders and caches are allowed"
        => Check::Any(&[
            Check::Listed(Listed::new("would delete for good what is in the trash", "It could still be restored", INSIDE)),
            Check::Line(delete_outside),
        ]);
    "delete-keys" Standard Ask "deletion of keys and credentials outside the project"
        => Check::Any(&[
            Check::Listed(Listed::new(
                "would delete a key or credentials, or what protects them",
                "Losing it can lock people out",
                "Tell the user which key is no longer needed, and let them delete it",
            )),
            Check::Line(delete_keys),
        ]);
    "delete-unknown-root" Standard Ask "`rm -rf \"$X\"/` and similar, which mean `/` if the variable is empty"
        => Check::Line(delete_unknown_root);
    "delete-unknown" Strict Ask "recursive deletion of a path that is only known at run time"
        => Check::Line(delete_unknown);
    "delete-work" Strict Ask "recursive deletion of files in the project that are tracked or not ignored"
        => Check::LineAndRepository(delete_work);
}

const INSIDE: &str = "Delete only paths inside the project; temporary and build folders are allowed";

/// The first deletion of everything in a matching zone.
fn find_in_zone<'s>(
    context: &'s Context<'_>,
    matches_zone: impl Fn(Zone) -> bool,
) -> Option<(&'s Deletion, &'s str, Zone)> {
    deletions(context).iter().find_map(|deletion| {
        let Reach::All(path) = &deletion.reach else { return None };
        let zone = context.roots().zone(path);
        matches_zone(zone).then_some((deletion, path.as_str(), zone))
    })
}

fn delete_system(context: &Context<'_>) -> Option<Finding> {
    let matches_zone = |zone| matches!(zone, Zone::System | Zone::Home | Zone::AboveProject);
    let (deletion, path, zone) = find_in_zone(context, matches_zone)?;
    let place = match zone {
        Zone::Home => "the home folder or one of its main folders",
        Zone::AboveProject => "a folder that contains the project",
        _ => "a system folder",
    };
    let what = format!("`{}` with `{}` would delete {place}: {path}", deletion.by, deletion.named);
    Finding::new(what, "This cannot be undone", INSIDE)
        .map(|finding| finding.about(AbsolutePath::from_root(without_stars(path).0)))
}

fn delete_project(context: &Context<'_>) -> Option<Finding> {
    let matches_zone = |zone| matches!(zone, Zone::ProjectRoot | Zone::GitData);
    let (deletion, path, zone) = find_in_zone(context, matches_zone)?;
    let (place, why) = match zone {
        Zone::GitData => ("the repository's data", "The history and every unpushed branch would be lost"),
        _ => ("the whole project", "All work would be lost, committed or not"),
    };
    let what = format!("`{}` with `{}` would delete {place}: {path}", deletion.by, deletion.named);
    let instead =
        "Name the files or folders to delete; `git status` and `git clean -n` show uncommitted ones";
    Finding::new(what, why, instead)
        .map(|finding| finding.about(AbsolutePath::from_root(without_stars(path).0)))
}

fn delete_outside(context: &Context<'_>) -> Option<Finding> {
    let (deletion, path) = deletions(context).iter().find_map(|deletion| match &deletion.reach {
        Reach::All(path) => (context.roots().zone(path) == Zone::Outside).then_some((deletion, path)),
        Reach::Part(path) => {
            let zone = context.roots().zone(path);
            let is_inside =
                matches!(zone, Zone::ProjectRoot | Zone::Project | Zone::GitData | Zone::Disposable);
            (!is_inside && !is_temporary_root(path)).then_some((deletion, path))
        }
        Reach::Unknown => None,
    })?;
    let what =
        format!("`{}` with `{}` would delete files outside the project: {path}", deletion.by, deletion.named);
    Finding::new(what, "Git cannot restore them", INSIDE)
        .map(|finding| finding.about(AbsolutePath::from_root(without_stars(path).0)))
}

fn delete_keys(context: &Context<'_>) -> Option<Finding> {
    // Recursive deletions are judged by the rules above.
    let deleted = context.effects().files.iter().filter(|it| it.act == FileAct::Delete { recursive: false });
    let is_key = |path: &&AbsolutePath| {
        holds_secret(context.clients(), path) && context.roots().zone(path) == Zone::Outside
    };
    let path = deleted.map(|effect| context.locate_target(&effect.target)).find_map(|found| match found {
        TargetPaths::Known(paths) => paths.iter().find(is_key).cloned(),
        TargetPaths::Pattern(_) | TargetPaths::Unknown(_) => None,
    })?;
    let what = format!("this would delete a key or credentials: {path}");
    let instead = "Tell the user which key is no longer needed, and let them delete it";
    Finding::new(what, "Losing it can lock people out", instead).map(|finding| finding.about(path))
}

/// Whether a path is a temporary folder itself: deleting a part of its content is allowed, as all of it is.
fn is_temporary_root(path: &str) -> bool {
    matches!(path, "/tmp" | "/var/tmp" | "/private/tmp" | "/dev/shm")
}

fn delete_unknown_root(context: &Context<'_>) -> Option<Finding> {
    let mut unknown = deletions(context).iter().filter(|deletion| matches!(deletion.reach, Reach::Unknown));
    let deletion = unknown.find(|deletion| {
        let Some(VariablePath { rest, .. }) = VariablePath::parse(&deletion.named) else { return false };
        let first = rest.trim_start_matches('/').split('/').next().unwrap_or_default();
        let is_all = matches!(first, "" | "*" | ".*" | "**");
        // `"$PREFIX"/usr` is `/usr` if the variable is empty.
        let names_system =
            matches!(first, "bin" | "boot" | "etc" | "home" | "lib" | "opt" | "usr" | "var" | "root");
        rest.starts_with('/')
            && (is_all || names_system)
            && !is_temporary(context, &deletion.named)
            && !is_set_to_folder(context, &deletion.named)
    })?;
    let variable = VariablePath::parse(&deletion.named)?.variable;
    let what = format!(
        "`rm` with `{}` would delete `/` or a system folder if the variable is empty",
        deletion.named
    );
    let instead = format!("Write `${{{variable}:?}}`, which fails if it is empty, or name the folder");
    Finding::new(what, "The shell does not warn about an unset variable", instead)
}

/// Whether the line itself sets the variable to a value that ends in a name: `BUILD="$(pwd)/build"`
/// is not `/` even if `$(pwd)` is empty.
fn is_set_to_folder(context: &Context<'_>, named: &str) -> bool {
    let Some(VariablePath { variable, .. }) = VariablePath::parse(named) else { return false };
    // An assignment in front of a program is only for that program.
    let commands = context.line.script.commands.iter().filter(|command| command.program.raw.is_empty());
    let mut set = commands.flat_map(|command| &command.assignments).filter(|(name, _)| *name == variable);
    let last = set.next_back().and_then(|(_, value)| value.raw.trim_end_matches('"').rsplit_once('/'));
    let is_name = |letter: char| letter.is_alphanumeric() || "._-".contains(letter);
    last.is_some_and(|(_, name)| name.chars().all(is_name) && name.contains(char::is_alphanumeric))
}

fn delete_unknown(context: &Context<'_>) -> Option<Finding> {
    let deletion = deletions(context).iter().find(|deletion| {
        // `$DIR/target` is build output wherever it is, and `${DIR:?}` fails if the variable is empty.
        let last = deletion.named.trim_matches(['"', '/', '*']).rsplit('/').next().unwrap_or_default();
        matches!(deletion.reach, Reach::Unknown)
            && !is_build_folder(last)
            && !deletion.named.contains(":?")
            && !is_temporary(context, &deletion.named)
    })?;
    let what =
        format!("`{}` would delete a path that is only known at run time: `{}`", deletion.by, deletion.named);
    let instead = "Check the value first, then delete the path by name";
    Finding::new(what, "A wrong value would delete something else", instead)
}

/// A word that begins with a variable of unknown value.
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

/// Whether the line itself created the path with `mktemp`.
fn is_temporary(context: &Context<'_>, named: &str) -> bool {
    let bare = named.replace(['"', '$', '{', '}'], "");
    let name = bare.split('/').next().unwrap_or_default();
    let is_created = |(variable, value): &(String, flyball_effects::Word)| {
        variable == name && value.raw.contains("mktemp")
    };
    named.contains("mktemp")
        || context.line.script.commands.iter().any(|command| command.assignments.iter().any(is_created))
}

fn delete_work(context: &Context<'_>) -> Result<Option<Finding>, PolicyError> {
    for deletion in deletions(context) {
        let (Reach::All(path) | Reach::Part(path)) = &deletion.reach else { continue };
        let (path, _) = without_stars(path);
        if context.roots().zone(path) != Zone::Project || matches!(deletion.reach, Reach::Part(_)) {
            continue;
        }
        let question = ["ls-files", "--cached", "--others", "--exclude-standard", "--", path];
        // Without a repository, no file is known to belong to the project.
        let Some(known) = context.git(context.project_root(), &question)?.text() else { continue };
        if known.trim().is_empty() {
            continue;
        }
        let what = format!("`{}` with `{}` would delete project files", deletion.by, deletion.named);
        let instead = "Commit first, so that `git restore` can restore them, or delete single files by name";
        let finding = Finding::new(what, "Uncommitted files cannot be restored", instead);
        return Ok(
            finding.map(|finding| finding.about(AbsolutePath::from_root(path)).seen("git knows", &known))
        );
    }
    Ok(None)
}
