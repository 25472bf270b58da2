//! Formats, checks and fixes the files that an agent edits, and shows it what is left to do.

mod blocked;
mod earlier;
mod edited;
mod failures;
mod fingerprint;
mod fixer_time;
mod gather;
mod inputs;
mod memory;
mod messages;
mod open;
mod project;
mod stop;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec, Tightening};
use flyball_core::event::{EventData, EventKind, Tool};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::Verdict;
use flyball_quality::settings::{Scope, Settings, Written};

use self::blocked::Turn;
use self::edited::EditSource;
use self::inputs::Inputs;
use self::memory::Session;
pub(crate) use self::memory::open_files;
pub use self::open::{OpenFinding, open_count, open_findings};

pub static POLICY: Policy = Policy {
    id: PolicyId::new("quality"),
    summary: "edited files are formatted and checked, and the agent is shown what to fix",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::SessionStart,
        EventKind::BeforeTool,
        EventKind::AfterTool,
        EventKind::ToolFailed,
        EventKind::Stop,
    ],
    on_error: OnError::Notice,
    mode: Mode::Enforce,
    section: SectionSpec::compiled::<Written>()
        .tightened_by(&[("at_stop", Tightening::Later(&["off", "tell", "block"]))]),
    run: judge,
    gather: Some(gather::gather),
    review: None,
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if let EventData::SessionStart { .. } = &situation.event.happening {
        return record_base_commit(situation);
    }
    let Some(inputs) = situation.gathered::<Inputs>() else { return Ok(Verdict::silent()) };
    let settings: Settings = situation.config()?;
    let before: Session = situation.recall()?;
    let mut session = before.clone();
    let verdict = match &situation.event.happening {
        // In a plan nothing can be fixed.
        EventData::Stop(_) if situation.event.is_planning() => Verdict::silent(),
        EventData::Stop(stopping) => {
            let turn = if stopping.again { Turn::Blocked } else { Turn::Fresh };
            stop::decide(inputs, &settings, &mut session, turn)
        }
        _ => edited::decide(inputs, &settings, &mut session, edit_source(situation)),
    };
    if session != before {
        situation.remember(&session)?;
    }
    Ok(verdict)
}

/// Records the commit that the session begins with, if findings are compared with it. A
/// resumed or compacted session began earlier.
fn record_base_commit(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    if settings.scope == Scope::File {
        return Ok(Verdict::silent());
    }
    let mut session: Session = situation.recall()?;
    if session.base.is_some() {
        return Ok(Verdict::silent());
    }
    let question = ["rev-parse", "--verify", "--quiet", "HEAD"];
    let head = situation.world.git(situation.world.project_root(), &question)?;
    // Without a commit, nothing is compared.
    session.base = head.text().map(|head| head.trim().to_owned()).filter(|head| !head.is_empty());
    if session.base.is_some() {
        situation.remember(&session)?;
    }
    Ok(Verdict::silent())
}

fn edit_source(situation: &Situation<'_>) -> EditSource {
    match situation.event.call().map(|call| &call.tool) {
        Some(Tool::Edit(_)) => EditSource::Tool,
        _ => EditSource::Command,
    }
}
