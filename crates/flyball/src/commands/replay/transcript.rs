//! The transcript of a session, with those of its subagents, in the order in which things happened.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use flyball_clients::CLIENTS;
use flyball_clients::history::{EventOutcome, EventRef, History, HistoryEntry, Line};
use flyball_core::event::Event;
use flyball_core::path::AbsolutePath;
use flyball_core::time::Time;

use super::lines::{Next, next_line};
use super::replayer::{Comparison, ReplayContext, Replayer, SessionResult, initial_answer};
use crate::environment;

/// So many events may wait for word of what became of them. That comes within a few lines, or never.
const MOST_WAITING: usize = 256;

/// How much of a file is read at a time.
const CHUNK: usize = 256 * 1024;

/// Where a session's transcripts are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Files {
    Stdin,
    /// The session's own, and those of its subagents.
    Paths(Vec<PathBuf>),
}

impl Files {
    /// How they are named in messages.
    pub(super) fn display_name(&self) -> String {
        match self {
            Files::Stdin => "standard input".to_owned(),
            Files::Paths(paths) => paths.first().map(|path| path.display().to_string()).unwrap_or_default(),
        }
    }
}

pub(super) fn replay(files: &Files, context: &ReplayContext<'_>) -> SessionResult {
    let mut replayer = Replayer::new(context);
    let sources = match files {
        Files::Stdin => vec![Source::new(Box::new(BufReader::with_capacity(CHUNK, std::io::stdin())))],
        Files::Paths(paths) => match paths.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>() {
            Ok(sources) => sources,
            Err(why) => {
                replayer.result.tally.unread.push(format!("{}: {why}", files.display_name()));
                return replayer.result;
            }
        },
    };
    let mut replay =
        TranscriptReplay { replayer, waiting: VecDeque::new(), root: None, project: context.project };
    if let Err(why) = replay.run(sources) {
        replay.replayer.result.tally.unread.push(format!("{}: {why}", files.display_name()));
    }
    replay.end()
}

fn open(path: &Path) -> std::io::Result<Source> {
    // A pipe would be waited for, and a folder is none.
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("this is not a file"));
    }
    Ok(Source::new(Box::new(BufReader::with_capacity(CHUNK, File::open(path)?))))
}

/// One file, read as far as needed.
struct Source {
    from: Box<dyn BufRead>,
    history: Option<Box<dyn History>>,
    buffer: Vec<u8>,
    pending: VecDeque<HistoryEntry>,
    /// When what is told next happened.
    at: Time,
    is_over: bool,
    unreadable: usize,
}

impl Source {
    fn new(from: Box<dyn BufRead>) -> Source {
        // Only one client has a history that can be read, so the first one found is it.
        let history = CLIENTS.iter().find_map(|client| client.history());
        Source {
            from,
            history,
            buffer: Vec::new(),
            pending: VecDeque::new(),
            at: Time::default(),
            is_over: false,
            unreadable: 0,
        }
    }

    /// Reads on until something is told.
    fn fill(&mut self) -> std::io::Result<()> {
        while self.pending.is_empty() && !self.is_over {
            match next_line(&mut *self.from, &mut self.buffer)? {
                Next::End => self.is_over = true,
                Next::TooLong => self.unreadable += 1,
                Next::Line => self.parse_line(),
            }
        }
        Ok(())
    }

    fn parse_line(&mut self) {
        let Some(history) = &mut self.history else { return };
        match history.read(&self.buffer) {
            Line::Entries(told) => {
                let first = told.iter().find_map(|told| match told {
                    HistoryEntry::Happened { at, .. } => Some(*at),
                    HistoryEntry::Resolved { .. } => None,
                });
                // Results have no time of their own; they belong right behind the line before.
                self.at = first.unwrap_or(self.at);
                self.pending.extend(told);
            }
            Line::Skipped => {}
            Line::Unreadable => self.unreadable += 1,
        }
    }
}

