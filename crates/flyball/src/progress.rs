//! One line that shows what is going on, for people who wait at a terminal; a line now and then where there is none.

use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use flyball_core::text::grouped;
use flyball_store::StoreProgress;
use flyball_world::interrupt;

use crate::show::text::{cut, one_line};

/// Work that ends sooner needs no line: it would only flicker.
const DELAY: Duration = Duration::from_millis(300);
/// How often a line that stays the same is written again.
const TICK: Duration = Duration::from_secs(1);
/// After this, the line shows how long the work has taken.
const LONG: Duration = Duration::from_secs(3);
/// Without a terminal: when the first line is written, and how often another one.
const FIRST_LINE: Duration = Duration::from_secs(15);
const NEXT_LINE: Duration = Duration::from_secs(10);
/// How often a bar changes at most.
const BETWEEN_BARS: Duration = Duration::from_millis(20);
/// How wide the bar is.
const BAR: usize = 24;
/// The width of a terminal that does not report it.
const COLUMNS: usize = 80;
/// Larger amounts of bytes are shown in megabytes.
const MANY_BYTES: u64 = 10 * MEGABYTE;
const MEGABYTE: u64 = 1024 * 1024;

/// Whether there is a line on the terminal, to be cleared before the process ends.
static IS_VISIBLE: AtomicBool = AtomicBool::new(false);

/// The progress on standard error.
pub struct Progress {
    display: Display,
    from: Instant,
    /// When the last bar was shown, and how many steps were done.
    last_bar: Cell<Option<(Instant, usize)>>,
    /// The text that is shown now.
    current: Arc<Shown>,
}

/// The text that is shown now; none before the first.
type Shown = Mutex<Option<ProgressText>>;

struct ProgressText {
    text: String,
    since: Instant,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Display {
    /// One line of a terminal that is written again and again.
    Line,
    /// A line of its own now and then: nobody watches, but a log of a build without any looks as if it hangs.
    Log,
    Nothing,
}

impl Progress {
    /// Shown if standard error is a terminal.
    pub fn on_terminal() -> Progress {
        Progress::from(Instant::now(), Display::Nothing)
    }

    /// The same for work that often ends at once.
    pub fn after_a_while() -> Progress {
        Progress::from(Instant::now() + DELAY, Display::Nothing)
    }

    /// The same, and where there is no terminal a line now and then if it takes long.
    pub fn also_without_terminal() -> Progress {
        Progress::from(Instant::now() + DELAY, Display::Log)
    }

    /// The same for work that has no steps to show.
    pub fn with_text(text: &str) -> Progress {
        let progress = Progress::after_a_while();
        progress.set_text(text);
        progress
    }

    fn from(from: Instant, without_terminal: Display) -> Progress {
        let display = if std::io::stderr().is_terminal() { Display::Line } else { without_terminal };
        let progress = Progress { display, from, last_bar: Cell::new(None), current: Arc::default() };
        // Weak, so that the thread ends with the work instead of living on.
        let current = Arc::downgrade(&progress.current);
        let watch: Option<fn(&Weak<Shown>)> = match display {
            Display::Line => {
                // Ctrl-C would leave the line on the terminal, and the prompt of the shell behind it.
                interrupt::at_exit(clear_for_good);
                Some(keep_alive)
            }
            Display::Log => Some(write_log),
            Display::Nothing => None,
        };
        if let Some(watch) = watch {
            // The first step may take long, and the line would not change before its end. Without
            // a thread, the line changes only with each step.
            drop(std::thread::Builder::new().spawn(move || watch(&current)));
        }
        progress
    }

    /// Replaces the text.
    pub fn set_text(&self, text: &str) {
        if self.display != Display::Nothing {
            let text = one_line(text);
            change(&self.current, |current| {
                let now = Instant::now();
                let since = current
                    .take()
                    .filter(|current| current.text == text)
                    .map_or(now, |current| current.since);
                if now >= self.from && self.display == Display::Line {
                    write(&text);
                }
                *current = Some(ProgressText { text, since });
            });
        }
    }

    /// Replaces the text with a bar.
    pub fn bar(&self, doing: &str, (done, all): (usize, usize)) {
        let now = Instant::now();
        // A run over a large project has a hundred thousand steps, and nobody can read them all. What begins without a
        // step may take long.
        let is_early = |(last, before): (Instant, usize)| {
            now.duration_since(last) < BETWEEN_BARS && before != done && done < all
        };
        if self.last_bar.get().is_some_and(is_early) {
            return;
        }
        self.last_bar.set(Some((now, done)));
        match self.display {
            Display::Line => self.set_text(&bar(doing, (done, all))),
            Display::Log => self.set_text(&log_text(doing, (done, all))),
            Display::Nothing => {}
        }
    }

    /// Shows how far the index is.
    pub fn step(&self, step: StoreProgress) {
        self.set_text(&describe_step(step));
    }

