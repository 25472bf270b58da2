//! Gives a subagent the rules for its own task.
//!
//! At a subagent's start the client says who it is, not what it was asked. The prompt is in the call that started it,
//! which was seen before: the two are joined here.

mod folders;
mod mentions;
mod messages;
mod settings;
mod state;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::engine::Ruling;
use flyball_core::event::{Agent, EventData, EventKind, Tool, ToolCall};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation, World};
use flyball_core::verdict::{Snippet, Stance, Verdict};
use flyball_knowledge::node::{self, Rule};
use flyball_knowledge::role::Role;

use self::messages::{Injection, Task};
pub use self::settings::Settings;
pub use self::state::rule_digest;
use self::state::{Call, State};
use super::loaded::{InContext, Loaded};
use super::relevance::{RuleSet, Subject};
use crate::digest::digest;

/// No task is covered by more rules in practice.
const MOST_RULES: usize = 1_000;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("memory.agents"),
    summary: "a subagent gets the rules for its own task",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::BeforeTool,
        EventKind::PermissionDenied,
        EventKind::AfterTool,
        EventKind::ToolFailed,
        EventKind::AgentStart,
        EventKind::SessionStart,
    ],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: None,
    review: Some(record_call),
};

/// The rules that a subagent got at its start, by [`rule_digest`], so that they are not repeated. Empty for the main
/// thread, and while this policy is off.
///
/// # Errors
/// When the store cannot be read.
pub fn injected_rules(situation: &Situation<'_>) -> Result<BTreeSet<u64>, PolicyError> {
    let Some(agent) = &situation.event.agent else { return Ok(BTreeSet::new()) };
    let own = Situation { policy: POLICY.id, ..*situation };
    if !own.remembers()? {
        return Ok(BTreeSet::new());
    }
    Ok(own.recall::<State>()?.known_rules(&agent.id))
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    match &situation.event.happening {
        EventData::AgentStart => match &situation.event.agent {
            // Without a role it is a helper of the client's own.
            Some(agent) if !agent.role.is_empty() => inject_rules(situation, agent),
            _ => Ok(Verdict::silent()),
        },
        EventData::AfterTool { call, outcome } => {
            // One in the background may start after its call has ended.
            let is_over = outcome.spawned.as_ref().is_none_or(|spawned| !spawned.is_running);
            if is_over { forget_call(situation, call) } else { Ok(Verdict::silent()) }
        }
        EventData::ToolFailed { call, .. } | EventData::PermissionDenied { call, .. } => {
            forget_call(situation, call)
        }
        // The context of a resumed session still has them.
        EventData::SessionStart { source } if !matches!(source.as_str(), "resume" | "fork") => {
            if situation.remembers()? {
                situation.remember(&State::default())?;
            }
            Ok(Verdict::silent())
        }
        _ => Ok(Verdict::silent()),
    }
}

/// Remembers a call that starts a subagent, unless it was denied.
fn record_call(situation: &Situation<'_>, rulings: &[Ruling]) -> Result<Verdict, PolicyError> {
    let EventData::BeforeTool(ToolCall { id, tool: Tool::SpawnAgent { role, prompt, .. }, .. }) =
        &situation.event.happening
    else {
        return Ok(Verdict::silent());
    };
    let is_denied = |ruling: &Ruling| {
        ruling.verdict.stance == Stance::Deny && ruling.mode == Mode::Enforce && !ruling.skipped
    };
    if rulings.iter().any(is_denied) {
        return Ok(Verdict::silent());
    }
    let mut state: State = situation.recall()?;
    let paths = paths_of(situation, prompt)?;
    let about = rules_about(situation.world, prompt, &paths)?;
    let seen = Verdict::silent().with_evidence("paths", paths.join(", "));
    state.add_call(Call {
        id: id.clone().unwrap_or_default(),
        role: role.clone(),
        paths,
        about,
        digest: digest([prompt.as_str()]),
        at: situation.world.now(),
    });
    situation.remember(&state)?;
    Ok(seen)
}

