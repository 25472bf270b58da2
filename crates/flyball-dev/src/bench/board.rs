//! What the board costs with a store of months: each page as the server renders it, and the queries of the pages.

use std::path::Path;
use std::time::{Duration, Instant};

use flyball_board::explanation::Explanation;
use flyball_board::view::{FindingView, LoopView, PolicyView, SnapshotView, TaskView, WaitingView};
use flyball_board::{PageContext, Request, ViewSource, render};
use flyball_core::event::{AnswerId, CallKey, EventKind, SessionId, ToolKind};
use flyball_core::record::Record;
use flyball_core::time::{DAY, Time};
use flyball_core::verdict::Stance;
use flyball_store::{Filter, Page, ReadStore, SessionFilter, SessionSummary, Store, StoreError, Window};
use jiff::Zoned;

use super::marathon;
use super::sample::Sample;
use flyball::history::{self, Plan, WAIT, fold_all};
use flyball::outcome::Failed;
use flyball::progress::Progress;

/// How often each is measured.
const RUNS: usize = 7;
/// How many events a page lists.
const LISTED: usize = 50;

/// What something of the board costs.
pub(super) struct BoardTiming {
    pub(super) id: String,
    /// The address of a page, or a description of the query.
    pub(super) about: String,
    pub(super) sample: Sample,
}

impl BoardTiming {
    /// Whether it is a whole page.
    pub(super) fn is_page(&self) -> bool {
        self.id.starts_with("page.")
    }
}

/// Fills a store and measures every page, with the filters that people use.
pub(super) fn measure(state: &Path, events: u64, progress: &Progress) -> Result<Vec<BoardTiming>, Failed> {
    let store = Store::at(state);
    let now = Zoned::now();
    let plan = Plan { events, until: Time::from_micros(now.timestamp().as_microsecond()), ..Plan::default() };
    let all = usize::try_from(events).unwrap_or(usize::MAX);
    history::write(&store, &plan, |done| {
        progress.bar("filling the board's store", (usize::try_from(done).unwrap_or(all), all));
    })?;
    marathon::add(&store, (events / 10, plan.until), progress)?;
    progress.set_text("asking for the pages of the board");
    let bench = FilledStore { index: store.open(None)?, store, now, plan };
    let mut served = bench.pages()?;
    served.extend(bench.queries()?);
    served.push(bench.folds()?);
    Ok(served)
}

struct FilledStore {
    store: Store,
    index: Box<dyn ReadStore>,
    now: Zoned,
    plan: Plan,
}

impl FilledStore {
    fn pages(&self) -> Result<Vec<BoardTiming>, Failed> {
        self.addresses()?.into_iter().map(|address| self.page(address)).collect()
    }

    /// Every page, with the filters that people use and those that find nothing.
    fn addresses(&self) -> Result<Vec<String>, StoreError> {
        let mut addresses: Vec<String> = ADDRESSES.iter().map(|address| (*address).to_owned()).collect();
        let sessions = self.index.sessions(&SessionFilter::default())?;
        let longest = sessions.iter().max_by_key(|session| session.events);
        for session in [sessions.first(), longest].into_iter().flatten() {
            addresses.push(format!("/sessions/{}/{}", session.client, session.session));
            addresses.push(format!("/events?range=all&session={}&verdict=deny", session.session));
            addresses.push(format!("/events?range=all&session={}&q=zqxjkv", session.session));
        }
        if let Some(last) = self.index.last_event()? {
            addresses.push(format!("/events/{}", last.record.id.as_str()));
            addresses.push(format!("/events?before={}", last.row / 2));
        }
        Ok(addresses)
    }

