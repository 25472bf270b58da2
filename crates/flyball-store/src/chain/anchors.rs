//! The second witness: a file with one line for each session with new events in a fold,
//! each line bound to the one before it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use flyball_core::time::{self, Time};

use serde::{Deserialize, Serialize};

use super::finding::{Finding, FindingKind, Witness};
use super::link::Link;
use crate::error::StoreError;
use flyball_files::{open_private, read_at};

/// Longer than this, the file is rotated: a new one begins with what still matters.
const LONG: u64 = 4 * 1024 * 1024;

/// Longer than any line.
const LAST_LINE: u64 = 64 * 1024;

/// The content of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum Anchor {
    /// A session has come this far.
    #[serde(rename = "stands")]
    Reached { client: String, session: String, seq: u64, link: Option<Link> },
    /// Events up to this one were forgotten, as the settings say.
    Forgotten { client: String, session: String, seq: u64, link: Option<Link> },
    /// A journal was deleted because its session is over; if the session goes on, it starts a new chain.
    Over { journal: String },
    /// The file before this one became too long.
    Rotated,
    /// The index knew of a line that was not there any more when this one was written. Without this line,
    /// the next one would hide the gap.
    Cut,
}

/// A line as it is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AnchorLine {
    /// The SHA-256 of the line before; none in the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<Link>,
    #[serde(with = "time::micros")]
    pub(crate) at: Time,
    #[serde(flatten)]
    pub(crate) anchor: Anchor,
}

/// The file of anchors below a state directory. Written only while folding.
pub(crate) struct Anchors {
    path: PathBuf,
}

/// What was read of it.
#[derive(Default)]
pub(crate) struct AnchorsRead {
    pub(crate) lines: Vec<AnchorLine>,
    /// The hashes of the lines.
    pub(crate) hashes: BTreeSet<[u8; 8]>,
    pub(crate) findings: Vec<Finding>,
}

impl Anchors {
    /// Those beside an index.
    pub(crate) fn beside(index: &Path) -> Anchors {
        Anchors { path: index.with_file_name("anchors.jsonl") }
    }

    fn old_path(&self) -> PathBuf {
        self.path.with_extension("1.jsonl")
    }

    /// Appends lines in one write, and returns the beginning of the last one's hash; `None` if there are no lines.
    /// `known` is the mark of the last line that the index knows of: if that is gone, a line records it first.
    pub(crate) fn append(
        &self,
        known: Option<i64>,
        at: Time,
        anchors: &[Anchor],
    ) -> Result<Option<i64>, StoreError> {
        if anchors.is_empty() {
            return Ok(None);
        }
        let failed = |error| StoreError::io(&self.path, error);
        let mut file = open_private(&self.path).map_err(failed)?;
        // Appending to half a line would make one broken line of two.
        let mut before = cut_torn_end(&file).map_err(failed)?;
        let mut text = Vec::new();
        if let Some(known) = known
            // Usually the last line is the known one; the whole file is read only if it is not.
            && before.map(mark) != Some(known)
            && !self.read()?.has(known)
        {
            before = Some(write_line(&mut text, (before, at), &Anchor::Cut)?);
        }
        for anchor in anchors {
            before = Some(write_line(&mut text, (before, at), anchor)?);
        }
        // On the disk before the index knows of it: a power loss must not look like a cut.
        file.write_all(&text).and_then(|()| file.sync_data()).map_err(failed)?;
        Ok(before.map(mark))
    }

