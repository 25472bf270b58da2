//! Which end belongs to which beginning of a call, and which events are repeats. Records do not name the call, so it is
//! recognised by session, agent, tool and subject.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use flyball_core::event::EventKind;
use flyball_core::record::Record;
use flyball_core::verdict::Stance;
use flyball_store::StoredEvent;

/// The agent's id; empty for the main one.
pub(super) fn agent_of(record: &Record) -> &str {
    record.agent.as_ref().map_or("", |agent| agent.id.as_str())
}

/// Calls with their ends, from events in order of time. Of calls that look the same the first ends first.
pub(super) fn paired<'a>(
    events: impl Iterator<Item = &'a StoredEvent>,
) -> Vec<(&'a StoredEvent, &'a StoredEvent)> {
    let mut open: BTreeMap<_, VecDeque<&StoredEvent>> = BTreeMap::new();
    let mut pairs = Vec::new();
    for event in events {
        let record = &event.record;
        let Some(tool) = record.tool else { continue };
        let key = (&record.client, &record.session, agent_of(record), tool.name(), record.subject.as_str());
        match record.kind {
            // What was denied never ran.
            EventKind::BeforeTool if record.stance != Stance::Deny => {
                open.entry(key).or_default().push_back(event);
            }
            EventKind::AfterTool | EventKind::ToolFailed => {
                let before = open.get_mut(&key).and_then(VecDeque::pop_front);
                pairs.extend(before.map(|before| (before, event)));
            }
            _ => {}
        }
    }
    pairs
}

/// What a list shows in one row: an event, or a call from before to after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Call<'a> {
    pub(super) event: &'a StoredEvent,
    /// What came after the call, if `event` is what came before it.
    pub(super) after: Option<&'a StoredEvent>,
}

impl<'a> Call<'a> {
    /// The event that decided more; what came before, if both decided the same.
    pub(super) fn decisive(&self) -> &'a StoredEvent {
        self.after.filter(|after| after.record.outcome() > self.event.record.outcome()).unwrap_or(self.event)
    }

    /// What it has in common with its repeats.
    fn key(&self) -> impl PartialEq + use<'a> {
        let record = &self.event.record;
        let decided = |event: &'a StoredEvent| {
            (event.record.kind, event.record.stance, event.record.deciders().next().map(|it| &it.policy))
        };
        (agent_of(record), record.tool, &record.subject, decided(self.event), self.after.map(decided))
    }
}

/// A call, and those like it that came right before it in the same session.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Repeated<'a> {
    /// The newest.
    pub(super) call: Call<'a>,
    /// The others, newest first.
    pub(super) earlier: Vec<Call<'a>>,
}

impl Repeated<'_> {
    /// How often it came.
    pub(super) fn times(&self) -> usize {
        self.earlier.len() + 1
    }

    /// The oldest of them.
    pub(super) fn oldest(&self) -> &Call<'_> {
        self.earlier.last().unwrap_or(&self.call)
    }
}

/// The rows of a list of events, newest first, in the order of the events.
pub(super) fn rows(events: &[StoredEvent]) -> Vec<Repeated<'_>> {
    let pairs = paired(events.iter().rev());
    let ends: BTreeSet<i64> = pairs.iter().map(|(_, after)| after.row).collect();
    let afters: BTreeMap<i64, &StoredEvent> =
        pairs.into_iter().map(|(before, after)| (before.row, after)).collect();
    let calls = events
        .iter()
        .filter(|event| !ends.contains(&event.row))
        .map(|event| Call { event, after: afters.get(&event.row).copied() });
    let mut rows: Vec<Repeated<'_>> = Vec::new();
    // Sessions run beside each other: each has its own row that the next event may repeat.
    let mut last: BTreeMap<_, usize> = BTreeMap::new();
    for call in calls {
        let session = (&call.event.record.client, &call.event.record.session);
        match last.get(&session).and_then(|place| rows.get_mut(*place)) {
            Some(row) if row.call.key() == call.key() => row.earlier.push(call),
            _ => {
                last.insert(session, rows.len());
                rows.push(Repeated { call, earlier: Vec::new() });
            }
        }
    }
    rows
}

