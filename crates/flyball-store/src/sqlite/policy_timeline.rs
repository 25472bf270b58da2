//! What the policies did, one part of the time after the other, read in one go.

use std::collections::BTreeMap;

use super::activity::{add_row, policy_activity};
use super::denials;
use super::index::Index;
use super::tally::RulingCounts;
use crate::error::StoreError;
use crate::questions::{Buckets, PolicyTimeline, Window};

impl Index {
    pub(super) fn policy_timeline(
        &self,
        window: &Window,
        most: usize,
        policy: Option<&str>,
    ) -> Result<PolicyTimeline, StoreError> {
        let Some(buckets) = Buckets::of_policies(window, most) else { return Ok(PolicyTimeline::default()) };
        let Buckets { since, length, count, grain } = buckets;
        let mut parts: Vec<BTreeMap<String, RulingCounts>> = vec![BTreeMap::new(); count];
        let within = Window { since, until: window.bounds().1, ..window.clone() };
        self.each_ruling((grain, &within), policy, |start, row| {
            let part = buckets.place(start).and_then(|place| parts.get_mut(place));
            part.map_or(Ok(()), |part| add_row(part, row))
        })?;
        let counted = Window { until: within.until.ceil(grain), ..within };
        self.each_unblocked_ruling(&counted, policy, |at, policy, outcome| {
            let part = buckets.place(at).and_then(|place| parts.get_mut(place));
            if let Some(counts) = part.and_then(|part| part.get_mut(policy)) {
                counts.denied.add(outcome, 1);
            }
        })?;
        let activity = |(policy, mut counts): (String, RulingCounts)| {
            counts.denied = denials::split(counts.denials, counts.denied);
            policy_activity((policy, counts))
        };
        let parts = parts.into_iter().map(|part| part.into_iter().map(activity).collect());
        Ok(PolicyTimeline { since, length, parts: parts.collect() })
    }
}
