//! What was measured of one contestant.

use super::contestant::Contestant;
use super::counts::Counts;
use super::sample::Sample;

/// The figures of one contestant.
pub(super) struct Row {
    pub(super) id: &'static str,
    pub(super) about: String,
    /// Whether this is flyball, and not what it is compared with.
    pub(super) is_flyball: bool,
    pub(super) sample: Sample,
    pub(super) counts: Counts,
}

impl Row {
    pub(super) fn new(contestant: &Contestant, sample: Sample, counts: Counts) -> Row {
        let is_flyball = contestant.record.is_some();
        Row { id: contestant.id, about: contestant.about.clone(), is_flyball, sample, counts }
    }
}
