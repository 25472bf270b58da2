//! `flyball approve`: a person accepts the present content of protected files.

use std::path::PathBuf;

use clap::Args;
use flyball_clients::registration::unified_diff;
use flyball_core::policy::Approval;
use flyball_core::time::Time;
use flyball_policies::guard::protected::Coverage;
use flyball_world::approvals::Confirmed;

use crate::outcome::{Done, Failed};
use crate::person::{Proof, require_person};
use crate::protected::{ProtectedFile, ProtectedFiles, Source};
use crate::show::diff;
use crate::show::visible::visible;
use crate::terminal::{Style, Terminal};

/// Arguments of `flyball approve`.
#[derive(Args)]
#[command(
    after_help = "Only a person at a terminal can approve: it is refused (exit code 3) if an agent started it or \
                  if there is no terminal. The approval is for the present content and the running sessions: \
                  later changes and later sessions need a new one."
)]
pub(crate) struct Arguments {
    /// The files; without any, all protected files that changed
    path: Vec<PathBuf>,
    /// Show the protected files and whether each is what was approved; changes nothing
    #[arg(long)]
    list: bool,
    /// Show how each differs from what was approved, found or committed; changes nothing
    #[arg(long, conflicts_with = "list")]
    diff: bool,
}

/// Shows each change and asks.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    if arguments.list {
        return list(&chosen(&ProtectedFiles::find()?, arguments)?, terminal);
    }
    let proof = match arguments.diff {
        true => None,
        false => Some(require_person("flyball approve", terminal)?),
    };
    let protected = ProtectedFiles::find()?;
    let changed: Vec<ProtectedFile> =
        chosen(&protected, arguments)?.into_iter().filter(|file| !file.matches_reference()).collect();
    if changed.is_empty() {
        terminal.line("nothing to approve: no protected file has changed");
        return Ok(Done::Success);
    }
    for file in &changed {
        show(file, terminal);
        let Some(proof) = proof else { continue };
        let name = visible(&file.name);
        let question = format!("Approve `{name}` as it is now? [y/N]");
        // Anything but a clear yes, also the end of input, approves nothing.
        let answer = terminal.ask(&question).unwrap_or_default().to_lowercase();
        if answer == "y" || answer == "yes" {
            approve(file, &protected, proof)?;
            terminal.line(&terminal.paint(Style::Good, &format!("✓ {name} is approved")));
        } else {
            terminal.line(&format!("{name} is not approved; {}", undo_hint(file)));
        }
    }
    Ok(Done::Success)
}

/// The files to look at. A file that was never committed, approved or seen must be named.
fn chosen(protected: &ProtectedFiles, arguments: &Arguments) -> Result<Vec<ProtectedFile>, Failed> {
    if !arguments.path.is_empty() {
        return protected.named(&arguments.path);
    }
    let mut all = protected.all()?;
    if !arguments.list {
        // There is nothing to compare it with, so all of it would be approved unseen.
        all.retain(|file| file.reference.source != Source::Nowhere);
    }
    Ok(all)
}

fn approve(file: &ProtectedFile, protected: &ProtectedFiles, proof: Proof) -> Result<(), Failed> {
    if let Some(now) = &file.now {
        // First the copy, then the approval: without the copy, `restore` could not bring it back.
        protected.contents.store(now)?;
    }
    let at = Time::from_millis(Time::now().as_millis());
    protected
        .approvals
        .approve(&file.path, Approval { content: file.current_hash() }, Confirmed { at, by: proof.name() })
        .map_err(Failed::from)
}

/// `flyball restore` cannot restore only a part of a file.
fn undo_hint(file: &ProtectedFile) -> String {
    match file.extension {
        Coverage::Part => "undo it in an editor".to_owned(),
        Coverage::Whole | Coverage::Nothing => {
            format!("to undo it: `flyball restore {}`", visible(&file.name))
        }
    }
}

fn show(file: &ProtectedFile, terminal: &Terminal) {
    let text = |content: &Option<Vec<u8>>| {
        String::from_utf8_lossy(content.as_deref().unwrap_or_default()).into_owned()
    };
    let heading = match (&file.reference.content, &file.now) {
        (_, None) => format!("{} was deleted", file.name),
        (None, Some(_)) => format!("{} is new", file.name),
        (Some(_), Some(_)) => {
            format!("{} differs from {}", file.name, file.reference.source.reference_name())
        }
    };
    let heading = match file.extension {
        Coverage::Part => format!("{heading}, in the part that is protected:"),
        Coverage::Whole | Coverage::Nothing => heading,
    };
    terminal.line(&terminal.paint(Style::Strong, &visible(&heading)));
    let difference = unified_diff(&text(&file.reference.content), &text(&file.now), &file.name);
    diff::print(&difference, terminal);
}

fn list(files: &[ProtectedFile], terminal: &Terminal) -> Result<Done, Failed> {
    if files.is_empty() {
        terminal.line("no protected file exists in this project");
    }
    let width = files.iter().map(|file| visible(&file.name).chars().count()).max().unwrap_or_default();
    for file in files {
        let (mark, style, state) = match (file.reference.source, file.matches_reference()) {
            (Source::Nowhere, _) => ("?", Style::Faint, "not seen before; name it to approve it".to_owned()),
            (source, true) => ("✓", Style::Good, source.describe_state().to_owned()),
            (source, false) => ("✗", Style::Warning, format!("differs from {}", source.reference_name())),
        };
        let name = format!("{:<width$}", visible(&file.name));
        terminal.line(&format!(
            "{} {name}  {}",
            terminal.paint(style, mark),
            terminal.paint(Style::Faint, &state)
        ));
    }
    Ok(Done::Success)
}
