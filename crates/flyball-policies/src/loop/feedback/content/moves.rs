//! Command lines that move the worktree, and commits: what an agent writes and commits in one call is an edit, too.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_effects::{GitCall, Line};

use crate::r#loop::feedback::settings::Settings;

/// Longer answers of git are cut.
const CUT_BYTES: usize = 256 * 1024 - 8;

/// The commit that was last seen.
const HEAD: &str = "loop.feedback.head";

/// The commit that the project is at.
///
/// # Errors
/// When git does not answer.
pub(super) fn head(world: &dyn World) -> Result<Option<String>, PolicyError> {
    let head = world.git(world.project_root(), &["rev-parse", "--verify", "--quiet", "HEAD"])?;
    Ok(head.text().map(|head| head.trim().to_owned()).filter(|head| !head.is_empty()))
}

/// The commit that was last seen, if it is another.
pub(super) fn last_seen(situation: &Situation<'_>, head: &str) -> Result<Option<String>, PolicyError> {
    Ok(situation.memory.read(HEAD)?.filter(|before| before != head))
}

/// Remembers the commit that was last seen, where it is judged.
pub(super) fn remember(situation: &Situation<'_>, head: &str) -> Result<(), PolicyError> {
    if situation.memory.may_write() && situation.memory.read(HEAD)?.as_deref() != Some(head) {
        situation.memory.write(HEAD, head.to_owned())?;
    }
    Ok(())
}

/// Whether a line may commit: it calls git, or something of which that is not known.
pub(in super::super) fn may_commit(line: &Line) -> bool {
    !line.effects.opaque.is_empty()
        || line.script.commands.iter().any(|command| GitCall::parse(command).is_some())
}

/// Whether git runs or applies something new, and not only content of the history.
pub(super) fn applies_new_content(line: &Line) -> bool {
    line.script.commands.iter().filter_map(GitCall::parse).any(|call| {
        let has = |word: &str| call.arguments.iter().any(|it| it.text.as_deref() == Some(word));
        let begins = |word: &str| {
            call.arguments.iter().any(|it| it.text.as_deref().is_some_and(|text| text.starts_with(word)))
        };
        match call.verb {
            Some("am") => true,
            Some("rebase") => begins("--exec") || begins("-x"),
            Some("bisect") => has("run"),
            Some("submodule") => has("foreach"),
            _ => false,
        }
    })
}

/// The names of the files in which two commits differ, or one and what is on the disk. Where these are more than can be
/// read, only those that a domain may have.
///
/// # Errors
/// When git does not answer.
pub(super) fn between(
    situation: &Situation<'_>,
    root: &AbsolutePath,
    commits: &[&str],
) -> Result<Vec<String>, PolicyError> {
    let question = ["diff", "--name-only", "-z", "--relative", "--no-renames", "--no-ext-diff"];
    names(situation, root, &[&question[..], commits].concat())
}

/// The names that git answers a question with. Where these are more than can be read, only those that a domain may have: a
/// thousand records of data are no reason to know nothing.
///
/// # Errors
/// When git does not answer, or when they are too many all the same.
pub(super) fn names(
    situation: &Situation<'_>,
    root: &AbsolutePath,
    question: &[&str],
) -> Result<Vec<String>, PolicyError> {
    let ask = |paths: &[String]| {
        let paths = paths.iter().map(String::as_str);
        let question: Vec<&str> = question.iter().copied().chain(["--"]).chain(paths).collect();
        // A commit that is gone cannot be compared: what changed since is found on disk.
        Ok(situation.world.git(root, &question)?.text().unwrap_or_default())
    };
    let answer: String = ask(&[])?;
    if answer.len() < CUT_BYTES {
        return whole_names(root, &answer);
    }
    let settings: Settings = situation.config()?;
    let globs = settings.domain.iter().flat_map(|domain| domain.paths.iter());
    let mut paths: Vec<String> = globs.flat_map(expanded).collect();
    paths.sort_unstable();
    paths.dedup();
    // The definitions of agents are looked at as well.
    let folders = situation.world.clients().iter().filter_map(|client| client.agents_folder);
    paths.extend(folders.map(|folder| format!("{folder}/**")));
    let paths: Vec<String> = paths.into_iter().map(|glob| format!(":(glob,icase){glob}")).collect();
    whole_names(root, &ask(&paths)?)
}

/// A glob without braces, which git does not know: `*.{a,b}` is `*.a` and `*.b`.
fn expanded(glob: &str) -> Vec<String> {
    let parts = glob.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    match parts {
        Some((before, (choices, after))) if !choices.contains('{') => choices
            .split(',')
            .flat_map(|choice| {
                expanded(after).into_iter().map(move |after| format!("{before}{choice}{after}"))
            })
            .collect(),
        // Braces in braces: all files.
        Some(_) => vec!["**".to_owned()],
        None => vec![glob.to_owned()],
    }
}

/// The names in an answer of git.
///
/// # Errors
/// When it was cut.
pub(super) fn whole_names(root: &AbsolutePath, answer: &str) -> Result<Vec<String>, PolicyError> {
    if answer.len() >= CUT_BYTES {
        return Err(PolicyError::World {
            what: format!(
                "{root}: more files were committed, changed or deleted at once than flyball reads (names of {} KiB)",
                CUT_BYTES.div_ceil(1024)
            ),
            fix: "review the last commits yourself, and run `flyball loop accept`".to_owned(),
        });
    }
    Ok(answer.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}
