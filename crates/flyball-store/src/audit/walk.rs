//! Walks along the chain of one session, by number, and finds where it breaks and why.

use crate::chain::{EventRef, Finding, FindingKind, Item, Link, Witness};

/// How many broken events are remembered, to find out whether they only changed places.
const MAX_BROKEN: usize = 128;

/// An event that was passed, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: EventRef,
    pub(crate) link: Option<Link>,
    /// The link that it was proven to continue; `None` also for a beginning.
    pub(crate) before: Option<Link>,
    pub(crate) is_proven: bool,
}

/// A broken event, and the links that it should have continued.
struct BrokenEvent {
    item: Item,
    before: Vec<Link>,
    previous: Option<EventRef>,
}

/// The walk. Events are given in the order of their numbers.
pub(crate) struct Walk {
    witness: Witness,
    /// Where the chain may go on although the event before is not there: number and link.
    known: Vec<(u64, Link)>,
    pub(crate) steps: Vec<Step>,
    /// The links of the number that is being walked, and of the one before.
    current: (u64, Vec<Link>),
    previous: (u64, Vec<Link>),
    last: Option<EventRef>,
    broken: Vec<BrokenEvent>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) beginnings: u64,
    pub(crate) unchained: u64,
}

impl Walk {
    pub(crate) fn new(witness: Witness, known: Vec<(u64, Link)>) -> Walk {
        Walk {
            witness,
            known,
            steps: Vec::new(),
            current: (0, Vec::new()),
            previous: (0, Vec::new()),
            last: None,
            broken: Vec::new(),
            findings: Vec::new(),
            beginnings: 0,
            unchained: 0,
        }
    }

    pub(crate) fn step(&mut self, item: Item) {
        let seq = item.name.seq;
        // A number may occur several times: after a journal was deleted, its session begins with 1 again.
        if seq != self.current.0 {
            self.previous = std::mem::replace(&mut self.current, (seq, Vec::new()));
        }
        let Some(link) = item.link else {
            self.unchained += 1;
            self.record_step(&item, (None, false));
            return;
        };
        // Any link of the number before will do: the walk does not know which of two histories an event is
        // of.
        let before = self.candidates(seq);
        let fitting = before.iter().copied().find(|before| item.fits(Some(*before)));
        let is_copy = self.current.1.contains(&link);
        if is_copy {
            self.findings
                .push(self.finding_at(&item, FindingKind::Inserted).with_detail("a copy of another event"));
        } else if let Some(fitting) = fitting {
            if self.is_continued(seq, fitting) {
                let finding = self.finding_at(&item, FindingKind::Inserted);
                self.findings
                    .push(finding.with_detail("two events continue the same one: one of them was added"));
            }
            self.record_step(&item, (Some(fitting), true));
        // A chain may also begin late, after events from before there were chains.
        } else if item.fits(None) && (seq == 1 || self.may_begin_with(seq, link)) {
            self.beginnings += 1;
            self.record_step(&item, (None, true));
        } else {
            self.break_at(item.clone(), before);
            self.record_step(&item, (None, false));
        }
        self.current.1.push(link);
        self.last = Some(item.name);
    }

