//! A store with a day in it, and fixed views.

use std::time::Duration;

use flyball_board::explanation::Explanation;
use flyball_board::view::{
    DomainView, FindingView, HappenedView, LoopView, PhaseView, PolicyView, SnapshotView, TaskView,
    WaitingView,
};
use flyball_board::{PageContext, PageError, Request, ViewSource, render};
use flyball_core::config::{Mode, StoreSettings};
use flyball_core::event::{AnswerId, CallKey, EventKind, SessionId, ToolKind};
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::Time;
use flyball_core::verdict::{Reason, Stance};
use flyball_store::{FoldOptions, ReadStore, SessionSummary, Store};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use tempfile::TempDir;

/// 2026-11-15 14:37:20 UTC.
pub(crate) const NOW: i64 = 1_794_753_440_000_000;
pub(crate) const MINUTE: i64 = 60_000_000;

const LONG_WAIT: Duration = Duration::from_secs(60);

/// A store in a directory of its own.
pub(crate) struct Home {
    /// Gone with it.
    _dir: TempDir,
    pub(crate) store: Store,
}

impl Home {
    pub(crate) fn new() -> Home {
        let dir = TempDir::new().unwrap();
        let store = Store::at(&dir.path().join("state"));
        Home { _dir: dir, store }
    }

    /// A store with these records.
    pub(crate) fn with(records: &[Record]) -> Home {
        let home = Home::new();
        for record in records {
            let journal = home.store.session(&record.client, &record.session, LONG_WAIT);
            journal.commit(&mut record.clone()).unwrap();
        }
        home
    }

    pub(crate) fn index(&self) -> Box<dyn ReadStore> {
        let settings = StoreSettings::default();
        let options = FoldOptions { now: Time::from_micros(NOW), ..FoldOptions::now(&settings, LONG_WAIT) };
        self.store.open(Some(&options)).unwrap()
    }

    /// The inside of a page.
    pub(crate) fn page(&self, address: &str) -> String {
        self.rendered(address, &FixedViews).unwrap_or_else(|error| panic!("{address}: {error}"))
    }

    pub(crate) fn rendered(&self, address: &str, views: &dyn ViewSource) -> Result<String, PageError> {
        let request = request(address);
        let page = render(&PageContext { index: &*self.index(), views, request: &request, now: &now() })?;
        Ok(page.body.into_string())
    }

    /// A page in its frame.
    pub(crate) fn framed(&self, address: &str, views: &dyn ViewSource) -> String {
        let request = request(address);
        let page = render(&PageContext { index: &*self.index(), views, request: &request, now: &now() });
        page.unwrap_or_else(|error| error.page()).framed(&request).into_string()
    }
}

pub(crate) fn now() -> Zoned {
    Timestamp::from_microsecond(NOW).unwrap().to_zoned(TimeZone::UTC)
}

pub(crate) fn request(address: &str) -> Request {
    let (path, query) = address.split_once('?').map_or((address, None), |(path, query)| (path, Some(query)));
    Request::parse(path, query).unwrap()
}

/// A silent event, some minutes ago.
pub(crate) fn record(number: u64, minutes_ago: i64) -> Record {
    Record {
        id: AnswerId::from_seed(number),
        at: Time::from_micros(NOW - minutes_ago * MINUTE + i64::try_from(number % 50).unwrap() * 1_000_000),
        client: "claude-code".to_owned(),
        session: SessionId::new("5f0c91d2-aa01"),
        agent: None,
        project: "/home/ada/engine".to_owned(),
        kind: EventKind::BeforeTool,
        native: "PreToolUse".to_owned(),
        tool: Some(ToolKind::Shell),
        subject: format!("cargo test number-{number}"),
        call: CallKey::from_payload(&number.to_le_bytes()),
        duplicate: false,
        stance: Stance::Silent,
        said: String::new(),
        context_chars: 0,
        notices: Vec::new(),
        rewritten: false,
        rulings: Vec::new(),
        took: Duration::from_micros(900 + number * 37 % 800),
        payload: None,
    }
}

