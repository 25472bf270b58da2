//! Tells a mistake from a result: a test that fails, a search without a match and a build with errors say something
//! about the code; a command that is not there or is called wrongly says something about the project that the next
//! agent should know.
//!
//! Anything that is not in the table is a result. Lines count, not exit codes: programs do not agree on those.

use flyball_core::text::{self, Words};
use flyball_effects::{Command, Script};
use flyball_programs::{Failures, Kind, program};

pub(super) use super::table::Mistake;
use super::table::Mistake::{Connection, Missing, Permission, Syntax, Usage};
use super::table::Source::{Anyone, Distinct, Echo, Error, Program, Running, Shell, Unstarted};
use super::table::{ERRORS, INFRASTRUCTURE, RESULTS, Row, SHELLS, TABLE};

/// A mistake, with the line that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagnosis {
    pub(super) what: Mistake,
    pub(super) line: String,
    /// The program that printed it, or the first of the command line.
    pub(super) program: String,
}

/// Words by which tests, linters and checks are named.
const TESTS: Words =
    Words("test|tests|t|spec|specs|lint|check|checks|e2e|ci|coverage|verify|bench|benchmark");

/// How many lines of an output are read, from its end, where the reason is.
const LINES: usize = 200;

/// The mistake in the output of a failed command line, if there is one.
pub(super) fn find_mistake(script: &Script, output: &str) -> Option<Diagnosis> {
    if was_stopped(script, output) {
        return None;
    }
    let mut running = ScriptInfo::from_script(script);
    let lines: Vec<&str> = output.lines().map(bare).filter(|line| !line.is_empty()).collect();
    let last = lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default();
    // All phrases are looked for in all lines at once: most are nowhere.
    let whole = last.join("\n").to_lowercase();
    if !running.only_reads && INFRASTRUCTURE.iter().any(|phrase| whole.contains(phrase)) {
        return None;
    }
    running.has_results = RESULTS.iter().any(|phrase| whole.contains(phrase));
    let candidates: Vec<Candidate> = TABLE.iter().flat_map(|row| candidates(row, &whole)).collect();
    let found = if candidates.is_empty() {
        None
    } else {
        last.iter().zip(whole.lines()).find_map(|(line, small)| running.read(line, small, &candidates))
    };
    found.or_else(|| inline_syntax(&running, output))
}

/// A phrase that may be in an output.
struct Candidate {
    row: &'static Row,
    phrase: &'static str,
}

fn candidates(row: &'static Row, whole: &str) -> impl Iterator<Item = Candidate> {
    let may_be_there = move |phrase: &&str| {
        phrase.split('&').all(|part| whole.contains(part.strip_prefix('^').unwrap_or(part)))
    };
    row.phrases.iter().filter(may_be_there).map(move |phrase| Candidate { row, phrase })
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

/// Whether a line has all parts of a phrase.
fn fits(phrase: &str, small: &str) -> bool {
    phrase.split('&').all(|part| match part.strip_prefix('^') {
        Some(start) => small.starts_with(start),
        None => small.contains(part),
    })
}

/// What a command line runs.
struct ScriptInfo<'a> {
    programs: Vec<&'a str>,
    /// What the programs are called with.
    arguments: Vec<String>,
    /// Whether tests, builds, linters or scripts of the project run.
    judges_code: bool,
    /// Whether tests or linters run.
    tests_code: bool,
    /// Whether the output shows that one of them has a result.
    has_results: bool,
    /// Whether a program of the project itself runs: its errors may be what is being tested.
    runs_project_program: bool,
    /// Whether everything that runs only prints files.
    only_reads: bool,
}

