//! The commands a person types: one file each.

mod allow;
mod approve;
mod audit;
mod companions;
mod completions;
mod config;
mod dash;
mod demo;
mod doctor;
mod explain;
mod export;
mod fold;
mod forget;
mod help;
mod import;
mod init;
mod knowledge;
mod learn;
mod lint;
mod log;
mod r#loop;
mod man;
mod manifest;
mod mcp;
mod memory;
mod moved;
mod note;
mod page_file;
mod policies;
mod replay;
mod report;
mod restore;
mod run;
mod self_test;
mod sound;
mod status;
pub(crate) mod statusline;
mod task;
mod test;
mod top;
mod trust;
mod r#try;
mod undo;
mod uninstall;
mod update;

pub use config::schema;
pub use help::{GROUPS, Group};
pub(crate) use run::{run_inside, run_line};

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use flyball_world::interrupt;

use crate::changed_registration;
use crate::hook;
use crate::outcome::{self, Done, Failed};
use crate::terminal::{ColorChoice, Terminal};

/// The governor for coding agents: guards, checks and records what an agent does.
#[derive(Parser)]
#[command(name = "flyball", version = update::version(), max_term_width = 100, disable_help_subcommand = true)]
struct Cli {
    /// When to use colours: auto (NO_COLOR and CLICOLOR_FORCE count), always or never [default: auto]
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    #[arg(hide_default_value = true, hide_possible_values = true, display_order = 900)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Set flyball up in this project and register it with the clients in use
    Init(init::Arguments),
    /// Remove flyball from the clients' settings
    Uninstall(uninstall::Arguments),
    /// Check the installation: what is registered, what works, what is missing
    Doctor(doctor::Arguments),
    /// Show the policies, or the page of one
    Policies(policies::Arguments),
    /// Accept a project's flyball.toml, so that all of it is in force: for people only
    Trust(trust::Arguments),
    /// Accept the present content of protected files: for people only
    Approve(approve::Arguments),
    /// Let agents edit a file, or set a rule aside, for a while: for people only
    Allow(allow::Arguments),
    /// Restore protected files to what was last approved or found
    Restore(restore::Arguments),
    /// Bring files back as they were before a command or an edit of an agent
    Undo(undo::Arguments),
    /// Run a program as the commands of agents run: in the seatbelt
    Run(run::Arguments),
    /// Show what happened: events and decisions
    Log(log::Arguments),
    /// Explain one decision: who decided what, why, and on what evidence
    Explain(explain::Arguments),
    /// Show the sessions and what each waits for
    Status(status::Arguments),
    /// Open the board in the browser: sessions, decisions, loops, times
    Dash(dash::Arguments),
    /// Show sessions, decisions and times in the terminal, live
    Top(top::Arguments),
    /// Show what the rules did: fired, never fired, overridden, time spent
    Report(report::Arguments),
    /// Run a configuration over recorded sessions, and show what would differ
    Replay(replay::Arguments),
    /// Show what would be decided about a command, an edit or an event, without running or recording it
    Try(r#try::Arguments),
    /// Verify that nothing was removed or changed in the record, or export it signed
    Audit(audit::Arguments),
    /// Send what was recorded to an OpenTelemetry collector (runs by itself if `[otlp]` is set)
    Export(export::Arguments),
    /// Print the status line of a client (JSON on standard input)
    Statusline(statusline::Arguments),
    /// Show the manifest of a workflow and who took part in it, or choose it
    Manifest(manifest::Arguments),
    /// Show the loop of review and tests, and decide about it
    Loop(r#loop::Arguments),
    /// Show what the project knows: the rules for a file, and how well they help
    Memory(memory::Arguments),
    /// Review what went wrong, and make rules of it
    Learn(learn::Arguments),
    /// Start, show and end the tasks of plans
    Task(task::Arguments),
    /// Add, show, tidy up and promote the lessons of a task
    Knowledge(knowledge::Arguments),
    /// Serve what the project knows to agents, over MCP on standard input and output
    Mcp(mcp::Arguments),
    /// Turn the sound of notices on or off, set it, or try it
    Sound(sound::Arguments),
    /// Import the settings of another tool
    Import(import::Arguments),
    /// Check and show the configuration
    Config(config::Arguments),
    /// Format, check and fix files with the linters of the project
    Lint(lint::Arguments),
    /// Try every linter on a good and a bad sample, and show what works
    SelfTest(self_test::Arguments),
    /// Run the test cases of the project's rules
    Test(test::Arguments),
    /// Play a recorded agent session in a throwaway project
    Demo(demo::Arguments),
    /// Print completions for a shell, or install them
    Completions(completions::Arguments),
    /// Delete what is older than `store.keep_days`, all at once
    Forget(forget::Arguments),
    /// Show which version this is, where it came from and how to update it
    Update(update::Arguments),
    /// Print the manual page, or write all manual pages
    Man(man::Arguments),
    /// Show the help of a command
    Help(help::Arguments),
    /// Fold the journals into the index (runs by itself)
    #[command(hide = true)]
    Fold,
    #[command(hide = true, disable_help_flag = true)]
    Bench(moved::Arguments),
    #[command(hide = true, disable_help_flag = true)]
    Reference(moved::Arguments),
    /// Answer one event of a client (JSON on standard input); clients call this
    #[command(name = "hook")]
    Hook,
}

/// Parses the command line and runs what it says.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let colour = help::colour_choice(arguments);
    let terminal = Terminal::detect(colour);
    let parsed = command_line().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let command = match parsed {
        Ok(cli) => cli.command,
        Err(problem) => {
            // Only now does anybody look at the help.
            let is_long = arguments.iter().any(|word| word == "--help");
            let extent = if is_long { help::Extent::Descriptions } else { help::Extent::Names };
            let view = help::View { terminal: &terminal, colour };
            let shown = view.with_groups(command_line(), extent).try_get_matches();
            let problem = shown.err().unwrap_or(problem);
            let code = problem.exit_code();
            // Help and usage errors print themselves, each to its own stream.
            drop(problem.print());
            return ExitCode::from(u8::try_from(code).unwrap_or(2));
        }
    };
    // `main` answers it before any of this is built, unless there is an option before it.
    if matches!(command, Command::Hook) {
        return ExitCode::from(hook::run(&[]));
    }
    // Whatever it is at, it can be ended, and leaves nothing behind. What becomes another program must be the only thread.
    if !matches!(command, Command::Run(_)) {
        interrupt::clean_up_on_signal();
    }
    if is_for_people(&command) {
        changed_registration::warn();
    }
    outcome::exit_code(dispatch(command, colour, &terminal), &terminal)
}

/// Whether a person reads what the command prints; those that decide about files say it themselves.
const fn is_for_people(command: &Command) -> bool {
    !matches!(
        command,
        Command::Approve(_)
            | Command::Restore(_)
            | Command::Statusline(_)
            | Command::Mcp(_)
            | Command::Completions(_)
            | Command::Export(_)
            | Command::Man(_)
            | Command::Help(_)
            | Command::Fold
            | Command::Hook
    )
}

fn dispatch(command: Command, colour: ColorChoice, terminal: &Terminal) -> Result<Done, Failed> {
    match command {
        Command::Init(arguments) => init::run(&arguments, terminal),
        Command::Uninstall(arguments) => uninstall::run(&arguments, terminal),
        Command::Doctor(arguments) => doctor::run(&arguments, terminal),
        Command::Policies(arguments) => policies::run(&arguments, terminal),
        Command::Trust(arguments) => trust::run(&arguments, terminal),
        Command::Approve(arguments) => approve::run(&arguments, terminal),
        Command::Allow(arguments) => allow::run(&arguments, terminal),
        Command::Restore(arguments) => restore::run(&arguments, terminal),
        Command::Undo(arguments) => undo::run(&arguments, terminal),
        Command::Run(arguments) => run::run(&arguments, terminal),
        Command::Log(arguments) => log::run(&arguments, terminal),
        Command::Explain(arguments) => explain::run(&arguments, terminal),
        Command::Status(arguments) => status::run(&arguments, terminal),
        Command::Dash(arguments) => dash::run(&arguments, terminal),
        Command::Top(arguments) => top::run(&arguments, terminal),
        Command::Report(arguments) => report::run(&arguments, terminal),
        Command::Replay(arguments) => replay::run(&arguments, terminal),
        Command::Try(arguments) => r#try::run(&arguments, terminal),
        Command::Audit(arguments) => audit::run(&arguments, terminal),
        Command::Export(arguments) => export::run(&arguments, terminal),
        Command::Statusline(arguments) => statusline::run(&arguments, colour),
        Command::Manifest(arguments) => manifest::run(&arguments, terminal),
        Command::Loop(arguments) => r#loop::run(&arguments, terminal),
        Command::Memory(arguments) => memory::run(&arguments, terminal),
        Command::Learn(arguments) => learn::run(&arguments, terminal),
        Command::Task(arguments) => task::run(&arguments, terminal),
        Command::Knowledge(arguments) => knowledge::run(&arguments, terminal),
        Command::Mcp(arguments) => mcp::run(&arguments, terminal),
        Command::Sound(arguments) => sound::run(&arguments, terminal),
        Command::Import(arguments) => import::run(&arguments, terminal),
        Command::Config(arguments) => config::run(&arguments, terminal),
        Command::Lint(arguments) => lint::run(&arguments, terminal),
        Command::SelfTest(arguments) => self_test::run(&arguments, terminal),
        Command::Test(arguments) => test::run(&arguments, terminal),
        Command::Demo(arguments) => demo::run(&arguments, terminal),
        Command::Bench(arguments) => moved::run("bench", &arguments),
        Command::Completions(arguments) => completions::run(&arguments, command_line(), terminal),
        Command::Forget(arguments) => forget::run(&arguments, terminal),
        Command::Fold => fold::run(),
        Command::Reference(arguments) => moved::run("reference", &arguments),
        Command::Update(arguments) => update::run(&arguments, terminal),
        Command::Man(arguments) => man::run(&arguments, command_line(), terminal),
        Command::Help(arguments) => help::run(&arguments, command_line(), &help::View { terminal, colour }),
        // `run` has answered it.
        Command::Hook => Ok(Done::Success),
    }
}

/// The whole command line, for completions and the reference.
#[must_use]
pub fn command_line() -> clap::Command {
    Cli::command()
}
