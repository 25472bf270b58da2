//! The folders that commands run in.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Situation, World};
use flyball_effects::{Command, Directory};

use super::detect;

/// What is known of the folder where a command runs. Only read where the replacement depends on it.
#[derive(Clone, Copy)]
pub(super) struct WorkingFolder<'a> {
    pub(super) world: &'a dyn World,
    /// None if it cannot be known.
    pub(super) folder: Option<&'a AbsolutePath>,
}

impl WorkingFolder<'_> {
    /// Whether there is such a file in the folder or, up to the project's root, above it.
    pub(super) fn has_file_upwards(&self, name: &str) -> bool {
        self.upwards().iter().any(|folder| self.world.stat(&folder.join(name)).is_some())
    }

    /// Whether there is such a file in the folder itself.
    pub(super) fn has_file(&self, name: &str) -> bool {
        self.folder.is_some_and(|folder| self.world.stat(&folder.join(name)).is_some())
    }

    /// The text of a file in the folder itself.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        detect::text(self.world, &self.folder?.join(name)).ok()?
    }

    /// Whether the project's yarn is of version 2 or later.
    pub(super) fn has_modern_yarn(&self) -> bool {
        self.upwards().iter().find_map(|folder| detect::modern_yarn(self.world, folder)).unwrap_or_default()
    }

    fn upwards(&self) -> Vec<AbsolutePath> {
        self.folder.map(|folder| detect::upwards(self.world, folder)).unwrap_or_default()
    }
}

/// The folders a command may run in; none if that cannot be known. `inner` is a folder that the command
/// names itself.
pub(super) fn folders(
    situation: &Situation<'_>,
    command: &Command,
    inner: Option<&str>,
) -> Vec<AbsolutePath> {
    let bases: Vec<&str> = match &command.directory {
        Directory::Start => vec!["."],
        Directory::OneOf(places) => places.iter().map(String::as_str).collect(),
        Directory::Unknown => return Vec::new(),
    };
    let inner = inner.map(|folder| folder.trim_matches(['\'', '"']));
    if inner.is_some_and(|folder| folder.contains(['$', '`'])) {
        return Vec::new();
    }
    let world = situation.world;
    let absolute = bases.into_iter().map(|base| world.real_path(&situation.event.cwd, base));
    absolute.map(|base| inner.map_or_else(|| base.clone(), |folder| world.real_path(&base, folder))).collect()
}
