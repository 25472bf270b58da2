//! Time on the x axis: linear where something happens, folded where nothing does, so that an idle hour does not squeeze
//! a busy minute.

use std::time::Duration;

use flyball_core::time::{DAY, HOUR, MINUTE, SECOND, Time, whole_micros};
use jiff::tz::TimeZone;

use crate::page::parts;

/// The part of the width that is left free at either side, so that a mark at the edge is whole.
const MARGIN: f64 = 1.5;
const WIDTH: f64 = 100.0 - 2.0 * MARGIN;

/// The width of a stretch that is folded, and the part of the whole that all of them may take.
const FOLDED: f64 = 4.0;
const FOLDED_IN_ALL: f64 = 40.0;

/// A stretch is never folded if it is shorter than this.
const SHORTEST_QUIET: Duration = MINUTE;
/// A stretch is quiet if it is this many times longer than most pauses between two events.
const QUIET_FACTOR: u32 = 8;

const STEPS: [Duration; 17] = [
    SECOND,
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(15),
    Duration::from_secs(30),
    MINUTE,
    Duration::from_mins(2),
    Duration::from_mins(5),
    Duration::from_mins(10),
    Duration::from_mins(15),
    Duration::from_mins(30),
    HOUR,
    Duration::from_hours(2),
    Duration::from_hours(6),
    Duration::from_hours(12),
    DAY,
];

/// Where each moment of a stretch of time is, in per cent of the width.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
struct Piece {
    from: Time,
    to: Time,
    left: f64,
    right: f64,
    is_quiet: bool,
}

/// A stretch in which nothing happened.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quiet {
    pub(super) left: f64,
    pub(super) right: f64,
    /// How long it was.
    pub(super) length: Duration,
}

/// A moment with a label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) x: f64,
    pub(super) label: String,
}

impl Axis {
    /// The axis for events at these times, oldest first.
    pub(super) fn over(times: &[Time]) -> Axis {
        let stretches = stretches(times);
        let quiet = stretches.iter().filter(|stretch| stretch.2).count();
        let lively = stretches.iter().filter(|stretch| !stretch.2).map(|(from, to, _)| to.since(*from)).sum();
        let folded = folded_width(quiet, lively);
        let rest = WIDTH - folded * count(quiet);
        let mut left = MARGIN;
        let mut pieces = Vec::with_capacity(stretches.len());
        for (from, to, is_quiet) in stretches {
            let width = if is_quiet { folded } else { rest * share(to.since(from), lively) };
            pieces.push(Piece { from, to, left, right: left + width, is_quiet });
            left += width;
        }
        Axis { pieces }
    }

    /// Where a moment is.
    pub(super) fn x(&self, at: Time) -> f64 {
        let place = self.pieces.partition_point(|piece| piece.to < at);
        let piece = self.pieces.get(place).or(self.pieces.last());
        let Some(piece) = piece else { return MARGIN };
        let within = share(at.min(piece.to).since(piece.from), piece.to.since(piece.from));
        piece.left + (piece.right - piece.left) * within
    }

    /// The stretches that are folded.
    pub(super) fn quiet(&self) -> Vec<Quiet> {
        let quiet = self.pieces.iter().filter(|piece| piece.is_quiet);
        quiet
            .map(|piece| Quiet { left: piece.left, right: piece.right, length: piece.to.since(piece.from) })
            .collect()
    }

    /// Moments to write below the axis, at most about ten, by the clock of the reader.
    pub(super) fn ticks(&self, zone: &TimeZone) -> Vec<Tick> {
        let lively: Duration = self.lively().map(|piece| piece.to.since(piece.from)).sum();
        let step = STEPS.into_iter().find(|step| lively < 9 * *step).unwrap_or(DAY);
        let mut ticks: Vec<Tick> = Vec::new();
        let mut day = String::new();
        for piece in self.lively() {
            // Rounded by the reader's clock: in India, full hours are not those of UTC.
            let ahead = ahead_of_utc(piece.from, zone);
            let mut at = shifted(shifted(piece.from, ahead).ceil(step), -ahead);
            while at <= piece.to {
                let x = self.x(at);
                // In per cent of the width: closer labels would overlap, and one at the edge would be cut
                // off.
                if ticks.last().is_none_or(|last| x - last.x >= 9.0) && x <= 97.0 {
                    let (date, clock) = words(at, step, zone);
                    let label =
                        if date == day || !self.spans_days() { clock } else { format!("{date} {clock}") };
                    day = date;
                    ticks.push(Tick { x, label });
                }
                at += step;
            }
        }
        ticks
    }

    fn lively(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(|piece| !piece.is_quiet)
    }

