//! A small workshop on real files, real processes and real sockets.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_core::time::Time;
use flyball_core::workshop::{
    Created, FileChanges, FileUpdate, Job, JobResult, Limits, Network, OwnFolders, Program, ProgramQuery,
    Programs, Request, Response, Rewritten, Scratch,
};
use flyball_core::world::{Clock, Files, OwnFile, Place, Stat, Tail};
use flyball_testkit::{ClosedWorkshop, PinnedWorld, run_job};

pub(super) struct TestWorkshop {
    dir: tempfile::TempDir,
    root: AbsolutePath,
    variables: BTreeMap<String, String>,
    began: Instant,
    /// How long it was asked to wait.
    pub(super) pauses: Mutex<Vec<Duration>>,
    /// The jobs that were run.
    pub(super) jobs: Mutex<Vec<Job>>,
    pinned: PinnedWorld,
    closed: ClosedWorkshop,
}

flyball_core::delegate!(TestWorkshop, pinned: Processes, Git, Contents, FileApprovals, Notes, Transcripts, KnowsClients);
flyball_core::delegate!(TestWorkshop, closed: ResultCache, NoteChanges, Snapshots);

struct Copy {
    _folder: tempfile::TempDir,
    path: AbsolutePath,
}

impl Scratch for Copy {
    fn link(&self, _: &AbsolutePath, _: &AbsolutePath) -> bool {
        false
    }

    fn write(&self, _: &AbsolutePath, _: &[u8]) -> bool {
        false
    }

    fn path(&self) -> &AbsolutePath {
        &self.path
    }
}

