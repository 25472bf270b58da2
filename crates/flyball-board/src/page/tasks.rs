//! The page `/tasks`: open tasks, and loops that are not finished.

use std::time::Duration;

use flyball_core::event::SessionId;
use flyball_store::{SessionFilter, SessionSummary, StoreError};
use maud::{Markup, html};

use super::loop_status::{self, is_escalated, is_unfinished};
use super::titles::Titles;
use super::{Page, PageContext, PageError, parts};
use crate::view::{DomainView, LoopView, PhaseView, TaskView};

/// For how many projects and sessions views are made; each may read files.
const MOST: usize = 40;

/// A loop without an event for this long does not count as open.
const WEEK: Duration = Duration::from_hours(7 * 24);

pub(super) fn page(context: &PageContext<'_>) -> Result<Page, PageError> {
    let projects = context.index.projects()?;
    let wanted = context.request.value("project");
    let chosen = projects.iter().filter(|project| wanted.is_none_or(|wanted| wanted == *project)).take(MOST);
    let tasks: Vec<(&String, Vec<TaskView>)> = chosen
        .map(|project| (project, context.views.tasks(project)))
        .filter(|(_, tasks)| !tasks.is_empty())
        .collect();
    let loops = loops(context)?;
    let titles = Titles::of_sessions(context, loops.iter().map(|(session, _)| session))?;
    let request = context.request;
    let body = html! {
        div.head {
            h1 { "Tasks" }
            (parts::filters(request, &["project"], &parts::project_field(request, &projects)))
        }
        section aria-labelledby="loops" {
            h2.part-title id="loops" { "Loops" }
            @if loops.is_empty() { (no_loops()) }
            div.grid { @for (session, run) in &loops { (loop_card(context, (session, &titles), run)) } }
        }
        section aria-labelledby="open" {
            h2.part-title id="open" { "Open tasks" }
            @if tasks.is_empty() { (no_tasks()) }
            @for (project, tasks) in &tasks { (project_card(context, project, tasks)?) }
        }
    };
    Ok(Page { title: "Tasks".to_owned(), body })
}

/// The loops of the last days that are not finished, those that need a person first.
fn loops(context: &PageContext<'_>) -> Result<Vec<(SessionSummary, LoopView)>, StoreError> {
    let filter = SessionFilter {
        project: context.request.value("project").map(str::to_owned),
        since: Some(parts::time_of(context.now) - WEEK),
        limit: Some(MOST),
        ..SessionFilter::default()
    };
    let sessions = context.index.sessions(&filter)?.into_iter();
    let loops = sessions.filter_map(|session| context.views.loop_view(&session).map(|run| (session, run)));
    let mut open: Vec<(SessionSummary, LoopView)> = loops.filter(|(_, run)| is_unfinished(run)).collect();
    open.sort_by_key(|(_, run)| !is_escalated(run));
    Ok(open)
}

fn no_loops() -> Markup {
    parts::empty(
        "No loop is open.",
        &html! { p { "With the loop pack, an agent may stop only when its work is reviewed and tested. Work that still needs it is listed here. "
        code { "flyball init --packs loop" } " adds it to a project." } },
    )
}

fn no_tasks() -> Markup {
    parts::empty(
        "No task is open.",
        &html! { p { "Plans of known projects are listed here until all of their phases are done. "
        code { "flyball task" } " shows and starts them." } },
    )
}

fn loop_card(
    context: &PageContext<'_>,
    (session, titles): (&SessionSummary, &Titles),
    run: &LoopView,
) -> Markup {
    html! {
        article.card.loop {
            div.part-head {
                h3 { (titles.session(session)) " " span.muted { "in " (parts::project(&session.project)) } }
                span {
                    (parts::pill(loop_status::class(&run.standing), &run.standing)) " "
                    span.muted.small { "iteration " (run.iteration) " of " (run.of) ", " (parts::time(session.last_at, context.now)) }
                }
            }
            p { (parts::message(&run.line, 240)) }
            @if let Some(why) = &run.escalation { p.text-deny { "A person has to decide: " (parts::message(why, 400)) } }
            @for domain in &run.domains { (phases(domain)) }
        }
    }
}

fn phases(domain: &DomainView) -> Markup {
    html! {
        div.loop-line {
            span.name { (parts::cut(&domain.name, 40)) }
            ol.plain.loop-phases { @for phase in &domain.phases {
                li title=(phase_title(phase)) {
                    (parts::cut(&phase.name, 40)) " " (parts::pill(loop_status::class(&phase.status), &phase.status))
                }
            } }
        }
    }
}

fn phase_title(phase: &PhaseView) -> String {
    let by = phase.by.as_ref().map(|by| format!("reported by {by}"));
    let issues = phase.issues.iter().take(5).cloned();
    let notes: Vec<String> = by.into_iter().chain(issues).collect();
    parts::cut(&notes.join("; "), 400)
}

fn project_card(context: &PageContext<'_>, project: &str, tasks: &[TaskView]) -> Result<Markup, StoreError> {
    let rows: Result<Vec<Markup>, StoreError> = tasks.iter().map(|task| row(context, task)).collect();
    let table = html! {
        table.list.cards {
            thead { tr {
                th scope="col" { "Task" } th scope="col" { "Status" } th scope="col" { "Phases" } th scope="col" { "Now" } th scope="col" { "Session" }
            } }
            tbody { @for row in rows? { (row) } }
        }
    };
    Ok(html! {
        div.card.project-tasks {
            h3 { (parts::project(project)) " " span.muted.small.path { (parts::cut(project, 120)) } }
            (parts::scroll(&format!("Tasks of {}", parts::cut(project, 80)), &table))
        }
    })
}

fn row(context: &PageContext<'_>, task: &TaskView) -> Result<Markup, StoreError> {
    let session = task.session.as_deref().map(|id| holder(context, id)).transpose()?;
    Ok(html! {
        tr {
            th.task scope="row" { (parts::cut(&task.title, 160)) div.muted.small.mono { (parts::cut(&task.plan, 120)) } }
            td {
                (parts::pill(if task.status == "in progress" { "strong" } else { "quiet" }, &task.status))
                @if let Some(text) = &task.paused { " " span title=(parts::cut(text, 200)) { (parts::pill("quiet", "paused")) } }
            }
            td.nowrap {
                progress max=(task.phases.max(1)) value=(task.done) aria-label={ "phases of " (parts::cut(&task.title, 80)) } {}
                " " (task.done) " of " (task.phases)
            }
            td { (parts::cut(task.current.as_deref().unwrap_or("–"), 120)) }
            td { @match session { Some(session) => (session), None => span.muted { "nobody" } } }
        }
    })
}

/// The session that works on a task: a link, if there are events of it.
fn holder(context: &PageContext<'_>, id: &str) -> Result<Markup, StoreError> {
    let filter = SessionFilter { id_prefix: Some(id.to_owned()), limit: Some(1), ..SessionFilter::default() };
    let found =
        context.index.sessions(&filter)?.into_iter().find(|session| session.session == SessionId::new(id));
    let titles = Titles::of_sessions(context, found.iter())?;
    Ok(found.map_or_else(
        || html! { span.mono title=(parts::cut(id, 200)) { (parts::cut(id, 9)) } },
        |session| titles.session(&session),
    ))
}
