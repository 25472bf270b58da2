//! What is around the lines and bars: title, legend, axes, the text for screen readers, and the numbers as a table.

use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::model::{Chart, Series};
use super::scale::{self, HEIGHT, Scale, tidy};
use super::times;
use crate::page::parts;

/// The room above the field, for the upper half of the name of the highest value.
const ABOVE: u32 = 8;

/// A chart and how it is shown.
pub(super) struct Figure<'a> {
    pub(super) chart: &'a Chart,
    pub(super) scale: &'a Scale,
    pub(super) zone: &'a TimeZone,
    /// Where the entries of the legend lead to, in their order.
    pub(super) links: &'a [String],
    /// Whether the values can be added up.
    pub(super) is_sum: bool,
}

impl Figure<'_> {
    /// The whole figure around what was drawn.
    pub(super) fn with(&self, drawn: &Markup) -> Markup {
        let id = slug(&self.chart.title);
        html! {
            figure.chart {
                figcaption {
                    span id={ (id) "-title" } { (self.chart.title) }
                    (self.legend())
                }
                @if self.shown().next().is_none() {
                    (parts::empty("Nothing happened in this time.", &html! {}))
                } @else {
                    // A picture says nothing to a screen reader; its description and the table below do.
                    p.visually-hidden id={ (id) "-numbers" } { (self.description()) }
                    div.plot role="img" aria-labelledby={ (id) "-title" } aria-describedby={ (id) "-numbers" } {
                        (self.axis())
                        (self.field(drawn))
                        (self.times())
                    }
                    (self.table())
                }
            }
        }
    }

    /// The stretches in which something happened.
    fn shown(&self) -> impl Iterator<Item = usize> {
        let has_some =
            |number: &usize| self.chart.stretch(*number).any(|(_, value)| value > 0.0 || !self.is_sum);
        (0..self.chart.stretches()).filter(has_some)
    }

    fn legend(&self) -> Markup {
        html! {
            ul.legend {
                @for (number, series) in self.chart.series.iter().enumerate() {
                    li {
                        @if self.is_sum { (swatch(series.class)) } @else { (stroke(series.class)) }
                        @match self.links.get(number) {
                            Some(address) => { a href=(address) { (series.name) } },
                            None => { (series.name) },
                        }
                    }
                }
                @if self.scale.is_log { li { "logarithmic" } }
            }
        }
    }

    fn axis(&self) -> Markup {
        let names: Vec<(f64, String)> =
            self.scale.ticks.iter().map(|tick| (self.scale.y(*tick), self.chart.unit.shown(*tick))).collect();
        let longest = names.iter().map(|(_, name)| name.chars().count()).max().unwrap_or_default();
        // SVG does not measure text: seven pixels are about a digit in the font of the board.
        let width = longest * 7 + 8;
        html! {
            svg.axis width=(width) height=(HEIGHT + ABOVE) viewBox={ "0 -" (ABOVE) " " (width) " " (HEIGHT + ABOVE) } {
                @for (y, name) in &names {
                    text x=(width - 8) y=(tidy(*y)) dy="0.32em" text-anchor="end" { (name) }
                }
            }
        }
    }

    fn field(&self, drawn: &Markup) -> Markup {
        let stretches = self.chart.stretches();
        html! {
            svg.field data-brush="" height=(HEIGHT + ABOVE) {
                svg y=(ABOVE) width="100%" height=(HEIGHT) {
                    @for tick in &self.scale.ticks {
                        @let y = tidy(self.scale.y(*tick));
                        line.rule x1="0" x2="100%" y1=(y) y2=(y) {}
                    }
                    (drawn)
                    line.ground x1="0" x2="100%" y1=(HEIGHT) y2=(HEIGHT) {}
                    @for number in 0..stretches {
                        g.slot data-from=(self.end(number)) data-to=(self.end(number + 1)) {
                            rect.hit x={ (placed(number, 0.0, stretches)) "%" } y="0" width={ (placed(0, 1.0, stretches)) "%" }
                                height=(HEIGHT) { title { (self.tooltip(number)) } }
                        }
                    }
                }
            }
        }
    }

    fn times(&self) -> Markup {
        let until = self.chart.start_of(self.chart.stretches());
        html! {
            span {}
            svg.times height="20" {
                @for (place, name) in times::ticks(self.chart.since, until, self.zone) {
                    @let x = tidy(place * 100.0);
                    line.ground x1={ (x) "%" } x2={ (x) "%" } y1="0" y2="4" {}
                    text x={ (x) "%" } y="16" text-anchor=(anchor(place)) { (name) }
                }
            }
        }
    }

    fn tooltip(&self, number: usize) -> String {
        let mut lines = vec![self.named(number)];
        lines.extend(
            self.chart
                .stretch(number)
                .map(|(series, value)| format!("{}: {}", series.name, self.exact(value))),
        );
        if lines.len() == 1 {
            lines.push("nothing".to_owned());
        }
        lines.join("\n")
    }

    /// The essential numbers, for those who do not see the chart.
    fn description(&self) -> String {
        let texts: Vec<String> =
            self.chart.series.iter().filter_map(|series| self.describe_series(series)).collect();
        texts.join(" ")
    }

    fn describe_series(&self, series: &Series) -> Option<String> {
        let values: Vec<(usize, f64)> =
            (0..series.values.len()).filter_map(|number| Some((number, series.value(number)?))).collect();
        let (number, greatest) =
            values.iter().copied().reduce(|one, other| if other.1 > one.1 { other } else { one })?;
        let peak = format!("peak {} ({})", self.exact(greatest), self.named(number));
        if self.is_sum {
            let sum: f64 = values.iter().map(|(_, value)| value).sum();
            return Some(format!("{}: {} in total, {peak}.", series.name, self.exact(sum)));
        }
        let last = values.last().map_or(0.0, |(_, value)| *value);
        Some(format!("{}: latest {}, {peak}.", series.name, self.exact(last)))
    }

    fn table(&self) -> Markup {
        let table = html! {
            table.list {
                thead { tr { th scope="col" { "Time" } @for series in &self.chart.series { th.number scope="col" { (series.name) } } } }
                tbody {
                    @for number in self.shown() {
                        tr {
                            th.nowrap scope="row" { (self.named(number)) }
                            @for series in &self.chart.series {
                                td.number { (series.value(number).map_or("–".to_owned(), |value| self.exact(value))) }
                            }
                        }
                    }
                }
            }
        };
        let id = slug(&self.chart.title);
        html! {
            details id={ (id) "-table" } {
                summary { "Numbers" span.visually-hidden { " of the chart: " (self.chart.title) } }
                (parts::scroll(&format!("{}: numbers", self.chart.title), &table))
            }
        }
    }

    /// When a stretch begins, as an address has it.
    fn end(&self, number: usize) -> String {
        parts::in_address(self.chart.start_of(number), self.zone)
    }

    /// When a stretch is.
    fn named(&self, number: usize) -> String {
        times::stretch(self.chart.start_of(number), self.chart.length, self.zone)
    }

    /// A value as exactly as a table wants it.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a value is between 0 and 1e15"
    )]
    fn exact(&self, value: f64) -> String {
        match self.chart.unit {
            super::model::Unit::Count | super::model::Unit::Chars => {
                parts::number(value.round().min(1e18) as u64)
            }
            super::model::Unit::Micros => self.chart.unit.shown(value),
        }
    }
}

