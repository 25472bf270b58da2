//! The one module that reads the environment.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flyball_core::engine::Faults;
use flyball_world::config::{Accepted, ConfigFiles, Homes, Trust};
use flyball_world::machine;

/// How long an event waits for another process that holds the session's journal.
pub(crate) const LOCK_WAIT: Duration = Duration::from_millis(1_500);

/// What flyball reads from the environment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// The user's home, if there is one: `HOME`, else what the user database says.
    pub(crate) home: Option<PathBuf>,
    state_dir: Option<PathBuf>,
    config_dir: Option<PathBuf>,
    /// Policies switched off by the person who started the client.
    pub(crate) skipped: Vec<String>,
    /// Variables that are set and do not count.
    pub(crate) ignored: Vec<&'static str>,
}

/// The variables with which flyball could be led to other rules, or to none.
pub(crate) const STEERING: &[&str] =
    &["FLYBALL_SKIP", "FLYBALL_STATE_DIR", "FLYBALL_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"];

/// One variable that flyball reads, for the reference.
pub struct Variable {
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
}

/// Every variable of our own; the reference page is made from it.
pub const VARIABLES: &[Variable] = &[
    Variable {
        name: "FLYBALL_STATE_DIR",
        about: "where the record of events lives (default: `$XDG_STATE_HOME/flyball` or `~/.local/state/flyball`)",
    },
    Variable {
        name: "FLYBALL_CONFIG_DIR",
        about: "where the user's `config.toml` lives (default: `$XDG_CONFIG_HOME/flyball` or `~/.config/flyball`)",
    },
    Variable {
        name: "FLYBALL_SKIP",
        about: "policies, separated by commas, whose verdicts do not count; for the person who starts the client, and recorded with every event",
    },
    Variable {
        name: "FLYBALL_FIXER",
        about: "`off` disables the model of `quality.fixer`, whatever the config sets",
    },
    Variable {
        name: "FLYBALL_FIXER_TIMEOUT",
        about: "how long the model of `quality.fixer` may take, in seconds, whatever the config sets",
    },
    Variable {
        name: "INTENT_LAYER_ALLOWED_PROJECTS",
        about: "projects, separated by colons, that `flyball mcp` may read besides the one it was started in",
    },
    Variable {
        name: "OTEL_EXPORTER_OTLP_ENDPOINT",
        about: "where telemetry is sent to, if `from_environment` of `[otlp]` is set and no endpoint is written; the same for `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_EXPORTER_OTLP_PROTOCOL`",
    },
    Variable { name: "NO_COLOR", about: "no colours in terminal output" },
    Variable { name: "CLICOLOR_FORCE", about: "colours even if the output is not a terminal" },
];

impl Environment {
    pub(crate) fn read() -> Environment {
        Environment::read_without(&[])
    }

    /// The environment as if these variables were not set.
    pub(crate) fn read_without(ignored: &[&'static str]) -> Environment {
        let path = |name: &str| path(name).filter(|_| !ignored.contains(&name));
        let variable = |name: &str| variable(name).filter(|_| !ignored.contains(&name));
        let home = home_from(&path);
        let below_home = |folder: &str| home.as_deref().map(|home| home.join(folder));
        let state_dir = state_dir_from(&path);
        let config_dir = path("FLYBALL_CONFIG_DIR")
            .or_else(|| path("XDG_CONFIG_HOME").map(|base| base.join("flyball")))
            .or_else(|| below_home(".config/flyball"));
        // A hook inherits the variables of the client, so an agent cannot set this for its own calls.
        let skipped = variable("FLYBALL_SKIP").unwrap_or_default();
        let skipped =
            skipped.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned).collect();
        Environment { home, state_dir, config_dir, skipped, ignored: ignored.to_vec() }
    }

    /// Where the record lives; `None` when there is neither a home nor a setting.
    pub(crate) fn state_dir(&self) -> Option<&Path> {
        self.state_dir.as_deref()
    }

    /// Deliberate failures of policies; only test builds know any.
    #[expect(clippy::unused_self, reason = "read with the rest of the environment")]
    pub(crate) fn faults(&self) -> Faults {
        #[cfg(debug_assertions)]
        return variable("FLYBALL_FAULT").map(|text| Faults::parse(&text)).unwrap_or_default();
        #[cfg(not(debug_assertions))]
        Faults::default()
    }

