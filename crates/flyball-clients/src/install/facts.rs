//! Facts about a client's files and variables. Paths are only put together here; nothing reads the disk.

use std::path::{Path, PathBuf};

use flyball_core::client::ClientFacts;

use super::handler::CommandForm;
use super::version::Version;

/// Whom a settings file governs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// All who work on the project: the file is committed.
    Project,
    /// One person in one project.
    Local,
    User,
    /// Everyone on the machine: an administrator's file.
    Managed,
}

/// What a place is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
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
    pub const fn in_system(path: &'static str) -> Place {
        Place { base: Base::System, path }
    }
}

/// Something that prevents registered hooks from running, for `flyball doctor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocker {
    /// The file it is set in.
    pub place: Place,
    /// The key, from the outside in.
    pub key: &'static [&'static str],
    /// The value that prevents them.
    pub harmful: bool,
    /// What it does then.
    pub effect: &'static str,
}

/// Who executes the hooks of a client's settings files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadBy {
    /// Other clients too, each with a payload of its own.
    OthersToo,
    /// The client itself only.
    ItselfOnly,
}

/// The JSON file with the tool servers of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServersFile {
    /// Its path in the project.
    pub path: &'static str,
    /// The key below which servers are listed by name.
    pub key: &'static str,
}

/// What is known of a client's plugins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plugins {
    /// The key of its settings below which plugins are enabled by name.
    pub enabled_key: &'static str,
    /// The oldest client that our plugin is for. An event that came later would cost this one all hooks of the file.
    pub oldest: Version,
}

/// All that is known about a client's files, variables and options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// What policies may know too.
    pub shared: &'static ClientFacts,
    /// The environment variable with the session's id, for the programs it starts.
    pub session_variable: &'static str,
    /// The variable with the session's id, for its hooks; none if it has none.
    pub hook_session_variable: Option<&'static str>,
    /// The variable by which it marks all that it starts, also its hooks; none if it does not.
    pub hook_mark: Option<&'static str>,
    /// The environment variables by which a program knows that the client's agent started it.
    pub marks: &'static [&'static str],
    /// The variables that it sets only for the commands of its agent, not for its hooks.
    pub tool_marks: &'static [&'static str],
    /// The names of its processes; with a `/`, a part of the path of the script that an
    /// interpreter runs.
    pub processes: &'static [&'static str],
    /// The client's own folder below the user's home, unless a variable moves it. Its folder in a project has the same
    /// name.
    pub home_folder: &'static str,
    /// The files in which hooks can be registered as JSON, by scope.
    pub settings: &'static [(Scope, Place)],
    /// Who executes the hooks in them.
    pub settings_read_by: ReadBy,
    /// The folders in which it reads definitions of agents, by scope; none if it has no such files.
    pub agents: &'static [(Scope, Place)],
    /// The folders in which it reads slash commands, by scope.
    pub commands: &'static [(Scope, Place)],
    /// The files that decide whether our hooks run: an agent may not change them.
    pub guarded: &'static [Place],
    /// Its plugins, if it has any.
    pub plugins: Option<Plugins>,
    /// The key of its settings that holds a command for a status line, if it shows one.
    pub status_line: Option<&'static str>,
    /// Where it reads the tool servers of a project, if that is a file of JSON.
    pub servers: Option<ServersFile>,
    /// The command that registers a tool server; its name, `--` and its command line follow.
    pub add_server: &'static str,
    /// What can prevent our hooks from running.
    pub blockers: &'static [Blocker],
    /// Files and folders that it leaves behind: by any of them, or by its program, one sees that it is in use.
    pub traces: &'static [Place],
    /// What a person has to do before hooks of a newly registered file run, if anything.
    pub after_install: Option<&'static str>,
    /// The version to assume of a client that does not report its own. None if all events can be registered with it.
    pub assumed_version: Option<Version>,
    /// The first version that starts a program with arguments itself; none if it always asks a shell.
    pub exec_since: Option<Version>,
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

    /// How a handler is written for a client of this version.
    #[must_use]
    pub(crate) fn command_form(&self, version: Option<Version>) -> CommandForm {
        // An unknown version gets the form that every version reads.
        let starts_it = version.zip(self.exec_since).is_some_and(|(version, since)| version >= since);
        if starts_it { CommandForm::Exec } else { CommandForm::ShellLine }
    }

    /// The client's own folder.
    #[must_use]
    pub fn client_home(&self, places: &Places) -> PathBuf {
        let moved = self.shared.home_variable.and_then(places.variable).filter(|path| !path.is_empty());
        moved.map_or_else(|| places.home.join(self.home_folder), PathBuf::from)
    }
}

/// Where things are on this machine.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    pub project: &'a Path,
    pub home: &'a Path,
    /// Reads an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}
