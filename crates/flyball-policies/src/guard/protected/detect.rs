//! Notices changes of protected files that nothing could prevent: a script, a build, a tool
//! server. A person may have made them in an editor, so nobody is accused.

use flyball_core::event::{Happening, Tool};
use flyball_core::policy::{Situation, Trouble};
use flyball_core::verdict::{Reason, Restore, Subject, Verdict};

use super::Restoring;
use super::find::Ground;
use super::watch::{Changed, SLACK_MILLIS, Watched};

/// How long a command is taken to have run if the client does not say.
const UNSAID_MILLIS: u64 = 60_000;
/// How much of a command is quoted.
const QUOTED_CHARS: usize = 80;

/// Takes down how the session finds the protected files, if that has not happened yet.
///
/// What can be prevented is prevented without this: that nothing can be noticed must not stop the
/// session. A store that cannot be used is told of when the event is recorded.
pub(super) fn begin(situation: &Situation<'_>, ground: &Ground<'_>, anew: bool) -> Verdict {
    match situation.remembers() {
        Ok(true) if !anew => return Verdict::silent(),
        Err(_) => return Verdict::silent(),
        Ok(_) => {}
    }
    let (watched, trouble) = match Watched::begin(ground) {
        Ok(watched) => (watched, None),
        Err(trouble) => (Watched::default(), Some(trouble)),
    };
    drop(situation.remember(&watched));
    let notice = |trouble: Trouble| {
        format!(
            "changes of protected files will not be noticed in this session: {trouble}; {}",
            trouble.way_out()
        )
    };
    Verdict { notices: trouble.map(notice).into_iter().collect(), ..Verdict::default() }
}

/// What a call changed: told once for each content.
pub(super) fn after_call(
    situation: &Situation<'_>,
    ground: &Ground<'_>,
    restoring: Restoring,
) -> Result<Verdict, Trouble> {
    let Some((before, mut watched)) = looked(situation, ground)? else { return Ok(Verdict::silent()) };
    let mut changed = watched.changed(ground)?;
    changed.retain(|it| watched.told.get(&it.path) != Some(&it.now));
    watched.told.extend(changed.iter().map(|it| (it.path.clone(), it.now.clone())));
    if watched != before {
        situation.remember(&watched)?;
    }
    if changed.is_empty() {
        return Ok(Verdict::silent());
    }
    let (put_back, left): (Vec<Changed>, Vec<Changed>) = match restoring {
        Restoring::Ask => (Vec::new(), changed),
        Restoring::Always => {
            changed.into_iter().partition(|it| it.is_whole && is_recent(situation, &it.path))
        }
    };
    let after = command(situation).map(|line| format!(", noticed after `{line}`")).unwrap_or_default();
    let mut verdict = Verdict::silent();
    if !put_back.is_empty() {
        verdict.join(restored(&put_back, ground, &after));
    }
    if !left.is_empty() {
        verdict.join(told(&left, ground, &after));
    }
    Ok(verdict)
}

/// Keeps the agent from stopping with a change that nobody approved: once for each content.
pub(super) fn at_stop(situation: &Situation<'_>, ground: &Ground<'_>) -> Result<Verdict, Trouble> {
    let Some((before, mut watched)) = looked(situation, ground)? else { return Ok(Verdict::silent()) };
    let changed = watched.changed(ground)?;
    let is_new = changed.iter().any(|it| watched.stopped.get(&it.path) != Some(&it.now));
    watched.stopped.extend(changed.iter().map(|it| (it.path.clone(), it.now.clone())));
    watched.told.extend(changed.iter().map(|it| (it.path.clone(), it.now.clone())));
    if watched != before {
        situation.remember(&watched)?;
    }
    if !is_new {
        return Ok(Verdict::silent());
    }
    let names = names(&changed, ground);
    let reason = Reason {
        what: format!("{} during this session, and nobody has approved it", sentence(&changed, ground)),
        why: "These files decide how the project is checked; what they say is the user's to decide"
            .to_owned(),
        instead: format!(
            "Ask the user now which it shall be. Keep: the user runs `flyball approve {names}` in a terminal of \
             their own. Restore: you run `flyball restore {names}`. Show first: `git diff -- {names}`. You are \
             not asked again for the same content"
        ),
    };
    Ok(about(Verdict::deny(reason), &changed, ground))
}

/// What was remembered, and the same after another look. Nothing if the session began unseen.
fn looked(situation: &Situation<'_>, ground: &Ground<'_>) -> Result<Option<(Watched, Watched)>, Trouble> {
    if situation.memory.read(situation.policy.as_str())?.is_none() {
        return Ok(None);
    }
    let before: Watched = situation.recall()?;
    let mut watched = before.clone();
    watched.look(ground)?;
    Ok(Some((before, watched)))
}

