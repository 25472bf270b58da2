//! Which rules a diff touches, and which no longer hold.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use flyball_core::text;
use flyball_knowledge::claim::{self, Demand};
use serde::Serialize;

use super::diff::{Change, ChangeKind, Diff, Gap};
use super::manifests::{self, Manifest};
use super::names::{self, Name};
use super::scopes::{self, Left};
use super::versions::{self, Changed};
use crate::commands::lint::git::Git;
use crate::commands::memory::statements::{RuleFile, Statement};

/// So many new folders are named.
const MOST_FOLDERS: usize = 10;
/// How many files of a new folder make it worth a rule file.
const MANY_FILES: usize = 3;

/// What was found.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    pub(super) base: String,
    /// The changed files.
    pub(super) files: Vec<String>,
    /// The rule files that cover one of them or name something that changed, the deepest first.
    pub(super) nodes: Vec<TouchedNode>,
    pub(super) stale: Vec<Stale>,
    /// New folders without a rule file of their own.
    pub(super) uncovered: Vec<String>,
    /// Why the branch was not compared with where it began, and what to do; `null` if it was.
    pub(super) unchecked: Option<Unchecked>,
}

/// What was not compared.
#[derive(Debug, Serialize)]
pub(super) struct Unchecked {
    pub(super) what: String,
    pub(super) fix: String,
}

/// A rule file that a diff touches.
#[derive(Debug, Serialize)]
pub(super) struct TouchedNode {
    pub(super) file: String,
    /// The changed files that it is the nearest for.
    pub(super) changed: Vec<String>,
    /// Its rules that name something that changed.
    pub(super) rules: Vec<TouchedRule>,
    /// Whether the diff changes the rule file itself.
    pub(super) is_updated: bool,
}

/// A rule that names something that changed.
#[derive(Debug, Serialize)]
pub(super) struct TouchedRule {
    pub(super) line: usize,
    pub(super) rule: String,
    /// The words that it names it by.
    pub(super) words: Vec<String>,
}

/// A rule that no longer holds.
#[derive(Debug, Serialize)]
pub(super) struct Stale {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) rule: String,
    pub(super) word: String,
    /// What is the matter with it.
    pub(super) what: String,
    pub(super) suggestion: String,
}

/// What a diff does to something that a rule names.
enum Effect {
    Touched,
    Stale { what: String, suggestion: String },
}

