//! Which sessions are played: of the store, and of the clients' own transcripts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use flyball_clients::CLIENTS;
use flyball_clients::install::Places;
use flyball_store::{SessionFilter, SessionSummary, Store};

use super::arguments::Arguments;
use super::transcript::Files;
use crate::environment;
use crate::outcome::Failed;
use crate::project_context::{Archive, ProjectContext};
use crate::replay::ReplayMachine;
use crate::show::record::short_session;

/// How deep below a folder transcripts are looked for: project, session, `subagents`.
const DEEPEST: usize = 6;

/// The folder beside a transcript in which those of its subagents are.
const SUBAGENTS: &str = "subagents";

/// One session to be played.
#[derive(Clone, Debug)]
pub(super) enum Job {
    /// Out of the store.
    Stored(SessionSummary),
    Transcript(Files),
}

/// All that is asked for, and the store if it is needed.
pub(super) struct Jobs {
    pub(super) all: Vec<Job>,
    pub(super) store: Option<Store>,
}

/// What was asked of the store.
pub(super) struct Query<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) project: Option<&'a Path>,
    pub(super) since: Option<i64>,
}

impl Jobs {
    /// The sessions that are asked for, oldest first.
    pub(super) fn find(asked: &Query<'_>, stage: &ReplayMachine) -> Result<Jobs, Failed> {
        let arguments = asked.arguments;
        let mut jobs = Jobs { all: Vec::new(), store: None };
        if arguments.all || !arguments.session.is_empty() {
            let archive = ProjectContext::find()?.archive()?;
            jobs.store = Some(archive.store());
            for session in asked.sessions(&archive)? {
                jobs.all.push(Job::Stored(session));
            }
            if arguments.all {
                let known = archive.index.sessions(&SessionFilter::default())?;
                let known = known.iter().map(|session| session.session.as_str().to_owned()).collect();
                jobs.all.extend(unrecorded_jobs(stage, &known));
            }
        }
        for path in &arguments.transcripts {
            jobs.all.extend(jobs_at(path)?);
        }
        Ok(jobs)
    }
}

impl Query<'_> {
    fn sessions(&self, archive: &Archive) -> Result<Vec<SessionSummary>, Failed> {
        let filter = SessionFilter {
            project: self.project.map(|root| root.to_string_lossy().into_owned()),
            since: self.since,
            ..SessionFilter::default()
        };
        if self.arguments.all {
            let mut found = archive.index.sessions(&filter)?;
            found.reverse();
            return Ok(found);
        }
        self.arguments.session.iter().map(|prefix| find_session(archive, prefix)).collect()
    }
}

/// The one session whose id begins so.
fn find_session(archive: &Archive, prefix: &str) -> Result<SessionSummary, Failed> {
    let filter =
        SessionFilter { id_prefix: Some(prefix.to_owned()), limit: Some(6), ..SessionFilter::default() };
    let mut found = archive.index.sessions(&filter)?;
    match (found.pop(), found.as_slice()) {
        (Some(session), []) => Ok(session),
        (Some(last), others) => {
            let ids: Vec<String> = others
                .iter()
                .chain([&last])
                .map(|session| format!("`{}`", short_session(session.session.as_str())))
                .collect();
            let what = format!("several sessions' ids begin with `{prefix}`: {}", ids.join(", "));
            Err(Failed::new(what, "write more of the id"))
        }
        (None, _) => {
            let what = format!("no session's id begins with `{prefix}`");
            Err(Failed::new(what, "`flyball status --all` lists the sessions"))
        }
    }
}

/// The transcripts that clients keep of sessions which the store does not know.
fn unrecorded_jobs(stage: &ReplayMachine, known: &BTreeSet<String>) -> Vec<Job> {
    let Some(home) = stage.home() else { return Vec::new() };
    let places = Places { project: Path::new("/"), home, variable: &environment::variable };
    let mut jobs = Vec::new();
    for client in CLIENTS {
        let Some(folder) = client.transcripts() else { continue };
        let below = client.facts().client_home(&places).join(folder);
        jobs.extend(
            sessions_below(&below)
                .into_iter()
                .filter(|files| !known.contains(&name_of(files)))
                .map(Job::Transcript),
        );
    }
    jobs
}

/// The session's id, by which its transcript is named.
fn name_of(files: &Files) -> String {
    let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    match files {
        Files::Stdin => String::new(),
        Files::Paths(paths) => paths.first().and_then(stem).unwrap_or_default(),
    }
}

/// The transcripts at a path that was given.
fn jobs_at(path: &Path) -> Result<Vec<Job>, Failed> {
    if path == Path::new("-") {
        return Ok(vec![Job::Transcript(Files::Stdin)]);
    }
    let shown = path.display();
    let found = std::fs::metadata(path).map_err(|cause| {
        Failed::new(format!("`{shown}` cannot be read: {cause}"), "name a transcript or a folder of them")
    })?;
    if found.is_dir() {
        let sessions = sessions_below(path);
        if sessions.is_empty() {
            let fix = "transcripts are files that end in `.jsonl`";
            return Err(Failed::new(format!("there is no transcript below `{shown}`"), fix));
        }
        return Ok(sessions.into_iter().map(Job::Transcript).collect());
    }
    let mut files = vec![path.to_path_buf()];
    collect(&path.with_extension("").join(SUBAGENTS), 1, &mut files);
    Ok(vec![Job::Transcript(Files::Paths(files))])
}

/// The sessions whose transcripts are below a folder, each with its subagents.
fn sessions_below(folder: &Path) -> Vec<Files> {
    let mut files = Vec::new();
    collect(folder, DEEPEST, &mut files);
    let mut sessions: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for file in files {
        let owner = owner_of(&file).filter(|owner| owner.is_file()).unwrap_or_else(|| file.clone());
        let own = sessions.entry(owner.clone()).or_default();
        // The session's own comes first: it says where the session began.
        let place = if file == owner { 0 } else { own.len() };
        own.insert(place, file);
    }
    sessions.into_values().map(Files::Paths).collect()
}

/// The transcript of the session that a subagent belongs to.
fn owner_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent().filter(|folder| folder.file_name().is_some_and(|name| name == SUBAGENTS))?;
    Some(folder.parent()?.with_extension("jsonl"))
}

/// Adds the transcripts below a folder, sorted. Links to folders are not followed: they may lead in circles.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 1 => collect(&path, depth - 1, files),
            Ok(kind) if !kind.is_dir() && path.extension().is_some_and(|end| end == "jsonl") => {
                files.push(path)
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subagents_belong_to_their_session() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in [
            "p/b.jsonl",
            "p/a.jsonl",
            "p/a/subagents/agent-1.jsonl",
            "p/c/subagents/agent-2.jsonl",
            "p/x.txt",
        ] {
            std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            std::fs::write(root.join(name), "").unwrap();
        }
        let on = |names: &[&str]| Files::Paths(names.iter().map(|name| root.join(name)).collect());
        let expected = [
            on(&["p/a.jsonl", "p/a/subagents/agent-1.jsonl"]),
            on(&["p/b.jsonl"]),
            on(&["p/c/subagents/agent-2.jsonl"]),
        ];
        assert_eq!(sessions_below(root), expected);
    }
}
