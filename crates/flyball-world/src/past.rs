//! The machine as policies see it when an event of the past is judged again: read-only.
//!
//! Files are as they are today, because their old content was not saved; whether a verdict depends on that is noted.
//! The time is the event's own. Results are cached.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use flyball_core::client::{Clients, KnowsClients};
use flyball_core::error::PolicyError;
use flyball_core::grant::Grant;
use flyball_core::path::AbsolutePath;
use flyball_core::time::Time;
use flyball_core::world::{
    Approval, ChangedFiles, Clock, ContentHash, Contents, ContextSize, FileApprovals, FileNote, Files, Git,
    GitAnswer, LeftProcess, Notes, OwnFile, Place, Processes, Stat, Tail, Transcripts, Wearer,
};

use crate::machine::Machine;

/// Files up to this length are cached in memory.
const SMALL: u64 = 64 * 1024;
/// The most answers that are cached of each kind; then the cache is emptied, so that a long history needs no more room.
const MOST: usize = 20_000;
const MOST_FILES: usize = 500;

/// The output of git, for all projects of one replay.
#[derive(Default)]
pub struct GitAnswers {
    known: Mutex<HashMap<(AbsolutePath, String), Result<GitAnswer, PolicyError>>>,
}

impl GitAnswers {
    fn ask(
        &self,
        machine: &Machine,
        folder: &AbsolutePath,
        question: &[&str],
    ) -> Result<GitAnswer, PolicyError> {
        let key = (folder.to_owned(), question.join("\0"));
        // The lock is held while git runs, so that two sessions of a project do not both ask.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known.get(&key) {
            return answer.clone();
        }
        // Also that there was none: a git that hangs would hang for every event.
        let answer = machine.git(folder, question);
        make_room(&mut known, MOST);
        known.insert(key, answer.clone());
        answer
    }
}

/// A machine whose answers are cached, for the events of one session.
pub struct CachedMachine {
    machine: Machine,
    git: Arc<GitAnswers>,
    stats: Mutex<HashMap<AbsolutePath, Option<Stat>>>,
    lists: Mutex<HashMap<AbsolutePath, Vec<String>>>,
    files: Mutex<HashMap<AbsolutePath, Vec<u8>>>,
    approvals: Mutex<HashMap<(AbsolutePath, Time), Option<Approval>>>,
    notes: Mutex<HashMap<String, Option<String>>>,
}

impl CachedMachine {
    /// Caches what is read of this machine.
    #[must_use]
    pub fn new(machine: Machine, git: Arc<GitAnswers>) -> CachedMachine {
        CachedMachine {
            machine,
            git,
            stats: Mutex::default(),
            lists: Mutex::default(),
            files: Mutex::default(),
            approvals: Mutex::default(),
            notes: Mutex::default(),
        }
    }
}

/// The machine at the time of one event.
pub struct Past {
    cached: Arc<CachedMachine>,
    at: Time,
    local_minutes: Option<u32>,
    rests_on_today: AtomicBool,
}

impl Past {
    /// The machine at a time, and minutes since midnight where the user is.
    #[must_use]
    pub fn new(cached: Arc<CachedMachine>, at: Time, local_minutes: Option<u32>) -> Past {
        Past { cached, at, local_minutes, rests_on_today: AtomicBool::new(false) }
    }

    /// Whether a policy asked for what may have been different then: the content of a file, the state of git.
    #[must_use]
    pub fn rests_on_today(&self) -> bool {
        self.rests_on_today.load(Ordering::Relaxed)
    }

    fn mark_rests_on_today(&self) {
        self.rests_on_today.store(true, Ordering::Relaxed);
    }
}

impl KnowsClients for Past {
    fn clients(&self) -> Clients {
        self.cached.machine.clients()
    }
}

impl Clock for Past {
    fn elapsed(&self) -> Duration {
        // No time passes in a replay, or the speed of this machine would change verdicts.
        Duration::ZERO
    }

    fn now(&self) -> Time {
        self.at
    }

    fn local_minutes(&self) -> Option<u32> {
        self.local_minutes
    }
}

impl Place for Past {
    fn project_root(&self) -> &AbsolutePath {
        self.cached.machine.project_root()
    }

    fn program(&self) -> Option<AbsolutePath> {
        self.cached.machine.program()
    }

    fn own_files(&self) -> &[OwnFile] {
        self.cached.machine.own_files()
    }

    fn home_of(&self, user: &str) -> Option<AbsolutePath> {
        self.cached.machine.home_of(user)
    }

    fn seatbelt(&self) -> Option<Wearer> {
        self.cached.machine.seatbelt()
    }
}

impl Processes for Past {
    fn left_running(&self, _: &str, _: Time) -> Option<Vec<LeftProcess>> {
        None
    }
}

impl Files for Past {
    fn real_path(&self, base: &AbsolutePath, path: &str) -> AbsolutePath {
        self.cached.machine.real_path(base, path)
    }

    fn stat(&self, path: &AbsolutePath) -> Option<Stat> {
        get_or_find(&self.cached.stats, path, MOST, || self.cached.machine.stat(path))
    }

    fn read(&self, path: &AbsolutePath, most: u64) -> Result<Option<Vec<u8>>, PolicyError> {
        self.mark_rests_on_today();
        // By the cached stat, so that the limit gives the same result for every event of a session.
        let Some(stat) = self.stat(path).filter(|stat| stat.bytes <= most && !stat.is_folder) else {
            return Ok(None);
        };
        // Large files are rare and would fill the memory.
        if stat.bytes > SMALL {
            return self.cached.machine.read(path, most);
        }
        let cached = |files: &HashMap<AbsolutePath, Vec<u8>>| files.get(path).cloned();
        if let Some(content) = cached(&self.cached.files.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(Some(content));
        }
        let content = self.cached.machine.read(path, most)?;
        if let Some(content) = &content {
            let mut files = self.cached.files.lock().unwrap_or_else(PoisonError::into_inner);
            make_room(&mut files, MOST_FILES);
            files.insert(path.to_owned(), content.clone());
        }
        Ok(content)
    }