pub(super) struct Checker<'a> {
    git: &'a Git,
    diff: &'a Diff,
    /// The rule files: a name that only they have is gone.
    rule_files: BTreeSet<String>,
    /// What each folder's manifests declare, at the base and now.
    manifests: OnceCell<BTreeMap<String, (Manifest, Manifest)>>,
    versions: Vec<Changed>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(git: &'a Git, diff: &'a Diff, files: &[RuleFile]) -> Checker<'a> {
        Checker {
            git,
            diff,
            rule_files: files.iter().map(|file| file.name.clone()).collect(),
            manifests: OnceCell::new(),
            versions: versions::changed(diff),
        }
    }

    pub(super) fn check(&self, files: &[RuleFile]) -> Found {
        let (mut nodes, mut stale) = (Vec::new(), Vec::new());
        for file in files {
            let mut rules = Vec::new();
            for Left { pattern, what, suggestion } in scopes::left(file, self.diff) {
                let (line, word, rule) =
                    (pattern.line, pattern.glob.clone(), format!("paths: {}", pattern.glob));
                rules.push(TouchedRule { line, rule: rule.clone(), words: vec![word.clone()] });
                stale.push(Stale { file: file.name.clone(), line, rule, word, what, suggestion });
            }
            for statement in &file.statements {
                let touched = self.check_rule(file, statement, &mut stale);
                if !touched.is_empty() {
                    let (line, rule) = (statement.line, statement.short(100));
                    rules.push(TouchedRule { line, rule, words: touched });
                }
            }
            let changed = self.changed_files().filter(|path| nearest(path, files) == Some(file));
            let changed: Vec<String> = changed.map(str::to_owned).collect();
            if !changed.is_empty() || !rules.is_empty() {
                let is_updated = self.diff.changes.iter().any(|change| change.path == file.name);
                nodes.push(TouchedNode { file: file.name.clone(), changed, rules, is_updated });
            }
        }
        let depth = |name: &str| std::cmp::Reverse(name.matches('/').count());
        nodes.sort_by(|one, other| (depth(&one.file), &one.file).cmp(&(depth(&other.file), &other.file)));
        stale.sort_by(|one: &Stale, other| {
            (depth(&one.file), &one.file, one.line).cmp(&(depth(&other.file), &other.file, other.line))
        });
        Found {
            base: self.diff.shown.clone(),
            files: self.diff.changes.iter().map(|change| change.path.clone()).collect(),
            nodes,
            stale,
            uncovered: self.uncovered(files),
            unchecked: self.unchecked(),
        }
    }

    /// What was not compared. On the default branch, changes that are not committed are something to look at.
    fn unchecked(&self) -> Option<Unchecked> {
        let gap = self.diff.gap.as_ref()?;
        let is_enough = matches!(gap, Gap::OnTrunk(_)) && !self.diff.changes.is_empty();
        let (what, fix) = gap.describe();
        (!is_enough).then(|| Unchecked { what, fix: fix.to_owned() })
    }

    /// The changed files that are not rule files.
    fn changed_files(&self) -> impl Iterator<Item = &str> {
        let paths = self.diff.changes.iter().map(|change| change.path.as_str());
        paths.filter(|path| !self.rule_files.contains(*path))
    }

    /// The words by which a rule is touched; what no longer holds goes to `stale`.
    fn check_rule(&self, file: &RuleFile, statement: &Statement, stale: &mut Vec<Stale>) -> Vec<String> {
        let mut touched = Vec::new();
        let mut add = |word: &str, effect: Option<Effect>| match effect {
            None => {}
            Some(Effect::Touched) => touched.push(word.to_owned()),
            Some(Effect::Stale { what, suggestion }) => {
                touched.push(word.to_owned());
                stale.push(Stale {
                    file: file.name.clone(),
                    line: statement.line + line_of(&statement.text, word),
                    rule: statement.short(100),
                    word: word.to_owned(),
                    what,
                    suggestion,
                });
            }
        };
        for name in names::all(&statement.text) {
            let effect = match &name {
                Name::Path(path) => self.path(path, &file.folder),
                Name::Command(line) => self.command(line, &file.folder),
                Name::Symbol(symbol) => self.symbol(symbol, &file.folder),
            };
            // What is forbidden may well be gone.
            let is_forbidden = forbids(statement, &name);
            let effect = match effect {
                Some(_) if is_forbidden => Some(Effect::Touched),
                None if is_forbidden && self.brings_in(name.word(), &file.folder) => Some(Effect::Touched),
                effect => effect,
            };
            add(name.word(), effect);
        }
        if let Some((word, changed)) = versions::named_in(&statement.text, &self.versions) {
            let what = format!("{} is {} now, not {}", changed.name, changed.new, changed.old);
            let suggestion = format!("write {} {}", changed.name, changed.new);
            add(&word, Some(Effect::Stale { what, suggestion }));
        }
        touched
    }

    /// Whether the diff adds a name to code below the folder of a rule.
    fn brings_in(&self, name: &str, folder: &str) -> bool {
        let is_meant = |path: &str| {
            (folder.is_empty() || is_below(path, folder))
                && !is_prose(path)
                && !self.rule_files.contains(path)
        };
        let added = self.diff.added.iter().filter(|(path, _)| is_meant(path));
        let mut lines = added.flat_map(|(_, lines)| lines);
        // What git does not keep yet is in no diff.
        let new = self.diff.changes.iter().filter(|change| {
            change.kind == ChangeKind::Added
                && is_meant(&change.path)
                && !self.diff.added.contains_key(&change.path)
        });
        lines.any(|line| text::has_word(line, name))
            || new.into_iter().any(|change| text::has_word(&self.new_text(&change.path), name))
    }

    /// What the diff does to a file or folder; the rule is in this folder.
    fn path(&self, path: &str, folder: &str) -> Option<Effect> {
        let places = [joined(folder, path), path.trim_end_matches('/').to_owned()];
        let is_there = |files: &BTreeSet<String>| places.iter().any(|place| has_path(files, place));
        if is_there(&self.diff.now) {
            let is_changed = self.diff.changes.iter().any(|change| {
                places.iter().any(|place| change.path == *place || is_below(&change.path, place))
            });
            let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
            return (is_changed && is_file).then_some(Effect::Touched);
        }
        let old = places.iter().find(|place| has_path(&self.diff.before, place))?;
        Some(match self.moved_to(old) {
            Some(new) => {
                // As the rule writes it: from its own folder, or from the root.
                let is_from_folder = !folder.is_empty() && *old != path.trim_end_matches('/');
                let below = new.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
                let new = below.filter(|_| is_from_folder).unwrap_or(&new);
                Effect::Stale {
                    what: format!("`{path}` is `{new}` now"),
                    suggestion: format!("write `{new}`"),
                }
            }
            None => Effect::Stale {
                what: format!("`{path}` is gone"),
                suggestion: "remove the rule, or name what took its place".to_owned(),
            },
        })
    }

    /// Where a file, or all of a folder, was moved.
    fn moved_to(&self, old: &str) -> Option<String> {
        if let Some(new) = self.diff.new_place(old) {
            return Some(new.to_owned());
        }
        let moved: BTreeSet<String> = self
            .diff
            .changes
            .iter()
            .filter_map(|change| match &change.kind {
                ChangeKind::Renamed(from) => {
                    let rest = from.strip_prefix(old)?.strip_prefix('/')?;
                    change.path.strip_suffix(rest)?.strip_suffix('/').map(str::to_owned)
                }
                _ => None,
            })
            .collect();
        moved.into_iter().next()
    }

    /// What the diff does to a command: its script or target, and the files that it names.
    fn command(&self, line: &str, folder: &str) -> Option<Effect> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let script = script_of(&words).and_then(|script| self.script(script, folder));
        script.or_else(|| {
            let paths = words.iter().filter(|word| word.contains('/') && !word.starts_with('-'));
            paths.filter_map(|word| self.path(word.trim_start_matches("./"), folder)).next()
        })
    }

    fn script(&self, script: &str, folder: &str) -> Option<Effect> {
        let has = |pick: fn(&(Manifest, Manifest)) -> &Manifest| {
            self.around(folder)
                .find(|(_, both)| pick(both).scripts.contains(script))
                .map(|(name, _)| name.clone())
        };
        match (has(|(before, _)| before), has(|(_, now)| now)) {
            (Some(before), None) => Some(Effect::Stale {
                what: format!("`{script}` is no longer in `{before}`"),
                suggestion: self.successor(&before, script),
            }),
            (None, Some(_)) => Some(Effect::Touched),
            _ => None,
        }
    }

    /// What may have taken the place of a script: the one that is new in the same file, if it is one.
    fn successor(&self, manifest: &str, script: &str) -> String {
        let new: Vec<&String> = match self.manifests().get(manifest) {
            Some((before, now)) => now.scripts.difference(&before.scripts).collect(),
            None => Vec::new(),
        };
        match new.as_slice() {
            [one] => format!("write `{one}` instead of `{script}`, if that is its new name"),
            _ => "name the command that took its place, or remove the rule".to_owned(),
        }
    }

    /// What the diff does to a name in code.
    fn symbol(&self, symbol: &str, folder: &str) -> Option<Effect> {
        let package = self.around(folder).find_map(|(name, (before, now))| {
            (before.packages.contains(symbol) && !now.packages.contains(symbol)).then(|| name.clone())
        });
        let is_package = self.around(folder).any(|(_, (_, now))| now.packages.contains(symbol));
        if let Some(manifest) = package.filter(|_| !is_package) {
            return Some(Effect::Stale {
                what: format!("`{symbol}` is no longer in `{manifest}`"),
                suggestion: "name what took its place, or remove the rule".to_owned(),
            });
        }
        // A file without a slash, such as `Makefile`.
        if let Some(effect) = self.path(symbol, folder) {
            return Some(effect);
        }
        let last = symbol.rsplit(['.', ':']).next().filter(|last| last.len() > 2).unwrap_or(symbol);
        let has = |lines: &BTreeMap<String, Vec<String>>| {
            let code = lines.iter().filter(|(file, _)| !self.rule_files.contains(*file) && !is_prose(file));
            code.flat_map(|(_, lines)| lines).any(|line| text::has_word(line, last))
        };
        if !has(&self.diff.removed) {
            return None;
        }
        if has(&self.diff.added) || self.is_in_code(last) {
            return Some(Effect::Touched);
        }
        Some(Effect::Stale {
            what: format!("`{symbol}` is no longer in the code"),
            suggestion: "name what took its place, or remove the rule".to_owned(),
        })
    }

    /// Whether a word is in a file of the project that is not a text for people.
    fn is_in_code(&self, word: &str) -> bool {
        let query = ["grep", "--untracked", "-l", "-z", "-w", "-F", "-I", "-e", word, "--", "."];
        let Ok(found) = self.git.run(&query) else { return false };
        let mut files = found.split(|byte| *byte == 0).map(String::from_utf8_lossy);
        files.any(|file| {
            let below = file.strip_prefix(&self.diff.prefix).unwrap_or(&file);
            !file.is_empty() && !is_prose(below) && !self.rule_files.contains(below)
        })
    }

    /// What is declared in a folder and in those above it, nearest first, then anywhere else in the project.
    fn around(&self, folder: &str) -> impl Iterator<Item = (&String, &(Manifest, Manifest))> {
        let is_above = move |name: &str| {
            let home = name.rsplit_once('/').map_or("", |(home, _)| home);
            home.is_empty() || home == folder || is_below(folder, home) || is_below(home, folder)
        };
        self.manifests().iter().rev().filter(move |(name, _)| is_above(name))
    }

    /// The manifests that the diff changes, before and after it.
    fn manifests(&self) -> &BTreeMap<String, (Manifest, Manifest)> {
        self.manifests.get_or_init(|| {
            let is_one = |path: &&String| manifests::is_manifest(path);
            let all: BTreeSet<&String> = self.diff.before.union(&self.diff.now).filter(is_one).collect();
            let read = |path: &String| {
                let before = self.diff.old_text(self.git, path).unwrap_or_default();
                let is_changed = self.is_changed(path);
                let now = if is_changed { self.new_text(path) } else { before.clone() };
                (path.clone(), (manifests::read(path, &before), manifests::read(path, &now)))
            };
            all.into_iter().map(read).collect()
        })
    }

    fn is_changed(&self, path: &str) -> bool {
        let is_it = |change: &Change| match &change.kind {
            ChangeKind::Renamed(old) => change.path == path || old == path,
            _ => change.path == path,
        };
        self.diff.changes.iter().any(is_it)
    }

    fn new_text(&self, path: &str) -> String {
        let file = self.git.top.join(format!("{}{path}", self.diff.prefix));
        std::fs::read_to_string(file).unwrap_or_default()
    }

    /// New folders with code and without a rule file, in a project that has some.
    fn uncovered(&self, files: &[RuleFile]) -> Vec<String> {
        if files.is_empty() {
            return Vec::new();
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for change in &self.diff.changes {
            let is_new = matches!(change.kind, ChangeKind::Added) && !is_prose(&change.path);
            let Some((folder, _)) = change.path.rsplit_once('/').filter(|_| is_new) else { continue };
            // The topmost folder that was not there before.
            let tops = folder.match_indices('/').filter_map(|(at, _)| folder.get(..at)).chain([folder]);
            let top = tops.into_iter().find(|top| !has_path(&self.diff.before, top));
            if let Some(top) = top.filter(|top| !top.split('/').any(|part| part.starts_with('.'))) {
                *counts.entry(top).or_default() += 1;
            }
        }
        let has_node =
            |folder: &str| files.iter().any(|file| file.folder == folder || is_below(&file.folder, folder));
        let many = counts.into_iter().filter(|(folder, files)| *files >= MANY_FILES && !has_node(folder));
        many.map(|(folder, _)| folder.to_owned()).take(MOST_FOLDERS).collect()
    }
}

