//! Whether a client started this process, or a command that its agent runs.
//!
//! An event that an agent makes up would write what its session remembers: a stop that nobody made, a prompt that nobody
//! typed.

use std::path::Path;

use crate::environment;
use crate::processes::{self, MOST_ANCESTORS, Process};

/// The command of an agent that started this process, if one did.
pub(super) fn find_forger(state: Option<&Path>) -> Option<Process> {
    let parent = Process::find(std::os::unix::process::parent_id())?;
    let mut between = Vec::new();
    let mut next = Some(parent);
    let (client, facts) = loop {
        // Without a client among them, a person or a test has started us.
        let process = next.filter(|_| between.len() < MOST_ANCESTORS)?;
        if let Some(facts) = process.client() {
            break (process, facts);
        }
        next = process.parent();
        between.push(process);
    };
    // What the client has itself is from the terminal of another one.
    let is_from_client = |mark: &str| client.variable(mark).is_none();
    let is_tool = |process: &Process| process.mark(facts.tool_marks).is_some_and(is_from_client);
    let is_set_here = |mark: &&&str| environment::variable(mark).is_some();
    let here = facts.tool_marks.iter().find(is_set_here).is_some_and(|mark| is_from_client(mark));
    let forger = between.into_iter().find(is_tool).or_else(|| here.then(processes::this))?;
    // With another state directory it is a test: it writes into no memory of that client's sessions.
    (client.state_dir().as_deref() == state).then_some(forger)
}
