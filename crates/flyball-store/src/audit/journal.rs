//! A journal as an audit reads it.

use std::collections::BTreeSet;
use std::path::Path;

use super::walk::Walk;
use crate::chain::Item;
use crate::chain::Link;
use crate::chain::{EventRef, Finding, FindingKind, Witness};
use crate::error::StoreError;
use crate::journal::{Line, Reader};

/// A journal that was walked.
pub(crate) struct JournalWalk {
    pub(crate) walk: Walk,
    /// The events whose lines end at or before this were folded: number and end of the line.
    pub(crate) ends: Vec<(u64, u64)>,
    /// The number and link in the last line.
    pub(crate) last: Option<(u64, Option<Link>)>,
    /// The session that the first record names.
    pub(crate) session: Option<(String, String)>,
}

/// Reads and walks a journal. Lines that were torn by a crash are skipped: the next line has
/// their number.
pub(crate) fn walk(path: &Path) -> Result<JournalWalk, StoreError> {
    let mut read = JournalContents::default();
    if let Some(mut reader) = Reader::open(path, 0)? {
        while let Some(line) = reader.next_line().map_err(|error| StoreError::io(path, error))? {
            read.add_line(line, reader.offset);
        }
    }
    // Before they are sorted: the walk wants them by number, and the order in the file is evidence.
    let mut moved = read.find_moved();
    read.items.sort_by_key(|item| item.name.seq);
    let mut walk = Walk::new(Witness::Journal, read.start.into_iter().collect());
    for item in read.items {
        walk.step(item);
    }
    walk.finish();
    walk.findings.append(&mut moved);
    Ok(JournalWalk { walk, ends: read.ends, last: read.last, session: read.session })
}

#[derive(Default)]
struct JournalContents {
    items: Vec<Item>,
    ends: Vec<(u64, u64)>,
    last: Option<(u64, Option<Link>)>,
    /// What a journal that was shortened goes on from.
    start: Option<(u64, Link)>,
    session: Option<(String, String)>,
}

impl JournalContents {
    fn add_line(&mut self, line: Line, end: u64) {
        match line {
            Line::Record(recorded) => {
                self.last = Some((recorded.seq, recorded.link));
                let record = &recorded.record;
                let name = EventRef { seq: recorded.seq, id: record.id.to_string(), at: record.at };
                self.session
                    .get_or_insert_with(|| (record.client.clone(), record.session.as_str().to_owned()));
                self.ends.push((recorded.seq, end));
                self.items.push(Item {
                    name,
                    link: recorded.link,
                    text: Some(recorded.text),
                    payload: recorded.payload,
                });
            }
            Line::Memory(seq, link) => {
                // Only the first line: a shortened journal begins with the state, and with the link to go on
                // from.
                if self.last.is_none() {
                    self.start = link.map(|link| (seq, link));
                }
                // Before there were chains, such a line had no link; the one before it still counts.
                self.last = Some((seq, link.or(self.last.and_then(|last| last.1))));
            }
            Line::Empty | Line::Corrupt => {}
        }
    }

    /// Events that come after one with a higher number.
    fn find_moved(&self) -> Vec<Finding> {
        let (mut highest, mut seen, mut found) = (None::<&EventRef>, BTreeSet::new(), Vec::new());
        for item in &self.items {
            let name = &item.name;
            // One that is there twice is found as such.
            let is_new = seen.insert(name.seq);
            match highest.filter(|highest| highest.seq > name.seq) {
                Some(highest) if is_new => {
                    let detail = format!("it comes after number {}", highest.seq);
                    let about = Finding::new(FindingKind::Reordered, Witness::Journal, (name.seq, name.seq));
                    let mut finding = about.with_detail(detail);
                    finding.event = Some(name.clone());
                    finding.before = Some(highest.clone());
                    found.push(finding);
                }
                Some(_) => {}
                None => highest = Some(name),
            }
        }
        found
    }
}
