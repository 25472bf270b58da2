//! What git brought into a checkout: what others made needs no review here, what this session made in another checkout
//! brings its results along if it is the same content.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, World};
use flyball_core::workshop::Workshop;

use super::base::{Kept, Originals, known_commits, newest_of_others, own_commits};
use super::before::{Store, was_uncommitted};
use super::trees::Located;
use super::writers::OtherSessions;
use super::{Changes, SourceFile, fingerprint};
use crate::r#loop::feedback::machine::LoopEvent;
use crate::r#loop::feedback::session::Session;
use crate::r#loop::feedback::state::{DomainState, FileState, Fingerprint};

/// With how many commits the lines of a file are compared.
const MOST_COMPARED: usize = 12;
const MOST_BYTES: u64 = 1024 * 1024;

/// Files with their content, or none where they were deleted.
type PutAway = BTreeMap<String, Option<Fingerprint>>;

/// What was before git replaced files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct EarlierTexts {
    /// The texts of the files of the loop, by their fingerprints.
    texts: BTreeMap<Fingerprint, Vec<u8>>,
    /// The commits of others that were in the history.
    commits: BTreeSet<String>,
}

impl Session<'_> {
    /// The texts that the files of the loop had before git replaced them.
    pub(in super::super) fn earlier_texts(&self, workshop: &dyn Workshop) -> EarlierTexts {
        let store = Store { situation: self.situation, workshop, trivial: &self.settings.trivial };
        let mut texts = BTreeMap::new();
        for (domain, files) in self.changes() {
            let known = files.keys().filter_map(|name| self.known(&domain, name)?.content);
            texts.extend(known.filter_map(|print| Some((print, store.load(print)?))));
        }
        EarlierTexts { texts, commits: store.commits() }
    }

    /// Records what git replaced.
    ///
    /// # Errors
    /// When git does not answer.
    pub(in super::super) fn apply_move(
        &mut self,
        arrived: &[Located],
        texts: &EarlierTexts,
    ) -> Result<(), PolicyError> {
        let open_before = self.open_files();
        let mut changes = self.changes();
        self.add_trees(arrived.iter());
        self.add_arrivals(&mut changes, arrived);
        let (mut merged, mut edited, mut updated) = (BTreeMap::new(), Changes::new(), Changes::new());
        let mut known_originals: BTreeMap<AbsolutePath, Originals> = BTreeMap::new();
        for (domain, files) in changes {
            let base = self.base(&domain);
            if !known_originals.contains_key(&base) {
                known_originals.insert(base.clone(), Originals::read(self.situation, &base)?);
            }
            let Some(originals) = known_originals.get(&base) else { continue };
            let names: Vec<&str> = files.keys().map(String::as_str).collect();
            let theirs = originals.unchanged(self.situation.world, &base, &names)?;
            for (name, now) in files {
                let change = Change { domain: &domain, base: &base, name: &name };
                if let Some(twin) = self.twin(&domain, &name, &now) {
                    let key = (twin, domain.clone());
                    merged.entry(key).or_insert_with(BTreeMap::new).insert(name, now);
                } else if theirs.contains(&name)
                    || self.adds_nothing(&change, originals, texts)?
                    || (self.known(&domain, &name).is_none() && self.is_anothers(&change, &now)?)
                {
                    updated.entry(domain.clone()).or_default().insert(name, now);
                } else {
                    edited.entry(domain.clone()).or_default().insert(name, now);
                }
            }
        }
        for ((from, into), files) in merged {
            self.apply(LoopEvent::Merged { from, into, files });
        }
        self.apply_updates(updated);
        for (domain, files) in edited {
            self.apply(LoopEvent::Edited { domain, files, by: None });
        }
        self.note_put_away(open_before);
        self.forget_discarded()
    }

    /// The content of the edited files of domains in which something is open.
    fn open_files(&self) -> BTreeMap<String, PutAway> {
        let open = self.open_phases();
        let is_open = |name: &&String| open.iter().any(|open| open.domain == **name);
        let domains = self.state.domains.iter().filter(|(name, _)| is_open(name));
        let files = |known: &DomainState| {
            let edited = known.files.iter().filter(|(_, file)| !file.is_original());
            edited.map(|(name, file)| (name.clone(), file.content)).collect()
        };
        domains.map(|(name, known)| (name.clone(), files(known))).collect()
    }

    /// What git put away of open work is still open; what it brought back is here.
    fn note_put_away(&mut self, open_before: BTreeMap<String, PutAway>) {
        let mut changes: Vec<(String, PutAway)> = Vec::new();
        for (domain, known) in &self.state.domains {
            let mut away = known.elsewhere.clone();
            away.extend(open_before.get(domain).cloned().unwrap_or_default());
            let is_here = |name: &str, content: Option<Fingerprint>| {
                known.files.get(name).is_some_and(|file| file.content == content)
            };
            away.retain(|name, content| !is_here(name, *content));
            if away != known.elsewhere {
                changes.push((domain.clone(), away));
            }
        }
        for (domain, files) in changes {
            self.apply(LoopEvent::PutAway { domain, files });
        }
    }

    /// Forgets what was put away and is nowhere any more.
    fn forget_lost(&mut self) -> Result<(), PolicyError> {
        let world = self.situation.world;
        let away = self.state.domains.iter().filter(|(_, known)| !known.elsewhere.is_empty());
        let mut away = away.peekable();
        if away.peek().is_none() {
            return Ok(());
        }
        let commits = own_commits(self.situation, Kept::OnOtherBranches)?;
        let mut changes = Vec::new();
        for (domain, known) in away {
            let base = self.base(domain);
            let mut files = PutAway::new();
            for (name, content) in &known.elsewhere {
                for commit in &commits {
                    let path = base.join(name);
                    let text = text_in(world, &base, &format!("{commit}:./{name}"))?;
                    let print = text.map(|text| {
                        let bytes = text.as_bytes();
                        fingerprint(
                            world,
                            &SourceFile { path: &path, bytes, trivial: &self.settings.trivial },
                        )
                    });
                    if print == *content {
                        files.insert(name.clone(), *content);
                        break;
                    }
                }
            }
            if files != known.elsewhere {
                changes.push((domain.clone(), files));
            }
        }
        for (domain, files) in changes {
            self.apply(LoopEvent::PutAway { domain, files });
        }
        Ok(())
    }

    /// Adds files that came with git and are not in the loop, unless they are in it in another checkout.
    fn add_arrivals(&self, changes: &mut Changes, arrived: &[Located]) {
        for place in arrived {
            let Some((domain, name)) = self.domain_at(place) else { continue };
            if self.known(&domain.name, &name).is_some() {
                continue;
            }
            let path = self.base(&domain.name).join(&name);
            let Some(now) = self.read_file(&path, None) else { continue };
            // A new checkout has what was edited here.
            if place.tree.is_none() || self.twin(&domain.name, &name, &now).is_none() {
                changes.entry(domain.name.clone()).or_default().insert(name, now);
            }
        }
    }

    /// Whether a file that was not in the loop is as others wrote it: in a commit of theirs, however old, in another
    /// session, or before git put it away; or git put together what they wrote.
    fn is_anothers(&self, change: &Change<'_>, now: &FileState) -> Result<bool, PolicyError> {
        let (world, path) = (self.situation.world, change.base.join(change.name));
        if OtherSessions::read(self.situation)?.wrote(&path, now.content)
            || was_uncommitted(self.situation, &path, now.content)?
        {
            return Ok(true);
        }
        let newest = newest_of_others(self.situation, change.base)?;
        if is_in_history(world, change, &newest)? {
            return Ok(true);
        }
        // What this session committed meanwhile is not what was before.
        let base = known_commits(self.situation)?;
        let base = format!("{}:./{}", base.lines().next().unwrap_or_default(), change.name);
        let before = text_in(world, change.base, &base)?.unwrap_or_default();
        let Some(now) = world.read(&path, MOST_BYTES)? else { return Ok(false) };
        let mut theirs = Vec::new();
        for commit in newest.iter().take(MOST_COMPARED) {
            theirs.extend(text_in(world, change.base, &format!("{commit}:./{}", change.name))?);
        }
        Ok(puts_together(&before, &String::from_utf8_lossy(&now), &theirs))
    }

    /// The same domain in another checkout that has a file with this content.
    fn twin(&self, domain: &str, name: &str, now: &FileState) -> Option<String> {
        let has_it =
            |other: &&String| self.known(other, name).is_some_and(|known| known.content == now.content);
        self.twins(domain).find(has_it).cloned()
    }

    /// The same domain in other checkouts.
    fn twins<'s>(&'s self, domain: &'s str) -> impl Iterator<Item = &'s String> {
        let own = self.settings.domain(domain).map(|own| own.paths.clone());
        self.state.domains.keys().filter(move |other| {
            let paths = self.settings.domain(other).map(|other| &other.paths);
            **other != *domain && paths.is_some() && paths == own.as_ref()
        })
    }

    /// Whether all lines of a file were in it before, or are those of others: git put them together.
    fn adds_nothing(
        &self,
        change: &Change<'_>,
        originals: &Originals,
        texts: &EarlierTexts,
    ) -> Result<bool, PolicyError> {
        let Change { domain, base, name } = change;
        let world = self.situation.world;
        let before = self.known(domain, name).and_then(|known| texts.texts.get(&known.content?));
        let (Some(before), Some(now)) = (before, world.read(&base.join(name), MOST_BYTES)?) else {
            return Ok(false);
        };
        let mut originals_then = Vec::new();
        for commit in originals.commits.union(&texts.commits) {
            originals_then.extend(text_in(world, base, &format!("{commit}:./{name}"))?);
        }
        let (before, now) = (String::from_utf8_lossy(before), String::from_utf8_lossy(&now));
        Ok(puts_together(&before, &now, &originals_then))
    }

    /// What is nowhere any more is nobody's: work that was put away, and that of a checkout that was removed.
    pub(in super::super) fn forget_discarded(&mut self) -> Result<(), PolicyError> {
        self.forget_lost()?;
        let world = self.situation.world;
        let gone: Vec<String> = self
            .state
            .domains
            .keys()
            .filter(|name| world.stat(&self.base(name)).is_none())
            .cloned()
            .collect();
        if gone.is_empty() || !own_commits(self.situation, Kept::Anywhere)?.is_empty() {
            return Ok(());
        }
        for domain in gone {
            self.apply(LoopEvent::Discarded { domain });
        }
        Ok(())
    }
}

