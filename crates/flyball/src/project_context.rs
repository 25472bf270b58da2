//! The project that a command is about, the configuration in force there, and the record.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flyball_core::config::{Config, Diagnostic, Mode, Origin, Place, StoreSettings, origins};
use flyball_core::policy::{Memory, Policy};
use flyball_core::record::Record;
use flyball_policies::REGISTRY;
use flyball_store::{
    Consent, FoldOptions, HeldBack, ReadStore, SessionSummary, Store, StoreError, StoreProgress,
};
use flyball_world::config::{ConfigFiles, Layers, Loaded, load_all, load_read_only};
use flyball_world::interrupt;
use flyball_world::machine::{Machine, project_root, real_path};
use jiff::Zoned;

use crate::environment::{self, Environment};
use crate::outcome::Failed;
use crate::progress::Progress;
use crate::show::time;

/// How long to wait for another process that brings the index up to date.
const FOLD_WAIT: Duration = Duration::from_secs(2);

/// How long to wait for the hooks of a session before its memory is changed.
const CHANGE_WAIT: Duration = Duration::from_secs(10);

/// A project, seen by a command.
pub(crate) struct ProjectContext {
    environment: Environment,
    /// The root of the project.
    pub(crate) root: PathBuf,
    pub(crate) files: ConfigFiles,
}

impl ProjectContext {
    /// The project that the command was started in.
    pub(crate) fn find() -> Result<ProjectContext, Failed> {
        let Some(directory) = environment::working_directory() else {
            return Err(Failed::new("the current directory is gone", "change to one that exists"));
        };
        Ok(ProjectContext::at(project_root(&directory)))
    }

    /// The project with this root.
    pub(crate) fn at(root: PathBuf) -> ProjectContext {
        let environment = Environment::read();
        let files = environment.config_files(&root);
        ProjectContext { environment, root, files }
    }

    /// The configuration in force, as the next event will find it.
    pub(crate) fn load_config(&self) -> Loaded {
        load_all(&self.files, &self.environment.config_cache(), REGISTRY)
    }

    /// The same, without writing anything.
    pub(crate) fn peek_config(&self) -> Loaded {
        load_read_only(&self.files, &self.environment.config_cache(), REGISTRY)
    }

    /// This machine, seen from the project. It caches where links lead, so use a new one each time.
    pub(crate) fn machine(&self) -> Machine {
        let (home, root) = (self.environment.home.clone(), real_path(&self.root));
        Machine::new(Instant::now(), home, &root, Vec::new(), flyball_clients::FACTS)
            .with_state(self.environment.state_dir())
            .with_environment(environment::variable)
            .with_clock(environment::local_minutes)
    }

    /// Where the record lives, if there is a place for it.
    pub(crate) fn state_dir(&self) -> Option<&Path> {
        self.environment.state_dir()
    }

    /// The record of all sessions of this user.
    pub(crate) fn archive(&self) -> Result<Archive, Failed> {
        self.archive_with(Consent::None)
    }

    /// The same, after old events were deleted as far as a person has agreed to.
    pub(crate) fn archive_with(&self, consent: Consent) -> Result<Archive, Failed> {
        let Some(state) = self.environment.state_dir() else {
            return Err(Failed::new(
                "no home directory, so nothing is recorded",
                "set HOME or FLYBALL_STATE_DIR",
            ));
        };
        let store = Store::at(state);
        // The store is the user's, so a project's settings do not decide how long events are stored.
        let settings = ProjectContext::at(PathBuf::from("/")).load_config().config.store.clone();
        let options = FoldOptions { consent, ..FoldOptions::now(&settings, FOLD_WAIT) };
        // What is folded stays folded, so that an interrupt here loses nothing.
        let _paused = interrupt::pause_listener();
        let progress = Progress::after_a_while();
        let opened = store.open_reporting(Some(&options), &|step| match step {
            StoreProgress::HeldBack(held) => {
                progress.clear();
                // Not on standard output, which may be read by a program.
                drop(writeln!(std::io::stderr(), "flyball: {}", describe_held_back(held)));
            }
            step => progress.step(step),
        });
        Ok(Archive { store, index: opened?, settings })
    }
}

