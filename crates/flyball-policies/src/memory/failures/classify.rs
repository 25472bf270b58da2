//! Tells a mistake from a result: a test that fails, a search without a match and a build with errors say something
//! about the code; a command that is not there or is called wrongly says something about the project that the next
//! agent should know.
//!
//! Anything that is not in the table is a result. Lines count, not exit codes: programs do not agree on those.

use flyball_core::text::Words;
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

/// A mistake, with the line that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagnosis {
    pub(super) what: Mistake,
    pub(super) line: String,
    /// The program that printed it, or the first of the command line.
    pub(super) program: String,
}

/// Who printed a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// The shell that reads the command line.
    Shell,
    /// A program of the command line, by its name.
    Program,
    /// Any program, if the line starts with `error:` or `fatal:`.
    Error,
    /// Anyone, as long as no tests, builds or scripts of the project run.
    Anyone,
}

use Mistake::{Connection, Environment, Git, Missing, NotFound, Permission, Syntax, Usage};
use Source::{Anyone, Error, Program, Shell};

/// Phrases in small letters; a `&` joins the parts of one phrase. The first phrase that a line contains counts.
const TABLE: &[(Source, Mistake, Words)] = &[
    (Shell, NotFound, Words("command not found|: not found")),
    (Shell, Permission, Words("permission denied")),
    (Shell, Missing, Words("no such file or directory|not a directory|is a directory")),
    (
        Shell,
        Syntax,
        Words(
            "syntax error|unexpected eof|parse error|unterminated quoted string|bad substitution|\
            not a valid identifier|unbound variable|no matches found|ambiguous redirect",
        ),
    ),
    (Shell, Usage, Words("invalid option")),
    (
        Program,
        Usage,
        Words(
            "unrecognized option|unrecognized command-line option|invalid option|illegal option|\
            unknown option|unknown command|unknown subcommand|unknown flag|unknown predicate|\
            unknown shorthand flag|unrecognized arguments|the following arguments are required|\
            requires an argument|invalid choice|missing operand|missing file operand|\
            missing destination file operand|extra operand|no input files|is not a git command|\
            no rule to make target|no makefile found|-r not specified",
        ),
    ),
    (Program, Missing, Words("can't open file")),
    (Program, Environment, Words("no module named")),
    (Program, Missing, Words("no such file or directory|cannot find or open|is a directory|not a directory")),
    (Program, Permission, Words("permission denied|operation not permitted")),
    (Program, Syntax, Words("unterminated|missing closing|missing }|unmatched|syntax error|compile error")),
    (
        Program,
        Connection,
        Words("connection refused|failed to connect to localhost|failed to connect to 127.0.0.1"),
    ),
    (
        Error,
        Usage,
        Words(
            "unexpected argument|unrecognized subcommand|unrecognized arguments|no such command|\
            no such option|no such subcommand|unknown option|unknown command|unknown switch|unknown flag|\
            unknown argument|the following required arguments|a value is required for|\
            invalid value '&for '--|the argument '&cannot be used with|missing script|no test target named|\
            no bin target named|package id specification&did not match|does not contain this feature",
        ),
    ),
    (
        Error,
        Missing,
        Words("could not find `cargo.toml`|could not read package.json|file or directory not found"),
    ),
    (
        Error,
        Git,
        Words(
            "not a git repository|did not match any file|ambiguous argument|bad revision|invalid reference|\
            branch '&not found|a branch named&already exists|no configured push destination|\
            has no upstream branch|does not appear to be a git repository|src refspec|\
            refusing to merge unrelated histories|would be overwritten by",
        ),
    ),
    (Error, Environment, Words("externally-managed-environment|no matching distribution found")),
    (
        Anyone,
        Git,
        Words("not something we can merge|there is no tracking information for the current branch"),
    ),
    (Anyone, Environment, Words("modulenotfounderror: no module named|error: cannot find module '")),
    (Anyone, Permission, Words("permission denied (publickey")),
    (
        Anyone,
        Connection,
        Words(
            "cannot connect to the docker daemon|econnrefused&127.0.0.1|econnrefused&::1|\
            connection refused&127.0.0.1|connection refused&localhost",
        ),
    ),
    (Anyone, Missing, Words("couldn't read `&no such file or directory|can't open perl script")),
];