    /// Where the user's config lives.
    pub(crate) fn config_dir(&self) -> Option<&Path> {
        self.config_dir.as_deref()
    }

    /// The root of the project that a directory belongs to.
    pub(crate) fn project_root(&self, from: &Path) -> PathBuf {
        machine::project_root(from, self.home.as_deref())
    }

    /// The files that hold the configuration of a project.
    pub(crate) fn config_files(&self, root: &Path) -> ConfigFiles {
        let homes =
            Homes { flyball_config: self.config_dir.clone(), home: self.home.clone(), ..Homes::default() };
        ConfigFiles::locate(root, &homes)
            .with_accepted(self.trust().map_or(Accepted::Nothing, Accepted::Recorded))
    }

    /// What people accepted; nothing where there is no state directory.
    pub(crate) fn trust(&self) -> Option<Trust> {
        self.state_dir().map(Trust::below)
    }

    /// Where the compiled configuration is cached. Without a state directory, a path that cannot
    /// exist: the files are then read for each event.
    pub(crate) fn config_cache(&self) -> PathBuf {
        self.state_dir().unwrap_or(Path::new("/dev/null")).join("cache")
    }
}

/// Runs this process by a clock that is wrong; only test builds can.
#[cfg(debug_assertions)]
pub(crate) fn set_wrong_clock() {
    if let Some(text) = variable("FLYBALL_CLOCK") {
        flyball_core::wrong_clock::set(&text);
    }
}

/// Whether the kernel allows no namespaces; only test builds can pretend that.
pub(crate) fn has_no_namespaces() -> bool {
    #[cfg(debug_assertions)]
    return variable("FLYBALL_NO_NAMESPACES").is_some();
    #[cfg(not(debug_assertions))]
    false
}

/// The same of Landlock.
pub(crate) fn has_no_landlock() -> bool {
    #[cfg(debug_assertions)]
    return variable("FLYBALL_NO_LANDLOCK").is_some();
    #[cfg(not(debug_assertions))]
    false
}

/// Dies here, as if it were killed, if a test asks for it; only test builds can.
pub(crate) fn die_at(_step: &str) {
    #[cfg(debug_assertions)]
    if variable("FLYBALL_DIE_AT").as_deref() == Some(_step) {
        std::process::abort();
    }
}

/// Where the record lives for a process with these absolute paths in its variables.
pub(crate) fn state_dir_from(path: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    path("FLYBALL_STATE_DIR")
        .or_else(|| path("XDG_STATE_HOME").map(|base| base.join("flyball")))
        .or_else(|| home_from(path).map(|home| home.join(".local/state/flyball")))
}

/// The home for a process with these paths in its variables. A shell without `HOME` asks the user database, too, so
/// that `~` leads somewhere all the same.
fn home_from(path: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    path("HOME").filter(|home| home.is_absolute()).or_else(flyball_world::users::own_home)
}

/// A variable's value; empty counts as unset.
#[must_use]
pub fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// All variables whose names and values are text.
pub(crate) fn variables() -> impl Iterator<Item = (String, String)> {
    env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// Minutes since midnight in the user's time zone.
pub(crate) fn local_minutes() -> Option<u32> {
    let now = jiff::Zoned::now();
    u32::try_from(i32::from(now.hour()) * 60 + i32::from(now.minute())).ok()
}

/// The absolute path of this program.
#[must_use]
pub fn program() -> Option<PathBuf> {
    env::current_exe().ok()
}

/// The directory this process was started in.
pub(crate) fn working_directory() -> Option<PathBuf> {
    env::current_dir().ok()
}

/// The root of the project that a directory belongs to, for commands that a person starts.
pub(crate) fn project_root(from: &Path) -> PathBuf {
    machine::project_root(from, home_from(&path).as_deref())
}

/// The system's folder for temporary files.
#[must_use]
pub fn temporary_directory() -> PathBuf {
    env::temp_dir()
}

fn path(name: &str) -> Option<PathBuf> {
    // A relative path would mean another place in each directory the client happens to be in.
    env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}
