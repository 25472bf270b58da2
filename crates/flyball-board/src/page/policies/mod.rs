//! The pages of the policies: what each did, how long it took, and what it is for.

mod amounts;
mod markdown;
mod modes;
mod one;

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::time::whole_micros;

use flyball_store::PolicyActivity;
use maud::{Markup, html};

use self::amounts::{count, errors};
use self::modes::Modes;
use super::parts::{Column, Direction, SortValue, Sorting};
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
    /// Its place in the registry; those that are not in it come last.
    place: usize,
    view: Option<PolicyView>,
    activity: PolicyActivity,
    sparkline: Vec<Option<f64>>,
}

impl Row {
    fn pack(&self) -> &str {
        self.activity.policy.split('.').next().unwrap_or_default()
    }
}

pub(super) fn all(context: &PageContext<'_>) -> Result<Page, PageError> {
    let selection = Selection::from_request(context)?;
    let mut rows = gather(context, &selection)?;
    let whole: Duration = rows.iter().map(|row| row.activity.took.sum()).sum();
    let request = context.request;
    let sorting = Sorting::from_request(request, &COLUMNS, (SHARE.key, Direction::Descending));
    let table = Table { whole, request, modes: Modes::gather(context)?, sorting };
    table.sort(&mut rows);
    let quiet = rows.iter().filter(|row| !has_opinion(&row.activity)).count();
    let body = html! {
        div.head {
            h1 { "Policies" }
            (selection.period.switch(request, context.now))
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
            (parts::scroll("Policies", &table.markup(&rows)))
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
    for (place, view) in context.views.policies(context.request.value("project")).into_iter().enumerate() {
        let activity = activities
            .remove(&view.id)
            .unwrap_or_else(|| PolicyActivity { policy: view.id.clone(), ..PolicyActivity::default() });
        rows.push(Row { place, view: Some(view), activity, sparkline: Vec::new() });
    }
    // What is left has no policy of that name: another version of flyball recorded it.
    let unknown = |activity| Row { place: usize::MAX, view: None, activity, sparkline: Vec::new() };
    rows.extend(activities.into_values().map(unknown));
    let timeline = PolicySeries(context.index.policy_timeline(&selection.window, PARTS, None)?);
    for row in &mut rows {
        row.sparkline = timeline.for_policy(&row.activity.policy).into_iter().map(took).collect();
    }
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

const POLICY: Column = Column::words("policy", "Policy");
const MODE: Column = Column::words("mode", "Mode");
const BLOCKED: Column = Column::number("blocked", "Blocked");
const HELD: Column = Column::number("held", "Held");
const FINDINGS: Column = Column::number("findings", "Findings");
const ASKED: Column = Column::number("asked", "Asked");
const ALLOWED: Column = Column::number("allowed", "Allowed");
const ERRORS: Column = Column::number("errors", "Errors");
const P50: Column = Column::number("p50", "p50");
const P99: Column = Column::number("p99", "p99");
const SHARE: Column = Column { class: "", ..Column::number("share", "Share of time") };
const COLUMNS: [Column; 11] =
    [POLICY, MODE, BLOCKED, HELD, FINDINGS, ASKED, ALLOWED, ERRORS, P50, P99, SHARE];

/// The table, and what all of its rows are shown with.
struct Table<'a> {
    whole: Duration,
    request: &'a Request,
    modes: Modes,
    sorting: Sorting<'a>,
}

impl Table<'_> {
    fn sort(&self, rows: &mut [Row]) {
        let percentile = |row: &Row, share| row.activity.took.percentile(share).map_or(0, whole_micros);
        self.sorting.sort(rows, |row, key| match key {
            "policy" => row.activity.policy.as_str().into(),
            "mode" => row.view.as_ref().map_or("", |view| self.modes.word(view)).into(),
            "blocked" => row.activity.denied.blocked.into(),
            "held" => row.activity.denied.held.into(),
            "findings" => row.activity.denied.findings.into(),
            "asked" => row.activity.asks.into(),
            "allowed" => row.activity.allows.into(),
            "errors" => row.activity.errors.into(),
            "p50" => percentile(row, 0.5).into(),
            "p99" => percentile(row, 0.99).into(),
            _ => SortValue::from(whole_micros(row.activity.took.sum())),
        });
    }

    /// The rows by pack: a pack is the first word of a policy's id.
    fn markup(&self, rows: &[Row]) -> Markup {
        let mut packs: Vec<(&str, Vec<&Row>)> = Vec::new();
        for row in rows {
            match packs.iter_mut().find(|(pack, _)| *pack == row.pack()) {
                Some((_, members)) => members.push(row),
                None => packs.push((row.pack(), vec![row])),
            }
        }
        packs.sort_by_key(|(_, members)| members.iter().map(|row| row.place).min());
        html! {
            table.list.cards.policies {
                thead { tr { @for column in COLUMNS { (self.sorting.head(column)) } th.spare scope="col" { "Trend" } } }
                @for (pack, members) in &packs {
                    tbody {
                        tr.pack { th scope="rowgroup" colspan=(COLUMNS.len() + 1) { (parts::cut(pack, 40)) " " span.muted { (members.len()) } } }
                        @for row in members { (self.line(row)) }
                    }
                }
            }
        }
    }

    fn line(&self, row: &Row) -> Markup {
        let (activity, request) = (&row.activity, self.request);
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
                td { @if let Some(view) = &row.view { (self.modes.cell(view)) } }
                @if has_opinion(activity) {
                    td.number data-label="Blocked" { (count(activity.denied.blocked, "blocked", &activity.policy, request)) }
                    td.number data-label="Held" { (count(activity.denied.held, "held", &activity.policy, request)) }
                    td.number data-label="Findings" { (count(activity.denied.findings, "finding", &activity.policy, request)) }
                    td.number data-label="Asked" { (count(activity.asks, "ask", &activity.policy, request)) }
                    td.number data-label="Allowed" { (count(activity.allows, "allow", &activity.policy, request)) }
                    td.number data-label="Errors" { (errors(activity.errors)) }
                } @else {
                    td.muted.never colspan="6" { (if activity.took.count() > 0 { "ran, never fired" } else { "never fired" }) }
                }
                td.number data-label="p50" { (percentile(0.5)) }
                td.number data-label="p99" { (percentile(0.99)) }
                td { (parts::share_bar(whole_micros(activity.took.sum()), whole_micros(self.whole))) }
                td.spare { (chart::spark(&row.sparkline, &format!("time of {} over the range", parts::cut(&activity.policy, 80)))) }
            }
        }
    }
}
