//! The labelled set, as it is written in its files.

use std::collections::BTreeMap;
use std::path::Path;

use flyball::outcome::Failed;
use serde::Deserialize;

/// Which part of the set a project belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    /// Weights and words are tuned on it.
    Tuning,
    /// Only measured.
    HeldOut,
}

impl Half {
    pub(super) const ALL: [Half; 2] = [Half::Tuning, Half::HeldOut];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Half::Tuning => "tuning",
            Half::HeldOut => "held-out",
        }
    }
}

/// An invented project with its rules, and edits in it.
#[derive(Debug)]
pub(super) struct Project {
    pub(super) half: Half,
    pub(super) name: String,
    pub(super) files: BTreeMap<String, String>,
    pub(super) edits: Vec<Edit>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    files: BTreeMap<String, String>,
    edit: Vec<Edit>,
}

/// One edit, and what to be reminded of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Edit {
    pub(super) file: String,
    /// The command that makes it, instead of an edit tool.
    pub(super) shell: Option<String>,
    /// The text that is replaced, or that the file has.
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
    /// A piece of the text of each rule to be reminded of.
    pub(super) want: Vec<String>,
    /// The same for rules that count neither way.
    #[serde(default)]
    pub(super) fine: Vec<String>,
}

/// All projects, by half and name.
pub(super) fn load(folder: &Path) -> Result<Vec<Project>, Failed> {
    let mut projects = Vec::new();
    for half in Half::ALL {
        let folder = folder.join(half.name());
        let failed = |cause: &dyn std::fmt::Display| {
            Failed::new(format!("{}: {cause}", folder.display()), "run it in a checkout of flyball")
        };
        let mut paths: Vec<_> = std::fs::read_dir(&folder)
            .map_err(|cause| failed(&cause))?
            .flatten()
            .map(|entry| entry.path())
            .collect();
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(&path).map_err(|cause| failed(&cause))?;
            let File { files, edit } = toml::from_str(&text).map_err(|cause| failed(&cause))?;
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            projects.push(Project { half, name, files, edits: edit });
        }
    }
    Ok(projects)
}
