//! The page `/denials`: what was stopped, by rule and project, and what would change it.

mod group;

use flyball_core::grant::NEVER_GRANTED;
use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_store::{Filter, Window};
use maud::{Markup, html};

use self::group::{Group, Subject};
use super::changes;
use super::events::{reason, row};
use super::parts::{self, Column, Direction, SortValue, Sorting};
use super::period::{Period, preset};
use super::reading::Reading;
use super::{Page, PageContext, PageError};
use crate::explanation::Change;
use crate::route::{Range, Request, Route};

/// Denials that are read: each is parsed.
const MOST_READ: usize = 2_000;
/// Groups that are shown with what would change them: each is judged again.
const MOST_GROUPS: usize = 40;
/// What was denied, of each group.
const MOST_SUBJECTS: usize = 3;

const RULE: Column = Column::words("rule", "Rule");
const PROJECT: Column = Column::words("project", "Project");
const TIMES: Column = Column::number("times", "Times");
const SESSIONS: Column = Column::number("sessions", "Sessions");
const FIRST: Column = Column::time("first", "First seen");
const LAST: Column = Column::time("last", "Last seen");

pub(super) fn page(context: &PageContext<'_>) -> Result<Page, PageError> {
    let request = context.request;
    let period = Period::from_request(request, context.now);
    let outcome =
        request.value("outcome").and_then(Outcome::from_name).filter(is_denial).unwrap_or(Outcome::Blocked);
    let filter = Filter {
        project: request.value("project").map(str::to_owned),
        outcome: Some(outcome),
        since: period.since(context.now),
        until: period.until(),
        limit: Some(MOST_READ),
        ..Filter::default()
    };
    let events = context.index.events(&filter)?;
    let mut groups = group::groups(&events, context.views);
    let sorting = sorting(request);
    sort(&mut groups, &sorting);
    let hidden = groups.len().saturating_sub(MOST_GROUPS);
    groups.truncate(MOST_GROUPS);
    let body = html! {
        div.head {
            h1 { "Denials" }
            (period.switch(request, context.now))
            (parts::filters(request, &["project"], &parts::project_field(request, &context.index.projects()?)))
        }
        (kinds(request, outcome, counted(context, &filter)?))
        @if groups.is_empty() { (nothing(request, period)) } @else {
            p.muted.amount {
                (about(outcome)) ". By rule and project"
                @if events.len() >= MOST_READ { ", the newest " (parts::number(MOST_READ as u64)) }
                ". " a href=(request.elsewhere(Route::Events).with("verdict", Some(outcome.name()))) { "One by one" }
            }
            (parts::scroll("Denials", &table(context, &groups, &sorting)))
            @if hidden > 0 { p.muted { "and " (parts::counted(hidden as u64, "further group")) "; choose a project or a shorter time to see them." } }
        }
    };
    Ok(Page { title: "Denials".to_owned(), body })
}

fn is_denial(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Blocked | Outcome::Held | Outcome::Finding)
}

/// What the list has, in a sentence.
const fn about(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Held => "Agents that were not allowed to end their work yet",
        Outcome::Finding => "What was wrong with work that was done already",
        Outcome::Blocked | Outcome::Asked | Outcome::Allowed | Outcome::Passed => "What did not happen",
    }
}

/// How many there are of each.
fn counted(context: &PageContext<'_>, filter: &Filter) -> Result<DenialCounts, PageError> {
    let until = filter.until.unwrap_or(Time::MAX);
    let since = filter.since.unwrap_or(Time::MIN);
    let window = Window { since, until, project: filter.project.clone(), session: None };
    Ok(context.index.overview(&window)?.denied)
}

/// The switch between what was blocked, held and found.
fn kinds(request: &Request, current: Outcome, counts: DenialCounts) -> Markup {
    let kinds = [
        (Outcome::Blocked, "Blocked", counts.blocked),
        (Outcome::Held, "Held", counts.held),
        (Outcome::Finding, "Findings", counts.findings),
    ];
    html! {
        nav.kinds aria-label="Kind" {
            @for (outcome, name, many) in kinds {
                a href=(request.with("outcome", Some(outcome.name()))) aria-current=[(outcome == current).then_some("true")] {
                    (name) " " span.many { (parts::number(many)) }
                }
            }
        }
    }
}

fn sorting(request: &Request) -> Sorting<'_> {
    let columns = [RULE, PROJECT, TIMES, SESSIONS, FIRST, LAST];
    Sorting::from_request(request, &columns, (TIMES.key, Direction::Descending))
}

