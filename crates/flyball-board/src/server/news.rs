//! What happened after a row: how much, and the last few events.

use flyball_core::event::{EventKind, ToolKind};
use flyball_core::verdict::Stance;
use flyball_store::{Filter, Page, Queries, StoreError, StoredEvent};
use serde::Serialize;

/// How many events are sent one by one.
const LAST: usize = 10;
/// How far back they are looked for, in rows: some of these are duplicates, which are not sent.
const ROWS: i64 = 40;
/// How much of a subject is sent.
const SUBJECT: usize = 120;

/// One message of the stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct News {
    /// The newest row: where to go on from.
    pub(super) row: i64,
    /// How many events there were, each call once.
    pub(super) events: u64,
    /// How many of them were denied.
    pub(super) denials: u64,
    /// How many of them are not sent one by one.
    more: u64,
    /// The last of them, oldest first.
    last: Vec<NewsEvent>,
    /// Whether the store is another one than before, so that nothing seen before counts.
    #[serde(rename = "reset", skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_reset: bool,
}

/// One event, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct NewsEvent {
    row: i64,
    answer: String,
    kind: &'static str,
    stance: &'static str,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'static str>,
    subject: String,
    client: String,
    session: String,
    project: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
}

impl News {
    /// What was added after that row; without one, only where to go on from.
    pub(super) fn after(index: &dyn Queries, after: Option<i64>) -> Result<News, StoreError> {
        let arrivals = index.arrivals(after.unwrap_or(i64::MAX))?;
        let (row, events, denials) = (arrivals.newest, arrivals.events, arrivals.denials);
        // Rows only grow; a smaller one means that the index was built again.
        let is_reset = after.is_some_and(|after| after > row);
        let last = match after {
            Some(after) if events > 0 => last(index, after.max(row - ROWS), row)?,
            Some(_) | None => Vec::new(),
        };
        let more = events.saturating_sub(last.len() as u64);
        Ok(News { row, events, denials, more, last, is_reset })
    }
}

fn last(index: &dyn Queries, after: i64, newest: i64) -> Result<Vec<NewsEvent>, StoreError> {
    let filter = Filter { page: Page::After(after), ..Filter::default() };
    // What came between the count and now is sent the next time.
    let events: Vec<StoredEvent> =
        index.events(&filter)?.into_iter().filter(|event| event.row <= newest).collect();
    let skipped = events.len().saturating_sub(LAST);
    Ok(events.into_iter().skip(skipped).map(news_event).collect())
}

fn news_event(event: StoredEvent) -> NewsEvent {
    let record = event.record;
    NewsEvent {
        row: event.row,
        answer: record.id.as_str().to_owned(),
        kind: EventKind::name(record.kind),
        stance: Stance::name(record.stance),
        outcome: record.outcome().name(),
        tool: record.tool.map(ToolKind::name),
        subject: record.subject.chars().take(SUBJECT).collect(),
        client: record.client,
        session: record.session.as_str().to_owned(),
        project: record.project,
        agent: record.agent.map(|agent| agent.id),
    }
}
