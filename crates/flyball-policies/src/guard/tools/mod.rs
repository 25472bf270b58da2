//! Points an agent to the tool that a project prefers.

mod avoided;
mod messages;
mod program;
mod search;
mod shape;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventKind, Tool, ToolCall};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::{Snippet, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::avoided::Avoided;
use self::search::Search;
use self::shape::Shape;
use crate::globs::Glob;
use crate::period::Period;

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

/// One preference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Preference {
    /// What is replaced: `search` and `glob` (the client's own searches in files and for file
    /// names), the programs `grep`, `git-grep`, `rg`, `ag`, `ack`, `find`, `fd`, or tools of a
    /// tool server, `mcp:server/tool`, with globs.
    instead_of: Vec<Avoided>,
    /// The tool to use.
    #[serde(rename = "use")]
    preferred: String,
    /// Only searches in these places of the project. Globs; a search of all of it counts.
    #[serde(default)]
    paths: Vec<Glob>,
    /// Only searches of such files. Globs of names; a search of all files counts.
    #[serde(default)]
    files: Vec<Glob>,
    /// Only patterns of this shape: `symbol`, `text` or `any`.
    #[serde(default)]
    pattern: Shape,
    /// `remind` tells the model and lets the call pass, `deny` stops it.
    #[serde(default)]
    action: Action,
    /// At most one reminder in this time and session.
    #[serde(default = "ten_minutes")]
    every: Period,
    /// While this file exists, everything passes. Relative to the project.
    #[serde(default)]
    unless_file: Option<String>,
    /// What is said, in place of our words.
    #[serde(default)]
    message: Option<String>,
}

const fn ten_minutes() -> Period {
    Period::minutes(10)
}

/// What is done about a call that is not preferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    /// The model is told, and the call passes.
    #[default]
    Remind,
    /// The call is stopped.
    Deny,
}

/// When each preference was last spoken of, by the tool to use.
type LastReminders = BTreeMap<String, u64>;

/// The call that a preference is about.
enum Match {
    Search(Search),
    /// A tool of a tool server.
    ServerTool(String),
}

impl Match {
    fn tool(&self) -> &str {
        match self {
            Match::Search(seek) => &seek.tool,
            Match::ServerTool(tool) => tool,
        }
    }
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let Some(call) = situation.event.call().filter(|_| !settings.prefer.is_empty()) else {
        return Ok(Verdict::silent());
    };
    let seeks = Search::from_call(situation, call);
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
            && preference.pattern.fits(seek)
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
    let mut spoken: LastReminders = situation.recall()?;
    let now = situation.world.unix_millis();
    let last = spoken.get(&preference.preferred);
    if last.is_some_and(|last| now.saturating_sub(*last) < preference.every.millis()) {
        return Ok(false);
    }
    spoken.insert(preference.preferred.clone(), now);
    situation.remember(&spoken)?;
    Ok(true)
}
