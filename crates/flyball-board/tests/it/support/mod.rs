//! A board over a scratch store, served on a port of its own.

#![allow(
    clippy::allow_attributes,
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "each test file uses its own part of this, and all of it is test code"
)]

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use flyball_board::explanation::Explanation;
use flyball_board::view::{FindingView, LoopView, PolicyView, SnapshotView, TaskView, WaitingView};
use flyball_board::{Address, Board, ViewSource, serve};
use flyball_core::config::StoreSettings;
use flyball_core::event::SessionId;
use flyball_core::record::Record;
use flyball_store::{FoldOptions, SessionSummary, Store};
pub(crate) use flyball_testkit::http;
use serde_json::json;
use tempfile::TempDir;

pub(crate) const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A board that is being served until the process of the test ends.
pub(crate) struct Served {
    folder: TempDir,
    pub(crate) address: SocketAddr,
}

impl Served {
    pub(crate) fn new() -> Served {
        let folder = tempfile::tempdir().unwrap();
        Served { address: start(folder.path().to_owned()), folder }
    }

    pub(crate) fn store(&self) -> Store {
        Store::at(self.folder.path())
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// A page, requested with the token.
    pub(crate) fn get(&self, path: &str) -> http::Response {
        http::get(self.address, path, TOKEN)
    }

    /// The stream, requested with the token.
    pub(crate) fn events(&self, path: &str, headers: &[&str]) -> http::Events {
        http::Events::open(self.address, (path, TOKEN), headers)
    }

    /// What a hook does at the end.
    pub(crate) fn record(&self, session: &str, number: u64, stance: &str) {
        record(&self.store(), session, number, stance);
    }
}

/// Serves the board of a state directory.
pub(crate) fn start(state: PathBuf) -> SocketAddr {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let board = Board { state, settings: StoreSettings::default(), views: Arc::new(Quiet) };
        let address = Address { listen: "127.0.0.1:0".parse().unwrap(), token: TOKEN.to_owned() };
        serve(board, &address, |address| sender.send(address).unwrap()).unwrap();
    });
    receiver.recv_timeout(http::TIMEOUT).unwrap()
}

/// Commits the record of an event.
pub(crate) fn record(store: &Store, session: &str, number: u64, stance: &str) {
    let at = jiff::Timestamp::now().as_microsecond();
    let fields = json!({
        "id": format!("{session}{number:06}"), "at": at, "client": "c", "session": session, "project": "/p",
        "kind": "before_tool", "native": "PreToolUse", "tool": "shell", "subject": format!("command {number}"),
        "call": number, "stance": stance, "micros": 1,
    });
    let mut record: Record = serde_json::from_value(fields).unwrap();
    store.session("c", &SessionId::new(session), Duration::from_secs(60)).commit(&mut record).unwrap();
}

/// Folds, as another process would.
pub(crate) fn fold(store: &Store) {
    let settings = StoreSettings::default();
    let now = flyball_core::time::Time::now();
    store.fold(&FoldOptions { now, ..FoldOptions::now(&settings, Duration::from_secs(60)) }).unwrap();
}

struct Quiet;

impl ViewSource for Quiet {
    fn waiting(&self, _: &SessionSummary) -> Option<WaitingView> {
        None
    }

    fn loop_view(&self, _: &SessionSummary) -> Option<LoopView> {
        None
    }

    fn findings(&self, _: &SessionSummary) -> Vec<FindingView> {
        Vec::new()
    }

    fn snapshots(&self, _: &SessionSummary) -> Vec<SnapshotView> {
        Vec::new()
    }

    fn tasks(&self, _: &str) -> Vec<TaskView> {
        Vec::new()
    }

    fn policies(&self, _: Option<&str>) -> Vec<PolicyView> {
        Vec::new()
    }

    fn rule_names(&self, _ruling: &flyball_core::record::RecordedRuling) -> Vec<String> {
        Vec::new()
    }

    fn explanation(&self, record: Record) -> Explanation {
        let meaning = String::new();
        Explanation { record, meaning, policies: Vec::new(), changes: Vec::new(), next: Vec::new() }
    }
}
