//! Who wrote what changed on disk while a command ran. A command that writes no code did not write it: the user saved a
//! file in an editor, or another session works in the same folder.

use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::Situation;
use flyball_effects::{Command, FileEffect, Line};
use flyball_programs::{Kind, Purpose, program, safe_commands};

use super::own_tasks::is_own_task;

/// Words of code that starts something that goes on.
const DETACHING_CODE: [&str; 11] = [
    "setsid",
    "nohup",
    "daemon",
    "detached",
    "start_new_session",
    "fork",
    "disown",
    "Popen",
    "spawn(",
    "multiprocessing",
    "threading.Timer",
];

/// What a task is called that starts a server: `npm run dev`, `manage.py runserver`.
const SERVER_WORDS: [&str; 6] = ["dev", "start", "serve", "watch", "preview", "runserver"];

/// Longer files are no scripts.
const MOST_BYTES: u64 = 64 * 1024;

/// Who may have written a file that is not named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Author {
    Agent,
    Others,
}

/// Who wrote what is only noticed as changed after this call.
pub(super) fn author_of_noticed(situation: &Situation<'_>) -> Author {
    // What the project's own tasks run is not looked into.
    if runs_only_own_tasks(situation) {
        return Author::Others;
    }
    // Tools that are no shell do not say what they do.
    let Some(line) = deepest_line(situation) else { return Author::Agent };
    let commands = &line.script.commands;
    let mut opaque = line.effects.opaque.iter().map(|it| it.command.and_then(|at| commands.get(at)));
    let may_write = |command: Option<&Command>| command.is_none_or(|command| !writes_no_code(command));
    let names_others = situation.deep_line().is_some_and(|deep| deep.guessed.is_some());
    // By a pattern, a list, a variable.
    let writes_unnamed = |effect: &FileEffect| {
        effect.act.changes_target() && !matches!(situation.locate(&effect.target), TargetPaths::Known(_))
    };
    let writes_unnamed = line.effects.files.iter().any(writes_unnamed);
    if names_others || writes_unnamed || opaque.any(may_write) { Author::Agent } else { Author::Others }
}

/// Whether a line builds, installs or checks as the project defines it, and does nothing else that may write.
fn runs_only_own_tasks(situation: &Situation<'_>) -> bool {
    let Some(line) = situation.effective_line() else { return false };
    let commands = &line.script.commands;
    let writes = line.effects.files.iter().any(|effect| effect.act.changes_target());
    !writes
        && !commands.is_empty()
        && commands.iter().all(|command| writes_no_code(command) || is_own_task(situation, command))
}

/// What a call leaves behind that may write later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeftWriter {
    /// Nobody knows when it ends.
    Detached,
    /// The client has it in the background.
    InBackground,
}

/// What this call leaves behind that may write later, if it does.
pub(super) fn left_writer(situation: &Situation<'_>, in_background: bool) -> Option<LeftWriter> {
    let line = deepest_line(situation)?;
    let detaches = |name: &str| program(name).is_some_and(|known| known.facts.detaches);
    let is_detached =
        |command: &Command| command.place.background || command.program_name().is_some_and(detaches);
    let is_detached = line.script.commands.iter().any(is_detached)
        || DETACHING_CODE.iter().any(|word| mentions(situation, line, word));
    let kind = match (is_detached, in_background) {
        (true, _) => LeftWriter::Detached,
        (false, true) => LeftWriter::InBackground,
        (false, false) => return None,
    };
    // A server or a test run in watch mode writes no code.
    let writes = line.effects.files.iter().any(|effect| effect.act.changes_target())
        || (author_of_noticed(situation) == Author::Agent && !line.effects.opaque.is_empty());
    writes.then_some(kind)
}

/// Whether the line, or a file that it names, has a word.
fn mentions(situation: &Situation<'_>, line: &Line, word: &str) -> bool {
    let has = |path: &AbsolutePath| {
        let text = situation.world.read(path, MOST_BYTES).ok().flatten().unwrap_or_default();
        String::from_utf8_lossy(&text).contains(word)
    };
    let named = line.script.commands.iter().flat_map(|command| &command.arguments);
    let named = named.filter_map(|argument| argument.text.as_deref()).filter(|name| !name.starts_with('-'));
    situation.effective_text().contains(word)
        || named.into_iter().any(|name| has(&situation.world.real_path(&situation.event.cwd, name)))
}

/// The line with what the files say that it runs, if that is known.
fn deepest_line<'a>(situation: &Situation<'a>) -> Option<&'a Line> {
    situation.deep_line().map(|deep| &deep.line).or_else(|| situation.effective_line())
}

/// Whether a program writes no code of the project, although nobody can say what else it does: it runs tests, checks,
/// installs packages, or is a server.
pub(super) fn writes_no_code(command: &Command) -> bool {
    let Some(name) = command.program_name() else { return false };
    let words: Vec<&str> =
        command.arguments.iter().map(|word| word.text.as_deref().unwrap_or_default()).collect();
    let kind = program(name).map(|known| known.kind);
    let is_silent_kind = matches!(
        kind,
        Some(Kind::TestRunner | Kind::Compiler | Kind::Viewer | Kind::Finder | Kind::VersionControl)
    );
    // git runs what its settings and variables name.
    let is_steered = kind == Some(Kind::VersionControl)
        && (words.contains(&"-c") || command.assignments.iter().any(|(name, _)| name.starts_with("GIT_")));
    if is_steered {
        return false;
    }
    let serves = program(name).is_some_and(|known| known.facts.serves);
    let is_server = serves || words.iter().any(|word| SERVER_WORDS.contains(word));
    is_silent_kind || is_server || is_check(name, &words)
}

/// Whether a command runs tests or checks: `cargo test`, `npm run lint`, `python -m pytest`.
fn is_check(name: &str, words: &[&str]) -> bool {
    let known =
        [Purpose::Tests, Purpose::ReadOnly].into_iter().flat_map(|purpose| safe_commands(purpose, name));
    let is_fix = words.iter().any(|word| word.starts_with("--fix") || word.starts_with("--write"));
    !is_fix && known.into_iter().any(|pattern| begins_with(words, pattern))
}

/// Whether the words behind a program begin as a pattern says, which names the program first.
fn begins_with(words: &[&str], pattern: &str) -> bool {
    let wanted: Vec<&str> = pattern.trim_end_matches('$').split(' ').skip(1).collect();
    let fits = |(wanted, word): (&&str, &&str)| match wanted.strip_suffix('*') {
        Some(head) => word.starts_with(head),
        None => wanted == word,
    };
    words.len() >= wanted.len() && wanted.iter().zip(words).all(fits)
}
