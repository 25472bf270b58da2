//! `flyball run`: a program in the seatbelt, as a client starts the commands of its agent.

mod line;
mod proof;

use std::path::{Path, PathBuf};

use clap::Args;
use flyball_seatbelt::{Plan, left_open};
use flyball_system::exec;

pub(crate) use self::line::{run_inside, run_line};

use crate::environment;
use crate::install::PROGRAM_NAME;
use crate::outcome::{Done, Failed};
use crate::seatbelt::{self, Cover, Means, Placement};
use crate::terminal::Terminal;

/// Arguments of `flyball run`.
#[derive(Args)]
#[command(
    after_help = "It is run as a command of an agent is in this project: the kernel keeps it from changing flyball's files, protected \
                  files, git's hooks and the repository's configuration. `[seatbelt]` in the configuration says how much is refused. \
                  The exit code is that of the program.

  flyball run npm test              a program in the seatbelt
  flyball run --show                what it cannot change here
  flyball run sh -c 'echo > flyball.toml'
                                    try it: the kernel refuses"
)]
pub(crate) struct Arguments {
    /// Show what is read-only here; runs nothing
    #[arg(long)]
    show: bool,
    /// Make one for this temporary folder, and try what it should refuse
    #[arg(long, hide = true, value_name = "FOLDER")]
    prove: Option<PathBuf>,
    /// The program, and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required_unless_present_any = ["show", "prove"], value_name = "COMMAND")]
    command: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    if let Some(folder) = &arguments.prove {
        return proof::run(folder, terminal);
    }
    let Some(folder) = environment::working_directory() else {
        return Err(Failed::new("the current directory is gone", "change to one that exists"));
    };
    let Some(cover) = Cover::find(None, &folder)? else {
        return Err(Failed::new(
            "the seatbelt is switched off",
            "set `mode = \"enforce\"` in `[seatbelt]` of the configuration",
        ));
    };
    let Placement::Inside(plan) = cover.placement(None)? else { return Ok(Done::Success) };
    if arguments.show {
        show(&plan, &cover, terminal);
        return Ok(Done::Success);
    }
    let Some((program, rest)) = arguments.command.split_first() else { return Ok(Done::Success) };
    let mut entered = seatbelt::enter(&plan).map_err(|not_made| not_made.why)?;
    if let Some(lacking) = entered.lacks.take() {
        return Err(lacking);
    }
    let cause = exec(entered.command(program).args(rest));
    Err(Failed { code: 127, ..Failed::new(format!("cannot start {program}: {cause}"), "") })
}

fn without(paths: &[PathBuf], others: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().filter(|path| !others.contains(path)).cloned().collect()
}

fn show(plan: &Plan, cover: &Cover, terminal: &Terminal) {
    let list = |title: &str, paths: &[std::path::PathBuf]| {
        terminal.line(&format!("{title}:"));
        for path in paths {
            terminal.line(&format!("  {}", crate::project_context::tilde(&path.to_string_lossy())));
        }
    };
    let program = environment::program().unwrap_or_else(|| PROGRAM_NAME.into());
    let means = seatbelt::holds_at(cover.level(), &program);
    match &means {
        Ok(means) => terminal.line(&format!("by: {}", means.name())),
        Err(why) => terminal.line(&format!("by: nothing ({}; {})", why.what, why.fix)),
    }
    terminal.line(&format!("level: {:?}", cover.level()).to_lowercase());
    let open = if matches!(means, Ok(Means::Landlock)) { left_open(plan) } else { Vec::new() };
    list("read-only", &without(&plan.read_only, &open));
    if let Some(writable) = &plan.writable {
        list("the only folders that can be written", writable);
    }
    if !plan.hidden.is_empty() {
        list("hidden", &without(&plan.hidden, &open));
    }
    if !open.is_empty() {
        list("NOT protected", &open);
    }
    if plan.net == flyball_seatbelt::Net::Off {
        terminal.line(&format!("network: {}", seatbelt::network_that_is_off(means.ok())));
    }
    if !plan.read_only.iter().any(|path| cover.folder().starts_with(path)) {
        terminal.line(&format!("in {}", Path::new(cover.folder()).display()));
    }
}
