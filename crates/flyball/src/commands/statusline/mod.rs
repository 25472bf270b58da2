//! `flyball statusline`: one line for the client's own status line.
//!
//! The client runs it several times a second, and shows what it prints: so it is quick, it never fails, and nothing
//! that an agent wrote can control the terminal.

mod facts;
mod input;
mod line;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Args;

use self::facts::Facts;
use self::input::Input;
use self::line::Colours;
use crate::environment;
use crate::outcome::{Done, Failed};
use crate::terminal::ColorChoice;

/// Arguments of `flyball statusline`.
#[derive(Args)]
#[command(
    after_help = "It prints the state of the loop, open findings, what was blocked and held in the session, the phase of its task and how full the context is; empty parts are left out. It never fails: on errors it prints a short line, and the exit code is 0. Set NO_COLOR or use `--color never` to turn colours off."
)]
pub(crate) struct Arguments {
    /// Print this text instead, without colours, with {loop}, {findings}, {denials}, {holds}, {asks}, {task}, {context} and
    /// {policy_trouble} filled in; parts without a value are empty
    #[arg(long, value_name = "TEXT")]
    format: Option<String>,
}

/// Runs it after the whole command line was parsed.
#[expect(clippy::unnecessary_wraps, reason = "all commands can fail but this one")]
pub(crate) fn run(arguments: &Arguments, colour: ColorChoice) -> Result<Done, Failed> {
    print(arguments, colour);
    Ok(Done::Success)
}

/// Runs it without building the command-line parser, if the arguments are those it is registered with.
pub(crate) fn run_early(arguments: &[String]) -> Option<ExitCode> {
    let format = match arguments {
        [] => None,
        [option, format] if option == "--format" => Some(format.clone()),
        [argument] => Some(argument.strip_prefix("--format=")?.to_owned()),
        _ => return None,
    };
    print(&Arguments { format }, ColorChoice::Auto);
    Some(ExitCode::SUCCESS)
}

fn print(arguments: &Arguments, colour: ColorChoice) {
    // Its default report would end up in the client's terminal.
    std::panic::set_hook(Box::new(|_| {}));
    let text =
        catch_unwind(AssertUnwindSafe(|| text(arguments, colour))).unwrap_or_else(|_| "flyball".to_owned());
    // If the client no longer reads, there is nothing to do.
    drop(writeln!(std::io::stdout(), "{text}"));
}

fn text(arguments: &Arguments, colour: ColorChoice) -> String {
    let input = Input::read();
    let facts = Facts::collect(&input);
    match &arguments.format {
        Some(format) => line::filled(format, &facts),
        None => {
            // Clients read it through a pipe and show its colours.
            let is_plain = match colour {
                ColorChoice::Always => false,
                ColorChoice::Never => true,
                ColorChoice::Auto => environment::variable("NO_COLOR").is_some(),
            };
            line::line(&facts, if is_plain { Colours::Plain } else { Colours::Coloured })
        }
    }
}
