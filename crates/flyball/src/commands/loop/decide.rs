//! What a person decides about a loop.

use clap::Args;
use flyball_core::text;
use flyball_policies::r#loop::feedback::machine::{LoopEvent, PersonDecision};
use flyball_policies::r#loop::feedback::state::Ending;
use flyball_policies::r#loop::feedback::{POLICY, Settings, State};
use flyball_store::SessionSummary;

use crate::commands::note::{note, now};
use crate::outcome::{Done, Failed};
use crate::person::require_person;
use crate::project_context::{Archive, ProjectContext};
use crate::session;
use crate::show::record::short_session;
use crate::show::text::one_line;
use crate::terminal::{Style, Terminal};
use crate::views::r#loop::{self as view, Loop, LoopSettings, SessionLoop};

/// Arguments of `flyball loop accept` and `flyball loop abort`.
#[derive(Args)]
pub(super) struct SessionChoice {
    /// The session, or the beginning of its id [default: the one of this project whose loop is open]
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

/// Arguments of `flyball loop continue`.
#[derive(Args)]
pub(super) struct Continue {
    /// How many more iterations [default: `loop.feedback.grant`]
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    iterations: Option<u32>,
    #[command(flatten)]
    which: SessionChoice,
}

/// Arguments of `flyball loop handoff`.
#[derive(Args)]
pub(super) struct Handoff {
    /// The workflow that takes over [default: `loop.feedback.handoff`]
    workflow: Option<String>,
    #[command(flatten)]
    which: SessionChoice,
}

/// A decision, the note about it in the record, and its effect.
struct Decision {
    command: PersonDecision,
    note: String,
    effect: String,
}

impl Continue {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        self.which.decide("continue", terminal, |settings| {
            let count = self.iterations.unwrap_or(settings.grant);
            let rounds = text::plural(count, "iteration", "iterations");
            Decision {
                command: PersonDecision::Continue(count),
                note: format!("loop continue {count}"),
                effect: format!("the agent may continue for {count} more {rounds}; tell it to"),
            }
        })
    }
}

impl SessionChoice {
    pub(super) fn accept(&self, terminal: &Terminal) -> Result<Done, Failed> {
        self.decide("accept", terminal, |_| Decision {
            command: PersonDecision::Accept,
            note: "loop accept".to_owned(),
            effect: "the work is accepted as it is now; the next edit opens the loop again".to_owned(),
        })
    }

    pub(super) fn abort(&self, terminal: &Terminal) -> Result<Done, Failed> {
        self.decide("abort", terminal, |_| Decision {
            command: PersonDecision::Abort,
            note: "loop abort".to_owned(),
            effect: "the loop is over for this session: it no longer blocks the agent".to_owned(),
        })
    }

    fn decide(
        &self,
        action: &str,
        terminal: &Terminal,
        decision: impl FnOnce(&Settings) -> Decision,
    ) -> Result<Done, Failed> {
        // An agent that could decide here would release itself.
        let proof = require_person(&format!("flyball loop {action}"), terminal)?;
        let here = ProjectContext::find()?;
        let archive = here.archive()?;
        let session = find_undecided(self.session.as_deref(), &here, &archive)?;
        let mut rules = LoopSettings::default();
        let Some(settings) = rules.in_session(&session, &archive)? else {
            return Err(Failed::new("loop.feedback is off: there is no loop", "nothing blocks the agent"));
        };
        let Decision { command, note: text, effect } = decision(&settings);
        let text = proof.noted(&text);
        let mut record = note(&session, ("flyball loop", &text));
        archive.change(&session, (POLICY.id.as_str(), &mut record), |before| {
            // Read under the lock of the journal: a hook may have changed the loop since it was shown.
            let mut state = read_undecided(before.as_deref())?;
            state.apply(&settings, LoopEvent::Decided(command), now());
            serialize(&state)
        })?;
        let id = short_session(session.session.as_str());
        terminal.line(&format!("{} {id}: {effect}", terminal.paint(Style::Good, "✓")));
        Ok(Done::Success)
    }
}

impl Handoff {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        self.which.decide("handoff", terminal, |settings| {
            let workflow = self.workflow.clone().unwrap_or_else(|| settings.handoff.clone());
            let shown = one_line(&workflow);
            Decision {
                note: format!("loop handoff {shown}"),
                effect: format!("`{shown}` takes over; tell the agent to run it"),
                command: PersonDecision::HandOver(workflow),
            }
        })
    }
}

/// The session that a person decides about: the named one, else the one of this project whose loop is not finished.
fn find_undecided(
    start: Option<&str>,
    here: &ProjectContext,
    archive: &Archive,
) -> Result<SessionSummary, Failed> {
    if let Some(start) = start {
        return session::find_named(start, archive);
    }
    let is_waiting = |looped: &SessionLoop| {
        !looped.session.has_ended && looped.session_loop.as_ref().is_some_and(Loop::is_unfinished)
    };
    let waiting =
        view::all(here, archive)?.into_iter().filter(is_waiting).map(|looped| looped.session).collect();
    let none = || {
        let what = "no session of this project has a loop that is open or escalated";
        Failed::new(what, "`flyball loop status` shows the loops; `--session ID` names any session")
    };
    session::only(waiting, ("the loops of several sessions are open", none))
}

/// The loop, if a person can decide about it.
fn read_undecided(memory: Option<&str>) -> Result<State, Failed> {
    let Some(memory) = memory else {
        return Err(Failed::new("this session has no loop", "nothing blocks its agent"));
    };
    let state = view::read(memory)?;
    // Final, so that a later command does not bring back what a person has ended.
    if state.ending == Some(Ending::Aborted) {
        let what = "the loop of this session is over: a person aborted it";
        return Err(Failed::new(what, "a new session begins with a new one"));
    }
    Ok(state)
}

fn serialize(state: &State) -> Result<String, Failed> {
    serde_json::to_string(state).map_err(|problem| {
        Failed::new(format!("the loop cannot be stored: {problem}"), "this is a bug: please report it")
    })
}
