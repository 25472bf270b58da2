//! Which part of a session the lanes show: the values `from` and `to` of the address.

use std::time::Duration;

use flyball_core::time::{MINUTE, SECOND, Time};
use flyball_store::SessionSummary;
use maud::{Markup, html};

use crate::route::Request;

/// What `from` is for the last quarter of an hour: it goes along with a session that goes on.
const LAST_QUARTER: &str = "-15m";
/// Closer than this there is nothing more to see.
const CLOSEST: Duration = SECOND;

/// A part of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    /// From this time on.
    pub(super) from: Time,
    /// Up to, and without, this time.
    pub(super) to: Time,
    /// Whether it is the whole session.
    pub(super) is_whole: bool,
}

impl View {
    /// The part that is asked for; all of it if that makes no sense.
    pub(super) fn from_request(request: &Request, session: &SessionSummary) -> View {
        let end = session.last_at + Duration::from_micros(1);
        let from = request.value("from").and_then(|text| moment(text, end));
        let to = request.value("to").and_then(|text| moment(text, end));
        let view = View {
            from: from.unwrap_or(session.first_at),
            to: to.unwrap_or(end),
            is_whole: from.is_none() && to.is_none(),
        };
        if view.from < view.to { view } else { View { from: session.first_at, to: end, is_whole: true } }
    }

    /// The links to other parts.
    pub(super) fn links(self, request: &Request, session: &SessionSummary) -> Markup {
        let width = self.to.since(self.from).max(CLOSEST);
        let middle = self.from + width / 2;
        let link = |from: Time, to: Time| {
            at(request, &from.as_micros().to_string(), Some(&to.as_micros().to_string()))
        };
        let here = |is_here: bool| is_here.then_some("true");
        let is_last = request.value("from") == Some(LAST_QUARTER);
        html! {
            nav.zoom aria-label="Part of the session" {
                a href=(request.with("from", None).with("to", None)) aria-current=[here(self.is_whole)] { "Whole session" }
                a href=(at(request, LAST_QUARTER, None)) aria-current=[here(is_last)] { "Last 15 min" }
                @if self.from > session.first_at { a href=(link(self.from - width, self.from)) { "Earlier" } }
                @if self.to <= session.last_at { a href=(link(self.to, self.to + width)) { "Later" } }
                @if width > CLOSEST { a href=(link(middle - width / 4, middle + width / 4)) { "Closer" } }
                @if !self.is_whole { a href=(link(self.from - width / 2, self.to + width / 2)) { "Wider" } }
            }
        }
    }
}

/// The same page with another part of the session.
pub(super) fn at(request: &Request, from: &str, to: Option<&str>) -> Request {
    request.with("from", Some(from)).with("to", to)
}

/// A time in microseconds, or minutes before the end.
fn moment(text: &str, end: Time) -> Option<Time> {
    match text.strip_prefix('-').and_then(|rest| rest.strip_suffix('m')) {
        Some(minutes) => Some(end - minutes.parse::<u32>().ok()? * MINUTE),
        // Whatever is typed, sums and differences of two such times fit.
        None => text.parse::<i64>().ok().map(|at| Time::from_micros(at.clamp(0, i64::MAX / 8))),
    }
}

#[cfg(test)]
mod tests {
    use flyball_core::event::SessionId;

    use super::*;

    fn minute(number: u32) -> Time {
        Time::default() + number * MINUTE
    }

    fn view(query: &str) -> (Time, Time, bool) {
        let session = SessionSummary {
            client: "claude-code".to_owned(),
            session: SessionId::new("a"),
            project: "/p".to_owned(),
            first_at: minute(1_000),
            last_at: minute(1_060),
            events: 2,
            denials: 0,
            denied: flyball_core::outcome::DenialCounts::default(),
            last_kind: "stop".to_owned(),
            has_ended: false,
        };
        let request = Request::parse("/sessions/claude-code/a", Some(query)).unwrap();
        let view = View::from_request(&request, &session);
        // Whatever was asked for, the links can be made.
        let _ = view.links(&request, &session);
        (view.from, view.to, view.is_whole)
    }

    #[test]
    fn what_makes_no_sense_is_the_whole_session() {
        let whole = (minute(1_000), minute(1_060) + Duration::from_micros(1), true);
        for query in ["", "from=x", "from=-", "from=-m", "to=-5", "from=9&to=3", "from=99999999999999999999"]
        {
            assert_eq!(view(query), whole, "{query}");
        }
    }

    #[test]
    fn a_part_is_named_by_times_or_by_the_minutes_before_the_end() {
        assert_eq!(
            view("from=-15m"),
            (minute(1_045) + Duration::from_micros(1), minute(1_060) + Duration::from_micros(1), false)
        );
        assert_eq!(
            view("from=60005000000&to=60006000000"),
            (Time::from_millis(60_005_000), Time::from_millis(60_006_000), false)
        );
        assert_eq!(
            view("from=-9223372036854775807m"),
            (minute(1_000), minute(1_060) + Duration::from_micros(1), true)
        );
    }
}
