//! Commits that git fetched from repositories of others: not what it took from a folder of this machine, where the agent
//! may have made them, and not what this session pushed before.

use std::collections::BTreeSet;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_effects::{Command, GitCall, Line};

use super::calls::CommitTimes;
use super::trees::Checkouts;
use crate::r#loop::author::writes_no_code;
use crate::r#loop::events::call_start;

/// The addresses of the remote repositories when the session began, and the branches that were known of them, line by line.
const REMOTES: &str = "loop.feedback.remotes";
/// The commits that were fetched since, line by line.
const FETCHED: &str = "loop.feedback.fetched";
const MOST_FETCHED: usize = 256;
/// How many branches of remote repositories are remembered, the latest first.
const MOST_BRANCHES: &str = "--count=512";
const MOST_BYTES: u64 = 1024 * 1024;

/// Notes what is known of remote repositories as the session begins.
pub(super) fn note_remotes(situation: &Situation<'_>) -> Result<(), PolicyError> {
    let world = situation.world;
    let root = world.project_root();
    let addresses = world.git(root, &["remote", "--verbose"])?.text().unwrap_or_default();
    let addresses = addresses.lines().filter_map(|line| line.split('\t').nth(1)?.split(' ').next());
    let question =
        ["for-each-ref", "--sort=-committerdate", MOST_BRANCHES, "--format=%(objectname)", "refs/remotes"];
    let tips = world.git(root, &question)?.text().unwrap_or_default();
    let known: BTreeSet<String> =
        addresses.map(plain_address).chain(tips.lines().map(str::to_owned)).collect();
    situation.memory.write(REMOTES, known.into_iter().collect::<Vec<_>>().join("\n"))?;
    if situation.memory.has(FETCHED)? {
        situation.memory.write(FETCHED, String::new())?;
    }
    Ok(())
}

/// Notes what this call fetched from others.
pub(super) fn note(situation: &Situation<'_>, line: &Line) -> Result<(), PolicyError> {
    if !fetches(line) {
        return Ok(());
    }
    let (world, since) = (situation.world, call_start(situation));
    let known = lines_of(situation, REMOTES)?;
    let Some(times) = CommitTimes::read(situation, &flyball_core::world::real_root(world))? else {
        return Ok(());
    };
    let mut fetched: Vec<String> = lines_of(situation, FETCHED)?.into_iter().collect();
    for folder in Checkouts::new(world).git_folders() {
        let list = folder.join("FETCH_HEAD");
        if world.stat(&list).is_none_or(|stat| stat.changed < since) {
            continue;
        }
        let text = world.read(&list, MOST_BYTES)?.unwrap_or_default();
        for line in String::from_utf8_lossy(&text).lines() {
            let Some((commit, address)) = entry(line) else { continue };
            let is_theirs = is_elsewhere(address) || known.contains(&plain_address(address));
            if is_theirs && times.came_after(commit, since) {
                fetched.push(commit.to_owned());
            }
        }
    }
    let surplus = fetched.len().saturating_sub(MOST_FETCHED);
    situation.memory.write(FETCHED, fetched.split_off(surplus).join("\n"))
}

/// Whether an address is that of a repository of others: on another machine, or known since the session began.
pub(super) fn is_theirs(situation: &Situation<'_>, address: &str) -> Result<bool, PolicyError> {
    Ok(is_elsewhere(address) || lines_of(situation, REMOTES)?.contains(&plain_address(address)))
}

/// The tips of the branches of remote repositories that others made.
pub(super) fn tips(
    situation: &Situation<'_>,
    checkout: &AbsolutePath,
) -> Result<BTreeSet<String>, PolicyError> {
    let mut tips = lines_of(situation, FETCHED)?;
    let known = lines_of(situation, REMOTES)?;
    let now = situation.world.git(checkout, &["for-each-ref", "--format=%(objectname)", "refs/remotes"])?;
    let now = now.text().unwrap_or_default();
    let times = CommitTimes::read(situation, checkout)?;
    let is_theirs = |tip: &&str| {
        // A person fetches, too.
        known.contains(*tip) || times.as_ref().is_some_and(|times| times.is_of_others(tip))
    };
    tips.extend(now.lines().filter(is_theirs).map(str::to_owned));
    Ok(tips)
}

fn lines_of(situation: &Situation<'_>, key: &str) -> Result<BTreeSet<String>, PolicyError> {
    Ok(situation.memory.read(key)?.unwrap_or_default().lines().map(str::to_owned).collect())
}