    /// Clears the line.
    pub fn clear(&self) {
        change(&self.current, |current| {
            if current.take().is_some() && Instant::now() >= self.from && self.display == Display::Line {
                write("");
            }
        });
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Shows a text that was set before the line became visible, and how long it takes.
fn keep_alive(current: &Weak<Shown>) {
    let mut pause = DELAY;
    loop {
        std::thread::sleep(pause);
        let Some(current) = current.upgrade() else { return };
        change(&current, |current| current.iter().for_each(ProgressText::show));
        pause = TICK;
    }
}

/// Writes a line now and then.
fn write_log(current: &Weak<Shown>) {
    let mut pause = FIRST_LINE;
    loop {
        std::thread::sleep(pause);
        let Some(current) = current.upgrade() else { return };
        change(&current, |current| {
            if let Some(ProgressText { text, .. }) = current {
                // Progress is not worth an error.
                drop(writeln!(std::io::stderr(), "flyball: {text}"));
            }
        });
        pause = NEXT_LINE;
    }
}

impl ProgressText {
    fn show(&self) {
        let waited = self.since.elapsed();
        if waited < LONG {
            write(&self.text);
        } else {
            write(&format!("{} ({} s)", self.text, waited.as_secs()));
        }
    }
}

/// Writes under the lock, so that the line always shows the latest text.
fn change(current: &Shown, how: impl FnOnce(&mut Option<ProgressText>)) {
    how(&mut current.lock().unwrap_or_else(PoisonError::into_inner));
}

fn write(text: &str) {
    let mut err = std::io::stderr().lock();
    IS_VISIBLE.store(!text.is_empty(), Ordering::SeqCst);
    // A line that wraps could not be cleared again.
    let text = cut(text, columns().saturating_sub(1));
    // Progress is not worth an error.
    drop(write!(err, "\r\u{1b}[K{text}").and_then(|()| err.flush()));
}

fn columns() -> usize {
    flyball_system::columns_of_stderr().unwrap_or(COLUMNS)
}

/// Clears the line before the process ends. The stream stays locked, so that no other line follows.
fn clear_for_good() {
    let mut err = std::io::stderr().lock();
    if IS_VISIBLE.load(Ordering::SeqCst) {
        // Progress is not worth an error.
        drop(write!(err, "\r\u{1b}[K").and_then(|()| err.flush()));
    }
    std::mem::forget(err);
}

fn bar(doing: &str, (done, all): (usize, usize)) -> String {
    let full = (done.min(all) * BAR).checked_div(all).unwrap_or(0);
    let digits = all.to_string().len();
    format!("{}{} {done:>digits$}/{all} {doing}", "━".repeat(full), "─".repeat(BAR - full))
}

fn log_text(doing: &str, (done, all): (usize, usize)) -> String {
    let number = |number: usize| grouped(&number.to_string(), ',');
    format!("{} of {} checks done ({doing})", number(done), number(all))
}

fn describe_step(step: StoreProgress) -> String {
    let amounts = |done: u64, all: u64| {
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        (number(done), number(all))
    };
    match step {
        StoreProgress::Waiting => "waiting for the record".to_owned(),
        StoreProgress::Upgrading => "upgrading the index to this version; this happens once".to_owned(),
        StoreProgress::Counting { done, all } => bar("events counted; this happens once", amounts(done, all)),
        StoreProgress::Folding { done, all } if all < MANY_BYTES => {
            bar("kB of journals read", amounts(done / 1024, all / 1024))
        }
        StoreProgress::Folding { done, all } => {
            bar("MB of journals read", amounts(done / MEGABYTE, all / MEGABYTE))
        }
        StoreProgress::Saving { done } => format!("reading the damaged index: {done} events"),
        StoreProgress::HeldBack(_) | StoreProgress::Tidying { forgotten: 0 } => {
            "cleaning up the record".to_owned()
        }
        StoreProgress::Tidying { forgotten } => {
            format!("cleaning up the record: {forgotten} old events deleted")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_grows_with_what_is_done_and_never_beyond_its_end() {
        let cases = [
            ((0, 0), "──────────────────────── 0/0 ruff"),
            ((0, 12), "────────────────────────  0/12 ruff"),
            ((3, 12), "━━━━━━──────────────────  3/12 ruff"),
            ((12, 12), "━━━━━━━━━━━━━━━━━━━━━━━━ 12/12 ruff"),
            ((13, 12), "━━━━━━━━━━━━━━━━━━━━━━━━ 13/12 ruff"),
        ];
        for (amounts, expected) in cases {
            assert_eq!(bar("ruff", amounts), expected, "{amounts:?}");
        }
    }

    #[test]
    fn a_line_of_a_log_has_no_bar() {
        assert_eq!(log_text("ruff", (12_000, 60_000)), "12,000 of 60,000 checks done (ruff)");
    }

    #[test]
    fn each_step_of_the_index_has_a_text_and_a_bar_if_its_end_is_known() {
        let cases = [
            (StoreProgress::Waiting, "waiting for the record"),
            (StoreProgress::Upgrading, "upgrading the index to this version; this happens once"),
            (
                StoreProgress::Counting { done: 500, all: 1_000 },
                "━━━━━━━━━━━━────────────  500/1000 events counted; this happens once",
            ),
            (
                StoreProgress::Folding { done: 1_048_576, all: 2_097_152 },
                "━━━━━━━━━━━━──────────── 1024/2048 kB of journals read",
            ),
            (
                StoreProgress::Folding { done: 125 * MEGABYTE, all: 500 * MEGABYTE },
                "━━━━━━────────────────── 125/500 MB of journals read",
            ),
            (StoreProgress::Saving { done: 7_000 }, "reading the damaged index: 7000 events"),
            (StoreProgress::Tidying { forgotten: 0 }, "cleaning up the record"),
            (StoreProgress::Tidying { forgotten: 2_000 }, "cleaning up the record: 2000 old events deleted"),
        ];
        for (step, expected) in cases {
            assert_eq!(describe_step(step), expected);
        }
    }
}