/// The same, whatever came in between: for lists of what was stopped, which an agent tries again later.
pub(super) fn alike(events: &[StoredEvent]) -> Vec<Repeated<'_>> {
    let mut rows: Vec<Repeated<'_>> = Vec::new();
    // By what is cheap to look up: a list may have thousands that have nothing in common.
    let mut places: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for event in events {
        let call = Call { event, after: None };
        let record = &event.record;
        let known = places.entry((&record.client, &record.session, &record.subject)).or_default();
        let same = known
            .iter()
            .copied()
            .find(|place| rows.get(*place).is_some_and(|row| row.call.key() == call.key()));
        match same.and_then(|place| rows.get_mut(place)) {
            Some(row) => row.earlier.push(call),
            None => {
                known.push(rows.len());
                rows.push(Repeated { call, earlier: Vec::new() });
            }
        }
    }
    rows
}

/// How many of the events, newest first, belong on a page of about `most`: a call is not cut in two if its beginning
/// comes soon after.
pub(super) fn page_length(events: &[StoredEvent], most: usize) -> usize {
    const FURTHER: usize = 20;
    let places: BTreeMap<i64, usize> =
        events.iter().enumerate().map(|(place, event)| (event.row, place)).collect();
    let place = |event: &StoredEvent| places.get(&event.row).copied().unwrap_or_default();
    let mut length = most.min(events.len());
    let mut pairs: Vec<(usize, usize)> = paired(events.iter().rev())
        .into_iter()
        .map(|(before, after)| (place(after), place(before)))
        .collect();
    pairs.sort_unstable();
    for (after, before) in pairs {
        if after < length && before >= length && before < most + FURTHER {
            length = before + 1;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use flyball_core::event::SessionId;
    use serde_json::json;

    use super::*;

    /// Events by what they are: session, kind, subject, decision. Newest first, as lists have them.
    fn events(all: &[(&str, &str, &str, &str)]) -> Vec<StoredEvent> {
        let event = |(row, (session, kind, subject, stance)): (usize, &(&str, &str, &str, &str))| {
            StoredEvent {
            row: i64::try_from(all.len() - row).unwrap(),
            seq: 0,
            record: serde_json::from_value(json!({
                "id": "a", "at": all.len() - row, "client": "c", "session": session, "project": "/p", "kind": kind,
                "native": "", "tool": "shell", "subject": subject, "call": 1, "stance": stance, "micros": 1,
            }))
            .unwrap(),
        }
        };
        all.iter().enumerate().map(event).collect()
    }

    fn shown(rows: &[Repeated<'_>]) -> Vec<(i64, Option<i64>, usize)> {
        rows.iter()
            .map(|row| (row.call.event.row, row.call.after.map(|after| after.row), row.times()))
            .collect()
    }

    #[test]
    fn before_and_after_of_a_call_are_one_row() {
        let events = events(&[
            ("s", "after_tool", "make", "silent"),
            ("other", "after_tool", "make", "silent"),
            ("s", "before_tool", "ls", "silent"),
            ("s", "before_tool", "make", "silent"),
            ("s", "stop", "", "silent"),
        ]);
        assert_eq!(shown(&rows(&events)), [(4, None, 1), (3, None, 1), (2, Some(5), 1), (1, None, 1)]);
        let call = rows(&events)[2].call;
        assert_eq!((call.event.record.session.clone(), call.decisive().row), (SessionId::new("s"), 2));
    }

    #[test]
    fn repeats_of_one_session_are_one_row_though_another_session_goes_on() {
        let events = events(&[
            ("s", "before_tool", "rm x", "deny"),
            ("other", "before_tool", "rm x", "deny"),
            ("s", "before_tool", "rm x", "deny"),
            ("s", "before_tool", "rm x", "silent"),
            ("s", "before_tool", "rm x", "deny"),
        ]);
        assert_eq!(shown(&rows(&events)), [(5, None, 2), (4, None, 1), (2, None, 1), (1, None, 1)]);
        assert_eq!(shown(&alike(&events)), [(5, None, 3), (4, None, 1), (2, None, 1)]);
        assert_eq!(rows(&events)[0].oldest().event.row, 3);
    }

    #[test]
    fn a_page_does_not_end_in_the_middle_of_a_call() {
        let events = events(&[
            ("s", "before_tool", "c", "silent"),
            ("s", "after_tool", "b", "silent"),
            ("s", "before_tool", "b", "silent"),
            ("s", "before_tool", "a", "silent"),
        ]);
        assert_eq!([1, 2, 3, 4, 9].map(|most| page_length(&events, most)), [1, 3, 3, 4, 4]);
    }
}
