//! Reminds an agent of the index when it searches by text.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::event::{SearchFor, Tool as Called};
use flyball_core::path::is_or_is_below;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::time::{self, Time};
use flyball_core::verdict::{Snippet, Verdict};
use flyball_effects::Command;
use serde::{Deserialize, Serialize};

use super::settings::{Settings, Tool};

/// A line without one of these searches no text.
const SEARCH_PROGRAMS: [&str; 4] = ["grep", "rg", "ag", "ack"];

/// When an agent was last reminded of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct State {
    /// By the agent (empty for the main one) and the tool. Old entries are dropped.
    #[serde(rename = "told", with = "time::millis")]
    reminded: BTreeMap<String, BTreeMap<String, Time>>,
}

impl State {
    /// Whether a reminder is due; it counts as given then.
    pub(super) fn is_due(&mut self, agent: &str, (tool, now): (&Tool, Time)) -> bool {
        let pause = Duration::from_secs(tool.throttle_seconds.into());
        let is_fresh = |at: Time| now.since(at) < pause;
        if self.reminded.get(agent).and_then(|tools| tools.get(&tool.name)).is_some_and(|at| is_fresh(*at)) {
            return false;
        }
        for tools in self.reminded.values_mut() {
            tools.retain(|name, at| *name != tool.name || is_fresh(*at));
        }
        self.reminded.retain(|_, tools| !tools.is_empty());
        self.note(agent, (&tool.name, now));
        true
    }

    /// Records a reminder.
    pub(super) fn note(&mut self, agent: &str, (tool, now): (&str, Time)) {
        self.reminded.entry(agent.to_owned()).or_default().insert(tool.to_owned(), now);
    }
}

/// Reminds, if this call searches the project by text and the last reminder is old enough.
pub(super) fn remind(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if !searches(situation) {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let world = situation.world;
    let has_index = |tool: &&Tool| {
        let index = world.real_path(world.project_root(), tool.index.as_str());
        world.stat(&index).is_some_and(|stat| !stat.is_folder)
    };
    let tools: Vec<&Tool> = settings.tool.iter().filter(has_index).collect();
    if tools.is_empty() {
        return Ok(Verdict::silent());
    }
    let mut memory: State = situation.recall()?;
    // Each subagent has a context of its own, and so its own clock.
    let agent = situation.event.agent.as_ref().map_or("", |agent| agent.id.as_str());
    let now = world.now();
    let mut verdict = Verdict::silent();
    for tool in tools {
        if memory.is_due(agent, (tool, now)) {
            verdict.join(context_verdict(&tool.name, tool.reminder_text()));
        }
    }
    if !verdict.is_silent() {
        situation.remember(&memory)?;
    }
    Ok(verdict)
}

pub(super) fn context_verdict(tool: &str, text: String) -> Verdict {
    let snippet = Snippet { key: format!("task.search {tool}"), rank: -10, text };
    Verdict { context: vec![snippet], ..Verdict::default() }
}

fn searches(situation: &Situation<'_>) -> bool {
    match situation.event.call().map(|call| &call.tool) {
        Some(Called::Search { target: SearchFor::Content, path, .. }) => {
            path.as_ref().is_none_or(|path| is_in_project(situation, path))
        }
        Some(Called::Shell { command, .. }) if SEARCH_PROGRAMS.iter().any(|sign| command.contains(sign)) => {
            let commands = situation.line().map(|line| line.script.commands.as_slice());
            commands.unwrap_or_default().iter().any(|command| searches_tree(situation, command))
        }
        _ => false,
    }
}

/// Whether a command searches files of the project for a text. A filter in a pipe does not.
fn searches_tree(situation: &Situation<'_>, command: &Command) -> bool {
    let words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).collect();
    // A wrapper is named with the option that starts a program: `find -exec`.
    let starter = |wrapper: &String| wrapper.split(' ').next().unwrap_or_default().to_owned();
    let is_fed_files =
        command.wrappers.iter().any(|it| ["xargs", "find", "fd"].contains(&starter(it).as_str()));
    let has = |name: &str| words.contains(&name);
    let searches = match command.program_name() {
        Some("rg" | "ag" | "ack") => {
            (is_fed_files || !command.place.pipe_in)
                && !has("--files")
                && !has("--version")
                && !words.is_empty()
        }
        Some("grep" | "egrep" | "fgrep") => is_fed_files || words.iter().any(|word| is_recursive(word)),
        Some("git") => words.iter().find(|word| !word.starts_with('-')) == Some(&"grep"),
        _ => false,
    };
    let mut places = words.iter().filter(|word| word.starts_with(['/', '~'])).peekable();
    searches && (places.peek().is_none() || places.any(|place| is_in_project(situation, place)))
}

fn is_recursive(word: &str) -> bool {
    let is_bundle = word.starts_with('-') && !word.starts_with("--");
    is_bundle && word.contains(['r', 'R']) || ["--recursive", "--dereference-recursive"].contains(&word)
}

/// Whether a place is in the project, or contains it.
fn is_in_project(situation: &Situation<'_>, place: &str) -> bool {
    let root = situation.world.project_root();
    let place = situation.world.real_path(&situation.event.cwd, place);
    is_or_is_below(&place, root) || is_or_is_below(root, &place)
}
