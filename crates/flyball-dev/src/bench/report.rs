//! What was measured, and how a person reads it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::board::BoardTiming;
use super::elf;
use super::in_process::InProcessTiming;
use super::limits::{Bound, CheckedLimit};
use super::lineup::Sizes;
use super::machine::Machine;
use super::replay::ReplayTiming;
use super::row::Row;
use super::sample::ratio;
use flyball::terminal::{Style, Terminal};

/// All figures of one measurement.
pub(super) struct Report {
    pub(super) measured: Measured,
    pub(super) machine: Machine,
    pub(super) sizes: Sizes,
    pub(super) rows: Vec<Row>,
    /// What judging costs inside this process.
    pub(super) inside: Vec<InProcessTiming>,
    /// What replaying sessions costs.
    pub(super) replayed: Vec<ReplayTiming>,
    /// What pages of the board, and what they ask of the index, cost.
    pub(super) board: Vec<BoardTiming>,
    pub(super) limits: Vec<CheckedLimit>,
    pub(super) missing: Vec<String>,
}

/// The program that was measured.
pub(super) struct Measured {
    pub(super) path: PathBuf,
    pub(super) bytes: usize,
    pub(super) relocations: Option<u64>,
}

impl Measured {
    pub(super) fn read(path: &Path) -> Measured {
        let file = std::fs::read(path).unwrap_or_default();
        Measured { path: path.to_path_buf(), bytes: file.len(), relocations: elf::relocations(&file) }
    }
}

impl Report {
    /// How many times as long as the trivial program, by medians and by the fastest tenth.
    pub(super) fn to_trivial(&self, row: &Row) -> Option<(f64, f64)> {
        let trivial = &self.rows.iter().find(|row| row.id == "trivial")?.sample;
        Some((ratio(row.sample.median(), trivial.median()), ratio(row.sample.p10(), trivial.p10())))
    }
}

/// The report as text.
pub(super) fn lines(report: &Report, terminal: &Terminal) -> Vec<String> {
    let mut lines = head(report);
    lines.push(terminal.paint(
        Style::Strong,
        &columns(["", "median", "p10", "× trivial", "p10", "peak", "faults", "calls"]),
    ));
    lines.extend(report.rows.iter().map(|row| line(report, row)));
    lines.push(String::new());
    lines.push(terminal.paint(Style::Strong, "parsing and judging, inside this process"));
    lines.extend(report.inside.iter().map(|inside| {
        let (median, p10) = (millis(inside.sample.median()), millis(inside.sample.p10()));
        columns([inside.about, &median, &p10, "", "", "", "", ""]).trim_end().to_owned()
    }));
    lines.push(String::new());
    lines.extend(replayed(report, terminal));
    lines.push(String::new());
    lines.extend(board(report, terminal));
    lines.push(String::new());
    lines.push(terminal.paint(Style::Strong, "limits"));
    lines.extend(report.limits.iter().map(|limit| verdict(limit, terminal)));
    lines.extend(report.missing.iter().map(|what| terminal.paint(Style::Warning, &format!("note: {what}"))));
    lines
}

fn replayed(report: &Report, terminal: &Terminal) -> Vec<String> {
    let head = format!("replaying {} calls, each with its result", report.sizes.replayed);
    let head = format!("{head:<70} {:>9} {:>9} {:>12}", "median", "worst", "each call");
    let mut lines = vec![terminal.paint(Style::Strong, &head)];
    lines.extend(report.replayed.iter().map(|replayed| {
        let (median, worst) = (millis(replayed.sample.median()), millis(replayed.sample.worst()));
        let each = format!("{:.1} µs", replayed.micros_per_call());
        format!("{:<70} {median:>9} {worst:>9} {each:>12}", replayed.about)
    }));
    lines
}

fn board(report: &Report, terminal: &Terminal) -> Vec<String> {
    let head = format!("the board, with a store of {} events", report.sizes.board_events);
    let head = format!("{head:<70} {:>9} {:>9}", "median", "worst");
    let mut lines = vec![terminal.paint(Style::Strong, &head)];
    lines.extend(report.board.iter().map(|served| {
        let (median, worst) = (millis(served.sample.median()), millis(served.sample.worst()));
        format!("{:<70} {median:>9} {worst:>9}", served.about)
    }));
    lines
}

fn head(report: &Report) -> Vec<String> {
    let Report { measured, machine, sizes, .. } = report;
    let relocations = measured.relocations.map_or("?".to_owned(), |count| count.to_string());
    let program =
        format!("{}: {}, {relocations} relocations", measured.path.display(), megabytes(measured.bytes));
    let place = format!(
        "{}, {} cores, {}; {} interleaved rounds",
        machine.processor, machine.cores, machine.system, sizes.rounds
    );
    vec![program, place, String::new()]
}

fn line(report: &Report, row: &Row) -> String {
    let Row { about, sample, counts, .. } = row;
    let (by_median, by_p10) = report
        .to_trivial(row)
        .map_or(("-".to_owned(), "-".to_owned()), |(median, p10)| (times(median), times(p10)));
    let number = |count: Option<u64>| count.map_or("-".to_owned(), |count| count.to_string());
    let peak = counts
        .peak_kib
        .map_or("-".to_owned(), |kib| format!("{}.{} MiB", kib / 1024, kib % 1024 * 10 / 1024));
    let (median, p10) = (millis(sample.median()), millis(sample.p10()));
    columns([
        about,
        &median,
        &p10,
        &by_median,
        &by_p10,
        &peak,
        &number(counts.page_faults),
        &number(counts.system_calls),
    ])
}

fn columns(cells: [&str; 8]) -> String {
    let [about, median, p10, by_median, by_p10, peak, faults, calls] = cells;
    format!("{about:<46} {median:>9} {p10:>9} {by_median:>10} {by_p10:>7} {peak:>10} {faults:>7} {calls:>7}")
}

fn verdict(limit: &CheckedLimit, terminal: &Terminal) -> String {
    let (mark, style) = match limit.value {
        None => ("not measured", Style::Warning),
        Some(_) if limit.is_broken() => ("broken", Style::Bad),
        Some(_) => ("holds", Style::Good),
    };
    let bound = match limit.bound {
        Bound::AtMost(most) => format!("at most {most}"),
        Bound::AtLeast(least) => format!("at least {least}"),
    };
    let value = limit.value.map_or("-".to_owned(), |value| format!("{value:.2} {}", limit.unit));
    let mark = terminal.paint(style, &format!("{mark:<12}"));
    format!("  {mark} {value:>10} {:<38} ({bound})", limit.what)
}

fn times(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
}

fn millis(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1000.0;
    if millis < 10.0 { format!("{millis:.3} ms") } else { format!("{millis:.1} ms") }
}

fn megabytes(bytes: usize) -> String {
    format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000)
}
