//! Points an agent to the tool that a project prefers.

mod avoided;
mod calls;
mod messages;
mod preference;
mod program;
mod search;
mod shape;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventKind, Tool, ToolCall};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::time::{self, Time};
use flyball_core::verdict::{Snippet, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::avoided::Avoided;
use self::preference::{Action, Match, Preference};
use self::search::Search;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.tools"),
    summary: "searches go to the tool that the project prefers",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    // A preference: no call is worth stopping because it could not be looked up.
    on_error: OnError::Notice,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: None,
    review: None,
};

/// `[guard.tools]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What is preferred to what.
    prefer: Vec<Preference>,
}

/// When each preference was last spoken of, by the tool to use.
#[derive(Default, Serialize, Deserialize)]
struct LastReminders(#[serde(with = "time::millis")] BTreeMap<String, Time>);

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let Some(call) = situation.event.call().filter(|_| !settings.prefer.is_empty()) else {
        return Ok(Verdict::silent());
    };
    let seeks = calls::searches(situation, call);
    let mut verdict = Verdict::silent();
    for preference in &settings.prefer {
        let Some(met) = find_match(preference, call, &seeks) else { continue };
        if is_lifted(preference, situation) {
            continue;
        }
        verdict.join(preference_verdict(preference, &met, situation)?);
    }
    Ok(verdict)
}

/// What of a call the preference is about.
fn find_match(preference: &Preference, call: &ToolCall, seeks: &[Search]) -> Option<Match> {
    // What is preferred is never replaced, however widely a glob was written.
    if call.name == preference.preferred {
        return None;
    }
    if let Tool::Mcp { server, tool } = &call.tool {
        let is_avoided = preference.instead_of.iter().any(|avoided| avoided.is_tool_of(server, tool));
        return is_avoided.then(|| Match::ServerTool(call.name.clone()));
    }
    let is_meant = |seek: &&Search| {
        preference.instead_of.contains(&Avoided::Way(seek.kind))
            && seek.tool != preference.preferred
            && seek.has_shape(preference.pattern)
            && seek.is_in(&preference.paths)
            && seek.is_about(&preference.files)
    };
    seeks.iter().find(is_meant).cloned().map(Match::Search)
}

fn is_lifted(preference: &Preference, situation: &Situation<'_>) -> bool {
    let world = situation.world;
    preference
        .unless_file
        .as_deref()
        .is_some_and(|file| world.stat(&world.real_path(world.project_root(), file)).is_some())
}

fn preference_verdict(
    preference: &Preference,
    met: &Match,
    situation: &Situation<'_>,
) -> Result<Verdict, PolicyError> {
    let verdict = match preference.action {
        Action::Deny => Verdict::deny(messages::reason(preference, met)),
        Action::Remind if !is_due(preference, situation)? => return Ok(Verdict::silent()),
        Action::Remind => {
            let snippet = Snippet {
                key: format!("use {}", preference.preferred),
                rank: 0,
                text: messages::reminder(preference, met),
            };
            Verdict { context: vec![snippet], ..Verdict::default() }
        }
    };
    Ok(verdict.with_evidence("tool", met.tool()).with_evidence("preferred", preference.preferred.as_str()))
}

/// Whether a reminder may be given now; if so, that is remembered.
fn is_due(preference: &Preference, situation: &Situation<'_>) -> Result<bool, PolicyError> {
    let LastReminders(mut spoken) = situation.recall()?;
    let now = situation.world.now();
    let last = spoken.get(&preference.preferred);
    if last.is_some_and(|last| now.since(*last) < preference.every.duration()) {
        return Ok(false);
    }
    spoken.insert(preference.preferred.clone(), now);
    situation.remember(&LastReminders(spoken))?;
    Ok(true)
}
