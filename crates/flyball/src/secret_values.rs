//! The values that must not be stored: those of this machine's secret files and variables.

use std::path::{Path, PathBuf};

use flyball_core::policy::PolicyError;
use flyball_core::redact::{self, Values};
use flyball_world::machine::real_path;
use flyball_world::project::Project;
use flyball_world::secret_values::{add_file, add_folder, add_home};

use crate::environment::{self, Environment};

/// The note with the paths of secret files that sessions of a project used. Only paths: the values stay where they are.
const SEEN_KEY: &str = "secret-files";

/// No more paths than that are noted.
const MOST_SEEN: usize = 64;

/// The values around a folder of a project whose root is given without symlinks.
pub(crate) fn values(environment: &Environment, root: &Path, cwd: &Path) -> Values {
    let mut values = Values::default();
    for (name, value) in environment::variables() {
        values.add_variable(&name, &value);
    }
    add_folder(&mut values, root);
    if cwd != root {
        add_folder(&mut values, cwd);
    }
    if let Some(home) = &environment.home {
        add_home(&mut values, home);
    }
    for path in seen(environment, root) {
        add_file(&mut values, &path);
    }
    // The project's own name is in every path.
    values.forget_in(&root.to_string_lossy());
    values
}

/// Makes the commands of flyball strike out the values of the project that they are started in.
pub(crate) fn learn_here() {
    if let Some(folder) = environment::working_directory() {
        redact::know(values(&Environment::read(), &real_path(&environment::project_root(&folder)), &folder));
    }
}

/// The secret files that sessions of this project used before.
pub(crate) fn seen(environment: &Environment, root: &Path) -> Vec<PathBuf> {
    let Some(state) = environment.state_dir() else { return Vec::new() };
    // If it cannot be read, the files of the project and the user are still known.
    let note =
        Project::at_real_path(state, root.to_path_buf()).note(SEEN_KEY).ok().flatten().unwrap_or_default();
    note.lines().map(PathBuf::from).collect()
}

/// Notes secret files that a session uses.
pub(crate) fn note_seen(
    environment: &Environment,
    root: &Path,
    paths: &[PathBuf],
) -> Result<(), PolicyError> {
    let Some(state) = environment.state_dir().filter(|_| !paths.is_empty()) else { return Ok(()) };
    Project::at_real_path(state, root.to_path_buf()).change_note(SEEN_KEY, &mut |before| {
        let mut lines: Vec<String> = before.unwrap_or_default().lines().map(str::to_owned).collect();
        let known = lines.len();
        for path in paths {
            let line = path.to_string_lossy().into_owned();
            if !lines.contains(&line) && lines.len() < MOST_SEEN {
                lines.push(line);
            }
        }
        Ok((lines.len() > known).then(|| lines.join("\n")))
    })
}
