//! `flyball loop start` and `flyball loop done`, for agents and people.

use clap::Args;
use flyball_policies::r#loop::iterations::{self, POLICY, Task};

use crate::commands::note::{note, now};
use crate::outcome::{Done as Outcome, Failed};
use crate::person::{require_no_agent, require_person};
use crate::project_context::{ProjectContext, mode_in};
use crate::session;
use crate::show::record::short_session;
use crate::show::text::one_line;
use crate::terminal::{Style, Terminal};
use flyball_core::config::Mode;
use flyball_store::SessionSummary;

/// Arguments of `flyball loop start`.
#[derive(Args)]
pub(super) struct Start {
    /// The task
    #[arg(long, value_name = "TEXT")]
    task: String,
    /// How many iterations it may take [default: `loop.iterations.max_iterations`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    max: Option<u32>,
    /// A command that exits with 0 when it is done
    #[arg(long, value_name = "COMMAND")]
    until: Option<String>,
    #[command(flatten)]
    which: Done,
}

/// Arguments of `flyball loop done`.
#[derive(Args)]
pub(super) struct Done {
    /// The session, or the beginning of its id [default: the one that this runs in, else the newest of this project]
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

impl Start {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Outcome, Failed> {
        let task = Task { text: self.task.clone(), max: self.max, until: self.until.clone() };
        let max = self.max.map(|max| format!(" --max {max}")).unwrap_or_default();
        let text = format!("loop start{max}: {}", one_line(&self.task));
        // Whose command it is decides whether it runs without a person who agreed to it.
        let by_agent = require_no_agent(&text).is_err();
        let begin = if by_agent { iterations::start_by_agent } else { iterations::start };
        let session =
            self.which.change((&text, terminal), |memory| Ok(begin(memory.as_deref(), task, now())))?;
        let bound = match self.max {
            Some(1) => "at most 1 iteration".to_owned(),
            Some(max) => format!("at most {max} iterations"),
            None => "as many iterations as the config says".to_owned(),
        };
        let until = self.until.as_deref().map(|it| format!(", until `{}` passes", one_line(it)));
        terminal.line(&format!(
            "{} {}: `{}`, {bound}{}",
            terminal.paint(Style::Good, "✓"),
            short_session(session.session.as_str()),
            one_line(&self.task),
            until.unwrap_or_default(),
        ));
        if is_off(&session) {
            let warning = "This has no effect: loop.iterations is off in this project.";
            terminal.line(&format!("{} {warning}", terminal.paint(Style::Warning, "!")));
            terminal.line("  To switch it on: [loop.iterations] mode = \"enforce\" in flyball.toml.");
        }
        Ok(Outcome::Success)
    }
}

impl Done {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Outcome, Failed> {
        let session = self.change(("loop done", terminal), |memory| {
            match memory.as_deref().and_then(iterations::view) {
                Some(_) => Ok(iterations::stop_task(memory.as_deref())),
                None => {
                    Err(Failed::new("no task is running in this session", "`flyball loop start` starts one"))
                }
            }
        })?;
        let id = short_session(session.session.as_str());
        terminal.line(&format!("{} {id}: the task is done", terminal.paint(Style::Good, "✓")));
        Ok(Outcome::Success)
    }

    fn change(
        &self,
        (text, terminal): (&str, &Terminal),
        change: impl FnOnce(Option<String>) -> Result<String, Failed>,
    ) -> Result<SessionSummary, Failed> {
        let here = ProjectContext::find()?;
        let archive = here.archive()?;
        // An agent means its own session, even if a newer one runs in the same project.
        let session = session::find_running(self.session.as_deref(), &here, &archive)?;
        // An agent could end such a task here, or replace it by one that is soon done.
        let until = |memory: Option<&str>| memory.and_then(iterations::view).and_then(|task| task.until);
        let is_proved = until(archive.memory(&session, POLICY.id.as_str())?.as_deref()).is_some();
        let text = match is_proved {
            true => require_person("ending a task that has a command to prove it", terminal)?.noted(text),
            false => text.to_owned(),
        };
        let mut record = note(&session, ("flyball loop", &text));
        archive.change(&session, (POLICY.id.as_str(), &mut record), |memory| {
            // Read again under the lock of the journal: a task may have begun since.
            match until(memory.as_deref()).filter(|_| !is_proved) {
                Some(command) => Err(Failed::new(
                    format!("a task that ends when `{}` passes has just begun", one_line(&command)),
                    "run this again in a terminal of your own",
                )),
                None => change(memory),
            }
        })?;
        Ok(session)
    }
}

/// Whether loop.iterations is off in the session's project.
fn is_off(session: &SessionSummary) -> bool {
    mode_in(&ProjectContext::at(session.project.clone().into()).load_config().config, &POLICY) == Mode::Off
}