    fn tail(&self, path: &AbsolutePath, most: u64) -> Result<Option<Tail>, PolicyError> {
        self.mark_rests_on_today();
        self.cached.machine.tail(path, most)
    }

    fn list(&self, folder: &AbsolutePath) -> Vec<String> {
        get_or_find(&self.cached.lists, folder, MOST, || self.cached.machine.list(folder))
    }

    fn unknown_fact(&self) -> Option<PolicyError> {
        self.cached.machine.unknown_fact()
    }
}

impl Git for Past {
    fn git(&self, folder: &AbsolutePath, question: &[&str]) -> Result<GitAnswer, PolicyError> {
        self.mark_rests_on_today();
        self.cached.git.ask(&self.cached.machine, folder, question)
    }

    // What a command changed then is not what differs now.
    fn changed_files(&self, _folder: &AbsolutePath, _since: Time) -> Result<ChangedFiles, PolicyError> {
        self.mark_rests_on_today();
        Ok(ChangedFiles::default())
    }
}

impl Contents for Past {
    fn store(&self, content: &[u8]) -> Result<ContentHash, PolicyError> {
        // Nothing is stored: a replay must not leave anything behind.
        Ok(self.cached.machine.hash(content))
    }

    fn hash(&self, content: &[u8]) -> ContentHash {
        self.cached.machine.hash(content)
    }
}

impl FileApprovals for Past {
    fn approval(&self, path: &AbsolutePath, since: Time) -> Result<Option<Approval>, PolicyError> {
        self.mark_rests_on_today();
        let key = (path.to_owned(), since);
        get_or_try(&self.cached.approvals, key, || self.cached.machine.approval(path, since))
    }

    fn add_notes(&self, _notes: &[(AbsolutePath, FileNote)]) -> Result<(), PolicyError> {
        Ok(())
    }

    fn grants(&self) -> Result<Vec<Grant>, PolicyError> {
        self.mark_rests_on_today();
        self.cached.machine.grants()
    }
}

impl Notes for Past {
    fn project_note(&self, key: &str) -> Result<Option<String>, PolicyError> {
        self.mark_rests_on_today();
        get_or_try(&self.cached.notes, key.to_owned(), || self.cached.machine.project_note(key))
    }
}

impl Transcripts for Past {
    // A transcript goes on after the event: its end today says nothing about the context then.
    fn context_size(
        &self,
        _client: &str,
        _transcript: &AbsolutePath,
    ) -> Result<Option<ContextSize>, PolicyError> {
        self.mark_rests_on_today();
        Ok(None)
    }

    fn recent_conversation(
        &self,
        _client: &str,
        _transcript: &AbsolutePath,
        _most: usize,
    ) -> Result<Option<String>, PolicyError> {
        self.mark_rests_on_today();
        Ok(None)
    }
}

/// The value under a key, computed by the first that asks.
fn get_or_find<T: Clone>(
    all: &Mutex<HashMap<AbsolutePath, T>>,
    key: &AbsolutePath,
    most: usize,
    find: impl FnOnce() -> T,
) -> T {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = all.get(key) {
        return found.clone();
    }
    let found = find();
    make_room(&mut all, most);
    all.insert(key.to_owned(), found.clone());
    found
}

/// The same for what may fail; a failure is not cached.
fn get_or_try<K: Eq + Hash, T: Clone>(
    all: &Mutex<HashMap<K, T>>,
    key: K,
    find: impl FnOnce() -> Result<T, PolicyError>,
) -> Result<T, PolicyError> {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = all.get(&key) {
        return Ok(found.clone());
    }
    let found = find()?;
    make_room(&mut all, MOST);
    all.insert(key, found.clone());
    Ok(found)
}

fn make_room<K, V>(all: &mut HashMap<K, V>, most: usize) {
    if all.len() >= most {
        all.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn past(folder: &std::path::Path) -> Past {
        let machine = Machine::new(Instant::now(), None, folder, Vec::new(), &[]).with_state(Some(folder));
        Past::new(Arc::new(CachedMachine::new(machine, Arc::default())), Time::from_millis(1_000), Some(61))
    }

    #[test]
    fn it_is_the_time_of_the_event_and_nothing_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let past = past(folder.path());
        assert_eq!((past.now(), past.local_minutes()), (Time::from_millis(1_000), Some(61)));
        past.store(b"text").unwrap();
        past.add_notes(&[(AbsolutePath::from_root("/x"), FileNote::Changed(None))]).unwrap();
        assert_eq!(
            past.changed_files(past.project_root(), Time::default()).unwrap(),
            ChangedFiles::default()
        );
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_is_read_once_and_the_read_is_noted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "one").unwrap();
        let (past, path) = (past(folder.path()), AbsolutePath::from_root(file.to_string_lossy()));
        assert!(past.stat(&path).is_some() && !past.rests_on_today());
        assert_eq!(past.read(&path, 2).unwrap(), None);
        assert_eq!(past.read(&path, 3).unwrap().as_deref(), Some(&b"one"[..]));
        std::fs::write(&file, "two").unwrap();
        assert_eq!(past.read(&path, 3).unwrap().as_deref(), Some(&b"one"[..]));
        assert!(past.rests_on_today());
    }
}
