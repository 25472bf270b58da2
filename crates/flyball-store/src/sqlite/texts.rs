//! The subjects of all events, packed so that a search for any text reads few rows.
//!
//! A search for what is nowhere has to look at everything. `LIKE` over the events looks at a million rows, and an
//! index of trigrams knows nothing of one letter or two; packed, a million subjects are some ten thousand rows.

use flyball_core::time::Time;

use rusqlite::{Connection, OptionalExtension, params};

use super::values::{owned_text, time};

/// Subjects in a row: few enough that adding one event rewrites little.
const PACKED: usize = 256;
/// Ends each subject; within a subject it is replaced by the next constant.
const END: char = '\u{1f}';
const INSTEAD: &str = "\u{1e}";

/// Subjects that are about to be packed.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    waiting: Vec<(i64, Time, String)>,
}

impl Texts {
    /// Adds the subject of an event, given by its row and its time.
    pub(crate) fn add(&mut self, (event, at): (i64, Time), subject: &str) {
        self.waiting.push((event, at, fold_case(subject)));
    }

    /// Packs them behind those that are there.
    pub(crate) fn flush(self, connection: &Connection) -> rusqlite::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        // The last one is filled up first, or each fold of a few events would add a row.
        let mut pack = Pack::last(connection)?;
        for (event, at, text) in self.waiting {
            if pack.ids.len() >= PACKED * size_of::<i64>() {
                pack.save(connection)?;
                pack = Pack::after(&pack);
            }
            pack.push((event, at), &text);
        }
        pack.save(connection)
    }
}

/// A row of subjects.
struct Pack {
    id: i64,
    since: Time,
    until: Time,
    ids: Vec<u8>,
    body: String,
}

impl Pack {
    fn last(connection: &Connection) -> rusqlite::Result<Pack> {
        let found = connection
            .prepare_cached("SELECT id, since, until, ids, body FROM texts ORDER BY id DESC LIMIT 1")?
            .query_row([], |row| {
                let (id, since, until) = (row.get(0)?, time(row, 1)?, time(row, 2)?);
                Ok(Pack {
                    id,
                    since,
                    until,
                    ids: row.get_ref(3)?.as_bytes().unwrap_or_default().to_vec(),
                    body: owned_text(row, 4)?,
                })
            })
            .optional()?;
        Ok(found.unwrap_or_else(|| Pack::numbered(1)))
    }

    const fn numbered(id: i64) -> Pack {
        Pack { id, since: Time::MAX, until: Time::MIN, ids: Vec::new(), body: String::new() }
    }

    const fn after(before: &Pack) -> Pack {
        Pack::numbered(before.id + 1)
    }

    fn push(&mut self, (event, at): (i64, Time), text: &str) {
        self.since = self.since.min(at);
        self.until = self.until.max(at);
        self.ids.extend_from_slice(&event.to_le_bytes());
        self.body.push_str(text);
        self.body.push(END);
    }

    fn save(&self, connection: &Connection) -> rusqlite::Result<()> {
        connection
            .prepare_cached(
                "INSERT INTO texts (id, since, until, ids, body) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO UPDATE SET since = excluded.since, until = excluded.until,
                     ids = excluded.ids, body = excluded.body",
            )?
            .execute(params![self.id, self.since.as_micros(), self.until.as_micros(), self.ids, self.body])?;
        Ok(())
    }
}

/// Adds the events of a pack whose subject has the text, which went through [`fold_case`].
pub(super) fn find_matches(ids: &[u8], body: &str, (text, rows): (&str, &mut Vec<i64>)) {
    // Most rows do not have it, and one search over all of it is the quickest way to find out.
    if !body.contains(text) {
        return;
    }
    let (ids, _) = ids.as_chunks();
    let subjects = body.split_terminator(END).zip(ids);
    rows.extend(
        subjects.filter(|(subject, _)| subject.contains(text)).map(|(_, id)| i64::from_le_bytes(*id)),
    );
}

/// A text as it is packed.
pub(super) fn fold_case(text: &str) -> String {
    let mut folded = text.to_ascii_lowercase();
    if folded.contains(END) {
        folded = folded.replace(END, INSTEAD);
    }
    folded
}