struct TranscriptReplay<'a> {
    replayer: Replayer<'a>,
    /// Judged; their results come later.
    waiting: VecDeque<Comparison>,
    root: Option<String>,
    /// The only project that is asked for. Sessions whose own folder is gone are judged there.
    project: Option<&'a Path>,
}

/// Whether a session is asked for.
enum IsWanted {
    Yes,
    No,
}

impl TranscriptReplay<'_> {
    fn run(&mut self, mut sources: Vec<Source>) -> std::io::Result<()> {
        let outcome = self.replay_all(&mut sources);
        self.replayer.result.tally.unreadable_lines +=
            sources.iter().map(|source| source.unreadable).sum::<usize>();
        outcome
    }

    fn replay_all(&mut self, sources: &mut [Source]) -> std::io::Result<()> {
        while !self.replayer.is_over() {
            for source in sources.iter_mut() {
                source.fill()?;
            }
            // The files of a session are merged by time: a subagent's denial may depend on what the main
            // agent did.
            let next =
                sources.iter_mut().filter(|source| !source.pending.is_empty()).min_by_key(|source| source.at);
            let Some(source) = next else { break };
            match source.pending.pop_front() {
                Some(HistoryEntry::Happened { at, event }) => {
                    if let IsWanted::No = self.judge_event(at, *event) {
                        self.replayer.result.tally.sessions = 0;
                        break;
                    }
                }
                Some(HistoryEntry::Resolved { event: of, outcome: fate }) => self.apply_outcome(&of, fate),
                None => {}
            }
        }
        Ok(())
    }

    fn judge_event(&mut self, at: Time, mut event: Event) -> IsWanted {
        let root = match &self.root {
            Some(root) => root.clone(),
            None => match self.find_root(&event) {
                Some(root) => self.root.insert(root).clone(),
                None => return IsWanted::No,
            },
        };
        self.relocate(&mut event, &root);
        let then = initial_answer(event.kind());
        let again = self.replayer.judge(at, &root, event);
        self.waiting.push_back(Comparison { at, root, judged: again, past: then });
        if self.waiting.len() > MOST_WAITING
            && let Some(scene) = self.waiting.pop_front()
        {
            self.replayer.compare(scene);
        }
        IsWanted::Yes
    }

    /// The root of the project that a session began in; `None` if that is not the one that is asked for.
    fn find_root(&mut self, event: &Event) -> Option<String> {
        let folder = Path::new(event.project.as_deref().unwrap_or(&event.cwd));
        let is_there = folder.is_dir();
        let own = environment::project_root(folder);
        let root = match self.project {
            Some(project) if is_there && own != project => return None,
            Some(project) => project.to_path_buf(),
            None => own,
        };
        self.replayer.result.tally.without_folder += usize::from(!is_there && self.project.is_none());
        Some(root.to_string_lossy().into_owned())
    }

    /// Moves an event whose folder is gone to where it is judged.
    fn relocate(&self, event: &mut Event, root: &str) {
        let Some(old) = event.project.clone().filter(|old| *old != *root && self.project.is_some()) else {
            return;
        };
        if !Path::new(&old).is_dir() && event.cwd.is_in(&old) {
            let root = AbsolutePath::from_root(root);
            event.cwd = event.cwd.strip_folder(&old).map_or_else(|| root.clone(), |below| root.join(below));
        }
    }

    fn apply_outcome(&mut self, of: &EventRef, fate: EventOutcome) {
        let is_it = |scene: &&mut Comparison| {
            let event = &scene.judged.event;
            let call = event.call().and_then(|call| call.id.as_deref());
            event.kind() == of.kind && (of.call.is_none() || call == of.call.as_deref())
        };
        // The newest that fits: without a call id, an outcome is about the last event of that kind.
        if let Some(scene) = self.waiting.iter_mut().rev().find(is_it) {
            scene.past.apply_outcome(fate);
        }
    }

    fn end(mut self) -> SessionResult {
        while let Some(scene) = self.waiting.pop_front() {
            self.replayer.compare(scene);
        }
        self.replayer.result
    }
}
