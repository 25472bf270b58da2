//! A line that a client hands over: a command of its agent, a hook in the form of a line, or a tool server.

use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use flyball_clients::{AgentLine, CLIENTS};
use flyball_core::event::SessionId;
use flyball_effects::Line;

use crate::environment::{self, Environment};
use crate::install::{PROGRAM_NAME, on_path};
use crate::outcome::Failed;
use crate::seatbelt::{self, Cover, Entered, Fit};

/// The variable of a client's own sandbox, inside of which there may be no second one.
const OWN_SANDBOX: &str = "SANDBOX_RUNTIME";

/// Runs a line as its client would have, and a command of its agent in the seatbelt. It returns only if there is no shell.
pub(crate) fn run_line(line: &str) -> ExitCode {
    let found = CLIENTS.iter().find_map(|client| Some((*client, client.agent_line(line)?)));
    let Some((client, agent)) = found else {
        return start(&Entered::default(), &shell(None), line);
    };
    let session = environment::variable(client.facts().session_variable);
    let session = session.map(|id| (client.id(), SessionId::new(&id)));
    let shell = shell(agent.shell);
    let own = agent.command.as_deref().and_then(own_command);
    let ended = own.map(|arguments| run_outside(&arguments));
    // What is behind the command is for the client: in which folder it ended.
    let rest = ended.map(|code| replace_command(line, &agent, code));
    let entered = match enter(session, agent.command.as_deref().filter(|_| rest.is_none())) {
        Ok(entered) => entered,
        Err(NotEntered::Outside(why)) => {
            warn(&why);
            Entered::default()
        }
        Err(NotEntered::HalfWay(why)) => return give_up(&why),
    };
    start(&entered, &shell, rest.as_deref().unwrap_or(line))
}

/// Why a command is not in the seatbelt.
enum NotEntered {
    /// Nothing has changed.
    Outside(Failed),
    /// The process has left its namespaces, and is nowhere that a command could run.
    HalfWay(Failed),
}

impl From<Failed> for NotEntered {
    fn from(why: Failed) -> NotEntered {
        NotEntered::Outside(why)
    }
}

/// Puts this process into the seatbelt, if it is not switched off and the command can work there.
fn enter(session: Option<(&str, SessionId)>, command: Option<&str>) -> Result<Entered, NotEntered> {
    // A second one would be refused, and the first holds.
    if seatbelt::is_inside(&Environment::read()) {
        return Ok(Entered::default());
    }
    let Some(folder) = environment::working_directory() else { return Ok(Entered::default()) };
    let Some(cover) = Cover::find(session, &folder)? else { return Ok(Entered::default()) };
    match cover.fit(command)? {
        Fit::Outside => Ok(Entered::default()),
        Fit::Inside(plan) => match seatbelt::enter(&plan) {
            Ok(entered) => {
                entered.lacks.iter().for_each(|lacking| say("with only a part of the seatbelt", lacking));
                Ok(entered)
            }
            Err(failed) if failed.is_half_way => Err(NotEntered::HalfWay(failed.why)),
            Err(failed) => Err(NotEntered::Outside(failed.why)),
        },
    }
}

/// A command must not fail because it cannot be protected; but nobody may believe that it was.
fn warn(why: &Failed) {
    if environment::variable(OWN_SANDBOX).is_none() {
        say("without the seatbelt", why);
    }
}

fn say(how: &str, why: &Failed) {
    let text = format!("flyball: this runs {how}: {}; {}\n", why.what, why.fix);
    drop(std::io::stderr().write_all(text.as_bytes()));
}

/// The exit code of a command that was not started.
const NOT_STARTED: u8 = 125;

fn give_up(why: &Failed) -> ExitCode {
    let text = format!(
        "flyball: the command was not started, because the seatbelt failed half way: {}; {}. `flyball doctor` says more, and \
         `flyball init --no-seatbelt` has commands started without it\n",
        why.what, why.fix
    );
    drop(std::io::stderr().write_all(text.as_bytes()));
    ExitCode::from(NOT_STARTED)
}

/// The arguments of a line that is nothing but one call of this program, which the guards have judged.
fn own_command(command: &str) -> Option<Vec<String>> {
    // Nothing that a shell would do more than split into words.
    let is_simple = !command.contains([
        ';', '&', '|', '<', '>', '(', ')', '{', '}', '$', '`', '*', '?', '[', ']', '~', '!', '#', '\\', '\n',
    ]);
    let is_candidate = is_simple && command.contains(PROGRAM_NAME);
    let line = is_candidate.then(|| Line::read(command))?;
    let [only] = line.script.commands.as_slice() else { return None };
    let is_plain = line.script.unknown.is_empty()
        && only.wrappers.is_empty()
        && only.assignments.is_empty()
        && only.redirects.is_empty();
    let is_ours = only.program.text.as_deref().is_some_and(|name| {
        let path = if name.contains('/') { Some(PathBuf::from(name)) } else { on_path(name) };
        let real = path.and_then(|path| path.canonicalize().ok());
        real.is_some() && real == environment::program().and_then(|path| path.canonicalize().ok())
    });
    (is_plain && is_ours).then(|| only.arguments.iter().map(|word| word.text.clone()).collect()).flatten()
}

/// Runs this program with other arguments, outside, and returns its exit code.
fn run_outside(arguments: &[String]) -> i32 {
    let program = environment::program().unwrap_or_else(|| PROGRAM_NAME.into());
    let ended = Command::new(program).args(arguments).status();
    match ended {
        Ok(status) => status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default()),
        Err(_) => 127,
    }
}

/// The client's line with a command that only ends with this code.
fn replace_command(line: &str, agent: &AgentLine, code: i32) -> String {
    let mut text = line.to_owned();
    text.replace_range(agent.span.clone(), &format!("'(exit {code})'"));
    text
}

/// The shell that the client would have used.
fn shell(wanted: Option<&str>) -> PathBuf {
    let own = environment::variable("SHELL").map(PathBuf::from);
    let is_wanted = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        wanted.map_or(["bash", "zsh"].contains(&name), |wanted| name == wanted)
    };
    let own = own.filter(|path| is_wanted(path) && path.exists());
    // Not by the search path, into whose folders an agent may put what it likes.
    let usual = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
        .map(|folder| Path::new(folder).join(wanted.unwrap_or("bash")));
    own.or_else(|| usual.into_iter().find(|path| path.exists())).unwrap_or_else(|| PathBuf::from("/bin/sh"))
}

/// Becomes the shell.
fn start(entered: &Entered, shell: &PathBuf, line: &str) -> ExitCode {
    let cause = entered.command(shell).arg("-c").arg(line).exec();
    let text = format!("flyball: cannot start {}: {cause}\n", shell.display());
    drop(std::io::stderr().write_all(text.as_bytes()));
    ExitCode::from(127)
}
