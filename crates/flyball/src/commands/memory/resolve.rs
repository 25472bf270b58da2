//! `flyball memory resolve`: the rules that hold for a path.

use clap::Args;
use flyball_core::path::AbsolutePath;
use flyball_core::world::{Files as _, Place as _};
use flyball_knowledge::node::{self, Node};
use serde::Serialize;

use super::nodes;
use super::place::display_path;
use super::reports::{self, Waiting};
use super::rules::{self, Group, ListedRule};
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
    /// Show these sections as they are written, separated by commas, instead of the rules
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    sections: Vec<String>,
    /// Leave out blank lines, comments, file names and line numbers
    #[arg(long)]
    compact: bool,
    /// Also show the pending reports about its folder
    #[arg(long)]
    pending: bool,
    /// Print JSON: `path`, `nodes` (the rule files that cover it, the root's first), `rules` (each with `node`, `line`,
    /// `topic`, `headings`, `title`, `lead`, `text` and `general`; not with `--sections`), `sections` (each with `name` and
    /// `parts`, which have `node` and `text`) and `pending` (each with `id`, `title`, `folder`), empty without `--pending`
    #[arg(long)]
    json: bool,
}

/// The answer, as scripts see it.
#[derive(Serialize)]
struct Resolved {
    path: String,
    nodes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rules: Vec<ListedRule>,
    sections: Vec<MergedSection>,
    pending: Vec<Waiting>,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let machine = here.machine();
    let base = environment::working_directory().unwrap_or_else(|| here.root.clone());
    let path = machine.real_path(&AbsolutePath::from_path(&base), &arguments.path);
    let root = machine.project_root().to_owned();
    // A folder that does not exist yet is told from a file by its slash only.
    let slash = if arguments.path.ends_with('/') { "/" } else { "" };
    let covered = nodes::covered_by_rule_file(&base.join(&arguments.path));
    let is_rule_file = covered.is_some();
    let asked = match covered {
        Some(folder) => format!("{}/", folder.display()),
        None => format!("{path}{slash}"),
    };
    let nodes = node::covering(&machine, &asked)?;
    let names = sections::chosen(arguments.sections.iter().map(String::as_str), &nodes).map_err(unknown)?;
    let pending = match arguments.pending {
        true => reports::pending_about(&machine, &display_path(&path, &root)),
        false => Vec::new(),
    };
    let rules = if arguments.sections.is_empty() { rules::listed(&nodes, &root) } else { Vec::new() };
    let resolved = Resolved {
        rules,
        nodes: nodes.iter().map(|node| display_path(&node.path, &root)).collect(),
        sections: with_display_paths(sections::merged(&nodes, &names), &root),
        path: display_path(&path, &root),
        pending,
    };
    if arguments.json {
        terminal.json(&resolved);
    } else {
        page(&resolved, arguments, is_rule_file).print(terminal);
    }
    Ok(if nodes.is_empty() { Done::Findings } else { Done::Success })
}

fn unknown(name: &str) -> Failed {
    let what = format!("unknown section `{}`", one_line(name));
    Failed::new(what, format!("name a heading of the rule files, or one of {}", KNOWN.join(", ")))
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

fn page(resolved: &Resolved, arguments: &Arguments, is_rule_file: bool) -> Page {
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
        let nodes = nodes.join(", ");
        page.line(match is_rule_file {
            true => format!("{path} is a rule file; for the files in its folder count {nodes}"),
            false => format!("{path} is covered by {nodes}"),
        });
        page.blank();
    }
    if arguments.sections.is_empty() {
        add_rules(&mut page, resolved, arguments.compact);
    } else {
        add_sections(&mut page, resolved, arguments.compact);
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

/// The rules by file and heading.
fn add_rules(page: &mut Page, resolved: &Resolved, is_compact: bool) {
    if resolved.rules.is_empty() && !resolved.nodes.is_empty() {
        page.line("They have no rules; `flyball doctor` says why.");
    }
    let (mut node, mut path) = (String::new(), None);
    for group in rules::groups(&resolved.rules) {
        if group.first.node != node {
            // One blank line is behind the list of files already.
            if !node.is_empty() && !is_compact {
                page.blank();
            }
            node.clone_from(&group.first.node);
            path = None;
            if !is_compact {
                page.line(Style::Strong.text(one_line(&node)));
            }
        }
        if path.as_ref() != Some(&group.path()) {
            path = Some(group.path());
            add_path(page, &group, is_compact);
        }
        add_group(page, &group, is_compact);
    }
}

fn add_path(page: &mut Page, group: &Group<'_>, is_compact: bool) {
    if !is_compact {
        page.blank();
    }
    if !group.first.headings.is_empty() {
        page.line(Style::Strong.text(format!("## {}", one_line(&group.path()))));
    }
}

/// The rules that belong to the same words, each with its line.
fn add_group(page: &mut Page, group: &Group<'_>, is_compact: bool) {
    let blank = if is_compact { "" } else { "      " };
    lines(&group.first.lead)
        .filter(|line| !line.trim().is_empty())
        .for_each(|line| page.line(format!("{blank}{line}")));
    for rule in group.rules {
        let text = match (rule.title.as_str(), rule.text.as_str()) {
            ("", text) => text.to_owned(),
            (title, text) => format!("### {title}\n{text}"),
        };
        let text = if is_compact { sections::compact(&text) } else { text };
        for (at, line) in lines(text.trim_end()).enumerate() {
            if line.trim().is_empty() {
                page.blank();
                continue;
            }
            let number = match at {
                _ if is_compact => String::new(),
                0 => format!("{:>4}  ", rule.line),
                _ => blank.to_owned(),
            };
            page.line(Style::Faint.text(number).and(line));
        }
    }
}

fn add_sections(page: &mut Page, resolved: &Resolved, is_compact: bool) {
    if resolved.sections.is_empty() && !resolved.nodes.is_empty() {
        page.line("They have none of these sections.");
    }
    for (number, section) in resolved.sections.iter().enumerate() {
        if number > 0 && !is_compact {
            page.blank();
        }
        add_section(page, section, resolved.nodes.len() > 1, is_compact);
    }
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
