//! What was copied before the calls of a session, and what each of them changed.

use maud::{Markup, html};

use super::super::parts;
use super::session_data::SessionData;
use crate::view::{ChangedFileView, SnapshotView};

/// Snapshots whose files are open from the beginning.
const OPEN: usize = 1;

/// The snapshots; nothing where there are none.
pub(super) fn section(data: &SessionData<'_>) -> Markup {
    if data.snapshots.is_empty() {
        return html! {};
    }
    html! {
        section.card data-key="snapshots-part" aria-labelledby="snapshots" {
            div.part-head {
                h2 id="snapshots" { "What can be undone" }
                span.muted { "by " code { "flyball undo ID" } ", at a terminal in the project" }
            }
            @for (place, snapshot) in data.snapshots.iter().enumerate() { (item(data, snapshot, place < OPEN)) }
        }
    }
}

/// The place of a snapshot in the page.
pub(super) fn anchor(snapshot: &SnapshotView) -> String {
    format!("snapshot-{}", snapshot.id)
}

fn item(data: &SessionData<'_>, snapshot: &SnapshotView, is_open: bool) -> Markup {
    let files = snapshot.changed.len() + snapshot.more;
    html! {
        details.snapshot data-key={ "snapshot-" (snapshot.id) } open[is_open] {
            summary {
                span.number { (snapshot.id) } " "
                "before " bdi.mono { (parts::cut(&snapshot.before, 120)) } " "
                span.muted {
                    @if snapshot.is_latest { code { "flyball undo --diff" } " shows what changed" }
                    @else if files == 0 { "nothing changed" } @else { (parts::counted(files as u64, "file")) " changed" }
                    " · " (parts::time(snapshot.at, data.context.now))
                }
            }
            // Inside: a browser opens what a link leads into.
            div.changed id=(anchor(snapshot)) {
                @for file in &snapshot.changed { (changed(file)) }
                @if snapshot.more > 0 { p.muted { "and " (parts::counted(snapshot.more as u64, "more file")) } }
                @if snapshot.left_out > 0 { p.muted { (parts::counted(snapshot.left_out as u64, "file")) " could not be copied" } }
            }
        }
    }
}

fn changed(file: &ChangedFileView) -> Markup {
    html! {
        @if file.diff.is_empty() {
            p { bdi.mono { (parts::cut(&file.path, 200)) } span.muted { ": not shown, no text, a long one, or with secrets" } }
        } @else {
            pre.diff tabindex="0" aria-label={ "What changed in " (parts::cut(&file.path, 200)) } {
                @for line in file.diff.lines() { span class=[class_of(line)] { (line) "\n" } }
            }
        }
    }
}

/// The colour of a line; its first letter says it as well.
fn class_of(line: &str) -> Option<&'static str> {
    match line.as_bytes() {
        [b'+', ..] if !line.starts_with("+++ ") => Some("text-allow"),
        [b'-', ..] if !line.starts_with("--- ") => Some("text-deny"),
        [b'@', ..] => Some("muted"),
        _ => None,
    }
}
