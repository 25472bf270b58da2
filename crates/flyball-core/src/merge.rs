//! Makes one answer of all verdicts, by laws that hold for every set of policies:
//!
//! - deny beats ask beats allow beats silence, whatever the order of the policies;
//! - every reason is kept, in registry order, so that the agent learns all of them at once;
//! - rewrites compose in registry order, and are dropped with a deny;
//! - context is deduplicated and limited to a budget;
//! - follow-ups and the terminal's signals are kept in registry order, each once, also for a deny: the
//!   user wants to hear of refusals too;
//! - no verdict can turn another's deny into an allow.

use crate::pack::{Packed, pack};
use crate::policy_id::PolicyId;
use crate::verdict::{FollowUp, Reason, Restore, Signal, Stance, Verdict};

/// One reason with the policy that gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributedReason {
    pub policy: PolicyId,
    pub stance: Stance,
    /// Whether it is about something that the call reaches without naming it.
    pub incidental: bool,
    pub reason: Reason,
}

/// All verdicts as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    pub stance: Stance,
    /// Every reason, in registry order.
    pub reasons: Vec<AttributedReason>,
    /// The main text of the call after all rewrites, if any changed it.
    pub rewritten: Option<String>,
    /// Knowledge for the model.
    pub context: Packed,
    /// Notices for the user, in registry order, each once.
    pub notices: Vec<String>,
    /// Whether secrets are to be struck out of what the tool returned.
    pub strikes_output: bool,
    /// Files to restore.
    pub restores: Vec<Restore>,
    /// Programs to be started once the answer is out, in registry order, each once.
    pub follow_ups: Vec<FollowUp>,
    /// What the client's terminal should do, in registry order, each once.
    pub terminal: Vec<Signal>,
}

impl Merged {
    /// The reason that says most: the first one for the decision that is about what the call names, or else the first one.
    #[must_use]
    pub fn leading(&self) -> Option<&AttributedReason> {
        let decisive = || self.reasons.iter().filter(|it| it.stance == self.stance);
        decisive().find(|it| !it.incidental).or_else(|| decisive().next())
    }
}

/// What the merge needs to know beside the verdicts.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'a> {
    /// The present main text of the call, which rewrites start from.
    pub main_text: Option<&'a str>,
    /// How much context the model may be given, in UTF-16 units.
    pub context: usize,
}

/// Merges verdicts given in registry order.
#[must_use]
pub fn merge(verdicts: &[(PolicyId, Verdict)], bounds: Bounds<'_>) -> Merged {
    let stance = verdicts.iter().map(|(_, verdict)| verdict.stance).max().unwrap_or_default();
    Merged {
        stance,
        reasons: reasons(verdicts),
        rewritten: if stance == Stance::Deny { None } else { rewritten(verdicts, bounds.main_text) },
        context: pack(verdicts.iter().flat_map(|(_, verdict)| &verdict.context), bounds.context),
        notices: each_once(verdicts, |verdict| &verdict.notices),
        strikes_output: verdicts.iter().any(|(_, verdict)| verdict.strikes_output),
        restores: verdicts.iter().flat_map(|(_, verdict)| verdict.restores.clone()).collect(),
        follow_ups: each_once(verdicts, |verdict| &verdict.errands),
        terminal: each_once(verdicts, |verdict| &verdict.terminal),
    }
}

fn reasons(verdicts: &[(PolicyId, Verdict)]) -> Vec<AttributedReason> {
    let attributed = |(policy, verdict): &(PolicyId, Verdict)| {
        let (policy, stance, incidental) = (*policy, verdict.stance, verdict.incidental);
        let attribute = move |reason| AttributedReason { policy, stance, incidental, reason };
        verdict.reasons.clone().into_iter().map(attribute)
    };
    verdicts.iter().flat_map(attributed).collect()
}

fn rewritten(verdicts: &[(PolicyId, Verdict)], main_text: Option<&str>) -> Option<String> {
    let original = main_text?;
    let rewrites = verdicts.iter().flat_map(|(_, verdict)| &verdict.rewrites);
    let text = rewrites.fold(original.to_owned(), |text, rewrite| rewrite.apply(&text));
    (text != original).then_some(text)
}

fn each_once<T: Clone + PartialEq>(
    verdicts: &[(PolicyId, Verdict)],
    part: fn(&Verdict) -> &Vec<T>,
) -> Vec<T> {
    let mut unique: Vec<T> = Vec::new();
    for item in verdicts.iter().flat_map(|(_, verdict)| part(verdict)) {
        if !unique.contains(item) {
            unique.push(item.clone());
        }
    }
    unique
}

#[cfg(test)]
mod tests;
