//! Whether a client started this process, or a command that its agent runs.
//!
//! An event that an agent makes up would write what its session remembers: a stop that nobody made, a prompt that nobody
//! typed.

use std::path::Path;

use flyball_clients::CLIENTS;

use crate::environment;
use crate::processes::{self, MOST_ANCESTORS, Process};

/// The command of an agent that started this process, if one did.
pub(super) fn find_forger(state: Option<&Path>) -> Option<Process> {
    // Nearly always the client itself or a shell of it has started us: that is a read or two.
    let parent = std::os::unix::process::parent_id();
    let seen = Process::without_words(parent);
    let is_client = |process: &Process| process.client().is_some();
    if !has_tool_mark() && seen.as_ref().is_some_and(is_client) {
        return None;
    }
    let mut next = seen.map(Process::with_words).or_else(|| Process::find(parent));
    let mut below = vec![processes::this()];
    let client = loop {
        // Without a client among them, a person or a test has started us.
        let process = next.filter(|_| below.len() < MOST_ANCESTORS)?;
        if is_client(&process) {
            break process;
        }
        next = process.parent();
        below.push(process);
    };
    let marks = client.client()?.tool_marks;
    // What the client has itself is from the terminal of another one.
    let is_own = |process: &&Process| process.mark(marks).is_some_and(|mark| client.variable(mark).is_none());
    let forger = below.iter().find(is_own)?;
    // With another state directory it is a test: it writes into no memory of that client's sessions.
    (client.state_dir().as_deref() == state).then(|| forger.clone())
}

/// Whether a variable is set that clients set only for the commands of their agents.
fn has_tool_mark() -> bool {
    let mut marks = CLIENTS.iter().flat_map(|client| client.facts().tool_marks);
    marks.any(|mark| environment::variable(mark).is_some())
}
