//! The table of linters: what checks which language after edits, and what is missing.

use std::path::Path;

use crate::install::Site;
use crate::linters::{LinterStatus, State, Survey};
use crate::terminal::{Style, Terminal};

/// Shows each linter that is for a language of the project, with its program or how to install it.
pub(super) fn show(survey: &Survey, site: &Site, terminal: &Terminal) {
    if survey.linters.is_empty() {
        return;
    }
    let rows: Vec<Row> = survey.linters.iter().map(|seen| Row::from_status(seen, site)).collect();
    let width = |column: fn(&Row) -> &str| {
        rows.iter().map(|row| column(row).chars().count()).max().unwrap_or_default()
    };
    let (languages, names) = (width(|row| &row.language), width(|row| &row.name));
    terminal.line("checked after edits:");
    let mut last = "";
    for row in &rows {
        // Named once for all its linters; the survey lists them language by language.
        let language = if row.language == last { "" } else { &row.language };
        last = &row.language;
        let language = terminal.paint(Style::Faint, &format!("{language:<languages$}"));
        let mark = terminal.paint(row.mark.1, row.mark.0);
        let line = format!("  {language}  {mark} {:<names$}  {}", row.name, row.about(terminal));
        terminal.line(&line);
    }
    if survey.linters.iter().any(|seen| seen.state == State::Missing) {
        terminal.line("  Missing linters are skipped; `flyball doctor` lists them.");
    }
    terminal.line("");
}

struct Row {
    language: String,
    mark: (&'static str, Style),
    /// With its version, if it is known.
    name: String,
    place: String,
    /// What is wrong with it, if anything.
    problem: String,
}

impl Row {
    fn from_status(seen: &LinterStatus, site: &Site) -> Row {
        let show = |path: &str| site.show(Path::new(path));
        let named = |version: &str| format!("{} {version}", seen.name).trim_end().to_owned();
        let (good, warning) = (("✓", Style::Good), ("!", Style::Warning));
        let hint = |what: String| {
            if seen.install.is_empty() { what } else { format!("{what}: {}", seen.install) }
        };
        let (mark, name, place, problem) = match &seen.state {
            State::Builtin => (good, named(""), "a part of flyball".to_owned(), String::new()),
            State::Found { program, version } => {
                (good, named(version.as_deref().unwrap_or_default()), show(program), String::new())
            }
            State::Outdated { program, version, at_least } => {
                (warning, named(version), show(program), hint(format!("older than {at_least}")))
            }
            State::Broken { program, .. } => {
                (warning, named(""), show(program), hint("does not run".to_owned()))
            }
            State::Missing => (warning, named(""), String::new(), hint("missing".to_owned())),
        };
        Row { language: seen.language.clone(), mark, name, place, problem }
    }

    fn about(&self, terminal: &Terminal) -> String {
        let place = terminal.paint(Style::Faint, &self.place);
        match (self.place.as_str(), self.problem.as_str()) {
            (_, "") => place,
            ("", problem) => problem.to_owned(),
            (_, problem) => format!("{place}  {problem}"),
        }
    }
}
