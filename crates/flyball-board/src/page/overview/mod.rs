//! The page `/`: what needs a person, and how it went lately.

mod lists;
mod numbers;
mod start;

use flyball_core::outcome::Outcome;
use flyball_core::time::whole_micros;

use flyball_store::{
    Filter, Overview as Totals, PolicyActivity, Queries, SessionSummary, StoreError, StoredEvent, TimeBucket,
};
use maud::{Markup, html};

use super::period::Period;
use super::span::Selection;
use super::titles::Titles;
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
    period: Period,
    total: Totals,
    buckets: Vec<TimeBucket>,
    recent: Vec<Recent>,
    titles: Titles,
    denials: Vec<StoredEvent>,
    activities: Vec<PolicyActivity>,
}

pub(super) fn page(context: &PageContext<'_>) -> Result<Page, PageError> {
    let title = "Overview".to_owned();
    if is_new(context.index)? {
        return Ok(Page { title, body: start::page() });
    }
    let selection = Selection::from_request(context)?;
    let overview = Overview::gather(context, &selection)?;
    Ok(Page { title, body: overview.body(&context.index.projects()?) })
}

fn is_new(index: &dyn Queries) -> Result<bool, StoreError> {
    // Duplicates count here: a client that calls twice has called.
    let latest = Filter { limit: Some(1), with_duplicates: true, ..Filter::default() };
    Ok(index.events(&latest)?.is_empty())
}

impl<'a> Overview<'a> {
    fn gather(context: &'a PageContext<'a>, selection: &Selection) -> Result<Overview<'a>, StoreError> {
        let denials = Filter {
            project: selection.window.project.clone(),
            outcome: Some(Outcome::Blocked),
            since: Some(selection.window.since),
            until: Some(selection.window.until),
            // Repeats are shown once, so more are read than there is room for.
            limit: Some(100),
            ..Filter::default()
        };
        let recent: Vec<Recent> = selection.recent().map(|session| recent(context, session)).collect();
        Ok(Overview {
            titles: Titles::of_sessions(context, recent.iter().map(|recent| &recent.session))?,
            context,
            period: selection.period,
            total: context.index.overview(&selection.window)?,
            buckets: context.index.timeline(&selection.window, selection.stretches())?,
            recent,
            denials: context.index.events(&denials)?,
            activities: context.index.policy_activities(&selection.window)?,
        })
    }

    fn body(&self, projects: &[String]) -> Markup {
        let request = self.context.request;
        html! {
            div.head {
                h1 { "Overview" }
                (self.period.switch(request, self.context.now))
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
        let events = self.context.request.elsewhere(Route::Events);
        match more {
            Some((key, value)) => events.with(key, Some(value)),
            None => events,
        }
    }

    fn answers(&self) -> Markup {
        let passed =
            |bucket: &TimeBucket| bucket.events.saturating_sub(bucket.denials).saturating_sub(bucket.asks);
        let chart = self.chart(
            "Events by decision",
            Unit::Count,
            vec![
                self.series("blocked", "deny", |bucket| Some(bucket.denied.blocked)),
                self.series("held", "held", |bucket| Some(bucket.denied.held)),
                self.series("findings", "finding", |bucket| Some(bucket.denied.findings)),
                self.series("asked", "ask", |bucket| Some(bucket.asks)),
                self.series("passed", "silent", |bucket| Some(passed(bucket))),
            ],
        );
        let links = [Outcome::Blocked, Outcome::Held, Outcome::Finding, Outcome::Asked]
            .map(|outcome| self.events(Some(("verdict", outcome.name()))).to_string());
        let links: Vec<String> = links.into_iter().chain([self.events(None).to_string()]).collect();
        chart::bars_with_links(&chart, &links)
    }

    fn times(&self) -> Markup {
        let chart = self.chart(
            "Hook time",
            Unit::Micros,
            vec![
                self.series("p50", "p50", |bucket| bucket.took.percentile(0.5).map(whole_micros)),
                self.series("p90", "p90", |bucket| bucket.took.percentile(0.9).map(whole_micros)),
                self.series("p99", "p99", |bucket| bucket.took.percentile(0.99).map(whole_micros)),
            ],
        );
        chart::lines(&chart)
    }

    fn context(&self) -> Markup {
        let series = self.series("characters", "context", |bucket| Some(bucket.context_chars));
        chart::bars(&self.chart("Context added", Unit::Chars, vec![series]))
    }

    fn chart(&self, title: &str, unit: Unit, series: Vec<Series>) -> Chart {
        let (since, length) =
            self.buckets.first().map(|bucket| (bucket.start, bucket.length)).unwrap_or_default();
        Chart { title: title.to_owned(), unit, since, length, series }
    }

    fn series(&self, name: &str, class: &'static str, value: impl Fn(&TimeBucket) -> Option<u64>) -> Series {
        #[expect(clippy::cast_precision_loss, reason = "drawn, not counted")]
        let values =
            self.buckets.iter().map(|bucket| Some(value(bucket).filter(|_| bucket.events > 0)? as f64));
        Series { name: name.to_owned(), class, values: values.collect() }
    }
}

fn recent(context: &PageContext<'_>, session: &SessionSummary) -> Recent {
    Recent {
        waiting: context.views.waiting(session),
        run: context.views.loop_view(session),
        is_active: super::span::is_active(session, context.now),
        session: session.clone(),
    }
}
