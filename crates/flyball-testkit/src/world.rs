//! A world without a disk, and a workshop in which everything fails: what a test double needs besides its own part.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::client::{Clients, KnowsClients};
use flyball_core::error::PolicyError;
use flyball_core::path::AbsolutePath;
use flyball_core::snapshot::{Snapshot, SnapshotRequest, Snapshots};
use flyball_core::time::Time;
use flyball_core::workshop::{
    Created, FileChanges, FileUpdate, Network, NoteChange, NoteChanges, OwnFolders, Request, Response,
    ResultCache, Rewritten, Scratch,
};
use flyball_core::world::{
    Approval, ChangedFiles, Clock, ContentHash, Contents, ContextSize, FileApprovals, FileNote, Files, Git,
    GitAnswer, LeftProcess, Notes, OwnFile, Place, Processes, Stat, Tail, Transcripts,
};

/// The transcript of a session, which has the size of the context.
pub const TRANSCRIPT: &str = "/home/dev/transcript";

/// A world without a disk: `/project`, `/home/dev`, and paths that are normalised by their text alone.
pub struct PinnedWorld {
    root: AbsolutePath,
    own: Vec<OwnFile>,
    /// Where flyball's program is, if that is known.
    program: Option<AbsolutePath>,
    /// Absolute path to content.
    files: BTreeMap<String, String>,
    /// The arguments of a git command, joined by spaces, to its output.
    git: BTreeMap<String, String>,
    /// Absolute path to the content that a person approved, and when.
    approved: BTreeMap<String, (Option<String>, Time)>,
    /// What a person allowed for a while.
    grants: Vec<flyball_core::grant::Grant>,
    /// When files changed; 1970 for those that are not named.
    changed: BTreeMap<String, Time>,
    /// What runs, and since when; `None` if the system does not say.
    pub left_running: Option<Vec<(Time, LeftProcess)>>,
    /// Set by tests that let time pass.
    pub now: Time,
}

impl PinnedWorld {
    pub fn new() -> PinnedWorld {
        let own = |path: &str, what| OwnFile { path: AbsolutePath::from_root(path), what };
        PinnedWorld {
            root: AbsolutePath::from_root("/project"),
            program: None,
            files: BTreeMap::new(),
            git: BTreeMap::new(),
            approved: BTreeMap::new(),
            grants: Vec::new(),
            changed: BTreeMap::new(),
            left_running: None,
            now: Time::from_millis(1_800_000_000_000),
            own: vec![
                own("/project/flyball.toml", "flyball's configuration"),
                own("/home/dev/.config/flyball", "flyball's user configuration"),
                own("/home/dev/.local/state/flyball", "flyball's recorded state"),
                own("/project/.claude/settings.json", "the registration of flyball's hooks"),
                own("/project/.claude/settings.local.json", "the registration of flyball's hooks"),
            ],
        }
    }

    /// The same world with one more file.
    #[must_use]
    pub fn file(mut self, path: &str, content: &str) -> PinnedWorld {
        self.files.insert(path.to_owned(), content.to_owned());
        self
    }

    /// The same world in which this file is flyball's program.
    #[must_use]
    pub fn with_program(mut self, path: &str, content: &str) -> PinnedWorld {
        self.program = Some(AbsolutePath::from_root(path));
        self.file(path, content)
    }

    /// The same world with exactly these files.
    #[must_use]
    pub fn files(mut self, files: BTreeMap<String, String>) -> PinnedWorld {
        self.files = files;
        self
    }

    /// The same world without a file.
    pub fn without(mut self, path: &str) -> PinnedWorld {
        self.files.remove(path);
        self
    }

    /// The same world in which a person allows agents to change a file for half an hour from now.
    #[must_use]
    pub fn with_allowed(mut self, path: &str) -> PinnedWorld {
        self.grants.push(flyball_core::grant::Grant {
            granted: flyball_core::grant::Granted::File(AbsolutePath::from_root(path)),
            name: path.to_owned(),
            from: self.now,
            until: self.now + Duration::from_mins(30),
            confirmed_by: "terminal".to_owned(),
        });
        self
    }

    /// The same world in which a person approved this content of a file just now.
    pub fn approving(mut self, path: &str, content: Option<&str>) -> PinnedWorld {
        self.approved.insert(path.to_owned(), (content.map(str::to_owned), self.now));
        self
    }