    /// Whether the file is long enough to be rotated.
    pub(crate) fn is_long(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|metadata| metadata.len() > LONG)
    }

    /// Starts a new file with what still matters: how far each session has come, and what was
    /// forgotten of those in `first`, which are the lowest numbers that are there. The old file
    /// stays beside it, once, and the new one names the hash of its last line.
    pub(crate) fn rotate(
        &self,
        at: Time,
        first: &BTreeMap<(String, String), u64>,
    ) -> Result<Option<i64>, StoreError> {
        let failed = |error| StoreError::io(&self.path, error);
        let bytes = std::fs::read(&self.path).map_err(failed)?;
        let relevant = relevant_lines(&read_lines(&bytes), first);
        let mut text = Vec::new();
        // The new file continues the old one, so that an exchange of the old one is noticed.
        let last = last_line(&bytes).map(Link::hash_text);
        let mut before = write_line(&mut text, (last, at), &Anchor::Rotated)?;
        for line in &relevant {
            before = write_line(&mut text, (Some(before), line.at), &line.anchor)?;
        }
        // Too little would be gained.
        if text.len() * 2 > bytes.len() {
            return Ok(None);
        }
        let fresh = self.path.with_extension("new");
        // Left behind by a rotation that was killed; usually there is none.
        let _ = std::fs::remove_file(&fresh);
        let mut file = open_private(&fresh).map_err(failed)?;
        file.write_all(&text).and_then(|()| file.sync_all()).map_err(failed)?;
        // By a second name, so that there is a file of anchors, and one before it, at every moment.
        let second = self.path.with_extension("2.jsonl");
        // Also left behind by a rotation that was killed.
        let _ = std::fs::remove_file(&second);
        std::fs::hard_link(&self.path, &second).map_err(failed)?;
        std::fs::rename(&second, self.old_path()).map_err(failed)?;
        // Last: if this process is killed before, the old file is still the one in use.
        std::fs::rename(&fresh, &self.path).map_err(failed)?;
        // A rename between two names of the same file does nothing, so the second name may still be there.
        let _ = std::fs::remove_file(&second);
        Ok(Some(mark(before)))
    }

    /// Reads and checks them all.
    pub(crate) fn read(&self) -> Result<AnchorsRead, StoreError> {
        let mut read = AnchorsRead::default();
        let bytes = slurp(&self.path)?;
        let begins_anew = read_lines(&bytes).first().is_some_and(|line| line.anchor == Anchor::Rotated);
        let mut before = None;
        if begins_anew {
            let old = slurp(&self.old_path())?;
            // A rotation was killed in the middle: the file before it has the same lines.
            if old == bytes {
                read.check(&bytes, &mut before, Start::AfterAnother);
                return Ok(read);
            }
            read.check(&old, &mut before, Start::AfterAnother);
            if old.is_empty() {
                read.broken(0, "the file that came before (`anchors.1.jsonl`) is gone");
            }
            read.check(&bytes, &mut before, if old.is_empty() { Start::AfterAnother } else { Start::Here });
        } else {
            read.check(&bytes, &mut before, Start::Here);
        }
        Ok(read)
    }
}

/// What may come before the first line of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Here,
    /// A file that is no longer there, if the first line says so.
    AfterAnother,
}

impl AnchorsRead {
    /// Whether a line has this mark.
    pub(crate) fn has(&self, mark: i64) -> bool {
        self.hashes.contains(&mark.to_le_bytes())
    }

    fn check(&mut self, bytes: &[u8], before: &mut Option<Link>, start: Start) {
        let mut is_first = true;
        for text in whole_lines(bytes) {
            let number = u64::try_from(self.lines.len()).unwrap_or(u64::MAX) + 1;
            // Also of a line that cannot be read: the next one is bound to its bytes, not to its meaning.
            let hash = Link::hash_text(text);
            self.hashes.insert(head(hash));
            match serde_json::from_slice::<AnchorLine>(text) {
                Ok(line) => {
                    let is_rotated =
                        is_first && start == Start::AfterAnother && line.anchor == Anchor::Rotated;
                    // The one line that may continue something that is not there: the file before the last is
                    // gone by design.
                    if line.before != *before && !is_rotated {
                        self.broken(number, "its line does not continue the one before it");
                    }
                    if line.anchor == Anchor::Cut {
                        self.broken(number, "lines before it were missing when it was written");
                    }
                    self.lines.push(line);
                }
                Err(_) => self.broken(number, "its line cannot be read"),
            }
            is_first = false;
            *before = Some(hash);
        }
    }

    fn broken(&mut self, line: u64, detail: &str) {
        let finding = Finding::new(FindingKind::AnchorsBroken, Witness::Anchors, (line, line));
        self.findings.push(finding.with_detail(detail));
    }
}

/// The lines of each session that the next file has to have.
fn relevant_lines(lines: &[AnchorLine], first: &BTreeMap<(String, String), u64>) -> Vec<AnchorLine> {
    let mut latest = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        if let Anchor::Reached { client, session, .. } = &line.anchor {
            latest.insert((client.clone(), session.clone()), at);
        }
    }
    // A session of which nothing is left was forgotten as a whole, or must be reported as missing for ever.
    let mut forgotten = BTreeMap::new();
    for line in lines {
        if let Anchor::Forgotten { client, session, seq, .. } = &line.anchor {
            let highest = forgotten.entry((client.clone(), session.clone())).or_insert(*seq);
            *highest = (*highest).max(*seq);
        }
    }
    let is_forgotten = |key: &(String, String), seq: u64| forgotten.get(key).is_some_and(|to| *to >= seq);
    let matters = |(at, line): &(usize, &AnchorLine)| match &line.anchor {
        Anchor::Reached { client, session, seq, .. } => {
            let key = (client.clone(), session.clone());
            latest.get(&key) == Some(at) && (first.contains_key(&key) || !is_forgotten(&key, *seq))
        }
        Anchor::Forgotten { client, session, seq, .. } => {
            first.get(&(client.clone(), session.clone())).is_some_and(|first| seq + 1 >= *first)
        }
        // A cut stays on record for ever, or a rotation would hide it.
        Anchor::Over { .. } | Anchor::Cut => true,
        Anchor::Rotated => false,
    };
    let mut relevant: Vec<AnchorLine> =
        lines.iter().enumerate().filter(matters).map(|(_, line)| line.clone()).collect();
    // A journal's end matters only while something of its session is there; the last ones do for that.
    let overs = relevant.iter().filter(|line| matches!(line.anchor, Anchor::Over { .. })).count();
    // Without a limit, there would come a day when a rotation no longer makes the file shorter.
    let mut surplus = overs.saturating_sub(1_000);
    relevant.retain(|line| {
        let is_surplus = surplus > 0 && matches!(line.anchor, Anchor::Over { .. });
        surplus -= usize::from(is_surplus);
        !is_surplus
    });
    relevant
}

