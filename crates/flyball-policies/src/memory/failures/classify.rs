//! Tells a mistake from a result: a test that fails, a search without a match and a build with errors say something
//! about the code; a command that is not there or is called wrongly says something about the project that the next
//! agent should know.
//!
//! What no line of the table knows is a result. Lines are looked at, not the exit code: programs do not agree on those.

use flyball_effects::{Command, Script};
use flyball_programs::{Failures, program};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    NotFound,
    Usage,
    Missing,
    Permission,
    Syntax,
    Environment,
    Connection,
    Git,
}

impl Mistake {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Mistake::NotFound => "command not found",
            Mistake::Usage => "called wrongly",
            Mistake::Missing => "a file or folder that is not there",
            Mistake::Permission => "not permitted",
            Mistake::Syntax => "an expression that cannot be read",
            Mistake::Environment => "something is not installed",
            Mistake::Connection => "a local service does not answer",
            Mistake::Git => "refused by git",
        }
    }
}

/// A mistake, with the line that tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagnosis {
    pub(super) what: Mistake,
    pub(super) line: String,
    /// The program that said it, or the first of the command line.
    pub(super) program: String,
}

/// Who speaks in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    /// The shell that reads the command line.
    Shell,
    /// A program of the command line, by its name.
    Program,
    /// Someone who starts with `error:` or `fatal:`.
    Error,
    /// Anyone, as long as no tests, builds or scripts of the project run.
    Anyone,
}

use Mistake::{Connection, Environment, Git, Missing, NotFound, Permission, Syntax, Usage};
use Speaker::{Anyone, Error, Program, Shell};

/// All words must be in the line, in small letters. The first row that fits counts.
const TABLE: &[(Speaker, Mistake, &[&str])] = &[
    (Shell, NotFound, &["command not found"]),
    (Shell, NotFound, &[": not found"]),
    (Shell, Permission, &["permission denied"]),
    (Shell, Missing, &["no such file or directory"]),
    (Shell, Missing, &["not a directory"]),
    (Shell, Missing, &["is a directory"]),
    (Shell, Syntax, &["syntax error"]),
    (Shell, Syntax, &["unexpected eof"]),
    (Shell, Syntax, &["parse error"]),
    (Shell, Syntax, &["unterminated quoted string"]),
    (Shell, Syntax, &["bad substitution"]),
    (Shell, Syntax, &["not a valid identifier"]),
    (Shell, Syntax, &["unbound variable"]),
    (Shell, Syntax, &["no matches found"]),
    (Shell, Syntax, &["ambiguous redirect"]),
    (Shell, Usage, &["invalid option"]),
    (Program, Usage, &["unrecognized option"]),
    (Program, Usage, &["unrecognized command-line option"]),
    (Program, Usage, &["invalid option"]),
    (Program, Usage, &["illegal option"]),
    (Program, Usage, &["unknown option"]),
    (Program, Usage, &["unknown command"]),
    (Program, Usage, &["unknown subcommand"]),
    (Program, Usage, &["unknown flag"]),
    (Program, Usage, &["unknown predicate"]),
    (Program, Usage, &["unknown shorthand flag"]),
    (Program, Usage, &["unrecognized arguments"]),
    (Program, Usage, &["the following arguments are required"]),
    (Program, Usage, &["requires an argument"]),
    (Program, Usage, &["invalid choice"]),
    (Program, Usage, &["missing operand"]),
    (Program, Usage, &["missing file operand"]),
    (Program, Usage, &["missing destination file operand"]),
    (Program, Usage, &["extra operand"]),
    (Program, Usage, &["no input files"]),
    (Program, Usage, &["is not a git command"]),
    (Program, Usage, &["no rule to make target"]),
    (Program, Usage, &["no makefile found"]),
    (Program, Usage, &["-r not specified"]),
    (Program, Missing, &["can't open file"]),
    (Program, Environment, &["no module named"]),
    (Program, Missing, &["no such file or directory"]),
    (Program, Missing, &["cannot find or open"]),
    (Program, Missing, &["is a directory"]),
    (Program, Missing, &["not a directory"]),
    (Program, Permission, &["permission denied"]),
    (Program, Permission, &["operation not permitted"]),
    (Program, Syntax, &["unterminated"]),
    (Program, Syntax, &["missing closing"]),
    (Program, Syntax, &["missing }"]),
    (Program, Syntax, &["unmatched"]),
    (Program, Syntax, &["syntax error"]),
    (Program, Syntax, &["compile error"]),
    (Program, Connection, &["connection refused"]),
    (Program, Connection, &["failed to connect to localhost"]),
    (Program, Connection, &["failed to connect to 127.0.0.1"]),
    (Error, Usage, &["unexpected argument"]),
    (Error, Usage, &["unrecognized subcommand"]),
    (Error, Usage, &["unrecognized arguments"]),
    (Error, Usage, &["no such command"]),
    (Error, Usage, &["no such option"]),
    (Error, Usage, &["no such subcommand"]),
    (Error, Usage, &["unknown option"]),
    (Error, Usage, &["unknown command"]),
    (Error, Usage, &["unknown switch"]),
    (Error, Usage, &["unknown flag"]),
    (Error, Usage, &["unknown argument"]),
    (Error, Usage, &["the following required arguments"]),
    (Error, Usage, &["a value is required for"]),
    (Error, Usage, &["invalid value '", "for '--"]),
    (Error, Usage, &["the argument '", "cannot be used with"]),
    (Error, Usage, &["missing script"]),
    (Error, Usage, &["no test target named"]),
    (Error, Usage, &["no bin target named"]),
    (Error, Usage, &["package id specification", "did not match"]),
    (Error, Usage, &["does not contain this feature"]),
    (Error, Missing, &["could not find `cargo.toml`"]),
    (Error, Missing, &["could not read package.json"]),
    (Error, Missing, &["file or directory not found"]),
    (Error, Git, &["not a git repository"]),
    (Error, Git, &["did not match any file"]),
    (Error, Git, &["ambiguous argument"]),
    (Error, Git, &["bad revision"]),
    (Error, Git, &["invalid reference"]),
    (Error, Git, &["branch '", "not found"]),
    (Error, Git, &["a branch named", "already exists"]),
    (Error, Git, &["no configured push destination"]),
    (Error, Git, &["has no upstream branch"]),
    (Error, Git, &["does not appear to be a git repository"]),
    (Error, Git, &["src refspec"]),
    (Error, Git, &["refusing to merge unrelated histories"]),
    (Error, Git, &["would be overwritten by"]),
    (Error, Environment, &["externally-managed-environment"]),
    (Error, Environment, &["no matching distribution found"]),
    (Anyone, Git, &["not something we can merge"]),
    (Anyone, Git, &["there is no tracking information for the current branch"]),
    (Anyone, Environment, &["modulenotfounderror: no module named"]),
    (Anyone, Environment, &["error: cannot find module '"]),
    (Anyone, Permission, &["permission denied (publickey"]),
    (Anyone, Connection, &["cannot connect to the docker daemon"]),
    (Anyone, Connection, &["econnrefused", "127.0.0.1"]),
    (Anyone, Connection, &["econnrefused", "::1"]),
    (Anyone, Connection, &["connection refused", "127.0.0.1"]),
    (Anyone, Connection, &["connection refused", "localhost"]),
    (Anyone, Missing, &["couldn't read `", "no such file or directory"]),
    (Anyone, Missing, &["can't open perl script"]),
];

