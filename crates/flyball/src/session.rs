//! Which session a command is about.

use flyball_clients::CLIENTS;
use flyball_core::event::SessionId;
use flyball_store::{SessionFilter, SessionSummary};
use jiff::Zoned;

use crate::environment;
use crate::outcome::Failed;
use crate::project_context::{Archive, ProjectContext, tilde};
use crate::show::record::short_session;
use crate::show::text::one_line;
use crate::show::time;

/// At most this many sessions are looked at, the newest.
const MOST: usize = 60;

/// The sessions of a project, the newest first.
pub(crate) fn of_project(here: &ProjectContext, archive: &Archive) -> Result<Vec<SessionSummary>, Failed> {
    let project = Some(here.root.to_string_lossy().into_owned());
    let filter = SessionFilter { project, limit: Some(MOST), ..SessionFilter::default() };
    archive.index.sessions(&filter).map_err(Failed::from)
}

/// The one session whose id starts like this.
pub(crate) fn find_named(start: &str, archive: &Archive) -> Result<SessionSummary, Failed> {
    let filter =
        SessionFilter { id_prefix: Some(start.to_owned()), limit: Some(MOST), ..SessionFilter::default() };
    let mut found = archive.index.sessions(&filter)?;
    // A whole id wins, even if another one begins with it.
    if let Some(at) = found.iter().position(|session| session.session.as_str() == start) {
        return Ok(found.swap_remove(at));
    }
    let shown = one_line(start);
    let none = || {
        let what = format!("no session begins with `{shown}`");
        Failed::new(what, "`flyball status --all` lists the sessions")
    };
    only(found, (&format!("several sessions begin with `{shown}`"), none))
}

/// The only session found; `what` describes several, for the error that lists them.
pub(crate) fn only(
    mut found: Vec<SessionSummary>,
    (what, none): (&str, impl FnOnce() -> Failed),
) -> Result<SessionSummary, Failed> {
    if found.len() > 1 {
        return Err(several(what, &found));
    }
    found.pop().ok_or_else(none)
}

/// The session that is running here: the named one, else the one whose client started this program,
/// else the newest of this project.
pub(crate) fn find_running(
    start: Option<&str>,
    here: &ProjectContext,
    archive: &Archive,
) -> Result<SessionSummary, Failed> {
    if let Some(start) = start {
        return find_named(start, archive);
    }
    // Never another session instead: an agent that asks for its own would change somebody else's.
    if let Some((client, id)) = own() {
        return find_exact(client, &id, archive);
    }
    of_project(here, archive)?.into_iter().find(|session| !session.has_ended).ok_or_else(|| {
        let what = "no session of this project is running";
        Failed::new(what, "a session begins with its first event; name a recorded one with `--session ID`")
    })
}

/// The session whose client started this program, if one did.
pub(crate) fn own() -> Option<(&'static str, SessionId)> {
    CLIENTS.iter().find_map(|client| {
        let id = environment::variable(client.facts().session_variable)?;
        Some((client.id(), SessionId::new(&id)))
    })
}

/// The session that a client names to the programs it starts.
fn find_exact(client: &str, id: &SessionId, archive: &Archive) -> Result<SessionSummary, Failed> {
    let filter = SessionFilter {
        id_prefix: Some(id.as_str().to_owned()),
        client: Some(client.to_owned()),
        ..SessionFilter::default()
    };
    let found = archive.index.sessions(&filter)?;
    found.into_iter().find(|session| session.session == *id).ok_or_else(|| {
        let what = format!("this session ({}) is not recorded", one_line(id.as_str()));
        Failed::new(what, "`flyball doctor` shows whether flyball is registered with the client")
    })
}

/// The failure that lists the sessions that could be meant.
fn several(what: &str, sessions: &[SessionSummary]) -> Failed {
    let now = Zoned::now();
    let list: Vec<String> = sessions
        .iter()
        .map(|session| {
            let ago = time::ago(session.last_at, &now);
            let id = short_session(session.session.as_str());
            let id = if is_only(&id, sessions) { id } else { one_line(session.session.as_str()) };
            format!("  --session {id}  last event {ago} ago in {}", one_line(&tilde(&session.project)))
        })
        .collect();
    Failed::new(what, format!("name one:\n{}", list.join("\n")))
}

/// Whether only one of the sessions begins like this.
fn is_only(start: &str, sessions: &[SessionSummary]) -> bool {
    sessions.iter().filter(|session| session.session.as_str().starts_with(start)).count() == 1
}
