//! The lists of the overview: what needs a person, denials, sessions, policies.

use std::time::Duration;

use flyball_core::record::Record;
use flyball_core::time::whole_micros;
use flyball_store::PolicyActivity;
use maud::{Markup, html};

use super::{Overview, Recent};
use crate::page::calls::{self, Repeated};
use crate::page::events::{reason, row};
use crate::page::parts;
use crate::route::Route;

/// How many rows a list of the overview has.
const ROWS: usize = 8;
/// How many denials it has.
const DENIALS: usize = 6;

impl Overview<'_> {
    /// Sessions that wait for a person, and loops that only a person can go on with.
    pub(super) fn person(&self) -> Markup {
        let needed: Vec<(&Recent, &str)> =
            self.recent.iter().filter_map(|recent| Some((recent, needed(recent)?))).collect();
        html! {
            @if !needed.is_empty() {
                section.card.needs aria-labelledby="person" {
                    h2 id="person" { "Needs a person now" }
                    ul.plain.rows {
                        @for (recent, what) in needed {
                            li data-row={ "person-" (parts::cut(recent.session.session.as_str(), 80)) } {
                                (self.titles.session(&recent.session)) " "
                                span.muted { "in " (parts::project(&recent.session.project)) } " "
                                span.what { (parts::message(what, parts::SUBJECT)) } " "
                                span.muted.small { (parts::time(recent.session.last_at, self.context.now)) }
                            }
                        }
                    }
                }
            }
        }
    }

    pub(super) fn denials(&self) -> Markup {
        html! {
            section.card aria-labelledby="denials" {
                div.part-head {
                    h2 id="denials" { "Latest blocked" }
                    a.small href=(self.context.request.elsewhere(Route::Denials)) { "all denials" }
                }
                @if self.denials.is_empty() {
                    (parts::empty("Nothing was blocked in this time.", &html! {}))
                } @else {
                    ul.plain.rows.denials { @for row in calls::alike(&self.denials).iter().take(DENIALS) { (self.denial(row)) } }
                }
            }
        }
    }

    fn denial(&self, row: &Repeated<'_>) -> Markup {
        let record = &row.call.event.record;
        html! {
            li data-row={ "denial-" (parts::cut(record.id.as_str(), 40)) } {
                div.line {
                    span.about { a href=(row::explained(record)) { (subject(record)) } @if row.times() > 1 { " " (row::times(row)) } }
                    span.muted.small { (parts::time(record.at, self.context.now)) }
                }
                div.small {
                    @if let Some(ruling) = record.deciders().next() { (parts::policy_link(&ruling.policy)) " " }
                    span.muted { (parts::message(&reason::summarize(record), parts::SUBJECT)) }
                }
            }
        }
    }

    pub(super) fn sessions(&self) -> Markup {
        let active: Vec<&Recent> = self.recent.iter().filter(|recent| recent.is_active).take(ROWS).collect();
        html! {
            section.card aria-labelledby="active" {
                div.part-head {
                    h2 id="active" { "Active sessions" }
                    a.small href=(self.context.request.elsewhere(Route::Sessions)) { "all sessions" }
                }
                @if active.is_empty() {
                    (parts::empty("No session had an event in the last 15 minutes.", &html! {}))
                } @else {
                    (parts::scroll("Active sessions", &self.session_table(&active)))
                }
            }
        }
    }

    fn session_table(&self, active: &[&Recent]) -> Markup {
        html! {
            table.list {
                thead { tr {
                    th scope="col" { "Session" } th.spare scope="col" { "Project" } th scope="col" { "Waits for" }
                    th.number.spare scope="col" { "Events" } th.number.spare scope="col" { "Blocked" } th.number scope="col" { "Last event" }
                } }
                tbody { @for recent in active {
                    tr data-row={ "session-" (parts::cut(recent.session.session.as_str(), 80)) } {
                        td { (self.titles.session(&recent.session)) }
                        td.spare { (parts::project(&recent.session.project)) }
                        td.waits { @if let Some(waiting) = &recent.waiting {
                            @if waiting.on_person { (parts::pill("person", "person")) " " }
                            (parts::message(&waiting.what, 80))
                        } @else { span.muted { "–" } } }
                        td.number.spare { (parts::number(recent.session.events)) }
                        td.number.spare { (parts::denied(recent.session.denied)) }
                        td.number { (parts::time(recent.session.last_at, self.context.now)) }
                    }
                } }
            }
        }
    }

    /// The policies that took most of the time.
    pub(super) fn policies(&self) -> Markup {
        let whole: Duration = self.activities.iter().map(|activity| activity.took.sum()).sum();
        html! {
            section.card aria-labelledby="slow" {
                div.part-head {
                    h2 id="slow" { "Slowest policies" }
                    a.small href=(self.context.request.elsewhere(Route::Policies)) { "all policies" }
                }
                @if whole.is_zero() {
                    (parts::empty("No policy ran in this time.", &html! {}))
                } @else {
                    (parts::scroll("Slowest policies", &policy_table(&self.activities, whole)))
                }
            }
        }
    }
}

fn policy_table(activities: &[PolicyActivity], whole: Duration) -> Markup {
    let percentile = |activity: &PolicyActivity, share| {
        activity.took.percentile(share).map_or("–".to_owned(), parts::duration)
    };
    html! {
        table.list {
            thead { tr {
                th scope="col" { "Policy" } th scope="col" { "Share of time" } th.number.spare scope="col" { "p50" } th.number scope="col" { "p99" }
            } }
            tbody { @for activity in activities.iter().take(ROWS) {
                tr data-row={ "policy-" (parts::cut(&activity.policy, 80)) } {
                    td { (parts::policy_link(&activity.policy)) }
                    td { (parts::share_bar(whole_micros(activity.took.sum()), whole_micros(whole))) }
                    td.number.spare { (percentile(activity, 0.5)) }
                    td.number { (percentile(activity, 0.99)) }
                }
            } }
        }
    }
}

/// What a person has to do about a session, if anything.
fn needed(recent: &Recent) -> Option<&str> {
    let escalation = recent.run.as_ref().and_then(|run| run.escalation.as_deref());
    let waiting =
        recent.waiting.as_ref().filter(|waiting| waiting.on_person).map(|waiting| waiting.what.as_str());
    // A loop that only a person can go on with says more than that the session waits.
    escalation.or(waiting)
}

fn subject(record: &Record) -> Markup {
    html! {
        @if record.subject.trim().is_empty() { (row::kind_name(record)) } @else { (parts::subject(row::subject(record))) }
    }
}
