//! Paths without symlinks.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Resolves paths component by component, and remembers each: the words of one command line share
/// most of theirs.
#[derive(Default)]
pub(crate) struct Resolver {
    seen: Mutex<HashMap<PathBuf, PathBuf>>,
}

/// A path without symlinks and `..`, as far as it exists; the rest keeps its names.
#[must_use]
pub fn real_path(path: &Path) -> PathBuf {
    Resolver::default().real_path(path)
}

/// How many symlinks one path may lead through; beyond that it leads nowhere, as for Linux (`ELOOP`).
const MOST_LINKS: usize = 40;

impl Resolver {
    /// A path without symlinks and `..`, as far as it exists; the rest keeps its names. What a
    /// dangling symlink points to counts as its path: writing to the link makes that file.
    pub(crate) fn real_path(&self, path: &Path) -> PathBuf {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        // Long lines name the same places again and again.
        if let Some(known) = seen.get(path) {
            return known.clone();
        }
        let real = resolve(path, MOST_LINKS, &mut seen);
        seen.insert(path.to_path_buf(), real.clone());
        real
    }
}

fn resolve(path: &Path, links: usize, seen: &mut HashMap<PathBuf, PathBuf>) -> PathBuf {
    let mut real = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            // After a link was followed, as the kernel does it: `link/..` is the parent of its target.
            Component::ParentDir => _ = real.pop(),
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
                        // An absolute target replaces all of `real`.
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
}
