//! The pages of the policies: what each did, how long it took, and what it is for.

mod amounts;
mod markdown;
mod one;

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::time::whole_micros;

use flyball_store::PolicyActivity;
use maud::{Markup, html};

use self::amounts::{count, errors, here};
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
    pulse: PolicyActivity,
    sparkline: Vec<Option<f64>>,
}

pub(super) fn all(scene: &PageContext<'_>) -> Result<Page, PageError> {
    let look = Selection::from_request(scene)?;
    let rows = gather(scene, &look)?;
    let whole: Duration = rows.iter().map(|row| row.pulse.took.sum()).sum();
    let request = scene.request;
    let quiet = rows.iter().filter(|row| !has_opinion(&row.pulse)).count();
    let body = html! {
        div.head {
            h1 { "Policies" }
            (parts::ranges(request))
            p.muted {
                (parts::counted(u64::try_from(rows.len()).unwrap_or(u64::MAX), "policy").replace("policys", "policies"))
                @if quiet > 0 { ", " (quiet) " of them never fired in this time" }
            }
            (parts::filters(request, &["project"], &parts::project_field(request, &scene.index.projects()?)))
        }
        @if rows.is_empty() {
            (parts::empty("No policies.", &html! { p { code { "flyball policies" } " lists the policies of this version." } }))
        } @else {
            @if whole.is_zero() { (parts::empty("No policy was asked in this time.", &html! { p {
                "Policies are asked when a client calls flyball. " code { "flyball init" } " connects one; "
                code { "flyball doctor" } " shows whether events arrive."
            } })) }
            (parts::scroll("Policies", &table(&rows, whole, request)))
        }
    };
    Ok(Page { title: "Policies".to_owned(), body })
}

fn gather(scene: &PageContext<'_>, look: &Selection) -> Result<Vec<Row>, PageError> {
    let mut pulses: BTreeMap<String, PolicyActivity> = scene
        .index
        .policy_activities(&look.window)?
        .into_iter()
        .map(|pulse| (pulse.policy.clone(), pulse))
        .collect();
    let mut rows: Vec<Row> = Vec::new();
    for view in scene.views.policies(scene.request.value("project")) {
        let pulse = pulses
            .remove(&view.id)
            .unwrap_or_else(|| PolicyActivity { policy: view.id.clone(), ..PolicyActivity::default() });
        rows.push(Row { view: Some(view), pulse, sparkline: Vec::new() });
    }
    rows.extend(pulses.into_values().map(|pulse| Row { view: None, pulse, sparkline: Vec::new() }));
    let course = PolicySeries(scene.index.policy_timeline(&look.window, PARTS, None)?);
    for row in &mut rows {
        row.sparkline = course.for_policy(&row.pulse.policy).into_iter().map(took).collect();
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.pulse.took.sum()));
    Ok(rows)
}

/// The time that a policy took in all, if it was asked.
#[expect(clippy::cast_precision_loss, reason = "drawn, not counted")]
fn took(pulse: Option<&PolicyActivity>) -> Option<f64> {
    let pulse = pulse?;
    (pulse.took.count() > 0).then(|| whole_micros(pulse.took.sum()) as f64)
}

const fn has_opinion(pulse: &PolicyActivity) -> bool {
    pulse.denials + pulse.asks + pulse.allows + pulse.errors > 0
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
    let pulse = &row.pulse;
    let percentile = |share| pulse.took.percentile(share).map_or("–".to_owned(), parts::duration);
    html! {
        tr data-row={ "policy-" (parts::cut(&pulse.policy, 80)) } {
            th.policy scope="row" {
                a.mono href=(here(request, Route::Policy { id: pulse.policy.clone() })) { (parts::cut(&pulse.policy, 80)) }
                div.muted.small { @match &row.view {
                    Some(view) => { (parts::cut(&view.summary, 120)) },
                    None => { "recorded, but unknown to this version of flyball" },
                } }
            }
            td { @if let Some(view) = &row.view {
                (parts::mode(&view.mode)) div.muted.small { (parts::cut(&view.origin, 60)) }
            } }
            @if has_opinion(pulse) {
                td.number data-label="Denied" { (count(pulse.denials, "deny", &pulse.policy, request)) }
                td.number data-label="Asked" { (count(pulse.asks, "ask", &pulse.policy, request)) }
                td.number data-label="Allowed" { (count(pulse.allows, "allow", &pulse.policy, request)) }
                td.number data-label="Errors" { (errors(pulse.errors)) }
            } @else {
                td.muted.never colspan="4" { (if pulse.took.count() > 0 { "asked, never fired" } else { "never fired" }) }
            }
            td.number data-label="p50" { (percentile(0.5)) }
            td.number data-label="p99" { (percentile(0.99)) }
            td { (parts::share_bar(whole_micros(pulse.took.sum()), whole_micros(whole))) }
            td.spare { (chart::spark(&row.sparkline, &format!("time of {} over the range", parts::cut(&pulse.policy, 80)))) }
        }
    }
}
