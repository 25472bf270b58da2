//! What an import found: said line by line, shown as TOML, and written if that is wanted.

use flyball_core::config::{Layer, LayerText, compile};
use flyball_policies::REGISTRY;

use super::Outcome;
use super::addition::Additions;
use crate::config_edit::merge;
use crate::here::Here;
use crate::install::{Access, Change, Site, Snapshot, apply};
use crate::outcome::{Done, Failed};
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
    became: Became,
}

enum Became {
    Carried(String),
    Left(String),
}

impl Report {
    /// Something that was carried over.
    pub(super) fn carried(&mut self, place: &str, what: &str, into: impl Into<String>) {
        let became = Became::Carried(into.into());
        self.lines.push(Line { place: place.to_owned(), what: what.to_owned(), became });
    }

    /// Something that was not.
    pub(super) fn left(&mut self, place: &str, what: &str, why: impl Into<String>) {
        let became = Became::Left(why.into());
        self.lines.push(Line { place: place.to_owned(), what: what.to_owned(), became });
    }

    /// Shows it all, and adds it to the project's config if that is wanted.
    pub(super) fn finish(&self, outcome: &Outcome, terminal: &Terminal) -> Result<Done, Failed> {
        for line in &self.lines {
            let said = match &line.became {
                Became::Carried(into) => format!("→ {}", terminal.paint(Style::Good, into)),
                Became::Left(why) => format!("{} {why}", terminal.paint(Style::Warning, "not carried over:")),
            };
            terminal.line(&format!("{}: {} {said}", line.place, line.what));
        }
        if self.additions.0.is_empty() {
            terminal.line("\nthere is nothing to add to flyball.toml");
            return Ok(Done::Well);
        }
        let toml = self.additions.to_toml();
        if outcome.write {
            return self.write(&toml, terminal);
        }
        terminal.line("\nto be added to flyball.toml (--write does it):\n");
        terminal.lines(toml.lines());
        Ok(Done::Well)
    }

    fn write(&self, toml: &str, terminal: &Terminal) -> Result<Done, Failed> {
        let (here, site) = (Here::find()?, Site::find()?);
        let before = Snapshot::read(&here.files.project)?;
        let after = merge(before.text(), &self.additions).map_err(|why| {
            Failed::new(
                format!("flyball.toml cannot be added to: {why}"),
                format!("add this yourself:\n\n{toml}"),
            )
        })?;
        if after == before.text() {
            terminal.line("\nflyball.toml has all of it already: nothing was changed");
            return Ok(Done::Well);
        }
        still_loads(before.text(), &after).map_err(|problem| {
            let what = format!("flyball.toml would not hold together: {problem}; nothing was changed");
            Failed::new(what, format!("add what is right of this yourself:\n\n{toml}"))
        })?;
        apply(&[Change::write(before, after, Access::Usual)], site.state())?;
        terminal.line("\nadded to flyball.toml:\n");
        terminal.lines(toml.lines());
        Ok(Done::Well)
    }
}

/// What an import would break, if the file is not broken already.
fn still_loads(before: &str, after: &str) -> Result<(), String> {
    let problems = |text| {
        let layer = LayerText { layer: Layer::Project, path: "flyball.toml", text };
        compile(&[layer], REGISTRY).err().unwrap_or_default()
    };
    match problems(after).first() {
        Some(problem) if problems(before).is_empty() => Err(problem.one_line()),
        Some(_) | None => Ok(()),
    }
}
