//! `cargo dev bench`: what one event costs, measured against the cheapest process there is.
//!
//! Everything runs in one interleaved race, so that a busy machine is busy for all, and is reported as
//! ratios, which carry over to other machines.

mod as_client;
mod board;
mod calls;
mod contestant;
mod counts;
mod elf;
mod fill;
mod in_process;
mod json;
mod knowledge;
mod limits;
mod lineup;
mod machine;
mod marathon;
mod open_loop;
mod packs;
mod race;
mod replay;
mod report;
mod row;
mod rules;
mod sample;
mod scratch;

use std::path::PathBuf;

use clap::Args;

use self::lineup::{Lineup, Sizes};
use self::machine::Machine;
use self::race::Rounds;
use self::report::{Measured, Report};
use self::row::Row;
use self::scratch::Scratch;
use flyball::environment;
use flyball::outcome::{Done, Failed};
use flyball::progress::Progress;
use flyball::terminal::Terminal;

/// Rounds that are run before the first that counts: enough for each session to have begun. The first
/// event of a session reads all protected files.
const WARM_UP: usize = 30;

/// Measure what one event costs, against a trivial program and other kinds of hooks
#[derive(Args)]
pub(crate) struct Arguments {
    /// How often each contestant runs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// A smaller store, journal and transcript, and fewer runs
    #[arg(long)]
    quick: bool,
    /// The build of flyball to measure [default: the one beside this program]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// End with 1 if a limit is broken
    #[arg(long)]
    check: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let report = measure(arguments)?;
    if arguments.json {
        terminal.line(&json::render(&report).to_string());
    } else {
        terminal.lines(report::lines(&report, terminal));
    }
    let is_broken = arguments.check && report.limits.iter().any(limits::CheckedLimit::is_broken);
    Ok(if is_broken { Done::Findings } else { Done::Success })
}

fn measure(arguments: &Arguments) -> Result<Report, Failed> {
    as_client::take_name();
    let built = program(arguments)?;
    let sizes = sizes(arguments);
    let progress = Progress::on_terminal();
    let scratch = Scratch::new()?;
    // As it is installed: the kernel maps a file that was copied in larger pieces than one that a linker wrote.
    let program = scratch.copy(&built)?;
    let Lineup { contestants, missing } = lineup::set_up(&program, &scratch, (&sizes, &progress))?;
    race::rehearse(&contestants)?;
    let rounds = Rounds { warm_up: WARM_UP.min(sizes.rounds), counted: sizes.rounds };
    let samples = race::run(&contestants, rounds, &progress)?;
    race::check_records(&contestants, rounds.counted)?;
    progress.set_text("counting memory, page faults and system calls");
    let counted = contestants.iter().map(|contestant| counts::count(contestant, &scratch));
    let rows = contestants.iter().zip(samples).zip(counted);
    let rows: Vec<Row> =
        rows.map(|((contestant, sample), counts)| Row::new(contestant, sample, counts)).collect();
    progress.set_text("judging inside this process");
    let inside = in_process::measure(&scratch.file("home"), sizes.rounds);
    let replayed = replay::measure(&program, &scratch, (&sizes, &progress))?;
    let board = board::measure(&scratch.file("state-board"), sizes.board_events, &progress)?;
    progress.clear();
    let mut limits = limits::check(&rows);
    limits.extend([limits::replay(&replayed), limits::pages(&board)]);
    let measured = Measured::read(&built);
    Ok(Report { measured, machine: Machine::detect(), sizes, rows, inside, replayed, board, limits, missing })
}

fn sizes(arguments: &Arguments) -> Sizes {
    let sizes = if arguments.quick { Sizes::QUICK } else { Sizes::WHOLE };
    let rounds = arguments.runs.and_then(|runs| usize::try_from(runs).ok());
    Sizes { rounds: rounds.unwrap_or(sizes.rounds), ..sizes }
}

/// The program to be measured, by its full path.
fn program(arguments: &Arguments) -> Result<PathBuf, Failed> {
    let Some(path) = &arguments.program else { return program_beside_this_one() };
    path.canonicalize().map_err(|cause| {
        Failed::new(format!("`{}` cannot be found: {cause}", path.display()), "name a build of flyball")
    })
}

/// The build of flyball with the same profile as ours: what is judged inside this process is then comparable.
fn program_beside_this_one() -> Result<PathBuf, Failed> {
    let beside = environment::program().map(|own| own.with_file_name("flyball"));
    beside.filter(|path| path.is_file()).ok_or_else(|| {
        let fix = "run `cargo build --profile dist -p flyball -p flyball-dev`, then `target/*/dist/flyball-dev bench`";
        Failed::new("there is no build of flyball beside this program", fix)
    })
}
