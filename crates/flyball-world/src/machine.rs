//! The real world behind the trait that policies see.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use flyball_core::arrivals::Arrivals;
use flyball_core::client::{Clients, KnowsClients};
use flyball_core::error::PolicyError;
use flyball_core::grant::Grant;
use flyball_core::path::AbsolutePath;
use flyball_core::time::Time;
use flyball_core::world::{
    Approval, ChangedFiles, Clock, ContentHash, Contents, ContextSize, ConversationReader, FileApprovals,
    FileNote, Files, Git, GitAnswer, LeftProcess, Notes, OwnFile, Place, Processes, Stat, Tail,
    TranscriptReader, Transcripts, Wearer,
};
use flyball_system::MetadataExt;

use crate::approvals::Approvals;
use crate::content_store::{self, ContentStore};
use crate::git;
use crate::grants::Grants;

#[cfg(target_os = "linux")]
use crate::left_running;
use crate::project::Project;
pub use crate::real_path::{Resolver, real_path};
use crate::regular_file;
use crate::snapshots::Snapshots;
use crate::unknown::Unknown;
use crate::users;

/// The name by which `flyball run` is called by a client.
pub const SEATBELT_LINK: &str = "flyball-run";

/// The machine this process runs on, seen from one event.
pub struct Machine {
    started: Instant,
    home: Option<PathBuf>,
    root: AbsolutePath,
    own: Vec<OwnFile>,
    state: Option<PathBuf>,
    environment: fn(&str) -> Option<String>,
    transcripts: TranscriptReader,
    talk: ConversationReader,
    clients: Clients,
    local_minutes: fn() -> Option<u32>,
    resolver: Resolver,
    git: OnceLock<git::Git>,
    unknown: Unknown,
    is_trusted: bool,
    seatbelt: SeatbeltWords,
}

/// What is put in front of a program to have it started in the seatbelt; nothing where there is none.
type SeatbeltWords = Box<dyn Fn() -> Vec<String> + Send + Sync>;

impl Machine {
    /// The world of an event of the project at `root`. The files of these clients are protected.
    #[must_use]
    pub fn new(
        started: Instant,
        home: Option<PathBuf>,
        root: &Path,
        own: Vec<OwnFile>,
        clients: Clients,
    ) -> Machine {
        Machine {
            started,
            // What is relative would be another folder for each process.
            home: home.filter(|home| home.is_absolute()),
            root: AbsolutePath::from_root(root.to_string_lossy()),
            own,
            state: None,
            environment: |_| None,
            transcripts: |_, _| Ok(None),
            talk: |_, _, _| Ok(None),
            clients,
            local_minutes: || None,
            resolver: Resolver::default(),
            git: OnceLock::new(),
            unknown: Unknown::default(),
            is_trusted: false,
            seatbelt: Box::new(Vec::new),
        }
    }

    /// The same machine with a state directory: copies and approvals are stored there.
    #[must_use]
    pub fn with_state(mut self, state: Option<&Path>) -> Machine {
        self.state = state.map(Path::to_path_buf);
        self
    }

    /// The same machine with an environment, as the program's own module reads it.
    #[must_use]
    pub fn with_environment(mut self, environment: fn(&str) -> Option<String>) -> Machine {
        self.environment = environment;
        self
    }

    /// The same machine, with whether a person trusts the project.
    #[must_use]
    pub fn with_trust(mut self, is_trusted: bool) -> Machine {
        self.is_trusted = is_trusted;
        self
    }

    /// The same machine, with what starts a program in the seatbelt.
    #[must_use]
    pub fn with_seatbelt(mut self, words: impl Fn() -> Vec<String> + Send + Sync + 'static) -> Machine {
        self.seatbelt = Box::new(words);
        self
    }

    pub(crate) fn seatbelt_words(&self) -> Vec<String> {
        if self.seatbelt().is_some() { (self.seatbelt)() } else { Vec::new() }
    }

    pub(crate) fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    /// The same machine with a reader of the clients' transcripts.
    #[must_use]
    pub fn with_transcripts(mut self, transcripts: TranscriptReader) -> Machine {
        self.transcripts = transcripts;
        self
    }

