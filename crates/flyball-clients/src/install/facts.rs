//! Facts about a client's files and variables. Paths are only put together here; nothing reads the disk.

use std::path::{Path, PathBuf};

use flyball_core::client::ClientFacts;
use serde_json::Value;

use super::gate::{self, GateLine, GateProgram, Start, WhenGone};
use super::handler::{self, CommandForm};
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

impl Scope {
    /// Whether it is about one project.
    #[must_use]
    pub const fn is_of_project(self) -> bool {
        matches!(self, Scope::Project | Scope::Local)
    }
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
    /// What it loads into the shell before each command of its agent.
    pub sourced: &'static [Place],
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
    /// The first version that ignores an event in its settings that it does not know; none if every version does. An older
    /// one drops the whole file.
    pub ignores_events_since: Option<Version>,
    /// The first version that starts a program with arguments itself; none if it always asks a shell.
    pub exec_since: Option<Version>,
    /// What it does if a hook cannot run, and what we make of that.
    pub failure: FailureRule,
    /// Its own sandbox for commands, if it has one.
    pub own_sandbox: Option<OwnSandbox>,
}

/// A sandbox of a client for the commands of its agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnSandbox {
    /// It is switched on in settings of JSON, which can name further places.
    Settings(SandboxSettings),
    /// It is on unless a word switches it off.
    Mode(SandboxMode),
}

/// Keys of settings: `key.enabled`, `key.files.denied`, `key.files.files_off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxSettings {
    pub key: &'static str,
    /// Whether it is on.
    pub enabled: &'static str,
    pub files: &'static str,
    /// Places that commands cannot write.
    pub denied: &'static str,
    /// Whether it leaves files alone.
    pub files_off: &'static str,
    /// Where a person sees whether it works.
    pub shown_by: &'static str,
}

/// A key at the top of configs in TOML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxMode {
    /// Those that count more come first.
    pub places: &'static [Place],
    pub key: &'static str,
    /// The word that switches it off.
    pub none: &'static str,
    /// The word that fits work in a project.
    pub usual: &'static str,
}

/// What a client does if a hook cannot be started, or is killed: it lets the action pass, unless it is told not to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailureRule {
    /// The events that it refuses if the hook ends with the code for that.
    pub refused: &'static [&'static str],
    /// Those at which the agent goes on working then; refused without end, it would never stop.
    pub held: &'static [&'static str],
    /// The event at which the user is told that there is no flyball.
    pub told: &'static [&'static str],
    /// The field of a handler, and its value, with which the client itself refuses if the hook fails. It counts for the
    /// events that are refused, not for those that are held. Clients that do not know it ignore it.
    pub option: Option<FailureOption>,
    /// Which shell runs a handler's line.
    pub shell: HookShell,
}

/// A field of a handler for hooks that fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailureOption {
    pub key: &'static str,
    pub value: &'static str,
    /// The first version that is known to honour it.
    pub since: Version,
}

/// Which shell runs the lines of hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookShell {
    /// `sh`.
    Posix,
    /// The one that the user has, which may understand something else.
    Users,
}

impl FailureRule {
    /// A client of which nothing is known.
    pub const UNKNOWN: FailureRule =
        FailureRule { refused: &[], held: &[], told: &[], option: None, shell: HookShell::Users };

    /// What happens at an event if the program is gone.
    pub(crate) fn when_gone(&self, event: &str) -> WhenGone {
        if self.refused.contains(&event) {
            WhenGone::Refuse
        } else if self.held.contains(&event) {
            WhenGone::HoldOnce
        } else if self.told.contains(&event) {
            WhenGone::Tell
        } else {
            WhenGone::Open
        }
    }
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

    /// The fields of a handler in the settings of a scope, for a client of this version.
    pub(crate) fn handler(
        &self,
        call: &HookCall<'_>,
        version: Option<Version>,
        scope: Scope,
    ) -> Vec<(String, Value)> {
        let form = self.command_form(version);
        let when_gone = self.failure.when_gone(call.event);
        let is_shared = scope == Scope::Project;
        let option = self.failure.option.filter(|_| when_gone == WhenGone::Refuse);
        let honours_option =
            option.is_some_and(|option| version.is_some_and(|version| version >= option.since));
        let needs_no_line = match when_gone {
            // Where the program never was, each event would be an error.
            WhenGone::Open => !is_shared,
            // The client refuses by itself, and everybody who has this file has had the program.
            WhenGone::Refuse => honours_option && !is_shared && form == CommandForm::Exec,
            WhenGone::HoldOnce => false,
            // Only those whose program never was there are told.
            WhenGone::Tell => !is_shared,
        };
        let arguments = ["hook", "--client", call.client, "--event", call.event];
        let mut fields = if needs_no_line {
            handler::command(call.binary, &arguments, form, call.timeout)
        } else {
            // Where the client does not see to it, the shell has to see what kills the program.
            let replaces = honours_option || matches!(when_gone, WhenGone::Tell | WhenGone::Open);
            let line = GateLine {
                // What is committed has no path of one machine.
                program: if is_shared {
                    GateProgram::Searched { project_variable: self.shared.project_variable }
                } else {
                    GateProgram::At(call.binary)
                },
                arguments: &arguments.join(" "),
                start: if replaces { Start::Replace } else { Start::Below },
                when_gone,
            };
            let line = match self.failure.shell {
                HookShell::Posix => line.text(),
                HookShell::Users => gate::for_any_shell(&line.text()),
            };
            handler::line(line, call.timeout)
        };
        fields.extend(option.map(|option| (option.key.to_owned(), Value::from(option.value))));
        fields
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

/// A call of flyball for an event.
pub(crate) struct HookCall<'a> {
    /// The path of the program.
    pub(crate) binary: &'a str,
    /// The id of the client.
    pub(crate) client: &'a str,
    pub(crate) event: &'a str,
    /// In seconds.
    pub(crate) timeout: u32,
}

/// Where things are on this machine.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    pub project: &'a Path,
    pub home: &'a Path,
    /// Reads an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}
