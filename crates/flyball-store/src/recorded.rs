//! What the journals have of each event, to compare an index with.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::chain::Link;
use crate::error::StoreError;
use crate::journal::{Entry, JournalFile, Reader, RecordLine, checksum};

/// The name of an event in every copy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EventKey {
    client: String,
    session: String,
    pub(crate) seq: u64,
    id: String,
}

impl EventKey {
    pub(crate) fn new(line: &RecordLine) -> EventKey {
        let record = &line.record;
        EventKey {
            client: record.client.clone(),
            session: record.session.as_str().to_owned(),
            seq: line.seq,
            id: record.id.to_string(),
        }
    }

    pub(crate) fn session(&self) -> (String, String) {
        (self.client.clone(), self.session.clone())
    }
}

/// An event of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordedEvent {
    fingerprint: u64,
    /// Whether the index says that it has it.
    pub(crate) is_folded: bool,
}

impl RecordedEvent {
    /// Whether another copy of the event is the same.
    pub(crate) fn is_same(&self, line: &RecordLine) -> bool {
        self.fingerprint == fingerprint(line)
    }
}

/// The events of all journals whose link is right: of two copies that differ, such a one is what was recorded.
#[derive(Default)]
pub(crate) struct Recorded {
    pub(crate) events: BTreeMap<EventKey, RecordedEvent>,
}

impl Recorded {
    /// Adds the events of a journal of which `folded` bytes are in the index.
    pub(crate) fn add(&mut self, journal: &JournalFile, folded: u64) -> Result<(), StoreError> {
        let Some(mut reader) = Reader::open(&journal.path, 0)? else { return Ok(()) };
        let mut before: Option<(u64, Option<Link>)> = None;
        while let Some(entry) = reader.next().map_err(|error| StoreError::io(&journal.path, error))? {
            let Entry::Record(line) = entry else { continue };
            let follows = before.filter(|(seq, _)| seq + 1 == line.seq);
            // Without the one before it, its checksum has to do.
            if follows.is_none_or(|(_, link)| is_bound(&line, link)) {
                let event =
                    RecordedEvent { fingerprint: fingerprint(&line), is_folded: reader.offset <= folded };
                self.events.entry(EventKey::new(&line)).or_insert(event);
            }
            before = Some((line.seq, line.link));
        }
        Ok(())
    }

    /// Whether a journal has an event that this one may be, if some of its names are wrong.
    pub(crate) fn has_similar(&self, line: &RecordLine) -> bool {
        let it = EventKey::new(line);
        let is_similar = |key: &EventKey| {
            key.seq == it.seq && (key.id == it.id || (&key.client, &key.session) == (&it.client, &it.session))
        };
        self.events.keys().any(is_similar)
    }

    /// Whether a journal has another version of this event.
    pub(crate) fn contradicts(&self, line: &RecordLine) -> bool {
        self.events.get(&EventKey::new(line)).is_some_and(|event| !event.is_same(line))
    }
}

fn is_bound(line: &RecordLine, before: Option<Link>) -> bool {
    let payload = line.payload.as_deref().map(str::as_bytes);
    line.link.is_none_or(|link| link == Link::compute(before, line.seq, line.text.as_bytes(), payload))
}

fn fingerprint(line: &RecordLine) -> u64 {
    let payload = line.payload.as_ref().map(|payload| checksum(payload.as_bytes()));
    let link = line.link.map(|link| *link.as_bytes());
    // From before there were chains, the same record may have been written in another form.
    let text = match line.link {
        Some(_) => Cow::Borrowed(&line.text),
        None => Cow::Owned(serde_json::to_string(&line.record).unwrap_or_default()),
    };
    checksum(format!("{link:?} {payload:?} {text}").as_bytes())
}
