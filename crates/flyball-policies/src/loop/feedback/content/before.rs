//! What files were before the session first edited them. What git has may be older: people have changes that are not
//! committed, and there may be no git at all.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::event::{EventData, Tool};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::time::Time;
use flyball_core::walk;
use flyball_core::workshop::Workshop;
use flyball_core::world::real_root;

use super::base::{Originals, is_noted};
use super::{Changes, Checkouts, SourceFile, fingerprint, ignored};
use crate::r#loop::events::edited_paths;
use crate::r#loop::feedback::session::Session;
use crate::r#loop::feedback::settings::{Settings, Trivial};
use crate::r#loop::feedback::state::{FileState, Fingerprint, State};
use crate::worktree_updates::updates_worktree;

/// Longer files are not stored.
const MOST_BYTES: u64 = 1024 * 1024;
/// How many files of one event are stored.
const MOST_FILES: usize = 200;
/// What was not committed and not in the loop before git replaced files, line by line.
const UNCOMMITTED: &str = "loop.feedback.uncommitted";
const MOST_UNCOMMITTED: usize = 400;
/// What is stored of a file that is not there.
const GONE: &str = "gone";

/// Stores the files as they are before something may edit them for the first time: when the session begins, those with
/// changes that are not committed; before a call, those that it names; before git replaces files, those of the loop.
pub(in super::super) fn store(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<(), PolicyError> {
    let paths = paths(situation)?;
    let moves = situation.effective_line().is_some_and(updates_worktree);
    if paths.is_empty() && !moves {
        return Ok(());
    }
    let state: State = situation.recall()?;
    let settings = situation.config::<Settings>()?.with_trees(&state.trees);
    let checkouts = Checkouts::new(situation.world);
    let store = Store { situation, workshop, trivial: &settings.trivial };
    let paths = if checkouts.has_git() { paths } else { with_files_of_folders(situation, paths) };
    for path in paths.iter().take(MOST_FILES) {
        if !checkouts.has_git() {
            store.absence(path);
        }
        if !checkouts.is_covered(&settings, path) || is_in_loop(&state, &settings, path, situation) {
            continue;
        }
        store.first(path);
    }
    if moves && !state.domains.is_empty() {
        let root = real_root(situation.world);
        match Originals::read(situation, &root) {
            Ok(originals) => store.keep_commits(&originals),
            // Then what git brings is compared with less, and more of it is looked at.
            Err(_) => store.keep_commits(&Originals::default()),
        }
        for (name, known) in &state.domains {
            let tree = settings.domain(name).and_then(|domain| domain.tree.as_ref()).unwrap_or(&root);
            for file in known.files.keys().take(MOST_FILES) {
                store.text(&tree.join(file));
            }
        }
    }
    Ok(())
}

/// The files that may be edited after this event.
fn paths(situation: &Situation<'_>) -> Result<Vec<AbsolutePath>, PolicyError> {
    match &situation.event.happening {
        EventData::BeforeTool(call)
            if matches!(call.tool, Tool::Edit(_) | Tool::Shell { .. } | Tool::Mcp { .. }) =>
        {
            let edits = situation.edits()?.iter();
            Ok(edits.flat_map(|edit| edited_paths(situation, edit)).collect())
        }
        EventData::SessionStart { .. } | EventData::PromptSubmit { .. } if !is_noted(situation) => {
            Ok(situation.changed_files(Time::default())?.shown)
        }
        _ => Ok(Vec::new()),
    }
}

/// These paths, and the files in those that are folders: of a folder that is moved or deleted, only git would still know.
fn with_files_of_folders(situation: &Situation<'_>, paths: Vec<AbsolutePath>) -> Vec<AbsolutePath> {
    let world = situation.world;
    let is_folder = |path: &AbsolutePath| world.stat(path).is_some_and(|stat| stat.is_folder);
    let files = |path: AbsolutePath| {
        let files = if is_folder(&path) { walk::files(world, &path).unwrap_or_default() } else { Vec::new() };
        files.into_iter().chain([path])
    };
    paths.into_iter().flat_map(files).collect()
}

/// Notes the files with changes that are not committed and that are not in the loop, before git may put them away: when
/// it brings them back, they are not this session's.
pub(in super::super) fn note_uncommitted(situation: &Situation<'_>) -> Result<(), PolicyError> {
    if !situation.effective_line().is_some_and(updates_worktree) {
        return Ok(());
    }
    let state: State = situation.recall()?;
    let settings = situation.config::<Settings>()?.with_trees(&state.trees);
    let checkouts = Checkouts::new(situation.world);
    let known = situation.memory.read(UNCOMMITTED)?.unwrap_or_default();
    let mut lines: Vec<String> = known.lines().map(str::to_owned).collect();
    for path in situation.changed_files(Time::default())?.shown.iter().take(MOST_FILES) {
        if !checkouts.is_covered(&settings, path) || is_in_loop(&state, &settings, path, situation) {
            continue;
        }
        if let Some(bytes) = situation.world.read(path, MOST_BYTES)? {
            let file = SourceFile { path, bytes: &bytes, trivial: &settings.trivial };
            let line = format!("{} {path}", fingerprint(situation.world, &file));
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    let lines = lines.split_off(lines.len().saturating_sub(MOST_UNCOMMITTED)).join("\n");
    if lines == known { Ok(()) } else { situation.memory.write(UNCOMMITTED, lines) }
}

/// Whether a file was this before git put it away.
pub(super) fn was_uncommitted(
    situation: &Situation<'_>,
    path: &AbsolutePath,
    content: Option<Fingerprint>,
) -> Result<bool, PolicyError> {
    let Some(content) = content else { return Ok(false) };
    let line = format!("{content} {path}");
    Ok(situation.memory.read(UNCOMMITTED)?.is_some_and(|known| known.lines().any(|known| known == line)))
}

/// Whether a file was edited in this session, so that what it is now is not what it was before.
fn is_in_loop(state: &State, settings: &Settings, path: &AbsolutePath, situation: &Situation<'_>) -> bool {
    let root = real_root(situation.world);
    state.domains.iter().any(|(name, known)| {
        let tree = settings.domain(name).and_then(|domain| domain.tree.as_ref()).unwrap_or(&root);
        path.strip_folder(tree).is_some_and(|file| known.files.contains_key(file))
    })
}

/// What is stored of this session's files.
pub(in super::super) struct Store<'a> {
    pub(in super::super) situation: &'a Situation<'a>,
    pub(in super::super) workshop: &'a dyn Workshop,
    pub(in super::super) trivial: &'a [Trivial],
}

impl Store<'_> {
    fn first(&self, path: &AbsolutePath) {
        let key = self.key(&["loop first", path]);
        if self.workshop.cached_result(&key).is_none() {
            // An empty file has nothing to review, as if it were not there.
            let is_there = self.workshop.stat(path).is_some_and(|stat| stat.bytes > 0);
            let known =
                if is_there { self.text(path).map(|print| print.to_string()) } else { Some(GONE.to_owned()) };
            if let Some(known) = known {
                self.workshop.cache_result(&key, known.as_bytes());
            }
        }
    }

    /// Stores the outermost folder of a path that is not there: nothing below it is.
    fn absence(&self, path: &AbsolutePath) {
        let absent = path.ancestors().take_while(|it| self.workshop.stat(it).is_none());
        if let Some(folder) = absent.last() {
            self.first(&folder);
        }
    }

    /// Stores the text of a file.
    fn text(&self, path: &AbsolutePath) -> Option<Fingerprint> {
        let bytes = self.workshop.read(path, MOST_BYTES).ok()??;
        let print = fingerprint(self.workshop, &SourceFile { path, bytes: &bytes, trivial: self.trivial });
        self.workshop.cache_result(&self.text_key(print), &bytes);
        Some(print)
    }

    /// Stores which commits of others are in the history before git replaces files.
    fn keep_commits(&self, originals: &Originals) {
        let commits: Vec<&str> =
            originals.commits.iter().map(String::as_str).filter(|it| *it != "HEAD").collect();
        self.workshop.cache_result(&self.key(&["loop commits"]), commits.join("\n").as_bytes());
    }

    /// Those that were stored last.
    pub(super) fn commits(&self) -> BTreeSet<String> {
        let text = self.workshop.cached_result(&self.key(&["loop commits"])).unwrap_or_default();
        String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
    }

    /// The text with a fingerprint, if it was stored.
    pub(super) fn load(&self, print: Fingerprint) -> Option<Vec<u8>> {
        self.workshop.cached_result(&self.text_key(print))
    }

    /// Whether a file was this before the session edited it; `None` in place of the content if it was not there.
    fn was_first(&self, path: &AbsolutePath, content: Option<Fingerprint>) -> bool {
        let known = |path: &AbsolutePath| self.workshop.cached_result(&self.key(&["loop first", path]));
        match (known(path), content) {
            (Some(known), Some(content)) => known == content.to_string().as_bytes(),
            (Some(known), None) => known == GONE.as_bytes(),
            (None, Some(_)) => false,
            (None, None) => path.ancestors().skip(1).any(|it| known(&it).as_deref() == Some(GONE.as_bytes())),
        }
    }

    fn text_key(&self, print: Fingerprint) -> String {
        self.key(&["loop text", &print.to_string()])
    }

    fn key(&self, parts: &[&str]) -> String {
        let session = self.situation.event.session.as_str();
        self.workshop.hash([&[session][..], parts].concat().join("\0").as_bytes()).as_str().to_owned()
    }
}

impl Session<'_> {
    /// The files in open domains that are as they were before the session, or as others made them.
    ///
    /// # Errors
    /// When git does not answer.
    pub(in super::super) fn find_unchanged(&self, workshop: &dyn Workshop) -> Result<Changes, PolicyError> {
        let open: BTreeSet<String> = self.open_phases().into_iter().map(|open| open.domain).collect();
        let store = Store { situation: self.situation, workshop, trivial: &self.settings.trivial };
        let mut found = Changes::new();
        // git is asked once in each checkout, and not for each domain.
        let mut to_ask: BTreeMap<AbsolutePath, Vec<(&String, &String, &FileState)>> = BTreeMap::new();
        for (domain, known) in self.state.domains.iter().filter(|(name, _)| open.contains(*name)) {
            let base = self.base(domain);
            if self.situation.world.stat(&base).is_none() {
                continue;
            }
            for (file, now) in &known.files {
                if store.was_first(&base.join(file), now.content) {
                    found.entry(domain.clone()).or_default().insert(file.clone(), now.clone());
                } else {
                    to_ask.entry(base.clone()).or_default().push((domain, file, now));
                }
            }
        }
        for (base, files) in to_ask {
            let names: Vec<&str> = files.iter().map(|(_, file, _)| file.as_str()).collect();
            let mut unchanged = self.originals_among(&base, &names)?;
            unchanged.extend(ignored::ignored_before(self.situation, &base, &names)?);
            for (domain, file, now) in files.into_iter().filter(|(_, file, _)| unchanged.contains(*file)) {
                found.entry(domain.clone()).or_default().insert(file.clone(), now.clone());
            }
        }
        Ok(found)
    }

    fn originals_among(&self, base: &AbsolutePath, files: &[&str]) -> Result<BTreeSet<String>, PolicyError> {
        let world = self.situation.world;
        let unchanged = Originals::read(self.situation, base)?.unchanged(world, base, files)?;
        Ok(if world.unknown_fact().is_none() { unchanged } else { BTreeSet::new() })
    }
}
