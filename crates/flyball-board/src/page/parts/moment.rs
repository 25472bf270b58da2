//! Points in time: how long ago, and exactly when.

use flyball_core::time::{DAY, HOUR, MINUTE, SECOND};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use maud::{Markup, html};

/// A point in time as a page shows it: how long ago, with the exact time as a tooltip.
#[must_use]
pub(crate) fn time(at: i64, now: &Zoned) -> Markup {
    html! { time datetime=(stamp(at)) title=(exact(at, now.time_zone())) { (ago(at, now)) } }
}

/// How long ago: `3 min ago`; the date, when it is more than four weeks.
#[must_use]
pub(crate) fn ago(at: i64, now: &Zoned) -> String {
    let passed = micros(now).saturating_sub(at);
    match passed {
        future if future < -MINUTE => exact(at, now.time_zone()),
        recent if recent < 2 * SECOND => "now".to_owned(),
        seconds if seconds < MINUTE => format!("{} s ago", seconds / SECOND),
        minutes if minutes < HOUR => format!("{} min ago", minutes / MINUTE),
        hours if hours < 2 * DAY => format!("{} h ago", hours / HOUR),
        days if days < 28 * DAY => format!("{} d ago", days / DAY),
        _ => zoned(at, now.time_zone()).strftime("%-d %b %Y").to_string(),
    }
}

/// The exact time: `2026-11-15 17:48:12 UTC`.
#[must_use]
pub(crate) fn exact(at: i64, zone: &TimeZone) -> String {
    zoned(at, zone).strftime("%Y-%m-%d %H:%M:%S %Z").to_string()
}

/// The time of day: `17:48:12`.
#[must_use]
pub(crate) fn clock(at: i64, zone: &TimeZone) -> String {
    zoned(at, zone).strftime("%H:%M:%S").to_string()
}

/// A time in its zone. What no calendar has is the beginning of 1970.
#[must_use]
pub(crate) fn zoned(at: i64, zone: &TimeZone) -> Zoned {
    Timestamp::from_microsecond(at).unwrap_or_default().to_zoned(zone.clone())
}

/// A time in microseconds since 1970.
#[must_use]
pub(crate) fn micros(now: &Zoned) -> i64 {
    now.timestamp().as_microsecond()
}

fn stamp(at: i64) -> String {
    Timestamp::from_microsecond(at).unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_794_700_800_000_000;

    fn now() -> Zoned {
        zoned(NOW, &TimeZone::UTC)
    }

    #[test]
    fn the_longer_ago_the_coarser() {
        let shown = [0, 1, 59, 60, 3_599, 3_600, 47 * 3_600, 48 * 3_600, 27 * 86_400, 40 * 86_400, -61]
            .map(|seconds| ago(NOW - seconds * SECOND, &now()));
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
        assert_eq!(ago(i64::MIN, &now()), "1 Jan 1970");
        assert_eq!(clock(NOW, &TimeZone::UTC), "00:00:00");
    }
}
