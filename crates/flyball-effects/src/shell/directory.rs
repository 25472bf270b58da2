//! How `cd` moves the directory in which the rest of a line runs.

use crate::model::Directory;

/// More places than this count as unknown.
const MOST_PLACES: usize = 8;
/// Every later command carries its directory with it, so a hostile line must not make it long.
const MOST_BYTES: usize = 1024;
/// The name of the place where the line started.
const START: &str = ".";

impl Directory {
    /// Where `cd target` leads from here, if it succeeds.
    pub(crate) fn join(&self, target: &str) -> Self {
        let places = match self {
            _ if target.starts_with(['/', '~']) => vec![target.to_owned()],
            Self::Start => vec![target.to_owned()],
            Self::OneOf(places) => places.iter().map(|place| joined(place, target)).collect(),
            Self::Unknown => return Self::Unknown,
        };
        Self::within_bounds(places)
    }

    /// Either of the two: it depends on something that is known only at run time.
    pub(super) fn or(self, other: &Self) -> Self {
        if self == *other {
            return self;
        }
        let (Some(mut places), Some(others)) = (self.into_places(), other.clone().into_places()) else {
            return Self::Unknown;
        };
        places.extend(others);
        places.sort_unstable();
        places.dedup();
        Self::within_bounds(places)
    }

    fn within_bounds(places: Vec<String>) -> Self {
        let bytes: usize = places.iter().map(String::len).sum();
        let is_small = places.len() <= MOST_PLACES && bytes <= MOST_BYTES;
        if is_small { Self::OneOf(places) } else { Self::Unknown }
    }

    fn into_places(self) -> Option<Vec<String>> {
        match self {
            Self::Start => Some(vec![START.to_owned()]),
            Self::OneOf(places) => Some(places),
            Self::Unknown => None,
        }
    }
}

fn joined(place: &str, target: &str) -> String {
    match place {
        START => target.to_owned(),
        _ => format!("{}/{target}", place.trim_end_matches('/')),
    }
}
