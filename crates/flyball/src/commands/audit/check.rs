//! Verifies an exported file, on any machine and without a store.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flyball_core::encoding::hex;
use flyball_core::time::Time;

use flyball_store::{Audit, EventRef, Finding, FindingKind, Link, Witness};
use ring::digest::{Context, SHA256};
use serde::Deserialize;

use super::digest::{Contents, Digest};
use super::export::Line;
use super::input::read_failure;
use crate::outcome::Failed;
use crate::progress::Progress;

const PROGRESS_EVERY: u64 = 1_000;

type Key = (String, String);

/// The fields of a record that its line repeats.
#[derive(Deserialize)]
struct RecordHead {
    id: String,
    #[serde(with = "flyball_core::time::micros")]
    at: Time,
    client: String,
    session: String,
}

/// Reads the file and compares it with its digest.
pub(super) fn check(path: &Path, digest: Option<&Digest>) -> Result<Audit, Failed> {
    let failed = |cause: std::io::Error| read_failure(path, &cause);
    let mut file = BufReader::with_capacity(256 * 1024, File::open(path).map_err(failed)?);
    let (mut hash, mut text, mut read) = (Context::new(&SHA256), Vec::new(), ExportCheck::default());
    let progress = Progress::with_text("reading the exported file");
    while file.read_until(b'\n', &mut text).map_err(failed)? > 0 {
        hash.update(&text);
        read.line(text.trim_ascii_end());
        text.clear();
        if read.lines % PROGRESS_EVERY == 0 {
            progress.set_text(&format!("{} events", read.lines));
        }
    }
    progress.clear();
    if let Some(digest) = digest {
        read.compare(digest, &hex(hash.finish().as_ref()));
    }
    let mut audit = read.audit;
    audit.sessions = read.sessions.len() as u64;
    let key = |it: &Finding| (it.client.clone(), it.session.clone(), it.from, it.kind);
    audit.findings.sort_by_key(key);
    Ok(audit)
}

/// What was read of the file so far.
#[derive(Default)]
struct ExportCheck {
    lines: u64,
    audit: Audit,
    sessions: BTreeMap<Key, SessionCheck>,
}

/// What was read of one session so far.
#[derive(Default)]
struct SessionCheck {
    contents: Contents,
    /// The links by number.
    links: BTreeMap<u64, Vec<Link>>,
    last: Option<EventRef>,
}

impl ExportCheck {
    fn line(&mut self, text: &[u8]) {
        self.lines += 1;
        // A line that cannot be read is a finding: an export is written as a whole, no crash tears it.
        let Ok(line) = serde_json::from_slice::<Line>(text) else {
            let about = Finding::new(FindingKind::Changed, Witness::Export, (0, 0));
            self.audit.findings.push(about.with_detail(format!("line {} is not valid", self.lines)));
            return;
        };
        let key = (line.client.clone(), line.session.clone());
        let name = EventRef { seq: line.seq, id: line.id.clone(), at: line.at };
        let seen = self.sessions.entry(key.clone()).or_default();
        let mut found = |what, detail: &str| {
            let mut finding = Finding::new(what, Witness::Export, (line.seq, line.seq)).with_detail(detail);
            (finding.client, finding.session) = key.clone();
            (finding.event, finding.before) = (Some(name.clone()), seen.last.clone());
            self.audit.findings.push(finding);
        };
        match (line.link, seen.flaw(&line)) {
            (Some(_), Some((what, detail))) => found(what, detail),
            (Some(_), None) => {
                self.audit.proven += 1;
                self.audit.since = Some(self.audit.since.map_or(line.at, |since| since.min(line.at)));
            }
            (None, _) => self.audit.unchained += 1,
        }
        seen.contents.add(line.seq, line.link);
        seen.links.entry(line.seq).or_default().extend(line.link);
        seen.last = Some(name);
    }

    fn compare(&mut self, digest: &Digest, sha256: &str) {
        let expected: BTreeMap<Key, &Contents> =
            digest.sessions.iter().map(|it| ((it.client.clone(), it.session.clone()), it)).collect();
        let empty = Contents::default();
        let keys: BTreeSet<Key> = expected.keys().chain(self.sessions.keys()).cloned().collect();
        for key in keys {
            let expected = expected.get(&key).copied().unwrap_or(&empty);
            let read = self.sessions.get(&key).map_or(&empty, |seen| &seen.contents);
            let mut found = differences(expected, read);
            found.iter_mut().for_each(|it| (it.client, it.session) = key.clone());
            found.retain(|it| !self.is_found(it));
            self.audit.findings.extend(found);
        }
        // Any finding explains another hash; alone it means a change that the chain does not cover, such as
        // spaces.
        if sha256 != digest.sha256 && self.audit.findings.is_empty() {
            let about = Finding::new(FindingKind::Changed, Witness::Export, (0, 0));
            let detail = "the file is not byte for byte the one the digest was made from";
            self.audit.findings.push(about.with_detail(detail));
        }
    }

