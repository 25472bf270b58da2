//! Adds the rules that an edit is about, before it is made, and those that a command is about to break.

mod after;
mod before;
mod candidates;
mod commands;
mod edited;
mod file_path;
mod history;
mod injected;
mod message;
mod packing;
mod settings;
mod subject;
#[cfg(test)]
mod tests;

use flyball_core::client::Fallback;
use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind, Tool};
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::Verdict;
use flyball_core::workshop::Workshop;

use self::history::{History, agent_id};
pub(crate) use self::injected::{injected_rules_for, shown_rules_for};
pub use self::settings::Settings;
use super::loaded::{Context, Loaded};

pub static POLICY: Policy = Policy {
    id: PolicyId::new("memory.context"),
    summary: "the rules that an edit is about are shown with it",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::BeforeTool,
        EventKind::AfterTool,
        EventKind::SessionStart,
        EventKind::InstructionsLoaded,
    ],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: Some(gather),
    review: None,
};

/// The client reads another file where a project has none of its own.
struct FallsBack;

/// When a session starts: what its version of the client loads.
fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    let EventData::SessionStart { .. } = &situation.event.happening else { return Ok(None) };
    let client = situation.world.clients().iter().find(|client| client.id == situation.event.client);
    let fallback = client.and_then(|client| client.instructions.fallback);
    let does = |fallback: Fallback| {
        workshop.variable(fallback.variable).is_some_and(|version| fallback.is_in(&version))
    };
    Ok(fallback.is_some_and(does).then(|| Box::new(FallsBack) as Gathered))
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    match &situation.event.happening {
        EventData::BeforeTool(_) => {
            let mut verdict = before::inject(situation)?;
            verdict.join(commands::remind(situation)?);
            Ok(verdict)
        }
        // Added to the file's text; before the call it is unknown whether the file can be read.
        EventData::AfterTool { call, .. } if matches!(call.tool, Tool::Read { .. }) => {
            before::inject_on_read(situation)
        }
        EventData::AfterTool { .. } => after::remind(situation),
        EventData::SessionStart { source } => forget(situation, source),
        EventData::InstructionsLoaded { path } => note_loaded(situation, path),
        _ => Ok(Verdict::silent()),
    }
}

/// A session that starts again has lost the rules from its context.
fn forget(situation: &Situation<'_>, source: &str) -> Result<Verdict, PolicyError> {
    let falls_back = situation.gathered().is_some_and(|FallsBack| true);
    let is_new = matches!(source, "startup" | "clear" | "compact");
    if is_new && situation.remembers()? {
        situation.remember(&History::default())?;
    }
    let before = Loaded::recall(situation)?;
    let mut loaded = before.clone();
    loaded.begin(situation, if is_new { Context::New } else { Context::Kept })?;
    loaded.set_fallback(falls_back);
    if loaded != before {
        loaded.remember(situation)?;
    }
    Ok(Verdict::silent())
}

/// The client has put a file of rules into context itself.
fn note_loaded(situation: &Situation<'_>, path: &str) -> Result<Verdict, PolicyError> {
    let edits =
        if situation.remembers()? { History::load(situation)?.edits_of(agent_id(situation)) } else { 0 };
    let mut loaded = Loaded::recall(situation)?;
    loaded.add(situation, situation.world.real_path(&situation.event.cwd, path), edits);
    loaded.remember(situation)?;
    Ok(Verdict::silent())
}
