//! Who wrote what changed on disk while a command ran. A command that writes no code did not write it: the user saved a
//! file in an editor, or another session works in the same folder.

use std::collections::BTreeSet;

use flyball_core::event::Tool;
use flyball_core::facts::TargetPaths;
use flyball_core::memory::CLIENT;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{LeftProcess, Situation};
use flyball_core::time::Time;
use flyball_effects::{Command, FileAct, FileEffect, Line};
use flyball_programs::{Kind, Purpose, program, safe_commands};

use super::events::call_start;
use super::own_tasks::{is_own_server, is_own_task, is_server_task};
use super::started::Started;

/// Words of code that starts something that goes on.
const DETACHING_CODE: [&str; 9] =
    ["setsid", "nohup", "daemon", "detached", "start_new_session", "fork", "disown", "Popen", "spawn("];

/// Words between a program and the name of its task.
const BEFORE_TASK: [&str; 3] = ["run", "run-script", "task"];

/// What a database client writes files with.
const QUERY_OUTPUT: [&str; 9] =
    ["\\o", "\\copy", "\\w", "\\!", ".output", ".once", ".shell", ".system", "outfile"];

/// Options with which a checker changes what it checks.
const FIXES: [&str; 4] = ["-a", "-A", "-F", "-fix"];
const FIXES_LONG: [&str; 4] = ["--fix", "--write", "--autocorrect", "--auto-correct"];

/// How the names of tools of tool servers begin that only look.
const LOOKING_TOOLS: [&str; 16] = [
    "search", "get", "list", "read", "find", "fetch", "query", "lookup", "describe", "show", "view",
    "resolve", "count", "inspect", "status", "browse",
];
/// Words in such a name with which it may write all the same.
const WRITING_TOOLS: [&str; 16] = [
    "write", "create", "update", "edit", "save", "apply", "put", "insert", "replace", "delete", "generate",
    "set", "run", "exec", "execute", "download",
];

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
    if only_looks(situation) {
        return Author::Others;
    }
    // Tools that are no shell do not say what they do.
    let Some(line) = deepest_line(situation) else { return Author::Agent };
    let commands = &line.script.commands;
    let mut opaque = line.effects.opaque.iter().map(|it| it.command.and_then(|at| commands.get(at)));
    let in_background =
        matches!(situation.event.call().map(|call| &call.tool), Some(Tool::Shell { background: true, .. }));
    // What ended by itself was no server.
    let serves =
        |command: &Command| (in_background || command.place.background) && is_own_server(situation, command);
    let may_write = |command: Option<&Command>| {
        command.is_none_or(|command| !writes_no_code(command) && !serves(command))
    };
    let names_others = situation.deep_line().is_some_and(|deep| deep.guessed.is_some());
    // By a pattern, a list, a variable.
    let by_known = |effect: &FileEffect| {
        effect.act == FileAct::Anything && commands.get(effect.command).is_some_and(writes_no_code)
    };
    let writes_unnamed = |effect: &FileEffect| !by_known(effect) && situation.is_unnamed_write(effect);
    // What only the disk says (`for f in *.py`) is no name: it is noticed like what nobody names.
    let typed = situation.effective_line().into_iter().flat_map(|typed| &typed.effects.files);
    let is_known_there = |effect: &&FileEffect| effect.act != FileAct::Anything;
    let mut effects = line.effects.files.iter().chain(typed.filter(is_known_there));
    let writes_unnamed = effects.any(writes_unnamed);
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LeftWriter {
    /// Nobody knows when it ends.
    Detached,
    /// The client has it in the background.
    InBackground,
    /// These processes.
    Seen {
        processes: BTreeSet<String>,
        /// Whether the line names code that it writes: then a server among them is no excuse.
        names_code: bool,
    },
}

