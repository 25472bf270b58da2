//! A second store: records in memory, all of them read for each query. It shows that the queries can be
//! answered without SQLite, and is the plainest definition of their results.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use flyball_core::config::Mode;
use flyball_core::event::{AnswerId, EventKind, SessionId};
use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::{Time, whole_micros};
use flyball_core::verdict::Stance;
use flyball_store::{
    AgentSummary, AnnotatedPage, Arrivals, Buckets, CallSubject, Counts, EventSummary, EvidenceFilter,
    Filter, Found, KindCount, Overview, Page, PayloadMode, PolicyActivity, PolicyReach, PolicyTimeline,
    Queries, Records, SessionFilter, SessionKey, SessionSummary, StoreError, StoredEvent, TimeBucket,
    VerdictCount, VerdictQuery, Window,
};

const FIVE_MINUTES: Duration = Duration::from_mins(5);
/// The newest events of a session that its policies are judged by.
const SESSION_RECORDS: usize = 5_000;

type Answer<T> = Result<T, StoreError>;

/// The records, in the order in which they were added.
pub(crate) struct Memory {
    events: Vec<StoredEvent>,
}

impl Memory {
    /// A store with these records. A call that came before is a duplicate.
    pub(crate) fn holding(records: &[Record]) -> Memory {
        let mut events: Vec<StoredEvent> = Vec::new();
        for (row, record) in (1..).zip(records) {
            let own = || events.iter().map(|event| &event.record).filter(|known| same_session(known, record));
            let duplicate = own().any(|known| known.call == record.call);
            let seq = own().count() as u64 + 1;
            events.push(StoredEvent { row, seq, record: Record { duplicate, ..record.clone() } });
        }
        Memory { events }
    }

    fn unique(&self) -> impl Iterator<Item = &StoredEvent> {
        self.events.iter().filter(|event| !event.record.duplicate)
    }

    /// The events of a window and, where the query uses it, of its session.
    fn within(&self, window: &Window) -> impl Iterator<Item = &StoredEvent> {
        let of_session =
            move |event: &&StoredEvent| window.session.as_ref().is_none_or(|id| *id == event.record.session);
        self.in_time(window).filter(of_session)
    }

    /// The events of a window, whatever its session.
    fn in_time(&self, window: &Window) -> impl Iterator<Item = &StoredEvent> {
        let (since, until) = window.bounds();
        self.unique().filter(move |event| {
            let of_project = window.project.as_ref().is_none_or(|project| *project == event.record.project);
            (since..until).contains(&event.record.at) && of_project
        })
    }

    fn greatest(&self, window: &Window, limit: usize, size: impl Fn(&Record) -> u64) -> Vec<StoredEvent> {
        let mut found: Vec<&StoredEvent> = self.within(window).filter(|it| size(&it.record) > 0).collect();
        found.sort_by_key(|event| Reverse((size(&event.record), event.record.at)));
        found.into_iter().take(limit).map(|event| given(event, PayloadMode::Without)).collect()
    }

    fn session_row(&self, record: &Record) -> i64 {
        self.events.iter().find(|event| same_session(&event.record, record)).map_or(0, |event| event.row)
    }

    fn summary(&self, event: &StoredEvent) -> EventSummary {
        let record = &event.record;
        let is_why =
            |ruling: &&RecordedRuling| ruling.stance == record.stance && ruling.mode == Mode::Enforce;
        EventSummary {
            row: event.row,
            answer: record.id.to_string(),
            at: record.at,
            session_row: self.session_row(record),
            session: record.session.clone(),
            agent: agent(record).to_owned(),
            project: record.project.clone(),
            kind: Some(record.kind),
            tool: record.tool,
            subject: record.subject.clone(),
            policies: verdicts(record).filter(is_why).map(|ruling| ruling.policy.clone()).collect(),
        }
    }

    /// The rulings of a window whose ends count in steps of five minutes.
    fn rulings(&self, window: &Window, policy: Option<&str>) -> Vec<PolicyActivity> {
        let (since, until) = window.bounds();
        let (since, until) = (since.floor(FIVE_MINUTES), until.ceil(FIVE_MINUTES));
        let rounded = Window { since, until, ..window.clone() };
        activities(self.in_time(&rounded).map(|event| &event.record), policy)
    }
}

