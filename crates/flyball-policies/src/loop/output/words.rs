//! Makes names for folders.

use flyball_core::time::Time;

/// The day of a moment as `2026-11-15`, and its time as `114500`; UTC.
pub(super) fn day_and_time(time: Time) -> (String, String) {
    let seconds = time.as_millis() / 1_000;
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    (format!("{year:04}-{month:02}-{day:02}"), format!("{hour:02}{minute:02}{second:02}"))
}

/// The date of a day after 1970, by Howard Hinnant's `civil_from_days`.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    // The year begins in March here.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + next, month, day)
}

/// A name for a folder: small letters and digits, everything else one dash.
pub(super) fn slug(text: &str) -> String {
    let lower = text.to_lowercase();
    let parts = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty());
    let slug = parts.collect::<Vec<_>>().join("-");
    if slug.is_empty() { "agent".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_are_those_of_the_calendar() {
        let cases = [
            (0, "1970-01-01", "000000"),
            (951_782_400_000, "2000-02-29", "000000"),
            (1_709_164_799_000, "2024-02-28", "235959"),
            (1_800_000_000_000, "2027-01-15", "080000"),
            (4_107_542_400_000, "2100-03-01", "000000"),
        ];
        for (millis, day, time) in cases {
            assert_eq!(
                day_and_time(Time::from_millis(millis)),
                (day.to_owned(), time.to_owned()),
                "{millis}"
            );
        }
    }

    #[test]
    fn a_slug_is_a_plain_name() {
        let cases = [
            ("backend-developer", "backend-developer"),
            ("team:Code Reviewer", "team-code-reviewer"),
            ("../../etc", "etc"),
            ("", "agent"),
            ("Prüfer", "prüfer"),
        ];
        for (role, expected) in cases {
            assert_eq!(slug(role), expected, "{role}");
        }
    }
}
