//! Denies new subagents while the context is nearly full.
//!
//! Without a transcript, a number in it or a workflow, nothing is denied.

mod settings;
#[cfg(test)]
mod tests;

use std::time::Duration;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind, Tool};
use flyball_core::path::strip_folder;
use flyball_core::policy::{ContextSize, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::time::Time;
use flyball_core::verdict::{Reason, Snippet, Verdict};
use serde::{Deserialize, Serialize};

pub use self::settings::Settings;
use self::settings::{LARGE, When, Window};
use super::workflow;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("loop.compaction"),
    summary: "no new subagents while the context is nearly full",
    page: include_str!("policy.md"),
    listens: &[EventKind::SessionStart, EventKind::BeforeTool, EventKind::AfterModelSwitch, EventKind::Stop],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: None,
    review: None,
};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Memory {
    /// How many tokens were last measured.
    tokens: u64,
    /// How many were last measured before the context was compacted.
    stale: u64,
    /// The highest level that the agent was reminded of, until the context is below it again.
    level: u64,
    /// The model that was switched to, if its name has more details than the transcript.
    model: String,
    /// A model whose context had more tokens than its assumed window.
    beyond: String,
    /// When it was last measured that a subagent would be denied, in milliseconds; 0 if it would not be.
    #[serde(skip_serializing_if = "is_zero")]
    full: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// For how long a measurement holds. It is made right before it is asked for; one of an earlier run of the client, which
/// may have had other settings, does not count.
const FRESH: Duration = Duration::from_secs(60);

/// Whether the main thread would be denied a subagent now. Policies that demand subagents before an agent may stop read
/// this, so that nobody is held for what it may not do.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn denies_subagents(situation: &Situation<'_>) -> Result<bool, PolicyError> {
    let Some(text) = situation.memory.read(POLICY.id.as_str())? else { return Ok(false) };
    let Ok(Memory { full, .. }) = serde_json::from_str(&text) else { return Ok(false) };
    Ok(full > 0 && situation.world.now().since(Time::from_millis(full)) < FRESH)
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    match &situation.event.happening {
        EventData::AfterModelSwitch { to, .. } => switched(situation, to),
        // Agents that a subagent starts report to the subagent.
        EventData::BeforeTool(call) if situation.event.agent.is_none() => match &call.tool {
            Tool::SpawnAgent { role, .. } => spawn(situation, role),
            _ => Ok(Verdict::silent()),
        },
        EventData::SessionStart { source } if source == "compact" && denies_subagents(situation)? => {
            situation.update(|memory: &mut Memory| {
                memory.stale = std::mem::take(&mut memory.tokens);
                memory.full = 0;
            })?;
            Ok(Verdict::silent())
        }
        EventData::Stop(_) => measured(situation).map(|_| Verdict::silent()),
        _ => Ok(Verdict::silent()),
    }
}

/// A transcript names the model without the suffix for its window.
fn switched(situation: &Situation<'_>, to: &str) -> Result<Verdict, PolicyError> {
    let is_variant = to.contains('[');
    // A plain model only matters if a variant was remembered before.
    if !is_variant && !situation.remembers()? {
        return Ok(Verdict::silent());
    }
    let before: Memory = situation.recall()?;
    let model = if is_variant { to.to_owned() } else { String::new() };
    if model != before.model {
        situation.remember(&Memory { model, ..before })?;
    }
    Ok(Verdict::silent())
}

fn spawn(situation: &Situation<'_>, role: &str) -> Result<Verdict, PolicyError> {
    let Some(Measured { filled, work, settings }) = measured(situation)? else {
        return Ok(Verdict::silent());
    };
    let level = settings.level(filled.share());
    let is_new =
        situation.update(|memory: &mut Memory| std::mem::replace(&mut memory.level, level) < level)?;
    let hard = settings.hard.get();
    if filled.share() >= hard {
        return Ok(denied(&filled, hard, role, &work));
    }
    Ok(if is_new { reminded(&filled, hard, &work) } else { Verdict::silent() })
}

/// How full the context is, where that is checked.
struct Measured {
    filled: ContextUsage,
    work: CurrentWork,
    settings: Settings,
}

/// Measures the context, and remembers whether a subagent would be denied.
fn measured(situation: &Situation<'_>) -> Result<Option<Measured>, PolicyError> {
    let Some((size, work, settings)) = context(situation)? else {
        // After a compaction the number may be unknown, and the one before is no longer true.
        if denies_subagents(situation)? {
            situation.update(|memory: &mut Memory| memory.full = 0)?;
        }
        return Ok(None);
    };
    let before: Memory = situation.recall()?;
    // A client may write its transcript later than it compacts.
    if before.stale > 0 && before.stale == size.tokens {
        return Ok(None);
    }
    let mut memory = before.clone();
    let filled = memory.measure(size, &settings);
    // A policy that only observes denies nothing.
    let is_full = filled.share() >= settings.hard.get() && situation.mode == Mode::Enforce;
    memory.tokens = filled.tokens;
    memory.stale = 0;
    memory.full = if is_full { situation.world.now().as_millis() } else { 0 };
    if memory != before {
        situation.remember(&memory)?;
    }
    Ok(Some(Measured { filled, work, settings }))
}