/// What this call leaves behind that may write later, if it does.
pub(super) fn left_writer(
    situation: &Situation<'_>,
    in_background: bool,
    may_be_code: impl Fn(&TargetPaths) -> bool,
) -> Option<LeftWriter> {
    let line = deepest_line(situation)?;
    // As typed: the commands of a file that a job runs are no jobs of this line.
    let typed = situation.effective_line().unwrap_or(line);
    let jobs = typed.script.commands.iter().filter(|command| command.place.background).count();
    let is_detached = leaves_job(&line.script.commands, jobs)
        || line.script.commands.iter().any(|command| detaches(situation, command));
    let kind = match (is_detached, in_background) {
        (true, _) => LeftWriter::Detached,
        (false, true) => LeftWriter::InBackground,
        (false, false) => return None,
    };
    let names_code = |effect: &FileEffect| {
        let is_named = effect.act.changes_target() && effect.act != FileAct::Anything;
        is_named && may_be_code(&situation.locate(&effect.target))
    };
    let names_code = line.effects.files.iter().any(names_code);
    // A server or a test run in watch mode writes no code.
    let may_write = author_of_noticed(situation) == Author::Agent && !line.effects.opaque.is_empty();
    if !names_code && !may_write {
        return None;
    }
    if line.script.commands.iter().any(starts_later) {
        return Some(kind);
    }
    let Some(left) = left_running(situation, call_start(situation)) else { return Some(kind) };
    // A shell that writes later may have started a server before.
    let writers = left.iter().filter(|process| names_code || !process.serves);
    let processes: BTreeSet<String> = writers.map(|process| process.id.clone()).collect();
    (!processes.is_empty()).then_some(LeftWriter::Seen { processes, names_code })
}

/// What the client's commands started since a time and what still runs, if that can be seen.
pub(super) fn left_running(situation: &Situation<'_>, since: Time) -> Option<Vec<LeftProcess>> {
    // Without it, nobody knows who runs the commands.
    let client = situation.memory.peek(CLIENT).ok().flatten()?;
    situation.world.left_running(&client, since)
}

/// Whether a program has another one start something, which no call is seen to leave: `at`, `tmux`.
fn starts_later(command: &Command) -> bool {
    let is_it = |name: &str| program(name).is_some_and(|known| known.facts.starts_later);
    let mut names = command.wrappers.iter().filter_map(|wrapper| wrapper.split(' ').next());
    command.program_name().is_some_and(is_it) || names.any(is_it)
}

/// Whether a command of a line goes on in the background after it: one that the line does not wait for or end.
fn leaves_job(commands: &[Command], jobs: usize) -> bool {
    commands.iter().enumerate().filter(|(_, command)| command.place.background).any(|(at, job)| {
        let later = commands.get(at + 1..).unwrap_or_default();
        // In another shell, it is not its job.
        let mut later = later.iter().filter(|command| command.place.subshell == job.place.subshell);
        let is_job = |text: &str| text.starts_with(['%', '$']);
        !later.any(|command| match command.program_name() {
            Some("wait") => true,
            // Each is ended by its own; one that is ended by name is not known to be this.
            Some("kill") => {
                let ended =
                    command.arguments.iter().filter(|word| is_job(word.raw.trim_matches('"'))).count();
                ended >= jobs.max(1)
            }
            _ => false,
        })
    })
}

/// Whether a program starts something that goes on after it, by what is known about it, or by the code that it runs. What
/// it only reads, writes or searches is no code that it runs.
fn detaches(situation: &Situation<'_>, command: &Command) -> bool {
    let is_known = |name: &str| program(name).is_some_and(|known| known.facts.detaches);
    let mut names = command.wrappers.iter().filter_map(|wrapper| wrapper.split(' ').next());
    if command.program_name().is_some_and(is_known) || names.any(is_known) {
        return true;
    }
    let Some(started) = Started::of(command) else { return false };
    if started.known().is_some_and(|known| known.facts.detaches) {
        return true;
    }
    let is_code = started.known().is_some_and(|known| matches!(known.kind, Kind::Interpreter | Kind::Shell));
    let mut codes: Vec<&str> = Vec::new();
    let mut files: Vec<&str> = Vec::new();
    if is_code {
        let behind = started.words.windows(2);
        codes.extend(behind.filter_map(|pair| match pair {
            ["-c" | "-e" | "-E" | "-p" | "--eval" | "--print", code] => Some(*code),
            _ => None,
        }));
        codes.extend(command.input.as_deref());
        codes.extend(command.redirects.iter().filter_map(|it| it.target.text.as_deref()));
        files
            .extend(started.operands().next().filter(|_| codes.is_empty() || !started.words.contains(&"-c")));
        files.extend(command.redirects.iter().filter_map(|it| it.target.text.as_deref()));
    }
    if started.is_own {
        files.extend(command.program.text.as_deref());
    }
    let has = |text: &str| DETACHING_CODE.iter().any(|word| text.contains(word));
    codes.into_iter().any(has) || files.into_iter().any(|name| has(&text_of(situation, name)))
}

