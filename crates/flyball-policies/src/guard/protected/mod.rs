//! Stops an agent from changing the rules that check its work: linter configs, hooks, and the files
//! that the project's config names.

mod detect;
mod extent;
mod find;
mod names;
mod parts;
mod prevent;
mod settings;
#[cfg(test)]
mod tests;
mod watch;

pub use find::{Coverage, ProtectedProject};
pub use names::{ProtectedKind, Protection};
pub use settings::{Restoring, Settings};

use flyball_core::config::{Mode, SectionSpec, Tightening};
use flyball_core::event::{EventData, EventKind, Tool};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::Verdict;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.protected"),
    summary: "an agent cannot change linter configs, hooks and other protected files",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::SessionStart,
        EventKind::BeforeTool,
        EventKind::AfterTool,
        EventKind::ToolFailed,
        EventKind::Stop,
        EventKind::AgentStop,
    ],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::compiled::<settings::Written>()
        .raised_by_anyone()
        .tightened_by(&[("paths", Tightening::More)]),
    run: judge,
    gather: None,
    review: None,
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let restoring = settings.restore;
    let project =
        ProtectedProject::new(situation.world, Protection::new(settings, situation.world.clients()));
    match &situation.event.happening {
        EventData::SessionStart { source } => Ok(detect::begin(situation, &project, source == "resume")),
        EventData::BeforeTool(call) => {
            let mut verdict = prevent::judge(situation, &project)?;
            if may_change_unnamed_files(&call.tool) {
                verdict.join(detect::begin(situation, &project, false));
            }
            Ok(verdict)
        }
        EventData::AfterTool { call, .. } | EventData::ToolFailed { call, .. } => {
            if may_change_unnamed_files(&call.tool) {
                return detect::after_call(situation, &project, restoring);
            }
            Ok(Verdict::silent())
        }
        EventData::Stop(stopping) => detect::at_stop(situation, &project, stopping.again),
        EventData::AgentStop { .. } => detect::after_call(situation, &project, Restoring::Ask),
        _ => Ok(Verdict::silent()),
    }
}

/// Whether a call may change files that it does not name.
const fn may_change_unnamed_files(tool: &Tool) -> bool {
    matches!(tool, Tool::Shell { .. } | Tool::Mcp { .. } | Tool::Other)
}
