//! How often a session was stopped, for callers that ask several times a second: without folding, and exact.

use flyball_core::event::SessionId;

use crate::database;
use crate::error::StoreError;
use crate::journal::{Entry, JournalFile, Reader, inode};
use crate::maintenance::SessionTally;
use crate::store::Store;

impl Store {
    /// How often a session was stopped: what the index has of it, and what its journal has beyond. Nothing is written,
    /// and no lock is waited for.
    ///
    /// # Errors
    /// When the index or the journal is there and cannot be read.
    pub fn tally(&self, client: &str, session: &SessionId) -> Result<SessionTally, StoreError> {
        let journal = self.journal_file(client, session);
        // The journal's file before the index: if a fold comes in between, events are counted once all the
        // same.
        let indexed = database::tally_session(&self.index_path(), client, session, journal.as_ref())?;
        let (mut tally, folded) = indexed.map_or_else(Default::default, |it| (it.tally, it.folded));
        let Some(journal) = journal else { return Ok(tally) };
        let Some(mut reader) = Reader::open(&journal.path, folded)? else { return Ok(tally) };
        while let Some(entry) = reader.next().map_err(|error| StoreError::io(&journal.path, error))? {
            if let Entry::Record(line) = entry
                && !line.record.duplicate
            {
                tally.count(line.record.outcome());
            }
        }
        Ok(tally)
    }

    fn journal_file(&self, client: &str, session: &SessionId) -> Option<JournalFile> {
        let path = self.sessions_dir().join(crate::name::for_session(client, session));
        let metadata = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file)?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some(JournalFile { len: metadata.len(), inode: inode(&metadata), path, name })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use flyball_core::config::StoreSettings;
    use flyball_core::outcome::DenialCounts;
    use flyball_core::record::Record;
    use flyball_core::time::Time;
    use serde_json::json;

    use super::*;
    use crate::maintenance::FoldOptions;

    fn commit(store: &Store, number: i64, (kind, stance): (&str, &str)) {
        let fields = json!({
            "id": format!("4k7q2m{number:02}"), "at": number * 10_000_000, "client": "c", "session": "s", "project": "/p",
            "kind": kind, "native": "", "call": number, "stance": stance, "micros": 1,
        });
        let mut record: Record = serde_json::from_value(fields).unwrap();
        store.session("c", &SessionId::new("s"), Duration::from_secs(5)).commit(&mut record).unwrap();
    }

    #[test]
    fn a_session_is_counted_before_and_after_it_is_folded() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path());
        let tally = || store.tally("c", &SessionId::new("s")).unwrap();
        assert_eq!(tally(), SessionTally::default());
        assert!(!folder.path().join("flyball.db").exists(), "reading makes no index");
        let (deny, hold, finding) = (("before_tool", "deny"), ("stop", "deny"), ("after_tool", "deny"));
        let ask = ("before_tool", "ask");
        for (number, event) in [(1, deny), (2, ("before_tool", "silent")), (3, ask), (4, hold)] {
            commit(&store, number, event);
        }
        let counted = |blocked, held, findings, asks| SessionTally {
            denied: DenialCounts { blocked, held, findings },
            asks,
        };
        assert_eq!(tally(), counted(1, 1, 0, 1));
        let settings = StoreSettings { keep_days: 100_000, ..StoreSettings::default() };
        let options = FoldOptions {
            now: Time::from_micros(60_000_000),
            ..FoldOptions::now(&settings, Duration::from_secs(5))
        };
        store.fold(&options).unwrap();
        assert_eq!(tally(), counted(1, 1, 0, 1));
        commit(&store, 5, finding);
        commit(&store, 6, deny);
        commit(&store, 6, deny);
        commit(&store, 7, ask);
        assert_eq!(tally(), counted(2, 1, 1, 2));
        store.fold(&options).unwrap();
        assert_eq!(tally(), counted(2, 1, 1, 2));
        assert_eq!(store.tally("other", &SessionId::new("s")).unwrap(), SessionTally::default());
    }
}
