//! Edited code that no domain of the loop covers is reviewed and tested before the agent stops.

pub mod settings;
mod state;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::engine::Ruling;
use flyball_core::event::{Agent, EventData, EventKind, Outcome, Stopping, Tool, ToolCall};
use flyball_core::facts::EditRoute;
use flyball_core::path::strip_folder;
use flyball_core::policy::{GitAnswer, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::text;
use flyball_core::verdict::{Reason, Stance, Verdict};

use self::settings::{Need, Settings, When};
use self::state::{Missing, State};
use super::events::{edited_paths, is_new_session, own_edits};
use super::test_run::Line;
use super::{compaction, feedback, workflow};
use crate::blocking::StopDecision;
use crate::stamp::{Stamp, stamp};

/// How many files a message names.
const MOST_NAMED: usize = 8;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("loop.gate"),
    summary: "edits outside of any loop are reviewed and tested before the agent stops",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::SessionStart,
        EventKind::AfterTool,
        EventKind::ToolFailed,
        EventKind::AgentStart,
        EventKind::AgentStop,
        EventKind::Stop,
    ],
    on_error: OnError::Hold,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone(),
    run: judge,
    gather: None,
    review: Some(review),
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    match &situation.event.happening {
        happening if is_new_session(happening) => {
            if situation.remembers()? {
                situation.remember(&State::default())?;
            }
            Ok(Verdict::silent())
        }
        EventData::AfterTool { call, outcome } => called(situation, call, Some(outcome)),
        // A command may have edited before it failed; an edit that failed did not.
        EventData::ToolFailed { call, .. } if matches!(call.tool, Tool::Shell { .. }) => {
            called(situation, call, None)
        }
        EventData::AgentStart => started(situation),
        EventData::Stop(stopping) => stopped(situation, stopping),
        _ => Ok(Verdict::silent()),
    }
}