fn text_of(situation: &Situation<'_>, name: &str) -> String {
    let path: AbsolutePath = situation.world.real_path(&situation.event.cwd, name);
    let bytes = situation.world.read(&path, MOST_BYTES).ok().flatten().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether a tool of a tool server only looks, by its name.
fn only_looks(situation: &Situation<'_>) -> bool {
    let Some(Tool::Mcp { tool, .. }) = situation.event.call().map(|call| &call.tool) else { return false };
    let mut words = vec![String::new()];
    for letter in tool.chars() {
        if !letter.is_ascii_lowercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    let looks = |word: &String| LOOKING_TOOLS.contains(&word.as_str());
    let writes = |word: &String| WRITING_TOOLS.contains(&word.as_str());
    words.iter().take(2).any(looks) && !words.iter().any(writes)
}

/// The line with what the files say that it runs, if that is known.
fn deepest_line<'a>(situation: &Situation<'a>) -> Option<&'a Line> {
    situation.deep_line().map(|deep| &deep.line).or_else(|| situation.effective_line())
}

/// Whether a program writes no code of the project, although nobody can say what else it does: it runs tests, checks,
/// looks at something, or is a server.
pub(super) fn writes_no_code(command: &Command) -> bool {
    let Some(started) = Started::of(command) else { return false };
    if is_activation(&started) {
        return true;
    }
    let kind = started.known().map(|known| known.kind);
    let is_silent_kind = matches!(
        kind,
        Some(
            Kind::TestRunner
                | Kind::Compiler
                | Kind::Viewer
                | Kind::Finder
                | Kind::VersionControl
                | Kind::HookRunner
        )
    );
    // git runs what its settings and variables name.
    let is_steered = kind == Some(Kind::VersionControl)
        && (started.words.contains(&"-c")
            || command.assignments.iter().any(|(name, _)| name.starts_with("GIT_")));
    if is_steered {
        return false;
    }
    let looks = started.known().is_some_and(|known| started.has_any(known.facts.looks_with));
    let only_asks = kind == Some(Kind::Database) && is_query(command, &started);
    is_silent_kind || looks || only_asks || is_server(&started) || is_check(started.name, &started.words)
}

/// Whether a command is a server, which writes no code: by the table of programs, or by the name of a package manager's
/// task. What an interpreter is given (`gen.py --env dev`) is no task.
fn is_server(started: &Started<'_>) -> bool {
    let Some(known) = started.known() else { return false };
    let mut operands = started.operands();
    let task = operands.find(|word| !BEFORE_TASK.contains(word));
    let is_task = known.kind == Kind::PackageManager && task.is_some_and(is_server_task);
    known.facts.serves || is_task || started.has_any(known.facts.serves_with)
}

/// `source .venv/bin/activate`
fn is_activation(started: &Started<'_>) -> bool {
    let is_script = |name: &str| {
        let name = name.rsplit('/').next().unwrap_or(name);
        name == "activate" || name.starts_with("activate.")
    };
    let mut words = started.words.iter();
    let file = words.next();
    matches!(started.name, "source" | ".")
        && words.next().is_none()
        && file.is_some_and(|file| file.contains("bin/") && is_script(file))
}

/// Whether a client of a database is only given a query, and no file for its answer.
fn is_query(command: &Command, started: &Started<'_>) -> bool {
    let names_output = |word: &&str| {
        let word = word.to_ascii_lowercase();
        QUERY_OUTPUT.iter().any(|output| word.contains(output))
    };
    let reads_script = |word: &&str| ["-f", "--file", "-o", "--output", "-init"].contains(word);
    !started.words.iter().any(|word| names_output(word) || reads_script(word))
        && command.redirects.is_empty()
        && !command.place.pipe_in
}

/// Whether a command runs tests or checks: `cargo test`, `npm run lint`, `python -m pytest`.
fn is_check(name: &str, words: &[&str]) -> bool {
    let known =
        [Purpose::Tests, Purpose::ReadOnly].into_iter().flat_map(|purpose| safe_commands(purpose, name));
    let is_fix = words
        .iter()
        .any(|word| FIXES.contains(word) || FIXES_LONG.iter().any(|option| word.starts_with(option)));
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