/// How the shell begins a line in which it complains.
const SHELLS: &[&str] = &["bash:", "zsh:", "sh:", "dash:", "ksh:", "fish:", "(eval):", "-bash:", "eval:"];

/// How programs begin a line in which they complain without their name.
const ERRORS: &[&str] =
    &["error:", "fatal:", "npm error", "npm err!", "err_pnpm", " err_pnpm", "usage error:"];

/// How much of an output is looked at, from its end: that is where the reason stands.
const LINES: usize = 200;

/// The mistake that a failed command line tells, if it tells one.
pub(super) fn find_mistake(script: &Script, said: &str) -> Option<Diagnosis> {
    if was_stopped(script, said) {
        return None;
    }
    let running = ScriptInfo::from_script(script);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let late = lines.len().saturating_sub(LINES);
    let found = lines.iter().skip(late).find_map(|line| running.read(line));
    found.or_else(|| inline_syntax(&running, said))
}

/// Whether it was stopped, by a limit that was asked for or by a person: nobody learns from that.
fn was_stopped(script: &Script, said: &str) -> bool {
    let code =
        said.lines().next().and_then(|line| line.strip_prefix("Exit code ")?.trim().parse::<i32>().ok());
    let limited = script.commands.iter().any(|command| command.wrappers.iter().any(|name| name == "timeout"));
    matches!(code, Some(130 | 137 | 143))
        || (code == Some(124) && limited)
        || said.contains("Command timed out after")
}

/// Code that stands in the command line itself and cannot be read.
fn inline_syntax(running: &ScriptInfo<'_>, said: &str) -> Option<Diagnosis> {
    let is_inline = ["File \"<string>\"", "File \"<stdin>\"", "[eval]:", "[stdin]:"]
        .iter()
        .any(|place| said.contains(place));
    let line = said.lines().find(|line| line.trim_start().starts_with("SyntaxError"))?;
    (is_inline && !running.judges_code).then(|| running.found(Syntax, line, None))
}

