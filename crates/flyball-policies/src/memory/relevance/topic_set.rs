//! Sets of topics.

use std::ops::{BitAnd, BitOr};

/// A set of topics, a bit for each row of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Topics {
    low: u128,
    high: u128,
}

impl Topics {
    pub(super) const NONE: Topics = Topics { low: 0, high: 0 };

    /// The topic of one row; none where there is no bit for it.
    pub(super) const fn of_row(row: usize) -> Topics {
        match row {
            0..128 => Topics { low: 1 << row, high: 0 },
            128..256 => Topics { low: 0, high: 1 << (row - 128) },
            _ => Topics::NONE,
        }
    }

    pub(super) fn all(topics: impl Iterator<Item = Topics>) -> Topics {
        topics.fold(Topics::NONE, BitOr::bitor)
    }

    pub(super) const fn with(self, other: Topics) -> Topics {
        Topics { low: self.low | other.low, high: self.high | other.high }
    }

    pub(super) fn is_empty(self) -> bool {
        self == Topics::NONE
    }

    pub(super) fn without(self, other: Topics) -> Topics {
        Topics { low: self.low & !other.low, high: self.high & !other.high }
    }

    /// The rows of these topics.
    pub(super) fn rows(self) -> impl Iterator<Item = usize> {
        let of = |bits: u128, first: usize| {
            (0..128_usize).filter(move |row| bits >> row & 1 == 1).map(move |row| first + row)
        };
        of(self.low, 0).chain(of(self.high, 128))
    }
}

impl BitOr for Topics {
    type Output = Topics;

    fn bitor(self, other: Topics) -> Topics {
        self.with(other)
    }
}

impl BitAnd for Topics {
    type Output = Topics;

    fn bitand(self, other: Topics) -> Topics {
        Topics { low: self.low & other.low, high: self.high & other.high }
    }
}