/// Records what a call edited, and what it proves; `outcome` if it succeeded.
fn called(
    situation: &Situation<'_>,
    call: &ToolCall,
    outcome: Option<&Outcome>,
) -> Result<Verdict, PolicyError> {
    if !matches!(call.tool, Tool::Shell { .. } | Tool::Edit(_)) {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let files = edited(situation, &settings)?;
    let met = outcome.map(|outcome| met_needs(situation, &settings, outcome)).unwrap_or_default();
    // A test run in a session without edits meets nothing that is needed.
    if files.is_empty() && (met.is_empty() || !situation.remembers()?) {
        return Ok(Verdict::silent());
    }
    let mut state: State = situation.recall()?;
    // A workflow has its own review and tests; what was edited in it is not checked again afterwards.
    if !files.is_empty() && !is_in_a_workflow(situation)? {
        let by = situation.event.agent.as_ref().map(|agent| agent.id.as_str());
        for (path, touch) in &files {
            // A change that is only noticed now may be an older one, which was recorded when it happened.
            if !(touch.is_noticed && state.is_unchanged(path, touch.stamp)) {
                state.edit(path, touch.stamp, by);
            }
        }
    }
    if !met.is_empty() {
        state.mark_met(&met);
    }
    situation.remember(&state)?;
    Ok(Verdict::silent())
}

/// How a call edited a file.
struct Touch {
    /// The call does not name it: it was found to have changed while a command ran, or shortly before.
    is_noticed: bool,
    stamp: Option<Stamp>,
}

/// The files that a call edited, by path below the project's root.
fn edited(situation: &Situation<'_>, settings: &Settings) -> Result<BTreeMap<String, Touch>, PolicyError> {
    let (world, root) = (situation.world, situation.world.project_root());
    let mut files = BTreeMap::new();
    for edit in own_edits(situation)? {
        let is_noticed = edit.route == EditRoute::Noticed;
        for place in edited_paths(situation, edit) {
            if let Some(path) = strip_folder(&place, root).filter(|path| settings.covers(path)) {
                let stamp = world.stat(&place).as_ref().map(stamp);
                files.insert(path.to_owned(), Touch { is_noticed, stamp });
            }
        }
    }
    Ok(files)
}

/// The needs that this call meets.
fn met_needs<'a>(situation: &Situation<'_>, settings: &'a Settings, outcome: &Outcome) -> Vec<&'a Need> {
    let Some(line) = Line::succeeded(situation, outcome) else { return Vec::new() };
    let is_met = |need: &&Need| need.commands.iter().any(|command| line.proves(command));
    settings.need.iter().filter(is_met).collect()
}

/// The agent of this event, and the needs that it serves.
fn served_needs<'a, 's>(
    situation: &Situation<'s>,
    settings: &'a Settings,
) -> Option<(&'s Agent, Vec<&'a Need>)> {
    let agent = situation.event.agent.as_ref()?;
    let needs: Vec<&Need> = settings.need.iter().filter(|need| need.is_served_by(&agent.role)).collect();
    (!needs.is_empty()).then_some((agent, needs))
}

fn started(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    if let Some((agent, _)) = served_needs(situation, &settings) {
        let mut state: State = situation.recall()?;
        state.start(&agent.id);
        situation.remember(&state)?;
    }
    Ok(Verdict::silent())
}

/// An agent that is blocked from stopping has not ended, which is known after all policies.
fn review(situation: &Situation<'_>, rulings: &[Ruling]) -> Result<Verdict, PolicyError> {
    let EventData::AgentStop { .. } = &situation.event.happening else { return Ok(Verdict::silent()) };
    // A policy that only observes does not block the agent.
    let counts = |ruling: &&Ruling| ruling.mode == Mode::Enforce && !ruling.skipped;
    if rulings.iter().filter(counts).any(|ruling| ruling.verdict.stance == Stance::Deny) {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    if let Some((agent, needs)) = served_needs(situation, &settings) {
        let mut state: State = situation.recall()?;
        state.end(&agent.id, &needs);
        situation.remember(&state)?;
    }
    Ok(Verdict::silent())
}

fn stopped(situation: &Situation<'_>, stopping: &Stopping) -> Result<Verdict, PolicyError> {
    if !situation.remembers()? || stopping.has_running_subagent() {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let before: State = situation.recall()?;
    let mut state = before.clone();
    if settings.when == When::Uncovered {
        let covered = covered(situation)?;
        state.forget(|path| covered.contains(path));
    }
    // In a plan nothing can be edited, and without room for a subagent nothing can be reviewed: it stays needed.
    let has_to_wait = situation.event.is_planning() || compaction::denies_subagents(situation)?;
    if has_to_wait || is_in_a_workflow(situation)? {
        return Ok(Verdict::silent());
    }
    let vanished = vanished(situation, &state.missing(&settings));
    state.forget(|path| vanished.contains(path));
    let missing = state.missing(&settings);
    let decision = state.stop(&missing, !stopping.again);
    if state != before {
        situation.remember(&state)?;
    }
    Ok(match decision {
        StopDecision::Silent => Verdict::silent(),
        StopDecision::Block => record_missing(Verdict::deny(block_reason(&missing)), &missing),
        StopDecision::Release => {
            let notice = format!("the agent stopped without {}", listed(&missing, "; "));
            record_missing(Verdict::notice(notice), &missing)
        }
    })
}

/// Files that were created and deleted again: there is nothing left to review. Asks git only if one is gone.
fn vanished(situation: &Situation<'_>, missing: &[Missing<'_>]) -> BTreeSet<String> {
    let world = situation.world;
    let root = world.project_root();
    let is_gone = |path: &&str| world.stat(&world.real_path(root, path)).is_none();
    let files: BTreeSet<&str> = missing.iter().flat_map(|it| &it.files).map(String::as_str).collect();
    let gone: Vec<&str> = files.into_iter().filter(is_gone).collect();
    if gone.is_empty() {
        return BTreeSet::new();
    }
    // A name that looks like a pattern is still a name.
    let mut question = vec!["--literal-pathspecs", "ls-tree", "-r", "-z", "--name-only", "HEAD", "--"];
    question.extend(&gone);
    let committed = match world.git(root, &question) {
        Ok(GitAnswer::Said(committed)) => committed,
        // Nothing was committed yet.
        Ok(GitAnswer::No) => String::new(),
        // Without an answer of git, the file may have been committed.
        Ok(GitAnswer::NoRepository) | Err(_) => return BTreeSet::new(),
    };
    let committed: BTreeSet<&str> = committed.split('\0').collect();
    gone.into_iter().filter(|path| !committed.contains(path)).map(str::to_owned).collect()
}

/// Whether a workflow that a person started has its own review and tests.
fn is_in_a_workflow(situation: &Situation<'_>) -> Result<bool, PolicyError> {
    Ok(workflow::in_charge(situation)?.is_some())
}

/// The files that the loop covers.
fn covered(situation: &Situation<'_>) -> Result<BTreeSet<String>, PolicyError> {
    let Some(text) = situation.memory.read(feedback::POLICY.id.as_str())? else { return Ok(BTreeSet::new()) };
    // The loop reports a state that cannot be read; here it covers nothing.
    let state: feedback::State = serde_json::from_str(&text).unwrap_or_default();
    Ok(state.domains.into_values().flat_map(|domain| domain.files.into_keys()).collect())
}

fn block_reason(missing: &[Missing<'_>]) -> Reason {
    let advice: Vec<String> =
        missing.iter().map(|it| format!("for {}, {}", it.need.name, it.need.advice())).collect();
    Reason {
        what: format!("after the last edit there is no {}", listed(missing, "; no ")),
        why: "A command counts only at the end of its line, without a pipe or `||`. If this is not possible, say so and \
              stop again: you are released, and the user is notified"
            .to_owned(),
        instead: capitalised(&advice.join("; ")),
    }
}

/// `review of a, b; tests of a`.
fn listed(missing: &[Missing<'_>], between: &str) -> String {
    let one = |missing: &Missing<'_>| {
        let named: Vec<String> = missing.files.iter().map(|file| format!("`{file}`")).collect();
        format!("{} of {}", missing.need.name, text::first(&named, MOST_NAMED))
    };
    missing.iter().map(one).collect::<Vec<_>>().join(between)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn record_missing(verdict: Verdict, missing: &[Missing<'_>]) -> Verdict {
    let needs: Vec<&str> = missing.iter().map(|it| it.need.name.as_str()).collect();
    let files: BTreeSet<&str> = missing.iter().flat_map(|it| &it.files).map(String::as_str).collect();
    verdict
        .with_evidence("missing", needs.join(", "))
        .with_evidence("files", files.into_iter().collect::<Vec<_>>().join(", "))
}
