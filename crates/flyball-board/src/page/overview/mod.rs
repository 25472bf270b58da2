//! The page `/`: what needs a person, and how it went lately.

mod lists;
mod numbers;
mod start;

use flyball_core::time::whole_micros;

use flyball_store::{
    Filter, Overview as Totals, PolicyActivity, Queries, SessionSummary, StoreError, StoredEvent, TimeBucket,
};
use maud::{Markup, html};

use super::span::Selection;
use super::{Page, PageContext, PageError, parts};
use crate::chart::{self, Chart, Series, Unit};
use crate::route::{Request, Route};
use crate::view::{LoopView, WaitingView};

/// A session that was seen in the last while, with its view.
struct Recent {
    session: SessionSummary,
    waiting: Option<WaitingView>,
    run: Option<LoopView>,
    is_active: bool,
}

/// All that the page shows.
struct Overview<'a> {
    context: &'a PageContext<'a>,
    total: Totals,
    beats: Vec<TimeBucket>,
    recent: Vec<Recent>,
    denials: Vec<StoredEvent>,
    pulses: Vec<PolicyActivity>,
}

pub(super) fn page(scene: &PageContext<'_>) -> Result<Page, PageError> {
    let title = "Overview".to_owned();
    if is_new(scene.index)? {
        return Ok(Page { title, body: start::page() });
    }
    let look = Selection::from_request(scene)?;
    let overview = Overview::gather(scene, &look)?;
    Ok(Page { title, body: overview.body(&scene.index.projects()?) })
}

fn is_new(index: &dyn Queries) -> Result<bool, StoreError> {
    let latest = Filter { limit: Some(1), with_duplicates: true, ..Filter::default() };
    Ok(index.events(&latest)?.is_empty())
}

impl<'a> Overview<'a> {
    fn gather(scene: &'a PageContext<'a>, look: &Selection) -> Result<Overview<'a>, StoreError> {
        let denials = Filter {
            project: look.window.project.clone(),
            stance: Some(flyball_core::verdict::Stance::Deny),
            since: Some(look.window.since),
            limit: Some(6),
            ..Filter::default()
        };
        Ok(Overview {
            context: scene,
            total: scene.index.overview(&look.window)?,
            beats: scene.index.timeline(&look.window, look.stretches())?,
            recent: look.recent().map(|session| recent(scene, session)).collect(),
            denials: scene.index.events(&denials)?,
            pulses: scene.index.policy_activities(&look.window)?,
        })
    }

    fn body(&self, projects: &[String]) -> Markup {
        let request = self.context.request;
        html! {
            div.head {
                h1 { "Overview" }
                (parts::ranges(request))
                (parts::filters(request, &["project"], &parts::project_field(request, projects)))
            }
            (self.numbers())
            (self.person())
            div.grid {
                div.card { (self.answers()) }
                div.card { (self.times()) }
            }
            div.grid.halves {
                div { (self.sessions()) (self.denials()) }
                div { (self.policies()) section.card { (self.context()) } }
            }
        }
    }

    /// The list of events with the page's own range and project, and one more value.
    fn events(&self, more: Option<(&str, &str)>) -> Request {
        self.elsewhere(Route::Events, more)
    }

    fn elsewhere(&self, route: Route, more: Option<(&str, &str)>) -> Request {
        let request = self.context.request;
        let values = request.values.iter().filter(|(key, _)| matches!(key.as_str(), "range" | "project"));
        let mut elsewhere =
            Request { route, values: values.map(|(key, value)| (key.clone(), value.clone())).collect() };
        if let Some((key, value)) = more {
            elsewhere = elsewhere.with(key, Some(value));
        }
        elsewhere
    }

    fn answers(&self) -> Markup {
        let passed = |beat: &TimeBucket| beat.events.saturating_sub(beat.denials).saturating_sub(beat.asks);
        let chart = self.chart(
            "Events by decision",
            Unit::Count,
            vec![
                self.series("denied", "deny", |beat| Some(beat.denials)),
                self.series("asked", "ask", |beat| Some(beat.asks)),
                self.series("passed", "silent", |beat| Some(passed(beat))),
            ],
        );
        let links = [Some(("verdict", "deny")), Some(("verdict", "ask")), None]
            .map(|more| self.events(more).to_string());
        chart::bars_with_links(&chart, &links)
    }

    fn times(&self) -> Markup {
        let chart = self.chart(
            "Hook time",
            Unit::Micros,
            vec![
                self.series("p50", "p50", |beat| beat.took.percentile(0.5).map(whole_micros)),
                self.series("p90", "p90", |beat| beat.took.percentile(0.9).map(whole_micros)),
                self.series("p99", "p99", |beat| beat.took.percentile(0.99).map(whole_micros)),
            ],
        );
        chart::lines(&chart)
    }

    fn context(&self) -> Markup {
        let series = self.series("characters", "context", |beat| Some(beat.context_chars));
        chart::bars(&self.chart("Context added", Unit::Chars, vec![series]))
    }

    fn chart(&self, title: &str, unit: Unit, series: Vec<Series>) -> Chart {
        let (since, length) = self.beats.first().map(|beat| (beat.start, beat.length)).unwrap_or_default();
        Chart { title: title.to_owned(), unit, since, length, series }
    }

    fn series(&self, name: &str, class: &'static str, value: impl Fn(&TimeBucket) -> Option<u64>) -> Series {
        #[expect(clippy::cast_precision_loss, reason = "drawn, not counted")]
        let values = self.beats.iter().map(|beat| Some(value(beat).filter(|_| beat.events > 0)? as f64));
        Series { name: name.to_owned(), class, values: values.collect() }
    }
}

fn recent(scene: &PageContext<'_>, session: &SessionSummary) -> Recent {
    Recent {
        waiting: scene.views.waiting(session),
        run: scene.views.loop_view(session),
        is_active: super::span::is_active(session, scene.now),
        session: session.clone(),
    }
}
