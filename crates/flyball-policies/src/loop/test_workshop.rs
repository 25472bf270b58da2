//! A small workshop on real files, real processes and real git.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use flyball_core::config::{Mode, Section};
use flyball_core::event::Event;
use flyball_core::facts::Facts;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Policy, PolicyError, Situation};
use flyball_core::time::Time;
use flyball_core::workshop::{Job, JobResult, Limits, Program, ProgramQuery, Programs, ResultCache};
use flyball_core::world::{
    ChangedFiles, Clock, ContentHash, Contents, Files, GitAnswer, OwnFile, Place, Stat, Tail,
};
use flyball_testkit::{ClosedWorkshop, PinnedWorld, run_job};

use crate::digest::digest;
use crate::testing::InMemory;

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A temporary project, deleted when it is dropped.
pub(super) struct TestWorkshop {
    folder: PathBuf,
    root: AbsolutePath,
    variables: BTreeMap<String, String>,
    results: Mutex<BTreeMap<String, Vec<u8>>>,
    /// The command lines that were run.
    lines: Mutex<Vec<String>>,
    /// How much of the hook's time is over, in microseconds.
    pub(super) micros: AtomicU64,
    /// Whether git is real, or hangs, or answers endlessly.
    pub(super) git: Git,
    pub(super) memory: InMemory,
    facts: Facts,
    pinned: PinnedWorld,
    closed: ClosedWorkshop,
}

flyball_core::delegate!(TestWorkshop, pinned: Processes, FileApprovals, Notes, Transcripts, KnowsClients);
flyball_core::delegate!(TestWorkshop, closed: Network, OwnFolders, FileChanges, NoteChanges, Snapshots);

/// What git is like here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Git {
    Real,
    /// Its output is longer than what is read.
    Endless,
    /// It does not answer.
    Hangs,
}

impl TestWorkshop {
    /// A folder without git.
    pub(super) fn bare() -> TestWorkshop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("flyball-loop-{}-{number}", std::process::id()));
        fs::create_dir_all(folder.join("project")).unwrap();
        let folder = fs::canonicalize(folder).unwrap();
        TestWorkshop {
            root: AbsolutePath::from_path(&folder.join("project")),
            folder,
            variables: BTreeMap::new(),
            results: Mutex::default(),
            lines: Mutex::default(),
            micros: AtomicU64::new(0),
            git: Git::Real,
            memory: InMemory::default(),
            facts: Facts::default(),
            pinned: PinnedWorld::new(),
            closed: ClosedWorkshop,
        }
    }

    /// A repository with these files committed.
    pub(super) fn repository(files: &[(&str, &str)]) -> TestWorkshop {
        let workshop = TestWorkshop::bare();
        workshop.do_git(&["init", "--quiet", "--initial-branch=main"]);
        for (name, text) in files {
            workshop.write(name, text);
        }
        if !files.is_empty() {
            workshop.commit();
        }
        workshop
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> TestWorkshop {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(super) fn write(&self, file: &str, text: &str) {
        let path = Path::new(&self.root).join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(super) fn remove(&self, file: &str) {
        fs::remove_file(Path::new(&self.root).join(file)).unwrap();
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        Path::new(&self.root).join(file)
    }

    pub(super) fn commit(&self) {
        self.do_git(&["add", "--all"]);
        self.do_git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message=c"]);
    }

    pub(super) fn do_git(&self, words: &[&str]) {
        assert!(git(&self.root, words).status().unwrap().success(), "git {words:?}");
    }

    /// The command lines that were run since this was last asked.
    pub(super) fn take_command_lines(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.lock().unwrap())
    }

    /// The situation of a policy here.
    pub(super) fn situation<'a>(
        &'a self,
        policy: &Policy,
        event: &'a Event,
        section: &'a Section,
    ) -> Situation<'a> {
        Situation {
            policy: policy.id,
            event,
            mode: section.mode,
            section,
            world: self,
            memory: &self.memory,
            facts: &self.facts,
            wrappers: &[],
            context_chars: 9_500,
            payloads: flyball_core::config::Payloads::Redacted,
        }
    }

    /// A section with only a mode.
    pub(super) fn section(policy: &Policy, mode: Mode) -> Section {
        Section { mode, settings: (policy.section.default)().into() }
    }
}

impl Drop for TestWorkshop {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.folder));
    }
}

