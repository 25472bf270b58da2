//! Keeps the semantic index running, and reminds agents to use it.

mod process;
mod remind;
mod settings;
mod subagent;
mod survey;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind, Tool as Called};
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::Verdict;
use flyball_core::workshop::Workshop;

use self::remind::{State, context_verdict};
pub use self::settings::Settings;
use self::survey::Survey;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("task.search"),
    summary: "the semantic index is kept running and used",
    page: include_str!("policy.md"),
    listens: &[EventKind::SessionStart, EventKind::BeforeTool],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: Some(gather),
    review: None,
};

fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    match &situation.event.happening {
        EventData::SessionStart { .. } => Ok(Some(Box::new(survey::survey(situation, workshop)?))),
        EventData::BeforeTool(call) if matches!(call.tool, Called::SpawnAgent { .. }) => {
            Ok(Some(Box::new(subagent::usable(situation, workshop)?)))
        }
        _ => Ok(None),
    }
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    match &situation.event.happening {
        EventData::SessionStart { source } => report_status(situation, source),
        EventData::BeforeTool(call) => match &call.tool {
            Called::SpawnAgent { prompt, .. } => Ok(subagent::name_tools(situation, prompt)),
            _ => remind::remind(situation),
        },
        _ => Ok(Verdict::silent()),
    }
}

/// Reports the status of the tools. After a compaction only the model needs it again.
fn report_status(situation: &Situation<'_>, source: &str) -> Result<Verdict, PolicyError> {
    let Some(Survey(seen)) = situation.gathered::<Survey>() else { return Ok(Verdict::silent()) };
    let mut verdict = Verdict::silent();
    let mut memory = State::default();
    for seen in seen {
        if source != "compact" {
            verdict.notices.push(seen.status.clone());
        }
        verdict.errands.extend(seen.follow_up.clone());
        if let Some(reminder) = &seen.reminder {
            verdict.join(context_verdict(&seen.name, reminder.clone()));
            memory.note("", (&seen.name, situation.world.now()));
        }
    }
    if !verdict.context.is_empty() {
        situation.remember(&memory)?;
    }
    Ok(verdict)
}
