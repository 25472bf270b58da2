//! The files that are imported.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::environment;
use crate::install::{Site, Snapshot};
use crate::outcome::Failed;

/// A config of another tool.
pub(super) struct Source {
    /// Its file, as it is shown.
    pub(super) name: String,
    pub(super) object: Map<String, Value>,
}

/// The named file, or the default one in the project.
pub(super) fn locate(named: Option<&Path>, default: &str, site: &Site) -> PathBuf {
    let here = environment::working_directory().unwrap_or_else(|| site.root.clone());
    named.map_or_else(|| site.root.join(default), |path| here.join(path))
}

/// Why a file cannot be imported.
pub(super) fn broken(what: String) -> Failed {
    Failed::new(what, "fix the file, then run the command again")
}

impl Source {
    /// Reads a JSON file; `None` if there is no such file.
    pub(super) fn read(path: &Path, site: &Site) -> Result<Option<Source>, Failed> {
        let name = site.show(path);
        let snapshot = Snapshot::read(path)?;
        let Some(text) = snapshot.content() else { return Ok(None) };
        match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
            Ok(Value::Object(object)) => Ok(Some(Source { name, object })),
            Ok(_) => Err(broken(format!("`{name}` is not a JSON object"))),
            Err(problem) => {
                let (line, column) = (problem.line(), problem.column());
                let what = problem.to_string();
                let what = what.split(" at line ").next().unwrap_or_default();
                Err(broken(format!("{name}:{line}:{column}: invalid JSON: {what}")))
            }
        }
    }

    pub(super) fn read_required(path: &Path, site: &Site) -> Result<Source, Failed> {
        Source::read(path, site)?.ok_or_else(|| {
            Failed::new(format!("`{}` does not exist", site.show(path)), "name the file with --from FILE")
        })
    }
}
