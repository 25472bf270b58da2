//! Judges calls of tools other than the shell.

use flyball_core::event::{Change, FileEdit, Tool, ToolCall};
use flyball_core::path::AbsolutePath;

use super::line::{Finding, not_allowed};
use super::pattern::{Pattern, PatternTarget, matches_wildcard};
use super::places::{Access, Places};
use super::presets::Preset;
use super::settings::Rules;

pub(super) fn find(call: &ToolCall, rules: &Rules, places: &Places<'_>) -> Finding {
    // In this order: `deny` wins over `ask`, and both over `allow`.
    if let Some(by) = find_pattern(&rules.deny, call) {
        return Finding::Denied { part: call.name.clone(), by };
    }
    if let Some(by) = find_pattern(&rules.ask, call) {
        return Finding::NotAllowed(not_allowed(&call.name, format!("`{by}` is in `ask`")));
    }
    match &call.tool {
        Tool::Edit(edits) => judge_files(&changed(edits), Access::Edit, (rules, places)),
        Tool::Read { path } => read(path, rules, places),
        Tool::Search { path, .. } => match by_name(call, rules) {
            Finding::NotAllowed(_) => read(path.as_deref().unwrap_or("."), rules, places),
            found => found,
        },
        Tool::Mcp { .. } | Tool::Fetch { .. } => by_name(call, rules),
        Tool::SpawnAgent { .. }
        | Tool::Skill { .. }
        | Tool::TaskCreate { .. }
        | Tool::TaskUpdate { .. }
        | Tool::WebSearch { .. }
        | Tool::Unreadable
        | Tool::Other => by_name(call, rules),
        // Judged by its parts; a pattern about its name would allow everything.
        Tool::Shell { .. } => Finding::NotAllowed(not_allowed(&call.name, "is judged by its command line")),
    }
}

fn changed(edits: &[FileEdit]) -> Vec<&str> {
    let mut paths = Vec::new();
    for edit in edits {
        paths.push(edit.path.as_str());
        match &edit.change {
            Change::Move { to } => paths.push(to),
            Change::Write { .. } | Change::Replace { .. } | Change::Cell { .. } | Change::Delete => {}
        }
    }
    paths
}

/// The preset allows reading in the project; other places need a pattern.
fn read(path: &str, rules: &Rules, places: &Places<'_>) -> Finding {
    let found = judge_files(&[path], Access::Read, (rules, places));
    let by_place =
        matches!(&found, Finding::Allowed(parts) if parts.iter().any(|(_, by)| by == "the project"));
    if by_place && !rules.presets.contains(&Preset::ReadOnly) {
        return Finding::NotAllowed(not_allowed(path, "no pattern allows it"));
    }
    found
}

fn judge_files(paths: &[&str], access: Access, (rules, places): (&Rules, &Places<'_>)) -> Finding {
    let real: Vec<AbsolutePath> = paths.iter().map(|path| places.real(path)).collect();
    let each = || paths.iter().zip(&real);
    let listed = |patterns: &[Pattern]| {
        each().find_map(|(path, real)| {
            Some(((*path).to_owned(), places.matching_pattern(patterns, real, access)?.to_owned()))
        })
    };
    if let Some((part, by)) = listed(&rules.deny) {
        return Finding::Denied { part, by };
    }
    if let Some((part, by)) = listed(&rules.ask) {
        return Finding::NotAllowed(not_allowed(part, format!("`{by}` is in `ask`")));
    }
    let mut parts = Vec::new();
    for (path, real) in each() {
        match places.allowed_by(real, access) {
            Some(by) => parts.push(((*path).to_owned(), by.to_owned())),
            None => return Finding::NotAllowed(not_allowed(*path, "no pattern allows it")),
        }
    }
    if parts.is_empty() {
        Finding::NotAllowed(not_allowed("", "does not name a file"))
    } else {
        Finding::Allowed(parts)
    }
}

fn by_name(call: &ToolCall, rules: &Rules) -> Finding {
    match find_pattern(&rules.allow, call) {
        Some(by) => Finding::Allowed(vec![(call.name.clone(), by)]),
        None => Finding::NotAllowed(not_allowed(&call.name, "no pattern allows it")),
    }
}

/// The pattern that names a tool, or what it is called with.
fn find_pattern(patterns: &[Pattern], call: &ToolCall) -> Option<String> {
    let fits = |pattern: &&Pattern| match (&pattern.about, &call.tool) {
        (PatternTarget::Mcp(glob), Tool::Mcp { server, tool }) => {
            matches_wildcard(glob, &format!("{server}/{tool}"))
        }
        (PatternTarget::Fetch(glob), Tool::Fetch { url }) => {
            host(url).is_some_and(|host| matches_wildcard(glob, &host))
        }
        (PatternTarget::Tool(glob), _) => matches_wildcard(glob, &call.name),
        _ => false,
    };
    patterns.iter().find(fits).map(|pattern| pattern.text.clone())
}

/// The host of an address, if there is no doubt which it is.
fn host(url: &str) -> Option<String> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = match authority.split_once(':') {
        Some((host, port)) if port.chars().all(|letter| letter.is_ascii_digit()) => host,
        // `https://docs.rs:x@example.com` leads to example.com.
        Some(_) => return None,
        None => authority,
    };
    // With an `@` or a backslash, programs disagree on where the host is.
    let is_plain =
        !host.is_empty() && host.chars().all(|it| it.is_ascii_alphanumeric() || "-._".contains(it));
    is_plain.then(|| host.trim_end_matches('.').to_ascii_lowercase())
}
