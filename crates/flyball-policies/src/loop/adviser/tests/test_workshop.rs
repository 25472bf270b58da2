//! A workshop on real sockets and real processes whose clock moves only when something is waited for.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Clock, OwnFile, Place, PolicyError};
use flyball_core::time::{Time, whole_millis};
use flyball_core::workshop::{
    Job, JobResult, Limits, Network, Places, Program, ProgramQuery, Programs, Request, Response,
};
use flyball_testkit::{ClosedWorkshop, PinnedWorld, run_job};

use super::server::TOOK;

pub(super) struct TestWorkshop {
    world: PinnedWorld,
    closed: ClosedWorkshop,
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
            closed: ClosedWorkshop,
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

flyball_core::delegate!(TestWorkshop, world: Processes, Files, Git, Contents, FileApprovals, Notes, Transcripts, KnowsClients);
flyball_core::delegate!(TestWorkshop, closed: ResultCache, OwnFolders, FileChanges, NoteChanges, Snapshots);

impl Clock for TestWorkshop {
    fn elapsed(&self) -> Duration {
        Duration::from_micros(self.micros.load(Ordering::SeqCst))
    }

    fn now(&self) -> Time {
        self.world.now()
    }

    fn local_minutes(&self) -> Option<u32> {
        None
    }
}

impl Place for TestWorkshop {
    fn project_root(&self) -> &AbsolutePath {
        static ROOT: LazyLock<AbsolutePath> = LazyLock::new(AbsolutePath::default);
        &ROOT
    }

    fn program(&self) -> Option<AbsolutePath> {
        None
    }

    fn own_files(&self) -> &[OwnFile] {
        self.world.own_files()
    }

    fn home_of(&self, _: &str) -> Option<AbsolutePath> {
        None
    }
}

impl Programs for TestWorkshop {
    fn find(&self, query: &ProgramQuery) -> Option<Program> {
        assert!(query.places != Places::ProjectFirst, "a project's own programs are not asked for keys");
        let path = AbsolutePath::from_root(format!("/bin/{}", query.name));
        std::path::Path::new(&path).exists().then_some(Program { path, identity: String::new() })
    }

    fn run(&self, jobs: &[Job], limits: Limits) -> Vec<JobResult> {
        self.ran.lock().unwrap().extend(jobs.iter().map(|job| job.program.to_string()));
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
    /// A server that closes the connection without a reply counts as one that hangs: all of its time is used up then.
    fn post(&self, request: &Request) -> Result<Response, PolicyError> {
        self.given.lock().unwrap().push(whole_millis(request.timeout));
        let Ok(text) = exchange(request) else { return Err(world_error("connection refused")) };
        if text.is_empty() {
            self.pass(whole_millis(request.timeout));
            return Err(world_error(format!("did not answer within {} ms", request.timeout.as_millis())));
        }
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let header = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
            line.and_then(|value| value.parse::<u64>().ok())
        };
        self.pass(header(TOOK).unwrap_or_default());
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Ok(Response {
            status,
            retry_after: header("retry-after").map(Duration::from_secs),
            body: body.to_owned(),
        })
    }

    fn pause(&self, duration: Duration) {
        let millis = whole_millis(duration);
        self.pauses.lock().unwrap().push(millis);
        self.pass(millis);
    }
}

/// As much HTTP/1.1 as a server on loopback needs.
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
