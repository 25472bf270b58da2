//! `flyball update`: which version this is, where it came from and how to update it.
//!
//! It changes nothing, and asks nobody unless `--check` is given. The hook never comes here.

mod check;
mod packager;
mod source;
mod version;

use clap::Args;
use serde::Serialize;

use self::check::Newest;
use self::source::Source;
use crate::environment;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::tilde;
use crate::show::text::wrap;
use crate::terminal::{Style, Terminal};

pub(crate) use self::check::notice;
pub(crate) use self::version::version;

/// Arguments of `flyball update`.
#[derive(Args)]
#[command(
    after_help = "`--check` asks the place that this program came from, with git or the package manager. If there is something newer, `flyball status` says so until you have updated. Without `--check` nothing is asked, and no hook ever does."
)]
pub(crate) struct Arguments {
    /// Ask whether there is a newer version; exits with 1 if there is one
    #[arg(long)]
    check: bool,
    /// Print JSON: `version`, `program`, `source` (registry, git, checkout, the package manager that installed it, or unknown), `update` (the command to run) and,
    /// with `--check`, `newer` (what is newer, or null)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Output<'a> {
    version: &'static str,
    program: String,
    source: &'static str,
    update: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    newer: Option<&'a Option<String>>,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let program = environment::program()
        .ok_or_else(|| Failed::new("the path of this program is unknown", "run it by its full path"))?;
    let program = program.canonicalize().unwrap_or(program);
    let source = Source::of(&program);
    let newest = if arguments.check { Some(ask(&source)?) } else { None };
    let newer = newest.map(|newest| match newest {
        Newest::This => None,
        Newest::Other(what) => Some(what),
    });
    if arguments.json {
        terminal.json(&Output {
            version: version(),
            program: program.to_string_lossy().into_owned(),
            source: source.name(),
            update: source.command(),
            newer: newer.as_ref(),
        });
    } else {
        show(&tilde(&program.to_string_lossy()), &source, terminal);
        match &newer {
            None => {}
            Some(None) => terminal.done("there is nothing newer"),
            Some(Some(what)) => {
                terminal.line(&terminal.paint(Style::Warning, &format!("there is something newer: {what}")));
            }
        }
    }
    Ok(if matches!(newer, Some(Some(_))) { Done::Findings } else { Done::Success })
}

fn ask(source: &Source) -> Result<Newest, Failed> {
    let progress = Progress::with_text("asking for the newest version");
    let newest = check::newest(source);
    drop(progress);
    let newest = newest?;
    check::remember(&newest);
    Ok(newest)
}

fn show(program: &str, source: &Source, terminal: &Terminal) {
    terminal.line(&terminal.paint(Style::Strong, &format!("flyball {}", version())));
    for (label, text) in [("program", program), ("source", &source.describe()), ("update", &source.command())]
    {
        for (number, line) in wrap(text, terminal.columns().saturating_sub(9)).iter().enumerate() {
            let label = if number == 0 { label } else { "" };
            terminal.line(&format!("{}{line}", terminal.paint(Style::Faint, &format!("{label:<9}"))));
        }
    }
}