/// A file of a domain with new content.
struct Change<'a> {
    base: &'a AbsolutePath,
    name: &'a str,
    domain: &'a str,
}

/// Whether a text became another only by lines of these.
fn puts_together(before: &str, now: &str, theirs: &[String]) -> bool {
    let has = |line: &str| theirs.iter().any(|text| text.lines().any(|known| known == line));
    let everywhere = |line: &str| theirs.iter().all(|text| text.lines().any(|known| known == line));
    // What came was written by others, and what went was theirs, and is not in all they have.
    let came = surplus(now, before).into_iter().all(has);
    came && surplus(before, now).into_iter().all(|line| has(line) && !everywhere(line))
}

/// Whether a file was as it is now in the history of these commits.
fn is_in_history(world: &dyn World, change: &Change<'_>, commits: &[String]) -> Result<bool, PolicyError> {
    let path = change.base.join(change.name);
    if commits.is_empty() || world.stat(&path).is_none_or(|stat| stat.is_folder) {
        return Ok(false);
    }
    let blob = world.git(change.base, &["hash-object", "--no-filters", "--", change.name])?.text();
    let find = format!("--find-object={}", blob.unwrap_or_default().trim());
    let mut question = vec!["--no-replace-objects", "log", "--max-count=1", "--format=%H", find.as_str()];
    question.extend(commits.iter().map(String::as_str));
    question.extend(["--", change.name]);
    Ok(world.git(change.base, &question)?.text().is_some_and(|answer| !answer.trim().is_empty()))
}

/// The lines that a text has more often than another.
fn surplus<'t>(text: &'t str, other: &str) -> Vec<&'t str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in other.lines() {
        *counts.entry(line).or_default() += 1;
    }
    let is_more = |line: &&str| match counts.get_mut(*line) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    text.lines().filter(is_more).collect()
}

/// A file in a commit.
fn text_in(world: &dyn World, base: &AbsolutePath, blob: &str) -> Result<Option<String>, PolicyError> {
    Ok(world.git(base, &["--no-replace-objects", "cat-file", "blob", blob])?.text())
}