/// The same, denied for a reason.
pub(crate) fn denied(number: u64, minutes_ago: i64, subject: &str, why: &str) -> Record {
    Record {
        stance: Stance::Deny,
        subject: subject.to_owned(),
        rulings: vec![RecordedRuling {
            reasons: vec![Reason { what: why.to_owned(), ..Reason::default() }],
            ..ruling("guard.packages", Stance::Deny, 210)
        }],
        ..record(number, minutes_ago)
    }
}

pub(crate) fn ruling(policy: &str, stance: Stance, micros: u64) -> RecordedRuling {
    RecordedRuling {
        policy: policy.to_owned(),
        mode: Mode::Enforce,
        skipped: false,
        stance,
        reasons: Vec::new(),
        evidence: Vec::new(),
        error: None,
        took: Duration::from_micros(micros),
    }
}

/// A day of three projects, for looking at.
pub(crate) fn day() -> Vec<Record> {
    let projects = ["/home/ada/src/engine", "/home/ada/src/api-gateway", "/home/ada/notes"];
    let sessions = ["5f0c91d2-aa01", "8b12e07c-33f4", "c40d77aa-9e10", "e91b5502-7c3d", "0a6f2b9e-51d8"];
    let commands =
        ["cargo test -p engine", "git status", "rg -n 'fn main' src", "src/lib.rs", "npm test", "ls -la"];
    (0..900_u64)
        .filter(|number| !(300..420).contains(number))
        .map(|number| {
            let minutes = 1_430 - i64::try_from(number).unwrap() * 1_430 / 900;
            let session = usize::try_from(number / 180).unwrap() % sessions.len();
            let busy = 1 + number * 7919 % 13;
            let mut record = record(number, minutes);
            record.session = SessionId::new(sessions[session]);
            record.project = projects[session % 3].to_owned();
            record.subject = commands[usize::try_from(number * 31 % 6).unwrap()].to_owned();
            record.context_chars =
                if number % 9 == 0 { 1_200 + usize::try_from(number % 7).unwrap() * 400 } else { 0 };
            record.took =
                Duration::from_micros(1_100 + busy * 90 + if number % 41 == 0 { 48_000 } else { 0 });
            record.rulings = vec![
                ruling("guard.packages", Stance::Silent, 120 + busy * 9),
                ruling("guard.protected", Stance::Silent, 60 + busy * 4),
                ruling("memory.context", Stance::Silent, 240 + busy * 20),
            ];
            if number % 41 == 0 {
                record.rulings.push(ruling("quality", Stance::Silent, 46_000 + number));
            }
            vary(record, number)
        })
        .collect()
}

fn vary(mut record: Record, number: u64) -> Record {
    let mut judge = |policy: &str, stance: Stance, what: &str| {
        record.stance = stance;
        let reasons = vec![Reason { what: what.to_owned(), ..Reason::default() }];
        record.rulings.push(RecordedRuling { reasons, ..ruling(policy, stance, 180) });
    };
    match number % 120 {
        17 => judge("guard.secrets", Stance::Ask, "the command would send `.env` to another machine"),
        33 => judge("guard.protected", Stance::Deny, "`flyball.toml` is protected: only a person changes it"),
        59 => judge(
            "guard.denials",
            Stance::Deny,
            "`rm -r target/../src` was denied twice before, by another route",
        ),
        90 => judge("loop.feedback", Stance::Allow, "the phase's own command"),
        _ => {}
    }
    if number % 120 == 71 {
        record = denied(
            number,
            0,
            "pip install requests",
            "`pip install` in a project of uv: run `uv add requests`",
        );
        record.at = Time::from_micros(NOW - (1_430 - i64::try_from(number).unwrap() * 1_430 / 900) * MINUTE);
    }
    record
}

/// Answers that are always the same.
pub(crate) struct FixedViews;

