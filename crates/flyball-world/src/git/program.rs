//! Which git is asked, and what it is not told.
//!
//! Rules depend on git's answers, so an agent must not choose who answers: not by a program that it put into the
//! project, not by a variable, and not by the repository's own configuration.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use flyball_core::policy::PolicyError;
use flyball_system::{PATH_SEPARATOR, PermissionsExt};

use super::places::Places;
use super::run::run;
use crate::executable::{is_of_system, is_program};
use crate::unknown::is_known_absence;

/// Where git usually is, if nothing else names a place.
const USUAL: [&str; 6] = [
    "/usr/bin",
    "/usr/local/bin",
    "/bin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
    "/run/current-system/sw/bin",
];

/// Variables that no program gets. Set by a hook of git's own that started the client, they would lead git to another
/// repository; the last one would change what it prints.
pub(crate) const MISLEADING: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF"];

/// Further variables that our own questions do not pass on: they lead git to other objects, configuration, programs or
/// meanings of a path.
const REDIRECTING: [&str; 25] = [
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_CONFIG",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    // Without their number, the numbered ones are not read.
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIFF_OPTS",
    "GIT_EXEC_PATH",
    "GIT_ATTR_SOURCE",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE_SETUP",
];

/// The absolute path of git, from the folders that are searched for programs. Not from the project, which agents write
/// to, nor from a folder that everybody can write to.
pub(super) fn find(search: Option<&str>, project: &Path) -> Option<PathBuf> {
    candidates(search, project).next()
}

/// The same, but one of the system before one that an agent can replace.
pub(super) fn find_of_system(search: Option<&str>, project: &Path) -> Option<PathBuf> {
    candidates(search, project).find(|program| is_of_system(program)).or_else(|| find(search, project))
}

fn candidates<'a>(search: Option<&'a str>, project: &'a Path) -> impl Iterator<Item = PathBuf> + 'a {
    let searched = search.unwrap_or_default().split(PATH_SEPARATOR).map(Path::new);
    let folders = searched.filter(|folder| folder.is_absolute()).chain(USUAL.iter().map(Path::new));
    let outside = folders.filter(move |folder| !folder.starts_with(project));
    // Most of them have no git, and need no further look.
    let programs =
        outside.map(|folder| (folder, folder.join("git"))).filter(|(_, program)| is_program(program));
    programs.filter(|(folder, _)| !is_writable_by_all(folder)).map(|(_, program)| program)
}

/// Whether everybody can put a program into a folder: by writing to it, or by replacing a folder above it. In folders
/// such as `/tmp` only the owner of a folder can replace it.
fn is_writable_by_all(folder: &Path) -> bool {
    const OTHERS_WRITE: u32 = 0o002;
    const ONLY_OWN: u32 = 0o1000;
    let mode = |folder: &Path| folder.metadata().map_or(0, |found| found.permissions().mode());
    let replaces = |folder: &Path| mode(folder) & OTHERS_WRITE != 0 && mode(folder) & ONLY_OWN == 0;
    mode(folder) & OTHERS_WRITE != 0 || folder.ancestors().skip(1).any(replaces)
}

/// A call of git that asks and never changes.
pub(super) fn command(program: &Path, folder: &Path) -> Command {
    let mut command = plain_command(program, folder);
    // In a container the files often belong to another user. That git refuses such repositories is meant to keep their
    // programs from being started, and none is.
    command.args(["-c", "safe.directory=*"]);
    for variable in MISLEADING.iter().chain(&REDIRECTING) {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The same in the environment as it is.
pub(super) fn plain_command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    // Without the optional lock git would write its index while the user's own git waits.
    command.arg("--no-optional-locks").arg("-C").arg(folder);
    // A repository must not choose the programs that are started: that is the user's decision.
    command.args([
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "log.showSignature=false",
        // What a repository could set so that changed files are not looked at.
        "-c",
        "core.trustctime=true",
        "-c",
        "core.checkStat=default",
        "-c",
        "sparse.expectFilesOutsideOfPatterns=false",
    ]);
    command.args(["-c", "color.ui=false"]).env("LC_ALL", "C");
    // `git replace` would show other content than a commit has.
    command.env("GIT_NO_REPLACE_OBJECTS", "1");
    command
}

/// The settings that switch off the filters that a repository's own configuration defines. Only a repository that
/// defines some costs another process.
pub(super) fn without_filters(program: &Path, folder: &Path) -> Result<Vec<String>, PolicyError> {
    let defines = |config: PathBuf| match std::fs::read(config) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).to_lowercase();
            text.contains("[filter") || text.contains("[include")
        }
        // What could not be read may define some.
        Err(cause) => !is_known_absence(&cause),
    };
    let configs = Places::of(folder).map(|places| places.configs());
    if !configs.into_iter().flatten().any(defines) {
        return Ok(Vec::new());
    }
    let question = ["config", "--local", "--includes", "--name-only", "-z", "--get-regexp", r"^filter\."];
    let mut asked = command(program, folder);
    asked.args(question);
    let finished = run(asked, &question)?;
    // 1: there are none.
    if !matches!(finished.code(), Some(0 | 1)) {
        return Err(finished.trouble(&question));
    }
    let answer = finished.output;
    let settings = answer.split('\0').filter_map(|key| {
        let (driver, setting) = key.rsplit_once('.')?;
        match setting {
            // An empty command filters nothing.
            "clean" | "smudge" | "process" => Some(format!("{driver}.{setting}=")),
            "required" => Some(format!("{driver}.required=false")),
            _ => None,
        }
    });
    Ok(settings.flat_map(|setting| ["-c".to_owned(), setting]).collect())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};

    use super::*;

    fn program(folder: &Path, mode: u32) -> String {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("git"), "#!/bin/sh\n").unwrap();
        fs::set_permissions(folder.join("git"), Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
        folder.to_string_lossy().into_owned()
    }

    #[test]
    fn the_project_and_open_folders_do_not_answer_for_git() {
        // Below the folder of the build, because the usual temporary folder is open to everybody.
        let place = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let project = place.path().join("project");
        let (inside, open, good) =
            (project.join("bin"), place.path().join("open"), place.path().join("good"));
        let search = [program(&inside, 0o755), program(&open, 0o777), program(&good, 0o755)].join(":");
        assert_eq!(find(Some(&format!("bin:{search}")), &project), Some(good.join("git")));
        assert!(find(None, &project).is_some(), "git is where it usually is");
    }

    #[test]
    fn where_agents_cannot_replace_one_it_is_asked() {
        let place = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        // Another user than root may write there.
        let search = program(&place.path().join("bin"), 0o775);
        let project = place.path().join("project");
        let planted = place.path().join("bin/git");
        assert_eq!(find(Some(&search), &project).as_ref(), Some(&planted));
        let found = find_of_system(Some(&search), &project).unwrap();
        assert!(is_of_system(&found) || found == planted, "{}", found.display());
        let has_own = USUAL.iter().any(|folder| is_of_system(&Path::new(folder).join("git")));
        assert_eq!(found != planted, has_own);
    }
}