/// How error lines of a shell begin.
const SHELLS: &[&str] = &["bash:", "zsh:", "sh:", "dash:", "ksh:", "fish:", "(eval):", "-bash:", "eval:"];

/// How error lines of programs begin that do not print their name.
const ERRORS: &[&str] =
    &["error:", "fatal:", "npm error", "npm err!", "err_pnpm", " err_pnpm", "usage error:"];

/// How many lines of an output are read, from its end, where the reason is.
const LINES: usize = 200;

/// The mistake in the output of a failed command line, if there is one.
pub(super) fn find_mistake(script: &Script, output: &str) -> Option<Diagnosis> {
    if was_stopped(script, output) {
        return None;
    }
    let running = ScriptInfo::from_script(script);
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    let first = lines.len().saturating_sub(LINES);
    let found = lines.iter().skip(first).find_map(|line| running.read(line));
    found.or_else(|| inline_syntax(&running, output))
}

/// Whether it was stopped by a timeout or a person: there is nothing to learn from that.
fn was_stopped(script: &Script, output: &str) -> bool {
    // Some clients begin the output of a failed command with its exit code.
    let code =
        output.lines().next().and_then(|line| line.strip_prefix("Exit code ")?.trim().parse::<i32>().ok());
    let limited = script.commands.iter().any(|command| command.wrappers.iter().any(|name| name == "timeout"));
    // 128 and a signal: interrupt, kill, terminate. 124 is the exit code of `timeout` itself.
    matches!(code, Some(130 | 137 | 143))
        || (code == Some(124) && limited)
        || output.contains("Command timed out after")
}

/// A syntax error in code on the command line itself.
fn inline_syntax(running: &ScriptInfo<'_>, output: &str) -> Option<Diagnosis> {
    let is_inline = ["File \"<string>\"", "File \"<stdin>\"", "[eval]:", "[stdin]:"]
        .iter()
        .any(|place| output.contains(place));
    let line = output.lines().find(|line| line.trim_start().starts_with("SyntaxError"))?;
    (is_inline && !running.judges_code).then(|| running.found(Syntax, line, None))
}

/// What a command line runs.
struct ScriptInfo<'a> {
    programs: Vec<&'a str>,
    /// Whether tests, builds, linters or scripts of the project run.
    judges_code: bool,
    /// Whether a program of the project itself runs: its errors may be what is being tested.
    runs_project_program: bool,
    /// Whether everything that runs only prints files.
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
        let (shell, source) = (is_shell(&small), self.source(&small));
        let is_error = ERRORS.iter().any(|start| small.starts_with(start));
        TABLE.iter().find_map(|(who, what, phrases)| {
            let may_count = match who {
                Shell => shell,
                Program => source.is_some_and(|program| is_mistake_of(program, *what)),
                // A program that prints files may print such a line from one of them.
                Error => is_error && !self.runs_project_program && !self.only_reads,
                Anyone => !self.judges_code && !self.only_reads,
            };
            let fits =
                may_count && phrases.iter().any(|phrase| phrase.split('&').all(|part| small.contains(part)));
            (fits && !is_relative_module(&small)).then(|| self.found(*what, line, source))
        })
    }

    /// The program that printed the line, if the line begins with its name.
    fn source(&self, small: &str) -> Option<&'a str> {
        let (name, _) = small.split_once(':')?;
        let name = name.rsplit('/').next().unwrap_or(name).trim();
        self.programs.iter().copied().find(|program| program.to_lowercase() == name)
    }

    fn found(&self, what: Mistake, line: &str, source: Option<&str>) -> Diagnosis {
        let program = source.or_else(|| self.programs.first().copied()).unwrap_or("shell");
        Diagnosis { what, line: line.trim().to_owned(), program: program.to_owned() }
    }
}

/// Whether that message of that program means a mistake.
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

/// A missing module of the project itself is unfinished code, not a mistake.
fn is_relative_module(small: &str) -> bool {
    small.contains("cannot find module './") || small.contains("cannot find module '../")
}

fn judges_code(command: &Command) -> bool {
    // An unknown program may be a test, whose errors are results.
    let Some(name) = command.program_name() else { return true };
    let words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).collect();
    // `python -m pytest` runs tests, too.
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
