//! The swim-lanes as SVG. Places on the x axis are percentages, so that the picture is as wide as there is room without
//! stretching its marks and letters.

use std::fmt::Write;

use flyball_core::event::EventKind;
use flyball_core::outcome::Outcome;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::verdict::Stance;
use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::super::events::row;
use super::super::parts;
use super::plan::{BINS, Lane, Mark, Moment, Plan, Span};
use crate::route::Request;

/// Heights in pixels. The styles of the names beside the lanes know them as well.
const TOP: usize = 24;
const LANE: usize = 32;
const FOOT: usize = 26;
/// This many events in one place are as high as the lane, unless there are more elsewhere.
const FULL: u32 = 8;
/// The room that a letter takes in the narrowest picture, in per cent.
const LETTER: f64 = 0.85;

/// The lanes with their names; `of_agent` is the list of an agent's events.
pub(super) fn lanes(plan: &Plan<'_>, zone: &TimeZone, of_agent: impl Fn(&str) -> Request) -> Markup {
    let height = TOP + LANE * plan.lanes.len() + FOOT;
    let densest = plan.lanes.iter().flat_map(|lane| &lane.density).copied().max().unwrap_or_default();
    let most = densest.max(FULL);
    html! {
        figure.swim {
            (legend(plan))
            div.scroll role="region" aria-label="Lanes of the agents" tabindex="0" {
                div.swim-board {
                    ol.lane-names {
                        @for lane in &plan.lanes {
                            li {
                                @match &lane.agent {
                                    Some(agent) => a href=(of_agent(agent)) title=(parts::cut(&lane.name, 200)) { bdi { (parts::cut(&lane.name, 40)) } },
                                    None => span.muted { (lane.name) },
                                }
                            }
                        }
                    }
                    svg.swim-lanes width="100%" height=(height) role="group" aria-label=(aria_label(plan)) {
                        (grid(plan, zone, height))
                        @for (number, lane) in plan.lanes.iter().enumerate() { (density(lane, (number, most))) }
                        (moments(&plan.moments, (zone, height)))
                        @for span in &plan.spans { (bar(span, zone)) }
                        @for one in &plan.marks { (mark(one, zone)) }
                    }
                }
            }
        }
    }
}

fn aria_label(plan: &Plan<'_>) -> String {
    format!(
        "{} of {} in order of time, each a link to its explanation",
        parts::counted(plan.marks.len() as u64, "event"),
        parts::counted(plan.lanes.len() as u64, "agent")
    )
}

fn legend(plan: &Plan<'_>) -> Markup {
    let outcomes = Outcome::ALL.iter().rev();
    html! {
        figcaption.lane-legend {
            @for outcome in outcomes { span { (sample(&shape(*outcome, false))) (outcome.name()) } }
            span { (sample(&shape(Outcome::Passed, true))) "added context" }
            @if !plan.spans.is_empty() { span { svg.sample width="22" height="16" { rect.call x="1" y="4" width="20" height="8" rx="2" {} } "call, from before to after" } }
            @if !plan.axis.quiet().is_empty() { span { svg.sample width="16" height="16" { rect.quiet width="16" height="16" {} } "quiet, folded" } }
        }
    }
}

