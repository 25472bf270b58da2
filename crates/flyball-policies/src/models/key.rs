//! The key of a provider: from a command or an environment variable.

use std::time::Duration;

use flyball_core::workshop::{Ending, Job, Limits, Places, ProgramQuery, Workshop};
use flyball_quality::chat::{KeyVariable, is_key};
use flyball_quality::providers::Provider;

use super::settings::Server;

/// How long a command may take to print a key.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest output of such a command.
const MOST_BYTES: usize = 8 * 1024;

/// Why a provider cannot be asked, as far as that is known without running a command for its key.
pub(crate) fn missing(provider: &Provider, server: &Server, workshop: &dyn Workshop) -> Option<String> {
    if !server.key_command.is_empty() {
        return None;
    }
    variable(provider, server).missing(workshop)
}

/// The key, if one is needed.
pub(crate) fn find(
    provider: &Provider,
    server: &Server,
    workshop: &dyn Workshop,
    timeout: Duration,
) -> Result<Option<String>, String> {
    let Some((program, arguments)) = server.key_command.split_first() else {
        return variable(provider, server).read(workshop);
    };
    let printed = run_key_command(program, arguments, workshop, timeout.min(COMMAND_TIMEOUT))?;
    if is_key(&printed) { Ok(Some(printed)) } else { Err(format!("the command `{program}` printed no key")) }
}

fn variable<'a>(provider: &Provider, server: &'a Server) -> KeyVariable<'a> {
    KeyVariable {
        configured: server.key_variable.as_deref(),
        usual: provider.key_variable,
        url: server.url.as_deref(),
        home: provider.home,
    }
}

fn run_key_command(
    program: &str,
    arguments: &[String],
    workshop: &dyn Workshop,
    timeout: Duration,
) -> Result<String, String> {
    let root = workshop.project_root().to_owned();
    // Not a program of the project: it could pose as the user's password manager.
    let query = ProgramQuery { name: program.to_owned(), near: root.clone(), places: Places::SearchPath };
    let found =
        workshop.find(&query).ok_or_else(|| format!("the key's command `{program}` is not installed"))?;
    let job = Job { program: found.path, arguments: arguments.to_vec(), folder: root, ..Job::default() };
    let limits = Limits { timeout, at_a_time: 1, output_bytes: MOST_BYTES };
    let ran = workshop.run(std::slice::from_ref(&job), limits).pop();
    let why = match ran.as_ref().map(|ran| &ran.ending) {
        Some(Ending::Exited(0)) => {
            let stdout = ran.map(|ran| ran.stdout).unwrap_or_default();
            return Ok(String::from_utf8_lossy(&stdout).trim().to_owned());
        }
        Some(Ending::Exited(code)) => format!("exited with {code}"),
        Some(Ending::Killed(signal)) => format!("was killed by signal {signal}"),
        Some(Ending::TimedOut | Ending::OverLimit(_)) => "did not end in time".to_owned(),
        Some(Ending::NotStarted(_)) | None => "could not be started".to_owned(),
    };
    Err(format!("the key's command `{program}` {why}"))
}
