//! The page of one policy.

use flyball_core::outcome::Outcome;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::whole_micros;
use flyball_store::{Filter, PolicyActivity, StoredEvent};
use maud::{Markup, html};

use super::amounts::{count, errors};
use super::markdown;
use crate::chart::{self, Chart, Series, Unit};
use crate::page::events::{reason, row};
use crate::page::period::Period;
use crate::page::span::{PolicySeries, Selection};
use crate::page::titles::Titles;
use crate::page::{Page, PageContext, PageError, parts};
use crate::route::Route;
use crate::view::PolicyView;

/// Into how many parts the charts cut the time.
const PARTS: usize = 30;

pub(in crate::page) fn page(context: &PageContext<'_>, id: &str) -> Result<Page, PageError> {
    let selection = Selection::from_request(context)?;
    let view =
        context.views.policies(context.request.value("project")).into_iter().find(|view| view.id == id);
    let latest = Filter {
        policy: Some(id.to_owned()),
        project: selection.window.project.clone(),
        until: selection.period.until(),
        limit: Some(20),
        ..Filter::default()
    };
    let events = context.index.events(&latest)?;
    let activity = context.index.policy_activity(&selection.window, id)?;
    if view.is_none() && activity.is_none() && events.is_empty() {
        let what = format!("no policy {}", parts::cut(id, 80));
        return Err(PageError::NotFound(what));
    }
    let timeline = PolicySeries(context.index.policy_timeline(&selection.window, PARTS, Some(id))?);
    let body = html! {
        (head(context, selection.period, id, view.as_ref())?)
        section.card { (numbers(&activity.unwrap_or_default(), id, context)) }
        div.grid {
            div.card { (answers(&timeline, id)) }
            div.card { (times(&timeline, id)) }
        }
        (decisions(context, id, &events)?)
        @if let Some(view) = &view { (manual(view)) }
    };
    Ok(Page { title: id.to_owned(), body })
}

fn head(
    context: &PageContext<'_>,
    period: Period,
    id: &str,
    view: Option<&PolicyView>,
) -> Result<Markup, PageError> {
    let request = context.request;
    let projects = context.index.projects()?;
    Ok(html! {
        p.small { a href=(request.elsewhere(Route::Policies)) { "Policies" } }
        div.head {
            h1.mono { (parts::cut(id, 80)) }
            @if let Some(view) = view { (parts::mode(&view.mode)) span.muted.small { (parts::cut(&view.origin, 80)) } }
            (period.switch(request, context.now))
            (parts::filters(request, &["project"], &parts::project_field(request, &projects)))
        }
        @match view {
            Some(view) => { p { (parts::cut(&view.summary, 400)) } },
            None => { p.muted { "Recorded, but unknown to this version of flyball." } },
        }
    })
}

fn numbers(activity: &PolicyActivity, id: &str, context: &PageContext<'_>) -> Markup {
    let percentile = |share| activity.took.percentile(share).map_or("–".to_owned(), parts::duration);
    html! {
        dl.numbers {
            div { dt { "Ran" } dd { (parts::number(activity.took.count())) } }
            div { dt { "Blocked" } dd { (count(activity.denied.blocked, "blocked", id, context.request)) } }
            div { dt { "Held" } dd { (count(activity.denied.held, "held", id, context.request)) } }
            div { dt { "Findings" } dd { (count(activity.denied.findings, "finding", id, context.request)) } }
            div { dt { "Asked a person" } dd { (count(activity.asks, "ask", id, context.request)) } }
            div { dt { "Allowed" } dd { (count(activity.allows, "allow", id, context.request)) } }
            div { dt { "Errors" } dd { (errors(activity.errors)) } }
            div { dt { "p50" } dd { (percentile(0.5)) } }
            div { dt { "p99" } dd { (percentile(0.99)) } }
            div { dt { "Longest" } dd { (parts::duration(activity.took.max())) } }
            div { dt { "Total" } dd { (parts::duration(activity.took.sum())) } }
        }
    }
}

