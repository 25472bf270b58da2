//! What git ignores by a rule that is new since the session began. Such a rule hides nothing.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::time::Time;
use flyball_core::world::ChangedFiles;
use serde::{Deserialize, Serialize};

use super::base::Originals;
use super::{calls, links};
use flyball_core::walk::{self, Walk};

/// The rules that no commit has, as the session began.
const RULES: &str = "loop.feedback.ignore-rules";
/// Longer files of rules are not noted.
const MOST_BYTES: u64 = 64 * 1024;
/// How many of them are.
const MOST_FILES: usize = 32;
/// How many files git is asked about at once.
const AT_ONCE: usize = 400;
/// Where git looks for rules of the user, and for what says that they are elsewhere.
const OF_USER: [&str; 3] = ["~/.config/git/ignore", "~/.config/git/config", "~/.gitconfig"];

#[derive(Debug, Default, Serialize, Deserialize)]
struct Noted {
    /// The file that `core.excludesFile` names.
    excludes: Option<AbsolutePath>,
    texts: BTreeMap<AbsolutePath, String>,
}

/// Notes the rules that no commit has, and the links that are there.
pub(super) fn note(situation: &Situation<'_>) -> Result<(), PolicyError> {
    let world = situation.world;
    let root = world.project_root();
    if !super::trees::has_git(world, root) {
        return Ok(());
    }
    let changed = situation.changed_files(Time::default())?;
    links::begin(situation, &changed.links)?;
    let question = ["config", "--type=path", "--get", "core.excludesFile"];
    let excludes = world.git(root, &question)?.text();
    let excludes = excludes.map(|path| world.real_path(root, path.trim_end_matches('\n')));
    let of_user = excludes.clone().into_iter().chain(of_user(world));
    let is_uncommitted = |path: &&AbsolutePath| {
        !is_ignore_file(path) || changed.shown.contains(path) || changed.ignored.contains(path)
    };
    let files = changed.ignore_rules.iter().filter(is_uncommitted).cloned().chain(of_user);
    let text = |path: AbsolutePath| Some((read(world, &path)?, path)).map(|(text, path)| (path, text));
    let texts = files.filter_map(text).take(MOST_FILES).collect();
    let noted = serde_json::to_string(&Noted { excludes, texts }).unwrap_or_default();
    situation.memory.write(RULES, noted)
}

fn of_user(world: &dyn World) -> impl Iterator<Item = AbsolutePath> {
    OF_USER.iter().map(move |path| world.real_path(world.project_root(), path))
}

fn is_ignore_file(path: &AbsolutePath) -> bool {
    path.ends_with("/.gitignore")
}

