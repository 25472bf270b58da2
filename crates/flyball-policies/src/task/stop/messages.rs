//! What the agent and the user are told.

use flyball_core::text;
use flyball_core::verdict::{Reason, Verdict};
use flyball_knowledge::plan::{self, Phase, Plan, Status};

use super::settings::Settings;
use super::state::BlockHistory;

/// So much of an item is shown.
const ITEM_CHARS: usize = 160;
/// So many phases are named.
const MOST_PHASES: usize = 3;

/// The agent goes on with an open task.
pub(super) fn blocked(path: &str, plan: &Plan, (held, settings): (&BlockHistory, &Settings)) -> Verdict {
    let left = settings
        .max_holds
        .saturating_sub(held.in_row)
        .min(settings.max_holds_in_all.saturating_sub(held.in_all));
    let then = match left {
        0 => "you are let go then, and the user is told".to_owned(),
        1 => "you are kept once more, then let go, and the user is told".to_owned(),
        more => format!("you are kept {more} more times, then let go, and the user is told"),
    };
    let open = plan.phase().map(|phase| items(phase, settings.items)).unwrap_or_default();
    let next = if open.is_empty() { next_step(plan) } else { format!("Open in this phase:\n{open}\n") };
    Verdict::deny(Reason {
        what: format!(
            "Task `{}` is open ({}): {}",
            shown(plan::task_name(path)),
            shown(plan.status.as_str()),
            describe_progress(plan)
        ),
        why: format!("{next}The plan is `{}`", shown(path)),
        instead: format!(
            "Go on with it: tick in the plan what is done, and set its status to `finished` when all phases are complete, or \
             to `failed` if it cannot be done. If only a person can help, say what you need and stop again: {then}"
        ),
    })
    .with_evidence("task", path)
    .with_evidence("phase", describe_progress(plan))
    .with_evidence("holds", format!("{} in a row, {} in all", held.in_row, held.in_all))
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
            "Nothing in this phase says that it is done: a line `**Status:** completed` does. ".to_owned()
        }
        Some(_) => "Its status in the plan is not `completed`. ".to_owned(),
        None => "What is left is to set the status of the plan. ".to_owned(),
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

/// The plan says that it is over and shows that it is not done.
pub(super) fn contradicted(path: &str, plan: &Plan) -> Verdict {
    let (why, right) = match plan.status {
        Status::Finished => ("A task is finished when its phases are", "If the plan is right as it is"),
        Status::Cancelled => ("Only a person cancels a task", "If a person did, say so"),
        _ => ("The user counts on all of it", "If it cannot be done, say what stands in the way"),
    };
    let right = if plan.status == Status::Finished { format!("{right},") } else { format!("{right}, and") };
    Verdict::deny(Reason {
        what: format!(
            "The plan of task `{}` says `{}`, and {}",
            shown(plan::task_name(path)),
            plan.status.as_str(),
            unfinished(plan)
        ),
        why: format!("{why}; the plan is `{}`", shown(path)),
        instead: format!(
            "Tick what is done. If something is left, set the status back to `in progress` and do it. {right} stop again: \
             you are let go, and the user is told"
        ),
    })
    .with_evidence("task", path)
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

/// The agent was held as often as it makes sense.
pub(super) fn released(path: &str, plan: &Plan) -> Verdict {
    let name = shown(plan::task_name(path));
    let open = plan
        .phase()
        .map(|phase| phase.open.iter().take(MOST_PHASES).map(|item| shown(item)).collect::<Vec<_>>());
    let open = open.filter(|open| !open.is_empty()).map(|open| format!("; open: {}", open.join("; ")));
    notice(format!(
        "the agent stopped although task `{name}` is open: {}{}. Your next prompt goes on with it; `flyball task finish`, \
         `cancel` or `release {name}` ends it",
        describe_progress(plan),
        open.unwrap_or_default()
    ))
    .with_evidence("task", path)
    .with_evidence("let go", describe_progress(plan))
}

/// The task has ended.
pub(super) fn ended(path: &str, plan: &Plan, has_lessons: bool) -> Verdict {
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
        if has_lessons { "; `flyball knowledge promote` makes rules of what was learned" } else { "" };
    notice(format!("task `{name}` is over: {status}{but}{lessons}"))
        .with_evidence("task", path)
        .with_evidence("ended", status)
}

/// The plan is not there, or not to be read.
pub(super) fn unreadable(path: &str, why: &str) -> Verdict {
    let name = shown(plan::task_name(path));
    notice(format!(
        "the agent works on task `{name}`, and {}: it is not held, and nothing was changed; `flyball task release {name}` \
         gives the task free",
        shown(why)
    ))
    .with_evidence("task", path)
}

fn notice(text: String) -> Verdict {
    Verdict { notices: vec![text], ..Verdict::silent() }
}

/// A text of the plan on one line, cut.
fn shown(text: &str) -> String {
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    text::cut(&text::one_line(&plain), ITEM_CHARS).into_owned()
}