impl Queries for Memory {
    fn events(&self, filter: &Filter) -> Answer<Vec<StoredEvent>> {
        let mut found: Vec<&StoredEvent> =
            self.events.iter().filter(|it| passes(&it.record, filter)).collect();
        let is_session = filter.session.is_some();
        // A session is in its own order, whatever the clock showed.
        let place =
            |event: &StoredEvent| (if is_session { Time::default() } else { event.record.at }, event.row);
        match filter.page {
            Page::Newest => found.sort_by_key(|event| Reverse(place(event))),
            Page::Before(row) => {
                let last = self.events.iter().find(|event| event.row == row).map(place);
                found.retain(|event| last.is_some_and(|last| place(event) < last));
                found.sort_by_key(|event| Reverse(place(event)));
            }
            Page::After(row) => found.retain(|event| event.row > row),
        }
        let limit = filter.limit.unwrap_or(usize::MAX);
        Ok(found.into_iter().take(limit).map(|event| given(event, filter.payloads)).collect())
    }

    fn event(&self, id_prefix: &str) -> Answer<Found> {
        let prefix = AnswerId::parse(id_prefix);
        let ids: BTreeMap<&str, &StoredEvent> = self
            .events
            .iter()
            .map(|event| (event.record.id.as_str(), event))
            .filter(|(id, _)| id.starts_with(prefix.as_str()))
            .collect();
        let whole = ids.get(prefix.as_str()).or_else(|| ids.values().next().filter(|_| ids.len() == 1));
        Ok(match whole {
            Some(event) => Found::One(Box::new(given(event, PayloadMode::With))),
            None if ids.is_empty() => Found::None,
            None => Found::Several(ids.values().take(6).map(|event| event.record.id.clone()).collect()),
        })
    }

    fn at_rows(&self, rows: &[i64], payloads: PayloadMode) -> Answer<Vec<StoredEvent>> {
        let at = |row: &i64| self.events.iter().find(|event| event.row == *row);
        Ok(rows.iter().filter_map(at).map(|event| given(event, payloads)).collect())
    }

