//! Points in time: how long ago, and exactly when.

use flyball_core::far_date::FarDate;
use flyball_core::time::{DAY, HOUR, MINUTE, SECOND, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use maud::{Markup, html};

/// A point in time as a page shows it: how long ago, with the exact time as a tooltip.
#[must_use]
pub(crate) fn time(at: Time, now: &Zoned) -> Markup {
    html! { time datetime=(stamp(at)) title=(exact(at, now.time_zone())) { (ago(at, now)) } }
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

fn stamp(at: Time) -> String {
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
    fn the_exact_time_is_there_for_those_who_point_at_it() {
        assert_eq!(
            time(NOW - 90 * SECOND, &now()).into_string(),
            "<time datetime=\"2026-11-14T23:58:30Z\" title=\"2026-11-14 23:58:30 UTC\">1 min ago</time>"
        );
        assert_eq!(ago(Time::MIN, &now()), "1 Jan 1970");
        assert_eq!(clock(NOW, &TimeZone::UTC), "00:00:00");
    }
}
