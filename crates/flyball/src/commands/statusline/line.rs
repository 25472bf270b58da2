//! The line as text; colours only emphasise it.

use flyball_core::text;
use flyball_policies::r#loop::feedback::report::Status;

use super::facts::{Facts, LoopProgress};
use crate::views::task::TaskProgress;

/// From here on the context is nearly full.
const FULL: u64 = 90;
const FILLING: u64 = 75;

const FAINT: &str = "2";
const GOOD: &str = "32";
const WARNING: &str = "33";
const BAD: &str = "31";
const PLAIN: &str = "";

/// Whether there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colours {
    Plain,
    Coloured,
}

impl Colours {
    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Colours::Coloured if !code.is_empty() => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            Colours::Coloured | Colours::Plain => text.to_owned(),
        }
    }
}

/// `flyball  loop 2/5: review open · 3 findings · 1 blocked · 4 held · task 2/4 · context 41%`.
pub(super) fn line(facts: &Facts, colours: Colours) -> String {
    let name = match &facts.config_error {
        Some(error) => colours.paint(BAD, &format!("flyball: {error}")),
        None => colours.paint(FAINT, "flyball"),
    };
    let parts: Vec<String> =
        parts(facts).into_iter().map(|(code, text)| colours.paint(code, &text)).collect();
    if parts.is_empty() { name } else { format!("{name}  {}", parts.join(" · ")) }
}

fn parts(facts: &Facts) -> Vec<(&'static str, String)> {
    let Facts { loop_progress: session_loop, findings, tally, task, context, config_error: _ } = facts;
    let session_loop =
        session_loop.as_ref().map(|progress| (colour_of(progress), format!("loop {}", progress.summary)));
    let findings = (*findings > 0).then(|| (BAD, text::counted(*findings, "finding")));
    let blocked = (tally.denied.blocked > 0).then(|| (WARNING, format!("{} blocked", tally.denied.blocked)));
    let held = (tally.denied.held > 0).then(|| (WARNING, format!("{} held", tally.denied.held)));
    let task = task.map(|task| (PLAIN, format!("task {}", progress(task))));
    let context = context.map(|percent| {
        let code = if percent >= FULL {
            BAD
        } else if percent >= FILLING {
            WARNING
        } else {
            FAINT
        };
        (code, format!("context {percent}%"))
    });
    [session_loop, findings, blocked, held, task, context].into_iter().flatten().collect()
}

const fn colour_of(progress: &LoopProgress) -> &'static str {
    match progress.status {
        Status::Escalated => BAD,
        Status::Passed => GOOD,
        Status::Idle | Status::Open | Status::Aborted | Status::HandedOver | Status::Ended => WARNING,
    }
}

/// `2/4`, `2/4 paused`.
fn progress(task: TaskProgress) -> String {
    let TaskProgress { phase, all, is_paused } = task;
    format!("{phase}/{all}{}", if is_paused { " paused" } else { "" })
}

/// The user's own format, filled in. Unknown placeholders stay as they are.
pub(super) fn filled(format: &str, facts: &Facts) -> String {
    let Facts { loop_progress: session_loop, findings, tally, task, context, config_error: error } = facts;
    let values = [
        ("{loop}", session_loop.as_ref().map(|progress| progress.summary.clone()).unwrap_or_default()),
        ("{findings}", findings.to_string()),
        ("{denials}", tally.denied.blocked.to_string()),
        ("{holds}", tally.denied.held.to_string()),
        ("{asks}", tally.asks.to_string()),
        ("{task}", task.map(progress).unwrap_or_default()),
        ("{context}", context.map(|percent| format!("{percent}%")).unwrap_or_default()),
        ("{policy_trouble}", error.clone().unwrap_or_default()),
    ];
    // In one pass, so that a value is never taken for a placeholder.
    let mut text = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        let found = values.iter().find(|(name, _)| from.starts_with(name));
        let (value, length) = found.map_or(("{", 1), |(name, value)| (value.as_str(), name.len()));
        text.push_str(value);
        rest = from.get(length..).unwrap_or_default();
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use flyball_core::outcome::DenialCounts;
    use flyball_store::SessionTally;

    use super::*;

    fn all() -> Facts {
        Facts {
            loop_progress: Some(LoopProgress {
                status: Status::Open,
                summary: "2/5: {task} open".to_owned(),
            }),
            findings: 3,
            tally: SessionTally { denied: DenialCounts { blocked: 1, held: 4, findings: 9 }, asks: 2 },
            task: Some(TaskProgress { phase: 2, all: 4, is_paused: false }),
            context: Some(91),
            config_error: Some("flyball.toml:12 broken".to_owned()),
        }
    }

    #[test]
    fn a_line_leaves_out_empty_parts() {
        assert_eq!(line(&Facts::default(), Colours::Plain), "flyball");
        let task = Some(TaskProgress { phase: 2, all: 4, is_paused: true });
        let paused = Facts { task, ..Facts::default() };
        assert_eq!(line(&paused, Colours::Plain), "flyball  task 2/4 paused");
        assert_eq!(filled("{task}", &paused), "2/4 paused");
        let quiet = Facts { context: Some(41), ..Facts::default() };
        assert_eq!(line(&quiet, Colours::Plain), "flyball  context 41%");
        assert_eq!(
            line(&quiet, Colours::Coloured),
            "\u{1b}[2mflyball\u{1b}[0m  \u{1b}[2mcontext 41%\u{1b}[0m"
        );
        assert_eq!(
            line(&all(), Colours::Plain),
            "flyball: flyball.toml:12 broken  loop 2/5: {task} open · 3 findings · 1 blocked · 4 held · task 2/4 · context 91%"
        );
    }

    #[test]
    fn the_users_format_is_filled_in_once() {
        let format =
            "{loop}|{findings}|{denials}|{holds}|{asks}|{task}|{context}|{policy_trouble}|{other}|{{task}|{";
        assert_eq!(
            filled(format, &all()),
            "2/5: {task} open|3|1|4|2|2/4|91%|flyball.toml:12 broken|{other}|{2/4|{"
        );
        assert_eq!(filled("{loop}{task}{context}{findings}", &Facts::default()), "0");
    }
}