    fn visit_session(
        &self,
        client: &str,
        session: &SessionId,
        visit: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Answer<()> {
        let is_own = |it: &&StoredEvent| it.record.client == client && it.record.session == *session;
        let mut own: Vec<&StoredEvent> = self.unique().filter(is_own).collect();
        own.sort_by_key(|event| event.row);
        for event in own {
            if visit(event.clone()).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn slowest(&self, window: &Window, limit: usize) -> Answer<Vec<StoredEvent>> {
        Ok(self.greatest(window, limit, |record| whole_micros(record.took)))
    }

    fn most_context(&self, window: &Window, limit: usize) -> Answer<Vec<StoredEvent>> {
        Ok(self.greatest(window, limit, |record| record.context_chars as u64))
    }

    fn with_evidence(&self, filter: &EvidenceFilter<'_>) -> Answer<Vec<Record>> {
        let has_ruling =
            |record: &Record| record.rulings.iter().any(|it| it.policy.starts_with(filter.policies));
        let mut found: Vec<&StoredEvent> = self
            .unique()
            .filter(|it| it.record.project == filter.project && it.record.at >= filter.since)
            .filter(|it| has_ruling(&it.record))
            .collect();
        found.sort_by_key(|event| (event.record.at, event.row));
        Ok(found.into_iter().map(|event| given(event, filter.payloads).record).collect())
    }

    fn sessions(&self, filter: &SessionFilter) -> Answer<Vec<SessionSummary>> {
        let mut all: BTreeMap<i64, SessionSummary> = BTreeMap::new();
        for record in self.events.iter().map(|event| &event.record) {
            let row = self.session_row(record);
            let session = all.entry(row).or_insert_with(|| new_session(record));
            session.first_at = session.first_at.min(record.at);
            session.events += u64::from(!record.duplicate);
            session.denials += u64::from(!record.duplicate && record.stance == Stance::Deny);
            session.denied.add(record.outcome(), u64::from(!record.duplicate));
            session.last_at = record.at;
            session.project.clone_from(&record.project);
            record.kind.name().clone_into(&mut session.last_kind);
            session.has_ended = record.kind == EventKind::SessionEnd;
        }
        let mut found: Vec<(i64, SessionSummary)> = all.into_iter().collect();
        found.retain(|(_, it)| {
            filter.id_prefix.as_ref().is_none_or(|prefix| it.session.as_str().starts_with(prefix))
                && filter.client.as_ref().is_none_or(|client| it.client == *client)
                && filter.project.as_ref().is_none_or(|project| it.project == *project)
                && filter.since.is_none_or(|since| it.last_at >= since)
                && filter.until.is_none_or(|until| it.first_at < until)
        });
        found.sort_by_key(|(row, it)| Reverse((it.last_at, *row)));
        found.truncate(filter.limit.unwrap_or(usize::MAX));
        Ok(found.into_iter().map(|(_, summary)| summary).collect())
    }

    fn first_prompts(&self, sessions: &[SessionKey]) -> Answer<BTreeMap<SessionKey, String>> {
        let prompt = |key: &SessionKey| {
            let mut own: Vec<&StoredEvent> = self
                .unique()
                .filter(|it| it.record.client == key.client && it.record.session == key.session)
                .collect();
            own.sort_by_key(|it| (it.record.at, it.row));
            let prompt = own.into_iter().find(|it| it.record.kind == EventKind::PromptSubmit)?;
            Some(prompt.record.subject.clone()).filter(|text| !text.is_empty())
        };
        Ok(sessions.iter().filter_map(|key| Some((key.clone(), prompt(key)?))).collect())
    }

    fn agents(&self, client: &str, session: &SessionId) -> Answer<Vec<AgentSummary>> {
        let own: Vec<&Record> = self
            .events
            .iter()
            .map(|event| &event.record)
            .filter(|record| record.client == client && record.session == *session)
            .collect();
        let mut ids: Vec<&str> = own.iter().map(|record| agent(record)).collect();
        ids.sort_by_key(|id| (!id.is_empty(), own.iter().position(|record| agent(record) == *id)));
        ids.dedup();
        let mut found: Vec<AgentSummary> = ids.into_iter().map(|id| agent_summary(id, &own)).collect();
        found.sort_by_key(|agent| (!agent.id.is_empty(), agent.first_at));
        Ok(found)
    }

    fn projects(&self) -> Answer<Vec<String>> {
        let mut latest: BTreeMap<&str, Time> = BTreeMap::new();
        for record in self.events.iter().map(|event| &event.record) {
            let at = latest.entry(&record.project).or_insert(record.at);
            *at = record.at.max(*at);
        }
        let mut found: Vec<(&str, Time)> = latest.into_iter().collect();
        found.sort_by_key(|(_, at)| Reverse(*at));
        Ok(found.into_iter().map(|(project, _)| project.to_owned()).collect())
    }

    fn last_seen_by_kind(&self, client: &str) -> Answer<BTreeMap<EventKind, Time>> {
        let mut seen = BTreeMap::new();
        for record in self.events.iter().map(|event| &event.record).filter(|it| it.client == client) {
            let at = seen.entry(record.kind).or_insert(record.at);
            *at = record.at.max(*at);
        }
        Ok(seen)
    }

    fn counts(&self, filter: &Filter) -> Answer<Counts> {
        let filter = Filter { with_duplicates: true, ..filter.clone() };
        let mut counts = Counts::default();
        for record in self.events.iter().map(|event| &event.record).filter(|it| passes(it, &filter)) {
            if record.duplicate {
                counts.duplicates += 1;
                continue;
            }
            counts.events += 1;
            *counts.by_kind.entry(record.kind).or_default() += 1;
            *counts.by_stance.entry(record.stance).or_default() += 1;
            *counts.by_outcome.entry(record.outcome()).or_default() += 1;
            for ruling in verdicts(record) {
                let policy = counts.by_policy.entry(ruling.policy.clone()).or_default();
                policy.troubled += u64::from(ruling.error.is_some());
                *policy.by_stance.entry(ruling.stance).or_default() += 1;
            }
        }
        Ok(counts)
    }

    fn first_at(&self) -> Answer<Option<Time>> {
        Ok(self.events.iter().map(|event| event.record.at).min())
    }

    fn arrivals(&self, after: i64) -> Answer<Arrivals> {
        let new = || self.unique().filter(|event| event.row > after);
        let denials = new().filter(|event| event.record.stance == Stance::Deny).count() as u64;
        Ok(Arrivals { newest: self.tip()?, events: new().count() as u64, denials })
    }

    fn overview(&self, window: &Window) -> Answer<Overview> {
        let mut all = Overview::default();
        let mut projects = BTreeSet::new();
        for record in self.within(window).map(|event| &event.record) {
            all.events += 1;
            match record.stance {
                Stance::Silent => all.silent += 1,
                Stance::Allow => all.allows += 1,
                Stance::Ask => all.asks += 1,
                Stance::Deny => all.denials += 1,
            }
            all.denied.add(record.outcome(), 1);
            all.context_chars += record.context_chars as u64;
            all.took.add(record.took);
            projects.insert(record.project.as_str());
        }
        let (since, until) = window.bounds();
        let sessions =
            self.sessions(&SessionFilter { project: window.project.clone(), ..Default::default() })?;
        let goes_on = |it: &&SessionSummary| {
            it.last_at >= since
                && it.first_at < until
                && window.session.as_ref().is_none_or(|session| *session == it.session)
        };
        all.sessions = sessions.iter().filter(goes_on).count() as u64;
        all.projects = projects.len() as u64;
        Ok(all)
    }

    fn timeline(&self, window: &Window, most: usize) -> Answer<Vec<TimeBucket>> {
        let Some(buckets) = Buckets::of_events(window, most) else { return Ok(Vec::new()) };
        let empty = |start| TimeBucket { start, length: buckets.length, ..TimeBucket::default() };
        let mut all: Vec<TimeBucket> = buckets.starts().map(empty).collect();
        for record in self.within(window).map(|event| &event.record) {
            let bucket = &mut all[buckets.place(record.at).unwrap()];
            bucket.events += 1;
            bucket.denials += u64::from(record.stance == Stance::Deny);
            bucket.denied.add(record.outcome(), 1);
            bucket.asks += u64::from(record.stance == Stance::Ask);
            bucket.context_chars += record.context_chars as u64;
            bucket.took.add(record.took);
        }
        Ok(all)
    }

    fn policy_activities(&self, window: &Window) -> Answer<Vec<PolicyActivity>> {
        let mut found = if window.session.is_some() {
            let mut newest: Vec<&StoredEvent> = self.within(window).collect();
            newest.sort_by_key(|event| Reverse((event.record.at, event.row)));
            activities(newest.into_iter().take(SESSION_RECORDS).map(|event| &event.record), None)
        } else {
            self.rulings(window, None)
        };
        found.sort_by_key(|activity| Reverse(activity.took.sum()));
        Ok(found)
    }

    fn policy_activity(&self, window: &Window, policy: &str) -> Answer<Option<PolicyActivity>> {
        Ok(self.rulings(window, Some(policy)).pop())
    }

    fn policy_timeline(&self, window: &Window, most: usize, policy: Option<&str>) -> Answer<PolicyTimeline> {
        let Some(buckets) = Buckets::of_policies(window, most) else { return Ok(PolicyTimeline::default()) };
        let until = window.bounds().1;
        let part = |start: Time| {
            let end = (start + buckets.length).min(until.ceil(buckets.grain));
            let part = Window { since: start, until: end, ..window.clone() };
            activities(self.in_time(&part).map(|event| &event.record), policy)
        };
        let Buckets { since, length, .. } = buckets;
        Ok(PolicyTimeline { since, length, parts: buckets.starts().map(part).collect() })
    }

    fn verdict_counts(&self, window: &Window) -> Answer<Vec<VerdictCount>> {
        let mut all: Vec<VerdictCount> = Vec::new();
        for record in self.in_time(window).map(|event| &event.record) {
            for ruling in verdicts(record) {
                let is_above = ruling.stance > record.stance;
                let outcome = Outcome::new(record.kind, ruling.stance);
                let is_same = |it: &&mut VerdictCount| {
                    (&it.policy, it.mode, it.outcome, it.is_above)
                        == (&ruling.policy, Some(ruling.mode), outcome, is_above)
                };
                let errors = u64::from(ruling.error.is_some());
                match all.iter_mut().find(is_same) {
                    Some(count) => (count.events, count.errors) = (count.events + 1, count.errors + errors),
                    None => all.push(VerdictCount {
                        policy: ruling.policy.clone(),
                        mode: Some(ruling.mode),
                        stance: ruling.stance,
                        outcome,
                        is_above,
                        events: 1,
                        errors,
                    }),
                }
            }
        }
        Ok(all)
    }

    fn policy_reach(&self, window: &Window) -> Answer<Vec<PolicyReach>> {
        let mut all: BTreeMap<&str, (BTreeSet<i64>, (Time, i64))> = BTreeMap::new();
        for event in self.in_time(window) {
            for ruling in verdicts(&event.record) {
                let (sessions, last) = all.entry(&ruling.policy).or_default();
                sessions.insert(self.session_row(&event.record));
                *last = (*last).max((event.record.at, event.row));
            }
        }
        let reach = |(policy, (sessions, (last_at, last_row))): (&str, (BTreeSet<i64>, (Time, i64)))| {
            PolicyReach { policy: policy.to_owned(), sessions: sessions.len() as u64, last_at, last_row }
        };
        Ok(all.into_iter().map(reach).collect())
    }

    fn judged(&self, window: &Window, which: VerdictQuery<'_>, most: usize) -> Answer<Vec<StoredEvent>> {
        let is_it = |record: &Record, ruling: &RecordedRuling| match which {
            VerdictQuery::Failed => ruling.error.is_some(),
            VerdictQuery::Overruled => {
                ruling.mode == Mode::Enforce && ruling.stance >= Stance::Ask && ruling.stance > record.stance
            }
            VerdictQuery::By(policy) => ruling.policy == policy,
        };
        let has_it = |it: &&StoredEvent| verdicts(&it.record).any(|ruling| is_it(&it.record, ruling));
        let mut found: Vec<&StoredEvent> = self.in_time(window).filter(has_it).collect();
        found.sort_by_key(|event| Reverse(event.record.at));
        Ok(found.into_iter().take(most).map(|event| given(event, PayloadMode::Without)).collect())
    }

    fn answered(&self, window: &Window, stance: Stance, most: usize) -> Answer<Vec<EventSummary>> {
        let mut found: Vec<&StoredEvent> =
            self.in_time(window).filter(|event| event.record.stance == stance).collect();
        found.sort_by_key(|event| Reverse((event.record.at, event.row)));
        Ok(found.into_iter().take(most).map(|event| self.summary(event)).collect())
    }

    fn passed(
        &self,
        window: &Window,
        is_wanted: &mut dyn FnMut(CallSubject<'_>) -> bool,
    ) -> Answer<Vec<EventSummary>> {
        let mut found: Vec<&StoredEvent> = self
            .in_time(window)
            .filter(|it| it.record.kind == EventKind::BeforeTool && it.record.stance < Stance::Ask)
            .filter(|it| is_wanted(CallSubject { project: &it.record.project, subject: &it.record.subject }))
            .collect();
        found.sort_by_key(|event| (event.record.at, event.row));
        Ok(found.into_iter().map(|event| self.summary(event)).collect())
    }

    fn ran(&self, asked: &EventSummary) -> Answer<bool> {
        let is_about =
            |kind| matches!(kind, EventKind::BeforeTool | EventKind::AfterTool | EventKind::ToolFailed);
        let next = self
            .unique()
            .filter(|it| (it.record.at, it.row) > (asked.at, asked.row) && is_about(it.record.kind))
            .filter(|it| {
                self.session_row(&it.record) == asked.session_row && agent(&it.record) == asked.agent
            })
            .filter(|it| it.record.tool == asked.tool && it.record.subject == asked.subject)
            .min_by_key(|it| (it.record.at, it.row));
        Ok(next.is_some_and(|event| event.record.kind != EventKind::BeforeTool))
    }

    fn kind_counts(&self, window: &Window) -> Answer<Vec<KindCount>> {
        let mut all: Vec<KindCount> = Vec::new();
        for record in self.in_time(window).map(|event| &event.record) {
            let (project, kind, tool) = (&record.project, record.kind, record.tool);
            match all.iter_mut().find(|it| (&it.project, it.kind, it.tool) == (project, kind, tool)) {
                Some(count) => count.events += 1,
                None => all.push(KindCount { project: project.clone(), kind, tool, events: 1 }),
            }
        }
        Ok(all)
    }

    fn annotated(&self, window: &Window, before: i64, most: usize) -> Answer<AnnotatedPage> {
        let mut page: Vec<&StoredEvent> = self.in_time(window).filter(|event| event.row < before).collect();
        page.sort_by_key(|event| Reverse(event.row));
        page.truncate(most);
        let next = page.last().map(|event| event.row).filter(|_| page.len() == most);
        let is_rule =
            |ruling: &RecordedRuling| ruling.evidence.iter().any(|evidence| evidence.name == "rule");
        let holds_more =
            |it: &&StoredEvent| it.record.context_chars > 0 || it.record.rulings.iter().any(is_rule);
        let events = page.into_iter().filter(holds_more).map(|event| given(event, PayloadMode::Without));
        Ok(AnnotatedPage { events: events.collect(), next })
    }
}

impl Records for Memory {
    fn epoch(&self) -> Answer<i64> {
        Ok(1)
    }

    fn tip(&self) -> Answer<i64> {
        Ok(self.events.last().map_or(0, |event| event.row))
    }

    fn position_before(&self, at: Time) -> Answer<i64> {
        let first = self.events.iter().find(|event| event.record.at >= at);
        first.map_or_else(|| self.tip(), |event| Ok(event.row - 1))
    }

    fn count_between(&self, after: i64, to: i64) -> Answer<u64> {
        Ok(self.events.iter().filter(|event| event.row > after && event.row <= to).count() as u64)
    }

    fn next_batch(&self, after: i64, most: usize) -> Answer<Vec<StoredEvent>> {
        let new = self.events.iter().filter(|event| event.row > after).take(most);
        Ok(new.map(|event| given(event, PayloadMode::Without)).collect())
    }
}

fn same_session(one: &Record, other: &Record) -> bool {
    (&one.client, &one.session) == (&other.client, &other.session)
}

fn agent(record: &Record) -> &str {
    record.agent.as_ref().map_or("", |agent| agent.id.as_str())
}

fn given(event: &StoredEvent, payloads: PayloadMode) -> StoredEvent {
    let mut event = event.clone();
    if payloads == PayloadMode::Without {
        event.record.payload = None;
    }
    event
}

/// The verdicts that count: of each policy that was not silent the first.
fn verdicts(record: &Record) -> impl Iterator<Item = &RecordedRuling> {
    let speaks = |ruling: &RecordedRuling| {
        ruling.stance != Stance::Silent || !ruling.reasons.is_empty() || ruling.error.is_some()
    };
    let mut known = BTreeSet::new();
    record.rulings.iter().filter(move |ruling| speaks(ruling) && known.insert(ruling.policy.as_str()))
}

fn passes(record: &Record, filter: &Filter) -> bool {
    if let Some(outcome) = filter.outcome {
        let filter = Filter { outcome: None, stance: Some(outcome.stance()), ..filter.clone() };
        return outcome.kinds().any(|kind| kind == record.kind) && passes(record, &filter);
    }
    let judged = match &filter.policy {
        Some(policy) => verdicts(record).any(|ruling| {
            ruling.policy == *policy && filter.stance.is_none_or(|stance| stance == ruling.stance)
        }),
        None => filter.stance.is_none_or(|stance| stance == record.stance),
    };
    let observed = |ruling: &RecordedRuling| ruling.mode == Mode::Observe && ruling.stance == Stance::Deny;
    let would_deny = || record.stance != Stance::Deny && record.rulings.iter().any(observed);
    let has_text = |text: &String| record.subject.to_ascii_lowercase().contains(&text.to_ascii_lowercase());
    judged
        && filter.session.as_ref().is_none_or(|session| *session == record.session)
        && filter.agent.as_ref().is_none_or(|id| id == agent(record))
        && filter.project.as_ref().is_none_or(|project| *project == record.project)
        && (filter.kinds.is_empty() || filter.kinds.contains(&record.kind))
        && (!filter.would_deny || would_deny())
        && filter.tool.is_none_or(|tool| record.tool == Some(tool))
        && filter.since.is_none_or(|since| record.at >= since)
        && filter.until.is_none_or(|until| record.at < until)
        && filter.text.as_ref().is_none_or(has_text)
        && (filter.with_duplicates || !record.duplicate)
}

fn new_session(record: &Record) -> SessionSummary {
    SessionSummary {
        client: record.client.clone(),
        session: record.session.clone(),
        project: record.project.clone(),
        first_at: record.at,
        last_at: record.at,
        events: 0,
        denials: 0,
        denied: DenialCounts::default(),
        last_kind: String::new(),
        has_ended: false,
    }
}

fn agent_summary(id: &str, session: &[&Record]) -> AgentSummary {
    let own = || session.iter().filter(|record| agent(record) == id);
    let unique = || own().filter(|record| !record.duplicate);
    let answered = |stance| unique().filter(|record| record.stance == stance).count() as u64;
    let end = if id.is_empty() { EventKind::SessionEnd } else { EventKind::AgentStop };
    let stopped_at =
        own().filter(|it| it.kind == end && it.stance != Stance::Deny).map(|record| record.at).max();
    let is_start = |kind| {
        use EventKind::{AgentStart, BeforeTool, PromptSubmit, SessionStart};
        matches!(kind, BeforeTool | AgentStart | SessionStart | PromptSubmit)
    };
    let started_at = own().filter(|it| is_start(it.kind)).map(|record| record.at).max().unwrap_or_default();
    let role = own().next().and_then(|record| record.agent.as_ref()).map(|agent| agent.role.clone());
    AgentSummary {
        id: id.to_owned(),
        role: role.unwrap_or_default(),
        first_at: own().map(|record| record.at).min().unwrap_or_default(),
        last_at: own().map(|record| record.at).max().unwrap_or_default(),
        events: unique().count() as u64,
        denials: answered(Stance::Deny),
        denied: unique().fold(DenialCounts::default(), |mut counts, record| {
            counts.add(record.outcome(), 1);
            counts
        }),
        asks: answered(Stance::Ask),
        context_chars: unique().map(|record| record.context_chars as u64).sum(),
        has_stopped: stopped_at.is_some_and(|at| at >= started_at),
    }
}

/// What the policies, or this one alone, did, by their names.
fn activities<'a>(records: impl Iterator<Item = &'a Record>, policy: Option<&str>) -> Vec<PolicyActivity> {
    let mut all: BTreeMap<&str, PolicyActivity> = BTreeMap::new();
    let wanted = |ruling: &&RecordedRuling| policy.is_none_or(|policy| ruling.policy == policy);
    let rulings = records.flat_map(|record| record.rulings.iter().map(|ruling| (record.kind, ruling)));
    for (kind, ruling) in rulings.filter(|(_, ruling)| wanted(ruling)) {
        let activity = all.entry(&ruling.policy).or_default();
        ruling.policy.clone_into(&mut activity.policy);
        match ruling.stance {
            Stance::Silent => {}
            Stance::Allow => activity.allows += 1,
            Stance::Ask => activity.asks += 1,
            Stance::Deny => activity.denials += 1,
        }
        activity.denied.add(Outcome::new(kind, ruling.stance), 1);
        activity.errors += u64::from(ruling.error.is_some());
        activity.took.add(ruling.took);
    }
    all.into_values().collect()
}