impl<'a> ScriptInfo<'a> {
    fn from_script(script: &'a Script) -> ScriptInfo<'a> {
        let commands = &script.commands;
        let started = commands.iter().filter_map(Command::program_name);
        let starters = commands.iter().flat_map(|command| command.wrappers.iter().map(String::as_str));
        let arguments = commands.iter().flat_map(|command| &command.arguments);
        ScriptInfo {
            programs: started.chain(starters).filter(|name| !name.is_empty()).collect(),
            arguments: arguments.filter_map(|word| argument(word.text.as_deref()?)).collect(),
            judges_code: commands.iter().any(judges_code),
            tests_code: commands.iter().any(tests_code),
            has_results: true,
            runs_project_program: commands
                .iter()
                .any(|command| is_project_program(command) || runs_project_code(command)),
            only_reads: commands
                .iter()
                .all(|command| command.program_name().is_some_and(|name| failures(name) == Failures::Shows)),
        }
    }

    /// The mistake in a line, which is also given in small letters.
    fn read(&self, line: &str, small: &str, candidates: &[Candidate]) -> Option<Diagnosis> {
        let source = self.source(small);
        let fits = |candidate: &&Candidate| {
            fits(candidate.phrase, small) && self.may_print(candidate.row, small, source)
        };
        let found = candidates.iter().find(fits).filter(|_| !is_relative_module(small))?;
        Some(self.found(found.row.what, line, source))
    }

    /// Whether a line of this row can be what it seems to be.
    fn may_print(&self, row: &Row, small: &str, source: Option<&str>) -> bool {
        let runs_one =
            row.programs.contains("") || self.programs.iter().any(|program| row.programs.contains(program));
        runs_one
            && match row.source {
                Shell => is_shell(small),
                Program => {
                    source.is_some_and(|program| is_mistake_of(program, row.what))
                        && !(row.what == Usage && self.runs_project_program)
                }
                // A program that prints files may print such a line from one of them.
                Error | Echo | Anyone | Running | Unstarted | Distinct if self.only_reads => false,
                Error => !self.runs_project_program && ERRORS.iter().any(|start| small.starts_with(start)),
                Echo => !self.runs_project_program && self.names_argument(small),
                Anyone => !self.judges_code,
                Running => !self.tests_code,
                Unstarted => !self.tests_code || !self.has_results,
                Distinct => true,
            }
    }

    /// Whether a line names something that a program was called with.
    fn names_argument(&self, small: &str) -> bool {
        self.arguments
            .iter()
            // The output of a test has many words; options are rarely among them.
            .filter(|argument| !self.tests_code || argument.starts_with('-'))
            .any(|argument| text::has_word(small, argument.trim_start_matches('-')))
    }

    /// The program that printed the line, if the line begins with its name.
    fn source(&self, small: &str) -> Option<&'a str> {
        let (name, _) = small.split_once(':')?;
        let name = name.rsplit('/').next().unwrap_or(name).trim();
        // `uv pip: error` is a line of `uv`.
        let first = name.split(' ').next().unwrap_or(name);
        let is_it = |program: &&str| [name, first].contains(&program.to_lowercase().as_str());
        self.programs.iter().copied().find(is_it)
    }

    fn found(&self, what: Mistake, line: &str, source: Option<&str>) -> Diagnosis {
        let program = source.or_else(|| self.programs.first().copied()).unwrap_or("shell");
        Diagnosis { what, line: line.to_owned(), program: program.to_owned() }
    }
}

/// A line without the marks that programs put around errors.
fn bare(line: &str) -> &str {
    line.trim_matches(|letter: char| letter.is_whitespace() || "│┃║›❯➤✖✗×╷╵⨯▲".contains(letter))
}

/// An argument as an error names it: without the value of an option.
fn argument(text: &str) -> Option<String> {
    let name = if text.starts_with('-') { text.split('=').next().unwrap_or(text) } else { text };
    let bare = name.trim_start_matches('-');
    let is_word = !bare.is_empty() && !bare.contains(char::is_whitespace);
    (is_word && (name.starts_with("--") || bare.len() > 1)).then(|| name.to_lowercase())
}

/// Whether that message of that program means a mistake.
fn is_mistake_of(program: &str, what: Mistake) -> bool {
    match what {
        Missing if failures(program) == Failures::Looks => false,
        Missing | Permission | Syntax | Connection => failures(program) != Failures::Judges,
        _ => true,
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

/// Whether it runs tests or linters, by what is known of its program or by what it is named.
fn tests_code(command: &Command) -> bool {
    let name = command.program.text.as_deref().unwrap_or_default();
    let words = command.arguments.iter().filter_map(|word| word.text.as_deref());
    let is_tester = |name: &str| {
        let known = program(name).map(|known| known.kind);
        matches!(known, Some(Kind::TestRunner | Kind::Linter | Kind::Formatter | Kind::HookRunner))
    };
    let is_named = |word: &str| {
        let mut parts = word.split(|letter: char| !letter.is_alphanumeric());
        parts.any(|part| TESTS.contains(&part.to_lowercase()))
    };
    // The first words say what is done: `npm run test:unit`, `manage.py test`, `-m pytest`.
    let what = words.filter(|word| *word != "--").take(3);
    command.program_name().is_some_and(|name| is_tester(name) || name == "[")
        || is_named(name)
        || what.into_iter().any(|word| is_tester(word) || is_named(word))
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
