//! The audit of a whole store.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use flyball_core::event::SessionId;
use flyball_core::time::Time;

use super::journal::{self, JournalWalk};
use super::session::{Claim, SessionEvidence};
use super::walk::{Step, Walk};
use crate::chain::Link;
use crate::chain::{Anchor, AnchorLine, Anchors, AnchorsRead, ChainSession, ChainWitness};
use crate::chain::{Audit, EventRef, Finding, FindingKind, Forgotten, Witness};
use crate::error::StoreError;
use crate::journal::JournalFile;
use crate::name;
use crate::read_only::StoreCopy;
use crate::store::Store;

/// What to audit.
#[derive(Clone, Copy, Debug)]
pub struct AuditOptions<'a> {
    /// Only sessions whose id begins so.
    pub session: Option<&'a str>,
    /// Only sessions with something new since then.
    pub since: Option<Time>,
    /// The checkpoints of an earlier digest.
    pub checkpoints: &'a [Checkpoint],
    /// How long to wait for another process that is folding.
    pub wait: Duration,
}

/// How far a session had come, by an earlier digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub client: String,
    pub session: String,
    /// The number of an event.
    pub seq: u64,
    pub link: Link,
    /// When the digest was made.
    pub at: Time,
}

/// Progress is reported after this many events.
const PROGRESS_EVERY: u64 = 1_000;

pub(super) type Key = (String, String);

/// A session that is in the index, the anchors or a journal.
#[derive(Clone, Copy, Default)]
pub(super) struct Subject {
    /// Its row in the index.
    pub(super) row: Option<i64>,
    last_at: Time,
    is_miscounted: bool,
}

impl Store {
    /// Verifies the chains of all sessions, and reports from time to time how many events of how many
    /// it has seen. Changes nothing.
    ///
    /// # Errors
    /// When the index or the anchors cannot be read. A journal that cannot be read is reported, and
    /// the rest is looked at.
    pub fn audit(
        &self,
        options: &AuditOptions<'_>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Audit, StoreError> {
        let view = View::take(self, options)?;
        let mut audit = Audit::default();
        if options.session.is_none() {
            // The anchors are about all sessions, so an audit of one does not report them.
            audit.findings.extend(view.anchors_findings()?);
        }
        let mut seen = 0;
        for (key, subject) in view.subjects(options) {
            let mut on_event = || {
                seen += 1;
                if seen % PROGRESS_EVERY == 0 {
                    progress(seen, view.event_count);
                }
            };
            let walk = view.walk_index(&key, subject, &mut on_event)?;
            view.audit_session(&Audited { key: &key, subject, walk }, options, &mut audit);
        }
        audit.skipped.extend(view.skipped);
        Ok(audit)
    }
}

/// A session under audit, and what the index has of it.
struct Audited<'a> {
    key: &'a Key,
    subject: Subject,
    walk: Walk,
}

/// The store at one moment.
pub(super) struct View {
    pub(super) index: Box<dyn ChainWitness>,
    sessions: Vec<ChainSession>,
    pub(super) event_count: u64,
    anchors: AnchorsRead,
    by_session: BTreeMap<Key, Vec<usize>>,
    tidy_counts: BTreeMap<String, u64>,
    journals: BTreeMap<String, JournalFile>,
    /// Journals of sessions that are in neither the index nor the anchors.
    strays: BTreeMap<Key, JournalWalk>,
    skipped: Vec<(PathBuf, String)>,
    /// What all of it is read from, if the store cannot be written.
    _copy: Option<StoreCopy>,
}

