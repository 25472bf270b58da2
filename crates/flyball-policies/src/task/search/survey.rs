//! The status of the tools when a session starts. Nothing is waited for: a service that does not answer at once is
//! reported as such, and what has to be started is started after the answer.

use std::time::Duration;

use flyball_core::config::Mode;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::time::Time;
use flyball_core::verdict::FollowUp;
use flyball_core::workshop::{Places, ProgramQuery, Request, Workshop};

use super::process::{Running, check_running};
use super::settings::{Service, Settings, Tool};

/// How long a service is waited for. One on this machine answers in less, or it is busy and can be asked again.
const PROBE: Duration = Duration::from_millis(40);
/// A program that was started more recently may not have written its pid yet.
const FRESH: Duration = Duration::from_secs(30);
/// Below the first size an index is nearly empty; below the second it is shown in kilobytes.
const SMALL_BYTES: u64 = 20_000;
const KILO_BYTES: u64 = 100_000;

/// The tools that the project uses.
pub(super) struct Survey(pub(super) Vec<ToolStatus>);

/// The status of one tool.
pub(super) struct ToolStatus {
    pub(super) name: String,
    /// One line for the user.
    pub(super) status: String,
    /// The text for the model, if the tool can be used.
    pub(super) reminder: Option<String>,
    /// What has to be started.
    pub(super) follow_up: Option<FollowUp>,
}

/// Looks at each tool of which the project has the folder.
pub(super) fn survey(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Survey, PolicyError> {
    let settings: Settings = situation.config()?;
    let used = settings.tool.iter().filter(|tool| is_used(tool, workshop));
    Ok(Survey(used.map(|tool| look(tool, situation.mode, workshop)).collect::<Result<_, _>>()?))
}

/// Whether the project has the folder of a tool.
fn is_used(tool: &Tool, workshop: &dyn Workshop) -> bool {
    let marker = workshop.real_path(workshop.project_root(), tool.marker.as_str());
    workshop.stat(&marker).is_some_and(|stat| stat.is_folder)
}

/// Whether the project uses a tool and a question to it would be answered now.
pub(super) fn is_usable(tool: &Tool, workshop: &dyn Workshop) -> bool {
    let index = || workshop.stat(&workshop.real_path(workshop.project_root(), tool.index.as_str()));
    is_used(tool, workshop)
        && index().is_some_and(|stat| !stat.is_folder)
        && tool.service.as_ref().is_none_or(|service| answers(service, workshop))
        && server(tool, workshop) != Running::No
}

/// Whether the server runs that agents ask; one that leaves no number counts as running.
fn server(tool: &Tool, workshop: &dyn Workshop) -> Running {
    if tool.server_pid.is_empty() {
        Running::Yes
    } else {
        check_running(workshop, &tool.server_pid, &[&tool.name])
    }
}

fn look(tool: &Tool, mode: Mode, workshop: &dyn Workshop) -> Result<ToolStatus, PolicyError> {
    let index = workshop.stat(&workshop.real_path(workshop.project_root(), tool.index.as_str()));
    let index = index.filter(|stat| !stat.is_folder).map(|stat| stat.bytes);
    // Without an index no service is needed.
    let silent = tool.service.as_ref().filter(|service| index.is_some() && !answers(service, workshop));
    let mut parts: Vec<String> =
        silent.map(|service| format!("{} does not answer", service.place())).into_iter().collect();
    let can_start = index.is_some() && silent.is_none() && mode == Mode::Enforce;
    let (about, follow_up) = watch(tool, can_start, workshop)?;
    parts.extend(about);
    let server = server(tool, workshop);
    if server == Running::No {
        parts.push("server: stopped".to_owned());
    }
    let status = if parts.is_empty() { "ready".to_owned() } else { parts.join(", ") };
    let status = format!("{}: {status} | index: {}", tool.name, size(index));
    let is_ready = index.is_some() && silent.is_none() && server != Running::No;
    Ok(ToolStatus {
        name: tool.name.clone(),
        status,
        reminder: is_ready.then(|| tool.reminder_text()),
        follow_up,
    })
}

fn answers(service: &Service, workshop: &dyn Workshop) -> bool {
    let request = Request { url: service.url().to_owned(), headers: Vec::new(), body: None, timeout: PROBE };
    // Any answer but an error of the server shows that it works.
    workshop.post(&request).is_ok_and(|response| response.status < 500)
}

/// What there is to say about the program that keeps the index fresh, and how it is started.
fn watch(
    tool: &Tool,
    can_start: bool,
    workshop: &dyn Workshop,
) -> Result<(Option<String>, Option<FollowUp>), PolicyError> {
    let Some((program, arguments)) = tool.watch.split_first() else { return Ok((None, None)) };
    let words: Vec<&str> = tool.watch.iter().map(String::as_str).collect();
    match check_running(workshop, &tool.watch_pid, &words) {
        // Where it cannot be known, a second one must not be started.
        Running::Yes | Running::Unknown => return Ok((None, None)),
        Running::No => {}
    }
    if !(tool.auto_start && can_start) {
        return Ok((Some("watch: stopped".to_owned()), None));
    }
    let root = workshop.project_root().to_owned();
    let query = ProgramQuery { name: program.clone(), near: root.clone(), places: Places::SearchPath };
    let Some(found) = workshop.find(&query) else {
        return Ok((Some(format!("watch: stopped, `{program}` is not installed")), None));
    };
    let before = claim(tool, workshop)?;
    let (about, is_ours) = match before {
        LastStart::JustStarted => ("watch: starting", false),
        LastStart::Earlier => ("watch: starting again, the last start left nothing running", true),
        LastStart::Never => ("watch: starting", true),
    };
    Ok((Some(about.to_owned()), is_ours.then(|| start_follow_up(&root, found.path, arguments))))
}

/// Whether it was started before.
enum LastStart {
    JustStarted,
    Earlier,
    Never,
}

/// Claims the start of the program for this session, unless another one just started it.
fn claim(tool: &Tool, workshop: &dyn Workshop) -> Result<LastStart, PolicyError> {
    let now = workshop.now();
    let mut before = LastStart::Never;
    workshop.change_note(&format!("task.search.started {}", tool.name), &mut |note| {
        let started = note.and_then(|note| note.parse().ok()).map(Time::from_millis);
        before = match started {
            Some(at) if now.since(at) < FRESH => LastStart::JustStarted,
            Some(_) => LastStart::Earlier,
            None => LastStart::Never,
        };
        Ok((!matches!(before, LastStart::JustStarted)).then(|| now.as_millis().to_string()))
    })?;
    Ok(before)
}

/// Starts the program in the project. The shell only changes the folder: the words are handed through as they are.
fn start_follow_up(root: &AbsolutePath, program: AbsolutePath, arguments: &[String]) -> FollowUp {
    let mut words = vec!["-c".to_owned(), "cd \"$1\" && shift && exec \"$@\"".to_owned(), "sh".to_owned()];
    words.extend([root.to_string(), program.into()]);
    words.extend(arguments.iter().cloned());
    FollowUp { program: AbsolutePath::from_root("/bin/sh"), arguments: words }
}

fn size(index: Option<u64>) -> String {
    match index {
        None => "missing".to_owned(),
        Some(bytes) if bytes < SMALL_BYTES => format!("{} KB, nearly empty", bytes / 1_000),
        Some(bytes) if bytes < KILO_BYTES => format!("{} KB", bytes / 1_000),
        Some(bytes) => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
    }
}