    fn page(&self, address: String) -> Result<BoardTiming, Failed> {
        let (path, query) =
            address.split_once('?').map_or((&*address, None), |(path, rest)| (path, Some(rest)));
        let wrong = |what: String| Failed::new(format!("{address}: {what}"), "this is a bug");
        let request = Request::parse(path, query).ok_or_else(|| wrong("there is no such page".to_owned()))?;
        let context =
            PageContext { index: &*self.index, views: &EmptyViews, request: &request, now: &self.now };
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let started = Instant::now();
            let page = render(&context).map_err(|error| wrong(error.to_string()))?;
            let html = page.framed(&request).into_string();
            times.push(started.elapsed());
            std::hint::black_box(html);
        }
        Ok(BoardTiming {
            id: format!("page.{}", address),
            about: address.clone(),
            sample: Sample::from_times(times),
        })
    }

    /// The queries of the pages.
    fn queries(&self) -> Result<Vec<BoardTiming>, StoreError> {
        let index = &self.index;
        let (day, month) = (self.window(1), self.window(30));
        let sessions = index.sessions(&SessionFilter::default())?;
        let longest = sessions.iter().max_by_key(|session| session.events);
        let (client, session) = longest.map_or_else(
            || (String::new(), SessionId::new("none")),
            |session| (session.client.clone(), session.session.clone()),
        );
        let of_session = Window { session: Some(session.clone()), ..month.clone() };
        let mut all = vec![
            time_query("beats.day", "beats of a day", || index.timeline(&day, 96).map(drop))?,
            time_query("beats.month", "beats of a month", || index.timeline(&month, 90).map(drop))?,
            time_query("beats.session", "beats of the longest session", || {
                index.timeline(&of_session, 90).map(drop)
            })?,
            time_query("overview", "a month in a few numbers", || index.overview(&month).map(drop))?,
            time_query("policies.day", "what policies did in a day", || {
                index.policy_activities(&day).map(drop)
            })?,
            time_query("policies.month", "what they did in a month", || {
                index.policy_activities(&month).map(drop)
            })?,
            time_query("policies.session", "what they did in the longest session", || {
                index.policy_activities(&of_session).map(drop)
            })?,
            time_query("agents", "agents of the longest session", || {
                index.agents(&client, &session).map(drop)
            })?,
            time_query("sessions", "sessions of a project", || {
                let project = Some(self.project());
                index
                    .sessions(&SessionFilter { project, limit: Some(LISTED), ..Default::default() })
                    .map(drop)
            })?,
            time_query("projects", "all projects", || index.projects().map(drop))?,
            time_query("slowest.day", "the slowest of a day", || index.slowest(&day, 10).map(drop))?,
            time_query("slowest.month", "the slowest of a month", || index.slowest(&month, 10).map(drop))?,
            time_query("context", "the most context of a month", || {
                index.most_context(&month, 10).map(drop)
            })?,
        ];
        for (id, about, filter) in self.filters() {
            all.push(time_query(id, about, || index.events(&filter).map(drop))?);
        }
        Ok(all)
    }

    fn filters(&self) -> Vec<(&'static str, &'static str, Filter)> {
        let all = || Filter { limit: Some(LISTED), ..Filter::default() };
        let project = || Some(self.project());
        let text = |text: &str| Filter { text: Some(text.to_owned()), ..all() };
        let denials = Filter {
            stance: Some(Stance::Deny),
            project: project(),
            policy: Some("guard.packages".to_owned()),
            since: Some(self.plan.until - 14 * DAY),
            until: Some(self.plan.until - 7 * DAY),
            ..all()
        };
        let rare = Filter {
            tool: Some(ToolKind::Read),
            kinds: vec![EventKind::SessionEnd],
            project: project(),
            ..all()
        };
        let two = Filter { kinds: vec![EventKind::Interrupted, EventKind::FileChanged], ..all() };
        let old = Filter { page: Page::Before(1), ..text("e") };
        vec![
            ("events.denials", "denials of a policy in a project and a week", denials),
            ("events.none", "a tool, a kind and a project that never meet", rare),
            ("events.kinds", "two kinds that never came", two),
            ("events.would-deny", "what would have been denied", Filter { would_deny: true, ..all() }),
            ("search.none", "a text that is nowhere", text("zqxjkv")),
            ("search.none-2", "two letters that are nowhere", text("zq")),
            ("search.none-1", "a letter that is nowhere", text("§")),
            ("search.common", "a text that is everywhere", text("py")),
            ("search.words", "words that never meet", text("pytest cargo")),
            ("search.old", "a common letter before the first event", old),
            (
                "search.project",
                "a text that is in other projects",
                Filter { project: project(), ..text("cargo") },
            ),
        ]
    }

    /// One new event, from the journal into the index.
    fn folds(&self) -> Result<BoardTiming, Failed> {
        let last = self.index.last_event()?.map(|event| event.record);
        let mut times = Vec::new();
        for (number, record) in (0..RUNS as u64).zip(std::iter::repeat(last)) {
            let Some(record) = record else { break };
            let mut record = Record {
                id: AnswerId::from_seed(u64::MAX - number),
                at: self.plan.until + Duration::from_micros(number),
                call: CallKey::from_payload(&number.to_be_bytes()),
                ..record
            };
            let journal = self.store.session(&record.client, &record.session, WAIT);
            journal.commit(&mut record)?;
            let started = Instant::now();
            fold_all(&self.store, self.plan.until)?;
            times.push(started.elapsed());
        }
        let about = "a new event, from the journal into the index".to_owned();
        Ok(BoardTiming { id: "fold".to_owned(), about, sample: Sample::from_times(times) })
    }

    fn window(&self, days: u32) -> Window {
        Window { since: self.plan.until - days * DAY, until: self.plan.until, project: None, session: None }
    }

    fn project(&self) -> String {
        format!("{}/shop-api", self.plan.home)
    }
}

