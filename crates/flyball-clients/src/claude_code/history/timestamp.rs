//! The times in a transcript: `2026-11-15T17:50:54.309Z`, always in that form.

use flyball_core::time::Time;

/// `None` if it is not such a time.
pub(super) fn parse(text: &str) -> Option<Time> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, ""));
    let [year, month, day] = numbers(date, '-')?;
    let [hour, minute, second] = numbers(clock, ':')?;
    let is_one = (1970..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    let digits: String = fraction.chars().chain(std::iter::repeat('0')).take(6).collect();
    let fraction: i64 = digits.parse().ok()?;
    let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
    is_one.then_some(Time::from_micros(seconds * 1_000_000 + fraction))
}

fn numbers(text: &str, between: char) -> Option<[i64; 3]> {
    let mut parts = text.split(between).map(|part| part.parse::<u16>().ok().map(i64::from));
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

/// Days since 1970: years are counted from March, so that the leap day is the last.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year / 4 - year / 100 + year / 400 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_to_the_microsecond() {
        let cases = [
            ("1970-01-01T00:00:00.000Z", Some(0)),
            ("1970-01-01T00:00:01Z", Some(1_000_000)),
            ("2000-02-29T12:00:00.5Z", Some(951_825_600_500_000)),
            ("2026-11-15T17:50:54.309Z", Some(1_794_765_054_309_000)),
            ("2026-11-15T17:50:54.309", None),
            ("2026-13-15T17:50:54Z", None),
            ("2026-11-15", None),
            ("yesterday", None),
            ("99999-11-15T17:50:54Z", None),
            ("1970-01-01T00:00:00.xZ", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), expected.map(Time::from_micros), "{text}");
        }
    }
}
