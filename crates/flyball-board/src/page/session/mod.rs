//! The page of one session: its agents, its lanes, what was refused, its loop, what was found and told.

mod axis;
mod calls;
mod draw;
mod findings;
mod looping;
mod notable;
mod plan;
mod strip;
mod told;
mod tree;
mod view;

use flyball_store::{AgentSummary, Filter, SessionSummary, StoredEvent, Window};
use maud::{Markup, html};

use self::plan::{LaneName, Plan};
use self::tree::Tree;
use self::view::View;
use super::events::row::{self, Columns};
use super::sessions::{State, found};
use super::{Page, PageTrouble, Scene, parts};
use crate::route::{Request, Route};
use crate::view::WaitingView;

/// Events that are read for the lanes.
const MOST_EVENTS: usize = 2_000;
/// Events that are named for being slow.
const SLOWEST: usize = 8;
/// Events in the list at the end.
const LATEST: usize = 50;

/// One session, with all that several parts of the page need.
struct Story<'a> {
    scene: &'a Scene<'a>,
    session: SessionSummary,
    agents: Vec<AgentSummary>,
    view: View,
    /// The events of the view, oldest first: the newest of them, if there are too many.
    events: Vec<StoredEvent>,
    /// Whether there are more in the view.
    is_cut: bool,
}

/// The page.
pub(super) fn page(scene: &Scene<'_>, client: &str, id: &str) -> Result<Page, PageTrouble> {
    let Some(session) = found(scene, client, id)? else {
        return Err(unknown(client, id));
    };
    let story = Story::read(scene, session)?;
    let waiting = State::waiting(&story.session, scene);
    let state = State::of(&story.session, waiting.as_ref(), scene);
    let tree = Tree::of(scene, (&story.session, state), &story.agents)?;
    let lanes = tree.lanes(&story.agents);
    let body = html! {
        (head(&story, state, waiting.as_ref()))
        (lanes_section(&story, &lanes)?)
        div.side-by-side {
            div {
                section.card data-key="agents-part" aria-labelledby="agents" { h2 id="agents" { "Agents" } (agents(&story, &tree)) }
                (told::section(&story)?)
            }
            div {
                (notable::section(&story)?)
                (slowest(&story)?)
            }
        }
        (looping::section(&story))
        (findings::section(&story))
        (latest(&story)?)
    };
    Ok(Page { title: format!("Session {}", parts::cut(id, 20)), body })
}

fn unknown(client: &str, id: &str) -> PageTrouble {
    PageTrouble::NotFound(format!(
        "there is no session {} of {} in the store; /sessions?range=all lists those that there are",
        parts::cut(id, 80),
        parts::cut(client, 40)
    ))
}

impl<'a> Story<'a> {
    fn read(scene: &'a Scene<'a>, session: SessionSummary) -> Result<Story<'a>, PageTrouble> {
        let mut view = View::of(scene.request, &session);
        let filter = Filter {
            since: Some(view.from),
            until: Some(view.to),
            limit: Some(MOST_EVENTS + 1),
            ..of_session(&session)
        };
        let mut events = scene.index.events(&filter)?;
        let is_cut = events.len() > MOST_EVENTS;
        events.truncate(MOST_EVENTS);
        events.retain(|event| event.record.client == session.client);
        events.reverse();
        if let Some(first) = events.first().filter(|_| is_cut) {
            view.from = first.record.at;
        }
        let agents = scene.index.agents(&session.client, &session.session)?;
        Ok(Story { scene, session, agents, view, events, is_cut })
    }

    /// The list of events of this session, with one more filter if there is a key.
    fn list(&self, key: &str, value: Option<&str>) -> Request {
        Route::Events.bare().with("session", Some(self.session.session.as_str())).with(key, value)
    }

    /// All of the session.
    fn whole(&self) -> Window {
        Window {
            since: self.session.first_at,
            until: self.session.last_at.saturating_add(1),
            project: None,
            session: Some(self.session.session.clone()),
        }
    }

    /// Those events that are of this session's client: another one may have used the same id.
    fn own(&self, mut events: Vec<StoredEvent>) -> Vec<StoredEvent> {
        events.retain(|event| event.record.client == self.session.client);
        events
    }

    fn of_agent(&self, agent: &str) -> Request {
        self.list("agent", Some(if agent.is_empty() { "main" } else { agent }))
    }
}

/// Events of a session.
fn of_session(session: &SessionSummary) -> Filter {
    Filter { session: Some(session.session.clone()), ..Filter::default() }
}