fn read(world: &dyn World, path: &AbsolutePath) -> Option<String> {
    let bytes = world.read(path, MOST_BYTES).ok()??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// What changed and is ignored by a rule that was not there when the session began.
///
/// # Errors
/// When git does not answer, or there is too much.
pub(super) fn newly_ignored(
    situation: &Situation<'_>,
    tree: &AbsolutePath,
    changed: &ChangedFiles,
    since: Time,
) -> Result<Walk, PolicyError> {
    let mut found = Walk::default();
    let Some(began) = calls::began(situation)? else { return Ok(found) };
    let world = situation.world;
    let noted = noted(situation)?;
    let sources = changed.ignore_rules.iter().cloned().chain(noted.excludes.clone()).chain(of_user(world));
    let mut sources = sources.collect::<Vec<_>>().into_iter();
    // The usual case: no process is started.
    if !sources.any(|source| is_new(world, &source, began)) {
        return Ok(found);
    }
    let mut rules = Rules { situation, began, noted, commits: None, known: BTreeMap::new() };
    let entries = changed.ignored.iter().filter(|path| !walk::is_foreign(world, tree, path));
    let mut by_checkout: BTreeMap<AbsolutePath, Vec<&AbsolutePath>> = BTreeMap::new();
    for path in entries {
        let is_top = |folder: &AbsolutePath| world.stat(&folder.join(".git")).is_some();
        let Some(top) = path.folder().ancestors().find(is_top) else { continue };
        by_checkout.entry(top).or_default().push(path);
    }
    for (top, paths) in by_checkout {
        let hidden = rules.hidden(&top, &paths)?;
        // What git ignores for another reason is not known to be old.
        for path in paths.into_iter().filter(|path| hidden.get(*path).copied().unwrap_or(true)).cloned() {
            if world.stat(&path).is_some_and(|stat| stat.is_folder) {
                let inside = walk::walk(world, &path);
                found.is_cut |= inside.is_cut;
                found.links.extend(inside.links);
                found.files.extend(inside.files.into_iter().filter(|file| is_new(world, file, since)));
            } else {
                found.files.push(path);
            }
        }
    }
    Ok(found)
}

/// Those of these files of a checkout that git ignored before the session, and still does.
///
/// # Errors
/// When git does not answer.
pub(super) fn ignored_before(
    situation: &Situation<'_>,
    base: &AbsolutePath,
    names: &[&str],
) -> Result<BTreeSet<String>, PolicyError> {
    let world = situation.world;
    let mut ignored = BTreeSet::new();
    let is_top = |folder: &AbsolutePath| world.stat(&folder.join(".git")).is_some();
    let (Some(began), Some(top)) = (calls::began(situation)?, base.ancestors().find(is_top)) else {
        return Ok(ignored);
    };
    // git does not look behind a link.
    let is_here = |path: &AbsolutePath| world.real_path(&path.folder(), ".") == path.folder();
    let paths: Vec<AbsolutePath> = names.iter().map(|name| base.join(name)).filter(is_here).collect();
    let paths: Vec<&AbsolutePath> = paths.iter().collect();
    let noted = noted(situation)?;
    let mut rules = Rules { situation, began, noted, commits: None, known: BTreeMap::new() };
    for (path, is_new) in rules.hidden(&top, &paths)? {
        if !is_new {
            ignored.extend(path.strip_folder(base).map(str::to_owned));
        }
    }
    Ok(ignored)
}

fn noted(situation: &Situation<'_>) -> Result<Noted, PolicyError> {
    let noted = situation.memory.read(RULES)?;
    Ok(noted.and_then(|noted| serde_json::from_str(&noted).ok()).unwrap_or_default())
}

/// Whether a file changed at or after a time.
fn is_new(world: &dyn World, path: &AbsolutePath, since: Time) -> bool {
    world.stat(path).is_some_and(|stat| stat.changed >= since)
}

/// What git ignores, and what it ignored when the session began.
struct Rules<'a> {
    situation: &'a Situation<'a>,
    began: Time,
    noted: Noted,
    /// The commits that are not this session's work.
    commits: Option<BTreeSet<String>>,
    /// The texts of files of rules that are not this session's work.
    known: BTreeMap<AbsolutePath, Vec<String>>,
}

/// The rule by which git ignores something.
struct Rule {
    source: AbsolutePath,
    /// The number of its line.
    number: usize,
}

