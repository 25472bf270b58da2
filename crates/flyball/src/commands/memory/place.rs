//! A project as the commands about its knowledge see it.

use std::path::Path;

use flyball_world::machine::Machine;

use crate::project_context::ProjectContext;

/// This machine, seen from the project at `root`.
pub(in crate::commands) fn machine(root: &Path) -> Machine {
    ProjectContext::at(root.to_path_buf()).machine()
}

/// A path as it is shown: from the root of the project, if it is below it.
pub(in crate::commands) fn display_path(path: &str, root: &str) -> String {
    match Path::new(path).strip_prefix(root) {
        Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Ok(below) => below.to_string_lossy().into_owned(),
        Err(_) => path.to_owned(),
    }
}
