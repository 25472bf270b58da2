//! `flyball replay`: runs a configuration over what was recorded, without doing anything.

mod arguments;
mod compare;
mod configs;
mod jobs;
mod json;
mod lines;
mod page;
mod pool;
mod replayer;
mod stored;
mod tally;
mod transcript;

use std::path::{Path, PathBuf};
use std::time::Instant;

use flyball_core::event::ToolKind;
use flyball_core::nearest::nearest;
use flyball_policies::REGISTRY;
use flyball_world::interrupt::Interrupt;
use flyball_world::machine::project_root;
use jiff::Zoned;

pub(crate) use self::arguments::Arguments;
use self::configs::{Configs, Trial};
use self::jobs::{Jobs, Query};
use self::page::{Run, View};
use self::replayer::{ReplayContext, SessionResult, Wanted};
use self::tally::{Entry, Tally};
use crate::environment;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::replay::ReplayMachine;
use crate::show::time::{self, Bound};
use crate::terminal::{Reader, Terminal};

/// Replays what was asked for.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let started = Instant::now();
    let now = Zoned::now();
    let interrupt = Interrupt::listen();
    // A policy that panics is answered for; its report would end up among the differences.
    std::panic::set_hook(Box::new(|_| {}));
    let stage = ReplayMachine::new();
    let trial = Trial { file: arguments.config.clone(), only: arguments.only, modes: arguments.mode.clone() };
    let configs = Configs::new(&stage, &trial, terminal)?;
    let wanted = wanted(arguments, &now)?;
    let project = arguments.project.as_deref().map(root_of);
    let asked = Query { arguments, project: project.as_deref(), since: wanted.since };
    let jobs = Jobs::find(&asked, &stage)?;
    let theatre =
        ReplayContext { machine: &stage, configs: &configs, wanted: &wanted, interrupt: &interrupt };
    let mut report = Report::new(arguments, terminal, jobs.all.len());
    pool::run_all(&jobs, (&theatre, project.as_deref()), |played| report.take(played))?;
    report.progress.clear();
    let run = Run { took: started.elapsed(), is_interrupted: interrupt.is_set(), notices: configs.notices() };
    report.print(&run, &now);
    Ok(exit_status(&report.tally, interrupt.is_set()))
}

fn exit_status(tally: &Tally, is_interrupted: bool) -> Done {
    if is_interrupted {
        Done::Interrupted
    } else if tally.differing > 0 {
        Done::Findings
    } else if tally.is_complete() {
        Done::Success
    } else {
        Done::Unchecked
    }
}

/// What comes in, kept as far as it is shown.
struct Report<'a> {
    arguments: &'a Arguments,
    terminal: &'a Terminal,
    progress: Progress,
    sessions: (usize, usize),
    tally: Tally,
    shown: Vec<Entry>,
    reader: Reader,
}

impl<'a> Report<'a> {
    fn new(arguments: &'a Arguments, terminal: &'a Terminal, sessions: usize) -> Report<'a> {
        let progress = Progress::after_a_while();
        progress.set_text("reading what was recorded");
        Report {
            arguments,
            terminal,
            progress,
            sessions: (0, sessions),
            tally: Tally::default(),
            shown: Vec::new(),
            reader: Reader::Listening,
        }
    }

    fn take(&mut self, played: SessionResult) {
        self.sessions.0 += 1;
        self.progress.bar("sessions", self.sessions);
        self.tally.add(played.tally);
        if self.arguments.json {
            if self.reader == Reader::Listening {
                self.reader = self.terminal.lines(played.entries.iter().map(json::event));
            }
            return;
        }
        let most = if self.arguments.full { usize::MAX } else { self.arguments.number };
        let room = most.saturating_sub(self.shown.len());
        self.shown.extend(played.entries.into_iter().take(room));
    }

    fn print(&self, run: &Run, now: &Zoned) {
        if self.arguments.json {
            self.terminal.line(&json::summary(&self.tally, run));
            return;
        }
        let view = View {
            tally: &self.tally,
            shown: &self.shown,
            is_full: self.arguments.full,
            all_events: self.arguments.all_events,
            now,
        };
        view.page(run).print(self.terminal);
    }
}

fn wanted(arguments: &Arguments, now: &Zoned) -> Result<Wanted, Failed> {
    let moment = |text: &Option<String>, bound| match text {
        None => Ok(None),
        Some(text) => match time::parse(text, bound, now) {
            Some(at) => Ok(Some(at)),
            None => Err(Failed::new(format!("`{text}` is no time"), time::FORMS)),
        },
    };
    Ok(Wanted {
        since: moment(&arguments.since, Bound::Start)?,
        until: moment(&arguments.until, Bound::End)?,
        policy: arguments.policy.as_deref().map(policy).transpose()?,
        tool: arguments.tool.as_deref().and_then(ToolKind::from_name),
        all_events: arguments.all_events,
    })
}

fn policy(id: &str) -> Result<String, Failed> {
    let ids = || REGISTRY.iter().map(|policy| policy.id.as_str());
    if ids().any(|known| known == id) {
        return Ok(id.to_owned());
    }
    let meant = nearest(id, ids()).map(|near| format!("did you mean `{near}`? "));
    let fix = format!("{}`flyball policies` lists them all", meant.unwrap_or_default());
    Err(Failed::new(format!("no policy is called `{id}`"), fix))
}

/// The root of the project that a path is in; one that is gone is taken as it is written.
fn root_of(path: &Path) -> PathBuf {
    let path = environment::working_directory().map_or_else(|| path.to_path_buf(), |here| here.join(path));
    path.canonicalize().map_or(path, |real| project_root(&real))
}