    /// What was found, once all events were given.
    pub(crate) fn finish(&mut self) {
        // Only now: whether an event was changed or moved shows when all the others are known.
        let broken = std::mem::take(&mut self.broken);
        for (at, one) in broken.iter().enumerate() {
            let others =
                || broken.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, it)| it);
            // It continues an event that was moved, and is itself where it belongs.
            if others().any(|other| one.item.fits(other.item.link)) {
                self.prove(&one.item);
                continue;
            }
            let home = others().find(|other| one.belongs_to(other, &broken));
            self.findings.push(self.broken_finding(one, home));
        }
        self.findings.sort_by_key(|finding| (finding.from, finding.kind));
    }

    fn broken_finding(&self, one: &BrokenEvent, home: Option<&BrokenEvent>) -> Finding {
        let (what, detail) = match home {
            Some(home) => {
                (FindingKind::Reordered, format!("it was recorded as number {}", home.item.name.seq))
            }
            None if self.is_twin(&one.item) => {
                (FindingKind::Inserted, "another event has its number and its place".to_owned())
            }
            None if one.item.text.is_none() => (FindingKind::Changed, "its record is gone".to_owned()),
            None => (
                FindingKind::Changed,
                "its link does not match its content and the event before it".to_owned(),
            ),
        };
        let seq = one.item.name.seq;
        let mut finding = Finding::new(what, self.witness, (seq, seq)).with_detail(detail);
        finding.event = Some(one.item.name.clone());
        finding.before.clone_from(&one.previous);
        finding
    }

    /// Whether an event with this number continues that link already.
    fn is_continued(&self, seq: u64, link: Link) -> bool {
        let same = self.steps.iter().rev().take_while(|step| step.name.seq == seq);
        same.filter(|step| step.is_proven).any(|step| step.before == Some(link))
    }

    /// Whether another event has the number by right, and nothing continues this one.
    fn is_twin(&self, item: &Item) -> bool {
        let mut proven = self.steps.iter().filter(|step| step.is_proven);
        let has_right = proven.clone().any(|step| step.name.seq == item.name.seq);
        has_right && !proven.any(|step| step.before == item.link)
    }

    fn candidates(&self, seq: u64) -> Vec<Link> {
        let near = if self.previous.0 + 1 == seq { self.previous.1.as_slice() } else { &[] };
        let known = self.known.iter().filter(|(number, _)| number + 1 == seq).map(|(_, link)| *link);
        near.iter().copied().chain(known).collect()
    }

    /// Whether a chain may begin with this event: none is known before it, and none with another link here.
    fn may_begin_with(&self, seq: u64, link: Link) -> bool {
        let contradicts = |(number, known): &(u64, Link)| *number < seq || (*number == seq && *known != link);
        !self.known.iter().any(contradicts) && !self.steps.iter().any(|step| step.link.is_some())
    }

    fn record_step(&mut self, item: &Item, (before, is_proven): (Option<Link>, bool)) {
        self.steps.push(Step { name: item.name.clone(), link: item.link, before, is_proven });
        if item.link.is_none() {
            self.last = Some(item.name.clone());
        }
    }

    fn prove(&mut self, item: &Item) {
        let same = |step: &&mut Step| step.name.seq == item.name.seq && step.link == item.link;
        if let Some(step) = self.steps.iter_mut().find(same) {
            step.is_proven = true;
        }
    }

    fn break_at(&mut self, item: Item, before: Vec<Link>) {
        let seq = item.name.seq;
        // Nothing is there that it could continue: numbers are missing, the event itself may be genuine.
        if before.is_empty() && self.current.1.is_empty() && seq > 1 {
            self.report_gap(&item);
        } else if self.broken.len() < MAX_BROKEN {
            let previous = self.last.clone();
            self.broken.push(BrokenEvent { item, before, previous });
        } else {
            let finding = self.finding_at(&item, FindingKind::Changed);
            self.findings
                .push(finding.with_detail("its link does not match its content and the event before it"));
        }
    }

    /// The events before this one are not there.
    fn report_gap(&mut self, item: &Item) {
        let known = self.known.iter().map(|(number, _)| *number).filter(|number| *number < item.name.seq);
        let last = self.last.as_ref().map(|last| last.seq).filter(|last| *last < item.name.seq);
        let from = known.chain(last).max().unwrap_or(0) + 1;
        // No number is missing, so the event before it has lost its link.
        if from == item.name.seq {
            let mut finding = Finding::new(FindingKind::Changed, self.witness, (from - 1, from - 1));
            finding.event.clone_from(&self.last);
            finding.after = Some(item.name.clone());
            self.findings.push(finding.with_detail("its link is gone"));
            return;
        }
        let mut finding = Finding::new(FindingKind::Removed, self.witness, (from, item.name.seq - 1));
        finding.before.clone_from(&self.last);
        finding.after = Some(item.name.clone());
        self.findings.push(finding.with_detail("the numbers have a gap"));
    }

    fn finding_at(&self, item: &Item, what: FindingKind) -> Finding {
        let mut finding = Finding::new(what, self.witness, (item.name.seq, item.name.seq));
        finding.event = Some(item.name.clone());
        finding.before.clone_from(&self.last);
        finding
    }
}

impl BrokenEvent {
    /// Whether this event was recorded with the number of the other one.
    fn belongs_to(&self, other: &BrokenEvent, all: &[BrokenEvent]) -> bool {
        let moved = all.iter().filter_map(|broken| broken.item.link);
        other.before.iter().copied().chain(moved).any(|before| {
            let link = self.item.link_at(Some(before), other.item.name.seq);
            // Either only its number was changed, or its place was exchanged with the links left where they
            // were.
            link.is_some() && (link == self.item.link || link == other.item.link)
        })
    }
}
