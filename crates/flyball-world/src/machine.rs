//! The real world behind the trait that policies see.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use flyball_core::policy::{OwnFile, World};

/// The machine this process runs on, seen from one event.
pub struct Machine {
    started: Instant,
    home: Option<PathBuf>,
    root: String,
    own: Vec<OwnFile>,
    resolver: Resolver,
}

impl Machine {
    /// The world of an event of the project at `root`.
    #[must_use]
    pub fn new(started: Instant, home: Option<PathBuf>, root: &Path, own: Vec<OwnFile>) -> Machine {
        Machine {
            started,
            home,
            root: root.to_string_lossy().into_owned(),
            own,
            resolver: Resolver::default(),
        }
    }
}

impl World for Machine {
    fn micros(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn real_path(&self, base: &str, path: &str) -> String {
        let home = self.home.as_deref();
        let path = match (path.strip_prefix('~'), home) {
            (Some(""), Some(home)) => home.to_path_buf(),
            (Some(rest), Some(home)) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
            _ => Path::new(base).join(path),
        };
        self.resolver.real_path(&path).to_string_lossy().into_owned()
    }

    fn project_root(&self) -> &str {
        &self.root
    }

    fn own_files(&self) -> &[OwnFile] {
        &self.own
    }
}

/// Resolves paths component by component, and remembers each: the words of one command line share
/// most of theirs.
#[derive(Default)]
struct Resolver {
    seen: Mutex<HashMap<PathBuf, PathBuf>>,
}

/// A path without symlinks and `..`, as far as it exists; the rest keeps its names.
#[must_use]
pub fn real_path(path: &Path) -> PathBuf {
    Resolver::default().real_path(path)
}

/// How many symlinks one path may lead through; beyond that it leads nowhere.
const MOST_LINKS: usize = 40;

impl Resolver {
    /// A path without symlinks and `..`, as far as it exists; the rest keeps its names. What a
    /// dangling symlink points to counts as its path: writing to the link makes that file.
    fn real_path(&self, path: &Path) -> PathBuf {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        resolve(path, MOST_LINKS, &mut seen)
    }
}

fn resolve(path: &Path, links: usize, seen: &mut HashMap<PathBuf, PathBuf>) -> PathBuf {
    let mut real = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(real.pop()),
            Component::Prefix(_) | Component::RootDir => real.push(part),
            Component::Normal(name) => {
                let next = real.join(name);
                if let Some(known) = seen.get(&next) {
                    real.clone_from(known);
                    continue;
                }
                // `read_link` answers for links and fails for all else, in one system call.
                match next.read_link() {
                    Ok(target) if links > 0 => {
                        real = resolve(&real.join(target), links - 1, seen);
                        seen.insert(next, real.clone());
                    }
                    Ok(_) | Err(_) => {
                        seen.insert(next.clone(), next.clone());
                        real = next;
                    }
                }
            }
        }
    }
    real
}

/// The root of the project a directory belongs to: the nearest folder above it that holds a
/// `flyball.toml`, else the nearest that holds `.git`, else the directory itself.
#[must_use]
pub fn project_root(from: &Path) -> PathBuf {
    let above = || from.ancestors();
    let configured = above().find(|folder| folder.join("flyball.toml").is_file());
    let found = configured.or_else(|| above().find(|folder| folder.join(".git").exists()));
    found.unwrap_or(from).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_parents_and_missing_parts_are_resolved() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("real")).unwrap();
        std::os::unix::fs::symlink(root.join("real"), root.join("link")).unwrap();
        std::os::unix::fs::symlink(root.join("real/target.toml"), root.join("dangling")).unwrap();
        let cases = [
            ("link/new.toml", "real/new.toml"),
            ("real/../x", "x"),
            ("link/a/../b", "real/b"),
            ("nowhere/../real/y", "real/y"),
            ("dangling", "real/target.toml"),
            ("loop", "loop"),
            ("nowhere/../link/z", "real/z"),
        ];
        std::os::unix::fs::symlink("loop", root.join("loop")).unwrap();
        let resolver = Resolver::default();
        // Twice: what was remembered must be what was found.
        for (given, expected) in cases.iter().chain(&cases) {
            assert_eq!(resolver.real_path(&root.join(given)), root.join(expected), "{given}");
        }
    }

    #[test]
    fn the_nearest_config_wins_over_the_repository() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir_all(root.join("repo/.git")).unwrap();
        std::fs::create_dir_all(root.join("repo/app/src")).unwrap();
        assert_eq!(project_root(&root.join("repo/app/src")), root.join("repo"));
        std::fs::write(root.join("repo/app/flyball.toml"), "").unwrap();
        assert_eq!(project_root(&root.join("repo/app/src")), root.join("repo/app"));
    }
}