/// The pages whose addresses need nothing from the store.
const ADDRESSES: &[&str] = &[
    "/",
    "/?range=1h",
    "/?range=7d",
    "/?range=30d",
    "/?range=all",
    "/?range=30d&project=%2Fhome%2Fdev%2Fshop-api",
    "/sessions",
    "/sessions?range=all&project=%2Fhome%2Fdev%2Finfra",
    "/sessions?range=all&q=zqxjkv",
    "/events",
    "/events?range=all",
    "/events?range=all&verdict=deny",
    "/events?range=all&verdict=would-deny",
    "/events?range=all&verdict=silent&tool=edit&project=%2Fhome%2Fdev%2Finfra",
    "/events?range=30d&verdict=deny&policy=guard.packages&project=%2Fhome%2Fdev%2Fshop-api",
    "/events?range=all&policy=quality",
    "/events?range=all&kind=permission_asked",
    "/events?range=all&q=pytest",
    "/events?range=all&q=zqxjkv",
    "/events?range=all&q=zq",
    "/events?range=all&q=e&verdict=ask",
    "/policies",
    "/policies?range=all",
    "/policies/guard.packages",
    "/policies/quality?range=all",
    "/tasks",
    "/denials?range=7d",
    "/denials?range=all",
    "/denials?range=all&outcome=held",
    "/sessions?range=all&sort=events-desc",
];

fn time_query(
    id: &str,
    about: &str,
    query: impl Fn() -> Result<(), StoreError>,
) -> Result<BoardTiming, StoreError> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let started = Instant::now();
        query()?;
        times.push(started.elapsed());
    }
    Ok(BoardTiming { id: id.to_owned(), about: about.to_owned(), sample: Sample::from_times(times) })
}

/// Shows only what is in the store: views that need policies and files are not measured.
struct EmptyViews;

impl ViewSource for EmptyViews {
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
        let view = |policy: &&flyball_core::policy::Policy| PolicyView {
            id: policy.id.as_str().to_owned(),
            summary: policy.summary.to_owned(),
            mode: policy.mode.name().to_owned(),
            origin: "the default".to_owned(),
            page: String::new(),
        };
        flyball_policies::REGISTRY.iter().map(view).collect()
    }

    fn rule_names(&self, _ruling: &flyball_core::record::RecordedRuling) -> Vec<String> {
        Vec::new()
    }

    fn explanation(&self, record: Record) -> Explanation {
        Explanation {
            record,
            meaning: String::new(),
            policies: Vec::new(),
            changes: Vec::new(),
            next: Vec::new(),
        }
    }
}
