//! Points in time. How long something takes is a [`Duration`].
//!
//! Neither is stored by itself: `#[serde(with = "time::millis")]` or `#[serde(with = "time::micros")]` says in which
//! unit a field is written.

use std::collections::BTreeMap;
use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::time::{Duration, SystemTime};

use serde::Serialize;
use serde::de::DeserializeOwned;

pub const SECOND: Duration = Duration::from_secs(1);
pub const MINUTE: Duration = Duration::from_mins(1);
pub const HOUR: Duration = Duration::from_hours(1);
pub const DAY: Duration = Duration::from_hours(24);

/// A point in time, to the microsecond. The default is the beginning of 1970 (UTC).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    pub const MIN: Time = Time(i64::MIN);
    pub const MAX: Time = Time(i64::MAX);

    /// By the clock of this machine, which anyone may set: what must not depend on that uses
    /// [`crate::uptime::Uptime`].
    #[must_use]
    pub fn now() -> Time {
        let now = Time::from(SystemTime::now());
        #[cfg(debug_assertions)]
        return Time(crate::wrong_clock::shift_micros(now.0));
        #[cfg(not(debug_assertions))]
        now
    }

    /// Microseconds since 1970.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Time {
        Time(micros)
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Time {
        Time(0).after(Duration::from_millis(millis))
    }

    /// Microseconds since 1970.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Milliseconds since 1970; 0 for what was before.
    #[must_use]
    pub const fn as_millis(self) -> u64 {
        if self.0 < 0 { 0 } else { self.0.unsigned_abs() / 1_000 }
    }

    /// How long it is since an earlier time; zero if that is later.
    #[must_use]
    pub const fn since(self, earlier: Time) -> Duration {
        Duration::from_micros(if self.0 < earlier.0 { 0 } else { self.0.abs_diff(earlier.0) })
    }

    /// The beginning of the stretch of this length that it lies in; the first begins in 1970.
    #[must_use]
    pub fn floor(self, length: Duration) -> Time {
        Time(self.0.saturating_sub(self.0.rem_euclid(micros_in(length).max(1))))
    }

    /// The same, but the end of the stretch, unless it lies at a beginning.
    #[must_use]
    pub fn ceil(self, length: Duration) -> Time {
        (self + length.saturating_sub(Duration::from_micros(1))).floor(length)
    }

    const fn after(self, duration: Duration) -> Time {
        Time(self.0.saturating_add(micros_in(duration)))
    }
}

/// At most what fits into a point in time.
#[expect(clippy::cast_possible_truncation, reason = "it was compared before")]
const fn micros_in(duration: Duration) -> i64 {
    let micros = duration.as_micros();
    if micros > i64::MAX.unsigned_abs() as u128 { i64::MAX } else { micros as i64 }
}

/// Whole milliseconds.
#[must_use]
pub fn whole_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Whole microseconds.
#[must_use]
pub fn whole_micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Time {
        // A clock before 1970 is not set: its time counts as 0.
        Time(0) + time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
    }
}

impl Add<Duration> for Time {
    type Output = Time;

    fn add(self, duration: Duration) -> Time {
        self.after(duration)
    }
}

impl Sub<Duration> for Time {
    type Output = Time;

    fn sub(self, duration: Duration) -> Time {
        Time(self.0.saturating_sub(micros_in(duration)))
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, duration: Duration) {
        *self = *self + duration;
    }
}

impl SubAssign<Duration> for Time {
    fn sub_assign(&mut self, duration: Duration) {
        *self = *self - duration;
    }
}

/// What is stored as a number of some unit, which is given in microseconds.
pub trait Counted: Sized {
    type Number: Serialize + DeserializeOwned;

    fn count(&self, unit: u32) -> Self::Number;
    fn from_count(number: Self::Number, unit: u32) -> Self;
}

impl Counted for Time {
    type Number = i64;

    fn count(&self, unit: u32) -> i64 {
        // Rounds down, also before 1970, so that order is preserved.
        self.0.div_euclid(unit.into())
    }

