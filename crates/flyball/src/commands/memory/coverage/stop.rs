//! Whether an agent that edited a file is blocked from stopping until a command has passed: a session in a folder of its own,
//! in which nothing is run.

use std::sync::Arc;

use flyball_core::config::{Config, Mode};
use flyball_core::event::{Change, Event, EventData, FileEdit, Outcome, SessionId, Stopping, Tool, ToolCall};
use flyball_core::path::AbsolutePath;
use flyball_core::time::Time;
use flyball_core::verdict::{Reason, Stance};

use crate::outcome::Failed;
use crate::replay::{Moment, ReplayMachine, Session};
use crate::temporary::TemporaryFolder;

/// The policy that blocks, if one does and names the command.
pub(super) fn blocked_by(
    replay: &ReplayMachine,
    config: &Arc<Config>,
    file: &str,
    command: &str,
) -> Result<Option<String>, Failed> {
    let folder = TemporaryFolder::new()?;
    folder.write("flyball.toml", "")?;
    let root = AbsolutePath::from_path(folder.path());
    let moment = Moment {
        at: Time::now(),
        root: root.to_string(),
        skipped: Arc::default(),
        config: Arc::clone(config),
    };
    let mut session = Session::new(replay);
    let event = |happening| Event::new("coverage", SessionId::new("coverage"), root.clone(), happening);
    session.judge(event(EventData::SessionStart { source: "startup".to_owned() }), &moment);
    let text = "value = compute()\n";
    let path = folder.write(file, text)?;
    let edit = FileEdit {
        path: path.to_string_lossy().into_owned(),
        change: Change::Write { content: text.to_owned() },
    };
    let call =
        ToolCall { id: None, name: "edit".to_owned(), tool: Tool::Edit(vec![edit]), input: "{}".to_owned() };
    session.judge(event(EventData::AfterTool { call, outcome: Outcome::default() }), &moment);
    let stop = session.judge(event(EventData::Stop(Stopping::default())), &moment);
    let blocks = stop.judgement.rulings.into_iter().find(|ruling| {
        ruling.mode == Mode::Enforce
            && !ruling.skipped
            && ruling.verdict.stance == Stance::Deny
            && ruling.verdict.reasons.iter().any(|reason| names(reason, command))
    });
    Ok(blocks.map(|ruling| ruling.policy.to_string()))
}

/// Whether a reason names a command line: as a whole, or as the beginning of a longer one.
fn names(reason: &Reason, command: &str) -> bool {
    let text = reason.text();
    let is_end =
        |letter: Option<char>| letter.is_none_or(|it| it.is_whitespace() || "`'\"&|;()".contains(it));
    text.match_indices(command).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + command.len()..).and_then(|behind| behind.chars().next());
        is_end(before) && is_end(behind)
    })
}
