//! Adds the rules that an edit is about, before it is made.

mod after;
mod before;
mod candidates;
mod edited;
mod file_path;
mod history;
mod injected;
mod loaded;
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
use self::loaded::{File, started_in};
pub(crate) use self::loaded::{InContext, Loaded};
pub use self::settings::Settings;

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

/// What the client has put into context in this session, as far as this policy saw it.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn loaded(situation: &Situation<'_>) -> Result<Loaded, PolicyError> {
    let own = Situation { policy: POLICY.id, ..*situation };
    if own.remembers()? { Ok(own.recall::<History>()?.loaded) } else { Ok(Loaded::default()) }
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    match &situation.event.happening {
        EventData::BeforeTool(_) => before::inject(situation),
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
    if !situation.remembers()? && !falls_back {
        return Ok(Verdict::silent());
    }
    let mut history: History = situation.recall()?;
    if matches!(source, "startup" | "clear" | "compact") {
        history = history.forgotten(history.loaded.after_reset(situation.world.now()));
    }
    history.loaded.falls_back = falls_back;
    situation.remember(&history)?;
    Ok(Verdict::silent())
}

/// The client has put a file of rules into context itself.
fn note_loaded(situation: &Situation<'_>, path: &str) -> Result<Verdict, PolicyError> {
    let mut history: History = situation.recall()?;
    let agent = history.take(agent_id(situation));
    let path = situation.world.real_path(&situation.event.cwd, path);
    history.loaded.add(File {
        agent: agent_id(situation).to_owned(),
        edits: agent.edits(),
        at: situation.world.now(),
        is_at_start: started_in(situation).is_in(&path.folder()),
        path,
    });
    if agent.edits() > 0 {
        history.put(agent);
    }
    situation.remember(&history)?;
    Ok(Verdict::silent())
}
