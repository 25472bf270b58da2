//! The arguments of `flyball log` as queries to the index.

use std::collections::HashMap;

use flyball_core::event::{EventKind, ToolKind};
use flyball_core::outcome::Outcome;
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_store::{Filter, Page, PayloadMode, StoredEvent};
use jiff::Zoned;

use super::options::Arguments;
use crate::arguments;
use crate::outcome::Failed;
use crate::project_context::{Archive, ProjectContext};
use crate::session;
use crate::show::time::Bound;

/// The query; one filter per stance, because the index takes one at a time.
pub(super) struct Request {
    filters: Vec<Filter>,
}

impl Request {
    /// The query for the arguments.
    pub(super) fn from_arguments(
        options: &Arguments,
        archive: &Archive,
        now: &Zoned,
    ) -> Result<Request, Failed> {
        let moment =
            |text: Option<&str>, bound| text.map(|text| arguments::time(text, bound, now)).transpose();
        let session = options.session.as_deref().map(|id| session::find_named(id, archive)).transpose()?;
        let filter = Filter {
            session: session.map(|session| session.session),
            project: project(options)?,
            kinds: options.kind.iter().filter_map(|name| EventKind::from_name(name)).collect(),
            policy: options.policy.as_deref().map(|id| policy(archive, id)).transpose()?,
            stance: None,
            outcome: None,
            tool: options.tool.as_deref().and_then(ToolKind::from_name),
            since: moment(options.since.as_deref(), Bound::Start)?,
            until: moment(options.until.as_deref(), Bound::End)?,
            text: options.grep.clone(),
            agent: None,
            would_deny: false,
            with_duplicates: options.all,
            page: Page::Newest,
            limit: None,
            payloads: if options.json { PayloadMode::With } else { PayloadMode::Without },
        };
        let stances = options.stance.iter().filter_map(|name| Stance::from_name(name));
        let outcomes = options.outcome.iter().filter_map(|name| Outcome::from_name(name));
        let mut filters: Vec<Filter> =
            stances.map(|it| Filter { stance: Some(it), ..filter.clone() }).collect();
        filters.extend(outcomes.map(|it| Filter { outcome: Some(it), ..filter.clone() }));
        if filters.is_empty() {
            filters.push(filter);
        }
        Ok(Request { filters })
    }

    /// The newest events, oldest of them first.
    pub(super) fn newest(&self, archive: &Archive, limit: usize) -> Result<Vec<Record>, Failed> {
        let mut found = self.query(archive, |filter| filter.limit = Some(limit))?;
        sort_by_time(&mut found);
        // Each filter gave as many as were asked for; together they may be more.
        let surplus = found.len().saturating_sub(limit);
        Ok(found.into_iter().skip(surplus).map(|event| event.record).collect())
    }

    /// The events that came into the index after a row and are not older than a moment, in the
    /// order in which they came.
    pub(super) fn after(&self, archive: &Archive, row: i64, since: Time) -> Result<Vec<StoredEvent>, Failed> {
        let mut found = self.query(archive, |filter| {
            filter.page = Page::After(row);
            // Rows are numbered as journals are folded: an old journal that is folded late has new rows.
            filter.since = Some(filter.since.unwrap_or(since).max(since));
        })?;
        found.sort_by_key(|event| event.row);
        Ok(found)
    }

    fn query(&self, archive: &Archive, change: impl Fn(&mut Filter)) -> Result<Vec<StoredEvent>, Failed> {
        let mut found = Vec::new();
        for filter in &self.filters {
            let mut filter = filter.clone();
            change(&mut filter);
            found.extend(archive.index.events(&filter)?);
        }
        Ok(found)
    }
}

/// The root of the requested project.
fn project(options: &Arguments) -> Result<Option<String>, Failed> {
    if options.here {
        return Ok(Some(ProjectContext::find()?.root.to_string_lossy().into_owned()));
    }
    Ok(options.project.as_deref().map(arguments::project))
}

/// The requested policy. One that the registry does not have may still be in the record, from an older flyball.
fn policy(archive: &Archive, id: &str) -> Result<String, Failed> {
    let filter =
        Filter { policy: Some(id.to_owned()), limit: Some(1), with_duplicates: true, ..Filter::default() };
    let known = arguments::policy(id);
    if known.is_ok() || !archive.index.events(&filter)?.is_empty() {
        return Ok(id.to_owned());
    }
    known.map(|policy| policy.id.to_string())
}

/// Sorts events by time, each session in the order of its own numbers: the clock may have been set back in the middle.
fn sort_by_time(events: &mut [StoredEvent]) {
    events.sort_by_key(|event| event.row);
    let mut latest: HashMap<String, Time> = HashMap::new();
    let mut places: HashMap<i64, Time> = HashMap::new();
    for event in events.iter() {
        let session = latest.entry(event.record.session.as_str().to_owned()).or_insert(event.record.at);
        *session = event.record.at.max(*session);
        places.insert(event.row, *session);
    }
    events.sort_by_key(|event| (places.get(&event.row).copied(), event.row));
}