impl Rules<'_> {
    /// Those of these paths that a rule hides, and whether it is new.
    fn hidden(
        &mut self,
        top: &AbsolutePath,
        paths: &[&AbsolutePath],
    ) -> Result<BTreeMap<AbsolutePath, bool>, PolicyError> {
        let mut hidden = BTreeMap::new();
        for paths in paths.chunks(AT_ONCE) {
            let names: Vec<&str> = paths.iter().filter_map(|path| path.strip_folder(top)).collect();
            let question = [&["check-ignore", "--verbose", "--"][..], &names].concat();
            let answer = self.situation.world.git(top, &question)?.text().unwrap_or_default();
            for line in answer.lines() {
                let Some((rule, name)) = line.rsplit_once('\t') else { continue };
                let Some((source, number, pattern)) = read_rule(rule) else { continue };
                // An exception hides nothing.
                if !pattern.starts_with('!') {
                    let source = self.situation.world.real_path(top, source);
                    hidden.insert(top.join(name), self.is_new_rule(top, &Rule { source, number })?);
                }
            }
        }
        Ok(hidden)
    }

    fn is_new_rule(&mut self, top: &AbsolutePath, rule: &Rule) -> Result<bool, PolicyError> {
        let world = self.situation.world;
        if self.is_cache(&rule.source) {
            return Ok(false);
        }
        if !is_new(world, &rule.source, self.began) {
            // An old file whose rules count only now is new, too.
            let is_known = is_ignore_file(&rule.source)
                || rule.source.ends_with("/info/exclude")
                || self.noted.excludes.as_ref() == Some(&rule.source)
                || of_user(world).any(|path| path == rule.source);
            return Ok(!is_known);
        }
        let now = read(world, &rule.source).unwrap_or_default();
        let before = self.texts_before(top, &rule.source)?;
        let line = rule.number.checked_sub(1).and_then(|index| now.lines().nth(index));
        Ok(!line.is_some_and(|line| before.iter().any(|before| had_rule(before, &now, line))))
    }

    /// Whether a file of rules is that of a cache that ignores itself.
    fn is_cache(&self, source: &AbsolutePath) -> bool {
        let folder = source.folder();
        let name = folder.rsplit('/').next().unwrap_or_default();
        let text = read(self.situation.world, source).unwrap_or_default();
        let mut rules = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        name.starts_with('.') && is_ignore_file(source) && rules.next() == Some("*") && rules.next().is_none()
    }

    /// The texts of a file of rules when the session began, and as others made it.
    fn texts_before(
        &mut self,
        top: &AbsolutePath,
        source: &AbsolutePath,
    ) -> Result<Vec<String>, PolicyError> {
        if let Some(known) = self.known.get(source) {
            return Ok(known.clone());
        }
        let mut texts: Vec<String> = self.noted.texts.get(source).cloned().into_iter().collect();
        if let Some(name) = source.strip_folder(top) {
            for commit in self.commits()? {
                let object = format!("{commit}:{name}");
                let question = ["--no-replace-objects", "cat-file", "blob", object.as_str()];
                texts.extend(self.situation.world.git(top, &question)?.text());
            }
        }
        self.known.insert(source.clone(), texts.clone());
        Ok(texts)
    }

    fn commits(&mut self) -> Result<BTreeSet<String>, PolicyError> {
        if self.commits.is_none() {
            let root = flyball_core::world::real_root(self.situation.world);
            self.commits = Some(Originals::read(self.situation, &root)?.commits);
        }
        Ok(self.commits.clone().unwrap_or_default())
    }
}

/// The file, the number of the line and the pattern, of `file:number:pattern`; `None` if the name of the file is quoted.
fn read_rule(rule: &str) -> Option<(&str, usize, &str)> {
    let ends = rule.match_indices(':').map(|(at, _)| at);
    let mut rules = ends.filter_map(|at| {
        let (number, pattern) = rule.get(at + 1..)?.split_once(':')?;
        Some((rule.get(..at)?, number.parse().ok()?, pattern))
    });
    rules.next().filter(|(source, ..)| !source.is_empty() && !source.starts_with('"'))
}

/// Whether a file had a rule already. Where it has exceptions, all that it had must still be there: without an exception,
/// an old rule hides more.
fn had_rule(before: &str, now: &str, rule: &str) -> bool {
    let mut after = now.lines();
    let has_exceptions = before.lines().any(|line| line.starts_with('!'));
    let mut is_extended = || before.lines().all(|line| after.any(|it| it == line));
    // git leaves blanks at the end of a rule out.
    before.lines().any(|line| line.trim_end() == rule.trim_end()) && (!has_exceptions || is_extended())
}

#[cfg(test)]
mod tests {
    use super::{had_rule, read_rule};

    #[test]
    fn a_rule_is_read_from_what_git_says() {
        let cases = [
            (".gitignore:3:*.py", Some((".gitignore", 3, "*.py"))),
            ("a:b/.gitignore:12:x:1:y", Some(("a:b/.gitignore", 12, "x:1:y"))),
            (".gitignore:4:!a", Some((".gitignore", 4, "!a"))),
            ("\"a\\tb/.gitignore\":1:x", None),
            ("::", None),
        ];
        for (line, expected) in cases {
            assert_eq!(read_rule(line), expected, "{line}");
        }
    }

    #[test]
    fn an_old_rule_hides_nothing_more() {
        let cases = [
            ("dist/\n", "dist/\nsrc/x\n", "dist/", true),
            ("dist/\n", "dist/\nsrc/x\n", "src/x", false),
            ("*.py  \n", "*.py\n", "*.py", true),
            ("a/*\n!a/b\n", "a/*\n!a/b\nc\n", "a/*", true),
            ("a/*\n!a/b\n", "a/*\n", "a/*", false),
            ("a/*\n!a/b\n", "!a/b\na/*\n", "a/*", false),
            ("", "x\n", "x", false),
        ];
        for (before, now, pattern, expected) in cases {
            assert_eq!(had_rule(before, now, pattern), expected, "{before:?} {now:?} {pattern}");
        }
    }
}
