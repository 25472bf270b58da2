//! What an import found: said line by line, shown as TOML, and written if that is wanted.

use flyball_core::config::{Layer, LayerText, compile};
use flyball_policies::REGISTRY;

use super::WriteArguments;
use super::addition::Additions;
use crate::config_edit::merge;
use crate::install::{Access, Change, Site, Snapshot, apply};
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::terminal::{Style, Terminal};

/// What became of what was found.
#[derive(Default)]
pub(super) struct Report {
    lines: Vec<Line>,
    pub(super) additions: Additions,
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
    /// Something that was carried over.
    pub(super) fn add_carried(&mut self, place: &str, what: &str, into: impl Into<String>) {
        let became = LineOutcome::Carried(into.into());
        self.lines.push(Line { place: place.to_owned(), what: what.to_owned(), outcome: became });
    }

    /// Something that was not.
    pub(super) fn add_skipped(&mut self, place: &str, what: &str, why: impl Into<String>) {
        let became = LineOutcome::Skipped(why.into());
        self.lines.push(Line { place: place.to_owned(), what: what.to_owned(), outcome: became });
    }

    /// Shows it all, and adds it to the project's config if that is wanted.
    pub(super) fn finish(&self, outcome: &WriteArguments, terminal: &Terminal) -> Result<Done, Failed> {
        for line in &self.lines {
            let said = match &line.outcome {
                LineOutcome::Carried(into) => format!("→ {}", terminal.paint(Style::Good, into)),
                LineOutcome::Skipped(why) => {
                    format!("{} {why}", terminal.paint(Style::Warning, "not carried over:"))
                }
            };
            terminal.line(&format!("{}: {} {said}", line.place, line.what));
        }
        if self.additions.0.is_empty() {
            terminal.line("\nthere is nothing to add to flyball.toml");
            return Ok(Done::Success);
        }
        let toml = self.additions.to_toml();
        if outcome.write {
            return self.write(&toml, terminal);
        }
        terminal.line("\nto be added to flyball.toml (--write does it):\n");
        terminal.lines(toml.lines());
        Ok(Done::Success)
    }

    fn write(&self, toml: &str, terminal: &Terminal) -> Result<Done, Failed> {
        let (here, site) = (ProjectContext::find()?, Site::find()?);
        let before = Snapshot::read(&here.files.project)?;
        let after = merge(before.text(), &self.additions).map_err(|why| {
            Failed::new(
                format!("flyball.toml cannot be added to: {why}"),
                format!("add this yourself:\n\n{toml}"),
            )
        })?;
        if after == before.text() {
            terminal.line("\nflyball.toml has all of it already: nothing was changed");
            return Ok(Done::Success);
        }
        check_loads(before.text(), &after).map_err(|problem| {
            let what = format!("flyball.toml would not hold together: {problem}; nothing was changed");
            Failed::new(what, format!("add what is right of this yourself:\n\n{toml}"))
        })?;
        apply(&[Change::write(before, after, Access::Default)], site.state())?;
        terminal.line("\nadded to flyball.toml:\n");
        terminal.lines(toml.lines());
        Ok(Done::Success)
    }
}

/// What an import would break, if the file is not broken already.
fn check_loads(before: &str, after: &str) -> Result<(), String> {
    let problems = |text| {
        let layer = LayerText { layer: Layer::Project, path: "flyball.toml", text };
        compile(&[layer], REGISTRY).err().unwrap_or_default()
    };
    match problems(after).first() {
        Some(problem) if problems(before).is_empty() => Err(problem.one_line()),
        Some(_) | None => Ok(()),
    }
}
