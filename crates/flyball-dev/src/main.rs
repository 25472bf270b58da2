//! Tools for developers of flyball: benchmarks, the generated reference, and how well rules are chosen. `cargo dev` starts it.

#![forbid(unsafe_code)]

mod bench;
mod reference;
mod relevance;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use flyball::outcome;
use flyball::terminal::{ColorChoice, Terminal};

/// Tools for developers of flyball
#[derive(Parser)]
#[command(name = "cargo dev", max_term_width = 100, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure what one event costs
    Bench(bench::Arguments),
    /// Write or check the generated reference
    Reference(reference::Arguments),
    /// Measure how well rules are chosen for edits
    Relevance(relevance::Arguments),
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    let terminal = Terminal::detect(ColorChoice::Auto);
    // A benchmark fills gigabytes of scratch space: it must clean up when it is interrupted.
    flyball_world::interrupt::clean_up_on_signal();
    let result = match command {
        Command::Bench(arguments) => bench::run(&arguments, &terminal),
        Command::Reference(arguments) => reference::run(&arguments, &terminal),
        Command::Relevance(arguments) => relevance::run(&arguments, &terminal),
    };
    outcome::exit_code(result, &terminal)
}
