//! `flyball config check`: what is wrong with the config files.

use clap::Args;
use flyball_core::config::{Compiled, Diagnostic, Layer, Severity, compile};
use flyball_core::text;
use flyball_policies::REGISTRY;
use flyball_world::config::Layers;
use serde::Serialize;

use super::ProjectContext;
use crate::outcome::{Done, Failed};
use crate::show::{Cell, table};
use crate::terminal::{Style, Terminal};

/// Arguments of `flyball config check`.
#[derive(Args)]
pub(super) struct Arguments {
    /// Print an array of findings as JSON: `severity`, `message`, `help`, `layer`, `file`, `line`,
    /// `column`
    #[arg(long)]
    json: bool,
}

/// Checks all files that count here.
pub(super) fn run(arguments: &Arguments, here: &ProjectContext, terminal: &Terminal) -> Result<Done, Failed> {
    let layers = Layers::read(&here.files);
    let report = Report::from_layers(&layers);
    if arguments.json {
        let findings: Vec<Finding<'_>> = report.findings().collect();
        terminal.raw(&serde_json::to_string_pretty(&findings).unwrap_or_default());
    } else {
        report.print(&layers, here, terminal);
    }
    Ok(if report.is_fine() { Done::Success } else { Done::Findings })
}

/// All problems of the files.
struct Report {
    /// Files that cannot be read or are ignored: a line each.
    unreadable: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

/// One finding, as scripts see it.
#[derive(Serialize)]
struct Finding<'a> {
    severity: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    place: Option<&'a flyball_core::config::Place>,
}

impl Report {
    fn from_layers(layers: &Layers) -> Report {
        let diagnostics = match compile(&layers.texts(), REGISTRY) {
            Ok(Compiled { warnings, .. }) => warnings,
            Err(errors) => errors,
        };
        let unreadable = layers.errors().into_iter().chain(layers.warnings.iter().cloned()).collect();
        Report { unreadable, diagnostics }
    }

    fn is_fine(&self) -> bool {
        self.unreadable.is_empty() && self.diagnostics.iter().all(|found| found.severity == Severity::Warning)
    }

    fn findings(&self) -> impl Iterator<Item = Finding<'_>> {
        let unreadable = self.unreadable.iter().map(|line| Finding {
            severity: "error",
            message: line,
            help: None,
            place: None,
        });
        let diagnosed = self.diagnostics.iter().map(|found| Finding {
            severity: match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: &found.message,
            help: found.help.as_deref(),
            place: Some(found.place()),
        });
        unreadable.chain(diagnosed)
    }

    fn print(&self, layers: &Layers, here: &ProjectContext, terminal: &Terminal) {
        let style = terminal.render_style();
        for line in &self.unreadable {
            terminal.line(&format!("{} {line}", terminal.paint(Style::Bad, "error:")));
            terminal.line("");
        }
        for found in &self.diagnostics {
            terminal.line(&found.render(style));
            terminal.line("");
        }
        let rows = Layer::ALL.iter().filter_map(|layer| {
            let path = here.files.path(*layer)?;
            let (style, state) = self.state(*layer, layers, path.exists());
            Some(vec![
                Cell::plain(layer.name()),
                Cell::new(style, state),
                Cell::plain(path.to_string_lossy()),
            ])
        });
        terminal.lines(table(&["layer", "state", "file"], rows.collect(), terminal));
    }

    fn state(&self, layer: Layer, layers: &Layers, exists: bool) -> (Style, String) {
        let own = || self.diagnostics.iter().filter(|found| found.layer() == layer);
        let errors = own().filter(|found| found.severity == Severity::Error).count();
        let warnings = own().count() - errors;
        let is_read = layers.texts().iter().any(|text| text.layer == layer);
        match (exists, is_read) {
            (false, _) => (Style::Faint, "not there".to_owned()),
            (true, false) => (Style::Bad, "not read".to_owned()),
            (true, true) if errors > 0 => (Style::Bad, text::counted(errors, "error")),
            (true, true) if warnings > 0 => (Style::Warning, text::counted(warnings, "warning")),
            (true, true) => (Style::Good, "fine".to_owned()),
        }
    }
}