fn head(story: &Story<'_>, state: State, waiting: Option<&WaitingView>) -> Markup {
    let session = &story.session;
    let asks: u64 = story.agents.iter().map(|agent| agent.asks).sum();
    let subagents = story.agents.iter().filter(|agent| !agent.id.is_empty()).count() as u64;
    let length = u64::try_from(session.last_at - session.first_at).unwrap_or_default();
    html! {
        div.head {
            h1 { "Session " bdi.mono title=(parts::cut(session.session.as_str(), 200)) { (parts::cut(session.session.as_str(), 40)) } }
            (state.pill())
        }
        @if let Some(waiting) = waiting {
            p class=(if waiting.on_person { "waits-for on-person" } else { "waits-for" }) {
                strong { @if waiting.on_person { "Needs a person: " } @else { "Now: " } } (parts::said(&waiting.what, 400))
            }
        }
        dl.facts.across {
            div { dt { "Project" } dd { (parts::project(&session.project)) } }
            div { dt { "Client" } dd { (parts::cut(&session.client, 60)) } }
            div { dt { "Began" } dd { (parts::time(session.first_at, story.scene.now)) } }
            div { dt { "Last event" } dd { (parts::time(session.last_at, story.scene.now)) } }
            div { dt { "Length" } dd { (parts::duration(length)) } }
            div { dt { "Events" } dd { a href=(story.list("verdict", None)) { (parts::number(session.events)) } } }
            div { dt { "Denied" } dd { (count_link(session.denials, &story.list("verdict", Some("deny")))) } }
            div { dt { "Asked" } dd { (count_link(asks, &story.list("verdict", Some("ask")))) } }
            div { dt { "Subagents" } dd { (parts::number(subagents)) } }
        }
    }
}

fn count_link(many: u64, list: &Request) -> Markup {
    html! { @if many == 0 { "0" } @else { a href=(list) { (parts::number(many)) } } }
}

fn lanes_section(story: &Story<'_>, lanes: &[LaneName]) -> Result<Markup, PageTrouble> {
    let plan = Plan::of(&story.events, lanes);
    let hidden = plan.without_mark();
    Ok(html! {
        section.card.timeline data-key="timeline-part" aria-labelledby="timeline" {
            div.part-head { h2 id="timeline" { "Timeline" } (story.view.links(story.scene.request, &story.session)) }
            (strip::strip(story)?)
            @if plan.lanes.is_empty() {
                (parts::empty("No events in this part of the session", &html! {
                    p { a href=(story.scene.request.with("from", None).with("to", None)) { "Look at the whole session" } }
                }))
            } @else {
                (draw::lanes(&plan, story.scene.now.time_zone(), |agent| story.of_agent(agent)))
            }
            @if story.is_cut {
                p.muted {
                    "These are the newest " (parts::number(story.events.len() as u64)) " events of this part. "
                    "For the ones before, choose an earlier part or "
                    a href=(story.list("verdict", None)) { "read the list" } "."
                }
            }
            @if hidden > 0 {
                p.muted {
                    (parts::counted(u64::from(hidden), "further event")) " have no mark of their own and are drawn as height. "
                    a href=(story.list("verdict", None)) { "All of them in the list" }
                }
            }
        }
    })
}

fn agents(story: &Story<'_>, tree: &Tree) -> Markup {
    html! {
        @if story.agents.is_empty() { p.muted { "Nothing is known about its agents." } }
        @else { (tree.list(&|agent| story.of_agent(agent))) }
    }
}

/// Where the hook took long.
fn slowest(story: &Story<'_>) -> Result<Markup, PageTrouble> {
    let events = story.own(story.scene.index.slowest(&story.whole(), SLOWEST)?);
    Ok(html! {
        section.card data-key="slowest-part" aria-labelledby="slowest" {
            h2 id="slowest" { "Slowest events" }
            ol.plain {
                @for record in events.iter().map(|event| &event.record) {
                    li.pair {
                        span.number { (parts::duration(record.micros)) }
                        a href=(row::explained(record)) { (row::kind_name(record)) " " bdi.mono { (parts::cut(row::subject(record), 80)) } }
                    }
                }
            }
        }
    })
}

fn latest(story: &Story<'_>) -> Result<Markup, PageTrouble> {
    let filter = Filter { limit: Some(LATEST), ..of_session(&story.session) };
    let events = story.own(story.scene.index.events(&filter)?);
    let all = parts::counted(story.session.events, "event");
    Ok(html! {
        section data-key="latest-part" aria-labelledby="latest" {
            div.part-head { h2 id="latest" { "Latest events" } a href=(story.list("verdict", None)) { "All " (all) } }
            (row::table(&events, Columns::OfOneSession, story.scene.now))
        }
    })
}

#[cfg(test)]
mod tests;
