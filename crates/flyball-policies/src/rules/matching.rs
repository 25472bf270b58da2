//! The matcher of a rule: what can be said without an expression.

use flyball_core::event::{Event, Happening, Tool};
use flyball_core::policy::World;

use super::stored::Body;

/// Whether the event is one the rule is about, its condition apart.
pub(super) fn fits(rule: &Body, event: &Event, world: &dyn World) -> bool {
    fits_permission(rule, event) && fits_agent(rule, event) && fits_path(rule, event, world)
}

fn fits_permission(rule: &Body, event: &Event) -> bool {
    rule.permission_mode.is_empty()
        || event.permission_mode.is_some_and(|mode| rule.permission_mode.contains(&mode))
}

fn fits_agent(rule: &Body, event: &Event) -> bool {
    let role = event.agent.as_ref().map_or("main", |agent| agent.role.as_str());
    rule.agent.is_empty() || rule.agent.iter().any(|glob| fast_glob::glob_match(glob, role))
}

fn fits_path(rule: &Body, event: &Event, world: &dyn World) -> bool {
    let matches = |path: &str| {
        let shown = relative(path, event, world);
        rule.path.iter().any(|glob| fast_glob::glob_match(glob, shown.as_str()))
    };
    rule.path.is_empty() || paths(event).into_iter().any(matches)
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
        Happening::InstructionsLoaded { path } | Happening::FileChanged { path, .. } => vec![path],
        _ => Vec::new(),
    }
}

/// A path as rules see it: relative to the project where it lies inside, else absolute.
pub(super) fn relative(path: &str, event: &Event, world: &dyn World) -> String {
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", event.cwd) };
    let whole = tidy(&whole);
    let root = world.project_root().trim_end_matches('/');
    match whole.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')) {
        Some(inside) => inside.to_owned(),
        None => whole,
    }
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
