//! What was, what would be, and how the two differ.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use flyball_clients::history::EventOutcome;
use flyball_core::config::Mode;
use flyball_core::engine::Ruling;
use flyball_core::pack::utf16_len;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::redact::redact;
use flyball_core::verdict::Stance;
use flyball_policies::{REGISTRY, undo};

use crate::replay::JudgedEvent;

/// What came of an event then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PastOutcome {
    /// flyball was silent, or no hook is known to have decided.
    Passed,
    Allowed,
    Asked,
    /// flyball or another hook stood in its way.
    Denied,
    Ran,
    Failed,
    /// The user, or a permission rule, refused it.
    Refused,
    /// The call has no result.
    Open,
}

impl PastOutcome {
    /// What a recorded stance was.
    const fn from_stance(stance: Stance) -> PastOutcome {
        match stance {
            Stance::Silent => PastOutcome::Passed,
            Stance::Allow => PastOutcome::Allowed,
            Stance::Ask => PastOutcome::Asked,
            Stance::Deny => PastOutcome::Denied,
        }
    }

    /// In a word or two: "… then".
    pub(super) const fn label(self) -> &'static str {
        match self {
            PastOutcome::Passed => "passed",
            PastOutcome::Allowed => "allowed",
            PastOutcome::Asked => "asked",
            PastOutcome::Denied => "denied",
            PastOutcome::Ran => "ran",
            PastOutcome::Failed => "failed",
            PastOutcome::Refused => "refused by the user",
            PastOutcome::Open => "no result",
        }
    }

    /// Whether an answer of today would have come to something else.
    fn differs_from(self, would: Stance) -> bool {
        match self {
            PastOutcome::Passed | PastOutcome::Allowed | PastOutcome::Asked | PastOutcome::Denied => {
                self != PastOutcome::from_stance(would)
            }
            // A transcript does not show whether somebody allowed it: silence and allow led to the same.
            PastOutcome::Ran | PastOutcome::Failed | PastOutcome::Open => would >= Stance::Ask,
            // Whoever is asked may say no again.
            PastOutcome::Refused => would == Stance::Deny,
        }
    }
}

/// What is known of an event's answer then.
#[derive(Clone, Debug, Default)]
pub(super) struct PastAnswer {
    pub(super) outcome: Option<PastOutcome>,
    /// Who decided it; empty where nobody wrote that down.
    pub(super) by: BTreeSet<String>,
    /// Characters of added context; `None` if they cannot be compared.
    pub(super) context: Option<usize>,
    /// Whether the call was rewritten; `None` if nobody knows.
    pub(super) rewritten: Option<bool>,
    /// Policies that had run programs.
    pub(super) had_run: BTreeSet<String>,
}

impl PastAnswer {
    /// What a record says. What policies found by running something cannot be found again: it is left out.
    pub(super) fn from_record(record: &Record) -> PastAnswer {
        let counted = |ruling: &&RecordedRuling| ruling.counts();
        let own = || record.rulings.iter().filter(counted).filter(|ruling| !runs_programs(&ruling.policy));
        // It would have been asked about without the copies, and here nothing is copied.
        let was_told = |ruling: &RecordedRuling| ruling.evidence.iter().any(|it| it.name == "told");
        let stance_of = |ruling: &RecordedRuling| {
            if was_told(ruling) { ruling.stance.max(Stance::Ask) } else { ruling.stance }
        };
        let stance = own().map(stance_of).max().unwrap_or_default();
        let spoke = |ruling: &&RecordedRuling| {
            ruling.stance != Stance::Silent || !ruling.evidence.is_empty() || !ruling.reasons.is_empty()
        };
        let worked: BTreeSet<String> = record
            .rulings
            .iter()
            .filter(counted)
            .filter(spoke)
            .filter(|ruling| runs_programs(&ruling.policy))
            // What it finds is no part of an answer.
            .filter(|ruling| ruling.policy != undo::POLICY.id.as_str())
            .map(|ruling| ruling.policy.clone())
            .collect();
        let by = own().filter(|ruling| stance_of(ruling) == stance && stance >= Stance::Ask);
        let is_whole = worked.is_empty() && !own().any(was_told);
        PastAnswer {
            outcome: Some(PastOutcome::from_stance(stance)),
            by: by.map(|ruling| ruling.policy.clone()).collect(),
            // The record has one number for all policies, so it cannot be split.
            context: is_whole.then_some(record.context_chars),
            // A denial takes the rewrite with it, also one that is left out here.
            rewritten: worked.is_empty().then_some(record.rewritten),
            had_run: worked,
        }
    }