fn answers(timeline: &PolicySeries, id: &str) -> Markup {
    let of = |name, class, value: fn(&PolicyActivity) -> Option<u64>| {
        series(&timeline.for_policy(id), (name, class), value)
    };
    let series = vec![
        of("blocked", "deny", |activity| Some(activity.denied.blocked)),
        of("held", "held", |activity| Some(activity.denied.held)),
        of("findings", "finding", |activity| Some(activity.denied.findings)),
        of("asked", "ask", |activity| Some(activity.asks)),
        of("allowed", "allow", |activity| Some(activity.allows)),
    ];
    chart::bars(&chart_of(timeline, "Verdicts", Unit::Count, series))
}

fn times(timeline: &PolicySeries, id: &str) -> Markup {
    let of = |name, class, value: fn(&PolicyActivity) -> Option<u64>| {
        series(&timeline.for_policy(id), (name, class), value)
    };
    let series = vec![
        of("p50", "p50", |activity| activity.took.percentile(0.5).map(whole_micros)),
        of("p99", "p99", |activity| activity.took.percentile(0.99).map(whole_micros)),
    ];
    chart::lines(&chart_of(timeline, "Policy time", Unit::Micros, series))
}

fn chart_of(timeline: &PolicySeries, title: &str, unit: Unit, series: Vec<Series>) -> Chart {
    Chart { title: title.to_owned(), unit, since: timeline.0.since, length: timeline.0.length, series }
}

fn series(
    timeline: &[Option<&PolicyActivity>],
    (name, class): (&str, &'static str),
    value: impl Fn(&PolicyActivity) -> Option<u64>,
) -> Series {
    #[expect(clippy::cast_precision_loss, reason = "drawn, not counted")]
    let values = timeline.iter().map(|activity| Some(value((*activity)?)? as f64));
    Series { name: name.to_owned(), class, values: values.collect() }
}

fn decisions(context: &PageContext<'_>, id: &str, events: &[StoredEvent]) -> Result<Markup, PageError> {
    let all = context.request.elsewhere(Route::Events).with("policy", Some(id));
    let titles = Titles::of_events(context, events.iter())?;
    Ok(html! {
        section.card aria-labelledby="decisions" {
            div.part-head {
                h2 id="decisions" { "Latest decisions" }
                a.small href=(all) { "all of them" }
            }
            @if events.is_empty() {
                (parts::empty("No decisions yet.", &html! { p { "A policy that stays silent leaves no decision." } }))
            } @else {
                (parts::scroll("Latest decisions", &table(context, id, &DecisionList { events, titles })))
            }
        }
    })
}

/// Decisions, and what their sessions are called.
struct DecisionList<'a> {
    events: &'a [StoredEvent],
    titles: Titles,
}

fn table(context: &PageContext<'_>, id: &str, list: &DecisionList<'_>) -> Markup {
    let DecisionList { events, titles } = list;
    let ruling = |record: &Record| record.rulings.iter().find(|ruling| ruling.policy == id).cloned();
    html! {
        table.list.cards.decisions {
            thead { tr {
                th scope="col" { "Time" } th scope="col" { "Verdict" } th scope="col" { "About" } th scope="col" { "Reason" }
                th scope="col" { "Session" }
            } }
            tbody { @for event in *events {
                @let record = &event.record;
                @let ruling = ruling(record);
                tr data-row={ "event-" (parts::cut(record.id.as_str(), 40)) } {
                    td { (parts::time(record.at, context.now)) }
                    td { @if let Some(ruling) = &ruling { (parts::outcome(Outcome::new(record.kind, ruling.stance))) } }
                    td.wide { a.subject-link href=(row::explained(record)) { (parts::subject(row::subject(record))) } }
                    td.wide.muted { @if let Some(ruling) = &ruling { (reason_cell(ruling, &record.project)) } }
                    td.session-cell { (titles.event(event)) }
                }
            } }
        }
    }
}

fn reason_cell(ruling: &RecordedRuling, project: &str) -> Markup {
    let error = ruling.error.as_ref().map(|error| format!("error: {error}"));
    let reason = error.or_else(|| ruling.reasons.first().map(|reason| reason.what.clone()));
    parts::message(&reason::strip_project_path(&reason.unwrap_or_default(), project), 120)
}

fn manual(view: &PolicyView) -> Markup {
    html! {
        section.card.manual aria-labelledby="manual" {
            h2 id="manual" { "What it does" }
            (markdown::rendered(&view.page))
        }
    }
}
