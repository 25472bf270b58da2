//! Terminals that were made while an agent ran a command.
//!
//! A process that leaves its parents (`setsid`, a second fork) belongs to nobody. But it began while the command ran
//! that started it, and flyball has recorded when that was.

use std::time::Duration;

use flyball_core::event::{EventKind, ToolKind};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_store::Filter;

use crate::processes::{self, Process, base};
use crate::project_context::ProjectContext;

/// How far back commands count: no terminal that an agent made unseen is older.
const MEMORY: Duration = Duration::from_secs(24 * 3600);
/// Clocks of the kernel and of the record differ by less.
const SLACK: Duration = Duration::from_millis(100);

/// Programs with a window of their own, which people open whenever they like. Not those that need none: an agent can
/// start them.
const WINDOWS: &[&str] = &[
    "gnome-terminal-server",
    "ptyxis",
    "ptyxis-agent",
    "kgx",
    "konsole",
    "yakuake",
    "xfce4-terminal",
    "mate-terminal",
    "lxterminal",
    "qterminal",
    "terminology",
    "tilix",
    "deepin-terminal",
    "xterm",
    "urxvt",
    "urxvtd",
    "rxvt",
    "st",
    "alacritty",
    "kitty",
    "wezterm-gui",
    "foot",
    "ghostty",
    "rio",
    "contour",
    "warp",
    "hyper",
    "tabby",
    "code",
    "code-insiders",
    "codium",
    "zed-editor",
    "emacs",
    "sshd",
    "sshd-session",
    "login",
    "mosh-server",
    "getty",
    "agetty",
];

/// When a command of an agent ran; it has no end if it still runs.
struct Run {
    from: Time,
    to: Option<Time>,
}

/// Why one of these chains of processes was begun by an agent's command.
pub(super) fn made_meanwhile(chains: &[Vec<Process>]) -> Option<String> {
    let now = Time::now();
    let cut: Vec<(&Process, Time)> = chains.iter().filter_map(|chain| cut_end(chain, now)).collect();
    // Only then is the record opened.
    if cut.is_empty() {
        return None;
    }
    let Ok(here) = ProjectContext::find() else { return None };
    let runs = recent_runs(&here, now);
    // A command whose client is gone has no end in the record, but it has one.
    let is_client_alive = runs.iter().any(|run| run.to.is_none()) && is_any_client_alive(&here);
    let is_within = |run: &&Run, start: Time| {
        let is_open = run.to.is_none() && is_client_alive;
        start + SLACK >= run.from && (is_open || run.to.is_some_and(|to| start <= to + SLACK))
    };
    cut.into_iter().find_map(|(process, start)| {
        runs.iter().find(|run| is_within(run, start))?;
        Some(format!(
            "this terminal was made while an agent's command ran (process {}, `{}`)",
            process.id, process.name
        ))
    })
}

/// The last process of a chain that belongs to nobody, and when it began.
fn cut_end(chain: &[Process], now: Time) -> Option<(&Process, Time)> {
    // The user's own service manager adopts what was left, as the first process does.
    let is_manager =
        |process: &&Process| base(&process.name) == "systemd" || base(&process.name) == "launchd";
    let end = chain.iter().take_while(|process| !is_manager(process)).last()?;
    // What has no parent at all was started from outside, as in a container.
    if end.parent == 0 || end.program().is_some_and(|program| WINDOWS.contains(&program.as_str())) {
        return None;
    }
    let age = Duration::try_from_secs_f64(end.age_seconds()?).ok()?;
    Some((end, now - age))
}

/// When agents ran commands lately, in all projects of this user.
fn recent_runs(here: &ProjectContext, now: Time) -> Vec<Run> {
    let filter = Filter {
        kinds: vec![EventKind::BeforeTool, EventKind::AfterTool, EventKind::ToolFailed],
        tool: Some(ToolKind::Shell),
        since: Some(now - MEMORY),
        ..Filter::default()
    };
    let found = here.archive().and_then(|archive| Ok(archive.index.events(&filter)?));
    // Without a record nothing says that an agent is at work.
    let mut records: Vec<Record> = found.unwrap_or_default().into_iter().map(|event| event.record).collect();
    records.sort_by_key(|record| record.at);
    let starts = records.iter().filter(|it| it.kind == EventKind::BeforeTool && it.stance != Stance::Deny);
    let runs = starts.map(|start| {
        let ends = |it: &&Record| {
            it.kind != EventKind::BeforeTool
                && it.at >= start.at
                && it.session == start.session
                && it.subject == start.subject
        };
        Run { from: start.at, to: records.iter().find(ends).map(|end| end.at) }
    });
    runs.collect()
}

/// Whether a client runs whose sessions are in this record.
fn is_any_client_alive(here: &ProjectContext) -> bool {
    let is_one =
        |process: &Process| process.client().is_some() && process.state_dir().as_deref() == here.state_dir();
    processes::all().filter_map(Process::find).any(|process| is_one(&process))
}
