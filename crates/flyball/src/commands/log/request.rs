//! What `flyball log` is asked for, as questions to the index.

use flyball_core::event::{EventKind, SessionId, ToolKind};
use flyball_core::nearest::nearest;
use flyball_core::record::Record;
use flyball_core::verdict::Stance;
use flyball_policies::REGISTRY;
use flyball_store::{Filter, Page, PayloadMode, SessionFilter, StoredEvent};
use flyball_world::machine::project_root;
use jiff::Zoned;

use super::arguments::Arguments;
use crate::environment;
use crate::outcome::Failed;
use crate::project_context::{Archive, ProjectContext};
use crate::show::record::short_session;
use crate::show::time::{self, Bound};

/// The question; one filter per stance, because the index knows one at a time.
pub(super) struct Request {
    filters: Vec<Filter>,
}

impl Request {
    /// The question that the arguments ask.
    pub(super) fn from_arguments(
        arguments: &Arguments,
        archive: &Archive,
        now: &Zoned,
    ) -> Result<Request, Failed> {
        let filter = Filter {
            session: arguments.session.as_deref().map(|id| session(archive, id)).transpose()?,
            project: project(arguments)?,
            kinds: arguments.kind.iter().filter_map(|name| EventKind::from_name(name)).collect(),
            policy: arguments.policy.as_deref().map(|id| policy(archive, id)).transpose()?,
            stance: None,
            tool: arguments.tool.as_deref().and_then(ToolKind::from_name),
            since: moment(arguments.since.as_deref(), Bound::Start, now)?,
            until: moment(arguments.until.as_deref(), Bound::End, now)?,
            text: arguments.grep.clone(),
            agent: None,
            would_deny: false,
            with_duplicates: arguments.all,
            page: Page::Newest,
            limit: None,
            payloads: if arguments.json { PayloadMode::With } else { PayloadMode::Without },
        };
        let stances = arguments.stance.iter().filter_map(|name| Stance::from_name(name));
        let mut filters: Vec<Filter> =
            stances.map(|it| Filter { stance: Some(it), ..filter.clone() }).collect();
        if filters.is_empty() {
            filters.push(filter);
        }
        Ok(Request { filters })
    }

    /// The newest events, oldest of them first.
    pub(super) fn newest(&self, archive: &Archive, limit: usize) -> Result<Vec<Record>, Failed> {
        let mut found = self.query(archive, |filter| filter.limit = Some(limit))?;
        found.sort_by_key(|event| (event.record.at, event.row));
        let surplus = found.len().saturating_sub(limit);
        Ok(found.into_iter().skip(surplus).map(|event| event.record).collect())
    }

    /// The events that came into the index after a row and are not older than a moment, in the
    /// order in which they came.
    pub(super) fn after(&self, archive: &Archive, row: i64, since: i64) -> Result<Vec<StoredEvent>, Failed> {
        let mut found = self.query(archive, |filter| {
            filter.page = Page::After(row);
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

/// The one session whose id begins so.
fn session(archive: &Archive, prefix: &str) -> Result<SessionId, Failed> {
    let filter =
        SessionFilter { id_prefix: Some(prefix.to_owned()), limit: Some(6), ..SessionFilter::default() };
    let found = archive.index.sessions(&filter)?;
    match found.as_slice() {
        [] => {
            let what = format!("no session's id begins with `{prefix}`");
            Err(Failed::new(what, "`flyball status --all` lists the sessions"))
        }
        [one] => Ok(one.session.clone()),
        several => {
            let ids: Vec<String> =
                several.iter().map(|one| format!("`{}`", short_session(one.session.as_str()))).collect();
            let what = format!("several sessions' ids begin with `{prefix}`: {}", ids.join(", "));
            Err(Failed::new(what, "write more of the id"))
        }
    }
}

/// The root of the project that is asked for.
fn project(arguments: &Arguments) -> Result<Option<String>, Failed> {
    if arguments.here {
        return Ok(Some(ProjectContext::find()?.root.to_string_lossy().into_owned()));
    }
    let Some(path) = &arguments.project else { return Ok(None) };
    let path =
        environment::working_directory().map_or_else(|| path.clone(), |directory| directory.join(path));
    // A project that was deleted is still in the record, under the path that is written.
    let path = path.canonicalize().map_or(path, |real| project_root(&real));
    Ok(Some(path.to_string_lossy().into_owned()))
}

/// The policy that is asked for. One that the registry does not have may still be in the record,
/// from an older flyball; one that is in neither was mistyped.
fn policy(archive: &Archive, id: &str) -> Result<String, Failed> {
    let ids = || REGISTRY.iter().map(|policy| policy.id.as_str());
    let filter =
        Filter { policy: Some(id.to_owned()), limit: Some(1), with_duplicates: true, ..Filter::default() };
    if ids().any(|known| known == id) || !archive.index.events(&filter)?.is_empty() {
        return Ok(id.to_owned());
    }
    let meant = nearest(id, ids()).map(|near| format!("did you mean `{near}`? "));
    let fix = format!("{}`flyball policies` lists them all", meant.unwrap_or_default());
    Err(Failed::new(format!("no policy is called `{id}`"), fix))
}

fn moment(text: Option<&str>, bound: Bound, now: &Zoned) -> Result<Option<i64>, Failed> {
    let Some(text) = text else { return Ok(None) };
    match time::parse(text, bound, now) {
        Some(moment) => Ok(Some(moment)),
        None => Err(Failed::new(format!("`{text}` is no time"), time::FORMS)),
    }
}
