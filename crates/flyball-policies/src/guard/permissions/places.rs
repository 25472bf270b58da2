//! Which files the patterns match, and which are in the project.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Situation, World};
use flyball_core::world::real_root;
use flyball_effects::{Directory, Word};

use super::pattern::{Pattern, PatternTarget};
use super::settings::Rules;
use crate::guard::secret_files::may_hold_secret;

/// Devices: writing to them changes no file.
const DEVICES: &[&str] = &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"];

/// The project and the patterns about files.
pub(super) struct Places<'a> {
    world: &'a dyn World,
    cwd: &'a AbsolutePath,
    root: AbsolutePath,
    rules: &'a Rules,
}

/// What would be done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Edit,
}

impl<'a> Places<'a> {
    pub(super) fn new(situation: &Situation<'a>, rules: &'a Rules) -> Places<'a> {
        let world = situation.world;
        Places { world, cwd: &situation.event.cwd, root: real_root(world), rules }
    }

    /// The path without symlinks of what the event names.
    pub(super) fn real(&self, path: &str) -> AbsolutePath {
        self.world.real_path(self.cwd, path)
    }

    pub(super) fn is_inside(&self, path: &AbsolutePath) -> bool {
        self.below_root(path).is_some()
    }

    /// Whether a command runs in the project, as far as the line says where.
    pub(super) fn runs_inside(&self, directory: &Directory) -> bool {
        self.folders(directory).is_some_and(|folders| folders.iter().all(|folder| self.is_inside(folder)))
    }

    /// The first of these patterns that matches this access to an path.
    pub(super) fn matching_pattern<'p>(
        &self,
        patterns: &'p [Pattern],
        path: &AbsolutePath,
        access: Access,
    ) -> Option<&'p str> {
        let fits = |pattern: &&Pattern| match (&pattern.about, access) {
            (PatternTarget::Edit(glob), Access::Edit) | (PatternTarget::Read(glob), Access::Read) => {
                self.glob_fits(glob, path)
            }
            _ => false,
        };
        patterns.iter().find(fits).map(|pattern| pattern.text.as_str())
    }

    /// What allows this access to an path: a pattern or, for reading, that it is in the
    /// project.
    pub(super) fn allowed_by(&self, path: &AbsolutePath, access: Access) -> Option<&'a str> {
        if DEVICES.contains(&path.as_str()) {
            return Some("a device");
        }
        // Before the patterns, so that a wide one such as `edit:**` covers neither secrets nor git hooks.
        if may_hold_secret(self.world.clients(), path)
            || (access == Access::Edit && self.is_flyball_or_git_file(path))
        {
            return None;
        }
        let is_inside = access == Access::Read && self.is_inside(path);
        self.matching_pattern(&self.rules.allow, path, access).or(is_inside.then_some("the project"))
    }

    /// Whether changing a file that no pattern names stays within what a command was allowed for.
    pub(super) fn may_change(&self, path: &AbsolutePath) -> bool {
        self.is_inside(path)
            && !may_hold_secret(self.world.clients(), path)
            && !self.is_flyball_or_git_file(path)
    }

    /// Why a word of a command is not allowed as a path; `None` if it is.
    pub(super) fn objection(
        &self,
        word: &Word,
        directory: &Directory,
        mode: ReadMode,
    ) -> Option<&'static str> {
        let text = word.text.as_deref()?;
        // A command in an unknown folder is rejected before its words are checked.
        let folders = self.folders(directory)?;
        let paths = candidates(text, mode.is_git);
        for path in paths {
            for folder in &folders {
                if let Some(why) = self.path_objection(path, folder, mode) {
                    return Some(why);
                }
                if let Some(why) = word.glob.then(|| self.glob_objection(path, folder, mode)).flatten() {
                    return Some(why);
                }
            }
        }
        None
    }

    /// Whether a folder has a file in it that may hold secrets. Subfolders are not checked.
    pub(super) fn holds_secret(&self, folder: &str, directory: &Directory) -> bool {
        let places = self.folders(directory).unwrap_or_default();
        places.iter().any(|place| {
            let names = self.world.list(&self.world.real_path(place, folder));
            names.iter().any(|name| may_hold_secret(self.world.clients(), name))
        })
    }

    fn path_objection(&self, path: &str, folder: &AbsolutePath, mode: ReadMode) -> Option<&'static str> {
        let is_other_home = path.starts_with('~') && !path.starts_with("~/");
        let real = self.world.real_path(folder, path);
        if mode.reads_content
            && (may_hold_secret(self.world.clients(), path) || may_hold_secret(self.world.clients(), &real))
        {
            return Some("it may hold secrets");
        }
        let is_known = !is_other_home && self.allowed_name(&real);
        (!is_known).then_some("it is outside the project")
    }

    /// Like [`Places::allowed_by`] for reading, but for the name only: a secret file counts too.
    fn allowed_name(&self, path: &AbsolutePath) -> bool {
        DEVICES.contains(&path.as_str())
            || self.is_inside(path)
            || self.matching_pattern(&self.rules.allow, path, Access::Read).is_some()
    }

    /// The files that a pattern matches now must not look like options or contain secrets.
    fn glob_objection(&self, path: &str, folder: &AbsolutePath, mode: ReadMode) -> Option<&'static str> {
        let (above, name) = path.rsplit_once('/').unwrap_or((".", path));
        let may_be_option = !path.contains('/') && name.starts_with(['*', '?', '[']);
        if above.contains(['*', '?', '[']) {
            return may_be_option.then_some("it may expand to an option");
        }
        let names = self.world.list(&self.world.real_path(folder, above));
        let mut found = names.iter().filter(|entry| {
            // A shell leaves hidden files out unless the pattern begins with a dot.
            entry.starts_with('.') == name.starts_with('.') && fast_glob::glob_match(name, entry.as_str())
        });
        if may_be_option && found.clone().any(|entry| entry.starts_with('-')) {
            return Some("it may expand to an option");
        }
        found
            .any(|entry| mode.reads_content && may_hold_secret(self.world.clients(), entry))
            .then_some("it may hold secrets")
    }

    fn folders(&self, directory: &Directory) -> Option<Vec<AbsolutePath>> {
        match directory {
            Directory::Start => Some(vec![self.real(".")]),
            Directory::OneOf(places) => Some(places.iter().map(|place| self.real(place)).collect()),
            Directory::Unknown => None,
        }
    }

    /// Empty for the root itself.
    fn below_root<'p>(&self, path: &'p AbsolutePath) -> Option<&'p str> {
        if *path == self.root { Some("") } else { path.strip_folder(&self.root) }
    }

    /// Files that belong to flyball or git.
    fn is_flyball_or_git_file(&self, path: &AbsolutePath) -> bool {
        path.split('/').any(|part| part == ".git")
            || path.ends_with("/flyball.toml")
            || self.world.own_files().iter().any(|own| path.is_in(&self.real(&own.path)))
    }

    fn glob_fits(&self, glob: &str, path: &AbsolutePath) -> bool {
        if glob.starts_with(['/', '~']) {
            return fast_glob::glob_match(
                self.world.real_path(&AbsolutePath::default(), glob).as_str(),
                path.as_str(),
            );
        }
        let Some(below) = self.below_root(path) else { return false };
        // `**` also matches the root itself.
        fast_glob::glob_match(glob, below) || (below.is_empty() && glob == "**")
    }
}

/// How a command reads the files it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReadMode {
    /// Their content, not only their names.
    pub(super) reads_content: bool,
    /// It is git, which has names of its own for files: `HEAD:path`.
    pub(super) is_git: bool,
}

/// The paths that a word may contain: itself, the value of an option, what is attached to a letter.
fn candidates(word: &str, is_git: bool) -> Vec<&str> {
    let mut paths = Vec::new();
    match word.strip_prefix('-') {
        // To many programs, `@file` means the content of the file.
        None => paths.push(word.strip_prefix('@').unwrap_or(word)),
        // A value may follow its letter directly: `-f../x`.
        Some(letters) if !letters.starts_with('-') => paths.extend(letters.get(1..)),
        Some(_) => {}
    }
    paths.extend(word.split_once('=').map(|(_, value)| value));
    paths.extend(word.rsplit_once(':').filter(|_| is_git).map(|(_, path)| path));
    paths.retain(|path| !path.is_empty());
    paths
}
