//! A chart as small as a word.

use maud::{Markup, html};

use super::scale::tidy;

const WIDTH: f64 = 96.0;
const HEIGHT: f64 = 20.0;

/// A line without axes, for tables and cards. `label` is for screen readers.
#[must_use]
pub fn spark(values: &[Option<f64>], label: &str) -> Markup {
    let values: Vec<Option<f64>> =
        values.iter().map(|value| value.filter(|value| value.is_finite() && *value >= 0.0)).collect();
    let greatest = values.iter().flatten().copied().fold(0.0, f64::max);
    if values.iter().flatten().next().is_none() {
        return html! { span.muted title=(label) { "–" } };
    }
    // The line stays clear of the edges, or half of its width would be cut.
    let y = |value: f64| HEIGHT - 2.0 - if greatest > 0.0 { value / greatest * (HEIGHT - 4.0) } else { 0.0 };
    let points: Vec<(f64, Option<f64>)> = values
        .iter()
        .enumerate()
        .map(|(number, value)| (super::scale::share(number, 0.5, values.len()) * WIDTH, value.map(y)))
        .collect();
    html! {
        svg.spark viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img" aria-label=(label) {
            title { (label) }
            @let path = path(&points);
            @if !path.is_empty() { path.line d=(path) {} }
            @for (x, y) in alone(&points) { circle.area cx=(tidy(x)) cy=(tidy(y)) r="2" {} }
        }
    }
}

fn path(points: &[(f64, Option<f64>)]) -> String {
    let mut path = String::new();
    let mut is_open = false;
    for (number, (x, y)) in points.iter().enumerate() {
        let follows = points.get(number + 1).is_some_and(|(_, next)| next.is_some());
        match y {
            Some(y) if is_open || follows => {
                let command = if is_open { 'L' } else { 'M' };
                path.push_str(&format!("{command}{} {}", tidy(*x), tidy(*y)));
                is_open = follows;
            }
            Some(_) | None => is_open = false,
        }
    }
    path
}

/// The points that no line reaches.
fn alone(points: &[(f64, Option<f64>)]) -> Vec<(f64, f64)> {
    let is_some = |number: Option<usize>| {
        number.and_then(|number| points.get(number)).is_some_and(|(_, y)| y.is_some())
    };
    let alone = points
        .iter()
        .enumerate()
        .filter(|(number, _)| !is_some(number.checked_sub(1)) && !is_some(number.checked_add(1)));
    alone.filter_map(|(_, (x, y))| Some((*x, (*y)?))).collect()
}
