//! A file before a call and as it would be after it.

use flyball_core::event::Change;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;

use super::compare::{Extent, Versions};

/// Longer files are not written by hand.
const LONGEST: u64 = 1 << 20;

/// A file before and after, as text.
#[derive(Debug)]
pub(super) struct Texts {
    before: Option<String>,
    after: Option<String>,
    extent: Extent,
}

impl Texts {
    /// The texts, to be compared.
    pub(super) fn versions(&self) -> Versions<'_> {
        Versions { before: self.before.as_deref(), after: self.after.as_deref(), extent: self.extent }
    }

    /// Applies the changes to a file. `None` if the result cannot be known.
    pub(super) fn compute(world: &dyn World, path: &AbsolutePath, changes: &[&Change]) -> Option<Texts> {
        let is_notebook = path.ends_with(".ipynb");
        let before = match (read(world, path), is_notebook) {
            (OnDisk::Text(text), _) => Some(text),
            (OnDisk::Nothing, _) => None,
            // The passages do not apply to an empty text, so they are compared by themselves.
            (OnDisk::Unreadable, false) if changes.iter().all(|it| matches!(it, Change::Replace { .. })) => {
                Some(String::new())
            }
            (OnDisk::Unreadable, _) => return None,
        };
        if let Some(texts) = changes.iter().find_map(|change| cell(before.as_deref(), change)) {
            return Some(texts);
        }
        let mut texts = Texts { after: before.clone(), before, extent: Extent::File };
        for change in changes {
            texts.apply(change);
        }
        if texts.after.as_ref().is_some_and(|text| text.len() as u64 > LONGEST) {
            return None;
        }
        if is_notebook {
            texts.before = texts.before.as_deref().map(notebook_code);
            texts.after = texts.after.as_deref().map(notebook_code);
        }
        Some(texts)
    }

    fn apply(&mut self, change: &Change) {
        match change {
            Change::Write { .. } | Change::Replace { .. } => {
                match change.applied_to(self.after.as_deref().unwrap_or_default()) {
                    Some(after) => self.after = Some(after),
                    None => self.append_passages(change),
                }
            }
            Change::Delete => self.after = None,
            // Renaming it to a name that is not a test's is a deletion: see the caller.
            Change::Move { .. } | Change::Cell { .. } => {}
        }
    }

    /// The edit will fail, or the file changed since it was read: only the passages are compared.
    fn append_passages(&mut self, change: &Change) {
        for (text, passage) in [(&mut self.before, change.removed()), (&mut self.after, change.added())] {
            let text = text.get_or_insert_default();
            text.push('\n');
            text.push_str(passage);
        }
    }
}

/// What is on disk.
enum OnDisk {
    Text(String),
    Nothing,
    /// Too long, or unreadable.
    Unreadable,
}

fn read(world: &dyn World, path: &AbsolutePath) -> OnDisk {
    match world.read(path, LONGEST) {
        Ok(Some(bytes)) => OnDisk::Text(String::from_utf8_lossy(&bytes).into_owned()),
        Ok(None) if world.stat(path).is_none() => OnDisk::Nothing,
        Ok(None) | Err(_) => OnDisk::Unreadable,
    }
}

/// A new cell is compared with nothing, a changed one with all there was: which one it replaces is
/// not known.
fn cell(before: Option<&str>, change: &Change) -> Option<Texts> {
    let Change::Cell { source, how } = change else { return None };
    let before = before.map(notebook_code).filter(|_| how != "insert").unwrap_or_default();
    let after = if how == "delete" { before.clone() } else { source.clone() };
    Some(Texts { before: Some(before), after: Some(after), extent: Extent::Cell })
}

/// The code in a notebook.
fn notebook_code(text: &str) -> String {
    let Ok(notebook) = serde_json::from_str::<serde_json::Value>(text) else { return String::new() };
    let cells = notebook.get("cells").and_then(|cells| cells.as_array());
    let code =
        cells.into_iter().flatten().filter(|cell| cell.get("cell_type").is_some_and(|it| it == "code"));
    let lines = code.filter_map(|cell| match cell.get("source")? {
        serde_json::Value::String(source) => Some(source.clone()),
        serde_json::Value::Array(lines) => Some(lines.iter().filter_map(|line| line.as_str()).collect()),
        _ => None,
    });
    lines.collect::<Vec<String>>().join("\n")
}
