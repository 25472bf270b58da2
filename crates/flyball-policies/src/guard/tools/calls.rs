//! The searches that a call makes: by the client's own tools, or by programs on its command line.

use flyball_core::event::{SearchFor, Tool, ToolCall};
use flyball_core::policy::Situation;

use super::avoided::SearchKind;
use super::program;
use super::search::{Search, SearchPath, globs_of_type, literal_base, names_in_glob};

/// The searches that a call makes.
pub(super) fn searches(situation: &Situation<'_>, call: &ToolCall) -> Vec<Search> {
    match &call.tool {
        Tool::Search { target, pattern, path } => {
            let search = match target {
                SearchFor::Content => content_search(situation, call, (pattern, path.as_deref())),
                SearchFor::Names => name_search(situation, call, (pattern, path.as_deref())),
            };
            search.into_iter().collect()
        }
        Tool::Shell { .. } => {
            let commands = situation.line().map(|line| line.script.commands.as_slice());
            commands
                .unwrap_or_default()
                .iter()
                .filter_map(|command| program::find_search(situation, command))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The client's search in files.
fn content_search(
    situation: &Situation<'_>,
    call: &ToolCall,
    (pattern, path): (&str, Option<&str>),
) -> Option<Search> {
    let path = resolve_path(situation, path)?;
    let input: serde_json::Value = serde_json::from_str(&call.input).unwrap_or_default();
    let field =
        |name: &str| input.get(name).and_then(serde_json::Value::as_str).filter(|text| !text.is_empty());
    // Clients name this field differently.
    let mut filters: Vec<String> =
        field("glob").or_else(|| field("include")).map(names_in_glob).unwrap_or_default();
    filters.extend(field("type").into_iter().flat_map(globs_of_type));
    Some(Search {
        kind: SearchKind::Content,
        tool: call.name.clone(),
        pattern: Some(pattern.to_owned()),
        paths: vec![path],
        filters,
    })
}

/// The client's search for file names: the pattern says where and which.
fn name_search(
    situation: &Situation<'_>,
    call: &ToolCall,
    (pattern, path): (&str, Option<&str>),
) -> Option<Search> {
    let base = literal_base(pattern);
    let within = match path {
        Some(path) if pattern.starts_with('/') || base.is_empty() => path.to_owned(),
        Some(path) => format!("{path}/{base}"),
        None => base.to_owned(),
    };
    let within = if pattern.starts_with('/') { base } else { within.as_str() };
    Some(Search {
        kind: SearchKind::Names,
        tool: call.name.clone(),
        pattern: Some(pattern.to_owned()),
        paths: vec![resolve_path(situation, Some(within).filter(|within| !within.is_empty()))?],
        filters: names_in_glob(pattern),
    })
}

fn resolve_path(situation: &Situation<'_>, path: Option<&str>) -> Option<SearchPath> {
    let cwd = &situation.event.cwd;
    let path = situation.world.real_path(cwd, path.unwrap_or("."));
    SearchPath::from_absolute(&path, situation)
}
