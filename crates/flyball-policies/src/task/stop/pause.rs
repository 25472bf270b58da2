//! A person pauses the task of a session by a prompt, and resumes it by another one.

use flyball_core::event::{Event, EventData};
use flyball_core::path::ProjectPath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::text;
use flyball_core::verdict::{Snippet, Verdict};
use flyball_core::workshop::Workshop;
use flyball_knowledge::lock::{self, Pause};
use flyball_knowledge::plan;

use crate::task::session_key;
use crate::task::wish::{self, Wish};

/// How much of a prompt is stored as the reason.
const MOST_CHARS: usize = 120;

/// What a prompt changed.
pub(super) struct Change {
    wish: Wish,
    plans: Vec<ProjectPath>,
}

/// What a person wrote to the main agent.
pub(super) fn prompt_of_person(event: &Event) -> Option<&str> {
    match &event.happening {
        EventData::PromptSubmit { text, by_machine: false } if event.agent.is_none() => Some(text),
        _ => None,
    }
}

/// Pauses or resumes the tasks of the session, if the prompt says so.
pub(super) fn gather(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
    prompt: &str,
) -> Result<Option<Change>, PolicyError> {
    let who = session_key(situation.event);
    // Unreadable locks are reported where they matter.
    drop(lock::heartbeat(workshop, who));
    let Some(wish) = wish::read(prompt) else { return Ok(None) };
    if wish == Wish::Pause {
        lock::adopt(workshop, who)?;
    }
    let mut plans = Vec::new();
    for (path, _) in lock::bound(workshop, who)? {
        let pause = || Pause { at: workshop.now(), text: one_line(prompt) };
        let is_new = match wish {
            // A plan that is over or gone needs no pause.
            Wish::Pause if !is_open(workshop, &path) => false,
            Wish::Pause => lock::pause(workshop, &path, &pause())?,
            Wish::Continue => lock::resume(workshop, &path)?,
        };
        plans.extend(is_new.then_some(path));
    }
    Ok((!plans.is_empty()).then_some(Change { wish, plans }))
}

fn is_open(workshop: &dyn Workshop, path: &ProjectPath) -> bool {
    plan::read(workshop, path).ok().flatten().is_some_and(|plan| !plan.status.is_terminal())
}

fn one_line(prompt: &str) -> String {
    let plain: String = prompt.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    text::cut(&text::one_line(&plain), MOST_CHARS).into_owned()
}

/// What the model and the user are told about it.
pub(super) fn verdict(change: &Change) -> Verdict {
    let names: Vec<String> = change.plans.iter().map(|path| format!("`{}`", plan::task_name(path))).collect();
    let (tasks, are) = (
        format!("{} {}", text::plural(names.len(), "Task", "Tasks"), names.join(", ")),
        text::plural(names.len(), "is", "are"),
    );
    let (context, notice) = match change.wish {
        Wish::Pause => (
            format!(
                "{tasks} {are} paused, as the user asked: do not work on it until the user says to continue. You may stop; \
                 what is done can still be ticked in the plan."
            ),
            format!(
                "{tasks} {are} paused: the agent may stop. To resume, write `continue`, or run `flyball task resume`"
            ),
        ),
        Wish::Continue => {
            let plans: Vec<String> = change.plans.iter().map(|path| format!("`{path}`")).collect();
            (
                format!("{tasks} {are} no longer paused: continue by the plan {}.", plans.join(", ")),
                format!("{tasks} {are} resumed"),
            )
        }
    };
    let snippet = Snippet { key: "task.stop pause".to_owned(), rank: 20, text: context };
    let evidence = match change.wish {
        Wish::Pause => "paused",
        Wish::Continue => "resumed",
    };
    Verdict { context: vec![snippet], notices: vec![notice], ..Verdict::silent() }
        .with_evidence(evidence, names.join(", "))
}
