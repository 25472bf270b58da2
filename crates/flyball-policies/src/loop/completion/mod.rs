//! Checks that a subagent has answered what its role requires: an answer, its parts, and the files it claims to have
//! written.

mod claims;
mod opinion;
mod path;
mod requirements;
mod search;
pub mod settings;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{Agent, EventData, EventKind, Stopping};
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::text;
use flyball_core::verdict::{Reason, Snippet, Verdict};
use flyball_core::workshop::Workshop;
use serde::{Deserialize, Serialize};

use self::opinion::Question;
use self::settings::Settings;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("loop.completion"),
    summary: "a subagent stops with a complete answer",
    page: include_str!("policy.md"),
    listens: &[EventKind::AgentStop],
    on_error: OnError::Hold,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: Some(gather),
    review: None,
};

/// Old agents are forgotten: their ids do not come back.
const MOST_AGENTS: usize = 512;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct State {
    /// Agents by the client's id, oldest first.
    agents: Vec<(String, Stage)>,
    /// Whether the user was notified that the opinion command failed.
    #[serde(rename = "told_trouble")]
    failure_reported: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    /// It was asked for what is missing.
    Asked,
    /// The user was notified.
    #[serde(rename = "told")]
    Notified,
}

impl State {
    fn stage(&self, agent: &str) -> Option<Stage> {
        self.agents.iter().find(|(id, _)| id == agent).map(|(_, stage)| *stage)
    }

    fn set(&mut self, agent: &str, stage: Stage) {
        self.agents.retain(|(id, _)| id != agent);
        self.agents.push((agent.to_owned(), stage));
        let excess = self.agents.len().saturating_sub(MOST_AGENTS);
        self.agents.drain(..excess);
    }
}

struct Inputs {
    /// Files that were claimed and do not exist.
    missing_files: Vec<String>,
    /// The output of the opinion command, or why it failed.
    opinion: Option<Result<String, String>>,
}

/// The agent that stops, unless it is skipped.
fn stopping<'a>(situation: &Situation<'a>, settings: &Settings) -> Option<(&'a Agent, &'a Stopping)> {
    let EventData::AgentStop { stopping, .. } = &situation.event.happening else { return None };
    let agent = situation.event.agent.as_ref()?;
    (!settings.skips(&agent.role)).then_some((agent, stopping))
}

fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    let settings: Settings = situation.config()?;
    let Some((agent, stopping)) = stopping(situation, &settings) else { return Ok(None) };
    let missing_files = search::missing_everywhere(
        unfound_files(situation, &settings, stopping),
        situation.event,
        situation.world,
    );
    let is_asked = situation.mode == Mode::Enforce && !settings.opinion_command.is_empty() && !stopping.again;
    let question = Question { role: &agent.role, answer: &stopping.last_message };
    let opinion =
        is_asked.then(|| opinion::ask(&settings.opinion_command, &question, situation.policy, workshop));
    Ok(Some(Box::new(Inputs { missing_files, opinion })))
}

/// The claimed files that are not found nearby.
fn unfound_files(situation: &Situation<'_>, settings: &Settings, stopping: &Stopping) -> Vec<String> {
    if !settings.files {
        return Vec::new();
    }
    search::missing_nearby(claims::claimed(&stopping.last_message), situation.event, situation.world)
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let Some((agent, stopping)) = stopping(situation, &settings) else { return Ok(Verdict::silent()) };
    let inputs = situation.gathered::<Inputs>();
    let missing_files = match inputs {
        Some(inputs) => inputs.missing_files.clone(),
        None => unfound_files(situation, &settings, stopping),
    };
    let lacks = describe_missing(&settings, &agent.role, &stopping.last_message, &missing_files);
    let opinion = inputs.and_then(|inputs| inputs.opinion.as_ref());
    if lacks.is_empty() && opinion.is_none() {
        return Ok(Verdict::silent());
    }
    situation.update(|state: &mut State| {
        let mut verdict = match lacks.as_slice() {
            [] => Verdict::silent(),
            lacks => ask_once(state, agent, lacks).with_evidence("lacks", lacks.join("; ")),
        };
        if let Some(opinion) = opinion {
            pass_on(opinion, agent, state, &mut verdict);
        }
        verdict
    })
}

/// All that is missing, in words.
fn describe_missing(settings: &Settings, role: &str, answer: &str, missing_files: &[String]) -> Vec<String> {
    if !requirements::is_answer(answer) {
        return vec!["it gave no answer".to_owned()];
    }
    let mut lacks: Vec<String> = Vec::new();
    for lacking in
        settings.requirements_for(role).flat_map(|entry| requirements::missing_parts(answer, entry))
    {
        if !lacks.contains(&lacking) {
            lacks.push(lacking);
        }
    }
    if !missing_files.is_empty() {
        let (files, verb) = (text::quoted(missing_files), text::plural(missing_files.len(), "does", "do"));
        lacks.push(format!("it claims to have written {files}, which {verb} not exist"));
    }
    lacks
}

/// The agent is asked once; then it may stop, and the user is notified.
fn ask_once(state: &mut State, agent: &Agent, lacks: &[String]) -> Verdict {
    match state.stage(&agent.id) {
        Some(Stage::Notified) => Verdict::silent(),
        // Also an agent that another policy blocked before: its reply to that may be all that is left of its answer.
        None => {
            state.set(&agent.id, Stage::Asked);
            Verdict::deny(Reason {
                what: format!("it is incomplete ({})", lacks.join("; ")),
                why: "Only your last message is read; you are asked once".to_owned(),
                instead:
                    "Repeat your whole answer with what is missing, or explain in it why that is not possible"
                        .to_owned(),
            })
        }
        Some(Stage::Asked) => {
            state.set(&agent.id, Stage::Notified);
            let notice = format!("`{}` stopped with an incomplete answer: {}", agent.role, lacks.join("; "));
            Verdict::notice(notice)
        }
    }
}

/// An opinion is advice: for the agent if it continues anyway, else for the user.
fn pass_on(opinion: &Result<String, String>, agent: &Agent, state: &mut State, verdict: &mut Verdict) {
    match opinion {
        Ok(text) if text.is_empty() => {}
        Ok(text) if verdict.stance == flyball_core::verdict::Stance::Deny => verdict.context.push(Snippet {
            key: "an opinion of this answer".to_owned(),
            rank: 0,
            text: format!("A second opinion on your answer (advice only):\n{text}"),
        }),
        Ok(text) => verdict.notices.push(format!("second opinion on the answer of `{}`: {text}", agent.role)),
        Err(_) if state.failure_reported => {}
        Err(why) => {
            state.failure_reported = true;
            let fix = "check `loop.completion.opinion_command`; this is reported once";
            verdict.notices.push(format!("no second opinion on subagents' answers: {why}; {fix}"));
        }
    }
}
