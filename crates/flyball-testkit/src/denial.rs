//! What every denial has to be, whichever policy it comes from.

use flyball_core::answer::{Answer, SHOWN};
use flyball_core::event::{AnswerId, EventKind};
use flyball_core::merge::Merged;
use flyball_core::outcome::Outcome;
use flyball_core::verdict::Stance;

/// Policies whose reasons are the user's own words: these are shown as they are.
const OWN_WORDS: &[&str] = &["rules"];

/// What is wrong with the texts of a decision, one line each: it does not begin with the fix, a decision about a call is
/// longer than what clients show, or a line does not end with the policy and the id.
#[must_use]
pub fn denial_problems(merged: &Merged, kind: EventKind) -> Vec<String> {
    let outcome = Outcome::new(kind, merged.stance);
    if merged.stance < Stance::Ask {
        return Vec::new();
    }
    let answer = Answer::new(AnswerId::parse("4k7q2m8x"), merged.clone());
    let shown = answer.reason_text(kind);
    let mut problems = Vec::new();
    let mut rest = shown.as_str();
    for attributed in merged.reasons.iter().filter(|it| it.stance >= Stance::Ask) {
        let (policy, reason) = (attributed.policy.as_str(), &attributed.reason);
        let tag = format!("[flyball {policy} 4k7q2m8x]");
        // The reasons are in this order, each in front of its tag.
        let Some((line, behind)) = rest.split_once(&tag) else {
            // What the call does not name is told only if nothing else is.
            if !attributed.incidental {
                problems.push(format!("{policy}: no `{tag}` in: {rest}"));
            }
            continue;
        };
        rest = behind.trim_start_matches('\n');
        if OWN_WORDS.contains(&policy) {
            continue;
        }
        let is_short = matches!(outcome, Outcome::Blocked | Outcome::Asked);
        let is_list = reason.text().contains('\n');
        if !is_list && (reason.instead.is_empty() || !line.starts_with(&reason.instead)) {
            problems.push(format!("{policy}: it does not begin with the fix: {line}"));
        }
        let length = line.chars().count() + tag.chars().count();
        if is_short && !is_list && length > SHOWN {
            problems.push(format!("{policy}: {length} characters: {line}{tag}"));
        }
    }
    problems
}
