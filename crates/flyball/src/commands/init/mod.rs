//! Sets flyball up in a project and registers it with the clients in use.

mod checks;
mod clients;
mod commits;
mod config;
mod dialogue;
mod findings;
mod folder;
mod installs;
pub(in crate::commands) mod packs;
mod plan;
mod summary;
mod template;
mod wizard;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use flyball_clients::{CLIENTS, Client};
use flyball_knowledge::report::ledger;
use flyball_policies::r#loop::feedback;

use self::config::ConfigFile;
use self::findings::Findings;
use self::packs::Pack;
use self::plan::{SeatbeltWish, SetupContext, plan};
use self::summary::Summary;
use self::wizard::{Answers, WizardInput};
use super::companions::server::OnMissing;
use super::companions::{Packs, own_sandbox};
use super::memory::place::machine;
use crate::config_edit::addition::Additions;
use crate::install::{Choice, Program, Question, ScopeArguments, Site, Steps, apply};
use crate::linters::{self, Survey};
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::{ProjectContext, mode_in};
use crate::seatbelt;
use crate::terminal::{Style, Terminal};

/// Arguments of `flyball init`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Write without asking
    #[arg(long, short)]
    yes: bool,
    /// Ask for each setting, instead of taking those that are recommended
    #[arg(long, visible_alias = "customize", conflicts_with = "yes")]
    customise: bool,
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
    /// Have commands of agents started in the seatbelt (Linux, Claude Code): `flyball policies seatbelt`
    #[arg(long)]
    seatbelt: bool,
    /// Have them started without it again
    #[arg(long, conflicts_with = "seatbelt")]
    no_seatbelt: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let site = Site::find()?;
    let program = Program::find()?;
    let scope = arguments.scope.chosen();
    if scope.is_of_project() && !folder::is_wanted(&site, arguments.is_guided(terminal), terminal)? {
        terminal.line("nothing was changed");
        return Ok(Done::Success);
    }
    let config = config::ConfigFile::of(&site, scope)?;
    let progress = Progress::after_a_while();
    let (clients, left_out) = clients::choose(&arguments.client, scope, (&site, &progress));
    progress.set_text("looking at the project, and asking linters for their versions");
    let findings = if scope.is_of_project() { findings::scan(&site.root) } else { Findings::default() };
    let survey = scope
        .is_of_project()
        .then(|| linters::survey(&site, &linters::settings(&ProjectContext::at(site.root.clone()).files)));
    drop(progress);
    let feedback = config.feedback();
    let none = Additions::default();
    let context = SetupContext {
        site: &site,
        program: &program,
        scope,
        config: &config,
        clients: &clients,
        findings: &findings,
        settings: &none,
        companions: Packs::default(),
        server: OnMissing::Leave,
        status_line: if arguments.statusline { OnMissing::Write } else { OnMissing::Leave },
        seatbelt: arguments.wanted_seatbelt(&program, &site, &config)?,
        feedback: &feedback,
    };
    // Errors are reported before any question is asked.
    plan(&context)?;
    summary::show_findings(&context, terminal);
    if let Some(survey) = &survey {
        checks::show(survey, &site, terminal);
    }
    summary::show_left_out(&left_out, terminal);
    let setup = Setup { arguments, terminal, survey: survey.as_ref(), context: &context };
    setup.run()
}

impl Arguments {
    /// Whether commands are started in the seatbelt from now on.
    fn wanted_seatbelt(
        &self,
        program: &Program,
        site: &Site,
        config: &ConfigFile,
    ) -> Result<SeatbeltWish, Failed> {
        if self.no_seatbelt {
            return Ok(SeatbeltWish::Off);
        }
        let has_own = |client: &&Client| own_sandbox::switched_on_in(client, &site.places()).is_some();
        let level = config.seatbelt_level();
        let holds = || seatbelt::holds_at(level.unwrap_or_default(), &program.path).map(drop);
        // What a client keeps by itself needs nothing of the kernel from us.
        match if CLIENTS.iter().any(has_own) { Ok(()) } else { holds() } {
            Ok(()) if self.seatbelt => Ok(SeatbeltWish::On),
            Ok(()) if level.is_some() => Ok(SeatbeltWish::OnAtFirst),
            Ok(()) => Ok(SeatbeltWish::AsItIs),
            Err(why) if self.seatbelt => {
                Err(Failed::new(format!("the seatbelt does not hold here: {}", why.what), why.fix))
            }
            // `flyball doctor` says why.
            Err(_) => Ok(SeatbeltWish::AsItIs),
        }
    }

    /// Whether a person is asked.
    fn is_guided(&self, terminal: &Terminal) -> bool {
        terminal.is_interactive() && !self.yes && !self.dry_run
    }
}

/// What is set up, before anything was asked.
struct Setup<'a> {
    arguments: &'a Arguments,
    terminal: &'a Terminal,
    /// The linters of the project, if it is about one.
    survey: Option<&'a Survey>,
    context: &'a SetupContext<'a>,
}

