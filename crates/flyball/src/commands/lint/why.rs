//! `flyball lint --why`: which linters act on a file, what chose them, and what a program is that is not there.

use std::time::Instant;

use flyball_core::path::AbsolutePath;
use flyball_quality::linter::{Entry, Reach};
use flyball_quality::pipeline::{Choice, ChoiceFinder};
use flyball_quality::settings::{Format, Settings};
use flyball_world::machine::Machine;

use super::choose::Chosen;
use crate::environment::{self, Environment};
use crate::outcome::Done;
use crate::terminal::Terminal;

/// Says for each file which linters act on it.
pub(super) fn show(settings: &Settings, chosen: &Chosen, terminal: &Terminal) -> Done {
    let machine = machine(chosen);
    let mut finder = ChoiceFinder::new(settings, &machine);
    let root = AbsolutePath::from_path(&chosen.root);
    for path in &chosen.files {
        let Some(file) = path.strip_folder(&root) else { continue };
        terminal.line(file);
        let mut rows = Vec::new();
        for linter in &settings.linters {
            if let Some(choice) = finder.find(linter, file) {
                let does = describe(&linter.entry, &choice, settings);
                rows.push((linter.name.clone(), does, choice.describe(&linter.name)));
            }
        }
        if rows.is_empty() {
            terminal.line("  no linter that flyball knows is chosen for this file");
        }
        let width = rows.iter().map(|(name, _, _)| name.len()).max().unwrap_or_default();
        let does_width = rows.iter().map(|(_, does, _)| does.len()).max().unwrap_or_default();
        for (name, does, by) in rows {
            terminal.line(&format!("  {name:<width$}  {does:<does_width$}  chosen by {by}"));
        }
    }
    Done::Success
}

/// What shows what is in the project.
pub(super) fn machine(chosen: &Chosen) -> Machine {
    let home = Environment::read().home;
    let machine = Machine::new(Instant::now(), home, &chosen.root, Vec::new(), flyball_clients::FACTS);
    machine.with_environment(environment::variable)
}

/// What a linter does with a file.
fn describe(entry: &Entry, choice: &Choice, settings: &Settings) -> String {
    let filters = || entry.format.iter().flatten();
    let may_format = match settings.format {
        Format::Always => true,
        Format::Configured => *choice != Choice::BuiltIn,
        Format::Never => false,
    };
    let formats = may_format && filters().any(|filter| !filter.fixes);
    let mut parts = Vec::new();
    if entry.check.is_some() {
        parts.push(if entry.reach == Some(Reach::Project) { "checks the project" } else { "checks" });
    }
    if formats {
        parts.push("formats");
    }
    if filters().any(|filter| filter.fixes) {
        parts.push("fixes at the end of a turn");
    }
    parts.join(", ")
}
