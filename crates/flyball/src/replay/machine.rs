//! What all sessions of one replay share: the environment, the time zone, what git answered.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use flyball_core::time::Time;

use flyball_policies::REGISTRY;
use flyball_world::config::{ConfigFiles, Loaded, load_read_only};
use flyball_world::machine::{Machine, real_path};
use flyball_world::past::{CachedMachine, GitAnswers};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::environment::{Environment, variable};
use crate::own_files::own_files;

/// The machine on which recorded events are judged again.
pub(crate) struct ReplayMachine {
    environment: Environment,
    git: Arc<GitAnswers>,
    zone: TimeZone,
}

impl ReplayMachine {
    pub(crate) fn new() -> ReplayMachine {
        ReplayMachine { environment: Environment::read(), git: Arc::default(), zone: TimeZone::system() }
    }

    /// The project with this root, as far as it can be seen.
    pub(super) fn past_project(&self, root: &Path) -> Arc<CachedMachine> {
        let environment = &self.environment;
        let own = own_files(environment, root);
        let machine = Machine::new(
            Instant::now(),
            environment.home.clone(),
            &real_path(root),
            own,
            flyball_clients::FACTS,
        );
        // No transcript and no conversation: those of today would be taken for those of the event.
        let machine = machine.with_state(environment.state_dir()).with_environment(variable);
        // Sessions share what git answered: starting it for every event would take most of the time.
        Arc::new(CachedMachine::new(machine, Arc::clone(&self.git)))
    }

    /// The config files of a project.
    pub(crate) fn files(&self, root: &Path) -> ConfigFiles {
        self.environment.config_files(root)
    }

    /// The configuration in force, read without writing anything.
    pub(crate) fn config(&self, files: &ConfigFiles) -> Loaded {
        load_read_only(files, &self.environment.config_cache(), REGISTRY)
    }

    /// The user's home, if there is one.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.environment.home.as_deref()
    }

    /// Minutes since midnight at a time, where the user is.
    pub(super) fn local_minutes(&self, at: Time) -> Option<u32> {
        let then = Timestamp::from_microsecond(at.as_micros()).ok()?.to_zoned(self.zone.clone());
        u32::try_from(i32::from(then.hour()) * 60 + i32::from(then.minute())).ok()
    }
}
