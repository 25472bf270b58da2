//! Detects changes of protected files that could not be prevented: by a script, a build, a tool server. A person may have
//! made them in an editor, so the messages accuse nobody.

use std::time::Duration;

use flyball_core::event::{EventData, EventKind, Tool};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::text;
use flyball_core::verdict::{Reason, Restore, Subject, Verdict};

use super::Restoring;
use super::find::ProtectedProject;
use super::watch::{FileChange, Find, SLACK, Watched};
use crate::shell_word::path_word;
use crate::worktree_updates::updates_worktree;

/// The assumed duration of a command if the client does not report it.
const DEFAULT_RUN: Duration = Duration::from_secs(60);
/// An agent is blocked from stopping up to this many times in a row; then only the user gets a notice.
const MOST_IN_A_ROW: u32 = 3;
/// How much of a command is quoted.
const QUOTED_CHARS: usize = 80;

/// Records the protected files as the session finds them, if that has not happened yet.
///
/// An error here must not stop the session: prevention works without it, and an error of the store is reported when the
/// event is recorded.
pub(super) fn begin(situation: &Situation<'_>, project: &ProtectedProject<'_>, anew: bool) -> Verdict {
    match situation.remembers() {
        Ok(true) if !anew => return Verdict::silent(),
        Err(_) => return Verdict::silent(),
        Ok(_) => {}
    }
    let (watched, notice) = match Watched::begin(project, Find::ByGit) {
        Ok(watched) => (watched, None),
        // What is found without git is watched all the same.
        Err(error) => match Watched::begin(project, Find::WithoutGit) {
            Ok(watched) => (watched, Some(begin_notice("some changes", &error))),
            Err(error) => (Watched::default(), Some(begin_notice("changes", &error))),
        },
    };
    // After an error too, so that it is reported once in a session and not at every call.
    drop(situation.remember(&watched));
    let is_beginning = situation.event.kind() == EventKind::SessionStart;
    let notice = notice.filter(|_| is_beginning || situation.memory_lasts());
    Verdict { notices: notice.into_iter().collect(), ..Verdict::default() }
}

fn begin_notice(missed: &str, error: &PolicyError) -> String {
    format!("{missed} of protected files will not be detected in this session: {error}; {}", error.fix())
}

/// Reports the files that a call changed, once for each content.
pub(super) fn after_call(
    situation: &Situation<'_>,
    project: &ProtectedProject<'_>,
    restoring: Restoring,
) -> Result<Verdict, PolicyError> {
    let Some((before, mut watched)) = check_again(situation, project)? else { return Ok(Verdict::silent()) };
    let lost = lost_tests(situation, &mut watched)?;
    let mut changed = watched.unapproved_changes(project)?;
    changed.retain(|it| watched.reported.get(&it.path) != Some(&it.now));
    watched.reported.extend(changed.iter().map(|it| (it.path.clone(), it.now.clone())));
    if watched != before {
        situation.remember(&watched)?;
    }
    let after = command(situation).map(|line| format!(", noticed after `{line}`")).unwrap_or_default();
    if changed.is_empty() {
        return Ok(lost_tests_verdict(&lost, project, &after));
    }
    let (restored, left): (Vec<FileChange>, Vec<FileChange>) = match restoring {
        Restoring::Ask => (Vec::new(), changed),
        Restoring::Always => {
            // A change from before the command may be a person's, and a part cannot be restored.
            changed.into_iter().partition(|it| it.is_whole && is_recent(situation, &it.path))
        }
    };
    let mut verdict = lost_tests_verdict(&lost, project, &after);
    if !restored.is_empty() {
        verdict.join(restore_verdict(&restored, project, &after));
    }
    if !left.is_empty() {
        verdict.join(change_verdict(&left, project, &after));
    }
    Ok(verdict)
}

