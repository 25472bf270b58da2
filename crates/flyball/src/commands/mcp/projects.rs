//! The projects that may be read, and the one that a path belongs to.

use std::path::{Path, PathBuf};

use flyball_core::policy::PolicyError;
use flyball_world::machine::{holds_home, real_path};

use crate::environment::{self, Environment};
use crate::outcome::Failed;
use crate::show::text::{cut, one_line};

/// The variable that names more projects, separated by colons. Other servers for project knowledge read it too.
pub(super) const ALLOWED: &str = "INTENT_LAYER_ALLOWED_PROJECTS";

/// How much of a client's text is repeated in an error.
const MOST_QUOTED: usize = 200;

/// Why a call is refused, for the model that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) String);

impl From<Failed> for Refusal {
    fn from(failed: Failed) -> Refusal {
        match failed.fix.as_str() {
            "" => Refusal(failed.what),
            fix => Refusal(format!("{}; {fix}", failed.what)),
        }
    }
}

impl From<PolicyError> for Refusal {
    fn from(error: PolicyError) -> Refusal {
        Failed::from(error).into()
    }
}

/// The projects that may be read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Projects {
    /// Their roots, without links; relative paths are below the first.
    pub(super) roots: Vec<PathBuf>,
}

/// A place in a project that may be read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The root of the project.
    pub(super) root: PathBuf,
    /// The path, absolute and without links as far as it exists.
    pub(super) path: PathBuf,
    /// The same as it was asked for.
    pub(super) asked: PathBuf,
}

impl Place {
    /// The path as it is shown: from the root.
    pub(super) fn display_path(&self) -> String {
        let root = self.root.to_string_lossy();
        crate::commands::memory::place::display_path(&self.path.to_string_lossy(), &root)
    }
}

impl Projects {
    /// The project this was started in, those that were named, and those of the environment.
    pub(super) fn open(named: &[PathBuf]) -> Result<Projects, Failed> {
        let mut projects = Vec::new();
        let directory = environment::working_directory();
        if let Some(root) = directory.as_deref().and_then(find_project) {
            projects.push(root);
        }
        for path in named {
            let real = real_path(&directory.clone().unwrap_or_default().join(path));
            if !real.is_dir() {
                let what = format!("the project {} does not exist", path.display());
                return Err(Failed::new(what, "pass `--project` the root of an existing project"));
            }
            projects.push(real);
        }
        let more = environment::variable(ALLOWED).unwrap_or_default();
        // A list shared by several machines may name projects that this one does not have.
        let more = more.split(':').map(Path::new).filter(|path| path.is_absolute() && path.is_dir());
        projects.extend(more.map(real_path));
        let mut seen = Vec::new();
        projects.retain(|project| {
            let is_new = !seen.contains(project);
            seen.push(project.clone());
            is_new
        });
        Ok(Projects { roots: projects })
    }

    /// The place of a client's path, if it may be read.
    pub(super) fn place(&self, path: &str) -> Result<Place, Refusal> {
        if path.contains('\0') {
            return Err(Refusal("the path contains a NUL byte".to_owned()));
        }
        let given = Path::new(path.trim());
        let Some(first) = self.roots.first() else { return Err(self.refuse_outside(path)) };
        // Symlinks and `..` are resolved before the comparison, or a link in a project would lead out of it.
        let asked = first.join(given);
        let real = real_path(&asked);
        let containing = self.roots.iter().filter(|root| real.starts_with(root));
        // The innermost project, whose rules are nearer.
        match containing.max_by_key(|root| root.components().count()) {
            Some(root) => Ok(Place { root: root.clone(), path: real, asked }),
            None => Err(self.refuse_outside(path)),
        }
    }

    fn refuse_outside(&self, path: &str) -> Refusal {
        let roots: Vec<String> = self.roots.iter().map(|root| one_line(&root.to_string_lossy())).collect();
        let allowed = match roots.as_slice() {
            [] => "no project: it was not started in one".to_owned(),
            roots => format!("only what is in {}", roots.join(", ")),
        };
        Refusal(format!(
            "`{}` cannot be read: this server may read {allowed}. A person can allow more with `flyball mcp --project PATH`",
            quote(path)
        ))
    }
}

/// A client's text, shortened to one line.
pub(super) fn quote(text: &str) -> String {
    cut(&one_line(text), MOST_QUOTED)
}

/// The project of a folder. A home folder or the whole disk is not a project, unless it has a marker.
fn find_project(directory: &Path) -> Option<PathBuf> {
    let root = real_path(&environment::project_root(directory));
    let is_marked = root.join("flyball.toml").is_file() || root.join(".git").exists();
    let is_everything = holds_home(&root, Environment::read().home.as_deref());
    (is_marked || !is_everything).then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_belongs_to_the_nearest_project_that_contains_it() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        for name in ["one/inner", "two", "other"] {
            std::fs::create_dir_all(base.join(name)).unwrap();
        }
        std::os::unix::fs::symlink(base.join("other"), base.join("one/out")).unwrap();
        std::os::unix::fs::symlink(base.join("two"), base.join("one/side")).unwrap();
        let projects = Projects { roots: vec![base.join("one"), base.join("two"), base.join("one/inner")] };
        let root = |path: &str| {
            projects.place(path).map(|place| place.root.strip_prefix(&base).unwrap().to_path_buf())
        };
        let absolute = |name: &str| base.join(name).to_string_lossy().into_owned();
        assert_eq!(root("a/b.rs"), Ok(PathBuf::from("one")));
        assert_eq!(root("not/there/../yet.rs"), Ok(PathBuf::from("one")));
        assert_eq!(root("inner/x"), Ok(PathBuf::from("one/inner")));
        assert_eq!(root("side/x"), Ok(PathBuf::from("two")));
        assert_eq!(root(&absolute("two/x")), Ok(PathBuf::from("two")));
        for path in ["../../etc/passwd", "/etc/passwd", "out/x", "..", "a\0b", "x/../../other"] {
            assert!(root(path).is_err(), "{path}");
        }
        assert!(root(&absolute("other/x")).is_err());
        assert!(root(&absolute("twofold")).is_err());
    }
}
