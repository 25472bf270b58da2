//! What a replay came to, counted.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use flyball_core::event::{EventKind, ToolKind};
use flyball_core::time::Time;
use flyball_core::verdict::Stance;

use super::compare::{Change, NewAnswer, PastOutcome};
use crate::replay::Unjudged;

/// So many subjects are counted of each group: what is repeated shows up early.
const MOST_SUBJECTS: usize = 5_000;

/// An event whose answer would differ, or any event where all are asked for.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) at: Time,
    pub(super) session: String,
    pub(super) agent: Option<String>,
    pub(super) project: String,
    pub(super) kind: EventKind,
    pub(super) tool: Option<ToolKind>,
    pub(super) subject: String,
    pub(super) past_outcome: PastOutcome,
    pub(super) new_answer: NewAnswer,
    pub(super) changes: Vec<(Change, BTreeSet<String>)>,
    /// Whether the answer rests on files or a repository as they are today.
    pub(super) rests_on_today: bool,
    /// Whether the event had lost something before it was stored.
    pub(super) is_altered: bool,
}

/// The differences of one kind by one policy.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) count: usize,
    /// Characters of context, more or less than then.
    pub(super) chars: i64,
    pub(super) subjects: HashMap<String, usize>,
}

impl Group {
    /// The subjects that came more than once, the most frequent first.
    pub(super) fn repeated(&self, most: usize) -> Vec<(&str, usize)> {
        let mut repeated: Vec<(&str, usize)> = self
            .subjects
            .iter()
            .filter(|(_, count)| **count > 1)
            .map(|(text, count)| (text.as_str(), *count))
            .collect();
        repeated.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
        repeated.truncate(most);
        repeated
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) sessions: usize,
    /// Of them, those whose folder is gone.
    pub(super) without_folder: usize,
    pub(super) events: usize,
    pub(super) calls: usize,
    pub(super) answers: BTreeMap<Stance, usize>,
    /// Events whose answer would differ.
    pub(super) differing: usize,
    /// Of them, those that rest on today's files.
    pub(super) resting_on_today: usize,
    pub(super) groups: BTreeMap<(String, String), Group>,
    /// Events that could not be judged.
    pub(super) unjudged: BTreeMap<Unjudged, usize>,
    /// Events that were judged on less than the client had sent.
    pub(super) altered: usize,
    /// Policies that would have run something, and at how many events.
    pub(super) would_run: BTreeMap<String, usize>,
    /// Policies that had found something by running it, and at how many events: not compared.
    pub(super) had_run: BTreeMap<String, usize>,
    /// Lines of transcripts that could not be read.
    pub(super) unreadable_lines: usize,
    /// Transcripts that could not be read, and why.
    pub(super) unread: Vec<String>,
}

impl Tally {
    /// Counts one event that was judged.
    pub(super) fn count(&mut self, entry: &Entry) {
        self.events += 1;
        self.calls += usize::from(entry.kind == EventKind::BeforeTool);
        *self.answers.entry(entry.new_answer.stance).or_default() += 1;
        self.altered += usize::from(entry.is_altered);
        for policy in &entry.new_answer.would_run {
            *self.would_run.entry(policy.clone()).or_default() += 1;
        }
        if entry.changes.is_empty() {
            return;
        }
        self.differing += 1;
        self.resting_on_today += usize::from(entry.rests_on_today);
        for (change, policies) in &entry.changes {
            for policy in policies {
                self.groups.entry((policy.clone(), change.words())).or_default().add(entry, change);
            }
        }
    }

    /// Adds what another session came to.
    pub(super) fn add(&mut self, other: Tally) {
        self.sessions += other.sessions;
        self.without_folder += other.without_folder;
        self.events += other.events;
        self.calls += other.calls;
        self.differing += other.differing;
        self.resting_on_today += other.resting_on_today;
        self.altered += other.altered;
        self.unreadable_lines += other.unreadable_lines;
        self.unread.extend(other.unread);
        add_all(&mut self.answers, other.answers);
        add_all(&mut self.unjudged, other.unjudged);
        add_all(&mut self.would_run, other.would_run);
        add_all(&mut self.had_run, other.had_run);
        for (key, group) in other.groups {
            let own = self.groups.entry(key).or_default();
            own.count += group.count;
            own.chars += group.chars;
            for (subject, count) in group.subjects {
                own.count_subject(&subject, count);
            }
        }
    }

    /// How many events could not be judged.
    pub(super) fn unjudged_events(&self) -> usize {
        self.unjudged.values().sum()
    }

    /// Whether everything that was asked for could be looked at.
    pub(super) fn is_complete(&self) -> bool {
        self.unjudged_events() == 0 && self.unread.is_empty()
    }
}

impl Group {
    fn add(&mut self, entry: &Entry, change: &Change) {
        self.count += 1;
        if let Change::Context { then, now } = change {
            let chars = |amount: usize| i64::try_from(amount).unwrap_or_default();
            self.chars += chars(*now) - chars(*then);
        }
        self.count_subject(&entry.subject, 1);
    }

    fn count_subject(&mut self, subject: &str, count: usize) {
        if let Some(known) = self.subjects.get_mut(subject) {
            *known += count;
        // Bounds the memory of a replay of years.
        } else if self.subjects.len() < MOST_SUBJECTS && !subject.is_empty() {
            self.subjects.insert(subject.to_owned(), count);
        }
    }
}

fn add_all<K: Ord>(own: &mut BTreeMap<K, usize>, other: BTreeMap<K, usize>) {
    for (key, count) in other {
        *own.entry(key).or_default() += count;
    }
}