/// Whether a rule forbids a name in code: files are renamed, but a package that nobody may use is gone for good.
fn forbids(statement: &Statement, name: &Name) -> bool {
    let Name::Symbol(symbol) = name else { return false };
    let claims = claim::read(&statement.lead, &statement.text, &|_| false);
    claims
        .iter()
        .any(|claim| claim.demand == Demand::Forbidden && claim.code.trim_end_matches("()") == symbol)
}

/// The rule file nearest to a path.
fn nearest<'a>(path: &str, files: &'a [RuleFile]) -> Option<&'a RuleFile> {
    // Of several in one folder, the first is the one that people share.
    files.iter().rev().filter(|file| file.covers(path)).max_by_key(|file| file.folder.len())
}

impl PartialEq for RuleFile {
    fn eq(&self, other: &RuleFile) -> bool {
        self.name == other.name
    }
}

/// The script that a command line runs: `npm run lint`, `make gen`, `uv run poe test`.
fn script_of<'a>(words: &[&'a str]) -> Option<&'a str> {
    let (first, rest) = words.split_first()?;
    let mut plain = rest.iter().copied().filter(|word| !word.starts_with('-') && !word.contains('='));
    match *first {
        "npm" | "bun" | "deno" => match plain.next()? {
            "run" | "run-script" | "task" => plain.next(),
            name @ ("test" | "start" | "stop") => Some(name),
            _ => None,
        },
        "pnpm" | "yarn" | "composer" | "poetry" | "uv" | "pdm" | "hatch" | "rye" | "mise" | "pixi" => {
            match plain.next()? {
                "run" | "run-script" | "task" | "r" => match plain.next()? {
                    "poe" | "task" => plain.next(),
                    name => Some(name),
                },
                name => Some(name),
            }
        }
        "make" | "gmake" | "just" | "task" | "poe" => plain.next(),
        _ => None,
    }
}

fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether a file or folder is among these files; a glob, whether it matches one.
fn has_path(files: &BTreeSet<String>, path: &str) -> bool {
    if path.contains(['*', '?', '[']) {
        return files.iter().any(|file| fast_glob::glob_match(path, file));
    }
    let folder = format!("{path}/");
    files.contains(path) || files.range(folder.clone()..).next().is_some_and(|file| file.starts_with(&folder))
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a file is a text for people, in which a name proves nothing.
fn is_prose(path: &str) -> bool {
    [".md", ".mdx", ".rst", ".txt", ".adoc"].iter().any(|ending| path.ends_with(ending))
}

/// How many lines below the first one a word is.
fn line_of(text: &str, word: &str) -> usize {
    text.lines().position(|line| line.to_lowercase().contains(&word.to_lowercase())).unwrap_or(0)
}
