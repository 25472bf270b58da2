//! The pages of the policies: what each did, how long it took, and what it is for.

mod amounts;
mod markdown;
mod one;

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::time::whole_micros;

use flyball_store::PolicyActivity;
use maud::{Markup, html};

use self::amounts::{count, errors};
use super::span::{PolicySeries, Selection};
use super::{Page, PageContext, PageError, parts};
use crate::chart;
use crate::route::{Request, Route};
use crate::view::PolicyView;

pub(super) use one::page as one;

/// Into how many parts the small lines cut the time.
const PARTS: usize = 16;

/// A policy with what it did.
struct Row {
    view: Option<PolicyView>,
    activity: PolicyActivity,
    sparkline: Vec<Option<f64>>,
}

pub(super) fn all(context: &PageContext<'_>) -> Result<Page, PageError> {
    let selection = Selection::from_request(context)?;
    let rows = gather(context, &selection)?;
    let whole: Duration = rows.iter().map(|row| row.activity.took.sum()).sum();
    let request = context.request;
    let quiet = rows.iter().filter(|row| !has_opinion(&row.activity)).count();
    let body = html! {
        div.head {
            h1 { "Policies" }
            (parts::ranges(request))
            p.muted {
                (parts::counted(u64::try_from(rows.len()).unwrap_or(u64::MAX), "policy").replace("policys", "policies"))
                @if quiet > 0 { ", " (quiet) " of them never fired in this time" }
            }
            (parts::filters(request, &["project"], &parts::project_field(request, &context.index.projects()?)))
        }
        @if rows.is_empty() {
            (parts::empty("No policies.", &html! { p { code { "flyball policies" } " lists the policies of this version." } }))
        } @else {
            @if whole.is_zero() { (parts::empty("No policy ran in this time.", &html! { p {
                "Policies run when a client calls flyball. " code { "flyball init" } " connects one; "
                code { "flyball doctor" } " shows whether events arrive."
            } })) }
            (parts::scroll("Policies", &table(&rows, whole, request)))
        }
    };
    Ok(Page { title: "Policies".to_owned(), body })
}

fn gather(context: &PageContext<'_>, selection: &Selection) -> Result<Vec<Row>, PageError> {
    let mut activities: BTreeMap<String, PolicyActivity> = context
        .index
        .policy_activities(&selection.window)?
        .into_iter()
        .map(|activity| (activity.policy.clone(), activity))
        .collect();
    let mut rows: Vec<Row> = Vec::new();
    for view in context.views.policies(context.request.value("project")) {
        let activity = activities
            .remove(&view.id)
            .unwrap_or_else(|| PolicyActivity { policy: view.id.clone(), ..PolicyActivity::default() });
        rows.push(Row { view: Some(view), activity, sparkline: Vec::new() });
    }
    // What is left has no policy of that name: another version of flyball recorded it.
    rows.extend(activities.into_values().map(|activity| Row { view: None, activity, sparkline: Vec::new() }));
    let timeline = PolicySeries(context.index.policy_timeline(&selection.window, PARTS, None)?);
    for row in &mut rows {
        row.sparkline = timeline.for_policy(&row.activity.policy).into_iter().map(took).collect();
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.activity.took.sum()));
    Ok(rows)
}

/// The time that a policy took in all, if it ran.
#[expect(clippy::cast_precision_loss, reason = "drawn, not counted")]
fn took(activity: Option<&PolicyActivity>) -> Option<f64> {
    let activity = activity?;
    (activity.took.count() > 0).then(|| whole_micros(activity.took.sum()) as f64)
}

const fn has_opinion(activity: &PolicyActivity) -> bool {
    activity.denials + activity.asks + activity.allows + activity.errors > 0
}

fn table(rows: &[Row], whole: Duration, request: &Request) -> Markup {
    html! {
        table.list.cards.policies {
            thead { tr {
                th scope="col" { "Policy" } th scope="col" { "Mode" }
                th.number scope="col" { "Denied" } th.number scope="col" { "Asked" } th.number scope="col" { "Allowed" }
                th.number scope="col" { "Errors" }
                th.number scope="col" { "p50" } th.number scope="col" { "p99" } th scope="col" { "Share of time" } th.spare scope="col" { "Trend" }
            } }
            tbody { @for row in rows { (line(row, whole, request)) } }
        }
    }
}

fn line(row: &Row, whole: Duration, request: &Request) -> Markup {
    let activity = &row.activity;
    let percentile = |share| activity.took.percentile(share).map_or("–".to_owned(), parts::duration);
    html! {
        tr data-row={ "policy-" (parts::cut(&activity.policy, 80)) } {
            th.policy scope="row" {
                a.mono href=(request.elsewhere(Route::Policy { id: activity.policy.clone() })) { (parts::cut(&activity.policy, 80)) }
                div.muted.small { @match &row.view {
                    Some(view) => { (parts::cut(&view.summary, 120)) },
                    None => { "recorded, but unknown to this version of flyball" },
                } }
            }
            td { @if let Some(view) = &row.view {
                (parts::mode(&view.mode)) div.muted.small { (parts::cut(&view.origin, 60)) }
            } }
            @if has_opinion(activity) {
                td.number data-label="Denied" { (count(activity.denials, "deny", &activity.policy, request)) }
                td.number data-label="Asked" { (count(activity.asks, "ask", &activity.policy, request)) }
                td.number data-label="Allowed" { (count(activity.allows, "allow", &activity.policy, request)) }
                td.number data-label="Errors" { (errors(activity.errors)) }
            } @else {
                td.muted.never colspan="4" { (if activity.took.count() > 0 { "ran, never fired" } else { "never fired" }) }
            }
            td.number data-label="p50" { (percentile(0.5)) }
            td.number data-label="p99" { (percentile(0.99)) }
            td { (parts::share_bar(whole_micros(activity.took.sum()), whole_micros(whole))) }
            td.spare { (chart::spark(&row.sparkline, &format!("time of {} over the range", parts::cut(&activity.policy, 80)))) }
        }
    }
}
