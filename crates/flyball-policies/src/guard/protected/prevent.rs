//! Judges a call before it is made: what it would do to protected files.

use std::collections::BTreeMap;

use flyball_core::event::Change;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::text::Words;
use flyball_core::verdict::{Reason, Subject, Verdict};
use flyball_programs::CONFIGURED;

use super::extent::{Extent, MOST_BYTES};
use super::find::ProtectedProject;
use super::names::ProtectedKind;
use super::watch::Watched;
use crate::guard::granted::judge_the_rest;
use crate::guard::touch::{Location, Touch, TouchKind, names_in, strictest, touches};
use crate::shell_word::path_word;

/// Whether a program reads configs and does not change them: one that has a config of its own, or a
/// job that has one (`cargo clippy`).
fn is_checker(name: &str) -> bool {
    // `flyball restore` only restores approved content; `guard.self` judges flyball's other commands.
    name == "flyball" || CONFIGURED.binary_search(&name).is_ok()
}

pub(super) fn judge(
    situation: &Situation<'_>,
    project: &ProtectedProject<'_>,
) -> Result<Verdict, PolicyError> {
    let verdict = judge_files(situation, project)?;
    judge_the_rest(situation, verdict, |allowed| judge_files(situation, &project.without(allowed)))
}

fn judge_files(situation: &Situation<'_>, project: &ProtectedProject<'_>) -> Result<Verdict, PolicyError> {
    let mut verdict = Verdict::silent();
    // A call may mention one file and write to another: the strictest counts, not the first.
    let found = touches(situation)?.iter().filter_map(|touch| Some((touch, find_protected(touch, project)?)));
    if let Some((touch, found)) = strictest(found, |(touch, _)| touch.kind.is_sure()) {
        verdict.join(touch_verdict(touch, &found, project));
    }
    if let Some((path, part)) = changed_part(situation, project)? {
        verdict.join(part_verdict(&path, part));
    } else if let Some(path) = perhaps_changed_part(situation, project)? {
        verdict.join(perhaps_verdict(&path, project));
    }
    Ok(verdict)
}

/// A protected file that a touch reaches.
struct ProtectedFile {
    path: Option<AbsolutePath>,
    name: String,
    kind: ProtectedKind,
}

fn find_protected(touch: &Touch, project: &ProtectedProject<'_>) -> Option<ProtectedFile> {
    match &touch.location {
        Location::Path(path) => at_path(path, &touch.kind, project),
        Location::Pattern(pattern) => at_pattern(pattern, &touch.kind, project),
        Location::Text(text) => find_in_text(text, project),
    }
}

fn at_path(path: &AbsolutePath, how: &TouchKind, project: &ProtectedProject<'_>) -> Option<ProtectedFile> {
    if project.is_allowed(path) {
        return None;
    }
    // The root itself has no relative path.
    let relative = project.relative(path).unwrap_or_default();
    if let Some(what) = project.protection.find_kind(relative).filter(|_| !relative.is_empty()) {
        let is_free = matches!(how, TouchKind::PassedTo(words) if is_checked_by(words, relative));
        // flyball's own files are judged by `guard.self`.
        let is_own = project.own_files().iter().any(|own| path.is_in(own));
        return (!is_free && !is_own).then(|| ProtectedFile {
            path: Some(path.clone()),
            name: relative.to_owned(),
            kind: what,
        });
    }
    if !how.affects_all_below() {
        return None;
    }
    // Deleting or moving a folder affects the protected files in it.
    let below = project.find_below(path, |_| true)?;
    let name = project.relative(&below)?.to_owned();
    let what = project.protection.find_kind(&name)?;
    Some(ProtectedFile { path: Some(below), name, kind: what })
}

/// Programs that only start the one that is named behind them.
const STARTERS: Words = Words(
    "npx|bunx|pnpx|uvx|npm|pnpm|yarn|bun|uv|poetry|pipenv|pipx|hatch|pdm|rye|bundle|python|python3|composer|mise|php|deno|\
     cargo|go|dotnet|node|just|make|tox|nox|corepack|rushx|lerna|nx|turbo",
);
/// Words between a starter and what it starts.
const VERBS: Words =
    Words("run|exec|x|dlx|tool|-m|--|vendor/bin|-y|--yes|-s|--silent|-q|--quiet|run-script|workspace");

/// Whether the program that a command really runs is a checker: `ruff`, `npx eslint`, `uv run mypy`. A word
/// elsewhere in it says nothing.
fn runs_checker(words: &[&str]) -> bool {
    let plain = |word: &str| {
        let name = word.rsplit('/').next().unwrap_or(word);
        name.split('@').next().unwrap_or(name).to_owned()
    };
    let mut rest = words.iter();
    let Some(first) = rest.next().map(|word| plain(word)) else { return false };
    if is_checker(&first) {
        return true;
    }
    STARTERS.contains(&first)
        && rest.find(|word| !VERBS.contains(word)).is_some_and(|word| is_checker(&plain(word)))
}