    fn spans_days(&self) -> bool {
        let ends = (self.pieces.first(), self.pieces.last());
        matches!(ends, (Some(first), Some(last)) if last.to.since(first.from) > 18 * HOUR)
    }
}

/// A stretch is folded only if it would take more than this share of what is not folded yet.
const WORTH_IT: f64 = 0.08;

/// From, to, and whether nothing happened in between, one after the other.
fn stretches(times: &[Time]) -> Vec<(Time, Time, bool)> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Vec::new() };
    let limit = quiet_from(times);
    let mut all = Vec::new();
    let mut since = *first;
    for (before, after) in times.iter().zip(times.iter().skip(1)) {
        if after.since(*before) > limit {
            all.push((since, *before, false));
            all.push((*before, *after, true));
            since = *after;
        }
    }
    all.push((since, *last, false));
    all
}

/// The pause from which on a stretch is quiet: by what is usual in these events, and by the room it would take.
fn quiet_from(times: &[Time]) -> Duration {
    let mut pauses: Vec<Duration> =
        times.iter().zip(times.iter().skip(1)).map(|(a, b)| b.since(*a)).collect();
    pauses.sort_unstable();
    // Three quarters of the pauses are shorter: a few long ones do not count as usual.
    let usual = pauses.get(pauses.len().saturating_sub(1) * 3 / 4).copied().unwrap_or_default();
    let mut limit = Duration::MAX;
    let mut left: Duration = pauses.iter().sum();
    let unusual = usual.saturating_mul(QUIET_FACTOR).max(SHORTEST_QUIET);
    for pause in pauses.into_iter().rev().filter(|pause| *pause > unusual) {
        // The longest first; once one would gain little, all shorter ones would gain less.
        if share(pause, left) < WORTH_IT {
            break;
        }
        limit = pause - Duration::from_micros(1);
        left -= pause;
    }
    limit
}

fn folded_width(quiet: usize, lively: Duration) -> f64 {
    if quiet == 0 {
        return 0.0;
    }
    let in_all = if lively.is_zero() { WIDTH } else { FOLDED_IN_ALL };
    let each = in_all / count(quiet);
    if lively.is_zero() { each } else { each.min(FOLDED) }
}

/// How far the clock of the reader is ahead, in seconds.
fn ahead_of_utc(at: Time, zone: &TimeZone) -> i64 {
    parts::zoned(at, zone).offset().seconds().into()
}

fn shifted(at: Time, seconds: i64) -> Time {
    Time::from_micros(at.as_micros().saturating_add(seconds * 1_000_000))
}

fn words(at: Time, step: Duration, zone: &TimeZone) -> (String, String) {
    let local = parts::zoned(at, zone);
    let clock = if step < MINUTE { "%H:%M:%S" } else { "%H:%M" };
    (local.strftime("%-d %b").to_string(), local.strftime(clock).to_string())
}

#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
fn share(part: Duration, whole: Duration) -> f64 {
    if whole.is_zero() { 0.0 } else { whole_micros(part) as f64 / whole_micros(whole) as f64 }
}

#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
fn count(many: usize) -> f64 {
    many as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(minutes: &[u32]) -> Vec<Time> {
        minutes.iter().map(|minute| Time::default() + *minute * MINUTE).collect()
    }

    #[test]
    fn an_hour_of_nothing_takes_little_of_the_width() {
        let axis = Axis::over(&minutes(&[0, 1, 2, 3, 4, 64, 65, 66, 67, 68]));
        assert_eq!(axis.quiet(), [Quiet { left: 48.0, right: 52.0, length: HOUR }]);
        assert_eq!((axis.x(Time::default()), axis.x(Time::default() + 68 * MINUTE)), (1.5, 98.5));
    }

    #[test]
    fn an_even_session_is_drawn_evenly() {
        let axis = Axis::over(&minutes(&[0, 10, 20, 30]));
        assert_eq!(axis.quiet(), []);
        assert_eq!(axis.x(Time::default() + 15 * MINUTE), 50.0);
    }

    #[test]
    fn one_moment_and_none_have_a_place_too() {
        assert_eq!(Axis::over(&[]).x(Time::from_micros(5)), 1.5);
        let at = Time::from_micros(7);
        assert_eq!(Axis::over(&[at]).x(at), 1.5);
        assert_eq!(Axis::over(&[at, at, at, at, at + HOUR]).x(at + HOUR), 98.5);
    }

    #[test]
    fn ticks_are_round_by_the_clock_of_the_reader() {
        let axis = Axis::over(&minutes(&[1, 3, 7, 11, 18, 22, 31, 37, 41]));
        let labels: Vec<String> = axis.ticks(&TimeZone::UTC).into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, ["00:05", "00:10", "00:15", "00:20", "00:25", "00:30", "00:35", "00:40"]);
    }
}
