//! `flyball learn edit`: the title and the text of a report, by flags or in an editor.

use std::process::Command;

use clap::Args;
use flyball_core::redact::redact;
use flyball_core::workshop::FileChanges;
use flyball_core::world::Files;
use flyball_knowledge::report::{Report, ledger, path};

use super::report_store::ReportStore;
use super::report_text;
use crate::environment;
use crate::outcome::{Done, Failed};
use crate::temporary::TemporaryFolder;
use crate::terminal::Terminal;

/// A longer file is not a report.
const MOST_BYTES: u64 = 256 * 1024;

#[derive(Args)]
pub(super) struct Edit {
    /// The report's id, or the beginning of it
    id: String,
    /// The title of the rule
    #[arg(long)]
    title: Option<String>,
    /// The text of the rule
    #[arg(long)]
    detail: Option<String>,
}

impl Edit {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let report_store = ReportStore::find()?;
        let report = report_store.report(&self.id)?;
        let is_changed = if self.title.is_none() && self.detail.is_none() {
            open_in_editor(&report_store, &report, terminal)?
        } else {
            self.apply_flags(&report_store, &report)?
        };
        terminal.done(&format!("{} {}", report.id, if is_changed { "is changed" } else { "is unchanged" }));
        Ok(Done::Success)
    }

    fn apply_flags(&self, report_store: &ReportStore, report: &Report) -> Result<bool, Failed> {
        let title = redact(self.title.as_deref().unwrap_or(&report.draft.title)).trim().to_owned();
        let old_detail = if report.is_skeleton { "" } else { report.draft.detail.as_str() };
        let detail = redact(self.detail.as_deref().unwrap_or(old_detail)).trim().to_owned();
        if title.is_empty() || detail.is_empty() {
            return Err(Failed::new(
                format!("`{}` has no lesson yet", report.id),
                "set it with `--detail`, and the title with `--title`",
            ));
        }
        let place = path(&report_store.machine, report.status, &report.id);
        let title: Vec<&str> = title.split_whitespace().collect();
        let title = title.join(" ");
        let change = |text: &str| report_text::add_entry(text, report.draft.kind, (&title, &detail));
        let changed = report_store.machine.update(&place, &mut |text| {
            Ok(text.map(|text| change(&String::from_utf8_lossy(text)).into_bytes()))
        });
        note_change(report_store, report, changed?)
    }
}

/// Opens the report in the user's editor; returns whether it was changed.
pub(super) fn open_in_editor(
    report_store: &ReportStore,
    report: &Report,
    terminal: &Terminal,
) -> Result<bool, Failed> {
    if !terminal.is_interactive() {
        return Err(Failed::new(
            "this is not a terminal, so no editor can be opened",
            format!("`flyball learn edit {} --title \"…\" --detail \"…\"` needs none", report.id),
        ));
    }
    let place = path(&report_store.machine, report.status, &report.id);
    let before = report_store.machine.read(&place, MOST_BYTES)?.unwrap_or_default();
    let after = edit_text(&before)?;
    if after == before {
        return Ok(false);
    }
    let mut is_outdated = false;
    let changed = report_store.machine.update(&place, &mut |text| {
        // No lock while the editor is open, which can be hours: the file is compared when it closes.
        is_outdated = text != Some(before.as_slice());
        Ok((!is_outdated).then(|| after.clone()))
    });
    if is_outdated {
        let what = format!("`{}` changed while you edited it; your text was not written", report.id);
        return Err(Failed::new(what, "edit it again"));
    }
    note_change(report_store, report, changed?)
}

/// Updates the ledger, for the sessions that start next.
fn note_change(report_store: &ReportStore, report: &Report, is_changed: bool) -> Result<bool, Failed> {
    if is_changed {
        ledger::record_move(&report_store.machine, &report.id, report.status, report.status)?;
    }
    Ok(is_changed)
}

fn edit_text(text: &[u8]) -> Result<Vec<u8>, Failed> {
    let folder = TemporaryFolder::new()?;
    // A copy, so that a half-edited report is never seen by a hook.
    let file = folder.write("report.md", &String::from_utf8_lossy(text))?;
    let editor = environment::variable("VISUAL").or_else(|| environment::variable("EDITOR"));
    let editor = editor.unwrap_or_else(|| "vi".to_owned());
    let failed = |cause: String| {
        Failed::new(format!("the editor `{editor}` failed: {cause}"), "set EDITOR to the one you use")
    };
    // As git does it: the variable may contain arguments, the path is one argument.
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(&file);
    let status = command.status().map_err(|cause| failed(cause.to_string()))?;
    if !status.success() {
        return Err(failed(status.to_string()));
    }
    std::fs::read(&file).map_err(|cause| failed(cause.to_string()))
}