/// The paths that a prompt names, and the folders that its words mean.
fn paths_of(situation: &Situation<'_>, prompt: &str) -> Result<Vec<String>, PolicyError> {
    let mut paths = mentions::paths(prompt, &situation.event.cwd, situation.world);
    for folder in folders::meant(situation, prompt, &paths)? {
        // A file in it was named already.
        if !paths.iter().any(|path| path.starts_with(&folder)) {
            paths.push(folder);
        }
    }
    Ok(paths)
}

/// The rules that a prompt is about, by digest, the best first.
fn rules_about(world: &dyn World, prompt: &str, paths: &[String]) -> Result<Vec<u64>, PolicyError> {
    let nodes = messages::covering(world, paths)?;
    let top = nodes.iter().map(|node| node.folder.len()).min().unwrap_or_default();
    let depth = |folder: &str| folder.get(top..).map_or(0, |below| below.matches('/').count());
    let rules: Vec<(Rule, usize)> = nodes
        .iter()
        .flat_map(|node| node::rules(node).into_iter().map(|rule| (rule, depth(&node.folder))))
        .take(MOST_RULES)
        .collect();
    let set = RuleSet::new(rules.iter().map(|(rule, depth)| (rule, *depth)));
    let file = paths.first().map_or("", String::as_str);
    Ok(set.about(&Subject::task(file, prompt)).iter().map(|rated| rule_digest(rated.rule)).collect())
}

/// Forgets a call whose subagent cannot start any more.
fn forget_call(situation: &Situation<'_>, call: &ToolCall) -> Result<Verdict, PolicyError> {
    let (Tool::SpawnAgent { .. }, Some(id)) = (&call.tool, &call.id) else { return Ok(Verdict::silent()) };
    if situation.remembers()? {
        let before: State = situation.recall()?;
        let mut state = before.clone();
        state.remove_call(id);
        if state != before {
            situation.remember(&state)?;
        }
    }
    Ok(Verdict::silent())
}

/// A subagent begins: adds the rules for its task.
fn inject_rules(situation: &Situation<'_>, agent: &Agent) -> Result<Verdict, PolicyError> {
    let mut settings: Settings = situation.config()?;
    // The engine drops context that does not fit as a whole; it must not count as shown.
    settings.tokens = settings.tokens.min(situation.context_chars / 4);
    let before: State = situation.recall()?;
    let mut state = before.clone();
    let call = state.claim(&agent.role, situation.world.now());
    let known = state.known_rules(&agent.id);
    let Call { paths, about, .. } = call.clone().unwrap_or_default();
    let loaded = Loaded::recall(situation)?;
    let in_context = InContext::new(situation, &loaded);
    let task = Task {
        role: Role::from_agent(&agent.role),
        paths: &paths,
        about: &about,
        known: &known,
        in_context: &|nodes| in_context.of(nodes).into_iter().map(|(path, _)| path).collect(),
        has_read: &|rule, is_loaded| {
            (is_loaded && in_context.has_read(rule)) || in_context.elsewhere(rule).is_some()
        },
    };
    let injection = messages::build_injection(situation.world, &task, &settings)?;
    // In observe mode nothing was shown.
    if let Some(injection) = injection.as_ref().filter(|_| situation.mode == Mode::Enforce) {
        state.record_rules(&agent.id, injection.rules.iter().copied());
    }
    if state != before {
        situation.remember(&state)?;
    }
    let joined = if call.is_some() { "seen" } else { "not seen" };
    Ok(injection
        .map_or_else(Verdict::silent, verdict)
        .with_evidence("agent", &agent.role)
        .with_evidence("its call", joined))
}

fn verdict(injection: Injection) -> Verdict {
    let Injection { text, rules, nodes, left_out } = injection;
    let context = vec![Snippet { key: "rules for this task".to_owned(), rank: 50, text }];
    Verdict { context, ..Verdict::default() }
        .with_evidence("nodes", nodes.join(", "))
        .with_evidence("rules", format!("{} shown, {left_out} left out", rules.len()))
}