impl TestWorkshop {
    pub(super) fn new(file: &str, content: &str) -> TestWorkshop {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap().join("project");
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        TestWorkshop {
            root: AbsolutePath::from_root(root.to_string_lossy()),
            variables: BTreeMap::from([("HOME".to_owned(), dir.path().to_string_lossy().into_owned())]),
            dir,
            began: Instant::now(),
            pauses: Mutex::new(Vec::new()),
            jobs: Mutex::new(Vec::new()),
            pinned: PinnedWorld::new(),
            closed: ClosedWorkshop,
        }
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> TestWorkshop {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Puts a script where the client is looked for in the home folder.
    pub(super) fn client(self, script: &str) -> TestWorkshop {
        let bin = self.dir.path().join(".local/bin");
        fs::create_dir_all(&bin).unwrap();
        let path = bin.join("claude");
        fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    pub(super) fn root(&self) -> &AbsolutePath {
        &self.root
    }

    pub(super) fn text(&self, file: &str) -> String {
        fs::read_to_string(Path::new(&self.root).join(file)).unwrap()
    }

    pub(super) fn write(&self, file: &str, text: &str) {
        fs::write(Path::new(&self.root).join(file), text).unwrap();
    }
}

fn error(what: impl ToString) -> PolicyError {
    PolicyError::World { what: what.to_string(), fix: String::new() }
}

impl Clock for TestWorkshop {
    fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    fn now(&self) -> Time {
        Time::default()
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
        let real = fs::canonicalize(&path).or_else(|_| {
            let parent = fs::canonicalize(path.parent().unwrap())?;
            Ok::<_, std::io::Error>(parent.join(path.file_name().unwrap()))
        });
        AbsolutePath::from_root(real.unwrap_or(path).to_string_lossy())
    }

    fn stat(&self, path: &AbsolutePath) -> Option<Stat> {
        let found = fs::metadata(path).ok()?;
        Some(Stat {
            is_folder: found.is_dir(),
            bytes: found.len(),
            changed: Time::default(),
            modified: Time::default(),
            changed_nanos: 0,
            inode: found.ino(),
            links: found.nlink(),
        })
    }

    fn read(&self, path: &AbsolutePath, _: u64) -> Result<Option<Vec<u8>>, PolicyError> {
        Ok(fs::read(path).ok())
    }

    fn tail(&self, _: &AbsolutePath, _: u64) -> Result<Option<Tail>, PolicyError> {
        Ok(None)
    }

    fn list(&self, folder: &AbsolutePath) -> Vec<String> {
        let found = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names: Vec<String> = found.map(|it| it.file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }

    fn unknown_fact(&self) -> Option<PolicyError> {
        None
    }
}

impl Programs for TestWorkshop {
    fn find(&self, query: &ProgramQuery) -> Option<Program> {
        let is_path = query.name.starts_with('/') && Path::new(&query.name).exists();
        is_path.then(|| Program { path: AbsolutePath::from_root(&*query.name), identity: String::new() })
    }

    fn run(&self, jobs: &[Job], limits: Limits) -> Vec<JobResult> {
        self.jobs.lock().unwrap().extend(jobs.iter().cloned());
        jobs.iter().map(|job| run_job(job, limits)).collect()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    fn trusts_project(&self) -> bool {
        true
    }
}

impl Network for TestWorkshop {
    fn post(&self, request: &Request) -> Result<Response, PolicyError> {
        post(request).map_err(error)
    }

    fn pause(&self, duration: Duration) {
        self.pauses.lock().unwrap().push(duration);
    }
}

impl OwnFolders for TestWorkshop {
    fn scratch(&self, files: &[(&str, &[u8])]) -> Result<Box<dyn Scratch>, PolicyError> {
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let path = AbsolutePath::from_root(fs::canonicalize(dir.path()).unwrap().to_string_lossy());
        Ok(Box::new(Copy { _folder: dir, path }))
    }

    fn persistent_file(&self, _: &str, _: &[u8]) -> Option<AbsolutePath> {
        None
    }
}

impl FileChanges for TestWorkshop {
    fn rewrite(&self, path: &AbsolutePath, from: &[u8], to: &[u8]) -> Result<Rewritten, PolicyError> {
        if fs::read(path).map_err(error)? != from {
            return Ok(Rewritten::Overtaken);
        }
        fs::write(path, to).map_err(error)?;
        Ok(Rewritten::Yes)
    }

    fn create(&self, path: &AbsolutePath, content: &[u8]) -> Result<Created, PolicyError> {
        self.closed.create(path, content)
    }

    fn update(&self, path: &AbsolutePath, update: &mut FileUpdate<'_>) -> Result<bool, PolicyError> {
        self.closed.update(path, update)
    }

    fn append(&self, path: &AbsolutePath, line: &str) -> Result<(), PolicyError> {
        self.closed.append(path, line)
    }

    fn link(&self, path: &AbsolutePath, to: &AbsolutePath) -> Result<bool, PolicyError> {
        self.closed.link(path, to)
    }
}

/// HTTP/1.1 as far as it takes to speak to a server on loopback.
fn post(request: &Request) -> std::io::Result<Response> {
    let rest = request.url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let limit = request.timeout;
    let stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(limit))?;
    let headers: String =
        request.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let body = request.body.as_deref().unwrap_or_default();
    let length = body.len();
    let head = format!("POST /{path} HTTP/1.1\r\nhost: {host}\r\n{headers}content-length: {length}\r\n\r\n");
    (&stream).write_all((head + body).as_bytes())?;
    let reader = RefCell::new(BufReader::new(&stream));
    let line = || {
        let mut line = String::new();
        reader.borrow_mut().read_line(&mut line)?;
        Ok::<_, std::io::Error>(line.trim_end().to_owned())
    };
    let status = line()?.split(' ').nth(1).and_then(|text| text.parse().ok());
    let status = status.ok_or_else(|| std::io::Error::other("the connection was closed"))?;
    let mut retry_after = None;
    loop {
        let header = line()?;
        match header.split_once(": ") {
            Some(("retry-after", value)) => retry_after = value.parse().ok().map(Duration::from_secs),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = String::new();
    reader.borrow_mut().read_to_string(&mut body)?;
    Ok(Response { status, retry_after, body })
}
