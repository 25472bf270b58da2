//! How values of records are written into columns and read back.

use std::borrow::Cow;
use std::time::Duration;

use flyball_core::config::Mode;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use rusqlite::Row;
use rusqlite::types::ValueRef;

/// A stance as the number it is stored by; stronger stances are greater.
pub(super) const fn rank(stance: Stance) -> i64 {
    match stance {
        Stance::Silent => 0,
        Stance::Allow => 1,
        Stance::Ask => 2,
        Stance::Deny => 3,
    }
}

/// Whether a policy that only observes would have denied what was not denied.
pub(super) fn would_deny(record: &Record) -> bool {
    let observed = |ruling: &RecordedRuling| ruling.mode == Mode::Observe && ruling.stance == Stance::Deny;
    record.stance != Stance::Deny && record.rulings.iter().any(observed)
}

/// Whether a ruling is worth a row of its own.
pub(super) fn has_opinion(ruling: &RecordedRuling) -> bool {
    ruling.stance != Stance::Silent || !ruling.reasons.is_empty() || ruling.error.is_some()
}

/// The mode of a policy, as it is stored.
pub(super) fn mode_name(ruling: &RecordedRuling) -> String {
    let mode = serde_json::to_value(ruling.mode).ok();
    mode.as_ref().and_then(|mode| mode.as_str()).unwrap_or_default().to_owned()
}

/// The stance that is stored by a number.
pub(super) fn stance(number: i64) -> Option<Stance> {
    Stance::ALL.iter().copied().find(|stance| rank(*stance) == number)
}

// A database that was damaged or edited may have anything anywhere. One broken value must not stop a whole command, so
// it is read as far as it goes; `flyball doctor` finds it.

/// A text, with replacement characters for what is not valid UTF-8; empty for what is not a text.
pub(super) fn text<'a>(row: &'a Row<'_>, column: usize) -> rusqlite::Result<Cow<'a, str>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => Cow::Borrowed(""),
    })
}

/// The same, to keep.
pub(super) fn owned_text(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
    text(row, column).map(Cow::into_owned)
}

/// The same, or none where none is stored.
pub(super) fn optional_text(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<String>> {
    match row.get_ref(column)? {
        ValueRef::Null => Ok(None),
        _ => owned_text(row, column).map(Some),
    }
}

/// A number; 0 for what is not one.
pub(super) fn integer(row: &Row<'_>, column: usize) -> rusqlite::Result<i64> {
    Ok(row.get_ref(column)?.as_i64().unwrap_or_default())
}

pub(super) fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<Time> {
    integer(row, column).map(Time::from_micros)
}

/// A duration as it is stored.
pub(super) fn signed_micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

pub(super) fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(integer(row, column)?).unwrap_or_default())
}
