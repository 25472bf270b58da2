//! The facts about a session, read from its own journal: nothing is folded, no program is started.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use flyball_clients::CLIENTS;
use flyball_core::event::SessionId;
use flyball_policies::r#loop::feedback::report::{PhaseStatus, Status};
use flyball_policies::r#loop::{feedback, limits};
use flyball_policies::{REGISTRY, quality};
use flyball_store::{SessionJournal, SessionTally, Store};
use flyball_world::config::{self, Loaded};

use super::input::Input;
use crate::environment::{self, Environment};
use crate::show::text::{cut, one_line};
use crate::views::r#loop::{Loop, settings_in, with_limits};
use crate::views::task::{self, TaskProgress};

/// The longest name of a domain or phase that is shown.
const NAME: usize = 24;
/// How many open phases are named.
const NAMED: usize = 2;

/// What the line shows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) loop_progress: Option<LoopProgress>,
    pub(super) findings: usize,
    /// What was denied, and what the user was asked.
    pub(super) tally: SessionTally,
    pub(super) task: Option<TaskProgress>,
    /// How full the context is, in percent.
    pub(super) context: Option<u64>,
    /// What is wrong with the config.
    pub(super) config_error: Option<String>,
}

/// The progress of a loop, as short text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LoopProgress {
    pub(super) status: Status,
    /// `2/5: review open`.
    pub(super) summary: String,
}

impl Facts {
    /// Collects the facts. What cannot be read is left out.
    pub(super) fn collect(input: &Input) -> Facts {
        let mut facts = Facts { context: input.context, ..Facts::default() };
        let environment = Environment::read();
        let root = input.folder.as_deref().map(environment::project_root);
        let loaded = root
            .as_deref()
            .map(|root| config::load(&environment.config_files(root), &environment.config_cache(), REGISTRY));
        facts.config_error = loaded.as_ref().and_then(config_error);
        let store = environment.state_dir().map(Store::at);
        let found = store
            .as_ref()
            .zip(input.session.as_deref())
            .and_then(|(store, id)| RecordedSession::find(store, id));
        let Some(found) = found else { return facts };
        facts.tally = store.and_then(|store| store.tally(found.client, &found.id).ok()).unwrap_or_default();
        facts.findings =
            found.memory(quality::POLICY.id.as_str()).map_or(0, |memory| quality::open_count(&memory));
        let Some((root, loaded)) = root.zip(loaded) else { return facts };
        facts.loop_progress = loop_progress(&found, &loaded, &root);
        facts.task = task::progress_of(&root, (found.client, found.id.as_str()));
        facts
    }
}

/// A session that is recorded.
struct RecordedSession {
    client: &'static str,
    id: SessionId,
    journal: Arc<SessionJournal>,
}

impl RecordedSession {
    /// The session with this id, of any client.
    fn find(store: &Store, id: &str) -> Option<RecordedSession> {
        // The input does not name the client, so each one is tried.
        CLIENTS.iter().find_map(|client| {
            let id = SessionId::new(id);
            // No wait for a lock: it is only read.
            let journal = store.session(client.id(), &id, Duration::ZERO);
            // Reading a missing journal would create it.
            journal.path().is_file().then_some(RecordedSession { client: client.id(), id, journal })
        })
    }

    fn memory(&self, policy: &str) -> Option<String> {
        // The hook may have the lock right now, and the client waits for this line.
        self.journal.read_unlocked(policy).ok().flatten()
    }
}

fn loop_progress(found: &RecordedSession, loaded: &Loaded, root: &Path) -> Option<LoopProgress> {
    let memory = found.memory(feedback::POLICY.id.as_str())?;
    let settings = settings_in(&loaded.config)?;
    let settings = with_limits(&settings, root, found.memory(limits::PINNED).as_deref());
    let session_loop = Loop::from_state(&serde_json::from_str(&memory).ok()?, &settings)?;
    let summary = match session_loop.standing {
        Status::Open => format!("{}/{}: {}", session_loop.iteration, session_loop.of, open(&session_loop)),
        Status::Passed => "passed".to_owned(),
        Status::Escalated => "escalated: a person decides".to_owned(),
        // Nothing is asked of anybody then, and the line has little space.
        Status::Idle | Status::Aborted | Status::HandedOver | Status::Ended => return None,
    };
    Some(LoopProgress { status: session_loop.standing, summary })
}

/// `review open`; with the domain where there are several.
fn open(session_loop: &Loop) -> String {
    let name = |text: &str| cut(&one_line(text), NAME);
    let mut all: Vec<String> = Vec::new();
    for domain in &session_loop.domains {
        let owner =
            if session_loop.domains.len() > 1 { format!("{} ", name(&domain.name)) } else { String::new() };
        let open = domain.phases.iter().filter(|phase| phase.status != PhaseStatus::Passed);
        all.extend(open.map(|phase| format!("{owner}{} {}", name(&phase.name), phase.status.name())));
    }
    let more = all.len().saturating_sub(NAMED);
    all.truncate(NAMED);
    let more = if more == 0 { String::new() } else { format!(" +{more}") };
    format!("{}{more}", all.join(", "))
}

/// Where the config is broken: `flyball.toml:12 broken`.
fn config_error(loaded: &Loaded) -> Option<String> {
    let notice = loaded.notices.first()?;
    let mut parts = notice.splitn(3, ':');
    let (file, line) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let place = if line.parse::<usize>().is_ok() { format!("{file}:{line}") } else { file.to_owned() };
    Some(format!("{} broken", cut(&one_line(&place), 80)))
}