/// Blocks the agent from stopping with an unapproved change: once for each content, and not for ever if something writes
/// another one each time. A change of flyball itself blocks every turn until a person decides: the next session may start
/// without its hooks. `again`: it continues already because it was blocked.
pub(super) fn at_stop(
    situation: &Situation<'_>,
    project: &ProtectedProject<'_>,
    again: bool,
) -> Result<Verdict, PolicyError> {
    let Some((before, mut watched)) = check_again(situation, project)? else { return Ok(Verdict::silent()) };
    watched.notice_listed(project)?;
    let changed = watched.unapproved_changes(project)?;
    let mut is_new = false;
    for it in &changed {
        // All earlier contents count: a file that alternates between two must not block for ever.
        let known = watched.stopped.entry(it.path.clone()).or_default();
        if !known.contains(&it.now) {
            known.push(it.now.clone());
            is_new = true;
        }
        is_new |= is_own(project, &it.path);
    }
    // A stop that does not follow a block begins a new count.
    let times = if again { before.in_a_row } else { 0 };
    watched.in_a_row = times + u32::from(is_new);
    watched.reported.extend(changed.iter().map(|it| (it.path.clone(), it.now.clone())));
    if watched != before {
        situation.remember(&watched)?;
    }
    if !is_new {
        return Ok(Verdict::silent());
    }
    if times >= MOST_IN_A_ROW {
        return Ok(add_changes(Verdict::silent(), &changed, project));
    }
    let back = describe_restore(&changed, project);
    let names = names(&changed, project);
    let reason = Reason {
        instead: format!(
            "Ask the user now, with your tool for questions if you have one: keep the change (`flyball approve {names}` \
             in their own terminal), restore what was there ({back}), or show the difference first (`flyball approve \
             --diff {names}`)? Run none of these before they have chosen"
        ),
        what: format!("{} during this session without approval", sentence(&changed, project)),
        why: if changed.iter().any(|it| is_own(project, &it.path)) {
            "It is part of flyball itself, so you are asked at the end of every turn until they have decided"
                .to_owned()
        } else {
            "You are asked once for each content".to_owned()
        },
    };
    Ok(add_changes(Verdict::deny(reason), &changed, project))
}

/// Whether a file is part of flyball: its configuration, or where its hooks are registered.
fn is_own(project: &ProtectedProject<'_>, path: &AbsolutePath) -> bool {
    project.own_files().iter().any(|own| path.is_in(own))
}

/// The remembered state, and the state after another check; `None` if the start of the session was not recorded.
fn check_again(
    situation: &Situation<'_>,
    project: &ProtectedProject<'_>,
) -> Result<Option<(Watched, Watched)>, PolicyError> {
    if situation.memory.read(situation.policy.as_str())?.is_none() {
        return Ok(None);
    }
    let before: Watched = situation.recall()?;
    let mut watched = before.clone();
    // A command ran since then; a turn began with the session.
    let since = match &situation.event.happening {
        EventData::AfterTool { outcome, .. } | EventData::ToolFailed { outcome, .. } => {
            situation.world.now() - (outcome.took.unwrap_or(DEFAULT_RUN) + SLACK)
        }
        _ => watched.began(),
    };
    watched.refresh(project, since)?;
    watched.forget_undone(situation.world)?;
    Ok(Some((before, watched)))
}

/// The tests that a call deleted in a way that could not be seen before it.
fn lost_tests(situation: &Situation<'_>, watched: &mut Watched) -> Result<Vec<AbsolutePath>, PolicyError> {
    let mut lost = watched.take_lost_tests(situation.world);
    if lost.is_empty() {
        return Ok(lost);
    }
    // Another commit has other tests, and what the call said it deletes was judged before.
    if situation.effective_line().is_some_and(updates_worktree) {
        return Ok(Vec::new());
    }
    let edits = situation.edits()?;
    let is_known =
        |path: &AbsolutePath| edits.iter().any(|edit| edit.change.is_some() && path.is_in(&edit.path));
    lost.retain(|path| !is_known(path));
    Ok(lost)
}

fn lost_tests_verdict(lost: &[AbsolutePath], project: &ProtectedProject<'_>, after: &str) -> Verdict {
    const MOST_NAMED: usize = 5;
    if lost.is_empty() {
        return Verdict::silent();
    }
    let names: Vec<String> =
        lost.iter().take(MOST_NAMED).map(|path| path_word(name(path, project))).collect();
    let more = text::and_more(lost.len().saturating_sub(MOST_NAMED));
    let files = if lost.len() == 1 { "a test file is gone" } else { "test files are gone" };
    let reason = Reason {
        instead: format!(
            "Run `git restore -- {}` unless the user wanted this; if they are obsolete, tell the user",
            names.join(" ")
        ),
        what: format!("{files}{after}: {}{more}", text::quoted(&names)),
        why: "Tests are part of the project's checks".to_owned(),
    };
    let verdict = Verdict::deny(reason);
    lost.iter().fold(verdict, |verdict, path| verdict.with_subject(Subject::File(path.clone())))
}

fn change_verdict(changed: &[FileChange], project: &ProtectedProject<'_>, after: &str) -> Verdict {
    let names = names(changed, project);
    let only_parts = changed.iter().all(|it| !it.is_whole);
    let back = if only_parts {
        "Restore the protected part".to_owned()
    } else {
        format!("Run `flyball restore {names}`")
    };
    let reason = Reason {
        instead: format!(
            "{back} unless the user made this change; to keep it, ask the user to run `flyball approve {names}`"
        ),
        what: format!("{} during this session{after}", sentence(changed, project)),
        why: "Protected files decide how the project is checked".to_owned(),
    };
    add_changes(Verdict::deny(reason), changed, project)
}

