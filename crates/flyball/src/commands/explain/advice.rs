//! What a person could do next about a decision.

use flyball_core::record::{Record, RecordedRuling};
use flyball_core::verdict::Stance;

use super::ModeNow;
use crate::show::record::{deciders, is_silent, would_be};

/// The ways on, most useful first; each is one sentence.
pub(super) fn next(record: &Record, modes_now: &[ModeNow]) -> Vec<String> {
    let mut next = Vec::new();
    for ruling in deciders(record).filter(|ruling| ruling.stance >= Stance::Ask) {
        next.extend(against(ruling, modes_now));
    }
    for ruling in would_be(record) {
        next.push(in_earnest(ruling));
    }
    if record.rulings.iter().any(|ruling| ruling.trouble.is_some()) {
        next.push("See what keeps a policy from judging: `flyball doctor`".to_owned());
    }
    if record.duplicate {
        next.push("See where flyball is registered twice: `flyball doctor`".to_owned());
    }
    if next.is_empty() && is_silent(record) {
        next.push(
            "Nothing to do: flyball had nothing to say, and the client went on as without it".to_owned(),
        );
    }
    next.push(format!("See what happened around it: `flyball log --session {}`", record.session));
    next
}

fn against(ruling: &RecordedRuling, modes_now: &[ModeNow]) -> Vec<String> {
    let policy = &ruling.policy;
    let mut ways = vec![format!("Read what it governs and what it lets pass: `flyball policies {policy}`")];
    match modes_now.iter().find(|now| now.policy == *policy) {
        Some(now) if now.mode == "enforce" => {
            ways.push(format!(
                "Watch it without being stopped: `mode = \"observe\"` below `[{policy}]` in flyball.toml"
            ));
            ways.push(format!(
                "Do without it once: start the client with `FLYBALL_SKIP={policy}`; that is recorded"
            ));
        }
        Some(now) => ways.push(format!("Today it would pass: the mode is {} now ({})", now.mode, now.origin)),
        None => ways.push("Today it would pass: this flyball has no such policy".to_owned()),
    }
    ways
}

fn in_earnest(ruling: &RecordedRuling) -> String {
    let policy = &ruling.policy;
    if ruling.skipped {
        return format!("Let {policy} count: start the client without it in `FLYBALL_SKIP`");
    }
    format!("Let {policy} count: `mode = \"enforce\"` below `[{policy}]` in flyball.toml")
}