fn git(folder: &str, words: &[&str]) -> Command {
    let mut command = Command::new("git");
    // The config of the machine's user must not matter here.
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command.env("GIT_CEILING_DIRECTORIES", std::env::temp_dir());
    command.arg("-C").arg(folder).args(words).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

fn world_error(what: &str) -> PolicyError {
    PolicyError::World { what: what.to_owned(), fix: String::new() }
}

impl Clock for TestWorkshop {
    fn elapsed(&self) -> Duration {
        Duration::from_micros(self.micros.load(Ordering::Relaxed))
    }

    fn now(&self) -> Time {
        Time::from_millis(Time::now().as_millis())
    }

    fn local_minutes(&self) -> Option<u32> {
        None
    }
}

impl Place for TestWorkshop {
    fn project_root(&self) -> &AbsolutePath {
        &self.root
    }

    fn program(&self) -> Option<AbsolutePath> {
        None
    }

    fn own_files(&self) -> &[OwnFile] {
        &[]
    }

    fn home_of(&self, _: &str) -> Option<AbsolutePath> {
        None
    }
}

impl Files for TestWorkshop {
    fn real_path(&self, base: &AbsolutePath, path: &str) -> AbsolutePath {
        let path = Path::new(base).join(path);
        AbsolutePath::from_path(&fs::canonicalize(&path).unwrap_or(path))
    }

    fn stat(&self, path: &AbsolutePath) -> Option<Stat> {
        let found = fs::metadata(path).ok()?;
        let millis = found.ctime() * 1_000 + found.ctime_nsec() / 1_000_000;
        Some(Stat {
            is_folder: found.is_dir(),
            bytes: found.len(),
            changed: Time::from_millis(u64::try_from(millis).unwrap()),
            modified: Time::default(),
            changed_nanos: 0,
            inode: found.ino(),
            links: found.nlink(),
        })
    }

    fn read(&self, path: &AbsolutePath, most: u64) -> Result<Option<Vec<u8>>, PolicyError> {
        Ok(fs::read(path).ok().filter(|content| content.len() as u64 <= most))
    }

    fn tail(&self, _: &AbsolutePath, _: u64) -> Result<Option<Tail>, PolicyError> {
        Ok(None)
    }

    fn list(&self, _: &AbsolutePath) -> Vec<String> {
        Vec::new()
    }

    fn unknown_fact(&self) -> Option<PolicyError> {
        None
    }
}

impl flyball_core::world::Git for TestWorkshop {
    fn git(&self, folder: &AbsolutePath, question: &[&str]) -> Result<GitAnswer, PolicyError> {
        match self.git {
            Git::Endless if question.contains(&"-z") => return Ok(GitAnswer::Said("a.rs\0".repeat(60_000))),
            Git::Hangs => return Err(world_error("git did not come back")),
            Git::Real | Git::Endless => {}
        }
        let output = git(folder, question).output().unwrap();
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(GitAnswer::Said(answer));
        }
        let has_repository = git(folder, &["rev-parse", "--git-dir"]).output().unwrap().status.success();
        Ok(if has_repository { GitAnswer::No } else { GitAnswer::NoRepository })
    }

    fn changed_files(&self, _: &AbsolutePath, _: Time) -> Result<ChangedFiles, PolicyError> {
        Ok(ChangedFiles::default())
    }
}

impl Contents for TestWorkshop {
    fn store(&self, _: &[u8]) -> Result<ContentHash, PolicyError> {
        Err(world_error("nothing is stored here"))
    }

    fn hash(&self, content: &[u8]) -> ContentHash {
        let text: String = content.iter().map(|byte| format!("{byte:02x}")).collect();
        ContentHash::new(format!("{:016x}", digest([text.as_str()])))
    }
}

impl Programs for TestWorkshop {
    fn find(&self, query: &ProgramQuery) -> Option<Program> {
        let path = AbsolutePath::from_root(format!("/bin/{}", query.name));
        Path::new(&path).exists().then(|| Program { path, identity: String::new() })
    }

    fn run(&self, jobs: &[Job], limits: Limits) -> Vec<JobResult> {
        let lines = jobs.iter().filter_map(|job| job.arguments.last().cloned());
        self.lines.lock().unwrap().extend(lines);
        jobs.iter().map(|job| run_job(job, limits)).collect()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    fn trusts_project(&self) -> bool {
        true
    }
}

impl ResultCache for TestWorkshop {
    fn cached_result(&self, key: &str) -> Option<Vec<u8>> {
        self.results.lock().unwrap().get(key).cloned()
    }

    fn cache_result(&self, key: &str, result: &[u8]) {
        self.results.lock().unwrap().insert(key.to_owned(), result.to_vec());
    }
}