    /// The same machine with a reader of the latest messages of a session.
    #[must_use]
    pub fn with_talk(mut self, talk: ConversationReader) -> Machine {
        self.talk = talk;
        self
    }

    /// The same machine with a clock that knows where the user is.
    #[must_use]
    pub fn with_clock(mut self, local_minutes: fn() -> Option<u32>) -> Machine {
        self.local_minutes = local_minutes;
        self
    }

    /// For an event that is judged again: what git was asked before gets the same answer, so that judging takes no time in
    /// which others could overtake it once more.
    pub fn repeat_answers(&self) {
        self.found_git().repeat_answers();
    }

    pub(crate) fn environment(&self, name: &str) -> Option<String> {
        (self.environment)(name).filter(|value| !value.is_empty())
    }

    /// git, found when it is first asked.
    pub(crate) fn found_git(&self) -> &git::Git {
        let find = || git::Git::find(&self.root, self.seatbelt(), |name| self.environment(name));
        self.git.get_or_init(find)
    }

    /// The folder that `~` and `~name` at the start of a path mean, and the rest of the path.
    fn expand_home<'p>(&self, path: &'p str) -> Option<(PathBuf, &'p str)> {
        let named = path.strip_prefix('~')?;
        let (user, rest) = named.split_once('/').unwrap_or((named, ""));
        let home = if user.is_empty() { self.home.clone() } else { users::home_of(user) };
        Some((home?, rest.trim_start_matches('/')))
    }

    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    pub(crate) fn state(&self) -> Option<&Path> {
        self.state.as_deref()
    }

    /// The files and notes of the project, to change them.
    pub(crate) fn project(&self) -> Result<Project, PolicyError> {
        let state = self.needed_state("nothing of the project can be changed")?;
        Ok(Project::at_real_path(state, PathBuf::from(&self.root)))
    }

    /// The snapshots of the project.
    ///
    /// # Errors
    /// When there is no state directory.
    pub fn snapshots(&self) -> Result<Snapshots, PolicyError> {
        let state = self.needed_state("no snapshot can be stored")?;
        Ok(Snapshots::at_real_path(state, self.resolved(Path::new(&self.root))))
    }

    fn needed_state(&self, without: &str) -> Result<&Path, PolicyError> {
        self.state.as_deref().ok_or_else(|| PolicyError::World {
            what: format!("no state directory: {without}"),
            fix: "set HOME or FLYBALL_STATE_DIR".to_owned(),
        })
    }

    fn unreadable(&self, path: &AbsolutePath, cause: &std::io::Error) -> PolicyError {
        self.unknown.note(Path::new(path), cause);
        PolicyError::World {
            what: format!("`{path}` cannot be read: {cause}"),
            fix: "check its permissions".to_owned(),
        }
    }

    /// What people approved. Looked up when asked for: most events do not.
    fn approvals(&self) -> Option<Approvals> {
        self.state.as_deref().map(|state| Approvals::for_project(state, Path::new(&self.root)))
    }
}

impl KnowsClients for Machine {
    fn clients(&self) -> Clients {
        self.clients
    }
}

impl Clock for Machine {
    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn now(&self) -> Time {
        Time::from_millis(Time::now().as_millis())
    }

    fn local_minutes(&self) -> Option<u32> {
        (self.local_minutes)()
    }
}

impl Place for Machine {
    fn project_root(&self) -> &AbsolutePath {
        &self.root
    }

    fn program(&self) -> Option<AbsolutePath> {
        AbsolutePath::new(std::env::current_exe().ok()?.to_string_lossy())
    }

    fn own_files(&self) -> &[OwnFile] {
        &self.own
    }

    fn home_of(&self, user: &str) -> Option<AbsolutePath> {
        users::home_of(user).map(|home| AbsolutePath::from_root(home.to_string_lossy()))
    }

    fn seatbelt(&self) -> Option<Wearer> {
        let mut variables = self.clients().iter().filter_map(|client| client.shell_wrapper);
        let is_ours = |name| self.environment(name).is_some_and(|value| value.ends_with(SEATBELT_LINK));
        variables.any(is_ours).then(users::wearer)
    }
}

