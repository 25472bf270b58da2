//! Converts the views of the commands to those of the board.

use flyball_board::view::{DomainView, HappenedView, LoopView, PhaseView, TaskView, WaitingView};

use crate::views::r#loop::{Domain, Entry, Loop, Phase};
use crate::views::task::Task;
use crate::views::waiting::{Waiting, WaitingOn};

pub(super) fn waiting(waiting: Waiting) -> WaitingView {
    WaitingView { on_person: waiting.on == WaitingOn::Person, what: waiting.what }
}

pub(super) fn loop_view(session_loop: Loop) -> LoopView {
    LoopView {
        line: session_loop.line(),
        standing: session_loop.standing.name().to_owned(),
        iteration: session_loop.iteration,
        of: session_loop.of,
        domains: session_loop.domains.into_iter().map(domain).collect(),
        escalation: session_loop.escalation.map(|escalation| escalation.reason),
        history: session_loop
            .history
            .into_iter()
            .map(|Entry { at, what, .. }| HappenedView { at, what })
            .collect(),
    }
}

fn domain(domain: Domain) -> DomainView {
    let phases = domain.phases.into_iter().map(phase).collect();
    DomainView { name: domain.name, files: domain.files, phases }
}

fn phase(phase: Phase) -> PhaseView {
    PhaseView {
        name: phase.name,
        status: phase.status.name().to_owned(),
        issues: phase.issues,
        by: phase.by,
        at: phase.at,
    }
}

pub(super) fn task(task: &Task) -> TaskView {
    let current = task.phase.as_ref().map(|label| match task.phase_title.as_str() {
        "" => format!("Phase {label}"),
        title => format!("Phase {label}: {title}"),
    });
    TaskView {
        title: if task.title.is_empty() { task.task.clone() } else { task.title.clone() },
        plan: task.plan.clone(),
        status: if task.problem.is_some() { "unreadable".to_owned() } else { task.status.clone() },
        paused: task.paused().map(|pause| pause.text.clone()),
        done: task.complete,
        phases: task.phases,
        current,
        session: task
            .lock
            .as_ref()
            .and_then(|lock| lock.holder.as_ref())
            .map(|holder| holder.session.clone()),
    }
}
