//! One session with a tenth of all events: an agent that was left to itself for half a day, with its subagents.

use std::time::Duration;

use flyball_core::event::{Agent, AnswerId, CallKey, SessionId};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_store::{Filter, Store};

use flyball::history::{WAIT, fold_all};
use flyball::outcome::Failed;
use flyball::progress::Progress;

pub(super) const SESSION: &str = "marathon";
/// How long it goes on.
const DURATION: Duration = Duration::from_hours(12);
/// At most this many events of the store are repeated.
const SOURCE_EVENTS: usize = 400;

/// Adds the session to a store that has others, ending at a time.
pub(super) fn add(store: &Store, (events, until): (u64, Time), progress: &Progress) -> Result<(), Failed> {
    let index = store.open(None)?;
    let filter = Filter { limit: Some(SOURCE_EVENTS), ..Filter::default() };
    let source = index.events(&filter)?;
    drop(index);
    let (Some(first), many) = (source.first(), usize::try_from(events).unwrap_or(usize::MAX)) else {
        return Ok(());
    };
    let journal = store.session(&first.record.client, &SessionId::new(SESSION), WAIT);
    let step = DURATION / u32::try_from(events.max(1)).unwrap_or(u32::MAX);
    for (number, event) in (0..events).zip(source.iter().cycle()) {
        let at = until - DURATION + step * u32::try_from(number).unwrap_or(0);
        let mut record = Record { at, client: first.record.client.clone(), ..renewed(&event.record, number) };
        journal.commit(&mut record)?;
        if number % 1_000 == 0 {
            let done = usize::try_from(number).unwrap_or(many);
            progress.bar("filling the longest session", (done, many));
        }
    }
    fold_all(store, until).map_err(Failed::from)
}

/// The record as an event of this session.
fn renewed(record: &Record, number: u64) -> Record {
    let subagent =
        (number % 5 > 1).then(|| Agent { id: format!("a{}", number % 7), role: "worker".to_owned() });
    Record {
        id: AnswerId::from_seed((1 << 62) | number),
        session: SessionId::new(SESSION),
        agent: subagent,
        call: CallKey::from_payload(&number.to_be_bytes()),
        ..record.clone()
    }
}
