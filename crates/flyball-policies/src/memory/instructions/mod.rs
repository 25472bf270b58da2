//! The files with the project's rules for agents: an agent changes them only if a person agrees.

mod change;
mod places;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::{Reason, Subject, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::change::{Effect, Whose};
use self::places::{Reached, is_personal, may_name_one, reached};
use crate::guard::granted::judge_the_rest;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("memory.instructions"),
    summary: "an agent changes AGENTS.md only if a person agrees",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool, EventKind::AfterTool],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: None,
    review: None,
};

/// `[memory.instructions]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What happens when an agent changes a file with rules for agents.
    pub edits: Edits,
}

/// What happens when an agent changes a file with rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Edits {
    /// The user is asked: once for each file and session, and whenever a rule is removed.
    #[default]
    Ask,
    /// Nothing.
    Allow,
    /// It is denied: the agent can propose a rule.
    Deny,
}

/// How many files are remembered.
const MOST_FILES: usize = 200;
/// How many removed rules are named.
const NAMED: usize = 2;

/// What is remembered of a session: the files that a person let the agent change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct State {
    /// Files of which the user was asked.
    asked: BTreeSet<AbsolutePath>,
    /// Those of them that were changed then.
    agreed: BTreeSet<AbsolutePath>,
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    if settings.edits == Edits::Allow {
        return Ok(Verdict::silent());
    }
    match &situation.event.happening {
        EventData::BeforeTool(_) => {
            let verdict = before(situation, settings.edits, &BTreeSet::new())?;
            judge_the_rest(situation, verdict, |allowed| before(situation, settings.edits, allowed))
        }
        EventData::AfterTool { .. } if situation.remembers()? => after(situation),
        _ => Ok(Verdict::silent()),
    }
}

/// Before a call that may change such files.
fn before(
    situation: &Situation<'_>,
    edits: Edits,
    allowed: &BTreeSet<AbsolutePath>,
) -> Result<Verdict, PolicyError> {
    let mut found = reached(situation)?;
    found.retain(|file| !allowed.contains(&file.path));
    if found.is_empty() {
        return Ok(Verdict::silent());
    }
    let mut state: State = situation.recall()?;
    let mut verdict = Verdict::silent();
    for file in found {
        let effect = change::effect(situation, &file)?;
        if effect == Effect::Nothing || (state.agreed.contains(&file.path) && !effect.removes()) {
            continue;
        }
        verdict.join(verdict_about(situation, edits, &file, &effect));
        if state.asked.len() < MOST_FILES {
            state.asked.insert(file.path);
        }
    }
    if edits == Edits::Ask && !verdict.subjects.is_empty() {
        situation.remember(&state)?;
    }
    Ok(verdict)
}

/// After a call that was made: whoever was asked about its file agreed.
fn after(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let before: State = situation.recall()?;
    if !may_name_one(situation, &before.asked) {
        return Ok(Verdict::silent());
    }
    let mut state = before.clone();
    for file in reached(situation)? {
        if state.asked.remove(&file.path) {
            state.agreed.insert(file.path);
        }
    }
    if state != before {
        situation.remember(&state)?;
    }
    Ok(Verdict::silent())
}

fn verdict_about(situation: &Situation<'_>, edits: Edits, file: &Reached, effect: &Effect) -> Verdict {
    let name = file.name(situation.world);
    let whose = if is_personal(&file.path, situation.world) { Whose::TheUser } else { Whose::TheProject };
    let reason = Reason {
        instead: match edits {
            Edits::Deny => {
                "Propose the rule with `flyball learn add --title … --detail …`, or ask the user to edit the file"
                    .to_owned()
            }
            Edits::Ask | Edits::Allow => format!("Agree only if `{name}` is to say so"),
        },
        what: effect.describe(whose, NAMED),
        why: "It steers all later sessions".to_owned(),
    };
    let verdict = if edits == Edits::Deny { Verdict::deny(reason) } else { Verdict::ask(reason) };
    let verdict = verdict.with_subject(Subject::File(file.path.clone())).with_evidence("file", name);
    effect.removed().fold(verdict, |verdict, rule| verdict.with_evidence("removes", rule))
}
