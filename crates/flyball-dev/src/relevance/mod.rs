//! How well `memory.context` chooses rules: precision and recall on the labelled set in `relevance/`, beside what is
//! simpler.

mod baselines;
mod measure;
mod set;
mod stage;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use clap::Args;
use flyball::outcome::{Done, Failed};
use flyball::terminal::Terminal;

use self::measure::{Counts, Method, Misses};
use self::set::{Half, Project};

/// Where the table stands in a page.
const BEGIN: &str = "<!-- cargo dev relevance --write docs/memory.md -->\n";
const END: &str = "<!-- end -->\n";

/// Arguments of `cargo dev relevance`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Write the table into this page
    #[arg(long, value_name = "PAGE")]
    write: Option<PathBuf>,
    /// List the edits of the tuning half where flyball chose otherwise than the labels
    #[arg(long)]
    misses: bool,
}

/// Prints the table, or writes it into a page.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let projects = set::load(&folder())?;
    if arguments.misses {
        let tuning: Vec<&Project> = projects.iter().filter(|project| project.half == Half::Tuning).collect();
        let mut misses = Misses::default();
        measure::measure(&tuning, Method::Flyball, &mut misses)?;
        terminal.lines(&misses.0);
        return Ok(Done::Success);
    }
    let table = table(&projects)?;
    match &arguments.write {
        None => terminal.line(table.trim_end()),
        Some(page) => write(page, &table)?,
    }
    Ok(Done::Success)
}

/// The labelled set in this checkout.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("relevance")
}

/// All figures, as Markdown.
fn table(projects: &[Project]) -> Result<String, Failed> {
    let mut text = "| half | method | edits | rules shown | precision at 3 | recall at 3 | F1 |\n\
                    |---|---|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (half, method, counts) in figures(projects)? {
        let Counts { edits, shown, .. } = counts;
        let (precision, recall, f1) = (counts.precision(), counts.recall(), counts.f1());
        text += &format!(
            "| {} | {} | {edits} | {shown} | {precision:.2} | {recall:.2} | {f1:.2} |\n",
            half.name(),
            method.name()
        );
    }
    Ok(text)
}

/// What each method reaches on each half.
fn figures(projects: &[Project]) -> Result<Vec<(Half, Method, Counts)>, Failed> {
    let mut figures = Vec::new();
    for half in Half::ALL {
        let its: Vec<&Project> = projects.iter().filter(|project| project.half == half).collect();
        for method in Method::ALL {
            figures.push((half, method, measure::measure(&its, method, &mut Misses::default())?));
        }
    }
    Ok(figures)
}

fn write(page: &Path, table: &str) -> Result<(), Failed> {
    let failed = |cause: std::io::Error| {
        Failed::new(format!("{}: {cause}", page.display()), "name a page with the table")
    };
    let text = std::fs::read_to_string(page).map_err(failed)?;
    let (Some((before, rest)), true) = (text.split_once(BEGIN), text.contains(END)) else {
        return Err(Failed::new(
            format!("{} has no place for the table", page.display()),
            format!("add {BEGIN}{END}"),
        ));
    };
    let after = rest.split_once(END).map_or("", |(_, after)| after);
    std::fs::write(page, format!("{before}{BEGIN}{table}{END}{after}")).map_err(failed)
}
