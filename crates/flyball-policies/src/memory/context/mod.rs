//! Adds the rules that cover a file before it is edited.

mod after;
mod before;
mod edited;
mod file_path;
mod history;
mod injected;
mod message;
mod packing;
mod ranking;
mod settings;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind, Tool};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::Verdict;

use self::history::History;
pub(crate) use self::injected::{injected_rules_for, shown_rules_for};
pub use self::settings::Settings;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("memory.context"),
    summary: "the rules that cover a file are shown before it is edited",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool, EventKind::AfterTool, EventKind::SessionStart],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: None,
    review: None,
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    match &situation.event.happening {
        EventData::BeforeTool(_) => before::inject(situation),
        // Added to the file's text; before the call it is unknown whether the file can be read.
        EventData::AfterTool { call, .. } if matches!(call.tool, Tool::Read { .. }) => {
            before::inject_on_read(situation)
        }
        EventData::AfterTool { .. } => after::remind(situation),
        EventData::SessionStart { source } => forget(situation, source),
        _ => Ok(Verdict::silent()),
    }
}

/// A session that starts again has lost the rules from its context.
fn forget(situation: &Situation<'_>, source: &str) -> Result<Verdict, PolicyError> {
    if matches!(source, "startup" | "clear" | "compact") && situation.remembers()? {
        situation.remember(&History::default())?;
    }
    Ok(Verdict::silent())
}
