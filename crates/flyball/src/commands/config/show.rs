//! `flyball config show`: every value in force, and where it was written.

use clap::Args;
use flyball_core::config::{Config, Mode, Origin, compile, origins};
use flyball_core::policy::Policy;
use flyball_policies::REGISTRY;
use flyball_policies::r#loop::limits::limits_from_yaml;
use flyball_policies::r#loop::{feedback, iterations};
use flyball_world::config::Layers;
use serde::de::DeserializeOwned;

use super::ProjectContext;
use crate::outcome::{Done, Failed};
use crate::project_context::{line_of, mode_in};
use crate::show::text::width;
use crate::show::toml::{Block, blocks};
use crate::terminal::{Style, Terminal};

/// Beyond this column an origin follows its value without being aligned.
const ORIGIN_COLUMN: usize = 48;

/// Arguments of `flyball config show`.
#[derive(Args)]
pub(super) struct Arguments {
    /// Show after each value the file and line it comes from
    #[arg(long)]
    origin: bool,
    /// Print an array of values as JSON: `key`, `value`, and `place` (`layer`, `file`, `line`,
    /// `column`; null for a default)
    #[arg(long)]
    json: bool,
}

/// Shows the merged values of the config files.
pub(super) fn run(arguments: &Arguments, here: &ProjectContext, terminal: &Terminal) -> Result<Done, Failed> {
    let layers = Layers::read(&here.files);
    let origins = match origins(&layers.texts(), REGISTRY) {
        Ok(origins) => origins,
        Err(diagnostics) => {
            let style = terminal.render_style();
            terminal.lines(diagnostics.iter().map(|found| found.render(style) + "\n"));
            let what = "the config files are broken, so their values cannot be shown";
            return Err(Failed::new(what, "until they are fixed, the last good config stays in force"));
        }
    };
    if arguments.json {
        terminal.raw(&serde_json::to_string_pretty(&origins).unwrap_or_default());
        return Ok(Done::Success);
    }
    let own = ["engine", "store", "otlp", "trust"];
    let sections: Vec<&str> =
        own.into_iter().chain(REGISTRY.iter().map(|policy| policy.id.as_str())).collect();
    for (number, block) in blocks(&origins, &sections).iter().enumerate() {
        if number > 0 {
            terminal.line("");
        }
        print(block, arguments.origin, terminal);
    }
    if arguments.origin {
        print_limits(here, terminal);
    }
    print_not_in_force(&layers, terminal);
    Ok(Done::Success)
}

fn print(block: &Block<'_>, with_origin: bool, terminal: &Terminal) {
    let heading = terminal.paint(Style::Strong, &block.heading);
    if !with_origin {
        terminal.line(&heading);
        terminal.raw_lines(block.lines.iter().map(|(line, _)| line));
        return;
    }
    let comment = |origin: &Origin| terminal.paint(Style::Faint, &format!("# {}", place_of(origin)));
    // The keys of an entry of an array were written in one place.
    if let Some((_, origin)) = block.lines.first().filter(|_| block.heading.starts_with("[[")) {
        terminal.line(&format!("{heading}  {}", comment(origin)));
        terminal.raw_lines(block.lines.iter().map(|(line, _)| line));
        return;
    }
    terminal.line(&heading);
    let widest =
        block.lines.iter().map(|(line, _)| width(line)).filter(|width| *width <= ORIGIN_COLUMN).max();
    for (line, origin) in &block.lines {
        let padding = " ".repeat(widest.unwrap_or(0).saturating_sub(width(line)));
        terminal.raw(&format!("{line}{padding}  {}", comment(origin)));
    }
}

/// The limits that a project's file of limits replaces: a session begins with them, and keeps them.
fn print_limits(here: &ProjectContext, terminal: &Terminal) {
    let config = here.load_config().config;
    let is_on = |policy: &Policy| mode_in(&config, policy) != Mode::Off;
    let feedback: feedback::Settings = section(&config, &feedback::POLICY);
    let iterations: iterations::Settings = section(&config, &iterations::POLICY);
    let limits = |file: &str| {
        let text = std::fs::read_to_string(here.root.join(file)).ok()?;
        limits_from_yaml(&text).ok()
    };
    let of_loop = limits(&feedback.limits_file).filter(|_| is_on(&feedback::POLICY));
    let of_tasks = limits(&iterations.limits_file).filter(|_| is_on(&iterations::POLICY));
    let of_loop = of_loop.map(|limits| (feedback.replaced_by(&limits), &feedback.limits_file));
    let of_tasks = of_tasks.map(|limits| (iterations.replaced_by(&limits), &iterations.limits_file));
    let mut is_first = true;
    for (replaced, file) in of_loop.into_iter().chain(of_tasks) {
        if std::mem::take(&mut is_first) && !replaced.is_empty() {
            terminal.line("");
            terminal.line("# a file of limits replaces these defaults; a session keeps what it began with:");
        }
        terminal.lines(replaced.iter().map(|(key, value)| format!("# {key} = {value}  {file}")));
    }
}

fn section<T: DeserializeOwned + Default>(config: &Config, policy: &Policy) -> T {
    let section = config.sections.get(policy.id.as_str());
    section.and_then(|section| section.parse().ok()).unwrap_or_default()
}

/// What the files say that nobody accepted, as comments after the values.
fn print_not_in_force(layers: &Layers, terminal: &Terminal) {
    let not_in_force = compile(&layers.texts(), REGISTRY).map(|it| it.not_in_force).unwrap_or_default();
    if not_in_force.is_empty() {
        return;
    }
    terminal.line("");
    terminal.line(
        &terminal.paint(Style::Warning, "# not in force, because nobody has accepted it (`flyball trust`):"),
    );
    terminal.lines(not_in_force.iter().map(|it| format!("# {}  {}", it.key, it.place)));
}

fn place_of(origin: &Origin) -> String {
    origin.place.as_ref().map_or_else(|| "default".to_owned(), line_of)
}
