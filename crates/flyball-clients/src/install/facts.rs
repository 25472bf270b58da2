//! Facts about a client's files. Paths are only put together here; nobody looks at a disk.

use std::path::{Path, PathBuf};

/// Whom a settings file governs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// All who work on the project: the file is committed.
    Project,
    /// One person in one project.
    Local,
    /// One person everywhere.
    User,
    /// Everyone on the machine: an administrator's file.
    Managed,
}

/// What a place is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The project's root.
    Project,
    /// The client's own folder in the user's home.
    ClientHome,
    /// Nothing: the path is absolute.
    System,
}

/// A file or folder of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// What the path is relative to.
    pub base: Base,
    /// The path.
    pub path: &'static str,
}

impl Place {
    /// A place in the project.
    #[must_use]
    pub const fn in_project(path: &'static str) -> Place {
        Place { base: Base::Project, path }
    }

    /// A place in the client's own folder.
    #[must_use]
    pub const fn in_client_home(path: &'static str) -> Place {
        Place { base: Base::ClientHome, path }
    }

    /// A place of the whole machine.
    #[must_use]
    pub const fn of_the_system(path: &'static str) -> Place {
        Place { base: Base::System, path }
    }
}

/// Something that keeps registered hooks from running, for `flyball doctor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocker {
    /// The file in which it would stand.
    pub place: Place,
    /// The key, from the outside in.
    pub key: &'static [&'static str],
    /// The value that does the harm.
    pub harmful: bool,
    /// What it does then.
    pub effect: &'static str,
}

/// By what one sees that a client is in use; any of it is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presence {
    /// Files and folders that it leaves behind.
    pub places: &'static [Place],
    /// Names of its program; each prints its version for `--version`.
    pub programs: &'static [&'static str],
}

/// All that is known about a client's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The environment variable that moves the client's own folder.
    pub home_variable: &'static str,
    /// The environment variable that tells the programs it starts the id of their session.
    pub session_variable: &'static str,
    /// The environment variables by which a program knows that the client's agent started it.
    pub marks: &'static [&'static str],
    /// The names of its processes; with a `/`, a part of the path of the script that an
    /// interpreter runs.
    pub processes: &'static [&'static str],
    /// The client's own folder below the user's home otherwise.
    pub home_folder: &'static str,
    /// The files in which hooks can be registered as JSON, by scope.
    pub settings: &'static [(Scope, Place)],
    /// The folders in which it reads definitions of agents, by scope; none if it has no such files.
    pub agents: &'static [(Scope, Place)],
    /// The folders in which it reads slash commands, by scope.
    pub commands: &'static [(Scope, Place)],
    /// The files that decide whether our hooks run: an agent may not change them.
    pub guarded: &'static [Place],
    /// The key of its settings below which plugins are enabled by name, if it has plugins.
    pub plugins: Option<&'static str>,
    /// What can keep our hooks from running.
    pub blockers: &'static [Blocker],
    /// By what one sees that the client is in use.
    pub presence: Presence,
    /// What a person has to do before hooks of a newly registered file run, if anything.
    pub after_install: Option<&'static str>,
}

impl Facts {
    /// The settings file of a scope; `None` where the client has none.
    #[must_use]
    pub fn settings_file(&self, scope: Scope, places: &Places) -> Option<PathBuf> {
        let (_, place) = self.settings.iter().find(|(of, _)| *of == scope)?;
        Some(self.locate(place, places))
    }

    /// Where a place is on this machine.
    #[must_use]
    pub fn locate(&self, place: &Place, places: &Places) -> PathBuf {
        match place.base {
            Base::Project => places.project.join(place.path),
            Base::ClientHome => self.client_home(places).join(place.path),
            Base::System => PathBuf::from(place.path),
        }
    }

    /// The client's own folder.
    #[must_use]
    pub fn client_home(&self, places: &Places) -> PathBuf {
        let moved = (places.variable)(self.home_variable).filter(|path| !path.is_empty());
        moved.map_or_else(|| places.home.join(self.home_folder), PathBuf::from)
    }
}

/// Where things are on this machine.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// The project's root.
    pub project: &'a Path,
    /// The user's home.
    pub home: &'a Path,
    /// Reads an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}
