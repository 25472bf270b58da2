//! A line that a client hands over: a command of its agent, a hook in the form of a line, or a tool server.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use flyball_clients::{AgentLine, CLIENTS};
use flyball_core::event::SessionId;
use flyball_effects::Line;
use flyball_seatbelt::Plan;
use flyball_system::{ExitStatusExt, exec};
use flyball_world::executable::is_of_system;

use crate::environment::{self, Environment};
use crate::install::{PROGRAM_NAME, on_path};
use crate::outcome::Failed;
use crate::seatbelt::{self, Cover, Entered, NotMade, Placement};

/// The variable of a client's own sandbox, inside of which there may be no second one.
const OWN_SANDBOX: &str = "SANDBOX_RUNTIME";

/// Runs a line as its client would have, and a command of its agent in the seatbelt. It returns only if there is no shell.
pub(crate) fn run_line(line: &str) -> u8 {
    let found = CLIENTS.iter().find_map(|client| Some((*client, client.agent_line(line)?)));
    let Some((client, agent)) = found else {
        return start(&Entered::default(), &shell(None), line);
    };
    let session = environment::variable(client.facts().session_variable);
    let session = session.map(|id| (client.id(), SessionId::new(&id)));
    let shell = shell(agent.shell);
    let own = agent.command.as_deref().and_then(own_command);
    let ended = own.map(|arguments| run_outside(&mut own_program(&arguments)));
    // What is behind the command is for the client: in which folder it ended.
    let rest = ended.map(|code| replace_command(line, &agent, code));
    let command = agent.command.as_deref().filter(|_| rest.is_none());
    let mut rest = rest.unwrap_or_else(|| line.to_owned());
    let entered = match (enter(session, command), command) {
        (Ok(Started::OfSystem), Some(command)) => {
            rest = replace_command(line, &agent, run_outside(&mut of_system(command)));
            Entered::default()
        }
        (Ok(Started::OfSystem), None) => Entered::default(),
        (Ok(Started::Here(entered)), _) => entered,
        (Err(NotEntered::Outside(why)), _) => {
            warn(&why);
            Entered::default()
        }
        (Err(NotEntered::HalfWay(why)), _) => return give_up(&why),
    };
    start(&entered, &shell, &rest)
}

/// Becomes a program in a seatbelt whose plan is in front of it.
pub(crate) fn run_inside(words: &[String]) -> u8 {
    let Some((plan, [program, arguments @ ..])) = Plan::from_words(words) else {
        let text = b"flyball: this is called by flyball alone; see `flyball run --help`\n";
        drop(std::io::stderr().write_all(text));
        return NOT_STARTED;
    };
    // Without a seatbelt it runs as it did before there was one; the commands of the agent say so.
    let entered = match seatbelt::enter_for_client(&plan) {
        Err(NotMade { why, is_half_way: true }) => return give_up(&why),
        entered => entered.unwrap_or_default(),
    };
    become_program(entered.command(program).args(arguments))
}

/// How a command is started.
enum Started {
    /// By this process.
    Here(Entered),
    /// Outside, by programs of the system alone.
    OfSystem,
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
fn enter(session: Option<(&str, SessionId)>, command: Option<&str>) -> Result<Started, NotEntered> {
    // A second one would be refused, and the first holds.
    if seatbelt::is_inside(&Environment::read()) {
        return Ok(Started::Here(Entered::default()));
    }
    let outside = || Ok(Started::Here(Entered::default()));
    let Some(folder) = environment::working_directory() else { return outside() };
    let Some(cover) = Cover::find(session, &folder)? else { return outside() };
    match cover.placement(command)? {
        Placement::Outside => outside(),
        Placement::OfSystem => Ok(Started::OfSystem),
        Placement::Inside(plan) => match seatbelt::enter_for_client(&plan) {
            Ok(entered) => {
                entered.lacks.iter().for_each(|lacking| say("with only a part of the seatbelt", lacking));
                Ok(Started::Here(entered))
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

fn give_up(why: &Failed) -> u8 {
    let text = format!(
        "flyball: the command was not started, because the seatbelt failed half way: {}; {}. `flyball doctor` says more, and \
         `flyball init --no-seatbelt` has commands started without it\n",
        why.what, why.fix
    );
    drop(std::io::stderr().write_all(text.as_bytes()));
    NOT_STARTED
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

/// This program with other arguments.
fn own_program(arguments: &[String]) -> Command {
    let mut command = Command::new(environment::program().unwrap_or_else(|| PROGRAM_NAME.into()));
    command.args(arguments);
    command
}

/// A line by a shell that knows only the system's programs, and nothing that the agent could have set.
fn of_system(line: &str) -> Command {
    const KEPT: [&str; 4] = ["HOME", "LANG", "LC_ALL", "TERM"];
    const PROGRAMS: &str = "/usr/sbin:/usr/bin:/sbin:/bin";
    let shell = ["/bin/bash", "/usr/bin/bash"].into_iter().find(|path| is_of_system(Path::new(path)));
    let mut command = Command::new(shell.unwrap_or("/bin/sh"));
    command.env_clear().env("PATH", PROGRAMS).arg("-c").arg(line);
    command.envs(KEPT.iter().filter_map(|name| Some((name, environment::variable(name)?))));
    command
}

/// Runs a program outside, and returns its exit code.
fn run_outside(command: &mut Command) -> i32 {
    match command.status() {
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
fn start(entered: &Entered, shell: &PathBuf, line: &str) -> u8 {
    become_program(entered.command(shell).arg("-c").arg(line))
}

fn become_program(command: &mut Command) -> u8 {
    let cause = exec(command);
    let text = format!("flyball: cannot start {}: {cause}\n", command.get_program().display());
    drop(std::io::stderr().write_all(text.as_bytes()));
    127
}
