//! Commands that do not touch the project's packages: they are about an environment outside of the project, or install
//! the project's package manager itself.

use flyball_core::policy::Situation;
use flyball_effects::{Command, Word};

use super::detect::upwards;
use super::folder::folders;
use super::request::{Request, Verb};
use super::tool::{self, Call, Ecosystem, Program, Tool};

/// Whether a command is about an environment outside of the project: it creates one there, its
/// program is in one, or one is activated before it.
pub(super) fn uses_outside_environment(situation: &Situation<'_>, command: &Command, call: &Call) -> bool {
    if call.tool.ecosystem() != Ecosystem::Python {
        return false;
    }
    if call.program == Program::Venv {
        let Some(folder) = call.words.last() else { return false };
        // A folder that is only known at run time is not guessed.
        return folder
            .text
            .as_deref()
            .is_none_or(|folder| !folder.starts_with('-') && is_outside(situation, command, folder));
    }
    let program = command.program.text.as_deref().unwrap_or_default();
    // `/tmp/env/bin/pip`: the program belongs to the environment that it is in.
    let own = program.rsplit_once("/bin/").map(|(folder, _)| folder);
    own.is_some_and(|folder| is_environment(situation, command, folder)) || is_activated(situation, command)
}

/// `. /tmp/env/bin/activate` before the command.
fn is_activated(situation: &Situation<'_>, command: &Command) -> bool {
    let Some(line) = situation.effective_line() else { return false };
    let start = |command: &Command| command.span.as_ref().map(|span| span.start);
    let before = line.script.commands.iter().filter(|other| start(other) < start(command));
    let mut sources = before.filter(|other| matches!(other.program_name(), Some("source" | ".")));
    sources.any(|source| {
        let script = source.arguments.first().and_then(|word: &Word| word.text.as_deref());
        let folder = script.and_then(|script| script.strip_suffix("/bin/activate"));
        folder.is_some_and(|folder| is_outside(situation, source, folder))
    })
}

/// Whether a folder outside of the project is an environment, or becomes one on the same line.
fn is_environment(situation: &Situation<'_>, command: &Command, folder: &str) -> bool {
    let creates = |other: &Command| {
        let makes = tool::parse_call(other).is_some_and(|call| call.program == Program::Venv)
            || (other.program_name() == Some("uv")
                && other.arguments.first().is_some_and(|it| it.is("venv")));
        makes && other.arguments.iter().any(|word| word.is(folder))
    };
    let is_created =
        || situation.effective_line().is_some_and(|line| line.script.commands.iter().any(creates));
    let is_there = || {
        let path = situation.world.real_path(&situation.event.cwd, &format!("{folder}/pyvenv.cfg"));
        situation.world.stat(&path).is_some()
    };
    is_outside(situation, command, folder) && (is_created() || is_there())
}

fn is_outside(situation: &Situation<'_>, command: &Command, folder: &str) -> bool {
    let places = folders(situation, command, Some(folder));
    !places.is_empty() && places.iter().all(|place| upwards(situation.world, place).is_empty())
}

/// `pip install uv` in a uv project: uv is not installed yet.
pub(super) fn installs_target(request: &Request, target: Tool) -> bool {
    let is_target = |package: &String| {
        let name = package.trim_matches(['"', '\'']).split(['=', '<', '>', '~', '!', '@', '[']).next();
        name == Some(target.name())
    };
    let details = &request.details;
    let is_alone = match request.verb {
        Verb::AddGlobal => true,
        Verb::Add => request.pip.is_some() && !details.has_any(&["paths", "requirements", "editables"]),
        _ => false,
    };
    is_alone && details.has("packages") && details.values("packages").iter().all(is_target)
}