fn told(changed: &[Changed], ground: &Ground<'_>, after: &str) -> Verdict {
    let names = names(changed, ground);
    let only_parts = changed.iter().all(|it| !it.is_whole);
    let back = if only_parts {
        "put the protected part back as it was".to_owned()
    } else {
        format!("put it back with `flyball restore {names}`")
    };
    let reason = Reason {
        what: format!("{} during this session{after}", sentence(changed, ground)),
        why: "Protected files decide how the project is checked: fix the code, not the rules".to_owned(),
        instead: format!(
            "If it was not the user who did this, {back}; if the change is wanted, ask the user to run \
             `flyball approve {names}` in a terminal of their own"
        ),
    };
    about(Verdict::deny(reason), changed, ground)
}

fn restored(changed: &[Changed], ground: &Ground<'_>, after: &str) -> Verdict {
    let names = names(changed, ground);
    let reason = Reason {
        what: format!(
            "{} during this session{after}; flyball puts back what was there",
            sentence(changed, ground)
        ),
        why: "Protected files decide how the project is checked: fix the code, not the rules".to_owned(),
        instead: format!(
            "Go on without changing {names}; if the change is wanted, the user makes it in an editor and runs \
             `flyball approve {names}`"
        ),
    };
    let mut verdict = about(Verdict::deny(reason), changed, ground);
    let restore = |it: &Changed| Restore { path: it.path.clone(), content: it.was.clone() };
    verdict.restores = changed.iter().map(restore).collect();
    verdict
}

fn about(mut verdict: Verdict, changed: &[Changed], ground: &Ground<'_>) -> Verdict {
    let shown =
        |hash: Option<&str>| hash.map_or("not there", |hash| hash.get(..12).unwrap_or(hash)).to_owned();
    for it in changed {
        let was = shown(it.was.as_ref().map(flyball_core::policy::ContentHash::as_str));
        let now = shown(it.now.as_ref().map(flyball_core::policy::ContentHash::as_str));
        let name = name(&it.path, ground);
        verdict = verdict.about(Subject::File(it.path.clone())).seen(name, format!("{was} → {now}"));
    }
    verdict.notices.push(format!(
        "{} during this session; `flyball approve` accepts it, `flyball restore` undoes it",
        sentence(changed, ground)
    ));
    verdict
}

/// "`a` changed, `b` was deleted and `c` is new".
fn sentence(changed: &[Changed], ground: &Ground<'_>) -> String {
    let said = |it: &Changed| {
        let name = name(&it.path, ground);
        match (&it.was, &it.now) {
            (_, None) => format!("`{name}` was deleted"),
            (None, Some(_)) => format!("`{name}` appeared"),
            (Some(_), Some(_)) if it.is_whole => format!("`{name}` changed"),
            (Some(_), Some(_)) => format!("the protected part of `{name}` changed"),
        }
    };
    let parts: Vec<String> = changed.iter().map(said).collect();
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

/// The names as they are typed behind a command.
fn names(changed: &[Changed], ground: &Ground<'_>) -> String {
    let quoted = |it: &Changed| {
        let name = name(&it.path, ground);
        let is_plain = |letter: char| letter.is_alphanumeric() || "._-/".contains(letter);
        if name.chars().all(is_plain) {
            name.to_owned()
        } else {
            format!("'{}'", name.replace('\'', "'\\''"))
        }
    };
    changed.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

fn name<'p>(path: &'p str, ground: &Ground<'_>) -> &'p str {
    ground.relative(path).unwrap_or(path)
}

/// Whether a file changed while the command ran.
fn is_recent(situation: &Situation<'_>, path: &str) -> bool {
    let millis = match &situation.event.happening {
        Happening::AfterTool { outcome, .. } | Happening::ToolFailed { outcome, .. } => outcome.millis,
        _ => return false,
    };
    let since = situation.world.unix_millis().saturating_sub(millis.unwrap_or(UNSAID_MILLIS) + SLACK_MILLIS);
    // What is gone has no time any more; it went away since the last look, which was before this
    // command.
    situation.world.stat(path).is_none_or(|stat| stat.changed_millis >= since)
}

fn command(situation: &Situation<'_>) -> Option<String> {
    let call = situation.event.call()?;
    let text = match &call.tool {
        Tool::Shell { command, .. } => command.as_str(),
        _ => call.name.as_str(),
    };
    let line = text.lines().next().unwrap_or_default();
    let head: String = line.chars().take(QUOTED_CHARS).collect();
    Some(if head.len() < text.len() { format!("{head}…") } else { head })
}
