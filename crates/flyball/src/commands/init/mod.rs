//! Sets flyball up in a project and registers it with the clients in use.

mod checks;
mod commits;
mod dialogue;
mod findings;
mod installs;
mod packs;
mod plan;
mod rules;
mod summary;
mod template;
mod wizard;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use flyball_clients::CLIENTS;
use flyball_core::config::compile;
use flyball_knowledge::report::ledger;
use flyball_policies::REGISTRY;
use flyball_policies::r#loop::feedback;
use flyball_world::config::Layers;

use self::packs::Pack;
use self::plan::{SetupContext, plan};
use self::summary::Summary;
use self::wizard::{Answers, WizardInput};
use super::companions::Packs;
use super::companions::server::OnMissing;
use super::memory::place::machine;
use crate::config_edit::addition::Additions;
use crate::install::{DetectedClient, Program, ScopeArguments, Site, Snapshot, apply, detect};
use crate::linters::{self, Survey};
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::{ProjectContext, mode_in};
use crate::terminal::{Style, Terminal};

/// Arguments of `flyball init`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Write without asking
    #[arg(long, short)]
    yes: bool,
    /// Show how every file would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Register with this client (repeatable) [default: those in use]
    #[arg(long, value_parser = PossibleValuesParser::new(CLIENTS.iter().map(|client| client.id())))]
    client: Vec<String>,
    /// Switch these packs of policies on [default: those that are on by themselves]
    #[arg(long, value_name = "PACK", value_enum, value_delimiter = ',')]
    packs: Vec<Pack>,
    /// Register `flyball mcp` with the project's tool servers: agents can ask what the project knows
    #[arg(long)]
    mcp: bool,
    /// Make `flyball statusline` the status line of the client, unless it has another
    #[arg(long)]
    statusline: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let site = Site::find()?;
    let program = Program::find()?;
    let progress = Progress::after_a_while();
    let clients = clients(arguments, &site, &progress);
    progress.set_text("looking at the project, and asking linters for their versions");
    let findings = findings::scan(&site.root);
    // Before any question, because the wizard lists the languages that were found.
    let survey = linters::survey(&site, &linters::settings(&ProjectContext::at(site.root.clone()).files));
    drop(progress);
    let scope = arguments.scope.chosen();
    let none = Additions::default();
    let feedback = feedback(&site);
    let context = SetupContext {
        site: &site,
        program: &program,
        scope,
        clients: &clients,
        findings: &findings,
        settings: &none,
        companions: Packs::default(),
        // The first plan is for errors and for the summary; what is asked for is added to the second.
        server: OnMissing::Leave,
        status_line: if arguments.statusline { OnMissing::Write } else { OnMissing::Leave },
        feedback: &feedback,
    };
    // Errors are reported before any question is asked.
    let steps = plan(&context)?;
    Summary { terminal, context: &context, steps: &steps }.show_findings();
    checks::show(&survey, &site, terminal);
    let is_guided = terminal.is_interactive() && !arguments.yes && !arguments.dry_run;
    let offer_installs = || is_guided.then(|| installs::offer(&survey, &site, terminal));
    let mut answers =
        if is_guided { ask_settings(&context, (arguments, &survey), terminal)? } else { Answers::default() };
    // The switches of the command line come last and fill only what neither the file nor the answers set.
    let existing = Snapshot::read(&site.root.join("flyball.toml"))?;
    for pack in &arguments.packs {
        packs::switch_on(*pack, existing.text(), &mut answers.settings);
    }
    let chosen: Vec<Pack> = answers.packs.iter().chain(&arguments.packs).copied().collect();
    let has = |pack: Pack| chosen.contains(&pack);
    let companions = Packs { looping: has(Pack::Loop), memory: has(Pack::Memory) };
    let server = if arguments.mcp || answers.wants_server { OnMissing::Write } else { OnMissing::Leave };
    let context = SetupContext { settings: &answers.settings, companions, server, ..context };
    let steps = plan(&context)?;
    let summary = Summary { terminal, context: &context, steps: &steps };
    summary.steps();
    for pack in Pack::value_variants().iter().filter(|pack| has(**pack)) {
        packs::report_unchanged(*pack, existing.text(), terminal);
    }
    if steps.is_done() {
        terminal.line(&format!("{}: nothing was changed", terminal.paint(Style::Good, "✓ already set up")));
        offer_installs();
        return Ok(Done::Success);
    }
    if arguments.dry_run {
        steps.show_diffs(terminal);
        terminal.line("\na dry run: nothing was changed");
        return Ok(Done::Success);
    }
    if !arguments.yes && !steps.confirm(terminal)? {
        terminal.line("nothing was changed");
        return Ok(Done::Success);
    }
    apply(&steps.changes(), site.state())?;
    if has(Pack::Memory) {
        read_reports(&site, terminal);
    }
    terminal.line(&terminal.paint(Style::Good, "✓ flyball is set up"));
    summary.next();
    if has(Pack::Loop) {
        summary.about_the_loop(mode_in(
            &ProjectContext::at(site.root.clone()).load_config().config,
            &feedback::POLICY,
        ));
    }
    if has(Pack::Memory) {
        summary.about_memory();
    }
    if has(Pack::Task) {
        summary.about_tasks();
    }
    offer_installs();
    commits::offer(&site, terminal);
    Ok(Done::Success)
}

/// Reads existing reports, so that the first session need not. If that fails, a session does it later.
fn read_reports(site: &Site, terminal: &Terminal) {
    let _progress = Progress::with_text("reading reports");
    if let Err(error) = ledger::rebuild(&machine(&site.root)) {
        terminal.line(&format!(
            "{} the reports could not be read yet: {error}",
            terminal.paint(Style::Warning, "!")
        ));
    }
}

/// The loop's settings from the config files; the defaults if they are broken.
fn feedback(site: &Site) -> feedback::Settings {
    let layers = Layers::read(&ProjectContext::at(site.root.clone()).files);
    let compiled = compile(&layers.texts(), REGISTRY).ok();
    let section = compiled.and_then(|it| it.config.sections.get(feedback::POLICY.id.as_str()).cloned());
    section.and_then(|section| section.parse().ok()).unwrap_or_default()
}

fn ask_settings(
    context: &SetupContext<'_>,
    (arguments, survey): (&Arguments, &Survey),
    terminal: &Terminal,
) -> Result<Answers, Failed> {
    let file = Snapshot::read(&context.site.root.join("flyball.toml"))?;
    // Editing a file that cannot be parsed could lose what the person meant.
    if file.text().parse::<toml::Table>().is_err() {
        terminal.line("flyball.toml is invalid, so no settings are asked for: see `flyball config check`");
        return Ok(Answers::default());
    }
    let subject = WizardInput {
        existing: file.content(),
        survey,
        findings: context.findings,
        feedback: context.feedback,
        packs: &arguments.packs,
        server: if arguments.mcp { OnMissing::Write } else { OnMissing::Leave },
    };
    Ok(wizard::ask(&subject, terminal))
}

/// The clients to register with. If none is found, it is the first in the table, which most people
/// use.
fn clients(arguments: &Arguments, site: &Site, progress: &Progress) -> Vec<DetectedClient> {
    let named = |id: &str| arguments.client.iter().any(|name| name == id);
    let mut clients = detect(site, &|client| arguments.client.is_empty() || named(client.id()), progress);
    if arguments.client.is_empty() {
        if clients.iter().any(|detected| detected.in_use) {
            clients.retain(|detected| detected.in_use);
        } else {
            clients.truncate(1);
        }
    }
    clients
}
