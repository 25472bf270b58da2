//! What a project has besides the files that git knows: installed packages, generated code, local settings.

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Scratch, Workshop};

use super::git::Git;
use crate::pipeline::keys::{ENVIRONMENTS, installed_fingerprint};

/// With more than this, nobody can say how the project was.
const MOST_ENTRIES: usize = 2_000;
/// How many files of them are looked at, to see whether they changed.
const MOST_LOOKS: usize = 3_000;
/// What programs write for themselves. They would write through a link.
const CACHES: &[&str] = &["__pycache__", "target"];

/// What git ignores, and environments that it does not ignore, by their paths in the repository. Other files that git does not
/// know are new.
pub(super) struct Installed {
    entries: Vec<String>,
}

impl Installed {
    /// `None` if git cannot list them, or there are too many.
    pub(super) fn find(git: &Git<'_>) -> Option<Installed> {
        let untracked = ["ls-files", "-z", "--others", "--exclude-standard", "--directory"];
        let ignored = git.names(&[&untracked[..], &["--ignored"]].concat())?;
        let environments = git.names(&untracked)?.into_iter().filter(|path| is_environment(path));
        let mut entries: Vec<String> = ignored
            .into_iter()
            .chain(environments)
            .map(|path| path.trim_end_matches('/').to_owned())
            .filter(|path| !is_cache(path))
            .collect();
        entries.sort_unstable();
        entries.dedup();
        (entries.len() <= MOST_ENTRIES).then_some(Installed { entries })
    }

    /// Changes when they do.
    pub(super) fn fingerprint(&self, workshop: &dyn Workshop, top: &AbsolutePath) -> String {
        let mut text = String::new();
        if let Some(active) = workshop.variable("VIRTUAL_ENV").and_then(AbsolutePath::new) {
            text.push_str(&installed_fingerprint(workshop, &active));
        }
        let mut open: Vec<AbsolutePath> = self.entries.iter().map(|entry| top.join(entry)).collect();
        let mut looks = 0;
        while let Some(path) = open.pop() {
            looks += 1;
            let Some(stat) = workshop.stat(&path) else { continue };
            if is_environment(&path) {
                text.push_str(&installed_fingerprint(workshop, &path));
            } else if stat.is_folder && looks < MOST_LOOKS {
                let names = workshop.list(&path).into_iter().filter(|name| !is_cache(name));
                open.extend(names.map(|name| path.join(&name)));
                text.push_str(&format!("{path}\n"));
            } else {
                text.push_str(&format!("{} {} {path}\n", stat.bytes, stat.changed_nanos));
            }
        }
        workshop.hash(text.as_bytes()).as_str().to_owned()
    }

    /// Links them into a tree.
    pub(super) fn link(&self, workshop: &dyn Workshop, places: &Places<'_>) {
        for entry in &self.entries {
            let (from, to) = (places.top.join(entry), places.tree.join(entry));
            // It may be a part of the repository.
            if workshop.stat(&to).is_none() {
                places.link(workshop, &from, &to);
            }
        }
    }
}

/// A repository, and its copy in a folder of ours.
pub(super) struct Places<'p> {
    pub top: &'p AbsolutePath,
    pub tree: &'p AbsolutePath,
    pub scratch: &'p dyn Scratch,
}

impl Places<'_> {
    fn link(&self, workshop: &dyn Workshop, from: &AbsolutePath, to: &AbsolutePath) {
        let is_of_packages = is_environment(from) && from.ends_with("node_modules");
        if !(is_of_packages && self.has_own_packages(workshop, from)) {
            self.scratch.link(to, from);
            return;
        }
        for name in workshop.list(from) {
            let (from, to) = (from.join(&name), to.join(&name));
            match self.own_package(workshop, &from) {
                Some(package) => _ = self.scratch.link(&to, &package),
                // Packages of one owner.
                None if name.starts_with('@') => {
                    for name in workshop.list(&from) {
                        let from = from.join(&name);
                        let package = self.own_package(workshop, &from);
                        self.scratch.link(&to.join(&name), package.as_ref().unwrap_or(&from));
                    }
                }
                None => _ = self.scratch.link(&to, &from),
            }
        }
    }

    /// Whether packages of the repository itself are installed here, by links: they were other ones.
    fn has_own_packages(&self, workshop: &dyn Workshop, folder: &AbsolutePath) -> bool {
        workshop.list(folder).iter().any(|name| {
            let path = folder.join(name);
            self.own_package(workshop, &path).is_some()
                || (name.starts_with('@')
                    && workshop
                        .list(&path)
                        .iter()
                        .any(|name| self.own_package(workshop, &path.join(name)).is_some()))
        })
    }

    /// Where a package of the repository itself is in the copy.
    fn own_package(&self, workshop: &dyn Workshop, path: &AbsolutePath) -> Option<AbsolutePath> {
        let real = workshop.real_path(path, ".");
        let below = real.strip_folder(self.top)?;
        let is_own = real != *path && !below.split('/').any(is_environment);
        is_own.then(|| self.tree.join(below))
    }
}

fn name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

fn is_environment(path: &str) -> bool {
    ENVIRONMENTS.contains(&name(path))
}

fn is_cache(path: &str) -> bool {
    let name = name(path);
    let is_hidden_cache = name.starts_with('.') && name.trim_end_matches('s').ends_with("cache");
    is_hidden_cache || CACHES.contains(&name) || name.ends_with(".pyc") || name.ends_with(".tsbuildinfo")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_write_for_themselves_is_not_linked() {
        for path in
            [".mypy_cache", "a/.eslintcache", ".ruff_cache/", "a/__pycache__", "target/", "a.tsbuildinfo"]
        {
            assert!(is_cache(path), "{path}");
        }
        for path in ["node_modules", ".nuxt", "gen", ".env", "dist", "src/cache", ".svelte-kit"] {
            assert!(!is_cache(path), "{path}");
        }
    }
}