    fn from_count(number: i64, unit: u32) -> Time {
        Time(number.saturating_mul(unit.into()))
    }
}

impl Counted for Duration {
    type Number = u64;

    fn count(&self, unit: u32) -> u64 {
        whole_micros(*self) / u64::from(unit)
    }

    fn from_count(number: u64, unit: u32) -> Duration {
        Duration::from_micros(number.saturating_mul(unit.into()))
    }
}

impl<T: Counted> Counted for Option<T> {
    type Number = Option<T::Number>;

    fn count(&self, unit: u32) -> Self::Number {
        self.as_ref().map(|counted| counted.count(unit))
    }

    fn from_count(number: Self::Number, unit: u32) -> Option<T> {
        number.map(|number| T::from_count(number, unit))
    }
}

impl<K, T> Counted for BTreeMap<K, T>
where
    K: Clone + Ord + Serialize + DeserializeOwned,
    T: Counted,
{
    type Number = BTreeMap<K, T::Number>;

    fn count(&self, unit: u32) -> Self::Number {
        self.iter().map(|(key, counted)| (key.clone(), counted.count(unit))).collect()
    }

    fn from_count(number: Self::Number, unit: u32) -> BTreeMap<K, T> {
        number.into_iter().map(|(key, number)| (key, T::from_count(number, unit))).collect()
    }
}

/// Stores times and durations, options and maps of them as milliseconds.
pub mod millis {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Counted;

    /// # Errors
    /// Those of the serializer.
    pub fn serialize<T: Counted, S: Serializer>(counted: &T, to: S) -> Result<S::Ok, S::Error> {
        counted.count(1_000).serialize(to)
    }

    /// # Errors
    /// When it is not a number.
    pub fn deserialize<'de, T: Counted, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        T::Number::deserialize(from).map(|number| T::from_count(number, 1_000))
    }
}

/// Stores times and durations, options and maps of them as microseconds.
pub mod micros {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Counted;

    /// # Errors
    /// Those of the serializer.
    pub fn serialize<T: Counted, S: Serializer>(counted: &T, to: S) -> Result<S::Ok, S::Error> {
        counted.count(1).serialize(to)
    }

    /// # Errors
    /// When it is not a number.
    pub fn deserialize<'de, T: Counted, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        T::Number::deserialize(from).map(|number| T::from_count(number, 1))
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    #[test]
    fn sums_saturate() {
        let second = Duration::from_secs(1);
        assert_eq!(Time::from_millis(5) + second, Time::from_micros(1_005_000));
        assert_eq!(
            (Time::MAX + second, Time::MIN - second, Time::from_millis(u64::MAX)),
            (Time::MAX, Time::MIN, Time::MAX)
        );
        assert_eq!(Time::from_millis(2_500).since(Time::from_millis(500)), 2 * second);
        assert_eq!(Time::default().since(Time::from_micros(1)), Duration::ZERO);
        assert_eq!((Time::from_micros(-1).as_millis(), Time::from_micros(1_999).as_millis()), (0, 1));
    }

    #[test]
    fn a_field_says_its_unit() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Fields {
            #[serde(with = "millis")]
            at: Time,
            #[serde(with = "micros")]
            until: Option<Time>,
            #[serde(with = "millis", default)]
            took: Option<Duration>,
            #[serde(with = "micros")]
            limit: Duration,
        }
        let fields = Fields {
            at: Time::from_millis(7),
            until: Some(Time::from_micros(-8)),
            took: None,
            limit: Duration::from_millis(9),
        };
        let text = serde_json::to_string(&fields).unwrap();
        assert_eq!(text, r#"{"at":7,"until":-8,"took":null,"limit":9000}"#);
        assert_eq!(serde_json::from_str::<Fields>(&text).unwrap(), fields);
        assert_eq!(serde_json::from_str::<Fields>(&text.replace(r#""took":null,"#, "")).unwrap(), fields);
    }
}
