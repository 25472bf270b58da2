//! The values of an address as a query to the index.

use flyball_core::event::{EventKind, ToolKind};
use flyball_core::outcome::Outcome;
use flyball_core::verdict::Stance;
use flyball_store::{Filter, SessionFilter, SessionSummary};

use jiff::Zoned;

use super::super::period::{KEYS, Period};
use super::super::{PageContext, PageError, parts};
use crate::route::{Range, Request};

/// The main agent has no id; in an address it needs a name.
pub(super) const MAIN: &str = "main";

/// What was not denied, and would have been if every policy counted.
pub(super) const WOULD_DENY: &str = "would-deny";

/// What is asked for.
pub(super) struct EventQuery {
    pub(super) filter: Filter,
    /// The session, if one is meant.
    pub(super) session: Option<SessionSummary>,
    pub(super) period: Period,
    /// A value that nothing can match: a tool that does not exist, a session that is unknown.
    pub(super) is_impossible: bool,
}

impl EventQuery {
    /// What the request asks for.
    pub(super) fn from_request(context: &PageContext<'_>) -> Result<EventQuery, PageError> {
        let request = context.request;
        let session = match request.value("session") {
            Some(id) => session(context, id.trim())?,
            None => None,
        };
        let verdict = request.value("verdict");
        let would_deny = verdict == Some(WOULD_DENY);
        let outcome = verdict.and_then(Outcome::from_name);
        // `deny` is blocked, held and findings together.
        let stance = verdict.filter(|_| !would_deny && outcome.is_none()).map(Stance::from_name);
        let tool = request.value("tool").map(ToolKind::from_name);
        let kind = request.value("kind").map(EventKind::from_name);
        // An unknown value must find nothing: ignored, it would show everything as if it matched.
        let is_impossible = stance == Some(None)
            || tool == Some(None)
            || kind == Some(None)
            || request.value("session").is_some() && session.is_none();
        let period = period(request, context.now);
        let filter = Filter {
            session: session.as_ref().map(|session| session.session.clone()),
            project: request.value("project").map(str::to_owned),
            kinds: kind.flatten().into_iter().collect(),
            policy: request.value("policy").map(str::to_owned),
            stance: stance.flatten(),
            outcome,
            would_deny,
            agent: request.value("agent").map(|agent| if agent == MAIN { "" } else { agent }.to_owned()),
            tool: tool.flatten(),
            since: period.since(context.now),
            until: period.until(),
            text: request.value("q").map(|text| text.trim().to_owned()),
            ..Filter::default()
        };
        Ok(EventQuery { filter, session, period, is_impossible })
    }
}

/// The time that is looked at: all of it for one session, unless a range is given.
fn period(request: &Request, now: &Zoned) -> Period {
    match (Period::from_request(request, now), request.value("range"), request.value("session")) {
        (Period::Last(_), None, Some(_)) => Period::Last(Range::All),
        (period, ..) => period,
    }
}

/// The session of that id, or the latest whose id begins so.
fn session(context: &PageContext<'_>, id: &str) -> Result<Option<SessionSummary>, PageError> {
    let filter = SessionFilter { id_prefix: Some(id.to_owned()), ..SessionFilter::default() };
    let mut all = context.index.sessions(&filter)?;
    let place = all.iter().position(|session| session.session.as_str() == id).unwrap_or_default();
    Ok((place < all.len()).then(|| all.swap_remove(place)))
}

/// The same list without a filter; the time is several values.
pub(super) fn without(request: &Request, key: &str) -> Request {
    match key {
        "range" => KEYS.iter().fold(request.clone(), |request, key| request.with(key, None)),
        key => request.with(key, None),
    }
}

/// The values that narrow the list, with words for each.
pub(super) fn active(request: &Request, asked: &EventQuery, now: &Zoned) -> Vec<(&'static str, String)> {
    let named = |key: &'static str, word: &str| {
        let value = request.value(key)?;
        Some((key, format!("{word} {}", parts::cut(value, 60))))
    };
    let project = request
        .value("project")
        .map(|path| ("project", format!("project {}", parts::cut(parts::last_folder(path), 60))));
    let text = request.value("q").map(|text| ("q", format!("text “{}”", parts::cut(text, 60))));
    let session = asked.session.as_ref().map(|session| session.session.as_str()).or(request.value("session"));
    let session = session.map(|id| ("session", format!("session {}", parts::cut(id, 40))));
    let is_given = KEYS.iter().any(|key| request.value(key).is_some());
    let range = is_given.then(|| ("range", format!("time {}", asked.period.words(now))));
    [
        text,
        project,
        session,
        named("agent", "agent"),
        named("verdict", "decision"),
        named("policy", "policy"),
        named("kind", "event"),
        named("tool", "tool"),
        range,
    ]
    .into_iter()
    .flatten()
    .collect()
}