impl Setup<'_> {
    fn run(&self) -> Result<Done, Failed> {
        let is_guided = self.arguments.is_guided(self.terminal);
        let mut is_customised = self.arguments.customise && is_guided;
        let mut answers = if is_customised { self.ask() } else { Answers::default() };
        loop {
            let chosen = self.complete(&mut answers);
            let context = SetupContext {
                settings: &answers.settings,
                companions: Packs {
                    looping: chosen.contains(&Pack::Loop),
                    memory: chosen.contains(&Pack::Memory),
                },
                server: if self.arguments.mcp || answers.wants_server {
                    OnMissing::Write
                } else {
                    OnMissing::Leave
                },
                ..*self.context
            };
            let steps = plan(&context)?;
            let summary = Summary { terminal: self.terminal, context: &context, steps: &steps };
            summary.steps();
            for pack in Pack::value_variants().iter().filter(|pack| chosen.contains(pack)) {
                packs::report_unchanged(*pack, context.config.text(), self.terminal);
            }
            match self.decide(&steps, is_customised)? {
                Choice::Write => return self.write(&summary, &chosen, is_customised),
                Choice::Nothing => {
                    if steps.is_done() && is_customised {
                        self.offer_installs();
                    }
                    return Ok(Done::Success);
                }
                Choice::Customise => {
                    is_customised = true;
                    answers = self.ask();
                }
            }
        }
    }

    /// Adds what the command line asks for, which fills only what neither the file nor the answers set; returns all packs
    /// that were chosen.
    fn complete(&self, answers: &mut Answers) -> Vec<Pack> {
        for pack in &self.arguments.packs {
            packs::switch_on(*pack, self.context.config.text(), &mut answers.settings);
        }
        let chosen: Vec<Pack> = answers.packs.iter().chain(&self.arguments.packs).copied().collect();
        let tests = self
            .context
            .findings
            .test_command()
            .filter(|_| !answers.settings.has(packs::LOOP, packs::TEST_COMMAND));
        if let Some(tests) =
            tests.filter(|_| chosen.contains(&Pack::Loop) && !packs::has_tests(self.context.config.text()))
        {
            answers.settings.set(packs::LOOP, packs::TEST_COMMAND, tests);
        }
        chosen
    }

    fn ask(&self) -> Answers {
        let subject = WizardInput {
            existing: self.context.config.content(),
            survey: self.survey,
            findings: self.context.findings,
            packs: &self.arguments.packs,
            server: if self.arguments.mcp { OnMissing::Write } else { OnMissing::Leave },
        };
        wizard::ask(&subject, self.terminal)
    }

    fn offer_installs(&self) {
        if let Some(survey) = self.survey {
            installs::offer(survey, self.context.site, self.terminal);
        }
    }

    fn decide(&self, steps: &Steps, is_customised: bool) -> Result<Choice, Failed> {
        let nothing = |text: &str| {
            self.terminal.line(text);
            Ok(Choice::Nothing)
        };
        if steps.is_done() && !self.arguments.dry_run && self.remember_program()? {
            let done = self.terminal.paint(Style::Good, "✓ the project is set up");
            return nothing(&format!("{done}; from now on its hooks find flyball on this machine"));
        }
        if steps.is_done() {
            let done = self.terminal.paint(Style::Good, "✓ already set up");
            return nothing(&format!(
                "{done}: nothing was changed (`flyball init --customise` changes settings)"
            ));
        }
        if self.arguments.dry_run {
            steps.show_diffs(self.terminal);
            return nothing("\na dry run: nothing was changed");
        }
        if self.arguments.yes {
            return Ok(Choice::Write);
        }
        let question = if is_customised { Question::CONTINUE } else { Question::RECOMMENDED };
        match steps.ask(question, self.terminal)? {
            Choice::Nothing => nothing("nothing was changed"),
            choice => Ok(choice),
        }
    }

    /// Makes this the program that committed registrations start on this machine. Returns whether it was another, or none.
    fn remember_program(&self) -> Result<bool, Failed> {
        let site = self.context.site;
        let Some(state) = site.state() else { return Ok(false) };
        self.context.program.remember(state).map_err(|error| {
            let what = format!("the path of flyball cannot be stored in {}: {error}", site.show(state));
            Failed::new(what, "make that folder writable, then run `flyball init` again")
        })
    }

    fn write(&self, summary: &Summary<'_>, chosen: &[Pack], is_customised: bool) -> Result<Done, Failed> {
        let (terminal, site) = (self.terminal, self.context.site);
        apply(&summary.steps.changes(), site.state())?;
        self.remember_program()?;
        let is_of_project = self.context.scope.is_of_project();
        if chosen.contains(&Pack::Memory) && is_of_project {
            read_reports(site, terminal);
        }
        terminal.line(&terminal.paint(Style::Good, "✓ flyball is set up"));
        summary.next();
        if chosen.contains(&Pack::Loop) {
            let config = ProjectContext::at(site.root.clone()).load_config().config;
            summary.about_the_loop(mode_in(&config, &feedback::POLICY));
        }
        if chosen.contains(&Pack::Memory) {
            summary.about_memory();
        }
        if chosen.contains(&Pack::Task) {
            summary.about_tasks();
        }
        if is_customised {
            self.offer_installs();
        }
        if is_of_project {
            commits::offer(site, terminal);
        }
        Ok(Done::Success)
    }
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
