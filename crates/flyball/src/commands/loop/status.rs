//! `flyball loop status`: the loops of a project's sessions.

use clap::Args;
use flyball_policies::r#loop::feedback::report::Status;
use jiff::Zoned;

use super::show;
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::session;
use crate::terminal::Terminal;
use crate::views::r#loop as view;
use crate::views::r#loop::{LoopSettings, SessionLoop, SessionOutput};

/// Arguments of `flyball loop status`.
#[derive(Args, Default)]
pub(super) struct Arguments {
    /// Only this session: its id, or the beginning of it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Print JSON: a list of sessions, each with `session`, `client`, `project`, `loop` and `task`, which may be null.
    /// `loop` has `standing` (open, passed, escalated, aborted, handed_over, or ended: with its session, unproven), `iteration` (0 when it is done), `of`,
    /// `began`, `domains`, `history` (each with `at`, `iteration`, `what`) and, where there is one, `escalation`
    /// (`reason`, `at`, `advice`, `adviser`) or `handed_over_to`. A domain has `name`, `files` and `phases`, each with
    /// `name`, `status` (passed, failed, open, reopened or stale), `failures` (in a row), `by`, `at` and `issues`.
    /// `task` has `text`, `iteration`, `max`, `until`, `began`. Times are microseconds since 1970
    #[arg(long)]
    json: bool,
    /// Exit with 1 if the work of a session that is shown is not proven: its loop is open, was when the session ended, or
    /// is escalated
    #[arg(long)]
    check: bool,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let archive = here.archive()?;
    let mut rules = LoopSettings::default();
    let looped = match &arguments.session {
        Some(start) => {
            let session = session::find_named(start, &archive)?;
            let session_loop = view::find(&session, &archive, &mut rules)?;
            vec![SessionLoop { session, session_loop }]
        }
        None => view::all(&here, &archive)?,
    };
    let mut sessions = Vec::new();
    for session in looped {
        sessions.extend(SessionOutput::find(session, &archive)?);
    }
    if arguments.json {
        terminal.raw(&serde_json::to_string_pretty(&sessions).unwrap_or_default());
    } else if sessions.is_empty() {
        terminal.line(explain_empty(&here, &mut rules));
    } else {
        show::sessions(&sessions, &Zoned::now(), terminal);
    }
    let is_unproven = |session: &SessionOutput| {
        session.session_loop.as_ref().is_some_and(|it| it.is_unfinished() || it.standing == Status::Ended)
    };
    Ok(if arguments.check && sessions.iter().any(is_unproven) { Done::Findings } else { Done::Success })
}

fn explain_empty(here: &ProjectContext, rules: &mut LoopSettings) -> &'static str {
    match rules.get(&here.root.to_string_lossy()) {
        Some(_) => {
            "No loop is open: no session of this project has edited code that has to be reviewed and tested."
        }
        None => {
            "No loop is open: loop.feedback is off here. `flyball init --packs loop` switches the loop on."
        }
    }
}