/// The words of a line that may become the content of a file: those of checkers do not.
fn written_words(situation: &Situation<'_>) -> String {
    let Some(line) = situation.effective_line() else { return String::new() };
    let mut text = String::new();
    for command in &line.script.commands {
        let mut words: Vec<&str> = vec![command.program_name().unwrap_or_default()];
        words.extend(command.arguments.iter().map(|word| word.text.as_deref().unwrap_or(&word.raw)));
        if runs_checker(&words) {
            continue;
        }
        let targets = command.redirects.iter().map(|it| it.target.text.as_deref().unwrap_or(&it.target.raw));
        for word in words.into_iter().chain(targets).chain(command.input.as_deref()) {
            text.push_str(word);
            text.push('\n');
        }
    }
    text
}

/// Whether a command reads a config for its check and does not write to it: `ruff check --config ruff.toml`.
fn is_checked_by(words: &[String], config: &str) -> bool {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let by_checker = runs_checker(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let at = words.iter().position(|word| name(word) == name(config));
    let before = at.and_then(|at| words.get(at.checked_sub(1)?)).map(String::as_str).unwrap_or_default();
    // `--config=ruff.toml` is one word.
    let is_option = at.is_none() || before.starts_with("--") && before.contains("config") || before == "-c";
    let writes = |word: &String| ["--write", "--fix", "-w", "-i", "fmt", "format"].contains(&word.as_str());
    by_checker && (is_option || !words.iter().any(writes))
}

/// An existing protected file that a pattern matches, or that is in a folder that it matches.
fn at_pattern(pattern: &str, how: &TouchKind, project: &ProtectedProject<'_>) -> Option<ProtectedFile> {
    let (folder, names) = pattern.rsplit_once('/')?;
    if folder.contains(['*', '?', '[']) {
        let fixed = folder.split(['*', '?', '[']).next().and_then(|text| text.rsplit_once('/'));
        let below = project
            .find_below(&AbsolutePath::from_root(fixed?.0), |path| fast_glob::glob_match(pattern, path))?;
        return at_path(&below, how, project);
    }
    // A shell leaves hidden files out unless the pattern begins with a dot.
    let is_hidden = |name: &str| name.starts_with('.') && !names.starts_with('.');
    let folder = AbsolutePath::from_root(folder);
    let named = project.world.list(&folder).into_iter().filter(|name| !is_hidden(name));
    named
        .filter(|name| fast_glob::glob_match(names, name))
        .find_map(|name| at_path(&folder.join(&name), how, project))
}

/// A protected file that a text names.
fn find_in_text(text: &str, project: &ProtectedProject<'_>) -> Option<ProtectedFile> {
    names_in(text).find_map(|name| {
        let name =
            project.relative(name).unwrap_or(name).trim_start_matches("./").trim_end_matches(['.', '/']);
        // The folders in front may be of any kind, also a variable: `$ROOT/ruff.toml`.
        let tails =
            std::iter::once(name).chain(name.match_indices('/').filter_map(|(at, _)| name.get(at + 1..)));
        let mut named = tails.filter(|tail| !tail.is_empty());
        let (tail, what) = named.find_map(|tail| Some((tail, project.protection.find_kind(tail)?)))?;
        let file = project.root().join(tail);
        let is_free = project.own_files().contains(&file) || project.is_allowed(&file);
        (!is_free).then(|| ProtectedFile { path: None, name: tail.to_owned(), kind: what })
    })
}

fn touch_verdict(touch: &Touch, found: &ProtectedFile, project: &ProtectedProject<'_>) -> Verdict {
    let ProtectedFile { path, name, kind: what } = found;
    let is_sure = touch.kind.is_sure();
    let act = match &touch.kind {
        TouchKind::Change | TouchKind::PassedTo(_) => "change",
        TouchKind::Delete => "delete",
        TouchKind::Move => "move",
        TouchKind::Attributes => "change the mode or times of",
        TouchKind::Link => "link to",
        TouchKind::Mentioned => "touch",
    };
    let is_new = matches!(touch.kind, TouchKind::Change)
        && *what == ProtectedKind::Checks
        && path.as_ref().is_some_and(|path| project.world.stat(path).is_none());
    let reason = match (is_new, is_sure) {
        (true, _) => new_config_reason(name),
        (false, true) => Reason {
            instead: instead(*what, name),
            what: format!("`{name}` is {}", what.describe()),
            why: format!("Agents may not {act} it"),
        },
        (false, false) => Reason {
            instead: instead(*what, name),
            what: format!("`{name}` is {}, and this may {act} it", what.describe()),
            why: String::new(),
        },
    };
    let mut verdict = if is_sure { Verdict::deny(reason) } else { Verdict::ask(reason) };
    // The call names a folder that it is in.
    verdict.incidental = touch.kind.affects_all_below()
        && match &touch.location {
            Location::Path(touched) => path.as_ref() != Some(touched),
            Location::Pattern(_) => true,
            Location::Text(_) => false,
        };
    let file = path.clone().unwrap_or_else(|| project.root().join(name));
    verdict = verdict
        .with_subject(Subject::File(file))
        .with_evidence("file", name.as_str())
        .with_evidence("route", touch.route);
    if !touch.named.is_empty() && touch.named != *name {
        verdict = verdict.with_evidence("named as", touch.named.as_str());
    }
    verdict
}

fn new_config_reason(name: &str) -> Reason {
    Reason {
        instead: format!(
            "Ask the user to run `flyball allow {}`, or to unprotect it in `[guard.protected]` of flyball.toml",
            path_word(name)
        ),
        what: format!("`{name}` would be a new config of the project's checks"),
        why: "It could override the current rules".to_owned(),
    }
}

fn instead(what: ProtectedKind, name: &str) -> String {
    let fix = match what {
        ProtectedKind::Checks => "Fix the code",
        ProtectedKind::Hooks | ProtectedKind::Configured => "Do it without this file",
    };
    format!("{fix}, or ask the user to run `flyball allow {}`", path_word(name))
}

/// The first manifest whose protected part would change, and its name.
fn changed_part(
    situation: &Situation<'_>,
    project: &ProtectedProject<'_>,
) -> Result<Option<(AbsolutePath, String)>, PolicyError> {
    let mut texts: BTreeMap<&AbsolutePath, (String, String)> = BTreeMap::new();
    for edit in situation.edits()? {
        if !has_part(&edit.path, project) {
            continue;
        }
        let Some(change) = edit.change.as_ref().filter(|change| !matches!(change, Change::Delete)) else {
            continue;
        };
        if !texts.contains_key(&edit.path) {
            // A new file has no rules that could be weakened.
            let Some(bytes) = situation.world.read(&edit.path, MOST_BYTES)? else { continue };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            texts.insert(&edit.path, (text.clone(), text));
        }
        if let Some((_, after)) = texts.get_mut(&edit.path)
            && let Some(text) = change.applied_to(after)
        {
            *after = text;
        }
    }
    for (path, (before, after)) in texts {
        let Some(Extent::Only(part)) = project.extent(path) else { continue };
        let (Some(old), Some(new)) = (part.extract(&before), part.extract(&after)) else { continue };
        if old != new && !is_known(path, &new, (situation, project))? {
            let relative = project.relative(path).unwrap_or(path).to_owned();
            return Ok(Some((path.to_owned(), relative)));
        }
    }
    Ok(None)
}

/// Whether a part of a file is protected, and not by `guard.self`.
fn has_part(path: &AbsolutePath, project: &ProtectedProject<'_>) -> bool {
    let is_free = || project.own_files().contains(path) || project.is_allowed(path);
    matches!(project.extent(path), Some(Extent::Only(_))) && !is_free()
}

/// A manifest that a command changes in a way that only its run shows, while it names the protected part.
fn perhaps_changed_part(
    situation: &Situation<'_>,
    project: &ProtectedProject<'_>,
) -> Result<Option<AbsolutePath>, PolicyError> {
    for edit in situation.edits()?.iter().filter(|edit| edit.change.is_none()) {
        // A new file has no rules that could be weakened.
        let is_there = || situation.world.stat(&edit.path).is_some();
        if let Some(Extent::Only(part)) = project.extent(&edit.path).filter(|_| has_part(&edit.path, project))
            && part.is_named_in(&written_words(situation))
            && is_there()
        {
            return Ok(Some(edit.path.clone()));
        }
    }
    Ok(None)
}

/// Whether this is what the part was when the session began, or what a person approved since:
/// restoring it is not a change.
fn is_known(
    path: &AbsolutePath,
    part: &str,
    (situation, project): (&Situation<'_>, &ProtectedProject<'_>),
) -> Result<bool, PolicyError> {
    let hash = situation.world.hash(part.as_bytes());
    let watched: Watched = situation.recall()?;
    Ok(watched.began_with(path, &hash) || watched.is_approved(path, Some(&hash), project.world)?)
}

fn perhaps_verdict(path: &AbsolutePath, project: &ProtectedProject<'_>) -> Verdict {
    let name = project.relative(path).unwrap_or(path);
    let reason = Reason {
        instead: format!("Fix the code, or ask the user to run `flyball allow {}`", path_word(name)),
        what: format!("this may change settings of the project's checks in `{name}`"),
        why: "The rest of the file is not protected".to_owned(),
    };
    Verdict::ask(reason).with_subject(Subject::File(path.clone())).with_evidence("file", name)
}

fn part_verdict(path: &AbsolutePath, name: String) -> Verdict {
    let reason = Reason {
        instead: format!("Fix the code, or ask the user to run `flyball allow {}`", path_word(&name)),
        what: format!("this changes settings of the project's checks in `{name}`"),
        why: "The rest of the file is not protected".to_owned(),
    };
    Verdict::deny(reason).with_subject(Subject::File(path.clone())).with_evidence("file", name)
}
