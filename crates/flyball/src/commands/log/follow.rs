//! `flyball log --follow`: prints new events as they arrive.

use std::time::Duration;

use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_store::{Filter, Page};
use jiff::Zoned;

use super::printer::Printer;
use super::request::Request;
use crate::outcome::Failed;
use crate::project_context::Archive;
use crate::terminal::Reader;

/// How long to wait between polls. Shorter than a person notices; a poll costs about a millisecond.
const PAUSE: Duration = Duration::from_millis(200);

/// How long before its record an event may have begun: a policy may have run a linter in between.
const SLACK: Duration = Duration::from_mins(1);

/// Waits for new events.
pub(super) struct Follower<'a> {
    archive: &'a Archive,
    since: Time,
    /// The last row of the index that was there already.
    seen: i64,
}

impl<'a> Follower<'a> {
    /// Starts after the present events. Rows are numbered as journals are read, not by time: so all
    /// events since a moment are looked at, and those before it never come up again.
    pub(super) fn start(archive: &'a Archive) -> Result<Follower<'a>, Failed> {
        let since = Time::now() - SLACK;
        // Duplicates count for the position, even where they are not printed.
        let filter =
            Filter { since: Some(since), with_duplicates: true, page: Page::After(0), ..Filter::default() };
        let events = archive.index.events(&filter)?;
        Ok(Follower { archive, since, seen: events.last().map_or(0, |event| event.row) })
    }

    /// Prints new events until nobody reads them any more. `shown` arrived between the start and now
    /// at the latest, and is not shown again.
    pub(super) fn run(
        mut self,
        request: &Request,
        shown: &[Record],
        printer: &mut Printer<'_>,
    ) -> Result<(), Failed> {
        loop {
            std::thread::sleep(PAUSE);
            let now = Zoned::now();
            self.archive.refresh(&now)?;
            let events = request.after(self.archive, self.seen, self.since)?;
            self.seen = events.last().map_or(self.seen, |event| event.row);
            let records: Vec<Record> = events
                .into_iter()
                .map(|event| event.record)
                .filter(|new| shown.iter().all(|record| record.id != new.id))
                .collect();
            if printer.print(&records, &now) == Reader::Gone {
                return Ok(());
            }
        }
    }
}