    /// Takes in what a transcript tells later.
    pub(super) fn apply_outcome(&mut self, fate: EventOutcome) {
        match fate {
            EventOutcome::Ran => self.outcome = Some(PastOutcome::Ran),
            EventOutcome::Failed => self.outcome = Some(PastOutcome::Failed),
            EventOutcome::DeniedByHook => self.outcome = Some(PastOutcome::Denied),
            EventOutcome::Refused => self.outcome = Some(PastOutcome::Refused),
            EventOutcome::Injected(chars) => self.context = Some(self.context.unwrap_or_default() + chars),
        }
    }
}

/// Whether a policy runs something before it judges: then it is not asked here.
pub(super) fn runs_programs(policy: &str) -> bool {
    // Asked for each ruling of each event: hardly any policy is among them, so not all are gone through.
    static WORKING: LazyLock<Vec<&str>> = LazyLock::new(|| {
        REGISTRY.iter().filter(|known| known.gather.is_some()).map(|known| known.id.as_str()).collect()
    });
    WORKING.contains(&policy)
}

/// What the answer would be.
#[derive(Clone, Debug)]
pub(super) struct NewAnswer {
    pub(super) stance: Stance,
    pub(super) by: BTreeSet<String>,
    /// The first line of the first reason, without secrets.
    pub(super) reason: String,
    pub(super) context: usize,
    pub(super) context_by: BTreeSet<String>,
    pub(super) rewritten: bool,
    pub(super) rewritten_by: BTreeSet<String>,
    /// Policies that would have run something first.
    pub(super) would_run: BTreeSet<String>,
}

impl NewAnswer {
    /// What the policies say that need nothing to be run.
    pub(super) fn from_judged(again: &JudgedEvent) -> NewAnswer {
        let counted = |ruling: &&Ruling| ruling.mode == Mode::Enforce && !ruling.skipped;
        let own = || {
            again
                .judgement
                .rulings
                .iter()
                .filter(counted)
                .filter(|ruling| !runs_programs(ruling.policy.as_str()))
        };
        let named = |which: &dyn Fn(&Ruling) -> bool| -> BTreeSet<String> {
            own().filter(|ruling| which(ruling)).map(|ruling| ruling.policy.as_str().to_owned()).collect()
        };
        let stance = own().map(|ruling| ruling.verdict.stance).max().unwrap_or_default();
        let said = own()
            .filter(|ruling| ruling.verdict.stance == stance)
            .find_map(|ruling| ruling.verdict.reasons.first());
        let reason = said.filter(|_| stance >= Stance::Ask).map(|reason| first_line(&reason.text()));
        let merged = &again.judgement.merged;
        let would_work =
            again.judgement.rulings.iter().filter(|ruling| runs_programs(ruling.policy.as_str()));
        NewAnswer {
            stance,
            by: named(&|ruling| stance >= Stance::Ask && ruling.verdict.stance == stance),
            reason: reason.unwrap_or_default(),
            context: utf16_len(&merged.context.text),
            context_by: named(&|ruling| !ruling.verdict.context.is_empty()),
            rewritten: merged.rewritten.is_some(),
            rewritten_by: named(&|ruling| !ruling.verdict.rewrites.is_empty()),
            would_run: would_work.map(|ruling| ruling.policy.as_str().to_owned()).collect(),
        }
    }
}

fn first_line(text: &str) -> String {
    redact(text.lines().next().unwrap_or_default()).into_owned()
}

/// One way in which an answer would differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    Decision {
        was: PastOutcome,
        would: Stance,
    },
    /// The same decision, by others.
    Deciders {
        stance: Stance,
    },
    /// Other context would be added: characters then and now.
    Context {
        then: usize,
        now: usize,
    },
    /// The call would be rewritten.
    Rewrites,
    /// The call was rewritten, and would not be.
    LeavesAsIs,
}

impl Change {
    /// What kind of change it is, in words.
    pub(super) fn words(&self) -> String {
        match self {
            Change::Decision { was, would } => format!("{}, {} then", would_be(*would), was.label()),
            Change::Deciders { stance } => format!("{}, as then, but not by the same", would_be(*stance)),
            Change::Context { then: 0, .. } => "would tell the model something".to_owned(),
            Change::Context { now: 0, .. } => "would no longer tell the model something".to_owned(),
            Change::Context { .. } => "would tell the model something else".to_owned(),
            Change::Rewrites => "would be rewritten".to_owned(),
            Change::LeavesAsIs => "was rewritten, would not be".to_owned(),
        }
    }
}

