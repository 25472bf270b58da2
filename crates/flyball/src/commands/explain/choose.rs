//! Which event to explain.

use flyball_core::record::Record;
use flyball_core::text;
use flyball_core::verdict::Stance;
use flyball_store::{Filter, Found, StoredEvent};

use crate::outcome::Failed;
use crate::project_context::{Archive, ProjectContext};
use crate::show::record::is_silent;

/// How far back the last event that added context or a notice is looked for.
const RECENT: usize = 200;

/// The event with this id, or the only one whose id begins so.
pub(super) fn by_id(archive: &Archive, id: &str) -> Result<Record, Failed> {
    let id = id.trim();
    let unknown = || {
        let what = format!("no decision has the id `{id}`");
        Failed::new(what, "`flyball log` shows the ids; events older than `store.keep_days` are deleted")
    };
    if id.is_empty() {
        return Err(unknown());
    }
    match archive.index.event(id)? {
        Found::One(event) => Ok(event.record),
        Found::Several(ids) => {
            let what = format!(
                "several ids begin with `{id}`: {}",
                text::quoted(ids.iter().map(ToString::to_string))
            );
            Err(Failed::new(what, "write more of the id"))
        }
        Found::None => Err(unknown()),
    }
}

/// The last event of this project to which flyball answered something; else the last of the project,
/// else the last of all.
pub(super) fn last(archive: &Archive, here: &ProjectContext) -> Result<Record, Failed> {
    let project = Filter { project: Some(here.root.to_string_lossy().into_owned()), ..Filter::default() };
    let found = match newest_with_output(archive, &project)? {
        Some(event) => Some(event),
        None => newest(archive, &project)?.or(newest(archive, &Filter::default())?),
    };
    let Some(event) = found else {
        let fix = "`flyball init` registers flyball with your client; `flyball demo` shows it at work";
        return Err(Failed::new("nothing is recorded yet", fix));
    };
    // Read again, with its payload.
    by_id(archive, event.record.id.as_str())
}

fn newest_with_output(archive: &Archive, filter: &Filter) -> Result<Option<StoredEvent>, Failed> {
    let recent = Filter { limit: Some(RECENT), ..filter.clone() };
    let recent = archive.index.events(&recent)?;
    let mut found: Vec<StoredEvent> =
        recent.into_iter().filter(|event| !is_silent(&event.record)).take(1).collect();
    // By the index of stances: the last denial may be older than the events that were looked at.
    for stance in Stance::ALL.iter().filter(|stance| **stance != Stance::Silent) {
        found.extend(newest(archive, &Filter { stance: Some(*stance), ..filter.clone() })?);
    }
    Ok(found.into_iter().max_by_key(|event| (event.record.at, event.row)))
}

fn newest(archive: &Archive, filter: &Filter) -> Result<Option<StoredEvent>, Failed> {
    let filter = Filter { limit: Some(1), ..filter.clone() };
    Ok(archive.index.events(&filter)?.pop())
}
