//! What an import found: shown line by line and as TOML, and written with `--write`.

use clap::Args;
use flyball_core::config::{Layer, LayerText, Standing, compile};
use flyball_policies::REGISTRY;

use crate::config_edit::addition::Additions;
use crate::config_edit::merge;
use crate::install::{Access, Change, Site, Snapshot, apply};
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::terminal::{Style, Terminal};

/// What is done with the result.
#[derive(Args)]
pub(super) struct WriteArguments {
    /// Add it to flyball.toml
    #[arg(long, conflicts_with = "dry_run")]
    pub(super) write: bool,
    /// Only show what would be added (the default)
    #[arg(long)]
    dry_run: bool,
}

/// The outcome for each thing that was found.
#[derive(Default)]
pub(super) struct Report {
    lines: Vec<Line>,
    pub(super) additions: Additions,
    /// What a person has to do besides.
    steps: Vec<String>,
}

struct Line {
    place: String,
    what: String,
    outcome: LineOutcome,
}

enum LineOutcome {
    Carried(String),
    Skipped(String),
}

impl Report {
    pub(super) fn add_carried(&mut self, place: &str, what: &str, into: impl Into<String>) {
        self.add(place, what, LineOutcome::Carried(into.into()));
    }

    pub(super) fn add_skipped(&mut self, place: &str, what: &str, why: impl Into<String>) {
        self.add(place, what, LineOutcome::Skipped(why.into()));
    }

    /// Adds something that a person has to do besides.
    pub(super) fn add_step(&mut self, step: impl Into<String>) {
        self.steps.push(step.into());
    }

    fn add(&mut self, place: &str, what: &str, outcome: LineOutcome) {
        self.lines.push(Line { place: place.to_owned(), what: what.to_owned(), outcome });
    }

    /// Shows the report, and adds the settings to the project's config with `--write`.
    pub(super) fn finish(&self, arguments: &WriteArguments, terminal: &Terminal) -> Result<Done, Failed> {
        for line in &self.lines {
            let outcome = match &line.outcome {
                LineOutcome::Carried(into) => format!("→ {}", terminal.paint(Style::Good, into)),
                LineOutcome::Skipped(why) => {
                    format!("{} {why}", terminal.paint(Style::Warning, "not imported:"))
                }
            };
            terminal.line(&format!("{}: {} {outcome}", line.place, line.what));
        }
        if !self.steps.is_empty() {
            terminal.line("\nleft to do:");
            self.steps.iter().for_each(|step| terminal.line(&format!("- {step}")));
        }
        if self.additions.0.is_empty() {
            terminal.line("\nnothing to add to flyball.toml");
            return Ok(Done::Success);
        }
        let toml = self.additions.to_toml();
        if arguments.write {
            return self.write(&toml, terminal);
        }
        terminal.line("\nto add to flyball.toml (run again with --write):\n");
        terminal.raw_lines(toml.lines());
        Ok(Done::Success)
    }

    fn write(&self, toml: &str, terminal: &Terminal) -> Result<Done, Failed> {
        let (here, site) = (ProjectContext::find()?, Site::find()?);
        let before = Snapshot::read(&here.files.project)?;
        let after = merge(before.text(), &self.additions).map_err(|why| {
            Failed::new(format!("cannot edit flyball.toml: {why}"), format!("add this by hand:\n\n{toml}"))
        })?;
        if after == before.text() {
            terminal.line("\nflyball.toml already has all of it; nothing changed");
            return Ok(Done::Success);
        }
        // A value that merges well can still be invalid, and a broken file would put the last good config in
        // force.
        check_loads(before.text(), &after).map_err(|problem| {
            let what = format!("flyball.toml would be invalid: {problem}; nothing changed");
            Failed::new(what, format!("add the valid parts by hand:\n\n{toml}"))
        })?;
        apply(&[Change::write(before, after, Access::Default)], site.state())?;
        terminal.line("\nadded to flyball.toml:\n");
        terminal.raw_lines(toml.lines());
        Ok(Done::Success)
    }
}

/// The first error that an import would cause. A file that is broken already is left to the user.
fn check_loads(before: &str, after: &str) -> Result<(), String> {
    let problems = |text| {
        let layer =
            LayerText { layer: Layer::Project, standing: Standing::Accepted, path: "flyball.toml", text };
        compile(&[layer], REGISTRY).err().unwrap_or_default()
    };
    match problems(after).first() {
        Some(problem) if problems(before).is_empty() => Err(problem.one_line()),
        Some(_) | None => Ok(()),
    }
}