    /// The same world in which a file changed at this time.
    pub fn changed_at(mut self, path: &str, at: Time) -> PinnedWorld {
        self.changed.insert(path.to_owned(), at);
        self
    }

    /// The same world in which git prints this for these arguments.
    pub fn git_says(mut self, arguments: &str, output: &str) -> PinnedWorld {
        self.git.insert(arguments.to_owned(), output.to_owned());
        self
    }
}

impl KnowsClients for PinnedWorld {
    fn clients(&self) -> Clients {
        flyball_clients::FACTS
    }
}

impl Clock for PinnedWorld {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn now(&self) -> Time {
        self.now
    }

    fn local_minutes(&self) -> Option<u32> {
        None
    }
}

impl Place for PinnedWorld {
    fn project_root(&self) -> &AbsolutePath {
        &self.root
    }

    fn program(&self) -> Option<AbsolutePath> {
        self.program.clone()
    }

    fn own_files(&self) -> &[OwnFile] {
        &self.own
    }

    fn home_of(&self, user: &str) -> Option<AbsolutePath> {
        (user == "root").then(|| AbsolutePath::from_root("/root"))
    }
}

impl Processes for PinnedWorld {
    fn left_running(&self, _: &str, since: Time) -> Option<Vec<LeftProcess>> {
        let left = self.left_running.as_ref()?.iter();
        Some(left.filter(|(at, _)| *at >= since).map(|(_, process)| process.clone()).collect())
    }
}

impl Files for PinnedWorld {
    fn real_path(&self, base: &AbsolutePath, path: &str) -> AbsolutePath {
        let path = path.strip_prefix("~/").map_or(path.to_owned(), |rest| format!("/home/dev/{rest}"));
        let whole = if path.starts_with('/') { path } else { format!("{base}/{path}") };
        let mut parts: Vec<&str> = Vec::new();
        for part in whole.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name),
            }
        }
        AbsolutePath::from_root(parts.join("/"))
    }

    fn stat(&self, path: &AbsolutePath) -> Option<Stat> {
        let changed = self.changed.get(path.as_str()).copied().unwrap_or_default();
        let stat = |is_folder, bytes, changed_nanos| Stat {
            is_folder,
            bytes,
            changed,
            modified: changed,
            changed_nanos,
            inode: 1,
            links: 1,
        };
        if let Some(content) = self.files.get(path.as_str()) {
            // Different contents have different times.
            let nanos = content.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31) ^ u64::from(byte));
            return Some(stat(false, content.len() as u64, nanos));
        }
        let folder = format!("{}/", path.trim_end_matches('/'));
        let is_folder = *path == "/project" || self.files.keys().any(|file| file.starts_with(&folder));
        is_folder.then(|| stat(true, 0, 0))
    }

    fn read(&self, path: &AbsolutePath, most: u64) -> Result<Option<Vec<u8>>, PolicyError> {
        let content = self.files.get(path.as_str()).filter(|content| content.len() as u64 <= most);
        Ok(content.map(|content| content.clone().into_bytes()))
    }

    fn tail(&self, path: &AbsolutePath, most: u64) -> Result<Option<Tail>, PolicyError> {
        Ok(self.files.get(path.as_str()).map(|content| {
            let from = content.len().saturating_sub(usize::try_from(most).unwrap_or(usize::MAX));
            Tail { bytes: content.as_bytes()[from..].to_vec(), is_whole: from == 0 }
        }))
    }

    fn list(&self, folder: &AbsolutePath) -> Vec<String> {
        let folder = format!("{}/", folder.trim_end_matches('/'));
        let below = self.files.keys().filter_map(|file| file.strip_prefix(&folder));
        let mut names: Vec<String> =
            below.map(|rest| rest.split('/').next().unwrap_or_default().to_owned()).collect();
        names.dedup();
        names
    }

    fn unknown_fact(&self) -> Option<PolicyError> {
        None
    }
}

impl Git for PinnedWorld {
    fn git(&self, _: &AbsolutePath, arguments: &[&str]) -> Result<GitAnswer, PolicyError> {
        Ok(self
            .git
            .get(&arguments.join(" "))
            .map_or(GitAnswer::NoRepository, |text| GitAnswer::Said(text.clone())))
    }

