//! The matcher of a rule: conditions without an expression.

use flyball_core::event::{Event, EventData, Tool};
use flyball_core::facts::SeenEdit;
use flyball_core::path::strip_folder;
use flyball_core::policy::{Situation, World};
use flyball_core::world::real_root;

use super::action::Action;
use super::stored::Body;

/// Whether the event is one the rule is about, its condition apart.
pub(super) fn fits(rule: &Body, situation: &Situation<'_>) -> bool {
    let event = situation.event;
    fits_permission(rule, event) && fits_agent(rule, event) && fits_path(rule, situation)
}

fn fits_permission(rule: &Body, event: &Event) -> bool {
    rule.permission_mode.is_empty()
        || event.permission_mode.is_some_and(|mode| rule.permission_mode.contains(&mode))
}

fn fits_agent(rule: &Body, event: &Event) -> bool {
    let role = event.agent.as_ref().map_or("main", |agent| agent.role.as_str());
    rule.agent.is_empty() || rule.agent.iter().any(|glob| fast_glob::glob_match(glob, role))
}

fn fits_path(rule: &Body, situation: &Situation<'_>) -> bool {
    let (event, world) = (situation.event, situation.world);
    let matches = |shown: &str| rule.path.iter().any(|glob| fast_glob::glob_match(glob, shown));
    rule.path.is_empty()
        || paths(event).into_iter().any(|path| matches(&relative(path, event, world)))
        || changes_by_shell(rule, situation).iter().any(|edit| matches(&relative_real(&edit.path, situation)))
}

/// The files that a command line changes. A line that writes a file which may be written does
/// other things too, so none is allowed for that.
fn changes_by_shell<'a>(rule: &Body, situation: &Situation<'a>) -> &'a [SeenEdit] {
    let is_shell = matches!(situation.event.call().map(|call| &call.tool), Some(Tool::Shell { .. }));
    if !is_shell || rule.action == Action::Allow {
        return &[];
    }
    situation.edits().unwrap_or_default()
}

/// A path without symlinks, as rules see it.
pub(super) fn relative_real(path: &str, situation: &Situation<'_>) -> String {
    let (event, world) = (situation.event, situation.world);
    let root = real_root(world);
    strip_folder(path, &root).map_or_else(|| relative(path, event, world), str::to_owned)
}

/// The files an event names.
fn paths(event: &Event) -> Vec<&str> {
    if let Some(call) = event.call() {
        return match &call.tool {
            Tool::Edit(edits) => edits.iter().map(|edit| edit.path.as_str()).collect(),
            Tool::Read { path } | Tool::Search { path: Some(path), .. } => vec![path],
            _ => Vec::new(),
        };
    }
    match &event.happening {
        EventData::InstructionsLoaded { path } | EventData::FileChanged { path, .. } => vec![path],
        _ => Vec::new(),
    }
}

/// A path as rules see it: relative to the project if it is inside, else absolute.
pub(super) fn relative(path: &str, event: &Event, world: &dyn World) -> String {
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", event.cwd) };
    let whole = tidy(&whole);
    strip_folder(&whole, world.project_root()).map_or_else(|| whole.clone(), str::to_owned)
}

/// Without `.`, `..` and doubled slashes, by the text alone.
fn tidy(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    format!("/{}", parts.join("/"))
}
