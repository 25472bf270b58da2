//! What commands show, in the words of the board.

use flyball_board::view::{DomainView, HappenedView, LoopView, PhaseView, TaskView, WaitingView};

use crate::commands::r#loop::view::{Domain, Entry, Loop, Phase};
use crate::commands::status::waiting::{On, Waiting};
use crate::commands::task::view::Task;

pub(super) fn waiting(waiting: Waiting) -> WaitingView {
    WaitingView { on_person: waiting.on == On::Person, what: waiting.what }
}

pub(super) fn its_loop(its: Loop) -> LoopView {
    LoopView {
        line: its.line(),
        standing: its.standing.name().to_owned(),
        iteration: its.iteration,
        of: its.of,
        domains: its.domains.into_iter().map(domain).collect(),
        escalation: its.escalation.map(|escalation| escalation.reason),
        history: its.history.into_iter().map(|Entry { at, what, .. }| HappenedView { at, what }).collect(),
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

pub(super) fn task(task: Task) -> TaskView {
    let current = task.phase.map(|label| match task.phase_title.as_str() {
        "" => format!("Phase {label}"),
        title => format!("Phase {label}: {title}"),
    });
    TaskView {
        title: if task.title.is_empty() { task.task } else { task.title },
        plan: task.plan,
        status: if task.problem.is_some() { "unreadable".to_owned() } else { task.status },
        done: task.complete,
        phases: task.phases,
        current,
        session: task.lock.and_then(|lock| lock.holder).map(|holder| holder.session),
    }
}
