//! Whole figures for small inputs, and what holds for all.

use std::time::Duration;

use flyball_core::time::{HOUR, Time};

use super::*;

/// 2026-11-15 00:00 UTC.
const NOW: Time = Time::from_millis(1_794_700_800_000);

fn chart(unit: Unit, series: &[(&str, &'static str, &[Option<f64>])]) -> Chart {
    let series = series.iter().map(|(name, class, values)| Series {
        name: (*name).to_owned(),
        class,
        values: values.to_vec(),
    });
    Chart { title: "Events <1>".to_owned(), unit, since: NOW, length: HOUR, series: series.collect() }
}

/// One element a line, so that a difference can be read.
fn shown(markup: &Markup) -> String {
    markup.0.replace("><", ">\n<")
}

#[test]
fn bars_stand_one_upon_the_other_and_nothing_is_too_small_to_be_seen() {
    let chart = chart(
        Unit::Count,
        &[("denied", "deny", &[Some(1.0), None]), ("passed", "silent", &[Some(999.0), Some(0.0)])],
    );
    let links = ["/events?verdict=deny&range=24h".to_owned()];
    assert_eq!(shown(&bars_in(&chart, &links, &TimeZone::UTC)), include_str!("tests/bars.html").trim_end());
}

#[test]
fn lines_have_gaps_where_nothing_happened_and_a_lone_value_is_a_dot() {
    let chart = chart(
        Unit::Micros,
        &[
            ("p50", "p50", &[Some(340.0), Some(1_200.0), None, Some(800.0)]),
            ("p99", "p99", &[Some(45e3), None, None, None]),
        ],
    );
    assert_eq!(shown(&lines_in(&chart, &[], &TimeZone::UTC)), include_str!("tests/lines.html").trim_end());
}

#[test]
fn without_any_event_there_is_an_empty_state() {
    let nothing: [&[Option<f64>]; 3] = [&[], &[None, None], &[Some(0.0), None]];
    for values in nothing {
        let figure =
            bars_in(&chart(Unit::Count, &[("denied", "deny", values)]), &[], &TimeZone::UTC).into_string();
        assert!(figure.contains("Nothing happened in this time."), "{figure}");
        assert!(!figure.contains("<details"), "{figure}");
    }
}

#[test]
fn shares_are_shown_in_numbers_and_per_cent() {
    let parts = [("deny", "denied".to_owned(), 1), ("silent", "<passed>".to_owned(), 3)];
    assert_eq!(shown(&shares("Answers", &parts)), include_str!("tests/shares.html").trim_end());
    assert!(shares("Answers", &[("deny", "denied".to_owned(), 0)]).into_string().contains("No data."));
}

#[test]
fn a_spark_is_a_line_with_gaps_and_dots() {
    assert_eq!(
        spark(&[Some(1.0), Some(2.0), None, Some(0.0)], "time").into_string(),
        "<svg class=\"spark\" viewBox=\"0 0 96 20\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"time\"><title>time</title>\
         <path class=\"line\" d=\"M12 10L36 2\"></path><circle class=\"area\" cx=\"84\" cy=\"18\" r=\"2\"></circle></svg>"
    );
    assert_eq!(spark(&[None], "time").into_string(), "<span class=\"muted\" title=\"time\">–</span>");
}

/// Numbers that look like chance and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn value(&mut self) -> Option<f64> {
        const ODD: [f64; 9] = [0.0, 0.3, 1.0, f64::NAN, f64::INFINITY, -3.0, 1e300, f64::MIN_POSITIVE, 1e-9];
        match self.roll(4) {
            0 => None,
            1 => ODD.get(usize::try_from(self.roll(9)).unwrap()).copied(),
            _ => Some(f64::from(u32::try_from(self.roll(1 << 31)).unwrap()) / f64::from(1 << self.roll(20))),
        }
    }

    fn chart(&mut self) -> Chart {
        let stretches = self.roll(70);
        let classes = ["deny", "ask", "silent"];
        let series = classes.map(|class| Series {
            name: class.to_owned(),
            class,
            values: (0..stretches).map(|_| self.value()).collect(),
        });
        let unit = [Unit::Count, Unit::Micros, Unit::Chars][usize::try_from(self.roll(3)).unwrap()];
        let length = Duration::from_micros(self.roll(1 << 40));
        Chart { title: "Any".to_owned(), unit, since: NOW, length, series: series.into() }
    }
}

/// All values of an attribute.
fn attributes<'a>(figure: &'a str, name: &str) -> Vec<&'a str> {
    let mark = format!(" {name}=\"");
    figure.split(&mark).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn whatever_the_numbers_are_everything_is_within_the_box() {
    let mut dice = Dice(7);
    for _ in 0..300 {
        let chart = dice.chart();
        for figure in [lines_in(&chart, &[], &TimeZone::UTC), bars_in(&chart, &[], &TimeZone::UTC)] {
            let figure = figure.into_string();
            for bad in ["NaN", "inf", "-inf"] {
                assert!(!figure.contains(bad), "{bad} in {figure}");
            }
            for percent in ["x", "cx", "x1", "x2"].iter().flat_map(|name| attributes(&figure, name)) {
                if let Some(percent) = percent.strip_suffix('%') {
                    assert!(
                        (0.0..=100.0).contains(&percent.parse::<f64>().unwrap()),
                        "{percent} in {figure}"
                    );
                }
            }
            for y in ["y1", "y2", "cy"].iter().flat_map(|name| attributes(&figure, name)) {
                assert!((0.0..=160.0).contains(&y.parse::<f64>().unwrap()), "{y} in {figure}");
            }
            for bar in figure.split("<rect class=\"area ").skip(1).filter(|bar| bar.contains('%')) {
                let of = |name| attributes(bar, name).first().unwrap().parse::<f64>().unwrap();
                assert!(of("y") >= 0.0 && of("y") + of("height") <= 160.02, "{bar}");
            }
        }
    }
}
