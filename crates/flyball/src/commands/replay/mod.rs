//! `flyball replay`: runs a configuration over what was recorded, without doing anything.

mod compare;
mod configs;
mod jobs;
mod json;
mod lines;
mod options;
mod page;
mod pool;
mod replayer;
mod stored;
mod tally;
mod transcript;

use std::path::Path;
use std::time::Instant;

use flyball_core::event::ToolKind;
use flyball_world::interrupt::Interrupt;
use jiff::Zoned;

use self::configs::{Configs, Trial};
use self::jobs::{Jobs, Query};
pub(crate) use self::options::Arguments;
use self::page::{Run, View};
use self::replayer::{ReplayContext, SessionResult, Wanted};
use self::tally::{Entry, Tally};
use crate::arguments;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::replay::ReplayMachine;
use crate::show::time::Bound;
use crate::terminal::{Reader, Terminal};

pub(crate) fn run(options: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let started = Instant::now();
    let now = Zoned::now();
    let interrupt = Interrupt::listen();
    // A policy that panics is handled; its message would end up among the differences.
    std::panic::set_hook(Box::new(|_| {}));
    let machine = ReplayMachine::new();
    let trial = Trial { file: options.config.clone(), only: options.only, modes: options.mode.clone() };
    let configs = Configs::new(&machine, &trial, terminal)?;
    let wanted = wanted(options, &now)?;
    let project = options.project.as_deref().map(arguments::project);
    let query = Query { options, project: project.clone(), since: wanted.since };
    let jobs = Jobs::find(&query, &machine)?;
    let context = ReplayContext {
        machine: &machine,
        configs: &configs,
        wanted: &wanted,
        interrupt: &interrupt,
        project: project.as_deref().map(Path::new),
    };
    let mut report = Report::new(options, terminal, jobs.all.len());
    pool::run_all(&jobs, &context, |played| report.take(played))?;
    report.progress.clear();
    let run = Run { took: started.elapsed(), is_interrupted: interrupt.is_set(), notices: configs.notices() };
    report.print(&run, &now);
    Ok(exit_status(&report.tally, interrupt.is_set()))
}

fn exit_status(tally: &Tally, is_interrupted: bool) -> Done {
    // First: the numbers of half a replay are not a result.
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

/// The results so far, as much of them as is shown.
struct Report<'a> {
    options: &'a Arguments,
    terminal: &'a Terminal,
    progress: Progress,
    sessions: (usize, usize),
    tally: Tally,
    shown: Vec<Entry>,
    reader: Reader,
}

impl<'a> Report<'a> {
    fn new(options: &'a Arguments, terminal: &'a Terminal, sessions: usize) -> Report<'a> {
        let progress = Progress::after_a_while();
        progress.set_text("reading the record");
        Report {
            options,
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
        if self.options.json {
            // With `| head` the replay goes on for the summary's exit code, but prints no more.
            if self.reader == Reader::Listening {
                self.reader = self.terminal.raw_lines(played.entries.iter().map(json::event));
            }
            return;
        }
        let most = if self.options.full { usize::MAX } else { self.options.number };
        let room = most.saturating_sub(self.shown.len());
        self.shown.extend(played.entries.into_iter().take(room));
    }

    fn print(&self, run: &Run, now: &Zoned) {
        if self.options.json {
            self.terminal.raw(&json::summary(&self.tally, run));
            return;
        }
        let view = View {
            tally: &self.tally,
            shown: &self.shown,
            is_full: self.options.full,
            all_events: self.options.all_events,
            now,
        };
        view.page(run).print(self.terminal);
    }
}

fn wanted(options: &Arguments, now: &Zoned) -> Result<Wanted, Failed> {
    let moment = |text: &Option<String>, bound| {
        text.as_deref().map(|text| arguments::time(text, bound, now)).transpose()
    };
    let policy = options.policy.as_deref().map(arguments::policy).transpose()?;
    Ok(Wanted {
        since: moment(&options.since, Bound::Start)?,
        until: moment(&options.until, Bound::End)?,
        policy: policy.map(|policy| policy.id.to_string()),
        tool: options.tool.as_deref().and_then(ToolKind::from_name),
        all_events: options.all_events,
    })
}
