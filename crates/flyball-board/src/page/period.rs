//! The time that a page looks at: one of the ranges, or from one moment to another. It is in the address, so that links work.

use flyball_core::time::Time;
use jiff::Zoned;
use maud::{Markup, html};

use super::parts;
use crate::route::{Range, Request};

/// The values of an address that say which time it is.
pub(super) const KEYS: [&str; 3] = ["range", "from", "to"];

/// The time that a page looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Period {
    /// Up to now.
    Last(Range),
    /// From a moment up to another, either of which may be open.
    Between { from: Option<Time>, to: Option<Time> },
}

impl Period {
    /// The time that is asked for; what makes no sense is as if it was not given.
    pub(super) fn from_request(request: &Request, now: &Zoned) -> Period {
        let moment = |key| request.value(key).and_then(|text| parts::from_address(text, now.time_zone()));
        match (moment("from"), moment("to")) {
            (Some(from), Some(to)) if from >= to => Period::Last(request.range()),
            (None, None) => Period::Last(request.range()),
            (from, to) => Period::Between { from, to },
        }
    }

    /// When it begins; none for all there is.
    pub(super) fn since(self, now: &Zoned) -> Option<Time> {
        match self {
            Period::Last(range) => range.length().map(|length| parts::time_of(now) - length),
            Period::Between { from, .. } => from,
        }
    }

    /// When it ends, if that is not now.
    pub(super) const fn until(self) -> Option<Time> {
        match self {
            Period::Last(_) => None,
            Period::Between { to, .. } => to,
        }
    }

    pub(super) fn is_all(self) -> bool {
        self == Period::Last(Range::All)
    }

    /// It in a few words: `7d`, `15 Nov 14:00 – 15:00`.
    pub(super) fn words(self, now: &Zoned) -> String {
        let (from, to) = match self {
            Period::Last(range) => return range.name().to_owned(),
            Period::Between { from, to } => (from, to),
        };
        let local = |at: Time| parts::zoned(at, now.time_zone());
        let whole = |at: Time| local(at).strftime("%-d %b %H:%M").to_string();
        match (from, to) {
            (Some(from), Some(to)) if local(from).date() == local(to).date() => {
                format!("{} – {}", whole(from), local(to).strftime("%H:%M"))
            }
            (Some(from), Some(to)) => format!("{} – {}", whole(from), whole(to)),
            (Some(from), None) => format!("since {}", whole(from)),
            (None, to) => format!("until {}", to.map(whole).unwrap_or_default()),
        }
    }

    /// The switch between times: links, so that one click does it, and a form for any other time.
    pub(super) fn switch(self, request: &Request, now: &Zoned) -> Markup {
        let is_custom = matches!(self, Period::Between { .. });
        html! {
            div.period {
                nav.ranges aria-label="Time" {
                    @for range in Range::ALL {
                        a href=(preset(request, range)) aria-current=[(self == Period::Last(range)).then_some("true")] { (range.name()) }
                    }
                }
                details.between id="between" {
                    summary.current[is_custom] { @if is_custom { (self.words(now)) } @else { "from – to" } }
                    (self.form(request, now))
                }
            }
        }
    }

    fn form(self, request: &Request, now: &Zoned) -> Markup {
        let shown = |at: Option<Time>| at.map(|at| parts::in_address(at, now.time_zone()));
        let (from, to) = (shown(self.since(now).map(whole_minute)), shown(self.until()));
        // Another time makes another list, in which a position means nothing.
        let hidden = request
            .values
            .iter()
            .filter(|(key, _)| !KEYS.contains(&key.as_str()) && !["before", "trail"].contains(&key.as_str()));
        html! {
            form action=(request.route.clone().bare()) method="get" {
                @for (key, value) in hidden { input type="hidden" name=(key) value=(value); }
                label { span { "From" } input type="datetime-local" name="from" step="any" value=[from]; }
                label { span { "To" } input type="datetime-local" name="to" step="any" value=[to]; }
                button type="submit" { "Show" }
                p.muted.small { "In a chart, drag over the time to look at." }
            }
        }
    }
}

/// Seconds would only be in the way of someone who fills in the form.
fn whole_minute(at: Time) -> Time {
    at.floor(flyball_core::time::MINUTE)
}

/// The same page with one of the ranges.
pub(super) fn preset(request: &Request, range: Range) -> Request {
    request.with("from", None).with("to", None).with("trail", None).with("range", Some(range.name()))
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    /// 2026-11-15 00:00 UTC.
    const NOW: Time = Time::from_millis(1_794_700_800_000);

    fn words(query: &str) -> String {
        let now = parts::zoned(NOW, &TimeZone::UTC);
        let request = Request::parse("/events", Some(query)).unwrap();
        Period::from_request(&request, &now).words(&now)
    }

    #[test]
    fn a_time_is_a_range_or_between_two_moments_and_nonsense_is_the_default() {
        let cases = [
            ("", "24h"),
            ("range=7d", "7d"),
            ("range=nonsense", "24h"),
            ("from=2026-11-14T14:00&to=2026-11-14T15:30", "14 Nov 14:00 – 15:30"),
            ("from=2026-11-13&to=2026-11-14T15:30&range=7d", "13 Nov 00:00 – 14 Nov 15:30"),
            ("from=2026-11-13", "since 13 Nov 00:00"),
            ("to=2026-11-13", "until 13 Nov 00:00"),
            ("from=2026-11-14&to=2026-11-13&range=1h", "1h"),
            ("from=x&to=y", "24h"),
        ];
        for (query, expected) in cases {
            assert_eq!(words(query), expected, "{query}");
        }
    }
}
