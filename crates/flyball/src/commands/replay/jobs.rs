//! Which sessions are replayed: from the store, and from the clients' own transcripts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use flyball_core::time::Time;

use flyball_clients::CLIENTS;
use flyball_clients::install::Places;
use flyball_store::{SessionFilter, SessionSummary, Store};

use super::options::Arguments;
use super::transcript::Files;
use crate::environment;
use crate::outcome::Failed;
use crate::project_context::{Archive, ProjectContext};
use crate::replay::ReplayMachine;
use crate::session;

/// How deep below a folder transcripts are looked for: project, session, `subagents`.
const DEEPEST: usize = 6;

/// The folder beside a transcript in which those of its subagents are.
const SUBAGENTS: &str = "subagents";

/// One session to replay.
#[derive(Clone, Debug)]
pub(super) enum Job {
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
    pub(super) options: &'a Arguments,
    /// The root.
    pub(super) project: Option<String>,
    pub(super) since: Option<Time>,
}

impl Jobs {
    /// The sessions that are asked for, oldest first.
    pub(super) fn find(query: &Query<'_>, machine: &ReplayMachine) -> Result<Jobs, Failed> {
        let options = query.options;
        let mut jobs = Jobs { all: Vec::new(), store: None };
        if options.all || !options.session.is_empty() {
            let archive = ProjectContext::find()?.archive()?;
            jobs.store = Some(archive.store());
            for session in query.sessions(&archive)? {
                jobs.all.push(Job::Stored(session));
            }
            if options.all {
                // All of them, whatever was filtered: a recorded session must not be replayed from its
                // transcript as well.
                let known = archive.index.sessions(&SessionFilter::default())?;
                let known = known.iter().map(|session| session.session.as_str().to_owned()).collect();
                jobs.all.extend(unrecorded_jobs(machine, &known));
            }
        }
        for path in &options.transcripts {
            jobs.all.extend(jobs_at(path)?);
        }
        Ok(jobs)
    }
}

impl Query<'_> {
    fn sessions(&self, archive: &Archive) -> Result<Vec<SessionSummary>, Failed> {
        let filter =
            SessionFilter { project: self.project.clone(), since: self.since, ..SessionFilter::default() };
        if self.options.all {
            let mut found = archive.index.sessions(&filter)?;
            found.reverse();
            return Ok(found);
        }
        self.options.session.iter().map(|id| session::find_named(id, archive)).collect()
    }
}

/// The transcripts that clients keep of sessions which the store does not know.
fn unrecorded_jobs(machine: &ReplayMachine, known: &BTreeSet<String>) -> Vec<Job> {
    let Some(home) = machine.home() else { return Vec::new() };
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
            return Err(Failed::new(format!("no transcripts below `{shown}`"), fix));
        }
        return Ok(sessions.into_iter().map(Job::Transcript).collect());
    }
    let mut files = vec![path.to_path_buf()];
    // Claude Code has the subagents of `ID.jsonl` in the folder `ID/subagents`.
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