impl ViewSource for FixedViews {
    fn waiting(&self, session: &SessionSummary) -> Option<WaitingView> {
        match session.session.as_str().chars().next() {
            Some('0') => Some(WaitingView {
                on_person: true,
                what: "permission to run `git push origin main`".to_owned(),
            }),
            Some('e') => Some(WaitingView { on_person: false, what: "its reviewer".to_owned() }),
            _ => None,
        }
    }

    fn loop_view(&self, session: &SessionSummary) -> Option<LoopView> {
        let is_stuck = session.session.as_str().starts_with('e');
        let phase = |name: &str, status: &str, issues: &[&str]| PhaseView {
            name: name.to_owned(),
            status: status.to_owned(),
            issues: issues.iter().map(|issue| (*issue).to_owned()).collect(),
            by: Some("reviewer".to_owned()),
            at: Some(Time::from_micros(NOW)),
        };
        let domain = |name: &str, phases: Vec<PhaseView>| DomainView {
            name: name.to_owned(),
            files: vec!["src/lib.rs".to_owned()],
            phases,
        };
        session.session.as_str().starts_with(['0', 'e']).then(|| LoopView {
            line: "2 of 3 phases passed, review found 1 issue".to_owned(),
            standing: if is_stuck { "escalated" } else { "open" }.to_owned(),
            iteration: if is_stuck { 5 } else { 2 },
            of: 5,
            domains: vec![
                domain(
                    "backend",
                    vec![
                        phase("review", "failed", &["no test for the error path"]),
                        phase("tests", "passed", &[]),
                    ],
                ),
                domain("docs", vec![phase("review", "open", &[])]),
            ],
            escalation: is_stuck.then(|| "the review failed 5 times on the same finding".to_owned()),
            history: vec![HappenedView { at: Time::from_micros(NOW), what: "edited".to_owned() }],
        })
    }

    fn findings(&self, _session: &SessionSummary) -> Vec<FindingView> {
        Vec::new()
    }

    fn snapshots(&self, _: &SessionSummary) -> Vec<SnapshotView> {
        Vec::new()
    }

    fn tasks(&self, project: &str) -> Vec<TaskView> {
        let task = |title: &str, done, current: &str, session: Option<&str>| TaskView {
            title: title.to_owned(),
            plan: "plans/2026-11-retries/PLAN.md".to_owned(),
            status: if session.is_some() { "in progress" } else { "not started" }.to_owned(),
            paused: session.is_none().then(|| "park this task".to_owned()),
            done,
            phases: 5,
            current: Some(current.to_owned()),
            session: session.map(str::to_owned),
        };
        if !project.ends_with("engine") {
            return Vec::new();
        }
        vec![
            task("Retries with back-off", 3, "4: tests against a slow server", Some("0a6f2b9e-51d8")),
            task("Drop the old config format", 0, "1: list its readers", None),
        ]
    }

    fn policies(&self, _project: Option<&str>) -> Vec<PolicyView> {
        let policy = |id: &str, summary: &str, mode: &str, origin: &str| PolicyView {
            id: id.to_owned(),
            summary: summary.to_owned(),
            mode: mode.to_owned(),
            origin: origin.to_owned(),
            page: include_str!("policy.md").replace("POLICY", id),
        };
        vec![
            policy("guard.packages", "one package manager per ecosystem", "enforce", "flyball.toml:12"),
            policy("guard.protected", "files that only people change", "enforce", "the default"),
            policy("guard.secrets", "secrets stay on this machine", "enforce", "the default"),
            policy("guard.denials", "a denial holds by every route", "enforce", "the default"),
            policy("quality", "format, lint, fix and verify what was edited", "observe", "flyball.toml:20"),
            policy("memory.context", "the right knowledge at the right edit", "enforce", "the default"),
            policy("notify", "sound and desktop notices", "off", "the default"),
        ]
    }

    fn rule_names(&self, _ruling: &flyball_core::record::RecordedRuling) -> Vec<String> {
        Vec::new()
    }

    fn explanation(&self, record: Record) -> Explanation {
        Explanation {
            record,
            meaning: "It was stopped.".to_owned(),
            policies: Vec::new(),
            changes: Vec::new(),
            next: Vec::new(),
        }
    }
}