/// What is said about old events that were not deleted.
pub(crate) fn describe_held_back(held: HeldBack) -> String {
    let HeldBack { events, all } = held;
    format!(
        "{events} of {all} events are older than `store.keep_days`; that is too large a part to delete without asking: is the clock right? `flyball forget` deletes them"
    )
}

/// The record of all sessions, up to date when it was opened.
pub(crate) struct Archive {
    store: Store,
    pub(crate) index: Box<dyn ReadStore>,
    settings: StoreSettings,
}

impl Archive {
    /// The store behind it, to open it once more.
    pub(crate) fn store(&self) -> Store {
        self.store.clone()
    }

    /// What a policy remembers of a session; nothing if the session's journal is gone.
    pub(crate) fn memory(&self, session: &SessionSummary, policy: &str) -> Result<Option<String>, Failed> {
        let journal = self.store.session(&session.client, &session.session, FOLD_WAIT);
        // Reading would create it.
        if !journal.path().is_file() {
            return Ok(None);
        }
        journal.read(policy).map_err(Failed::from)
    }

    /// Changes what a policy remembers of a session, and records that. No hook of the session comes in
    /// between: its journal is locked from reading to recording.
    pub(crate) fn change(
        &self,
        session: &SessionSummary,
        (policy, record): (&str, &mut Record),
        change: impl FnOnce(Option<String>) -> Result<String, Failed>,
    ) -> Result<(), Failed> {
        let journal = self.store.session(&session.client, &session.session, CHANGE_WAIT);
        if !journal.path().is_file() {
            let what = format!("session {} is no longer recorded", session.session.as_str());
            return Err(Failed::new(what, "to list the sessions: `flyball status`"));
        }
        // Nothing was read yet that could have changed.
        journal.reserve()?;
        let before = journal.read(policy)?;
        journal.write(policy, change(before)?)?;
        journal.commit(record)?;
        Ok(())
    }