fn write_line(
    out: &mut Vec<u8>,
    (before, at): (Option<Link>, Time),
    anchor: &Anchor,
) -> Result<Link, StoreError> {
    let line = AnchorLine { before, at, anchor: anchor.clone() };
    let text = serde_json::to_vec(&line).map_err(|source| StoreError::Unwritable { source })?;
    out.extend_from_slice(&text);
    out.push(b'\n');
    Ok(Link::hash_text(&text))
}

/// The hash of the last line. What a crash left of a line behind it is cut off.
fn cut_torn_end(file: &File) -> std::io::Result<Option<Link>> {
    let len = file.metadata()?.len();
    let start = len.saturating_sub(LAST_LINE);
    let bytes = read_at(file, start, usize::try_from(len - start).unwrap_or(usize::MAX))?;
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    if end < bytes.len() {
        file.set_len(start + end as u64)?;
    }
    Ok(bytes.get(..end).and_then(last_line).map(Link::hash_text))
}

fn slurp(path: &Path) -> Result<Vec<u8>, StoreError> {
    match std::fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        other => other.map_err(|error| StoreError::io(path, error)),
    }
}

fn whole_lines(bytes: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
    bytes.get(..end).unwrap_or_default().split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
}

fn last_line(bytes: &[u8]) -> Option<&[u8]> {
    whole_lines(bytes).next_back()
}

fn read_lines(bytes: &[u8]) -> Vec<AnchorLine> {
    whole_lines(bytes).filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

fn head(hash: Link) -> [u8; 8] {
    let mut head = [0; 8];
    head.iter_mut().zip(hash.as_bytes()).for_each(|(to, from)| *to = *from);
    head
}

/// The beginning of a hash, as the index notes it: it shows whether the end was cut off.
pub(crate) fn mark(hash: Link) -> i64 {
    i64::from_le_bytes(head(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(session: &str, seq: u64) -> Anchor {
        Anchor::Reached { client: "c".to_owned(), session: session.to_owned(), seq, link: None }
    }

    /// A file that is worth rotating, with a session of which the index has nothing any more.
    fn grown(anchors: &Anchors) -> BTreeMap<(String, String), u64> {
        let many: Vec<Anchor> = (1..=20).map(|seq| reached("here", seq)).collect();
        anchors.append(None, Time::from_micros(1), &many).unwrap();
        anchors.append(None, Time::from_micros(2), &[reached("taken", 7), reached("forgotten", 9)]).unwrap();
        let (client, session) = ("c".to_owned(), "forgotten".to_owned());
        anchors
            .append(None, Time::from_micros(3), &[Anchor::Forgotten { client, session, seq: 9, link: None }])
            .unwrap();
        BTreeMap::from([(("c".to_owned(), "here".to_owned()), 1)])
    }

    #[test]
    fn a_session_that_was_removed_is_missed_also_in_the_next_files() {
        let folder = tempfile::tempdir().unwrap();
        let anchors = Anchors::beside(&folder.path().join("flyball.db"));
        for _ in 0..3 {
            let first = grown(&anchors);
            anchors.rotate(Time::from_micros(4), &first).unwrap().unwrap();
        }
        let bytes = std::fs::read(&anchors.path).unwrap();
        let rotated: Vec<Anchor> = read_lines(&bytes).into_iter().map(|line| line.anchor).collect();
        assert_eq!(rotated, [Anchor::Rotated, reached("here", 20), reached("taken", 7)]);
        assert_eq!(anchors.read().unwrap().findings, []);
    }

    #[test]
    fn a_process_that_is_killed_during_a_rotation_leaves_no_false_alarm() {
        let folder = tempfile::tempdir().unwrap();
        let anchors = Anchors::beside(&folder.path().join("flyball.db"));
        let first = grown(&anchors);
        anchors.rotate(Time::from_micros(4), &first).unwrap().unwrap();
        grown(&anchors);
        // The second name is there, the new file is not.
        std::fs::copy(&anchors.path, anchors.old_path()).unwrap();
        assert_eq!(anchors.read().unwrap().findings, []);
        anchors.rotate(Time::from_micros(5), &first).unwrap().unwrap();
        assert_eq!(anchors.read().unwrap().findings, []);
    }
}