impl Processes for Machine {
    #[cfg(target_os = "linux")]
    fn left_running(&self, client: &str, since: Time) -> Option<Vec<LeftProcess>> {
        left_running::find(client, self.now().since(since), &self.root)
    }

    #[cfg(not(target_os = "linux"))]
    fn left_running(&self, _: &str, _: Time) -> Option<Vec<LeftProcess>> {
        None
    }
}

impl Machine {
    /// The root was just looked up, and is without symlinks.
    #[must_use]
    pub fn with_real_root(self) -> Machine {
        self.resolver.has_seen(Path::new(&self.root));
        self
    }

    /// A path without symlinks. Each of its folders is looked at once for an event.
    fn resolved(&self, path: &Path) -> PathBuf {
        self.resolver.real_path(path, &self.unknown)
    }

    /// Whether the project is the user's home, or above it: then it is none.
    pub(crate) fn holds_home(&self) -> bool {
        let root = Path::new(&self.root);
        let is_above = |home: &Path| self.resolved(home).starts_with(self.resolved(root));
        root.parent().is_none() || self.home.as_deref().is_some_and(is_above)
    }
}

impl Files for Machine {
    fn real_path(&self, base: &AbsolutePath, path: &str) -> AbsolutePath {
        let path = match self.expand_home(path) {
            Some((home, "")) => home,
            Some((home, rest)) => home.join(rest),
            None => Path::new(base).join(path),
        };
        AbsolutePath::from_root(self.resolver.real_path(&path, &self.unknown).to_string_lossy())
    }

    fn stat(&self, path: &AbsolutePath) -> Option<Stat> {
        let data = self.unknown.check(Path::new(path), std::fs::metadata(path))?;
        let seconds = u64::try_from(data.ctime()).unwrap_or_default();
        let nanos = u64::try_from(data.ctime_nsec()).unwrap_or_default();
        Some(Stat {
            is_folder: data.is_dir(),
            bytes: data.len(),
            changed: changed(&data),
            modified: modified(&data),
            changed_nanos: seconds.saturating_mul(1_000_000_000).saturating_add(nanos),
            inode: data.ino(),
            links: data.nlink(),
        })
    }

    fn read(&self, path: &AbsolutePath, most: u64) -> Result<Option<Vec<u8>>, PolicyError> {
        regular_file::read(Path::new(path), most).map_err(|cause| self.unreadable(path, &cause))
    }

    fn tail(&self, path: &AbsolutePath, most: u64) -> Result<Option<Tail>, PolicyError> {
        regular_file::tail(Path::new(path), most).map_err(|cause| self.unreadable(path, &cause))
    }

    fn list(&self, folder: &AbsolutePath) -> Vec<String> {
        let place = Path::new(folder);
        // A folder that this user cannot list counts as empty.
        let entries = self.unknown.check(place, std::fs::read_dir(place)).into_iter().flatten();
        let entries = entries.filter_map(|entry| self.unknown.check(place, entry));
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }

    fn unknown_fact(&self) -> Option<PolicyError> {
        self.unknown.get()
    }
}

impl Git for Machine {
    fn git(&self, folder: &AbsolutePath, question: &[&str]) -> Result<GitAnswer, PolicyError> {
        self.found_git().ask(folder, question)
    }

