//! Time on the x axis: linear where something happens, folded where nothing does, so that an idle hour does not squeeze
//! a busy minute.

use flyball_core::time::{HOUR, MINUTE, SECOND};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The part of the width that is left free at either side, so that a mark at the edge is whole.
const MARGIN: f64 = 1.5;
const WIDTH: f64 = 100.0 - 2.0 * MARGIN;

/// The width of a stretch that is folded, and the part of the whole that all of them may take.
const FOLDED: f64 = 4.0;
const FOLDED_IN_ALL: f64 = 40.0;

/// A stretch is never folded if it is shorter than this.
const SHORTEST_QUIET: i64 = MINUTE;
/// A stretch is quiet if it is this many times longer than most pauses between two events.
const QUIET_FACTOR: i64 = 8;

const STEPS: [i64; 17] = [
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    6 * HOUR,
    12 * HOUR,
    24 * HOUR,
];

/// Where each moment of a stretch of time is, in per cent of the width.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
struct Piece {
    from: i64,
    to: i64,
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
    pub(super) micros: i64,
}

/// A moment with a label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) x: f64,
    pub(super) label: String,
}

impl Axis {
    /// The axis for events at these times, oldest first.
    pub(super) fn over(times: &[i64]) -> Axis {
        let stretches = stretches(times);
        let quiet = stretches.iter().filter(|stretch| stretch.2).count();
        let lively: i64 = stretches.iter().filter(|stretch| !stretch.2).map(|(from, to, _)| to - from).sum();
        let folded = folded_width(quiet, lively);
        let rest = WIDTH - folded * count(quiet);
        let mut left = MARGIN;
        let mut pieces = Vec::with_capacity(stretches.len());
        for (from, to, is_quiet) in stretches {
            let width = if is_quiet { folded } else { rest * share(to - from, lively) };
            pieces.push(Piece { from, to, left, right: left + width, is_quiet });
            left += width;
        }
        Axis { pieces }
    }

    /// Where a moment is.
    pub(super) fn x(&self, at: i64) -> f64 {
        let place = self.pieces.partition_point(|piece| piece.to < at);
        let piece = self.pieces.get(place).or(self.pieces.last());
        let Some(piece) = piece else { return MARGIN };
        let within = share(at.clamp(piece.from, piece.to) - piece.from, piece.to - piece.from);
        piece.left + (piece.right - piece.left) * within
    }

    /// The stretches that are folded.
    pub(super) fn quiet(&self) -> Vec<Quiet> {
        let quiet = self.pieces.iter().filter(|piece| piece.is_quiet);
        quiet
            .map(|piece| Quiet { left: piece.left, right: piece.right, micros: piece.to - piece.from })
            .collect()
    }

    /// Moments to write below the axis, at most about ten, by the clock of the reader.
    pub(super) fn ticks(&self, zone: &TimeZone) -> Vec<Tick> {
        let lively: i64 = self.lively().map(|piece| piece.to - piece.from).sum();
        let step = STEPS.into_iter().find(|step| lively / step <= 8).unwrap_or(24 * HOUR);
        let mut ticks: Vec<Tick> = Vec::new();
        let mut day = String::new();
        for piece in self.lively() {
            let ahead = ahead_of_utc(piece.from, zone);
            let mut at = (piece.from + ahead + step - 1).div_euclid(step) * step - ahead;
            while at <= piece.to {
                let x = self.x(at);
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
        matches!(ends, (Some(first), Some(last)) if last.to - first.from > 18 * HOUR)
    }
}

/// A stretch is folded only if it would take more than this share of what is not folded yet.
const WORTH_IT: f64 = 0.08;

/// From, to, and whether nothing happened in between, one after the other.
fn stretches(times: &[i64]) -> Vec<(i64, i64, bool)> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Vec::new() };
    let limit = quiet_from(times);
    let mut all = Vec::new();
    let mut since = *first;
    for (before, after) in times.iter().zip(times.iter().skip(1)) {
        if after - before > limit {
            all.push((since, *before, false));
            all.push((*before, *after, true));
            since = *after;
        }
    }
    all.push((since, *last, false));
    all
}

/// The pause from which on a stretch is quiet: by what is usual in these events, and by the room it would take.
fn quiet_from(times: &[i64]) -> i64 {
    let mut pauses: Vec<i64> = times.iter().zip(times.iter().skip(1)).map(|(a, b)| b - a).collect();
    pauses.sort_unstable();
    let usual = pauses.get(pauses.len().saturating_sub(1) * 3 / 4).copied().unwrap_or_default();
    let mut limit = i64::MAX;
    let mut left: i64 = pauses.iter().sum();
    let unusual = usual.saturating_mul(QUIET_FACTOR).max(SHORTEST_QUIET);
    for pause in pauses.into_iter().rev().filter(|pause| *pause > unusual) {
        if share(pause, left) < WORTH_IT {
            break;
        }
        limit = pause - 1;
        left -= pause;
    }
    limit
}

fn folded_width(quiet: usize, lively: i64) -> f64 {
    if quiet == 0 {
        return 0.0;
    }
    let in_all = if lively == 0 { WIDTH } else { FOLDED_IN_ALL };
    let each = in_all / count(quiet);
    if lively == 0 { each } else { each.min(FOLDED) }
}

fn ahead_of_utc(at: i64, zone: &TimeZone) -> i64 {
    let moment = Timestamp::from_microsecond(at).unwrap_or_default();
    i64::from(zone.to_offset(moment).seconds()) * SECOND
}

fn words(at: i64, step: i64, zone: &TimeZone) -> (String, String) {
    let Ok(moment) = Timestamp::from_microsecond(at) else { return Default::default() };
    let local = moment.to_zoned(zone.clone());
    let clock = if step < MINUTE { "%H:%M:%S" } else { "%H:%M" };
    (local.strftime("%-d %b").to_string(), local.strftime(clock).to_string())
}

#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
fn share(part: i64, whole: i64) -> f64 {
    if whole <= 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
fn count(many: usize) -> f64 {
    many as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(minutes: &[i64]) -> Vec<i64> {
        minutes.iter().map(|minute| minute * MINUTE).collect()
    }

    #[test]
    fn an_hour_of_nothing_takes_little_of_the_width() {
        let axis = Axis::over(&minutes(&[0, 1, 2, 3, 4, 64, 65, 66, 67, 68]));
        assert_eq!(axis.quiet(), [Quiet { left: 48.0, right: 52.0, micros: HOUR }]);
        assert_eq!((axis.x(0), axis.x(68 * MINUTE)), (1.5, 98.5));
    }

    #[test]
    fn an_even_session_is_drawn_evenly() {
        let axis = Axis::over(&minutes(&[0, 10, 20, 30]));
        assert_eq!(axis.quiet(), []);
        assert_eq!(axis.x(15 * MINUTE), 50.0);
    }

    #[test]
    fn one_moment_and_none_have_a_place_too() {
        assert_eq!(Axis::over(&[]).x(5), 1.5);
        assert_eq!(Axis::over(&[7]).x(7), 1.5);
        assert_eq!(Axis::over(&[7, 7, 7, 7, 7 + HOUR]).x(7 + HOUR), 98.5);
    }

    #[test]
    fn ticks_are_round_by_the_clock_of_the_reader() {
        let axis = Axis::over(&minutes(&[1, 3, 7, 11, 18, 22, 31, 37, 41]));
        let labels: Vec<String> = axis.ticks(&TimeZone::UTC).into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, ["00:05", "00:10", "00:15", "00:20", "00:25", "00:30", "00:35", "00:40"]);
    }
}
