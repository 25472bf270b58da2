//! One line that says what is going on, for whoever waits at a terminal.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is over sooner needs no line: it would only flicker.
const PATIENCE: Duration = Duration::from_millis(300);
/// How wide the bar is.
const BAR: usize = 24;

/// The line on standard error; nothing where nobody looks.
pub(crate) struct Progress {
    is_shown: bool,
    from: Instant,
    /// What was said last, and is not over.
    said: Arc<Mutex<Option<String>>>,
}

impl Progress {
    /// Shown if standard error is a terminal.
    pub(crate) fn on_terminal() -> Progress {
        Progress::from(Instant::now())
    }

    /// The same for work that is often over at once.
    pub(crate) fn after_a_while() -> Progress {
        let progress = Progress::from(Instant::now() + PATIENCE);
        if progress.is_shown {
            let said = Arc::clone(&progress.said);
            // The first thing may take long, and nothing would be said before its end.
            drop(std::thread::Builder::new().spawn(move || {
                std::thread::sleep(PATIENCE);
                change(&said, |said| said.iter().for_each(|text| write(text)));
            }));
        }
        progress
    }

    fn from(from: Instant) -> Progress {
        Progress { is_shown: std::io::stderr().is_terminal(), from, said: Arc::default() }
    }

    /// Puts a text in the place of the one before.
    pub(crate) fn say(&self, text: &str) {
        if self.is_shown {
            change(&self.said, |said| {
                *said = Some(text.to_owned());
                if Instant::now() >= self.from {
                    write(text);
                }
            });
        }
    }

    /// Puts a bar in the place of the text before.
    pub(crate) fn bar(&self, doing: &str, (done, all): (usize, usize)) {
        self.say(&bar(doing, (done, all)));
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        change(&self.said, |said| {
            if said.take().is_some() && Instant::now() >= self.from {
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

/// Writes while nobody else changes what is said, so that the line holds what was said last.
fn change(said: &Mutex<Option<String>>, how: impl FnOnce(&mut Option<String>)) {
    how(&mut said.lock().unwrap_or_else(PoisonError::into_inner));
}

fn write(text: &str) {
    let mut err = std::io::stderr().lock();
    // Nothing depends on it being seen.
    drop(write!(err, "\r\u{1b}[K{text}").and_then(|()| err.flush()));
}

fn bar(doing: &str, (done, all): (usize, usize)) -> String {
    let full = (done.min(all) * BAR).checked_div(all).unwrap_or(0);
    let digits = all.to_string().len();
    format!("{}{} {done:>digits$}/{all} {doing}", "━".repeat(full), "─".repeat(BAR - full))
}

#[cfg(test)]
mod tests {
    use super::bar;

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
}