    /// Adds what happened since.
    pub(crate) fn refresh(&self, now: &Zoned) -> Result<(), Failed> {
        let now = time::of(now);
        let options = FoldOptions { now, ..FoldOptions::now(&self.settings, FOLD_WAIT) };
        match self.store.fold(&options) {
            // Another process is already doing it.
            Ok(_) | Err(StoreError::Busy { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Where the values that the files hold now come from.
pub(crate) struct Origins(Result<Vec<Origin>, Vec<Diagnostic>>);

impl Origins {
    pub(crate) fn read(files: &ConfigFiles) -> Origins {
        Origins(origins(&Layers::read(files).texts(), REGISTRY))
    }

    /// Where the mode of a policy comes from, in words.
    pub(crate) fn describe_mode(&self, policy: &str) -> String {
        self.describe_key(&format!("{policy}.mode"))
    }

    /// The values in a policy's section that somebody wrote, without its mode. Nothing while the files are broken.
    pub(crate) fn written(&self, policy: &str) -> impl Iterator<Item = &Origin> {
        let mode = format!("{policy}.mode");
        let all = self.0.as_deref().unwrap_or_default().iter();
        let written = all.filter(|origin| origin.place.is_some() && !origin.value.is_null());
        written.filter(move |origin| origin.key != mode && section_of(&origin.key) == Some(policy))
    }

    /// The user's rule of that name.
    pub(crate) fn rule(&self, id: &str) -> Option<&Origin> {
        let rules =
            self.0.as_deref().unwrap_or_default().iter().filter(|origin| origin.key.starts_with("rule["));
        rules.into_iter().find(|origin| origin.value.get("id").is_some_and(|own| own == id))
    }

    /// Where a value was written, if somebody wrote it.
    pub(crate) fn place(&self, key: &str) -> Option<&Place> {
        self.0.as_deref().unwrap_or_default().iter().find(|origin| origin.key == key)?.place.as_ref()
    }

    /// Where a value comes from, in words.
    pub(crate) fn describe_key(&self, key: &str) -> String {
        let Ok(origins) = &self.0 else { return "the last good config".to_owned() };
        let place = origins.iter().find(|origin| origin.key == key).and_then(|origin| origin.place.as_ref());
        place.map_or_else(|| "the default".to_owned(), line_of)
    }
}

/// The policy whose section has a key.
fn section_of(key: &str) -> Option<&'static str> {
    let ids = REGISTRY.iter().map(|policy| policy.id.as_str());
    // The longest: the id of one policy may be the beginning of another's.
    ids.filter(|id| key.strip_prefix(id).is_some_and(|rest| rest.starts_with('.'))).max_by_key(|id| id.len())
}

/// A place as `file:line`, which terminals and editors open.
pub(crate) fn line_of(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

/// The mode of a policy in a configuration.
pub(crate) fn mode_in(config: &Config, policy: &Policy) -> Mode {
    config.sections.get(policy.id.as_str()).map_or(policy.mode, |section| section.mode)
}

/// A path as people write it: with `~` for their home.
pub(crate) fn tilde(path: &str) -> String {
    let home = Environment::read().home;
    let below = home.as_deref().and_then(|home| Path::new(path).strip_prefix(home).ok());
    match below {
        Some(below) if below.as_os_str().is_empty() => "~".to_owned(),
        Some(below) => format!("~/{}", below.display()),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use flyball_core::event::SessionId;
    use serde_json::json;

    use super::*;

    fn session() -> SessionSummary {
        SessionSummary {
            client: "c".to_owned(),
            session: SessionId::new("s"),
            project: "/p".to_owned(),
            first_at: flyball_core::time::Time::from_micros(1),
            last_at: flyball_core::time::Time::from_micros(1),
            events: 1,
            denials: 0,
            denied: flyball_core::outcome::DenialCounts::default(),
            last_kind: "stop".to_owned(),
            has_ended: false,
        }
    }

    fn record(number: usize) -> Record {
        let fields = json!({
            "id": "4k7q2m8x", "at": 1, "client": "c", "session": "s", "project": "/p", "kind": "unknown",
            "native": "", "call": number, "stance": "silent", "micros": 1,
        });
        serde_json::from_value(fields).unwrap()
    }

    fn archive(folder: &Path) -> Archive {
        let store = Store::at(folder);
        let index = store.open(None).unwrap();
        Archive { store, index, settings: StoreSettings::default() }
    }

    #[test]
    fn changes_of_a_memory_at_the_same_time_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let first = archive(folder.path()).store.session("c", &SessionId::new("s"), FOLD_WAIT);
        first.write("loop.feedback", String::new()).unwrap();
        first.write("other", "stays".to_owned()).unwrap();
        first.keep_memory().unwrap();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let folder = folder.path();
                scope.spawn(move || {
                    let change = |before: Option<String>| Ok(before.unwrap_or_default() + "x");
                    let mut record = record(number);
                    archive(folder).change(&session(), ("loop.feedback", &mut record), change).unwrap();
                    assert!(!record.duplicate);
                });
            }
        });
        let archive = archive(folder.path());
        assert_eq!(archive.memory(&session(), "loop.feedback").unwrap().unwrap(), "xxxxxxxx");
        assert_eq!(archive.memory(&session(), "other").unwrap().unwrap(), "stays");
    }

    #[test]
    fn a_change_that_fails_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let archive = archive(folder.path());
        let change = |_: Option<String>| Ok("x".to_owned());
        let failed = archive.change(&session(), ("loop.feedback", &mut record(1)), change).unwrap_err();
        assert_eq!(failed.what, "session s is no longer recorded");
        let first = archive.store.session("c", &SessionId::new("s"), FOLD_WAIT);
        first.write("loop.feedback", "old".to_owned()).unwrap();
        first.keep_memory().unwrap();
        let change = |_: Option<String>| Err(Failed::new("no", ""));
        let failed = archive.change(&session(), ("loop.feedback", &mut record(1)), change).unwrap_err();
        assert_eq!(failed.what, "no");
        assert_eq!(archive.memory(&session(), "loop.feedback").unwrap().unwrap(), "old");
    }
}