/// Parts of a whole as one bar.
pub(super) fn shares(title: &str, amounts: &[(&'static str, String, u64)]) -> Markup {
    let id = slug(title);
    let whole: u64 = amounts.iter().fold(0, |sum, (_, _, amount)| sum.saturating_add(*amount));
    let texts: Vec<String> =
        amounts.iter().map(|(_, name, amount)| format!("{name} {}", parts::share(*amount, whole))).collect();
    html! {
        figure.chart {
            figcaption { span id={ (id) "-title" } { (title) } }
            @if whole == 0 { (parts::empty("No data.", &html! {})) } @else {
                svg.shares height="16" role="img" aria-labelledby={ (id) "-title" } aria-describedby={ (id) "-numbers" } {
                    @for (begin, (class, name, amount)) in beginnings(amounts) {
                        rect class={ "area " (class) } x={ (percent(begin, whole)) "%" } y="0"
                            width={ (percent(*amount, whole)) "%" } height="16" {
                            title { (name) ": " (parts::number(*amount)) " (" (parts::share(*amount, whole)) ")" }
                        }
                    }
                }
                p.visually-hidden id={ (id) "-numbers" } { (texts.join(", ")) }
                ul.legend {
                    @for (class, name, amount) in amounts {
                        li { (swatch(class)) (name) " " (parts::number(*amount)) " · " (parts::share(*amount, whole)) }
                    }
                }
            }
        }
    }
}

/// Each part with the sum of those before it.
fn beginnings<'a>(
    amounts: &'a [(&'static str, String, u64)],
) -> impl Iterator<Item = (u64, &'a (&'static str, String, u64))> {
    amounts.iter().scan(0_u64, |sum, part| {
        let begin = *sum;
        *sum = sum.saturating_add(part.2);
        Some((begin, part))
    })
}

#[expect(clippy::cast_precision_loss, reason = "a share of the width")]
fn percent(part: u64, whole: u64) -> String {
    tidy(part as f64 / whole.max(1) as f64 * 100.0)
}

/// The sign of a series in a legend.
fn swatch(class: &str) -> Markup {
    html! {
        svg class=(class) width="10" viewBox="0 0 10 10" aria-hidden="true" { rect.area width="10" height="10" rx="2" {} }
    }
}

/// The sign of a line in a legend: dashed as it is, so that lines differ in more than colour.
fn stroke(class: &str) -> Markup {
    html! {
        svg class=(class) width="20" viewBox="0 0 20 10" aria-hidden="true" {
            path class={ "line dash-" (class) } d="M1 5L19 5" {}
        }
    }
}

/// The place of something within a stretch, in per cent of the width.
pub(super) fn placed(number: usize, at: f64, stretches: usize) -> String {
    let text = format!("{:.3}", scale::share(number, at, stretches) * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The names at both ends must not stick out.
fn anchor(place: f64) -> &'static str {
    match place {
        begin if begin < 0.05 => "start",
        end if end > 0.95 => "end",
        _ => "middle",
    }
}

/// A name for an element, made from a title.
fn slug(title: &str) -> String {
    let letters = title
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' });
    format!("chart-{}", letters.take(60).collect::<String>())
}