    fn changed_files(&self, folder: &AbsolutePath, since: Time) -> Result<ChangedFiles, PolicyError> {
        let mut found = self.found_git().changes(folder)?;
        let arrivals = Arrivals::new(self, folder, since);
        let is_young = |path: &AbsolutePath| arrivals.has(path);
        // What is gone has no time, but its folder changed then.
        let went_now = |path: &AbsolutePath| {
            let nearest = path.folder().ancestors().find_map(|folder| self.stat(&folder));
            self.stat(path).is_none() && nearest.is_some_and(|stat| stat.changed >= since)
        };
        found.gone = found.shown.iter().filter(|path| self.stat(path).is_none()).cloned().collect();
        // A symbolic link is as old as itself, whatever it leads to.
        let link_time = |path: &AbsolutePath| {
            let data =
                std::fs::symlink_metadata(Path::new(path)).ok().filter(std::fs::Metadata::is_symlink)?;
            Some(changed(&data))
        };
        let links: Vec<(AbsolutePath, Time)> =
            found.shown.iter().filter_map(|path| Some((path.clone(), link_time(path)?))).collect();
        let is_new_link = |path: &AbsolutePath| {
            links.iter().any(|(link, changed)| link == path && *changed >= since)
                && self.stat(path).is_some_and(|stat| !stat.is_folder)
        };
        found.shown.retain(|path| is_young(path) || is_new_link(path));
        found.links.extend(links.into_iter().map(|(link, _)| link));
        found.links.sort_unstable();
        found.links.dedup();
        found.unwatched.retain(|path| is_young(path) || went_now(path));
        found.ignored.retain(|path| is_young(path) || self.stat(path).is_some_and(|stat| stat.is_folder));
        found.nested.retain(|folder| git::marks(folder).iter().any(is_young));
        Ok(found)
    }
}

/// When anything of it changed: a program can set the modification time to anything.
fn changed(data: &std::fs::Metadata) -> Time {
    let seconds = u64::try_from(data.ctime()).unwrap_or_default();
    let nanos = u64::try_from(data.ctime_nsec()).unwrap_or_default();
    Time::from_millis(seconds.saturating_mul(1_000).saturating_add(nanos / 1_000_000))
}

/// When the content changed.
fn modified(data: &std::fs::Metadata) -> Time {
    let since =
        data.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok()).unwrap_or_default();
    Time::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

impl Contents for Machine {
    fn store(&self, content: &[u8]) -> Result<ContentHash, PolicyError> {
        match self.state.as_deref().map(ContentStore::below) {
            Some(contents) => contents.store(content),
            None => Ok(self.hash(content)),
        }
    }

    fn hash(&self, content: &[u8]) -> ContentHash {
        content_store::hash(content)
    }
}

impl FileApprovals for Machine {
    fn approval(&self, path: &AbsolutePath, since: Time) -> Result<Option<Approval>, PolicyError> {
        let Some(approvals) = self.approvals() else { return Ok(None) };
        Ok(approvals.read()?.approved(path, since).cloned())
    }

    fn add_notes(&self, notes: &[(AbsolutePath, FileNote)]) -> Result<(), PolicyError> {
        if notes.is_empty() {
            return Ok(());
        }
        self.approvals().map_or(Ok(()), |approvals| approvals.note(notes))
    }

    fn grants(&self) -> Result<Vec<Grant>, PolicyError> {
        match self.state.as_deref() {
            Some(state) => Grants::for_project(state, Path::new(&self.root)).read(),
            None => Ok(Vec::new()),
        }
    }
}

impl Notes for Machine {
    fn project_note(&self, key: &str) -> Result<Option<String>, PolicyError> {
        match self.state.as_deref() {
            Some(state) => Project::at_real_path(state, PathBuf::from(&self.root)).note(key),
            None => Ok(None),
        }
    }
}

impl Transcripts for Machine {
    fn context_size(
        &self,
        client: &str,
        transcript: &AbsolutePath,
    ) -> Result<Option<ContextSize>, PolicyError> {
        (self.transcripts)(client, &mut |most| self.tail(transcript, most))
    }

    fn recent_conversation(
        &self,
        client: &str,
        transcript: &AbsolutePath,
        most: usize,
    ) -> Result<Option<String>, PolicyError> {
        (self.talk)(client, &mut |bytes| self.tail(transcript, bytes), most)
    }
}

/// The root of the project a directory belongs to: the nearest folder above it with a
/// `flyball.toml`, else the nearest with `.git`, else the directory itself. A config or a repository in the user's home,
/// or above it, is not for everything below: only for that folder itself.
#[must_use]
pub fn project_root(from: &Path, home: Option<&Path>) -> PathBuf {
    let find = |is_root: &dyn Fn(&Path) -> bool| {
        from.ancestors().find(|folder| is_root(folder) && (*folder == from || !holds_home(folder, home)))
    };
    let configured = find(&|folder| folder.join("flyball.toml").is_file());
    // In worktrees and submodules `.git` is a file.
    let found = configured.or_else(|| find(&|folder| folder.join(".git").exists()));
    found.unwrap_or(from).to_path_buf()
}

