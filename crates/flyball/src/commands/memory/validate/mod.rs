//! `flyball memory validate`: what is wrong with rule files.

mod dead_paths;
mod found;
mod inspect;
mod lines;
mod ordinary;
mod overlap;
mod severity;
mod stale;

use std::path::{Path, PathBuf};

use clap::Args;
use flyball_core::path::AbsolutePath;
use flyball_core::text;
use flyball_core::world::{Files, Place as _};
use flyball_knowledge::node::{Node, node_in};
use flyball_world::machine::{Machine, real_path};
use serde::Serialize;

use self::inspect::{Place, inspect, is_in_layers};
use self::ordinary::Ordinary;
use self::severity::Severity;
use super::nodes;
use super::place::display_path;
use super::project_files::ProjectFiles;
use crate::environment;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::ProjectContext;
use crate::show::text::one_line;
use crate::show::{Page, Text};
use crate::terminal::Terminal;

/// Longer files are not read: no model should be either.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// Arguments of `flyball memory validate`.
#[derive(Args)]
pub(super) struct Arguments {
    /// Rule files, or folders that contain some [default: all of the project]
    paths: Vec<PathBuf>,
    /// Print JSON: `files` (how many were looked at) and `findings`, each with `file`, `line`, `severity` (error, warning
    /// or hint) and `what`
    #[arg(long)]
    json: bool,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) severity: Severity,
    pub(super) what: String,
}

/// All of it, as scripts see it.
#[derive(Serialize)]
struct Validated {
    files: usize,
    findings: Vec<Finding>,
}

/// Looks at the files and says what is wrong with them.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let machine = here.machine();
    let progress = Progress::with_text("looking for rule files");
    let files = files(arguments, &here, &machine)?;
    let known = ProjectFiles::read(&machine, &real_path(&here.root));
    let mut findings = Vec::new();
    for (done, file) in files.iter().enumerate() {
        progress.bar("files", (done, files.len()));
        findings.extend(findings_of(file, &machine, &known)?);
    }
    drop(progress);
    let has_errors = findings.iter().any(|finding| finding.severity == Severity::Error);
    let validated = Validated { files: files.len(), findings };
    if arguments.json {
        terminal.json(&validated);
    } else {
        page(&validated).print(terminal);
    }
    Ok(if has_errors { Done::Findings } else { Done::Success })
}

/// The files to look at.
fn files(arguments: &Arguments, here: &ProjectContext, machine: &Machine) -> Result<Vec<PathBuf>, Failed> {
    if arguments.paths.is_empty() {
        return Ok(nodes::all(machine, &here.root));
    }
    let base = environment::working_directory().unwrap_or_else(|| here.root.clone());
    let mut files = Vec::new();
    for path in &arguments.paths {
        let real = real_path(&base.join(path));
        if real.is_dir() {
            let found = nodes::all(machine, &real);
            if found.is_empty() {
                let what = format!("there is no AGENTS.md or CLAUDE.md in {}", path.display());
                return Err(Failed::new(what, "name a rule file, or a folder that holds some"));
            }
            files.extend(found);
        } else {
            files.push(real);
        }
    }
    Ok(files)
}

fn findings_of(file: &Path, machine: &Machine, known: &ProjectFiles<'_>) -> Result<Vec<Finding>, Failed> {
    let path = AbsolutePath::from_path(file);
    let root = machine.project_root();
    let read = machine.read(&path, MOST_BYTES)?;
    let shown = display_path(&path, root);
    let Some(bytes) = read else {
        let what = format!("{shown} cannot be read: it is not there, no file, or too long");
        return Err(Failed::new(what, "check the path"));
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let folder = file.parent().unwrap_or(file);
    let covered = AbsolutePath::from_path(&nodes::covered(file));
    let node = Node { folder: covered, ..Node::new(path, text) };
    let found = if is_in_layers(&node.text) {
        let place = if folder == Path::new(root) {
            Place::Root { has_children: has_children(machine, folder) }
        } else {
            Place::Child
        };
        let mut found = inspect(&node.text, place);
        found.extend(dead_paths::inspect(&node, known));
        found
    } else {
        ordinary::inspect(&Ordinary { node: &node, folder, machine, files: known, root })
    };
    let finding = |(line, severity, what)| Finding { file: shown.clone(), line, severity, what };
    Ok(found.into_iter().map(finding).collect())
}

/// Whether other rule files lie below this folder.
fn has_children(machine: &Machine, folder: &Path) -> bool {
    let own = node_in(machine, &AbsolutePath::from_path(folder)).map(|node| PathBuf::from(node.path));
    nodes::all(machine, folder).iter().any(|node| Some(node) != own.as_ref())
}

fn page(validated: &Validated) -> Page {
    let mut page = Page::default();
    if validated.files == 0 {
        page.line("This project has no AGENTS.md or CLAUDE.md yet.");
        page.line(
            "Write one in its root with the rules for everyone, and one beside code that has its own rules.",
        );
        return page;
    }
    for finding in &validated.findings {
        let place = Text::from(format!("{}:{}: ", one_line(&finding.file), finding.line));
        let severity = finding.severity.style().text(finding.severity.name());
        page.line(place.then(severity).and(format!(": {}", one_line(&finding.what))));
    }
    let count = |severity| validated.findings.iter().filter(|finding| finding.severity == severity).count();
    let files = text::counted(validated.files, "file");
    page.line(match (count(Severity::Error), count(Severity::Warning)) {
        (0, 0) => format!("{files}, no problems"),
        (errors, warnings) => {
            format!("{files}, {}, {}", text::counted(errors, "error"), text::counted(warnings, "warning"))
        }
    });
    page
}
