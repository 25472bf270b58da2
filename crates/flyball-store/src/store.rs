//! Where the store is, and the journals in it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use flyball_core::event::SessionId;
use flyball_core::uptime::Uptime;

use crate::journal::SessionJournal;
use crate::name;

/// The folder of the journals.
pub(crate) const SESSIONS: &str = "sessions";

/// How a journal is used.
#[derive(Clone, Copy, Debug)]
pub struct JournalAccess {
    /// How long to wait for other processes, in total.
    pub wait: Duration,
    /// How long the machine is awake.
    pub awake: Duration,
}

/// The store below one state directory.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// The store in that directory. Touches nothing: directories and files are made when something
    /// is written.
    #[must_use]
    pub fn at(state_dir: &Path) -> Store {
        Store { root: state_dir.to_owned() }
    }

    /// The journal of one session. It is opened and locked when it is first used, and waits at most
    /// `wait`, in total, for other processes to release it.
    #[must_use]
    pub fn session(&self, client: &str, id: &SessionId, wait: Duration) -> Arc<SessionJournal> {
        self.session_at(client, id, JournalAccess { wait, awake: Uptime::now().awake })
    }

    /// [`Store::session`] at another moment than now.
    #[must_use]
    pub fn session_at(&self, client: &str, id: &SessionId, access: JournalAccess) -> Arc<SessionJournal> {
        let path = self.sessions_dir().join(name::for_session(client, id));
        Arc::new(SessionJournal::new(path, access.wait, access.awake))
    }

    /// The directory that all of it is in.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn sessions_dir(&self) -> PathBuf {
        self.root.join(SESSIONS)
    }
}
