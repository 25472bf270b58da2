//! Which end belongs to which beginning of a call. Records do not name the call, so it is recognised by agent, tool and subject.

use std::collections::{BTreeMap, VecDeque};

use flyball_core::event::EventKind;
use flyball_core::record::Record;
use flyball_core::verdict::Stance;
use flyball_store::StoredEvent;

/// The agent's id; empty for the main one.
pub(super) fn agent_of(record: &Record) -> &str {
    record.agent.as_ref().map_or("", |agent| agent.id.as_str())
}

/// Calls with their ends, from events in order of time. Of calls that look the same the first ends first.
pub(super) fn paired(events: &[StoredEvent]) -> Vec<(&Record, &Record)> {
    let mut open: BTreeMap<(&str, &str, &str), VecDeque<&Record>> = BTreeMap::new();
    let mut pairs = Vec::new();
    for event in events {
        let record = &event.record;
        let Some(tool) = record.tool else { continue };
        let key = (agent_of(record), tool.name(), record.subject.as_str());
        match record.kind {
            // What was denied never ran.
            EventKind::BeforeTool if record.stance != Stance::Deny => {
                open.entry(key).or_default().push_back(record)
            }
            EventKind::AfterTool | EventKind::ToolFailed => {
                let before = open.get_mut(&key).and_then(VecDeque::pop_front);
                pairs.extend(before.map(|before| (before, record)));
            }
            _ => {}
        }
    }
    pairs
}
