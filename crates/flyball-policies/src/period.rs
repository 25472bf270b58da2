//! A length of time as people write it in a config: `30s`, `10m`, `2h`, `1d`.

use std::borrow::Cow;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The units, the greatest first, and how many seconds each has.
const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

/// A length of time, in whole seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Period(Duration);

impl Period {
    pub(crate) const fn minutes(minutes: u64) -> Period {
        Period(Duration::from_mins(minutes))
    }

    pub(crate) const fn days(days: u64) -> Period {
        Period(Duration::from_secs(days * 86_400))
    }

    pub(crate) const fn seconds(seconds: u64) -> Period {
        Period(Duration::from_secs(seconds))
    }

    pub(crate) const fn duration(self) -> Duration {
        self.0
    }
}

/// The text is not a length of time.
#[derive(Debug, thiserror::Error)]
#[error("invalid length of time `{0}`; write `30s`, `10m`, `2h` or `1d`")]
pub struct PeriodError(String);

impl TryFrom<String> for Period {
    type Error = PeriodError;

    fn try_from(text: String) -> Result<Period, PeriodError> {
        parse_seconds(&text).map(Period::seconds).ok_or(PeriodError(text))
    }
}

fn parse_seconds(text: &str) -> Option<u64> {
    let (letter, unit) = UNITS.iter().find(|(letter, _)| text.ends_with(*letter))?;
    let amount = text.strip_suffix(*letter)?;
    // `parse` would accept a sign.
    let amount: u32 = amount.bytes().all(|byte| byte.is_ascii_digit()).then(|| amount.parse().ok())??;
    u64::from(amount).checked_mul(*unit)
}

impl From<Period> for String {
    fn from(period: Period) -> String {
        let seconds = period.0.as_secs();
        let whole = UNITS.iter().find(|(_, unit)| seconds > 0 && seconds.is_multiple_of(*unit));
        let (letter, unit) = whole.unwrap_or(&('s', 1));
        format!("{}{letter}", seconds / unit)
    }
}

impl JsonSchema for Period {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Period".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]+[smhd]$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read_and_written() {
        let cases = [
            ("30s", Some(30_000), "30s"),
            ("10m", Some(600_000), "10m"),
            ("90m", Some(5_400_000), "90m"),
            ("60m", Some(3_600_000), "1h"),
            ("24h", Some(86_400_000), "1d"),
            ("0s", Some(0), "0s"),
            ("0h", Some(0), "0s"),
            ("10", None, ""),
            ("m", None, ""),
            ("", None, ""),
            ("-5m", None, ""),
            ("+5m", None, ""),
            ("1.5h", None, ""),
            ("10 m", None, ""),
            ("10min", None, ""),
            ("99999999999d", None, ""),
        ];
        for (text, millis, shown) in cases {
            let period = Period::try_from(text.to_owned()).ok();
            assert_eq!(period.map(Period::duration), millis.map(Duration::from_millis), "{text}");
            assert_eq!(period.map(String::from).unwrap_or_default(), shown, "{text}");
        }
    }
}
