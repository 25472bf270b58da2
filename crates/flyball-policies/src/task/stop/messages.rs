//! The messages to the agent and the user.

use flyball_core::path::ProjectPath;
use flyball_core::text;
use flyball_core::verdict::{Reason, Verdict};
use flyball_knowledge::plan::{self, Phase, Plan, Status};

use super::settings::Settings;
use super::state::BlockHistory;

const ITEM_CHARS: usize = 160;
const MOST_PHASES: usize = 3;

/// The agent is blocked: its task is open.
pub(super) fn blocked(
    path: &ProjectPath,
    plan: &Plan,
    (history, settings): (&BlockHistory, &Settings),
) -> Verdict {
    let left = settings
        .max_holds
        .saturating_sub(history.in_row)
        .min(settings.max_holds_in_all.saturating_sub(history.in_all));
    let then = match left {
        0 => "you will be released".to_owned(),
        1 => "you will be blocked once more, then released".to_owned(),
        more => format!("you will be blocked {more} more times, then released"),
    };
    let open = plan.phase().map(|phase| items(phase, settings.items)).unwrap_or_default();
    let next = if open.is_empty() { next_step(plan) } else { format!("Open in this phase:\n{open}\n") };
    Verdict::deny(Reason {
        instead: format!("Continue task `{}`", shown(plan::task_name(path))),
        what: format!("it is {}, {}", shown(plan.status.as_str()), describe_progress(plan)),
        why: format!(
            "{next}Tick what is done in `{}`; set its status to `finished` when all phases are complete, or to `failed` \
             if it cannot be done. If only the user can help, say what you need and stop again: {then}",
            shown(path)
        ),
    })
    .with_evidence("task", path.as_str())
    .with_evidence("phase", describe_progress(plan))
    .with_evidence("holds", format!("{} in a row, {} in all", history.in_row, history.in_all))
}

/// `phase 2 of 5, The query`.
fn describe_progress(plan: &Plan) -> String {
    match plan.phase() {
        Some(phase) if phase.title.is_empty() => plan.progress(),
        Some(phase) => format!("{}, `Phase {}: {}`", plan.progress(), phase.label(), shown(&phase.title)),
        None if plan.phases.is_empty() => "it has no phases".to_owned(),
        None => "all phases are complete".to_owned(),
    }
}

fn next_step(plan: &Plan) -> String {
    match plan.phase() {
        Some(phase) if phase.is_bare => {
            "This phase has no boxes: add a line `**Status:** completed` when it is done. ".to_owned()
        }
        Some(_) => "The status of the phase is not `completed`. ".to_owned(),
        None => "Only the status of the plan is left to set. ".to_owned(),
    }
}

fn items(phase: &Phase, most: usize) -> String {
    let mut lines: Vec<String> =
        phase.open.iter().take(most).map(|item| format!("- {}", shown(item))).collect();
    if let Some(more) = phase.open.len().checked_sub(most).filter(|more| *more > 0) {
        lines.push(format!("- and {more} more"));
    }
    lines.join("\n")
}

/// The plan says that it is over, but has open items.
pub(super) fn contradicted(path: &ProjectPath, plan: &Plan) -> Verdict {
    let right = match plan.status {
        Status::Finished => "If the plan is right,",
        Status::Cancelled => "Only a person cancels a task. If one did, say so and",
        _ => "If it cannot be done, say why and",
    };
    Verdict::deny(Reason {
        instead: format!(
            "Tick what is done, or set the status of task `{}` back to `in progress` and finish it",
            shown(plan::task_name(path))
        ),
        what: format!("its plan `{}` says `{}`, but {}", shown(path), plan.status.as_str(), unfinished(plan)),
        why: format!("{right} stop again: you will be released"),
    })
    .with_evidence("task", path.as_str())
    .with_evidence("contradiction", unfinished(plan))
}

/// `phase 2 has 3 open items`.
fn unfinished(plan: &Plan) -> String {
    let mut parts: Vec<String> = plan.unfinished().take(MOST_PHASES).map(lacking).collect();
    if let Some(more) = plan.unfinished().count().checked_sub(MOST_PHASES).filter(|more| *more > 0) {
        parts.push(format!("{more} more are not complete"));
    }
    parts.join(", ")
}

fn lacking(phase: &Phase) -> String {
    let what = match phase.open.len() {
        0 => "is not completed by its status".to_owned(),
        open => format!("has {}", text::counted(open, "open item")),
    };
    format!("phase {} {what}", phase.label())
}

/// The agent was blocked as often as the settings allow.
pub(super) fn released(path: &ProjectPath, plan: &Plan) -> Verdict {
    let name = shown(plan::task_name(path));
    let open = plan
        .phase()
        .map(|phase| phase.open.iter().take(MOST_PHASES).map(|item| shown(item)).collect::<Vec<_>>());
    let open = open.filter(|open| !open.is_empty()).map(|open| format!("; open: {}", open.join("; ")));
    notice(format!(
        "the agent stopped while task `{name}` is open: {}{}. To continue, send a prompt; to end it, run `flyball task \
         finish`, `cancel` or `release {name}`",
        describe_progress(plan),
        open.unwrap_or_default()
    ))
    .with_evidence("task", path.as_str())
    .with_evidence("released", describe_progress(plan))
}

/// The task has ended.
pub(super) fn ended(path: &ProjectPath, plan: &Plan, has_lessons: bool) -> Verdict {
    let name = shown(plan::task_name(path));
    let status = plan.status.as_str();
    let but = match unfinished(plan) {
        _ if status != "finished" => {
            format!("{} {}", if plan.phase().is_some() { " in" } else { "," }, describe_progress(plan))
        }
        open if open.is_empty() => String::new(),
        open => format!(", although {open}"),
    };
    let lessons =
        if has_lessons { "; run `flyball knowledge promote` to turn its lessons into rules" } else { "" };
    notice(format!("task `{name}` is over: {status}{but}{lessons}"))
        .with_evidence("task", path.as_str())
        .with_evidence("ended", status)
}

/// The plan does not exist or cannot be read.
pub(super) fn unreadable(path: &ProjectPath, why: &str) -> Verdict {
    let name = shown(plan::task_name(path));
    notice(format!(
        "task `{name}` does not block the agent: {}. Nothing was changed; to release the task, run `flyball task release \
         {name}`",
        shown(why)
    ))
    .with_evidence("task", path.as_str())
}

fn notice(text: String) -> Verdict {
    Verdict { notices: vec![text], ..Verdict::silent() }
}

/// A text of the plan on one line, cut.
fn shown(text: &str) -> String {
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    text::cut(&text::one_line(&plain), ITEM_CHARS).into_owned()
}