fn sample(shape: &Markup) -> Markup {
    html! { svg.sample width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true" { (shape) } }
}

/// Lanes, folded stretches and the axis.
fn grid(plan: &Plan<'_>, zone: &TimeZone, height: usize) -> Markup {
    let floor = height - FOOT;
    let quiet = plan.axis.quiet();
    let ticks = plan.axis.ticks(zone);
    html! {
        @for number in 0..plan.lanes.len() {
            line.lane x1="0" x2="100%" y1=(middle(number)) y2=(middle(number)) {}
        }
        @for stretch in &quiet {
            rect.quiet x=(percent(stretch.left)) y=(TOP) width=(percent(stretch.right - stretch.left)) height=(floor - TOP) {
                title { (parts::duration(stretch.length)) " without events; folded" }
            }
        }
        line.axis x1="0" x2="100%" y1=(floor) y2=(floor) {}
        @for tick in &ticks {
            line.tick x1=(percent(tick.x)) x2=(percent(tick.x)) y1=(floor) y2=(floor + 5) {}
            // A folded stretch writes how long it was; a time of day beside it would run into that.
            @if quiet.iter().all(|one| (one.left + one.right) / 2.0 - tick.x > 5.0 || tick.x - (one.left + one.right) / 2.0 > 5.0) {
                text.when x=(percent(tick.x)) y=(floor + 18) { (tick.label) }
            }
        }
        @for stretch in quiet.iter().filter(|stretch| stretch.right - stretch.left > 3.0) {
            text.when.folded x=(percent((stretch.left + stretch.right) / 2.0)) y=(floor + 18) { (parts::duration(stretch.length)) }
        }
    }
}

/// Events without a mark of their own: the more, the higher.
fn density(lane: &Lane, (number, most): (usize, u32)) -> Markup {
    html! {
        @if lane.without_mark() > 0 {
            svg.density x="0" y=(TOP + LANE * number + 2) width="100%" height=(LANE - 4)
                viewBox={ "0 0 " (BINS) " 100" } preserveAspectRatio="none" {
                path d=(steps(&lane.density, most)) {
                    title { (parts::counted(u64::from(lane.without_mark()), "further event")) " of " (parts::cut(&lane.name, 40)) }
                }
            }
        }
    }
}

fn steps(density: &[u32], most: u32) -> String {
    let mut path = String::new();
    for (place, many) in density.iter().enumerate().filter(|(_, many)| **many > 0) {
        // Something in any case: one event must be seen as well.
        let high = 10.0 + 90.0 * f64::from(*many) / f64::from(most);
        // Writing to a string cannot fail.
        let _ = write!(path, "M{place} {:.0}h1v{high:.0}h-1z", (100.0 - high) / 2.0);
    }
    path
}

fn moments(moments: &[Moment<'_>], place: (&TimeZone, usize)) -> Markup {
    let (zone, height) = place;
    html! {
        @for (moment, side) in moments.iter().zip(written(moments)) {
            g class={ "moment " (parts::outcome_class(moment.record.outcome())) } {
                line x1=(percent(moment.x)) x2=(percent(moment.x)) y1=(TOP - 6) y2=(height - FOOT) {}
                @if let Some(side) = side { text class=(side) x=(percent(moment.x)) y="13" { (moment.label) } }
                title { (label(moment.record, zone)) }
            }
        }
    }
}

/// Which of the moments have room for their label, and on which side: denials go first, then prompts.
fn written(moments: &[Moment<'_>]) -> Vec<Option<&'static str>> {
    let mut by_priority: Vec<(usize, &Moment<'_>)> = moments.iter().enumerate().collect();
    by_priority.sort_by_key(|(_, moment)| {
        (moment.record.stance != Stance::Deny, moment.record.kind != EventKind::PromptSubmit)
    });
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let mut written = vec![None; moments.len()];
    for (place, moment) in by_priority {
        let wide = f64::from(u32::try_from(moment.label.len()).unwrap_or_default()) * LETTER + LETTER;
        let sides = [("start", (moment.x, moment.x + wide)), ("end", (moment.x - wide, moment.x))];
        let is_free = |room: (f64, f64)| {
            (0.0..=100.0).contains(&room.0)
                && room.1 <= 100.0
                && taken.iter().all(|other| room.1 < other.0 || other.1 < room.0)
        };
        let side = sides.into_iter().find(|(_, room)| is_free(*room));
        taken.extend(side.map(|(_, room)| room));
        if let Some(one) = written.get_mut(place) {
            *one = side.map(|(name, _)| name);
        }
    }
    written
}

fn bar(span: &Span<'_>, zone: &TimeZone) -> Markup {
    html! {
        rect class=(if span.has_failed { "call failed" } else { "call" })
            x=(percent(span.left)) y=(middle(span.lane) - 5) width=(percent(span.right - span.left)) height="10" rx="2" {
            title { (parts::duration(span.took)) @if span.has_failed { ", failed" } ": " (label(span.record, zone)) }
        }
    }
}

fn mark(mark: &Mark<'_>, zone: &TimeZone) -> Markup {
    let words = label(mark.record, zone);
    html! {
        a.mark href=(row::explained(mark.record)) data-key={ "mark-" (mark.record.id.as_str()) } aria-label=(words) {
            svg x=(percent(mark.x)) y=(middle(mark.lane)) overflow="visible" width="1" height="1" {
                title { (words) }
                circle.hit r="9" {}
                (shape(mark.record.outcome(), mark.record.context_chars > 0))
            }
        }
    }
}

/// The shape of an outcome, around the origin. Shapes differ in more than colour.
fn shape(outcome: Outcome, adds_context: bool) -> Markup {
    html! {
        @match outcome {
            Outcome::Blocked => g.deny { rect x="-7" y="-7" width="14" height="14" rx="2" {} path.cross d="M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5" {} },
            // A stop that is held: two bars. A finding: a diamond with a dot.
            Outcome::Held => g.held { circle r="7.5" {} path.cross d="M-2.5 -3V3M2.5 -3V3" {} },
            Outcome::Finding => g.finding { path d="M0 -7.5L7.5 0L0 7.5L-7.5 0Z" {} circle.dot r="2" {} },
            Outcome::Asked => path.ask d="M0 -7L7.5 6L-7.5 6Z" {},
            Outcome::Allowed => circle.allow r="5" {},
            Outcome::Passed if adds_context => circle.told r="4" {},
            Outcome::Passed => circle.silent r="3" {},
        }
    }
}

/// What a mark is, for tooltips and screen readers.
fn label(record: &Record, zone: &TimeZone) -> String {
    let mut words =
        vec![parts::clock(record.at, zone), record.outcome().name().to_owned(), row::kind_name(record)];
    words.extend(record.tool.map(|tool| tool.name().to_owned()));
    words.push(parts::cut(row::subject(record), 120));
    words.extend(record.agent.as_ref().map(|agent| parts::cut(row::role(&agent.role), 40)));
    words.extend(
        record
            .rulings
            .iter()
            .filter(|ruling| has_decided(ruling, record))
            .map(|ruling| parts::cut(&ruling.policy, 60)),
    );
    words.retain(|word| !word.is_empty());
    words.join(" · ")
}

fn has_decided(ruling: &RecordedRuling, record: &Record) -> bool {
    record.stance > Stance::Allow && ruling.stance == record.stance
}

/// The middle of a lane.
const fn middle(lane: usize) -> usize {
    TOP + LANE * lane + LANE / 2
}

fn percent(x: f64) -> String {
    format!("{x:.2}%")
}