impl View {
    /// Folding is locked only until the anchors are read and the index has a snapshot.
    pub(super) fn take(store: &Store, options: &AuditOptions<'_>) -> Result<View, StoreError> {
        let copy = StoreCopy::of_read_only(store)?;
        let store = copy.as_ref().map_or(store, StoreCopy::store);
        // Without it, a fold could add anchors after the index was opened, which would look like tampering.
        let lock = store.lock_folding(options.wait)?;
        let index = store.open_chains()?;
        let anchors = Anchors::beside(&store.index_path()).read()?;
        let journals = JournalFile::list(&store.sessions_dir())?;
        // The snapshot stays as it is while others fold: an audit may take minutes.
        drop(lock);
        let (sessions, many) = index.chain_sessions()?;
        let mut view = View {
            index,
            sessions,
            event_count: many,
            by_session: by_session(&anchors.lines),
            tidy_counts: count_tidied(&anchors.lines),
            anchors,
            journals: journals.into_iter().map(|journal| (journal.name.clone(), journal)).collect(),
            strays: BTreeMap::new(),
            skipped: Vec::new(),
            _copy: copy,
        };
        view.find_strays(options);
        Ok(view)
    }

    /// Reads the journals whose session is in neither the index nor the anchors.
    fn find_strays(&mut self, options: &AuditOptions<'_>) {
        let indexed = self.sessions.iter().map(|it| (it.client.clone(), it.session.clone()));
        // Sessions of a digest count as known, even if all of their events are gone: that is the finding.
        let checkpoints = options.checkpoints.iter().map(|it| (it.client.clone(), it.session.clone()));
        let known: BTreeSet<String> = indexed
            .chain(checkpoints)
            .chain(self.by_session.keys().cloned())
            .map(|key| journal_name(&key))
            .collect();
        for journal in self.journals.values() {
            if known.contains(&journal.name) {
                continue;
            }
            match journal::walk(&journal.path) {
                Ok(walked) => {
                    if let Some(key) = walked.session.clone() {
                        self.strays.insert(key, walked);
                    }
                }
                Err(error) => self.skipped.push((journal.path.clone(), error.to_string())),
            }
        }
    }

    /// The known sessions that are asked for.
    pub(super) fn subjects(&self, options: &AuditOptions<'_>) -> BTreeMap<Key, Subject> {
        let mut all: BTreeMap<Key, Subject> = BTreeMap::new();
        for it in &self.sessions {
            let subject = Subject { row: Some(it.row), last_at: it.last_at, is_miscounted: it.is_miscounted };
            all.insert((it.client.clone(), it.session.clone()), subject);
        }
        for (key, lines) in &self.by_session {
            let last = lines.iter().filter_map(|at| self.anchors.lines.get(*at)).map(|line| line.at).max();
            let subject = all.entry(key.clone()).or_default();
            subject.last_at = subject.last_at.max(last.unwrap_or_default());
        }
        for checkpoint in options.checkpoints {
            let subject = all.entry((checkpoint.client.clone(), checkpoint.session.clone())).or_default();
            subject.last_at = subject.last_at.max(checkpoint.at);
        }
        for (key, walked) in &self.strays {
            let last = walked.walk.steps.iter().map(|step| step.name.at).max();
            all.entry(key.clone()).or_default().last_at = last.unwrap_or_default();
        }
        all.retain(|key, subject| {
            options.session.is_none_or(|prefix| key.1.starts_with(prefix))
                && options.since.is_none_or(|since| subject.last_at >= since)
        });
        all
    }