/// What is in the context and what the agent works on, where that is known and checked.
fn context(situation: &Situation<'_>) -> Result<Option<(ContextSize, CurrentWork, Settings)>, PolicyError> {
    let Some(transcript) = &situation.event.transcript else { return Ok(None) };
    let settings: Settings = situation.config()?;
    let Some(work) = current_work(situation, settings.when)? else { return Ok(None) };
    let size = situation.world.context_size(&situation.event.client, transcript)?;
    Ok(size.map(|size| (size, work, settings)))
}

/// What the agent works on.
struct CurrentWork {
    /// The phase of the workflow and its manifest, if there is one.
    phase: Option<(String, String)>,
}

/// What the agent works on, if that is checked.
fn current_work(situation: &Situation<'_>, when: When) -> Result<Option<CurrentWork>, PolicyError> {
    let manifest = workflow::active(situation)?.and_then(|active| active.manifest);
    let root = situation.world.project_root();
    let phase = manifest.filter(|manifest| !manifest.phase.is_empty()).map(|manifest| {
        (manifest.phase, strip_folder(&manifest.path, root).unwrap_or(&manifest.path).to_owned())
    });
    Ok((phase.is_some() || when == When::Always).then_some(CurrentWork { phase }))
}

/// How full a context is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ContextUsage {
    tokens: u64,
    window: u64,
    model: String,
}

impl Memory {
    /// How full the context is. A model that ever had more tokens than assumed has a larger window.
    fn measure(&mut self, size: ContextSize, settings: &Settings) -> ContextUsage {
        // `model[1m]` is a variant of `model`; without that prefix the session has another model by now.
        let variant = self.model.strip_prefix(size.model.as_str()).filter(|rest| rest.starts_with('['));
        let model = if variant.is_some() { self.model.clone() } else { size.model };
        let window = match settings.window_of(&model) {
            Window::Known(window) => window,
            Window::Assumed(window) => {
                if size.tokens > window {
                    self.beyond.clone_from(&model);
                }
                // `beyond` is empty at first, which must not match a model without a name.
                if self.beyond == model && !model.is_empty() { window.max(LARGE) } else { window }
            }
        };
        ContextUsage { tokens: size.tokens, window, model }
    }
}

impl ContextUsage {
    /// In percent of the window.
    fn share(&self) -> u64 {
        self.tokens.saturating_mul(100) / self.window.max(1)
    }

    fn describe(&self) -> String {
        format!("{} % full ({} of {} tokens)", self.share(), self.tokens, self.window)
    }
}

fn reminded(filled: &ContextUsage, hard: u64, work: &CurrentWork) -> Verdict {
    let keep = match &work.phase {
        Some((phase, manifest)) => {
            format!("Record the state of phase `{phase}` in `{manifest}` now")
        }
        None => "Record the state of your work now".to_owned(),
    };
    let text = format!(
        "The context is {}. From {hard} % on, new subagents are denied until it is compacted. {keep}, and ask the \
         user for `/compact` at the next good moment.",
        filled.describe()
    );
    let snippet = Snippet { key: "loop.compaction".to_owned(), rank: 10, text };
    record_usage(Verdict::context(snippet), filled)
}

fn denied(filled: &ContextUsage, hard: u64, role: &str, work: &CurrentWork) -> Verdict {
    let agent = if role.is_empty() { "a subagent".to_owned() } else { format!("`{role}`") };
    let keep = match &work.phase {
        Some((phase, manifest)) => format!("Record the state of phase `{phase}` in `{manifest}`"),
        None => "Record the state of your work".to_owned(),
    };
    let reason = Reason {
        what: format!("the context is {}", filled.describe()),
        why: format!(
            "From {hard} % on the report of {agent} may not fit. If `{}` has a larger window, the user can set it in \
             `loop.compaction.windows`",
            filled.model
        ),
        instead: format!("{keep}, ask the user for `/compact`, and end your turn"),
    };
    record_usage(Verdict::deny(reason), filled)
}

fn record_usage(verdict: Verdict, filled: &ContextUsage) -> Verdict {
    let window = filled.window.to_string();
    verdict
        .with_evidence("tokens", filled.tokens.to_string())
        .with_evidence("window", window)
        .with_evidence("model", filled.model.as_str())
}
