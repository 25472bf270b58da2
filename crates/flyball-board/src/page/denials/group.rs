//! Denials that have the rule and the project in common.

use std::collections::BTreeMap;

use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_store::StoredEvent;

use super::super::calls::{self, Repeated};
use crate::view_source::ViewSource;

/// The rule of a denial that no policy has on record.
pub(super) const UNKNOWN: &str = "no policy";

/// Denials by the same rule in the same project.
pub(super) struct Group<'a> {
    pub(super) policy: String,
    /// The rule, if it is one of the user's.
    pub(super) rule: Option<String>,
    pub(super) project: String,
    pub(super) first_at: Time,
    pub(super) last_at: Time,
    /// In how many sessions.
    pub(super) sessions: u64,
    pub(super) times: u64,
    /// What was denied, the most frequent first.
    pub(super) subjects: Vec<Subject<'a>>,
}

/// The same thing, however often and in whatever session.
pub(super) struct Subject<'a> {
    pub(super) latest: &'a Record,
    pub(super) times: u64,
}

impl Group<'_> {
    /// The rule by its name, with the policy that it belongs to.
    pub(super) fn name(&self) -> String {
        match &self.rule {
            Some(rule) => format!("{}: {rule}", self.policy),
            None => self.policy.clone(),
        }
    }

    /// The newest of all.
    pub(super) fn latest(&self) -> Option<&Record> {
        self.subjects.iter().map(|subject| subject.latest).max_by_key(|record| record.at)
    }
}

/// The denials by rule and project. One that several rules of a policy made is in the group of each.
pub(super) fn groups<'a>(events: &'a [StoredEvent], views: &dyn ViewSource) -> Vec<Group<'a>> {
    let mut found: BTreeMap<(String, Option<String>, &str), Vec<Repeated<'a>>> = BTreeMap::new();
    for row in calls::alike(events) {
        for (policy, rule) in rules(&row.call.event.record, views) {
            found.entry((policy, rule, &row.call.event.record.project)).or_default().push(row.clone());
        }
    }
    let group = |((policy, rule, project), rows): (_, Vec<Repeated<'a>>)| Group {
        policy,
        rule,
        project: str::to_owned(project),
        first_at: rows.iter().map(|row| row.oldest().event.record.at).min().unwrap_or_default(),
        last_at: rows.iter().map(|row| row.call.event.record.at).max().unwrap_or_default(),
        sessions: sessions(&rows),
        times: rows.iter().map(|row| row.times() as u64).sum(),
        subjects: subjects(&rows),
    };
    found.into_iter().map(group).collect()
}

/// Who denied it: the first policy that did, and the rules within it. Others that objected as well, or only report that it
/// was tried before, would count the same denial again.
fn rules(record: &Record, views: &dyn ViewSource) -> Vec<(String, Option<String>)> {
    let Some(ruling) = record.deciders().next() else {
        // A record of an older flyball, or one that failed before any policy judged.
        return vec![(UNKNOWN.to_owned(), None)];
    };
    let names = views.rule_names(ruling);
    if names.is_empty() {
        return vec![(ruling.policy.clone(), None)];
    }
    names.into_iter().map(|name| (ruling.policy.clone(), Some(name))).collect()
}

fn sessions(rows: &[Repeated<'_>]) -> u64 {
    let mut ids: Vec<_> = rows.iter().map(|row| &row.call.event.record.session).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.len() as u64
}

fn subjects<'a>(rows: &[Repeated<'a>]) -> Vec<Subject<'a>> {
    let mut subjects: Vec<Subject<'a>> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        let record = &row.call.event.record;
        let times = row.times() as u64;
        match places.get(record.subject.as_str()).and_then(|place| subjects.get_mut(*place)) {
            Some(known) => known.times += times,
            None => {
                places.insert(&record.subject, subjects.len());
                subjects.push(Subject { latest: record, times });
            }
        }
    }
    // A stable sort: of those that are as frequent, the newest comes first.
    subjects.sort_by_key(|subject| std::cmp::Reverse(subject.times));
    subjects
}
