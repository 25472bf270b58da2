//! Numbers, times and sizes, as short as a table wants them.

use std::time::Duration;

use flyball_core::time::whole_micros;

use flyball_core::text;

/// Keeps the digits of a number together, and a number with its unit.
const THIN: char = '\u{202f}';

/// A number with thin spaces between its thousands: `12 345`.
#[must_use]
pub(crate) fn number(many: u64) -> String {
    text::grouped(&many.to_string(), THIN)
}

/// A number of things and their name: `1 session`, `2 sessions`.
#[must_use]
pub(crate) fn counted(many: u64, thing: &str) -> String {
    format!("{} {thing}{}", number(many), text::plural(many, "", "s"))
}

/// A number in few characters: `940`, `12k`, `3.4M`.
#[must_use]
pub(crate) fn short(many: f64) -> String {
    let (value, unit) = match many.abs() {
        tiny if tiny < 1_000.0 => (many, ""),
        // From here on, rounding would give `1000k`.
        thousands if thousands < 999_500.0 => (many / 1e3, "k"),
        millions if millions < 999_500_000.0 => (many / 1e6, "M"),
        _ => (many / 1e9, "G"),
    };
    format!("{}{unit}", digits(value))
}

/// A time: `340 µs`, `1.2 ms`, `45 s`, `12 min`, `3.1 h`.
#[must_use]
pub(crate) fn duration(duration: Duration) -> String {
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    span(whole_micros(duration) as f64)
}

/// The same of a value on an axis.
#[must_use]
pub(crate) fn span(micros: f64) -> String {
    let (value, unit) = match micros.abs() {
        tiny if tiny < 999.5 => (micros, "µs"),
        millis if millis < 999_500.0 => (micros / 1e3, "ms"),
        seconds if seconds < 120e6 => (micros / 1e6, "s"),
        minutes if minutes < 7_200e6 => (micros / 60e6, "min"),
        hours if hours < 48.0 * 3_600e6 => (micros / 3_600e6, "h"),
        _ => (micros / 86_400e6, "d"),
    };
    format!("{}{THIN}{unit}", digits(value))
}

/// A size in bytes: `512 B`, `1.4 MB`.
#[must_use]
pub(crate) fn size(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let many = bytes as f64;
    let (value, unit) = match many {
        tiny if tiny < 1_000.0 => (many, "B"),
        kilo if kilo < 999_500.0 => (many / 1e3, "kB"),
        mega if mega < 999_500_000.0 => (many / 1e6, "MB"),
        _ => (many / 1e9, "GB"),
    };
    format!("{}{THIN}{unit}", digits(value))
}

/// A share of a whole: `12 %`, `0.4 %`, `<0.1 %`.
#[must_use]
pub(crate) fn share(part: u64, whole: u64) -> String {
    if whole == 0 || part == 0 {
        return format!("0{THIN}%");
    }
    #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
    let percent = part as f64 / whole as f64 * 100.0;
    match percent {
        tiny if tiny < 0.1 => format!("<0.1{THIN}%"),
        some if some < 9.95 => format!("{some:.1}{THIN}%"),
        most => format!("{most:.0}{THIN}%"),
    }
}

/// Two or three digits that count: one behind the point below ten, unless it is nought.
fn digits(value: f64) -> String {
    let text = if value.abs() < 9.95 { format!("{value:.1}") } else { format!("{value:.0}") };
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_thin_spaces_between_thousands() {
        let shown = [0, 7, 999, 1_000, 12_345, 1_234_567].map(number);
        assert_eq!(shown, ["0", "7", "999", "1\u{202f}000", "12\u{202f}345", "1\u{202f}234\u{202f}567"]);
        assert_eq!([0, 1, 2].map(|many| counted(many, "event")), ["0 events", "1 event", "2 events"]);
        assert_eq!(
            [0.0, 7.25, 940.0, 999.6, 12_000.0, 999_499.0, 999_500.0, 3.4e6, 2e12].map(short),
            ["0", "7.2", "940", "1000", "12k", "999k", "1M", "3.4M", "2000G"]
        );
    }

    #[test]
    fn times_sizes_and_shares_have_two_or_three_digits() {
        let times = [0, 340, 999, 1_000, 1_234, 45_600, 999_600, 45_000_000, 130_000_000, 9_000_000_000];
        assert_eq!(
            times.map(|micros| duration(Duration::from_micros(micros)).replace(THIN, " ")),
            ["0 µs", "340 µs", "999 µs", "1 ms", "1.2 ms", "46 ms", "1 s", "45 s", "2.2 min", "2.5 h"]
        );
        assert_eq!(
            [0, 999, 1_400, 1_400_000, 3_000_000_000].map(|bytes| size(bytes).replace(THIN, " ")),
            ["0 B", "999 B", "1.4 kB", "1.4 MB", "3 GB"]
        );
        assert_eq!(
            [(0, 0), (0, 9), (1, 9_999), (1, 100), (995, 10_000), (1, 2), (9, 9)]
                .map(|(part, whole)| share(part, whole).replace(THIN, " ")),
            ["0 %", "0 %", "<0.1 %", "1.0 %", "10 %", "50 %", "100 %"]
        );
    }
}
