//! Charts as SVG, made on the server: lines, bars and a bar of shares. Nothing in them needs a script, and their colours are
//! classes, so that they follow the theme. They are drawn in shares of the width they are given, so their text has
//! the size of other text on any screen.

mod figure;
mod model;
mod scale;
mod spark;
mod times;

#[cfg(test)]
mod tests;

use jiff::tz::TimeZone;
use maud::{Markup, html};

use figure::{Figure, placed};
use scale::{HEIGHT, Scale};

pub use model::{Chart, Series, Unit};
pub use spark::spark;

/// The series as lines.
#[must_use]
pub fn lines(chart: &Chart) -> Markup {
    lines_in(chart, &[], &TimeZone::system())
}

/// The series as bars, one upon the other: the first is at the bottom.
#[must_use]
pub fn bars(chart: &Chart) -> Markup {
    bars_in(chart, &[], &TimeZone::system())
}

/// The series as bars, with an address for each entry of the legend, in their order.
#[must_use]
pub fn bars_with_links(chart: &Chart, links: &[String]) -> Markup {
    bars_in(chart, links, &TimeZone::system())
}

/// Parts of a whole as one bar: class, name, amount.
#[must_use]
pub fn shares(title: &str, parts: &[(&'static str, String, u64)]) -> Markup {
    figure::shares(title, parts)
}

fn lines_in(chart: &Chart, links: &[String], zone: &TimeZone) -> Markup {
    let scale = Scale::of_lines(chart);
    let stretches = chart.stretches();
    let drawn = html! {
        svg width="100%" height=(HEIGHT) viewBox={ "0 0 1000 " (HEIGHT) } preserveAspectRatio="none" {
            @for series in &chart.series {
                @let path = path(series, stretches, &scale);
                @if !path.is_empty() { path class={ "line " (series.class) " dash-" (series.class) } d=(path) {} }
            }
        }
        @for series in &chart.series { (dots(series, stretches, &scale)) }
    };
    Figure { chart, scale: &scale, zone, links, is_sum: false }.with(&drawn)
}

fn bars_in(chart: &Chart, links: &[String], zone: &TimeZone) -> Markup {
    let scale = Scale::of_bars(chart);
    let stretches = chart.stretches();
    let drawn = html! {
        @for number in 0..stretches {
            @for (series, top, height) in stack(chart, number, &scale) {
                rect class={ "area " (series.class) } x={ (placed(number, 0.1, stretches)) "%" } y=(scale::tidy(top))
                    width={ (placed(0, 0.8, stretches)) "%" } height=(scale::tidy(height)) {}
            }
        }
    };
    Figure { chart, scale: &scale, zone, links, is_sum: true }.with(&drawn)
}

/// The bars of one stretch from the bottom up: series, upper end, height. What is not zero can be seen, however
/// small it is beside the rest.
fn stack<'a>(chart: &'a Chart, number: usize, scale: &Scale) -> Vec<(&'a Series, f64, f64)> {
    const LEAST: f64 = 2.0;
    let ground = f64::from(HEIGHT);
    let mut heights: Vec<(&Series, f64)> = chart
        .stretch(number)
        .filter(|(_, value)| *value > 0.0)
        .map(|(series, value)| (series, (ground - scale.y(value)).max(LEAST)))
        .collect();
    let excess = heights.iter().map(|(_, height)| height).sum::<f64>() - ground;
    if excess > 0.0
        && let Some((_, greatest)) = heights.iter_mut().max_by(|one, other| one.1.total_cmp(&other.1))
    {
        // The small ones were made higher than they are; the greatest gives that back, where nobody sees it.
        *greatest = (*greatest - excess).max(LEAST);
    }
    let mut top = ground;
    let stacked = heights.into_iter().map(|(series, height)| {
        top = (top - height).max(0.0);
        (series, top, height)
    });
    stacked.collect()
}

/// The line of a series, interrupted where nothing happened.
fn path(series: &Series, stretches: usize, scale: &Scale) -> String {
    let mut path = String::new();
    for number in 0..stretches {
        let Some(value) = series.value(number) else { continue };
        let before = number.checked_sub(1).and_then(|before| series.value(before));
        // Alone it would be a line without length, which is invisible; `dots` draws it.
        if before.is_none() && series.value(number + 1).is_none() {
            continue;
        }
        let command = if before.is_some() { 'L' } else { 'M' };
        let x = scale::tidy(scale::share(number, 0.5, stretches) * 1000.0);
        path.push_str(&format!("{command}{x} {}", scale::tidy(scale.y(value))));
    }
    path
}

/// The values of a series that have no neighbours, which no line would show.
fn dots(series: &Series, stretches: usize, scale: &Scale) -> Markup {
    let is_alone = |number: &usize| {
        let before = number.checked_sub(1).and_then(|before| series.value(before));
        before.is_none() && series.value(number + 1).is_none()
    };
    html! {
        @for number in (0..stretches).filter(is_alone) {
            @if let Some(value) = series.value(number) {
                circle class={ "area " (series.class) } cx={ (placed(number, 0.5, stretches)) "%" }
                    cy=(scale::tidy(scale.y(value))) r="2.5" {}
            }
        }
    }
}