fn restore_verdict(changed: &[FileChange], project: &ProtectedProject<'_>, after: &str) -> Verdict {
    let names = names(changed, project);
    let reason = Reason {
        instead: format!(
            "Continue without changing {names}; to keep the change, ask the user to make it and run `flyball approve {names}`"
        ),
        what: format!("{} during this session{after}, and flyball restores it", sentence(changed, project)),
        why: "Protected files decide how the project is checked".to_owned(),
    };
    let mut verdict = add_changes(Verdict::deny(reason), changed, project);
    let restore = |it: &FileChange| Restore { path: it.path.clone(), content: it.was.clone() };
    verdict.restores = changed.iter().map(restore).collect();
    verdict
}

fn add_changes(mut verdict: Verdict, changed: &[FileChange], project: &ProtectedProject<'_>) -> Verdict {
    let shown =
        |hash: Option<&str>| hash.map_or("not there", |hash| hash.get(..12).unwrap_or(hash)).to_owned();
    for it in changed {
        let was = shown(it.was.as_ref().map(flyball_core::policy::ContentHash::as_str));
        let now = shown(it.now.as_ref().map(flyball_core::policy::ContentHash::as_str));
        let name = name(&it.path, project);
        verdict = verdict
            .with_subject(Subject::File(it.path.clone()))
            .with_evidence(name, format!("{was} → {now}"));
    }
    let undone = if changed.iter().any(|it| it.is_whole) {
        "`flyball restore` undoes it"
    } else {
        "`flyball approve --diff` shows it"
    };
    verdict.notices.push(format!(
        "{} during this session; `flyball approve` accepts it, {undone}",
        sentence(changed, project)
    ));
    verdict
}

/// How the agent restores files. No command restores a part of a file.
fn describe_restore(changed: &[FileChange], project: &ProtectedProject<'_>) -> String {
    let (whole, parts): (Vec<&FileChange>, Vec<&FileChange>) = changed.iter().partition(|it| it.is_whole);
    let command = (!whole.is_empty()).then(|| format!("`flyball restore {}`", shell_names(&whole, project)));
    let edit = (!parts.is_empty()).then(|| {
        format!("an edit that makes the protected part of {} what it was", shell_names(&parts, project))
    });
    command.into_iter().chain(edit).collect::<Vec<_>>().join(" and ")
}

/// "`a` changed, `b` was deleted and `c` is new".
fn sentence(changed: &[FileChange], project: &ProtectedProject<'_>) -> String {
    let clause = |it: &FileChange| {
        let name = name(&it.path, project);
        match (&it.was, &it.now) {
            (_, None) => format!("`{name}` was deleted"),
            (None, Some(_)) => format!("`{name}` appeared"),
            (Some(_), Some(_)) if it.is_whole => format!("`{name}` changed"),
            (Some(_), Some(_)) => format!("the protected part of `{name}` changed"),
        }
    };
    text::list(&changed.iter().map(clause).collect::<Vec<_>>())
}

/// The names as arguments of a command.
fn names(changed: &[FileChange], project: &ProtectedProject<'_>) -> String {
    shell_names(&changed.iter().collect::<Vec<_>>(), project)
}

fn shell_names(changed: &[&FileChange], project: &ProtectedProject<'_>) -> String {
    changed.iter().map(|it| path_word(name(&it.path, project))).collect::<Vec<_>>().join(" ")
}

fn name<'p>(path: &'p str, project: &ProtectedProject<'_>) -> &'p str {
    project.relative(path).unwrap_or(path)
}

/// Whether a file changed while the command ran.
fn is_recent(situation: &Situation<'_>, path: &AbsolutePath) -> bool {
    let took = match &situation.event.happening {
        EventData::AfterTool { outcome, .. } | EventData::ToolFailed { outcome, .. } => outcome.took,
        _ => return false,
    };
    let since = situation.world.now() - (took.unwrap_or(DEFAULT_RUN) + SLACK);
    // A deleted file has no time; it was deleted since the last check, which was before this command.
    situation.world.stat(path).is_none_or(|stat| stat.changed >= since)
}

fn command(situation: &Situation<'_>) -> Option<String> {
    let call = situation.event.call()?;
    let text = match &call.tool {
        Tool::Shell { command, .. } => command.as_str(),
        _ => call.name.as_str(),
    };
    let line = text.lines().next().unwrap_or_default();
    let head = text::head(line, QUOTED_CHARS);
    Some(if head.len() < text.len() { format!("{head}…") } else { head.to_owned() })
}
