//! The record with its links, event by event, for export.

use std::time::Duration;

use flyball_core::record::Record;
use flyball_core::time::Time;

use super::verify::{AuditOptions, View};
use super::walk::Walk;
use crate::chain::Item;
use crate::chain::Link;
use crate::chain::{EventRef, Witness};
use crate::error::StoreError;
use crate::store::Store;

#[derive(Clone, Debug, Default)]
pub struct ExportFilter {
    /// Only sessions whose id begins so.
    pub session: Option<String>,
    /// Only events in the project with this root.
    pub project: Option<String>,
    /// Not before this time.
    pub since: Option<Time>,
    pub until: Option<Time>,
}

/// An event with its link.
#[derive(Clone, Debug)]
pub struct Exported {
    pub client: String,
    pub session: String,
    /// Which one it is.
    pub name: EventRef,
    /// Its link; none from before there were chains.
    pub link: Option<Link>,
    /// The link that it continues; none at the beginning of a chain.
    pub before: Option<Link>,
    /// Whether it is proven to be what was recorded at its place.
    pub is_proven: bool,
    /// The record as it was hashed.
    pub record: String,
    /// The payload as it was hashed.
    pub payload: Option<String>,
}

impl Store {
    /// Gives the events of the index that pass the filter, session by session, by their numbers,
    /// with how many of how many have been read; until `visit` stops.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn export(
        &self,
        filter: &ExportFilter,
        wait: Duration,
        visit: &mut dyn FnMut(Exported, (u64, u64)) -> bool,
    ) -> Result<(), StoreError> {
        let options =
            // Times and project are filtered behind the walk: a chain can only be proven from its beginning.
            AuditOptions { session: filter.session.as_deref(), since: None, checkpoints: &[], wait };
        let view = View::take(self, &options)?;
        let (mut seen, mut goes_on) = (0, true);
        for (key, subject) in view.subjects(&options) {
            let Some(row) = subject.row.filter(|_| goes_on) else { continue };
            let mut walk = Walk::new(Witness::Index, view.horizons(&key));
            view.index.walk_session(row, &mut |item, _| {
                // Counted even after `visit` has stopped: a walk cannot be left in the middle.
                seen += 1;
                if goes_on {
                    let exported = export(&mut walk, &key, item);
                    goes_on = !filter.passes(&exported) || visit(exported, (seen, view.event_count));
                }
            })?;
        }
        Ok(())
    }
}

impl ExportFilter {
    fn passes(&self, event: &Exported) -> bool {
        let is_of = |project: &String| {
            serde_json::from_str::<Record>(&event.record).is_ok_and(|record| record.project == *project)
        };
        self.since.is_none_or(|since| event.name.at >= since)
            && self.until.is_none_or(|until| event.name.at < until)
            && self.project.as_ref().is_none_or(is_of)
    }
}

fn export(walk: &mut Walk, (client, session): &(String, String), item: Item) -> Exported {
    let (name, link) = (item.name.clone(), item.link);
    let (record, payload) = (item.text.clone().unwrap_or_default(), item.payload.clone());
    walk.step(item);
    // A copy of another event adds no step, and the last one would be somebody else's.
    let step = walk.steps.last().filter(|step| step.name == name);
    let is_proven = step.is_some_and(|step| step.is_proven);
    let before = step.and_then(|step| step.before);
    Exported {
        client: client.clone(),
        session: session.clone(),
        name,
        link,
        before,
        is_proven,
        record,
        payload,
    }
}
