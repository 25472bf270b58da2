//! The JSON files that are imported.

use std::path::Path;

use flyball_core::text;
use serde_json::{Map, Value};

use crate::install::Snapshot;
use crate::outcome::Failed;
use crate::project_context::tilde;

/// A JSON file with its object.
pub(super) struct Source {
    /// Its name, as people know it.
    pub(super) name: String,
    pub(super) object: Map<String, Value>,
}

impl Source {
    /// Reads one; `None` if there is no such file.
    pub(super) fn read(path: &Path, root: &Path) -> Result<Option<Source>, Failed> {
        let name = match path.strip_prefix(root) {
            Ok(below) => below.display().to_string(),
            Err(_) => tilde(&path.to_string_lossy()),
        };
        let snapshot = Snapshot::read(path)?;
        let Some(text) = snapshot.content() else { return Ok(None) };
        let broken = |what: String| Failed::new(what, "mend the file, then run the command again");
        match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
            Ok(Value::Object(object)) => Ok(Some(Source { name, object })),
            Ok(_) => Err(broken(format!("`{name}` holds no JSON object"))),
            Err(problem) => {
                let (line, column) = (problem.line(), problem.column());
                let what = problem.to_string();
                let what = what.split(" at line ").next().unwrap_or_default();
                Err(broken(format!("{name}:{line}:{column}: no JSON: {what}")))
            }
        }
    }

    /// Reads one that must be there.
    pub(super) fn read_required(path: &Path, root: &Path) -> Result<Source, Failed> {
        let missing =
            || Failed::new(format!("there is no file `{}`", path.display()), "--from FILE names another");
        Source::read(path, root)?.ok_or_else(missing)
    }
}

/// A value in one line, cut short.
pub(super) fn preview(value: &Value) -> String {
    text::cut(&value.to_string(), 60).into_owned()
}
