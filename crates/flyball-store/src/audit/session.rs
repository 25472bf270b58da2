//! One session: its journal, index and anchors compared.

use std::collections::BTreeSet;

use flyball_core::time::Time;

use super::journal::JournalWalk;
use super::walk::{Step, Walk};
use crate::chain::Link;
use crate::chain::{Finding, FindingKind, Witness};

/// A claim that an event had this link at some time.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) witness: Witness,
    pub(crate) at: Time,
    pub(crate) seq: u64,
    pub(crate) link: Option<Link>,
    /// The number up to which events were forgotten after it.
    pub(crate) forgotten_to: Option<u64>,
}

/// What is known of a session.
pub(crate) struct SessionEvidence<'a> {
    pub(crate) index: &'a Walk,
    pub(crate) journal: Option<&'a JournalWalk>,
    pub(crate) claims: &'a [Claim],
    /// How often its journal was cleaned up.
    pub(crate) tidy_count: u64,
    /// The highest number that was forgotten.
    pub(crate) forgotten_to: Option<u64>,
    /// How far its journal was folded.
    pub(crate) folded: u64,
}

impl SessionEvidence<'_> {
    /// Where the witnesses differ.
    pub(crate) fn compare(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        match self.journal {
            Some(journal) => {
                self.journal_against_index(journal, &mut found);
                found.extend(self.journal_cut_off(journal));
            }
            None => found.extend(self.journal_missing()),
        }
        found.extend(self.broken_claim());
        // A chain starts once, and once more for each journal that retention deleted.
        if self.index.beginnings > 1 + self.tidy_count {
            let finding = Finding::new(FindingKind::BeganAnew, Witness::Index, (1, 1));
            found.push(
                finding.with_detail("it started again at number 1, but flyball did not delete its journal"),
            );
        }
        found
    }

    fn steps(&self) -> impl Iterator<Item = &Step> + Clone {
        let journal = self.journal.map(|journal| journal.walk.steps.as_slice()).unwrap_or_default();
        self.index.steps.iter().chain(journal)
    }

    fn journal_against_index(&self, journal: &JournalWalk, found: &mut Vec<Finding>) {
        let in_index: BTreeSet<(u64, Option<Link>)> =
            self.index.steps.iter().map(|step| (step.name.seq, step.link)).collect();
        let numbers: BTreeSet<u64> = in_index.iter().map(|(seq, _)| *seq).collect();
        let folded: BTreeSet<u64> =
            journal.ends.iter().filter(|(_, end)| *end <= self.folded).map(|(seq, _)| *seq).collect();
        // A journal was cleaned up, and the index does not have the next one yet.
        let begins_anew =
            journal.walk.beginnings > 0 && self.index.beginnings <= self.tidy_count && self.tidy_count > 0;
        for step in &journal.walk.steps {
            let seq = step.name.seq;
            // One finding for an event: what the chain itself shows is more precise than a comparison.
            if in_index.contains(&(seq, step.link)) || self.is_named(seq) {
                continue;
            }
            if numbers.contains(&seq) && begins_anew {
                continue;
            }
            if numbers.contains(&seq) {
                let finding = Finding::new(FindingKind::Changed, Witness::Journal, (seq, seq));
                found.push(
                    finding.with_detail("the journal and the index have different events with this number"),
                );
            // What was not folded yet cannot be missing in the index.
            } else if folded.contains(&seq) && self.forgotten_to.is_none_or(|to| to < seq) {
                let is_end = numbers.last().is_none_or(|last| *last < seq);
                extend_or_push(found, (if is_end { FindingKind::CutOff } else { FindingKind::Removed }, seq));
            }
        }
    }

    /// Whether something is found about this number already.
    fn is_named(&self, seq: u64) -> bool {
        let journal = self.journal.iter().flat_map(|journal| &journal.walk.findings);
        let mut all = self.index.findings.iter().chain(journal);
        all.any(|finding| (finding.from..=finding.to).contains(&seq))
    }

    fn journal_cut_off(&self, journal: &JournalWalk) -> Option<Finding> {
        let chained = self.index.steps.iter().filter(|step| step.link.is_some());
        let last = chained.clone().map(|step| step.name.seq).max()?;
        let from = match journal.last {
            Some((seq, Some(link))) => {
                // Only if the index continues the journal's last link: else the two differ, which is found
                // elsewhere.
                let goes_on = chained.clone().any(|step| step.is_proven && step.before == Some(link));
                goes_on.then_some(seq + 1)?
            }
            Some((_, None)) => return None,
            None if self.tidy_count > 0 => return None,
            None => chained.map(|step| step.name.seq).min()?,
        };
        let finding = Finding::new(FindingKind::CutOff, Witness::Journal, (from, last));
        Some(finding.with_detail("the index has events that are missing in the journal"))
    }

    fn journal_missing(&self) -> Option<Finding> {
        let has_chain = self.index.steps.iter().any(|step| step.link.is_some());
        let finding = || Finding::new(FindingKind::JournalMissing, Witness::Journal, (0, 0));
        (has_chain && self.tidy_count == 0)
            .then(|| finding().with_detail("its journal is missing, but flyball did not delete it"))
    }

    /// The last claim that does not hold, and is not explained by forgetting.
    fn broken_claim(&self) -> Option<Finding> {
        let have: BTreeSet<(u64, Option<Link>)> =
            self.steps().map(|step| (step.name.seq, step.link)).collect();
        let holds = |claim: &&Claim| {
            claim.forgotten_to.is_some_and(|to| to >= claim.seq) || have.contains(&(claim.seq, claim.link))
        };
        // The last one says most: earlier claims about the same history would only repeat it.
        let claim = self.claims.iter().rev().find(|claim| !holds(claim))?;
        let last = self.steps().map(|step| step.name.seq).max();
        let about = |what, range| {
            let mut finding = Finding::new(what, claim.witness, range);
            finding.claimed_at = Some(claim.at);
            finding
        };
        match last {
            None => Some(
                about(FindingKind::SessionMissing, (1, claim.seq))
                    .with_detail(format!("it had reached number {}, and nothing is left", claim.seq)),
            ),
            Some(last) if last < claim.seq => Some(
                about(FindingKind::CutOff, (last + 1, claim.seq))
                    .with_detail(format!("it had reached number {}", claim.seq)),
            ),
            // Explained already by a finding about that event.
            Some(_) if self.is_named(claim.seq) => None,
            Some(_) => {
                let is_there = self.steps().any(|step| step.name.seq == claim.seq);
                let what = if is_there { FindingKind::Changed } else { FindingKind::Removed };
                Some(
                    about(what, (claim.seq, claim.seq))
                        .with_detail("it had another link: the history up to it was rewritten"),
                )
            }
        }
    }
}

/// Adds a number to the events that are missing in the index.
fn extend_or_push(found: &mut Vec<Finding>, (what, seq): (FindingKind, u64)) {
    let is_next =
        |last: &&mut Finding| last.kind == what && last.witness == Witness::Index && last.to + 1 == seq;
    let last = found.last_mut().filter(is_next);
    match last {
        Some(last) => last.to = seq,
        None => found.push(
            Finding::new(what, Witness::Index, (seq, seq))
                .with_detail("it is in the journal, and it was in the index"),
        ),
    }
}