    fn changed_files(&self, _: &AbsolutePath, _: Time) -> Result<ChangedFiles, PolicyError> {
        Ok(ChangedFiles::default())
    }
}

impl Contents for PinnedWorld {
    fn store(&self, content: &[u8]) -> Result<ContentHash, PolicyError> {
        Ok(self.hash(content))
    }

    fn hash(&self, content: &[u8]) -> ContentHash {
        ContentHash::new(String::from_utf8_lossy(content).into_owned())
    }
}

impl FileApprovals for PinnedWorld {
    fn approval(&self, path: &AbsolutePath, since: Time) -> Result<Option<Approval>, PolicyError> {
        let content = |text: &Option<String>| text.as_ref().map(|text| self.hash(text.as_bytes()));
        let approved = self.approved.get(path.as_str()).filter(|(_, at)| *at >= since);
        Ok(approved.map(|(text, _)| Approval { content: content(text) }))
    }

    fn add_notes(&self, _: &[(AbsolutePath, FileNote)]) -> Result<(), PolicyError> {
        Ok(())
    }

    fn grants(&self) -> Result<Vec<flyball_core::grant::Grant>, PolicyError> {
        Ok(self.grants.clone())
    }
}

impl Notes for PinnedWorld {
    fn project_note(&self, _: &str) -> Result<Option<String>, PolicyError> {
        Ok(None)
    }
}

impl Transcripts for PinnedWorld {
    /// A transcript here holds only the number of tokens and the model.
    fn context_size(&self, _: &str, transcript: &AbsolutePath) -> Result<Option<ContextSize>, PolicyError> {
        let found = self.files.get(transcript.as_str()).and_then(|text| text.split_once(' '));
        let size = |(tokens, model): (&str, &str)| {
            Some(ContextSize { tokens: tokens.parse().ok()?, model: model.to_owned() })
        };
        Ok(found.and_then(size))
    }

    fn recent_conversation(
        &self,
        _: &str,
        _: &AbsolutePath,
        _: usize,
    ) -> Result<Option<String>, PolicyError> {
        Ok(None)
    }
}

impl Default for PinnedWorld {
    fn default() -> PinnedWorld {
        PinnedWorld::new()
    }
}

/// A workshop in which every change fails and nothing is remembered.
#[derive(Clone, Copy, Debug)]
pub struct ClosedWorkshop;

fn closed<T>() -> Result<T, PolicyError> {
    Err(PolicyError::World { what: "not in this test".to_owned(), fix: String::new() })
}

impl ResultCache for ClosedWorkshop {
    fn cached_result(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn cache_result(&self, _: &str, _: &[u8]) {}
}

impl Network for ClosedWorkshop {
    fn post(&self, _: &Request) -> Result<Response, PolicyError> {
        closed()
    }

    fn pause(&self, _: Duration) {}
}

impl OwnFolders for ClosedWorkshop {
    fn scratch(&self, _: &[(&str, &[u8])]) -> Result<Box<dyn Scratch>, PolicyError> {
        closed()
    }

    fn persistent_file(&self, _: &str, _: &[u8]) -> Option<AbsolutePath> {
        None
    }
}

impl FileChanges for ClosedWorkshop {
    fn rewrite(&self, _: &AbsolutePath, _: &[u8], _: &[u8]) -> Result<Rewritten, PolicyError> {
        closed()
    }

    fn create(&self, _: &AbsolutePath, _: &[u8]) -> Result<Created, PolicyError> {
        closed()
    }

    fn update(&self, _: &AbsolutePath, _: &mut FileUpdate<'_>) -> Result<bool, PolicyError> {
        closed()
    }

    fn append(&self, _: &AbsolutePath, _: &str) -> Result<(), PolicyError> {
        closed()
    }

    fn link(&self, _: &AbsolutePath, _: &AbsolutePath) -> Result<bool, PolicyError> {
        closed()
    }
}

impl NoteChanges for ClosedWorkshop {
    fn change_note(&self, _: &str, _: &mut NoteChange<'_>) -> Result<(), PolicyError> {
        closed()
    }
}

impl Snapshots for ClosedWorkshop {
    fn take_snapshot(&self, _: &SnapshotRequest<'_>) -> Result<Snapshot, PolicyError> {
        closed()
    }
}
