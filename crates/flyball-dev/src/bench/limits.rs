//! The limits that flyball promises to keep, as ratios within one measurement.

use self::Bound::{AtLeast, AtMost};
use super::board::BoardTiming;
use super::replay::ReplayTiming;
use super::row::Row;
use super::sample::ratio;

/// The most memory that an event may take.
const PEAK_KIB: u64 = 6 * 1024;

/// The most milliseconds that a page of the board may take.
const PAGE_MILLIS: f64 = 200.0;

/// The most microseconds that a call may take to be replayed: ten thousand of them in a second.
const REPLAY_MICROS: f64 = 100.0;

/// A promise about two contestants.
struct Limit {
    id: &'static str,
    what: &'static str,
    ratio: Ratio,
    bound: Bound,
}

/// The contestant, and the one it is compared with.
struct Ratio(&'static str, &'static str);

/// A bound of a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

const LIMITS: &[Limit] = &[
    limit("trivial", "of a trivial program", Ratio("hook.shell", "trivial"), AtMost(1.8)),
    limit("removes", "of a trivial program, for `rm`", Ratio("hook.removes", "trivial"), AtMost(2.1)),
    limit("edit", "of a trivial program, for an edit", Ratio("hook.edit", "trivial"), AtMost(1.9)),
    limit("turn", "of a trivial program, for a stop", Ratio("stop.plain", "trivial"), AtMost(1.9)),
    limit("edit-packs", "the same for an edit, all packs on", Ratio("edit.packs", "trivial"), AtMost(2.3)),
    limit("turn-packs", "the same for a stop, all packs on", Ratio("stop.packs", "trivial"), AtMost(2.3)),
    limit("script", "the same for a script of 3 KB", Ratio("hook.script", "trivial"), AtMost(4.5)),
    limit("bash", "faster than a guard in bash and jq", Ratio("bash-jq", "hook.shell"), AtLeast(45.0)),
    limit("node", "faster than a guard in Node", Ratio("node", "hook.shell"), AtLeast(50.0)),
    limit("rules", "from no user rules to 500", Ratio("rules.500", "hook.shell"), AtMost(3.0)),
    limit(
        "stop",
        "from a plain stop to one with ten open domains",
        Ratio("stop.loop", "stop.plain"),
        AtMost(3.0),
    ),
    limit("nodes", "from no nodes and reports to thousands", Ratio("edit.much", "edit.none"), AtMost(1.5)),
    limit("lessons", "from no lessons to 100,000", Ratio("spawn.much", "spawn.none"), AtMost(1.5)),
    limit("reports", "from the first report to 10,000", Ratio("failed.much", "failed.none"), AtMost(1.5)),
    limit(
        "seatbelt",
        "of the plain shell, in the seatbelt",
        Ratio("shell.seatbelt", "shell.plain"),
        AtMost(3.0),
    ),
    limit(
        "undo",
        "of `git status`, for a call before which nothing has changed",
        Ratio("undo.same", "git.status"),
        AtMost(1.0),
    ),
    limit("store", "from an empty to a full store", Ratio("store.full", "hook.shell"), AtMost(1.2)),
    limit("journal", "from a short to a long journal", Ratio("journal.long", "journal.short"), AtMost(1.2)),
    limit(
        "transcript",
        "from none to a long transcript",
        Ratio("transcript.long", "hook.shell"),
        AtMost(1.2),
    ),
];

const fn limit(id: &'static str, what: &'static str, ratio: Ratio, bound: Bound) -> Limit {
    Limit { id, what, ratio, bound }
}

/// A promise and its measured value.
#[derive(Clone, Debug)]
pub(super) struct CheckedLimit {
    pub(super) id: &'static str,
    pub(super) what: &'static str,
    pub(super) bound: Bound,
    /// The ratio of medians, or MiB for memory; `None` if it was not measured.
    pub(super) value: Option<f64>,
    pub(super) unit: &'static str,
}

impl CheckedLimit {
    /// Whether it was measured and does not hold.
    pub(super) fn is_broken(&self) -> bool {
        self.value.is_some_and(|value| match self.bound {
            AtMost(most) => value > most,
            AtLeast(least) => value < least,
        })
    }
}

/// Checks everything that was promised.
pub(super) fn check(rows: &[Row]) -> Vec<CheckedLimit> {
    let mut checked: Vec<CheckedLimit> = LIMITS.iter().map(|limit| limit.check(rows)).collect();
    checked.push(memory(rows));
    checked
}

impl Limit {
    fn check(&self, rows: &[Row]) -> CheckedLimit {
        let median = |id: &str| rows.iter().find(|row| row.id == id).map(|row| row.sample.median());
        let value = median(self.ratio.0).zip(median(self.ratio.1)).map(|(of, to)| ratio(of, to));
        CheckedLimit { id: self.id, what: self.what, bound: self.bound, value, unit: "×" }
    }
}

/// The slowest page of the board.
pub(super) fn pages(board: &[BoardTiming]) -> CheckedLimit {
    let pages = board.iter().filter(|served| served.is_page());
    let value = pages.map(|page| page.sample.median().as_secs_f64() * 1000.0).reduce(f64::max);
    CheckedLimit {
        id: "board",
        what: "for the slowest page of the board",
        bound: AtMost(PAGE_MILLIS),
        value,
        unit: "ms",
    }
}

/// The slowest way to replay.
pub(super) fn replay(replayed: &[ReplayTiming]) -> CheckedLimit {
    let value = replayed.iter().map(ReplayTiming::micros_per_call).reduce(f64::max);
    let bound = AtMost(REPLAY_MICROS);
    CheckedLimit { id: "replay", what: "for each call that is replayed", bound, value, unit: "µs" }
}

#[expect(clippy::cast_precision_loss, reason = "kilobytes of memory are far below 2^52")]
fn memory(rows: &[Row]) -> CheckedLimit {
    let ours = rows.iter().filter(|row| row.is_flyball);
    let value = ours.filter_map(|row| row.counts.peak_kib).max().map(|kib| kib as f64 / 1024.0);
    let bound = AtMost((PEAK_KIB / 1024) as f64);
    CheckedLimit { id: "memory", what: "of memory at most, in any of these", bound, value, unit: "MiB" }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::counts::Counts;
    use super::super::sample::Sample;
    use super::*;

    fn row(id: &'static str, millis: u64, peak_kib: u64) -> Row {
        let counts = Counts { peak_kib: Some(peak_kib), ..Counts::default() };
        let sample = Sample::from_times(vec![Duration::from_millis(millis)]);
        let is_flyball = !matches!(id, "trivial" | "bash-jq");
        Row { id, about: String::new(), is_flyball, sample, counts }
    }

    #[test]
    fn a_limit_breaks_only_when_measured_beyond_it() {
        let rows = [
            row("trivial", 100, 1),
            row("hook.shell", 180, 6 * 1024),
            row("hook.edit", 191, 0),
            row("bash-jq", 8_099, 99_999),
            row("rules.500", 541, 6 * 1024 + 1),
        ];
        let broken: Vec<&str> =
            check(&rows).iter().filter(|checked| checked.is_broken()).map(|checked| checked.id).collect();
        assert_eq!(broken, ["edit", "bash", "rules", "memory"]);
    }
}
