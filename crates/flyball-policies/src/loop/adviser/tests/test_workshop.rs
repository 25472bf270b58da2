//! A workshop on real sockets and real processes whose clock moves only when something is waited for.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use flyball_core::policy::{Clock, OwnFile, Place, PolicyError};
use flyball_core::workshop::{
    Created, Ending, FileChanges, FileUpdate, Job, JobResult, Limits, Network, NoteChange, NoteChanges,
    OwnFolders, Program, ProgramQuery, Programs, Request, Response, ResultCache, Rewritten, Scratch,
};

use super::server::TOOK;
use crate::testing::PinnedWorld;

pub(super) struct TestWorkshop {
    world: PinnedWorld,
    variables: BTreeMap<String, String>,
    micros: AtomicU64,
    /// How long it was asked to wait, in milliseconds.
    pub(super) pauses: Mutex<Vec<u64>>,
    /// How long each request was given, in milliseconds.
    pub(super) given: Mutex<Vec<u64>>,
    /// The programs that were run.
    pub(super) ran: Mutex<Vec<String>>,
}

impl TestWorkshop {
    pub(super) fn new() -> TestWorkshop {
        TestWorkshop {
            world: PinnedWorld::new(),
            variables: BTreeMap::new(),
            micros: AtomicU64::new(7_000_000),
            pauses: Mutex::default(),
            given: Mutex::default(),
            ran: Mutex::default(),
        }
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> TestWorkshop {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(super) fn given(&self) -> Vec<u64> {
        self.given.lock().unwrap().clone()
    }

    pub(super) fn pauses(&self) -> Vec<u64> {
        self.pauses.lock().unwrap().clone()
    }

    fn pass(&self, millis: u64) {
        self.micros.fetch_add(millis * 1000, Ordering::SeqCst);
    }
}

fn world_error(what: impl ToString) -> PolicyError {
    PolicyError::World { what: what.to_string(), fix: String::new() }
}

flyball_core::delegate!(TestWorkshop, world: Files, Git, Contents, FileApprovals, Notes, Transcripts, KnowsClients);

impl Clock for TestWorkshop {
    fn micros(&self) -> u64 {
        self.micros.load(Ordering::SeqCst)
    }

    fn unix_millis(&self) -> u64 {
        self.world.unix_millis()
    }

    fn local_minutes(&self) -> Option<u32> {
        None
    }
}

impl Place for TestWorkshop {
    fn project_root(&self) -> &str {
        "/"
    }

    fn program(&self) -> Option<String> {
        None
    }

    fn own_files(&self) -> &[OwnFile] {
        self.world.own_files()
    }
}

impl Programs for TestWorkshop {
    fn find(&self, wanted: &ProgramQuery) -> Option<Program> {
        assert!(!wanted.local, "a project's own programs are not asked for keys");
        let path = format!("/bin/{}", wanted.name);
        std::path::Path::new(&path).exists().then_some(Program { path, identity: String::new() })
    }

    fn run(&self, jobs: &[Job], limits: Limits) -> Vec<JobResult> {
        self.ran.lock().unwrap().extend(jobs.iter().map(|job| job.program.clone()));
        jobs.iter().map(|job| run(job, limits)).collect()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }
}

impl ResultCache for TestWorkshop {
    fn cached_result(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn cache_result(&self, _: &str, _: &[u8]) {}
}

impl Network for TestWorkshop {
    /// A server that hangs up without a word stands for one that hangs: all the time it was given is gone then.
    fn post(&self, request: &Request) -> Result<Response, PolicyError> {
        self.given.lock().unwrap().push(request.millis);
        let Ok(text) = exchange(request) else { return Err(world_error("connection refused")) };
        if text.is_empty() {
            self.pass(request.millis);
            return Err(world_error(format!("did not answer within {} ms", request.millis)));
        }
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let header = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
            line.and_then(|value| value.parse::<u64>().ok())
        };
        self.pass(header(TOOK).unwrap_or_default());
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Ok(Response { status, retry_after: header("retry-after"), body: body.to_owned() })
    }

    fn pause(&self, millis: u64) {
        self.pauses.lock().unwrap().push(millis);
        self.pass(millis);
    }
}

impl OwnFolders for TestWorkshop {
    fn scratch(&self, _: &[(&str, &[u8])]) -> Result<Box<dyn Scratch>, PolicyError> {
        Err(world_error("not here"))
    }

    fn persistent_file(&self, _: &str, _: &[u8]) -> Option<String> {
        None
    }
}

impl FileChanges for TestWorkshop {
    fn rewrite(&self, _: &str, _: &[u8], _: &[u8]) -> Result<Rewritten, PolicyError> {
        Err(world_error("nothing is rewritten here"))
    }

    fn create(&self, _: &str, _: &[u8]) -> Result<Created, PolicyError> {
        Err(world_error("not here"))
    }

    fn update(&self, _: &str, _: &mut FileUpdate<'_>) -> Result<bool, PolicyError> {
        Err(world_error("not here"))
    }

    fn append(&self, _: &str, _: &str) -> Result<(), PolicyError> {
        Err(world_error("not here"))
    }

    fn link(&self, _: &str, _: &str) -> Result<bool, PolicyError> {
        Err(world_error("not here"))
    }
}

impl NoteChanges for TestWorkshop {
    fn change_note(&self, _: &str, _: &mut NoteChange<'_>) -> Result<(), PolicyError> {
        Err(world_error("not here"))
    }
}

/// HTTP/1.1 as far as it takes to speak to a server on loopback.
fn exchange(request: &Request) -> std::io::Result<String> {
    let rest = request.url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host)?;
    let method = if request.body.is_some() { "POST" } else { "GET" };
    let body = request.body.as_deref().unwrap_or_default();
    let headers: String =
        request.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let head =
        format!("{method} /{path} HTTP/1.1\r\nhost: {host}\r\n{headers}content-length: {length}\r\n\r\n");
    stream.write_all((head + body).as_bytes())?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text)
}

fn run(job: &Job, limits: Limits) -> JobResult {
    let mut command = Command::new(&job.program);
    command.args(&job.arguments).current_dir(&job.folder).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let (said, heard) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        stdout.read_to_end(&mut text).unwrap();
        let _ = said.send(text);
    });
    let stdout = heard.recv_timeout(Duration::from_millis(limits.millis)).ok();
    if stdout.is_none() {
        child.kill().unwrap();
    }
    let status = child.wait().unwrap();
    reader.join().unwrap();
    let ending =
        if stdout.is_none() { Ending::TimedOut } else { Ending::Exited(status.code().unwrap_or_default()) };
    JobResult { ending, stdout: stdout.unwrap_or_default(), stderr: Vec::new(), cut: false, millis: 0 }
}
