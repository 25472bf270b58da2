//! Records and stores to test with.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use flyball_core::config::StoreSettings;
use flyball_core::event::SessionId;
use flyball_core::policy::Memory;
use flyball_core::record::Record;
pub(crate) use flyball_core::time::{DAY, HOUR, MINUTE, SECOND, Time};
use flyball_store::{
    Committed, Consent, FoldOptions, JournalAccess, ReadStore, SessionJournal, SteadyTime, Store,
};
pub(crate) use flyball_testkit::{NOW, record, ruling};
use tempfile::TempDir;

/// Long enough for the slowest machine; a test that waits this long has failed anyway.
pub(crate) const LONG_WAIT: Duration = Duration::from_secs(60);

/// A store in a directory of its own.
pub(crate) struct Home {
    pub(crate) dir: TempDir,
    pub(crate) store: Store,
}

impl Home {
    pub(crate) fn new() -> Home {
        let dir = TempDir::new().unwrap();
        // Below a directory that is not there yet, as on the first day.
        let store = Store::at(&dir.path().join("state/flyball"));
        Home { dir, store }
    }

    pub(crate) fn commit(&self, record: &Record) -> Committed {
        let mut record = record.clone();
        self.store.session(&record.client, &record.session, LONG_WAIT).commit(&mut record).unwrap()
    }

    /// Commits with a change of one policy's state.
    pub(crate) fn commit_with(&self, record: &Record, key: &str, text: &str) -> Committed {
        let mut record = record.clone();
        let journal = self.store.session(&record.client, &record.session, LONG_WAIT);
        journal.write(key, text.to_owned()).unwrap();
        journal.commit(&mut record).unwrap()
    }

    /// The journal of a process that began when the machine had been awake for that long.
    pub(crate) fn journal_at(&self, awake: Duration) -> Arc<SessionJournal> {
        let access = JournalAccess { wait: LONG_WAIT, awake };
        self.store.session_at("claude-code", &session(), access)
    }

    pub(crate) fn read(&self, key: &str) -> Option<String> {
        self.store.session("claude-code", &session(), LONG_WAIT).read(key).unwrap()
    }

    pub(crate) fn index(&self) -> Box<dyn ReadStore> {
        self.index_at(NOW)
    }

    pub(crate) fn index_at(&self, now: Time) -> Box<dyn ReadStore> {
        self.store.open(Some(&options_at(&StoreSettings::default(), now))).unwrap()
    }

    pub(crate) fn journal_path(&self) -> std::path::PathBuf {
        self.store.session("claude-code", &session(), LONG_WAIT).path().to_owned()
    }

    pub(crate) fn state(&self) -> &Path {
        self.store.root()
    }
}

pub(crate) fn options_at(settings: &StoreSettings, now: Time) -> FoldOptions<'_> {
    // Each time, the machine was started in between: what was folded before is old if its time is.
    let boot = i64::try_from(now.as_millis() / 3_600_000).unwrap();
    let steady = SteadyTime { boot, since_boot: 1_000 * DAY };
    FoldOptions { settings, now, steady, consent: Consent::None, wait: LONG_WAIT }
}

/// The uptime of a machine that runs on, at a time.
pub(crate) fn steady_at(now: Time) -> SteadyTime {
    SteadyTime { boot: 1, since_boot: now.since(NOW - 100 * DAY) }
}

pub(crate) fn session() -> SessionId {
    SessionId::new("5f0c-1")
}
