//! What is read from the store for one screen.

use flyball_board::ViewSource;
use flyball_core::outcome::Outcome;
use flyball_core::time::HOUR;
use flyball_store::{Filter, Found, SessionFilter, SessionSummary, StoredEvent, Window};
use jiff::Zoned;

use super::screen::{Screen, View};
use super::snapshot::{Session, Snapshot, Stretch};
use crate::commands::explain;
use crate::outcome::Failed;
use crate::project_context::Archive;
use crate::show::time;
use crate::views::board::LocalViews;

/// The most sessions and events that are read: more than a screen has lines for.
const SESSIONS: usize = 40;
const EVENTS: usize = 200;
/// The numbers are about this long, in as many stretches.
const STRETCHES: usize = 60;

impl Snapshot {
    /// Reads what the screen is about.
    pub(super) fn load(
        (archive, views): (&Archive, &LocalViews),
        screen: &Screen,
        now: &Zoned,
    ) -> Result<Snapshot, Failed> {
        let (hour, total) = hour(archive, screen, now)?;
        Ok(Snapshot {
            now: now.clone(),
            sessions: sessions((archive, views), screen)?,
            events: events(archive, screen)?,
            hour,
            total,
            explanation: explanation((archive, views), screen)?,
        })
    }
}

fn sessions((archive, views): (&Archive, &LocalViews), screen: &Screen) -> Result<Vec<Session>, Failed> {
    let filter =
        SessionFilter { project: screen.project.clone(), limit: Some(SESSIONS), ..SessionFilter::default() };
    let found = archive.index.sessions(&filter)?;
    let with_waiting = |summary: SessionSummary| {
        let waits_for = views.waiting(&summary).map(|waiting| waiting.what).unwrap_or_default();
        Session { summary, waits_for }
    };
    Ok(found.into_iter().map(with_waiting).collect())
}

fn events(archive: &Archive, screen: &Screen) -> Result<Vec<StoredEvent>, Failed> {
    let filter = Filter {
        session: screen.session.as_ref().map(|session| session.session.clone()),
        // A session may have events in several projects; all of them are shown once it is opened.
        project: screen.project.clone().filter(|_| screen.session.is_none()),
        outcome: screen.only_denials.then_some(Outcome::Blocked),
        text: (!screen.search.is_empty()).then(|| screen.search.clone()),
        limit: Some(EVENTS),
        ..Filter::default()
    };
    archive.index.events(&filter).map_err(Failed::from)
}

fn hour(archive: &Archive, screen: &Screen, now: &Zoned) -> Result<(Vec<Stretch>, Stretch), Failed> {
    let until = time::of(now);
    let window = Window {
        since: until - HOUR,
        until,
        project: screen.project.clone(),
        session: screen.session.as_ref().map(|session| session.session.clone()),
    };
    let read = |most| archive.index.timeline(&window, most).map_err(Failed::from);
    let stretch = |bucket: &flyball_store::TimeBucket| Stretch {
        events: bucket.events,
        denied: bucket.denied,
        p50: bucket.took.percentile(0.5),
        p99: bucket.took.percentile(0.99),
    };
    // Read apart: percentiles of the stretches cannot be added up.
    let total = read(1)?.first().map(stretch).unwrap_or_default();
    Ok((read(STRETCHES)?.iter().map(stretch).collect(), total))
}

fn explanation((archive, views): (&Archive, &LocalViews), screen: &Screen) -> Result<Vec<String>, Failed> {
    let View::Explanation { answer, .. } = &screen.view else { return Ok(Vec::new()) };
    // It does not change: once is enough.
    if let Some(snapshot) = screen.snapshot.as_ref().filter(|snapshot| !snapshot.explanation.is_empty()) {
        return Ok(snapshot.explanation.clone());
    }
    match archive.index.event(answer.as_str())? {
        Found::One(event) => Ok(explain::plain_lines(&views.explanation(event.record), screen.columns)),
        Found::Several(_) | Found::None => Ok(vec!["the event is no longer in the store".to_owned()]),
    }
}
