//! Fills stores, journals and transcripts to sizes that take people months.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use flyball_core::event::{AnswerId, CallKey, EventKind, SessionId, ToolKind};
use flyball_core::record::Record;
use flyball_core::time::{DAY, Time};
use flyball_core::verdict::Stance;
use flyball_store::Store;

use super::scratch::write_failed;
use flyball::history::{WAIT, fold_all};
use flyball::outcome::Failed;
use flyball::progress::Progress;

/// Events of one session in a full store.
const PER_SESSION: u64 = 500;
/// The time between two events: enough that no two count as the same call.
const APART: Duration = Duration::from_millis(2_100);

/// Adds this many events to a store, as hooks and folding would.
pub(super) fn store(store: &Store, events: u64, progress: &Progress) -> Result<(), Failed> {
    let start = Time::now() - APART.saturating_mul(u32::try_from(events).unwrap_or(0));
    for first in (0..events).step_by(usize::try_from(PER_SESSION).unwrap_or(1)) {
        progress.set_text(&format!("filling a store: {first} of {events} events"));
        let session = SessionId::new(&format!("filled-{first}"));
        for number in first..events.min(first + PER_SESSION) {
            let at = start + APART.saturating_mul(u32::try_from(number).unwrap_or(0));
            commit(store, Record { id: AnswerId::from_seed(number), ..record(&session, at) })?;
        }
    }
    progress.set_text(&format!("folding {events} events into the index"));
    fold(store)
}

/// Makes a journal of at least this many bytes, and folds it.
pub(super) fn journal(store: &Store, session: &str, bytes: u64) -> Result<(), Failed> {
    let session = SessionId::new(session);
    let mut at = Time::now() - DAY;
    let content = "x".repeat(16 * 1024);
    loop {
        at += APART;
        let long = Record { payload: Some(content.clone()), ..record(&session, at) };
        let committed = commit(store, long)?;
        // A fold is due just now, so the next one is not due during the measurement.
        if committed.journal_bytes >= bytes && committed.is_fold_due() {
            return fold(store);
        }
    }
}

/// Makes a transcript of about this many bytes.
pub(super) fn transcript(path: &Path, bytes: usize) -> Result<(), Failed> {
    let text = "a sentence that an agent wrote, and nobody read to its end; ".repeat(16);
    let line = serde_json::json!({ "type": "assistant", "message": { "content": text } }).to_string();
    let write = || -> std::io::Result<()> {
        let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
        for _ in 0..bytes / line.len() {
            writeln!(file, "{line}")?;
        }
        file.flush()
    };
    write().map_err(|cause| write_failed(path, &cause))
}

fn commit(store: &Store, mut record: Record) -> Result<flyball_store::Committed, Failed> {
    let journal = store.session(&record.client, &record.session, WAIT);
    journal.commit(&mut record).map_err(Failed::from)
}

fn fold(store: &Store) -> Result<(), Failed> {
    let folded = fold_all(store, Time::now());
    folded.map_err(|problem| Failed::new(problem.to_string(), "use --quick if the disk is full"))
}

fn record(session: &SessionId, at: Time) -> Record {
    Record {
        id: AnswerId::from_seed(u64::try_from(at.as_micros()).unwrap_or_default()),
        at,
        client: "claude-code".to_owned(),
        session: session.clone(),
        agent: None,
        project: "/home/dev/project".to_owned(),
        kind: EventKind::BeforeTool,
        native: "PreToolUse".to_owned(),
        tool: Some(ToolKind::Shell),
        subject: "uv run pytest -q".to_owned(),
        call: CallKey::from_payload(&at.as_micros().to_le_bytes()),
        duplicate: false,
        stance: Stance::Silent,
        said: String::new(),
        context_chars: 0,
        notices: Vec::new(),
        rewritten: false,
        rulings: Vec::new(),
        took: Duration::from_micros(400),
        payload: None,
    }
}
