//! What `flyball undo` would do, and what it did.

use flyball_core::diff::unified_diff;
use flyball_core::text;
use flyball_policies::guard::secret_files::holds_secret;
use flyball_world::snapshots::{Change, Entry, Manifest, NotRestored, Step};

use super::kept::{Choice, Undo, describe};
use super::names;
use crate::outcome::{Done, Failed};
use crate::show::diff as show_diff;
use crate::show::visible::visible;
use crate::terminal::{Style, Terminal};

/// How many files are listed.
const MOST_LISTED: usize = 20;
/// A longer text is not compared line by line.
const MOST_COMPARED: usize = 1024 * 1024;

/// Shows what would change.
pub(super) fn diff(undo: &Undo, choice: &Choice, terminal: &Terminal) -> Result<Done, Failed> {
    terminal.line(&format!("from what is there now to {}:", describe(&choice.manifest)));
    for step in &choice.plan.steps {
        match &step.change {
            Change::Restore(entry) => show(undo, step, Some(entry), terminal),
            Change::Remove => show(undo, step, None, terminal),
            Change::Leave(why) => terminal.line(&left(step, why, terminal)),
        }
    }
    Ok(Done::Success)
}

fn show(undo: &Undo, step: &Step, wanted: Option<&Entry>, terminal: &Terminal) {
    let bytes =
        |entry: Option<&Entry>| entry.map(|entry| undo.snapshots.bytes(&undo.machine, &step.path, entry));
    let text = |bytes: Option<Option<Vec<u8>>>| match bytes {
        None => Some(String::new()),
        Some(bytes) => {
            String::from_utf8(bytes?).ok().filter(|text| text.len() <= MOST_COMPARED && !text.contains('\0'))
        }
    };
    if holds_secret(flyball_clients::FACTS, &format!("/{}", step.path)) {
        terminal.line(&format!("{}: not shown, it may hold secrets", visible(&step.path)));
        return;
    }
    let (now, then) = (text(bytes(step.now.as_ref())), text(bytes(wanted)));
    match (now, then) {
        (Some(now), Some(then)) if now != then => {
            show_diff::print(&unified_diff(&now, &then, &step.path), terminal);
        }
        (Some(_), Some(_)) => terminal.line(&format!("{}: its mode, or an empty file", visible(&step.path))),
        _ => terminal.line(&format!("{}: not a text, or a long one", visible(&step.path))),
    }
}

/// What was done.
pub(super) struct Undone<'a> {
    pub(super) choice: &'a Choice,
    /// The files as they were before.
    pub(super) now: &'a Manifest,
    pub(super) failed: &'a [NotRestored],
}

/// Says what was brought back, what was not, and how that is undone.
pub(super) fn done(
    undo: &Undo,
    Undone { choice, now, failed }: &Undone<'_>,
    terminal: &Terminal,
) -> Result<Done, Failed> {
    let is_failed = |step: &&Step| failed.iter().any(|it| it.path == step.path);
    let of_kind = |is_kind: fn(&Change) -> bool| {
        let steps = choice.plan.steps.iter().filter(move |step| is_kind(&step.change));
        steps.filter(|step| !is_failed(step)).collect::<Vec<&Step>>()
    };
    let restored = of_kind(|change| matches!(change, Change::Restore(_)));
    let removed = of_kind(|change| matches!(change, Change::Remove));
    let left_alone = of_kind(|change| matches!(change, Change::Leave(_)));
    if !restored.is_empty() || !removed.is_empty() {
        let count = text::counted(restored.len() + removed.len(), "file");
        let verb = if restored.len() + removed.len() == 1 { "is" } else { "are" };
        let good = terminal.paint(Style::Good, "✓");
        terminal.line(&format!("{good} {count} {verb} as before {}", describe(&choice.manifest)));
        list("", &restored, terminal);
        list("removed: ", &removed, terminal);
    }
    for step in &left_alone {
        if let Change::Leave(why) = &step.change {
            terminal.line(&left(step, why, terminal));
        }
    }
    for it in *failed {
        let mark = terminal.paint(Style::Bad, "✗");
        terminal.line(&format!("{mark} {} could not be brought back: {}", visible(&it.path), it.why));
    }
    names::say_moved(undo, &choice.manifest, now, terminal);
    terminal.line(&format!("To undo this: `flyball undo {}`", now.id));
    Ok(if failed.is_empty() && left_alone.is_empty() { Done::Success } else { Done::Findings })
}

fn list(before: &str, steps: &[&Step], terminal: &Terminal) {
    for step in steps.iter().take(MOST_LISTED) {
        terminal.line(&format!("  {before}{}", visible(&step.path)));
    }
    if let Some(more) = steps.len().checked_sub(MOST_LISTED).filter(|more| *more > 0) {
        terminal.line(&format!("  {before}and {more} more"));
    }
}

fn left(step: &Step, why: &str, terminal: &Terminal) -> String {
    format!("{} {} stays as it is: {why}", terminal.paint(Style::Warning, "!"), visible(&step.path))
}