    fn audit_session(&self, audited: &Audited<'_>, options: &AuditOptions<'_>, audit: &mut Audit) {
        let Audited { key, subject, walk: index } = audited;
        let name = journal_name(key);
        let read = match self.journals.get(&name).filter(|_| !self.strays.contains_key(key)) {
            None => None,
            Some(file) => match journal::walk(&file.path) {
                Ok(walked) => Some(walked),
                // Cleaned up in the meantime: then the index has it all.
                Err(_) if !file.path.exists() => None,
                Err(error) => {
                    audit.skipped.push((file.path.clone(), error.to_string()));
                    None
                }
            },
        };
        // A journal that cannot be read is reported as skipped, not as missing.
        let is_unread = read.is_none() && self.journals.contains_key(&name) && !self.strays.contains_key(key);
        let journal = read.as_ref().or_else(|| self.strays.get(key));
        let claims = self.claims(key, options);
        // As if it had been cleaned up: what is not known must not become a finding.
        let overs = self.tidy_counts.get(&name).copied().unwrap_or(0) + u64::from(is_unread);
        let known = SessionEvidence {
            index,
            journal,
            claims: &claims,
            tidy_count: overs,
            forgotten_to: self.forgotten(key).iter().map(|it| it.to).max(),
            folded: self.journals.get(&name).map_or(0, |file| self.index.folded(file)),
        };
        let mut found = known.compare();
        found.extend(index.findings.iter().cloned());
        found.extend(journal.iter().flat_map(|journal| journal.walk.findings.iter().cloned()));
        // A finding about an event explains the wrong numbers.
        if subject.is_miscounted && found.is_empty() {
            let finding = Finding::new(FindingKind::Changed, Witness::Index, (0, 0));
            found.push(finding.with_detail("the index lists wrong counts of events and denials"));
        }
        let steps = || index.steps.iter().chain(journal.into_iter().flat_map(|it| it.walk.steps.iter()));
        found.iter_mut().for_each(|finding| complete(finding, key, steps()));
        // `dedup` removes only neighbours, so equal findings have to be side by side.
        found.sort_by_key(|finding| (finding.from, finding.witness, finding.kind));
        found.dedup();
        audit.findings.append(&mut found);
        audit.forgotten.extend(self.forgotten(key).into_iter().max_by_key(|it| it.to));
        count(audit, index, journal);
    }

    fn walk_index(
        &self,
        key: &Key,
        subject: Subject,
        on_event: &mut dyn FnMut(),
    ) -> Result<Walk, StoreError> {
        let mut walk = Walk::new(Witness::Index, self.horizons(key));
        let Some(row) = subject.row else { return Ok(walk) };
        let mut odd = Vec::new();
        self.index.walk_session(row, &mut |item, differs| {
            if let Some(field) = differs {
                let about =
                    Finding::new(FindingKind::Changed, Witness::Index, (item.name.seq, item.name.seq));
                let detail = format!("the index does not match the record: {field}");
                odd.push(about.with_detail(detail));
            }
            walk.step(item);
            on_event();
        })?;
        walk.finish();
        // A finding about the record itself explains these.
        odd.retain(|one| walk.findings.iter().all(|other| other.from != one.from));
        walk.findings.append(&mut odd);
        Ok(walk)
    }

    fn lines_of<'a>(&'a self, key: &Key) -> impl DoubleEndedIterator<Item = &'a AnchorLine> {
        let lines = self.by_session.get(key).map(Vec::as_slice).unwrap_or_default();
        lines.iter().filter_map(|at| self.anchors.lines.get(*at))
    }

    /// Where the chain goes on behind what was forgotten.
    pub(super) fn horizons(&self, key: &Key) -> Vec<(u64, Link)> {
        let forgotten = |line: &AnchorLine| match &line.anchor {
            Anchor::Forgotten { seq, link, .. } => link.map(|link| (*seq, link)),
            Anchor::Reached { .. } | Anchor::Over { .. } | Anchor::Rotated | Anchor::Cut => None,
        };
        self.lines_of(key).filter_map(forgotten).collect()
    }

    fn forgotten(&self, key: &Key) -> Vec<Forgotten> {
        let forgotten = |line: &AnchorLine| match &line.anchor {
            Anchor::Forgotten { client, session, seq, .. } => {
                Some(Forgotten { client: client.clone(), session: session.clone(), to: *seq, at: line.at })
            }
            Anchor::Reached { .. } | Anchor::Over { .. } | Anchor::Rotated | Anchor::Cut => None,
        };
        self.lines_of(key).filter_map(forgotten).collect()
    }

    /// The claims of anchors and digests about a session, the oldest first.
    fn claims(&self, key: &Key, options: &AuditOptions<'_>) -> Vec<Claim> {
        let (mut claims, mut forgotten_to) = (Vec::new(), None::<u64>);
        // Backwards, so that each claim knows what was forgotten after it.
        for line in self.lines_of(key).rev() {
            match &line.anchor {
                Anchor::Reached { seq, link, .. } => {
                    let (at, witness) = (line.at, Witness::Anchors);
                    claims.push(Claim { witness, at, seq: *seq, link: *link, forgotten_to });
                }
                Anchor::Forgotten { seq, .. } => forgotten_to = forgotten_to.max(Some(*seq)),
                Anchor::Over { .. } | Anchor::Rotated | Anchor::Cut => {}
            }
        }
        claims.reverse();
        let is_same =
            |checkpoint: &&Checkpoint| (&checkpoint.client, &checkpoint.session) == (&key.0, &key.1);
        claims.extend(options.checkpoints.iter().filter(is_same).map(|checkpoint| Claim {
            witness: Witness::Digest,
            at: checkpoint.at,
            seq: checkpoint.seq,
            link: Some(checkpoint.link),
            forgotten_to,
        }));
        claims
    }

    fn anchors_findings(&self) -> Result<Vec<Finding>, StoreError> {
        let mut found = self.anchors.findings.clone();
        let end = self.index.anchors_end()?;
        // Cutting off the end breaks no link of a chain; only the index knows that there was more.
        if end.is_some_and(|end| !self.anchors.has(end)) {
            let lines = u64::try_from(self.anchors.lines.len()).unwrap_or(u64::MAX);
            let finding = Finding::new(FindingKind::AnchorsBroken, Witness::Anchors, (lines + 1, lines + 1));
            found.push(finding.with_detail("its last lines are missing: the index has later ones"));
        }
        Ok(found)
    }
}

