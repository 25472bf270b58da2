//! `read_context`: the rules for a path.

use std::path::Path;

use flyball_knowledge::node::{self, Node};
use flyball_world::machine::{Machine, real_path};
use rmcp::schemars::JsonSchema;
use serde::Deserialize;

use crate::commands::mcp::projects::{Place, Projects, Refusal, quote};
use crate::commands::memory::nodes;
use crate::commands::memory::place::machine;
use crate::commands::memory::resolve::with_display_paths;
use crate::commands::memory::rules;
use crate::commands::memory::sections::{self, DESCRIPTIONS, KNOWN};

/// The most that is returned at once, in bytes.
const MOST_BYTES: usize = 60_000;

/// The arguments of `read_context`.
#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct ContextQuery {
    /// A file or folder: from the project's root, or absolute. It need not exist.
    path: String,
    /// These sections as they are written, instead of the rules: Purpose, Entry Points, Contracts, Pitfalls, Checks, Patterns, Boundaries, Design Rationale,
    /// Code Map, Public API, Downlinks, Context. If left out: the rules below all headings.
    #[serde(default)]
    sections: Option<Vec<String>>,
}

/// The rules for a path, as Markdown.
pub(super) fn read(projects: &Projects, query: &ContextQuery) -> Result<String, Refusal> {
    let place = projects.place(&query.path)?;
    let machine = machine(&place.root);
    let slash = if query.path.ends_with('/') { "/" } else { "" };
    let nodes = covering(&machine, &place, slash)?;
    let names = query.sections.iter().flatten().map(String::as_str);
    let names = sections::chosen(names, &nodes).map_err(|unknown| {
        let known = KNOWN.join(", ");
        Refusal(format!(
            "unknown section `{}`; name a heading of the rule files, or one of {known}",
            quote(unknown)
        ))
    })?;
    if nodes.is_empty() {
        return Ok(format!(
            "Nothing covers `{}`: there is no AGENTS.md or CLAUDE.md in its folder or above.",
            place.display_path()
        ));
    }
    let root = place.root.to_string_lossy();
    let files: Vec<String> = nodes
        .iter()
        .map(|node| format!("`{}`", crate::commands::memory::place::display_path(&node.path, &root)))
        .collect();
    let mut text = format!("Rules for `{}`, from {}:\n", place.display_path(), files.join(", "));
    let is_asked_for = query.sections.iter().flatten().any(|name| !name.trim().is_empty());
    let names = if is_asked_for { names } else { DESCRIPTIONS.to_vec() };
    let merged = with_display_paths(sections::merged(&nodes, &names), &root);
    if !is_asked_for {
        let rules = rules::listed(&nodes, &root);
        text.push_str(match rules.is_empty() {
            true => "\nThey have no rules.\n",
            false => "",
        });
        text.push_str(&rules::markdown(&rules));
    } else if merged.is_empty() {
        text.push_str("\nThey have none of these sections.\n");
    }
    for section in merged {
        text.push_str(&format!("\n## {}\n", section.name));
        for part in section.parts {
            text.push_str(&format!("\nFrom `{}`:\n\n{}\n", part.node, part.text));
        }
    }
    Ok(bounded(text))
}

/// The rule files in the project that cover a place.
pub(super) fn covering(machine: &Machine, place: &Place, slash: &str) -> Result<Vec<Node>, Refusal> {
    let covered = nodes::covered_by_rule_file(&place.asked).filter(|folder| folder.starts_with(&place.root));
    let path = match covered {
        Some(folder) => format!("{}/", folder.to_string_lossy()),
        None => format!("{}{slash}", place.path.to_string_lossy()),
    };
    let mut nodes = node::covering(machine, &path)?;
    // Rules above the root, such as those in the home folder, are outside of what may be read.
    nodes.retain(|node| real_path(Path::new(&node.path)).starts_with(&place.root));
    Ok(nodes)
}

fn bounded(mut text: String) -> String {
    if text.len() > MOST_BYTES {
        let end = (0..=MOST_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        text.truncate(end);
        text.push_str("\n\n(The rest is left out: ask for single `sections`.)\n");
    }
    text
}
