//! Points in time: exactly when, and how long ago.

use flyball_core::far_date::FarDate;
use flyball_core::time::{DAY, HOUR, MINUTE, SECOND, Time};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use maud::{Markup, html};

/// A point in time as a page shows it: when, by the reader's clock, with how long ago that is as a tooltip.
#[must_use]
pub(crate) fn time(at: Time, now: &Zoned) -> Markup {
    let title = format!("{}, {}", ago(at, now), exact(at, now.time_zone()));
    html! { time datetime=(stamp(at)) title=(title) { (short_date(at, now)) } }
}

/// The time of day; the day as well, unless it is today; the year, unless it is this one.
#[must_use]
pub(crate) fn short_date(at: Time, now: &Zoned) -> String {
    if FarDate::of(at).is_some() {
        return exact(at, now.time_zone());
    }
    let local = zoned(at, now.time_zone());
    let format = match (local.date() == now.date(), local.year() == now.year()) {
        (true, _) => "%H:%M:%S",
        (false, true) => "%-d %b %H:%M",
        (false, false) => "%-d %b %Y",
    };
    local.strftime(format).to_string()
}

/// A time as an address has it, and as the fields of a form have it: `2026-11-15T14:00`, by the reader's clock.
#[must_use]
pub(crate) fn in_address(at: Time, zone: &TimeZone) -> String {
    let local = zoned(at, zone);
    let format = if local.second() == 0 { "%Y-%m-%dT%H:%M" } else { "%Y-%m-%dT%H:%M:%S" };
    local.strftime(format).to_string()
}

/// A time of an address: as [`in_address`] writes it, a day alone, or with its own zone.
#[must_use]
pub(crate) fn from_address(text: &str, zone: &TimeZone) -> Option<Time> {
    if let Ok(stamp) = text.parse::<Timestamp>() {
        return Some(Time::from_micros(stamp.as_microsecond()));
    }
    let local: DateTime = text.parse().ok()?;
    Some(time_of(&local.to_zoned(zone.clone()).ok()?))
}

/// How long ago: `3 min ago`; the date, when it is more than four weeks.
#[must_use]
pub(crate) fn ago(at: Time, now: &Zoned) -> String {
    let passed = time_of(now).since(at);
    match passed.as_secs() {
        // From the future, by a clock that was set back; a minute is forgiven.
        _ if at.since(time_of(now)) > MINUTE => exact(at, now.time_zone()),
        _ if passed < 2 * SECOND => "now".to_owned(),
        seconds if passed < MINUTE => format!("{seconds} s ago"),
        seconds if passed < HOUR => format!("{} min ago", seconds / 60),
        seconds if passed < 2 * DAY => format!("{} h ago", seconds / 3_600),
        seconds if passed < 28 * DAY => format!("{} d ago", seconds / 86_400),
        _ => zoned(at, now.time_zone()).strftime("%-d %b %Y").to_string(),
    }
}

/// The exact time: `2026-11-15 17:48:12 UTC`.
#[must_use]
pub(crate) fn exact(at: Time, zone: &TimeZone) -> String {
    match FarDate::of(at) {
        Some(far) => format!("{} {} UTC", far.date(), far.clock()),
        None => zoned(at, zone).strftime("%Y-%m-%d %H:%M:%S %Z").to_string(),
    }
}

/// The time of day: `17:48:12`.
#[must_use]
pub(crate) fn clock(at: Time, zone: &TimeZone) -> String {
    FarDate::of(at).map_or_else(|| zoned(at, zone).strftime("%H:%M:%S").to_string(), FarDate::clock)
}

/// A time in its zone. What no calendar has is the beginning of 1970.
#[must_use]
pub(crate) fn zoned(at: Time, zone: &TimeZone) -> Zoned {
    Timestamp::from_microsecond(at.as_micros()).unwrap_or_default().to_zoned(zone.clone())
}

/// The time of a clock on a wall.
#[must_use]
pub(crate) fn time_of(zoned: &Zoned) -> Time {
    Time::from_micros(zoned.timestamp().as_microsecond())
}

/// A time as HTML has it.
#[must_use]
pub(crate) fn stamp(at: Time) -> String {
    match FarDate::of(at) {
        // The form that HTML has for it.
        Some(far) => format!("{}T{}Z", far.date(), far.clock()),
        None => zoned(at, &TimeZone::UTC).strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time::from_millis(1_794_700_800_000);

    fn now() -> Zoned {
        zoned(NOW, &TimeZone::UTC)
    }

    #[test]
    fn the_longer_ago_the_coarser() {
        let shown = [0, 1, 59, 60, 3_599, 3_600, 47 * 3_600, 48 * 3_600, 27 * 86_400, 40 * 86_400, -61]
            .map(|seconds: i64| ago(Time::from_micros(NOW.as_micros() - seconds * 1_000_000), &now()));
        assert_eq!(
            shown,
            [
                "now",
                "now",
                "59 s ago",
                "1 min ago",
                "59 min ago",
                "1 h ago",
                "47 h ago",
                "2 d ago",
                "27 d ago",
                "6 Oct 2026",
                "2026-11-15 00:01:01 UTC"
            ]
        );
    }

    #[test]
    fn a_time_is_shown_by_the_clock_and_how_long_ago_it_was_for_those_who_point_at_it() {
        assert_eq!(
            time(NOW - 90 * SECOND, &now()).into_string(),
            "<time datetime=\"2026-11-14T23:58:30Z\" title=\"1 min ago, 2026-11-14 23:58:30 UTC\">14 Nov 23:58</time>"
        );
        let noon = zoned(NOW + 12 * HOUR, &TimeZone::UTC);
        let shown = [HOUR, 13 * HOUR, 400 * DAY].map(|passed| short_date(NOW + 12 * HOUR - passed, &noon));
        assert_eq!(shown, ["11:00:00", "14 Nov 23:00", "11 Oct 2025"]);
        assert_eq!(ago(Time::MIN, &now()), "1 Jan 1970");
        assert_eq!(clock(NOW, &TimeZone::UTC), "00:00:00");
    }

    #[test]
    fn a_time_in_an_address_leads_back_to_itself() {
        let zone = TimeZone::fixed(jiff::tz::offset(-3));
        for at in [NOW, NOW + 17 * SECOND] {
            assert_eq!(from_address(&in_address(at, &zone), &zone), Some(at));
        }
        assert_eq!(in_address(NOW, &zone), "2026-11-14T21:00");
        let same = ["2026-11-15", "2026-11-15T00:00", "2026-11-15T00:00:00Z", "2026-11-15T01:00+01:00"];
        for text in same {
            assert_eq!(from_address(text, &TimeZone::UTC), Some(NOW), "{text}");
        }
        for text in ["", "yesterday", "2026-13-01", "12:00", "99999999999999999999", "2026-11-15T25:00"] {
            assert_eq!(from_address(text, &TimeZone::UTC), None, "{text}");
        }
    }
}
