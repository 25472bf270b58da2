//! `flyball memory resolve`: the rules that hold for a path.

use clap::Args;
use flyball_core::path::AbsolutePath;
use flyball_core::world::{Files, Place};
use flyball_knowledge::node::{self, Node};
use serde::Serialize;

use super::place::display_path;
use super::reports::{self, Waiting};
use super::sections::{self, KNOWN, MergedSection};
use crate::environment;
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::show::Page;
use crate::show::text::{lines, one_line};
use crate::terminal::{Style, Terminal};

/// Arguments of `flyball memory resolve`.
#[derive(Args)]
pub(super) struct Arguments {
    /// A file or folder; it need not exist
    path: String,
    /// Only these sections, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    sections: Vec<String>,
    /// Leave out blank lines, comments and file names
    #[arg(long)]
    compact: bool,
    /// Also show the pending reports about its folder
    #[arg(long)]
    pending: bool,
    /// Print JSON: `path`, `nodes` (the rule files that cover it, the root's first), `sections` (each with `name` and
    /// `parts`, which have `node` and `text`) and `pending` (each with `id`, `title`, `folder`), empty without `--pending`
    #[arg(long)]
    json: bool,
}

/// The answer, as scripts see it.
#[derive(Serialize)]
struct Resolved {
    path: String,
    nodes: Vec<String>,
    sections: Vec<MergedSection>,
    pending: Vec<Waiting>,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let names = sections::chosen(arguments.sections.iter().map(String::as_str)).map_err(unknown)?;
    let here = ProjectContext::find()?;
    let machine = here.machine();
    let base = environment::working_directory().unwrap_or_else(|| here.root.clone());
    let path = machine.real_path(&AbsolutePath::from_path(&base), &arguments.path);
    let root = machine.project_root().to_owned();
    // A folder that does not exist yet is told from a file by its slash only.
    let slash = if arguments.path.ends_with('/') { "/" } else { "" };
    let nodes = node::covering(&machine, &format!("{path}{slash}"))?;
    let pending = match arguments.pending {
        true => reports::pending_about(&machine, &display_path(&path, &root)),
        false => Vec::new(),
    };
    let resolved = Resolved {
        nodes: nodes.iter().map(|node| display_path(&node.path, &root)).collect(),
        sections: with_display_paths(sections::merged(&nodes, &names), &root),
        path: display_path(&path, &root),
        pending,
    };
    if arguments.json {
        terminal.json(&resolved);
    } else {
        page(&resolved, arguments).print(terminal);
    }
    Ok(if nodes.is_empty() { Done::Findings } else { Done::Success })
}

fn unknown(name: &str) -> Failed {
    let what = format!("unknown section `{}`", one_line(name));
    Failed::new(what, format!("the sections are {}", KNOWN.join(", ")))
}

/// The same with the files as they are shown.
pub(in crate::commands) fn with_display_paths(
    mut merged: Vec<MergedSection>,
    root: &str,
) -> Vec<MergedSection> {
    for part in merged.iter_mut().flat_map(|section| &mut section.parts) {
        part.node = display_path(&part.node, root);
    }
    merged
}

/// The nearest of the files that cover a path, as it is shown.
pub(in crate::commands) fn nearest(nodes: &[Node], root: &str) -> String {
    node::nearest(nodes).map(|node| display_path(&node.path, root)).unwrap_or_default()
}

fn page(resolved: &Resolved, arguments: &Arguments) -> Page {
    let path = one_line(&resolved.path);
    let mut page = Page::default();
    if resolved.nodes.is_empty() {
        page.line(format!(
            "Nothing covers {path}: there is no AGENTS.md or CLAUDE.md in its folder or above."
        ));
        page.line(
            "Write one beside the code it is about; `flyball memory validate` checks what it should contain.",
        );
    } else if !arguments.compact {
        let nodes: Vec<String> = resolved.nodes.iter().map(|node| one_line(node)).collect();
        page.line(format!("{path} is covered by {}", nodes.join(", ")));
        page.blank();
    }
    if resolved.sections.is_empty() && !resolved.nodes.is_empty() {
        page.line("They have none of these sections.");
    }
    for (number, section) in resolved.sections.iter().enumerate() {
        if number > 0 && !arguments.compact {
            page.blank();
        }
        add_section(&mut page, section, resolved.nodes.len() > 1, arguments.compact);
    }
    if arguments.pending {
        page.title("Pending reports");
        if resolved.pending.is_empty() {
            page.line("No report is about this folder.");
        }
        for report in &resolved.pending {
            page.line(format!("- {} ({})", one_line(&report.title), one_line(&report.id)));
        }
    }
    page
}

/// One section: its heading, and the text of each file.
fn add_section(page: &mut Page, section: &MergedSection, is_merged: bool, is_compact: bool) {
    page.line(Style::Strong.text(format!("## {}", section.name)));
    for part in &section.parts {
        if is_compact {
            lines(&sections::compact(&part.text)).for_each(|line| page.line(line));
            continue;
        }
        page.blank();
        if is_merged {
            page.line(Style::Faint.text(format!("from {}:", one_line(&part.node))));
            page.blank();
        }
        lines(&part.text).for_each(|line| page.line(line));
    }
}
