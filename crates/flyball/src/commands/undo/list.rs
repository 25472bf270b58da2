//! `flyball undo --list`

use flyball_core::text;
use flyball_world::snapshots::{Change, Content, Manifest};
use jiff::Zoned;
use serde_json::json;

use super::kept::Undo;
use crate::outcome::{Done, Failed};
use crate::show::time;
use crate::show::{Cell, Fit, Page};
use crate::terminal::Terminal;

/// How many files are named in a line.
const MOST_NAMED: usize = 3;

/// A snapshot, and the files that changed until the next one.
struct Listed {
    manifest: Manifest,
    /// `None` for the latest: that is still going on.
    changed: Option<Vec<String>>,
}

pub(super) fn run(undo: &Undo, number: usize, json: bool, terminal: &Terminal) -> Result<Done, Failed> {
    let listed = read(undo, number);
    if json {
        for it in &listed {
            terminal.line(&as_json(it));
        }
        return Ok(Done::Success);
    }
    if listed.is_empty() {
        // They are there, but cannot be read: a newer flyball wrote them, or they are damaged.
        if let Some(unread) = undo.latest_first().find_map(Result::err) {
            return Err(Failed::new(unread.what, "update flyball: `flyball update` says how"));
        }
        terminal.line("no snapshots yet: the first is taken before a call that may change files");
        return Ok(Done::Success);
    }
    let now = Zoned::now();
    let rows = listed.iter().map(|it| {
        let manifest = &it.manifest;
        vec![
            Cell::plain(manifest.id.to_string()),
            Cell::plain(time::clock(manifest.at, &now)),
            Cell::plain(changes(it)),
            Cell::plain(manifest.cause.clone()),
        ]
    });
    let mut page = Page::default();
    page.table(&["ID", "TIME", "CHANGED SINCE", "BEFORE"], rows.collect(), Fit::Cut);
    page.print(terminal);
    Ok(Done::Success)
}

/// The latest snapshots, the latest first. What cannot be read is left out.
fn read(undo: &Undo, number: usize) -> Vec<Listed> {
    let mut listed: Vec<Listed> = Vec::new();
    let mut next_tree: Option<Manifest> = None;
    for manifest in undo.latest_first().flatten().take(number) {
        let plan = next_tree.as_ref().map(|next| undo.snapshots.plan(&undo.machine, &manifest, next, None));
        let changed = plan.map(|plan| {
            let steps = plan.steps.into_iter().filter(|step| !matches!(step.change, Change::Leave(_)));
            steps.map(|step| step.path).collect()
        });
        if manifest.is_tree {
            next_tree = Some(manifest.clone());
        }
        listed.push(Listed { manifest, changed });
    }
    listed
}

fn changes(it: &Listed) -> String {
    let names = match (&it.changed, it.manifest.is_tree) {
        (Some(changed), true) => changed.clone(),
        (None, true) => return "…".to_owned(),
        // A snapshot of an edit has its files only.
        (_, false) => it.manifest.entries.keys().cloned().collect(),
    };
    match names.len() {
        0 => "nothing".to_owned(),
        many if many <= MOST_NAMED => names.join(", "),
        many => {
            let first = names.first().map(String::as_str).unwrap_or_default();
            format!("{first} and {}", text::counted(many - 1, "more file"))
        }
    }
}

fn as_json(it: &Listed) -> String {
    let manifest = &it.manifest;
    let missing = manifest.entries.iter().filter(|(_, entry)| matches!(entry.content, Content::Missing(_)));
    json!({
        "id": manifest.id,
        "at": manifest.at.as_millis(),
        "session": manifest.session,
        "before": manifest.cause,
        "extent": if manifest.is_tree { "tree" } else { "files" },
        "files": manifest.entries.len(),
        "not_copied": missing.map(|(path, _)| path).collect::<Vec<_>>(),
        "changed": it.changed,
    })
    .to_string()
}
