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
    // A preference: if it cannot be checked, that is no reason to stop a call.
    on_error: OnError::Notice,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone(),
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

/// When each preference was last mentioned, by the tool to use.
#[derive(Default, Serialize, Deserialize)]
struct LastReminders(#[serde(with = "time::millis")] BTreeMap<String, Time>);

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let Some(call) = situation.event.call().filter(|_| !settings.prefer.is_empty()) else {
        return Ok(Verdict::silent());
    };
    let searches = calls::searches(situation, call);
    let mut verdict = Verdict::silent();
    for preference in &settings.prefer {
        let Some(found) = find_match(preference, call, &searches) else { continue };
        if is_lifted(preference, situation) {
            continue;
        }
        verdict.join(preference_verdict(preference, &found, situation)?);
    }
    Ok(verdict)
}

/// The part of a call that the preference matches.
fn find_match(preference: &Preference, call: &ToolCall, searches: &[Search]) -> Option<Match> {
    // The preferred tool is never replaced, even if a glob matches it.
    if call.name == preference.preferred {
        return None;
    }
    if let Tool::Mcp { server, tool } = &call.tool {
        let is_avoided = preference.instead_of.iter().any(|avoided| avoided.is_tool_of(server, tool));
        return is_avoided.then(|| Match::ServerTool(call.name.clone()));
    }
    let matches = |search: &&Search| {
        preference.instead_of.contains(&Avoided::Way(search.kind))
            && search.tool != preference.preferred
            && search.has_shape(preference.pattern)
            && search.is_in(&preference.paths)
            && search.is_about(&preference.files)
    };
    searches.iter().find(matches).cloned().map(Match::Search)
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
    found: &Match,
    situation: &Situation<'_>,
) -> Result<Verdict, PolicyError> {
    let verdict = match preference.action {
        Action::Deny => Verdict::deny(messages::reason(preference, found)),
        Action::Remind if !is_due(preference, situation)? => return Ok(Verdict::silent()),
        Action::Remind => {
            let snippet = Snippet {
                key: format!("use {}", preference.preferred),
                rank: 0,
                text: messages::reminder(preference, found),
            };
            Verdict { context: vec![snippet], ..Verdict::default() }
        }
    };
    Ok(verdict.with_evidence("tool", found.tool()).with_evidence("preferred", preference.preferred.as_str()))
}

/// Whether a reminder may be given now; if so, that is remembered.
fn is_due(preference: &Preference, situation: &Situation<'_>) -> Result<bool, PolicyError> {
    let LastReminders(mut reminders) = situation.recall()?;
    let now = situation.world.now();
    let last = reminders.get(&preference.preferred);
    if last.is_some_and(|last| now.since(*last) < preference.every.duration()) {
        return Ok(false);
    }
    reminders.insert(preference.preferred.clone(), now);
    situation.remember(&LastReminders(reminders))?;
    Ok(true)
}