const fn would_be(stance: Stance) -> &'static str {
    match stance {
        Stance::Silent => "would pass",
        Stance::Allow => "would be allowed",
        Stance::Ask => "would be asked",
        Stance::Deny => "would be denied",
    }
}

/// How the answer would differ, each way with the policies that make it so.
pub(super) fn changes(then: &PastAnswer, would: &NewAnswer) -> Vec<(Change, BTreeSet<String>)> {
    let mut changes = Vec::new();
    let was = then.outcome.unwrap_or(PastOutcome::Passed);
    if was.differs_from(would.stance) {
        let by = if would.stance >= Stance::Ask { would.by.clone() } else { those(&then.by) };
        changes.push((Change::Decision { was, would: would.stance }, by));
    } else if would.stance >= Stance::Ask && !then.by.is_empty() && then.by != would.by {
        changes.push((Change::Deciders { stance: would.stance }, would.by.clone()));
    }
    if let Some(before) = then.context.filter(|before| *before != would.context) {
        let by = if would.context > 0 { would.context_by.clone() } else { those(&BTreeSet::new()) };
        changes.push((Change::Context { then: before, now: would.context }, by));
    }
    match then.rewritten {
        Some(false) if would.rewritten => changes.push((Change::Rewrites, would.rewritten_by.clone())),
        // What is denied is not rewritten either; the denial is the difference.
        Some(true) if !would.rewritten && would.stance != Stance::Deny => {
            changes.push((Change::LeavesAsIs, those(&BTreeSet::new())));
        }
        _ => {}
    }
    changes
}

/// Those who decided then, where that is known.
fn those(by: &BTreeSet<String>) -> BTreeSet<String> {
    if by.is_empty() { BTreeSet::from(["(then)".to_owned()]) } else { by.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn would(stance: Stance) -> NewAnswer {
        NewAnswer {
            stance,
            by: BTreeSet::from(["guard.packages".to_owned()]),
            reason: String::new(),
            context: 0,
            context_by: BTreeSet::new(),
            rewritten: false,
            rewritten_by: BTreeSet::new(),
            would_run: BTreeSet::new(),
        }
    }

    #[test]
    fn what_ran_differs_only_from_what_would_be_in_its_way() {
        let words = |was, stance| {
            let then = PastAnswer { outcome: Some(was), ..PastAnswer::default() };
            changes(&then, &would(stance)).first().map(|(change, _)| change.words()).unwrap_or_default()
        };
        let cases = [
            (PastOutcome::Ran, Stance::Deny, "would be denied, ran then"),
            (PastOutcome::Failed, Stance::Ask, "would be asked, failed then"),
            (PastOutcome::Ran, Stance::Allow, ""),
            (PastOutcome::Ran, Stance::Silent, ""),
            (PastOutcome::Denied, Stance::Silent, "would pass, denied then"),
            (PastOutcome::Denied, Stance::Deny, ""),
            (PastOutcome::Refused, Stance::Ask, ""),
            (PastOutcome::Refused, Stance::Silent, ""),
            (PastOutcome::Refused, Stance::Deny, "would be denied, refused by the user then"),
            (PastOutcome::Passed, Stance::Allow, "would be allowed, passed then"),
            (PastOutcome::Asked, Stance::Deny, "would be denied, asked then"),
            (PastOutcome::Open, Stance::Deny, "would be denied, no result then"),
        ];
        for (was, stance, expected) in cases {
            assert_eq!(words(was, stance), expected, "{was:?} {stance:?}");
        }
    }

    #[test]
    fn the_same_denial_by_another_policy_is_a_change() {
        let by = |policy: &str| {
            let by = BTreeSet::from([policy.to_owned()]);
            changes(
                &PastAnswer { outcome: Some(PastOutcome::Denied), by, ..PastAnswer::default() },
                &would(Stance::Deny),
            )
        };
        assert_eq!(by("guard.packages"), []);
        let changes = by("rules");
        assert_eq!(
            changes.first().map(|(change, _)| change),
            Some(&Change::Deciders { stance: Stance::Deny })
        );
    }
}
