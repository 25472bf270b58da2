//! A store with events, fixed views, and the pages made of them.

use std::time::Duration;

use flyball_board::explanation::Explanation;
use flyball_board::view::{FindingView, LoopView, PolicyView, SnapshotView, TaskView, WaitingView};
use flyball_board::{PageContext, PageError, Request, ViewSource, render};
use flyball_core::config::{Mode, StoreSettings};
use flyball_core::event::{Agent, AnswerId, CallKey, EventKind, SessionId, ToolKind};
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_store::{FoldOptions, ReadStore, SessionSummary, Store};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tempfile::TempDir;

/// Long enough for the slowest machine.
const LONG_WAIT: Duration = Duration::from_secs(60);
pub(crate) const NOW: i64 = 1_794_700_800_000_000;
pub(crate) const SECOND: i64 = 1_000_000;
pub(crate) const MINUTE: i64 = 60 * SECOND;
pub(crate) const HOUR: i64 = 60 * MINUTE;

/// Text as hostile agents would write it.
pub(crate) const HOSTILE: &str = "<script>alert(\"1\")</script>'\u{202e}\x1b[31m</title><!--";

#[derive(Default)]
pub(crate) struct FixedViews {
    pub(crate) waiting: Option<WaitingView>,
    pub(crate) looping: Option<LoopView>,
    pub(crate) findings: Vec<FindingView>,
    pub(crate) snapshots: Vec<SnapshotView>,
}

impl ViewSource for FixedViews {
    fn waiting(&self, _: &SessionSummary) -> Option<WaitingView> {
        self.waiting.clone()
    }

    fn loop_view(&self, _: &SessionSummary) -> Option<LoopView> {
        self.looping.clone()
    }

    fn findings(&self, _: &SessionSummary) -> Vec<FindingView> {
        self.findings.clone()
    }

    fn snapshots(&self, _: &SessionSummary) -> Vec<SnapshotView> {
        self.snapshots.clone()
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

/// A store in a directory of its own.
pub(crate) struct Home {
    dir: TempDir,
    pub(crate) views: FixedViews,
}

impl Home {
    pub(crate) fn new() -> Home {
        Home { dir: TempDir::new().unwrap(), views: FixedViews::default() }
    }

    /// A store with these events.
    pub(crate) fn with(records: impl IntoIterator<Item = Record>) -> Home {
        let home = Home::new();
        for record in records {
            home.commit(record);
        }
        home
    }

    pub(crate) fn commit(&self, mut record: Record) {
        self.store().session(&record.client, &record.session, LONG_WAIT).commit(&mut record).unwrap();
    }

    fn store(&self) -> Store {
        Store::at(self.dir.path())
    }

    fn index(&self) -> Box<dyn ReadStore> {
        let settings = StoreSettings { keep_days: 0, max_mb: 0, ..StoreSettings::default() };
        let options = FoldOptions { now: Time::from_micros(NOW), ..FoldOptions::now(&settings, LONG_WAIT) };
        self.store().open(Some(&options)).unwrap()
    }

    /// What is in `<main>` of the page at that address.
    pub(crate) fn page(&self, address: &str) -> String {
        self.try_page(address).unwrap()
    }

    pub(crate) fn try_page(&self, address: &str) -> Result<String, PageError> {
        let (path, query) =
            address.split_once('?').map_or((address, None), |(path, query)| (path, Some(query)));
        let request = Request::parse(path, query).unwrap();
        let now = Timestamp::from_microsecond(NOW).unwrap().to_zoned(TimeZone::UTC);
        let index = self.index();
        let context = PageContext { index: &*index, views: &self.views, request: &request, now: &now };
        render(&context).map(|page| page.body.into_string())
    }
}

/// A command before it runs, `ago` before now; each number is another one.
pub(crate) fn event(number: u64, ago: i64) -> Record {
    Record {
        id: AnswerId::parse(&format!("an{number:06}")),
        at: Time::from_micros(NOW - ago),
        client: "claude-code".to_owned(),
        session: SessionId::new("5f0c-1"),
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
        took: Duration::from_micros(400),
        payload: None,
    }
}

/// The same, denied by a policy.
pub(crate) fn denied(number: u64, ago: i64) -> Record {
    let said = "not here\nsecond line".to_owned();
    Record {
        stance: Stance::Deny,
        said,
        rulings: vec![ruling("guard.shell", Stance::Deny)],
        ..event(number, ago)
    }
}

pub(crate) fn ruling(policy: &str, stance: Stance) -> RecordedRuling {
    RecordedRuling {
        policy: policy.to_owned(),
        mode: Mode::Enforce,
        skipped: false,
        stance,
        reasons: Vec::new(),
        evidence: Vec::new(),
        error: None,
        took: Duration::from_micros(12),
    }
}

pub(crate) fn agent(id: &str, role: &str) -> Option<Agent> {
    Some(Agent { id: id.to_owned(), role: role.to_owned() })
}

/// All texts between two others, in order.
pub(crate) fn between<'a>(html: &'a str, before: &str, after: &str) -> Vec<&'a str> {
    html.split(before).skip(1).filter_map(|rest| Some(rest.split_once(after)?.0)).collect()
}

/// The answers that the rows of a list lead to, in order.
pub(crate) fn listed(html: &str) -> Vec<&str> {
    between(html, "class=\"subject-link\" href=\"/events/", "\"")
}

/// The address of the link with these words.
pub(crate) fn link(html: &str, words: &str) -> Option<String> {
    let end = html.find(&format!(">{words}</a>"))?;
    let start = html.get(..end)?.rfind("href=\"")? + "href=\"".len();
    let rest = html.get(start..)?;
    Some(rest.split_once('"')?.0.replace("&amp;", "&"))
}
