//! A project as the commands about its knowledge see it.

use std::path::Path;
use std::time::Instant;

use flyball_world::machine::{Machine, real_path};

use crate::environment::{Environment, local_minutes, variable};

/// This machine, seen from the project at `root`. It remembers where links lead: one for each question.
pub(in crate::commands) fn machine(root: &Path) -> Machine {
    let environment = Environment::read();
    let machine = Machine::new(
        Instant::now(),
        environment.home.clone(),
        &real_path(root),
        Vec::new(),
        flyball_clients::FACTS,
    );
    machine.with_state(environment.state_dir()).with_environment(variable).with_clock(local_minutes)
}

/// A path as it is shown: from the root of the project, if it is below it.
pub(in crate::commands) fn display_path(path: &str, root: &str) -> String {
    match Path::new(path).strip_prefix(root) {
        Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Ok(below) => below.to_string_lossy().into_owned(),
        Err(_) => path.to_owned(),
    }
}