fn sort(groups: &mut [Group<'_>], sorting: &Sorting<'_>) {
    // Of those that are equal the latest comes first, whatever the column.
    groups.sort_by_key(|group| std::cmp::Reverse(group.last_at));
    sorting.sort(groups, |group, key| match key {
        "rule" => group.name().as_str().into(),
        "project" => parts::last_folder(&group.project).into(),
        "sessions" => group.sessions.into(),
        "first" => group.first_at.into(),
        "last" => group.last_at.into(),
        _ => SortValue::from(group.times),
    });
}

fn nothing(request: &Request, period: Period) -> Markup {
    let how = html! {
        p {
            @if request.value("project").is_some() { a href=(request.with("project", None)) { "any project" } " · " }
            @if !period.is_all() { a href=(preset(request, Range::All)) { "any time" } " · " }
            a href=(request.elsewhere(Route::Events)) { "all events" }
        }
    };
    parts::empty("Nothing of this kind in this period.", &how)
}

fn table(context: &PageContext<'_>, groups: &[Group<'_>], sorting: &Sorting<'_>) -> Markup {
    html! {
        table.list.cards.groups {
            thead { tr {
                (sorting.head(RULE)) (sorting.head(PROJECT)) (sorting.head(TIMES)) th scope="col" { "About" }
                (sorting.head(SESSIONS)) (sorting.head(FIRST)) (sorting.head(LAST))
            } }
            tbody { @for group in groups { (line(context, group)) } }
        }
    }
}

fn line(context: &PageContext<'_>, group: &Group<'_>) -> Markup {
    let outcome = group.latest().map_or(Outcome::Blocked, Record::outcome);
    html! {
        tr data-row={ "group-" (parts::cut(&group.name(), 100)) "-" (parts::cut(&group.project, 200)) } {
            th scope="row" { (rule(group)) }
            td data-label="Project" { (parts::project(&group.project)) }
            td.number data-label="Times" { a href=(one_by_one(context.request, group, outcome)) { strong { (parts::number(group.times)) } } }
            td.wide {
                ul.plain { @for subject in group.subjects.iter().take(MOST_SUBJECTS) { li { (denied(subject)) } } }
                @if group.subjects.len() > MOST_SUBJECTS {
                    p.muted.small { "and " a href=(one_by_one(context.request, group, outcome)) { (parts::counted((group.subjects.len() - MOST_SUBJECTS) as u64, "other")) } }
                }
                @if let Some(latest) = group.latest() { (what_would_change(context, group, latest)) }
            }
            td.number data-label="Sessions" { (parts::number(group.sessions)) }
            td data-label="First seen" { (parts::time(group.first_at, context.now)) }
            td data-label="Last seen" { (parts::time(group.last_at, context.now)) }
        }
    }
}

fn rule(group: &Group<'_>) -> Markup {
    html! {
        (parts::policy_link(&group.policy))
        @if let Some(rule) = &group.rule { div.small { "rule " bdi.mono { (parts::cut(rule, 60)) } } }
    }
}

fn denied(subject: &Subject<'_>) -> Markup {
    let record = subject.latest;
    html! {
        a.subject-link href=(row::explained(record)) {
            @if row::subject(record).trim().is_empty() { (row::kind_name(record)) } @else { bdi.mono { (parts::cut(row::subject(record), 120)) } }
        }
        @if subject.times > 1 { " " span.repeated title={ "the same " (subject.times) " times" } { "×" (subject.times) } }
        div.muted.small { (parts::message(&reason::summarize(record), 200)) }
    }
}

/// The decisions of a group, one by one.
fn one_by_one(request: &Request, group: &Group<'_>, outcome: Outcome) -> Request {
    request
        .elsewhere(Route::Events)
        .with("policy", Some(&group.policy))
        .with("project", Some(&group.project))
        .with("verdict", Some(outcome.name()))
}

/// What would have led to another decision, for the newest of the group.
fn what_would_change(context: &PageContext<'_>, group: &Group<'_>, latest: &Record) -> Markup {
    let mut all = context.views.explanation(latest.clone()).changes;
    all.extend(for_a_while(group));
    html! {
        @if !all.is_empty() {
            details id={ "change-" (parts::cut(&group.name(), 100)) "-" (parts::cut(&group.project, 200)) } {
                summary { "What would change it" }
                (changes::list(&all, (&latest.project, Reading::Board)))
            }
        }
    }
}

/// What a person can do without changing the config.
fn for_a_while(group: &Group<'_>) -> Option<Change> {
    let rule = group.rule.as_ref().unwrap_or(&group.policy);
    let can_be_allowed = ![NEVER_GRANTED, group::UNKNOWN].contains(&group.policy.as_str());
    can_be_allowed.then(|| Change {
        if_only: format!("a person allowed `{rule}` for a while"),
        then: "it neither denies nor asks meanwhile".to_owned(),
        how: Some(format!("`flyball allow {rule} --for 30m` in a terminal, in the project")),
    })
}