/// What a command line runs.
struct ScriptInfo<'a> {
    programs: Vec<&'a str>,
    /// Whether tests, builds, linters or scripts of the project run.
    judges_code: bool,
    /// Whether a program of the project itself runs, whose complaints may be what is being tried.
    runs_project_program: bool,
    /// Whether all that runs shows what is written somewhere.
    only_reads: bool,
}

impl<'a> ScriptInfo<'a> {
    fn from_script(script: &'a Script) -> ScriptInfo<'a> {
        let programs =
            script.commands.iter().filter_map(Command::program_name).filter(|name| !name.is_empty());
        ScriptInfo {
            programs: programs.collect(),
            judges_code: script.commands.iter().any(judges_code),
            runs_project_program: script
                .commands
                .iter()
                .any(|command| is_project_program(command) || runs_project_code(command)),
            only_reads: script
                .commands
                .iter()
                .all(|command| command.program_name().is_some_and(|name| failures(name) == Failures::Shows)),
        }
    }

    fn read(&self, line: &str) -> Option<Diagnosis> {
        let small = line.trim().to_lowercase();
        let (shell, speaker) = (is_shell(&small), self.speaker(&small));
        let is_error = ERRORS.iter().any(|start| small.starts_with(start));
        TABLE.iter().find_map(|(who, what, words)| {
            let speaks = match who {
                Shell => shell,
                Program => speaker.is_some_and(|program| is_mistake_of(program, *what)),
                Error => is_error && !self.runs_project_program && !self.only_reads,
                Anyone => !self.judges_code && !self.only_reads,
            };
            let fits = speaks && words.iter().all(|word| small.contains(word));
            (fits && !is_relative_module(&small)).then(|| self.found(*what, line, speaker))
        })
    }

    /// The program of the line that begins with its name.
    fn speaker(&self, small: &str) -> Option<&'a str> {
        let (name, _) = small.split_once(':')?;
        let name = name.rsplit('/').next().unwrap_or(name).trim();
        self.programs.iter().copied().find(|program| program.to_lowercase() == name)
    }

    fn found(&self, what: Mistake, line: &str, speaker: Option<&str>) -> Diagnosis {
        let program = speaker.or_else(|| self.programs.first().copied()).unwrap_or("shell");
        Diagnosis { what, line: line.trim().to_owned(), program: program.to_owned() }
    }
}

/// Whether that is a mistake in the mouth of that program.
fn is_mistake_of(program: &str, what: Mistake) -> bool {
    match what {
        Missing if failures(program) == Failures::Looks => false,
        Missing | Permission | Syntax | Connection => failures(program) != Failures::Judges,
        NotFound | Usage | Environment | Git => true,
    }
}

fn failures(name: &str) -> Failures {
    program(name).map_or(Failures::Plain, |known| known.facts.failures)
}

fn is_shell(small: &str) -> bool {
    let start = small.strip_prefix("/usr").unwrap_or(small);
    let start = start.strip_prefix("/bin/").unwrap_or(start);
    SHELLS.iter().any(|shell| start.starts_with(shell))
}

/// A module of the project's own that is not there is code that is not done.
fn is_relative_module(small: &str) -> bool {
    small.contains("cannot find module './") || small.contains("cannot find module '../")
}

fn judges_code(command: &Command) -> bool {
    let Some(name) = command.program_name() else { return true };
    let words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).collect();
    let module = words.iter().skip_while(|word| **word != "-m").nth(1);
    let tests = |module: &&&str| failures(module) == Failures::Judges;
    is_project_program(command)
        || failures(name) == Failures::Judges
        || (failures(name) == Failures::RunsFiles && !words.is_empty())
        || module.filter(tests).is_some()
        || (name == "node" && words.contains(&"--test"))
}

/// Whether it starts a program of the project: its source is given, or a tool builds and runs it.
fn runs_project_code(command: &Command) -> bool {
    let Some(name) = command.program_name() else { return false };
    let first = command.arguments.iter().find_map(|word| word.text.as_deref()).unwrap_or_default();
    match name {
        "cargo" | "go" | "dotnet" | "swift" | "zig" | "deno" | "stack" | "cabal" => first == "run",
        "node" | "bun" | "tsx" | "ts-node" => {
            [".js", ".mjs", ".cjs", ".ts"].iter().any(|end| first.ends_with(end))
        }
        "python" | "python3" | "ruby" | "php" | "perl" => first.contains('.') && !first.starts_with('-'),
        _ => false,
    }
}

/// Whether it is a program of the project: it is called by its path.
fn is_project_program(command: &Command) -> bool {
    let text = command.program.text.as_deref().unwrap_or_default();
    let is_system = ["/bin/", "/usr/", "/opt/", "/sbin/"].iter().any(|place| text.starts_with(place));
    text.contains('/') && !is_system && !text.contains("node_modules/.bin") && !text.contains("venv/bin")
}