/// Whether a folder is the user's home, or above it: then it is not a project.
#[must_use]
pub fn holds_home(folder: &Path, home: Option<&Path>) -> bool {
    folder.parent().is_none() || home.is_some_and(|home| real_path(home).starts_with(real_path(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_file_is_read_without_the_rest() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        std::fs::write(&path, "one\ntwo\n").unwrap();
        let machine = Machine::new(Instant::now(), None, dir.path(), Vec::new(), &[]);
        let tail =
            |path: &Path, most| machine.tail(&AbsolutePath::from_root(path.to_string_lossy()), most).unwrap();
        let of = |bytes: &str, is_whole| Some(Tail { bytes: bytes.as_bytes().to_vec(), is_whole });
        assert_eq!(tail(&path, 4), of("two\n", false));
        assert_eq!(tail(&path, 8), of("one\ntwo\n", true));
        assert_eq!(tail(&path, 100), of("one\ntwo\n", true));
        assert_eq!(tail(&dir.path().join("none"), 8), None);
        assert_eq!(tail(dir.path(), 8), None);
    }

    /// Files of the kernel have no length before they are read, as if they grew at that moment.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_grows_too_long_is_not_cut() {
        let machine = Machine::new(Instant::now(), None, Path::new("/"), Vec::new(), &[]);
        let path = AbsolutePath::from_root("/proc/self/status");
        assert_eq!(machine.read(&path, 10).unwrap(), None);
        assert!(machine.read(&path, 1_000_000).unwrap().is_some_and(|content| content.len() > 10));
    }

    #[test]
    fn a_pipe_is_not_a_file_and_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("AGENTS.md");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        let machine = Machine::new(Instant::now(), None, dir.path(), Vec::new(), &[]);
        let pipe = AbsolutePath::from_root(pipe.to_string_lossy());
        assert_eq!(machine.read(&pipe, 100).unwrap(), None);
        assert_eq!(machine.tail(&pipe, 100).unwrap(), None);
    }

    #[test]
    fn the_nearest_config_wins_over_the_repository() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir_all(root.join("repo/.git")).unwrap();
        std::fs::create_dir_all(root.join("repo/app/src")).unwrap();
        assert_eq!(project_root(&root.join("repo/app/src"), None), root.join("repo"));
        std::fs::write(root.join("repo/app/flyball.toml"), "").unwrap();
        assert_eq!(project_root(&root.join("repo/app/src"), None), root.join("repo/app"));
    }

    #[test]
    fn a_config_in_the_home_is_not_the_root_of_what_is_below() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("home");
        std::fs::create_dir_all(home.join("src/repo/.git")).unwrap();
        std::fs::create_dir_all(home.join("notes")).unwrap();
        for folder in [&home, dir.path()] {
            std::fs::write(folder.join("flyball.toml"), "").unwrap();
        }
        let root = |below: &str| project_root(&home.join(below), Some(&home));
        assert_eq!(root("src/repo"), home.join("src/repo"));
        assert_eq!(root("notes"), home.join("notes"));
        assert_eq!(project_root(&home, Some(&home)), home);
        assert_eq!(project_root(dir.path(), Some(&home)), dir.path());
        // The same by another name of the home, and a repository in it.
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&home, &link).unwrap();
        assert_eq!(project_root(&link.join("notes"), Some(&home)), link.join("notes"));
        assert_eq!(project_root(&home.join("notes"), Some(&link)), home.join("notes"));
        std::fs::create_dir(home.join(".git")).unwrap();
        assert_eq!(root("notes"), home.join("notes"));
        // One that is for several repositories is between the home and them.
        std::fs::write(home.join("src/flyball.toml"), "").unwrap();
        assert_eq!(root("src/repo"), home.join("src"));
    }
}
