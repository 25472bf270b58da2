//! A session begins with what was learned lately.

mod messages;
mod settings;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::time::DAY;
use flyball_core::verdict::{FollowUp, Snippet, Verdict};
use flyball_core::workshop::Workshop;
use flyball_knowledge::node::{self, Node, Rule};
use flyball_knowledge::report::ledger;
use serde::{Deserialize, Serialize};

pub use self::settings::Settings;
use super::loaded::{InContext, Loaded};
use super::relevance;

/// The note that the hint on how to start was shown.
const BEGUN: &str = "memory.session begun";

pub static POLICY: Policy = Policy {
    id: PolicyId::new("memory.session"),
    summary: "a session begins with what was learned recently",
    page: include_str!("policy.md"),
    listens: &[EventKind::SessionStart, EventKind::PromptSubmit],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: Some(gather),
    review: None,
};

/// What the main agent was shown when its context began.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Start {
    /// Whether the rules come with the next prompt. The client reports which files it loads itself until then.
    #[serde(default)]
    is_due: bool,
    /// The rules that were shown as a whole, by digest.
    shown: Vec<u64>,
}

/// The rules that the main agent began with, by [`rule_digest`](super::agents::rule_digest).
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn shown_rules(situation: &Situation<'_>) -> Result<Vec<u64>, PolicyError> {
    let own = Situation { policy: POLICY.id, ..*situation };
    if situation.event.agent.is_some() || !own.remembers()? {
        return Ok(Vec::new());
    }
    Ok(own.recall::<Start>()?.shown)
}

/// The hint on how to start is due.
struct FirstTime;

fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    let world = situation.world;
    let is_enabled = situation.mode == Mode::Enforce && ledger::is_enabled(world);
    if !is_enabled || node::node_in(world, world.project_root()).is_some() {
        return Ok(None);
    }
    let mut is_first = false;
    // Sessions that start at the same time change the note one after the other, so only one shows the hint.
    workshop.change_note(BEGUN, &mut |note| {
        is_first = note.is_none();
        Ok(is_first.then(|| "told".to_owned()))
    })?;
    Ok(is_first.then(|| Box::new(FirstTime) as Gathered))
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    match &situation.event.happening {
        EventData::SessionStart { source } => begin(situation, source),
        EventData::PromptSubmit { .. } => show_rules(situation),
        _ => Ok(Verdict::silent()),
    }
}

fn begin(situation: &Situation<'_>, source: &str) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let world = situation.world;
    let root = world.project_root();
    let mut parts = Vec::new();
    let mut verdict = Verdict::silent();
    if ledger::is_enabled(world) {
        let summary = ledger::summary(world)?;
        let since = world.now() - DAY.saturating_mul(settings.days);
        parts.extend(messages::learned(&summary, since, settings.days));
        if matches!(source, "startup" | "resume") {
            verdict.notices.extend(messages::pending(&summary));
        }
        // Counting many reports takes long, so it is done in the background for the next session.
        if summary.is_stale {
            verdict.errands.extend(world.program().map(|program| recount(program, root)));
        }
    }
    let nodes = node::nodes_in(world, root);
    if nodes.is_empty() {
        parts.extend(situation.gathered().map(|FirstTime| messages::getting_started()));
    }
    match source {
        // After a compaction the model may go on without a prompt, and it is known what the client loads.
        "compact" => {
            let rules = general_rules(situation, &nodes)?;
            parts.extend(messages::rules(&rules));
            let text = messages::pack(parts, settings.tokens);
            remember_shown(situation, &text, &rules)?;
            return Ok(with_text(verdict, text));
        }
        // The context has them.
        "resume" | "fork" if situation.remembers()? => {}
        _ if nodes.iter().flat_map(node::rules).any(|rule| relevance::is_for_all(&rule)) => {
            situation.remember(&Start { is_due: true, shown: Vec::new() })?;
        }
        _ => {}
    }
    Ok(with_text(verdict, messages::pack(parts, settings.tokens)))
}

/// Shows the rules for the whole project with the first prompt.
fn show_rules(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if situation.event.agent.is_some() || !situation.remembers()? || !situation.recall::<Start>()?.is_due {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let world = situation.world;
    let rules = general_rules(situation, &node::nodes_in(world, world.project_root()))?;
    let text = messages::pack(messages::rules(&rules).into_iter().collect(), settings.tokens);
    remember_shown(situation, &text, &rules)?;
    Ok(with_text(Verdict::silent(), text))
}

fn remember_shown(situation: &Situation<'_>, text: &str, rules: &[Rule]) -> Result<(), PolicyError> {
    let shown = if situation.mode == Mode::Enforce { messages::shown_in(text, rules) } else { Vec::new() };
    if shown.is_empty() && !situation.remembers()? {
        return Ok(());
    }
    situation.remember(&Start { is_due: false, shown })
}

fn with_text(mut verdict: Verdict, text: String) -> Verdict {
    if !text.is_empty() {
        verdict.context.push(Snippet { key: "memory.session".to_owned(), rank: 5, text });
    }
    verdict
}

/// The rules of the root that are for the whole project and that the client does not put into context itself.
fn general_rules(situation: &Situation<'_>, nodes: &[Node]) -> Result<Vec<Rule>, PolicyError> {
    let loaded = Loaded::recall(situation)?;
    let context = InContext::new(situation, &loaded);
    let in_context = context.of(nodes);
    let is_loaded = |node: &Node| in_context.iter().any(|(path, _)| *path == node.path);
    let (loaded, fresh): (Vec<&Node>, Vec<&Node>) = nodes.iter().partition(|node| is_loaded(node));
    let known: Vec<Rule> = loaded.into_iter().flat_map(node::rules).collect();
    let rules = fresh.into_iter().flat_map(node::rules).filter(relevance::is_for_all);
    let is_new = |rule: &Rule| {
        context.elsewhere(rule).is_none() && !known.iter().any(|other| relevance::is_same(other, rule))
    };
    Ok(rules.filter(is_new).collect())
}

/// Counts the reports again, after the answer: the folders were changed by hand.
fn recount(program: AbsolutePath, root: &str) -> FollowUp {
    let arguments = ["memory", "index", "--project", root].map(str::to_owned).to_vec();
    FollowUp { program, arguments }
}
