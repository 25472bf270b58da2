//! Where an event happens: its project, the configuration in force, the session's journal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flyball_core::config::Config;
use flyball_core::event::{Event, EventKind, SessionId};
use flyball_core::policy::{Memory, PolicyError};
use flyball_core::time::Time;
use flyball_policies::REGISTRY;
use flyball_store::{SessionJournal, Store};
use flyball_world::approvals::Approvals;
use flyball_world::config::{self, Pin, PinnedTexts};
use flyball_world::machine::{Machine, real_path};

use super::input::HookInput;
use crate::environment::{Environment, LOCK_WAIT, local_minutes, variable};
use crate::own_files::{obeyed_files, own_files};

/// The memory key of the project root of a session.
const ROOT_KEY: &str = "engine.root";
/// The memory key of the config texts that a session began with.
const PIN_KEY: &str = "engine.pin";
/// The memory key of the notices that were shown to a session.
// Journals of older versions have this key, so it keeps its old name.
const NOTICES_KEY: &str = "engine.told";

/// What one event is judged with.
pub(super) struct EventContext {
    pub(super) root: PathBuf,
    /// The same without symlinks: policies are given files without them, and ask what is below the root.
    pub(super) real_root: PathBuf,
    pub(super) config: Arc<Config>,
    pub(super) notices: Vec<String>,
    pub(super) journal: Option<Arc<SessionJournal>>,
    is_project_trusted: bool,
}

impl EventContext {
    /// What an event is judged with; `notices` are those that are known already.
    pub(super) fn load(event: &Event, environment: &Environment, mut notices: Vec<String>) -> EventContext {
        let store = environment.state_dir().map(Store::at);
        let journal = store.map(|store| store.session(&event.client, &event.session, LOCK_WAIT));
        // The root comes first: it decides which `flyball.toml` is read, and the journal remembers it.
        let root = root(event, environment, journal.as_deref());
        if let Some(nowhere) = event.project.as_ref().filter(|project| !Path::new(project).is_dir()) {
            let here = root.display();
            notices.push(format!(
                "the client names {nowhere} as the project, which is not a folder: the rules of {here} count"
            ));
        }
        let pin = journal.as_deref().and_then(session_pin);
        let is_pinned = pin.is_some();
        let files = environment.config_files(&root).with_pin(pin);
        let loaded = config::load(&files, &environment.config_cache(), REGISTRY);
        if let (false, Some(journal)) = (is_pinned, journal.as_deref()) {
            let pin = Pin::new(Time::now(), loaded.in_force.clone());
            // Of two first events, the second is judged again by what the first has pinned.
            drop(journal.has(PIN_KEY));
            // If the store fails now, that is reported when the event is recorded.
            drop(journal.write(PIN_KEY, pin.to_string()));
        }
        notices.extend(loaded.notices);
        notices.extend(environment.ignored.iter().map(|name| {
            format!("{name} is ignored: the project's own settings set it, and only you may; set it where you start the client")
        }));
        let mut notices = due_notices(notices, event, journal.as_deref());
        if journal.is_none() {
            notices
                .push("no home directory, so nothing is recorded; set HOME or FLYBALL_STATE_DIR".to_owned());
        }
        EventContext {
            real_root: real_path(&root),
            root,
            config: loaded.config,
            notices,
            journal,
            is_project_trusted: loaded.is_project_trusted,
        }
    }

    /// What policies see of this machine and may do on it.
    pub(super) fn machine(&self, input: &HookInput<'_>) -> Machine {
        let environment = &input.environment;
        let mut own = own_files(environment, &self.root);
        own.extend(obeyed_files(&self.config, &self.root));
        let machine = Machine::new(
            input.started,
            environment.home.clone(),
            &self.real_root,
            own,
            flyball_clients::FACTS,
        );
        let machine = machine.with_state(environment.state_dir()).with_environment(variable);
        let machine = machine.with_trust(self.is_project_trusted).with_real_root();
        let machine = machine.with_transcripts(flyball_clients::context_size);
        machine.with_talk(flyball_clients::recent_conversation).with_clock(local_minutes)
    }

    /// What people approved in this project.
    pub(super) fn approvals(&self, environment: &Environment) -> Option<Approvals> {
        environment.state_dir().map(|state| Approvals::for_project(state, &self.root))
    }

    /// Whether another event has changed what this one was judged by. If not, the journal is locked until this one is
    /// recorded.
    pub(super) fn is_overtaken(&self, journal_is_written: bool) -> bool {
        let Some(journal) = self.journal.as_deref().filter(|it| journal_is_written || it.has_changes())
        else {
            return false;
        };
        // If the journal cannot be used, that is reported when the event is recorded.
        journal.reserve().is_ok_and(|is_current| !is_current)
    }