/// Whether a line fetches commits, and does nothing before that could have sent some there.
fn fetches(line: &Line) -> bool {
    let commands = &line.script.commands;
    let Some(last) = commands.iter().rposition(is_fetch) else { return false };
    let is_opaque = |at: usize| line.effects.opaque.iter().any(|opaque| opaque.command == Some(at));
    commands.iter().enumerate().take(last + 1).all(|(at, command)| match GitCall::parse(command) {
        Some(call) => call.verb != Some("push") && !is_steered(command, &call),
        None => is_fetch(command) || !is_opaque(at) || writes_no_code(command),
    })
}

fn is_fetch(command: &Command) -> bool {
    if let Some(call) = GitCall::parse(command) {
        return matches!(call.verb, Some("fetch" | "pull"))
            || (call.verb == Some("remote") && first(call.arguments) == Some("update"));
    }
    let words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).take(2).collect();
    matches!(
        (command.program_name(), words.as_slice()),
        (Some("gh"), ["pr", "checkout"] | ["repo", "sync"]) | (Some("glab"), ["mr", "checkout"])
    )
}

/// Whether git is told for this call where to fetch from, or by which program.
fn is_steered(command: &Command, call: &GitCall<'_>) -> bool {
    const HARMLESS: [&str; 9] =
        ["user.", "pull.", "fetch.", "merge.", "rebase.", "commit.", "color.", "advice.", "protocol.version"];
    const HARMLESS_VARIABLES: [&str; 5] =
        ["GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_EDITOR", "GIT_TERMINAL_PROMPT", "GIT_MERGE_AUTOEDIT"];
    let begins = |list: &[&str], name: &str| list.iter().any(|known| name.starts_with(known));
    call.config.iter().any(|(key, _)| !begins(&HARMLESS, &key.to_ascii_lowercase()))
        || command
            .assignments
            .iter()
            .any(|(name, _)| name.starts_with("GIT_") && !begins(&HARMLESS_VARIABLES, name))
}

fn first(words: &[flyball_effects::Word]) -> Option<&str> {
    words.first()?.text.as_deref()
}

/// A commit of `FETCH_HEAD`, and where it is from.
fn entry(line: &str) -> Option<(&str, &str)> {
    let mut parts = line.splitn(3, '\t');
    let (commit, _, what) = (parts.next()?, parts.next()?, parts.next()?);
    Some((commit, what.rsplit_once(" of ").map_or(what, |(_, address)| address)))
}

/// An address as git writes it into `FETCH_HEAD`.
fn plain_address(address: &str) -> String {
    let address = address.trim_end_matches('/');
    address.strip_suffix(".git").unwrap_or(address).to_owned()
}

/// Whether an address is on another machine.
fn is_elsewhere(address: &str) -> bool {
    let host = match address.split_once("://") {
        Some(("file", _)) => return false,
        Some((_, rest)) => rest.split('/').next().unwrap_or_default(),
        // `host:path`, but not the `helper::address` of programs that git runs.
        None => match address.split_once(':') {
            Some((host, path)) if !host.contains('/') && !path.starts_with(':') => host,
            _ => return false,
        },
    };
    let host = host.rsplit('@').next().unwrap_or_default();
    let is_here = ["localhost", "127.", "[::1]", "0.0.0.0", "::1"].iter().any(|here| host.starts_with(here));
    !is_here && !host.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_this_machine_is_not_elsewhere() {
        for address in
            ["https://example.com/a/b", "ssh://git@example.com/a", "git@example.com:a/b", "example.com:a"]
        {
            assert!(is_elsewhere(address), "{address}");
        }
        for address in [
            "../c",
            "/srv/c",
            "file:///srv/c",
            "ext::sh -c c",
            "./a:b",
            "http://localhost:8000/c",
            "git://127.0.0.1/c",
            "ssh://me@localhost/c",
        ] {
            assert!(!is_elsewhere(address), "{address}");
        }
    }

    #[test]
    fn what_is_sent_before_it_is_fetched_is_not_theirs() {
        for (text, wanted) in [
            ("git pull", true),
            ("git add -A && git commit -m x && git pull --rebase && git push", true),
            ("git push && git pull", false),
            ("./send && git fetch", false),
            ("npm test && git fetch origin", true),
            ("git -c core.sshCommand=./x fetch", false),
            ("GIT_SSH_COMMAND=./x git fetch", false),
            ("git -c user.name=me pull --rebase", true),
            ("git status", false),
            ("gh pr checkout 12", true),
        ] {
            assert_eq!(fetches(&Line::read(text)), wanted, "{text}");
        }
    }
}
