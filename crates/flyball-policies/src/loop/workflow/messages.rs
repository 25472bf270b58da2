//! The context over a compaction. Before it, the text becomes part of the prompt for the summary, so it is worded as
//! facts; after it, it is the first thing that the agent reads.

use flyball_core::path::strip_folder;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::text;
use flyball_core::verdict::{Snippet, Verdict};

use super::state::{ActiveWorkflow, State, change};
use super::trail::AgentRun;

/// How many running agents are named.
const MOST_NAMED: usize = 8;

pub(super) fn compaction_context(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if !situation.remembers()? {
        return Ok(Verdict::silent());
    }
    let state = change(situation, |_| {})?;
    let Some(active) = state.progress.active() else { return Ok(Verdict::silent()) };
    let text = [Some(describe_workflow(&active, situation.world.project_root())), running(&state)];
    let text = text.into_iter().flatten().collect::<Vec<_>>().join(" ");
    // Without it a workflow would start over; most other things can be found out again.
    let snippet = Snippet { key: "loop.workflow".to_owned(), rank: 20, text };
    Ok(Verdict::context(snippet))
}

fn describe_workflow(active: &ActiveWorkflow, root: &str) -> String {
    let name = &active.name;
    let Some(manifest) = &active.manifest else {
        return format!(
            "The workflow `{name}` was started in this session and is not finished; it has no manifest."
        );
    };
    let path = strip_folder(&manifest.path, root).unwrap_or(&manifest.path);
    let or = |text: &str, otherwise: &str| {
        if text.is_empty() { otherwise.to_owned() } else { format!("`{text}`") }
    };
    let feature = or(&manifest.feature, "an unnamed feature");
    let phase = or(&manifest.phase, "unknown");
    let status = or(&manifest.status, "unknown");
    format!(
        "The workflow `{name}` is not finished: feature {feature}, current phase {phase}, status {status}. Its state \
         is kept in the manifest `{path}`."
    )
}

fn running(state: &State) -> Option<String> {
    let running: Vec<&AgentRun> = state.trail.agents.iter().filter(|run| run.ended.is_none()).collect();
    if running.is_empty() {
        return None;
    }
    let named = running.iter().rev().take(MOST_NAMED).map(|run| format!("`{}` ({})", run.role, run.id));
    let names = named.collect::<Vec<_>>().join(", ");
    let more = text::and_more(running.len().saturating_sub(MOST_NAMED));
    Some(format!("Agents that have not reported yet: {names}{more}."))
}
