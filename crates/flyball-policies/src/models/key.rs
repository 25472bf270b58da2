//! Where the key of a provider comes from. It is shown to nobody.

use flyball_core::workshop::{Ending, Job, Limits, ProgramQuery, Workshop};

use super::api::Api;
use super::settings::Server;

/// How long a command may take that prints a key.
const COMMAND_MILLIS: u64 = 5_000;

/// No key is longer than this, in bytes.
const MOST_BYTES: usize = 8 * 1024;

/// Why a provider cannot be asked, as far as that can be told without asking anybody for its key.
pub(crate) fn missing(api: &Api, server: &Server, workshop: &dyn Workshop) -> Option<String> {
    let variable = required_variable(api, server)?;
    workshop.variable(variable).is_none().then(|| format!("there is no key: `{variable}` is not set"))
}

/// The key, if one is needed.
pub(crate) fn find(
    api: &Api,
    server: &Server,
    workshop: &dyn Workshop,
    millis: u64,
) -> Result<Option<String>, String> {
    if let Some((program, arguments)) = server.key_command.split_first() {
        let printed = run_key_command(program, arguments, workshop, millis.min(COMMAND_MILLIS))?;
        return is_key(&printed)
            .then_some(Some(printed))
            .ok_or(format!("the command `{program}` printed no key"));
    }
    // A server of one's own gets the usual key too, if there is one.
    let Some(variable) = required_variable(api, server).or(api.provider.key_variable) else {
        return Ok(None);
    };
    let Some(key) = workshop.variable(variable) else { return Ok(None) };
    let key = key.trim().to_owned();
    is_key(&key).then_some(Some(key)).ok_or(format!("what `{variable}` holds is no key"))
}

/// The variable without which there is no asking. A server of one's own may need no key.
fn required_variable<'a>(api: &'a Api, server: &'a Server) -> Option<&'a str> {
    if !server.key_command.is_empty() {
        return None;
    }
    let usual = api.provider.key_variable.filter(|_| server.url.is_none());
    server.key_variable.as_deref().or(usual)
}

fn run_key_command(
    program: &str,
    arguments: &[String],
    workshop: &dyn Workshop,
    millis: u64,
) -> Result<String, String> {
    let root = workshop.project_root().to_owned();
    // A project's own folder of programs must not stand in for the keeper of somebody's keys.
    let wanted = ProgramQuery { name: program.to_owned(), near: root.clone(), local: false };
    let found =
        workshop.find(&wanted).ok_or_else(|| format!("the key's command `{program}` is not installed"))?;
    let job = Job { program: found.path, arguments: arguments.to_vec(), folder: root, ..Job::default() };
    let limits = Limits { millis, at_a_time: 1, output_bytes: MOST_BYTES };
    let ran = workshop.run(std::slice::from_ref(&job), limits).pop();
    let why = match ran.as_ref().map(|ran| &ran.ending) {
        Some(Ending::Exited(0)) => {
            let stdout = ran.map(|ran| ran.stdout).unwrap_or_default();
            return Ok(String::from_utf8_lossy(&stdout).trim().to_owned());
        }
        Some(Ending::Exited(code)) => format!("exited with {code}"),
        Some(Ending::Killed(signal)) => format!("was killed by signal {signal}"),
        Some(Ending::TimedOut) => "did not end in time".to_owned(),
        Some(Ending::NotStarted(_)) | None => "could not be started".to_owned(),
    };
    Err(format!("the key's command `{program}` {why}"))
}

/// Whether it can be sent in a header: one word.
fn is_key(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}