    pub(super) fn memory(&self) -> Arc<dyn Memory> {
        match &self.journal {
            Some(journal) => Arc::clone(journal) as Arc<dyn Memory>,
            None => Arc::new(NoMemory),
        }
    }
}

/// The project of a session and the rules it is under, for a command of its agent in a folder.
pub(crate) fn of_session(
    session: Option<(&str, SessionId)>,
    folder: &Path,
    environment: &Environment,
) -> (PathBuf, Arc<Config>) {
    let journal = environment
        .state_dir()
        .zip(session)
        .map(|(state, (client, id))| Store::at(state).session(client, &id, LOCK_WAIT));
    let known = journal.as_ref().and_then(|journal| journal.peek(ROOT_KEY).ok().flatten());
    let root = known.filter(|root| root.starts_with('/')).map(PathBuf::from);
    let root = root.unwrap_or_else(|| environment.project_root(folder));
    let files =
        environment.config_files(&root).with_pin(journal.as_ref().and_then(|journal| session_pin(journal)));
    (root, config::load(&files, &environment.config_cache(), REGISTRY).config)
}

/// What the session began with; nothing at its first event.
fn session_pin(journal: &SessionJournal) -> Option<Pin> {
    match journal.peek(PIN_KEY) {
        Ok(text) => Pin::parse(&text?),
        // Whoever keeps the journal from being read must not get rid of the pin: then only what tightens counts.
        Err(_) => Some(Pin::new(Time::now(), PinnedTexts::default())),
    }
}

/// The project of an event. An agent that changes directory must not change the rules it is
/// under, so the project is the one that the client was started in, or else the one where the
/// session was first seen.
fn root(event: &Event, environment: &Environment, journal: Option<&SessionJournal>) -> PathBuf {
    if let Some(project) = event.project.as_ref().filter(|project| Path::new(project).is_dir()) {
        let root = environment.project_root(Path::new(project));
        // For the commands of its agent, to which the client does not name the project.
        if let Some(journal) = journal.filter(|journal| journal.peek(ROOT_KEY).ok().flatten().is_none()) {
            drop(journal.write(ROOT_KEY, root.to_string_lossy().into_owned()));
        }
        return root;
    }
    let Some(journal) = journal else { return environment.project_root(Path::new(&event.cwd)) };
    // Older versions stored an empty root if the first payload named no folder.
    if let Some(root) = journal.peek(ROOT_KEY).ok().flatten().filter(|root| root.starts_with('/')) {
        return PathBuf::from(root);
    }
    let root = environment.project_root(Path::new(&event.cwd));
    // Of two first events, the second is judged again in the project of the first.
    drop(journal.has(ROOT_KEY));
    // If the store fails now, that is reported when the event is recorded.
    drop(journal.write(ROOT_KEY, root.to_string_lossy().into_owned()));
    root
}

/// The notices that are due: always where a person looks anyway, elsewhere once per session.
fn due_notices(notices: Vec<String>, event: &Event, journal: Option<&SessionJournal>) -> Vec<String> {
    let Some(journal) = journal.filter(|_| !notices.is_empty()) else { return notices };
    // Compared as one text: a new notice among old ones shows all of them again.
    let text = notices.join("\n");
    let shown = journal.peek(NOTICES_KEY).ok().flatten().unwrap_or_default();
    let is_shown = shown == text;
    // Nothing has gone wrong in a clone that nobody has accepted yet: one line in a session is enough.
    let mut notices = notices;
    notices
        .retain(|notice| !(notice.contains(config::NOT_TRUSTED) && shown.lines().any(|line| line == notice)));
    if !is_shown {
        // If the store fails, the notice is shown once more with the next event.
        drop(journal.write(NOTICES_KEY, text));
    }
    let looked_at =
        matches!(event.kind(), EventKind::SessionStart | EventKind::PromptSubmit | EventKind::Stop);
    if is_shown && !looked_at { Vec::new() } else { notices }
}

/// The memory of a session that has no store.
struct NoMemory;

impl Memory for NoMemory {
    fn read(&self, _: &str) -> Result<Option<String>, PolicyError> {
        Ok(None)
    }

    fn has(&self, _: &str) -> Result<bool, PolicyError> {
        Ok(false)
    }

    fn peek(&self, _: &str) -> Result<Option<String>, PolicyError> {
        Ok(None)
    }

    fn write(&self, _: &str, _: String) -> Result<(), PolicyError> {
        Ok(())
    }

    fn active_time(&self) -> Result<std::time::Duration, PolicyError> {
        Ok(std::time::Duration::ZERO)
    }
}
