//! Paths without symlinks.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::unknown::Unknown;

/// Resolves paths component by component, and remembers each: the words of one command line share
/// most of theirs.
#[derive(Default)]
pub struct Resolver {
    seen: Mutex<Seen>,
}

/// By the path as it is written: text is compared faster than the parts of a path.
type Seen = HashMap<OsString, Place>;

/// What is at a path whose folder is without symlinks.
#[derive(Clone)]
enum Place {
    /// A file or folder.
    Itself,
    /// Nothing that could be looked into, so that nothing below it is there either.
    Missing,
    /// It is a symlink, or not written in the shortest way.
    LeadsTo(PathBuf),
}

/// A path without symlinks and `..`, as far as it exists; the rest keeps its names.
#[must_use]
pub fn real_path(path: &Path) -> PathBuf {
    Resolver::default().real_path(path, &Unknown::default())
}

/// How many symlinks one path may lead through; beyond that it leads nowhere, as for Linux (`ELOOP`).
const MOST_LINKS: usize = 40;

impl Resolver {
    /// [`real_path`], with what is remembered of other paths.
    #[must_use]
    pub fn real(&self, path: &Path) -> PathBuf {
        self.real_path(path, &Unknown::default())
    }

    /// The same if something is there; what a link that leads nowhere leads to is not.
    #[must_use]
    pub fn existing(&self, path: &Path) -> Option<PathBuf> {
        let real = self.real(path);
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let is_there = match seen.get(real.as_os_str()) {
            Some(Place::Itself) => true,
            Some(Place::LeadsTo(_)) => real.exists(),
            Some(Place::Missing) => false,
            // Below something that is missing nothing was looked for.
            None => !is_below_missing(&seen, &real) && real.exists(),
        };
        is_there.then_some(real)
    }

    /// Has just looked at a folder that is without symlinks, and so at those above it.
    pub(crate) fn has_seen(&self, real: &Path) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        for folder in real.ancestors().filter(|folder| folder.parent().is_some()) {
            seen.insert(folder.into(), Place::Itself);
        }
    }

    /// A path without symlinks and `..`, as far as it exists; the rest keeps its names. What a
    /// dangling symlink points to counts as its path: writing to the link makes that file.
    pub(crate) fn real_path(&self, path: &Path, unknown: &Unknown) -> PathBuf {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        // Long lines name the same places again and again.
        match seen.get(path.as_os_str()) {
            Some(Place::LeadsTo(real)) => return real.clone(),
            Some(Place::Itself | Place::Missing) => return path.to_path_buf(),
            None => {}
        }
        let mut lookup = Lookup { seen: &mut seen, unknown, is_too_far: false };
        let real = lookup.resolve(path, MOST_LINKS);
        if !lookup.is_too_far && real.as_os_str() != path.as_os_str() {
            seen.insert(path.into(), Place::LeadsTo(real.clone()));
        }
        real
    }
}

fn is_below_missing(seen: &Seen, path: &Path) -> bool {
    let mut above = path.ancestors().skip(1).filter_map(|folder| seen.get(folder.as_os_str()));
    above.next().is_some_and(|nearest| matches!(nearest, Place::Missing))
}

/// Looks up what is not known yet.
struct Lookup<'a> {
    seen: &'a mut Seen,
    /// Where it is noted that something could not be looked up.
    unknown: &'a Unknown,
    /// Whether it led through too many links. Then nothing of it is remembered: from further on, they may not be too many.
    is_too_far: bool,
}

impl Lookup<'_> {
    fn resolve(&mut self, path: &Path, links: usize) -> PathBuf {
        let mut real = PathBuf::with_capacity(path.as_os_str().len());
        // How many of the last components are not there. Nothing below them has to be looked up.
        let mut missing = 0_usize;
        for part in path.components() {
            match part {
                Component::CurDir => {}
                // After a link was followed, as the kernel does it: `link/..` is the parent of its target.
                Component::ParentDir => {
                    real.pop();
                    missing = missing.saturating_sub(1);
                }
                Component::Prefix(_) | Component::RootDir => real.push(part),
                Component::Normal(name) => {
                    real.push(name);
                    if missing > 0 {
                        missing += 1;
                        continue;
                    }
                    let known = self.seen.get(real.as_os_str()).cloned();
                    let place = match known {
                        Some(place) => place,
                        None => self.look_and_remember(&real, links),
                    };
                    match place {
                        Place::LeadsTo(target) => real = target,
                        Place::Missing => missing = 1,
                        Place::Itself => {}
                    }
                }
            }
        }
        real
    }

    fn look_and_remember(&mut self, path: &Path, links: usize) -> Place {
        let place = self.look(path, links);
        if !self.is_too_far {
            self.seen.insert(path.into(), place.clone());
        }
        place
    }

    fn look(&mut self, path: &Path, links: usize) -> Place {
        // `read_link` answers for links and fails for all else, in one system call.
        match path.read_link() {
            // An absolute target replaces the folder.
            Ok(target) if links > 0 => {
                let folder = path.parent().unwrap_or(path);
                Place::LeadsTo(self.resolve(&folder.join(target), links - 1))
            }
            Ok(_) => {
                self.is_too_far = true;
                Place::Itself
            }
            // Not a link. The system says so; a name that it cannot have is refused before.
            Err(cause) if cause.kind() == ErrorKind::InvalidInput && cause.raw_os_error().is_some() => {
                Place::Itself
            }
            Err(cause) => {
                self.unknown.note(path, &cause);
                Place::Missing
            }
        }
    }
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
            assert_eq!(
                resolver.real_path(&root.join(given), &Unknown::default()),
                root.join(expected),
                "{given}"
            );
        }
    }

    #[test]
    fn a_chain_of_too_many_links_hides_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::write(root.join("end"), "").unwrap();
        let link = |number: usize| root.join(format!("l{number}"));
        for number in 0..60 {
            let target = if number == 59 { root.join("end") } else { link(number + 1) };
            std::os::unix::fs::symlink(target, link(number)).unwrap();
        }
        let resolver = Resolver::default();
        let unknown = Unknown::default();
        resolver.real_path(&link(0), &unknown);
        for number in 25..60 {
            assert_eq!(resolver.real_path(&link(number), &unknown), root.join("end"), "{number}");
        }
    }

    #[test]
    fn a_path_of_very_many_parts_is_resolved_at_once() {
        let long = format!("/nowhere/{}", "a/../b/".repeat(500_000));
        let expected = format!("/nowhere/{}", "b/".repeat(500_000));
        assert_eq!(real_path(Path::new(&long)), Path::new(&expected));
    }
}