    /// Whether the same events already have this finding.
    fn is_found(&self, finding: &Finding) -> bool {
        let is_same = |it: &&Finding| it.client == finding.client && it.session == finding.session;
        let mut found = self.audit.findings.iter().filter(is_same);
        found.any(|it| it.from == finding.from && it.to == finding.to && it.kind == finding.kind)
    }
}

impl SessionCheck {
    /// What is wrong with the next line of this session.
    fn flaw(&self, line: &Line) -> Option<(FindingKind, &'static str)> {
        let link = line.link?;
        if self.last.as_ref().is_some_and(|last| last.seq > line.seq) {
            return Some((FindingKind::Reordered, "it comes after one with a higher number"));
        }
        // By link, not by number: a session that began again has its first numbers twice.
        if self.links.get(&line.seq).is_some_and(|links| links.contains(&link)) {
            return Some((FindingKind::Inserted, "a copy of another event"));
        }
        let payload = line.payload.as_ref().map(String::as_bytes);
        if Link::compute(line.before, line.seq, line.record.as_bytes(), payload) != link {
            return Some((FindingKind::Changed, "it does not match its link"));
        }
        let before = line.seq.checked_sub(1).and_then(|before| self.links.get(&before));
        let continues = |links: &Vec<Link>| {
            // Events from before there were chains have no links that could be continued.
            links.is_empty() || line.before.map_or(line.seq == 1, |before| links.contains(&before))
        };
        if !before.is_none_or(continues) {
            return Some((FindingKind::Changed, "it does not continue the event before it"));
        }
        let brief: Option<RecordHead> = serde_json::from_str(&line.record).ok();
        let is_same = |it: &RecordHead| {
            (&it.id, it.at, &it.client, &it.session) == (&line.id, line.at, &line.client, &line.session)
        };
        // Only the record is hashed; the fields beside it are a copy that anyone could edit.
        let is_odd = !brief.as_ref().is_some_and(is_same);
        is_odd.then_some((FindingKind::Changed, "the fields beside its record do not match the record"))
    }
}

/// The differences between a session in the file and in its digest.
fn differences(expected: &Contents, read: &Contents) -> Vec<Finding> {
    let numbers =
        |it: &Contents| -> BTreeSet<u64> { it.numbers.iter().flat_map(|(from, to)| *from..=*to).collect() };
    let (expected_numbers, present) = (numbers(expected), numbers(read));
    let about = |what, (from, to): (u64, u64)| Finding::new(what, Witness::Digest, (from, to));
    let mut found = Vec::new();
    if present.is_empty() && !expected_numbers.is_empty() {
        let range =
            (expected_numbers.first().copied().unwrap_or(0), expected_numbers.last().copied().unwrap_or(0));
        found.push(
            about(FindingKind::SessionMissing, range)
                .with_detail("the session is in the digest, but not in the file"),
        );
        return found;
    }
    for range in ranges(expected_numbers.difference(&present)) {
        let is_end = present.last().is_some_and(|last| *last < range.0);
        let what = if is_end { FindingKind::CutOff } else { FindingKind::Removed };
        found.push(about(what, range).with_detail("it is in the digest, but not in the file"));
    }
    for range in ranges(present.difference(&expected_numbers)) {
        found.push(
            about(FindingKind::Inserted, range).with_detail("it is in the file, but not in the digest"),
        );
    }
    if found.is_empty() && expected.last != read.last {
        let seq = expected.last.map_or(0, |(seq, _)| seq);
        found.push(
            about(FindingKind::Changed, (seq, seq))
                .with_detail("its link has changed since the digest was made"),
        );
    }
    found
}

/// Groups consecutive numbers into ranges.
fn ranges<'a>(numbers: impl Iterator<Item = &'a u64>) -> Vec<(u64, u64)> {
    let mut all = Contents::default();
    numbers.for_each(|number| all.add(*number, None));
    all.numbers
}