fn count(audit: &mut Audit, index: &Walk, journal: Option<&JournalWalk>) {
    let listed: BTreeSet<(u64, Option<Link>)> =
        index.steps.iter().map(|step| (step.name.seq, step.link)).collect();
    let unfolded = journal.into_iter().flat_map(|journal| &journal.walk.steps);
    let unfolded = unfolded.filter(|step| !listed.contains(&(step.name.seq, step.link)));
    let (mut proven, mut unchained) = (0, 0);
    for step in index.steps.iter().chain(unfolded) {
        unchained += u64::from(step.link.is_none());
        if step.is_proven {
            proven += 1;
            audit.since = Some(audit.since.map_or(step.name.at, |since| since.min(step.name.at)));
        }
    }
    audit.proven += proven;
    audit.unchained += unchained;
    audit.sessions += u64::from(proven > 0);
}

/// Fills in the session and the neighbours.
fn complete<'a>(finding: &mut Finding, key: &Key, steps: impl Iterator<Item = &'a Step>) {
    (finding.client, finding.session) = key.clone();
    // Not about events, so there are no neighbours.
    if finding.to == 0 {
        return;
    }
    let (mut before, mut after, mut event) = (None::<&EventRef>, None::<&EventRef>, None::<&EventRef>);
    for Step { name, .. } in steps {
        if name.seq < finding.from && before.is_none_or(|it| it.seq < name.seq) {
            before = Some(name);
        } else if name.seq > finding.to && after.is_none_or(|it| it.seq > name.seq) {
            after = Some(name);
        } else if name.seq == finding.from && finding.from == finding.to {
            event = event.or(Some(name));
        }
    }
    finding.before = finding.before.take().or_else(|| before.cloned());
    finding.after = finding.after.take().or_else(|| after.cloned());
    finding.event = finding.event.take().or_else(|| event.cloned());
}

fn by_session(lines: &[AnchorLine]) -> BTreeMap<Key, Vec<usize>> {
    let mut all: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        match &line.anchor {
            Anchor::Reached { client, session, .. } | Anchor::Forgotten { client, session, .. } => {
                all.entry((client.clone(), session.clone())).or_default().push(at);
            }
            Anchor::Over { .. } | Anchor::Rotated | Anchor::Cut => {}
        }
    }
    all
}

fn count_tidied(lines: &[AnchorLine]) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for line in lines {
        if let Anchor::Over { journal } = &line.anchor {
            *all.entry(journal.clone()).or_default() += 1;
        }
    }
    all
}

fn journal_name(key: &Key) -> String {
    name::for_session(&key.0, &SessionId::new(&key.1))
}
